#include "stiction/planar/ellipsoid.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "stiction/planar/friction.h"
#include "stiction/planar/limit_surface.h"
#include "stiction/small_matrix.h"
#include "stiction/vector.h"

namespace stiction::planar {
namespace {

Vector3 times(const LimitEllipsoid& b, const Vector3& v) noexcept {
  return {b.diagonal[0] * v[0] + b.xy * v[1] + b.x_torque * v[2],
          b.xy * v[0] + b.diagonal[1] * v[1] + b.y_torque * v[2],
          b.x_torque * v[0] + b.y_torque * v[1] + b.diagonal[2] * v[2]};
}

double dot(const Vector3& a, const Vector3& b) noexcept { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/// B⁻¹ w by Cramer's rule
Vector3 solved(const LimitEllipsoid& b, const Vector3& w) noexcept {
  const auto [xx, yy, tt] = b.diagonal;
  const Vector3 first{yy * tt - b.y_torque * b.y_torque, b.x_torque * b.y_torque - b.xy * tt,
                      b.xy * b.y_torque - b.x_torque * yy};
  const Vector3 second{first[1], xx * tt - b.x_torque * b.x_torque, b.xy * b.x_torque - xx * b.y_torque};
  const Vector3 third{first[2], second[2], xx * yy - b.xy * b.xy};
  const double determinant = xx * first[0] + b.xy * first[1] + b.x_torque * first[2];
  return {dot(first, w) / determinant, dot(second, w) / determinant, dot(third, w) / determinant};
}

/// A motion and the exact wrench that drives it, both with r as the unit of length.
struct Sample {
  Vector3 twist, wrench;
};

/// Half a sphere suffices, since the surface is symmetric. Points on a spiral, of equal areas.
std::vector<Sample> samples_of(const Patch& patch, int directions) {
  const double r = patch.torque_radius();
  if (!positive.holds(r)) {
    throw InvalidParameter(Problem{"torque_radius", r, positive.text});
  }
  if (directions < 6 || directions > 1'000'000) {
    throw InvalidParameter(Problem{"directions", static_cast<double>(directions), "in [6, 1e6]"});
  }
  const double golden_angle = std::numbers::pi * (3 - std::sqrt(5.0));
  std::vector<Sample> samples;
  samples.reserve(static_cast<std::size_t>(directions));
  for (int k = 0; k < directions; ++k) {
    const double z = (k + 0.5) / directions;
    const double across = std::sqrt(1 - z * z);
    const Vector3 v{across * std::cos(k * golden_angle), across * std::sin(k * golden_angle), z};
    const Wrench w = coulomb_wrench(patch, {v[0], v[1], v[2] / r});
    samples.push_back({v, {-w.x, -w.y, -w.torque / r}});
  }
  return samples;
}

LimitEllipsoid with_unit(const LimitEllipsoid& b, double length) noexcept {
  return {
      {b.diagonal[0], b.diagonal[1], b.diagonal[2] * length * length}, b.xy, b.x_torque * length, b.y_torque * length};
}

/// The numbers of B, those of the diagonal first.
double& number_of(LimitEllipsoid& b, std::size_t i) noexcept {
  return i < 3 ? b.diagonal[i] : i == 3 ? b.xy : i == 4 ? b.x_torque : b.y_torque;
}

constexpr std::size_t max_unknowns = 6;
using Matrix = SmallMatrix<double, max_unknowns>;

/// Sum of squares of e = B v/√(vᵀ B v) − w, with its slope and Gauss's matrix by the numbers of B; infinite if B is
/// not positive definite.
struct Squares {
  double sum = 0;
  Matrix::Vector slope{};
  Matrix matrix;
};
Squares squares(const LimitEllipsoid& b, const std::vector<Sample>& samples, std::size_t unknowns) {
  Squares s;
  s.matrix.size = unknowns;
  for (const auto& [v, w] : samples) {
    const Vector3 bv = times(b, v);
    const double vbv = dot(v, bv);
    if (!(vbv > 0)) {
      s.sum = infinity;
      return s;
    }
    const double n = std::sqrt(vbv);
    const Vector3 e{bv[0] / n - w[0], bv[1] / n - w[1], bv[2] / n - w[2]};
    s.sum += dot(e, e);
    std::array<Vector3, max_unknowns> de{};
    for (std::size_t i = 0; i < unknowns; ++i) {
      LimitEllipsoid one{{0, 0, 0}, 0, 0, 0};
      number_of(one, i) = 1;
      const Vector3 dbv = times(one, v);
      const double half = dot(v, dbv) / (2 * vbv);  // de = (dB v − B v (vᵀ dB v)/(2 vᵀ B v))/n
      de[i] = {(dbv[0] - half * bv[0]) / n, (dbv[1] - half * bv[1]) / n, (dbv[2] - half * bv[2]) / n};
      s.slope[i] += dot(de[i], e);
      for (std::size_t j = 0; j <= i; ++j) {
        s.matrix.at[i][j] += dot(de[i], de[j]);
        s.matrix.at[j][i] = s.matrix.at[i][j];
      }
    }
  }
  return s;
}

}  // namespace

Wrench LimitEllipsoid::wrench(const Twist& twist) const noexcept {
  const double largest = std::max({std::abs(twist.x), std::abs(twist.y), std::abs(twist.spin)});
  const double size = largest > 0 ? largest : 1;  // only the direction matters, whatever the magnitude of the twist
  const Vector3 v{twist.x / size, twist.y / size, twist.spin / size};
  const Vector3 bv = times(*this, v);
  const double taken = std::sqrt(dot(v, bv));
  const double factor = taken == 0 ? 0 : -1 / taken;
  return {factor * bv[0], factor * bv[1], factor * bv[2]};
}

Slip LimitEllipsoid::slip(const Wrench& load, double friction) const noexcept {
  if (load == Wrench{} && std::isfinite(friction)) {
    return {infinity, 0, {}, 0, true};
  }
  // Any magnitude: what follows is for the load over its largest component.
  const double largest = std::max({std::abs(load.x), std::abs(load.y), std::abs(load.torque)});
  const Vector3 w{load.x / largest, load.y / largest, load.torque / largest};
  const Vector3 v = solved(*this, w);
  // (s w)ᵀ B⁻¹ (s w) = (μ f_N)²
  const double wv = dot(w, v);
  const double factor = in_contact(friction) / std::sqrt(wv) / largest;
  if (!std::isfinite(factor) || !std::isfinite(load.x + load.y + load.torque) || !std::isfinite(friction)) {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    return {nan, nan, {nan, nan, nan}, 0, false};
  }
  const double scale = factor / wv;
  return {factor, 0, {scale * v[0], scale * v[1], scale * v[2]}, 0, true};
}

Twist LimitEllipsoid::pushed(const Point& arm, const Vector& velocity) const noexcept {
  // v = v₀ + ω m, v₀ the motion without spin and m a rotation about the contact: vᵀ B v is minimal where mᵀ B v = 0
  const Vector3 v{velocity.x, velocity.y, 0};
  const Vector3 m{arm.y, -arm.x, 1};
  const double spin = -dot(m, times(*this, v)) / dot(m, times(*this, m));
  return {velocity.x + spin * m[0], velocity.y + spin * m[1], spin};
}

EllipsoidError error_of(const LimitEllipsoid& ellipsoid, const Patch& patch, int directions) {
  const LimitEllipsoid scaled = with_unit(ellipsoid, 1 / patch.torque_radius());
  EllipsoidError error;
  for (const auto& [v, w] : samples_of(patch, directions)) {
    const Wrench friction = scaled.wrench({v[0], v[1], v[2]});
    const double square_error = square(friction.x + w[0]) + square(friction.y + w[1]) + square(friction.torque + w[2]);
    const double load_error = 1 / std::sqrt(dot(w, solved(scaled, w))) - 1;
    error.wrench_rms += square_error / directions;
    error.wrench_largest = std::max(error.wrench_largest, std::sqrt(square_error));
    error.load_rms += load_error * load_error / directions;
    error.load_largest = std::max(error.load_largest, std::abs(load_error));
  }
  error.wrench_rms = std::sqrt(error.wrench_rms);
  error.load_rms = std::sqrt(error.load_rms);
  return error;
}

LimitEllipsoid fitted_ellipsoid(const Patch& patch, Axes axes, int directions) {
  const auto samples = samples_of(patch, directions);
  const std::size_t unknowns = axes == Axes::free ? 6 : 3;
  LimitEllipsoid b;  // the paper's, in these units
  // Levenberg and Marquardt
  double damping = 1e-3;
  Squares now = squares(b, samples, unknowns);
  for (int round = 0; round < 100 && damping < 1e12; ++round) {
    Matrix damped = now.matrix;
    for (std::size_t i = 0; i < unknowns; ++i) {
      damped.at[i][i] *= 1 + damping;
    }
    const auto step = damped.solved(now.slope);
    LimitEllipsoid next = b;
    double largest = 0;
    for (std::size_t i = 0; i < unknowns; ++i) {
      number_of(next, i) -= step[i];
      largest = std::max(largest, std::abs(step[i]));
    }
    const Squares then = squares(next, samples, unknowns);
    if (then.sum < now.sum) {
      b = next;
      now = then;
      damping /= 10;
    } else {
      damping *= 10;
    }
    if (largest < 1e-12) {
      break;
    }
  }
  return with_unit(b, patch.torque_radius());
}

}  // namespace stiction::planar
