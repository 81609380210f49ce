// Identification of hundreds of logs, most of them bad in some way: it neither crashes nor hangs, what it refuses it
// refuses with a sentence, and what it accepts is right.
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <map>
#include <sstream>

#include "identify/torture_judge.h"

namespace stiction {
namespace {

constexpr rlim_t cpu_limit = 40;  // [s] of processor time for one log; on a quiet machine half of it is enough

/// A line that begins with "refused", "right" or "WRONG".
std::string verdict_on(const identify::Fit& fit, const test::TortureLog& log) {
  if (!fit.refusal.empty()) {
    return "refused: " + fit.model_name + ": " + fit.refusal;
  }
  std::string notes;
  for (const std::string& warning : fit.warnings) {
    notes += "; " + warning;
  }
  if (!log.usable && log.axis) {  // a table may still lie on a curve
    return "WRONG: accepted " + fit.model_name + notes;
  }
  const test::Judgement judgement = test::judge_fit(log, fit);
  const char* verdict = !log.usable ? "right, though spoilt" : judgement.right() ? "right" : "WRONG";
  std::array<char, 300> numbers{};
  std::snprintf(numbers.data(), numbers.size(),
                ": %s: friction %.3g %% off, %.3g stated deviations (%s kind); mass %.3g; excess %.3g",
                fit.model_name.c_str(), 100 * judgement.error / judgement.level,
                judgement.error / std::max(judgement.stated, 1e-300), judgement.same_kind ? "same" : "another",
                fit.mass, fit.excess);
  std::string wrong;
  for (const std::string& estimate : judgement.wrong) {
    wrong += "; " + estimate;
  }
  return std::string(verdict) + numbers.data() + wrong + notes;
}

double processor_time() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;  // [s], of all threads
}

/// In a process of its own: the verdict on what is selected, and the work it took.
std::string judge(const test::TortureLog& log, double& seconds) {
  std::vector<identify::Fit> fits;
  const double start = processor_time();
  try {
    fits = identify::identify(log.data, log.options);
    seconds = processor_time() - start;
  } catch (const identify::BadData& error) {
    const std::string why = error.what();
    return why.empty() || why.find('\n') != std::string::npos ? "WRONG: not one line: " + why
                                                              : "refused at once: " + why;
  }
  if (fits.empty()) {
    return "WRONG: no answer";
  }
  std::size_t steps = 0;
  for (const identify::Fit& fit : fits) {
    steps += fit.steps;
  }
  return verdict_on(fits.front(), log) + "; " + std::to_string(steps) + " steps";
}

struct Outcome {
  std::string log;     // what it is and which model is asked for
  double seconds = 0;  // of processor time, for the identification
  std::string text;    // begins with "refused", "right", "WRONG", "CRASH" or "HANG"
};

/// Runs it in a child, so that a crash is one log's and not the test's.
Outcome outcome(std::uint64_t number) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) {
    return {"", 0, "CRASH: no pipe"};
  }
  std::cout.flush();
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    const auto say = [&](const std::string& line) {
      return write(ends[1], line.data(), line.size()) == static_cast<ssize_t>(line.size());
    };
    const test::TortureLog log = test::torture_log(number);
    bool written = say(log.kind + "; " + log.options.model + '\n');
    rusage before{};
    getrusage(RUSAGE_SELF, &before);
    const rlim_t used = static_cast<rlim_t>(before.ru_utime.tv_sec);
    const rlimit limit{used + cpu_limit, used + cpu_limit};
    setrlimit(RLIMIT_CPU, &limit);
    double seconds = 0;
    const std::string text = judge(log, seconds);
    written = say(std::to_string(seconds) + '\n' + text) && written;
    _exit(written ? 0 : 1);
  }
  close(ends[1]);
  std::string said;
  std::array<char, 4096> buffer{};
  for (ssize_t count = 1; count > 0;) {
    count = read(ends[0], buffer.data(), buffer.size());
    said.append(buffer.data(), static_cast<std::size_t>(std::max<ssize_t>(0, count)));
  }
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  Outcome result;
  std::istringstream lines(said);
  std::string seconds;
  std::getline(lines, result.log);
  std::getline(lines, seconds);
  std::getline(lines, result.text);
  result.seconds = std::strtod(seconds.c_str(), nullptr);
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    result.text = signal == SIGKILL || signal == SIGXCPU ? "HANG: longer than " + std::to_string(cpu_limit) + " s"
                                                         : "CRASH: signal " + std::to_string(signal);
  } else if (WEXITSTATUS(status) != 0 || result.text.empty()) {
    result.text = "CRASH: exit code " + std::to_string(WEXITSTATUS(status));
  }
  return result;
}

void expect_no_harm(std::uint64_t first, std::uint64_t count, std::uint64_t stride) {
  std::map<std::string, int> counts;
  double longest = 0;
  double all = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t number = first + i * stride;
    const auto [log, seconds, text] = outcome(number);
    longest = std::max(longest, seconds);
    all += seconds;
    ++counts[text.substr(0, text.find(':'))];
    std::cout << number << " (" << log << ") " << seconds << " s: " << text << std::endl;
    EXPECT_THAT(text, testing::AnyOf(testing::StartsWith("refused"), testing::StartsWith("right"))) << "log " << number;
  }
  for (const auto& [what, how_many] : counts) {
    std::cout << what << ": " << how_many << '\n';
  }
  std::cout << "processor time: " << all << " s, at most " << longest << " s for one log\n";
}

// Recordings that stay below a quarter of the level of friction: a Dahl exponent that was extrapolated, and a LuGre
// model that joined them to a table of an elasto-plastic axis.
TEST(Torture, LogsOfPreslidingAloneAreRefused) {
  for (const std::uint64_t number : {116U, 426U}) {
    EXPECT_THAT(outcome(number).text, testing::HasSubstr("no recording shows how friction approaches its level"))
        << number;
  }
}

// One log of each kind; with STICTION_TORTURE_COUNT that many, from STICTION_TORTURE_FIRST on. A line for each.
TEST(Torture, LogsDoNoHarm) {
  const auto number = [](const char* name) -> std::uint64_t {
    const char* text = std::getenv(name);
    return text == nullptr ? 0 : std::strtoull(text, nullptr, 10);
  };
  if (const std::uint64_t count = number("STICTION_TORTURE_COUNT"); count > 0) {
    expect_no_harm(number("STICTION_TORTURE_FIRST"), count, 1);
  } else {
    expect_no_harm(0, 10, 47);
  }
}

}  // namespace
}  // namespace stiction
