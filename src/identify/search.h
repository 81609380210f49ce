// A search in progress: the numbers of one model for all data, within its budget.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fitting.h"
#include "least_squares.h"
#include "problem.h"

namespace stiction::identify {

struct Search {
  const std::string& name;  // of the model
  const Engine& engine;
  std::vector<Prepared>& prepared;
  std::vector<SteadyPoint>& steady;
  const Options& options;
  Effort effort;
  Budget& budget;
  Problem problem;
  LeastSquares task = problem.least_squares();  // its start is where the search continues
  Solution solution = {};                       // the last one found
  bool exhausted = false;                       // the budget ended it

  /// A search that has come close may continue for longer.
  void allow_more_if_close() const;
  /// Continues from the start of `task`, and updates it with the end point.
  void solve(int max_iterations);
  /// Sum of squared residuals at a point; infinite if the model cannot be simulated or the budget is exhausted.
  [[nodiscard]] double cost_of(const std::vector<double>& at) const;
  /// The value of one of the model's parameters, if it has it.
  [[nodiscard]] std::optional<double> value_of(const std::string& parameter, const std::vector<double>& values) const;
  /// Whether the residuals are negligible relative to the signals, however low the sensors' noise.
  [[nodiscard]] bool small_beside_signals() const;
};

/// Sizes of one part's residuals.
std::vector<double> sizes_of(const Solution& solution, const Problem::Part& part);

}  // namespace stiction::identify
