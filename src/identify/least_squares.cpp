#include "least_squares.h"

#include <ceres/ceres.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <thread>

namespace stiction::identify {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Runs job(i) for i < count on all cores.
template <class Job>
void in_parallel(int count, const Job& job) {
  std::atomic<int> next = 0;
  const auto work = [&] {
    for (int i = next++; i < count; i = next++) {
      job(i);
    }
  };
  std::vector<std::thread> others;
  const int threads = std::min<int>(count, static_cast<int>(std::max(1U, std::thread::hardware_concurrency())));
  others.reserve(static_cast<std::size_t>(threads));
  for (int i = 1; i < threads; ++i) {
    others.emplace_back(work);
  }
  work();
  for (std::thread& other : others) {
    other.join();
  }
}

class Differences final : public ceres::CostFunction {
 public:
  explicit Differences(const LeastSquares& problem) : problem_(problem) {
    set_num_residuals(static_cast<int>(problem.residuals));
    mutable_parameter_block_sizes()->push_back(static_cast<int>(problem.start.size()));
  }

  bool Evaluate(double const* const* parameters, double* residuals, double** jacobians) const override {
    const std::size_t numbers = problem_.start.size();
    const auto n = static_cast<Eigen::Index>(problem_.residuals);
    const std::span<const double> at(parameters[0], numbers);
    Eigen::Map<Eigen::VectorXd> r(residuals, n);
    const bool known = std::equal(at.begin(), at.end(), last_.at.begin(), last_.at.end());
    if (known && jacobians != nullptr && jacobians[0] != nullptr) {  // Ceres asks twice where there are bounds
      r = last_.residuals;
      Eigen::Map<RowMajor>(jacobians[0], n, static_cast<Eigen::Index>(numbers)) = last_.jacobian;
      return true;
    }
    problem_.evaluate(at, -1, {residuals, problem_.residuals});
    if (!r.allFinite()) {
      return false;
    }
    if (jacobians != nullptr && jacobians[0] != nullptr) {
      Eigen::Map<RowMajor> jacobian(jacobians[0], n, static_cast<Eigen::Index>(numbers));
      in_parallel(static_cast<int>(numbers), [&](int i) {
        const auto number = static_cast<std::size_t>(i);
        std::vector<double> nudged(at.begin(), at.end());
        const double h = at[number] + problem_.step[number] > problem_.upper[number] ? -problem_.step[number]
                                                                                     : problem_.step[number];
        nudged[number] += h;
        Eigen::VectorXd changed = r;
        problem_.evaluate(nudged, i, {changed.data(), problem_.residuals});
        jacobian.col(i) = (changed - r) / h;
      });
      if (!jacobian.allFinite()) {
        return false;
      }
      last_ = {{at.begin(), at.end()}, r, jacobian};
    }
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
  Differences cost(problem);
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
