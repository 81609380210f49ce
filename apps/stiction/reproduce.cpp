#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "complain.h"
#include "interrupt.h"
#include "lab.h"
#include "progress.h"
#include "stiction/io/file.h"
#include "stiction/io/scenario.h"

namespace stiction::cli {
namespace {

std::vector<const lab::Experiment*> chosen(const ReproduceArguments& arguments) {
  const auto all = lab::experiments();
  std::vector<const lab::Experiment*> result;
  for (const std::string& id : arguments.ids) {
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const auto& experiment) { return id == experiment.id; });
    if (found == all.end()) {
      std::vector<std::string> ids;
      for (const auto& experiment : all) {
        ids.emplace_back(experiment.id);
      }
      const std::string near = io::closest(id, ids);
      throw io::InputError(fmt::format("unknown experiment '{}'{}; 'stiction list' shows them", id,
                                       near.empty() ? "" : fmt::format(", did you mean '{}'?", near)));
    }
    result.push_back(&*found);
  }
  if (arguments.all || arguments.ids.empty()) {
    result.clear();
    for (const auto& experiment : all) {
      result.push_back(&experiment);
    }
  }
  return result;
}

/// Shortened to `width` characters (not bytes) and padded, so that columns line up.
std::string cell(const std::string& text, std::size_t width) {
  std::string result;
  std::size_t length = 0;
  for (const char c : text) {
    const bool starts_character = (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
    if (starts_character && length == width) {
      break;
    }
    length += starts_character ? 1 : 0;
    result += c;
  }
  return result + std::string(width - length, ' ');
}

std::string verdict(const lab::Claim& claim) {
  switch (claim.expect) {
    case lab::Expect::info:
      return "info";
    case lab::Expect::refuted:
      return claim.ok() ? coloured("refuted", Colour::yellow) : coloured("NOT REFUTED", Colour::red);
    default:
      return claim.ok() ? coloured("reproduced", Colour::green) : coloured("FAILED", Colour::red);
  }
}

void print_claims(const std::vector<lab::Finished>& finished) {
  fmt::print("{} {} {:>13} {:>13} {} {}\n", cell("experiment", 20), cell("claim", 76), "published", "measured",
             cell("unit", 11), "verdict");
  for (const auto& one : finished) {
    for (const lab::Claim& c : one.result.claims) {
      fmt::print("{} {} {:>13.6g} {:>13.6g} {} {}\n", cell(one.experiment->id, 20), cell(c.name, 76), c.published,
                 c.measured, cell(c.unit, 11), verdict(c));
    }
  }
}

}  // namespace

int list_experiments(bool json) {
  nlohmann::json all = nlohmann::json::array();
  for (const auto& experiment : lab::experiments()) {
    if (json) {
      all.push_back({{"id", experiment.id}, {"title", experiment.title}, {"source", experiment.source}});
    } else {
      fmt::print("{} {}\n", cell(experiment.id, 37), experiment.title);
    }
  }
  if (json) {
    fmt::print("{}\n", all.dump(2));
  }
  return exit_good;
}

int reproduce(const ReproduceArguments& arguments) {
  const auto experiments = chosen(arguments);
  const std::filesystem::path folder = arguments.out;
  io::make_folder(folder);
  catch_interrupts();

  ProgressBar bar;
  std::vector<lab::Finished> finished;
  bool stopped = false;
  const auto report_finished = [&] {
    if (!finished.empty()) {  // else an earlier report stays
      lab::write_report(finished, folder);
    }
  };
  for (const lab::Experiment* experiment : experiments) {
    const auto share = [&](double fraction) {
      return (static_cast<double>(finished.size()) + fraction) / static_cast<double>(experiments.size());
    };
    try {
      finished.push_back(lab::run_and_write(*experiment,
                                            {.quick = arguments.quick,
                                             .progress = [&](double f) { bar.show(experiment->id, share(f)); },
                                             .cancelled = interrupted},
                                            folder));
    } catch (const std::exception&) {
      if (!interrupted()) {
        bar.clear();
        report_finished();  // what is finished is not lost
        throw;
      }
      stopped = true;
      break;
    }
  }
  bar.clear();
  report_finished();
  if (arguments.json) {
    fmt::print("{}", lab::to_json(std::span<const lab::Finished>(finished)));
  } else if (!finished.empty()) {
    print_claims(finished);
    fmt::print("report: {}\n", one_line((folder / "report.html").string()));
  }
  if (stopped) {
    complain(
        fmt::format("interrupted; {} of {} experiments are finished and written", finished.size(), experiments.size()));
    return exit_interrupted;
  }
  const bool good = std::all_of(finished.begin(), finished.end(), [](const auto& one) {
    return std::all_of(one.result.claims.begin(), one.result.claims.end(),
                       [](const auto& claim) { return claim.ok(); });
  });
  return good ? exit_good : exit_claim_failed;
}

}  // namespace stiction::cli
