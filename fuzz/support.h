// What fuzz targets share: numbers from bytes, files in memory, and a check that ends the process.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <limits>
#include <span>
#include <string>
#include <string_view>

#include "stiction/problem.h"

namespace stiction::fuzz {

[[noreturn]] inline void broken(const char* promise, const char* file, int line) {
  std::fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, promise);
  std::abort();
}
/// A promise of the library. A sanitizer or a stray exception ends the process in the same way.
#define FUZZ_REQUIRE(promise) ((promise) ? void() : ::stiction::fuzz::broken(#promise, __FILE__, __LINE__))

/// Runs a parser. True where it took the input; a refusal must be one line that is safe to print.
template <class Refusal, class Parse>
bool accepted(const Parse& parse) {
  try {
    parse();
    return true;
  } catch (const Refusal& refusal) {
    const std::string_view line = refusal.what();
    FUZZ_REQUIRE(!line.empty());
    FUZZ_REQUIRE(std::ranges::none_of(line, [](unsigned char c) { return c < 0x20 || c == 0x7f; }));
    return false;
  }
}

template <class Numbers>
bool all_finite(const Numbers& numbers) {
  return std::ranges::all_of(numbers, [](double x) { return std::isfinite(x); });
}

/// The input's bytes one after the other, and zeros after its end. Take one value a statement (or in braces): the order
/// of a call's arguments is the compiler's choice, and an input must mean the same to all.
class Bytes {
 public:
  explicit Bytes(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  [[nodiscard]] bool empty() const { return bytes_.empty(); }
  std::uint8_t byte() {
    const std::uint8_t first = bytes_.empty() ? 0 : bytes_.front();
    bytes_ = bytes_.subspan(bytes_.empty() ? 0 : 1);
    return first;
  }
  bool flag() { return (byte() & 1U) != 0; }
  std::size_t below(std::size_t n) { return byte() % n; }
  std::string_view rest() const {
    return {reinterpret_cast<const char*>(bytes_.data()), bytes_.size()};  // NOLINT: bytes as text
  }

  /// Any double: exceptional ones, ordinary magnitudes (1e-7 to 1e7), the whole range, or the next 8 bytes as they are.
  double any_number() {
    using Limits = std::numeric_limits<double>;
    constexpr std::array special{0.0,    -0.0,  1.0,   -1.0,   Limits::quiet_NaN(),  infinity,        -infinity,
                                 1e-300, 1e300, 1e-15, 1 / 3., Limits::denorm_min(), (Limits::min)(), 2.0,
                                 0.5,    1e15};
    const unsigned kind = byte();
    if (kind < 0x10) {
      return special[kind];
    }
    if (kind >= 0xe0) {
      std::array<std::uint8_t, 8> raw{};
      std::ranges::generate(raw, [this] { return byte(); });
      double value = 0;
      std::memcpy(&value, raw.data(), sizeof value);
      return value;
    }
    const double sign = kind % 2 == 0 ? 1 : -1;
    const double exponent = kind < 0xc0 ? (kind / 2 - 8) / 80.0 * 14 - 7 : byte() / 255.0 * 616 - 308;
    return sign * (1 + byte() / 256.0) * std::pow(10, exponent);
  }
  double finite_number(double limit = infinity) {
    const double x = any_number();
    return std::isfinite(x) ? std::clamp(x, -limit, limit) : 0.0;
  }
  /// Most often a number of the range.
  double number_for(const Range& range) {
    const double x = any_number();
    return !range.holds(x) && range.holds(-x) ? -x : x;
  }

 private:
  std::span<const std::uint8_t> bytes_;
};

/// A file that is nowhere but in memory, for parsers that take a path. One a process, written anew for each input.
inline std::filesystem::path file_in_memory(std::string_view content) {
  static const int file = ::memfd_create("input", MFD_CLOEXEC);
  std::size_t written = 0;
  bool good = file >= 0 && ::ftruncate(file, 0) == 0;
  while (good && written < content.size()) {
    const ssize_t n = ::pwrite(file, content.data() + written, content.size() - written, static_cast<off_t>(written));
    good = n > 0;
    written += good ? static_cast<std::size_t>(n) : 0;
  }
  if (!good) {
    std::perror("file_in_memory");
    std::exit(3);  // NOLINT(concurrency-mt-unsafe)
  }
  return "/proc/self/fd/" + std::to_string(file);
}

using Target = void (*)(std::span<const std::uint8_t>);
/// Makes a target known to the program that replays inputs.
struct Registered {
  Registered(const char* name, Target target);
};

}  // namespace stiction::fuzz

// FUZZ_TARGET(name)(std::span<const std::uint8_t> input) { … }
#if defined(STICTION_FUZZ_REPLAY)
#define FUZZ_TARGET(name)                                                          \
  static void fuzz_##name(std::span<const std::uint8_t> input);                    \
  static const ::stiction::fuzz::Registered registered_##name(#name, fuzz_##name); \
  static void fuzz_##name
#else
#define FUZZ_TARGET(name)                                                                   \
  static void fuzz_##name(std::span<const std::uint8_t> input);                             \
  extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);        \
  extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, const std::size_t size) { \
    fuzz_##name({data, size});                                                              \
    return 0;                                                                               \
  }                                                                                         \
  static void fuzz_##name
#endif
