#include "stiction/identify/plan.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <random>

#include "identify/generator.h"
#include "stiction/identify/identify.h"

namespace stiction {
namespace {

using identify::Limits;
using identify::make_plan;
using identify::Plan;
using PlanRun = identify::Run;  // in a test, Run is a name of GoogleTest

constexpr Limits servo{.torque = 2, .speed = 1, .travel = 1, .sample_rate = 1000};

const PlanRun& run_of(const Plan& plan, const std::string& name) {
  return *std::find_if(plan.runs.begin(), plan.runs.end(), [&](const PlanRun& run) { return run.name == name; });
}

std::vector<std::string> names(const Plan& plan) {
  std::vector<std::string> list;
  for (const PlanRun& run : plan.runs) {
    list.push_back(run.name);
  }
  return list;
}

Limits with_friction(Limits limits) {
  limits.friction = 0.3;
  return limits;
}

TEST(ExperimentPlan, FindsTheFrictionFirstWhereItIsNotKnown) {
  EXPECT_THAT(names(make_plan(servo)), testing::ElementsAre("break-away", "sweep"));
  EXPECT_THAT(names(make_plan(with_friction(servo))), testing::ElementsAre("sweep", "presliding", "motion"));
}

TEST(ExperimentPlan, StaysWithinTheLimits) {
  for (const Limits& limits :
       {servo, with_friction(servo),
        Limits{.torque = 500, .speed = 0.3, .travel = 0.05, .sample_rate = 4000, .friction = 60}}) {
    for (const PlanRun& run : make_plan(limits).runs) {
      ASSERT_EQ(run.time.size(), run.reference.size());
      ASSERT_FALSE(run.time.empty());
      const bool torque = run.mode == PlanRun::Mode::torque;
      double position = 0;
      double low = 0;
      double high = 0;
      for (std::size_t k = 0; k < run.time.size(); ++k) {
        EXPECT_NEAR(run.time[k], static_cast<double>(k) / limits.sample_rate, 1e-12);
        ASSERT_LE(std::abs(run.reference[k]), torque ? limits.torque : limits.speed) << run.name;
        position += torque ? 0 : run.reference[k] / limits.sample_rate;
        low = std::min(low, position);
        high = std::max(high, position);
      }
      EXPECT_LT(high - low, limits.travel) << run.name;
      if (run.name == "presliding") {
        EXPECT_LT(*std::max_element(run.reference.begin(), run.reference.end()), 0.75 * limits.friction);
      }
    }
  }
}

TEST(ExperimentPlan, SweepSettlesInEachSegmentAndComesBack) {
  Limits limits = with_friction(servo);
  limits.stiffness = 260;
  const PlanRun run = run_of(make_plan(limits), "sweep");
  ASSERT_EQ(run.segments.size(), 28);
  double slowest = limits.speed;
  for (const PlanRun::Segment& segment : run.segments) {
    // 8 g/(σ₀ v)
    const double settling = static_cast<double>(segment.settled - segment.begin) / limits.sample_rate;
    EXPECT_GE(settling * std::abs(segment.velocity), 0.999 * 8 * limits.friction / limits.stiffness);
    EXPECT_GE(segment.end - segment.settled, 100);
    EXPECT_EQ(run.reference[segment.settled], segment.velocity);
    EXPECT_EQ(run.reference[segment.end - 1], segment.velocity);
    slowest = std::min(slowest, std::abs(segment.velocity));
  }
  EXPECT_LT(slowest, 0.005);
  double way = 0;
  for (const double velocity : run.reference) {
    way += velocity / limits.sample_rate;
  }
  EXPECT_NEAR(way, 0, 1e-9);
}

TEST(ExperimentPlan, RefusesLimitsThatMakeNoSense) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (double Limits::*field : {&Limits::torque, &Limits::speed, &Limits::travel, &Limits::sample_rate}) {
    for (const double value : {0.0, -1.0, nan, std::numeric_limits<double>::infinity()}) {
      Limits limits = servo;
      limits.*field = value;
      EXPECT_THROW(make_plan(limits), identify::BadData) << value;
    }
  }
  for (double Limits::*field : {&Limits::friction, &Limits::mass, &Limits::stiffness}) {
    for (const double value : {-1.0, nan}) {
      Limits limits = servo;
      limits.*field = value;
      EXPECT_THROW(make_plan(limits), identify::BadData) << value;
    }
  }
  Limits weak = servo;
  weak.friction = 1.9;  // of a torque of 2: it would hardly slide
  EXPECT_THROW(make_plan(weak), identify::BadData);
  Limits short_way = with_friction(servo);
  short_way.stiffness = 5;  // presliding takes most of the travel
  EXPECT_THROW(make_plan(short_way), identify::BadData);
}

TEST(ExperimentPlan, BreakAwayRunShowsTheFriction) {
  // The servo of Table 2 stays within a few bristle lengths until the sine's amplitude comes near F_S, then leaves.
  const PlanRun run = run_of(make_plan(servo), "break-away");
  const auto position = test::under_torque({}, run.reference, 1 / servo.sample_rate);
  const auto slid = static_cast<std::size_t>(
      std::find_if(position.begin(), position.end(), [](double x) { return std::abs(x) > 0.05; }) - position.begin());
  ASSERT_LT(slid, position.size());
  const double amplitude = servo.torque * run.time[slid] / run.time.back();
  EXPECT_GT(amplitude, 0.26);
  EXPECT_LT(amplitude, 0.4);
}

/// Runs the plan on an axis as its instructions say, and identifies LuGre from the logs.
identify::Fit carried_out(const test::Axis& axis, const test::Sensors& sensors, const Limits& limits) {
  const Plan plan = make_plan(limits);
  const double interval = 1 / limits.sample_rate;
  const test::Side& side = axis.plus;
  const double stiff = 3 * (side.peak - side.coulomb) / side.stribeck_velocity + std::sqrt(axis.stiffness * axis.mass);
  identify::Data data;
  const PlanRun& sweep = run_of(plan, "sweep");
  test::Sensors own = sensors;
  data.sweeps = {identify::steady_friction(
      sweep, test::along(axis, own, sweep.reference, interval, {.proportional = 20 * stiff, .rate = stiff}))};
  const PlanRun& presliding = run_of(plan, "presliding");
  identify::Recording pushed{"presliding", presliding.time, presliding.reference, {}, {}, {}};
  pushed.position = test::under_torque(axis, presliding.reference, interval);
  std::mt19937_64 bits(sensors.seed);
  std::normal_distribution<double> normal;
  for (double& position : pushed.position) {
    position += sensors.position * normal(bits);
  }
  const PlanRun& motion = run_of(plan, "motion");
  own.seed += 1;
  const double soft = 3 * side.peak / limits.travel;
  data.recordings = {pushed,
                     test::along(axis, own, motion.reference, interval, {.proportional = 2 * soft, .rate = soft})};
  identify::Options options;
  options.model = "lugre";
  options.held_out = false;
  return identify::identify(data, options).front();
}

void expect_found(const identify::Fit& fit, const test::Axis& axis) {
  EXPECT_THAT(fit.refusal, testing::IsEmpty());
  const std::map<std::string, std::pair<double, double>> truths{
      {"stiffness", {axis.stiffness, 0.01}},
      {"damping", {axis.damping, 0.02}},
      {"coulomb_force", {axis.plus.coulomb, 0.01}},
      {"static_force", {axis.plus.peak, 0.02}},
      {"stribeck_velocity", {axis.plus.stribeck_velocity, 0.05}},
      {"viscous", {axis.plus.viscous, 0.05}},
      {"mass", {axis.mass, 0.01}}};
  for (const identify::Estimate& e : fit.estimates) {
    const auto [truth, tolerance] = truths.at(e.name);
    EXPECT_NEAR(e.value, truth, tolerance * truth) << e.name;
    EXPECT_LT(std::abs(e.value - truth), 4 * e.deviation) << e.name;
  }
}

TEST(ExperimentPlan, CarriedOutOnTheServoIdentifiesIt) {
  const test::Axis axis;
  expect_found(carried_out(axis, {.seed = 11}, with_friction(servo)), axis);
}

}  // namespace
}  // namespace stiction
