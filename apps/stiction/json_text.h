// JSON as it is printed and written.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace stiction::cli {

/// Bytes that are no UTF-8, e.g. in the name of a file or a column, become the replacement character.
inline std::string json_text(const nlohmann::ordered_json& json) {
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}
inline std::string json_text(const nlohmann::json& json) {
  return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace stiction::cli
