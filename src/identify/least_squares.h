// Nonlinear least squares with bounds: Ceres, with derivatives by differences that run on all cores.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <span>
#include <vector>

namespace stiction::identify {

struct LeastSquares {
  std::vector<double> start, lower, upper;
  std::vector<double> step;  // of the differences
  std::size_t residuals = 0;
  /// Writes the residuals that depend on one number (from 0), or all for −1. May be called from several threads at
  /// once.
  std::function<void(std::span<const double> at, int number, std::span<double> residuals)> evaluate;
  std::function<void(double fraction)> progress;  // may throw to stop
  int most_iterations = 50;
  double tolerance = 1e-7;  // relative change of the cost at which the search ends
};

struct Solution {
  std::vector<double> at;
  Eigen::VectorXd residuals;
  Eigen::MatrixXd jacobian;
  bool converged = false;
  [[nodiscard]] double cost() const { return residuals.squaredNorm(); }
};

Solution minimise(const LeastSquares& problem);

}  // namespace stiction::identify
