#include "log_roles.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <iterator>
#include <numbers>
#include <optional>

#include "csv_cells.h"
#include "log_words.h"
#include "stiction/io/file.h"

namespace stiction::io {
namespace {

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
    {"time", "ns", 1e-9},
    {"time", "min", 60},
    {"torque", "Nm", 1},
    {"torque", "mNm", 1e-3},
    {"torque", "Ncm", 1e-2},
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
    {"velocity", "rev/s", 2 * pi},
    {"velocity", "m/s", 1},
    {"velocity", "mm/s", 1e-3},
    {"current", "A", 1},
    {"current", "mA", 1e-3},
    {"voltage", "V", 1},
    {"voltage", "mV", 1e-3},
    {"duty", "1", 1},
    {"duty", "%", 1e-2},
    {"acceleration", "rad/s2", 1},
    {"acceleration", "deg/s2", pi / 180},
    {"acceleration", "m/s2", 1},
});

/// A unit in lower case without blanks, dots and other separators between N and m; other ways to write it become ours.
std::string plain_unit(std::string_view text) {
  std::string plain;
  for (const char c : text) {
    if (c != ' ' && c != '.' && c != '*' && c != '_') {
      plain += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    }
  }
  const std::array<std::pair<std::string_view, std::string_view>, 9> others{{{"\xC2\xB0", "deg"},
                                                                             {"\xC2\xB7", ""},
                                                                             {"\xC2\xB5", "u"},
                                                                             {"\xCE\xBC", "u"},
                                                                             {"\xC2\xB2", "2"},
                                                                             {"^", ""},
                                                                             {"1/min", "rpm"},
                                                                             {"u/min", "rpm"},
                                                                             {"degrees", "deg"}}};
  for (const auto& [from, to] : others) {
    if (const auto at = plain.find(from); at != std::string::npos) {
      plain.replace(at, from.size(), to);
    }
  }
  return plain;
}

/// The unit's factor; a number before it multiplies it, as in "0.0015rad" of an encoder's count.
double factor_of(const std::string& quantity, const std::string& unit, const std::string& where) {
  double number = 1;
  const auto [stop, error] = std::from_chars(unit.data(), unit.data() + unit.size(), number);
  const bool numbered = error == std::errc{} && *stop != '/';  // "1/min" is a unit
  const std::string name = numbered ? std::string(stop, unit.data() + unit.size()) : unit;
  number = numbered ? number : 1;
  if (!(std::isfinite(number) && number != 0)) {
    throw InputError(fmt::format("{}: unit '{}' of {}: its number must be finite and not 0", where, unit, quantity));
  }
  std::vector<std::string> known;
  for (const Unit& u : units) {
    if (quantity == u.quantity) {
      if (unit == u.name) {
        return u.factor;  // "1" is a unit
      }
      if (plain_unit(name) == plain_unit(u.name)) {
        return number * u.factor;
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
      {"current", "current", {}},
      {"voltage", "voltage", {}},
      {"duty", "duty", {}},
      {"acceleration", "acceleration", {}},
  };
  return list;
}

std::string bracketed(const std::string& column) {
  const auto open = column.find_first_of("[(");
  const auto close = column.find_first_of("])", open == std::string::npos ? 0 : open);
  if (open == std::string::npos || close == std::string::npos) {
    return "";
  }
  const std::string inside = column.substr(open + 1, close - open - 1);
  return inside.find_first_not_of("0123456789") == std::string::npos ? "" : inside;  // an index is no unit
}

/// The unit that the user, the name in brackets, the row of units or the end of the name states; empty: none does.
std::string unit_of(const LogTable& table, std::size_t column, const char* quantity, const LogOptions& options) {
  if (const auto asked = options.units.find(quantity); asked != options.units.end()) {
    return asked->second;
  }
  std::string unit = bracketed(table.csv.names[column]);
  if (unit.empty() && !table.units.empty()) {
    unit = table.units[column];
    if (unit.size() > 2 && (unit.front() == '[' || unit.front() == '(')) {
      unit = unit.substr(1, unit.size() - 2);
    }
  }
  if (unit.empty()) {
    if (const auto guess = guess_role(table.csv.names[column])) {
      unit = guess->unit;
    }
  }
  return unit == "-" ? "" : unit;
}

/// The column that was asked for, by its name or its number in a file without names.
std::size_t asked_column(const Csv& csv, const std::string& name) {
  std::string wanted = name;
  const bool number = !name.empty() && name.find_first_not_of("0123456789") == std::string::npos;
  if (number && std::find(csv.names.begin(), csv.names.end(), name) == csv.names.end()) {
    wanted = "column " + name;
  }
  return static_cast<std::size_t>(&csv.column(wanted) - csv.columns.data());  // throws if there is none
}

/// Candidates of a role: the columns of the best kind of match.
class Candidates {
 public:
  Candidates(const Csv& csv, const Role& role, const std::vector<bool>& taken) {
    if (const std::string usual = find_column(csv, role.usual); !usual.empty()) {
      const std::size_t index = asked_column(csv, usual);
      if (!taken[index]) {
        columns.push_back(index);
        return;
      }
    }
    // Names that say "measured" come before others of known words, and those before names with more words.
    for (int rank = 0; rank < 3 && columns.empty(); ++rank) {
      for (std::size_t i = 0; i < csv.names.size(); ++i) {
        const auto guess = taken[i] ? std::nullopt : guess_role(csv.names[i]);
        if (guess && guess->role == role.name && rank == (!guess->plain ? 2 : guess->measured ? 0 : 1)) {
          columns.push_back(i);
          axes.push_back(guess->axis);
        }
      }
    }
  }
  std::vector<std::size_t> columns;
  std::vector<int> axes;
};

void check_options(const LogOptions& options) {
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
  for (const auto& [quantity, unit] : options.units) {
    factor_of(quantity, unit, "--unit");
  }
}

/// Assigns columns to roles: those asked for, then those that are clear by name, then those of the same joint.
class Assignment {
 public:
  Assignment(const LogTable& table, const LogOptions& options) : table_(table), taken_(table.csv.names.size()) {
    for (const Role& role : roles()) {
      if (const auto asked = options.columns.find(role.name); asked != options.columns.end()) {
        take(role, asked_column(table.csv, asked->second));
      }
    }
    for (const bool last : {false, true}) {
      for (const Role& role : roles()) {
        if (!chosen.contains(role.name)) {
          by_name(role, last);
        }
      }
    }
  }

  std::map<std::string, std::size_t> chosen;
  std::map<std::string, std::string> unclear;

 private:
  void take(const Role& role, std::size_t column) {
    chosen[role.name] = column;
    taken_[column] = true;
    const auto guess = guess_role(table_.csv.names[column]);
    if (guess && guess->axis >= 0 && axis_ < 0) {
      axis_ = guess->axis;
    }
  }

  void by_name(const Role& role, bool last) {
    const Candidates candidates(table_.csv, role, taken_);
    const auto& columns = candidates.columns;
    const bool clock = std::string_view(role.name) == "time";
    if (columns.size() == 1 || (clock && !columns.empty())) {
      take(role, columns.front());
      return;
    }
    if (columns.size() > 1 && last) {
      std::optional<std::size_t> same;
      for (std::size_t i = 0; i < columns.size(); ++i) {
        if (axis_ >= 0 && candidates.axes[i] == axis_) {
          same = same ? columns.size() : columns[i];  // two of one joint are as unclear
        }
      }
      if (same && *same < table_.csv.names.size() && !taken_[*same]) {
        take(role, *same);
        return;
      }
      std::vector<std::string> names;
      for (std::size_t i = 0; i < std::min<std::size_t>(columns.size(), 8); ++i) {
        names.push_back(cells::shown(table_.csv.names[columns[i]]));
      }
      unclear[role.name] = fmt::format("{}{}", fmt::join(names, ", "), names.size() < columns.size() ? ", ..." : "");
    }
  }

  const LogTable& table_;
  std::vector<bool> taken_;
  int axis_ = -1;
};

/// The unit of a time since 1970 without one: no other unit gives a date of this century.
std::string epoch_unit(const std::vector<double>& time) {
  const auto first = std::find_if(time.begin(), time.end(), [](double t) { return std::isfinite(t); });
  const double start = first == time.end() ? 0 : *first;
  for (const auto& [unit, factor] : {std::pair{"ms", 1e3}, std::pair{"us", 1e6}, std::pair{"ns", 1e9}}) {
    if (start > 9e8 * factor && start < 4.2e9 * factor) {
      return unit;
    }
  }
  return "";
}

}  // namespace

double time_factor(const LogTable& table, std::size_t column, const LogOptions& options, std::string& unit) {
  unit = unit_of(table, column, "time", options);
  if (unit.empty()) {
    unit = epoch_unit(table.csv.columns[column]);
  }
  return unit.empty() ? 1 : factor_of("time", unit, table.csv.file);
}

Roles find_roles(const LogTable& table, const LogOptions& options, std::vector<std::string>& notes) {
  check_options(options);
  const Assignment assignment(table, options);
  Roles found;
  found.unclear = assignment.unclear;
  std::vector<bool> used(table.csv.names.size());
  for (const Role& role : roles()) {
    const auto entry = assignment.chosen.find(role.name);
    if (entry == assignment.chosen.end()) {
      continue;
    }
    const std::size_t index = entry->second;
    used[index] = true;
    LogColumn signal{table.csv.names[index], index, unit_of(table, index, role.quantity, options),
                     table.csv.columns[index]};
    const bool clock = std::string_view(role.name) == "time";
    const double factor = clock                 ? time_factor(table, index, options, signal.unit)
                          : signal.unit.empty() ? 1
                                                : factor_of(role.quantity, signal.unit, table.csv.file);
    for (double& value : signal.values) {
      value *= factor;
    }
    notes.push_back(fmt::format("{}: column '{}'{}, {}", role.name, one_line(signal.column),
                                options.columns.contains(role.name) ? "" : " (by its name)",
                                signal.unit.empty() ? "taken as SI" : "in " + one_line(signal.unit)));
    found.signals.emplace(role.name, std::move(signal));
  }
  for (const auto& [role, names] : found.unclear) {
    notes.push_back(
        fmt::format("{}: not clear, could be {}; name one with --column {}=NAME, and columns of the same "
                    "joint are taken",
                    role, names, role));
  }
  std::vector<std::string> unused;
  for (std::size_t i = 0; i < used.size(); ++i) {
    const auto guess = guess_role(table.csv.names[i]);
    if (found.signals.contains("time") && (i == found.signals.at("time").index || (guess && guess->role == "time"))) {
      found.clocks.push_back(i);
    } else if (!used[i]) {
      unused.push_back(cells::shown(table.csv.names[i]));
    }
  }
  if (!unused.empty()) {
    const std::size_t count = unused.size();
    unused.resize(std::min<std::size_t>(count, 30));
    notes.push_back(fmt::format("not used: {}{}", fmt::join(unused, ", "), count > unused.size() ? ", ..." : ""));
  }
  return found;
}

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

}  // namespace stiction::io
