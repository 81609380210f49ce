#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <stop_token>

#include "commands.h"
#include "complain.h"
#include "interrupt.h"
#include "progress.h"
#include "stiction/io/any_scenario.h"
#include "stiction/io/csv.h"
#include "stiction/io/file.h"

namespace stiction::cli {
namespace {

/// What there is to write and to say, whatever was simulated.
struct Outcome {
  std::string model;
  io::NamedColumns columns;
  std::size_t rows = 0;
  double last_time = 0;  // [s]
  sim::RunReport report;
};

Outcome outcome_of(const io::Scenario& scenario) {
  const sim::Trajectory run = io::run(scenario);
  return {scenario.model.name(), io::named_columns(run, scenario.columns), run.time.size(),
          run.time.empty() ? 0 : run.time.back(), run};
}

Outcome outcome_of(const io::PlanarScenario& scenario) {
  const sim::PlanarRun run = io::run(scenario);
  return {sim::name_of(scenario.model), io::named_columns(run, scenario.columns), run.rows.size(),
          run.rows.empty() ? 0 : run.rows.back().time, run};
}

/// Runs it with a progress bar, until it ends or Ctrl-C is pressed.
Outcome run_watched(io::AnyScenario& any) {
  catch_interrupts();
  ProgressBar bar;
  std::stop_source source;
  return std::visit(
      [&](auto& scenario) {
        scenario.options.stop = source.get_token();
        scenario.options.progress = [&](double fraction) {
          bar.show("simulating", fraction);
          if (interrupted()) {
            source.request_stop();
          }
        };
        return outcome_of(scenario);
      },
      any);
}

void print(const Outcome& outcome) {
  const auto& [model, columns, rows, last_time, report] = outcome;
  fmt::print("model {}, {} rows, {} steps\n", model, rows, report.steps);
  if (!report.note.empty()) {
    fmt::print("note: {}\n", report.note);
  }
  fmt::print("{:<12} {:>14} {:>14} {:>14}\n", "column", "least", "largest", "last");
  for (std::size_t i = 0; i < columns.names.size(); ++i) {
    const auto& values = columns.values[i];
    if (!values.empty()) {
      const auto [low, high] = std::minmax_element(values.begin(), values.end());
      fmt::print("{:<12} {:>14.6g} {:>14.6g} {:>14.6g}\n", columns.names[i], *low, *high, values.back());
    }
  }
}

}  // namespace

int simulate(const std::string& scenario_file, const std::string& out) {
  io::AnyScenario any = io::read_any_scenario(scenario_file);
  const Outcome outcome = run_watched(any);
  const std::filesystem::path folder = out;
  const std::filesystem::path target = folder / (std::filesystem::path(scenario_file).stem().string() + ".csv");
  io::make_folder(folder);
  io::write_text(target, io::to_csv(outcome.columns.names, outcome.columns.values));

  const std::string title = std::visit([](const auto& scenario) { return scenario.title; }, any);
  if (!title.empty()) {
    fmt::print("{}\n", one_line(title));
  }
  print(outcome);
  fmt::print("written: {}\n", one_line(target.string()));
  if (outcome.report.diverged) {
    complain(
        fmt::format("the solution was no longer finite after t = {:g} s: rows end there; take a smaller step or "
                    "method = \"{}\"",
                    outcome.last_time, std::holds_alternative<io::Scenario>(any) ? "sdirk2" : "accurate"));
    return exit_claim_failed;
  }
  if (outcome.report.interrupted) {
    complain(fmt::format("interrupted; the rows up to t = {:g} s are written", outcome.last_time));
    return exit_interrupted;
  }
  return exit_good;
}

}  // namespace stiction::cli
