// A steep Stribeck slope and a long step give the coupled LuGre step several solutions; it must take the right one.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/models.h"
#include "support/random.h"

namespace stiction::scalar {
namespace {

/// The residual of v⁺ = v_free − dt F(v⁺) for unit mobility, written out anew.
double residual(const LuGre& model, double z, double free, double dt, double w) {
  const double pull = model.stiffness * std::abs(w) / model.curve(w);
  const double rate = (w - pull * z) / (1 + dt * pull);
  return w + dt * (model.stiffness * (z + dt * rate) + model.damping(w) * rate + model.viscous(w)) - free;
}

/// Every sign change of the residual on a fine grid over both signs and all decades.
std::vector<double> all_roots(const LuGre& model, double z, double free, double dt) {
  std::vector<double> grid;
  for (double w = 10; w > 1e-12; w *= 0.999) {
    grid.push_back(-w);
  }
  for (double w = 1e-12; w < 10; w /= 0.999) {
    grid.push_back(w);
  }
  std::vector<double> roots;
  double before = residual(model, z, free, dt, grid[0]);
  for (std::size_t i = 1; i < grid.size(); ++i) {
    const double here = residual(model, z, free, dt, grid[i]);
    if ((here > 0) != (before > 0)) {
      roots.push_back((grid[i - 1] + grid[i]) / 2);
    }
    before = here;
  }
  return roots;
}

class SteepLuGre : public testing::Test {
 protected:
  const LuGre model = LuGre::make({.stiffness = 1e5,
                                   .damping = 300,
                                   .coulomb_force = 1,
                                   .static_force = 4,
                                   .stribeck_velocity = 1e-3,
                                   .viscous = 0.4});
  const double dt = 2e-2;
};

TEST_F(SteepLuGre, HasSeveralRootsAndSaysSo) {
  const double v = 4e-3;
  const double free = v + dt * model.steady_force(v);
  EXPECT_FALSE(model.one_root(1, dt));
  EXPECT_TRUE(model.one_root(1, 1e-5));
  EXPECT_GE(all_roots(model, model.steady_state(v).bristle, free, dt).size(), 3U);
}

TEST_F(SteepLuGre, DoesNotFreezeASlidingBody) {
  for (const double v : {4e-3, -4e-3, 0.02}) {
    LuGre::State state = model.steady_state(v);
    double velocity = v;
    for (int i = 0; i < 100; ++i) {
      const auto next = model.solve(
          state,
          {.free_velocity = velocity + dt * model.steady_force(v), .mobility = 1, .velocity = velocity, .dt = dt});
      state = next.state;
      velocity = next.velocity;
    }
    EXPECT_NEAR(velocity, v, 1e-12);
    EXPECT_NEAR(state.bristle, model.steady_state(v).bristle, 1e-15);
  }
}

TEST_F(SteepLuGre, DoesNotBreakAStuckBodyAwayEarly) {
  for (const double load : {1.5, 2.5, 3.9, -3.9}) {
    LuGre::State state = model.at_rest(load);
    double velocity = 0;
    EXPECT_GE(all_roots(model, state.bristle, dt * load, dt).size(), 3U);
    for (int i = 0; i < 100; ++i) {
      const auto next =
          model.solve(state, {.free_velocity = velocity + dt * load, .mobility = 1, .velocity = velocity, .dt = dt});
      state = next.state;
      velocity = next.velocity;
    }
    EXPECT_NEAR(velocity, 0, 1e-12) << load;
    EXPECT_NEAR(state.bristle, load / 1e5, 1e-14) << load;
  }
}

TEST_F(SteepLuGre, BreaksAwayOnARampNearTheStaticForce) {
  LuGre::State state;
  double velocity = 0;
  double load = 0;
  while (velocity < 0.05 && load < 5) {
    load += 1e-3 * dt;
    const auto next =
        model.solve(state, {.free_velocity = velocity + dt * load, .mobility = 1, .velocity = velocity, .dt = dt});
    state = next.state;
    velocity = next.velocity;
  }
  EXPECT_NEAR(load, 4.0, 0.02);
}

/// The roots met on the way from `velocity`, nearest first.
std::vector<double> on_the_way(std::vector<double> roots, double velocity, bool upwards) {
  std::erase_if(roots, [&](double root) { return upwards ? root < velocity : root > velocity; });
  if (!upwards) {
    std::reverse(roots.begin(), roots.end());
  }
  return roots;
}

TEST_F(SteepLuGre, TakesTheFirstRootUnlessItAndTheNextLieWithinOneStride) {
  test::Random random(10);
  int several = 0;
  int hidden = 0;
  for (int i = 0; i < 400; ++i) {
    const double velocity = random.sign() * random.log_between(1e-5, 0.02);
    const double z = random.between(-1, 1) * model.largest_deflection();
    const double free = velocity + dt * random.between(-4.5, 4.5);
    const bool upwards = residual(model, z, free, dt, velocity) < 0;
    const auto roots = on_the_way(all_roots(model, z, free, dt), velocity, upwards);
    several += roots.size() > 1 ? 1 : 0;
    const double taken =
        model.solve({z}, {.free_velocity = free, .mobility = 1, .velocity = velocity, .dt = dt}).velocity;
    std::size_t k = 0;
    const auto is_taken = [&](double root) { return std::abs(root - taken) < 1.1e-3 * std::abs(root) + 1e-11; };
    while (k < roots.size() && !is_taken(roots[k])) {
      ASSERT_LT(k + 2, roots.size()) << "case " << i;
      ASSERT_LT(std::abs(roots[k + 1] / roots[k]), 2) << "case " << i << " passes by a root";
      k += 2;
      ++hidden;
    }
    ASSERT_LT(k, roots.size()) << "case " << i << ": not a root";
  }
  EXPECT_GT(several, 20);
  EXPECT_LE(hidden, 2);
}

TEST(LuGreOneRoot, MeansTheGridFindsExactlyOne) {
  test::Random random(11);
  int unique = 0;
  for (int i = 0; i < 200; ++i) {
    auto params = test::drawn_params<LuGre>(random);
    params.damping_velocity = infinity;
    const LuGre model = LuGre::make(params);
    const double dt = random.log_between(1e-5, 1e-2);
    if (!model.one_root(1, dt)) {
      continue;
    }
    ++unique;
    const double z = random.between(-1, 1) * model.largest_deflection();
    const double free = random.between(-2, 2) * dt * params.static_force + random.between(-0.1, 0.1);
    ASSERT_LE(all_roots(model, z, free, dt).size(), 1U) << "case " << i;
    const double w = model.solve({z}, {.free_velocity = free, .mobility = 1, .velocity = free, .dt = dt}).velocity;
    ASSERT_NEAR(w, model.solve({z}, {.free_velocity = free, .mobility = 1, .velocity = -3.0, .dt = dt}).velocity, 1e-14)
        << "whatever the present velocity";
  }
  EXPECT_GT(unique, 40);
}

}  // namespace
}  // namespace stiction::scalar
