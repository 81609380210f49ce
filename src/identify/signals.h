// Statistics of a measured signal or table: means, slopes, noise.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "stiction/identify/data.h"

namespace stiction::identify {

double median(std::vector<double> values);  // 0 if empty
double mean(std::span<const double> values);
double range_of(const std::vector<double>& values);

/// Slope of the straight line through all points.
double line_slope(std::span<const double> time, std::span<const double> signal);
/// Slopes by straight lines through 2·half + 1 samples.
std::vector<double> slope_of(const std::vector<double>& time, const std::vector<double>& signal, std::size_t half);

/// Second derivatives, at the samples, of the cubic spline through them that is straight at both ends.
std::vector<double> spline_curvature(const std::vector<double>& time, const std::vector<double>& signal);

/// Standard deviation of white noise on a smooth signal, from its third or higher differences; at least that of the
/// rounding.
double noise_of(const std::vector<double>& signal);

/// Standard deviation of one point of a table, from repeated velocities or else from the deviation of each point from
/// the cubic through its four neighbours. None if there are too few of either.
std::optional<double> noise_of(const Sweep& sweep);

}  // namespace stiction::identify
