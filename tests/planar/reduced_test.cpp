#include "stiction/planar/reduced.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <tuple>

#include "planar/profile.h"
#include "stiction/planar/distributed.h"
#include "support/csv.h"

namespace stiction::planar {
namespace {

using test::paper_profile;
using test::paper_shapes;

double plain_mean_square(const Patch& patch) {
  double u = 0;
  for (std::size_t i = 0; i < patch.size(); ++i) {
    u += patch.points().share[i] * (square(patch.points().x[i]) + square(patch.points().y[i]));
  }
  return u;
}

/// As the authors' code has it: their bilinear rule for the table and for r, a plain sum for u.
Reduced<AngleTable> authors_model(const Patch& patch) {
  AngleTable table(patch, 20, authors_bilinear_wrench);
  const double r = table.torque_radius();
  return Reduced<AngleTable>::make({preset::waltersson_p1(), {r, plain_mean_square(patch), {}}, std::move(table)});
}

struct Errors {
  double force = 0, torque = 0;  // largest
};

/// Against one of the authors' files.
template <class Surface>
Errors run(const Reduced<Surface>& model, const test::Columns& reference) {
  Errors e;
  typename Reduced<Surface>::State z;
  constexpr int thinned = 5000;
  for (int k = 0; k < 500'000; ++k) {
    const auto now = model.euler_step(z, paper_profile(k * 1e-5), 1, 1e-5);
    z = now.state;
    if (k % thinned == 0) {
      const auto row = static_cast<std::size_t>(k / thinned);
      e.force = std::max({e.force, std::abs(now.wrench.x - reference.at("fx_N")[row]),
                          std::abs(now.wrench.y - reference.at("fy_N")[row])});
      e.torque = std::max(e.torque, std::abs(now.wrench.torque - reference.at("tau_Nm")[row]));
    }
  }
  return e;
}

/// Sums of squares of the distance to the distributed model, force and torque, for several models at once.
template <class... Surfaces>
std::vector<Errors> distances(const Patch& patch, const Reduced<Surfaces>&... models) {
  const auto distributed = Distributed::make({preset::waltersson_p1(), patch});
  std::vector<double> bristles(distributed.state_size());
  std::tuple<typename Reduced<Surfaces>::State...> states;
  std::vector<Errors> sums(sizeof...(models));
  for (int k = 0; k < 100'000; ++k) {
    const Twist twist = paper_profile(k * 5e-5);
    const Wrench truth = distributed.step(bristles, twist, 1, 5e-5);
    std::size_t i = 0;
    const auto compare = [&](const auto& model, auto& z) {
      const auto now = model.step(z, twist, 1, 5e-5);
      z = now.state;
      sums[i].force += square(now.wrench.x - truth.x) + square(now.wrench.y - truth.y);
      sums[i].torque += square(now.wrench.torque - truth.torque);
      ++i;
    };
    std::apply([&](auto&... z) { (compare(models, z), ...); }, states);
  }
  return sums;
}

class ReducedShape : public testing::TestWithParam<test::Shape> {};

TEST_P(ReducedShape, GivesTheAuthorsNumbersWithTheirTable) {
  const Patch patch(GetParam().grid(21, 0.02));
  const Errors e = run(authors_model(patch), test::read_reference("planar_reduced_" + GetParam().name));
  EXPECT_LT(e.force, 1e-11);
  EXPECT_LT(e.torque, 1e-13);
}

// The paper's measure: closer to the distributed model than the authors' own reduced one, and far closer than the
// ellipsoid.
TEST_P(ReducedShape, ExactTableIsCloserToTheDistributedModelThanTheAuthors) {
  const Patch patch(GetParam().grid(21, 0.02));
  const auto ours =
      Reduced<SurfaceTable>::make({preset::waltersson_p1(), patch.pressure_moments(), SurfaceTable(patch)});
  const auto ellipsoid = Reduced<Ellipsoid>::make({preset::waltersson_p1(), patch.pressure_moments(), {}});
  const auto off = distances(patch, ours, authors_model(patch), ellipsoid);
  EXPECT_LT(off[0].force, off[1].force);
  EXPECT_LT(off[0].torque, off[1].torque);
  EXPECT_LT(off[0].force, off[2].force / 9);
  EXPECT_LT(off[0].torque, off[2].torque / 9);
}

// Their code adds 1e-10 to lengths of 1e-6: hence not closer.
TEST_P(ReducedShape, EllipsoidGivesTheAuthorsNumbers) {
  const Patch patch(GetParam().grid(21, 0.02));
  const auto authors = authors_model(patch);
  // u about the centre of the grid, not of pressure
  const Point cop = patch.centre_of_pressure();
  const auto& [r, mean_square, origin] = authors.params().pressure;
  const double u = mean_square + square(cop.x) + square(cop.y);
  const auto model = Reduced<Ellipsoid>::make({preset::waltersson_p1(), {r, u, origin}, {}});
  const Errors e = run(model, test::read_reference("planar_ellipsoid_" + GetParam().name));
  EXPECT_LT(e.force, 1e-4);
  EXPECT_LT(e.torque, 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Paper, ReducedShape, testing::ValuesIn(paper_shapes),
                         [](const auto& shape) { return shape.param.name; });

Vector3 random_direction(std::mt19937_64& bits) {
  std::normal_distribution<double> normal;
  return {normal(bits), normal(bits), normal(bits)};
}

TEST(SurfaceTable, InterpolatesTheExactSurface) {
  const Patch patch(paper::square());
  const double r = patch.torque_radius();
  std::mt19937_64 bits(3);
  for (const auto& [cells, allowed] : {std::pair(24, 4e-3), std::pair(96, 5e-4)}) {
    const SurfaceTable table(patch, static_cast<std::size_t>(cells));
    double worst = 0;
    for (int k = 0; k < 3000; ++k) {
      const Vector3 v = random_direction(bits);
      const Vector3 h = table(v);
      const Wrench w = coulomb_wrench(patch, {r * v[0], r * v[1], v[2]});
      worst = std::max({worst, std::abs(h[0] - w.x), std::abs(h[1] - w.y), std::abs(h[2] - w.torque / r)});
      const Vector3 opposite = table({-v[0], -v[1], -v[2]});
      for (std::size_t i = 0; i < 3; ++i) {
        ASSERT_NEAR(opposite[i], -h[i], 1e-12);
      }
    }
    EXPECT_LT(worst, allowed) << cells;
  }
}

TEST(SurfaceTable, IsContinuousAcrossTheFaces) {
  const SurfaceTable table(Patch(paper::gradient_line()), 12);
  std::mt19937_64 bits(4);
  std::uniform_real_distribution<double> any(-1, 1);
  for (int k = 0; k < 1000; ++k) {
    Vector3 v{1, any(bits) > 0 ? 1.0 : -1.0, any(bits)};  // on the edge between two faces
    std::rotate(v.begin(), v.begin() + k % 3, v.end());
    Vector3 w = v;
    w[static_cast<std::size_t>(k % 2)] *= 1 + 1e-12;
    const Vector3 a = table(v);
    const Vector3 b = table(w);
    for (std::size_t i = 0; i < 3; ++i) {
      ASSERT_NEAR(a[i], b[i], 1e-10);
    }
  }
}

TEST(SurfaceTable, DependsOnTheShapeOnly) {
  const Patch patch(paper::non_convex_1());
  const SurfaceTable small(patch);
  const SurfaceTable large(patch.scaled(7));
  std::mt19937_64 bits(5);
  for (int k = 0; k < 200; ++k) {
    const Vector3 v = random_direction(bits);
    for (std::size_t i = 0; i < 3; ++i) {
      ASSERT_NEAR(small(v)[i], large(v)[i], 1e-10);
    }
  }
}

TEST(SurfaceTable, NoMotionAndNotANumber) {
  const SurfaceTable table(Patch(paper::square(5)), 4);
  EXPECT_EQ(table({0, 0, 0}), (Vector3{0, 0, 0}));
  for (const Vector3& bad : {Vector3{std::nan(""), 0, 0}, Vector3{1, std::nan(""), 0}, Vector3{1, 0, std::nan("")}}) {
    EXPECT_TRUE(std::isnan(table(bad)[0]));
  }
  EXPECT_THROW(SurfaceTable(Patch(paper::square(5)), 0), InvalidParameter);
}

TEST(Reduced, SettlesOnTheSurface) {
  const Patch patch(paper::circle());
  for (const bool elasto_plastic : {false, true}) {
    Friction friction = preset::waltersson_p0();
    friction.elasto_plastic = elasto_plastic;
    const auto model = Reduced<SurfaceTable>::make({friction, patch.pressure_moments(), SurfaceTable(patch)});
    Reduced<SurfaceTable>::State z;
    Wrench w;
    const Twist twist{0.01, -0.02, 3};
    for (int k = 0; k < 2000; ++k) {
      const auto next = model.step(z, twist, 5, 1e-4);
      z = next.state;
      w = next.wrench;
    }
    const Vector3 h = model.params().surface({twist.x, twist.y, model.params().pressure.torque_radius * twist.spin});
    EXPECT_NEAR(w.x, 5 * h[0], 1e-9);
    EXPECT_NEAR(w.y, 5 * h[1], 1e-9);
    EXPECT_NEAR(w.torque, 5 * h[2] * model.params().pressure.torque_radius, 1e-11);
  }
}

TEST(Reduced, RateIsTheLimitOfAdvance) {
  const Patch patch(paper::square());
  const auto model =
      Reduced<SurfaceTable>::make({preset::waltersson_p1(), patch.pressure_moments(), SurfaceTable(patch)});
  const Reduced<SurfaceTable>::State z{8e-7, -5e-7, 3e-9};
  const Twist twist{0.001, -0.002, 0.4};
  const auto rate = model.rate(z, twist);
  const auto moved = model.advance(z, twist, 1e-9);
  EXPECT_NEAR((moved.x - z.x) / 1e-9, rate.x, 1e-5 * std::abs(rate.x) + 1e-7);
  EXPECT_NEAR((moved.y - z.y) / 1e-9, rate.y, 1e-5 * std::abs(rate.y) + 1e-7);
  EXPECT_NEAR((moved.rotation - z.rotation) / 1e-9, rate.rotation, 1e-5 * std::abs(rate.rotation) + 1e-9);
}

TEST(Reduced, BadParametersAreNamed) {
  using Model = Reduced<Ellipsoid>;
  const Model::Params good{preset::waltersson_p1(), {0.01, 1e-4, {0.02, -0.03}}, {}};
  EXPECT_FALSE(Model::check(good));
  const auto expect = [&](const auto& spoil, const char* message) {
    Model::Params bad = good;
    spoil(bad);
    EXPECT_TRUE(Model::check(bad)) << message;
    try {
      (void)Model::make(bad);
      FAIL() << message;
    } catch (const InvalidParameter& problem) {
      EXPECT_STREQ(problem.what(), message);
    }
  };
  expect([](auto& p) { p.friction.damping = -1; }, "damping = -1: must be in [0, 1e8]");
  expect([](auto& p) { p.pressure.torque_radius = -0.01; }, "torque_radius = -0.01: must be 0, or in [1e-20, 1e7]");
  expect([](auto& p) { p.pressure.mean_square_radius = std::nan(""); },
         "mean_square_radius = nan: must be in [0, 1e14]");
  expect([](auto& p) { p.pressure.centre_of_pressure.y = 2e6; }, "centre_of_pressure = 2e+06: must be in [-1e6, 1e6]");
}

TEST(Reduced, HandsItsParametersBack) {
  const Patch patch = Patch(paper::square(5)).moved({0.02, -0.03});
  const SurfaceTable table(patch, 8);
  auto model = Reduced<SurfaceTable>::make({preset::waltersson_p1(), patch.pressure_moments(), table});
  const auto& [friction, pressure, surface] = model.params();
  EXPECT_EQ(friction, preset::waltersson_p1());
  EXPECT_EQ(pressure.torque_radius, patch.torque_radius());
  EXPECT_EQ(pressure.mean_square_radius, patch.mean_square_radius());
  EXPECT_EQ(pressure.centre_of_pressure.y, patch.centre_of_pressure().y);
  EXPECT_EQ(surface({0.3, 0.2, -0.1}), table({0.3, 0.2, -0.1}));
  model.resize(0.5, 0.3);
  EXPECT_EQ(pressure.torque_radius, 0.5);
  EXPECT_EQ(pressure.mean_square_radius, 0.3);
}

TEST(Reduced, NeverBlowsUp) {
  const Patch patch(paper::gradient_line());
  std::mt19937_64 bits(8);
  std::uniform_real_distribution<double> exponent(-12, 4);
  std::uniform_real_distribution<double> any(-1, 1);
  for (const bool elasto_plastic : {false, true}) {
    Friction friction = preset::waltersson_p1();
    friction.elasto_plastic = elasto_plastic;
    const auto model = Reduced<SurfaceTable>::make({friction, patch.pressure_moments(), SurfaceTable(patch, 8)});
    Reduced<SurfaceTable>::State z;
    for (int k = 0; k < 20'000; ++k) {
      const double size = std::pow(10, exponent(bits));
      const Twist twist{size * any(bits), k % 5 == 0 ? 0 : size * any(bits), k % 7 == 0 ? 0 : size / 0.01 * any(bits)};
      const double dt = std::pow(10, -4 + 3 * any(bits));
      const auto next = model.step(z, k % 13 == 0 ? Twist{} : twist, k % 11 == 0 ? 0 : 2, dt);
      z = next.state;
      ASSERT_TRUE(std::isfinite(next.wrench.x + next.wrench.y + next.wrench.torque)) << k;
      // |h| stays below √2: each part at most 1
      ASSERT_LE(std::hypot(z.x, z.y, z.rotation / model.params().pressure.torque_radius), 1.2e-6 * 1.5) << k;
    }
  }
}

TEST(SurfaceTable, GradientIsThatOfTheTable) {
  const SurfaceTable table(Patch(paper::gradient_line()));
  std::mt19937 random(4);
  std::normal_distribution<double> any;
  for (int k = 0; k < 300; ++k) {
    const Vector3 v{any(random), any(random), any(random)};
    const auto gradient = table.gradient(v);
    for (std::size_t j = 0; j < 3; ++j) {
      constexpr double step = 1e-7;
      Vector3 more = v;
      Vector3 less = v;
      more[j] += step;
      less[j] -= step;
      const Vector3 high = table(more);
      const Vector3 low = table(less);
      for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_NEAR(gradient[i][j], (high[i] - low[i]) / (2 * step), 1e-5) << i << j;
      }
    }
    // h does not depend on the size of v
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_NEAR(gradient[i][0] * v[0] + gradient[i][1] * v[1] + gradient[i][2] * v[2], 0, 1e-12);
    }
  }
  EXPECT_EQ(table.gradient({0, 0, 0}), (std::array<Vector3, 3>{}));
}

}  // namespace
}  // namespace stiction::planar
