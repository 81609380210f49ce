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
  const double *stiffness, *share;
};

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
