// Nonlinear least squares with bounds, by Ceres.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <span>
#include <vector>

#include "stiction/problem.h"

namespace stiction::identify {

using Jacobian = Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;

struct LeastSquares {
  std::vector<double> start, lower, upper;
  std::size_t residuals = 0;
  /// Writes the residuals and, if requested, their derivatives. May throw to stop.
  std::function<void(std::span<const double> at, std::span<double> residuals, Jacobian* jacobian)> evaluate;
  std::function<bool()> stop;  // called before each evaluation: true ends the search at the current point
  int max_iterations = 50;
  double tolerance = 1e-7;  // relative change of the cost at which the search ends
};

/// Unless `finite`, only `at` is valid: the problem cannot be evaluated there.
struct Solution {
  std::vector<double> at;
  Eigen::VectorXd residuals;
  Eigen::MatrixXd jacobian;
  bool finite = false;
  bool converged = false;
  [[nodiscard]] double cost() const { return finite ? residuals.squaredNorm() : infinity; }
};

/// Whether residuals can be squared and summed.
bool usable(std::span<const double> residuals);

/// From the start, or the nearest point within the bounds. Only throws what `evaluate` throws.
Solution minimise(const LeastSquares& problem);

}  // namespace stiction::identify
