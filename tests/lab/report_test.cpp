#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/temp_folder.h"
#include "lab.h"

namespace stiction::lab {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

/// The report of these claims alone.
std::string report_of(Result result) {
  static constexpr Experiment experiment{"made/up", "Title <t>", "Source & <s>", nullptr};
  const test::TempFolder folder;
  const std::vector<Finished> finished{{&experiment, std::move(result), 1.25}};
  write_report(finished, folder.path());
  return folder.read("report.html");
}

TEST(Report, ShowsTextsLiterally) {
  const std::string nasty = "<script>alert(\"1\")</script> & more";
  const std::string safe = "&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; more";
  const std::string html =
      report_of({{at_most(nasty + "name", nasty + "source", 1, 0, nasty + "unit").as_info(nasty + "reason")},
                 {{nasty + "table", {{nasty + "column", std::vector<std::string>{nasty + "cell"}}}, true}},
                 {},
                 nasty + "notes"});
  for (const char* where : {"name", "source", "unit", "reason", "table", "column", "cell", "notes"}) {
    EXPECT_THAT(html, HasSubstr(safe + where));
  }
  EXPECT_THAT(html, HasSubstr("Title &lt;t&gt;"));
  EXPECT_THAT(html, HasSubstr("Source &amp; &lt;s&gt;"));
  EXPECT_THAT(html, Not(HasSubstr("<script")));
}

TEST(Report, SaysOfEveryClaimWhetherItIsAsExpected) {
  const Claim holds = at_most("", "", 1, 0, "");
  const Claim fails = at_most("", "", 0, 1, "");
  EXPECT_THAT(report_of({{holds}, {}, {}}), HasSubstr("<span class=good>reproduced</span>"));
  EXPECT_THAT(report_of({{fails}, {}, {}}), HasSubstr("<span class=bad>NOT reproduced</span>"));
  EXPECT_THAT(report_of({{Claim(fails).as_refuted("")}, {}, {}}), HasSubstr("<span class=good>refuted, as explained"));
  EXPECT_THAT(report_of({{Claim(holds).as_refuted("")}, {}, {}}), HasSubstr("<span class=bad>not refuted</span>"));
  EXPECT_THAT(report_of({{Claim(fails).as_info("")}, {}, {}}), HasSubstr("<span class=info>for information"));
}

TEST(Report, CountsJudgedClaimsAlone) {
  const Claim holds = at_most("", "", 1, 0, "");
  const Claim fails = at_most("", "", 0, 1, "");
  EXPECT_THAT(report_of({{holds, fails, Claim(fails).as_refuted(""), Claim(fails).as_info("")}, {}, {}}),
              HasSubstr("1 experiments · 2 of 3 judged claims as expected"));
}

TEST(Report, PrintsTheTablesThatAreToBeShown) {
  const std::string html = report_of(
      {{},
       {{"seen", {{"x", std::vector<double>{0.125}}}, true}, {"unseen", {{"x", std::vector<double>{0.375}}}, false}},
       {}});
  EXPECT_THAT(html, HasSubstr("<h3>seen</h3>"));
  EXPECT_THAT(html, HasSubstr("0.125"));
  EXPECT_THAT(html, Not(HasSubstr("unseen")));
  EXPECT_THAT(html, Not(HasSubstr("0.375")));
}

TEST(Report, HoldsTheDrawingsThemselvesAndFetchesNothing) {
  const test::TempFolder folder;
  const Experiment experiment{"made/up", "Title", "Source", [](const Context&) {
                                return Result{
                                    {},
                                    {{"t", {{"x", std::vector<double>{0, 1}}, {"y", std::vector<double>{0, 1}}}}},
                                    {{"f", "A line", "x", "y", {{"t", 0, 1, "line"}}}}};
                              }};
  const std::vector<Finished> finished{run_and_write(experiment, {}, folder.path())};
  write_report(finished, folder.path());
  const std::string html = folder.read("report.html");
  EXPECT_THAT(html, HasSubstr("<svg"));
  EXPECT_THAT(html, Not(HasSubstr("<?xml")));
  EXPECT_THAT(html, Not(ContainsRegex("(src|href) *= *[\"']?(https?:|file:|//)|@import|<link|<script")));
}

TEST(Report, OfNothingIsStillAPage) {
  const test::TempFolder folder;
  write_report({}, folder.path());
  EXPECT_THAT(folder.read("report.html"), HasSubstr("0 experiments · 0 of 0 judged claims"));
}

}  // namespace
}  // namespace stiction::lab
