#include "stiction/planar/distributed.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "planar/profile.h"
#include "stiction/planar/limit_surface.h"
#include "support/csv.h"

namespace stiction::planar {
namespace {

using test::paper_profile;
using test::paper_shapes;

class DistributedShape : public testing::TestWithParam<test::Shape> {};

// The authors' discretisation and their explicit Euler steps: their numbers to the digits of their files.
TEST_P(DistributedShape, GivesTheAuthorsNumbersInTheirSteps) {
  const Patch patch(GetParam().grid(21, 0.02));
  const auto model = Distributed::make({preset::waltersson_p1(), patch});
  const auto reference = test::read_reference("planar_distributed_" + GetParam().name);
  std::vector<double> z(model.state_size());
  constexpr int thinned = 5000;  // steps for each row
  for (int k = 0; k < 500'000; ++k) {
    const Wrench w = model.euler_step(z, paper_profile(k * 1e-5), 1, 1e-5);
    if (k % thinned == 0) {
      const auto row = static_cast<std::size_t>(k / thinned);
      ASSERT_NEAR(w.x, reference.at("fx_N")[row], 1e-11) << k;
      ASSERT_NEAR(w.y, reference.at("fy_N")[row], 1e-11) << k;
      ASSERT_NEAR(w.torque, reference.at("tau_Nm")[row], 1e-13) << k;
    }
  }
}

// Our own steps of 50 µs against short ones: within 1e-4 of the converged answer.
TEST_P(DistributedShape, LongStepsAreCloseToConverged) {
  const Patch patch(GetParam().grid(21, 0.02));
  const auto model = Distributed::make({preset::waltersson_p1(), patch});
  std::vector<double> coarse(model.state_size());
  std::vector<double> fine(model.state_size());
  constexpr double dt = 5e-5;
  constexpr int parts = 10;
  double worst = 0;
  for (int k = 0; k < 24'000; ++k) {  // break-away, rotation, first slide
    const double t = k * dt;
    model.advance(coarse, paper_profile(t + dt / 2), dt);
    for (int i = 0; i < parts; ++i) {
      model.advance(fine, paper_profile(t + (i + 0.5) * dt / parts), dt / parts);
    }
    if (k % 10 == 9) {
      const Wrench a = model.wrench(coarse, paper_profile(t + dt), 1);
      const Wrench b = model.wrench(fine, paper_profile(t + dt), 1);
      worst = std::max({worst, std::abs(a.x - b.x), std::abs(a.y - b.y), 100 * std::abs(a.torque - b.torque)});
    }
  }
  EXPECT_LT(worst, 1e-4);
}

INSTANTIATE_TEST_SUITE_P(Paper, DistributedShape, testing::ValuesIn(paper_shapes),
                         [](const auto& shape) { return shape.param.name; });

Friction without_stribeck() {
  Friction friction = preset::waltersson_p0();
  friction.static_level = friction.coulomb;
  return friction;
}

TEST(Distributed, SettlesOnTheLimitSurface) {
  const Patch patch(paper::circle());
  for (const bool elasto_plastic : {false, true}) {
    Friction friction = without_stribeck();
    friction.elasto_plastic = elasto_plastic;
    const auto model = Distributed::make({friction, patch});
    std::vector<double> z(model.state_size());
    const Twist twist{0.01, 0.004, 2};
    Wrench w;
    for (int k = 0; k < 20'000; ++k) {
      w = model.step(z, twist, 3, 1e-4);
    }
    const Wrench expected = 3 * coulomb_wrench(patch, twist, Rule::midpoint);
    EXPECT_NEAR(w.x, expected.x, 1e-9);
    EXPECT_NEAR(w.y, expected.y, 1e-9);
    EXPECT_NEAR(w.torque, expected.torque, 1e-11);
  }
}

TEST(Distributed, LuGreAdvanceIsExactForAConstantTwist) {
  Friction friction = preset::waltersson_p1();
  friction.elasto_plastic = false;
  const auto model = Distributed::make({friction, Patch(paper::square())});
  const Twist twist{0.003, -0.001, 0.7};
  std::vector<double> once(model.state_size());
  std::vector<double> often(model.state_size());
  model.advance(once, twist, 1e-3);
  for (int k = 0; k < 1000; ++k) {
    model.advance(often, twist, 1e-6);
  }
  for (std::size_t i = 0; i < once.size(); ++i) {
    EXPECT_NEAR(once[i], often[i], 1e-18);  // of 1e-6
  }
}

TEST(Distributed, RateIsTheLimitOfAdvance) {
  const auto model = Distributed::make({preset::waltersson_p1(), Patch(paper::non_convex_1())});
  std::mt19937_64 bits(1);
  std::uniform_real_distribution<double> any(-1, 1);
  std::vector<double> z(model.state_size());
  for (double& value : z) {
    value = 1.1e-6 * any(bits);
  }
  const Twist twist{0.002, 0.001, -0.3};
  std::vector<double> dz(z.size());
  const Wrench w = model.rate(z, twist, 2, dz);
  EXPECT_EQ(w, model.wrench(z, twist, 2));
  std::vector<double> moved = z;
  constexpr double h = 1e-9;
  model.advance(moved, twist, h);
  for (std::size_t i = 0; i < z.size(); ++i) {
    EXPECT_NEAR((moved[i] - z[i]) / h, dz[i], 2e-3 * 2e-3);
  }
}

TEST(Distributed, StepIsAdvanceThenWrench) {
  const auto model = Distributed::make({preset::waltersson_p1(), Patch(paper::square())});
  std::vector<double> a(model.state_size());
  std::vector<double> b(model.state_size());
  for (int k = 0; k < 50; ++k) {
    const Twist twist = paper_profile(0.9 + 0.01 * k);
    const Wrench w = model.step(a, twist, 1.7, 1e-4);
    model.advance(b, twist, 1e-4);
    ASSERT_EQ(a, b);
    const Wrench again = model.wrench(b, twist, 1.7);
    ASSERT_NEAR(w.x, again.x, 1e-14);
    ASSERT_NEAR(w.y, again.y, 1e-14);
    ASSERT_NEAR(w.torque, again.torque, 1e-16);
  }
}

// A load well below break-away bends the bristles and nothing creeps, however long it shakes.
TEST(Distributed, ElastoPlasticBristlesComeBack) {
  const auto model = Distributed::make({preset::waltersson_p1(), Patch(paper::circle())});
  std::vector<double> z(model.state_size());
  std::vector<double> start(z);
  for (int k = 0; k < 10'000; ++k) {
    const double v = 5e-5 * std::cos(2 * std::numbers::pi * k / 100.0);  // ± 0.08 µm, of 1.2
    model.advance(z, {v, 0.3 * v, 10 * v}, 1e-3 / 100);
  }
  for (std::size_t i = 0; i < z.size(); ++i) {
    EXPECT_NEAR(z[i], start[i], 1e-15);
  }
}

// Any twist, any dt, one cell, thin cells, cells without pressure, no normal force: bounded and finite.
TEST(Distributed, NeverBlowsUp) {
  std::mt19937_64 bits(7);
  std::uniform_real_distribution<double> exponent(-12, 4);
  std::uniform_real_distribution<double> any(-1, 1);
  std::vector<PressureGrid> grids{paper::square(5), paper::circle(9), {1, 1, {0, 0}, 0.01, 0.01, {1}}, paper::line(33)};
  grids.push_back({30, 2, {0, 0}, 1e-6, 0.1, std::vector<double>(60, 1)});
  for (double& p : grids.back().pressure) {
    p = any(bits) > 0 ? 1e-30 : 1;
  }
  for (const PressureGrid& grid : grids) {
    for (const bool elasto_plastic : {false, true}) {
      Friction friction = preset::waltersson_p1();
      friction.elasto_plastic = elasto_plastic;
      const Patch patch(grid);
      const auto model = Distributed::make({friction, patch});
      std::vector<double> z(model.state_size());
      for (int k = 0; k < 3000; ++k) {
        const double size = std::pow(10, exponent(bits));
        const Twist twist{size * any(bits), k % 5 == 0 ? 0 : size * any(bits),
                          k % 7 == 0 ? 0 : size / 0.01 * any(bits)};
        const double dt = std::pow(10, -4 + 3 * any(bits));
        const double normal = k % 11 == 0 ? 0 : 2;
        const Wrench w = model.step(z, k % 13 == 0 ? Twist{} : twist, normal, dt);
        // |σ₀ z| ≤ μ_S, |σ₁ dz/dt| ≤ 2 σ₁ |v|
        const double fastest = std::hypot(twist.x, twist.y) + std::abs(twist.spin) * patch.radius();
        const double most = normal * (friction.static_level + (2 * friction.damping + friction.viscous) * fastest);
        ASSERT_LE(std::hypot(w.x, w.y), most * (1 + 1e-9)) << k;
        ASSERT_LE(std::abs(w.torque), most * patch.radius() * (1 + 1e-9)) << k;
        for (std::size_t i = 0; i < model.size(); ++i) {
          ASSERT_LE(std::hypot(z[i], z[model.size() + i]), 1.2e-6 * (1 + 1e-12));
        }
      }
    }
  }
}

TEST(Distributed, NotANumberShows) {
  const auto model = Distributed::make({preset::waltersson_p1(), Patch(paper::square(5))});
  std::vector<double> z(model.state_size());
  const Wrench w = model.step(z, {std::nan(""), 0, 0}, 1, 1e-3);
  EXPECT_TRUE(std::isnan(w.x));
}

TEST(Distributed, OtherExponentsAreSlowButRight) {
  Friction friction = preset::waltersson_p1();
  friction.stribeck_exponent = 1;
  friction.elasto_plastic = false;
  const auto model = Distributed::make({friction, Patch(PressureGrid{1, 1, {0, 0}, 1e-3, 1e-3, {1}})});
  std::vector<double> z(model.state_size());
  const double v = 0.7e-3;
  const Wrench w = model.step(z, {v, 0, 0}, 1, 1);
  EXPECT_NEAR(w.x, -(1 + 0.2 * std::exp(-0.7) + 0.2 * v), 1e-12);
}

TEST(Distributed, SharesCanChange) {
  auto model = Distributed::make({without_stribeck(), Patch(paper::square(2, 0.02))});
  std::vector<double> z(model.state_size());
  const std::array shares{0.0, 0.0, 1.0, 0.0};  // lower left
  ASSERT_TRUE(model.set_shares(shares));
  Wrench w;
  for (int k = 0; k < 100; ++k) {
    w = model.step(z, {0.1, 0, 0}, 1, 1e-3);
  }
  EXPECT_NEAR(w.x, -1, 1e-9);
  EXPECT_NEAR(w.torque, -0.005, 1e-11);  // −(y f_x) with y = −5 mm
}

TEST(Distributed, BadParametersAreNamed) {
  Friction friction = preset::waltersson_p1();
  friction.stiffness = -1;
  EXPECT_THROW(Distributed::make({friction, Patch(paper::square(3))}), InvalidParameter);
  friction = preset::waltersson_p1();
  friction.static_level = 0.5;
  try {
    const auto model = Distributed::make({friction, Patch(paper::square(3))});
    FAIL();
  } catch (const InvalidParameter& problem) {
    EXPECT_STREQ(problem.what(), "static = 0.5: must be >= coulomb");
  }
}

TEST(Distributed, HandsItsParametersBack) {
  const Patch patch = Patch(disc_points(0.01, 2, 5)).moved({0.02, -0.03});
  const Distributed::Params given{preset::waltersson_p1(), patch};
  EXPECT_FALSE(Distributed::check(given));
  auto model = Distributed::make(given);
  EXPECT_EQ(model.params().friction, given.friction);
  EXPECT_EQ(model.params().patch.points().x, patch.points().x);
  EXPECT_EQ(model.reference().x, 0.02);
  EXPECT_EQ(model.reference().y, -0.03);
  // Setting shares changes the model, not what it was made from
  std::vector<double> shares(model.size(), 0.0);
  shares[3] = 1;
  ASSERT_TRUE(model.set_shares(shares));
  EXPECT_EQ(model.shares()[3], 1);
  EXPECT_EQ(model.params().patch.points().share, patch.points().share);
}

}  // namespace
}  // namespace stiction::planar
