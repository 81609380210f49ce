// The same models in single precision, as firmware runs them.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <type_traits>

#include "support/every_model.h"
#include "support/random.h"
#include "support/rebind.h"
#include "support/states.h"

namespace stiction::scalar {
namespace {

using LuGreFloat = BasicLuGre<float>;

LuGreFloat as_float(const LuGre::Params& p) {
  return LuGreFloat::make({static_cast<float>(p.stiffness), static_cast<float>(p.damping),
                           static_cast<float>(p.coulomb_force), static_cast<float>(p.static_force),
                           static_cast<float>(p.stribeck_velocity), static_cast<float>(p.stribeck_exponent),
                           static_cast<float>(p.viscous), static_cast<float>(p.damping_velocity)});
}

TEST(LuGreFloat, StepIsWithinAFewRoundingsOfDouble) {
  test::Random random(14);
  double worst_bristle = 0;
  double worst_force = 0;
  for (int i = 0; i < 50'000; ++i) {
    const LuGre model = LuGre::make(test::drawn_params<LuGre>(random));
    const LuGreFloat single = as_float(model.params());
    const double z = random.between(-1, 1) * model.largest_deflection();
    const double v = random.sign() * random.log_between(1e-6, 1);
    const double dt = random.log_between(1e-6, 1e-1);
    const auto exact = model.step({z}, v, dt);
    const auto rounded = single.step({static_cast<float>(z)}, static_cast<float>(v), static_cast<float>(dt));
    const double size = model.curve.static_force + (2 * model.damping(v) + model.viscous.coefficient) * std::abs(v);
    worst_bristle =
        std::max(worst_bristle, std::abs(rounded.state.bristle - exact.state.bristle) / model.largest_deflection());
    worst_force = std::max(worst_force, std::abs(rounded.force - exact.force) / size);
  }
  constexpr double epsilon = std::numeric_limits<float>::epsilon();
  RecordProperty("worst_bristle_in_epsilons", std::to_string(worst_bristle / epsilon));
  RecordProperty("worst_force_in_epsilons", std::to_string(worst_force / epsilon));
  EXPECT_LT(worst_bristle, 16 * epsilon);
  EXPECT_LT(worst_force, 64 * epsilon);
}

TEST(LuGreFloat, HasTheSameInvariantSetAndSymmetry) {
  test::Random random(15);
  for (int i = 0; i < 20'000; ++i) {
    const LuGreFloat model = as_float(test::drawn_params<LuGre>(random));
    const float limit = model.curve(0.0F) / model.stiffness;
    const float z = static_cast<float>(random.between(-1, 1)) * limit;
    const auto v = static_cast<float>(random.log_between(1e-6, 1e3));
    const auto dt = static_cast<float>(random.log_between(1e-6, 1));
    const float next = model.advance({z}, v, dt).bristle;
    ASSERT_LE(std::abs(next), limit);
    ASSERT_EQ(model.advance({-z}, -v, dt).bristle, -next);
  }
}

TEST(LuGreFloat, CoupledStepAgreesWithDouble) {
  test::Random random(16);
  for (int i = 0; i < 5'000; ++i) {
    auto params = test::drawn_params<LuGre>(random);
    params.damping_velocity = infinity;
    const LuGre model = LuGre::make(params);
    const double dt = random.log_between(1e-5, 1e-3);
    if (!model.one_root(1, dt)) {
      continue;
    }
    const double z = random.between(-1, 1) * model.largest_deflection();
    const double v = random.between(-0.1, 0.1);
    const double free = v + dt * params.static_force * random.between(-2, 2);
    const auto exact = model.solve({z}, {.free_velocity = free, .mobility = 1, .velocity = v, .dt = dt});
    const auto rounded = as_float(params).solve({static_cast<float>(z)}, {.free_velocity = static_cast<float>(free),
                                                                          .mobility = 1.0F,
                                                                          .velocity = static_cast<float>(v),
                                                                          .dt = static_cast<float>(dt)});
    const double size = std::abs(free) + std::abs(v) + dt * params.static_force;
    ASSERT_NEAR(rounded.velocity, exact.velocity, 64 * std::numeric_limits<float>::epsilon() * size);
  }
}

TEST(LuGreFloat, ConstantDampingIsKnownToBeConstant) {
  EXPECT_TRUE(as_float(test::standard_lugre().params()).damping.constant());
  EXPECT_TRUE(as_float(test::standard_lugre().params()).one_root(1.0F, 1e-6F));
}

TEST(LuGreFloat, ParametersAreChecked) {
  LuGreFloat::Params params{1e5F, 300, 1, 1.5F, 1e-3F};
  EXPECT_FALSE(LuGreFloat::check(params));
  params.static_force = 0.5F;
  EXPECT_STREQ(LuGreFloat::check(params)->field, "static_force");
  params.stiffness = std::numeric_limits<float>::quiet_NaN();
  EXPECT_STREQ(LuGreFloat::check(params)->field, "stiffness");
}

template <class Model>
class FloatOf : public testing::Test {};
// The film of a bearing is solved by iteration with differences of 1e-7, which single precision does not know.
template <class Model>
using FitsFloat = std::bool_constant<!std::is_same_v<Model, JournalBearing>>;
TYPED_TEST_SUITE(FloatOf, test::ModelsThat<FitsFloat>, test::ModelNames);

// Rounding errors in single precision, as a share of the sizes of state and force.
template <class Model>
constexpr double max_roundings = 16;
template <>  // a way of 64 snaps is rounded once
constexpr double max_roundings<HaessigBristle> = 512;
template <>  // z_ss − z_ba may be a tenth of either, and g(v) a third of F_S
constexpr double max_roundings<ElastoPlastic> = 256;
template <>  // 1 − decay has lost digits where σ₁(v) has faded to a thousandth
constexpr double max_roundings<GearLuGre> = 512;
template <>  // both of these
constexpr double max_roundings<GearElastoPlastic> = 512;
template <>  // looks up a velocity between two that may differ by decades
constexpr double max_roundings<Armstrong> = 512;

template <class Model>
using Single = test::Rebind<Model, float>;

/// A model in single precision, and the one in double that has the same, rounded parameters.
template <class Model>
struct Pair {
  Single<Model> single;
  Model twin;
};
template <class Model>
Pair<Model> random_pair(test::Random& random) {
  const auto params = test::converted_params<Single<Model>, Model>(test::drawn_params<Model>(random));
  return {Single<Model>::make(params), Model(test::converted_params<Model, Single<Model>>(params))};
}

TYPED_TEST(FloatOf, AdvanceAndForceAreWithinAFewRoundingsOfDouble) {
  using Model = TypeParam;
  constexpr double epsilon = std::numeric_limits<float>::epsilon();
  test::Random random(19);
  double worst_state = 0;
  double worst_force = 0;
  for (int i = 0; i < 3'000; ++i) {
    const auto [single, twin] = random_pair<Model>(random);
    auto state = single.at_rest(0);
    auto exact = twin.at_rest(0);
    for (int move = 0; move < 4; ++move) {
      const auto v = static_cast<float>(random.sign() * random.log_between(1e-6, 1));
      const auto dt = static_cast<float>(random.log_between(1e-6, 1e-1));
      exact = twin.advance(exact, v, dt);
      state = single.advance(state, v, dt);
      if constexpr (Switching<Model>) {
        if (Single<Model>::modes(state) != Model::modes(exact)) {
          break;  // rounding decides on which side of a jump it is
        }
      }
      for (std::size_t k = 0; k < states_in_use(twin); ++k) {
        const double value = Model::pack(exact)[k];
        const double off = std::abs(Single<Model>::pack(state)[k] - value);
        ASSERT_TRUE(std::isfinite(off));
        worst_state = std::max(worst_state, off / std::max(std::abs(value), twin.typical()[k]));
      }
      const double off = std::abs(single.force(state, v) - twin.force(exact, v));
      worst_force = std::max(worst_force, off / test::size_of_force(twin, exact, v));
    }
  }
  this->RecordProperty("worst_state_in_epsilons", std::to_string(worst_state / epsilon));
  this->RecordProperty("worst_force_in_epsilons", std::to_string(worst_force / epsilon));
  EXPECT_LT(worst_state, max_roundings<Model> * epsilon);
  EXPECT_LT(worst_force, max_roundings<Model> * epsilon);
}

TYPED_TEST(FloatOf, CoupledStepSolvesItsEquation) {
  using Model = TypeParam;
  constexpr double epsilon = std::numeric_limits<float>::epsilon();
  test::Random random(20);
  for (int i = 0; i < 3'000; ++i) {
    const auto [model, twin] = random_pair<Model>(random);
    const auto v = static_cast<float>(random.sign() * random.log_between(1e-4, 1));
    const auto dt = static_cast<float>(random.log_between(1e-5, 1e-2));
    const auto state = model.advance(model.advance(model.at_rest(0), v, dt), v, 0);
    const float free = v * static_cast<float>(random.between(-1, 2));
    const auto after = model.solve(state, {.free_velocity = free, .mobility = 1.0F, .velocity = v, .dt = dt});
    ASSERT_TRUE(std::isfinite(after.velocity) && std::isfinite(after.force));
    const bool jumps = requires { twin.params().zero_velocity; };  // Karnopp
    if (!jumps) {
      const double residual = std::abs(after.velocity - (free - static_cast<double>(dt) * after.force));
      ASSERT_LT(residual, 512 * epsilon * (std::abs(free) + std::abs(v) + dt * std::abs(after.force))) << i;
    }
  }
}

TEST(SetValuedFloat, HoldsStopsAndBreaksAway) {
  const auto model = BasicStribeck<float>::make({1, 2, 1e-2F, 2, 0.1F});
  EXPECT_EQ(model.solve({}, {.free_velocity = 0.01F * 1.9F, .mobility = 1, .velocity = 0, .dt = 0.01F}).velocity, 0.0F);
  EXPECT_GT(model.solve({}, {.free_velocity = 0.01F * 2.1F, .mobility = 1, .velocity = 0, .dt = 0.01F}).velocity, 0.0F);
  EXPECT_EQ(model.solve({Mode::slip_plus}, {.free_velocity = 0.005F, .mobility = 1, .velocity = 0.005F, .dt = 0.01F})
                .state.mode,
            Mode::stick);
}

}  // namespace
}  // namespace stiction::scalar
