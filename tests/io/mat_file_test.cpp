// MATLAB's files, as libmatio writes them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "io/temp_folder.h"
#include "stiction/io/file.h"
#include "stiction/io/log_file.h"
#include "stiction/io/log_table.h"

#ifdef STICTION_MATIO
#include <matio.h>
#endif

namespace stiction::io::mat_file {
namespace {

using test::message_of;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(MatFile, IsRefusedWhereItCannotBeRead) {
  const test::TempFolder folder;
  std::string text(128, ' ');
  text.replace(0, 20, "MATLAB 5.0 MAT-file,");
  text.replace(124, 4, std::string("\x00\x01IM", 4));
  const auto file = folder.write("log.mat", text + "no variable");
  EXPECT_THAT(message_of<InputError>([&] { (void)read_log_table(file); }), HasSubstr("log.mat"));
}

#ifdef STICTION_MATIO

matvar_t* vector(const char* name, std::vector<double>& values, bool row = false) {
  std::array<std::size_t, 2> size{values.size(), 1};
  if (row) {
    std::swap(size[0], size[1]);
  }
  return Mat_VarCreate(name, MAT_C_DOUBLE, MAT_T_DOUBLE, 2, size.data(), values.data(), 0);
}

/// A file with these variables, which are given away.
void write(const std::filesystem::path& path, mat_ft level, matio_compression compression,
           const std::vector<matvar_t*>& variables) {
  mat_t* file = Mat_CreateVer(path.c_str(), nullptr, level);
  ASSERT_NE(file, nullptr);
  for (matvar_t* variable : variables) {
    ASSERT_EQ(Mat_VarWrite(file, variable, compression), 0);
    Mat_VarFree(variable);
  }
  Mat_Close(file);
}

struct Level {
  mat_ft level;
  matio_compression compression;
};
class MatLevel : public ::testing::TestWithParam<Level> {
 protected:
  std::vector<double> t_{0, 1, 2}, q_{1, std::nan(""), -3}, tau_{4, 5, 6e-9}, gains_{7, 8};
  test::TempFolder folder_;
  std::filesystem::path file_ = folder_ / "log.mat";
};

TEST_P(MatLevel, GivesVectorsOfOneLength) {
  write(file_, GetParam().level, GetParam().compression,
        {vector("time", t_), vector("q", q_, true), vector("gains", gains_), vector("tau", tau_)});
  const LogTable table = read_log_table(file_);
  EXPECT_THAT(table.csv.names, ::testing::UnorderedElementsAre("time", "q", "tau"));
  EXPECT_THAT(table.csv.column("time"), ElementsAre(0, 1, 2));
  EXPECT_THAT(table.csv.column("tau"), ElementsAre(4, 5, 6e-9));
  EXPECT_EQ(table.csv.column("q")[0], 1);
  EXPECT_TRUE(std::isnan(table.csv.column("q")[1]));
  EXPECT_THAT(table.notes, Contains(HasSubstr("not used: gains")));
}

TEST_P(MatLevel, GivesTheFieldsOfAStructureAndTheColumnsOfAMatrix) {
  std::array<const char*, 2> fields{"time", "q"};
  std::array<std::size_t, 2> one{1, 1};
  std::array<std::size_t, 2> size{3, 2};
  std::vector<double> joints{1, 2, 3, 4, 5, 6};
  matvar_t* log = Mat_VarCreateStruct("log", 2, one.data(), fields.data(), 2);
  Mat_VarSetStructFieldByName(log, "time", 0, vector("time", t_));
  Mat_VarSetStructFieldByName(log, "q", 0,
                              Mat_VarCreate("q", MAT_C_DOUBLE, MAT_T_DOUBLE, 2, size.data(), joints.data(), 0));
  write(file_, GetParam().level, GetParam().compression, {log});
  const LogTable table = read_log_table(file_);
  EXPECT_THAT(table.csv.names, ElementsAre("time", "q_1", "q_2"));
  EXPECT_THAT(table.csv.columns, ElementsAre(ElementsAre(0, 1, 2), ElementsAre(1, 2, 3), ElementsAre(4, 5, 6)));
}

TEST_P(MatLevel, SaysWhereThereAreNoVectors) {
  double number = 3;
  std::array<std::size_t, 2> one{1, 1};
  write(file_, GetParam().level, GetParam().compression,
        {Mat_VarCreate("n", MAT_C_DOUBLE, MAT_T_DOUBLE, 2, one.data(), &number, 0)});
  EXPECT_THAT(message_of<InputError>([&] { (void)read_log_table(file_); }), HasSubstr("has no vectors of numbers"));
}

INSTANTIATE_TEST_SUITE_P(, MatLevel,
                         ::testing::Values(Level{MAT_FT_MAT5, MAT_COMPRESSION_NONE},
                                           Level{MAT_FT_MAT5, MAT_COMPRESSION_ZLIB},
                                           Level{MAT_FT_MAT73, MAT_COMPRESSION_NONE}));

#endif

}  // namespace
}  // namespace stiction::io::mat_file
