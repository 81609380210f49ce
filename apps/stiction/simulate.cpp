#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <stop_token>

#include "commands.h"
#include "complain.h"
#include "interrupt.h"
#include "json_text.h"
#include "plot.h"
#include "progress.h"
#include "stiction/io/any_scenario.h"
#include "stiction/io/csv.h"
#include "stiction/io/file.h"

namespace stiction::cli {
namespace {

/// Results to be written and reported, for any kind of simulation.
struct Outcome {
  std::string model;
  io::NamedColumns columns;
  std::size_t rows = 0;
  double last_time = 0;  // [s]
  sim::RunReport report;
};

/// The part of a run that all runs have.
const sim::RunReport& report_of(const sim::RunReport& run) { return run; }

/// Bodies on a line and servos.
template <class Scenario>
Outcome outcome_of(const Scenario& scenario) {
  const auto run = io::run(scenario);
  return {scenario.model.name(), io::named_columns(run, scenario.columns), run.time.size(),
          run.time.empty() ? 0 : run.time.back(), report_of(run)};
}

Outcome outcome_of(const io::PlanarScenario& scenario) {
  const sim::PlanarRun run = io::run(scenario);
  return {sim::name_of(scenario.model), io::named_columns(run, scenario.columns), run.rows.size(),
          run.rows.empty() ? 0 : run.rows.back().time, report_of(run)};
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

nlohmann::ordered_json json_of(const Outcome& outcome) {
  nlohmann::ordered_json columns = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < outcome.columns.names.size(); ++i) {
    const auto& values = outcome.columns.values[i];
    if (!values.empty()) {
      const auto [low, high] = std::minmax_element(values.begin(), values.end());
      columns.push_back(
          {{"name", outcome.columns.names[i]}, {"least", *low}, {"largest", *high}, {"last", values.back()}});
    }
  }
  return {{"model", outcome.model},
          {"rows", outcome.rows},
          {"steps", outcome.report.steps},
          {"last_time", outcome.last_time},
          {"diverged", outcome.report.diverged},
          {"interrupted", outcome.report.interrupted},
          {"note", outcome.report.note},
          {"columns", columns}};
}

/// Every column over the time, each in a separate panel because units differ. False if there is no time.
bool draw(const Outcome& outcome, const std::string& title, const std::string& name,
          const std::filesystem::path& folder) {
  const auto& names = outcome.columns.names;
  const auto time = std::ranges::find(names, "time");
  if (time == names.end() || names.size() < 2) {
    return false;
  }
  lab::Table table{"run", {}, false};
  for (std::size_t i = 0; i < names.size(); ++i) {
    table.columns.push_back({names[i], outcome.columns.values[i]});
  }
  lab::Figure figure{name, title.empty() ? name : title, "time [s]", "", {}};
  figure.panels_in_a_row = 1;
  const auto x = static_cast<std::size_t>(time - names.begin());
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i != x) {
      figure.series.push_back({"run", x, i, names[i]});
    }
  }
  lab::draw(figure, {table}, folder);
  return true;
}

}  // namespace

int simulate(const SimulateArguments& arguments) {
  io::AnyScenario any = io::read_any_scenario(arguments.scenario);
  const Outcome outcome = run_watched(any);
  const std::filesystem::path folder = arguments.out;
  const std::string name = std::filesystem::path(arguments.scenario).stem().string();
  const std::filesystem::path target = folder / (name + ".csv");
  const std::string title = std::visit([](const auto& scenario) { return scenario.title; }, any);
  io::make_folder(folder);
  io::write_text(target, io::to_csv(outcome.columns.names, outcome.columns.values));
  const bool drawn = !arguments.no_figure && draw(outcome, title, name, folder);

  if (arguments.json) {
    nlohmann::ordered_json answer = json_of(outcome);
    answer["title"] = title;
    answer["written"] = target.string();
    answer["figure"] = drawn ? nlohmann::ordered_json((folder / (name + ".svg")).string()) : nlohmann::ordered_json();
    fmt::print("{}\n", json_text(answer));
  } else {
    if (!title.empty()) {
      fmt::print("{}\n", one_line(title));
    }
    print(outcome);
    fmt::print("written: {}{}\n", one_line(target.string()),
               drawn ? ", " + one_line((folder / (name + ".svg")).string()) : "");
  }
  if (outcome.report.diverged) {
    complain(
        fmt::format("the solution was no longer finite after t = {:g} s: rows end there; take a smaller step or "
                    "method = \"{}\"",
                    outcome.last_time, std::holds_alternative<io::PlanarScenario>(any) ? "accurate" : "sdirk2"));
    return exit_claim_failed;
  }
  if (outcome.report.interrupted) {
    complain(fmt::format("interrupted; the rows up to t = {:g} s are written", outcome.last_time));
    return exit_interrupted;
  }
  return exit_good;
}

}  // namespace stiction::cli
