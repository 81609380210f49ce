#include "stiction/io/any_scenario.h"

#include "scenario_table.h"
#include "stiction/io/file.h"

namespace stiction::io {

AnyScenario parse_any_scenario(std::string_view text, const std::string& name, const std::filesystem::path& folder) {
  const toml::table table = parse_toml(text, name);
  const bool planar = table.contains("patch") || table.contains("friction") || table.contains("contact");
  if (planar && table.contains("model")) {
    TomlSection(table, "", name)
        .fail("[model] is for bodies on a line: it cannot be combined with [patch], [friction] or [contact]");
  }
  if (planar) {
    return read_planar_scenario(table, name, folder);
  }
  if (table.contains("servo")) {
    return read_servo_scenario(table, name, folder);
  }
  return read_line_scenario(table, name, folder);
}

AnyScenario read_any_scenario(const std::filesystem::path& path) {
  return parse_any_scenario(read_text(path), path.string(), path.parent_path());
}

}  // namespace stiction::io
