// What `advise` says, against closed forms, and against plain loops that share no code with it.
#include "stiction/sim/advice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "stiction/scalar/presets.h"
#include "stiction/sim/measure.h"

namespace stiction::sim {
namespace {

using scalar::LuGre;
namespace preset = scalar::preset;
using testing::HasSubstr;

const SchemeAdvice& of(const Advice& advice, Method method) {
  const auto found = std::find_if(advice.schemes.begin(), advice.schemes.end(),
                                  [&](const SchemeAdvice& scheme) { return scheme.method == method; });
  EXPECT_NE(found, advice.schemes.end());
  return *found;
}

LuGre with_damping(double damping) {
  auto params = preset::canudas_1995().params();
  params.damping = damping;
  return LuGre::make(params);
}

/// The linearised body m x'' + d x' + k x = 0 under explicit Euler is stable where h < d/k and 4 − 2 h d/m + h² k/m >
/// 0, which tends to h < 2 m/d for large d.
double explicit_euler_limit(double m, double d, double k) {
  const double root = d * d - 4 * m * k;
  return root < 0 ? d / k : std::min(d / k, (d - std::sqrt(root)) / k);
}

TEST(Advice, ExplicitEulerNearRestHasTheAnalyticLimit) {
  const auto canudas = preset::canudas_1995();
  const Advice advice = advise(canudas, {.mass = 1, .step = 1e-3, .speed = {}});
  const double damping = std::sqrt(1e5) + 0.4;
  EXPECT_NEAR(of(advice, Method::explicit_euler).largest_step_at_rest, damping / 1e5, 0.01 * damping / 1e5);
  // Heavily damped the other limit counts.
  const double heavy = 5000;
  const Advice stiff = advise(with_damping(heavy), {.mass = 1, .step = 1e-4, .speed = {}});
  EXPECT_NEAR(of(stiff, Method::explicit_euler).largest_step_at_rest, 2 / (heavy + 0.4), 0.05 * 2 / (heavy + 0.4));
}

TEST(Advice, LimitsNearRestFollowTheLinearisedBody) {
  for (const double d : {10.0, 100.0, 316.0, 800.0, 3000.0}) {
    const double k = 1e5;
    const double m = 1;
    auto params = preset::canudas_1995().params();
    params.damping = d;
    params.viscous = 0;
    const Advice advice = advise(LuGre::make(params), {.mass = m, .step = 1e-4, .speed = {}});
    EXPECT_NEAR(advice.stiffness, k, 1e-3 * k);
    EXPECT_NEAR(advice.damping, d, 1e-3 * d);
    const double euler = explicit_euler_limit(m, d, k);
    EXPECT_NEAR(of(advice, Method::explicit_euler).largest_step_at_rest, euler, 0.01 * euler) << d;
    // Semi-implicit Euler: 2 h d/m + h² k/m < 4.
    const double semi = (-2 * d + std::sqrt(4 * d * d + 16 * k * m)) / (2 * k);
    EXPECT_NEAR(of(advice, Method::semi_implicit_euler).largest_step_at_rest, semi, 0.01 * semi) << d;
    EXPECT_EQ(of(advice, Method::backward_euler).largest_step(), infinity);
    EXPECT_EQ(of(advice, Method::sdirk2).largest_step(), infinity);
  }
}

TEST(Advice, RungeKuttaOfAStiffBodyEndsAtTheEdgeOfItsStabilityInterval) {
  const auto tanh = scalar::Tanh::make({.coulomb_force = 1, .transition_velocity = 1e-3});  // d₀ = 1000 N s/m
  const Advice advice = advise(tanh, {.mass = 1, .step = 1e-3, .speed = {}});
  EXPECT_NEAR(advice.damping, 1000, 1e-3);
  EXPECT_NEAR(of(advice, Method::runge_kutta_4).largest_step_at_rest, 2.785293563405282e-3, 1e-5);
  EXPECT_NEAR(of(advice, Method::explicit_euler).largest_step_at_rest, 2e-3, 1e-5);
}

TEST(Advice, SlidingLimitIsThatOfTheBristle) {
  for (const double speed : {0.01, 0.1, 1.0}) {
    const Advice advice = advise(preset::canudas_1995(), {.mass = 1, .step = 1e-5, .speed = speed});
    const double rate = 1e5 * speed / 1.0;  // σ₀ v/g(v)
    EXPECT_NEAR(of(advice, Method::explicit_euler).largest_step_sliding, 2 / rate, 0.02 * 2 / rate);
    EXPECT_NEAR(of(advice, Method::runge_kutta_4).largest_step_sliding, 2.785 / rate, 0.02 * 2.785 / rate);
  }
}

/// A plain loop: explicit Euler on LuGre from a tiny deviation.
double deviation_after(double h, int steps) {
  const auto model = preset::canudas_1995();
  double z = 1e-12;
  double v = 0;
  for (int i = 0; i < steps; ++i) {
    const double force = model.force({z}, v);
    z += h * model.rate({z}, v).bristle;
    v -= h * force;
  }
  return std::hypot(z, v / 316);
}

TEST(Advice, LimitSeparatesWhatGrowsFromWhatDecays) {
  const double limit =
      of(advise(preset::canudas_1995(), {.mass = 1, .step = 1e-3, .speed = {}}), Method::explicit_euler)
          .largest_step_at_rest;
  EXPECT_LT(deviation_after(0.98 * limit, 2000), 1e-14);
  EXPECT_GT(deviation_after(1.02 * limit, 2000), 1e-10);
}

TEST(Advice, StepsBeyondTheLimitAreCalledUnstableAndSaysWhy) {
  const Advice advice = advise(preset::canudas_1995(), {.mass = 1, .step = 1e-2, .speed = {}});
  for (const Method method : {Method::explicit_euler, Method::semi_implicit_euler, Method::runge_kutta_4}) {
    EXPECT_FALSE(of(advice, method).stable) << name_of(method);
    EXPECT_THAT(of(advice, method).reason, HasSubstr("needs dt < "));
  }
  for (const Method method : {Method::backward_euler, Method::sdirk2}) {
    EXPECT_TRUE(of(advice, method).stable) << name_of(method);
    EXPECT_FALSE(of(advice, method).creeps) << name_of(method);
  }
  EXPECT_FALSE(advice.one_solution);
  EXPECT_TRUE(preset::canudas_1995().one_root(1, advice.recommended_step));
  EXPECT_GT(advice.recommended_step, 1e-3);
  EXPECT_EQ(advice.recommended, Method::sdirk2);
}

TEST(Advice, UniquenessIsTheModelsOwn) {
  const auto model = preset::canudas_1995();
  const Advice advice = advise(model, {.mass = 2, .step = 1e-3, .speed = {}});
  EXPECT_TRUE(advice.one_solution);
  EXPECT_TRUE(model.one_root(0.5, advice.largest_one_solution_step));
  EXPECT_FALSE(model.one_root(0.5, 1.001 * advice.largest_one_solution_step));
  // Coulomb friction has one solution at any step; with F_S > F_C holding and sliding compete.
  EXPECT_EQ(advise(preset::table2_coulomb(), {.mass = 1, .step = 1e-3, .speed = {}}).largest_one_solution_step,
            infinity);
  EXPECT_EQ(advise(preset::table2_stiction(), {.mass = 1, .step = 1e-3, .speed = {}}).largest_one_solution_step, 0);
  // Stribeck: unique while h |dF/dv| < m, and the steepest slope is (F_S − F_C) √(2/e)/v_S.
  const double steepest = 0.05 * std::sqrt(2 / std::exp(1.0)) / 0.01 - 0.0176;
  const auto stribeck = advise(preset::table2_stribeck(), {.mass = 0.0023, .step = 1e-3, .speed = {}});
  EXPECT_NEAR(stribeck.largest_one_solution_step, 0.0023 / steepest, 0.01 * 0.0023 / steepest);
  EXPECT_FALSE(stribeck.one_solution);
}

TEST(Advice, ModelsWithStictionHoldUnderCoupledStepsAlone) {
  for (const scalar::AnyModel& model :
       {scalar::AnyModel(preset::table2_coulomb()), scalar::AnyModel(preset::table2_stiction()),
        scalar::AnyModel(preset::table2_stribeck())}) {
    const Advice advice = advise(model, {.mass = 0.0023, .step = 1e-3, .speed = {}});
    EXPECT_FALSE(advice.creeps);
    EXPECT_EQ(advice.damping, infinity);
    for (const SchemeAdvice& scheme : advice.schemes) {
      const bool coupled = scheme.method == Method::sdirk2 || scheme.method == Method::backward_euler;
      EXPECT_EQ(scheme.stable, coupled) << advice.model << ", " << name_of(scheme.method);
      EXPECT_EQ(scheme.creeps, !coupled) << advice.model << ", " << name_of(scheme.method);
      EXPECT_EQ(scheme.largest_step(), coupled ? infinity : 0);
      EXPECT_EQ(scheme.drift == 0, coupled);
    }
  }
}

TEST(Advice, SmoothModelsCreepAtTheSpeedTheirCurveGives) {
  const auto tanh = scalar::Tanh::make({.coulomb_force = 1, .transition_velocity = 1e-3});
  const Advice smooth = advise(tanh, {.mass = 1, .step = 1e-3, .speed = {}});
  EXPECT_TRUE(smooth.creeps);
  EXPECT_EQ(smooth.breakaway, 0);
  const double expected = 1e-3 * std::atanh(smooth.load);
  for (const Method method : {Method::sdirk2, Method::backward_euler}) {
    EXPECT_TRUE(of(smooth, method).creeps);
    EXPECT_NEAR(of(smooth, method).drift, expected, 1e-6 * expected);
  }
  const Advice viscous = advise(scalar::Viscous::make({.viscous = 5}), {.mass = 1, .step = 1e-2, .speed = {}});
  EXPECT_TRUE(viscous.creeps);
  EXPECT_NEAR(of(viscous, Method::sdirk2).drift, viscous.load / 5, 1e-6 * viscous.load / 5);
  EXPECT_TRUE(advise(preset::table2_brown_mcphee(), {.mass = 0.0023, .step = 1e-4, .speed = {}}).creeps);
  EXPECT_TRUE(advise(preset::table2_specker(), {.mass = 0.0023, .step = 1e-4, .speed = {}}).creeps);
}

/// Barabanov and Ortega: F_v ≥ σ₁ (F_S − F_C)/F_C = 0.107 for Table 2.
TEST(Advice, PassivityOfTable2IsTheClosedForm) {
  const AdviceQuestion servo{.mass = 0.0023, .step = 1e-3, .speed = {}};
  const Advice published = advise(preset::olsson_table2(), servo);
  EXPECT_FALSE(published.passive);
  EXPECT_THAT(published.passive_reason, HasSubstr("0.107"));
  auto params = preset::olsson_table2().params();
  params.damping_velocity = 4;
  EXPECT_TRUE(advise(LuGre::make(params), servo).passive);
  params.damping_velocity = infinity;
  params.viscous = 0.108;
  EXPECT_TRUE(advise(LuGre::make(params), servo).passive);
  params.viscous = 0.106;
  EXPECT_FALSE(advise(LuGre::make(params), servo).passive);
}

/// The search over cycles knows nothing of these conditions.
TEST(Cycles, GiveEnergyWhereTheClosedFormSaysSo) {
  auto params = preset::olsson_table2().params();
  const CycleWork published = worst_cycle(LuGre::make(params));
  EXPECT_TRUE(published.generates_energy());
  EXPECT_GT(published.speed, 1);  // eq. 30 holds surely below 4 F_C/σ₁ = 1.9 rad/s
  params.viscous = 0.05;
  EXPECT_TRUE(worst_cycle(LuGre::make(params)).generates_energy());
  params.viscous = 0.11;
  EXPECT_FALSE(worst_cycle(LuGre::make(params)).generates_energy());
  params.viscous = 0.0176;
  params.damping_velocity = 4;
  EXPECT_FALSE(worst_cycle(LuGre::make(params)).generates_energy());
}

TEST(Cycles, LoseAllOfTheWorkToCoulombFriction) {
  EXPECT_NEAR(worst_cycle(preset::table2_coulomb()).share(), 1, 1e-12);
}

TEST(Measure, BreakAwayIsTheLargestLoadThatIsHeld) {
  EXPECT_NEAR(breakaway_force(preset::table2_coulomb()), 0.28, 1e-12);
  EXPECT_NEAR(breakaway_force(preset::table2_stiction()), 0.33, 1e-12);
  EXPECT_NEAR(breakaway_force(preset::canudas_1995()), 1.5, 1e-3);
  EXPECT_NEAR(breakaway_force(preset::table2_dahl()), 0.28, 1e-6);
  EXPECT_NEAR(breakaway_force(preset::table2_reset_integrator()), 0.33, 0.33 / 200);
  // From zero states Bliman and Sorine's excess is half of that after a reversal.
  EXPECT_NEAR(breakaway_force(preset::table2_bliman_sorine_2()), 0.28 + 0.05 / 2, 1e-4);
  EXPECT_EQ(breakaway_force(preset::table2_tanh()), 0);
  EXPECT_EQ(breakaway_force(preset::table2_viscous()), 0);
}

TEST(Measure, SlopesAtRestAreThoseOfTheModel) {
  EXPECT_NEAR(stiffness_at_rest(preset::canudas_1995()), 1e5, 10);
  EXPECT_NEAR(damping_at_rest(preset::canudas_1995()), std::sqrt(1e5) + 0.4, 1e-3);
  EXPECT_NEAR(stiffness_at_rest(preset::table2_bliman_sorine_2()), 260, 1e-2);
  EXPECT_NEAR(stiffness_at_rest(preset::table2_gms()), 260, 1e-6);
  EXPECT_EQ(stiffness_at_rest(preset::table2_tanh()), 0);
  EXPECT_NEAR(damping_at_rest(preset::table2_tanh()), 280, 1e-6);
  EXPECT_EQ(damping_at_rest(preset::table2_stribeck()), infinity);
  EXPECT_EQ(damping_at_rest(scalar::Viscous::make({.viscous = 1, .exponent = 0.5})), infinity);
}

/// Whatever the model: the coupled steps are stable at the step of a servo, and hold where the model does.
TEST(Advice, IsGivenForEveryPreset) {
  for (const scalar::Preset& preset : scalar::presets) {
    const Advice advice = advise(preset.make(), {.mass = preset.mass, .step = 1e-3, .speed = {}});
    EXPECT_GT(advice.sliding_force, 0) << preset.name;
    EXPECT_EQ(advice.schemes.size(), 5U);
    EXPECT_NE(advice.reason, "");
    EXPECT_LE(advice.recommended_step, 1e-3);
    EXPECT_GT(advice.recommended_step, 0);
    for (const SchemeAdvice& scheme : advice.schemes) {
      EXPECT_NE(scheme.reason, "");
      if (scheme.method == Method::sdirk2 || scheme.method == Method::backward_euler) {
        EXPECT_TRUE(scheme.stable) << preset.name << ", " << name_of(scheme.method) << ": " << scheme.reason;
        EXPECT_EQ(scheme.creeps, advice.creeps) << preset.name << ", " << name_of(scheme.method);
      }
    }
  }
}

TEST(Advice, RefusesAQuestionThatMakesNoSense) {
  const auto refused = [](AdviceQuestion question) {
    try {
      advise(preset::canudas_1995(), question);
    } catch (const InvalidParameter& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(refused({.mass = 0, .step = 1e-3, .speed = {}}), "mass = 0: must be > 0 and finite");
  EXPECT_EQ(refused({.mass = 1, .step = -1, .speed = {}}), "dt = -1: must be > 0 and finite");
  EXPECT_EQ(refused({.mass = 1, .step = std::numeric_limits<double>::quiet_NaN(), .speed = {}}),
            "dt = nan: must be > 0 and finite");
  EXPECT_EQ(refused({.mass = 1, .step = infinity, .speed = {}}), "dt = inf: must be > 0 and finite");
  EXPECT_EQ(refused({.mass = 1, .step = 1e-3, .speed = 0}), "speed = 0: must be > 0 and finite");
}

}  // namespace
}  // namespace stiction::sim
