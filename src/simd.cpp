#include "simd.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

namespace stiction {
namespace {

#if defined(STICTION_LEVELS)

constexpr std::array<const char*, 3> names{"v2", "v3", "v4"};
constexpr const char* name_of(SimdLevel level) noexcept { return names[static_cast<std::size_t>(level)]; }

/// Each level has more features than are tested here; no processor has these without the others.
SimdLevel best_of_this_machine() noexcept {
  __builtin_cpu_init();
  const auto has = [](auto feature) { return static_cast<bool>(feature); };  // int or bool, by compiler
  const bool v3 = has(__builtin_cpu_supports("avx2")) && has(__builtin_cpu_supports("fma")) &&
                  has(__builtin_cpu_supports("bmi")) && has(__builtin_cpu_supports("bmi2"));
  const bool v4 = v3 && has(__builtin_cpu_supports("avx512f")) && has(__builtin_cpu_supports("avx512bw")) &&
                  has(__builtin_cpu_supports("avx512cd")) && has(__builtin_cpu_supports("avx512dq")) &&
                  has(__builtin_cpu_supports("avx512vl"));
  return v4 ? SimdLevel::v4 : v3 ? SimdLevel::v3 : SimdLevel::base;
}

SimdLevel chosen_level() noexcept {
  const SimdLevel best = best_of_this_machine();
  const char* const wanted = std::getenv("STICTION_SIMD");  // NOLINT(concurrency-mt-unsafe): before any thread
  if (wanted == nullptr) {
    return best;
  }
  for (const SimdLevel level : {SimdLevel::base, SimdLevel::v3, SimdLevel::v4}) {
    if (std::strcmp(wanted, name_of(level)) == 0 && level <= best) {
      return level;
    }
  }
  std::fprintf(stderr,
               "stiction: STICTION_SIMD = \"%s\": must be v2, v3 or v4 and no more than this processor has, %s\n",
               wanted, name_of(best));
  return best;
}

#else

SimdLevel chosen_level() noexcept { return SimdLevel::base; }

#endif

const SimdLevel chosen = chosen_level();  // `base`, which is always valid, for calls before initialisation

}  // namespace

SimdLevel simd_level() noexcept { return chosen; }

}  // namespace stiction
