#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

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
      report_of({{at_most(nasty + "name", printed(nasty + "source"), 1, 0, nasty + "unit").as_info(nasty + "reason")},
                 {{nasty + "table", {{nasty + "column", std::vector<std::string>{nasty + "cell"}}}, true}},
                 {},
                 nasty + "notes"});
  for (const char* where : {"name", "source", "unit", "reason", "table", "column", "cell", "notes"}) {
    EXPECT_THAT(html, HasSubstr(safe + where));
  }
  EXPECT_THAT(html, HasSubstr("Title &lt;t&gt;"));
  EXPECT_THAT(html, HasSubstr("Source &amp; &lt;s&gt;"));
  EXPECT_THAT(html, Not(HasSubstr("<script>alert")));
}

TEST(Report, SaysOfEveryClaimWhetherItIsAsExpected) {
  const Claim holds = at_most("", printed(""), 1, 0, "");
  const Claim fails = at_most("", printed(""), 0, 1, "");
  EXPECT_THAT(report_of({{holds}, {}, {}}), HasSubstr("<span class=good>reproduced</span>"));
  EXPECT_THAT(report_of({{fails}, {}, {}}), HasSubstr("<span class=bad>not as expected</span>"));
  EXPECT_THAT(report_of({{Claim(fails).as_refuted("")}, {}, {}}), HasSubstr("<span class=refuted>refuted</span>"));
  EXPECT_THAT(report_of({{Claim(holds).as_refuted("")}, {}, {}}), HasSubstr("<span class=bad>not as expected</span>"));
  EXPECT_THAT(report_of({{Claim(fails).as_info("")}, {}, {}}), HasSubstr("<span class=info>info</span>"));
}

TEST(Report, SaysReproducedOfPapersAlone) {
  const std::string html =
      report_of({{at_most("", from_theory("a law"), 1, 0, ""), at_most("", requirement("a goal"), 1, 0, "")}, {}, {}});
  EXPECT_THAT(html, HasSubstr("<td>theory<td"));
  EXPECT_THAT(html, HasSubstr("<span class=good>confirmed</span>"));
  EXPECT_THAT(html, HasSubstr("<span class=good>met</span>"));
  EXPECT_THAT(html, Not(HasSubstr("<span class=good>reproduced</span>")));
  EXPECT_THAT(html, HasSubstr("<p>1 confirmed (1 theory), 1 met.</p>"));
}

TEST(Report, CountsJudgedClaimsAlone) {
  const Claim holds = at_most("", requirement(""), 1, 0, "");
  const Claim fails = at_most("", requirement(""), 0, 1, "");
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
  EXPECT_THAT(html, Not(ContainsRegex("(src|href) *= *[\"']?(https?:|file:|//)|@import|<link|<script ")));
}

TEST(Report, HasContentsSearchAndASummaryOfWhatWasRefutedAndWhy) {
  const Claim holds = at_most("", printed("p. 1"), 1, 0, "");
  const Claim wrong = at_most("rule of thumb", printed("eq. 7"), 2, 3, "N").as_refuted("the units do not match");
  const std::string html = report_of({{holds, holds, wrong}, {}, {}});
  EXPECT_THAT(html, HasSubstr("type=search"));
  EXPECT_THAT(html, HasSubstr("<a class=refuted href=\"#made/up\">Title &lt;t&gt;</a>"));
  EXPECT_THAT(html, HasSubstr("<div class=good><b>2</b><span>numbers and statements of the papers reproduced"));
  EXPECT_THAT(html, HasSubstr("<div class=refuted><b>1</b>"));
  EXPECT_THAT(html, ContainsRegex("Refuted, and why.*"));
  EXPECT_THAT(html, HasSubstr("Published: at most 2 N. Computed: 3 N.</p><p>the units do not match</p>"));
}

TEST(Report, FoldsTheClaimsUnlessOneIsNotAsExpected) {
  const Claim holds = at_most("", requirement(""), 1, 0, "");
  const Claim fails = at_most("", requirement(""), 0, 1, "");
  EXPECT_THAT(report_of({{holds}, {}, {}}), HasSubstr("<details><summary>1 claims: "));
  EXPECT_THAT(report_of({{holds, fails}, {}, {}}), HasSubstr("<details open><summary>2 claims: "));
}

/// The report of one curve.
std::string report_of_curve(std::vector<double> x, std::vector<double> y, const std::string& style = "lines") {
  return report_of({{},
                    {{"t", {{"x", std::move(x)}, {"y", std::move(y)}}}},
                    {{"f", "A line", "x", "y", {{"t", 0, 1, "line", style}}}}});
}

TEST(Report, DrawsLongCurvesInFewPoints) {
  std::vector<double> x;
  std::vector<double> y;
  for (int i = 0; i < 1000000; ++i) {
    x.push_back(1e-6 * i);
    y.push_back(std::sin(1e3 * x.back()) * x.back());
  }
  const std::size_t empty = report_of_curve({0}, {0}).size();
  EXPECT_LT(report_of_curve(x, y).size() - empty, 40000U);
}

TEST(Report, KeepsTheSpikesOfLongCurves) {
  std::vector<double> x(100000);
  std::vector<double> y(100000, 0.0);
  std::iota(x.begin(), x.end(), 0.0);
  y[31415] = 1;
  EXPECT_THAT(report_of_curve(x, y), ContainsRegex("d=\"[^\"]*-[0-9]{4}"));  // up by thousands of units at once
}

TEST(Report, LeavesGapsWhereACurveIsNotFinite) {
  const std::string html = report_of_curve({0, 1, 2, 3, 4}, {0, 1, NAN, 1, 0});
  EXPECT_THAT(html, ContainsRegex("d=\"M[0-9 ]+l[-0-9 ]+m[-0-9 ]+l[-0-9 ]+\""));
}

TEST(Report, DrawsEveryStyleAndOddValues) {
  for (const char* style : {"lines", "dashes", "points", "linespoints", "steps", "boxes"}) {
    EXPECT_THAT(report_of_curve({1, 2, 3}, {1, 3, 2}, style), HasSubstr("<path class=")) << style;
    for (const std::vector<double>& y :
         {std::vector<double>{5, 5, 5}, {0, 0, 0}, {NAN, INFINITY, NAN}, {-1e300, 1e300, 0}}) {
      EXPECT_THAT(report_of_curve({1, 1, 1}, y, style), Not(ContainsRegex("d=\"[^\"]*(nan|inf)"))) << style;
    }
    EXPECT_THAT(report_of_curve({}, {}, style), HasSubstr("</html>"));
  }
}

TEST(Report, OfNothingIsStillAPage) {
  const test::TempFolder folder;
  write_report({}, folder.path());
  EXPECT_THAT(folder.read("report.html"), HasSubstr("0 experiments · 0 of 0 judged claims"));
}

}  // namespace
}  // namespace stiction::lab
