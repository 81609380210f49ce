// Stick-slip of a mass on a spring with static and Coulomb friction has a closed solution.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "stiction/scalar/registry.h"
#include "stiction/sim/line.h"

namespace stiction::sim::stick_slip_test {
namespace {

constexpr double mass = 0.7;
constexpr double stiffness = 5;
constexpr double pull = 0.3;  // speed of the spring's far end
constexpr double coulomb_force = 1;
constexpr double static_force = 1.8;

/// Position at time t. With s the spring's force above F_C over k: it rises by `pull` while the mass sticks, and
/// swings as s'' = −ω² s while it slips, from (F_S − F_C)/k to −(F_S − F_C)/k.
double stick_slip_position(double t) {
  const double omega = std::sqrt(stiffness / mass);
  const double s0 = (static_force - coulomb_force) / stiffness;
  const double slip_time = 2 / omega * (std::numbers::pi - std::atan(omega * s0 / pull));
  const double stick_time = 2 * s0 / pull;
  const double first_slip = static_force / stiffness / pull;
  if (t < first_slip) {
    return 0;
  }
  const double period = slip_time + stick_time;
  const double cycle = std::floor((t - first_slip) / period);
  const double within = t - first_slip - cycle * period;
  const double slip = std::min(within, slip_time);
  const double s = s0 * std::cos(omega * slip) + pull / omega * std::sin(omega * slip);
  const double end_of_slip = first_slip + cycle * period + slip;
  return pull * end_of_slip - s - coulomb_force / stiffness;
}

Trajectory run(Method method, double step, double tolerance = 1e-9) {
  const auto model = scalar::Stiction::make({.coulomb_force = coulomb_force, .static_force = static_force});
  const Load load{.spring = Spring{.stiffness = stiffness, .anchor = Ramp{0, 1000 * pull, 0, 1000}}};
  return simulate(
      model, {.mass = mass}, load,
      {.method = method, .duration = 30, .output_interval = 1e-2, .step = step, .relative_tolerance = tolerance});
}

double worst_error(const Trajectory& trajectory) {
  double worst = 0;
  for (std::size_t i = 0; i < trajectory.time.size(); ++i) {
    worst = std::max(worst, std::abs(trajectory.position[i] - stick_slip_position(trajectory.time[i])));
  }
  return worst;
}

TEST(StickSlip, AccurateSolverFollowsTheClosedSolution) {
  EXPECT_LT(worst_error(run(Method::cvode, 1)), 2e-6);
  const auto trajectory = run(Method::cvode, 1, 1e-11);
  EXPECT_LT(worst_error(trajectory), 5e-8);
  int stuck = 0;
  for (std::size_t i = 0; i < trajectory.time.size(); ++i) {
    stuck += trajectory.velocity[i] == 0.0 ? 1 : 0;
  }
  EXPECT_GT(stuck, 1000);
}

TEST(StickSlip, FixedStepsConverge) {
  const double coarse = worst_error(run(Method::backward_euler, 1e-3));
  const double fine = worst_error(run(Method::backward_euler, 1e-4));
  EXPECT_LT(fine, coarse / 5);
  EXPECT_LT(fine, 2e-3);
  EXPECT_LT(worst_error(run(Method::sdirk2, 1e-3)), coarse / 2);
}

}  // namespace
}  // namespace stiction::sim::stick_slip_test
