#include "stiction/identify/inspect.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "inspect_judge.h"
#include "inspect_signals.h"
#include "stiction/identify/identify.h"

namespace stiction::identify {
namespace {

namespace in = inspection;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

const std::vector<double>* column(const Signals& signals, const char* role) {
  const auto found = signals.values.find(role);
  return found == signals.values.end() ? nullptr : &found->second;
}

std::vector<double> picked(const std::vector<double>* values, const std::vector<std::size_t>& rows) {
  std::vector<double> result(rows.size(), nan);
  for (std::size_t k = 0; values != nullptr && k < rows.size(); ++k) {
    const double value = (*values)[rows[k]];
    result[k] = std::isfinite(value) ? value : nan;
  }
  return result;
}

void check(const Signals& signals) {
  std::size_t rows = 0;
  for (const auto& [role, values] : signals.values) {
    if (values.size() != signals.values.begin()->second.size()) {
      throw BadData(fmt::format("{}: {} has {} rows, {} has {}: must be as many", signals.name, role, values.size(),
                                signals.values.begin()->first, signals.values.begin()->second.size()));
    }
    rows = values.size();
  }
  if (rows == 0) {
    throw BadData(fmt::format("{}: has no columns with numbers that are recognised", signals.name));
  }
}

/// Rest, directions and speeds of rows with a velocity.
void measure_motion(const std::vector<double>& velocity, double noise, Motion& motion) {
  std::vector<double> speeds;
  for (const double v : velocity) {
    if (std::isfinite(v)) {
      speeds.push_back(std::abs(v));
    }
  }
  if (speeds.empty()) {
    return;
  }
  const double usual = in::quantile(speeds, 0.95);
  motion.rest_speed = std::max(4 * noise, 0.005 * usual);
  const auto count = static_cast<double>(speeds.size());
  int direction = 0;
  std::size_t forward = 0;
  std::size_t backward = 0;
  for (const double v : velocity) {
    const int now = v > motion.rest_speed ? 1 : v < -motion.rest_speed ? -1 : 0;
    forward += now > 0 ? 1 : 0;
    backward += now < 0 ? 1 : 0;
    if (now != 0 && direction != 0 && now != direction) {
      ++motion.reversals;
    }
    direction = now != 0 ? now : direction;
  }
  motion.forward = static_cast<double>(forward) / count;
  motion.backward = static_cast<double>(backward) / count;
  motion.rest = 1 - motion.forward - motion.backward;
  std::erase_if(speeds, [&](double v) { return v <= motion.rest_speed; });
  motion.slow = in::quantile(speeds, 0.05);
  motion.median = in::quantile(speeds, 0.5);
  motion.fast = in::quantile(std::move(speeds), 0.95);
}

/// The velocity of the rows: the derivative of the position, otherwise the column.
void find_motion(const Signals& signals, const SignalSummary* position_summary, const std::vector<std::size_t>& rows,
                 Inspection& found) {
  const auto* velocity = column(signals, "velocity");
  found.position = picked(column(signals, "position"), rows);
  Motion motion;
  double noise = 0;
  const double interval = found.clock ? found.clock->interval : 0;
  if (position_summary != nullptr && interval > 0 && position_summary->high > position_summary->low) {
    const std::size_t half = in::half_window(found.time, found.position, *position_summary, interval);
    const auto m = static_cast<double>(half);
    const double sigma = std::max(position_summary->noise, position_summary->step.value_or(0) / std::sqrt(12.0));
    noise = sigma / (interval * std::sqrt(m * (m + 1) * (2 * m + 1) / 3));
    motion.window = 2 * m * interval;
    found.velocity = in::slope(found.time, found.position, half, interval);
    if (velocity != nullptr) {
      found.clock->ratio = in::position_over_velocity(found.time, found.position, picked(velocity, rows));
    }
  } else if (velocity != nullptr) {
    found.velocity = picked(velocity, rows);
    noise = found.clock ? in::summary_of(found.velocity).noise : 0;
  } else {
    found.velocity.assign(rows.size(), nan);
    return;
  }
  motion.travel = position_summary == nullptr ? 0 : position_summary->high - position_summary->low;
  measure_motion(found.velocity, noise, motion);
  found.motion = motion;
}

}  // namespace

Inspection inspect(const Signals& signals) {
  check(signals);
  Inspection found;
  found.name = signals.name;
  found.rows = signals.values.begin()->second.size();
  found.notes = signals.notes;
  std::optional<std::size_t> position_summary;
  for (const auto& [role, values] : signals.values) {
    if (role == "time") {
      continue;
    }
    SignalSummary summary = in::summary_of(values);
    summary.role = role;
    if (const auto name = signals.columns.find(role); name != signals.columns.end()) {
      summary.column = name->second;
    }
    if (role == "position") {
      position_summary = found.signals.size();
    }
    found.signals.push_back(std::move(summary));
  }
  std::vector<std::size_t> rows;
  if (const auto* time = column(signals, "time")) {
    found.clock = in::clock_of(*time, rows);
    found.time = picked(time, rows);
  } else {
    for (std::size_t k = 0; k < found.rows; ++k) {
      rows.push_back(k);
    }
  }
  const auto* torque = column(signals, "torque") != nullptr           ? column(signals, "torque")
                       : column(signals, "torque_command") != nullptr ? column(signals, "torque_command")
                                                                      : column(signals, "current");
  found.torque = picked(torque, rows);
  find_motion(signals, position_summary ? &found.signals[*position_summary] : nullptr, rows, found);
  in::judge(signals, found);
  return found;
}

}  // namespace stiction::identify
