#include "stiction/identify/inspect.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "complain.h"
#include "json_text.h"
#include "lab.h"
#include "log_options.h"
#include "stiction/identify/identify.h"
#include "stiction/io/file.h"
#include "stiction/io/log_file.h"

namespace stiction::cli {
namespace {

using Json = nlohmann::ordered_json;

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }
Json number(const std::optional<double>& value) { return value ? number(*value) : Json(nullptr); }

Json json_of(const identify::Inspection& found) {
  Json signals = Json::array();
  for (const auto& s : found.signals) {
    signals.push_back({{"role", s.role},
                       {"column", s.column},
                       {"missing", s.missing},
                       {"low", number(s.low)},
                       {"high", number(s.high)},
                       {"noise", number(s.noise)},
                       {"step", number(s.step)},
                       {"held", number(s.held)},
                       {"saturated", s.saturated}});
  }
  Json support = Json::array();
  for (const auto& s : found.support) {
    support.push_back({{"effect", s.effect}, {"supported", s.supported}, {"reason", s.reason}, {"advice", s.advice}});
  }
  Json result{{"log", found.name}, {"rows", found.rows}, {"notes", found.notes},
              {"clock", nullptr},  {"motion", nullptr},  {"linear_fit", nullptr}};
  if (found.clock) {
    const auto& c = *found.clock;
    result["clock"] = {{"duration", number(c.duration)},
                       {"interval", number(c.interval)},
                       {"jitter", number(c.jitter)},
                       {"gaps", c.gaps},
                       {"longest_gap", number(c.longest_gap)},
                       {"repeated", c.repeated},
                       {"backwards", c.backwards},
                       {"position_over_velocity", number(c.ratio)}};
  }
  if (found.motion) {
    const auto& m = *found.motion;
    result["motion"] = {
        {"window", number(m.window)}, {"travel", number(m.travel)},   {"rest_speed", number(m.rest_speed)},
        {"rest", number(m.rest)},     {"forward", number(m.forward)}, {"backward", number(m.backward)},
        {"slow", number(m.slow)},     {"median", number(m.median)},   {"fast", number(m.fast)},
        {"reversals", m.reversals}};
  }
  if (found.yardstick) {
    const auto& y = *found.yardstick;
    result["linear_fit"] = {{"offset", number(y.offset)},     {"coulomb", number(y.coulomb)},
                            {"viscous", number(y.viscous)},   {"sine", number(y.sine)},
                            {"cosine", number(y.cosine)},     {"inertia", number(y.inertia)},
                            {"residual", number(y.residual)}, {"explained", number(y.explained)}};
  }
  result["signals"] = signals;
  result["support"] = support;
  result["warnings"] = found.warnings;
  result["advice"] = found.advice;
  return result;
}

void print_clock(const identify::Inspection& found) {
  if (!found.clock) {
    fmt::print("{:<14} none: a table of {} steady points\n", "clock", found.rows);
    return;
  }
  const auto& c = *found.clock;
  fmt::print("{:<14} {} rows, {:.4g} s, every {:.4g} s ({:.4g} Hz), jitter {:.2g} %, {} gaps\n", "clock", found.rows,
             c.duration, c.interval, c.interval > 0 ? 1 / c.interval : 0, 100 * c.jitter, c.gaps);
  if (c.ratio) {
    fmt::print("{:<14} the change of position is {:.4g} times what velocity and clock say\n", "", *c.ratio);
  }
}

void print(const identify::Inspection& found) {
  fmt::print("{}\n", one_line(found.name));
  for (const std::string& note : found.notes) {
    fmt::print("{:<14} {}\n", "file", one_line(note));
  }
  print_clock(found);
  for (const auto& s : found.signals) {
    fmt::print("{:<14} {:.5g} to {:.5g}, noise {:.2g}{}{}{}\n", s.role, s.low, s.high, s.noise,
               s.step ? fmt::format(", steps of {:.3g}", *s.step) : "",
               s.held > 0.005 ? fmt::format(", {:.1f} % held at an end", 100 * s.held) : "",
               s.missing > 0 ? fmt::format(", {} missing", s.missing) : "");
  }
  if (found.motion) {
    const auto& m = *found.motion;
    fmt::print("{:<14} {:.0f} % forwards, {:.0f} % backwards, {:.0f} % at rest (below {:.2g}), {} reversals\n",
               "motion", 100 * m.forward, 100 * m.backward, 100 * m.rest, m.rest_speed, m.reversals);
    fmt::print("{:<14} speeds {:.3g}, {:.3g}, {:.3g} (5, 50, 95 % of the sliding), travel {:.4g}{}\n", "", m.slow,
               m.median, m.fast, m.travel,
               m.window > 0 ? fmt::format("; position differentiated over {:.2g} s", m.window) : "");
  }
  if (found.yardstick) {
    const auto& y = *found.yardstick;
    fmt::print("{:<14} Coulomb {:.4g}, viscous {:.4g}, offset {:.4g}{}{}: residual {:.3g}, {:.1f} % of the variance\n",
               "linear fit", y.coulomb, y.viscous, y.offset,
               y.sine && y.cosine ? fmt::format(", gravity {:.4g}", std::hypot(*y.sine, *y.cosine)) : "",
               y.inertia ? fmt::format(", inertia {:.3g}", *y.inertia) : "", y.residual, 100 * y.explained);
  }
  fmt::print("\n");
  for (const auto& s : found.support) {
    fmt::print("{:<4} {}: {}\n", s.supported ? "yes" : "no", s.effect, s.reason);
  }
  for (const std::string& warning : found.warnings) {
    fmt::print("note: {}\n", one_line(warning));
  }
  for (const std::string& advice : found.advice) {
    fmt::print("next: {}\n", advice);
  }
}

/// At most so many rows are drawn and written: every n-th.
constexpr std::size_t max_rows = 20'000;

lab::Result pictures(const identify::Inspection& found) {
  const std::size_t stride = found.velocity.size() / max_rows + 1;
  std::vector<std::vector<double>> columns(4);
  const bool clock = found.clock.has_value();
  for (std::size_t k = 0; k < found.velocity.size(); k += stride) {
    const std::array row{clock ? found.time[k] : static_cast<double>(k), found.position[k], found.velocity[k],
                         found.torque[k]};
    if (!std::isfinite(row[2]) || !std::isfinite(row[3])) {
      continue;
    }
    for (std::size_t i = 0; i < row.size(); ++i) {
      columns[i].push_back(row[i]);
    }
  }
  lab::Result result;
  if (columns[0].empty()) {
    return result;
  }
  const bool position =
      std::all_of(columns[1].begin(), columns[1].end(), [](double q) { return std::isfinite(q); }) && clock;
  if (!position) {
    std::fill(columns[1].begin(), columns[1].end(), 0);
  }
  result.tables.push_back({"signals",
                           {{clock ? "time [s]" : "row", columns[0]},
                            {"position", columns[1]},
                            {"velocity", columns[2]},
                            {"torque", columns[3]}}});
  const std::string name = std::filesystem::path(found.name).filename().string();
  const auto figure = [&](const char* id, const char* title, std::size_t x, const char* x_label, std::size_t y,
                          const char* y_label, const char* style) {
    result.figures.push_back(
        {id, fmt::format("{}: {}", name, title), x_label, y_label, {{"signals", x, y, y_label, style}}});
  };
  if (clock) {
    figure("torque", "torque", 0, "time [s]", 3, "torque", "lines");
    figure("velocity", "velocity", 0, "time [s]", 2, "velocity", "lines");
  }
  figure("torque_against_velocity", "torque against velocity", 2, "velocity", 3, "torque", "points");
  if (position) {
    figure("position", "position", 0, "time [s]", 1, "position", "lines");
    figure("torque_against_position", "torque against position", 1, "position", 3, "torque", "points");
  }
  return result;
}

}  // namespace

int inspect(const InspectArguments& arguments) {
  const io::LogOptions options = log_options(arguments);
  Json all = Json::array();
  for (std::size_t i = 0; i < arguments.logs.size(); ++i) {
    const identify::Inspection found = [&] {
      try {
        return identify::inspect(io::read_signals(arguments.logs[i], options));
      } catch (const identify::BadData& error) {
        throw io::InputError(error.what());
      }
    }();
    if (!arguments.out.empty()) {
      // Several logs have a folder each.
      const std::filesystem::path folder =
          arguments.logs.size() == 1
              ? std::filesystem::path(arguments.out)
              : std::filesystem::path(arguments.out) /
                    fmt::format("{}_{}", i + 1, std::filesystem::path(arguments.logs[i]).stem().string());
      io::make_folder(folder);
      io::write_text(folder / "inspection.json", json_text(json_of(found)) + "\n");
      lab::write(pictures(found), folder);
    }
    if (arguments.json) {
      all.push_back(json_of(found));
    } else {
      fmt::print("{}", i > 0 ? "\n" : "");
      print(found);
    }
  }
  if (arguments.json) {
    fmt::print("{}\n", json_text(all));
  } else if (!arguments.out.empty()) {
    fmt::print("written: {}\n", one_line(arguments.out));
  }
  return exit_good;
}

}  // namespace stiction::cli
