// Pyramids of n sides, inscribed and circumscribed.
#include "stiction/spatial/pyramid.h"

#include <gtest/gtest.h>

#include <iostream>
#include <numbers>

#include "cone_properties.h"

namespace stiction::spatial::pyramid_test {
namespace {

using namespace test;

constexpr double pi = std::numbers::pi;
constexpr int many = 5'000;
using Force = Vector<double, 3>;

Pyramid<> any_pyramid() {
  const auto sides = static_cast<std::size_t>(*between(3, 64.99));
  return Pyramid<>::make({any_mu(), sides, *between(0, 1) < 0.5 ? Fit::inscribed : Fit::circumscribed});
}

TEST(Pyramid, ObeysTheLawsOfCones) {
  holds_for(many, [] { obeys_the_laws_of_cones(any_pyramid(), 2); });
}

TEST(Pyramid, ProjectsWithWeights) {
  holds_for(many, [] { projects_with_weights(any_pyramid()); });
}

TEST(Pyramid, IsTheRayOfTheNormalWithoutFriction) {
  const auto pyramid = Pyramid<>::make({0, 3, Fit::inscribed});
  EXPECT_EQ(pyramid.project({1, 2, 3}), (Force{0, 0, 3}));
  EXPECT_EQ(pyramid.project({0, 0, -3}), Force{});
  EXPECT_EQ(pyramid.project({0, 0, -3}, {1, 2, 3}), Force{});
}

TEST(Pyramid, IsThatOfTheNotes) {
  const auto pyramid = Pyramid<>::make({0.7, 4, Fit::inscribed});
  const std::array<Force, 4> edges{{{0.7, 0, 1}, {0, 0.7, 1}, {-0.7, 0, 1}, {0, -0.7, 1}}};
  for (std::size_t j = 0; j < 4; ++j) {
    EXPECT_LT(distance(pyramid.edge(j), edges[j]), 2e-16);
  }
  EXPECT_TRUE(pyramid.contains({0.3, 0.399, 1}));
  EXPECT_FALSE(pyramid.contains({0.3, 0.401, 1}));
}

/// βu cos θ_j + βv sin θ_j ≤ μ N, θ_j = (2j + 1)π/n
TEST(Pyramid, CircumscribedIsThePolygonOfTheLinearProgram) {
  holds_for(many, [] {
    const auto sides = static_cast<std::size_t>(*between(3, 64.99));
    const double mu = *log_between(1e-3, 1e3);
    const auto pyramid = Pyramid<>::make({mu, sides, Fit::circumscribed});
    const Force f = any_force<3>();
    double worst = -infinity;
    for (std::size_t j = 0; j < sides; ++j) {
      const double angle = static_cast<double>(2 * j + 1) * pi / static_cast<double>(sides);
      worst = std::max(worst, f[0] * std::cos(angle) + f[1] * std::sin(angle) - mu * f[2]);
    }
    if (std::abs(worst) > 1e-12 * (1 + mu) * norm(f)) {
      RC_ASSERT(pyramid.contains(f) == (worst < 0));
    }
  });
}

TEST(Pyramid, HasEdgesWhereItsSidesMeet) {
  holds_for(many, [] {
    const auto pyramid = any_pyramid();
    const std::size_t n = pyramid.edge_count();
    const Force f = any_force<3>();
    double least = infinity;
    for (std::size_t j = 0; j < n; ++j) {
      const Force normal = pyramid.half_space(j);
      RC_ASSERT(std::abs(norm(normal) - 1) < 1e-15);
      for (std::size_t i = 0; i < n; ++i) {
        const double across = dot(normal, pyramid.edge(i));
        RC_ASSERT(across < 1e-14 * norm(pyramid.edge(i)));
        RC_ASSERT((i != j && i != (j + 1) % n) || std::abs(across) < 1e-14 * norm(pyramid.edge(i)));
      }
      least = std::min(least, -dot(normal, f));
    }
    if (least > 0) {
      RC_ASSERT(std::abs(pyramid.margin(f) - least) <= 1e-13 * norm(f));
    } else if (least < -1e-13 * norm(f)) {
      RC_ASSERT(!pyramid.contains(f));
    }
  });
}

/// All combinations of active sides, solved one by one: the projection onto a pyramid by enumeration.
TEST(Pyramid, ProjectsAsAnEnumerationOfSidesAndEdgesDoes) {
  holds_for(2'000, [] {
    const auto pyramid = any_pyramid();
    const Force f = any_force<3>();
    RC_PRE(!pyramid.contains(f));
    double best = norm(f);
    for (std::size_t j = 0; j < pyramid.edge_count(); ++j) {
      const Force edge = pyramid.edge(j);
      best = std::min(best, distance(f, scaled(std::max(0.0, dot(f, edge) / dot(edge, edge)), edge)));
      const Force normal = pyramid.half_space(j);
      const Force foot = difference(f, scaled(dot(normal, f), normal));
      bool within = foot[2] >= 0;  // follows from the sides but for μ = 0
      for (std::size_t i = 0; i < pyramid.edge_count(); ++i) {
        within = within && dot(pyramid.half_space(i), foot) <= 1e-15 * norm(f);
      }
      best = within ? std::min(best, distance(f, foot)) : best;
    }
    RC_ASSERT(std::abs(distance(f, pyramid.project(f)) - best) <= 1e-13 * norm(f));
  });
}

TEST(Pyramid, LiesInsideOrAroundTheCircularCone) {
  holds_for(many, [] {
    const double mu = any_mu();
    const auto sides = static_cast<std::size_t>(*between(3, 64.99));
    const Force f = any_force<3>();
    const Force in = Pyramid<>::make({mu, sides, Fit::inscribed}).project(f);
    RC_ASSERT(CircularCone<>{mu}.contains(in, 1e-14 * norm(f)));
    const Force on = CircularCone<>{mu}.project(f);
    RC_ASSERT(Pyramid<>::make({mu, sides, Fit::circumscribed}).contains(on, 1e-14 * norm(f)));
  });
}

/// The worst ratio of friction over all directions, measured, against cos(π/n).
TEST(Pyramid, MissesTheCircularConeByTheFactorStated) {
  const double mu = 0.5;
  for (const std::size_t sides : {3UL, 4UL, 5UL, 6UL, 8UL, 12UL, 16UL, 32UL, 64UL}) {
    const auto in = Pyramid<>::make({mu, sides, Fit::inscribed});
    const auto around = Pyramid<>::make({mu, sides, Fit::circumscribed});
    double least = infinity;
    double most = 0;
    const int directions = 960 * 64;  // the middle of every side and every edge are among them for these numbers but 5
    for (int i = 0; i < directions; ++i) {
      const double phi = 2 * pi * i / directions;
      const Force d{std::cos(phi), std::sin(phi), 0};
      // How much friction fits in this direction under a normal force of 1: where the ray leaves the polygon.
      const auto reach = [&](const Pyramid<>& pyramid) {
        double ratio = infinity;
        for (std::size_t j = 0; j < sides; ++j) {
          const Force n = pyramid.half_space(j);
          const double out = dot(n, d);
          ratio = out > 1e-9 ? std::min(ratio, -n[2] / out / mu) : ratio;
        }
        return ratio;
      };
      least = std::min(least, reach(in));
      most = std::max(most, reach(around));
    }
    EXPECT_NEAR(least, worst_friction_ratio(sides, Fit::inscribed), 1e-8) << sides;
    EXPECT_NEAR(most, worst_friction_ratio(sides, Fit::circumscribed), 1e-6) << sides;
    std::cout << sides << " sides: friction times " << least << " to " << most << '\n';
  }
  EXPECT_NEAR(worst_friction_ratio(4, Fit::circumscribed), std::sqrt(2), 1e-15);
}

TEST(Pyramid, SupportIsThatOfItsBestEdge) {
  holds_for(many, [] {
    const auto pyramid = any_pyramid();
    const Force d = any_force<3>();
    const double normal = *log_between(1e-3, 1e3);
    double best = 0;
    double friction = -infinity;
    double size = 0;
    for (std::size_t j = 0; j < pyramid.edge_count(); ++j) {
      const Force e = scaled(normal, pyramid.edge(j));
      best = std::max(best, dot(d, e));
      friction = std::max(friction, d[0] * e[0] + d[1] * e[1]);
      size = norm(d) * norm(e);
    }
    RC_ASSERT(std::abs(pyramid.section_support(d, normal) - best) <= 1e-13 * size);
    RC_ASSERT(std::abs(pyramid.friction_support(d, normal) - friction) <= 1e-13 * size);
  });
}

TEST(Pyramid, ShowsNanAndRefusesBadParameters) {
  shows_nan(Pyramid<>::make({0.5, 8, Fit::inscribed}));
  shows_nan(Pyramid<>::make({0, 3, Fit::circumscribed}));
  EXPECT_THROW(Pyramid<>::make({-1, 8}), InvalidParameter);
  EXPECT_THROW(Pyramid<>::make({infinity, 8}), InvalidParameter);
  EXPECT_THROW(Pyramid<>::make({0.5, 2}), InvalidParameter);
  EXPECT_THROW(Pyramid<>::make({0.5, 65}), InvalidParameter);
}

template <class Real>
void agrees_with_double(double tolerance) {
  holds_for(1'000, [=] {
    const double mu = *log_between(0.01, 10);
    const auto sides = static_cast<std::size_t>(*between(3, 64.99));
    const Force f = any_force<3>();
    const Vector<Real, 3> g{static_cast<Real>(f[0]), static_cast<Real>(f[1]), static_cast<Real>(f[2])};
    const auto p = Pyramid<Real>::make({static_cast<Real>(mu), sides, Fit::inscribed}).project(g);
    const Force q = Pyramid<>::make({mu, sides, Fit::inscribed}).project(f);
    for (std::size_t i = 0; i < 3; ++i) {
      RC_ASSERT(std::abs(static_cast<double>(p[i]) - q[i]) <= tolerance * norm(f));
    }
  });
}
TEST(Pyramid, WorksInFloat) { agrees_with_double<float>(2e-6); }
TEST(Pyramid, WorksInLongDouble) { agrees_with_double<long double>(2e-15); }

}  // namespace
}  // namespace stiction::spatial::pyramid_test
