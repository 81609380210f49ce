#include "distributed_kernels.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace stiction::planar {
namespace {

constexpr std::size_t chunk = 64;  // points whose forces are kept before they are summed
using Cell = Bristle<2, ManyAtOnce<double, OfThisLevel>>;

enum class Job { rate, wrench, advance, step, trial, euler, bounded_euler };

/// The direction in which a point's bristle deflects, and the steady deflection g(|v_t|)/σ₀.
struct Sliding {
  double speed;
  Cell::Path path;
};
template <bool plain>
STICTION_ALWAYS_INLINE Sliding sliding(const Friction& p, double vx, double vy) noexcept {
  const auto [speed, per_speed] = Cell::size({vx, vy});
  const double ratio = speed * (1 / p.stribeck_velocity);  // loop-invariant division
  const double power = plain ? ratio * ratio : std::pow(ratio, p.stribeck_exponent);
  const double settled =
      (p.static_level - (p.static_level - p.coulomb) * decay_by<OfThisLevel>(power)) * (1 / p.stiffness);
  // Without motion there is no direction, and none matters.
  return {speed, Cell::path({vx * per_speed, vy * per_speed}, {1, 1}, settled, 1 / settled, p.elastic_share)};
}

/// dz/dt = v − β z |v|/z̄
template <bool elasto_plastic>
STICTION_ALWAYS_INLINE Cell::Vector rate_of(const Sliding& at, double vx, double vy, const Cell::Vector& z,
                                            const Size& size) noexcept {
  const double beta = elasto_plastic ? Cell::creep(at.path, Cell::cosine(at.path, z, size.inverse), size.length) : 1.0;
  const double pull = beta * at.speed * at.path.per_settled;
  return {OfThisLevel::multiply_add(-pull, z[0], vx), OfThisLevel::multiply_add(-pull, z[1], vy)};
}

struct alignas(64) Numbers : std::array<double, chunk> {};  // a vector must not straddle two cache lines

/// What the loops over a chunk of points pass on to each other. Several short loops instead of one long one let the
/// processor work on many points at once, while each waits for its previous result.
struct Scratch {
  Numbers vx, vy, speed, dx, dy, settled, per_settled;
  Numbers start, per_start, beta;  // of a step
  Numbers length, per_length;
  Numbers next_x, next_y;        // of a trial
  Numbers fx{}, fy{}, torque{};  // zeros after the last point
};

template <Job job, bool elasto_plastic, bool plain>
STICTION_ALWAYS_INLINE void some_cells(const Friction& p, const PatchWork& w, std::size_t begin, std::size_t count,
                                       Scratch& scratch) noexcept {
  constexpr bool steps = job == Job::advance || job == Job::step || job == Job::trial;
  const double* const x = w.x + begin;
  const double* const y = w.y + begin;
  const double* const share = w.share + begin;
  double* const zx = w.z + begin;
  double* const zy = w.z + w.n + begin;
  double* const next_x = job == Job::trial ? scratch.next_x.data() : zx;  // a trial does not change the state
  double* const next_y = job == Job::trial ? scratch.next_y.data() : zy;
  const double dt = w.dt;
  STICTION_INDEPENDENT_ITERATIONS
  for (std::size_t i = 0; i < count; ++i) {
    // v_t = (v_x − ω y, v_y + ω x)
    scratch.vx[i] = w.vx - w.spin * y[i];
    scratch.vy[i] = w.vy + w.spin * x[i];
    const Sliding at = sliding<plain>(p, scratch.vx[i], scratch.vy[i]);
    scratch.speed[i] = at.speed;
    scratch.dx[i] = at.path.d[0];
    scratch.dy[i] = at.path.d[1];
    scratch.settled[i] = at.path.max_length;
    scratch.per_settled[i] = at.path.per_max_length;
  }
  const auto path_at = [&](std::size_t i) STICTION_INLINE_LAMBDA {
    return Cell::path({scratch.dx[i], scratch.dy[i]}, {1, 1}, scratch.settled[i], scratch.per_settled[i],
                      p.elastic_share);
  };
  if constexpr (steps && elasto_plastic) {
    STICTION_INDEPENDENT_ITERATIONS
    for (std::size_t i = 0; i < count; ++i) {
      const Cell::Vector z{zx[i], zy[i]};
      const Size size = Cell::size(z);
      scratch.beta[i] = Cell::creep_half_way(path_at(i), z, size, scratch.speed[i] * dt);
      scratch.start[i] = size.length;
      scratch.per_start[i] = size.inverse;
    }
  }
  if constexpr (steps) {
    STICTION_INDEPENDENT_ITERATIONS
    for (std::size_t i = 0; i < count; ++i) {
      const auto path = path_at(i);
      auto z = Cell::along(path, {zx[i], zy[i]}, elasto_plastic ? scratch.beta[i] : 1.0, scratch.speed[i] * dt);
      if constexpr (elasto_plastic) {
        const auto bent = Cell::within(path, {scratch.start[i], scratch.per_start[i]}, z);
        z = bent.z;
        scratch.length[i] = bent.size.length;
        scratch.per_length[i] = bent.size.inverse;
      }
      next_x[i] = z[0];
      next_y[i] = z[1];
    }
  }
  if constexpr (job != Job::advance) {
    double* const rate_x = job == Job::rate ? w.dz + begin : nullptr;
    double* const rate_y = job == Job::rate ? w.dz + w.n + begin : nullptr;
    STICTION_INDEPENDENT_ITERATIONS
    for (std::size_t i = 0; i < count; ++i) {
      const Cell::Vector z{next_x[i], next_y[i]};
      const Size size = steps && elasto_plastic ? Size{scratch.length[i], scratch.per_length[i]} : Cell::size(z);
      const auto rate = rate_of<elasto_plastic>({scratch.speed[i], path_at(i)}, scratch.vx[i], scratch.vy[i], z, size);
      if constexpr (job == Job::rate) {
        rate_x[i] = rate[0];
        rate_y[i] = rate[1];
      }
      if constexpr (job == Job::euler || job == Job::bounded_euler) {
        const Cell::Vector next{z[0] + dt * rate[0], z[1] + dt * rate[1]};
        // z_max over |z|, where that is less than 1
        const double reached = job == Job::euler ? 1 : scratch.settled[i] * Cell::size(next).inverse;
        const double factor = reached < 1 ? reached : 1.0;
        zx[i] = next[0] * factor;
        zy[i] = next[1] * factor;
      }
      // σ₀ z + σ₁ dz/dt + σ₂ v
      const double fx = (p.stiffness * z[0] + p.damping * rate[0] + p.viscous * scratch.vx[i]) * share[i];
      const double fy = (p.stiffness * z[1] + p.damping * rate[1] + p.viscous * scratch.vy[i]) * share[i];
      scratch.fx[i] = fx;
      scratch.fy[i] = fy;
      scratch.torque[i] = x[i] * fy - y[i] * fx;
    }
  }
}

template <Job job, bool elasto_plastic, bool plain>
STICTION_ALWAYS_INLINE Wrench all_cells(const Friction& friction, const PatchWork& w) noexcept {
  const Friction p = friction;  // a copy: no write can alias it
  std::array<double, lanes> fx{};
  std::array<double, lanes> fy{};
  std::array<double, lanes> torque{};
  for (std::size_t begin = 0; begin < w.n; begin += chunk) {
    Scratch scratch;
    some_cells<job, elasto_plastic, plain>(p, w, begin, std::min(chunk, w.n - begin), scratch);
    if constexpr (job != Job::advance) {
      for (std::size_t i = 0; i < chunk; i += lanes) {
        for (std::size_t lane = 0; lane < lanes; ++lane) {
          fx[lane] -= scratch.fx[i + lane];
          fy[lane] -= scratch.fy[i + lane];
          torque[lane] -= scratch.torque[i + lane];
        }
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
STICTION_ALWAYS_INLINE Distributed::Elimination eliminate_cells(const Friction& friction, const PatchWork& w,
                                                                double gamma, double* scratch) noexcept {
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
    std::array<Numbers, 6> kept{};
    STICTION_INDEPENDENT_ITERATIONS
    for (std::size_t i = 0; i < count; ++i) {
      const double vx = w.vx - w.spin * y[i];
      const double vy = w.vy + w.spin * x[i];
      const double dv = 1e-7 * (Cell::size({vx, vy}).length + p.stribeck_velocity);
      const auto rate = [&](double ax, double ay, double ux, double uy, double& rx, double& ry) STICTION_INLINE_LAMBDA {
        const Cell::Vector z{ax, ay};
        const auto r = rate_of<elasto_plastic>(sliding<plain>(p, ux, uy), ux, uy, z, Cell::size(z));
        rx = r[0];
        ry = r[1];
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

STICTION_KERNEL Distributed::Elimination eliminate_all(const Friction& p, const PatchWork& w, bool elasto_plastic,
                                                       bool plain, double gamma, double* scratch) noexcept {
  if (plain) {
    return elasto_plastic ? eliminate_cells<true, true>(p, w, gamma, scratch)
                          : eliminate_cells<false, true>(p, w, gamma, scratch);
  }
  return elasto_plastic ? eliminate_cells<true, false>(p, w, gamma, scratch)
                        : eliminate_cells<false, false>(p, w, gamma, scratch);
}

#define STICTION_JOB(name, job)                                                                                  \
  STICTION_KERNEL Wrench name(const Friction& p, const PatchWork& w, bool elasto_plastic, bool plain) noexcept { \
    if (plain) {                                                                                                 \
      return elasto_plastic ? all_cells<job, true, true>(p, w) : all_cells<job, false, true>(p, w);              \
    }                                                                                                            \
    return elasto_plastic ? all_cells<job, true, false>(p, w) : all_cells<job, false, false>(p, w);              \
  }
STICTION_JOB(rate_all, Job::rate)
STICTION_JOB(wrench_all, Job::wrench)
STICTION_JOB(advance_all, Job::advance)
STICTION_JOB(step_all, Job::step)
STICTION_JOB(trial_all, Job::trial)
STICTION_JOB(euler_all, Job::euler)
STICTION_JOB(bounded_euler_all, Job::bounded_euler)
#undef STICTION_JOB

}  // namespace

constinit const DistributedKernels STICTION_THIS_TABLE(distributed_kernels){
    rate_all, wrench_all, advance_all, step_all, trial_all, euler_all, bounded_euler_all, eliminate_all};

}  // namespace stiction::planar
