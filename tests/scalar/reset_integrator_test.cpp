#include "stiction/scalar/reset_integrator.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "stiction/sim/line.h"
#include "support/models.h"
#include "support/random.h"

namespace stiction::scalar::reset_integrator_test {
namespace {

const ResetIntegrator model({.stiffness = 1000, .largest_deflection = 2e-3, .stiction = 0.5, .damping = 4});
const double coulomb = 1000 * 2e-3;  // F_C = σ₀ z₀
const double breakaway = 1.5 * coulomb;

TEST(ResetIntegrator, IsASpringUpToBreakAwayThenSlidesAtTheCoulombForce) {
  const double v = 0.01;
  ResetIntegrator::State state;
  for (int i = 1; i < 1000; ++i) {
    state = model.advance(state, v, 2e-4);
    const double x = i * 2e-6;
    ASSERT_EQ(state.mode, Mode::stick);
    ASSERT_NEAR(state.bristle, x, 1e-16);
    ASSERT_NEAR(model.force(state, v), 1.5 * 1000 * x + 4 * v, 1e-12);
  }
  EXPECT_NEAR(model.force(state, 0), breakaway, 2e-3 * breakaway) << "just before the limit";
  state = model.advance(state, v, 1e-3);
  for (const double speed : {0.01, 1.0, 1e-6}) {
    EXPECT_EQ(state, (ResetIntegrator::State{2e-3, Mode::slip_plus}));
    EXPECT_EQ(model.force(state, speed), coulomb) << "whatever the speed";
    state = model.advance(state, speed, 1);
  }
}

TEST(ResetIntegrator, OneStepIsManyBothWays) {
  test::Random random(41);
  for (int i = 0; i < 2000; ++i) {
    const double v = random.sign() * random.log_between(1e-4, 1);
    const double time = random.log_between(1e-3, 10) * 2e-3 / std::abs(v);
    const ResetIntegrator::State start{random.between(-1, 1) * 2e-3};
    ResetIntegrator::State parts = start;
    for (int part = 0; part < 10; ++part) {
      parts = model.advance(parts, v, time / 10);
    }
    const auto whole = model.advance(start, v, time);
    ASSERT_NEAR(whole.bristle, parts.bristle, 1e-17);
    ASSERT_NEAR(whole.bristle, std::clamp(start.bristle + v * time, -2e-3, 2e-3), 1e-17);
    ASSERT_EQ(whole.mode == Mode::stick, std::abs(start.bristle + v * time) < 2e-3);
  }
}

TEST(ResetIntegrator, FrictionJumpsBackToBreakAwayWhenTheMotionReverses) {
  const ResetIntegrator::State sliding{2e-3, Mode::slip_plus};
  EXPECT_EQ(model.force(model.advance(sliding, 1e-9, 1e-9), 1e-9), coulomb);
  const auto turned = model.advance(sliding, -1e-9, 1e-9);
  EXPECT_EQ(turned.mode, Mode::stick);
  EXPECT_NEAR(model.force(turned, -1e-9), breakaway, 1e-7);
  // Then it falls along the whole spring, and slides the other way.
  EXPECT_NEAR(model.force(model.advance(sliding, -1, 2e-3), -1), 0 - 4, 1e-12);
  EXPECT_NEAR(model.force(model.advance(sliding, -1, 3.999e-3), -1), -breakaway * 0.9995 - 4, 1e-12);
  EXPECT_EQ(model.force(model.advance(sliding, -1, 4.001e-3), -1), -coulomb);
}

TEST(ResetIntegrator, EnergyDoesNotChangeAtTheDropAndHeatIsNeverNegative) {
  const double inside = std::nextafter(2e-3, 0);
  EXPECT_NEAR(model.energy({inside, Mode::stick}), model.energy({2e-3, Mode::slip_plus}), 1e-17);
  EXPECT_NEAR(model.energy({1e-3}), 1.5 * 1000 * 1e-6 / 2, 1e-18);
  EXPECT_NEAR(model.dissipated_power({1e-3}, 0.3), 4 * 0.09, 1e-12);
  EXPECT_NEAR(model.dissipated_power({2e-3, Mode::slip_plus}, 0.3), coulomb * 0.3, 1e-12);
  EXPECT_NEAR(model.dissipated_power({-2e-3, Mode::slip_minus}, -0.3), coulomb * 0.3, 1e-12);
}

TEST(ResetIntegrator, EventsUnderAnImposedVelocityAreWhereTheDistanceSays) {
  // x = V/ω (1 − cos ωt): the limit at x = z₀, the turn at ωt = π, the other limit 2 z₀ behind it
  const double frequency = 3;
  const double reach = 5e-3;  // V/ω
  const sim::Signal velocity(sim::Sine{reach * frequency, frequency});
  const double first = std::acos(1 - 2e-3 / reach) / frequency;
  const double turn = std::numbers::pi / frequency;
  const double second = turn + std::acos(1 - 4e-3 / reach) / frequency;
  const auto mode_at = [&](double time) {
    const auto run = sim::drive(model, velocity, {.duration = time, .output_interval = time});
    return run.states.back().back();
  };
  for (const double after : {-1e-6, 1e-6}) {
    EXPECT_EQ(mode_at(first + after), after > 0 ? 1 : 0);
    EXPECT_EQ(mode_at(turn + after), after > 0 ? 0 : 1);
    EXPECT_EQ(mode_at(second + after), after > 0 ? -1 : 0);
  }
  const sim::Options options{.duration = 2.5, .output_interval = 0.0125};
  const auto located = sim::drive(model, velocity, options);
  for (std::size_t i = 0; i < located.time.size(); ++i) {
    // Independent: z is x, cut off at the limits
    const double t = located.time[i];
    const double x = reach * (1 - std::cos(frequency * t));
    const double z = t < turn ? std::min(x, 2e-3) : std::max(2e-3 - (2 * reach - x), -2e-3);
    ASSERT_NEAR(located.states[0][i], t < 2 * turn ? z : std::min(-2e-3 + x, 2e-3), 1e-10) << t;
  }
}

TEST(ResetIntegrator, HoldsBelowBreakAwayAndSlidesAbove) {
  for (const auto method : {sim::Method::cvode, sim::Method::sdirk2, sim::Method::backward_euler}) {
    const sim::Options options{.method = method, .duration = 2, .output_interval = 1e-2, .step = 1e-4};
    const auto held =
        sim::simulate(model, {.mass = 1}, {.force = 0.99 * breakaway}, options, model.at_rest(0.99 * breakaway));
    EXPECT_NEAR(held.position.back(), 0, 1e-12) << sim::name_of(method);
    EXPECT_NEAR(held.friction.back(), 0.99 * breakaway, 1e-9);
    // Loaded suddenly, the spring overshoots and lets go.
    const auto kicked = sim::simulate(model, {.mass = 1}, {.force = 0.99 * breakaway}, options);
    EXPECT_GT(kicked.position.back(), 1) << sim::name_of(method);
    // m x'' = u − F_C
    const auto away =
        sim::simulate(model, {.mass = 1}, {.force = 1.01 * breakaway}, options, model.at_rest(0.999 * breakaway));
    const std::size_t last = away.time.size() - 1;
    EXPECT_EQ(away.friction[last], coulomb);
    EXPECT_NEAR((away.velocity[last] - away.velocity[last - 50]) / (away.time[last] - away.time[last - 50]),
                1.01 * breakaway - coulomb, 1e-6)
        << sim::name_of(method);
  }
}

struct Root {
  double velocity;
  Mode mode;
};

/// All solutions of  w = free − gain F(w), branch by branch, the spring's by bisection.
template <class Any>
std::vector<Root> all_roots(const Any& any, const typename Any::State& state, double sigma, double free, double gain,
                            double dt) {
  std::vector<Root> roots;
  const double z0 = any.largest;
  const auto residual = [&](long double w) {
    return w + gain * ((1 + any.stiction) * sigma * (state.bristle + dt * w) + any.damping * w) - free;
  };
  long double low = (-z0 - state.bristle) / dt;
  long double high = (z0 - state.bristle) / dt;
  if (residual(low) < 0 && residual(high) > 0) {
    for (int i = 0; i < 200; ++i) {
      const long double middle = (low + high) / 2;
      (residual(middle) < 0 ? low : high) = middle;
    }
    roots.push_back({static_cast<double>(low), Mode::stick});
  }
  for (const double direction : {1.0, -1.0}) {
    const double w = free - gain * direction * sigma * z0;
    const bool at_limit = direction * (state.bristle + dt * w) >= z0;
    if (direction * w > 0 && at_limit) {
      roots.push_back({w, direction > 0 ? Mode::slip_plus : Mode::slip_minus});
    }
  }
  return roots;
}

/// A sliding body slides on if it can; else the spring takes the load if it can.
Root wanted(const std::vector<Root>& roots, Mode before) {
  for (const Mode preferred : {before, Mode::stick, Mode::slip_plus, Mode::slip_minus}) {
    for (const Root& root : roots) {
      if (root.mode == preferred) {
        return root;
      }
    }
  }
  ADD_FAILURE() << "no root";
  return {};
}

TEST(ResetIntegrator, CoupledStepIsTheRootThatBruteForceFinds) {
  test::Random random(42);
  int several = 0;
  int turned = 0;
  for (int i = 0; i < 100'000; ++i) {
    const ResetIntegrator any = ResetIntegrator::make(test::drawn_params<ResetIntegrator>(random));
    const double z0 = any.largest;
    const double force = any.stiffness.value * z0;
    const Mode mode = i % 3 == 0 ? Mode::stick : (i % 3 == 1 ? Mode::slip_plus : Mode::slip_minus);
    const ResetIntegrator::State state{mode == Mode::stick ? random.between(-1, 1) * z0 : plain_mode(mode) * z0, mode};
    const double dt = random.log_between(1e-5, 1e-1);
    const double mobility = random.log_between(1e-2, 1e2);
    const double gain = mobility * dt;
    const double free = gain * force * random.between(-3, 3);
    const auto roots = all_roots(any, state, any.stiffness.value, free, gain, dt);
    several += roots.size() > 1 ? 1 : 0;
    const Root expected = wanted(roots, mode);
    const auto next = any.solve(state, {.free_velocity = free, .mobility = mobility, .velocity = 0, .dt = dt});
    turned += mode != Mode::stick && next.state.mode == Mode::stick ? 1 : 0;
    ASSERT_EQ(next.state.mode, expected.mode);
    ASSERT_NEAR(next.velocity, expected.velocity, 1e-12 * (std::abs(free) + gain * force));
    ASSERT_NEAR(next.velocity, free - gain * next.force, 1e-12 * (std::abs(free) + gain * force));
    ASSERT_LE(std::abs(next.state.bristle), z0);
  }
  EXPECT_GT(several, 1000);
  EXPECT_GT(turned, 1000);
}

// A stiffness that a user brings: friction that falls with speed.

struct Falling {
  double operator()(double v) const noexcept { return 1000 * (0.6 + 0.4 / (1 + std::abs(v) / 0.01)); }
};
const ResetBristle<double, Falling> falling{{}, 2e-3, 0.5, 4};

TEST(ResetBristle, TakesAStiffnessThatDependsOnVelocity) {
  EXPECT_NEAR(falling.force({1e-3}, 0.01), 1.5 * 800 * 1e-3 + 4 * 0.01, 1e-15);
  const auto sliding = falling.advance({0}, 0.03, 1);
  EXPECT_EQ(sliding.mode, Mode::slip_plus);
  EXPECT_NEAR(falling.force(sliding, 0.03), 700 * 2e-3, 1e-15);
  EXPECT_NEAR(falling.force(falling.advance({0}, -0.03, 1), -0.03), -700 * 2e-3, 1e-15);
  EXPECT_NEAR(falling.at_rest(1.2).bristle, 1.2 / 1500, 1e-18);
}

TEST(ResetBristle, CoupledStepTakesTheStiffnessAtThePresentVelocity) {
  test::Random random(43);
  for (int i = 0; i < 10'000; ++i) {
    const double v = random.between(-0.1, 0.1);
    const Mode mode = i % 3 == 0 ? Mode::stick : (i % 3 == 1 ? Mode::slip_plus : Mode::slip_minus);
    const decltype(falling)::State state{mode == Mode::stick ? random.between(-1, 1) * 2e-3 : plain_mode(mode) * 2e-3,
                                         mode};
    const double dt = random.log_between(1e-5, 1e-2);
    const double free = v + dt * random.between(-5, 5);
    const Root expected = wanted(all_roots(falling, state, Falling{}(v), free, dt, dt), mode);
    const auto next = falling.solve(state, {.free_velocity = free, .mobility = 1, .velocity = v, .dt = dt});
    ASSERT_EQ(next.state.mode, expected.mode);
    ASSERT_NEAR(next.velocity, expected.velocity, 1e-14);
  }
}

TEST(ResetBristle, StepsOfABodyConvergeToTheAccurateSolution) {
  // Slides to a stop from 0.2 m/s:  m v' = −σ₀(v) z₀
  double time = 0;
  const int intervals = 20'000;
  for (int i = 0; i <= intervals; ++i) {  // t = ∫ m dv/F, by Simpson's rule, down to 0.02 m/s
    const double v = 0.02 + 0.18 * i / intervals;
    const double weight = (i == 0 || i == intervals) ? 1 : (i % 2 == 1 ? 4 : 2);
    time += weight / (3.0 * intervals) * 0.18 / (Falling{}(v)*2e-3);
  }
  double before = 0;
  for (const double steps : {1000.0, 2000.0}) {
    double v = 0.2;
    decltype(falling)::State state{2e-3, Mode::slip_plus};
    for (int i = 0; i < steps; ++i) {
      const auto next = falling.solve(state, {.free_velocity = v, .mobility = 1, .velocity = v, .dt = time / steps});
      v = next.velocity;
      state = next.state;
    }
    const double off = std::abs(v - 0.02);
    EXPECT_LT(off, 1e-4);
    if (before > 0) {
      EXPECT_NEAR(before / off, 2, 0.05) << "first order";
    }
    before = off;
  }
}

}  // namespace
}  // namespace stiction::scalar::reset_integrator_test
