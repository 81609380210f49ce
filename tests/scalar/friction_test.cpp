// One type for all models: the same numbers as the model itself.
#include "stiction/scalar/friction.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/models.h"

namespace stiction::scalar {
namespace {

TEST(Friction, GivesTheNumbersOfTheModelInside) {
  for_each_model([]<class M>(std::type_identity<M>) {
    const M model = test::example<M>();
    Friction any{AnyModel(model)};
    auto state = model.at_rest(0);
    EXPECT_STREQ(any.name(), M::info.name);
    ASSERT_EQ(any.states(), states_in_use(model));
    for (int i = 0; i < 200; ++i) {
      const double v = 0.02 * std::sin(0.1 * i);
      state = model.advance(state, v, 1e-3);
      ASSERT_EQ(any.step(v, 1e-3), model.force(state, v)) << M::info.name;
      ASSERT_EQ(any.dissipated_power(v), model.dissipated_power(state, v));
      for (std::size_t k = 0; k < any.states(); ++k) {
        ASSERT_EQ(any.state(k), M::pack(state)[k]);
        ASSERT_STREQ(any.state_name(k), M::state_names[k]);
      }
      const auto solved = model.solve(state, {.free_velocity = v + 1e-3, .mobility = 0.5, .velocity = v, .dt = 1e-3});
      state = solved.state;
      const auto moved = any.solve({.free_velocity = v + 1e-3, .mobility = 0.5, .velocity = v, .dt = 1e-3});
      ASSERT_EQ(moved.force, solved.force);
      ASSERT_EQ(moved.velocity, solved.velocity);
    }
    ASSERT_NE(any.model<M>(), nullptr);
  });
}

TEST(Friction, CopiesAreSnapshots) {
  for_each_model([]<class M>(std::type_identity<M>) {
    Friction a(test::example<M>());
    a.step(0.01, 0.02);
    const Friction saved = a;
    EXPECT_TRUE(saved == a);
    const double there = a.step(0.03, 0.01);
    Friction b = saved;
    EXPECT_EQ(b.step(0.03, 0.01), there) << M::info.name;
  });
}

TEST(Friction, SwitchesModelsAtRunTime) {
  Friction any(test::standard_lugre());
  EXPECT_NE(any.model<LuGre>(), nullptr);
  any = Friction(Coulomb::make({.coulomb_force = 2}));
  EXPECT_EQ(any.model<LuGre>(), nullptr);
  EXPECT_EQ(any.states(), 0U);
  EXPECT_EQ(any.step(0.1, 1e-3), 2);
  any.rest_under(1);
  EXPECT_EQ(any.force(0, 0.7), 0.7) << "held";
}

TEST(Friction, RestsUnderALoad) {
  Friction any(test::standard_lugre());
  any.rest_under(0.8);
  EXPECT_NEAR(any.force(0), 0.8, 1e-15);
  EXPECT_NEAR(any.state(0), 0.8 / 1e5, 1e-20);
}

}  // namespace
}  // namespace stiction::scalar
