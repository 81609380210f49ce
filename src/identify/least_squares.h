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
  /// Writes the residuals and, where it is wanted, their derivatives. May throw to stop the work.
  std::function<void(std::span<const double> at, std::span<double> residuals, Jacobian* jacobian)> evaluate;
  std::function<bool()> stop;  // asked before each evaluation: true ends the search where it is
  int max_iterations = 50;
  double tolerance = 1e-7;  // relative change of the cost at which the search ends
};

/// Without `finite` nothing but `at` is known: the problem cannot be evaluated there.
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

/// From the start, or the nearest point within the bounds. Throws nothing but what `evaluate` throws.
Solution minimise(const LeastSquares& problem);

}  // namespace stiction::identify
