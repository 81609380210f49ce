// The loops of the distributed model over its points.
#pragma once

#include "../simd.h"
#include "stiction/planar/distributed.h"

namespace stiction::planar {

/// What a kernel reads and writes; a state or a rate that the job does not need may be null.
struct PatchWork {
  const double *x, *y, *share;
  std::size_t n;
  double vx, vy, spin;
  double* z;   // 2 n
  double* dz;  // 2 n
  double dt;
};

/// The wrench for a normal force of 1 N. `plain`: the Stribeck exponent is 2.
using PatchKernel = Wrench (*)(const Friction& friction, const PatchWork& work, bool elasto_plastic,
                               bool plain) noexcept;

struct DistributedKernels {
  PatchKernel rate, wrench, advance, step, trial, euler, bounded_euler;
  Distributed::Elimination (*eliminate)(const Friction& friction, const PatchWork& work, bool elasto_plastic,
                                        bool plain, double gamma, double* scratch) noexcept;
};
STICTION_TABLE(DistributedKernels, distributed_kernels)

}  // namespace stiction::planar
