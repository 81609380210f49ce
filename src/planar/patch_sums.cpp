#include "patch_sums.h"

#include <array>
#include <cmath>

#include "logarithm.h"

namespace stiction::planar {
namespace {

/// Slower points, relative to a patch whose speed is about 1, count as at rest: squares of their speeds would
/// underflow.
constexpr double at_rest = 1e-150;

/// −∫ v̂ p and −∫ ρ × v̂ p over points.
STICTION_KERNEL Wrench sum_over_points(const double* x, const double* y, const double* share, std::size_t n, double vx,
                                       double vy, double spin) noexcept {
  constexpr std::size_t width = lanes;
  std::array<double, width> fx{};
  std::array<double, width> fy{};
  std::array<double, width> torque{};
  const auto add = [&](std::size_t i, std::size_t lane) STICTION_INLINE_LAMBDA {
    const double ux = vx - spin * y[i];
    const double uy = vy + spin * x[i];
    const double speed = std::sqrt(ux * ux + uy * uy);
    const double weight = speed > at_rest ? share[i] / speed : 0;
    fx[lane] -= weight * ux;
    fy[lane] -= weight * uy;
    torque[lane] -= weight * (x[i] * uy - y[i] * ux);
  };
  std::size_t at = 0;
  for (; at + width <= n; at += width) {
    STICTION_INDEPENDENT_ITERATIONS
    for (std::size_t lane = 0; lane < width; ++lane) {
      add(at + lane, lane);
    }
  }
  for (; at < n; ++at) {
    add(at, 0);
  }
  Wrench total;
  for (std::size_t lane = 0; lane < width; ++lane) {
    total = total + Wrench{fx[lane], fy[lane], torque[lane]};
  }
  return total;
}

/// ∫ (X, Y)/d p and ∫ d p, with (X, Y) from (cx, cy) and d its length. The antiderivatives, up to terms that cancel:
///   ∂²/∂X∂Y ½ (Y d + X² arsinh(Y/|X|)) = X/d
///   ∂²/∂X∂Y (X Y d/3 + X³/6 arsinh(Y/|X|) + Y³/6 arsinh(X/|Y|)) = d
STICTION_KERNEL CornerSums sum_over_corners(const double* x, const double* y, const double* weight, std::size_t n,
                                            double cx, double cy) noexcept {
  constexpr std::size_t width = lanes;
  constexpr double tiny = 1e-150;  // where X or Y vanishes, so does the term
  std::array<double, width> sx{};
  std::array<double, width> sy{};
  std::array<double, width> sd{};
  const auto add = [&](std::size_t i, std::size_t lane) STICTION_INLINE_LAMBDA {
    const double dx = x[i] - cx;
    const double dy = y[i] - cy;
    const double ax = std::abs(dx);
    const double ay = std::abs(dy);
    const double d = std::sqrt(dx * dx + dy * dy);
    const double along_y = std::copysign(logarithm<OfThisLevel>((ay + d + tiny) / (ax + tiny)), dy);  // arsinh(Y/|X|)
    const double along_x = std::copysign(logarithm<OfThisLevel>((ax + d + tiny) / (ay + tiny)), dx);
    const double x2 = dx * dx;
    const double y2 = dy * dy;
    sx[lane] += weight[i] * (dy * d + x2 * along_y);
    sy[lane] += weight[i] * (dx * d + y2 * along_x);
    sd[lane] += weight[i] * (2 * dx * dy * d + dx * x2 * along_y + dy * y2 * along_x);
  };
  std::size_t at = 0;
  for (; at + width <= n; at += width) {
    STICTION_INDEPENDENT_ITERATIONS
    for (std::size_t lane = 0; lane < width; ++lane) {
      add(at + lane, lane);
    }
  }
  for (; at < n; ++at) {
    add(at, 0);
  }
  CornerSums total;
  for (std::size_t lane = 0; lane < width; ++lane) {
    total.x += sx[lane] / 2;
    total.y += sy[lane] / 2;
    total.distance += sd[lane] / 6;
  }
  return total;
}

/// Second derivatives of ∫ |ρ − C| p dA by C. The antiderivatives, up to terms that cancel:
///   ∂²/∂X∂Y X arsinh(Y/|X|) = Y²/d³,   ∂²/∂X∂Y d = −X Y/d³
STICTION_KERNEL DistanceHessian distance_hessian(const double* x, const double* y, const double* weight, std::size_t n,
                                                 double cx, double cy) noexcept {
  constexpr std::size_t width = lanes;
  constexpr double tiny = 1e-150;  // where X or Y vanishes, so does the term
  std::array<double, width> xx{};
  std::array<double, width> xy{};
  std::array<double, width> yy{};
  const auto add = [&](std::size_t i, std::size_t lane) STICTION_INLINE_LAMBDA {
    const double dx = x[i] - cx;
    const double dy = y[i] - cy;
    const double ax = std::abs(dx);
    const double ay = std::abs(dy);
    const double d = std::sqrt(dx * dx + dy * dy);
    xx[lane] += weight[i] * dx * std::copysign(logarithm<OfThisLevel>((ay + d + tiny) / (ax + tiny)), dy);
    yy[lane] += weight[i] * dy * std::copysign(logarithm<OfThisLevel>((ax + d + tiny) / (ay + tiny)), dx);
    xy[lane] += weight[i] * d;
  };
  std::size_t at = 0;
  for (; at + width <= n; at += width) {
    STICTION_INDEPENDENT_ITERATIONS
    for (std::size_t lane = 0; lane < width; ++lane) {
      add(at + lane, lane);
    }
  }
  for (; at < n; ++at) {
    add(at, 0);
  }
  DistanceHessian sum;
  for (std::size_t lane = 0; lane < width; ++lane) {
    sum.xx += xx[lane];
    sum.xy += xy[lane];
    sum.yy += yy[lane];
  }
  return sum;
}

}  // namespace

constinit const PatchSums STICTION_THIS_TABLE(patch_sums){sum_over_points, sum_over_corners, distance_hessian};

}  // namespace stiction::planar
