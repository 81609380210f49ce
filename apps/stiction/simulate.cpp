#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "commands.h"
#include "lab.h"
#include "stiction/io/csv.h"
#include "stiction/io/file.h"
#include "stiction/io/scenario.h"

namespace stiction::cli {

int simulate(const std::string& scenario_file, const std::string& out) {
  const io::Scenario scenario = io::read_scenario(scenario_file);
  const sim::Trajectory run = io::run(scenario);
  const auto columns = io::named_columns(run, scenario.columns);
  const std::filesystem::path folder = out;
  const std::filesystem::path target = folder / (std::filesystem::path(scenario_file).stem().string() + ".csv");
  io::make_folder(folder);
  io::write_text(target, io::to_csv(columns.names, columns.values));

  if (!scenario.title.empty()) {
    fmt::print("{}\n", scenario.title);
  }
  fmt::print("model {}, {} rows, {} steps\n",
             std::visit([](const auto& model) { return model.info.name; }, scenario.model), run.time.size(), run.steps);
  fmt::print("{:<12} {:>14} {:>14} {:>14}\n", "column", "least", "largest", "last");
  for (std::size_t i = 0; i < columns.names.size(); ++i) {
    const auto& values = columns.values[i];
    if (!values.empty()) {
      const auto [low, high] = std::minmax_element(values.begin(), values.end());
      fmt::print("{:<12} {:>14.6g} {:>14.6g} {:>14.6g}\n", columns.names[i], *low, *high, values.back());
    }
  }
  fmt::print("written: {}\n", target.string());
  if (run.diverged) {
    fmt::print(stderr,
               "stiction: the solution was no longer finite after t = {:g} s: rows end there; take a smaller step or "
               "method = \"sdirk2\"\n",
               run.time.empty() ? 0 : run.time.back());
    return exit_claim_failed;
  }
  return exit_good;
}

}  // namespace stiction::cli
