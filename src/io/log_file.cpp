#include "stiction/io/log_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "log_clocks.h"
#include "log_roles.h"
#include "stiction/io/file.h"

namespace stiction::io {
namespace {

constexpr std::size_t min_samples = 200;
constexpr double longest_hole = 4.5;     // sample intervals that may be missing in one recording
constexpr double coarse_interval = 0.5;  // [s] above, the unit of time is doubtful
constexpr double largest_start = 1e6;    // [s] times that begin later count from some date

identify::Sweep sweep_from(const Csv& csv, const Roles& columns, std::vector<std::string>& notes) {
  const auto* velocity = columns.get("velocity");
  const auto* torque = columns.get("torque");
  if (velocity == nullptr || torque == nullptr) {
    throw InputError(fmt::format(
        "{}: a recording needs columns of time, torque and position, a table of steady friction those of velocity and "
        "torque; name them with --column (e.g. --column torque=tau); it has: {}",
        csv.file, fmt::join(csv.names, ", ")));
  }
  identify::Sweep sweep;
  sweep.name = csv.file;
  const auto* deviation = columns.get("deviation");
  std::size_t left_out = 0;
  for (std::size_t i = 0; i < velocity->size(); ++i) {
    const bool complete = std::isfinite((*velocity)[i]) && std::isfinite((*torque)[i]) &&
                          (deviation == nullptr || std::isfinite((*deviation)[i]));
    if (!complete) {
      ++left_out;
      continue;
    }
    sweep.velocity.push_back((*velocity)[i]);
    sweep.torque.push_back((*torque)[i]);
    if (deviation != nullptr) {
      sweep.deviation.push_back((*deviation)[i]);
    }
  }
  notes.push_back(fmt::format("no column of time: a table of steady friction with {} rows", sweep.velocity.size()));
  if (left_out > 0) {
    notes.push_back(fmt::format("{} rows without numbers left out", left_out));
  }
  return sweep;
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Checks that a second column equals the first, or its derivative: otherwise a unit is wrong.
void check_ratio(double ratio, const std::string& file, const char* one, const char* other, bool clock) {
  if (!(ratio > 0.9 && ratio < 1.1)) {
    throw InputError(fmt::format("{}: {} is {:.4g} times what {} says; is a unit wrong (see --unit)?{}", file, one,
                                 ratio, other,
                                 clock ? fmt::format(" If the clock is: --unit time={:.4g}s", ratio) : ""));
  }
}

/// Velocity and position must describe the same motion.
void check_velocity(const std::vector<double>& time, const std::vector<double>& position,
                    const std::vector<double>& velocity, const std::string& file) {
  const std::size_t stride = std::max<std::size_t>(1, time.size() / 500);
  double both = 0;
  double one = 0;
  double integral = 0;
  std::size_t last = 0;
  for (std::size_t k = 1; k < time.size(); ++k) {
    integral += (time[k] - time[k - 1]) * (velocity[k] + velocity[k - 1]) / 2;
    if (k - last >= stride) {
      both += integral * (position[k] - position[last]);
      one += integral * integral;
      integral = 0;
      last = k;
    }
  }
  if (one > 0) {
    check_ratio(both / one, file, "the change of position", "the velocity", true);
  }
}

/// The commanded torque if the measured one is just that plus noise, otherwise the measured one.
const std::vector<double>* choose_torque(const Roles& columns, const std::string& file,
                                         std::vector<std::string>& notes) {
  const auto* measured = columns.get("torque");
  const auto* command = columns.get("torque_command");
  if (measured == nullptr || command == nullptr) {
    return measured != nullptr ? measured : command;
  }
  double both = 0;
  double one = 0;
  for (std::size_t k = 0; k < command->size(); ++k) {
    if (std::isfinite((*command)[k] + (*measured)[k])) {
      both += (*command)[k] * (*measured)[k];
      one += (*command)[k] * (*command)[k];
    }
  }
  if (one > 0) {
    check_ratio(both / one, file, "the measured torque", "the commanded one", false);
  }
  double neighbours = 0;
  double all = 0;
  double last = 0;
  for (std::size_t k = 0; k < command->size(); ++k) {
    const double difference = (*measured)[k] - (*command)[k];
    if (std::isfinite(difference)) {
      neighbours += difference * last;
      all += difference * difference;
      last = difference;
    }
  }
  const bool white = std::abs(neighbours) < 0.1 * all;
  notes.emplace_back(white ? "the measured torque is the commanded one plus white noise: the commanded one is used"
                           : "the measured torque differs from the commanded one by more than noise: it is used");
  return white ? command : measured;
}

/// The columns of a recording.
struct Selected {
  const std::vector<double>* time = nullptr;
  const std::vector<double>* torque = nullptr;
  const std::vector<double>* position = nullptr;
  const std::vector<double>* velocity = nullptr;   // optional
  const std::vector<double>* reference = nullptr;  // optional
};

/// The rows with numbers in all columns, which must increase in time; checked against the velocity.
identify::Recording complete_rows(const Selected& columns, const std::string& file, std::vector<std::string>& notes) {
  const auto& [time, torque, position, velocity, reference] = columns;
  identify::Recording complete;
  std::vector<double> speeds;
  std::size_t left_out = 0;
  std::size_t repeated = 0;
  for (std::size_t k = 0; k < time->size(); ++k) {
    const bool has_numbers = std::isfinite((*time)[k] + (*torque)[k] + (*position)[k]) &&
                             (reference == nullptr || std::isfinite((*reference)[k])) &&
                             (velocity == nullptr || std::isfinite((*velocity)[k]));
    if (!has_numbers) {
      ++left_out;
      continue;
    }
    if (!complete.time.empty() && (*time)[k] == complete.time.back()) {
      ++repeated;  // the clock is coarser than the samples, or a row was written twice
      continue;
    }
    if (!complete.time.empty() && !((*time)[k] > complete.time.back())) {
      throw InputError(fmt::format("{}: time must increase: {:g} s after {:g} s in row {}", file, (*time)[k],
                                   complete.time.back(), k + 1));
    }
    complete.time.push_back((*time)[k]);
    complete.torque.push_back((*torque)[k]);
    complete.position.push_back((*position)[k]);
    if (reference != nullptr) {
      complete.commanded.push_back((*reference)[k]);
    }
    if (velocity != nullptr) {
      speeds.push_back((*velocity)[k]);
    }
  }
  if (repeated > complete.time.size() / 10) {
    throw InputError(
        fmt::format("{}: time must increase: {} of {} rows have the time of the row before; is the clock "
                    "too coarse?",
                    file, repeated, complete.time.size() + repeated));
  }
  if (repeated > 0) {
    notes.push_back(fmt::format("{} rows with the time of the row before left out", repeated));
  }
  if (complete.time.size() < min_samples) {
    throw InputError(fmt::format("{}: has {} rows with numbers in all columns; at least {} are needed", file,
                                 complete.time.size(), min_samples));
  }
  if (left_out > 0) {
    notes.push_back(fmt::format("{} rows without numbers left out", left_out));
  }
  if (velocity != nullptr) {
    check_velocity(complete.time, complete.position, speeds, file);
    complete.velocity = std::move(speeds);
  }
  return complete;
}

/// The parts of a recording between gaps that are too long. `kind`: of the reference, if there is one.
std::vector<identify::Recording> split_at_gaps(const identify::Recording& complete, std::span<const double> intervals,
                                               double interval, identify::Recording::Reference kind,
                                               std::vector<std::string>& notes) {
  std::vector<identify::Recording> parts;
  std::size_t begin = 0;
  std::size_t dropped = 0;
  const auto cut = [&](std::size_t end) {
    if (end - begin < min_samples) {
      dropped += end - begin;
    } else {
      const auto part = [&](const std::vector<double>& values) {
        return values.empty() ? values
                              : std::vector<double>(values.begin() + static_cast<std::ptrdiff_t>(begin),
                                                    values.begin() + static_cast<std::ptrdiff_t>(end));
      };
      parts.push_back({complete.name, part(complete.time), part(complete.torque), part(complete.position)});
      parts.back().velocity = part(complete.velocity);
      parts.back().commanded = part(complete.commanded);
      if (!complete.commanded.empty()) {
        parts.back().reference = kind;
      }
    }
    begin = end;
  };
  for (std::size_t k = 1; k < complete.time.size(); ++k) {
    if (intervals[k - 1] > longest_hole * interval) {
      cut(k);
    }
  }
  cut(complete.time.size());
  if (parts.empty()) {
    throw InputError(fmt::format("{}: no part of {} rows without a gap", complete.name, min_samples));
  }
  if (parts.size() > 1 || dropped > 0) {
    notes.push_back(fmt::format("gaps: cut into {} parts, {} rows in parts too short to use", parts.size(), dropped));
    if (parts.size() > 1) {
      for (std::size_t i = 0; i < parts.size(); ++i) {
        parts[i].name += fmt::format(" part {}", i + 1);
      }
    }
  }
  return parts;
}

/// The roles of a log on one clock that begins near 0, with the torque of a current.
Roles prepared(const LogTable& table, const LogOptions& options, std::vector<std::string>& notes) {
  notes.insert(notes.end(), table.notes.begin(), table.notes.end());
  if (options.torque_constant && !(std::isfinite(*options.torque_constant) && *options.torque_constant != 0)) {
    throw InputError(
        fmt::format("torque constant = {}: must be a finite number other than 0 [N m/A]", *options.torque_constant));
  }
  Roles roles = find_roles(table, options, notes);
  to_one_clock(table, options, roles, notes);
  to_common_rows(roles, notes);
  if (const auto time = roles.signals.find("time"); time != roles.signals.end()) {
    auto& values = time->second.values;
    const auto first = std::find_if(values.begin(), values.end(), [](double t) { return std::isfinite(t); });
    const double start = first == values.end() ? 0 : *first;
    if (std::abs(start) > largest_start) {
      std::transform(values.begin(), values.end(), values.begin(), [&](double t) { return t - start; });
      notes.emplace_back("time counts from the first row");
    }
  }
  if (options.torque_constant) {
    const auto current = roles.signals.find("current");
    if (current == roles.signals.end()) {
      throw InputError(
          fmt::format("{}: there is a torque constant, and no column recognised as current: name it with "
                      "--column current=NAME; it has: {}",
                      table.csv.file, fmt::join(table.csv.names, ", ")));
    }
    LogColumn torque = current->second;
    for (double& value : torque.values) {
      value *= *options.torque_constant;
    }
    roles.signals.insert_or_assign("torque", std::move(torque));
    notes.push_back(fmt::format("torque: the current times {:g} N m/A", *options.torque_constant));
  }
  return roles;
}

/// The position, or the integral of the velocity: friction does not depend on where the axis starts.
const std::vector<double>* choose_position(Roles& roles, std::vector<std::string>& notes) {
  if (roles.get("position") != nullptr || roles.get("velocity") == nullptr) {
    return roles.get("position");
  }
  const auto& time = *roles.get("time");
  const auto& velocity = *roles.get("velocity");
  std::vector<double> position(time.size(), std::numeric_limits<double>::quiet_NaN());
  double sum = 0;
  std::optional<std::size_t> last;
  for (std::size_t k = 0; k < time.size(); ++k) {
    if (std::isfinite(time[k] + velocity[k])) {
      sum += last ? (time[k] - time[*last]) * (velocity[k] + velocity[*last]) / 2 : 0;
      position[k] = sum;
      last = k;
    }
  }
  notes.emplace_back("there is no position: it is the integral of the velocity");
  return &roles.signals.emplace("position", LogColumn{"", 0, "", std::move(position)}).first->second.values;
}

[[noreturn]] void complain_of_missing(const LogTable& table, const Roles& roles, const char* role) {
  const auto unclear = roles.unclear.find(role);
  std::string has = unclear != roles.unclear.end() ? fmt::format("could be {}", unclear->second)
                                                   : fmt::format("it has: {}", fmt::join(table.csv.names, ", "));
  if (role == std::string_view("torque") && roles.get("current") != nullptr) {
    has += "; with a torque constant of 0.1 N m/A, the current does: --column torque=" +
           roles.signals.at("current").column + " --unit torque=0.1Nm";
  }
  throw InputError(fmt::format("{}: has no column recognised as {}: name it with --column {}=NAME; {}", table.csv.file,
                               role, role, has));
}

/// Whether the positions are angles: by their unit, otherwise by that of the velocity or the torque.
std::optional<bool> rotary(const Roles& roles) {
  for (const char* role : {"position", "velocity", "position_reference", "torque"}) {
    const auto found = roles.signals.find(role);
    if (found == roles.signals.end() || found->second.unit.empty()) {
      continue;
    }
    std::string unit = found->second.unit;
    unit.erase(0, unit.find_first_not_of("0123456789.+-e"));
    for (const char* angle : {"rad", "mrad", "deg", "rev", "rpm", "Nm", "mNm", "Ncm", "\xC2\xB0"}) {
      if (unit.starts_with(angle) || unit.starts_with("N m") || unit.starts_with("N.m")) {
        return true;
      }
    }
    return false;
  }
  return std::nullopt;
}

}  // namespace

identify::Signals read_signals(const LogTable& table, const LogOptions& options) {
  identify::Signals signals;
  Roles roles = prepared(table, options, signals.notes);
  signals.name = table.csv.file;
  signals.rows = table.csv.columns.empty() ? 0 : table.csv.columns.front().size();
  signals.rotary = rotary(roles);
  if (roles.signals.empty() && roles.unclear.empty()) {
    throw InputError(
        fmt::format("{}: has no column that is recognised: name them, as with --column time=NAME; it has: {}",
                    table.csv.file, fmt::join(table.csv.names, ", ")));
  }
  for (auto& [role, signal] : roles.signals) {
    signals.columns[role] = signal.column;
    signals.values[role] = std::move(signal.values);
  }
  return signals;
}

identify::Signals read_signals(const std::filesystem::path& path, const LogOptions& options) {
  return read_signals(read_log_table(path), options);
}

Log read_log(const std::filesystem::path& path, const LogOptions& options) {
  return read_log(read_log_table(path), options);
}

Log read_log(const LogTable& table, const LogOptions& options) {
  const std::string& file = table.csv.file;
  Log log;
  Roles roles = prepared(table, options, log.notes);
  const auto* time = roles.get("time");
  if (time == nullptr) {
    log.data.sweeps.push_back(sweep_from(table.csv, roles, log.notes));
    return log;
  }
  const auto* velocity = roles.get("position") != nullptr ? roles.get("velocity") : nullptr;
  const auto* torque = choose_torque(roles, file, log.notes);
  if (torque == nullptr) {
    complain_of_missing(table, roles, "torque");
  }
  const auto* position = choose_position(roles, log.notes);
  if (position == nullptr) {
    complain_of_missing(table, roles, "position");
  }
  const bool by_velocity = roles.get("velocity_reference") != nullptr;
  const auto* reference = by_velocity ? roles.get("velocity_reference") : roles.get("position_reference");

  if (by_velocity && roles.get("position_reference") != nullptr) {
    log.notes.emplace_back("the reference of the velocity is used, that of the position is not");
  }

  identify::Recording complete = complete_rows({time, torque, position, velocity, reference}, file, log.notes);
  complete.name = file;
  std::vector<double> intervals;
  for (std::size_t k = 1; k < complete.time.size(); ++k) {
    intervals.push_back(complete.time[k] - complete.time[k - 1]);
  }
  const double interval = median(intervals);

  const auto kind = by_velocity ? identify::Recording::Reference::velocity : identify::Recording::Reference::position;
  log.data.recordings = split_at_gaps(complete, intervals, interval, kind, log.notes);
  log.notes.push_back(fmt::format("{} rows, {:g} s apart{}", complete.time.size(), interval,
                                  interval > coarse_interval ? " (if the time is in ms, say --unit time=ms)" : ""));
  return log;
}

}  // namespace stiction::io
