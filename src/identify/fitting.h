// The search for one model's numbers: starts, drives, steps, outliers, doubts.
#pragma once

#include "prepare.h"
#include "stiction/identify/identify.h"

namespace stiction::identify {

/// Steps that a search may simulate, with LuGre's for measure; one that needs more is given up.
struct Effort {
  std::size_t usual = 0;  // after the starts
  std::size_t close = 0;  // in all, once the residual is below twice the noise
};

/// Fits one model. `spikes`: samples that were left out beforehand. `before`: a fit of the model to other data, to
/// start from.
Fit fit_model(const std::string& model, std::vector<Prepared> prepared, std::size_t spikes,
              std::vector<SteadyPoint> steady, Guess guess, const Options& options, const Effort& effort,
              const Fit* before = nullptr);

}  // namespace stiction::identify
