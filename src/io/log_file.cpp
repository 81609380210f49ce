#include "stiction/io/log_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <numbers>
#include <optional>
#include <span>

#include "stiction/io/csv.h"
#include "stiction/io/file.h"

namespace stiction::io {
namespace {

constexpr std::size_t min_samples = 200;
constexpr double longest_hole = 4.5;        // sample intervals that may be missing in one recording
constexpr double coarsest_interval = 0.05;  // [s]

struct Unit {
  const char* quantity;
  const char* name;
  double factor;  // to SI
};
constexpr double pi = std::numbers::pi;
constexpr auto units = std::to_array<Unit>({
    {"time", "s", 1},
    {"time", "ms", 1e-3},
    {"time", "us", 1e-6},
    {"torque", "Nm", 1},
    {"torque", "mNm", 1e-3},
    {"torque", "N", 1},
    {"torque", "mN", 1e-3},
    {"torque", "kN", 1e3},
    {"position", "rad", 1},
    {"position", "mrad", 1e-3},
    {"position", "deg", pi / 180},
    {"position", "rev", 2 * pi},
    {"position", "m", 1},
    {"position", "mm", 1e-3},
    {"position", "um", 1e-6},
    {"velocity", "rad/s", 1},
    {"velocity", "deg/s", pi / 180},
    {"velocity", "rpm", pi / 30},
    {"velocity", "m/s", 1},
    {"velocity", "mm/s", 1e-3},
});

/// The letters of a unit, without blanks, dots and other separators between N and m.
std::string plain_unit(std::string_view text) {
  std::string plain;
  for (const char c : text) {
    if (c != ' ' && c != '.' && c != '*' && c != '_') {
      plain += c;
    }
  }
  return plain;
}

double factor_of(const std::string& quantity, const std::string& unit, const std::string& where) {
  std::vector<std::string> known;
  for (const Unit& u : units) {
    if (quantity == u.quantity) {
      if (plain_unit(unit) == u.name) {
        return u.factor;
      }
      known.emplace_back(u.name);
    }
  }
  throw InputError(
      fmt::format("{}: unit '{}' of {} is unknown: must be one of {}", where, unit, quantity, fmt::join(known, ", ")));
}

struct Role {
  const char* name;
  const char* quantity;  // whose unit it has
  std::vector<std::string> usual;
};
const std::vector<Role>& roles() {
  static const std::vector<Role> list{
      {"time", "time", {"time", "t", "time_s", "time_ms", "timestamp", "seconds"}},
      {"torque",
       "torque",
       {"torque_meas", "measured_torque", "torque_measured", "torque", "tau", "torque_nm", "force_meas", "force",
        "f_meas", "measured_force", "torque_mean", "load", "friction", "u"}},
      {"torque_command", "torque", {"torque_cmd", "torque_command", "commanded_torque", "torque_ref", "force_cmd"}},
      {"position",
       "position",
       {"x_meas", "position_meas", "measured_position", "position", "pos", "x", "q", "angle", "theta", "position_rad"}},
      {"velocity",
       "velocity",
       {"v_meas", "velocity_meas", "measured_velocity", "velocity", "v", "omega", "speed", "v_mean", "qd", "dq"}},
      {"velocity_reference",
       "velocity",
       {"v_ref", "velocity_reference", "reference_velocity", "velocity_ref", "omega_ref", "w_ref", "velocity_setpoint",
        "desired_velocity"}},
      {"position_reference",
       "position",
       {"x_ref", "position_reference", "reference_position", "position_ref", "q_ref", "theta_ref", "position_setpoint",
        "desired_position"}},
      {"deviation", "torque", {"torque_std_of_mean", "torque_std", "deviation", "std", "sigma"}},
  };
  return list;
}

/// A log's columns in SI, by role.
class Columns {
 public:
  Columns(const Csv& csv, const LogOptions& options, std::vector<std::string>& notes) {
    for (const auto& choice : options.columns) {
      const std::string& role = choice.first;
      if (std::none_of(roles().begin(), roles().end(), [&](const Role& r) { return role == r.name; })) {
        std::vector<std::string> names;
        for (const Role& r : roles()) {
          names.emplace_back(r.name);
        }
        throw InputError(fmt::format("--column {}: not a quantity; must be one of {}", role, fmt::join(names, ", ")));
      }
    }
    for (const Role& role : roles()) {
      const auto asked = options.columns.find(role.name);
      const std::string column = asked != options.columns.end() ? asked->second : find_column(csv, role.usual);
      if (column.empty() || taken(column)) {
        continue;
      }
      std::vector<double> values = csv.column(column);  // throws if there is none
      const auto unit = options.units.find(role.quantity);
      std::string name = unit != options.units.end() ? unit->second : bracketed(column);
      const double factor = name.empty() ? 1 : factor_of(role.quantity, name, csv.file);
      for (double& value : values) {
        value *= factor;
      }
      notes.push_back(fmt::format("{}: column '{}'{}, {}", role.name, one_line(column),
                                  asked != options.columns.end() ? "" : " (by its name)",
                                  name.empty() ? "taken as SI" : "in " + one_line(name)));
      list_[role.name] = {column, std::move(values)};
    }
    std::vector<std::string> unused;
    std::copy_if(csv.names.begin(), csv.names.end(), std::back_inserter(unused),
                 [this](const std::string& name) { return !taken(name); });
    if (!unused.empty()) {
      notes.push_back(fmt::format("not used: {}", fmt::join(unused, ", ")));
    }
  }

  [[nodiscard]] const std::vector<double>* get(const std::string& role) const {
    const auto found = list_.find(role);
    return found == list_.end() ? nullptr : &found->second.values;
  }

 private:
  [[nodiscard]] bool taken(const std::string& column) const {
    return std::any_of(list_.begin(), list_.end(), [&](const auto& entry) { return entry.second.name == column; });
  }
  static std::string bracketed(const std::string& column) {
    const auto open = column.find_first_of("[(");
    const auto close = column.find_first_of("])", open == std::string::npos ? 0 : open);
    return open == std::string::npos || close == std::string::npos
               ? ""
               : plain_unit(column.substr(open + 1, close - open - 1));
  }

  struct Entry {
    std::string name;
    std::vector<double> values;
  };
  std::map<std::string, Entry> list_;
};

identify::Sweep sweep_from(const Csv& csv, const Columns& columns, std::vector<std::string>& notes) {
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
void check_ratio(double ratio, const std::string& file, const char* one, const char* other) {
  if (!(ratio > 0.9 && ratio < 1.1)) {
    throw InputError(
        fmt::format("{}: {} is {:.4g} times what {} says; is a unit wrong (see --unit)?", file, one, ratio, other));
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
    check_ratio(both / one, file, "the change of position", "the velocity");
  }
}

/// The commanded torque if the measured one is just that plus noise, otherwise the measured one.
const std::vector<double>* choose_torque(const Columns& columns, const std::string& file,
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
    check_ratio(both / one, file, "the measured torque", "the commanded one");
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
  for (std::size_t k = 0; k < time->size(); ++k) {
    const bool has_numbers = std::isfinite((*time)[k] + (*torque)[k] + (*position)[k]) &&
                             (reference == nullptr || std::isfinite((*reference)[k])) &&
                             (velocity == nullptr || std::isfinite((*velocity)[k]));
    if (!has_numbers) {
      ++left_out;
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
  if (complete.time.size() < min_samples) {
    throw InputError(fmt::format("{}: has {} rows with numbers in all columns; at least {} are needed", file,
                                 complete.time.size(), min_samples));
  }
  if (left_out > 0) {
    notes.push_back(fmt::format("{} rows without numbers left out", left_out));
  }
  if (velocity != nullptr) {
    check_velocity(complete.time, complete.position, speeds, file);
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

}  // namespace

std::string known_units() {
  std::map<std::string, std::vector<std::string>> by_quantity;
  for (const Unit& unit : units) {
    by_quantity[unit.quantity].emplace_back(unit.name);
  }
  std::string text;
  for (const auto& [quantity, names] : by_quantity) {
    text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", quantity, fmt::join(names, ", "));
  }
  return text;
}

Log read_log(const std::filesystem::path& path, const LogOptions& options) {
  const Csv csv = read_csv(path, Missing::nan);
  Log log;
  for (const auto& [quantity, unit] : options.units) {
    factor_of(quantity, unit, "--unit");
  }
  const Columns columns(csv, options, log.notes);
  const auto* time = columns.get("time");
  if (time == nullptr) {
    log.data.sweeps.push_back(sweep_from(csv, columns, log.notes));
    return log;
  }
  const auto* torque = choose_torque(columns, csv.file, log.notes);
  const auto* position = columns.get("position");
  if (torque == nullptr || position == nullptr) {
    throw InputError(fmt::format("{}: has no column recognised as {}: name it with --column {}=NAME; it has: {}",
                                 csv.file, torque == nullptr ? "torque" : "position",
                                 torque == nullptr ? "torque" : "position", fmt::join(csv.names, ", ")));
  }
  const auto* velocity = columns.get("velocity");
  const bool by_velocity = columns.get("velocity_reference") != nullptr;
  const auto* reference = by_velocity ? columns.get("velocity_reference") : columns.get("position_reference");

  if (by_velocity && columns.get("position_reference") != nullptr) {
    log.notes.emplace_back("the reference of the velocity is used, that of the position is not");
  }

  identify::Recording complete = complete_rows({time, torque, position, velocity, reference}, csv.file, log.notes);
  complete.name = csv.file;
  std::vector<double> intervals;
  for (std::size_t k = 1; k < complete.time.size(); ++k) {
    intervals.push_back(complete.time[k] - complete.time[k - 1]);
  }
  const double interval = median(intervals);
  if (interval > coarsest_interval) {
    throw InputError(
        fmt::format("{}: samples are {:g} s apart; at most {} s can be used (if the time is in ms, say --unit time=ms)",
                    csv.file, interval, coarsest_interval));
  }

  const auto kind = by_velocity ? identify::Recording::Reference::velocity : identify::Recording::Reference::position;
  log.data.recordings = split_at_gaps(complete, intervals, interval, kind, log.notes);
  log.notes.push_back(fmt::format("{} rows, {:g} s apart", complete.time.size(), interval));
  return log;
}

}  // namespace stiction::io
