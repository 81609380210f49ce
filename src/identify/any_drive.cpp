#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "simulated.h"
#include "stiction/scalar/coulomb.h"

namespace stiction::identify {
namespace {

double mean_square(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) {
    sum += value * value;
  }
  return sum / static_cast<double>(std::max<std::size_t>(1, values.size()));
}

/// Measured and predicted torque of one recording.
Channel channel_of(const MotionTrack& track, double noise) {
  Channel c{track.recording, "torque", "motion", track.time, track.torque, track.predicted};
  std::vector<double> residual(track.time.size());
  double neighbours = 0;
  for (std::size_t k = 0; k < residual.size(); ++k) {
    residual[k] = track.torque[k] - track.predicted[k];
    neighbours += k > 0 ? residual[k] * residual[k - 1] : 0;
  }
  const double square_of_all = mean_square(residual);
  c.noise = noise;
  c.residual = std::sqrt(square_of_all);
  c.residual_noise = noise;
  c.autocorrelation = square_of_all > 0 ? neighbours / (square_of_all * static_cast<double>(residual.size())) : 0;
  return c;
}

/// The report in the form that all drives share.
Fit fit_of(MotionFit motion) {
  Fit fit{motion.model_name, motion.model.value_or(scalar::Coulomb({.coulomb_force = 0, .viscous = 0})), motion.mass};
  fit.estimates = motion.estimates;
  fit.nuisance = motion.external;
  fit.refusal = motion.refusal;
  fit.explained = motion.explained;
  fit.samples = motion.samples;
  double squares = 0;
  for (const MotionTrack& track : motion.tracks) {
    fit.channels.push_back(channel_of(track, motion.noise));
    squares += fit.channels.back().residual * fit.channels.back().residual / static_cast<double>(motion.tracks.size());
  }
  const double noise = std::max(motion.noise, 1e-300);
  fit.excess = std::sqrt(squares) / noise;
  fit.held_out_excess = motion.error / noise;
  fit.warnings = motion.notes;
  for (const Finding& finding : motion.findings) {
    fit.warnings.push_back(finding.text);
  }
  for (const Undetermined& one : motion.undetermined) {
    fit.warnings.push_back(fmt::format("{} is not determined by these data: {}", one.name, one.experiment));
  }
  fit.motion = std::move(motion);
  return fit;
}

bool by_motion(const std::string& model) {
  const auto& names = motion_models();
  return model == "auto" || std::find(names.begin(), names.end(), model) != names.end();
}

Fit fit_by_motion(const Data& data, const Options& options) {
  MotionOptions question;
  question.model = options.model;
  question.stribeck_exponent = options.stribeck_exponent;
  question.mass = options.mass;
  question.progress = options.progress;
  Fit fit = fit_of(fit_motion(data.recordings, question));
  if (!data.sweeps.empty()) {
    fit.warnings.emplace_back("tables of steady friction are not used beside motion and torque");
  }
  return fit;
}

/// The first line of a message, for another one.
std::string first_of(const std::string& text) {
  constexpr std::size_t most = 160;
  const std::string line = text.substr(0, text.find_first_of(";\n"));
  return line.size() <= most ? line : line.substr(0, most) + " ...";
}

/// The measured motion drives the model where simulating the axis was refused. Unusable data stay an error.
std::vector<Fit> fit_automatically(const Data& data, const Options& options) {
  std::vector<Fit> fits;
  const bool simulated = std::count(identifiable().begin(), identifiable().end(), options.model) > 0;
  if (options.model == "auto" || simulated || !by_motion(options.model)) {
    fits = identify_simulated(data, options);
    if (fits.front().refusal.empty() || data.recordings.empty() || !by_motion(options.model)) {
      return fits;
    }
  }
  Fit fit = fit_by_motion(data, options);
  const std::string why = fits.empty() ? options.model + " is fitted to motion and torque alone"
                                       : "simulating the axis was refused: " + first_of(fits.front().refusal);
  fit.warnings.insert(fit.warnings.begin(), "driven by the measured motion, because " + why);
  fits.insert(fits.begin(), std::move(fit));
  return fits;
}

}  // namespace

std::vector<Fit> identify(const Data& data, const Options& options) {
  const auto simulated_by = [&](bool loop) {
    Data changed = data;
    for (Recording& log : changed.recordings) {
      if (loop && log.reference == Recording::Reference::none) {
        throw BadData(fmt::format("{}: has no reference, which the drive 'loop' needs", log.name));
      }
      if (!loop) {
        log.reference = Recording::Reference::none;
        log.commanded.clear();
      }
    }
    auto fits = identify_simulated(changed, options);
    for (Fit& fit : fits) {
      for (const Channel& channel : fit.channels) {
        if (loop && fit.refusal.empty() && channel.drive.find("loop") == std::string::npos) {
          fit.refusal = "no loop with the logged reference explains the torque";
        }
      }
    }
    return fits;
  };
  switch (options.drive) {
    case DrivenBy::simulated:
      break;
    case DrivenBy::automatic:
      return fit_automatically(data, options);
    case DrivenBy::motion:
      return {fit_by_motion(data, options)};
    case DrivenBy::torque:
      return simulated_by(false);
    case DrivenBy::loop:
      return simulated_by(true);
  }
  return identify_simulated(data, options);
}

}  // namespace stiction::identify
