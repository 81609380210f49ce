// Loops over many elements, which the build compiles for several levels of the processor. Their files
// (`stiction_kernels` in cmake/stiction_target.cmake) define one table of functions each; all else in them is internal,
// so that no code for another processor can take the place of an inline function that the rest of the program uses.
#pragma once

#include <cstddef>

#include "stiction/export.h"
#include "stiction/math.h"

#if defined(__GNUC__) && !defined(__clang__)
#define STICTION_INDEPENDENT_ITERATIONS _Pragma("GCC ivdep")
#else
#define STICTION_INDEPENDENT_ITERATIONS
#endif
#define STICTION_ALWAYS_INLINE [[gnu::always_inline]] inline
#define STICTION_INLINE_LAMBDA __attribute__((always_inline))
#define STICTION_KERNEL [[gnu::flatten]]  // GCC ignores it on templates

// STICTION_TABLE(Table, name): declares the tables of all levels, and name(), the one that this process uses.
// STICTION_THIS_TABLE(name): the table of the level that a file is being compiled for.
#if !defined(STICTION_LEVEL)
#define STICTION_LEVEL base
#endif
#define STICTION_JOIN_(a, b) a##_##b
#define STICTION_JOIN(a, b) STICTION_JOIN_(a, b)
#define STICTION_THIS_TABLE(name) STICTION_JOIN(name, STICTION_LEVEL)
#if defined(STICTION_LEVELS)
#define STICTION_TABLE(Table, name)                                                               \
  extern const Table name##_base;                                                                 \
  extern const Table name##_v3;                                                                   \
  extern const Table name##_v4;                                                                   \
  inline const Table& name() noexcept {                                                           \
    const SimdLevel level = simd_level();                                                         \
    return level == SimdLevel::v4 ? name##_v4 : level == SimdLevel::v3 ? name##_v3 : name##_base; \
  }
#else
#define STICTION_TABLE(Table, name) \
  extern const Table name##_base;   \
  inline const Table& name() noexcept { return name##_base; }
#endif

namespace stiction {

inline constexpr std::size_t lanes = 8;  // elements that are processed together

/// Levels of x86-64: v3 has AVX2 and FMA, v4 has AVX-512. `base` is x86-64-v2, or whatever else the build is for.
enum class SimdLevel { base, v3, v4 };

/// The level in use: the best level that the build and the processor have, unless the environment variable
/// STICTION_SIMD asks for a lower one (v2, v3 or v4). Decided when the library is loaded.
[[nodiscard]] STICTION_EXPORT SimdLevel simd_level() noexcept;

namespace {  // NOLINT(google-build-namespaces): a type of its own in each file is what is wanted
/// The arithmetic of this level, for kernels whose results may differ in rounding between levels. Types derived
/// from it are internal too.
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
struct OfThisLevel : Fused {};
#else
struct OfThisLevel : Unfused {};
#endif
}  // namespace

}  // namespace stiction
