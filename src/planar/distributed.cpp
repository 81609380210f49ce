#include "stiction/planar/distributed.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "distributed_kernels.h"
#include "stiction/problem.h"

namespace stiction::planar {
namespace {

/// A state for a job that only reads it.
double* only_read(std::span<const double> z) noexcept {
  return const_cast<double*>(z.data());  // NOLINT(cppcoreguidelines-pro-type-const-cast)
}

}  // namespace

Distributed::Distributed(Params p) : params_(std::move(p)), share_(params_.patch.points().share) {}

bool Distributed::set_shares(std::span<const double> shares) noexcept {
  double sum = 0;
  bool usable = shares.size() == share_.size();
  for (const double share : shares) {
    usable = usable && share >= 0;
    sum += share;
  }
  if (!usable || !(std::abs(sum - 1) <= 1e-6)) {
    return false;
  }
  std::copy(shares.begin(), shares.end(), share_.begin());
  return true;
}

Wrench Distributed::rate(std::span<const double> z, const Twist& twist, double normal_force,
                         std::span<double> dz) const noexcept {
  const PatchWork work{x(), y(), share_.data(), size(), twist.x, twist.y, twist.spin, only_read(z), dz.data(), 0};
  return in_contact(normal_force) * distributed_kernels().rate(params_.friction, work, params_.friction.elasto_plastic,
                                                               params_.friction.stribeck_exponent == 2);
}

Wrench Distributed::wrench(std::span<const double> z, const Twist& twist, double normal_force) const noexcept {
  const PatchWork work{x(), y(), share_.data(), size(), twist.x, twist.y, twist.spin, only_read(z), nullptr, 0};
  return in_contact(normal_force) * distributed_kernels().wrench(params_.friction, work,
                                                                 params_.friction.elasto_plastic,
                                                                 params_.friction.stribeck_exponent == 2);
}

void Distributed::advance(std::span<double> z, const Twist& twist, double dt) const noexcept {
  const PatchWork work{x(), y(), share_.data(), size(), twist.x, twist.y, twist.spin, z.data(), nullptr, dt};
  distributed_kernels().advance(params_.friction, work, params_.friction.elasto_plastic,
                                params_.friction.stribeck_exponent == 2);
}

Wrench Distributed::step(std::span<double> z, const Twist& twist, double normal_force, double dt) const noexcept {
  const PatchWork work{x(), y(), share_.data(), size(), twist.x, twist.y, twist.spin, z.data(), nullptr, dt};
  return in_contact(normal_force) * distributed_kernels().step(params_.friction, work, params_.friction.elasto_plastic,
                                                               params_.friction.stribeck_exponent == 2);
}

Wrench Distributed::trial(std::span<const double> z, const Twist& twist, double normal_force,
                          double dt) const noexcept {
  const PatchWork work{x(), y(), share_.data(), size(), twist.x, twist.y, twist.spin, only_read(z), nullptr, dt};
  return in_contact(normal_force) * distributed_kernels().trial(params_.friction, work, params_.friction.elasto_plastic,
                                                                params_.friction.stribeck_exponent == 2);
}

CoupledWrench Distributed::solve(std::span<double> z, const CoupledTwist& coupled) const noexcept {
  const auto tried = [&](const Twist& twist, double dt) { return trial(z, twist, coupled.normal_force, dt); };
  const auto move = [&](const Twist& twist, double dt) { return step(z, twist, coupled.normal_force, dt); };
  return solve_coupled(coupled, params_.friction.stribeck_velocity, std::sqrt(params_.patch.mean_square_radius()),
                       tried, move);
}

Wrench Distributed::euler_step(std::span<double> z, const Twist& twist, double normal_force, double dt,
                               bool bounded) const noexcept {
  const PatchWork work{x(), y(), share_.data(), size(), twist.x, twist.y, twist.spin, z.data(), nullptr, dt};
  const bool plain = params_.friction.stribeck_exponent == 2;
  return in_contact(normal_force) * (bounded ? distributed_kernels().bounded_euler : distributed_kernels().euler)(
                                        params_.friction, work, params_.friction.elasto_plastic, plain);
}

Distributed::Elimination Distributed::eliminate(std::span<const double> z, const Twist& twist, double normal_force,
                                                double gamma, std::span<double> b,
                                                std::span<double> scratch) const noexcept {
  const PatchWork work{x(), y(), share_.data(), size(), twist.x, twist.y, twist.spin, only_read(z), b.data(), 0};
  Elimination result = distributed_kernels().eliminate(params_.friction, work, params_.friction.elasto_plastic,
                                                       params_.friction.stribeck_exponent == 2, gamma, scratch.data());
  const double force = in_contact(normal_force);
  for (std::size_t i = 0; i < 3; ++i) {
    result.rest[i] *= force;
    for (double& value : result.by_twist[i]) {
      value *= force;
    }
  }
  return result;
}

void Distributed::substitute(std::span<const double> scratch, const Twist& change, std::span<double> b) const noexcept {
  const std::size_t n = size();
  for (std::size_t i = 0; i < n; ++i) {
    const double dx = change.x - change.spin * y()[i];
    const double dy = change.y + change.spin * x()[i];
    b[i] += scratch[i] * dx + scratch[n + i] * dy;
    b[n + i] += scratch[2 * n + i] * dx + scratch[3 * n + i] * dy;
  }
}

}  // namespace stiction::planar
