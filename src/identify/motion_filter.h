// Zero-phase filter for irregular samples: velocity and position without delay, and torque filtered exactly alike.
#pragma once

#include <span>
#include <vector>

namespace stiction::identify {

/// −3 dB frequency of the filter with this half-width [Hz]:  0.343/h.
double corner_of(double half_width);

/// Weighted mean of a signal within ± half_width of some of its samples, with Biweight weights (1 − u²)² and a straight
/// line through them, so that ends and gaps are not biased.
std::vector<double> smoothed(std::span<const double> time, std::span<const double> signal, double half_width,
                             std::span<const std::size_t> at);

/// The slope of the signal filtered like `smoothed`: a local parabola with weights 1 − u².
/// In the middle of a record it equals `smoothed` of the true slope, since ∫ u (1 − u²) du = −(1 − u²)²/4.
std::vector<double> slopes(std::span<const double> time, std::span<const double> signal, double half_width,
                           std::span<const std::size_t> at);

/// The half-width with the smallest expected error of the slope, from the sensor noise and from how much the slope
/// changes with the half-width. `noise`: standard deviation of the signal's white noise.
double best_half_width(std::span<const double> time, std::span<const double> signal, double noise);

}  // namespace stiction::identify
