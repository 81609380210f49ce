// Where the search for a model's numbers begins.
#pragma once

#include <optional>
#include <vector>

#include "problem.h"

namespace stiction::identify {

struct Starts {
  Guess best;
  std::vector<Guess> others;  // up to two that are not much worse, with quite another inertia
};

/// The guesses for inertia, damping and stiffness with which the recordings are followed best. Nothing where the model
/// cannot be simulated with any of them, or the budget ends before one is found.
std::optional<Starts> find_starts(const Engine& engine, std::vector<Prepared>& prepared,
                                  std::vector<SteadyPoint>& steady, const Guess& guess, const Options& options,
                                  Budget& budget);

}  // namespace stiction::identify
