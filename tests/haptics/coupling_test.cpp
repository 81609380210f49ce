// The spring between hand and body: its wrench, its gradient, the limits of a device.
#include "stiction/haptics/coupling.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "haptics/random_pose.h"

namespace stiction::haptics {
namespace {

using test::Random;

TEST(Coupling, PullsTheBodyToTheHand) {
  const Coupling coupling{500, 2};
  const Vector3 centre{0.1, 0, 0};
  const Pose body{{1, 2, 3}, rotation_by({0.3, -0.1, 0.2})};
  // The hand a little further along x, and turned by 0.2 about z, about the point that it holds
  const Pose hand = moved(body, centre, {0.01, 0, 0}, {0, 0, 0.2});
  const Vector6 wrench = coupling_wrench(coupling, hand, body, centre);
  const Vector6 expected{5, 0, 0, 0, 0, 0.4};
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_NEAR(wrench[i], expected[i], 1e-12);
  }
}

TEST(Coupling, GradientIsThatOfFiniteDifferences) {
  Random random(41);
  const Coupling coupling{500, 2};
  double worst = 0;
  for (int i = 0; i < 2000; ++i) {
    const Vector3 centre = test::random_vector(random, 0.1);
    const Pose body = test::random_pose(random, 0.1);
    // Offsets from tiny to nearly half a turn
    const double angle = i % 2 == 0 ? random.log_between(1e-9, 3.0) : random.between(0, 3.1);
    const Pose hand =
        moved(body, centre, test::random_vector(random, 0.02), scaled(angle, test::random_direction(random)));
    SpringWrench sum;
    add_coupling(sum, coupling, coupling_wrench(coupling, hand, body, centre));
    const double step = 1e-5;
    for (std::size_t j = 0; j < 6; ++j) {
      // Richardson: central differences of step and of half of it
      std::array<Vector6, 2> slopes{};
      for (const std::size_t half : {0U, 1U}) {
        const double by = half == 0 ? step : step / 2;
        Vector6 d{};
        d[j] = by;
        const Pose ahead = moved(body, centre, {d[0], d[1], d[2]}, {d[3], d[4], d[5]});
        const Pose behind = moved(body, centre, {-d[0], -d[1], -d[2]}, {-d[3], -d[4], -d[5]});
        slopes[half] = scaled(1 / (2 * by), difference(coupling_wrench(coupling, hand, ahead, centre),
                                                       coupling_wrench(coupling, hand, behind, centre)));
      }
      for (std::size_t k = 0; k < 6; ++k) {
        const double slope = (4 * slopes[1][k] - slopes[0][k]) / 3;
        const double scale = k < 3 ? coupling.stiffness : coupling.rotational_stiffness;
        worst = std::max(worst, std::abs(sum.gradient[k][j] - slope) / scale);
      }
    }
  }
  EXPECT_LT(worst, 1e-8);
}

/// J_r⁻¹ J_r = 1 with J_r = ∫₀¹ exp(−s [φ]×) ds, by Simpson's rule.
TEST(Coupling, JacobianIsTheInverseOfTheIntegral) {
  Random random(42);
  for (int i = 0; i < 300; ++i) {
    const double angle = i < 100 ? random.log_between(1e-8, 1) : random.between(0, 3.14);
    const Vector3 offset = scaled(angle, test::random_direction(random));
    Matrix3 integral{};
    const int parts = 200;
    for (int k = 0; k <= parts; ++k) {
      const double weight = (k == 0 || k == parts ? 1 : (k % 2 == 1 ? 4 : 2)) / (3.0 * parts);
      const Matrix3 turn = rotation_by(scaled(-static_cast<double>(k) / parts, offset));
      for (std::size_t row = 0; row < 3; ++row) {
        for (std::size_t column = 0; column < 3; ++column) {
          integral[row][column] += weight * turn[row][column];
        }
      }
    }
    EXPECT_LT(test::largest_difference(product(inverse_right_jacobian(offset), integral), identity_rotation), 1e-8)
        << angle;
  }
}

TEST(Coupling, JacobianHasNoStepWhereItsSeriesEnds) {
  const Vector3 axis = scaled(1 / std::sqrt(14.0), Vector3{1, 2, 3});
  const Matrix3 below = inverse_right_jacobian(scaled(0.05 - 1e-12, axis));
  const Matrix3 above = inverse_right_jacobian(scaled(0.05 + 1e-12, axis));
  EXPECT_LT(test::largest_difference(below, above), 1e-11);
}

TEST(DeviceLimits, KeepDirections) {
  Random random(43);
  for (int i = 0; i < 1000; ++i) {
    const DeviceLimits limits{random.log_between(0.1, 10), random.log_between(0.01, 1)};
    const Vector3 force = test::random_vector(random, 20);
    const Vector3 torque = test::random_vector(random, 2);
    const Vector6 out = saturated(limits, {force[0], force[1], force[2], torque[0], torque[1], torque[2]});
    const Vector3 out_force{out[0], out[1], out[2]};
    const Vector3 out_torque{out[3], out[4], out[5]};
    EXPECT_NEAR(norm(out_force), std::min(norm(force), limits.force), 1e-12);
    EXPECT_NEAR(norm(out_torque), std::min(norm(torque), limits.torque), 1e-12);
    EXPECT_LT(norm(cross(force, out_force)), 1e-12);
    EXPECT_LT(norm(cross(torque, out_torque)), 1e-13);
    EXPECT_GE(dot(force, out_force), 0);
    EXPECT_GE(dot(torque, out_torque), 0);
  }
  const Vector6 within{1, 2, 3, 0.1, 0.2, 0.3};
  EXPECT_EQ(saturated({}, within), within);
}

}  // namespace
}  // namespace stiction::haptics
