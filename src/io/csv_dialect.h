// What the first lines of a text file of columns say about the rest.
#pragma once

#include <string>
#include <vector>

#include "csv_cells.h"

namespace stiction::io::cells {

struct Layout {
  Dialect dialect;
  bool decimal_is_sure = false;         // a number with decimals was among the first rows
  std::size_t width = 0;                // cells of a row
  std::size_t min_width = 0;            // without those at the end that are empty in all first rows
  long first_row = 0;                   // line number of the first row of numbers
  std::vector<std::string> names = {};  // `width` of them
  std::vector<std::string> units = {};  // `width` of them, or none
  std::vector<bool> text = {};          // columns that have words in place of numbers
  std::string header = {};              // where names and units were found, for messages
};

/// `lines`: the first lines of the file, comments and empty ones included. `file`: for messages. Throws InputError.
Layout layout_of(const std::vector<Line>& lines, const std::string& file);

/// Whether this is how a unit is written, with or without brackets.
bool is_unit(std::string_view text);

}  // namespace stiction::io::cells
