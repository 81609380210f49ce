#include "stiction/identify/identify.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "complain.h"
#include "interrupt.h"
#include "json_text.h"
#include "lab.h"
#include "log_options.h"
#include "motion_output.h"
#include "progress.h"
#include "stiction/identify/plan.h"
#include "stiction/io/csv.h"
#include "stiction/io/file.h"
#include "stiction/io/log_file.h"
#include "stiction/io/model_file.h"

namespace stiction::cli {
namespace {

using Json = nlohmann::ordered_json;

Json number_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json json_of(const identify::Estimate& e) {
  return {{"name", e.name},
          {"unit", e.unit},
          {"value", number_or_null(e.value)},
          {"deviation", number_or_null(e.deviation)},
          {"low", number_or_null(e.low)},
          {"high", number_or_null(e.high)},
          {"determined", e.determined}};
}

Json json_of(const identify::Fit& fit) {
  Json parameters = Json::array();
  for (const auto& e : fit.estimates) {
    parameters.push_back(json_of(e));
  }
  Json others = Json::array();
  for (const auto& e : fit.nuisance) {
    others.push_back(json_of(e));
  }
  Json channels = Json::array();
  for (const auto& c : fit.channels) {
    channels.push_back({{"log", c.recording},
                        {"quantity", c.quantity},
                        {"drive", c.drive},
                        {"noise", number_or_null(c.noise)},
                        {"residual", number_or_null(c.residual)},
                        {"autocorrelation", number_or_null(c.autocorrelation)}});
  }
  Json correlation = Json::array();
  for (const auto& row : fit.correlation) {
    correlation.push_back(Json::array());
    for (const double value : row) {
      correlation.back().push_back(number_or_null(value));
    }
  }
  Json result{{"model", fit.model_name},
              {"drive", fit.motion ? "motion" : "simulated"},
              {"accepted", fit.refusal.empty()},
              {"refusal", fit.refusal},
              {"warnings", fit.warnings},
              {"residual_over_noise", number_or_null(fit.excess)},
              {"held_out_residual_over_noise", number_or_null(fit.held_out_excess)},
              {"samples", fit.samples},
              {"outliers", fit.outliers},
              {"parameters", parameters},
              {"correlation", correlation},
              {"other", others},
              {"signals", channels}};
  if (fit.motion) {
    result["motion"] = json_of_motion(*fit.motion);
  }
  return result;
}

/// Tables and figures: each signal with its residual, and steady friction.
lab::Result pictures(const identify::Fit& fit) {
  if (fit.motion) {
    return pictures_of_motion(*fit.motion);
  }
  lab::Result result;
  for (std::size_t i = 0; i < fit.channels.size(); ++i) {
    const auto& c = fit.channels[i];
    std::vector<double> residual(c.time.size());
    std::transform(c.measured.begin(), c.measured.end(), c.predicted.begin(), residual.begin(), std::minus<>());
    const std::string name = fmt::format("{}_{}", c.quantity, i + 1);
    result.tables.push_back(
        {name, {{"time [s]", c.time}, {"measured", c.measured}, {"model", c.predicted}, {"residual", residual}}});
    result.figures.push_back({name,
                              fmt::format("{}: {}", std::filesystem::path(c.recording).filename().string(), c.quantity),
                              "time [s]",
                              c.quantity,
                              {{name, 0, 1, "measured"}, {name, 0, 2, "model"}}});
    result.figures.push_back(
        {name + "_residual",
         fmt::format("{}: residual of the {}", std::filesystem::path(c.recording).filename().string(), c.quantity),
         "time [s]",
         "residual",
         {{name, 0, 3, "measured - model", "points"}}});
  }
  if (!fit.steady.empty()) {
    std::vector<std::vector<double>> columns(5);
    for (const auto& p : fit.steady) {
      const std::array row{p.velocity, p.torque, p.deviation, p.predicted, p.used ? 1.0 : 0.0};
      for (std::size_t k = 0; k < row.size(); ++k) {
        columns[k].push_back(row[k]);
      }
    }
    result.tables.push_back({"steady",
                             {{"velocity [m/s]", columns[0]},
                              {"torque [N]", columns[1]},
                              {"deviation [N]", columns[2]},
                              {"model [N]", columns[3]},
                              {"used", columns[4]}}});
    result.figures.push_back({"steady",
                              "Friction at constant velocity",
                              "velocity",
                              "friction",
                              {{"steady", 0, 1, "measured", "points"}, {"steady", 0, 3, "model", "points"}}});
  }
  return result;
}

/// A model file that is a scenario too, so that `stiction simulate` runs it as it is.
std::string model_file(const identify::Fit& fit) {
  const double friction = [&] {
    double largest = 0;
    for (const auto& e : fit.estimates) {
      if (e.name.starts_with("static_force") || e.name.starts_with("coulomb_force")) {
        largest = std::max(largest, e.value);
      }
    }
    return largest > 0 ? largest : 1.0;
  }();
  std::string text = io::to_toml(fit.model);
  text += "\n# Deviation of each parameter:\n";
  for (const auto& e : fit.estimates) {
    text +=
        fmt::format("# {} = {:.6g} +- {:.2g} (95 %: {:.6g} to {:.6g})\n", e.name, e.value, e.deviation, e.low, e.high);
  }
  if (fit.motion) {
    text += external_comments(*fit.motion);
  }
  text += fmt::format("\n[body]\nmass = {}\n", fit.mass > 0 ? fit.mass : 1.0);
  if (!(fit.mass > 0)) {
    text += "# The data do not determine the mass: this is only a placeholder.\n";
  }
  text += fmt::format(
      "\n# For a first try: a slow push and pull beyond break-away.\n[load]\nforce = {{ type = \"sine\", amplitude = "
      "{:.6g}, "
      "frequency = 6.0 }}\n\n[integrator]\nduration = 3.0\n",
      1.5 * friction);
  return text;
}

void print(const identify::Fit& fit) {
  fmt::print("\n{}: {}\n", fit.model_name.empty() ? "no model" : fit.model_name,
             fit.refusal.empty() ? "accepted" : "REFUSED: " + fit.refusal);
  std::vector<identify::Estimate> rows = fit.estimates;
  if (fit.motion) {
    print_prediction(*fit.motion);
    rows.insert(rows.end(), fit.nuisance.begin(), fit.nuisance.end());
  } else {
    fmt::print("residual over noise {:.3f}", fit.excess);
    if (fit.held_out_excess > 0) {
      fmt::print(", on the held-out part {:.3f}", fit.held_out_excess);
    }
    fmt::print("; {} numbers fitted\n\n", fit.samples);
  }
  fmt::print("{:<26} {:>13} {:>11} {:>28}  {}\n", "parameter", "value", "deviation", "95 % interval", "unit");
  for (const auto& e : rows) {
    if (e.determined) {
      fmt::print("{:<26} {:>13.6g} {:>11.2g} {:>28}  {}\n", e.name, e.value, e.deviation,
                 fmt::format("{:.6g} to {:.6g}", e.low, e.high), e.unit);
    } else {
      fmt::print("{:<26} {:>13} {:>11} {:>28}  {}\n", e.name, "?", "", "not determined", e.unit);
    }
  }
  if (fit.motion) {
    print_remarks(*fit.motion);
    for (const auto& note : fit.motion->notes) {
      fmt::print("note: {}\n", one_line(note));
    }
    return;
  }
  for (const auto& warning : fit.warnings) {
    fmt::print("note: {}\n", warning);
  }
}

identify::DrivenBy drive_named(const std::string& name) {
  using identify::DrivenBy;
  constexpr std::array names{"auto", "motion", "torque", "loop"};
  constexpr std::array drives{DrivenBy::automatic, DrivenBy::motion, DrivenBy::torque, DrivenBy::loop};
  const auto* const found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    throw io::InputError(fmt::format("--drive '{}': must be one of {}", name, fmt::join(names, ", ")));
  }
  return drives.at(static_cast<std::size_t>(found - names.begin()));
}

/// Writes what to run on the axis: one CSV of references for each run, and the instructions.
int write_plan(const IdentifyArguments& arguments) {
  identify::Limits limits = arguments.limits;
  limits.mass = arguments.mass.value_or(0);
  const identify::Plan plan = [&] {
    try {
      return identify::make_plan(limits);
    } catch (const identify::BadData& error) {
      throw io::InputError(error.what());
    }
  }();
  const std::filesystem::path folder = arguments.out;
  io::make_folder(folder);
  for (const identify::Run& run : plan.runs) {
    const char* quantity = run.mode == identify::Run::Mode::torque ? "torque_cmd" : "v_ref";
    const std::filesystem::path file = folder / (run.name + ".csv");
    io::write_text(file, io::to_csv({"time", quantity}, {run.time, run.reference}));
    fmt::print("written: {} ({} for {:g} s)\n", one_line(file.string()), quantity, run.time.back());
  }
  io::write_text(folder / "instructions.txt", plan.instructions);
  fmt::print("\n{}", plan.instructions);
  return exit_good;
}

}  // namespace

int identify(const IdentifyArguments& arguments) {
  if (arguments.plan) {
    if (!arguments.logs.empty()) {
      throw io::InputError("--experiment-plan makes a plan and reads no LOG");
    }
    return write_plan(arguments);
  }
  if (arguments.logs.empty()) {
    throw io::InputError("LOG is required (or --experiment-plan; see stiction identify --help)");
  }
  const identify::DrivenBy drive = drive_named(arguments.drive);
  const io::LogOptions options = log_options(arguments);
  identify::Data data;
  std::vector<std::string> notes;
  for (const std::string& file : arguments.logs) {
    io::Log log = io::read_log(file, options);
    for (const std::string& note : log.notes) {
      notes.push_back(fmt::format("{}: {}", file, note));
    }
    std::move(log.data.recordings.begin(), log.data.recordings.end(), std::back_inserter(data.recordings));
    std::move(log.data.sweeps.begin(), log.data.sweeps.end(), std::back_inserter(data.sweeps));
  }

  catch_interrupts();
  ProgressBar bar;
  identify::Options question;
  question.model = arguments.model;
  question.drive = drive;
  question.mass = arguments.mass;
  question.stribeck_exponent = arguments.stribeck_exponent;
  question.progress = [&](double fraction) {
    bar.show("fitting", fraction);
    if (interrupted()) {
      throw lab::Cancelled();
    }
  };
  std::vector<identify::Fit> fits;
  try {
    fits = identify::identify(data, question);
  } catch (const lab::Cancelled&) {
    return exit_interrupted;
  } catch (const identify::BadData& error) {
    throw io::InputError(error.what());
  }
  bar.clear();
  const identify::Fit& best = fits.front();

  const std::filesystem::path folder = arguments.out;
  Json all = Json::array();
  for (const auto& fit : fits) {
    all.push_back(json_of(fit));
  }
  const Json report{{"logs", arguments.logs}, {"notes", notes}, {"fit", all.front()}, {"models", all}};
  io::make_folder(folder);
  io::write_text(folder / "fit.json", json_text(report) + "\n");
  lab::write(pictures(best), folder);
  const std::filesystem::path model = folder / "model.toml";
  if (best.refusal.empty()) {
    io::write_text(model, model_file(best));
  } else {
    std::filesystem::remove(model);  // one from an earlier fit would be mistaken for this one
  }

  if (arguments.json) {
    fmt::print("{}\n", json_text(report));
  } else {
    for (const std::string& note : notes) {
      fmt::print("{}\n", one_line(note));
    }
    if (fits.size() > 1) {
      fmt::print("\n{:<22} {:>14} {:>14}  {}\n", "model", "residual/noise", "held out", "verdict");
      for (const auto& fit : fits) {
        fmt::print("{:<22} {:>14.3f} {:>14.3f}  {}\n", fit.model_name + (fit.motion ? " (motion)" : ""), fit.excess,
                   fit.held_out_excess, fit.refusal.empty() ? "accepted" : fit.refusal);
      }
    }
    if (best.motion && arguments.drive == "auto") {
      fmt::print("\n{}\n", one_line(best.warnings.front()));
    }
    print(best);
    fmt::print("written: {}\n", one_line((best.refusal.empty() ? model : folder / "fit.json").string()));
  }
  return best.refusal.empty() ? exit_good : exit_claim_failed;
}

}  // namespace stiction::cli
