// The loops of a batch of reduced models.
#pragma once

#include "../simd.h"
#include "stiction/planar/reduced_batch.h"

namespace stiction::planar {

// Parameters of a patch, one column each. Quotients are precomputed: divisions dominate the cost of a step.
enum Column : std::size_t {
  stiffness,
  damping,
  viscous,
  bent_at_rest,  // μ_S/σ₀
  bent_drop,     // (μ_S − μ_C)/σ₀
  per_stribeck_velocity,
  exponent,
  middle,             // ½ (1 + s_ba)/(1 − s_ba)
  per_plastic_share,  // 1/(1 − s_ba)
  min_creep,          // 0: elasto-plastic, 1: LuGre, whose β is 1
  torque_radius,
  per_torque_radius,
  mean_square_radius,
  cells,
  column_count
};
static_assert(column_count == batch_columns);

template <class Real>
struct BatchWork {
  const BatchBlock<Real>* blocks;
  const BatchCell<Real>* cells;
  std::size_t n;
  Real* z;            // 3 n
  const Real* twist;  // 3 n
  const Real* normal_force;
  Real dt;
  Real* wrench;  // 3 n
};

/// `plain`: all Stribeck exponents are 2.
template <class Real>
using ReducedBatchKernel = void (*)(const BatchWork<Real>& work, bool plain) noexcept;

struct ReducedBatchKernels {
  ReducedBatchKernel<double> in_double;
  ReducedBatchKernel<float> in_float;
};
STICTION_TABLE(ReducedBatchKernels, reduced_batch_kernels)

}  // namespace stiction::planar
