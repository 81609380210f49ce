// The velocity loop of Table 1 against traces of the same loop in continuous time, by a program that shares no code.
#include "control/velocity_loop.h"

#include <gtest/gtest.h>

#include <cmath>

#include "control/statistics.h"
#include "support/csv.h"

namespace stiction::lab {
namespace {

constexpr double step = 2e-4;

test::Column every_tenth_of_a_second(const std::vector<double>& values) {
  test::Column few;
  for (std::size_t i = 0; i < values.size(); i += 500) {
    few.push_back(values[i]);
  }
  return few;
}

TEST(VelocityLoop, FollowsTheContinuousLoopInEveryRowOfTable1) {
  const auto traces = test::read_reference("table1_traces");
  const auto disturbance = sampled(table1_disturbance(), step);
  EXPECT_LT(test::deviation(every_tenth_of_a_second(disturbance.values), traces.at("n")), 1e-8);
  const auto error_of = [&](const VelocityLoop& loop) { return every_tenth_of_a_second(run(loop, disturbance).error); };
  const VelocityLoop observed{.friction = table1_friction(), .compensation = Compensation::lugre};
  VelocityLoop over = observed;
  over.scale = 1.5;
  VelocityLoop under = observed;
  under.scale = 0.5;
  // The hold delays the force by a tenth of a millisecond on average; that is what is left.
  EXPECT_LT(test::deviation(error_of({}), traces.at("e_nofriction")), 5e-4);
  EXPECT_LT(test::deviation(error_of({.friction = table1_friction()}), traces.at("e_friction")), 5e-4);
  EXPECT_LT(test::deviation(error_of({.friction = table1_friction(), .compensation = Compensation::coulomb}),
                            traces.at("e_coulomb")),
            5e-3);  // a ramp of 200 N s/m through zero
  EXPECT_LT(test::deviation(error_of(observed), traces.at("e_lugre")), 1e-3);
  EXPECT_LT(test::deviation(error_of(over), traces.at("e_over")), 1e-3);
  EXPECT_LT(test::deviation(error_of(under), traces.at("e_under")), 1e-3);
}

TEST(VelocityLoop, OtherDisturbancesAreOfTheSameKind) {
  const auto given = table1_disturbance();
  const auto other = disturbance_like_table1(7);
  const auto next = disturbance_like_table1(8);
  ASSERT_EQ(other.size(), given.size());
  for (std::size_t i = 0; i < given.size(); ++i) {
    const double cell = 0.728 / 60;
    for (const auto& cosine : {given[i], other[i]}) {
      EXPECT_EQ(cosine.amplitude, given[0].amplitude);
      EXPECT_GE(cosine.frequency, cell * static_cast<double>(i));
      EXPECT_LE(cosine.frequency, cell * static_cast<double>(i + 1));
      EXPECT_TRUE(cosine.phase >= 0 && cosine.phase <= 6.2832);
    }
    EXPECT_NE(other[i].phase, next[i].phase);
    EXPECT_TRUE(i == 0 || other[i].phase != next[i - 1].phase);  // not the same draws, one place on
  }
}

TEST(Statistics, OfKnownSignals) {
  std::vector<double> sine;
  std::vector<double> noise;
  Random random(3);
  for (int i = 0; i < 100000; ++i) {
    sine.push_back(2 + std::sin(2 * std::numbers::pi * i / 1000));
    noise.push_back(random.gaussian());
  }
  EXPECT_NEAR(mean(sine), 2, 1e-12);
  EXPECT_NEAR(rms(sine), std::sqrt(4.5), 1e-12);
  EXPECT_NEAR(largest_size(sine), 3, 1e-12);
  EXPECT_NEAR(excess_kurtosis(sine), -1.5, 1e-9);
  EXPECT_NEAR(mean(noise), 0, 0.01);
  EXPECT_NEAR(rms(noise), 1, 0.01);
  EXPECT_NEAR(excess_kurtosis(noise), 0, 0.06);  // four standard errors
}

}  // namespace
}  // namespace stiction::lab
