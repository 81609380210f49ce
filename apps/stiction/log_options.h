// How a log is read, from the options of `identify` and `inspect`.
#pragma once

#include <fmt/format.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "stiction/io/file.h"
#include "stiction/io/log_file.h"

namespace stiction::cli {

/// "torque=tau" as a map; throws InputError.
inline std::map<std::string, std::string> by_quantity(const std::vector<std::string>& list, const char* option) {
  std::map<std::string, std::string> result;
  for (const std::string& text : list) {
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
      throw io::InputError(fmt::format("{} '{}': must be quantity=name, e.g. {}", option, text,
                                       std::string(option) == "--unit" ? "position=deg" : "torque=tau"));
    }
    result[text.substr(0, equals)] = text.substr(equals + 1);
  }
  return result;
}

/// Of IdentifyArguments and InspectArguments.
template <class Arguments>
io::LogOptions log_options(const Arguments& arguments) {
  io::LogOptions options;
  options.columns = by_quantity(arguments.columns, "--column");
  options.units = by_quantity(arguments.units, "--unit");
  options.torque_constant = arguments.torque_constant;
  return options;
}

}  // namespace stiction::cli
