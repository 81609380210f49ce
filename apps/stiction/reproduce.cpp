#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <thread>

#include "commands.h"
#include "complain.h"
#include "interrupt.h"
#include "lab.h"
#include "progress.h"
#include "stiction/io/file.h"
#include "stiction/io/scenario.h"
#include "tally.h"

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
  const lab::Outcome outcome = lab::outcome_of(claim);
  const char* name = lab::name_of(outcome);
  switch (outcome) {
    case lab::Outcome::info:
      return name;
    case lab::Outcome::refuted:
      return coloured(name, Colour::yellow);
    case lab::Outcome::unexpected:
      return coloured(claim.expect == lab::Expect::refuted ? "NOT REFUTED" : "FAILED", Colour::red);
    default:
      return coloured(name, Colour::green);
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

using Experiments = std::vector<const lab::Experiment*>;

/// Experiments that run, several at a time. The first that fails, and Ctrl-C, stop the others.
class Runs {
 public:
  Runs(Experiments experiments, bool quick, std::filesystem::path folder)
      : experiments_(std::move(experiments)),
        quick_(quick),
        folder_(std::move(folder)),
        results_(experiments_.size()),
        fractions_(experiments_.size(), 0.0) {}

  /// The longest first, so that no core waits for it at the end.
  void run_on_all_cores() {
    std::vector<std::size_t> order = in_order();
    std::ranges::stable_sort(order, std::ranges::greater(), [this](std::size_t i) { return experiments_[i]->seconds; });
    run(order, std::max(1U, std::thread::hardware_concurrency()));
  }
  void run_one_by_one() { run(in_order(), 1); }

  /// In the order of the report.
  [[nodiscard]] std::vector<lab::Finished> take_finished() {
    std::vector<lab::Finished> all;
    for (auto& result : results_) {
      if (result) {
        all.push_back(std::move(*result));
      }
    }
    return all;
  }

  void throw_failure() const {
    if (failure_) {
      std::rethrow_exception(failure_);
    }
  }

 private:
  [[nodiscard]] std::vector<std::size_t> in_order() const {
    std::vector<std::size_t> order(experiments_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    return order;
  }

  void run(const std::vector<std::size_t>& order, std::size_t at_a_time) {
    std::atomic<std::size_t> next = 0;
    const auto work = [&] {
      for (std::size_t i = next++; i < order.size() && !stopping(); i = next++) {
        run_one(order[i]);
      }
    };
    {
      std::vector<std::jthread> threads;  // joined before what they use is destroyed
      for (std::size_t i = 1; i < std::min(at_a_time, order.size()); ++i) {
        threads.emplace_back(work);
      }
      work();
    }
    bar_.clear();
  }

  [[nodiscard]] bool stopping() const { return failed_ || interrupted(); }

  void run_one(std::size_t i) {
    const lab::Experiment& experiment = *experiments_[i];
    try {
      results_[i] = lab::run_and_write(experiment,
                                       {.quick = quick_,
                                        .progress = [&](double fraction) { show(i, fraction); },
                                        .cancelled = [this] { return stopping(); }},
                                       folder_);
      show(i, 1);
    } catch (...) {
      const std::scoped_lock lock(mutex_);
      if (!stopping()) {
        failure_ = std::current_exception();
        failed_ = true;
      }
    }
  }

  void show(std::size_t i, double fraction) {
    const std::scoped_lock lock(mutex_);
    fractions_[i] = fraction;
    bar_.show(experiments_[i]->id,
              std::accumulate(fractions_.begin(), fractions_.end(), 0.0) / static_cast<double>(fractions_.size()));
  }

  Experiments experiments_;
  bool quick_;
  std::filesystem::path folder_;
  std::vector<std::optional<lab::Finished>> results_;  // one thread writes each
  std::mutex mutex_;                                   // guards what follows, but for reading `failed_`
  ProgressBar bar_;
  std::vector<double> fractions_;
  std::exception_ptr failure_;
  std::atomic<bool> failed_ = false;
};

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

  const bool everything = arguments.all || arguments.ids.empty();
  Runs runs(experiments, arguments.quick, folder);
  if (everything && arguments.quick) {
    runs.run_on_all_cores();
  } else {
    runs.run_one_by_one();  // cycles and calls are timed undisturbed
  }
  const std::vector<lab::Finished> finished = runs.take_finished();
  if (!finished.empty()) {  // else an earlier report stays
    lab::write_report(finished, folder);
  }
  runs.throw_failure();  // finished results are kept
  const bool stopped = interrupted() && finished.size() < experiments.size();
  if (arguments.json) {
    fmt::print("{}", lab::to_json(std::span<const lab::Finished>(finished)));
  } else if (!finished.empty()) {
    print_claims(finished);
    fmt::print("claims: {}\n", lab::tally_of(finished).text());
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
