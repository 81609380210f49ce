#include "../../src/sim/rosenbrock.h"

#include <gtest/gtest.h>

#include <cmath>

namespace stiction::sim {
namespace {

/// A van der Pol oscillator that is pushed.
std::array<double, 2> oscillator(double t, const std::array<double, 2>& y) {
  return {y[1], 5 * (1 - y[0] * y[0]) * y[1] - y[0] + std::sin(3 * t)};
}
using Solver = Rosenbrock<2, std::array<double, 2> (*)(double, const std::array<double, 2>&)>;

double end_of(double tolerance, double fixed_step) {
  Solver solver(oscillator, 0, {2, 0}, {tolerance, {tolerance, tolerance}, {1e-7, 1e-7}, fixed_step});
  while (solver.time() < 5) {
    solver.step(5);
  }
  return solver.y()[0];
}

TEST(Rosenbrock, IsOfFourthOrder) {
  const double exact = end_of(1e-12, 1);
  const double coarse = std::abs(end_of(1e9, 0.02) - exact);
  const double fine = std::abs(end_of(1e9, 0.01) - exact);
  EXPECT_GT(std::log2(coarse / fine), 3.6);
  EXPECT_LT(coarse, 1e-7);
}

TEST(Rosenbrock, KeepsItsTolerance) {
  const double exact = end_of(1e-12, 1);
  for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
    EXPECT_LT(std::abs(end_of(tolerance, 1) - exact), tolerance) << tolerance;
  }
}

TEST(Rosenbrock, FastDecayDoesNotLimitTheStep) {
  // dy/dt = −1e8 (y − cos t): explicit steps would need 5e7 of them
  const auto rate = [](double t, const std::array<double, 1>& y) {
    return std::array<double, 1>{-1e8 * (y[0] - std::cos(t))};
  };
  Rosenbrock<1, decltype(rate)> solver(rate, 0, {1}, {1e-6, {1e-8}, {1e-7}, 1});
  while (solver.time() < 1) {
    solver.step(1);
  }
  EXPECT_NEAR(solver.y()[0], std::cos(1.0), 1e-6);
  EXPECT_LT(solver.steps_taken(), 200);
}

TEST(Rosenbrock, GivesUpWhereTheRateIsNoNumber) {
  const auto rate = [](double t, const std::array<double, 1>&) {
    return std::array<double, 1>{t > 0.5 ? std::nan("") : 1.0};
  };
  Rosenbrock<1, decltype(rate)> solver(rate, 0, {0}, {1e-6, {1e-8}, {1e-7}, 1});
  EXPECT_THROW(
      while (solver.time() < 1) { solver.step(1); }, SolverFailure);
}

}  // namespace
}  // namespace stiction::sim
