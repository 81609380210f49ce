// Texts on which the TOML library by itself would crash, hang or leave defined behaviour.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

#include "io/temp_folder.h"
#include "stiction/io/file.h"
#include "stiction/io/model_file.h"

namespace stiction::io::toml_text_test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string complaint_about(const std::string& text) {
  return test::message_of<InputError>([&] { parse_model_file(text, "m.toml"); });
}

std::string repeated(const std::string& text, int count) {
  std::string result;
  for (int i = 0; i < count; ++i) {
    result += text;
  }
  return result;
}

const std::string good = "[model]\nname = \"coulomb\"\ncoulomb_force = 1\n";

TEST(TomlText, MayHoldAnyCharacterInQuotesAndComments) {
  EXPECT_NO_THROW(
      parse_model_file("\xEF\xBB\xBF# µ é \xE2\x80\xA8\ntitle = \"Prüfstand µ\"  # \xC2\xA0\n" + good, "m.toml"));
  EXPECT_NO_THROW(parse_model_file("title = '''two\nlines'''\nother = \"\"\"a\"b\"\"c\"\"\"\"\"\n" + good, "m.toml"));
}

TEST(TomlText, IsAsciiOutsideOfThem) {
  for (const char* text : {"mass = \xC3\xA9", "\xC2\xB5 = 1", "mass = 1\xC2\xA0", "[\xCE\xBC]", "x = 2'\"\xC3\xA9",
                           "x = 0['\xC3\xA9", "x = 0{'\xC3\xA9", "x = 0='\xC3\xA9", "x = [0='\xC3\xA9",
                           "a.'\xC3\xA9' = 1", "x = \"\"\"\\\xC3\xA9\"\"\"", "x = \"\"\"\\\n \xC3\xA9\"\"\""}) {
    EXPECT_THAT(complaint_about(good + text + "\n"), HasSubstr("not valid TOML: ")) << text;
  }
  EXPECT_THAT(complaint_about("mass = \"é\" + µ"), StartsWith("m.toml:1:14: not valid TOML: byte 0xc2"));
}

TEST(TomlText, NamesItsTables) {
  for (const char* text :
       {"[[[", "[", "[]", "[[]]", "[ ]", "[=", "[.a]", "[[.", "[#", "[\n]", "[,]", "x = [}", "x = {]", "]", "x = ]"}) {
    EXPECT_THAT(complaint_about(text), HasSubstr("not valid TOML: ")) << text;
    EXPECT_THAT(complaint_about(text), Not(HasSubstr("\n"))) << text;
  }
}

TEST(TomlText, HasNoDates) {
  for (const char* text :
       {"x = 2020-01-01", "x = [2020-01-01 5, 1]", "x = 2020_-01-01 5]", "x = 2020-01-01T00:00:00Z"}) {
    EXPECT_THAT(complaint_about(text), HasSubstr("dates are not used")) << text;
  }
  EXPECT_NO_THROW(parse_model_file("x = 10:00:00\n" + good, "m.toml"));  // a time alone does no harm
}

TEST(TomlText, IsNestedToALimit) {
  EXPECT_THAT(complaint_about("x = " + repeated("[", 100'000)), HasSubstr("nested more than 32 deep"));
  EXPECT_THAT(complaint_about("x = " + repeated("{a = ", 100'000)), HasSubstr("nested more than 32 deep"));
  for (const char* start : {"", "[", "[["}) {
    EXPECT_THAT(complaint_about(start + repeated("a.", 1'000'000) + "a = 1"),
                HasSubstr("a key has more than 16 parts"));
    EXPECT_THAT(complaint_about(start + repeated("a . ", 1'000'000) + "a = 1"),
                HasSubstr("a key has more than 16 parts"));
  }
}

TEST(TomlText, IsReadInBoundedTime) {
  std::string keys, tables;
  for (int i = 0; i < 200'000; ++i) {
    keys += "k" + std::to_string(i) + ".a = 1\nk" + std::to_string(i) + ".b = 1\n";
    tables += "[[t" + std::to_string(i) + "]]\n[[t" + std::to_string(i) + "]]\n";
  }
  const auto start = std::chrono::steady_clock::now();
  EXPECT_THAT(complaint_about(keys), HasSubstr("has more than 20000 keys and tables"));
  EXPECT_THAT(complaint_about(tables), HasSubstr("has more than 20000 keys and tables"));
  EXPECT_THAT(complaint_about(keys.substr(0, 300'000)), HasSubstr("m.toml"));
  EXPECT_THAT(complaint_about(std::string(20 << 20, ' ')), HasSubstr("must have at most 16777216"));
  EXPECT_THAT(complaint_about("x = a" + repeated("-", 1'000'000)), HasSubstr("not valid TOML"));
  const std::string long_key = complaint_about(good + repeated("k", 10'000'000) + " = 1\n");
  EXPECT_THAT(long_key, StartsWith("m.toml:4:1: unknown key 'model." + repeated("k", 40) + "...' (1)"));
  EXPECT_LT(long_key.size(), 200U);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
}

TEST(TomlText, ShowsEveryKindOfValueInItsComplaints) {
  const auto shown = [](const std::string& value) {
    const std::string complaint =
        complaint_about("[model]\nname = \"coulomb\"\ncoulomb_force = 1\nx = " + value + "\n");
    const auto from = complaint.find('(') + 1;
    return complaint.substr(from, complaint.rfind(')') - from);
  };
  EXPECT_EQ(shown("-9223372036854775808"), "-9223372036854775808");
  EXPECT_EQ(shown("[-9223372036854775808]"), "[ -9223372036854775808 ]");
  EXPECT_EQ(shown("[1e-300, -inf, nan, 0.0]"), "[ 1e-300, -inf, nan, 0 ]");
  EXPECT_EQ(shown("[]"), "[]");
  EXPECT_EQ(shown("{}"), "{}");
  EXPECT_EQ(shown("{a = 1, b = {c = true}}"), "{ a = 1, b = { c = true } }");
  EXPECT_EQ(shown("\"a\\nb\""), "'a b'");
  EXPECT_EQ(shown("10:00:00"), "a time");
  EXPECT_EQ(shown("[" + repeated("[1, 2, 3], ", 10'000) + "]"), "[ [ 1, 2, 3 ], [ 1, 2, 3 ], [ 1, 2, 3 ],...");
}

}  // namespace
}  // namespace stiction::io::toml_text_test
