#include "least_squares.h"

#include <ceres/ceres.h>

#include <algorithm>
#include <cmath>

namespace stiction::identify {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

class Cost final : public ceres::CostFunction {
 public:
  explicit Cost(const LeastSquares& problem) : problem_(problem) {
    set_num_residuals(static_cast<int>(problem.residuals));
    mutable_parameter_block_sizes()->push_back(static_cast<int>(problem.start.size()));
  }

  bool Evaluate(double const* const* parameters, double* residuals, double** jacobians) const override {
    const std::size_t numbers = problem_.start.size();
    const auto n = static_cast<Eigen::Index>(problem_.residuals);
    const std::span<const double> at(parameters[0], numbers);
    Eigen::Map<Eigen::VectorXd> r(residuals, n);
    if (jacobians == nullptr || jacobians[0] == nullptr) {
      problem_.evaluate(at, {residuals, problem_.residuals}, nullptr);
      return r.allFinite();
    }
    Jacobian jacobian(jacobians[0], n, static_cast<Eigen::Index>(numbers));
    if (std::equal(at.begin(), at.end(), last_.at.begin(),
                   last_.at.end())) {  // Ceres asks twice where there are bounds
      r = last_.residuals;
      jacobian = last_.jacobian;
      return true;
    }
    problem_.evaluate(at, {residuals, problem_.residuals}, &jacobian);
    if (!r.allFinite() || !jacobian.allFinite()) {
      return false;
    }
    last_ = {{at.begin(), at.end()}, r, jacobian};
    return true;
  }

 private:
  struct Evaluated {
    std::vector<double> at;
    Eigen::VectorXd residuals;
    RowMajor jacobian;
  };
  const LeastSquares& problem_;
  mutable Evaluated last_;
};

class Report final : public ceres::IterationCallback {
 public:
  explicit Report(const LeastSquares& problem) : problem_(problem) {}
  ceres::CallbackReturnType operator()(const ceres::IterationSummary& summary) override {
    if (problem_.progress) {
      problem_.progress(std::min(1.0, (summary.iteration + 1.0) / 15));
    }
    return ceres::SOLVER_CONTINUE;
  }

 private:
  const LeastSquares& problem_;
};

}  // namespace

Solution minimise(const LeastSquares& problem) {
  Solution solution;
  solution.at = problem.start;
  Cost cost(problem);
  ceres::Problem::Options ownership;
  ownership.cost_function_ownership = ceres::DO_NOT_TAKE_OWNERSHIP;
  ceres::Problem ceres_problem(ownership);
  ceres_problem.AddResidualBlock(&cost, nullptr, solution.at.data());
  for (std::size_t i = 0; i < problem.start.size(); ++i) {
    const int index = static_cast<int>(i);
    if (std::isfinite(problem.lower[i])) {
      ceres_problem.SetParameterLowerBound(solution.at.data(), index, problem.lower[i]);
    }
    if (std::isfinite(problem.upper[i])) {
      ceres_problem.SetParameterUpperBound(solution.at.data(), index, problem.upper[i]);
    }
  }
  Report report(problem);
  ceres::Solver::Options options;
  options.linear_solver_type = ceres::DENSE_NORMAL_CHOLESKY;
  options.max_num_iterations = problem.most_iterations;
  options.function_tolerance = problem.tolerance;
  options.parameter_tolerance = 1e-9;
  options.logging_type = ceres::SILENT;
  options.callbacks.push_back(&report);
  ceres::Solver::Summary summary;
  ceres::Solve(options, &ceres_problem, &summary);
  solution.converged = summary.termination_type == ceres::CONVERGENCE;

  const auto n = static_cast<Eigen::Index>(problem.residuals);
  solution.residuals.resize(n);
  RowMajor jacobian(n, static_cast<Eigen::Index>(problem.start.size()));
  const double* at = solution.at.data();
  double* rows = jacobian.data();
  solution.converged = cost.Evaluate(&at, solution.residuals.data(), &rows) && solution.converged;
  solution.jacobian = jacobian;
  return solution;
}

}  // namespace stiction::identify
