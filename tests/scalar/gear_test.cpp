// Friction of a gear: what it depends on, and that it holds.
#include "stiction/scalar/gear.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "stiction/scalar/gear_bristles.h"
#include "stiction/scalar/presets.h"
#include "stiction/sim/line.h"
#include "stiction/sim/two_bodies.h"

namespace stiction::scalar {
namespace {

const std::vector<Gear>& servos() {
  static const std::vector<Gear> all{preset::servo_mx64(),  preset::servo_mx106(),     preset::servo_xl320(),
                                     preset::servo_xl330(), preset::servo_erob80_50(), preset::servo_erob80_100()};
  return all;
}

/// The servo of Olsson's Table 2, with friction that grows by a tenth of what its motor gives.
GearLuGre lugre() {
  return GearLuGre::make({.stiffness = 260,
                          .damping = 0.6,
                          .coulomb_force = 0.28,
                          .stribeck_force = 0.05,
                          .motor_gain = 0.1,
                          .external_gain = 0.05,
                          .stribeck_velocity = 0.01,
                          .viscous = 0.0176});
}
GearElastoPlastic elasto_plastic() {
  return GearElastoPlastic::make({.stiffness = 260,
                                  .damping = 0.6,
                                  .coulomb_force = 0.28,
                                  .stribeck_force = 0.05,
                                  .motor_gain = 0.1,
                                  .external_gain = 0.05,
                                  .stribeck_velocity = 0.01,
                                  .viscous = 0.0176});
}

/// The equations once more, written out.
double written_out(const Gear::Params& p, double motor, double external, double v) {
  const double falling = std::exp(-std::pow(std::abs(v / p.stribeck_velocity), p.stribeck_exponent));
  double quadratic = 0;
  if (motor * external < 0 && std::abs(external) < std::abs(motor)) {
    quadratic = p.external_quadratic_gain * external * external;
  }
  if (motor * external < 0 && std::abs(external) > std::abs(motor)) {
    quadratic = p.motor_quadratic_gain * motor * motor;
  }
  return p.coulomb_force + falling * p.stribeck_force + std::abs(p.external_gain * external - p.motor_gain * motor) +
         falling * std::abs(p.external_stribeck_gain * external - p.motor_stribeck_gain * motor) + falling * quadratic;
}

TEST(Gear, FollowsItsEquationForEverySignAndSize) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> torque(-8, 8);
  std::uniform_real_distribution<double> speed(-6, 6);
  for (const Gear& gear : servos()) {
    for (int i = 0; i < 200; ++i) {
      const Transmitted<double> through{torque(random), torque(random)};
      const double v = speed(random);
      const double f = written_out(gear.params(), through.motor, through.external, v);
      EXPECT_NEAR(gear.dry_friction(through, v), f, 1e-13 * (1 + f));
      const auto moving = Gear::transmitting(gear.advance({}, v, 0), through);
      const double all = std::copysign(f, v) + gear.params().viscous * v;
      EXPECT_NEAR(gear.force(moving, v), all, 1e-13 * (1 + std::abs(all)));
      // At rest the sum of both is held, up to f.
      const double load = through.motor + through.external;
      const double most = written_out(gear.params(), through.motor, through.external, 0);
      EXPECT_NEAR(gear.force(Gear::transmitting({}, through), 0, load), std::clamp(load, -most, most),
                  1e-13 * (1 + most));
    }
  }
}

TEST(Gear, HasTheQuadraticPartOnlyBetweenOpposedForces) {
  const auto gear = Gear::make(
      {.coulomb_force = 0, .motor_quadratic_gain = 0.5, .external_quadratic_gain = 0.25, .stribeck_velocity = 1});
  EXPECT_EQ(gear.dry_friction({4, -2}, 0), 0.25 * 4);  // the motor drives
  EXPECT_EQ(gear.dry_friction({-4, 2}, 0), 0.25 * 4);
  EXPECT_EQ(gear.dry_friction({2, -4}, 0), 0.5 * 4);  // it is driven back
  EXPECT_EQ(gear.dry_friction({-2, 4}, 0), 0.5 * 4);
  EXPECT_EQ(gear.dry_friction({2, 4}, 0), 0);
  EXPECT_EQ(gear.dry_friction({-4, -2}, 0), 0);
  EXPECT_EQ(gear.dry_friction({3, -3}, 0), 0);
  EXPECT_EQ(gear.dry_friction({0, -3}, 0), 0);
}

TEST(Gear, OfAMotorThatHoldsAWeightTransmitsAllOfIt) {
  // M3: f₀ + k |τ_e − τ_m|. The sum of both is zero all the time.
  const auto gear = Gear::make({.coulomb_force = 0.1, .motor_gain = 0.2, .external_gain = 0.2});
  EXPECT_DOUBLE_EQ(gear.dry_friction({3, -3}, 0), 0.1 + 0.2 * 6);
  EXPECT_DOUBLE_EQ(gear.dry_friction({3, -3}, 100), 0.1 + 0.2 * 6);
  EXPECT_DOUBLE_EQ(gear.dry_friction({3, 3}, 0), 0.1);
}

TEST(Gear, WithoutGainsIsStribeckAlsoBitForBit) {
  const auto gear = Gear::make({.coulomb_force = 1, .stribeck_force = 0.5, .stribeck_velocity = 0.01, .viscous = 0.4});
  const auto stribeck =
      Stribeck::make({.coulomb_force = 1, .static_force = 1.5, .stribeck_velocity = 0.01, .viscous = 0.4});
  for (const double v : {-0.3, -0.004, 0.0, 0.02, 1.0}) {
    for (const double push : {-0.02, 0.001, 0.03}) {
      const auto state = gear.advance({}, v, 0);
      const CoupledStep<double> step{
          .free_velocity = v + push, .mobility = 1, .velocity = v, .dt = 1e-2, .motor_force = 3, .external_force = -2};
      EXPECT_EQ(gear.solve(state, step).velocity, stribeck.solve(state, step).velocity);
      EXPECT_EQ(gear.solve(state, step).force, stribeck.solve(state, step).force);
      EXPECT_EQ(gear.force(state, v, 5), stribeck.force(state, v, 5));
    }
  }
}

TEST(Gear, SolvesItsStepUnderTheForcesGiven) {
  for (const Gear& gear : servos()) {
    for (const double v : {-3.0, -0.1, 0.0, 0.4, 2.0}) {
      for (const double motor : {-3.0, 0.0, 2.0}) {
        const double external = 1.5;
        const double free = v + 2 * 5e-3 / 0.05 * (motor + external);
        const auto solved = gear.solve(gear.advance({}, v, 0), {.free_velocity = free,
                                                                .mobility = 1 / 0.05,
                                                                .velocity = v,
                                                                .dt = 5e-3,
                                                                .motor_force = motor,
                                                                .external_force = external});
        EXPECT_EQ(solved.state.transmitted, (Transmitted<double>{motor, external}));
        EXPECT_NEAR(solved.velocity, free - 5e-3 / 0.05 * solved.force, 1e-12 * (1 + std::abs(free)));
        const double most = written_out(gear.params(), motor, external, solved.velocity);
        if (solved.velocity == 0) {
          EXPECT_LE(std::abs(solved.force), most * (1 + 1e-15));
        } else {
          const double all = std::copysign(most, solved.velocity) + gear.params().viscous * solved.velocity;
          EXPECT_NEAR(solved.force, all, 1e-11 * (1 + std::abs(all)));
        }
      }
    }
  }
}

/// The external force that gear and motor just hold: |τ_m + τ_e| = f(0, τ_m, τ_e).
double held_from_outside(const Gear& gear, double motor) {
  double low = std::abs(motor);
  double high = 1e3;
  for (int i = 0; i < 200; ++i) {
    const double middle = (low + high) / 2;
    (std::abs(motor - middle) <= gear.dry_friction({motor, -middle}, 0) ? low : high) = middle;
  }
  return low;
}

TEST(Gear, HoldsAWeightWithTheMotorOffAndOn) {
  for (const Gear& gear : servos()) {
    for (const double motor : {0.0, 0.7}) {
      const double most = held_from_outside(gear, motor);
      for (const double share : {0.5, 0.999}) {
        const double weight = motor + share * (most - motor);
        Gear::State state = gear.at_rest(0);
        double v = 0;
        double x = 0;
        bool moved = false;
        for (int i = 0; i < 100'000; ++i) {
          const double dt = 5e-3;
          const auto next = gear.solve(state, {.free_velocity = v + dt * 37.7 * (motor - weight),
                                               .mobility = 37.7,
                                               .velocity = v,
                                               .dt = dt,
                                               .motor_force = motor,
                                               .external_force = -weight});
          state = next.state;
          v = next.velocity;
          x += dt * v;
          moved = moved || v != 0;
        }
        EXPECT_FALSE(moved);
        EXPECT_EQ(x, 0.0);
      }
      for (const auto method : {sim::Method::sdirk2, sim::Method::backward_euler, sim::Method::cvode}) {
        const auto run = [&](double weight) {
          return sim::simulate(gear, {.mass = 0.03}, {.force = -weight, .motor = motor},
                               {.method = method, .duration = 2, .output_interval = 0.1, .step = 5e-3});
        };
        EXPECT_EQ(run(motor + 0.999 * (most - motor)).position.back(), 0.0);
        EXPECT_LT(run(1.01 * most).position.back(), 0.0);
      }
    }
  }
}

TEST(Gear, LosesTheSharesOfMotorAndWeightWhileItLifts) {
  // Constant speed at the end: τ_m − w − f₀ − (k_m τ_m + k_e w) = b v.
  const auto gear = Gear::make({.coulomb_force = 0.1, .motor_gain = 0.25, .external_gain = 0.05, .viscous = 0.5});
  const double speed = (4 - 1 - 0.1 - (0.25 * 4 + 0.05 * 1)) / 0.5;
  for (const auto method :
       {sim::Method::cvode, sim::Method::sdirk2, sim::Method::backward_euler, sim::Method::explicit_euler,
        sim::Method::semi_implicit_euler, sim::Method::runge_kutta_4}) {
    const auto run =
        sim::simulate(gear, {.mass = 0.1}, {.force = -1, .motor = 4}, {.method = method, .duration = 10, .step = 1e-2});
    EXPECT_NEAR(run.velocity.back(), speed, 1e-6 * speed) << static_cast<int>(method);
  }
}

TEST(Gear, ASpringActsFromOutsideAndAControllerThroughTheGear) {
  // Only the motor's side has a gain: a spring at 3 N is held by less than 3 N of friction, a controller's by more.
  const auto gear = Gear::make({.coulomb_force = 1, .motor_gain = 1});
  const sim::Load spring{.spring = sim::Spring{.stiffness = 3, .anchor = 1.0}};
  const sim::Load controller{.controller = sim::Pid{.reference = 1.0, .proportional = 3}};
  for (const auto method : {sim::Method::cvode, sim::Method::sdirk2, sim::Method::backward_euler,
                            sim::Method::runge_kutta_4, sim::Method::semi_implicit_euler}) {
    const sim::Options options{.method = method, .duration = 3, .step = 1e-3};
    EXPECT_GT(sim::simulate(gear, {.mass = 1}, spring, options).position.back(), 0.5);
    if (method != sim::Method::runge_kutta_4 && method != sim::Method::semi_implicit_euler) {  // they hold nothing
      EXPECT_EQ(sim::simulate(gear, {.mass = 1}, controller, options).position.back(), 0);
    }
  }
}

template <class Model>
void follow_the_accurate_solver(const Model& gear, double allowed) {
  const sim::Load load{.force = sim::Sine{1.2, 1.3},
                       .spring = sim::Spring{.stiffness = 3, .damping = 0.5},
                       .controller = sim::Pid{.reference = sim::Sine{1, 0.7}, .proportional = 20, .derivative = 1},
                       .motor = sim::Sine{0.5, 2}};
  const auto exact = sim::simulate(gear, {.mass = 0.2}, load, {.duration = 4, .output_interval = 0.05});
  for (const auto method : {sim::Method::backward_euler, sim::Method::sdirk2}) {
    const auto run = sim::simulate(gear, {.mass = 0.2}, load,
                                   {.method = method, .duration = 4, .output_interval = 0.05, .step = 1e-4});
    for (std::size_t i = 0; i < run.time.size(); ++i) {
      ASSERT_NEAR(run.position[i], exact.position[i], allowed) << run.time[i];
    }
  }
}

TEST(Gear, FixedStepsFollowTheAccurateSolver) { follow_the_accurate_solver(preset::servo_mx64(), 3e-4); }

TEST(GearBristles, FixedStepsFollowTheAccurateSolver) {
  follow_the_accurate_solver(lugre(), 5e-4);
  follow_the_accurate_solver(elasto_plastic(), 5e-4);
}

TEST(Gear, BetweenTwoBodiesTransmitsWhatIsBetweenThem) {
  const auto gear = Gear::make({.coulomb_force = 0.5, .motor_gain = 0.5});
  // 3 N on a body of 1 kg beside one of 2 kg: 2 N are between them, held by 0.5 + 0.5·2 N only with a motor.
  for (const auto method : {sim::Method::cvode, sim::Method::sdirk2, sim::Method::backward_euler}) {
    const sim::Options options{.method = method, .duration = 1};
    const auto pushed = sim::simulate(gear, {.mass = 1}, {.mass = 2}, {.force = 2.1}, {}, options);
    const auto driven = sim::simulate(gear, {.mass = 1}, {.mass = 2}, {.motor = 1.4}, {}, options);
    EXPECT_GT(pushed.velocity_1.back() - pushed.velocity_2.back(), 0.1);
    EXPECT_EQ(driven.velocity_1.back() - driven.velocity_2.back(), 0);
  }
}

TEST(Gear, MayHaveNoFrictionAndSteepDrops) {
  const auto none = Gear::make({.coulomb_force = 0});
  EXPECT_EQ(none.solve({}, {.free_velocity = 0.1, .mobility = 1, .velocity = 0, .dt = 0.1, .motor_force = 1}).velocity,
            0.1);
  const auto steep =
      Gear::make({.coulomb_force = 0, .stribeck_force = 1, .stribeck_velocity = 2, .stribeck_exponent = 30});
  EXPECT_NEAR(steep.dry_friction({}, 1.5), 1, 1e-3);
  EXPECT_NEAR(steep.dry_friction({}, 2.5), 0, 1e-3);
  // It breaks away and passes the drop.
  const auto solved = steep.solve({}, {.free_velocity = 5, .mobility = 1, .velocity = 0, .dt = 3.5});
  EXPECT_NEAR(solved.velocity, 5 - 3.5 * solved.force, 1e-12);
  EXPECT_NEAR(solved.velocity, 1.5, 2e-3);
}

TEST(Gear, TakesTheFirstOfTheRootsThatASteepDropMakes) {
  // Two roots lie within an octave below the drop, and one beyond it.
  for (const double alpha : {2.5, 8.68, 30.0, 100.0}) {
    const auto gear =
        Gear::make({.coulomb_force = 0, .stribeck_force = 1, .stribeck_velocity = 2, .stribeck_exponent = alpha});
    for (const double gain : {2.5, 3.0, 3.5, 4.0, 5.0}) {
      for (const double free : {gain + 0.4, gain + 1.0, gain + 1.7}) {
        for (const double present : {0.0, 0.1, 1.0, 3.0, 10.0}) {
          const auto residual = [&](double w) { return w + gain * gear.dry_friction({}, w) - free; };
          // By ten thousand small steps
          double w = present;
          const double step = residual(w) < 0 ? 1e-3 : -1e-3;
          while (w + step > 0 && residual(w) * residual(w + step) > 0) {
            w += step;
          }
          const auto solved = gear.solve(gear.advance({}, present, 0),
                                         {.free_velocity = free, .mobility = 1, .velocity = present, .dt = gain});
          EXPECT_NEAR(solved.velocity, w, 2e-3) << alpha << " " << gain << " " << free << " " << present;
        }
      }
    }
  }
}

TEST(GearBristles, TakeTheFirstOfTheRootsThatASteepDropMakes) {
  const auto gear = GearLuGre::make({.stiffness = 1e6,
                                     .damping = 0,
                                     .coulomb_force = 0.01,
                                     .stribeck_force = 1,
                                     .stribeck_velocity = 2,
                                     .stribeck_exponent = 30});
  for (const double side : {-1.0, 1.0}) {
    const auto solved = gear.solve(
        gear.at_rest(side), {.free_velocity = side * (3.5 * 1.01 + 1.5), .mobility = 1, .velocity = 0, .dt = 3.5});
    EXPECT_NEAR(solved.velocity, side * 1.5, 2e-3);
  }
}

TEST(Gear, NotANumberIsPassedOn) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const auto check = [](const auto& model) {
    for (const Transmitted<double> through : {Transmitted<double>{nan, 0}, {0, nan}, {infinity, 0}, {0, -infinity}}) {
      const auto solved = model.solve({}, {.free_velocity = 0.1,
                                           .mobility = 1,
                                           .velocity = 0,
                                           .dt = 0.1,
                                           .motor_force = through.motor,
                                           .external_force = through.external});
      EXPECT_TRUE(std::isnan(solved.force)) << through.motor << " " << through.external;
      EXPECT_TRUE(std::isnan(solved.velocity));
    }
  };
  check(preset::servo_mx64());
  check(Gear::make({.coulomb_force = 1}));
  check(lugre());
  check(elasto_plastic());
}

TEST(GearBristles, WithoutGainsAreLuGreAndElastoPlasticBitForBit) {
  const auto gear = GearLuGre::make({.stiffness = 260,
                                     .damping = 0.6,
                                     .coulomb_force = 0.25,
                                     .stribeck_force = 0.125,
                                     .stribeck_velocity = 0.01,
                                     .viscous = 0.0176,
                                     .damping_velocity = 4});
  const auto plain = LuGre::make({.stiffness = 260,
                                  .damping = 0.6,
                                  .coulomb_force = 0.25,
                                  .static_force = 0.375,
                                  .stribeck_velocity = 0.01,
                                  .viscous = 0.0176,
                                  .damping_velocity = 4});
  const auto plastic = GearElastoPlastic::make({.stiffness = 260,
                                                .damping = 0.6,
                                                .coulomb_force = 0.25,
                                                .stribeck_force = 0.125,
                                                .stribeck_velocity = 0.01,
                                                .elastic_share = 0.5});
  const auto plain_plastic = ElastoPlastic::make({.stiffness = 260,
                                                  .damping = 0.6,
                                                  .coulomb_force = 0.25,
                                                  .static_force = 0.375,
                                                  .stribeck_velocity = 0.01,
                                                  .elastic_share = 0.5});
  const auto compare = [](const auto& a, const auto& b) {
    auto state = a.at_rest(0.1);
    auto same = b.at_rest(0.1);
    double v = 0;
    for (int i = 0; i < 300; ++i) {
      const CoupledStep<double> step{.free_velocity = v + 0.02 * std::sin(0.1 * i),
                                     .mobility = 1 / 0.0023,
                                     .velocity = v,
                                     .dt = 1e-3,
                                     .motor_force = 0.3 * i};
      const auto next = a.solve(state, step);
      const auto expected = b.solve(same, step);
      ASSERT_EQ(next.velocity, expected.velocity) << i;
      ASSERT_EQ(next.force, expected.force) << i;
      ASSERT_EQ(next.state.bristle, expected.state.bristle) << i;
      ASSERT_EQ(a.rate(next.state, 0.01).bristle, b.rate(expected.state, 0.01).bristle);
      state = next.state;
      same = expected.state;
      v = next.velocity;
    }
  };
  compare(gear, plain);
  compare(plastic, plain_plastic);
}

TEST(GearBristles, SettleOnTheFrictionOfTheGear) {
  const auto gear = preset::servo_xl330().params();
  const auto bristle = GearLuGre::make({.stiffness = 1000,
                                        .damping = 0,
                                        .coulomb_force = gear.coulomb_force,
                                        .stribeck_force = gear.stribeck_force,
                                        .motor_gain = gear.motor_gain,
                                        .external_gain = gear.external_gain,
                                        .motor_stribeck_gain = gear.motor_stribeck_gain,
                                        .external_stribeck_gain = gear.external_stribeck_gain,
                                        .motor_quadratic_gain = gear.motor_quadratic_gain,
                                        .external_quadratic_gain = gear.external_quadratic_gain,
                                        .stribeck_velocity = gear.stribeck_velocity,
                                        .stribeck_exponent = gear.stribeck_exponent,
                                        .viscous = gear.viscous});
  for (const Transmitted<double> through : {Transmitted<double>{0.3, -0.1}, {-0.2, 0.5}, {0, 0}, {0.1, 0.4}}) {
    for (const double v : {0.5, -2.9, 4.0}) {
      const double f = written_out(gear, through.motor, through.external, v);
      const auto settled = bristle.advance(GearLuGre::transmitting({}, through), v, 10);
      EXPECT_NEAR(bristle.force(settled, v), std::copysign(f, v) + gear.viscous * v, 1e-12);
      EXPECT_NEAR(bristle.steady_force(settled, v), std::copysign(f, v) + gear.viscous * v, 1e-12);
    }
  }
}

TEST(GearBristles, HoldAWeightWithoutCreep) {
  const auto hold = [](const auto& model) {
    for (const double motor : {0.0, 0.5}) {
      const auto run = sim::simulate(model, {.mass = 0.0023}, {.force = -motor - 0.25, .motor = motor},
                                     {.method = sim::Method::backward_euler, .duration = 500, .step = 5e-3});
      const double early = run.position[run.position.size() / 10];
      EXPECT_LT(early, 0);
      EXPECT_GT(early, -0.01);  // it slips a little when the load comes all at once
      EXPECT_NEAR(run.position.back(), early, 1e-15);
    }
  };
  hold(lugre());
  hold(elasto_plastic());
}

TEST(GearBristles, MayHaveNoFriction) {
  const auto check = [](const auto& model) {
    auto state = model.at_rest(0);
    for (int i = 0; i < 100; ++i) {
      const auto next = model.solve(state, {.free_velocity = 0.1, .mobility = 1, .velocity = 0.1, .dt = 0.01});
      EXPECT_NEAR(next.force, 0, 1e-13);
      state = next.state;
    }
  };
  check(GearLuGre::make({.stiffness = 1e3, .damping = 0, .coulomb_force = 0, .motor_gain = 0.1}));
  check(GearElastoPlastic::make({.stiffness = 1e3, .damping = 0, .coulomb_force = 0, .motor_gain = 0.1}));
}

TEST(Gear, TellsWhichParameterIsWrong) {
  const auto field_of = [](const Gear::Params& p) {
    return std::string(Gear::check(p).value_or(Problem{"none", 0, ""}).field);
  };
  EXPECT_EQ(field_of({.coulomb_force = 1}), "none");
  EXPECT_EQ(field_of({.coulomb_force = 1, .stribeck_force = 1}), "stribeck_velocity");
  EXPECT_EQ(field_of({.coulomb_force = 1, .external_quadratic_gain = 1}), "stribeck_velocity");
  EXPECT_EQ(field_of({.coulomb_force = 1, .stribeck_force = 1, .stribeck_velocity = 1}), "none");
  EXPECT_EQ(field_of({.coulomb_force = -1}), "coulomb_force");
  EXPECT_EQ(field_of({.coulomb_force = 1, .motor_gain = -0.1}), "motor_gain");
  EXPECT_EQ(field_of({.coulomb_force = 1, .stribeck_velocity = 1, .stribeck_exponent = 0.4}), "stribeck_exponent");
  EXPECT_EQ(field_of({.coulomb_force = 1, .stribeck_velocity = 1, .stribeck_exponent = 8.7}), "none");
}

}  // namespace
}  // namespace stiction::scalar
