// Meshes from and to files: STL (text and binary), OBJ, PLY (text and binary). A file has no unit: coordinates are
// taken as metres times `scale`. What cannot be used is a MeshError of one line with the file and the place in it.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "stiction/geometry/mesh.h"

namespace stiction::geometry {

/// By the ending of the name: .stl, .obj or .ply. The mesh is as the file has it; see mesh_check.h.
Mesh read_mesh(const std::filesystem::path& path, double scale = 1);

/// The same from memory; `name` is for messages. Vertices are finite and indices in range; memory is bounded by the
/// number of bytes. Polygons are cut into triangles; those that are not convex may have at most 1000 corners.
Mesh parse_stl(std::string_view bytes, const std::string& name);
Mesh parse_obj(std::string_view bytes, const std::string& name);
Mesh parse_ply(std::string_view bytes, const std::string& name);

/// Binary, 32-bit numbers, of a mesh that require_valid takes. STL repeats the corners of every triangle; PLY keeps the
/// vertices.
std::string to_stl(const Mesh& mesh);
std::string to_ply(const Mesh& mesh);
/// As .stl or .ply, beside `path` first and then renamed. Throws MeshError as require_valid does.
void write_mesh(const std::filesystem::path& path, const Mesh& mesh);

}  // namespace stiction::geometry
