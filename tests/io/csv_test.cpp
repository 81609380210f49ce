#include "stiction/io/csv.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/temp_folder.h"
#include "stiction/io/file.h"

namespace stiction::io {
namespace {

using test::message_of;
using ::testing::ElementsAre;

Csv read(const std::string& text) {
  const test::TempFolder folder;
  return read_csv(folder.write("log.csv", text));
}

/// The message about a text, without the folder of the file.
std::string complaint_about(const std::string& text) {
  const test::TempFolder folder;
  const auto file = folder.write("log.csv", text);
  return message_of<InputError>([&] { read_csv(file); }).substr(folder.path().string().size() + 1);
}

TEST(ReadCsv, RefusesAHeaderThatNobodyWouldWrite) {
  const test::TempFolder folder;
  std::string header = "c0";
  for (int i = 1; i < 300'000; ++i) {
    header += ",c" + std::to_string(i);
  }
  const std::string file = folder.write("wide.csv", header + "\n1\n").string();
  EXPECT_EQ(message_of<InputError>([&] { read_csv(file); }),
            file + ":1: header has 300000 columns: must be at most 1000");
}

TEST(ReadCsv, GivesNamesAndColumnsInTheOrderOfTheFile) {
  const Csv csv = read("time,force\n0,1\n0.5,-2.25\n");
  EXPECT_THAT(csv.names, ElementsAre("time", "force"));
  EXPECT_THAT(csv.columns, ElementsAre(ElementsAre(0, 0.5), ElementsAre(1, -2.25)));
  EXPECT_THAT(csv.column("force"), ElementsAre(1, -2.25));
}

TEST(ReadCsv, TakesCommentsBlankLinesSpacesLineEndsAndByteOrderMarkAsTheyCome) {
  for (const char* text : {
           "a,b\n1,2\n3,4\n",                                 // plain
           "a,b\n1,2\n3,4",                                   // no line end after the last row
           "a,b\r\n1,2\r\n3,4\r\n",                           // from another system
           "# log 7\n\na,b\n# half time\n1,2\n \t \n3,4\n#",  // comments and blank lines anywhere
           "  a ,\tb\n 1 , 2\t\n\t3,4 \n",                    // spaces and tabs around cells
           "  # indented comment\na,b\n1,2\n3,4\n",           //
           "\xEF\xBB\xBF"
           "a,b\n1,2\n3,4\n",         // as spreadsheets save it
           "a,b\n+1,+2.0\n3e0,4.\n",  // ways to write a number
       }) {
    SCOPED_TRACE(text);
    const Csv csv = read(text);
    EXPECT_THAT(csv.names, ElementsAre("a", "b"));
    EXPECT_THAT(csv.columns, ElementsAre(ElementsAre(1, 3), ElementsAre(2, 4)));
  }
}

TEST(ReadCsv, KeepsNamesWithSpacesAndUnits) {
  EXPECT_THAT(read("time [s], motor torque [N m]\n0,1\n").names, ElementsAre("time [s]", "motor torque [N m]"));
}

TEST(ReadCsv, ReadsANumberToItsLastBit) {
  EXPECT_EQ(read("x\n0.10000000000000000555\n").columns[0][0], 0.1);
  EXPECT_EQ(read("x\n1.7976931348623157e308\n").columns[0][0], 1.7976931348623157e308);
  EXPECT_EQ(read("x\n-4.9e-324\n").columns[0][0], -4.9e-324);
}

struct BadCsv {
  const char* name;
  const char* text;
  const char* complaint;
};
void PrintTo(const BadCsv& csv, std::ostream* out) { *out << csv.name; }

class ReadCsvRejects : public ::testing::TestWithParam<BadCsv> {};

TEST_P(ReadCsvRejects, WithThePlaceTheValueAndWhatIsWanted) {
  EXPECT_EQ(complaint_about(GetParam().text), GetParam().complaint);
}

INSTANTIATE_TEST_SUITE_P(
    , ReadCsvRejects,
    ::testing::Values(
        BadCsv{"ARowThatIsTooLong", "a,b\n1,2\n1,2,3\n", "log.csv:3: row has 3 cells, the header has 2"},
        BadCsv{"ARowThatIsTooShort", "a,b\n# comment\n\n1\n", "log.csv:4: row has 1 cells, the header has 2"},
        BadCsv{"ACommaAtTheEnd", "a,b\n1,2,\n", "log.csv:2: row has 3 cells, the header has 2"},
        BadCsv{"NotANumber", "a,b\n1,nan\n", "log.csv:2:3: b = 'nan': must be a finite number"},
        BadCsv{"Infinity", "a,b\n1,2\n-inf,2\n", "log.csv:3:1: a = '-inf': must be a finite number"},
        BadCsv{"ANumberTooLarge", "a,b\n1,1e999\n", "log.csv:2:3: b = '1e999': must be a finite number"},
        BadCsv{"Text", "a,b\n1,two\n", "log.csv:2:3: b = 'two': must be a finite number"},
        BadCsv{"ANumberWithTextBehind", "a,b\n1,2 N\n", "log.csv:2:3: b = '2 N': must be a finite number"},
        BadCsv{"ADecimalComma", "a\n1,5\n", "log.csv:2: row has 2 cells, the header has 1"},
        BadCsv{"TwoSigns", "a,b\n1,+-2\n", "log.csv:2:3: b = '+-2': must be a finite number"},
        BadCsv{"Hexadecimal", "a,b\n0x10,1\n", "log.csv:2:1: a = '0x10': must be a finite number"},
        BadCsv{"AnEmptyCell", "a,b,c\n1,,3\n", "log.csv:2:3: b = '': must be a finite number"},
        BadCsv{"ACellOfSpaces", "a,b,c\n1,2,  \n", "log.csv:2:5: c = '': must be a finite number"},
        BadCsv{"ACellInAnIndentedRow", "a,b\n  1, x\n", "log.csv:2:6: b = 'x': must be a finite number"},
        BadCsv{"Quotes", "a,b\n1,\"2\"\n", "log.csv:2:3: b = '\"2\"': must be a finite number"},
        BadCsv{"ControlCharacters", "a,b\n1,\x1b[31m\n", "log.csv:2:3: b = '?[31m': must be a finite number"},
        BadCsv{"AVeryLongCell", "a\n1234567890123456789012345678901234567890.x\n",
               "log.csv:2:1: a = '1234567890123456789012345678901234567890...': must be a finite number"},
        BadCsv{"ARepeatedName", "a,b,a\n1,2,3\n", "log.csv:1: header has an empty or repeated name 'a'"},
        BadCsv{"AnEmptyName", "a,,c\n1,2,3\n", "log.csv:1: header has an empty or repeated name ''"},
        BadCsv{"AnEmptyFile", "", "log.csv: has no rows; a header line and at least one row of numbers are needed"},
        BadCsv{"CommentsAlone", "# nothing\n\n",
               "log.csv: has no rows; a header line and at least one row of numbers are needed"},
        BadCsv{"AHeaderAlone", "a,b\n",
               "log.csv: has no rows; a header line and at least one row of numbers are needed"}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(ReadCsv, SaysWhyAFileCannotBeRead) {
  const test::TempFolder folder;
  const std::string path = folder.path().string();
  EXPECT_EQ(message_of<InputError>([&] { read_csv(folder / "none.csv"); }),
            "cannot read " + path + "/none.csv: No such file or directory");
  EXPECT_EQ(message_of<InputError>([&] { read_csv(folder.path()); }),
            "cannot read " + path + ": it is a folder, not a file");
}

TEST(Csv, NamesTheColumnsThereAreWhenAskedForAnother) {
  Csv csv = read("time,force\n0,1\n");
  csv.file = "log.csv";
  EXPECT_EQ(message_of<InputError>([&] { (void)csv.column("torque"); }),
            "log.csv: has no column 'torque'; it has: time, force");
}

TEST(ToCsv, WritesTwelveSignificantDigits) {
  EXPECT_EQ(to_csv({"a", "b"}, {{1.0 / 3, -1e300}, {0, 123456789012}}),
            "a,b\n0.333333333333,0\n-1e+300,123456789012\n");
  EXPECT_EQ(to_csv({"a", "b"}, {{}, {}}), "a,b\n");
}

TEST(ToCsv, IsReadBack) {
  const std::vector<std::vector<double>> columns{{0, 1e-3, 2e-3}, {-1.5, 2.25e-300, 6e23}};
  const Csv csv = read(to_csv({"time", "x"}, columns));
  EXPECT_EQ(csv.columns, columns);
}

}  // namespace
}  // namespace stiction::io
