// Before the fit: noise, how each recording was driven, steady points, and first guesses.
#pragma once

#include <optional>
#include <vector>

#include "families.h"
#include "follow.h"
#include "stiction/identify/identify.h"

namespace stiction::identify {

/// Standard deviation of white noise on a smooth signal, from its third differences; at least that of the rounding.
double noise_of(const std::vector<double>& signal);

/// Slopes by straight lines through 2·half + 1 samples.
std::vector<double> slope_of(const std::vector<double>& time, const std::vector<double>& signal, std::size_t half);

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

/// Friction at constant velocities, from tables and from the parts of recordings where the velocity is constant.
std::vector<SteadyPoint> steady_points(const Data& data);

/// Robust fit of F = F_C + ΔF exp(−|v/v_S|^δ) + F_v |v| to |v|, |F|. Marks points that lie far off as not used.
Guess stribeck_guess(std::vector<SteadyPoint>& points, double exponent);

/// The largest inertia with which the torques could have made the accelerations: twice J |a| ≤ 2 (max u − min u).
double most_mass(const Data& data);

/// Friction levels for data without steady points.
Guess rough_guess(const Data& data);

/// Presliding stiffness from how torque and position part after reversals; 0 where there are none.
double stiffness_guess(const Data& data, double friction);

}  // namespace stiction::identify
