#include "least_squares.h"

#include <ceres/ceres.h>
#include <glog/logging.h>

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

  void end_search() { searching_ = false; }  // evaluations from now on are always performed

  bool Evaluate(double const* const* parameters, double* residuals, double** jacobians) const override {
    const std::size_t numbers = problem_.start.size();
    const auto n = static_cast<Eigen::Index>(problem_.residuals);
    const std::span<const double> at(parameters[0], numbers);
    Eigen::Map<Eigen::VectorXd> r(residuals, n);
    if (searching_ && problem_.stop && problem_.stop()) {
      return false;
    }
    if (jacobians == nullptr || jacobians[0] == nullptr) {
      if (at_same_point(at, tried_.at)) {  // Ceres evaluates the end of its line search again
        r = tried_.residuals;
        return true;
      }
      problem_.evaluate(at, {residuals, problem_.residuals}, nullptr);
      if (!usable({residuals, problem_.residuals})) {
        return false;
      }
      tried_ = {{at.begin(), at.end()}, r, {}};
      return true;
    }
    Jacobian jacobian(jacobians[0], n, static_cast<Eigen::Index>(numbers));
    if (at_same_point(at, last_.at)) {  // Ceres evaluates twice if there are bounds
      r = last_.residuals;
      jacobian = last_.jacobian;
      return true;
    }
    problem_.evaluate(at, {residuals, problem_.residuals}, &jacobian);
    if (!usable({residuals, problem_.residuals}) || !jacobian.allFinite()) {
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
  static bool at_same_point(std::span<const double> a, std::span<const double> b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

  const LeastSquares& problem_;
  mutable Evaluated last_, tried_;  // with derivatives and without
  bool searching_ = true;
};

/// Suppresses Ceres's log: every outcome is in the solution.
class SilentLog {
 public:
  SilentLog() : before_(FLAGS_minloglevel) { FLAGS_minloglevel = google::GLOG_FATAL; }
  ~SilentLog() { FLAGS_minloglevel = before_; }
  SilentLog(const SilentLog&) = delete;
  SilentLog& operator=(const SilentLog&) = delete;

 private:
  int before_;
};

/// Whether Ceres can be called: with an invalid problem it would abort the process.
bool well_posed(const LeastSquares& problem) {
  const std::size_t n = problem.start.size();
  bool good = n > 0 && problem.residuals > 0 && problem.lower.size() == n && problem.upper.size() == n;
  for (std::size_t i = 0; i < n && good; ++i) {
    good = std::isfinite(problem.start[i]) && problem.lower[i] <= problem.upper[i];
  }
  return good;
}

}  // namespace

bool usable(std::span<const double> residuals) {
  constexpr double max_residual = 1e100;  // the sum of their squares is finite
  return std::all_of(residuals.begin(), residuals.end(), [](double r) { return std::abs(r) < max_residual; });
}

Solution minimise(const LeastSquares& problem) {
  Solution solution;
  solution.at = problem.start;
  if (!well_posed(problem)) {
    return solution;
  }
  for (std::size_t i = 0; i < problem.start.size(); ++i) {
    solution.at[i] = std::clamp(problem.start[i], problem.lower[i], problem.upper[i]);
  }
  const SilentLog silence;
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
  ceres::Solver::Options options;
  options.linear_solver_type = ceres::DENSE_NORMAL_CHOLESKY;
  options.max_num_iterations = problem.max_iterations;
  options.function_tolerance = problem.tolerance;
  options.parameter_tolerance = 1e-9;
  options.logging_type = ceres::SILENT;
  // With bounds Ceres does a line search along each step, which simulates everything for each trial; cubic
  // interpolation would need derivatives as well.
  options.max_num_line_search_step_size_iterations = 5;
  options.line_search_interpolation_type = ceres::QUADRATIC;
  ceres::Solver::Summary summary;
  ceres::Solve(options, &ceres_problem, &summary);
  solution.converged = summary.termination_type == ceres::CONVERGENCE;

  const auto n = static_cast<Eigen::Index>(problem.residuals);
  solution.residuals.resize(n);
  RowMajor jacobian(n, static_cast<Eigen::Index>(problem.start.size()));
  const double* at = solution.at.data();
  double* rows = jacobian.data();
  cost.end_search();
  solution.finite = cost.Evaluate(&at, solution.residuals.data(), &rows);
  solution.converged = solution.finite && solution.converged;
  solution.jacobian = jacobian;
  return solution;
}

}  // namespace stiction::identify
