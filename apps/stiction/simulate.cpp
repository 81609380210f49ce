#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "commands.h"
#include "lab.h"
#include "stiction/io/csv.h"
#include "stiction/io/file.h"
#include "stiction/io/planar_scenario.h"

namespace stiction::cli {
namespace {

/// What there is to write and to say, whatever was simulated.
struct Outcome {
  std::string model;
  io::NamedColumns columns;
  std::size_t rows = 0;
  long steps = 0;
  std::optional<double> diverged_after = {};  // [s]
};

Outcome outcome_of(const io::Scenario& scenario) {
  const sim::Trajectory run = io::run(scenario);
  Outcome outcome{std::visit([](const auto& model) { return std::string(model.info.name); }, scenario.model),
                  io::named_columns(run, scenario.columns), run.time.size(), run.steps};
  if (run.diverged) {
    outcome.diverged_after = run.time.empty() ? 0 : run.time.back();
  }
  return outcome;
}

Outcome outcome_of(const io::PlanarScenario& scenario) {
  const sim::PlanarRun run = io::run(scenario);
  return {io::name_of(scenario.model), io::named_columns(run, scenario.columns), run.rows.size(), run.steps};
}

}  // namespace

int simulate(const std::string& scenario_file, const std::string& out) {
  const io::AnyScenario any = io::read_any_scenario(scenario_file);
  const auto [model, columns, rows, steps, diverged_after] =
      std::visit([](const auto& scenario) { return outcome_of(scenario); }, any);
  const std::filesystem::path folder = out;
  const std::filesystem::path target = folder / (std::filesystem::path(scenario_file).stem().string() + ".csv");
  io::make_folder(folder);
  io::write_text(target, io::to_csv(columns.names, columns.values));

  const std::string title = std::visit([](const auto& scenario) { return scenario.title; }, any);
  if (!title.empty()) {
    fmt::print("{}\n", title);
  }
  fmt::print("model {}, {} rows, {} steps\n", model, rows, steps);
  fmt::print("{:<12} {:>14} {:>14} {:>14}\n", "column", "least", "largest", "last");
  for (std::size_t i = 0; i < columns.names.size(); ++i) {
    const auto& values = columns.values[i];
    if (!values.empty()) {
      const auto [low, high] = std::minmax_element(values.begin(), values.end());
      fmt::print("{:<12} {:>14.6g} {:>14.6g} {:>14.6g}\n", columns.names[i], *low, *high, values.back());
    }
  }
  fmt::print("written: {}\n", target.string());
  if (diverged_after) {
    fmt::print(stderr,
               "stiction: the solution was no longer finite after t = {:g} s: rows end there; take a smaller step or "
               "method = \"sdirk2\"\n",
               *diverged_after);
    return exit_claim_failed;
  }
  return exit_good;
}

}  // namespace stiction::cli
