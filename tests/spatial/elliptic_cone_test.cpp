// Elliptic cones of 1, 3, 4 and 6 dimensions.
#include "stiction/spatial/elliptic_cone.h"

#include <gtest/gtest.h>

#include <numbers>

#include "cone_properties.h"
#include "stiction/spatial/cones.h"

namespace stiction::spatial::elliptic_cone_test {
namespace {

using namespace test;

constexpr double pi = std::numbers::pi;
constexpr int many = 5'000;

template <std::size_t N>
EllipticCone<N> any_cone() {
  EllipticCone<N> cone;
  for (double& mu : cone.mu) {
    mu = any_mu();
  }
  return cone;
}

template <std::size_t N>
EllipticCone<N> mild_cone() {
  EllipticCone<N> cone;
  for (double& mu : cone.mu) {
    mu = *log_between(0.3, 3);
  }
  return cone;
}

template <class Dimension>
class EllipticConeOf : public ::testing::Test {};
template <std::size_t N>
using Size = std::integral_constant<std::size_t, N>;
using Sizes = ::testing::Types<Size<1>, Size<3>, Size<4>, Size<6>>;
TYPED_TEST_SUITE(EllipticConeOf, Sizes);

TYPED_TEST(EllipticConeOf, ObeysTheLawsOfCones) {
  holds_for(many, [] { obeys_the_laws_of_cones(any_cone<TypeParam::value>(), 0); });
}

TYPED_TEST(EllipticConeOf, ObeysTheLawsOfConesForMildCoefficients) {
  holds_for(many, [] { obeys_the_laws_of_cones(mild_cone<TypeParam::value>(), 0); });
}

TYPED_TEST(EllipticConeOf, ShowsNan) {
  EllipticCone<TypeParam::value> cone;
  for (const double mu : {0.0, 0.5, 1e6}) {
    cone.mu.fill(mu);
    shows_nan(cone);
  }
}

/// Projected gradients in long double, in the coordinates in which the cone is circular: slow, and obviously right.
template <std::size_t N>
Vector<double, N> slow_projection(const EllipticCone<N>& cone, const Vector<double, N>& f) {
  Vector<long double, N> y{};
  Vector<long double, N> d{};
  d.fill(1);
  long double steepest = 1;
  for (std::size_t i = 0; i + 1 < N; ++i) {
    d[i + 1] = cone.mu[i];
    steepest = std::max(steepest, d[i + 1] * d[i + 1]);
  }
  for (int iteration = 0; iteration < 4'000; ++iteration) {
    long double friction = 0;
    for (std::size_t i = 0; i < N; ++i) {
      y[i] -= d[i] * (d[i] * y[i] - f[i]) / steepest;
      friction += i > 0 ? y[i] * y[i] : 0;
    }
    friction = std::sqrt(friction);
    if (friction <= -y[0]) {
      y = {};
    } else if (friction > y[0]) {
      const long double height = (friction + y[0]) / 2;
      for (std::size_t i = 1; i < N; ++i) {
        y[i] *= height / friction;
      }
      y[0] = height;
    }
  }
  Vector<double, N> x{};
  for (std::size_t i = 0; i < N; ++i) {
    x[i] = static_cast<double>(d[i] * y[i]);
  }
  return x;
}

TYPED_TEST(EllipticConeOf, ProjectsWhereASlowMinimisationEnds) {
  constexpr std::size_t n = TypeParam::value;
  holds_for(300, [] {
    const auto cone = mild_cone<n>();
    Vector<double, n> f{};
    for (double& x : f) {
      x = *between(-1, 1);
    }
    RC_ASSERT(distance(cone.project(f), slow_projection(cone, f)) <= 1e-14);
  });
}

TEST(EllipticCone, ProjectsWithWeights) {
  holds_for(many, [] { projects_with_weights(any_cone<3>()); });
  holds_for(many, [] { projects_with_weights(any_cone<6>()); });
}

TEST(EllipticCone, IsTheCircularConeForEqualCoefficients) {
  holds_for(many, [] {
    const double mu = any_mu();
    const auto f = any_force<3>();
    const auto p = to_z_normal(EllipticCone<3>{{mu, mu}}.project(to_x_normal(f)));
    RC_ASSERT(distance(p, CircularCone<>{mu}.project(f)) <= 1e-14 * norm(f));
    const double margin = EllipticCone<3>{{mu, mu}}.margin(to_x_normal(f));
    RC_ASSERT(std::abs(margin - CircularCone<>{mu}.margin(f)) <= 1e-14 * norm(f));
  });
}

/// The distance from inside to the nearest of all generators (1, μ_1 cos φ, μ_2 sin φ), by a fine search over φ.
TEST(EllipticCone, MarginInsideIsTheDistanceToTheNearestGenerator) {
  holds_for(500, [] {
    const EllipticCone<3> cone{{*log_between(0.05, 20), *log_between(0.05, 20)}};
    const double height = *log_between(0.1, 10);
    // On and off the axes: on the long axis the two nearest points lie off it.
    const double angle = *between(0, 1) < 0.3 ? pi / 2 * std::floor(*between(0, 4)) : *between(0, 2 * pi);
    const double part = *between(0, 1);
    Vector<double, 3> f{height, height * part * cone.mu[0] * std::cos(angle),
                        height * part * cone.mu[1] * std::sin(angle)};
    f[1] = std::abs(f[1]) < 1e-15 * height ? 0 : f[1];
    f[2] = std::abs(f[2]) < 1e-15 * height ? 0 : f[2];
    const auto square = [&](double phi) {
      const Vector<double, 3> ray{1, cone.mu[0] * std::cos(phi), cone.mu[1] * std::sin(phi)};
      return distance(f, scaled(dot(f, ray) / dot(ray, ray), ray));
    };
    double best = 0;
    for (int i = 0; i < 4'000; ++i) {
      best = square(2 * pi * i / 4'000) < square(best) ? 2 * pi * i / 4'000 : best;
    }
    for (double width = 2e-3; width > 1e-9; width /= 2) {
      best = square(best + width) < square(best)   ? best + width
             : square(best - width) < square(best) ? best - width
                                                   : best;
    }
    RC_ASSERT(std::abs(cone.margin(f) - square(best)) <= 1e-10 * norm(f));
  });
}

TEST(EllipticCone, MarginOnTheAxisIsThatOfTheNarrowestDirection) {
  const EllipticCone<6> cone{{0.5, 2, 0.1, 3, 0.7}};
  EXPECT_NEAR(cone.margin({2, 0, 0, 0, 0, 0}), 2 * std::sin(std::atan(0.1)), 1e-15);
  EXPECT_EQ(EllipticCone<1>{}.margin({3}), 3);
  EXPECT_EQ(EllipticCone<1>{}.margin({-3}), -3);
}

TEST(EllipticCone, FixesADirectionWithoutFriction) {
  const EllipticCone<4> cone{{0, 0.5, 0}};
  const auto p = cone.project({2, 3, 0.4, -5});
  EXPECT_EQ(p, (Vector<double, 4>{2, 0, 0.4, 0}));
  EXPECT_EQ(cone.margin({2, 0, 0.4, 0}), 0);
  EXPECT_TRUE(cone.contains({2, 0, 0.4, 0}));
  EXPECT_FALSE(cone.contains({2, 1e-300, 0.4, 0}));
  // And frees it in the dual.
  const auto q = cone.dual().project({-2, 3, 0.4, -5});
  EXPECT_EQ(q[1], 3);
  EXPECT_EQ(q[3], -5);
}

TEST(EllipticCone, RefusesCoefficientsThatAreNone) {
  EXPECT_THROW(EllipticCone<3>::make({{0.5, infinity}}), InvalidParameter);
  EXPECT_THROW(EllipticCone<3>::make({{-0.5, 1}}), InvalidParameter);
  EXPECT_THROW(EllipticCone<6>::make({{1, 1, 1, 1, std::nan("")}}), InvalidParameter);
  EXPECT_NO_THROW(EllipticCone<6>::make({{1, 1, 0, 0, 0}}));
  EXPECT_NO_THROW(EllipticCone<1>::make({}));
}

template <class Real>
void agrees_with_double(double tolerance) {
  holds_for(1'000, [=] {
    const auto cone = mild_cone<6>();
    const auto f = any_force<6>();
    EllipticCone<6, Real> other;
    Vector<Real, 6> g{};
    for (std::size_t i = 0; i < 6; ++i) {
      g[i] = static_cast<Real>(f[i]);
    }
    for (std::size_t i = 0; i < 5; ++i) {
      other.mu[i] = static_cast<Real>(cone.mu[i]);
    }
    const auto p = other.project(g);
    for (std::size_t i = 0; i < 6; ++i) {
      RC_ASSERT(std::abs(static_cast<double>(p[i]) - cone.project(f)[i]) <= tolerance * norm(f));
    }
    RC_ASSERT(std::abs(static_cast<double>(other.margin(g)) - cone.margin(f)) <= tolerance * norm(f));
  });
}
TEST(EllipticCone, WorksInFloat) { agrees_with_double<float>(2e-6); }
TEST(EllipticCone, WorksInLongDouble) { agrees_with_double<long double>(2e-15); }

}  // namespace
}  // namespace stiction::spatial::elliptic_cone_test
