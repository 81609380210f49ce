// Two links: the equations against their Lagrangian, the step against CVODE, energy and holding still.
#include "stiction/sim/two_link_arm.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "stiction/scalar/presets.h"
#include "stiction/sim/cvode.h"
#include "support/random.h"

namespace stiction::sim {
namespace {

using scalar::LuGre;
using Vector = TwoLinkArm::Vector;

const TwoLinkArm arm = TwoLinkArm::make({.length_1 = 0.4,
                                         .mass_1 = 2,
                                         .centre_1 = 0.18,
                                         .inertia_1 = 0.03,
                                         .mass_2 = 1.2,
                                         .centre_2 = 0.15,
                                         .inertia_2 = 0.012,
                                         .gravity = 9.81});

std::array<LuGre, 2> joints() {
  const LuGre::Params large{.stiffness = 800,
                            .damping = 3,
                            .coulomb_force = 1.5,
                            .static_force = 2,
                            .stribeck_velocity = 0.05,
                            .viscous = 0.1,
                            .damping_velocity = 0.5};
  auto small = large;
  small.coulomb_force = 0.8;
  small.static_force = 1.1;
  return {LuGre::make(large), LuGre::make(small)};
}

/// L = T − V from the motion of the two centres of mass, with none of the arm's own formulas.
long double lagrangian(const Vector& q, const Vector& v) {
  const auto& p = arm.params;
  using Long = long double;
  const auto speed2 = [](Long x, Long y) { return x * x + y * y; };
  const Long w1 = v[0];
  const Long w2 = static_cast<Long>(v[0]) + v[1];
  const Long s1 = std::sin(static_cast<Long>(q[0]));
  const Long c1 = std::cos(static_cast<Long>(q[0]));
  const Long s12 = std::sin(static_cast<Long>(q[0]) + q[1]);
  const Long c12 = std::cos(static_cast<Long>(q[0]) + q[1]);
  const Long t1 = p.mass_1 * speed2(-p.centre_1 * s1 * w1, p.centre_1 * c1 * w1) / 2 + p.inertia_1 * w1 * w1 / 2;
  const Long t2 =
      p.mass_2 * speed2(-p.length_1 * s1 * w1 - p.centre_2 * s12 * w2, p.length_1 * c1 * w1 + p.centre_2 * c12 * w2) /
          2 +
      p.inertia_2 * w2 * w2 / 2;
  const Long height = p.mass_1 * p.centre_1 * s1 + p.mass_2 * (p.length_1 * s1 + p.centre_2 * s12);
  return t1 + t2 - p.gravity * height;
}

TEST(TwoLinkArm, ObeysItsLagrangian) {
  // d/dt ∂L/∂v − ∂L/∂q = τ, by differences of L along a motion with the arm's own acceleration.
  test::Random random(1);
  for (int n = 0; n < 100; ++n) {
    const Vector q{random.between(-3, 3), random.between(-3, 3)};
    const Vector v{random.between(-2, 2), random.between(-2, 2)};
    const Vector torque{random.between(-5, 5), random.between(-5, 5)};
    const Vector a = arm.acceleration(q, v, torque);
    const double h = 1e-4;
    for (std::size_t i = 0; i < 2; ++i) {
      const auto momentum = [&](double t) {  // ∂L/∂v_i at time t
        Vector at{q[0] + t * v[0] + t * t / 2 * a[0], q[1] + t * v[1] + t * t / 2 * a[1]};
        Vector up{v[0] + t * a[0], v[1] + t * a[1]};
        Vector down = up;
        up[i] += h;
        down[i] -= h;
        return (lagrangian(at, up) - lagrangian(at, down)) / (2 * h);
      };
      Vector ahead = q;
      Vector behind = q;
      ahead[i] += h;
      behind[i] -= h;
      const auto force = (lagrangian(ahead, v) - lagrangian(behind, v)) / (2 * h);
      EXPECT_NEAR(static_cast<double>((momentum(h) - momentum(-h)) / (2 * h) - force), torque[i], 1e-5);
    }
    EXPECT_NEAR(static_cast<double>(lagrangian(q, v)), arm.kinetic_energy(q, v) - arm.potential_energy(q), 1e-12);
  }
}

TEST(TwoLinkArm, CoriolisIsTheOneForWhichPassivityHolds) {
  // dM/dt − 2 C is skew: w·(dM/dt − 2 C) w = 0 for every w.
  test::Random random(2);
  for (int n = 0; n < 100; ++n) {
    const Vector q{random.between(-3, 3), random.between(-3, 3)};
    const Vector v{random.between(-2, 2), random.between(-2, 2)};
    const Vector w{random.between(-2, 2), random.between(-2, 2)};
    const double h = 1e-6;
    const auto ahead = TwoLinkArm::times(arm.mass_matrix({q[0] + h * v[0], q[1] + h * v[1]}), w);
    const auto behind = TwoLinkArm::times(arm.mass_matrix({q[0] - h * v[0], q[1] - h * v[1]}), w);
    const auto c = arm.coriolis(q, v, w);
    const double power =
        w[0] * ((ahead[0] - behind[0]) / (2 * h) - 2 * c[0]) + w[1] * ((ahead[1] - behind[1]) / (2 * h) - 2 * c[1]);
    EXPECT_NEAR(power, 0, 1e-8);
    const auto identity = TwoLinkArm::times(arm.mobility(q), TwoLinkArm::times(arm.mass_matrix(q), w));
    EXPECT_NEAR(identity[0], w[0], 1e-12);
    EXPECT_NEAR(identity[1], w[1], 1e-12);
  }
}

/// Near the weight of the arm at the start, and enough beside it to move both joints to and fro.
Vector torque_at(double t) {
  const Vector weight = arm.gravity_torque({-0.5, 1});
  return {weight[0] + 4 * std::sin(6 * t), weight[1] + 2 * std::sin(9 * t)};
}

/// Position after 1 s by CVODE, the bristles are two of six states.
Vector exact_end() {
  const auto friction = joints();
  OdeProblem problem;
  problem.relative_tolerance = 1e-11;
  problem.scale = {1, 1, 1, 1, 1e-3, 1e-3};
  problem.rate = [&](double t, std::span<const double> y, std::span<double> dydt) {
    const Vector v{y[2], y[3]};
    const LuGre::State z1{y[4]};
    const LuGre::State z2{y[5]};
    const Vector torque = torque_at(t);
    const Vector a = arm.acceleration(
        {y[0], y[1]}, v, {torque[0] - friction[0].force(z1, v[0]), torque[1] - friction[1].force(z2, v[1])});
    dydt[0] = v[0];
    dydt[1] = v[1];
    dydt[2] = a[0];
    dydt[3] = a[1];
    dydt[4] = friction[0].rate(z1, v[0]).bristle;
    dydt[5] = friction[1].rate(z2, v[1]).bristle;
  };
  Cvode solver(problem, 0, {-0.5, 1, 0, 0, 0, 0});
  while (solver.time() < 1) {
    solver.step(1);
  }
  return {solver.y()[0], solver.y()[1]};
}

ArmState<LuGre> run(double dt, double duration, const auto& each) {
  const auto friction = joints();
  ArmState<LuGre> state{{-0.5, 1}, {0, 0}, {}};
  const auto steps = static_cast<int>(std::lround(duration / dt));
  for (int i = 0; i < steps; ++i) {
    const Vector torque = torque_at((i + 1) * dt);
    const auto next = step(arm, friction, state, torque, dt);
    each(state, next, torque);
    state = next.state;
  }
  return state;
}

TEST(TwoLinkArm, StepConvergesToTheAccurateSolverInFirstOrder) {
  const Vector exact = exact_end();
  const auto error = [&](double dt) {
    const auto end = run(dt, 1, [](const auto&, const auto& next, const auto&) {
      ASSERT_LT(next.report.residual, 1e-10);
      ASSERT_LE(next.report.iterations, 10);
    });
    return std::hypot(end.position[0] - exact[0], end.position[1] - exact[1]);
  };
  const double coarse = error(1e-3);
  const double fine = error(5e-4);
  EXPECT_LT(fine, 1e-2);
  EXPECT_NEAR(coarse / fine, 2, 0.25);
}

TEST(TwoLinkArm, EnergyIsWorkLessWhatFrictionTurnsIntoHeat) {
  // E = T + V + Σ σ₀ z²/2,  ΔE = ∫ τ·v − ∫ heat, heat ≥ 0 by eq. 22; the balance closes in first order.
  const auto friction = joints();
  const auto energy = [&](const ArmState<LuGre>& y) {
    return arm.kinetic_energy(y.position, y.velocity) + arm.potential_energy(y.position) +
           friction[0].energy(y.friction[0]) + friction[1].energy(y.friction[1]);
  };
  const auto gap = [&](double dt) {
    double work = 0;
    double heat = 0;
    double start = 0;
    double end = 0;
    run(dt, 1, [&](const auto& before, const auto& next, const Vector& torque) {
      start = start == 0 ? energy(before) : start;
      end = energy(next.state);
      for (std::size_t i = 0; i < 2; ++i) {
        const double v = next.state.velocity[i];
        const double now = friction[i].dissipated_power(next.state.friction[i], v);
        ASSERT_GE(now, -1e-12);
        work += dt * torque[i] * v;
        heat += dt * now;
      }
    });
    EXPECT_GT(heat, 0.5);
    EXPECT_GT(work, heat);
    return (end - start) - (work - heat);
  };
  const double coarse = gap(1e-3);
  const double fine = gap(5e-4);
  EXPECT_LT(std::abs(fine), 0.05);
  EXPECT_NEAR(coarse / fine, 2, 0.3);
}

TEST(TwoLinkArm, HoldsAgainstGravityBelowBreakAwayAndFallsAbove) {
  // Hanging from −80°: gravity asks for less than what the joints hold.
  const auto friction = joints();
  for (const double dt : {1e-4, 1e-3, 1e-2}) {
    ArmState<LuGre> state{{-1.45, 0.05}, {0, 0}, {}};
    const Vector load = arm.gravity_torque(state.position);
    ASSERT_LT(std::abs(load[0]), 1.5);
    for (int i = 0; i * dt < 20; ++i) {
      state = step(arm, friction, state, {0, 0}, dt).state;
    }
    const Vector held = state.position;
    for (int i = 0; i * dt < 20; ++i) {
      state = step(arm, friction, state, {0, 0}, dt).state;
    }
    EXPECT_NEAR(state.position[0], held[0], 1e-12);
    EXPECT_NEAR(state.position[1], held[1], 1e-12);
    EXPECT_NEAR(friction[0].stiffness * state.friction[0].bristle, -arm.gravity_torque(held)[0], 1e-9);
    EXPECT_NEAR(held[0], -1.45, 0.02);
  }
  ArmState<LuGre> falling{{0, 0}, {0, 0}, {}};
  for (int i = 0; i < 3000; ++i) {
    falling = step(arm, friction, falling, {0, 0}, 1e-3).state;
  }
  EXPECT_LT(falling.position[0], -1);
}

TEST(TwoLinkArm, RefusesBadParameters) {
  auto params = arm.params;
  params.mass_2 = 0;
  EXPECT_STREQ(TwoLinkArm::check(params)->field, "mass_2");
  EXPECT_THROW(TwoLinkArm::make(params), InvalidParameter);
}

}  // namespace
}  // namespace stiction::sim
