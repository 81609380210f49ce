#include "coupled.h"

#include <cmath>
#include <utility>

namespace stiction::integrations {

namespace {

constexpr int most_sweeps = 100;
using Vector3 = std::array<double, 3>;

/// Cramer's rule for columns; a singular system gives no change.
Vector3 solved(const std::array<Vector3, 3>& c, const Vector3& b) noexcept {
  const auto cross = [](const Vector3& p, const Vector3& q) {
    return Vector3{p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]};
  };
  const auto dot = [](const Vector3& p, const Vector3& q) { return p[0] * q[0] + p[1] * q[1] + p[2] * q[2]; };
  const Vector3 c12 = cross(c[1], c[2]);
  const double determinant = dot(c[0], c12);
  const double inverse = determinant != 0 ? 1 / determinant : 0;
  return {dot(b, c12) * inverse, dot(b, cross(c[2], c[0])) * inverse, dot(b, cross(c[0], c[1])) * inverse};
}

}  // namespace

CoupledJoints::CoupledJoints(const std::vector<scalar::AnyModel>& models) {
  for (const auto& model : models) {
    joints_.emplace_back(model);
  }
  next_ = joints_;
}

void CoupledJoints::rest_under(std::span<const double> load) noexcept {
  for (std::size_t i = 0; i < size(); ++i) {
    joints_[i].rest_under(load[i]);
  }
}

void CoupledJoints::step(std::span<const double> free_velocity, std::span<const double> mobility,
                         std::span<const double> velocity, double dt, std::span<double> force) noexcept {
  const std::size_t n = size();
  double scale = 0;
  for (std::size_t i = 0; i < n; ++i) {
    force[i] = joints_[i].force(velocity[i]);  // a start that is near for short steps
    scale = std::fmax(scale, std::fabs(free_velocity[i]) + std::fabs(velocity[i]));
  }
  // What axis i feels of the others: v_free,i − dt Σ_j≠i W_ij F_j
  const auto free_of = [&](std::size_t i) {
    double free = free_velocity[i];
    for (std::size_t j = 0; j < n; ++j) {
      free -= j == i ? 0 : dt * mobility[i * n + j] * force[j];
    }
    return free;
  };
  sweeps_ = 0;
  do {
    residual_ = 0;
    for (std::size_t i = 0; i < n; ++i) {
      next_[i] = joints_[i];
      const double old = force[i];
      force[i] = next_[i].solve(free_of(i), mobility[i * n + i], dt, velocity[i]).force;
      residual_ = std::fmax(residual_, dt * mobility[i * n + i] * std::fabs(force[i] - old));
    }
    ++sweeps_;
  } while (n > 1 && residual_ > 1e-13 * scale && sweeps_ < most_sweeps);
  if (n == 1) {
    residual_ = 0;
  }
  std::swap(joints_, next_);
}

void CoupledJoints::step_uncoupled(std::span<const double> velocity, double dt, std::span<double> force) noexcept {
  for (std::size_t i = 0; i < size(); ++i) {
    force[i] = joints_[i].step(velocity[i], dt);
  }
}

planar::Wrench CoupledPatch::step(const planar::Twist& free_twist, const Matrix3& mobility, double normal_force,
                                  double dt) noexcept {
  if (!(normal_force > 0)) {
    z_ = {};
    last_ = free_twist;
    return {};
  }
  const Vector3 free{free_twist.x, free_twist.y, free_twist.spin};
  const double r = model_.torque_radius;
  const auto size_of = [&](const Vector3& v) { return std::sqrt(v[0] * v[0] + v[1] * v[1] + r * r * v[2] * v[2]); };
  // v⁺ − v_free − dt A w(v⁺)
  const auto off_by = [&](const Vector3& v) {
    const auto w = model_.step(z_, {v[0], v[1], v[2]}, normal_force, dt).wrench;
    Vector3 off{};
    for (std::size_t i = 0; i < 3; ++i) {
      off[i] = v[i] - free[i] - dt * (mobility[i][0] * w.x + mobility[i][1] * w.y + mobility[i][2] * w.torque);
    }
    return off;
  };
  const double enough = 1e-12 * (size_of(free) + 1e-3 * model_.friction.stribeck_velocity);
  // Newton's method, each step shortened until it brings a gain; from the last twist, then from rest and from v_free
  Vector3 best{};
  double least = infinity;
  for (const Vector3& start : {Vector3{last_.x, last_.y, last_.spin}, Vector3{}, free}) {
    Vector3 v = start;
    Vector3 off = off_by(v);
    double size = size_of(off);
    for (int k = 0; size > enough && k < 30; ++k) {
      const double small = 1e-7 * model_.friction.stribeck_velocity;
      const Vector3 increment{small, small, r > 0 ? small / r : small};
      std::array<Vector3, 3> slope{};  // by columns
      for (std::size_t j = 0; j < 3; ++j) {
        Vector3 moved = v;
        moved[j] += std::copysign(increment[j], -off[j]);
        const Vector3 there = off_by(moved);
        for (std::size_t i = 0; i < 3; ++i) {
          slope[j][i] = (there[i] - off[i]) / (moved[j] - v[j]);
        }
      }
      const Vector3 change = solved(slope, off);
      const double old = size;
      double share = 1;
      for (int halving = 0; halving < 12 && !(size < old); ++halving, share *= 0.5) {
        const Vector3 tried{v[0] - share * change[0], v[1] - share * change[1], v[2] - share * change[2]};
        const Vector3 tried_off = off_by(tried);
        if (const double tried_size = size_of(tried_off); tried_size < size) {
          v = tried;
          off = tried_off;
          size = tried_size;
        }
      }
      if (!(size < old)) {
        break;
      }
    }
    if (size < least) {
      least = size;
      best = v;
    }
    if (least <= 1e3 * enough) {
      break;
    }
  }
  residual_ = least;
  last_ = {best[0], best[1], best[2]};
  const auto next = model_.step(z_, last_, normal_force, dt);
  z_ = next.state;
  return next.wrench;
}

}  // namespace stiction::integrations
