// Before the fit: how each recording was driven, and first guesses.
#pragma once

#include <optional>
#include <vector>

#include "families.h"
#include "follow.h"
#include "stiction/identify/identify.h"

namespace stiction::identify {

/// Replaces samples that jump out of a signal and back at once by the median of their neighbours. A torque that drives
/// the axis by itself is left as it is: there a pulse may be meant. Gives the number of samples, and marks them.
std::size_t take_out_spikes(Recording& recording, std::vector<char>& use);

/// Noise, and a controller where the log's reference explains its torque.
struct Prepared {
  Track track;
  std::optional<Loop> loop;
  double bias = 0;  // of the loop's torque
};
Prepared prepare(const Recording& recording, std::vector<char> use);

/// The largest inertia with which the torques could have made the accelerations: twice J |a| ≤ 2 (max u − min u).
double max_mass(const Data& data);

/// Friction levels for data without steady points.
Guess rough_guess(const Data& data);

/// Presliding stiffness from how torque and position part after reversals; 0 where there are none.
double stiffness_guess(const Data& data, double friction);

}  // namespace stiction::identify
