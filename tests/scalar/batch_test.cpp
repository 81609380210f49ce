// A batch gives what its models give one by one, to the last bit.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "stiction/scalar/dahl_batch.h"
#include "stiction/scalar/elasto_plastic_batch.h"
#include "stiction/scalar/lugre_batch.h"
#include "support/bits.h"
#include "support/models.h"
#include "support/random.h"

namespace stiction::scalar {
namespace {

/// Parameters with which every joint takes the fast way.
template <class Params>
Params plain(Params params, test::Random&) {
  params.stribeck_exponent = 2;
  params.damping_velocity = infinity;
  return params;
}
Dahl::Params plain(Dahl::Params params, test::Random& random) {
  params.exponent = random.unit() < 0.5 ? 1 : 2;
  return params;
}

enum class Kind { fast, exponents, fading, mixed };
constexpr std::array kinds{Kind::fast, Kind::exponents, Kind::fading, Kind::mixed};

/// Every third joint is one of that kind, which keeps the batch from the fast way.
template <class Params>
Params unlike(Params params, Kind kind, std::size_t i) {
  if (i % 3 == 0 && (kind == Kind::exponents || kind == Kind::mixed)) {
    params.stribeck_exponent = 0.7;
  }
  if (i % 3 == 1 && (kind == Kind::fading || kind == Kind::mixed)) {
    params.damping_velocity = 0.02;
  }
  return params;
}
Dahl::Params unlike(Dahl::Params params, Kind kind, std::size_t i) {
  if (kind != Kind::fast && i % 3 != 2) {
    params.exponent = i % 3 == 0 ? 0.5 : 1.7;
  }
  return params;
}

/// Where joints differ most: at rest, crossing the elastic range, above the curve, and in slow and fast sliding.
template <class Model>
struct Joints {
  std::vector<Model> models;
  std::vector<double> state, velocity;

  Joints(std::size_t n, Kind kind, test::Random& random) {
    for (std::size_t i = 0; i < n; ++i) {
      models.push_back(Model::make(unlike(plain(test::drawn_params<Model>(random), random), kind, i)));
      state.push_back(random.between(-1.2, 1.2) * models.back().typical()[0]);
      velocity.push_back(random.unit() < 0.1 ? 0.0 : random.sign() * random.log_between(1e-8, 1e3));
    }
  }
};

template <class Model>
class BatchOf : public testing::Test {};
struct Names {
  template <class Model>
  static std::string GetName(int) {
    return Model::info.name;
  }
};
using BatchedModels = testing::Types<LuGre, Dahl, ElastoPlastic>;
TYPED_TEST_SUITE(BatchOf, BatchedModels, Names);

TYPED_TEST(BatchOf, AnySizeEqualsSingleStepsBitForBit) {
  using Model = TypeParam;
  test::Random random(19);
  for (const Kind kind : kinds) {
    for (const std::size_t n : {0U, 1U, 7U, 8U, 9U, 16U, 1000U}) {
      Joints<Model> joints(n, kind, random);
      const Batch<Model> batch(joints.models);
      ASSERT_EQ(batch.size(), n);
      std::vector<double> force(n);
      auto single = joints.state;
      for (int step = 0; step < 20; ++step) {
        const double dt = random.log_between(1e-7, 1);
        batch.step(joints.state, joints.velocity, dt, force);
        for (std::size_t i = 0; i < n; ++i) {
          const auto next = joints.models[i].step({single[i]}, joints.velocity[i], dt);
          single[i] = Model::pack(next.state)[0];
          ASSERT_TRUE(test::same_bits(joints.state[i], single[i]))
              << n << " joints, joint " << i << ": " << joints.state[i] << " " << single[i];
          ASSERT_TRUE(test::same_bits(force[i], next.force))
              << n << " joints, joint " << i << ": " << force[i] << " " << next.force;
          joints.velocity[i] *= random.between(-1.2, 1.2);
        }
      }
    }
  }
}

TYPED_TEST(BatchOf, WithoutForcesGivesTheSameStates) {
  using Model = TypeParam;
  test::Random random(20);
  for (const Kind kind : kinds) {
    for (const std::size_t n : {0U, 1U, 7U, 8U, 9U, 1000U}) {
      const Joints<Model> joints(n, kind, random);
      const Batch<Model> batch(joints.models);
      auto with = joints.state;
      auto without = joints.state;
      std::vector<double> force(n);
      batch.step(with, joints.velocity, 1e-3, force);
      batch.step(without, joints.velocity, 1e-3);
      EXPECT_EQ(with, without);
    }
  }
}

TYPED_TEST(BatchOf, HandsNanOnToItsOwnJointAlone) {
  using Model = TypeParam;
  test::Random random(21);
  for (const Kind kind : kinds) {
    Joints<Model> joints(19, kind, random);
    joints.velocity[3] = std::numeric_limits<double>::quiet_NaN();
    joints.state[5] = std::numeric_limits<double>::quiet_NaN();
    joints.state[17] = std::numeric_limits<double>::quiet_NaN();
    std::vector<double> force(19);
    Batch<Model>(joints.models).step(joints.state, joints.velocity, 1e-3, force);
    for (std::size_t i = 0; i < 19; ++i) {
      EXPECT_EQ(std::isnan(force[i]), i == 3 || i == 5 || i == 17) << i;
      EXPECT_EQ(std::isnan(joints.state[i]), i == 3 || i == 5 || i == 17) << i;
    }
  }
}

TYPED_TEST(BatchOf, KeepsWithinTheShortestSpan) {
  using Model = TypeParam;
  test::Random random(22);
  const Joints<Model> joints(20, Kind::fast, random);
  const Batch<Model> batch(joints.models);
  auto state = joints.state;
  std::vector<double> force(20, -7);
  batch.step(state, std::span(joints.velocity).first(11), 1e-3, force);
  for (std::size_t i = 11; i < 20; ++i) {
    EXPECT_EQ(state[i], joints.state[i]);
    EXPECT_EQ(force[i], -7);
  }
}

}  // namespace
}  // namespace stiction::scalar
