// How the batches are compiled, and how they keep and read parameters.
#pragma once

#include <algorithm>
#include <utility>

#include "stiction/scalar/batch.h"

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

namespace stiction::scalar {

inline constexpr std::size_t lanes = 8;  // joints that are worked on together

/// Where the columns begin.
template <class Model>
struct Columns {
  std::array<const double*, Model::fields.size()> at;
};

template <class Model>
ParameterColumns<Model> columns_of(std::span<const Model> models) {
  ParameterColumns<Model> columns;
  for (std::size_t field = 0; field < columns.size(); ++field) {
    columns[field].reserve(models.size());
    for (const Model& model : models) {
      columns[field].push_back(params_of(model).*Model::fields[field].member);
    }
  }
  return columns;
}

template <class Model>
Columns<Model> starts_of(const ParameterColumns<Model>& columns) noexcept {
  Columns<Model> starts;
  std::transform(columns.begin(), columns.end(), starts.at.begin(), [](const auto& column) { return column.data(); });
  return starts;
}

/// The numbers of joint i, without its lists.
template <class Model>
STICTION_ALWAYS_INLINE typename Model::Params params_at(const Columns<Model>& columns, std::size_t i) noexcept {
  typename Model::Params params{};
  [&]<std::size_t... Field>(std::index_sequence<Field...>) {
    ((params.*Model::fields[Field].member = columns.at[Field][i]), ...);
  }
  (std::make_index_sequence<Model::fields.size()>{});
  return params;
}

/// Calls some(at, count) for joints at … at + count − 1: a full chunk of them, whose loops the compiler unrolls into
/// vectors, as long as there is one, then the rest.
template <class Some>
STICTION_ALWAYS_INLINE void in_chunks(std::size_t n, const Some& some) noexcept {
  std::size_t at = 0;
  for (; at + lanes <= n; at += lanes) {
    some(at, lanes);
  }
  some(at, n - at);
}

}  // namespace stiction::scalar
