// Messages of the commands besides their results.
#pragma once

#include <cstdio>
#include <string>

#include "stiction/io/file.h"
#include "terminal.h"

namespace stiction::cli {

using io::one_line;

/// One line on standard error. Where that is closed or full the line is lost, and nothing else.
inline void complain(const std::string& message) {
  const std::string line = coloured("stiction:", Colour::red, stderr) + " " + one_line(message) + "\n";
  std::fwrite(line.data(), 1, line.size(), stderr);
}

}  // namespace stiction::cli
