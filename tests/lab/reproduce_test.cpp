// `stiction reproduce` on made-up experiments: the rule of its exit code, and what is left when one of them fails.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <csignal>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

#include "commands.h"
#include "io/temp_folder.h"
#include "lab.h"
#include "stiction/io/file.h"

namespace stiction::lab {
namespace {

Claim holds() { return at_most("a claim that holds", printed("made up"), 1, 0, "-"); }
Claim fails() { return at_most("a claim that does not hold", printed("made up"), 0, 1, "-"); }

template <class... Claims>
Result of(Claims... claims) {
  return {{claims...}, {}, {}};
}

std::mutex starting;
std::vector<std::string> started;  // experiments of `many`

template <char name>
Result note_start(const Context&) {
  const std::scoped_lock lock(starting);
  started.emplace_back(1, name);
  return of(holds());
}

constexpr std::array<Experiment, 4> many{{{"a", "", "", note_start<'a'>, 2},
                                          {"b", "", "", note_start<'b'>},
                                          {"c", "", "", note_start<'c'>, 3},
                                          {"d", "", "", note_start<'d'>}}};

/// The first never ends unless it is stopped.
constexpr std::array<Experiment, 3> some_fail{
    {{"waits", "", "",
      [](const Context& context) {
        while (true) {
          context.step(0.5);
          std::this_thread::yield();
        }
        return Result{};
      },
      2},
     {"good", "", "", [](const Context&) { return of(holds()); }, 3},
     {"throws", "", "", [](const Context&) -> Result { throw std::runtime_error("no solution"); }}}};

std::span<const Experiment> instead;  // of the others, where there are any

}  // namespace

// In place of the registered ones: the linker takes lab/registry.cpp only where this is missing.
std::span<const Experiment> experiments() {
  static const std::array<Experiment, 8> all{{
      {"good", "", "", [](const Context&) { return of(holds(), fails().as_refuted("so"), fails().as_info("so")); }},
      {"failed", "", "", [](const Context&) { return of(holds(), fails()); }},
      {"not-refuted", "", "", [](const Context&) { return of(holds(), holds().as_refuted("so")); }},
      {"info", "", "", [](const Context&) { return of(fails().as_info("so"), holds().as_info("so")); }},
      {"throws", "", "", [](const Context&) -> Result { throw std::runtime_error("no solution"); }},
      {"quick", "", "", [](const Context& context) { return of(context.quick ? holds() : fails()); }},
      {"interrupted", "", "",
       [](const Context& context) {
         std::raise(SIGINT);  // as Ctrl-C would
         context.step(0.5);
         return of(holds());
       }},
      {"unwritable", "", "",
       [](const Context&) {
         return Result{{holds()}, {{"no/such/folder", {{"x", std::vector<double>{1}}}}}, {}};
       }},
  }};
  return instead.empty() ? all : instead;
}

namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

struct ReproduceRun {
  int exit_code = 0;
  std::string out, err;
};

ReproduceRun reproduce(const test::TempFolder& folder, std::vector<std::string> ids, bool json = false,
                       bool quick = false) {
  ::testing::internal::CaptureStdout();
  ::testing::internal::CaptureStderr();
  const int exit_code = cli::reproduce(
      {.ids = std::move(ids), .all = false, .quick = quick, .json = json, .out = (folder / "out").string()});
  return {exit_code, ::testing::internal::GetCapturedStdout(), ::testing::internal::GetCapturedStderr()};
}

TEST(Reproduce, ExitCodeIsOneIfAClaimIsNotAsExpected) {
  const test::TempFolder folder;
  EXPECT_EQ(reproduce(folder, {"good"}).exit_code, 0);
  EXPECT_EQ(reproduce(folder, {"info"}).exit_code, 0);
  EXPECT_EQ(reproduce(folder, {"failed"}).exit_code, 1);
  EXPECT_EQ(reproduce(folder, {"not-refuted"}).exit_code, 1);
  EXPECT_EQ(reproduce(folder, {"failed", "good"}).exit_code, 1);
  EXPECT_EQ(reproduce(folder, {"good", "failed"}, true).exit_code, 1);
}

TEST(Reproduce, PrintsEveryClaimWithItsVerdict) {
  const test::TempFolder folder;
  const auto printed = reproduce(folder, {"good", "failed", "not-refuted"}).out;
  for (const char* verdict : {"reproduced", "refuted", "info", "FAILED", "NOT REFUTED"}) {
    EXPECT_THAT(printed, HasSubstr(std::string(" ") + verdict + "\n"));
  }
}

TEST(Reproduce, HandsOnQuick) {
  const test::TempFolder folder;
  EXPECT_EQ(reproduce(folder, {"quick"}, false, true).exit_code, 0);
  EXPECT_EQ(reproduce(folder, {"quick"}, false, false).exit_code, 1);
}

TEST(Reproduce, KeepsAndReportsWhatIsFinishedWhenOneFails) {
  for (const char* broken : {"throws", "unwritable"}) {
    const test::TempFolder folder;
    EXPECT_THROW(cli::reproduce({.ids = {"good", broken, "info"}, .out = (folder / "out").string()}),
                 std::runtime_error);
    EXPECT_TRUE(std::filesystem::exists(folder / "out/good/result.json"));
    EXPECT_FALSE(std::filesystem::exists(folder / "out/info"));
    EXPECT_THAT(folder.read("out/report.html"), AllOf(HasSubstr("id=\"good\""), Not(HasSubstr(broken))));
  }
}

TEST(Reproduce, KeepsAnEarlierReportWhenNothingIsFinished) {
  const test::TempFolder folder;
  reproduce(folder, {"good"});
  const std::string earlier = folder.read("out/report.html");
  EXPECT_THROW(cli::reproduce({.ids = {"throws"}, .out = (folder / "out").string()}), std::runtime_error);
  EXPECT_EQ(folder.read("out/report.html"), earlier);
}

TEST(Reproduce, OfAllStartsTheLongestFirstAndReportsInTheOrderOfTheList) {
  const test::TempFolder folder;
  instead = many;
  const auto outcome = reproduce(folder, {}, true, true);
  instead = {};
  EXPECT_EQ(outcome.exit_code, 0);
  std::string reported;
  for (const auto& result : nlohmann::json::parse(outcome.out)) {
    reported += result["id"].get<std::string>();
  }
  EXPECT_EQ(reported, "abcd");
  EXPECT_THAT(started, ::testing::UnorderedElementsAre("a", "b", "c", "d"));
  EXPECT_THAT((std::vector(started.begin(), started.begin() + 2)), ::testing::IsSubsetOf({"a", "c"}));
}

TEST(Reproduce, OfAllStopsTheOthersWhenOneFailsAndReportsWhatIsFinished) {
  if (std::thread::hardware_concurrency() < 2) {
    GTEST_SKIP() << "one core: one experiment after the other";
  }
  const test::TempFolder folder;
  instead = some_fail;
  EXPECT_THROW(cli::reproduce({.ids = {}, .all = true, .quick = true, .out = (folder / "out").string()}),
               std::runtime_error);
  instead = {};
  EXPECT_THAT(folder.read("out/report.html"),
              AllOf(HasSubstr("id=\"good\""), Not(HasSubstr("id=\"waits\"")), Not(HasSubstr("id=\"throws\""))));
  EXPECT_FALSE(std::filesystem::exists(folder / "out/waits"));
}

TEST(Reproduce, NamesTheExperimentThatWasProbablyMeant) {
  const test::TempFolder folder;
  EXPECT_EQ(test::message_of<io::InputError>([&] {
              cli::reproduce({.ids = {"good", "goood"}, .out = (folder / "out").string()});
            }),
            "unknown experiment 'goood', did you mean 'good'?; 'stiction list' shows them");
  EXPECT_FALSE(std::filesystem::exists(folder / "out"));
}

// The last test: once interrupted, a process stays so.
TEST(ReproduceInterrupted, KeepsWhatIsFinishedAndSaysSo) {
  const test::TempFolder folder;
  const auto outcome = reproduce(folder, {"good", "interrupted", "info"}, true);
  EXPECT_EQ(outcome.exit_code, 130);
  EXPECT_EQ(outcome.err, "stiction: interrupted; 1 of 3 experiments are finished and written\n");
  EXPECT_EQ(nlohmann::json::parse(outcome.out).size(), 1U);
  EXPECT_THAT(folder.read("out/report.html"), AllOf(HasSubstr("id=\"good\""), Not(HasSubstr("id=\"info\""))));
  EXPECT_FALSE(std::filesystem::exists(folder / "out/interrupted"));
}

}  // namespace
}  // namespace stiction::lab
