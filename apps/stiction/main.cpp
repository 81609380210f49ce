#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <exception>

#include "commands.h"
#include "stiction/version.h"

int main(int argc, char** argv) {
  using namespace stiction;

  CLI::App app{"Friction models, simulation and reproduced experiments.", "stiction"};
  app.set_version_flag("--version", "stiction " STICTION_VERSION);
  app.require_subcommand(1);
  app.footer("Exit codes: 0 good, 1 a claim does not hold or a solution diverged, 2 bad input, 130 interrupted.");
  int exit_code = cli::exit_good;

  std::string model;
  bool models_json = false;
  auto* models = app.add_subcommand("models", "Models with equations, parameters, units and ranges");
  models->add_option("NAME", model, "One model in detail");
  models->add_flag("--json", models_json, "Print an array of objects");
  models->callback([&] { exit_code = cli::models(model, models_json); });

  bool list_json = false;
  auto* list = app.add_subcommand("list", "Experiments that can be reproduced");
  list->add_flag("--json", list_json, "Print an array of objects");
  list->callback([&] { exit_code = cli::list_experiments(list_json); });

  cli::ReproduceArguments arguments;
  auto* reproduce = app.add_subcommand("reproduce", "Run experiments: CSV, SVG, result.json and one report.html");
  reproduce->add_option("ID", arguments.ids, "Experiments, e.g. scalar/fig02 (default: all)");
  reproduce->add_flag("--all", arguments.all, "Every experiment");
  reproduce->add_flag("--quick", arguments.quick, "Lower resolution or duration, every claim");
  reproduce->add_option("--out", arguments.out, "Folder for the results")->capture_default_str();
  reproduce->add_flag("--json", arguments.json, "Print the results as JSON instead of a table");
  reproduce->callback([&] { exit_code = cli::reproduce(arguments); });

  std::string scenario;
  std::string out = "out";
  auto* simulate = app.add_subcommand("simulate", "Run a scenario described in a TOML file (docs/scenarios.md)");
  simulate->add_option("SCENARIO", scenario, "The TOML file")->required();
  simulate->add_option("--out", out, "Folder for the CSV file")->capture_default_str();
  simulate->callback([&] { exit_code = cli::simulate(scenario, out); });

  bool bench_json = false;
  auto* bench = app.add_subcommand("bench", "Speed as ratios to baselines measured in the same run");
  bench->add_flag("--json", bench_json, "Print an array of objects");
  bench->callback([&] { exit_code = cli::bench(bench_json); });

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {
      return app.exit(error);  // --help and --version
    }
    fmt::print(stderr, "stiction: {} (see stiction --help)\n", error.what());
    return cli::exit_bad_input;
  } catch (const std::exception& error) {
    fmt::print(stderr, "stiction: {}\n", error.what());
    return cli::exit_bad_input;
  }
  return exit_code;
}
