// Starting points of the search for a model's numbers.
#pragma once

#include <optional>
#include <vector>

#include "problem.h"

namespace stiction::identify {

struct Starts {
  Guess best;
  std::vector<Guess> others;  // up to two that are not much worse, with a very different inertia
};

/// The guesses of inertia, damping and stiffness that reproduce the recordings best. None if the model cannot be
/// simulated with any of them, or the budget ends before one is found.
std::optional<Starts> find_starts(const Engine& engine, std::vector<Prepared>& prepared,
                                  std::vector<SteadyPoint>& steady, const Guess& guess, const Options& options,
                                  Budget& budget);

}  // namespace stiction::identify
