// Logs with several clocks: one column of time for each signal, or for some of them.
#pragma once

#include <string>
#include <vector>

#include "log_roles.h"

namespace stiction::io {

/// Brings all signals to one clock, the slowest of those of torque and position. Throws InputError.
void to_one_clock(const LogTable& table, const LogOptions& options, Roles& roles, std::vector<std::string>& notes);

/// Where signals stand in different rows, brings them to the rows of the slower one of torque and position.
void to_common_rows(Roles& roles, std::vector<std::string>& notes);

/// Values at other times: between samples on a straight line; where the wanted times are coarser, the mean around each.
/// NaN outside of the samples, and in gaps. All times increase.
std::vector<double> resampled(const std::vector<double>& time, const std::vector<double>& values,
                              const std::vector<double>& wanted);

}  // namespace stiction::io
