#include "stiction/scalar/gms_batch.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "support/bits.h"
#include "support/models.h"
#include "support/random.h"

namespace stiction::scalar::gms_batch_test {
namespace {

/// A GMS model with that many elements.
Gms random_model(std::size_t elements, bool plain, test::Random& random) {
  auto params = test::drawn_params<Gms>(random);
  params.stribeck_exponent = plain ? 2 : random.between(0.5, 2);
  params.stiffness = {};
  params.share = {};
  double left = 1;
  for (std::size_t e = 0; e < elements; ++e) {
    const double share = e + 1 == elements ? left : left * random.between(0.1, 0.7);
    left -= share;
    params.stiffness.push_back(random.log_between(10, 1e6));
    params.share.push_back(share);
  }
  return Gms::make(params);
}

struct Joints {
  std::vector<Gms> models;
  std::vector<Gms::State> single;
  std::vector<double> force, velocity;
  std::vector<std::int32_t> slipping;

  Joints(std::size_t n, std::size_t elements, bool plain, test::Random& random)
      : single(n), force(n * elements), velocity(n), slipping(n) {
    for (std::size_t i = 0; i < n; ++i) {
      models.push_back(random_model(elements, plain || i % 2 == 0, random));
      velocity[i] = random.unit() < 0.1 ? 0.0 : random.sign() * random.log_between(1e-6, 1);
    }
  }
};

TEST(GmsBatch, AnySizeEqualsSingleStepsBitForBit) {
  test::Random random(71);
  int slips = 0;
  int sticks = 0;
  for (const bool plain : {true, false}) {
    for (const std::size_t elements : {1U, 4U, 10U, 16U}) {
      for (const std::size_t n : {1U, 7U, 8U, 9U, 100U}) {
        Joints joints(n, elements, plain, random);
        const GmsBatch batch(joints.models);
        ASSERT_EQ(batch.size(), n);
        ASSERT_EQ(batch.elements(), elements);
        std::vector<double> friction(n);
        for (int step = 0; step < 60; ++step) {
          const double dt = random.log_between(1e-6, 1);
          batch.step(joints.force, joints.slipping, joints.velocity, dt, friction);
          for (std::size_t i = 0; i < n; ++i) {
            const auto next = joints.models[i].step(joints.single[i], joints.velocity[i], dt);
            joints.single[i] = next.state;
            for (std::size_t e = 0; e < elements; ++e) {
              ASSERT_TRUE(test::same_bits(joints.force[e * n + i], next.state.force[e]))
                  << "element " << e << " of joint " << i << " of " << n << ", step " << step;
            }
            ASSERT_TRUE(test::same_bits(friction[i], next.force)) << "joint " << i << " of " << n << ", step " << step;
            ASSERT_EQ(joints.slipping[i], Gms::modes(next.state)[0]);
            (joints.slipping[i] != 0 ? slips : sticks) += 1;
            joints.velocity[i] = random.unit() < 0.05 ? 0 : joints.velocity[i] * random.between(-0.5, 2);
            joints.velocity[i] =
                std::abs(joints.velocity[i]) > 1e-9 ? joints.velocity[i] : random.sign() * random.log_between(1e-6, 1);
          }
        }
      }
    }
  }
  EXPECT_GT(slips, 5000);
  EXPECT_GT(sticks, 5000);
}

TEST(GmsBatch, WithoutFrictionGivesTheSameStates) {
  test::Random random(72);
  Joints with(37, 4, true, random);
  Joints without = with;
  const GmsBatch batch(with.models);
  std::vector<double> friction(37);
  for (const double dt : {1e-4, 1e-2, 1.0}) {
    batch.step(with.force, with.slipping, with.velocity, dt, friction);
    batch.step(without.force, without.slipping, without.velocity, dt);
    EXPECT_EQ(with.force, without.force);
    EXPECT_EQ(with.slipping, without.slipping);
  }
}

TEST(GmsBatch, HandsNanOnToItsOwnJointAlone) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  for (const bool plain : {true, false}) {
    test::Random random(73);
    Joints joints(19, 4, plain, random);
    joints.velocity[3] = nan;
    joints.force[2 * 19 + 5] = nan;
    joints.force[17] = nan;
    std::vector<double> friction(19);
    GmsBatch(joints.models).step(joints.force, joints.slipping, joints.velocity, 1e-3, friction);
    for (std::size_t i = 0; i < 19; ++i) {
      EXPECT_EQ(std::isnan(friction[i]), i == 3 || i == 5 || i == 17) << i;
    }
  }
}

TEST(GmsBatch, TakesNoModelsWithOtherNumbersOfElements) {
  test::Random random(74);
  const std::vector<Gms> models{random_model(4, true, random), random_model(3, true, random)};
  try {
    const GmsBatch batch{models};
    FAIL() << "taken";
  } catch (const InvalidParameter& error) {
    EXPECT_STREQ(error.what(), "stiffness has 3 numbers: must be as many as in the other models of the batch");
  }
}

TEST(GmsBatch, OfNothingDoesNothing) {
  const GmsBatch batch{std::span<const Gms>{}};
  EXPECT_EQ(batch.size(), 0U);
  EXPECT_EQ(batch.elements(), 0U);
  batch.step({}, {}, {}, 1e-3);
}

TEST(GmsBatch, DoesNothingWhereTheForcesHaveNoRoom) {
  test::Random random(75);
  Joints joints(8, 4, true, random);
  const auto before = joints.force;
  std::vector<double> friction(8, -7);
  GmsBatch(joints.models).step(std::span(joints.force).first(31), joints.slipping, joints.velocity, 1e-3, friction);
  EXPECT_EQ(joints.force, before);
  EXPECT_EQ(friction, std::vector<double>(8, -7));
}

}  // namespace
}  // namespace stiction::scalar::gms_batch_test
