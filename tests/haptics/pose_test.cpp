// Turns and poses against long double, and over very many small steps.
#include "stiction/haptics/pose.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "haptics/random_pose.h"
#include "support/bits.h"

namespace stiction::haptics {
namespace {

using test::Random;
using test::random_direction;
constexpr double pi = std::numbers::pi;

std::vector<double> angles() {
  std::vector<double> all{0, 1e-300, 1e-16, 1e-12, 9e-9, 1.1e-8, 1e-7, 1e-4, 0.5 * pi, 2 * pi / 3, pi};
  for (int i = 1; i < 1000; ++i) {
    all.push_back(i * pi / 1000);
  }
  for (const double below : {1e-15, 1e-12, 1e-9, 1e-6, 1e-3}) {
    all.push_back(pi - below);
  }
  return all;
}

TEST(Pose, TurnIsThatOfRodrigues) {
  Random random(1);
  for (const double angle : angles()) {
    for (int i = 0; i < 20; ++i) {
      const Vector3 axis = random_direction(random);
      const Matrix3 turn = rotation_by(scaled(angle, axis));
      const auto exact = test::rodrigues(axis, angle);
      for (std::size_t row = 0; row < 3; ++row) {
        for (std::size_t column = 0; column < 3; ++column) {
          EXPECT_NEAR(turn[row][column], static_cast<double>(exact[row][column]), 2e-15) << angle;
        }
      }
    }
  }
}

TEST(Pose, RotationVectorComesBack) {
  Random random(2);
  for (const double angle : angles()) {
    for (int i = 0; i < 100; ++i) {
      Vector3 axis = random_direction(random);
      if (i < 6) {  // the axes themselves, where three of the four numbers of a quaternion are 0
        axis = {};
        axis[static_cast<std::size_t>(i) / 2] = i % 2 == 0 ? 1 : -1;
      }
      const Vector3 w = scaled(angle, axis);
      const Vector3 back = rotation_vector(rotation_by(w));
      // Half a turn one way is half a turn the other way
      const double error =
          angle > pi - 1e-14 ? std::min(norm(difference(back, w)), norm(sum(back, w))) : norm(difference(back, w));
      EXPECT_LT(error, 1e-12) << angle;
      EXPECT_LE(norm(back), pi * (1 + 1e-15));
    }
  }
}

TEST(Pose, QuaternionComesBackWithEachComponentTheLargest) {
  Random random(3);
  for (int i = 0; i < 20000; ++i) {
    std::array<double, 4> q{random.between(-1, 1), random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)};
    q[static_cast<std::size_t>(i) % 4] += 2;
    const double size = norm(q);
    const double sign = q[0] < 0 ? -1 : 1;
    const Quaternion back = quaternion_of(rotation_of({q[0] / size, q[1] / size, q[2] / size, q[3] / size}));
    EXPECT_NEAR(back.w, sign * q[0] / size, 1e-15);
    EXPECT_NEAR(back.x, sign * q[1] / size, 1e-15);
    EXPECT_NEAR(back.y, sign * q[2] / size, 1e-15);
    EXPECT_NEAR(back.z, sign * q[3] / size, 1e-15);
  }
}

TEST(Pose, NoMotionChangesNoBit) {
  Random random(4);
  for (int i = 0; i < 1000; ++i) {
    const Pose pose = test::random_pose(random, 10);
    const Pose same = moved(pose, test::random_vector(random, 1), {}, {});
    for (std::size_t j = 0; j < 3; ++j) {
      EXPECT_TRUE(test::same_bits(same.position[j], pose.position[j]));
      for (std::size_t k = 0; k < 3; ++k) {
        EXPECT_TRUE(test::same_bits(same.rotation[j][k], pose.rotation[j][k]));
      }
    }
  }
}

TEST(Pose, TurnIsAboutTheCentre) {
  Random random(5);
  for (int i = 0; i < 1000; ++i) {
    const Pose pose = test::random_pose(random, 1);
    const Vector3 centre = test::random_vector(random, 1);
    const Vector3 by = test::random_vector(random, 0.1);
    const Vector3 turn = test::random_vector(random, 1);
    const Pose after = moved(pose, centre, by, turn);
    EXPECT_LT(norm(difference(to_world(after, centre), sum(to_world(pose, centre), by))), 1e-15 * 8);
    // p moves to c + by + exp(turn) (p − c)
    const Vector3 p = test::random_vector(random, 1);
    const Vector3 c = to_world(pose, centre);
    const Vector3 expected = sum(sum(c, by), rotate(rotation_by(turn), difference(to_world(pose, p), c)));
    EXPECT_LT(norm(difference(to_world(after, p), expected)), 1e-14);
  }
}

TEST(Pose, MillionSmallTurnsStayATurn) {
  Random random(6);
  Pose pose;
  const Vector3 centre{0.1, -0.2, 0.3};
  double worst = 0;
  const Vector3 axis = random_direction(random);
  for (int i = 0; i < 1000000; ++i) {
    pose = moved(pose, centre, {}, scaled(1e-3, axis));
    worst =
        std::max(worst, test::largest_difference(product(pose.rotation, transposed(pose.rotation)), identity_rotation));
  }
  EXPECT_LT(worst, 4e-15);
  // A thousand radians about one axis; and the centre is where it was
  const auto exact = test::rodrigues(axis, 1000.0L);
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      EXPECT_NEAR(pose.rotation[i][j], static_cast<double>(exact[i][j]), 1e-11);
    }
  }
  EXPECT_LT(norm(difference(to_world(pose, centre), centre)), 1e-12);
}

TEST(Pose, ThereAndBack) {
  Random random(7);
  for (int i = 0; i < 1000; ++i) {
    const Pose pose = test::random_pose(random, 1);
    const Vector3 p = test::random_vector(random, 1);
    EXPECT_LT(norm(difference(to_body(pose, to_world(pose, p)), p)), 1e-15 * 8);
    EXPECT_LT(norm(difference(to_world(inverse(pose), p), to_body(pose, p))), 1e-15 * 8);
    const Vector3 a = test::random_vector(random, 1);
    EXPECT_LT(norm(difference(rotate(cross_matrix(a), p), cross(a, p))), 1e-15);
    EXPECT_LT(norm(difference(rotate(product(pose.rotation, cross_matrix(a)), p),
                              rotate(pose.rotation, rotate(cross_matrix(a), p)))),
              1e-15 * 4);
  }
}

}  // namespace
}  // namespace stiction::haptics
