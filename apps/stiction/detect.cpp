#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "complain.h"
#include "json_text.h"
#include "stiction/control/detector.h"
#include "stiction/io/csv.h"
#include "stiction/io/file.h"

namespace stiction::cli {
namespace {

/// A column of the log, and whether it was guessed.
struct Found {
  std::string name;
  bool guessed = false;
};

/// The requested column, or the first one with a usual name; none if there is none.
std::optional<Found> find_column(const io::Csv& log, const std::string& asked, const std::vector<std::string>& usual) {
  if (!asked.empty()) {
    static_cast<void>(log.column(asked));  // throws if there is none, and lists the existing ones
    return Found{asked};
  }
  const std::string column = io::find_column(log, usual);
  return column.empty() ? std::nullopt : std::optional(Found{column, true});
}

struct Question {
  std::optional<Found> time, error, reference, measured;
  control::LoopKind loop = control::LoopKind::position;
  std::vector<double> errors, references;
  double sample_time = 0;  // [s]; 0 without a column of time
  std::vector<std::string> notes;
};

void read_time(const DetectArguments& arguments, const io::Csv& log, Question& question) {
  if (!question.time) {
    if (arguments.from) {
      throw io::InputError(fmt::format("{}: --from needs a column of time: name it with --time", log.file));
    }
    question.notes.emplace_back("no column of time: rows are taken as equally spaced");
    return;
  }
  const auto& time = log.column(question.time->name);
  std::vector<double> steps;
  for (std::size_t i = 1; i < time.size(); ++i) {
    steps.push_back(time[i] - time[i - 1]);
    if (!(steps.back() > 0)) {
      throw io::InputError(fmt::format("{}: column '{}' must increase strictly: {:g} after {:g} in row {}", log.file,
                                       question.time->name, time[i], time[i - 1], i + 1));
    }
  }
  if (steps.empty()) {
    return;
  }
  const double longest = *std::max_element(steps.begin(), steps.end());
  std::nth_element(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2), steps.end());
  question.sample_time = steps[steps.size() / 2];
  if (longest > 1.5 * question.sample_time) {
    question.notes.push_back(
        fmt::format("time is not equally spaced: steps of {:.3g} s, the longest {:.3g} s; rows are taken "
                    "as equally spaced",
                    question.sample_time, longest));
  }
}

Question read_log(const DetectArguments& arguments) {
  const io::Csv log = io::read_csv(arguments.file);
  Question question;
  question.time = find_column(log, arguments.time, {"time", "t", "time_s", "timestamp", "seconds"});
  question.error = find_column(
      log, arguments.error,
      {"error", "e", "err", "tracking_error", "position_error", "velocity_error", "control_error", "error_position"});
  std::vector<std::string> positions{"reference", "ref",     "position_reference", "reference_position",
                                     "x_ref",     "q_ref",   "theta_ref",          "setpoint",
                                     "target",    "desired", "desired_position",   "r"};
  const std::vector<std::string> velocities{
      "velocity_reference", "reference_velocity", "v_ref",           "omega_ref", "w_ref",
      "speed_reference",    "velocity_setpoint",  "desired_velocity"};
  question.reference = find_column(log, arguments.reference, arguments.loop == "velocity" ? velocities : positions);
  if (!question.reference && arguments.loop != "position") {
    question.reference = find_column(log, "", arguments.loop == "velocity" ? positions : velocities);
  }
  const bool named_velocity =
      question.reference &&
      std::find(velocities.begin(), velocities.end(), io::plain_name(question.reference->name)) != velocities.end();
  const bool velocity = arguments.loop == "velocity" || (arguments.loop.empty() && named_velocity);
  question.loop = velocity ? control::LoopKind::velocity : control::LoopKind::position;
  const std::vector<std::string> measured =
      velocity ? std::vector<std::string>{"velocity", "v", "omega", "speed", "measured_velocity", "measured", "y"}
               : std::vector<std::string>{"position",          "x",        "q", "pos", "angle", "theta",
                                          "measured_position", "measured", "y"};
  question.measured = find_column(log, arguments.position, measured);
  if (!question.error && !(question.reference && question.measured)) {
    throw io::InputError(
        fmt::format("{}: has no column recognised as the error: give --error, or --reference and "
                    "--position; it has: {}",
                    log.file, fmt::join(log.names, ", ")));
  }
  read_time(arguments, log, question);
  std::size_t first = 0;
  if (arguments.from) {
    const auto& time = log.column(question.time->name);
    first = static_cast<std::size_t>(std::lower_bound(time.begin(), time.end(), *arguments.from) - time.begin());
  }
  const auto part = [&](const Found& found) {
    const auto& column = log.column(found.name);
    return std::vector<double>(column.begin() + static_cast<std::ptrdiff_t>(first), column.end());
  };
  if (question.reference) {
    question.references = part(*question.reference);
  }
  if (question.error) {
    question.errors = part(*question.error);
    question.measured.reset();
  } else {
    question.errors = question.references;
    const auto positions_seen = part(*question.measured);
    for (std::size_t i = 0; i < positions_seen.size(); ++i) {
      question.errors[i] -= positions_seen[i];
    }
  }
  return question;
}

const char* name_of(control::FrictionVerdict verdict) {
  switch (verdict) {
    case control::FrictionVerdict::friction:
      return "friction";
    case control::FrictionVerdict::no_friction:
      return "no friction";
    default:
      return "cannot tell";
  }
}

nlohmann::ordered_json json_of(const std::optional<Found>& column) {
  return column ? nlohmann::ordered_json{{"name", column->name}, {"guessed", column->guessed}}
                : nlohmann::ordered_json(nullptr);
}

void print(const Question& question, const control::Detection& found) {
  fmt::print("{}{}: {}\n\n", name_of(found.verdict),
             found.confidence > 0 ? fmt::format(" (confidence {:.3f})", found.confidence) : "", found.reason);
  const auto column = [](const char* role, const std::optional<Found>& one) {
    if (one) {
      fmt::print("{:<14} column '{}'{}\n", role, one_line(one->name), one->guessed ? ", guessed by its name" : "");
    }
  };
  column("time", question.time);
  column("error", question.error);
  column("reference", question.reference);
  column("measured", question.measured);
  if (!question.error) {
    fmt::print("{:<14} reference minus measured\n", "error");
  }
  fmt::print("{:<14} {}\n", "loop", question.loop == control::LoopKind::velocity ? "velocity" : "position");
  fmt::print("{:<14} {}{}\n", "samples", found.samples,
             question.sample_time > 0 ? fmt::format(", every {:.4g} s", question.sample_time) : "");
  if (found.rms > 0) {
    fmt::print("{:<14} rms {:.4g}, largest {:.4g}, {:.1f} % follows the reference linearly\n", "size", found.rms,
               found.largest, 100 * found.explained);
  }
  if (found.effective_samples > 0) {
    fmt::print("{:<14} excess kurtosis {:.2f} +- {:.2f}, worth {:.0f} independent samples, p = {:.2g}\n", "tails",
               found.excess_kurtosis, found.kurtosis_spread, found.effective_samples, found.tail_p);
  }
  if (found.reversal_spread > 0) {
    fmt::print("{:<14} {}, error that changes sign with them {:.3f} +- {:.3f} of the rms, p = {:.2g}\n", "reversals",
               found.reversals, found.reversal_effect, found.reversal_spread, found.reversal_p);
  } else if (!question.references.empty()) {
    fmt::print("{:<14} {}\n", "reversals", found.reversals);
  }
  for (const std::string& note : question.notes) {
    fmt::print("{:<14} {}\n", "note", note);
  }
}

}  // namespace

int detect(const DetectArguments& arguments) {
  const Question question = read_log(arguments);
  const control::Detection found = control::detect_friction(question.errors, question.references,
                                                            {.loop = question.loop, .slides = arguments.slides});
  if (!arguments.json) {
    print(question, found);
    return exit_good;
  }
  const nlohmann::ordered_json answer{{"verdict", name_of(found.verdict)},
                                      {"confidence", found.confidence},
                                      {"reason", found.reason},
                                      {"columns",
                                       {{"time", json_of(question.time)},
                                        {"error", json_of(question.error)},
                                        {"reference", json_of(question.reference)},
                                        {"measured", json_of(question.measured)}}},
                                      {"loop", question.loop == control::LoopKind::velocity ? "velocity" : "position"},
                                      {"samples", found.samples},
                                      {"sample_time", question.sample_time},
                                      {"rms", found.rms},
                                      {"largest", found.largest},
                                      {"explained", found.explained},
                                      {"excess_kurtosis", found.excess_kurtosis},
                                      {"kurtosis_spread", found.kurtosis_spread},
                                      {"effective_samples", found.effective_samples},
                                      {"tail_p", found.tail_p},
                                      {"reversals", found.reversals},
                                      {"reversal_effect", found.reversal_effect},
                                      {"reversal_spread", found.reversal_spread},
                                      {"reversal_p", found.reversal_p},
                                      {"notes", question.notes}};
  fmt::print("{}\n", json_text(answer));
  return exit_good;
}

}  // namespace stiction::cli
