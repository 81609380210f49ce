#include "stiction/io/log_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "io/temp_folder.h"
#include "stiction/io/file.h"

namespace stiction::io::log_table {
namespace {

using test::message_of;
using ::testing::AnyOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

LogTable read(const std::string& text) {
  const test::TempFolder folder;
  return read_log_table(folder.write("log.csv", text));
}

std::string complaint_about(const std::string& text) {
  const test::TempFolder folder;
  const auto file = folder.write("log.csv", text);
  return message_of<InputError>([&] { read_log_table(file); }).substr(folder.path().string().size() + 1);
}

/// The same three rows as different tools write them.
struct Writing {
  const char* name;
  const char* text;
  const char* taken_as;  // a part of the note
};
void PrintTo(const Writing& writing, std::ostream* out) { *out << writing.name; }

class LogDialect : public ::testing::TestWithParam<Writing> {};

TEST_P(LogDialect, IsRecognised) {
  const LogTable table = read(GetParam().text);
  EXPECT_THAT(table.csv.columns, ElementsAre(ElementsAre(0, 0.5, 1), ElementsAre(-1.5, 2, 25)));
  EXPECT_THAT(table.csv.names, AnyOf(ElementsAre("t", "tau"), ElementsAre("t [s]", "tau [Nm]"),
                                     ElementsAre("column 1", "column 2"), ElementsAre("Joint 1 t", "Joint 1 tau")));
  EXPECT_THAT(table.notes, Contains(HasSubstr(GetParam().taken_as)));
}

INSTANTIATE_TEST_SUITE_P(
    , LogDialect,
    ::testing::Values(
        Writing{"Commas", "t,tau\n0,-1.5\n0.5,2\n1,25\n", "','"},
        Writing{"Semicolons", "t;tau\n0;-1.5\n0.5;2\n1;25\n", "';'"},
        Writing{"DecimalComma", "t;tau\n0;-1,5\n0,5;2\n1;25\n", "';' between cells, decimal comma"},
        Writing{"DecimalCommaAndTabs", "t\ttau\n0\t-1,5\n0,5\t2\n1\t25\n", "tabs between cells, decimal comma"},
        Writing{"DecimalCommaAndBlanks", "t tau\n0 -1,5\n0,5 2\n1 25\n", "blanks between cells, decimal comma"},
        Writing{"Tabs", "t\ttau\n0\t-1.5\n0.5\t2\n1\t25\n", "tabs"},
        Writing{"Blanks", "  t     tau\n  0    -1.5\n  0.5   2.0\n  1.0  25\n", "blanks"},
        Writing{"BlanksAndUnitsApart", "t [s]  tau [Nm]\n0 -1.5\n0.5 2\n1 25\n", "blanks"},
        Writing{"CommasAndBlanks", "t, tau\n0, -1.5\n0.5, 2\n1, 25\n", "','"},
        Writing{"Quotes", "\"t\",\"tau\"\n\"0\",\"-1.5\"\n\"0.5\",\"2\"\n\"1\",\"25\"\n", "','"},
        Writing{"QuotedDecimalComma", "\"t\",\"tau\"\n0,\"-1,5\"\n\"0,5\",2\n1,25\n", "','"},
        Writing{"TrailingDelimiters", "t;tau;\n0;-1.5;\n0.5;2;\n1;25;\n", "';'"},
        Writing{"TrailingDelimitersInRowsAlone", "t;tau\n0;-1.5;\n0.5;2;\n1;25;\n", "';'"},
        Writing{"SeveralEmptyColumns", "t,tau,,\n0,-1.5,,\n0.5,2,,\n1,25,,\n", "','"},
        Writing{"ByteOrderMarkAndLineEnds", "\xEF\xBB\xBFt,tau\r\n0,-1.5\r\n0.5,2\r\n1,25\r\n", "','"},
        Writing{"OldLineEnds", "t,tau\r0,-1.5\r0.5,2\r1,25\r", "','"},
        Writing{"Comments", "# log 7\n% and\n// more\nt,tau\n0,-1.5\n# half time\n0.5,2\n1,25\n", "line 4"},
        Writing{"NamesInAComment", "# made by hand\n# t tau\n0 -1.5\n0.5 2\n1 25\n", "comment in line 2"},
        Writing{"TitlesAboveTheNames", "Trace of drive 3\nRate;1000\n\nt;tau\n0;-1.5\n0.5;2\n1;25\n", "line 4"},
        Writing{"ARowOfUnits", "t;tau\ns;Nm\n0;-1.5\n0.5;2\n1;25\n", "units in line 2"},
        Writing{"TwoRowsOfNames", "Joint 1;\nt;tau\n0;-1.5\n0.5;2\n1;25\n", "line 2"},
        Writing{"NoNames", "0,-1.5\n0.5,2\n1,25\n", "by number"},
        Writing{"AColumnOfWords", "t,state,tau\n0,run,-1.5\n0.5,run,2\n1,stop,25\n", "3 columns"},
        Writing{"ARowCutOff", "t,tau\n0,-1.5\n0.5,2\n1,25\n1.", "','"},
        Writing{"Exponents", "t;tau\n0;-15E-1\n+5e-1;2\n1;2,5e1\n", "decimal comma"}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(LogTable, TellsUnitsOfARow) {
  EXPECT_THAT(read("t;tau;v\n[ms];[N m];-\n0;1;2\n1;2;3\n").units, ElementsAre("[ms]", "[N m]", "-"));
  EXPECT_THAT(read("t;tau\n0;1\n1;2\n").units, IsEmpty());
}

TEST(LogTable, TakesACommaBehindIntegersForTheEndOfACell) {
  const LogTable table = read("a, b, c\n1, 2, 3\n4, 5, 6\n");
  EXPECT_THAT(table.csv.names, ElementsAre("a", "b", "c"));
  EXPECT_THAT(table.notes, Contains(HasSubstr("',' between cells")));
}

TEST(LogTable, NumbersRepeatedNames) {
  EXPECT_THAT(read("time,q,time,tau\n0,1,0,2\n1,2,1,3\n").csv.names, ElementsAre("time", "q", "time_2", "tau"));
  EXPECT_THAT(read("t [s],q,t [s],q\n0,1,0,2\n1,2,1,3\n").csv.names, ElementsAre("t [s]", "q", "t_2 [s]", "q_2"));
  EXPECT_THAT(read(",q,\n0,1,3\n1,2,3\n").csv.names, ElementsAre("column 1", "q", "column 3"));
}

TEST(LogTable, TakesNamesOfAGroupWhereThoseBelowAreRepeated) {
  EXPECT_THAT(read("Joint 1,,Joint 2,\nq,tau,q,tau\n0,1,0,2\n1,2,1,3\n").csv.names,
              ElementsAre("Joint 1 q", "Joint 1 tau", "Joint 2 q", "Joint 2 tau"));
}

TEST(LogTable, LearnsTheDecimalCommaBelowIntegers) {
  std::string text = "t;tau\n";
  for (int i = 0; i < 1000; ++i) {
    text += std::to_string(i) + ";3\n";
  }
  const LogTable table = read(text + "1000;0,25\n");
  EXPECT_EQ(table.csv.columns[1].back(), 0.25);
  EXPECT_THAT(complaint_about(text + "1000;0,25\n1001;0.25\n1002;0.25\n" + std::string(40, '\n') + "1;a\n1;b\n1;c\n" +
                              "1;d\n1;e\n1;f\n1;g\n1;h\n1;i\n1;j\n"),
              HasSubstr("log.csv:1003:6: tau = '0.25': must be a finite number"));
}

TEST(LogTable, ReadsTimesOfAClock) {
  const LogTable table = read("stamp,q\n2026-05-01T00:00:00.5Z,1\n2026-05-01 00:01:01,2\n2026-05-02T00:00:00,3\n");
  EXPECT_DOUBLE_EQ(table.csv.columns[0][1] - table.csv.columns[0][0], 60.5);
  EXPECT_DOUBLE_EQ(table.csv.columns[0][2] - table.csv.columns[0][0], 86399.5);
  EXPECT_DOUBLE_EQ(table.csv.columns[0][0], 1777593600.5);
  EXPECT_THAT(read("t;q\n10:00:00,250;1\n10:00:00,500;2\n").csv.columns[0], ElementsAre(36000.25, 36000.5));
  EXPECT_THAT(complaint_about("t,q\n2026-13-01T00:00:00,1\n25:00:00,2\n"), HasSubstr("no rows"));
}

TEST(LogTable, TakesWaysToSayThatThereIsNoNumber) {
  const LogTable table = read("a,b\n1,nan\n2,NaN\n3,\n4,-\n5,inf\n6,NULL\n7,#N/A\n8,-nan(ind)\n9,1\n");
  EXPECT_EQ(table.csv.columns[0].size(), 9U);
  EXPECT_EQ(std::count_if(table.csv.columns[1].begin(), table.csv.columns[1].end(), [](double x) { return x == x; }),
            1);
}

TEST(LogTable, LeavesOutAFewSpoiltRowsAndRefusesMany) {
  std::string text = "t,q\n";
  for (int i = 0; i < 500; ++i) {
    text += i == 250 ? "2\xC3\xB6#,\n" : i == 300 ? "1,2,3,4\n" : std::to_string(i) + ",1\n";
  }
  const LogTable table = read(text);
  EXPECT_EQ(table.csv.columns[0].size(), 499U);
  EXPECT_TRUE(std::isnan(table.csv.columns[0][250]));
  EXPECT_THAT(table.notes, Contains(HasSubstr("2 cells or rows that cannot be read left out; the first: ")));
  EXPECT_THAT(complaint_about(text + "1,x\n1,x\n1,x\n1,x\n"), HasSubstr("log.csv:252:1: t = '2"));
}

struct BadLog {
  const char* name;
  std::string text;
  const char* complaint;
};
void PrintTo(const BadLog& log, std::ostream* out) { *out << log.name; }

class LogTableRefuses : public ::testing::TestWithParam<BadLog> {};

TEST_P(LogTableRefuses, WithWhatIsWanted) {
  EXPECT_THAT(complaint_about(GetParam().text), HasSubstr(GetParam().complaint));
}

INSTANTIATE_TEST_SUITE_P(
    , LogTableRefuses,
    ::testing::Values(BadLog{"Nothing", "", "log.csv: has no rows"}, BadLog{"WordsAlone", "a,b\nc,d\n", "has no rows"},
                      BadLog{"AHeaderAlone", "t,tau\n", "has no rows"},
                      BadLog{"AWord", "t,tau\n0,1\n1,two\n", "log.csv:3:3: tau = 'two': must be a finite number"},
                      BadLog{"CommaForEverything", "t,tau\n0,001,1,5\n0,002,1,7\n",
                             "log.csv:2: row has 4 cells, the header has 2; is the comma a decimal comma too?"},
                      BadLog{"OtherText", std::string("\xFF\xFE\x41\x00", 4), "is UTF-16 text: save it as UTF-8"},
                      BadLog{"Bytes", std::string("PK\x03\x04\x00\x00", 6), "is not text"}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(LogTable, RefusesWhatNobodyWouldWrite) {
  std::string row = "1";
  for (int i = 1; i < 30'000; ++i) {
    row += ",1";
  }
  EXPECT_THAT(complaint_about(row + "\n" + row + "\n"), HasSubstr("has 30000 columns: must be at most 1000"));
  EXPECT_THAT(complaint_about(std::string(2'000'000, '1')), HasSubstr("line has 2000000 characters"));
}

}  // namespace
}  // namespace stiction::io::log_table
