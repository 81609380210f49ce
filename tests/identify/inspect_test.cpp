#include "stiction/identify/inspect.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <random>

#include "stiction/identify/identify.h"

namespace stiction::identify::inspect_test {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// A motion q(t) and its velocity, sampled, with the torque of a model of friction.
struct Motion {
  std::function<double(double)> q, v, a;
  double duration = 20;
  double interval = 2e-3;
};
const Motion wide{[](double t) { return 2 * std::sin(t); }, [](double t) { return 2 * std::cos(t); },
                  [](double t) { return -2 * std::sin(t); }};

Signals log_of(const Motion& m, const std::function<double(double q, double v)>& torque, double noise = 0) {
  Signals s;
  s.name = "log";
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal(0, 1);
  const auto count = static_cast<std::size_t>(m.duration / m.interval);
  for (std::size_t k = 0; k < count; ++k) {
    const double t = m.interval * static_cast<double>(k);
    s.values["time"].push_back(t);
    s.values["position"].push_back(m.q(t));
    s.values["torque"].push_back(torque(m.q(t), m.v(t)) + noise * normal(random));
  }
  return s;
}

double sign(double v) { return v > 0 ? 1 : v < 0 ? -1 : 0; }
double dry(double /*q*/, double v) { return 0.3 * sign(v) + 0.05 * v; }

bool supports(const Inspection& found, const std::string& effect) {
  for (const Support& s : found.support) {
    if (s.effect.starts_with(effect)) {
      EXPECT_EQ(s.supported, s.advice.empty()) << s.effect;
      return s.supported;
    }
  }
  ADD_FAILURE() << "nothing is said of " << effect;
  return false;
}

TEST(Inspect, FindsTheLineThatMadeTheLog) {
  const Inspection found = inspect(log_of(wide, [](double q, double v) { return 0.1 + dry(q, v) + 2 * std::sin(q); }));
  ASSERT_TRUE(found.yardstick);
  EXPECT_NEAR(found.yardstick->offset, 0.1, 1e-3);
  EXPECT_NEAR(found.yardstick->coulomb, 0.3, 1e-3);
  EXPECT_NEAR(found.yardstick->viscous, 0.05, 1e-3);
  ASSERT_TRUE(found.yardstick->sine);
  EXPECT_NEAR(*found.yardstick->sine, 2, 1e-2);
  EXPECT_GT(found.yardstick->explained, 0.9999);
  for (const char* effect :
       {"Coulomb", "viscous", "offset", "friction that differs", "gravity", "friction that grows"}) {
    EXPECT_TRUE(supports(found, effect)) << effect;
  }
  EXPECT_THAT(found.warnings, IsEmpty());
}

TEST(Inspect, MeasuresClockAndMotion) {
  const Inspection found = inspect(log_of(wide, dry));
  EXPECT_EQ(found.clock->gaps, 0U);
  EXPECT_NEAR(found.clock->interval, 2e-3, 1e-9);
  EXPECT_NEAR(found.clock->duration, 20 - 2e-3, 1e-9);
  EXPECT_LT(found.clock->jitter, 1e-6);
  EXPECT_NEAR(found.motion->travel, 4, 1e-3);
  EXPECT_EQ(found.motion->reversals, 6U);  // (20 − π/2)/π
  EXPECT_NEAR(found.motion->forward, 0.5, 0.07);
  EXPECT_NEAR(found.motion->backward, 0.5, 0.07);
  EXPECT_NEAR(found.motion->fast, 2, 0.02);
  for (std::size_t k = 100; k < 9'900; k += 100) {
    ASSERT_NEAR(found.velocity[k], wide.v(found.time[k]), 1e-3);
  }
}

TEST(Inspect, SaysWhatOneDirectionDoesNotShow) {
  const Motion forward{[](double t) { return t + 0.3 * std::sin(t); }, [](double t) { return 1 + 0.3 * std::cos(t); },
                       [](double t) { return -0.3 * std::sin(t); }};
  const Inspection found = inspect(log_of(forward, dry));
  EXPECT_FALSE(supports(found, "Coulomb"));
  EXPECT_FALSE(supports(found, "offset"));
  EXPECT_FALSE(supports(found, "friction that differs"));
  EXPECT_THAT(found.advice, Contains(HasSubstr("both directions")));
}

TEST(Inspect, SaysWhatOneSpeedDoesNotShow) {
  // A triangle: one speed in both directions.
  const Motion triangle{[](double t) { return std::abs(std::fmod(t, 4.0) - 2); },
                        [](double t) { return std::fmod(t, 4.0) < 2 ? -1.0 : 1.0; }, [](double) { return 0.0; }};
  const Inspection found = inspect(log_of(triangle, dry));
  EXPECT_TRUE(supports(found, "Coulomb"));
  EXPECT_FALSE(supports(found, "viscous"));
  EXPECT_FALSE(supports(found, "Stribeck"));
  EXPECT_NEAR(found.yardstick->coulomb, 0.35, 0.02);
}

TEST(Inspect, SeesGravityOnlyWhereTheAxisTurnsFarEnough) {
  const Motion narrow{[](double t) { return 0.1 * std::sin(5 * t); }, [](double t) { return 0.5 * std::cos(5 * t); },
                      [](double t) { return -2.5 * std::sin(5 * t); }};
  EXPECT_FALSE(supports(inspect(log_of(narrow, dry)), "gravity"));
  Signals linear = log_of(wide, dry);
  linear.rotary = false;
  const Inspection found = inspect(linear);
  EXPECT_THAT(found.support, Each(::testing::Field(&Support::effect, Not(HasSubstr("gravity")))));
  EXPECT_FALSE(supports(found, "friction that grows with the load"));
}

TEST(Inspect, TellsSlowSlidingFromNone) {
  EXPECT_TRUE(supports(inspect(log_of(wide, dry)), "Stribeck"));
  // A clipped motion that never goes slowly, but through zero in one row.
  const Motion square{[](double t) { return std::abs(std::fmod(t, 4.0) - 2) * (1 + 0.2 * std::sin(t)); },
                      [](double t) { return std::fmod(t, 4.0) < 2 ? -1.0 : 1.0; }, [](double) { return 0.0; }};
  EXPECT_FALSE(supports(inspect(log_of(square, dry)), "Stribeck"));
}

TEST(Inspect, SeesPreslidingWhereItIsResolved) {
  // After each reversal the friction turns over 20 mrad, as a bristle's does.
  const auto bristle = [](double stiffness) {
    return [stiffness, z = 0.0, last = 0.0](double q, double /*v*/) mutable {
      z = std::clamp(z + stiffness * (q - last), -0.3, 0.3);
      last = q;
      return z;
    };
  };
  EXPECT_TRUE(supports(inspect(log_of(wide, bristle(30))), "presliding"));
  EXPECT_FALSE(supports(inspect(log_of(wide, bristle(1e6))), "presliding"));
  // A sensor of 10 mrad does not show it.
  Signals coarse = log_of(wide, bristle(30));
  for (double& q : coarse.values["position"]) {
    q = 0.01 * std::round(q / 0.01);
  }
  const Inspection found = inspect(coarse);
  EXPECT_FALSE(supports(found, "presliding"));
  ASSERT_TRUE(found.signals[0].step);
  EXPECT_NEAR(*found.signals[0].step, 0.01, 1e-9);
}

TEST(Inspect, KnowsThatAnAxisHeldByItsBristlesDoesNotSlide) {
  const Motion small{[](double t) { return 1e-3 * std::sin(7 * t); }, [](double t) { return 7e-3 * std::cos(7 * t); },
                     [](double t) { return -49e-3 * std::sin(7 * t); }};
  const Inspection found = inspect(log_of(
      small, [](double q, double v) { return 100 * q + 0.2 * v; }, 1e-3));
  EXPECT_FALSE(supports(found, "Coulomb"));
  EXPECT_THAT(found.warnings, Contains(HasSubstr("follows the position like a spring")));
  EXPECT_FALSE(found.yardstick->inertia);  // a spring is no negative mass
}

class ClockOff : public ::testing::TestWithParam<double> {};

TEST_P(ClockOff, IsNoticedByTheVelocity) {
  Signals s = log_of(wide, dry);
  for (double& t : s.values["time"]) {
    s.values["velocity"].push_back(wide.v(t));
    t /= GetParam();
  }
  const Inspection found = inspect(s);
  ASSERT_TRUE(found.clock->ratio);
  EXPECT_NEAR(*found.clock->ratio, GetParam(), 1e-3 * GetParam());
  EXPECT_THAT(found.warnings, Contains(HasSubstr("times what velocity and clock say")));
}
INSTANTIATE_TEST_SUITE_P(, ClockOff, ::testing::Values(0.5, 2.0, 1e-3, 57.29578));

TEST(Inspect, CountsRowsOutOfOrderAndGaps) {
  Signals s = log_of(wide, dry);
  auto& time = s.values["time"];
  time[500] = time[499];
  time[700] = time[600];
  time[800] = nan;
  for (std::size_t k = 5'000; k < time.size(); ++k) {
    time[k] += 1;
  }
  const Inspection found = inspect(s);
  EXPECT_EQ(found.clock->repeated, 1U);
  EXPECT_EQ(found.clock->backwards, 1U);
  EXPECT_EQ(found.clock->gaps, 1U);
  EXPECT_NEAR(found.clock->longest_gap, 1.002, 1e-9);
}

TEST(Inspect, SeesSaturationAndNotTheTopOfASine) {
  Signals s = log_of(wide, [](double q, double v) { return std::clamp(2 * std::sin(q) + 0.1 * v, -1.0, 1.0); });
  const Inspection found = inspect(s);
  EXPECT_THAT(found.warnings, Contains(HasSubstr("torque is at its lowest or highest value")));
  s = log_of(wide, [](double q, double /*v*/) { return 1e-3 * std::round(1e3 * std::sin(q)); });
  EXPECT_THAT(inspect(s).warnings, Not(Contains(HasSubstr("torque is at"))));
}

TEST(Inspect, MeasuresNoise) {
  const Inspection found = inspect(log_of(
      wide, [](double q, double) { return std::sin(q); }, 0.02));
  EXPECT_NEAR(found.signals.back().noise, 0.02, 1e-3);
}

TEST(Inspect, LearnsNothingFromAConstantTorque) {
  const Inspection found = inspect(log_of(wide, [](double, double) { return 0.2; }));
  EXPECT_FALSE(supports(found, "any friction"));
  EXPECT_THAT(found.advice, Contains(HasSubstr("the torque is constant")));
}

TEST(Inspect, ReadsATableOfSteadyPoints) {
  Signals s;
  for (int k = 1; k <= 10; ++k) {
    for (const int direction : {1, -1}) {
      s.values["velocity"].push_back(0.1 * k * direction);
      s.values["torque"].push_back(0.5 * direction + 0.2 * 0.1 * k * direction);
    }
  }
  const Inspection found = inspect(s);
  EXPECT_FALSE(found.clock);
  EXPECT_TRUE(supports(found, "Coulomb"));
  EXPECT_NEAR(found.yardstick->coulomb, 0.5, 1e-9);
  EXPECT_NEAR(found.yardstick->viscous, 0.2, 1e-9);
}

TEST(Inspect, SurvivesWhatIsNoLog) {
  const double huge = 1e300;
  const std::vector<std::vector<double>> columns{{},  // refused
                                                 {1},
                                                 {nan},
                                                 {nan, nan, nan},
                                                 {1, 1, 1, 1},
                                                 {0, 1, 2, 3},
                                                 {0, huge, -huge, huge, 1, -huge, 5, 2, huge, 0, 7, 1},
                                                 std::vector<double>(1000, 5.0)};
  for (const auto& time : columns) {
    for (const auto& values : columns) {
      Signals s;
      s.values["time"] = time;
      s.values["position"] = values;
      s.values["torque"] = values;
      s.values["velocity"] = values;
      if (time.size() != values.size() || time.empty()) {
        EXPECT_THROW((void)inspect(s), BadData);
        continue;
      }
      const Inspection found = inspect(s);
      EXPECT_THAT(found.support, Not(IsEmpty()));
      for (const Support& support : found.support) {
        EXPECT_FALSE(support.supported) << support.effect;
      }
    }
  }
  EXPECT_THROW((void)inspect({}), BadData);
}

}  // namespace
}  // namespace stiction::identify::inspect_test
