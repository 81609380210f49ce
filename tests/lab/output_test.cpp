// The files of one experiment, with texts that have a meaning in CSV, JSON, gnuplot or HTML.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "io/temp_folder.h"
#include "lab.h"
#include "stiction/io/file.h"
#include "stiction/version.h"

namespace stiction::lab::output_test {
namespace {

using test::TempFolder;
using ::testing::ContainsRegex;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string nasty = "a \"b\", 'c' <i>&amp;\\d\\ µ\tend";

Result nasty_result(const Context&) {
  Result result;
  result.claims = {within(nasty, printed(nasty), 1.5, 1.25, 0.5, nasty),
                   at_most("plain", from_figure("Fig. 1"), 0, 1, "-").as_refuted(nasty)};
  result.tables = {{"data",
                    {{"x", std::vector<double>{1.0 / 3, 2}},
                     {"y, [N]", std::vector<double>{-1, 1e-20}},
                     {"verdict", std::vector<std::string>{"holds, \"just\"", "two\nlines"}}},
                    true}};
  result.figures = {{"plot", nasty, nasty, nasty, {{"data", 0, 1, nasty, "linespoints"}}}};
  result.notes = nasty;
  return result;
}
constexpr Experiment nasty_experiment{"made/up", "A title <with> & \"marks\"", "Nobody & sons, <1998>", nasty_result};

TEST(RunAndWrite, WritesTablesFiguresAndTheResult) {
  const TempFolder folder;
  run_and_write(nasty_experiment, {}, folder.path());
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder / "made/up")) {
    names.push_back(entry.path().filename().string());
  }
  EXPECT_THAT(names, ::testing::UnorderedElementsAre("data.csv", "plot.svg", "result.json"));
}

TEST(RunAndWrite, QuotesCellsThatWouldBreakTheCsv) {
  const TempFolder folder;
  run_and_write(nasty_experiment, {}, folder.path());
  EXPECT_EQ(folder.read("made/up/data.csv"),
            "x,\"y, [N]\",verdict\n"
            "0.333333333333,-1,\"holds, \"\"just\"\"\"\n"
            "2,1e-20,\"two\nlines\"\n");
}

TEST(RunAndWrite, GivesTheDrawingEveryTextAsItIs) {
  const TempFolder folder;
  run_and_write(nasty_experiment, {}, folder.path());
  const std::string svg = folder.read("made/up/plot.svg");
  EXPECT_THAT(svg, HasSubstr("a \"b\", 'c' &lt;i>&amp;amp;\\d\\ µ"));
  EXPECT_THAT(svg, Not(HasSubstr("<i>")));
  EXPECT_THAT(svg, HasSubstr("</svg>"));
}

TEST(RunAndWrite, DrawsAPanelForEachSeriesWhereAsked) {
  const TempFolder folder;
  const Experiment panels{
      "panels", "", "", [](const Context&) {
        Result result{{}, {{"t", {{"x", std::vector<double>{1, 2}}}}}, {{"f", "All", "x", "y", {}}}};
        result.figures[0].series = {{"t", 0, 0, "one"}, {"t", 0, 0, "two"}, {"t", 0, 0, "three"}};
        result.figures[0].panels_in_a_row = 2;
        return result;
      }};
  run_and_write(panels, {}, folder.path());
  const std::string svg = folder.read("panels/f.svg");
  for (const char* title : {"All", "one", "two", "three"}) {
    EXPECT_THAT(svg, HasSubstr(title));
  }
  EXPECT_THAT(svg, HasSubstr("viewBox=\"0 0 420 380\""));  // two rows of two
}

/// The file of a figure of one table, whose columns are numbers.
std::string drawn(const std::vector<std::vector<double>>& columns, const Figure& figure) {
  const TempFolder folder;
  Result result{{}, {{"t", {}}}, {figure}};
  for (const auto& column : columns) {
    result.tables[0].columns.push_back({"a column", column});
  }
  write(result, folder.path());
  return folder.read(figure.name + ".svg");
}
std::size_t count(const std::string& text, const std::string& part) {
  std::size_t times = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++times;
  }
  return times;
}

TEST(RunAndWrite, SeriesOfOnePanelShareItsAxes) {
  Figure figure{"f", "All", "time", "unused", {}};
  figure.panels_in_a_row = 1;
  figure.series = {{"t", 0, 1, "x, one", "lines", "x [m]"},
                   {"t", 0, 2, "y, one", "lines", "y [m]"},
                   {"t", 0, 1, "x, two", "dashes", "x [m]"}};
  const std::string svg = drawn({{0, 1}, {0, 2}, {0, 3}}, figure);
  EXPECT_EQ(count(svg, "stroke=\"#777\""), 2U);  // frames
  EXPECT_EQ(count(svg, ">x [m]<"), 1U);
  EXPECT_EQ(count(svg, ">y [m]<"), 1U);
  EXPECT_EQ(count(svg, ">time<"), 1U);  // below the last
  EXPECT_EQ(count(svg, ">x, one<") + count(svg, ">x, two<") + count(svg, ">y, one<"), 3U);
  EXPECT_THAT(svg, HasSubstr("stroke-dasharray"));
  EXPECT_THAT(svg, Not(HasSubstr("unused")));
}

TEST(RunAndWrite, ColoursCellsByTheirValue) {
  Figure figure{"f", "Map", "x", "y", {{"t", 0, 1, "", "cells", "", 2}}};
  figure.equal_units = true;
  const std::string svg = drawn({{0, 1, 0, 1}, {0, 0, 1, 1}, {0, 5, 5, 10}}, figure);
  EXPECT_EQ(count(svg, "stroke=\"#fff\" stroke-width=\"3\""), 3U);  // one path for each value
  EXPECT_THAT(svg, HasSubstr(">10</text>"));                        // on the scale of colours
}

TEST(RunAndWrite, DrawsCellsOfOneValueAlone) {
  const Figure figure{"f", "Map", "x", "y", {{"t", 0, 1, "", "cells", "", 2}}};
  EXPECT_THAT(drawn({{0, 1}, {0, 0}, {3, 3}}, figure), HasSubstr("</svg>"));
}

TEST(RunAndWrite, DrawsBoxPlotsOverNames) {
  Figure figure{"f", "Errors", "surface", "error", {{"t", 0, 1, "model", "box_plots"}}};
  figure.x_names = {"square", "circle"};
  const std::string svg = drawn({{1, 2}, {0, 1}, {1, 2}, {2, 3}, {3, 4}, {9, 8}}, figure);
  EXPECT_THAT(svg, HasSubstr(">square</text>"));
  EXPECT_THAT(svg, HasSubstr(">circle</text>"));
  EXPECT_THAT(svg, HasSubstr("fill-opacity=\".35\""));
  EXPECT_THAT(svg, HasSubstr(">8</text>"));  // the axis reaches the whiskers
}

TEST(RunAndWrite, DrawsOddValuesOfMapsAndBoxPlots) {
  const Figure boxes{"f", "", "", "", {{"t", 0, 1, "", "box_plots"}}};
  const Figure map{"f", "", "", "", {{"t", 0, 1, "", "cells", "", 2}}};
  const Figure points{"f", "", "", "", {{"t", 0, 1, "", "points", "", 2}}};
  for (const std::vector<double>& y :
       {std::vector<double>{5, 5, 5}, {0, 0, 0}, {NAN, INFINITY, NAN}, {-1e300, 1e300, 0}, {}}) {
    for (const Figure& figure : {boxes, map, points}) {
      const std::vector<double> x(y.size(), 1.0);
      EXPECT_THAT(drawn({x, y, y, y, y, y}, figure), Not(ContainsRegex("\"[^\"]*(nan|inf)[^\"]*\"")))
          << figure.series[0].style;
      EXPECT_THAT(drawn({{1, 2, 3}, {1, 2, 3}, {NAN, 1, 2}, {2, 2, 2}, {3, 3, 3}, {4, 4, 4}}, figure),
                  HasSubstr("</svg>"));
    }
  }
}

TEST(RunAndWrite, RefusesBoxPlotsWithoutAllTheirColumns) {
  const Figure figure{"f", "", "", "", {{"t", 0, 1, "", "box_plots"}}};
  EXPECT_THROW(drawn({{1, 2}, {0, 1}, {1, 2}, {2, 3}, {3, 4}}, figure), io::FileError);
}

TEST(RunAndWrite, LeavesNoResultWhereADrawingFailed) {
  const TempFolder folder;
  const Experiment broken{
      "broken", "", "", [](const Context&) {
        return Result{{}, {{"t", {{"x", std::vector<double>{1}}}}}, {{"f", "", "", "", {{"none", 0, 1, ""}}}}};
      }};
  const std::string message = test::message_of<io::FileError>([&] { run_and_write(broken, {}, folder.path()); });
  EXPECT_EQ(message, "cannot draw " + (folder / "broken/f.svg").string() +
                         ": there is no table 'none' with numbers in column 1");
  EXPECT_FALSE(std::filesystem::exists(folder / "broken/result.json"));
  EXPECT_FALSE(std::filesystem::exists(folder / "broken/f.svg"));
}

/// What gnuplot or a shell would obey, if one of them read it as a command.
std::vector<std::string> hostile_texts(const std::filesystem::path& sentinel) {
  const std::string touch = "touch " + sentinel.string();
  return {"\nsystem('" + touch + "')\n",
          "'\nsystem('" + touch + "')\n#",
          "'.system('" + touch + "').'",
          "' . system(\"" + touch + "\") . '",
          "< " + touch,
          "| " + touch,
          "`" + touch + "`",
          "'`" + touch + "`'",
          "$(" + touch + ")",
          "@macro \\",
          "x\r\n!" + touch + "\r\n",
          "\u2028!" + touch + " µ \xff\xfe",
          "; !" + touch,
          "<script>alert(1)</script>"};
}

TEST(RunAndWrite, NoTextOfAFigureIsACommand) {
  const TempFolder folder;
  const auto sentinel = folder / "sentinel";
  for (const std::string& text : hostile_texts(sentinel)) {
    Result result;
    result.tables = {{"t", {{text, std::vector<double>{1, 2}}, {text, std::vector<std::string>{text, "EOD"}}}}};
    result.figures = {{"one", text, text, text, {{"t", 0, 0, text}}},
                      {"panels", text, text, text, {{"t", 0, 0, text}}}};
    result.figures[1].panels_in_a_row = 1;
    ASSERT_NO_THROW(write(result, folder / "out")) << text;
    EXPECT_FALSE(std::filesystem::exists(sentinel)) << text;
    for (const char* name : {"out/one.svg", "out/panels.svg"}) {
      EXPECT_THAT(folder.read(name), HasSubstr("</svg>")) << text;
      EXPECT_THAT(folder.read(name), Not(HasSubstr("<script>"))) << text;
    }
  }
}

TEST(RunAndWrite, NoNameOfAFileIsACommand) {
  const TempFolder folder;
  const auto sentinel = folder / "sentinel";
  for (std::string name : hostile_texts("sentinel")) {  // in the present folder: a slash would make folders
    std::ranges::replace(name, '/', '_');
    Result result;
    result.tables = {{name, {{"x", std::vector<double>{1, 2}}}}};
    result.figures = {{name, "", "", "", {{name, 0, 0, ""}}}};
    const auto present = std::filesystem::current_path();
    std::filesystem::current_path(folder.path());
    write(result, std::filesystem::path(name));
    std::filesystem::current_path(present);
    EXPECT_FALSE(std::filesystem::exists(sentinel)) << name;
    EXPECT_THAT(folder.read(name + "/" + name + ".svg"), HasSubstr("</svg>")) << name;
  }
}

TEST(RunAndWrite, RefusesAStyleThatIsNone) {
  const TempFolder folder;
  const Result result{
      {}, {{"t", {{"x", std::vector<double>{1}}}}}, {{"f", "", "", "", {{"t", 0, 0, "", "lines\n!id"}}}}};
  EXPECT_THROW(write(result, folder.path()), io::FileError);
}

TEST(RunAndWrite, NeedsNoOtherProgramToDraw) {
  const TempFolder folder;
  const Experiment large{"large", "", "", [](const Context&) {
                           Result result{{}, {{"t", {{"x", std::vector<double>{1}}}}}, {{"f", "", "", "", {}}}};
                           result.figures[0].series.assign(5000, {"t", 0, 0, "one of many"});
                           return result;
                         }};
  const std::string path = std::getenv("PATH");
  ::setenv("PATH", folder.path().c_str(), 1);
  run_and_write(large, {}, folder.path());
  ::setenv("PATH", path.c_str(), 1);
  EXPECT_THAT(folder.read("large/f.svg"), HasSubstr("</svg>"));
}

TEST(Draw, OutlivesADrawingProgramThatIsNotThere) {
  const TempFolder folder;
  const std::string path = std::getenv("PATH");
  ::setenv("PATH", folder.path().c_str(), 1);
  const std::string message =
      test::message_of<io::FileError>([&] { draw(folder / "f.svg", {}, std::string(100000, '#') + "\nplot x\n"); });
  ::setenv("PATH", path.c_str(), 1);
  EXPECT_THAT(message, HasSubstr("gnuplot"));
  EXPECT_THAT(message, HasSubstr("is it installed?"));
}

TEST(ToJson, KeepsEveryTextAndNumber) {
  const Finished finished{&nasty_experiment, nasty_result({}), 0.5};
  const auto json = nlohmann::json::parse(to_json(finished));
  EXPECT_EQ(json["id"], "made/up");
  EXPECT_EQ(json["title"], nasty_experiment.title);
  EXPECT_EQ(json["source"], nasty_experiment.source);
  EXPECT_EQ(json["version"], STICTION_VERSION);
  EXPECT_EQ(json["seconds"], 0.5);
  EXPECT_EQ(json["notes"], nasty);
  EXPECT_EQ(json["claims"][0], nlohmann::json({{"name", nasty},
                                               {"source", nasty},
                                               {"evidence", "printed"},
                                               {"published", 1.5},
                                               {"measured", 1.25},
                                               {"unit", nasty},
                                               {"relation", "within"},
                                               {"tolerance", 0.5},
                                               {"holds", true},
                                               {"expect", "reproduced"},
                                               {"outcome", "reproduced"},
                                               {"reason", ""}}));
  EXPECT_EQ(json["claims"][1]["expect"], "refuted");
  EXPECT_EQ(json["claims"][1]["holds"], false);
  EXPECT_EQ(json["claims"][1]["reason"], nasty);
}

TEST(ToJson, HasNullForWhatIsNotFinite) {
  Finished finished{&nasty_experiment, {}, 0};
  finished.result.claims = {at_most("diverged", printed(""), 1, std::nan(""), ""),
                            at_most("ran away", printed(""), 1, INFINITY, "")};
  const auto json = nlohmann::json::parse(to_json(finished));
  EXPECT_TRUE(json["claims"][0]["measured"].is_null());
  EXPECT_TRUE(json["claims"][1]["measured"].is_null());
  EXPECT_EQ(json["claims"][1]["holds"], false);
}

TEST(ToJson, OfSeveralIsAnArrayAlsoOfNone) {
  const std::vector<Finished> two{{&nasty_experiment, {}, 0}, {&nasty_experiment, {}, 0}};
  EXPECT_EQ(nlohmann::json::parse(to_json(std::span(two))).size(), 2U);
  EXPECT_EQ(nlohmann::json::parse(to_json(std::span<const Finished>())), nlohmann::json::array());
}

}  // namespace
}  // namespace stiction::lab::output_test
