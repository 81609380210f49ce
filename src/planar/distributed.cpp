#include "stiction/planar/distributed.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "../scalar/simd.h"
#include "stiction/problem.h"

namespace stiction::planar {
namespace {

constexpr std::size_t chunk = 64;  // points whose forces are kept before they are summed
using Cell = Bristle<2>;

enum class Job { rate, wrench, advance, step, euler };

/// What a kernel reads and writes; a state or a rate that the job does not need may be null.
struct Work {
  const double *x, *y, *share;
  std::size_t n;
  double vx, vy, spin;
  double* z;   // 2 n
  double* dz;  // 2 n
  double dt;
};

struct Force {
  double x, y;
};

/// One point: its force per newton of its own normal force, its state and its rate. Without branches, so that several
/// points become one vector.
template <Job job, bool elasto_plastic, bool plain>
STICTION_ALWAYS_INLINE Force cell(const Friction& p, double vx, double vy, double dt, double& zx, double& zy,
                                  double& rate_x, double& rate_y) noexcept {
  constexpr double tiny = 1e-300;
  const double speed = std::sqrt(vx * vx + vy * vy);
  const double ratio = speed * (1 / p.stribeck_velocity);  // a loop keeps the quotient
  const double power = plain ? ratio * ratio : std::pow(ratio, p.stribeck_exponent);
  const double settled = (p.static_level - (p.static_level - p.coulomb) * decay(power)) * (1 / p.stiffness);
  const double per_speed = 1 / (speed + tiny);
  // Where nothing moves there is no direction, and none matters.
  const auto path = Cell::path({vx * per_speed, vy * per_speed}, 1, settled, p.elastic_share);
  Cell::Vector z{zx, zy};
  if constexpr (job == Job::advance || job == Job::step) {
    const double s = speed * dt;
    if constexpr (elasto_plastic) {
      z = Cell::elasto_plastic(path, z, s);
    } else {
      z = Cell::along(path, z, 1, s);
    }
    zx = z[0];
    zy = z[1];
  }
  if constexpr (job == Job::advance) {
    return {};
  } else {
    const double beta = elasto_plastic ? Cell::creep(path, z, Cell::length(z)) : 1.0;
    // dz/dt = v − β z |v|/z̄
    const double pull = beta * speed * path.per_settled;
    rate_x = vx - pull * z[0];
    rate_y = vy - pull * z[1];
    if constexpr (job == Job::euler) {
      zx = z[0] + dt * rate_x;
      zy = z[1] + dt * rate_y;
    }
    // σ₀ z + σ₁ dz/dt + σ₂ v
    return {p.stiffness * z[0] + p.damping * rate_x + p.viscous * vx,
            p.stiffness * z[1] + p.damping * rate_y + p.viscous * vy};
  }
}

template <Job job, bool elasto_plastic, bool plain>
STICTION_ALWAYS_INLINE Wrench all_cells(const Friction& friction, const Work& w) noexcept {
  constexpr std::size_t lanes = scalar::lanes;
  const Friction p = friction;  // nothing that is written can change it
  std::array<double, lanes> fx{};
  std::array<double, lanes> fy{};
  std::array<double, lanes> torque{};
  for (std::size_t begin = 0; begin < w.n; begin += chunk) {
    const std::size_t count = std::min(chunk, w.n - begin);
    const double* const x = w.x + begin;
    const double* const y = w.y + begin;
    double* const zx = w.z + begin;
    double* const zy = w.z + w.n + begin;
    double* const rate_x = job == Job::rate ? w.dz + begin : nullptr;
    double* const rate_y = job == Job::rate ? w.dz + w.n + begin : nullptr;
    std::array<double, chunk> lx{};
    std::array<double, chunk> ly{};
    STICTION_INDEPENDENT_ITERATIONS
    for (std::size_t i = 0; i < count; ++i) {
      double bristle_x = zx[i];
      double bristle_y = zy[i];
      double dx = 0;
      double dy = 0;
      // v_t = (v_x − ω y, v_y + ω x)
      const Force force = cell<job, elasto_plastic, plain>(p, w.vx - w.spin * y[i], w.vy + w.spin * x[i], w.dt,
                                                           bristle_x, bristle_y, dx, dy);
      if constexpr (job == Job::advance || job == Job::step || job == Job::euler) {
        zx[i] = bristle_x;
        zy[i] = bristle_y;
      }
      if constexpr (job == Job::rate) {
        rate_x[i] = dx;
        rate_y[i] = dy;
      }
      if constexpr (job != Job::advance) {
        lx[i] = force.x * w.share[begin + i];
        ly[i] = force.y * w.share[begin + i];
      }
    }
    if constexpr (job != Job::advance) {
      for (std::size_t i = 0; i < count; ++i) {
        fx[i % lanes] -= lx[i];
        fy[i % lanes] -= ly[i];
        torque[i % lanes] -= x[i] * ly[i] - y[i] * lx[i];
      }
    }
  }
  Wrench total;
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    total = total + Wrench{fx[lane], fy[lane], torque[lane]};
  }
  return total;
}

#define STICTION_KERNEL(name, job)                                                                               \
  STICTION_SIMD_CLONES Wrench name(const Friction& p, const Work& w, bool elasto_plastic, bool plain) noexcept { \
    if (plain) {                                                                                                 \
      return elasto_plastic ? all_cells<job, true, true>(p, w) : all_cells<job, false, true>(p, w);              \
    }                                                                                                            \
    return elasto_plastic ? all_cells<job, true, false>(p, w) : all_cells<job, false, false>(p, w);              \
  }
STICTION_KERNEL(rate_all, Job::rate)
STICTION_KERNEL(wrench_all, Job::wrench)
STICTION_KERNEL(advance_all, Job::advance)
STICTION_KERNEL(step_all, Job::step)
STICTION_KERNEL(euler_all, Job::euler)
#undef STICTION_KERNEL

}  // namespace

Distributed::Distributed(const Friction& friction, const Patch& patch)
    : friction_(friction),
      reference_(patch.centre_of_pressure()),
      x_(patch.points().x),
      y_(patch.points().y),
      share_(patch.points().share) {
  if (const auto problem = check(friction)) {
    throw InvalidParameter(*problem);
  }
}

void Distributed::set_shares(std::span<const double> shares) noexcept {
  std::copy_n(shares.begin(), std::min(shares.size(), share_.size()), share_.begin());
}

Wrench Distributed::rate(std::span<const double> z, const Twist& twist, double normal_force,
                         std::span<double> dz) const noexcept {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): only read by this job
  const Work work{x_.data(), y_.data(), share_.data(), size(),
                  twist.x,   twist.y,   twist.spin,    const_cast<double*>(z.data()),
                  dz.data(), 0};
  return normal_force * rate_all(friction_, work, friction_.elasto_plastic, friction_.stribeck_exponent == 2);
}

Wrench Distributed::wrench(std::span<const double> z, const Twist& twist, double normal_force) const noexcept {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): only read by this job
  const Work work{x_.data(), y_.data(), share_.data(), size(),
                  twist.x,   twist.y,   twist.spin,    const_cast<double*>(z.data()),
                  nullptr,   0};
  return normal_force * wrench_all(friction_, work, friction_.elasto_plastic, friction_.stribeck_exponent == 2);
}

void Distributed::advance(std::span<double> z, const Twist& twist, double dt) const noexcept {
  const Work work{x_.data(), y_.data(), share_.data(), size(), twist.x, twist.y, twist.spin, z.data(), nullptr, dt};
  advance_all(friction_, work, friction_.elasto_plastic, friction_.stribeck_exponent == 2);
}

Wrench Distributed::step(std::span<double> z, const Twist& twist, double normal_force, double dt) const noexcept {
  const Work work{x_.data(), y_.data(), share_.data(), size(), twist.x, twist.y, twist.spin, z.data(), nullptr, dt};
  return normal_force * step_all(friction_, work, friction_.elasto_plastic, friction_.stribeck_exponent == 2);
}

Wrench Distributed::euler_step(std::span<double> z, const Twist& twist, double normal_force, double dt) const noexcept {
  const Work work{x_.data(), y_.data(), share_.data(), size(), twist.x, twist.y, twist.spin, z.data(), nullptr, dt};
  return normal_force * euler_all(friction_, work, friction_.elasto_plastic, friction_.stribeck_exponent == 2);
}

}  // namespace stiction::planar
