#include "stiction/scalar/lugre_batch.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <vector>

#include "support/models.h"
#include "support/random.h"

namespace stiction::scalar {
namespace {

enum class Kind { plain, exponent, fading, mixed };

struct Joints {
  std::vector<LuGre> models;
  std::vector<double> bristle, velocity;
};

Joints random_joints(std::size_t n, Kind kind, test::Random& random) {
  Joints joints;
  for (std::size_t i = 0; i < n; ++i) {
    auto params = test::drawn_params<LuGre>(random);
    if (kind == Kind::plain || kind == Kind::fading) {
      params.stribeck_exponent = 2;
    }
    if (kind == Kind::plain || kind == Kind::exponent) {
      params.damping_velocity = infinity;
    }
    joints.models.push_back(LuGre::make(params));
    joints.bristle.push_back(random.between(-1, 1) * joints.models.back().largest_deflection());
    joints.velocity.push_back(random.unit() < 0.1 ? 0.0 : random.sign() * random.log_between(1e-8, 1e3));
  }
  return joints;
}

bool same_bits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

class LuGreBatchOf : public testing::TestWithParam<Kind> {};

TEST_P(LuGreBatchOf, AnySizeEqualsSingleStepsBitForBit) {
  test::Random random(19);
  for (const std::size_t n : {0U, 1U, 7U, 8U, 9U, 1000U}) {
    Joints joints = random_joints(n, GetParam(), random);
    const LuGreBatch batch(joints.models);
    ASSERT_EQ(batch.size(), n);
    std::vector<double> force(n);
    auto single = joints.bristle;
    for (int step = 0; step < 20; ++step) {
      const double dt = random.log_between(1e-7, 1);
      batch.step(joints.bristle, joints.velocity, dt, force);
      for (std::size_t i = 0; i < n; ++i) {
        const auto next = joints.models[i].step({single[i]}, joints.velocity[i], dt);
        single[i] = next.state.bristle;
        ASSERT_TRUE(same_bits(joints.bristle[i], next.state.bristle)) << n << " joints, joint " << i;
        ASSERT_TRUE(same_bits(force[i], next.force)) << n << " joints, joint " << i;
        joints.velocity[i] *= random.between(-1.2, 1.2);
      }
    }
  }
}

TEST_P(LuGreBatchOf, WithoutForcesGivesTheSameStates) {
  test::Random random(20);
  for (const std::size_t n : {0U, 1U, 7U, 8U, 9U, 1000U}) {
    const Joints joints = random_joints(n, GetParam(), random);
    const LuGreBatch batch(joints.models);
    auto with = joints.bristle;
    auto without = joints.bristle;
    std::vector<double> force(n);
    batch.step(with, joints.velocity, 1e-3, force);
    batch.step(without, joints.velocity, 1e-3);
    EXPECT_EQ(with, without);
  }
}

TEST_P(LuGreBatchOf, HandsNanOnToItsOwnJointAlone) {
  test::Random random(21);
  Joints joints = random_joints(9, GetParam(), random);
  joints.velocity[3] = std::numeric_limits<double>::quiet_NaN();
  joints.bristle[5] = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> force(9);
  LuGreBatch(joints.models).step(joints.bristle, joints.velocity, 1e-3, force);
  for (std::size_t i = 0; i < 9; ++i) {
    EXPECT_EQ(std::isnan(force[i]), i == 3 || i == 5) << i;
    EXPECT_EQ(std::isnan(joints.bristle[i]), i == 3 || i == 5) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, LuGreBatchOf, testing::Values(Kind::plain, Kind::exponent, Kind::fading, Kind::mixed),
                         [](const auto& kind) {
                           switch (kind.param) {
                             case Kind::plain:
                               return "PlainJoints";
                             case Kind::exponent:
                               return "OtherExponents";
                             case Kind::fading:
                               return "FadingDamping";
                             default:
                               return "MixedJoints";
                           }
                         });

}  // namespace
}  // namespace stiction::scalar
