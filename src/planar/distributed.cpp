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

/// Elimination of all bristles: with D = ∂rate/∂z and V = ∂rate/∂v of a point, by differences,
///   δz = (1 − γ D)⁻¹ (b + γ V δv) = p + G δv,   δl = (σ₀ + σ₁ D) δz + (σ₁ V + σ₂) δv
template <bool elasto_plastic, bool plain>
STICTION_ALWAYS_INLINE Distributed::Elimination eliminate_cells(const Friction& friction, const Work& w, double gamma,
                                                                double* scratch) noexcept {
  const Friction p = friction;
  const double dz = 1e-7 * p.coulomb / p.stiffness;
  Distributed::Elimination sums;
  for (std::size_t begin = 0; begin < w.n; begin += chunk) {
    const std::size_t count = std::min(chunk, w.n - begin);
    const double* const x = w.x + begin;
    const double* const y = w.y + begin;
    const double* const zx = w.z + begin;
    const double* const zy = w.z + w.n + begin;
    double* const bx = w.dz + begin;
    double* const by = w.dz + w.n + begin;
    double* const g = scratch + begin;
    const std::size_t n = w.n;
    std::array<std::array<double, chunk>, 6> kept{};
    STICTION_INDEPENDENT_ITERATIONS
    for (std::size_t i = 0; i < count; ++i) {
      const double vx = w.vx - w.spin * y[i];
      const double vy = w.vy + w.spin * x[i];
      const double dv = 1e-7 * (std::sqrt(vx * vx + vy * vy) + p.stribeck_velocity);
      const auto rate = [&](double ax, double ay, double ux, double uy, double& rx, double& ry) STICTION_INLINE_LAMBDA {
        cell<Job::wrench, elasto_plastic, plain>(p, ux, uy, 0, ax, ay, rx, ry);
      };
      std::array<double, 5> rx{};
      std::array<double, 5> ry{};
      rate(zx[i], zy[i], vx, vy, rx[0], ry[0]);
      rate(zx[i] + dz, zy[i], vx, vy, rx[1], ry[1]);
      rate(zx[i], zy[i] + dz, vx, vy, rx[2], ry[2]);
      rate(zx[i], zy[i], vx + dv, vy, rx[3], ry[3]);
      rate(zx[i], zy[i], vx, vy + dv, rx[4], ry[4]);
      const double per_dz = 1 / dz;
      const double per_dv = 1 / dv;
      const double d00 = (rx[1] - rx[0]) * per_dz;
      const double d10 = (ry[1] - ry[0]) * per_dz;
      const double d01 = (rx[2] - rx[0]) * per_dz;
      const double d11 = (ry[2] - ry[0]) * per_dz;
      const double v00 = (rx[3] - rx[0]) * per_dv;
      const double v10 = (ry[3] - ry[0]) * per_dv;
      const double v01 = (rx[4] - rx[0]) * per_dv;
      const double v11 = (ry[4] - ry[0]) * per_dv;
      // (1 − γ D)⁻¹
      const double determinant = (1 - gamma * d00) * (1 - gamma * d11) - gamma * d01 * gamma * d10;
      const double i00 = (1 - gamma * d11) / determinant;
      const double i11 = (1 - gamma * d00) / determinant;
      const double i01 = gamma * d01 / determinant;
      const double i10 = gamma * d10 / determinant;
      const double px = i00 * bx[i] + i01 * by[i];
      const double py = i10 * bx[i] + i11 * by[i];
      const double g00 = gamma * (i00 * v00 + i01 * v10);
      const double g01 = gamma * (i00 * v01 + i01 * v11);
      const double g10 = gamma * (i10 * v00 + i11 * v10);
      const double g11 = gamma * (i10 * v01 + i11 * v11);
      bx[i] = px;
      by[i] = py;
      g[i] = g00;
      g[n + i] = g01;
      g[2 * n + i] = g10;
      g[3 * n + i] = g11;
      const double h00 = p.stiffness + p.damping * d00;
      const double h01 = p.damping * d01;
      const double h10 = p.damping * d10;
      const double h11 = p.stiffness + p.damping * d11;
      const double share = w.share[begin + i];
      kept[0][i] = share * (h00 * g00 + h01 * g10 + p.damping * v00 + p.viscous);
      kept[1][i] = share * (h00 * g01 + h01 * g11 + p.damping * v01);
      kept[2][i] = share * (h10 * g00 + h11 * g10 + p.damping * v10);
      kept[3][i] = share * (h10 * g01 + h11 * g11 + p.damping * v11 + p.viscous);
      kept[4][i] = share * (h00 * px + h01 * py);
      kept[5][i] = share * (h10 * px + h11 * py);
    }
    // −Nᵀ (…) N with N = (1 0 −y; 0 1 x)
    auto& k = sums.by_twist;
    for (std::size_t i = 0; i < count; ++i) {
      const double t00 = kept[0][i];
      const double t01 = kept[1][i];
      const double t10 = kept[2][i];
      const double t11 = kept[3][i];
      k[0][0] -= t00;
      k[0][1] -= t01;
      k[0][2] -= x[i] * t01 - y[i] * t00;
      k[1][0] -= t10;
      k[1][1] -= t11;
      k[1][2] -= x[i] * t11 - y[i] * t10;
      k[2][0] -= x[i] * t10 - y[i] * t00;
      k[2][1] -= x[i] * t11 - y[i] * t01;
      k[2][2] -= x[i] * (x[i] * t11 - y[i] * t10) - y[i] * (x[i] * t01 - y[i] * t00);
      sums.rest[0] -= kept[4][i];
      sums.rest[1] -= kept[5][i];
      sums.rest[2] -= x[i] * kept[5][i] - y[i] * kept[4][i];
    }
  }
  return sums;
}

STICTION_SIMD_CLONES Distributed::Elimination eliminate_all(const Friction& p, const Work& w, bool elasto_plastic,
                                                            bool plain, double gamma, double* scratch) noexcept {
  if (plain) {
    return elasto_plastic ? eliminate_cells<true, true>(p, w, gamma, scratch)
                          : eliminate_cells<false, true>(p, w, gamma, scratch);
  }
  return elasto_plastic ? eliminate_cells<true, false>(p, w, gamma, scratch)
                        : eliminate_cells<false, false>(p, w, gamma, scratch);
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

Distributed::Elimination Distributed::eliminate(std::span<const double> z, const Twist& twist, double normal_force,
                                                double gamma, std::span<double> b,
                                                std::span<double> scratch) const noexcept {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): only read by this job
  const Work work{x_.data(), y_.data(), share_.data(), size(),
                  twist.x,   twist.y,   twist.spin,    const_cast<double*>(z.data()),
                  b.data(),  0};
  Elimination result =
      eliminate_all(friction_, work, friction_.elasto_plastic, friction_.stribeck_exponent == 2, gamma, scratch.data());
  for (std::size_t i = 0; i < 3; ++i) {
    result.rest[i] *= normal_force;
    for (double& value : result.by_twist[i]) {
      value *= normal_force;
    }
  }
  return result;
}

void Distributed::substitute(std::span<const double> scratch, const Twist& change, std::span<double> b) const noexcept {
  const std::size_t n = size();
  for (std::size_t i = 0; i < n; ++i) {
    const double dx = change.x - change.spin * y_[i];
    const double dy = change.y + change.spin * x_[i];
    b[i] += scratch[i] * dx + scratch[n + i] * dy;
    b[n + i] += scratch[2 * n + i] * dx + scratch[3 * n + i] * dy;
  }
}

}  // namespace stiction::planar
