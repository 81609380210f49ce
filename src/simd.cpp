#include "simd.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

namespace stiction {
namespace {

#if defined(STICTION_LEVELS)

constexpr const char* name_of(SimdLevel level) noexcept {
  return level == SimdLevel::v4 ? "v4" : level == SimdLevel::v3 ? "v3" : "v2";
}

SimdLevel best_of_this_machine() noexcept {
  __builtin_cpu_init();
  const bool v3 = __builtin_cpu_supports("x86-64-v3") != 0;
  return v3 && __builtin_cpu_supports("x86-64-v4") != 0 ? SimdLevel::v4 : v3 ? SimdLevel::v3 : SimdLevel::base;
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

const SimdLevel chosen = chosen_level();  // `base`, which is always right, for whatever is called before

}  // namespace

SimdLevel simd_level() noexcept { return chosen; }

}  // namespace stiction
