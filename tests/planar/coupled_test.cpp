// Body and patch in one implicit step: the equation, what it holds, which root it takes, and what cannot be solved.
#include "stiction/planar/coupled.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "stiction/planar/distributed.h"
#include "stiction/planar/reduced.h"
#include "stiction/planar/shapes.h"
#include "stiction/scalar/lugre.h"

namespace stiction::planar::coupled_test {
namespace {

/// The two kinds of patches behind the same calls, with their states.
struct Three {
  Reduced<SurfaceTable> model;
  Reduced<SurfaceTable>::State z = {};

  CoupledWrench solve(const CoupledTwist& step) {
    const auto solved = model.solve(z, step);
    z = solved.state;
    return solved;
  }
  [[nodiscard]] Wrench after(const Twist& twist, double normal_force, double dt) const {
    return model.step(z, twist, normal_force, dt).wrench;
  }
};
struct Many {
  Distributed model;
  std::vector<double> z = std::vector<double>(model.state_size());

  CoupledWrench solve(const CoupledTwist& step) { return model.solve(z, step); }
  [[nodiscard]] Wrench after(const Twist& twist, double normal_force, double dt) const {
    std::vector<double> tried = z;
    return model.step(tried, twist, normal_force, dt);
  }
};

Three three(const Friction& friction, const Patch& patch) {
  return {Reduced<SurfaceTable>::make({friction, patch.pressure_moments(), SurfaceTable(patch, 16)})};
}
Many many(const Friction& friction, const Patch& patch) { return {Distributed::make({friction, patch})}; }

const Patch& square_patch() {
  static const Patch patch(paper::square());
  return patch;
}

/// A x
Twist accelerated(const Matrix3& a, const Wrench& w) {
  return {a[0][0] * w.x + a[0][1] * w.y + a[0][2] * w.torque, a[1][0] * w.x + a[1][1] * w.y + a[1][2] * w.torque,
          a[2][0] * w.x + a[2][1] * w.y + a[2][2] * w.torque};
}

/// n G M⁻¹ Gᵀ of a body whose centre of mass is elsewhere, as any mechanism's mobility is: symmetric and positive.
Matrix3 random_mobility(std::mt19937& random) {
  std::uniform_real_distribution<double> part(-1, 1);
  const double per_mass = std::pow(10, part(random));
  const double per_inertia = 1e3 * std::pow(10, part(random));
  const double x = 0.05 * part(random);
  const double y = 0.05 * part(random);
  return {{{per_mass + y * y * per_inertia, -x * y * per_inertia, -y * per_inertia},
           {-x * y * per_inertia, per_mass + x * x * per_inertia, x * per_inertia},
           {-y * per_inertia, x * per_inertia, per_inertia}}};
}

/// The equation is met, by an evaluation of the model that the solver does not make.
template <class Contact>
void expect_equation(Contact contact, int runs) {
  std::mt19937 random(3);
  std::normal_distribution<double> any;
  Twist twist;
  int slid = 0;
  for (int k = 0; k < runs; ++k) {
    const Matrix3 a = random_mobility(random);
    const double dt = std::pow(10, -4 + 2 * std::abs(any(random)) / 3);
    const Wrench load{5 * any(random), 5 * any(random), 0.1 * any(random)};
    const Twist push = accelerated(a, load);
    const CoupledTwist step{.free_twist = {twist.x + dt * push.x, twist.y + dt * push.y, twist.spin + dt * push.spin},
                            .mobility = a,
                            .normal_force = 3,
                            .twist = twist,
                            .dt = dt};
    const Contact before = contact;
    const CoupledWrench solved = contact.solve(step);
    const Twist change = accelerated(a, solved.wrench);
    const double scale = 1e-3 + std::abs(step.free_twist.x) + std::abs(step.free_twist.y);
    EXPECT_EQ(solved.report.status, TwistStatus::converged) << k;
    EXPECT_NEAR(solved.twist.x, step.free_twist.x + dt * change.x, 1e-7 * scale) << k;
    EXPECT_NEAR(solved.twist.y, step.free_twist.y + dt * change.y, 1e-7 * scale) << k;
    EXPECT_NEAR(solved.twist.spin, step.free_twist.spin + dt * change.spin, 1e-5 * scale / 0.01) << k;
    if (solved.mean == solved.twist) {  // in one part: the wrench is that of the state after the step
      const Wrench after = before.after(solved.twist, 3, dt);
      EXPECT_EQ(after, solved.wrench) << k;
    }
    EXPECT_LE(power(solved.wrench, solved.mean), 1e-3) << k;
    twist = solved.twist;
    slid += std::abs(twist.x) > 1e-3 ? 1 : 0;
  }
  EXPECT_GT(slid, runs / 10);
}

TEST(CoupledTwist, EquationIsMetByThreeStates) {
  for (const Friction& friction : {preset::waltersson_p0(), preset::waltersson_p1()}) {
    expect_equation(three(friction, square_patch()), 500);
  }
}
TEST(CoupledTwist, EquationIsMetByManyBristles) {
  expect_equation(many(preset::waltersson_p1(), Patch(disc_points(0.01, 3, 8))), 200);
}

/// A load below break-away is held for ever, whatever the step.
template <class Contact>
void expect_held(const Contact& given, double dt) {
  Contact contact = given;
  const Matrix3 a{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1e3}}};
  Twist twist;
  const auto run = [&](int steps) {
    double way = 0;
    for (int k = 0; k < steps; ++k) {
      const CoupledTwist step{.free_twist = {twist.x + dt * 2, twist.y + dt, twist.spin + dt * 1e3 * 0.01},
                              .mobility = a,
                              .normal_force = 5,
                              .twist = twist,
                              .dt = dt};
      const CoupledWrench solved = contact.solve(step);
      twist = solved.twist;
      way += dt * solved.mean.x;
    }
    return way;
  };
  run(1000);
  EXPECT_LT(std::abs(run(1000)), 1e-12) << dt;
}
TEST(CoupledTwist, LoadsBelowBreakAwayAreHeld) {
  for (const double dt : {1e-4, 1e-3, 1e-2}) {
    expect_held(three(preset::waltersson_p1(), square_patch()), dt);
    expect_held(many(preset::waltersson_p1(), Patch(disc_points(0.01, 3, 8))), dt);
  }
}

/// A point that moves along x alone is LuGre's axis: the same step, the same root.
TEST(CoupledTwist, TakesTheRootThatOneAxisTakes) {
  Friction friction = preset::waltersson_p1();
  friction.elasto_plastic = false;
  friction.stiffness = 1e4;
  friction.damping = 10;
  friction.static_level = 1.6;
  const Patch point(Points{{0}, {0}, {1}});
  auto contact = many(friction, point);
  const double normal = 4;
  const auto axis = scalar::LuGre::make({.stiffness = friction.stiffness * normal,
                                         .damping = friction.damping * normal,
                                         .coulomb_force = friction.coulomb * normal,
                                         .static_force = friction.static_level * normal,
                                         .stribeck_velocity = friction.stribeck_velocity,
                                         .viscous = friction.viscous * normal});
  scalar::LuGre::State state;
  std::mt19937 random(5);
  std::uniform_real_distribution<double> part(-1, 1);
  double velocity = 0;
  int agree = 0;
  constexpr int steps = 400;
  for (int k = 0; k < steps; ++k) {
    const double dt = 1e-4;
    const double free = velocity + dt * 2 * 10 * part(random);
    const auto expected = axis.solve(state, {.free_velocity = free, .mobility = 2, .velocity = velocity, .dt = dt});
    const CoupledWrench solved = contact.solve({.free_twist = {free, 0, 0},
                                                .mobility = {{{2, 0, 0}, {0, 2, 0}, {0, 0, 1e3}}},
                                                .normal_force = normal,
                                                .twist = {velocity, 0, 0},
                                                .dt = dt});
    agree += std::abs(solved.twist.x - expected.velocity) < 1e-3 * (std::abs(expected.velocity) + 1e-4) ? 1 : 0;
    state = expected.state;
    velocity = expected.velocity;
    contact.z = {state.bristle, 0};
  }
  EXPECT_EQ(agree, steps);  // the exact update of the patch and backward Euler of the axis differ in the third digit
}

TEST(CoupledTwist, WithoutContactTheBodyIsFree) {
  auto contact = three(preset::waltersson_p1(), square_patch());
  const CoupledTwist step{.free_twist = {1, -2, 3}, .mobility = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, .dt = 1e-3};
  const CoupledWrench solved = contact.solve(step);
  EXPECT_EQ(solved.wrench, Wrench{});
  EXPECT_EQ(solved.twist, step.free_twist);
}

/// Where friction falls steeply and the step is long, Newton's method may find no twist: the step is taken in parts,
/// and the mean wrench still gives the twist at its end.
TEST(CoupledTwist, StepsWithoutASolutionAreTakenInParts) {
  std::mt19937 random(5);
  std::normal_distribution<double> any;
  std::uniform_real_distribution<double> part(0, 1);
  const Patch patch(paper::gradient_line());
  int parts = 0;
  int inaccurate = 0;
  for (int run = 0; run < 60; ++run) {
    Friction friction = preset::waltersson_p1();
    friction.stiffness = std::pow(10, 3 + 4 * part(random));
    friction.damping = 0.02 * std::sqrt(friction.stiffness) * part(random);
    friction.static_level = 5 * friction.coulomb;
    friction.elasto_plastic = run % 2 == 0;
    auto contact = three(friction, patch);
    const double dt = std::pow(10, -5 + 4 * part(random));
    Twist twist;
    for (int k = 0; k < 300; ++k) {
      const CoupledTwist step{
          .free_twist = {twist.x + 6 * dt * any(random), twist.y + 6 * dt * any(random), twist.spin + dt * any(random)},
          .mobility = {{{2, 0, 0}, {0, 2, 0}, {0, 0, 1e4}}},
          .normal_force = 5 * part(random),
          .twist = twist,
          .dt = dt};
      const CoupledWrench solved = contact.solve(step);
      ASSERT_NE(solved.report.status, TwistStatus::not_finite) << run;
      EXPECT_NEAR(solved.twist.x, step.free_twist.x + dt * 2 * solved.wrench.x, 1e-7 + 8 * solved.report.residual);
      EXPECT_NEAR(solved.twist.y, step.free_twist.y + dt * 2 * solved.wrench.y, 1e-7 + 8 * solved.report.residual);
      parts += solved.mean == solved.twist ? 0 : 1;
      inaccurate += solved.report.status == TwistStatus::inaccurate ? 1 : 0;
      twist = solved.twist;
    }
  }
  EXPECT_GT(parts, 10);
  EXPECT_LT(inaccurate, 60 * 300 / 100);
}

TEST(CoupledTwist, StepsThatCannotBeTakenGiveNanAndChangeNothing) {
  const double nan = std::nan("");
  const CoupledTwist good{.free_twist = {0.1, 0, 1},
                          .mobility = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1e3}}},
                          .normal_force = 3,
                          .twist = {0.1, 0, 1},
                          .dt = 1e-3};
  std::vector<CoupledTwist> bad(9, good);
  bad[0].free_twist.x = nan;
  bad[1].free_twist.spin = infinity;
  bad[2].mobility[1][2] = nan;
  bad[3].normal_force = -1;
  bad[4].normal_force = nan;
  bad[5].twist.y = infinity;
  bad[6].dt = -1e-3;
  bad[7].dt = nan;
  bad[8].dt = infinity;
  const auto expect = [&](auto contact) {
    contact.solve(good);
    const auto z = contact.z;
    for (const CoupledTwist& step : bad) {
      const CoupledWrench solved = contact.solve(step);
      EXPECT_EQ(solved.report.status, TwistStatus::not_finite);
      EXPECT_TRUE(std::isnan(solved.wrench.x) && std::isnan(solved.twist.spin) && std::isnan(solved.report.residual));
      EXPECT_EQ(contact.z, z);
    }
  };
  expect(three(preset::waltersson_p1(), square_patch()));
  expect(many(preset::waltersson_p1(), Patch(disc_points(0.01, 2, 5))));
}

TEST(Distributed, ATrialIsAStepThatLeavesTheState) {
  for (const bool elasto_plastic : {true, false}) {
    Friction friction = preset::waltersson_p1();
    friction.elasto_plastic = elasto_plastic;
    const auto model = Distributed::make({friction, square_patch()});
    std::vector<double> z(model.state_size());
    for (int k = 0; k < 20; ++k) {
      const Twist twist{0.01 * k, -0.02, 0.3 * (k % 3)};
      const std::vector<double> before = z;
      const Wrench tried = model.trial(z, twist, 2, 1e-4);
      EXPECT_EQ(z, before);
      EXPECT_EQ(model.step(z, twist, 2, 1e-4), tried);
    }
  }
}

}  // namespace
}  // namespace stiction::planar::coupled_test
