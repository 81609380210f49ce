// Checks what is installed and what works, by trying it.
#include <fmt/format.h>
#include <sched.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "clp_baseline.h"
#include "commands.h"
#include "complain.h"
#include "json_text.h"
#include "lab.h"
#include "mujoco_rows.h"
#include "simd.h"
#include "stiction/geometry/cache.h"
#include "stiction/scalar/model_table.h"
#include "stiction/scalar/registry.h"
#include "stiction/version.h"
#include "terminal.h"

namespace stiction::cli {
namespace {

enum class State { good, absent, broken };

/// The result of one check.
struct Finding {
  const char* name;
  State state;
  std::string text;
  std::string remedy = {};  // if it is not good
};

const char* name_of(State state) {
  switch (state) {
    case State::good:
      return "ok";
    case State::absent:
      return "absent";
    default:
      return "broken";
  }
}

/// The first program of this name on the PATH; empty where there is none.
std::string find_program(const std::string& name) {
  const char* const path = std::getenv("PATH");  // NOLINT(concurrency-mt-unsafe): nothing here changes it
  std::string_view rest = path == nullptr ? "" : path;
  while (!rest.empty()) {
    const auto end = std::min(rest.find(':'), rest.size());
    const std::filesystem::path file = std::filesystem::path(rest.substr(0, end)) / name;
    if (::access(file.c_str(), X_OK) == 0 && !std::filesystem::is_directory(file)) {
      return file.string();
    }
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return {};
}

/// A folder of our own among the temporary ones, removed at the end.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "stiction_doctor_XXXXXX").string();
    path_ = ::mkdtemp(pattern.data()) != nullptr ? pattern : "";
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    if (!path_.empty()) {
      std::filesystem::remove_all(path_, ignored);
    }
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

Finding gnuplot() {
  constexpr const char* remedy = "apt install gnuplot-nox; needed by --figure of limit-surface, sdf and shell";
  const std::string program = find_program("gnuplot");
  if (program.empty()) {
    return {"gnuplot", State::absent, "not found", remedy};
  }
  try {
    const TemporaryFolder folder;
    lab::draw(folder.path() / "try.svg", {}, "plot x\n");
    return {"gnuplot", State::good, program};
  } catch (const std::exception& error) {
    return {"gnuplot", State::broken, error.what(), remedy};
  }
}

Finding cache() {
  const std::filesystem::path folder = geometry::default_cache_folder();
  std::error_code problem;
  std::filesystem::create_directories(folder, problem);
  if (problem || ::access(folder.c_str(), W_OK) != 0) {
    return {"cache", State::broken, folder.string() + " cannot be written", "set XDG_CACHE_HOME"};
  }
  return {"cache", State::good, folder.string()};
}

/// Whether a thread may ask for real time, as `haptic --realtime --priority` does.
Finding real_time() {
  const int old = ::sched_getscheduler(0);
  const sched_param wanted{.sched_priority = 1};
  if (old >= 0 && ::sched_setscheduler(0, SCHED_FIFO, &wanted) == 0) {
    const sched_param none{.sched_priority = 0};
    ::sched_setscheduler(0, old, &none);
    return {"real-time priority", State::good, "granted"};
  }
  return {"real-time priority", State::absent, "not granted",
          "rtprio in /etc/security/limits.conf; needed by haptic --realtime --priority"};
}

std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("model name")) {
      return line.substr(std::min(line.find(':') + 2, line.size()));
    }
  }
  return "unknown";
}

std::vector<std::string> features() {
  std::vector<std::string> found;
#if defined(__x86_64__)
  __builtin_cpu_init();
  const auto add = [&](auto has, const char* name) {
    if (static_cast<bool>(has)) {  // int or bool, by compiler
      found.emplace_back(name);
    }
  };
  add(__builtin_cpu_supports("sse4.2"), "sse4.2");
  add(__builtin_cpu_supports("avx"), "avx");
  add(__builtin_cpu_supports("avx2"), "avx2");
  add(__builtin_cpu_supports("fma"), "fma");
  add(__builtin_cpu_supports("avx512f"), "avx512f");
#endif
  return found;
}

const char* level() {
#if defined(__x86_64__)
  switch (simd_level()) {
    case SimdLevel::v4:
      return "x86-64-v4 (AVX-512)";
    case SimdLevel::v3:
      return "x86-64-v3 (AVX2, FMA)";
    default:
      return "x86-64-v2";
  }
#else
  return "as built";
#endif
}

}  // namespace

int doctor(bool json) {
  utsname system{};
  ::uname(&system);
  const std::string system_text = fmt::format("{} {} {}", system.sysname, system.release, system.machine);
  const auto works = [](bool has) { return has ? State::good : State::absent; };
  const std::vector<Finding> findings{
      {"models", State::good, fmt::format("{} of one axis", scalar::registered_models().size())},
      {"experiments", State::good,
       fmt::format("{}, reproduce them without any other program", lab::experiments().size())},
      gnuplot(),
      {"CLP", works(baselines::Clp::available()), baselines::Clp::available() ? "built in" : "not built in",
       "coinor-libclp-dev when building; a baseline of bench spatial"},
      {"MuJoCo", works(baselines::has_mujoco()), baselines::has_mujoco() ? "built in" : "not built in",
       "libmujoco-dev when building; an oracle of experiments"},
      cache(),
      real_time(),
  };
  if (json) {
    nlohmann::ordered_json parts = nlohmann::ordered_json::array();
    for (const Finding& f : findings) {
      parts.push_back({{"name", f.name}, {"state", name_of(f.state)}, {"text", f.text}});
      if (f.state != State::good) {
        parts.back()["remedy"] = f.remedy;
      }
    }
    fmt::print("{}\n", json_text(nlohmann::ordered_json{{"version", STICTION_VERSION},
                                                        {"compiler", __VERSION__},
                                                        {"system", system_text},
                                                        {"processor", processor()},
                                                        {"cores", std::thread::hardware_concurrency()},
                                                        {"features", features()},
                                                        {"level", level()},
                                                        {"parts", parts}}));
    return exit_good;
  }
  fmt::print("{:<20} {}\n{:<20} {}\n{:<20} {}\n", "stiction", STICTION_VERSION, "compiled by", __VERSION__, "system",
             system_text);
  fmt::print("{:<20} {}, {} cores\n{:<20} {}\n{:<20} {}{}\n\n", "processor", one_line(processor()),
             std::thread::hardware_concurrency(), "features", fmt::join(features(), " "), "kernels in use", level(),
             std::getenv("STICTION_SIMD") != nullptr  // NOLINT(concurrency-mt-unsafe): nothing here changes it
                 ? ", as STICTION_SIMD asks"
                 : "");
  for (const Finding& f : findings) {
    const Colour colour = f.state == State::good     ? Colour::green
                          : f.state == State::absent ? Colour::yellow
                                                     : Colour::red;
    fmt::print("{} {:<20} {}\n", coloured(fmt::format("{:<7}", name_of(f.state)), colour), f.name, one_line(f.text));
    if (f.state != State::good) {
      fmt::print("{:<28} {}\n", "", f.remedy);
    }
  }
  return exit_good;
}

}  // namespace stiction::cli
