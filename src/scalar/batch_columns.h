// How the batches keep and read the parameters of their joints: in columns.
#pragma once

#include <algorithm>
#include <utility>

#include "../simd.h"
#include "stiction/scalar/batch.h"

namespace stiction::scalar {

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
      columns[field].push_back(model.params().*Model::fields[field].member);
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

/// Calls chunk_of(at, count) for joints at … at + count − 1: a full chunk of them, whose loops the compiler unrolls
/// into vectors, as long as there is one, then the rest.
template <class Chunk>
STICTION_ALWAYS_INLINE void in_chunks(std::size_t n, const Chunk& chunk_of) noexcept {
  std::size_t at = 0;
  for (; at + lanes <= n; at += lanes) {
    chunk_of(at, lanes);
  }
  chunk_of(at, n - at);
}

}  // namespace stiction::scalar
