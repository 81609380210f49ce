// Nonlinear least squares with bounds, by Ceres.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <span>
#include <vector>

namespace stiction::identify {

using Jacobian = Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;

struct LeastSquares {
  std::vector<double> start, lower, upper;
  std::size_t residuals = 0;
  /// Writes the residuals and, where it is wanted, their derivatives.
  std::function<void(std::span<const double> at, std::span<double> residuals, Jacobian* jacobian)> evaluate;
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
