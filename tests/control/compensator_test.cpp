// Compensators made from friction models.
#include "stiction/control/compensator.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "stiction/control/any_compensator.h"
#include "support/models.h"

namespace stiction::control {
namespace {

TEST(CoulombCompensator, IsASaturatedLine) {
  auto compensator = CoulombCompensator::make(scalar::Coulomb::make({.coulomb_force = 2, .viscous = 3}),
                                              {.scale = 0.5, .saturation_velocity = 0.01});
  const auto expected = [](double v) { return 0.5 * (2 * std::clamp(v / 0.01, -1.0, 1.0) + 3 * v); };
  for (const double v : {0.0, 1e-5, -1e-5, 0.005, -0.0099, 0.01, -0.01, 0.015, 0.5, -7.0}) {
    EXPECT_NEAR(compensator.step(v, 1e-3), expected(v), 1e-14) << v;
  }
}

TEST(StribeckCompensator, FollowsTheCurveOutsideTheRampAndIsContinuous) {
  const auto model =
      scalar::Stribeck::make({.coulomb_force = 1, .static_force = 1.5, .stribeck_velocity = 0.02, .viscous = 0.3});
  auto compensator = StribeckCompensator::make(model, {.saturation_velocity = 0.005});
  const auto g = [](double v) { return 1 + 0.5 * std::exp(-std::pow(v / 0.02, 2)); };
  EXPECT_NEAR(compensator.step(0.03, 1e-3), g(0.03) + 0.3 * 0.03, 1e-14);
  EXPECT_NEAR(compensator.step(-0.03, 1e-3), -g(0.03) - 0.3 * 0.03, 1e-14);
  EXPECT_NEAR(compensator.step(0.0025, 1e-3), (g(0.005) + 0.3 * 0.005) / 2, 1e-14);
  EXPECT_NEAR(compensator.step(std::nextafter(0.005, 0), 1e-3), compensator.step(0.005, 1e-3), 1e-12);
  EXPECT_EQ(compensator.step(0, 1e-3), 0);
}

TEST(Compensator, GivesTheFrictionOfEveryModel) {
  scalar::for_each_model([]<class Model>(std::type_identity<Model>) {
    const Model model = test::example<Model>();
    auto compensator = Compensator<Model>::make(model, {.scale = 1.25});
    AnyCompensator any(scalar::AnyModel(model), {.scale = 1.25});
    typename Model::State state{};
    for (int i = 0; i < test::affordable<Model>(200); ++i) {
      const double v = 0.02 * std::sin(0.1 * i);
      state = model.advance(state, v, 1e-3);
      const double expected = 1.25 * model.force(state, v);
      EXPECT_EQ(compensator.step(v, 1e-3), expected) << Model::info.name;
      EXPECT_EQ(any.step(v, 1e-3), expected) << Model::info.name;
    }
  });
}

TEST(Compensator, ASampleThatCannotBeUsedGivesNanAndLeavesTheStateAlone) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  auto compensator = Compensator<scalar::LuGre>::make(test::table2_lugre());
  compensator.step(0.1, 1e-3);
  const auto before = compensator.state;
  EXPECT_TRUE(std::isnan(compensator.step(nan, 1e-3)));
  EXPECT_TRUE(std::isnan(compensator.step(0.1, -1e-3)));
  EXPECT_EQ(compensator.state, before);
}

TEST(Compensator, NamesWhatIsWrong) {
  EXPECT_STREQ(CoulombCompensator::check({.scale = -1})->field, "scale");
  EXPECT_STREQ(CoulombCompensator::check({.saturation_velocity = -1})->field, "saturation_velocity");
  EXPECT_THROW(Compensator<scalar::LuGre>::make(test::table2_lugre(), {.scale = -1}), InvalidParameter);
}

}  // namespace
}  // namespace stiction::control
