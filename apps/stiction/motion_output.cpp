#include "motion_output.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "stiction/io/file.h"

namespace stiction::cli {
namespace {

using Json = nlohmann::ordered_json;

Json finite_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

}  // namespace

Json json_of_motion(const identify::MotionFit& fit) {
  Json steps = Json::array();
  for (const auto& step : fit.steps) {
    steps.push_back({{"model", step.model},
                     {"unknowns", step.unknowns},
                     {"error", finite_or_null(step.error)},
                     {"supported", step.supported}});
  }
  Json findings = Json::array();
  for (const auto& finding : fit.findings) {
    findings.push_back({{"name", finding.name},
                        {"value", finite_or_null(finding.value)},
                        {"unit", finding.unit},
                        {"text", finding.text}});
  }
  Json missing = Json::array();
  for (const auto& one : fit.undetermined) {
    missing.push_back({{"name", one.name}, {"experiment", one.experiment}});
  }
  return {{"held_out_error", finite_or_null(fit.error)},
          {"held_out_error_of_coulomb_and_viscous", finite_or_null(fit.yardstick)},
          {"held_out_error_of_a_constant", finite_or_null(fit.constant)},
          {"explained", finite_or_null(fit.explained)},
          {"torque_noise", finite_or_null(fit.noise)},
          {"filter_corner", finite_or_null(fit.corner)},
          {"measured_velocity", fit.measured_velocity},
          {"sign_smoothed_over", finite_or_null(fit.sign_width)},
          {"steps", steps},
          {"findings", findings},
          {"not_determined", missing}};
}

lab::Result pictures_of_motion(const identify::MotionFit& fit) {
  lab::Result result;
  for (std::size_t i = 0; i < fit.tracks.size(); ++i) {
    const identify::MotionTrack& track = fit.tracks[i];
    std::vector<double> residual(track.time.size());
    std::vector<double> held(track.time.size());
    for (std::size_t k = 0; k < residual.size(); ++k) {
      residual[k] = track.torque[k] - track.predicted[k];
      held[k] = track.held_out[k];
    }
    const std::string name = fmt::format("motion_{}", i + 1);
    const std::string file = std::filesystem::path(track.recording).filename().string();
    result.tables.push_back({name,
                             {{"time [s]", track.time},
                              {"position", track.position},
                              {"velocity", track.velocity},
                              {"measured torque", track.torque},
                              {"predicted torque", track.predicted},
                              {"friction", track.friction},
                              {"residual", residual},
                              {"held out", held}}});
    result.figures.push_back({name + "_torque",
                              file + ": torque, the last 30 % not fitted",
                              "time [s]",
                              "torque",
                              {{name, 0, 3, "measured"}, {name, 0, 4, "predicted"}}});
    result.figures.push_back({name + "_friction",
                              file + ": torque without inertia and external torque",
                              "velocity",
                              "friction",
                              {{name, 2, 5, "measured", "points"}}});
    const auto residual_over = [&](const char* quantity, std::size_t column) {
      result.figures.push_back({fmt::format("{}_residual_{}", name, quantity),
                                fmt::format("{}: residual of the torque", file),
                                std::string(quantity) == "time" ? "time [s]" : quantity,
                                "measured - predicted",
                                {{name, column, 6, "residual", "points"}}});
    };
    residual_over("time", 0);
    residual_over("position", 1);
    residual_over("velocity", 2);
  }
  return result;
}

void print_prediction(const identify::MotionFit& fit) {
  fmt::print("driven by the measured motion; filtered without delay, -3 dB at {:.3g} Hz; velocity {}\n", fit.corner,
             fit.measured_velocity ? "as measured" : "from the position");
  fmt::print("rms error on the last 30 %, which was not fitted: {:.4g} N (N m for an angle)\n", fit.error);
  fmt::print("  Coulomb + viscous + offset: {:.4g}, a constant: {:.4g}, noise of the sensor: {:.2g}\n", fit.yardstick,
             fit.constant, fit.noise);
  fmt::print("  {:.1f} % of the torque's variance explained\n", 100 * fit.explained);
  if (fit.sign_width > 0) {
    fmt::print("  the sign of the velocity is smoothed over +-{:.2g}\n", fit.sign_width);
  }
  fmt::print("\n{:<64} {:>8} {:>12}\n", "from simple to rich, on blocks left out in turn", "unknowns", "rms error");
  for (const auto& step : fit.steps) {
    fmt::print("{:<64} {:>8} {:>12.4g}  {}\n", step.model, step.unknowns, step.error, step.supported ? "kept" : "");
  }
  fmt::print("\n");
}

void print_remarks(const identify::MotionFit& fit) {
  for (const auto& finding : fit.findings) {
    fmt::print("{}: {}\n", finding.name, io::one_line(finding.text));
  }
  for (const auto& one : fit.undetermined) {
    fmt::print("not determined by these data: {}; {}\n", one.name, one.experiment);
  }
}

std::string external_comments(const identify::MotionFit& fit) {
  std::string text = fmt::format(
      "# Fitted to measured motion and torque: rms error on the last 30 % {:.4g}, of Coulomb + viscous {:.4g}.\n"
      "# Torque beside friction and inertia: offset + gravity_sin sin q + gravity_cos cos q, at time t + shift:\n",
      fit.error, fit.yardstick);
  for (const auto& e : fit.external) {
    text += fmt::format("# {} = {:.6g} +- {:.2g} {}\n", e.name, e.value, e.deviation, e.unit);
  }
  return text;
}

}  // namespace stiction::cli
