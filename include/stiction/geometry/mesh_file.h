// Reads and writes mesh files: STL (text and binary), OBJ, PLY (text and binary). A file has no unit: coordinates are
// metres after multiplication by `scale`. Invalid files give a one-line MeshError with the file and the position in it.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "stiction/export.h"
#include "stiction/geometry/mesh.h"

namespace stiction::geometry {

/// The format follows from the extension: .stl, .obj or .ply. The mesh is not repaired; see mesh_check.h.
STICTION_EXPORT Mesh read_mesh(const std::filesystem::path& path, double scale = 1);

/// The same from memory; `name` is for messages. Vertices are finite and indices in range; memory is bounded by the
/// number of bytes. Polygons are triangulated; non-convex ones may have at most 1000 corners.
STICTION_EXPORT Mesh parse_stl(std::string_view bytes, const std::string& name);
STICTION_EXPORT Mesh parse_obj(std::string_view bytes, const std::string& name);
STICTION_EXPORT Mesh parse_ply(std::string_view bytes, const std::string& name);

/// Binary, with 32-bit floats, of a mesh that passes require_valid. STL repeats the corners of every triangle; PLY
/// keeps shared vertices.
STICTION_EXPORT std::string to_stl(const Mesh& mesh);
STICTION_EXPORT std::string to_ply(const Mesh& mesh);
/// As .stl or .ply, to a temporary file beside `path` that is then renamed. Throws MeshError as require_valid does.
STICTION_EXPORT void write_mesh(const std::filesystem::path& path, const Mesh& mesh);

}  // namespace stiction::geometry
