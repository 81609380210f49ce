// Models driven by measured motion: truth recovered from logs of an independent program, and logs with every fault.
#include <gmock/gmock.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "identify/motion_filter.h"
#include "identify/motion_logs.h"
#include "identify/motion_model.h"
#include "stiction/identify/identify.h"

namespace stiction {
namespace {

using identify::BadData;
using identify::fit_motion;
using identify::MotionFit;
using identify::MotionOptions;
using identify::Recording;
using test::JointLog;
using testing::HasSubstr;

const identify::Estimate* found(const MotionFit& fit, const std::string& name) {
  for (const auto* list : {&fit.estimates, &fit.external}) {
    for (const auto& e : *list) {
      if (e.name == name) {
        return &e;
      }
    }
  }
  return nullptr;
}

void expect_holds(const MotionFit& fit, const std::string& name, double truth) {
  const auto* e = found(fit, name);
  ASSERT_NE(e, nullptr) << name;
  EXPECT_TRUE(e->low <= truth && truth <= e->high)
      << name << " = " << e->value << ", " << e->low << " to " << e->high << ", in truth " << truth;
}

bool undetermined(const MotionFit& fit, const std::string& name) {
  return std::any_of(fit.undetermined.begin(), fit.undetermined.end(), [&](const auto& u) { return u.name == name; });
}

const identify::Finding* finding(const MotionFit& fit, const std::string& name) {
  const auto at = std::find_if(fit.findings.begin(), fit.findings.end(), [&](const auto& f) { return f.name == name; });
  return at == fit.findings.end() ? nullptr : &*at;
}

TEST(MotionFilter, SlopeIsTheFilteredSlopeWithoutDelay) {
  std::vector<double> time;
  std::vector<double> signal;
  std::vector<double> slope;
  std::vector<std::size_t> at;
  for (int k = 0; k < 2000; ++k) {
    time.push_back(1e-3 * k + 2e-4 * std::sin(3.0 * k));  // irregular
    signal.push_back(std::sin(60 * time.back()));
    slope.push_back(60 * std::cos(60 * time.back()));
    if (k > 100 && k < 1900) {
      at.push_back(static_cast<std::size_t>(k));
    }
  }
  const auto filtered = identify::slopes(time, signal, 0.02, at);
  const auto expected = identify::smoothed(time, slope, 0.02, at);
  for (std::size_t i = 0; i < at.size(); ++i) {
    EXPECT_NEAR(filtered[i], expected[i], 0.15);
  }
}

TEST(MotionFilter, CornerIsWhereASineLosesThreeDecibel) {
  std::vector<double> time;
  std::vector<double> signal;
  const double half_width = 0.05;
  const double frequency = identify::corner_of(half_width);
  for (int k = -2000; k <= 2000; ++k) {
    time.push_back(1e-4 * k);
    signal.push_back(std::cos(2 * std::numbers::pi * frequency * time.back()));
  }
  EXPECT_NEAR(identify::smoothed(time, signal, half_width, std::vector<std::size_t>{2000})[0], std::sqrt(0.5), 0.005);
}

TEST(MotionSolve, NumbersStayPositiveAndNoOtherChoiceIsBetter) {
  const auto normal = test::normal_numbers(7);
  for (int trial = 0; trial < 200; ++trial) {
    constexpr int n = 4;
    const Eigen::MatrixXd x = Eigen::MatrixXd::NullaryExpr(12, n, [&] { return normal(); });
    const Eigen::VectorXd y = Eigen::VectorXd::NullaryExpr(12, [&] { return normal(); });
    const identify::Gram sum{x.transpose() * x, x.transpose() * y, y.squaredNorm(), 12};
    std::vector<identify::Linear> numbers(n, {identify::Linear::What::coulomb, true});
    numbers[3].positive = false;
    const Eigen::VectorXd beta = identify::solve(sum, numbers);
    double best = infinity;
    for (unsigned held = 0; held < 8; ++held) {  // every set of numbers held at 0
      std::vector<Eigen::Index> in;
      for (Eigen::Index i = 0; i < n; ++i) {
        if (i == 3 || (held >> i & 1U) == 0) {
          in.push_back(i);
        }
      }
      const Eigen::VectorXd solved = sum.xx(in, in).ldlt().solve(sum.xy(in));
      Eigen::VectorXd all = Eigen::VectorXd::Zero(n);
      for (std::size_t k = 0; k < in.size(); ++k) {
        all[in[k]] = solved[static_cast<Eigen::Index>(k)];
      }
      if (all.head(3).minCoeff() >= 0) {
        best = std::min(best, sum.cost(all));
      }
    }
    EXPECT_GE(beta.head(3).minCoeff(), 0);
    EXPECT_NEAR(sum.cost(beta), best, 1e-6 * sum.yy);
  }
}

TEST(MotionDrive, CoulombAndViscousFrictionAreFoundWithInertiaAndOffset) {
  const JointLog joint;
  const MotionFit fit = fit_motion({joint.record(test::coulomb_viscous(0.3, 0.2))}, {});
  ASSERT_EQ(fit.refusal, "");
  EXPECT_EQ(fit.model_name, "coulomb");
  expect_holds(fit, "coulomb_force", 0.3);
  expect_holds(fit, "viscous", 0.2);
  expect_holds(fit, "mass", 0.02);
  expect_holds(fit, "offset", 0.05);
  EXPECT_LE(fit.error, fit.yardstick);
  EXPECT_LT(fit.error, 3 * joint.torque_noise + 0.02);
  EXPECT_GT(fit.explained, 0.99);
  for (const char* name : {"static_force", "stribeck_velocity", "stiffness", "damping"}) {
    EXPECT_TRUE(undetermined(fit, name)) << name;
  }
}

TEST(MotionDrive, AStribeckDropIsFoundInSlowSliding) {
  JointLog joint;
  joint.speed = 0.2;
  const test::Side side{0.28, 0.40, 0.03, 0.2};
  const MotionFit fit = fit_motion({joint.record(test::stribeck(side))}, {});
  ASSERT_EQ(fit.refusal, "");
  EXPECT_EQ(fit.model_name, "stribeck");
  expect_holds(fit, "coulomb_force", side.coulomb);
  expect_holds(fit, "static_force", side.peak);
  expect_holds(fit, "stribeck_velocity", side.stribeck_velocity);
  expect_holds(fit, "viscous", side.viscous);
}

TEST(MotionDrive, ALuGreJointUnderGravityIsRecovered) {
  JointLog joint;
  joint.gravity_sin = 0.5;
  joint.gravity_cos = -0.2;
  joint.speed = 0.4;
  joint.frequency = 0.4;  // over two radians
  joint.mass = 0.001;     // a larger one would pass for gravity: the motion is nearly a sine
  joint.duration = 40;
  joint.rate = 200;
  test::Axis axis;
  axis.stiffness = 30;  // presliding over 10 mrad
  axis.damping = 0.1;
  axis.plus = axis.minus = {0.28, 0.38, 0.03, 0.1};
  const MotionFit fit = fit_motion({joint.record(test::bristle(axis, 0.4))}, {});
  ASSERT_EQ(fit.refusal, "");
  EXPECT_EQ(fit.model_name, "lugre");
  expect_holds(fit, "stiffness", axis.stiffness);
  expect_holds(fit, "coulomb_force", 0.28);
  expect_holds(fit, "static_force", 0.38);
  ASSERT_NE(found(fit, "gravity_sin"), nullptr);
  EXPECT_NEAR(found(fit, "gravity_sin")->value, 0.5, 2e-3);
  EXPECT_NEAR(found(fit, "gravity_cos")->value, -0.2, 1e-2);
  EXPECT_LT(fit.error, 0.5 * fit.yardstick);
}

TEST(MotionDrive, ATimeShiftIsFound) {
  for (const double shift : {0.002, 0.010}) {
    JointLog joint;
    joint.shift = shift;
    joint.rate = 1000;
    joint.mass = 0.1;
    const MotionFit fit = fit_motion({joint.record(test::coulomb_viscous(0.3, 0.2))}, {});
    ASSERT_EQ(fit.refusal, "");
    expect_holds(fit, "shift", shift);
    expect_holds(fit, "viscous", 0.2);
    const auto* delay = finding(fit, "delay");
    ASSERT_NE(delay, nullptr);
    EXPECT_THAT(delay->text, HasSubstr("lags"));
  }
}

TEST(MotionDrive, ColouredNoiseAndACoarseEncoderWidenTheIntervals) {
  JointLog joint;
  joint.colour = 0.9;
  joint.torque_noise = 0.02;
  joint.quantum = 2 * std::numbers::pi / 4096;
  joint.position_noise = 0;
  joint.rate = 100;
  joint.duration = 40;
  const MotionFit fit = fit_motion({joint.record(test::coulomb_viscous(0.3, 0.2))}, {});
  ASSERT_EQ(fit.refusal, "");
  expect_holds(fit, "coulomb_force", 0.3);
  expect_holds(fit, "viscous", 0.2);
  expect_holds(fit, "offset", 0.05);
}

TEST(MotionDrive, KnownExternalTorqueIsTakenOff) {
  JointLog joint;
  Recording log = joint.record(test::coulomb_viscous(0.3, 0.2));
  for (std::size_t k = 0; k < log.time.size(); ++k) {
    const double known = 0.4 * std::sin(5 * log.time[k]);
    log.torque[k] -= known;  // the drive needs less where something else pushes
    log.external.push_back(known);
  }
  const MotionFit fit = fit_motion({log}, {});
  expect_holds(fit, "coulomb_force", 0.3);
  EXPECT_GT(fit.explained, 0.99);
}

TEST(MotionDrive, IsNeverWorseThanCoulombAndViscousOnWhatItDidNotSee) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const auto normal = test::normal_numbers(100 + seed);
    JointLog joint;
    joint.duration = 8;
    joint.seed = seed;
    joint.torque_noise = 0.05 * std::exp(normal());
    joint.gravity_sin = 0.3 * normal();
    joint.mass = 0.02 * std::exp(normal());
    joint.shift = 0.003 * normal();
    const test::Side side{0.3, 0.3 * (1 + std::abs(normal())), 0.05, 0.2 * std::abs(normal())};
    const MotionFit fit = fit_motion({joint.record(test::stribeck(side))}, {});
    EXPECT_LE(fit.error, 1.0001 * fit.yardstick) << seed;
    EXPECT_EQ(fit.refusal, "") << seed;
  }
}

// Bad logs
// -------------------------------------------------------------------------------------------------------------

std::string motion_complaint(const Recording& log, const MotionOptions& options = {}) {
  try {
    return fit_motion({log}, options).refusal;
  } catch (const BadData& error) {
    return error.what();
  }
}

Recording plain(double duration = 5) {
  JointLog joint;
  joint.duration = duration;
  return joint.record(test::coulomb_viscous(0.3, 0.2));
}

TEST(MotionBadLogs, AreRefusedInOneLine) {
  Recording short_log = plain(0.02);
  EXPECT_THAT(motion_complaint(short_log), HasSubstr("10 rows with numbers; at least 100"));
  EXPECT_THAT(motion_complaint(Recording{}), HasSubstr("0 rows"));
  Recording still = plain();
  std::fill(still.position.begin(), still.position.end(), 1.0);
  EXPECT_THAT(motion_complaint(still), HasSubstr("the position is constant (1)"));
  Recording constant = plain();
  std::fill(constant.torque.begin(), constant.torque.end(), 2.0);
  EXPECT_THAT(motion_complaint(constant), HasSubstr("the torque is constant (2)"));
  Recording uneven = plain();
  uneven.velocity = {1, 2};
  EXPECT_THAT(motion_complaint(uneven), HasSubstr("velocity has 2 rows, but there are 2500"));
  Recording back = plain();
  back.time[7] = back.time[6];
  EXPECT_THAT(motion_complaint(back), HasSubstr("time must increase"));
  Recording huge = plain();
  huge.torque[3] = 1e300;
  EXPECT_THAT(motion_complaint(huge), HasSubstr("torque = 1e+300 in row 4"));
  Recording reversed = plain();
  for (double& torque : reversed.torque) {
    torque = -torque;
  }
  EXPECT_THAT(motion_complaint(reversed), HasSubstr("reversed"));
  EXPECT_THAT(motion_complaint(plain(), {.model = "magic"}), HasSubstr("'magic' cannot be fitted"));
  EXPECT_THAT(motion_complaint(plain(), {.mass = -1}), HasSubstr("mass = -1"));
  EXPECT_THAT(motion_complaint(plain(), {.max_shift = 1}), HasSubstr("max_shift = 1"));
  EXPECT_THROW(fit_motion({}, {}), BadData);
}

TEST(MotionBadLogs, TorqueThatHasNothingToDoWithTheMotionIsRefused) {
  Recording log = plain();
  const auto normal = test::normal_numbers(3);
  for (double& torque : log.torque) {
    torque = normal();
  }
  EXPECT_NE(motion_complaint(log), "");
}

TEST(MotionBadLogs, RowsWithoutNumbersAreLeftOut) {
  Recording log = plain();
  for (std::size_t k = 0; k + 3 < log.time.size(); k += 17) {
    log.torque[k] = std::numeric_limits<double>::quiet_NaN();
    log.position[k + 3] = infinity;
  }
  const MotionFit fit = fit_motion({log}, {});
  EXPECT_EQ(fit.refusal, "");
  EXPECT_THAT(fit.notes.front(), HasSubstr("rows without numbers left out"));
  expect_holds(fit, "coulomb_force", 0.3);
}

TEST(MotionBadLogs, OneDirectionIsSaid) {
  JointLog joint;
  Recording log = joint.record(test::memoryless([](double) { return 0.0; }));
  for (std::size_t k = 0; k < log.time.size(); ++k) {
    log.position[k] = 0.5 * log.time[k] - 0.1 * std::cos(2 * log.time[k]);
    log.torque[k] =
        0.3 + 0.2 * (0.5 + 0.2 * std::sin(2 * log.time[k])) + 1e-3 * std::sin(777.0 * static_cast<double>(k));
  }
  const MotionFit fit = fit_motion({log}, {});
  const auto* one = finding(fit, "one direction");
  ASSERT_NE(one, nullptr);
  EXPECT_EQ(one->value, 1);
}

TEST(MotionBadLogs, AClockThatIsOffByTwoIsCorrected) {
  JointLog joint;
  Recording log = joint.record(test::coulomb_viscous(0.3, 0.2));
  for (std::size_t k = 0; k < log.time.size(); ++k) {
    log.velocity.push_back(joint.velocity(log.time[k]));
    log.time[k] *= 2;
  }
  const MotionFit fit = fit_motion({log}, {});
  const auto* clock = finding(fit, "clock");
  ASSERT_NE(clock, nullptr);
  EXPECT_EQ(clock->value, 0.5);
  expect_holds(fit, "viscous", 0.2);
  expect_holds(fit, "mass", 0.02);
}

TEST(MotionBadLogs, SlowSamplingStillGivesTheYardstick) {
  JointLog joint;
  joint.rate = 64;
  joint.duration = 10;
  const MotionFit fit = fit_motion({joint.record(test::coulomb_viscous(0.3, 0.2))}, {});
  EXPECT_EQ(fit.refusal, "");
  EXPECT_LE(fit.error, 1.0001 * fit.yardstick);
}

TEST(MotionBadLogs, AMillionRowsAreThinned) {
  JointLog joint;
  joint.rate = 1000;
  joint.duration = 1000;
  Recording log = joint.record(test::coulomb_viscous(0.3, 0.2));
  MotionOptions options;
  options.model = "coulomb";
  const MotionFit fit = fit_motion({log}, options);
  EXPECT_LE(fit.samples, options.max_samples + 100);
  expect_holds(fit, "coulomb_force", 0.3);
  expect_holds(fit, "viscous", 0.2);
}

TEST(MotionDiagnosis, NamesGravityCoggingLoadAndDrift) {
  JointLog joint;
  joint.speed = 3;
  joint.frequency = 0.7;
  joint.duration = 30;
  joint.rate = 250;
  const Recording clean = joint.record(test::coulomb_viscous(0.3, 0.05));
  Recording log = clean;
  for (std::size_t k = 0; k < log.time.size(); ++k) {
    log.torque[k] += 0.1 * std::sin(14 * log.position[k]);
  }
  const MotionFit cogging = fit_motion({log}, {});
  ASSERT_NE(finding(cogging, "cogging"), nullptr);
  EXPECT_EQ(finding(cogging, "cogging")->value, 14);

  log = clean;
  for (std::size_t k = 0; k < log.time.size(); ++k) {
    const double v = joint.velocity(log.time[k]);
    log.torque[k] += 0.3 * std::sin(log.position[k]);
    log.torque[k] += 0.5 * std::abs(0.3 * std::sin(log.position[k])) * test::sign_of(v);
  }
  EXPECT_NE(finding(fit_motion({log}, {}), "load"), nullptr);

  std::vector<Recording> runs(4, clean);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    for (std::size_t k = 0; k < log.time.size(); ++k) {
      runs[i].torque[k] -= 0.03 * static_cast<double>(i) * test::sign_of(joint.velocity(log.time[k]));
    }
  }
  const MotionFit drift = fit_motion(runs, {});
  ASSERT_NE(finding(drift, "drift"), nullptr);
  EXPECT_LT(finding(drift, "drift")->value, -0.1);
}

TEST(DrivenBy, AutomaticFallsBackToTheMotionWithItsReason) {
  const Recording log = plain();
  identify::Data data;
  data.recordings = {log};
  identify::Options options;
  options.model = "dahl";
  options.drive = identify::DrivenBy::motion;
  EXPECT_THROW(identify::identify(data, options), BadData);
  options.model = "stribeck";
  const identify::Fit fit = identify::identify(data, options).front();
  ASSERT_TRUE(fit.motion);
  EXPECT_EQ(fit.channels.front().drive, "motion");
  options.drive = identify::DrivenBy::loop;
  EXPECT_THROW(identify::identify(data, options), BadData);
}

}  // namespace
}  // namespace stiction
