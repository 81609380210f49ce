// A body and the friction of its contact patch in one implicit step: the only solver for patches.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "stiction/planar/twist.h"
#include "stiction/problem.h"
#include "stiction/vector.h"

namespace stiction::planar {

/// One step, with twists and wrenches at the patch's centre of pressure:
///   v⁺ = v_free + dt A w,   w the wrench of friction after dt at the twist v⁺
struct CoupledTwist {
  Twist free_twist = {};    // v_free, at the end of the step without friction
  Matrix3 mobility = {};    // A, by rows in (x, y, rotation): acceleration of the body per unit wrench
  double normal_force = 0;  // [N], ≥ 0
  Twist twist = {};         // at the start of the step; selects the root if there are several
  double dt = 0;            // [s], ≥ 0
};

enum class TwistStatus : std::uint8_t { converged, inaccurate, not_finite };

struct TwistReport {
  TwistStatus status = TwistStatus::converged;
  int iterations = 0;
  double residual = 0;  // |v⁺ − v_free − dt A w|, Euclidean, with spin times the radius of gyration [m/s]
};

/// The result of a coupled step. The wrench is the mean over the step, so that v⁺ = v_free + dt A w.
struct CoupledWrench {
  Wrench wrench;
  Twist twist;  // at the end of the step
  Twist mean;   // displacement over dt; equal to the twist, unless the step was subdivided
  TwistReport report;
};

/// Whether a coupled step is valid: all values are finite, normal force and dt are non-negative.
inline bool can_step(const CoupledTwist& step) noexcept {
  double sum = step.free_twist.x + step.free_twist.y + step.free_twist.spin;
  sum += step.twist.x + step.twist.y + step.twist.spin;
  for (const auto& row : step.mobility) {
    sum += row[0] + row[1] + row[2];
  }
  return std::isfinite(sum) && non_negative.holds(step.normal_force) && non_negative.holds(step.dt);
}

namespace detail {

constexpr Vector3 vector_of(const Twist& t) noexcept { return {t.x, t.y, t.spin}; }
constexpr Twist twist_of(const Vector3& v) noexcept { return {v[0], v[1], v[2]}; }

/// The solution x of C x = b by Cramer's rule, with C given by columns. A singular system gives 0.
constexpr Vector3 solve_columns(const Matrix3& c, const Vector3& b) noexcept {
  const auto cross = [](const Vector3& p, const Vector3& q) {
    return Vector3{p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]};
  };
  const auto dot = [](const Vector3& p, const Vector3& q) { return p[0] * q[0] + p[1] * q[1] + p[2] * q[2]; };
  const Vector3 c12 = cross(c[1], c[2]);
  const double determinant = dot(c[0], c12);
  const double inverse = determinant != 0 ? 1 / determinant : 0;
  return {dot(b, c12) * inverse, dot(b, cross(c[2], c[0])) * inverse, dot(b, cross(c[0], c[1])) * inverse};
}

/// Newton's method on r(v) = v − v_free − dt A w(v); each step is halved until the residual decreases. Converged for
/// |r| ≤ 1e-10 (|v| + 1e-3 velocity_scale), v the twist at the start of the step.
template <class WrenchAt>
class TwistSolver {
 public:
  TwistSolver(const CoupledTwist& step, double velocity_scale, double radius, const WrenchAt& wrench_at) noexcept
      : step_(step),
        wrench_at_(wrench_at),
        velocity_scale_(velocity_scale),
        square_length_(square_length(step.mobility, radius)),
        enough_(1e-10 * (size(vector_of(step.twist)) + 1e-3 * velocity_scale)) {}

  struct Root {
    Vector3 twist{};
    double residual = infinity;
  };
  [[nodiscard]] bool is_solved(const Root& root) const noexcept { return root.residual <= enough_; }
  /// Within 1000 times the tolerance: accurate enough for a step.
  [[nodiscard]] bool is_usable(const Root& root) const noexcept { return root.residual <= 1e3 * enough_; }
  [[nodiscard]] int iterations() const noexcept { return iterations_; }

  /// Starts from the current twist; if that does not converge, from the free one.
  Root solve() noexcept {
    Root best = solve_from(vector_of(step_.twist));
    if (!is_solved(best)) {
      const Root other = solve_from(vector_of(step_.free_twist));
      best = other.residual < best.residual || std::isnan(best.residual) ? other : best;
    }
    return best;
  }

 private:
  static constexpr int max_iterations = 20;
  static constexpr int max_halvings = 12;

  /// The square of the body's radius of gyration; if that is not positive and finite, of the patch's radius [m²].
  static double square_length(const Matrix3& a, double radius) noexcept {
    const double square = 0.5 * (a[0][0] + a[1][1]) / a[2][2];
    return square > 0 && square < infinity ? square : radius > 0 ? radius * radius : 1;
  }
  [[nodiscard]] double size(const Vector3& v) const noexcept {
    return std::sqrt(v[0] * v[0] + v[1] * v[1] + square_length_ * v[2] * v[2]);
  }
  [[nodiscard]] Vector3 residual(const Vector3& v) const noexcept {
    const Wrench w = wrench_at_(twist_of(v));
    const Vector3 free = vector_of(step_.free_twist);
    Vector3 r{};
    for (std::size_t i = 0; i < 3; ++i) {
      const auto& a = step_.mobility[i];
      r[i] = v[i] - free[i] - step_.dt * (a[0] * w.x + a[1] * w.y + a[2] * w.torque);
    }
    return r;
  }

  Root solve_from(const Vector3& start) noexcept {
    const double small = 1e-7 * velocity_scale_;
    const Vector3 increment{small, small, small / std::sqrt(square_length_)};
    Vector3 v = start;
    Vector3 r = residual(v);
    double norm = size(r);
    for (int k = 0; norm > enough_ && k < max_iterations; ++k, ++iterations_) {
      Matrix3 slope{};  // by columns
      for (std::size_t j = 0; j < 3; ++j) {
        Vector3 moved = v;
        moved[j] += std::copysign(increment[j], -r[j]);  // towards the solution: slopes change at rest
        const Vector3 there = residual(moved);
        for (std::size_t i = 0; i < 3; ++i) {
          slope[j][i] = (there[i] - r[i]) / (moved[j] - v[j]);
        }
      }
      const Vector3 change = solve_columns(slope, r);
      const double old_norm = norm;
      double length = 1;
      for (int halving = 0; halving < max_halvings && !(norm < old_norm); ++halving, length *= 0.5) {
        const Vector3 tried{v[0] - length * change[0], v[1] - length * change[1], v[2] - length * change[2]};
        const Vector3 tried_r = residual(tried);
        if (const double tried_norm = size(tried_r); tried_norm < norm) {
          v = tried;
          r = tried_r;
          norm = tried_norm;
        }
      }
      if (!(norm < old_norm)) {
        break;
      }
    }
    return {v, norm};
  }

  const CoupledTwist& step_;
  const WrenchAt& wrench_at_;
  double velocity_scale_, square_length_, enough_;
  int iterations_ = 0;
};

inline CoupledWrench not_finite(int iterations) noexcept {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  return {{nan, nan, nan}, {nan, nan, nan}, {nan, nan, nan}, {TwistStatus::not_finite, iterations, nan}};
}

}  // namespace detail

/// Solves a coupled step for friction that has
///   Wrench trial(const Twist&, double dt)     after dt at a constant twist; the state is unchanged
///   Wrench advance(const Twist&, double dt)   the same, and updates the state
/// A step whose equation has no solution, as where friction that decreases with speed leaves a gap, is halved, at most
/// three times. `velocity_scale`: the speed over which friction changes [m/s]; `radius`: size of the patch [m]. An
/// invalid step gives NaN, and the state stays that of the last valid part.
template <class Trial, class Advance>
CoupledWrench solve_coupled(const CoupledTwist& step, double velocity_scale, double radius, const Trial& trial,
                            const Advance& advance, int splits = 3) noexcept {
  if (!can_step(step)) {
    return detail::not_finite(0);
  }
  const auto wrench_at = [&](const Twist& twist) { return trial(twist, step.dt); };
  detail::TwistSolver solver(step, velocity_scale, radius, wrench_at);
  const auto root = solver.solve();
  if (!solver.is_usable(root) && splits > 0 && !std::isnan(root.residual)) {
    const Twist half{0.5 * (step.free_twist.x - step.twist.x), 0.5 * (step.free_twist.y - step.twist.y),
                     0.5 * (step.free_twist.spin - step.twist.spin)};
    CoupledTwist part = step;
    part.dt = 0.5 * step.dt;
    part.free_twist = {step.twist.x + half.x, step.twist.y + half.y, step.twist.spin + half.spin};
    const CoupledWrench first = solve_coupled(part, velocity_scale, radius, trial, advance, splits - 1);
    part.twist = first.twist;
    part.free_twist = {first.twist.x + half.x, first.twist.y + half.y, first.twist.spin + half.spin};
    CoupledWrench second = solve_coupled(part, velocity_scale, radius, trial, advance, splits - 1);
    second.wrench = 0.5 * (first.wrench + second.wrench);
    second.mean = {0.5 * (first.mean.x + second.mean.x), 0.5 * (first.mean.y + second.mean.y),
                   0.5 * (first.mean.spin + second.mean.spin)};
    second.report.status = second.report.status < first.report.status ? first.report.status : second.report.status;
    second.report.residual = std::fmax(first.report.residual, second.report.residual);
    second.report.iterations += first.report.iterations + solver.iterations();
    return second;
  }
  if (!std::isfinite(root.residual)) {
    return detail::not_finite(solver.iterations());
  }
  const Twist twist = detail::twist_of(root.twist);
  return {
      advance(twist, step.dt),
      twist,
      twist,
      {solver.is_usable(root) ? TwistStatus::converged : TwistStatus::inaccurate, solver.iterations(), root.residual}};
}

}  // namespace stiction::planar
