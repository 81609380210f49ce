#include <gtest/gtest.h>

#include <limits>

#include "stiction/sim/line.h"

namespace stiction::sim::options_test {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

void expect_problem(const Options& options, const char* field, const char* allowed) {
  const auto problem = Options::check(options);
  ASSERT_TRUE(problem) << field;
  EXPECT_STREQ(problem->field, field);
  EXPECT_STREQ(problem->allowed, allowed);
}

TEST(Options, DefaultsAreFine) {
  EXPECT_FALSE(Options::check({}));
  EXPECT_FALSE(Options::check({.method = Method::sdirk2}));
  EXPECT_FALSE(Body::check({}));
}

TEST(Options, TimesMustBePositiveAndFinite) {
  for (const double bad : {0.0, -1.0, nan, infinity}) {
    expect_problem({.duration = bad}, "duration", "> 0 and finite");
    expect_problem({.output_interval = bad}, "output_interval", "> 0 and finite");
    expect_problem({.method = Method::backward_euler, .step = bad}, "step", "> 0 and at most the duration");
  }
}

TEST(Options, StepMayNotExceedTheDuration) {
  expect_problem({.method = Method::sdirk2, .duration = 1, .step = 1.1}, "step", "> 0 and at most the duration");
  EXPECT_FALSE(Options::check({.method = Method::sdirk2, .duration = 1, .step = 1}));
  EXPECT_FALSE(Options::check({.method = Method::cvode, .duration = 1, .step = 1.1})) << "cvode takes its own steps";
}

TEST(Options, RunsThatCannotEndAreRefused) {
  expect_problem({.duration = 1e6, .output_interval = 1e-3}, "output_interval", ">= duration / 1e7");
  expect_problem({.method = Method::sdirk2, .duration = 1e3, .output_interval = 1, .step = 1e-9}, "step",
                 ">= duration / max_steps");
}

TEST(Options, ToleranceOfTheAccurateSolverIsBounded) {
  for (const double bad : {1e-14, 0.1, nan, -1.0}) {
    expect_problem({.relative_tolerance = bad}, "relative_tolerance", "in [1e-13, 1e-2]");
    EXPECT_FALSE(Options::check({.method = Method::sdirk2, .relative_tolerance = bad})) << "not used";
  }
}

TEST(Body, MassIsPositiveAndTheStartFinite) {
  EXPECT_STREQ(Body::check({.mass = 0})->field, "mass");
  EXPECT_STREQ(Body::check({.mass = nan})->field, "mass");
  EXPECT_STREQ(Body::check({.mass = infinity})->allowed, "> 0 and finite");
  EXPECT_STREQ(Body::check({.position = nan})->field, "position");
  EXPECT_STREQ(Body::check({.velocity = -infinity})->field, "velocity");
  EXPECT_EQ(Body::check({.mass = -2})->value, -2);
}

}  // namespace
}  // namespace stiction::sim::options_test
