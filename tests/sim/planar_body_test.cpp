#include "stiction/sim/planar_body.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include <string>

#include "stiction/planar/shapes.h"
#include "stiction/problem.h"
#include "stiction/sim/cvode.h"
#include "support/csv.h"

namespace stiction::sim {
namespace {

using planar::AngleTable;
using planar::Distributed;
using planar::Friction;
using planar::Patch;
using planar::Point;
using planar::Reduced;
using planar::SurfaceTable;
using planar::Wrench;
namespace paper = planar::paper;

constexpr double pi = std::numbers::pi;

/// The interval of 10 ms that a time lies in.
double interval_of(double t) { return std::floor(t / 0.01); }

struct InHand {
  std::string name;
  int which;  // case 1 or 2
  bool dip;   // the second normal-force profile
  bool line;
};

PlanarBody held_box(const InHand& c) {
  PlanarBody body;
  body.mass = 0.2;
  body.inertia = 0.2 / 12 * (0.15 * 0.15 + 0.08 * 0.08);
  body.gravity = {0, -9.81};
  body.contacts = 2;
  body.normal_force = [c](double t) {
    const double i = interval_of(t);
    const double wave = std::sin(4 * pi * 0.01 * i);
    if (c.which == 1) {
      return !c.dip ? 3.6 + 0.9 * wave : i > 30 && i < 50 ? 2.9 : 4.0;
    }
    return !c.dip ? 1.73 + 0.91 * wave : i > 32.5 && i < 50 ? 0.84 : 2.0;
  };
  for (int i = 1; i < 200; ++i) {
    body.jumps.push_back(0.01 * i);
  }
  return body;
}

struct Off {
  double position = 0, angle = 0, force = 0;
};
Off compare(const PlanarRun& run, const test::Columns& reference) {
  Off off;
  const auto& time = reference.at("t_s");
  for (std::size_t i = 0; i < time.size(); ++i) {
    const auto row = std::find_if(run.rows.begin(), run.rows.end(),
                                  [&](const PlanarRow& r) { return std::abs(r.time - time[i]) < 1e-9; });
    if (row == run.rows.end()) {
      throw std::runtime_error("no row");
    }
    const auto away = [&](double value, const char* column) { return std::abs(value - reference.at(column)[i]); };
    off.position = std::max({off.position, away(row->state.position.x, "x_m"), away(row->state.position.y, "y_m")});
    off.angle = std::max(off.angle, away(row->state.angle, "theta_rad"));
    off.force = std::max({off.force, away(row->wrench.x, "fx_N"), away(row->wrench.y, "fy_N")});
    EXPECT_NEAR(row->normal_force, reference.at("fN_N")[i], 1e-9);
  }
  return off;
}

class InHandCase : public testing::TestWithParam<InHand> {
 protected:
  PlanarBody body_ = held_box(GetParam());
  Patch patch_ = Patch(GetParam().line ? paper::gradient_line_x() : paper::circle());
  PlanarState start_{.position = {GetParam().which == 1 ? 0.025 : 0.002, 0}};
  PlanarOptions options_{.duration = 2};
};

TEST_P(InHandCase, ManyBristlesFollowTheReference) {
  options_.relative_tolerance = 1e-7;
  options_.absolute_tolerance = 1e-9;
  const auto friction = Distributed::make({planar::preset::waltersson_p1(), patch_});
  const Off off = compare(simulate(body_, friction, start_, options_),
                          test::read_reference("planar_inhand_" + GetParam().name + "_distributed"));
  EXPECT_LT(off.position, 1e-5);
  EXPECT_LT(off.angle, 1e-4);
}

TEST_P(InHandCase, ThreeStatesFollowTheAuthors) {
  AngleTable table(patch_, 20, planar::authors_bilinear_wrench);
  double u = 0;
  for (std::size_t i = 0; i < patch_.size(); ++i) {
    u += patch_.points().share[i] * (square(patch_.points().x[i]) + square(patch_.points().y[i]));
  }
  const double r = table.torque_radius();
  const auto authors = Reduced<AngleTable>::make(
      {planar::preset::waltersson_p1(), {r, u, patch_.centre_of_pressure()}, std::move(table)});
  const auto reference = test::read_reference("planar_inhand_" + GetParam().name + "_reduced");
  const Off theirs = compare(simulate(body_, authors, start_, options_), reference);
  EXPECT_LT(theirs.position, 1e-5);
  EXPECT_LT(theirs.angle, 1e-4);
  const auto ours =
      Reduced<SurfaceTable>::make({planar::preset::waltersson_p1(), patch_.pressure_moments(), SurfaceTable(patch_)});
  const Off exact = compare(simulate(body_, ours, start_, options_), reference);
  // The exact r is 0.5 % (disc) or 1.9 % (line one cell wide) larger than the authors'.
  EXPECT_LT(exact.position, 3e-4);
  EXPECT_LT(exact.angle, 0.015);
}

INSTANTIATE_TEST_SUITE_P(Paper, InHandCase,
                         testing::Values(InHand{"case1_circle_fn1", 1, false, false},
                                         InHand{"case1_circle_fn2", 1, true, false},
                                         InHand{"case2_circle_fn1", 2, false, false},
                                         InHand{"case2_linegradx_fn1", 2, false, true}),
                         [](const auto& c) { return c.param.name; });

// A soft finger, whose contact grows with its load (Figs. 33 to 35).
class SoftFingerInHand : public testing::Test {
 protected:
  PlanarBody body_ = held_box({"", 2, false, false});
  Friction friction_ = planar::preset::waltersson_p1();
  PlanarState start_{.position = {0.002, 0}};
  PlanarOptions options_{.duration = 2};
};

TEST_F(SoftFingerInHand, ManyBristlesWithANewPressureEveryIntervalFollowTheAuthors) {
  const auto pressed = [](Distributed& model, double force) {
    auto shares = paper::soft_finger(force, 2).pressure;
    double sum = 0;
    for (const double share : shares) {
      sum += share;
    }
    for (double& share : shares) {
      share /= sum;
    }
    ASSERT_TRUE(model.set_shares(shares));
  };
  const Off off =
      compare(simulate(body_, Distributed::make({friction_, Patch(paper::square())}), start_, options_, pressed),
              test::read_reference("planar_force_k2_distributed"));
  EXPECT_LT(off.position, 2e-5);
  EXPECT_LT(off.angle, 1e-4);
}

TEST_F(SoftFingerInHand, ThreeStatesFollowTheAuthors) {
  // Their way: the table of one load, r anew in every interval, u as it was
  const Patch heavy(paper::soft_finger(10, 2));
  AngleTable table(heavy, 20, planar::authors_bilinear_wrench);
  const double r = table.torque_radius();
  const auto pressed = [](Reduced<AngleTable>& model, double force) {
    const Patch patch(paper::soft_finger(force, 2));
    model.resize(std::abs(planar::authors_bilinear_wrench(patch, {0, 0, 1}).torque),
                 model.params().pressure.mean_square_radius);
  };
  const auto reference = test::read_reference("planar_force_k2_reduced");
  const Off theirs =
      compare(simulate<AngleTable>(
                  body_, Reduced<AngleTable>::make({friction_, {r, heavy.mean_square_radius(), {}}, std::move(table)}),
                  start_, options_, pressed),
              reference);
  EXPECT_LT(theirs.position, 5e-6);
  EXPECT_LT(theirs.angle, 5e-5);
  // Our way: sizes in closed form
  const planar::SoftFinger finger{.reach = 6 * 0.02 / 21, .exponent = 2, .largest = 0.01};
  const Off ours =
      compare(simulate(body_, planar::SoftFingerModel::make(friction_, finger, 3), start_, options_), reference);
  EXPECT_LT(ours.position, 3e-4);
  EXPECT_LT(ours.angle, 0.01);
}

/// A disc on a table whose load shakes (Figs. 6 and 23).
PlanarRun shaken_disc(bool elasto_plastic) {
  Friction friction = planar::preset::waltersson_p1();
  friction.elasto_plastic = elasto_plastic;
  PlanarBody body;
  body.mass = 1;
  body.inertia = 0.5 * 0.05 * 0.05;
  body.carried = true;
  body.normal_force = [](double) { return 9.81; };
  body.load = [](double time) {
    const double t = 0.01 * interval_of(time);
    const double wave = std::sin(6 * pi * t);
    return Wrench{t < 1 ? std::min(t / 0.2, 1.0) : 1 + 0.4 * wave, 0,
                  t <= 2.8 ? 0
                  : t < 3  ? 0.03 * (t - 2.8) / 0.2
                           : 0.03 + 0.01 * wave};
  };
  for (int i = 1; i < 500; ++i) {
    body.jumps.push_back(0.01 * i);
  }
  return simulate(body, Distributed::make({friction, Patch(paper::circle(21, 0.05))}), {}, {.duration = 5});
}

TEST(Drift, LuGreDriftsAsInTheReference) {
  const auto run = shaken_disc(false);
  const auto reference = test::read_reference("planar_drift_tangential_lugre");
  const Off off = compare(run, reference);
  EXPECT_LT(off.position, 1e-8);
  EXPECT_LT(off.angle, 1e-6);
  // From 1.5 to 2.5 s: three periods
  const double drift = run.rows[249].state.position.x - run.rows[149].state.position.x;
  EXPECT_GT(drift, 2e-8);
}

TEST(Drift, ElastoPlasticBristlesHold) {
  const auto run = shaken_disc(true);
  const Off off = compare(run, test::read_reference("planar_drift_tangential_elastoplastic"));
  EXPECT_LT(off.position, 1e-10);
  EXPECT_LT(off.angle, 1e-8);
  const double drift = run.rows[249].state.position.x - run.rows[149].state.position.x;
  EXPECT_LT(std::abs(drift), 1e-12);
}

// A disc that slides and spins freely: both motions end together, whatever the start, and v/(R ω) goes to 0.653, the
// fixed point of a uniform disc (Farkas et al. 2003).
TEST(FreeDisc, SlidingAndSpinningEndTogether) {
  constexpr double radius = 0.05;
  constexpr double fixed_point = 0.653;
  const Patch patch(planar::disc_points(radius, 8, 24));
  Friction friction = planar::preset::waltersson_p0();
  friction.stiffness = 1e5;  // a contact far stiffer than the motion is fast
  PlanarBody body;
  body.mass = 1;
  body.inertia = 0.5 * radius * radius;
  body.carried = true;
  body.normal_force = [](double) { return 9.81; };
  for (const double start : {0.3, fixed_point, 2.0}) {
    const PlanarOptions options{.duration = 0.3, .interval = 1e-4};
    const auto run =
        simulate(body, Distributed::make({friction, patch}), {.velocity = {0.6, 0, 0.6 / start / radius}}, options);
    double slides = 0;
    double spins = 0;
    double ratio = 0;
    for (const PlanarRow& row : run.rows) {
      const double v = row.state.velocity.x;
      const double w = radius * row.state.velocity.spin;
      slides = v > 2e-3 ? row.time : slides;
      spins = w > 2e-3 ? row.time : spins;
      ratio = v > 5e-3 ? v / w : ratio;
    }
    EXPECT_NEAR(slides, spins, 1e-3) << start;
    EXPECT_LT(std::abs(std::log(ratio / fixed_point)), 0.5 * std::abs(std::log(start / fixed_point)) + 0.005) << start;
  }
}

TEST(PlanarBody, BadInputIsNamed) {
  PlanarBody body;
  body.normal_force = [](double) { return 1.0; };
  const auto friction = Distributed::make({planar::preset::waltersson_p1(), Patch(paper::square(3))});
  EXPECT_THROW(simulate(body, friction, {}, {}), InvalidParameter);
}

TEST(PlanarBodyInput, ThatIsNotANumberIsRefusedByName) {
  const auto many = Distributed::make({planar::preset::waltersson_p0(), Patch(planar::disc_points(0.01, 2, 5))});
  const Patch square(paper::square());
  const auto three = Reduced<SurfaceTable>::make(
      {planar::preset::waltersson_p0(), square.pressure_moments(), SurfaceTable(square, 8)});
  const double nan = std::nan("");
  const auto refusal = [&](auto change) {
    PlanarBody body{.mass = 1, .inertia = 1e-3, .carried = true};
    body.normal_force = [](double) { return 1.0; };
    PlanarState start;
    PlanarOptions options{.duration = 0.02, .interval = 0.01};
    change(body, start, options);
    std::string first;
    std::string second;
    try {
      simulate(body, many, start, options);
    } catch (const InvalidParameter& problem) {
      first = problem.problem().field;
    }
    try {
      simulate(body, three, start, options);
    } catch (const InvalidParameter& problem) {
      second = problem.problem().field;
    }
    EXPECT_EQ(first, second);
    return first;
  };
  EXPECT_EQ(refusal([](auto&, auto&, auto&) {}), "");
  EXPECT_EQ(refusal([](auto& body, auto&, auto&) { body.normal_force = {}; }), "normal_force");
  EXPECT_EQ(refusal([&](auto& body, auto&, auto&) { body.normal_force = [=](double) { return nan; }; }),
            "normal_force(t)");
  EXPECT_EQ(refusal([&](auto& body, auto&, auto&) {
              body.load = [=](double t) { return planar::Wrench{0, t > 0.01 ? nan : 0, 0}; };
            }),
            "load(t)");
  EXPECT_EQ(refusal([&](auto& body, auto&, auto&) { body.gravity.y = nan; }), "gravity");
  EXPECT_EQ(refusal([&](auto& body, auto&, auto&) { body.contact.x = infinity; }), "contact");
  EXPECT_EQ(refusal([&](auto&, auto& start, auto&) { start.velocity.spin = nan; }), "velocity");
  EXPECT_EQ(refusal([&](auto&, auto& start, auto&) { start.position.x = nan; }), "position");
  EXPECT_EQ(refusal([&](auto&, auto& start, auto&) { start.angle = nan; }), "angle");
  EXPECT_EQ(refusal([&](auto&, auto&, auto& options) { options.max_step = nan; }), "max_step");
  EXPECT_EQ(refusal([&](auto&, auto&, auto& options) { options.absolute_tolerance = 0; }), "absolute_tolerance");
  EXPECT_EQ(refusal([&](auto&, auto&, auto& options) { options.interval = 1e-12; }), "duration/interval");
}

/// A disc that slides under a load of 2 N, which is so large that nothing stays finite for some of its calls, from the
/// hundredth on: shorter steps do not help.
PlanarRun under_bad_load(long bad_calls) {
  PlanarBody body{.mass = 1e-3, .inertia = 1e-6, .carried = true};
  body.normal_force = [](double) { return 1.0; };
  body.load = [calls = 0L, bad_calls](double) mutable {
    ++calls;
    return Wrench{calls > 100 && calls <= 100 + bad_calls ? 1e307 : 2.0, 0, 0};
  };
  const auto friction = Distributed::make({planar::preset::waltersson_p0(), Patch(planar::disc_points(0.01, 1, 4))});
  return simulate(body, friction, {}, {.duration = 0.02, .interval = 1e-3});
}

TEST(PlanarFallback, RestartsAndLowerOrdersArriveAndAreNoted) {
  const double right = under_bad_load(0).rows.back().state.position.x;
  std::set<std::string> helped;
  for (long bad_calls = 1;; ++bad_calls) {
    try {
      const PlanarRun run = under_bad_load(bad_calls);
      EXPECT_EQ(run.rows.size(), 20U);
      EXPECT_NEAR(run.rows.back().state.position.x, right, 1e-5 * right);
      EXPECT_EQ(run.solver, "cvode");
      helped.insert(run.note.substr(std::min(run.note.size(), run.note.find("): "))));
    } catch (const SolverFailure&) {
      break;  // nothing has helped
    }
  }
  EXPECT_EQ(helped, (std::set<std::string>{"", "): it was restarted there", "): it went on with orders 1 and 2"}));
}

TEST(PlanarFallback, WhatNothingHelpsIsOneLine) {
  try {
    under_bad_load(1'000'000'000);
    FAIL();
  } catch (const SolverFailure& failure) {
    const std::string line = failure.what();
    EXPECT_EQ(line.substr(0, 21), "cvode gave up at t = ");
    EXPECT_EQ(line.substr(line.find(" s ")), " s (the rates are not finite)");
  }
}

TEST(PlanarFallback, StepsThatLeadNowhereAreAFailure) {
  PlanarBody body{.mass = 1, .inertia = 1e-3, .carried = true};
  body.normal_force = [](double) { return 1.0; };
  body.load = [calls = 0.0](double t) mutable {  // another one for each call: no step is short enough
    calls += 1;
    return Wrench{t > 5e-3 ? 1e6 * std::sin(calls * calls) : 2.0, 0, 0};
  };
  const auto friction = Distributed::make({planar::preset::waltersson_p0(), Patch(planar::disc_points(0.01, 1, 4))});
  try {
    simulate(body, friction, {}, {.duration = 0.02, .interval = 1e-3, .max_steps = 1'000'000});
    FAIL();
  } catch (const SolverFailure& failure) {
    EXPECT_STREQ(failure.what(), "cvode gave up at t = 0.005 s (its steps became too short)");
  }
}

}  // namespace
}  // namespace stiction::sim
