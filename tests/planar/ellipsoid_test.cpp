// Ellipsoids against the surfaces that they stand for, and closed forms of pushing.
#include "stiction/planar/ellipsoid.h"

#include <gtest/gtest.h>

#include <cmath>
#include <iostream>
#include <numbers>

#include "stiction/planar/limit_surface.h"
#include "stiction/planar/shapes.h"
#include "support/property.h"

namespace stiction::planar::ellipsoid_test {
namespace {

using test::between;
using test::holds_for;
using test::log_between;

constexpr double pi = std::numbers::pi;
constexpr int many = 2'000;

/// B = Lᵀ L + a little, so that it is an ellipsoid.
LimitEllipsoid any_ellipsoid() {
  const std::array<std::array<double, 3>, 3> l{{{*between(-1, 1), *between(-1, 1), *between(-1, 1)},
                                                {*between(-1, 1), *between(-1, 1), *between(-1, 1)},
                                                {*between(-1, 1), *between(-1, 1), *between(-1, 1)}}};
  const auto product = [&](std::size_t i, std::size_t j) {
    return l[0][i] * l[0][j] + l[1][i] * l[1][j] + l[2][i] * l[2][j] + (i == j ? 0.1 : 0);
  };
  return {{product(0, 0), product(1, 1), product(2, 2)}, product(0, 1), product(0, 2), product(1, 2)};
}

TEST(LimitEllipsoid, SlipGivesBackTheTwistOfAWrench) {
  holds_for(many, [] {
    const LimitEllipsoid ellipsoid = any_ellipsoid();
    const Twist v{*between(-1, 1), *between(-1, 1), *between(-1, 1)};
    const double size = std::hypot(v.x, v.y, v.spin);
    RC_PRE(size > 1e-3);
    const double friction = *log_between(1e-3, 1e3);
    const Slip s = ellipsoid.slip(-friction * ellipsoid.wrench(v), friction);
    RC_ASSERT(std::abs(s.factor - 1) < 1e-10);
    const double scale = size / std::hypot(s.twist.x, s.twist.y, s.twist.spin);
    RC_ASSERT(std::abs(scale * s.twist.x - v.x) < 1e-9 && std::abs(scale * s.twist.y - v.y) < 1e-9 &&
              std::abs(scale * s.twist.spin - v.spin) < 1e-9);
  });
}

TEST(LimitEllipsoid, HasNoMotionForNoLoadAndNoWrenchForNoMotion) {
  EXPECT_EQ(LimitEllipsoid{}.slip({}, 1).factor, infinity);
  EXPECT_EQ(LimitEllipsoid{}.slip({}, 1).twist, Twist{});
  EXPECT_EQ(LimitEllipsoid{}.wrench({}), Wrench{});
  EXPECT_EQ(LimitEllipsoid{}.slip({1, 0, 0}, 0).factor, 0);
}

/// Lynch, Maekawa, Tanie: the contact (x, y) from the centre of friction moves with (u, v), and c = r
///   v_x = ((c² + x²) u + x y v)/(c² + x² + y²),   v_y = (x y u + (c² + y²) v)/(c² + x² + y²),   ω = (x v_y − y v_x)/c²
TEST(LimitEllipsoid, PushesAsLynchsFormulasSay) {
  holds_for(many, [] {
    const double c = *log_between(1e-3, 1);
    const double x = c * *between(-3, 3);
    const double y = c * *between(-3, 3);
    const double u = *between(-1, 1);
    const double v = *between(-1, 1);
    const double whole = c * c + x * x + y * y;
    const double vx = ((c * c + x * x) * u + x * y * v) / whole;
    const double vy = (x * y * u + (c * c + y * y) * v) / whole;
    const Twist t = LimitEllipsoid::of_radius(c).pushed({x, y}, {u, v});
    RC_ASSERT(std::abs(t.x - vx) < 1e-13 && std::abs(t.y - vy) < 1e-13);
    RC_ASSERT(std::abs(t.spin - (x * vy - y * vx) / (c * c)) < 1e-12 / c);
  });
}

TEST(LimitEllipsoid, TakesTheLeastPowerOfAllMotionsThatFollowThePusher) {
  holds_for(many, [] {
    const LimitEllipsoid ellipsoid = any_ellipsoid();
    const Point arm{*between(-1, 1), *between(-1, 1)};
    const Vector velocity{*between(-1, 1), *between(-1, 1)};
    const Twist t = ellipsoid.pushed(arm, velocity);
    const Twist there = at_point(t, {}, arm);
    RC_ASSERT(std::abs(there.x - velocity.x) + std::abs(there.y - velocity.y) < 1e-13);
    RC_ASSERT(std::abs(at_point(ellipsoid.wrench(t), {}, arm).torque) < 1e-10);
  });
}

TEST(FittedEllipsoid, FindsTheLeastErrorOfAllNearby) {
  for (const auto& [name, grid] :
       {std::pair{"square", paper::square()}, std::pair{"circle", paper::circle()}, std::pair{"line", paper::line()},
        std::pair{"gradient line", paper::gradient_line()}, std::pair{"two pads", paper::non_convex_1()},
        std::pair{"T", paper::non_convex_2()}}) {
    const Patch patch(grid);
    const double r = patch.torque_radius();
    const EllipsoidError paper_error = error_of(LimitEllipsoid::of_radius(r), patch);
    const LimitEllipsoid level = fitted_ellipsoid(patch, Axes::of_the_plane);
    const LimitEllipsoid free = fitted_ellipsoid(patch);
    const EllipsoidError level_error = error_of(level, patch);
    const EllipsoidError error = error_of(free, patch);
    std::cout << name << ": wrench rms, most; load rms, most. eq. 22: " << paper_error.wrench_rms << ", "
              << paper_error.wrench_largest << "; " << paper_error.load_rms << ", " << paper_error.load_largest
              << "; fitted: " << error.wrench_rms << ", " << error.wrench_largest << "; " << error.load_rms << ", "
              << error.load_largest << "; axes " << std::sqrt(level.diagonal[0]) << ", " << std::sqrt(level.diagonal[1])
              << ", r times " << std::sqrt(level.diagonal[2]) / r << '\n';
    EXPECT_LT(level_error.wrench_rms, paper_error.wrench_rms) << name;
    EXPECT_LT(paper_error.load_rms, 0.04) << name;
    EXPECT_NEAR(std::sqrt(level.diagonal[2]) / r, 0.95, 0.05) << name;
    EXPECT_LE(error.wrench_rms, level_error.wrench_rms * (1 + 1e-9)) << name;
    // Changed by 1 % in any number it is worse, in both directions.
    for (std::size_t i = 0; i < 6; ++i) {
      for (const double by : {-0.01, 0.01}) {
        LimitEllipsoid other = free;
        double& number = i < 3 ? other.diagonal[i] : i == 3 ? other.xy : i == 4 ? other.x_torque : other.y_torque;
        number += by * (i == 2 ? r * r : i > 3 ? r : 1);
        EXPECT_GT(error_of(other, patch).wrench_rms, error.wrench_rms) << name << i;
      }
    }
  }
}

TEST(FittedEllipsoid, TurnsWithThePatch) {
  const auto turned = [](double angle) {
    const double c = std::cos(angle);
    const double s = std::sin(angle);
    Points points = rectangle_points(0.01, 0.03, 4, 9, [](double, double y) { return 1 + 50 * y; });
    for (std::size_t i = 0; i < points.size(); ++i) {
      const Point p{points.x[i], points.y[i]};
      points.x[i] = c * p.x - s * p.y;
      points.y[i] = s * p.x + c * p.y;
    }
    return Patch(points);
  };
  const LimitEllipsoid flat = fitted_ellipsoid(turned(0));
  const LimitEllipsoid upright = fitted_ellipsoid(turned(pi / 2));
  // Directions are the same, so the two fits see different samples of the turned surface: agreement within their grid.
  EXPECT_NEAR(upright.diagonal[0], flat.diagonal[1], 1e-3);
  EXPECT_NEAR(upright.diagonal[1], flat.diagonal[0], 1e-3);
  EXPECT_NEAR(upright.diagonal[2] / flat.diagonal[2], 1, 1e-3);
  EXPECT_NEAR(upright.x_torque, -flat.y_torque, 1e-6);
  EXPECT_GT(std::abs(flat.x_torque), 1e-4);  // the pressure leans: its ellipsoid does
}

TEST(EllipsoidError, OfADiscIsThatOfItsClosedForm) {
  // Turning about a point at k R from the middle: f = 4/(3π k) [(1 + k²) E(k) − (1 − k²) K(k)]
  const double k = 0.7;
  const double force = 4 / (3 * pi * k) * ((1 + k * k) * std::comp_ellint_2(k) - (1 - k * k) * std::comp_ellint_1(k));
  const Patch disc(disc_points(1, 40, 120));
  const LimitEllipsoid ellipsoid = LimitEllipsoid::of_radius(2.0 / 3);
  const double at_this_motion = k / std::hypot(k, 2.0 / 3) - force;  // of the force across, ellipsoid and disc
  EXPECT_NEAR(ellipsoid.wrench({0, -k, 1}).y - coulomb_wrench(disc, {0, -k, 1}).y, at_this_motion, 1e-3);
  EXPECT_GE(error_of(ellipsoid, disc).wrench_largest, std::abs(at_this_motion) - 1e-3);
}

TEST(EllipsoidError, RefusesAPointContact) {
  Points one;
  one.add({0, 0}, 1);
  EXPECT_THROW(std::ignore = error_of({}, Patch(one)), InvalidParameter);
  EXPECT_THROW(std::ignore = fitted_ellipsoid(Patch(one)), InvalidParameter);
  EXPECT_THROW(std::ignore = fitted_ellipsoid(Patch(paper::square()), Axes::free, 2), InvalidParameter);
}

}  // namespace
}  // namespace stiction::planar::ellipsoid_test
