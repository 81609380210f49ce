// The search for one model's numbers: starts, drives, steps, outliers, doubts.
#pragma once

#include "prepare.h"
#include "stiction/identify/identify.h"

namespace stiction::identify {

/// Fits one model. `spikes`: samples that were left out beforehand. `most_work`: steps of the simulation, with LuGre's
/// for measure; a search that needs more is given up. `before`: a fit
/// of the model to other data, to start from.
Fit fit_model(const std::string& model, std::vector<Prepared> prepared, std::size_t spikes,
              std::vector<SteadyPoint> steady, const Guess& guess, const Options& options, std::size_t most_work,
              const Fit* before = nullptr);

}  // namespace stiction::identify
