// Models from recordings.
#include "stiction/identify/identify.h"

#include <cmath>
#include <limits>

#include "long_call.h"
#include "scalar.h"
#include "stiction/identify/inspect.h"
#include "stiction/identify/plan.h"
#include "stiction/io/log_file.h"
#include "stiction/scalar/stribeck.h"

namespace stiction::python {
namespace {

namespace id = identify;

std::vector<double> column(const py::dict& row, const char* name, bool needed) {
  if (!row.contains(name) || row[name].is_none()) {
    if (needed) {
      throw py::value_error(std::string("a recording needs '") + name + "'");
    }
    return {};
  }
  const Table values = table_of(row[name], name, {-1});
  return {values.data(), values.data() + values.size()};
}

void require_length(const std::vector<double>& values, const char* name, std::size_t length) {
  if (!values.empty() && values.size() != length) {
    throw py::value_error(std::string(name) + " has " + std::to_string(values.size()) + " samples: must be " +
                          std::to_string(length));
  }
}

/// A key that is not known would be ignored, and with it what its user meant.
void require_known(const py::dict& row, std::initializer_list<const char*> known, const char* what) {
  for (const auto& item : row) {
    const std::string key = py::str(item.first);
    if (std::none_of(known.begin(), known.end(), [&](const char* name) { return key == name; })) {
      std::string names;
      for (const char* name : known) {
        names += (names.empty() ? "" : ", ") + std::string(name);
      }
      throw py::value_error("'" + key + "' is not known in " + what + "; there are: " + names);
    }
  }
}

id::Recording recording_from(const py::dict& row) {
  require_known(
      row, {"name", "time", "torque", "position", "velocity", "external", "velocity_reference", "position_reference"},
      "a recording");
  id::Recording r;
  r.name = row.contains("name") ? py::cast<std::string>(row["name"]) : "recording";
  r.time = column(row, "time", true);
  r.torque = column(row, "torque", true);
  r.position = column(row, "position", true);
  r.velocity = column(row, "velocity", false);
  r.external = column(row, "external", false);
  for (const auto& [key, kind] : {std::pair{"velocity_reference", id::Recording::Reference::velocity},
                                  std::pair{"position_reference", id::Recording::Reference::position}}) {
    if (auto commanded = column(row, key, false); !commanded.empty()) {
      if (r.reference != id::Recording::Reference::none) {
        throw py::value_error("a recording takes velocity_reference or position_reference, not both");
      }
      r.reference = kind;
      r.commanded = std::move(commanded);
    }
  }
  require_length(r.torque, "torque", r.time.size());
  require_length(r.position, "position", r.time.size());
  require_length(r.velocity, "velocity", r.time.size());
  require_length(r.external, "external", r.time.size());
  require_length(r.commanded, "the reference", r.time.size());
  return r;
}

id::Sweep sweep_from(const py::dict& row) {
  require_known(row, {"name", "velocity", "torque", "deviation"}, "a table of steady friction");
  id::Sweep s;
  s.name = row.contains("name") ? py::cast<std::string>(row["name"]) : "steady friction";
  s.velocity = column(row, "velocity", true);
  s.torque = column(row, "torque", true);
  s.deviation = column(row, "deviation", false);
  require_length(s.torque, "torque", s.velocity.size());
  require_length(s.deviation, "deviation", s.velocity.size());
  return s;
}

py::dict estimate_dict(const id::Estimate& e) {
  py::dict row;
  row["name"] = e.name;
  row["unit"] = e.unit;
  row["value"] = e.value;
  row["deviation"] = e.deviation;
  row["interval"] = py::make_tuple(e.low, e.high);
  row["determined"] = e.determined;
  return row;
}
py::list to_list(const std::vector<id::Estimate>& estimates) {
  py::list rows;
  for (const auto& e : estimates) {
    rows.append(estimate_dict(e));
  }
  return rows;
}

/// Of a fit that the measured motion drives: how well it predicts, and what was found in the log.
py::dict motion_dict(id::MotionFit fit) {
  py::dict result;
  result["held_out_error"] = fit.error;
  result["coulomb_viscous_error"] = fit.yardstick;
  result["constant_error"] = fit.constant;
  result["noise"] = fit.noise;
  result["corner"] = fit.corner;
  result["measured_velocity"] = fit.measured_velocity;
  result["sign_width"] = fit.sign_width;
  py::list steps;
  for (const auto& step : fit.steps) {
    py::dict row;
    row["model"] = step.model;
    row["unknowns"] = step.unknowns;
    row["error"] = step.error;
    row["supported"] = step.supported;
    steps.append(row);
  }
  result["steps"] = steps;
  py::list findings;
  for (const auto& finding : fit.findings) {
    py::dict row;
    row["name"] = finding.name;
    row["value"] = finding.value;
    row["unit"] = finding.unit;
    row["text"] = finding.text;
    findings.append(row);
  }
  result["findings"] = findings;
  py::dict undetermined;
  for (const auto& one : fit.undetermined) {
    undetermined[py::str(one.name)] = one.experiment;
  }
  result["undetermined"] = undetermined;
  py::list tracks;
  for (auto& track : fit.tracks) {
    py::dict row;
    row["recording"] = track.recording;
    row["time"] = to_array(std::move(track.time));
    row["position"] = to_array(std::move(track.position));
    row["velocity"] = to_array(std::move(track.velocity));
    row["torque"] = to_array(std::move(track.torque));
    row["predicted"] = to_array(std::move(track.predicted));
    row["friction"] = to_array(std::move(track.friction));
    py::array_t<bool> held_out(static_cast<py::ssize_t>(track.held_out.size()));
    std::copy(track.held_out.begin(), track.held_out.end(), held_out.mutable_data());
    row["held_out"] = held_out;
    tracks.append(row);
  }
  result["tracks"] = tracks;
  return result;
}

id::DrivenBy drive_named(const std::string& name) {
  constexpr std::array names{"auto", "motion", "torque", "loop"};
  constexpr std::array drives{id::DrivenBy::automatic, id::DrivenBy::motion, id::DrivenBy::torque, id::DrivenBy::loop};
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    throw py::value_error("drive '" + name + "': must be auto, motion, torque or loop");
  }
  return drives.at(static_cast<std::size_t>(found - names.begin()));
}

py::dict fit_dict(id::Fit fit) {
  py::dict result;
  result["name"] = fit.model_name;
  result["model"] = make_scalar(fit.model);
  result["mass"] = fit.mass;
  result["estimates"] = to_list(fit.estimates);
  result["nuisance"] = to_list(fit.nuisance);
  py::array_t<double> correlation({fit.correlation.size(), fit.correlation.size()});
  for (std::size_t i = 0; i < fit.correlation.size(); ++i) {
    std::copy(fit.correlation[i].begin(), fit.correlation[i].end(),
              correlation.mutable_data() + i * fit.correlation.size());
  }
  result["correlation"] = correlation;
  py::list channels;
  for (auto& c : fit.channels) {
    py::dict row;
    row["recording"] = c.recording;
    row["quantity"] = c.quantity;
    row["drive"] = c.drive;
    row["time"] = to_array(std::move(c.time));
    row["measured"] = to_array(std::move(c.measured));
    row["predicted"] = to_array(std::move(c.predicted));
    row["noise"] = c.noise;
    row["residual"] = c.residual;
    row["autocorrelation"] = c.autocorrelation;
    row["residual_noise"] = c.residual_noise;
    row["correction"] = c.correction;
    channels.append(row);
  }
  result["channels"] = channels;
  py::array_t<double> steady({fit.steady.size(), std::size_t{5}});
  for (std::size_t i = 0; i < fit.steady.size(); ++i) {
    const auto& p = fit.steady[i];
    const std::array<double, 5> row{p.velocity, p.torque, p.deviation, p.predicted, p.used ? 1.0 : 0.0};
    std::copy(row.begin(), row.end(), steady.mutable_data() + 5 * i);
  }
  result["steady"] = steady;
  result["warnings"] = fit.warnings;
  result["refusal"] = fit.refusal;
  result["explained"] = fit.explained;
  result["excess"] = fit.excess;
  result["held_out_excess"] = fit.held_out_excess;
  result["samples"] = fit.samples;
  result["outliers"] = fit.outliers;
  result["steps"] = fit.steps;
  result["motion"] = fit.motion ? py::object(motion_dict(std::move(*fit.motion))) : py::none();
  return result;
}

using NameMap = std::map<std::string, std::string>;

/// Arrays by name as a log; what is not finite is missing.
io::LogTable log_table(const py::dict& table, const std::string& name) {
  io::LogTable log;
  log.csv.file = name;
  for (const auto& item : table) {
    const std::string key = py::str(item.first);
    const Table values = table_of(item.second, key.c_str(), {-1});
    log.csv.names.push_back(key);
    log.csv.columns.emplace_back(values.data(), values.data() + values.size());
    for (double& value : log.csv.columns.back()) {
      value = std::isfinite(value) ? value : std::numeric_limits<double>::quiet_NaN();
    }
    require_length(log.csv.columns.back(), key.c_str(), log.csv.columns.front().size());
  }
  if (log.csv.columns.empty() || log.csv.columns.front().empty()) {
    throw py::value_error(name + " has no rows");
  }
  return log;
}

auto log_tuple(const io::Log& log) {
  As<"list[stiction.results.Recording]", py::list> recordings{py::list()};
  for (const auto& r : log.data.recordings) {
    py::dict row;
    row["name"] = r.name;
    row["time"] = to_array(r.time);
    row["torque"] = to_array(r.torque);
    row["position"] = to_array(r.position);
    if (r.reference != id::Recording::Reference::none) {
      row[r.reference == id::Recording::Reference::velocity ? "velocity_reference" : "position_reference"] =
          to_array(r.commanded);
    }
    recordings.append(row);
  }
  As<"list[stiction.results.Sweep]", py::list> sweeps{py::list()};
  for (const auto& s : log.data.sweeps) {
    py::dict row;
    row["name"] = s.name;
    row["velocity"] = to_array(s.velocity);
    row["torque"] = to_array(s.torque);
    if (!s.deviation.empty()) {
      row["deviation"] = to_array(s.deviation);
    }
    sweeps.append(row);
  }
  return std::tuple(recordings, sweeps, log.notes);
}

py::object optional_number(const std::optional<double>& value) {
  return value ? py::object(py::float_(*value)) : py::object(py::none());
}

As<"dict[str, Any]", py::dict> inspection_dict(const id::Signals& signals) {
  id::Inspection found = id::inspect(signals);
  As<"dict[str, Any]", py::dict> result{py::dict()};
  result["name"] = found.name;
  result["rows"] = found.rows;
  result["notes"] = found.notes;
  result["clock"] = py::none();
  if (found.clock) {
    const auto& c = *found.clock;
    result["clock"] =
        py::dict(py::arg("duration") = c.duration, py::arg("interval") = c.interval, py::arg("jitter") = c.jitter,
                 py::arg("gaps") = c.gaps, py::arg("longest_gap") = c.longest_gap, py::arg("repeated") = c.repeated,
                 py::arg("backwards") = c.backwards, py::arg("position_over_velocity") = optional_number(c.ratio));
  }
  py::dict by_role;
  for (const auto& s : found.signals) {
    by_role[py::str(s.role)] =
        py::dict(py::arg("column") = s.column, py::arg("missing") = s.missing, py::arg("low") = s.low,
                 py::arg("high") = s.high, py::arg("noise") = s.noise, py::arg("step") = optional_number(s.step),
                 py::arg("held") = s.held, py::arg("saturated") = s.saturated);
  }
  result["signals"] = by_role;
  result["motion"] = py::none();
  if (found.motion) {
    const auto& m = *found.motion;
    result["motion"] =
        py::dict(py::arg("window") = m.window, py::arg("travel") = m.travel, py::arg("rest_speed") = m.rest_speed,
                 py::arg("rest") = m.rest, py::arg("forward") = m.forward, py::arg("backward") = m.backward,
                 py::arg("slow") = m.slow, py::arg("median") = m.median, py::arg("fast") = m.fast,
                 py::arg("reversals") = m.reversals);
  }
  result["linear_fit"] = py::none();
  if (found.yardstick) {
    const auto& y = *found.yardstick;
    result["linear_fit"] =
        py::dict(py::arg("offset") = y.offset, py::arg("coulomb") = y.coulomb, py::arg("viscous") = y.viscous,
                 py::arg("sine") = optional_number(y.sine), py::arg("cosine") = optional_number(y.cosine),
                 py::arg("inertia") = optional_number(y.inertia), py::arg("residual") = y.residual,
                 py::arg("explained") = y.explained);
  }
  py::list support;
  for (const auto& s : found.support) {
    support.append(py::dict(py::arg("effect") = s.effect, py::arg("supported") = s.supported,
                            py::arg("reason") = s.reason, py::arg("advice") = s.advice));
  }
  result["support"] = support;
  result["warnings"] = found.warnings;
  result["advice"] = found.advice;
  result["time"] = to_array(std::move(found.time));
  result["position"] = to_array(std::move(found.position));
  result["velocity"] = to_array(std::move(found.velocity));
  result["torque"] = to_array(std::move(found.torque));
  return result;
}

}  // namespace

void bind_identify(py::module_& root) {
  auto m = part(root, "identification", "Models from recordings.");
  m.def("identifiable", &id::identifiable, "Names of the models that can be identified.");
  m.def(
      "identify",
      [](const std::vector<As<"dict[str, Any]", py::dict>>& recordings,
         const std::vector<As<"dict[str, Any]", py::dict>>& sweeps, const std::string& model, const std::string& drive,
         std::optional<double> mass, double stribeck_exponent, std::size_t max_samples, bool held_out,
         const std::function<void(double)>& progress) {
        id::Data data;
        for (const auto& row : recordings) {
          data.recordings.push_back(recording_from(row));
        }
        for (const auto& row : sweeps) {
          data.sweeps.push_back(sweep_from(row));
        }
        auto known = id::identifiable();
        for (const std::string& name : id::motion_models()) {
          if (std::find(known.begin(), known.end(), name) == known.end()) {
            known.push_back(name);
          }
        }
        if (model != "auto" && std::find(known.begin(), known.end(), model) == known.end()) {
          std::string names;
          for (const auto& name : known) {
            names += ", " + name;
          }
          throw py::value_error("'" + model + "' cannot be identified; there are auto" + names);
        }
        if (mass && !positive.holds(*mass)) {
          throw InvalidParameter(Problem{"mass", *mass, positive.text});
        }
        if (!scalar::stribeck_exponents.holds(stribeck_exponent)) {
          throw InvalidParameter(Problem{"stribeck_exponent", stribeck_exponent, scalar::stribeck_exponents.text});
        }
        id::Options options;
        options.model = model;
        options.drive = drive_named(drive);
        options.mass = mass;
        options.stribeck_exponent = stribeck_exponent;
        options.max_samples = max_samples;
        options.held_out = held_out;
        LongCall call(progress);
        options.progress = call.reporter();
        auto fits = call.run([&] { return id::identify(data, options); });
        As<"list[stiction.results.FitRow]", py::list> result{py::list()};
        for (auto& fit : fits) {
          result.append(fit_dict(std::move(fit)));
        }
        return result;
      },
      py::arg("recordings"), py::arg("sweeps"), py::arg("model") = "auto", py::arg("drive") = "auto",
      py::arg("mass") = py::none(), py::arg("stribeck_exponent") = 2.0, py::arg("max_samples") = 40'000,
      py::arg("held_out") = true, py::arg("progress") = std::function<void(double)>(), "All fits, the best first.");
  m.def(
      "read_log",
      [](const PathLike& path, const NameMap& columns, const NameMap& units, std::optional<double> torque_constant) {
        return log_tuple(io::read_log(path_text(path), {columns, units, torque_constant}));
      },
      py::arg("path"), py::arg("columns") = NameMap{}, py::arg("units") = NameMap{},
      py::arg("torque_constant") = py::none(), "(recordings, sweeps, notes) of a file of columns, or of a .mat file.");
  m.def(
      "read_columns",
      [](const As<"dict[str, Any]", py::dict>& table, const std::string& name, const NameMap& columns,
         const NameMap& units, std::optional<double> torque_constant) {
        return log_tuple(io::read_log(log_table(table, name), {columns, units, torque_constant}));
      },
      py::arg("table"), py::arg("name") = "log", py::arg("columns") = NameMap{}, py::arg("units") = NameMap{},
      py::arg("torque_constant") = py::none(), "The same of arrays by name.");
  m.def(
      "inspect_log",
      [](const PathLike& path, const NameMap& columns, const NameMap& units, std::optional<double> torque_constant) {
        return inspection_dict(io::read_signals(path_text(path), {columns, units, torque_constant}));
      },
      py::arg("path"), py::arg("columns") = NameMap{}, py::arg("units") = NameMap{},
      py::arg("torque_constant") = py::none(), "What is in a file, and which models it can support.");
  m.def(
      "inspect_columns",
      [](const As<"dict[str, Any]", py::dict>& table, const std::string& name, const NameMap& columns,
         const NameMap& units, std::optional<double> torque_constant) {
        return inspection_dict(io::read_signals(log_table(table, name), {columns, units, torque_constant}));
      },
      py::arg("table"), py::arg("name") = "log", py::arg("columns") = NameMap{}, py::arg("units") = NameMap{},
      py::arg("torque_constant") = py::none(), "The same of arrays by name.");
  m.def(
      "plan",
      [](double torque, double speed, double travel, double sample_rate, double friction, double mass,
         double stiffness) {
        const auto plan = id::make_plan({torque, speed, travel, sample_rate, friction, mass, stiffness});
        As<"list[stiction.results.PlannedRun]", py::list> runs{py::list()};
        for (const auto& run : plan.runs) {
          py::dict row;
          row["name"] = run.name;
          row["mode"] = run.mode == id::Run::Mode::torque ? "torque" : "velocity";
          row["time"] = to_array(run.time);
          row["reference"] = to_array(run.reference);
          runs.append(row);
        }
        return std::pair(runs, plan.instructions);
      },
      py::arg("torque"), py::arg("speed"), py::arg("travel"), py::arg("sample_rate") = 1000.0,
      py::arg("friction") = 0.0, py::arg("mass") = 0.0, py::arg("stiffness") = 0.0,
      "What to run on an axis with these limits (N, m/s, m, Hz) so that its log identifies the friction: (runs, "
      "instructions).");
}

}  // namespace stiction::python
