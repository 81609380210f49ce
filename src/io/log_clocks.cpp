#include "log_clocks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "csv_cells.h"
#include "stiction/io/file.h"

namespace stiction::io {
namespace {

constexpr double longest_step = 4.5;  // sample intervals that may be missing

double median_interval(const std::vector<double>& time) {
  std::vector<double> intervals;
  for (std::size_t k = 1; k < time.size(); ++k) {
    intervals.push_back(time[k] - time[k - 1]);
  }
  if (intervals.empty()) {
    return 0;
  }
  const auto middle = intervals.begin() + static_cast<std::ptrdiff_t>(intervals.size() / 2);
  std::nth_element(intervals.begin(), middle, intervals.end());
  return *middle;
}

/// The rows of a clock that have a number in it and in one signal, which is empty for the clock alone.
struct Track {
  std::vector<double> time, values;
};
Track track_of(const LogTable& table, std::size_t clock, double factor, const std::vector<double>* values) {
  Track track;
  const auto& column = table.csv.columns[clock];
  for (std::size_t k = 0; k < column.size(); ++k) {
    if (!std::isfinite(column[k]) || (values != nullptr && !std::isfinite((*values)[k]))) {
      continue;
    }
    const double t = factor * column[k];
    if (!track.time.empty() && t == track.time.back()) {
      continue;
    }
    if (!track.time.empty() && !(t > track.time.back())) {
      throw InputError(fmt::format("{}: time must increase: {:g} s after {:g} s in row {} of '{}'", table.csv.file, t,
                                   track.time.back(), k + 1, cells::shown(table.csv.names[clock])));
    }
    track.time.push_back(t);
    if (values != nullptr) {
      track.values.push_back((*values)[k]);
    }
  }
  return track;
}

/// The clock of a column: the nearest one to its left, or the first.
std::size_t clock_of(const std::vector<std::size_t>& clocks, std::size_t column) {
  std::size_t nearest = clocks.front();
  for (const std::size_t clock : clocks) {
    if (clock < column) {
      nearest = clock;
    }
  }
  return nearest;
}

bool same_values(const std::vector<double>& a, const std::vector<double>& b) {
  for (std::size_t k = 0; k < a.size(); ++k) {
    if (a[k] != b[k] && !(std::isnan(a[k]) && std::isnan(b[k]))) {
      return false;
    }
  }
  return true;
}

/// The clocks on which the signals stand; none where it is one, or where all show the same.
std::vector<std::size_t> clocks_in_use(const LogTable& table, const Roles& roles) {
  std::vector<std::size_t> in_use;
  for (const auto& [role, signal] : roles.signals) {
    if (role == "time") {
      continue;
    }
    const std::size_t clock = clock_of(roles.clocks, signal.index);
    const bool known = std::any_of(in_use.begin(), in_use.end(), [&](std::size_t other) {
      return other == clock || same_values(table.csv.columns[other], table.csv.columns[clock]);
    });
    if (!known) {
      in_use.push_back(clock);
    }
  }
  return in_use.size() > 1 ? in_use : std::vector<std::size_t>{};
}

}  // namespace

std::vector<double> resampled(const std::vector<double>& time, const std::vector<double>& values,
                              const std::vector<double>& wanted) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> result(wanted.size(), nan);
  if (time.size() < 2 || wanted.empty()) {
    return result;
  }
  const double interval = median_interval(time);
  const double target = wanted.size() > 1 ? median_interval(wanted) : interval;
  const bool average = target > 1.5 * interval;
  std::size_t from = 0;
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    const double t = wanted[k];
    if (t < time.front() || t > time.back()) {
      continue;
    }
    if (average) {
      while (time[from] < t - target / 2) {
        ++from;
      }
      double sum = 0;
      std::size_t count = 0;
      for (std::size_t i = from; i < time.size() && time[i] <= t + target / 2; ++i) {
        sum += values[i];
        ++count;
      }
      result[k] = count > 0 ? sum / static_cast<double>(count) : nan;
      continue;
    }
    while (from + 2 < time.size() && time[from + 1] < t) {
      ++from;
    }
    const double step = time[from + 1] - time[from];
    if (step <= longest_step * interval) {
      result[k] = values[from] + (values[from + 1] - values[from]) * (t - time[from]) / step;
    }
  }
  return result;
}

void to_one_clock(const LogTable& table, const LogOptions& options, Roles& roles, std::vector<std::string>& notes) {
  if (roles.clocks.size() < 2 || options.columns.contains("time")) {
    return;
  }
  const auto clocks = clocks_in_use(table, roles);
  if (clocks.empty()) {
    return;
  }
  // The slowest clock of the signals that a fit needs: nothing is then invented between samples.
  std::optional<std::size_t> slowest;
  double longest = 0;
  std::string unit;
  for (const char* role : {"torque", "torque_command", "current", "position"}) {
    const auto signal = roles.signals.find(role);
    if (signal == roles.signals.end()) {
      continue;
    }
    const std::size_t clock = clock_of(roles.clocks, signal->second.index);
    const double factor = time_factor(table, clock, options, unit);
    const double interval = median_interval(track_of(table, clock, factor, nullptr).time);
    if (interval > longest) {
      longest = interval;
      slowest = clock;
    }
  }
  if (!slowest) {
    return;
  }
  const Track target = track_of(table, *slowest, time_factor(table, *slowest, options, unit), nullptr);
  std::map<std::string, std::vector<double>> values;
  for (const auto& [role, signal] : roles.signals) {
    if (role == "time") {
      continue;
    }
    const std::size_t clock = clock_of(roles.clocks, signal.index);
    const Track own = track_of(table, clock, time_factor(table, clock, options, unit), &signal.values);
    if (own.time.empty() || own.time.back() < target.time.front() || own.time.front() > target.time.back()) {
      throw InputError(
          fmt::format("{}: the clocks '{}' and '{}' have no time in common: name one with --column "
                      "time=NAME",
                      table.csv.file, cells::shown(table.csv.names[clock]), cells::shown(table.csv.names[*slowest])));
    }
    values[role] = resampled(own.time, own.values, target.time);
  }
  for (auto& [role, resampled_values] : values) {
    roles.signals[role].values = std::move(resampled_values);
  }
  roles.signals["time"].values = target.time;
  roles.signals["time"].column = table.csv.names[*slowest];
  notes.push_back(fmt::format("{} clocks: all signals resampled to '{}', every {:.4g} s", clocks.size(),
                              one_line(table.csv.names[*slowest]), longest));
}

void to_common_rows(Roles& roles, std::vector<std::string>& notes) {
  const auto* time = roles.get("time");
  const auto* torque = roles.get("torque") != nullptr ? roles.get("torque") : roles.get("current");
  const auto* motion = roles.get("position") != nullptr ? roles.get("position") : roles.get("velocity");
  if (time == nullptr || torque == nullptr || motion == nullptr) {
    return;
  }
  std::size_t both = 0;
  std::size_t of_torque = 0;
  std::size_t of_motion = 0;
  for (std::size_t k = 0; k < time->size(); ++k) {
    both += std::isfinite((*time)[k] + (*torque)[k] + (*motion)[k]) ? 1 : 0;
    of_torque += std::isfinite((*time)[k] + (*torque)[k]) ? 1 : 0;
    of_motion += std::isfinite((*time)[k] + (*motion)[k]) ? 1 : 0;
  }
  const auto* slower = of_torque < of_motion ? torque : motion;
  if (2 * both > std::min(of_torque, of_motion) || std::min(of_torque, of_motion) < 10) {
    return;
  }
  std::vector<double> wanted;
  for (std::size_t k = 0; k < time->size(); ++k) {
    if (std::isfinite((*time)[k] + (*slower)[k]) && (wanted.empty() || (*time)[k] > wanted.back())) {
      wanted.push_back((*time)[k]);
    }
  }
  const std::vector<double> clock = *time;
  for (auto& [role, signal] : roles.signals) {
    std::vector<double> own;
    std::vector<double> values;
    for (std::size_t k = 0; k < clock.size(); ++k) {
      if (std::isfinite(clock[k] + signal.values[k]) && (own.empty() || clock[k] > own.back())) {
        own.push_back(clock[k]);
        values.push_back(signal.values[k]);
      }
    }
    signal.values = role == "time" ? wanted : resampled(own, values, wanted);
  }
  notes.push_back(fmt::format("torque and position stand in different rows: resampled to the {} rows of the {}",
                              wanted.size(), slower == torque ? "torque" : "position"));
}

}  // namespace stiction::io
