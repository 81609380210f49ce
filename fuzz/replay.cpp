// Feeds stored inputs to a fuzz target: fuzz_replay TARGET FILE_OR_FOLDER…  The tests run it over corpus/ and
// regressions/. It ends by a signal where an input breaks a promise, after the input's name was printed.
#include <fstream>
#include <iterator>
#include <map>
#include <vector>

#include "fuzz/support.h"

namespace stiction::fuzz {
namespace {

std::map<std::string, Target>& targets() {
  static std::map<std::string, Target> list;
  return list;
}

void replay(Target target, const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  const std::vector<char> bytes{std::istreambuf_iterator<char>(in), {}};
  std::fprintf(stderr, "%s\n", file.c_str());
  target({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});  // NOLINT: text as bytes
}

}  // namespace

Registered::Registered(const char* name, Target target) { targets()[name] = target; }

int replay_all(const std::string& name, std::span<char* const> paths) {
  const auto target = targets().find(name);
  if (target == targets().end()) {
    std::fprintf(stderr, "fuzz_replay: there is no target '%s'\n", name.c_str());
    return 2;
  }
  int count = 0;
  for (const std::filesystem::path path : paths) {
    std::vector<std::filesystem::path> files;
    if (std::filesystem::is_directory(path)) {
      for (const auto& entry : std::filesystem::directory_iterator(path)) {
        files.push_back(entry.path());
      }
      std::ranges::sort(files);
    } else if (std::filesystem::exists(path)) {
      files.push_back(path);
    }
    for (const auto& file : files) {
      replay(target->second, file);
      ++count;
    }
  }
  std::printf("%s: %d inputs\n", name.c_str(), count);
  return count > 0 ? 0 : 2;  // a folder without inputs tests nothing
}

}  // namespace stiction::fuzz

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: fuzz_replay TARGET FILE_OR_FOLDER…\n");
    return 2;
  }
  return stiction::fuzz::replay_all(argv[1], std::span(argv, static_cast<std::size_t>(argc)).subspan(2));
}
