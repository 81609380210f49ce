// How loops over many elements are compiled: several instruction sets, always inlined, iterations independent.
#pragma once

#include <cstddef>

// One source, compiled for several instruction sets, the best picked when the program starts. The sanitizers cannot run
// the code that picks, and clang gains nothing from it.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__) && !defined(__AVX2__)
#define STICTION_SIMD_CLONES __attribute__((target_clones("arch=skylake-avx512", "avx2", "default")))
#else
#define STICTION_SIMD_CLONES
#endif
#if defined(__GNUC__) && !defined(__clang__)
#define STICTION_INDEPENDENT_ITERATIONS _Pragma("GCC ivdep")
#else
#define STICTION_INDEPENDENT_ITERATIONS
#endif
#define STICTION_ALWAYS_INLINE [[gnu::always_inline]] inline
#define STICTION_INLINE_LAMBDA __attribute__((always_inline))

namespace stiction {

inline constexpr std::size_t lanes = 8;  // elements that are processed together

}  // namespace stiction
