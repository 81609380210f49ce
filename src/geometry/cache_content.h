// What stands in a file of the cache behind its header, whose checksum is for accidents: the content may be anything.
#pragma once

#include <string_view>

#include "stiction/geometry/distance_field.h"
#include "stiction/geometry/point_shell.h"

namespace stiction::geometry {

/// Plain data, not yet checked: the constructors of DistanceField and PointShell do that. Throws MeshError where the
/// lengths do not fit.
FieldData parse_field_content(std::string_view content);
ShellData parse_shell_content(std::string_view content);

}  // namespace stiction::geometry
