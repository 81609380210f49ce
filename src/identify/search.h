// A search under way: the numbers of one model along all data, within its budget.
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
  LeastSquares task = problem.least_squares();  // its start is where the search goes on
  Solution solution = {};                       // found last
  bool exhausted = false;                       // the budget ended it

  /// One that has come close may go on for longer.
  void allow_more_if_close() const;
  /// Goes on from the start of `task`, and leaves it where it ended.
  void solve(int max_iterations);
  /// Sum of the squared residuals there; infinite where the model cannot be simulated or the budget is spent.
  [[nodiscard]] double cost_of(const std::vector<double>& at) const;
  /// Of one of the model's parameters, where it has it.
  [[nodiscard]] std::optional<double> value_of(const std::string& parameter, const std::vector<double>& values) const;
  /// Whether the residuals are next to nothing beside what was measured, however quiet the sensors are.
  [[nodiscard]] bool small_beside_signals() const;
};

/// Sizes of one part's residuals.
std::vector<double> sizes_of(const Solution& solution, const Problem::Part& part);

}  // namespace stiction::identify
