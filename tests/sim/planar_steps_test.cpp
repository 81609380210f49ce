#include "stiction/sim/planar_steps.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "stiction/planar/shapes.h"
#include "stiction/sim/planar_body.h"

namespace stiction::sim {
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
  const auto model = Reduced<SurfaceTable>::make(planar::preset::waltersson_p1(), patch, SurfaceTable(patch));
  const double exact = simulate(held_box(), model, {}, start, accurate).rows.back().state.position.y;
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
  const Distributed model(planar::preset::waltersson_p1(), Patch(planar::paper::circle()));
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
  const auto model = Reduced<SurfaceTable>::make(planar::preset::waltersson_p1(), patch, SurfaceTable(patch));
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
    const auto model = Reduced<SurfaceTable>::make(friction, patch, SurfaceTable(patch, 12));
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

}  // namespace
}  // namespace stiction::sim
