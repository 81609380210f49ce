// Statistics of a log's signals.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "stiction/identify/inspect.h"

namespace stiction::identify::inspection {

/// The value below which this share of the values lies; 0 of none.
double quantile(std::vector<double> values, double share);

/// Range, noise, quantisation and saturation of one signal.
SignalSummary summary_of(std::span<const double> values);

/// The clock of the rows, and which of them are in order: finite and later than all before.
Clock clock_of(std::span<const double> time, std::vector<std::size_t>& rows_in_order);

/// Slope of a straight line through `half` samples on both sides; NaN at the ends, at gaps and where values are
/// missing.
std::vector<double> slope(std::span<const double> time, std::span<const double> values, std::size_t half,
                          double interval);

/// Samples on both sides with which the slope has at most 2 % of the usual speed as noise, at most 25.
std::size_t half_window(std::span<const double> time, std::span<const double> position, const SignalSummary& summary,
                        double interval);

/// Change of position over the integral of the velocity; none where there is no motion.
std::optional<double> position_over_velocity(std::span<const double> time, std::span<const double> position,
                                             std::span<const double> velocity);

/// Least squares in the columns of a matrix: values, and how much each is inflated by the others (1: not at all).
struct Regression {
  std::vector<double> values;
  std::vector<double> inflation;  // infinite: not determined
};
Regression regress(const std::vector<std::vector<double>>& columns, std::span<const double> right_side);

}  // namespace stiction::identify::inspection
