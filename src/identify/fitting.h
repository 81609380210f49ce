// The fit of one model: starts, drives, time steps, outliers, uncertainty.
#pragma once

#include "prepare.h"
#include "stiction/identify/identify.h"

namespace stiction::identify {

/// Limits on the simulated steps of a search, in LuGre steps; a search that needs more is abandoned.
struct Effort {
  std::size_t usual = 0;  // after the starts
  std::size_t close = 0;  // in total, once the residual is below twice the noise
};

/// Fits one model. `spikes`: samples that were already excluded. `before`: a fit of the model to other data, to
/// start from.
Fit fit_model(const std::string& model, std::vector<Prepared> prepared, std::size_t spikes,
              std::vector<SteadyPoint> steady, Guess guess, const Options& options, const Effort& effort,
              const Fit* before = nullptr);

}  // namespace stiction::identify
