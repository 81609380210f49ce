// The content of a cache file after its header. The checksum only detects accidents: the content may be anything.
#pragma once

#include <string_view>

#include "stiction/geometry/distance_field.h"
#include "stiction/geometry/point_shell.h"

namespace stiction::geometry {

/// Plain data, not yet checked: the constructors of DistanceField and PointShell do that. Throws MeshError if the
/// lengths are inconsistent.
FieldData parse_field_content(std::string_view content);
ShellData parse_shell_content(std::string_view content);

}  // namespace stiction::geometry
