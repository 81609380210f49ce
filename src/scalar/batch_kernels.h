// The loops of the batches.
#pragma once

#include <cstdint>

#include "batch_columns.h"
#include "stiction/scalar/dahl.h"
#include "stiction/scalar/elasto_plastic.h"
#include "stiction/scalar/gms.h"
#include "stiction/scalar/lugre.h"

namespace stiction::scalar {

/// The joints of a GmsBatch.
struct GmsJoints {
  Columns<Gms> columns;
  std::size_t size, elements;
  const double* springs;
};

/// Where the springs of an element begin for the joints that are processed together with joint i: `lanes` stiffnesses,
/// then as many shares. One stream of memory: in columns a power of two apart, those of all elements would compete for
/// the same few lines of the cache.
STICTION_ALWAYS_INLINE std::size_t springs_of(std::size_t elements, std::size_t i, std::size_t element) noexcept {
  return (i / lanes * elements + element) * 2 * lanes;
}

/// Steps n joints. `plain`: all parameters allow vectorisation; `force` may be null.
template <class Model>
using BatchKernel = void (*)(const Columns<Model>& columns, bool plain, std::size_t n, double* state,
                             const double* velocity, double dt, double* force) noexcept;
using GmsKernel = void (*)(const GmsJoints& joints, bool plain, std::size_t n, double* force, std::int32_t* slipping,
                           const double* velocity, double dt, double* friction) noexcept;

struct BatchKernels {
  BatchKernel<LuGre> lugre;
  BatchKernel<Dahl> dahl;
  BatchKernel<ElastoPlastic> elasto_plastic;
  GmsKernel gms;
};
STICTION_TABLE(BatchKernels, batch_kernels)

}  // namespace stiction::scalar
