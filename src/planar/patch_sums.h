// Sums over the points and corners of a patch.
#pragma once

#include "../simd.h"
#include "stiction/planar/twist.h"

namespace stiction::planar {

/// ∫ (X, Y)/d p and ∫ d p, with (X, Y) the position relative to a centre of rotation and d its length.
struct CornerSums {
  double x = 0, y = 0, distance = 0;
};

/// Second derivatives of ∫ |ρ − C| p dA by C.
struct DistanceHessian {
  double xx = 0, xy = 0, yy = 0;
};

struct PatchSums {
  /// −∫ v̂ p and −∫ ρ × v̂ p over points.
  Wrench (*over_points)(const double* x, const double* y, const double* share, std::size_t n, double vx, double vy,
                        double spin) noexcept;
  CornerSums (*over_corners)(const double* x, const double* y, const double* weight, std::size_t n, double cx,
                             double cy) noexcept;
  DistanceHessian (*distance_hessian)(const double* x, const double* y, const double* weight, std::size_t n, double cx,
                                      double cy) noexcept;
};
STICTION_TABLE(PatchSums, patch_sums)

}  // namespace stiction::planar
