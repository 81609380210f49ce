// Before the fit: how each recording was driven, and initial guesses.
#pragma once

#include <optional>
#include <vector>

#include "families.h"
#include "follow.h"
#include "stiction/identify/identify.h"

namespace stiction::identify {

/// Replaces spikes of single samples by the median of their neighbours, except in a torque that drives the axis in open
/// loop, where a pulse may be intended. Returns the number of samples, and marks them.
std::size_t take_out_spikes(Recording& recording, std::vector<char>& use);

/// Noise, and a controller if the log's reference explains its torque.
struct Prepared {
  Track track;
  std::optional<Loop> loop;
  double bias = 0;  // of the loop's torque
};
Prepared prepare(const Recording& recording, std::vector<char> use);

/// The largest inertia consistent with the torques and accelerations: twice J |a| ≤ 2 (max u − min u).
double max_mass(const Data& data);

/// Friction levels for data without steady points.
Guess rough_guess(const Data& data);

/// Presliding stiffness from torque over displacement after reversals; 0 if there are none.
double stiffness_guess(const Data& data, double friction);

}  // namespace stiction::identify
