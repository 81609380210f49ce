// Friction from a log of motion and torque, without simulating the body: the measured motion drives the friction model
// and the torque is compared.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "stiction/export.h"
#include "stiction/identify/data.h"
#include "stiction/identify/estimate.h"
#include "stiction/scalar/any_model.h"

namespace stiction::identify {

struct STICTION_EXPORT MotionOptions {
  std::string model = "auto";        // a name of `motion_models()`, or auto: the richest that held-out data support
  double stribeck_exponent = 2;      // δ, not fitted
  std::optional<double> mass = {};   // [kg] or [kg m²], if known
  double max_shift = 0.02;           // largest time shift between torque and motion [s], 0 to 0.1; 0: none is fitted
  std::size_t max_samples = 12'000;  // fitted, at least 1000; longer logs are thinned, then cut to evenly spaced parts
  /// Called before each fit, from the calling thread, with the fraction done. May throw to cancel.
  std::function<void(double fraction)> progress = {};
};

/// Friction models that can be fitted to motion and torque, from simple to rich.
STICTION_EXPORT const std::vector<std::string>& motion_models();

/// A quantity that the data do not tell, and the experiment that would.
struct Undetermined {
  std::string name;
  std::string experiment;
};

/// A remark on the log or on what the model leaves unexplained, with its number.
struct Finding {
  std::string name;  // "one direction", "gravity", "load", "cogging", "delay", "saturation", "clock", "drift", ...
  double value = 0;
  std::string unit;
  std::string text;
};

/// One step of the way from simple to rich.
struct MotionStep {
  std::string model;      // e.g. "Coulomb + viscous + offset"
  std::size_t unknowns;   // fitted
  double error = 0;       // rms on blocks of the first 70 % that were left out in turn [N]
  bool supported = true;  // by those blocks, beyond their scatter
};

/// One recording with the model's prediction, at the samples that were used.
struct MotionTrack {
  std::string recording;
  std::vector<double> time, position, velocity;  // filtered
  std::vector<double> torque, predicted;         // torque as logged, without the known external part
  std::vector<double> friction;                  // torque without the fitted inertia and external torque
  std::vector<char> held_out;                    // 1: in the last 30 %
};

/// A friction model with  τ(t + shift) = J q̈ + F(q̇ or bristle state) + c₀ + a sin q + b cos q.
struct MotionFit {
  std::string model_name;
  std::optional<scalar::AnyModel> model = {};  // none if refused
  double mass = 0;                             // J; 0: not determined
  std::vector<Estimate> estimates = {};        // the model's parameters, and the mass if determined
  std::vector<Estimate> external = {};         // offset, gravity_sin, gravity_cos, shift
  std::vector<Undetermined> undetermined = {};
  std::vector<MotionStep> steps = {};
  std::vector<Finding> findings = {};
  std::vector<std::string> notes = {};
  std::vector<MotionTrack> tracks = {};
  std::string refusal = {};        // why no model is of use; empty: it is usable
  double corner = 0;               // of the zero-phase filter of motion and torque, −3 dB [Hz]
  bool measured_velocity = false;  // used; otherwise that of the position
  double error = 0;                // rms on the last 30 %, fitted to the first 70 % [N]
  double yardstick = 0;            // the same of Coulomb + viscous + offset by least squares
  double constant = 0;             // the same of the mean
  double explained = 0;            // share of the held-out torque's variance that the model explains
  double noise = 0;                // of the torque's sensor, from its fastest changes [N]
  double sign_width = 0;           // the sign of the velocity is smoothed over ± this [m/s]; 0: a bristle does it
  std::size_t samples = 0;         // fitted
};

/// Fits models from Coulomb + viscous upwards and returns the richest one that held-out data support. Rows with NaN
/// are left out. Throws BadData (identify.h) where the columns are unusable.
STICTION_EXPORT MotionFit fit_motion(const std::vector<Recording>& recordings, const MotionOptions& options);

}  // namespace stiction::identify
