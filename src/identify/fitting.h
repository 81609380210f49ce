// The search for one model's numbers: starts, drives, steps, outliers, doubts.
#pragma once

#include "prepare.h"
#include "stiction/identify/identify.h"

namespace stiction::identify {

/// Fits one model. `spikes`: samples that were left out beforehand.
Fit fit_model(const std::string& model, std::vector<Prepared> prepared, std::size_t spikes,
              std::vector<SteadyPoint> steady, const Guess& guess, const Options& options);

}  // namespace stiction::identify
