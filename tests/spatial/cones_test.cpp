// Circular and box cones, frames, and the two coefficients.
#include "stiction/spatial/cones.h"

#include <gtest/gtest.h>

#include <numbers>

#include "cone_properties.h"
#include "stiction/spatial/static_dynamic.h"

namespace stiction::spatial {
namespace {

using namespace test;

constexpr double pi = std::numbers::pi;
constexpr int many = 5'000;
using Force = Vector<double, 3>;

TEST(CircularCone, ObeysTheLawsOfCones) {
  holds_for(many, [] { obeys_the_laws_of_cones(CircularCone<>{any_mu()}, 2); });
}

TEST(CircularCone, ProjectsWithWeights) {
  holds_for(many, [] { projects_with_weights(CircularCone<>{any_mu()}); });
}

TEST(CircularCone, ProjectsInThreeRegionsAsByHand) {
  const CircularCone<> cone{0.75};  // (3, 0, 4)/5 is an edge
  EXPECT_EQ(cone.project({1, 1, 10}), (Force{1, 1, 10}));
  EXPECT_EQ(cone.project({3, 0, -4.001}), Force{});
  // (4, 0, −3)/5 is normal to the edge.
  const Force p = cone.project({3 + 4, 0, 4 - 3});
  EXPECT_NEAR(p[0], 3, 1e-15 * 8);
  EXPECT_NEAR(p[2], 4, 1e-15 * 8);
  EXPECT_NEAR(cone.margin({7, 0, 1}), -5, 1e-14);
  EXPECT_NEAR(cone.margin({0, 0, 5}), 3, 1e-14);
  EXPECT_NEAR(cone.margin({0, -3, -4}), -5, 1e-14);
  EXPECT_EQ(cone.margin({}), 0);
}

TEST(CircularCone, IsTheRayOfTheNormalWithoutFriction) {
  const CircularCone<> cone = CircularCone<>::make({0});
  EXPECT_EQ(cone.project({1, 2, 3}), (Force{0, 0, 3}));
  EXPECT_EQ(cone.project({1, 2, -3}), Force{});
  EXPECT_TRUE(cone.contains({0, 0, 3}));
  EXPECT_FALSE(cone.contains({1e-300, 0, 3}));
  EXPECT_EQ(cone.margin({0, 0, 3}), 0);
  // Its dual is the half space f_z ≥ 0.
  EXPECT_EQ(cone.dual().project({1, 2, -3}), (Force{1, 2, 0}));
  EXPECT_TRUE(cone.dual().contains({1, 2, 0}, 1e-300));
  EXPECT_EQ(cone.dual().margin({1, 2, 3}), 3);
}

TEST(CircularCone, HasTheAngleOfTheNotes) {
  EXPECT_DOUBLE_EQ(CircularCone<>{1}.half_angle(), pi / 4);
  holds_for(many, [] {
    const CircularCone<> cone{*log_between(1e-3, 1e3)};
    const Force edge = cone.ray(*between(-pi, pi));
    RC_ASSERT(std::abs(std::atan2(std::hypot(edge[0], edge[1]), edge[2]) - cone.half_angle()) < 1e-14);
    RC_ASSERT(std::abs(cone.margin(edge)) < 1e-15 * norm(edge));
  });
}

/// K is the union over φ of pos{f_1(φ), f_2(φ)}: a force is in K if and only if its two factors are ≥ 0.
TEST(CircularCone, IsTheUnionOfPlanarCones) {
  holds_for(many, [] {
    const CircularCone<> cone{*log_between(1e-3, 1e3)};
    const Force f = any_force<3>();
    const auto [phi, a, b] = cone.planar(f);
    const auto [one, two] = cone.planar_rays(phi);
    RC_ASSERT(distance(sum(scaled(a, one), scaled(b, two)), f) <= 1e-14 * (norm(f) + std::abs(a) * norm(one)));
    if (std::abs(cone.margin(f)) > 1e-13 * norm(f)) {
      RC_ASSERT(cone.contains(f) == (a >= 0 && b >= 0));
    }
    // Every positive combination is in K.
    const double angle = *between(0, pi);
    const auto [left, right] = cone.planar_rays(angle);
    const Force g = sum(scaled(*between(0, 1), left), scaled(*between(0, 1), right));
    RC_ASSERT(cone.contains(g, 1e-14 * norm(g)));
  });
}

TEST(CircularCone, IsWhatAllItsHalfSpacesLeave) {
  holds_for(many, [] {
    const CircularCone<> cone{any_mu()};
    const Force f = any_force<3>();
    const double phi = std::atan2(f[1], f[0]);
    const Force normal = cone.half_space(phi);
    RC_ASSERT(std::abs(norm(normal) - 1) < 1e-15);
    RC_ASSERT(std::abs(dot(normal, cone.ray(phi))) < 1e-14 * norm(cone.ray(phi)));
    RC_ASSERT(cone.half_space(phi + *between(0, 6))[2] == normal[2]);
    // The half space at the force's own angle is the nearest.
    if (cone.margin(f) > 0) {
      RC_ASSERT(std::abs(cone.margin(f) + dot(normal, f)) <= 1e-14 * norm(f));
    }
    RC_ASSERT(dot(cone.half_space(*between(-pi, pi)), cone.project(f)) <= 1e-14 * norm(f));
  });
}

/// Over a grid of the boundary, refined: nothing is nearer.
TEST(CircularCone, ProjectionIsTheNearestOfAMillionPoints) {
  holds_for(100, [] {
    const CircularCone<> cone{*log_between(0.05, 20)};
    const Force f{*between(-1, 1), *between(-1, 1), *between(-1, 1)};
    const double found = distance(f, cone.project(f));
    double best = std::min(norm(f), cone.contains(f) ? 0.0 : 10.0);
    for (int i = 0; i < 2'000; ++i) {
      const Force ray = cone.ray(2 * pi * i / 2'000);
      for (int j = 0; j < 500; ++j) {
        best = std::min(best, distance(f, scaled(2.0 * j / 500 / norm(ray), ray)));
      }
    }
    RC_ASSERT(found <= best + 1e-15);
    RC_ASSERT(best - found < 0.01);
  });
}

TEST(CircularCone, TakesTheSmallestAndTheLargestNumbers) {
  const CircularCone<> cone{0.75};
  for (const double size : {1e-300, 1e300}) {
    const Force p = cone.project({7 * size, 0, size});
    EXPECT_NEAR(p[0] / size, 3, 1e-14);
    EXPECT_NEAR(p[2] / size, 4, 1e-14);
    EXPECT_NEAR(cone.margin({7 * size, 0, size}) / size, -5, 1e-14);
  }
  EXPECT_EQ(cone.project({}), Force{});
  for (const double mu : {0.0, 1e-6, 0.5, 1e6}) {
    shows_nan(CircularCone<>{mu});
  }
}

TEST(CircularCone, RefusesCoefficientsThatAreNone) {
  for (const double mu : {-0.1, double{infinity}, std::nan("")}) {
    EXPECT_THROW(CircularCone<>::make({mu}), InvalidParameter);
  }
  try {
    CircularCone<>::make({-0.5});
    FAIL();
  } catch (const InvalidParameter& error) {
    EXPECT_STREQ(error.what(), "mu = -0.5: must be >= 0 and finite");
  }
}

TEST(CircularCone, SupportsOfSectionAndDiscAreReached) {
  holds_for(many, [] {
    const CircularCone<> cone{any_mu()};
    const Force d = any_force<3>();
    const double normal = *log_between(1e-3, 1e3);
    const Force best = scaled(normal, cone.ray(std::atan2(d[1], d[0])));
    const double size = norm(d) * norm(best);
    RC_ASSERT(std::abs(cone.section_support(d, normal) - std::max(0.0, dot(d, best))) <= 1e-14 * size);
    RC_ASSERT(std::abs(cone.friction_support(d, normal) - d[0] * best[0] - d[1] * best[1]) <= 1e-14 * size);
  });
}

template <class Real>
void agrees_with_double(double tolerance) {
  holds_for(1'000, [=] {
    const double mu = *log_between(0.01, 10);
    const Force f = any_force<3>();
    const Vector<Real, 3> g{static_cast<Real>(f[0]), static_cast<Real>(f[1]), static_cast<Real>(f[2])};
    const auto p = CircularCone<Real>{static_cast<Real>(mu)}.project(g);
    const auto b = BoxCone<Real>{static_cast<Real>(mu), static_cast<Real>(2 * mu)}.project(g);
    for (std::size_t i = 0; i < 3; ++i) {
      RC_ASSERT(std::abs(static_cast<double>(p[i]) - CircularCone<>{mu}.project(f)[i]) <= tolerance * norm(f));
      RC_ASSERT(std::abs(static_cast<double>(b[i]) - BoxCone<>{mu, 2 * mu}.project(f)[i]) <= tolerance * norm(f));
    }
  });
}
TEST(CircularCone, WorksInFloat) { agrees_with_double<float>(1e-6); }
TEST(CircularCone, WorksInLongDouble) { agrees_with_double<long double>(1e-15); }

TEST(BoxCone, ObeysTheLawsOfCones) {
  holds_for(many, [] { obeys_the_laws_of_cones(BoxCone<>{any_mu(), any_mu()}, 2); });
}

TEST(BoxCone, ProjectsWithWeights) {
  holds_for(many, [] { projects_with_weights(BoxCone<>{any_mu(), any_mu()}); });
}

TEST(BoxCone, HasEdgesInItsHalfSpaces) {
  holds_for(many, [] {
    const BoxCone<> cone{any_mu(), any_mu()};
    const Force f = any_force<3>();
    double least = infinity;
    for (std::size_t i = 0; i < 4; ++i) {
      const Force normal = cone.half_space(i);
      RC_ASSERT(std::abs(norm(normal) - 1) < 1e-15);
      // Each side holds two edges, its own and the one before.
      RC_ASSERT(std::abs(dot(normal, cone.edge(i))) < 1e-14 * norm(cone.edge(i)));
      RC_ASSERT(std::abs(dot(normal, cone.edge((i + 3) % 4))) < 1e-14 * norm(cone.edge(i)));
      least = std::min(least, -dot(normal, f));
    }
    if (least > 0) {
      RC_ASSERT(std::abs(cone.margin(f) - least) <= 1e-14 * norm(f));
    }
    RC_ASSERT(cone.contains(f, 1e-14 * norm(f)) == (least >= -1e-14 * norm(f)) || std::abs(least) < 1e-12 * norm(f));
  });
}

TEST(BoxCone, HoldsTheEllipticConeOfItsCoefficients) {
  holds_for(many, [] {
    const Vector<double, 2> mu{any_mu(), any_mu()};
    const Force f = any_force<3>();
    const Force p = to_z_normal(EllipticCone<3>{mu}.project(to_x_normal(f)));
    RC_ASSERT(BoxCone<>({mu[0], mu[1]}).contains(p, 1e-14 * norm(f)));
  });
}

TEST(BoxCone, ShowsNanAndRefusesBadCoefficients) {
  shows_nan(BoxCone<>{0.5, 0.8});
  shows_nan(BoxCone<>{0, 1e6});
  EXPECT_THROW(BoxCone<>::make({0.5, -1}), InvalidParameter);
  EXPECT_THROW(BoxCone<>::make({infinity, 1}), InvalidParameter);
  try {
    BoxCone<>::make({0.5, -1});
  } catch (const InvalidParameter& error) {
    EXPECT_STREQ(error.problem().field, "mu_y");
  }
}

TEST(Frame, IsRightHandedWithItsNormal) {
  holds_for(many, [] {
    const Force normal = any_force<3>();
    RC_PRE(norm(normal) > 0);
    const Force unit = scaled(1 / norm(normal), normal);
    const auto z = Frame<>::z_normal(normal);
    const auto x = Frame<>::x_normal(normal);
    RC_ASSERT(distance(z.z, unit) < 1e-15 && distance(x.x, unit) < 1e-15);
    for (const auto& frame : {z, x}) {
      RC_ASSERT(distance(cross(frame.x, frame.y), frame.z) < 1e-14);
      RC_ASSERT(std::abs(dot(frame.x, frame.y)) < 1e-14 && std::abs(norm(frame.x) - 1) < 1e-14);
      const Force f = any_force<3>();
      RC_ASSERT(distance(frame.to_local(frame.to_world(f)), f) <= 1e-14 * norm(f));
    }
    const Force f = any_force<3>();
    RC_ASSERT(distance(x.to_world(to_x_normal(f)), z.to_world(f)) <= 1e-14 * norm(f));
    RC_ASSERT(to_z_normal(to_x_normal(f)) == f);
  });
}

TEST(Frame, IsContinuousButAtOnePoint) {
  holds_for(many, [] {
    const double polar = pi * *between(0, 0.99);
    const double around = *between(0, 2 * pi);
    const auto at = [](double a, double b) {
      return Frame<>::z_normal({std::sin(a) * std::cos(b), std::sin(a) * std::sin(b), std::cos(a)});
    };
    const double step = 1e-7;
    const auto here = at(polar, around);
    // The frame turns fastest about the normal, at the rate tan(a/2) over the arc.
    const double most = 2 * step / std::cos(polar / 2);
    for (const auto& there : {at(polar + step, around), at(polar, around + step / std::max(std::sin(polar), step))}) {
      RC_ASSERT(distance(here.x, there.x) < most && distance(here.y, there.y) < most);
    }
  });
  const auto down = Frame<>::z_normal({0, 0, -2});
  EXPECT_EQ(cross(down.x, down.y), (Force{0, 0, -1}));
  EXPECT_TRUE(std::isnan(Frame<>::z_normal({}).z[0]));
}

TEST(Frame, KeepsItsDigitsNextToThePointWhereItJumps) {
  for (const double tilt : {1e-3, 1e-7, 1e-9, 1e-12, 1e-160}) {
    const auto frame = Frame<>::z_normal({tilt, -2 * tilt, -1});
    EXPECT_LT(distance(cross(frame.x, frame.y), frame.z), 1e-14) << tilt;
    EXPECT_NEAR(norm(frame.x), 1, 1e-14) << tilt;
  }
}

TEST(ScaledBasis, SpansTheFourSidedPyramid) {
  const auto frame = Frame<>::z_normal({1, 2, 3});
  const auto columns = scaled_basis(frame, 0.5, 0.8);
  const std::array<Force, 4> local{{{0.5, 0, 1}, {-0.5, 0, 1}, {0, 0.8, 1}, {0, -0.8, 1}}};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_LT(distance(frame.to_local(columns[i]), local[i]), 1e-15);
  }
}

TEST(StaticDynamic, TakesTheCoefficientOfTheMotion) {
  const auto pair = StaticDynamic<>::make({0.6, 0.4});
  EXPECT_EQ(pair.coefficient(0), 0.6);
  EXPECT_EQ(pair.coefficient(1e-9), 0.4);
  EXPECT_EQ(pair.coefficient(1e-9, 1e-6), 0.6);
  EXPECT_TRUE(std::isnan(pair.coefficient(std::nan(""))));
  EXPECT_EQ(pair.cone(0).mu, pair.at_rest().mu);
  EXPECT_EQ(pair.cone(1).mu, pair.moving().mu);
  const auto friction = pair.sliding_friction({3, -4}, 10);
  EXPECT_DOUBLE_EQ(friction[0], -0.4 * 10 * 0.6);
  EXPECT_DOUBLE_EQ(friction[1], 0.4 * 10 * 0.8);
  EXPECT_EQ(pair.sliding_friction({0, 0}, 10), (Vector<double, 2>{}));
  EXPECT_THROW(StaticDynamic<>::make({0.4, 0.6}), InvalidParameter);
  EXPECT_THROW(StaticDynamic<>::make({0.4, -0.1}), InvalidParameter);
  EXPECT_THROW(StaticDynamic<>::make({infinity, 0.1}), InvalidParameter);
}

}  // namespace
}  // namespace stiction::spatial
