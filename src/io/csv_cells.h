// Lines, cells and numbers of a text file of columns.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace stiction::io::cells {

/// How cells are separated, and where their decimals begin. A blank as separator stands for a run of blanks and tabs.
struct Dialect {
  char separator = ',';
  char decimal = '.';
};

struct Line {
  long number = 0;  // from 1
  std::string_view text;
};

enum class Kind { number, missing, text };
struct Cell {
  Kind kind = Kind::text;
  double value = 0;
};

/// The cells of a line, without the blanks and the quotes around them.
void split(std::string_view line, char separator, std::vector<std::string_view>& cells);

/// A finite number, a clock time in seconds, a way to write that there is none, or something else.
Cell read(std::string_view text, char decimal);

/// A text without blanks, tabs and carriage returns around it.
std::string_view trimmed(std::string_view text);

/// The text behind #, % or //; none where the line is no comment.
std::optional<std::string_view> comment(std::string_view line);

/// At most 40 characters of something a user wrote, safe to print on one line.
std::string shown(std::string_view text);

/// Takes the first line off a text; `end` is what ends a line.
Line next_line(std::string_view& rest, long& number, char end);

}  // namespace stiction::io::cells
