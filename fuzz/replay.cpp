// Feeds inputs to a fuzz target, with any compiler:
//
//   fuzz_replay TARGET FILE_OR_FOLDER…                         the stored ones
//   fuzz_replay --mutate COUNT SECONDS TARGET FILE_OR_FOLDER…  mutations of them, the same ones in the same order every
//                                                              time: COUNT, or fewer where SECONDS have passed
//
// It ends by a signal where an input breaks a promise, after the input's name was printed.
#include <fcntl.h>

#include <chrono>
#include <fstream>
#include <iterator>
#include <map>
#include <vector>

#include "fuzz/mutate.h"
#include "fuzz/support.h"

namespace stiction::fuzz {
namespace {

std::map<std::string, Target>& targets() {
  static std::map<std::string, Target> list;
  return list;
}

Input read(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<std::filesystem::path> files_of(std::span<char* const> paths) {
  std::vector<std::filesystem::path> files;
  for (const std::filesystem::path path : paths) {
    if (std::filesystem::is_directory(path)) {
      const std::size_t first = files.size();
      for (const auto& entry : std::filesystem::directory_iterator(path)) {
        files.push_back(entry.path());
      }
      std::sort(files.begin() + static_cast<std::ptrdiff_t>(first), files.end());
    } else if (std::filesystem::exists(path)) {
      files.push_back(path);
    }
  }
  return files;
}

/// The input of the moment, in a file that is left behind where the process ends by it.
class LastInput {
 public:
  explicit LastInput(const std::string& target)
      : path_(std::filesystem::temp_directory_path() / ("fuzz-" + target + "-" + std::to_string(::getpid()))),
        file_(::open(path_.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600)) {
    std::fprintf(stderr, "the input of the moment is in %s\n", path_.c_str());
  }
  LastInput(const LastInput&) = delete;
  LastInput& operator=(const LastInput&) = delete;
  ~LastInput() {
    ::close(file_);
    ::unlink(path_.c_str());
  }
  bool write(const Input& input) const {
    return ::ftruncate(file_, 0) == 0 && ::pwrite(file_, input.data(), input.size(), 0) == std::ssize(input);
  }

 private:
  std::filesystem::path path_;
  int file_;
};

struct Effort {
  long mutations = 0;
  double seconds = 0;
};

int run(const std::string& name, std::span<char* const> paths, const Effort& limit) {
  const auto target = targets().find(name);
  if (target == targets().end()) {
    std::fprintf(stderr, "fuzz_replay: there is no target '%s'\n", name.c_str());
    return 2;
  }
  std::vector<Input> inputs;
  for (const auto& file : files_of(paths)) {
    inputs.push_back(read(file));
    if (limit.mutations == 0) {
      std::fprintf(stderr, "%s\n", file.c_str());
      target->second(inputs.back());
    }
  }
  std::printf("%s: %zu inputs\n", name.c_str(), inputs.size());
  if (inputs.empty()) {
    return 2;  // a folder without inputs tests nothing
  }
  if (limit.mutations > 0) {
    const LastInput last(name);
    Mutator mutator(inputs);
    long count = 0;
    const auto start = std::chrono::steady_clock::now();
    const auto passed = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
    for (; count < limit.mutations && passed() < limit.seconds; ++count) {
      const Input input = mutator.next();
      if (!last.write(input)) {
        std::perror("fuzz_replay");
        return 3;
      }
      target->second(input);
    }
    std::printf("%s: %ld mutations\n", name.c_str(), count);
  }
  return 0;
}

}  // namespace

Registered::Registered(const char* name, Target target) { targets()[name] = target; }

int main_of(std::span<char* const> arguments) {
  Effort limit;
  if (arguments.size() > 3 && std::string_view(arguments[1]) == "--mutate") {
    limit = {std::atol(arguments[2]), std::atof(arguments[3])};
    arguments = arguments.subspan(3);
  }
  if (arguments.size() < 3) {
    std::fprintf(stderr, "usage: fuzz_replay [--mutate COUNT SECONDS] TARGET FILE_OR_FOLDER…\n");
    return 2;
  }
  return run(arguments[1], arguments.subspan(2), limit);
}

}  // namespace stiction::fuzz

int main(int argc, char** argv) { return stiction::fuzz::main_of(std::span(argv, static_cast<std::size_t>(argc))); }
