// The paper's theorem about its friction polygon (eqs. 14 to 26), in both directions.
#include "stiction/spatial/friction_polygon.h"

#include <gtest/gtest.h>

#include <vector>

#include "cone_properties.h"
#include "stiction/spatial/pyramid.h"

namespace stiction::spatial::friction_polygon_test {
namespace {

using namespace test;

constexpr int many = 20'000;
using Polygon = FrictionPolygon<>;

std::size_t any_sides() { return static_cast<std::size_t>(*between(3, 64.999)); }
Polygon::Friction any_friction() {
  const double size = *log_between(1e-6, 1e6);
  const double angle = *between(-std::numbers::pi, std::numbers::pi);
  return {size * std::cos(angle), size * std::sin(angle)};
}

// Eqs. 19 to 23: friction of our polygon is friction of Kaufman's, scaled, by two neighbouring corners.
TEST(FrictionPolygon, FrictionIsASumAlongTwoCornersOfNoMoreThanItsScale) {
  holds_for(many, [] {
    const Polygon polygon(any_sides());
    const auto f = any_friction();
    const double size = std::hypot(f[0], f[1]);
    const auto [i, here, next] = polygon.decompose(f);
    RC_ASSERT(i < polygon.sides());
    RC_ASSERT(here >= 0 && next >= 0);  // eq. 18
    const auto a = polygon.corner(i);
    const auto b = polygon.corner((i + 1) % polygon.sides());
    // eq. 14, eq. 17 with equality; cos and sin of 64 sides leave some rounding
    RC_ASSERT(std::hypot(here * a[0] + next * b[0] - f[0], here * a[1] + next * b[1] - f[1]) <= 1e-13 * size);
    RC_ASSERT(std::abs(here + next - polygon.scale() * polygon.needed(f)) <= 1e-13 * size);
  });
}

// Eqs. 24 to 26: any b ≥ 0 whose sum is at most μ N/cos θ_0 gives friction of our polygon.
TEST(FrictionPolygon, SumsAlongCornersStayInside) {
  holds_for(many, [] {
    const Polygon polygon(any_sides());
    std::vector<double> b(polygon.sides());
    double sum = 0;
    for (double& x : b) {
      x = *between(0, 1) < 0.5 ? 0 : *log_between(1e-3, 1);
      sum += x;
    }
    const auto f = polygon.compose(b);
    RC_ASSERT(polygon.scale() * polygon.needed(f) <= sum * (1 + 1e-13));
    // One corner alone uses all of it
    std::fill(b.begin(), b.end(), 0.0);
    b[static_cast<std::size_t>(*between(0, 0.999) * static_cast<double>(b.size()))] = 2;
    RC_ASSERT(std::abs(polygon.scale() * polygon.needed(polygon.compose(b)) - 2) <= 1e-13);
  });
}

// The polygon is the section of the circumscribed pyramid.
TEST(FrictionPolygon, IsTheSectionOfTheCircumscribedPyramid) {
  holds_for(many, [] {
    const std::size_t sides = any_sides();
    const Polygon polygon(sides);
    const auto f = any_friction();
    const double needed = polygon.needed(f);
    const auto pyramid = Pyramid<>::make({0.5, sides, Fit::circumscribed});
    RC_ASSERT(pyramid.contains({f[0], f[1], needed / 0.5 * (1 + 1e-12)}));
    RC_ASSERT(!pyramid.contains({f[0], f[1], needed / 0.5 * (1 - 1e-12)}));
  });
}

TEST(FrictionPolygon, FourSidesByHand) {
  const Polygon square(4);
  EXPECT_NEAR(square.scale(), std::numbers::sqrt2, 1e-15);
  const auto [i, here, next] = square.decompose({-1, 2});  // between the corners at 90° and 180°
  EXPECT_EQ(i, 1U);
  EXPECT_NEAR(here, 2, 1e-15);
  EXPECT_NEAR(next, 1, 1e-15);
  EXPECT_NEAR(square.needed({-1, 2}), 3 / std::numbers::sqrt2, 1e-15);
  const auto none = square.decompose({0, 0});
  EXPECT_EQ(none.here + none.next, 0);
  EXPECT_EQ(Polygon(0).sides(), 3U);
}

TEST(FrictionPolygon, EveryCornerAndEverySideIsFound) {
  for (std::size_t sides = 3; sides <= 64; ++sides) {
    const Polygon polygon(sides);
    for (std::size_t k = 0; k < 2 * sides; ++k) {
      const double angle = std::numbers::pi * static_cast<double>(k) / static_cast<double>(sides);
      const auto [i, here, next] = polygon.decompose({std::cos(angle), std::sin(angle)});
      if (k % 2 == 0) {  // on a corner: that one alone
        EXPECT_NEAR((i == k / 2 ? here : (i + 1) % sides == k / 2 ? next : 0), 1, 1e-12) << sides << ' ' << k;
      } else {  // in the middle of a side: both alike
        EXPECT_EQ(i, k / 2) << sides;
        EXPECT_NEAR(here, next, 1e-12) << sides << ' ' << k;
      }
    }
  }
}

}  // namespace
}  // namespace stiction::spatial::friction_polygon_test
