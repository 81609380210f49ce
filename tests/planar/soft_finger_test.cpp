#include "stiction/planar/soft_finger.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace stiction::planar {
namespace {

double largest_difference(const Vector3& a, const Vector3& b) {
  return std::max({std::abs(a[0] - b[0]), std::abs(a[1] - b[1]), std::abs(a[2] - b[2])});
}

/// Directions all over the sphere.
template <class Check>
void for_directions(const Check& check) {
  for (int i = 0; i < 12; ++i) {
    for (int j = 0; j <= 12; ++j) {
      const double theta = 2 * std::numbers::pi * i / 12 + 0.1;
      const double phi = std::numbers::pi * j / 12;
      check(Vector3{std::cos(theta) * std::sin(phi), std::sin(theta) * std::sin(phi), std::cos(phi)});
    }
  }
}

TEST(AxisymmetricCurve, EqualsTheTableOfADisc) {
  const Patch disc(
      pressure_grid([](double x, double y) { return x * x + y * y <= 1 ? 1.0 : 0.0; }, {-1, -1}, {1, 1}, 61, 61));
  const AxisymmetricCurve curve(disc);
  for_directions([&](const Vector3& v) {
    const Wrench w = coulomb_wrench(disc, {v[0] * disc.torque_radius(), v[1] * disc.torque_radius(), v[2]});
    EXPECT_LT(largest_difference(curve(v), {w.x, w.y, w.torque / disc.torque_radius()}), 1e-3);
    const Vector3 h = curve(v);
    const Vector3 opposite = curve({-v[0], -v[1], -v[2]});
    EXPECT_LT(largest_difference(h, {-opposite[0], -opposite[1], -opposite[2]}), 1e-15);
  });
}

TEST(AxisymmetricCurve, RestIsNoWrenchAndNotANumberShows) {
  const AxisymmetricCurve curve(Patch(paper::circle()));
  EXPECT_EQ(curve({0, 0, 0}), (Vector3{0, 0, 0}));
  EXPECT_TRUE(std::isnan(curve({std::nan(""), 0, 1})[2]));
  EXPECT_THROW(AxisymmetricCurve(Patch(paper::circle()), 0), InvalidParameter);
}

TEST(SoftFinger, SizesAreThoseOfHertzInClosedForm) {
  const SoftFinger finger{.reach = 0.5, .exponent = 2};
  // p ∝ sqrt(1 − t²): r = 3π/16 a, u = 2/5 a²
  EXPECT_NEAR(finger.torque_radius(8), 3 * std::numbers::pi / 16, 1e-13);
  EXPECT_NEAR(finger.mean_square_radius(8), 0.4, 1e-13);
}

TEST(SoftFinger, SizesAreThoseOfItsPressure) {
  for (const double k : {0.5, 1.0, 1.6, 5.0}) {
    const SoftFinger finger{.reach = 1, .exponent = k};
    const Patch patch(pressure_grid(soft_finger_pressure(1, k), {-1, -1}, {1, 1}, 101, 101));
    EXPECT_NEAR(finger.torque_radius(1), patch.torque_radius(), 3e-4) << k;
    EXPECT_NEAR(finger.mean_square_radius(1), patch.mean_square_radius(), 3e-4) << k;
  }
}

TEST(SurfaceFamily, IsExactAtItsMembersAndBetweenThemElsewhere) {
  const AxisymmetricCurve one(Patch(pressure_grid(soft_finger_pressure(1, 1), {-1, -1}, {1, 1}, 21, 21)));
  const AxisymmetricCurve four(Patch(pressure_grid(soft_finger_pressure(1, 4), {-1, -1}, {1, 1}, 21, 21)));
  SurfaceFamily<AxisymmetricCurve> family({1, 4}, {one, four});
  const Vector3 v{0.6, 0, 0.8};
  const Vector3 low = one(v);
  const Vector3 high = four(v);
  ASSERT_GT(largest_difference(low, high), 1e-3);
  for (const auto& [parameter, share] : {std::pair{1.0, 0.0}, {4.0, 1.0}, {0.1, 0.0}, {9.0, 1.0}, {2.5, 0.5}}) {
    family.select(parameter);
    Vector3 expected{};
    for (std::size_t i = 0; i < 3; ++i) {
      expected[i] = (1 - share) * low[i] + share * high[i];
    }
    EXPECT_LT(largest_difference(family(v), expected), 1e-15) << parameter;
  }
  EXPECT_THROW(SurfaceFamily<AxisymmetricCurve>({1}, {one, four}), InvalidParameter);
  EXPECT_THROW(SurfaceFamily<AxisymmetricCurve>({4, 1}, {one, four}), InvalidParameter);
}

TEST(SoftFingerModel, ServesEveryLoadWithOnePrecomputation) {
  const SoftFinger finger{.reach = 0.006, .exponent = 2, .per_newton = true};
  auto model = SoftFingerModel::make(preset::waltersson_p1(), finger, 5).model;
  for (const double force : {0.4, 1.0, 2.7, 5.0}) {
    press(model, finger, force);
    const double a = finger.radius(force);
    const Patch patch(pressure_grid(soft_finger_pressure(a, finger.power(force)), {-a, -a}, {a, a}, 101, 101));
    EXPECT_NEAR(model.params().pressure.torque_radius / patch.torque_radius(), 1, 1e-3) << force;
    const AxisymmetricCurve exact(patch, 100);
    double worst = 0;
    for_directions(
        [&](const Vector3& v) { worst = std::max(worst, largest_difference(model.params().surface(v), exact(v))); });
    EXPECT_LT(worst, 4e-3) << force;
  }
}

TEST(SoftFingerModel, LiftsOffAndTouchesAgain) {
  const SoftFinger finger{.reach = 0.006, .exponent = 2, .per_newton = true};
  auto model = SoftFingerModel::make(preset::waltersson_p1(), finger, 5).model;
  SoftFingerFriction::State z;
  for (const double force : {2.0, 0.0, -1.0, 1e-12, 3.0, 9.0}) {
    press(model, finger, force);
    for (int k = 0; k < 100; ++k) {
      const auto next = model.step(z, {0.01, -0.02, 3}, std::max(force, 0.0), 1e-3);
      z = next.state;
      ASSERT_TRUE(std::isfinite(next.wrench.x) && std::isfinite(next.wrench.torque)) << force;
      ASSERT_LE(std::hypot(next.wrench.x, next.wrench.y), 1.3 * std::max(force, 0.0));
    }
  }
}

TEST(SoftFingerModel, BadInputIsNamed) {
  const Friction friction = preset::waltersson_p1();
  EXPECT_THROW(SoftFingerModel::make(friction, {.reach = 0, .exponent = 2}, 1), InvalidParameter);
  EXPECT_THROW(SoftFingerModel::make(friction, {.reach = 1, .exponent = -2}, 1), InvalidParameter);
  EXPECT_THROW(SoftFingerModel::make(friction, {.reach = 1, .exponent = 2}, std::nan("")), InvalidParameter);
  EXPECT_THROW(soft_finger_surfaces(3, 2), InvalidParameter);
}

}  // namespace
}  // namespace stiction::planar
