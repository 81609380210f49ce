#include "stiction/sim/planar_steps.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "stiction/planar/shapes.h"
#include "stiction/sim/planar_body.h"

namespace stiction::sim::planar_steps_test {
namespace {

using planar::Distributed;
using planar::Friction;
using planar::Patch;
using planar::Reduced;
using planar::SurfaceTable;

constexpr double mass = 0.2;
constexpr double inertia = mass / 12 * (0.15 * 0.15 + 0.08 * 0.08);
constexpr double duration = 1;

/// The paper's box in hand, case 2: it slips while the grip is loose, and is held when it is tight.
double grip(double t) { return 1.73 + 0.91 * std::sin(4 * std::numbers::pi * 0.01 * std::floor(t / 0.01 + 1e-9)); }

PlanarBody held_box() {
  PlanarBody body{.mass = mass, .inertia = inertia, .gravity = {0, -9.81}, .contacts = 2, .normal_force = grip};
  for (int i = 1; i < 100; ++i) {
    body.jumps.push_back(0.01 * i);
  }
  return body;
}

const PlanarOptions accurate{.duration = duration, .relative_tolerance = 1e-8, .absolute_tolerance = 1e-10};
const PlanarState start{.position = {0.002, 0}};

/// Where fixed steps end, and the worst residual.
template <class Contact>
double fixed_steps(Contact contact, double dt, double& residual) {
  PlanarSteps<Contact> steps({.mass = mass, .inertia = inertia, .contacts = 2}, std::move(contact));
  steps.position = start.position;
  for (int k = 0; k < std::lround(duration / dt); ++k) {
    steps.step({{0, -9.81 * mass, 0}, grip(k * dt)}, dt);
    residual = std::max(residual, steps.error());
  }
  return steps.position.y;
}

TEST(PlanarSteps, ThreeStatesConvergeToTheAccurateSolver) {
  const Patch patch(planar::paper::circle());
  const auto model =
      Reduced<SurfaceTable>::make({planar::preset::waltersson_p1(), patch.pressure_moments(), SurfaceTable(patch)});
  const double exact = simulate(held_box(), model, start, accurate).rows.back().state.position.y;
  ASSERT_LT(exact, -5e-3);  // it has slipped
  double residual = 0;
  const auto error = [&](double dt) {
    return std::abs(fixed_steps(ReducedContact<SurfaceTable>{model}, dt, residual) - exact);
  };
  EXPECT_LT(error(1e-2), 0.3 * std::abs(exact));
  EXPECT_LT(error(1e-3), 0.06 * std::abs(exact));
  EXPECT_LT(error(1e-4), 0.003 * std::abs(exact));
  EXPECT_LT(error(1e-5), 0.0005 * std::abs(exact));
  EXPECT_LT(residual, 1e-10);
}

TEST(PlanarSteps, ManyBristlesConvergeToTheAccurateSolver) {
  const auto model = Distributed::make({planar::preset::waltersson_p1(), Patch(planar::paper::circle())});
  const double exact = simulate(held_box(), model, start, accurate).rows.back().state.position.y;
  ASSERT_LT(exact, -5e-3);
  double residual = 0;
  EXPECT_NEAR(fixed_steps(DistributedContact(model), 1e-2, residual), exact, 0.2 * std::abs(exact));
  EXPECT_NEAR(fixed_steps(DistributedContact(model), 1e-3, residual), exact, 0.03 * std::abs(exact));
  EXPECT_LT(residual, 1e-10);
}

// A box that is pushed with half of what it takes to move it stays, however long the steps.
TEST(PlanarSteps, ALoadBelowBreakAwayIsHeld) {
  const Patch patch(planar::paper::square());
  const auto model =
      Reduced<SurfaceTable>::make({planar::preset::waltersson_p1(), patch.pressure_moments(), SurfaceTable(patch)});
  for (const double dt : {1e-4, 1e-3, 1e-2, 1e-1}) {
    PlanarSteps<ReducedContact<SurfaceTable>> steps({.mass = 1, .inertia = 1e-3, .carried = true}, {model});
    for (int k = 0; k < 1000; ++k) {
      steps.step({{2, 1, 0.01}, 5}, dt);
    }
    const planar::Point reached = steps.position;
    // μ_C f_N = 5 N bends the bristles by 1e-6 m
    EXPECT_LT(std::hypot(reached.x, reached.y), 1e-6) << dt;
    for (int k = 0; k < 1000; ++k) {
      steps.step({{2, 1, 0.01}, 5}, dt);
    }
    EXPECT_LT(std::hypot(steps.position.x - reached.x, steps.position.y - reached.y), 1e-12) << dt;
  }
}

// Whatever pushes, in steps of any length: friction takes energy out, and every step is solved or says by how much not.
TEST(PlanarSteps, RandomPushesGiveFiniteMotion) {
  std::mt19937 random(5);
  std::normal_distribution<double> any;
  std::uniform_real_distribution<double> part(0, 1);
  const Patch patch(planar::paper::gradient_line());
  int missed = 0;
  for (int run = 0; run < 60; ++run) {
    Friction friction = planar::preset::waltersson_p1();
    friction.stiffness = std::pow(10, 3 + 4 * part(random));
    friction.damping = 0.02 * std::sqrt(friction.stiffness) * part(random);
    friction.elasto_plastic = run % 2 == 0;
    const auto model = Reduced<SurfaceTable>::make({friction, patch.pressure_moments(), SurfaceTable(patch, 12)});
    PlanarSteps<ReducedContact<SurfaceTable>> steps({.mass = 0.1 + part(random), .inertia = 1e-4, .carried = true},
                                                    {model});
    const double dt = std::pow(10, -5 + 4 * part(random));
    for (int k = 0; k < 300; ++k) {
      const double normal = k % 50 < 5 ? 0 : 5 * part(random);  // lift-off now and then
      steps.step({{3 * any(random), 3 * any(random), 0.02 * any(random)}, normal}, dt);
      missed += steps.error() > 1e-6 ? 1 : 0;
      ASSERT_TRUE(std::isfinite(steps.position.x) && std::isfinite(steps.angle)) << run;
    }
  }
  EXPECT_LT(missed, 60 * 300 / 500);
}

// What cannot be solved shows, and is not kept ------------------------------------------------------------------------

using Slider = PlanarSteps<ReducedContact<planar::SurfaceTable>>;

Slider slider(const planar::Patch& patch = planar::Patch(planar::paper::square()),
              Slider::Body body = {.mass = 1, .inertia = 1e-3, .carried = true}) {
  return {body,
          {planar::Reduced<planar::SurfaceTable>::make(
              {planar::preset::waltersson_p1(), patch.pressure_moments(), planar::SurfaceTable(patch, 8)})}};
}

TEST(PlanarSteps, InputThatIsNotANumberMovesNothingAndShows) {
  const double nan = std::nan("");
  const std::vector<std::pair<PlanarInput, double>> bad{
      {{{nan, 0, 0}, 10}, 1e-3}, {{{0, nan, 0}, 10}, 1e-3},      {{{0, 0, nan}, 10}, 1e-3},
      {{{1, 0, 0}, nan}, 1e-3},  {{{1, 0, 0}, 10}, nan},         {{{1, 0, 0}, -1}, 1e-3},
      {{{1, 0, 0}, 10}, -1e-3},  {{{infinity, 0, 0}, 10}, 1e-3}, {{{1, 0, 0}, infinity}, 1e-3}};
  const auto expect_kept = [&](auto steps) {
    steps.velocity = {0.1, 0, 1};
    const planar::Wrench before = steps.step({{1, 0, 0}, 10}, 1e-3);
    EXPECT_LT(before.x, 0);
    auto other = steps;
    for (const auto& [input, dt] : bad) {
      const planar::Wrench w = steps.step(input, dt);
      EXPECT_TRUE(std::isnan(w.x) && std::isnan(w.y) && std::isnan(w.torque));
      EXPECT_TRUE(std::isnan(steps.error()));
      EXPECT_EQ(steps.velocity, other.velocity);
      EXPECT_EQ(steps.position, other.position);
    }
    EXPECT_EQ(steps.step({{1, 0, 0}, 10}, 1e-3), other.step({{1, 0, 0}, 10}, 1e-3));  // as if nothing had been
    EXPECT_LT(steps.error(), 1e-9);
  };
  expect_kept(slider());
  const auto many =
      planar::Distributed::make({planar::preset::waltersson_p1(), planar::Patch(planar::disc_points(0.01, 2, 5))});
  expect_kept(PlanarSteps<DistributedContact>({.mass = 1, .inertia = 1e-3, .carried = true}, DistributedContact(many)));
}

TEST(PlanarSteps, LoadsBeyondAllNumbersShowAndAreNotKept) {
  auto steps = slider();
  for (const double load : {1e200, 1e300, 1e308}) {
    steps.step({{load, -load, load}, 10}, 1e3);
    const bool solved = std::isfinite(steps.error());
    EXPECT_TRUE(std::isfinite(steps.velocity.x) && std::isfinite(steps.velocity.spin)) << load;
    EXPECT_TRUE(solved || std::isnan(steps.error())) << load;
  }
  steps.velocity = {1, std::nan(""), 0};
  EXPECT_TRUE(std::isnan(steps.step({{}, 10}, 1e-3).x));
  EXPECT_TRUE(std::isnan(steps.error()));
}

TEST(PlanarSteps, ABadBodyIsRefused) {
  const planar::Patch patch(planar::paper::square());
  const double nan = std::nan("");
  for (const double bad : {0.0, -1.0, nan, infinity}) {
    EXPECT_THROW(slider(patch, {.mass = bad, .inertia = 1}), InvalidParameter);
    EXPECT_THROW(slider(patch, {.mass = 1, .inertia = bad}), InvalidParameter);
  }
  for (const int bad : {0, -1}) {
    EXPECT_THROW(slider(patch, {.mass = 1, .inertia = 1, .contacts = bad}), InvalidParameter);
  }
  EXPECT_THROW(slider(patch, {.mass = 1, .inertia = 1, .at = {nan, 0}}), InvalidParameter);
  EXPECT_THROW(slider(patch, {.mass = 1, .inertia = 1, .at = {0, infinity}}), InvalidParameter);
}

/// `at` is the patch's origin, as PlanarBody's `contact`: a patch that lies elsewhere in its own frame, put back by
/// `at`, is the same contact; and the accurate solver agrees.
TEST(PlanarSteps, AtIsThePatchsOrigin) {
  const planar::Patch line(planar::paper::gradient_line());
  ASSERT_GT(line.centre_of_pressure().y, 1e-3);
  const planar::Patch moved = line.moved({0.03, -0.02});
  for (const bool carried : {false, true}) {
    auto here = slider(line, {.mass = 0.2, .inertia = 1e-4, .carried = carried, .at = {0.005, 0.001}});
    auto there = slider(moved, {.mass = 0.2, .inertia = 1e-4, .carried = carried, .at = {-0.025, 0.021}});
    PlanarBody body{.mass = 0.2, .inertia = 1e-4, .carried = carried, .contact = {0.005, 0.001}};
    body.load = [](double) { return planar::Wrench{0.5, -1.5, 0.002}; };
    body.normal_force = [](double) { return 1.0; };
    const auto reference = simulate(body, here.contact.model, {}, {.duration = 0.02, .interval = 0.02});
    planar::Wrench a;
    planar::Wrench b;
    for (int k = 0; k < 2000; ++k) {
      a = here.step({{0.5, -1.5, 0.002}, 1}, 1e-5);
      b = there.step({{0.5, -1.5, 0.002}, 1}, 1e-5);
    }
    EXPECT_NEAR(here.position.x, there.position.x, 1e-12);
    EXPECT_NEAR(here.angle, there.angle, 1e-11);
    // The torque is about the patch's origin, which lies elsewhere.
    const planar::Wrench seen = planar::at_point(b, {}, {0.03, -0.02});
    EXPECT_NEAR(a.x, seen.x, 1e-9);
    EXPECT_NEAR(a.torque, seen.torque, 1e-9);
    const PlanarRow& row = reference.rows.back();
    EXPECT_NEAR(here.position.x, row.state.position.x, 2e-3 * std::abs(row.state.position.x));
    EXPECT_NEAR(here.angle, row.state.angle, 2e-3 * std::abs(row.state.angle));
    EXPECT_NEAR(a.torque, row.wrench.torque, 2e-2 * std::abs(row.wrench.torque));
  }
}

}  // namespace
}  // namespace stiction::sim::planar_steps_test
