#include "stiction/geometry/mesh_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "../disk.h"
#include "faces.h"
#include "stiction/problem.h"

namespace stiction::geometry {
namespace {

std::string ending(const std::filesystem::path& path) {
  std::string text = path.extension().string();
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

}  // namespace

Mesh read_mesh(const std::filesystem::path& path, double scale) {
  if (!positive.holds(scale)) {
    throw InvalidParameter(Problem{"scale", scale, positive.text});
  }
  const std::string kind = ending(path);
  const auto parse = kind == ".stl" ? parse_stl : kind == ".obj" ? parse_obj : kind == ".ply" ? parse_ply : nullptr;
  if (parse == nullptr) {
    throw MeshError(fmt::format("{}: must end with .stl, .obj or .ply", path.string()));
  }
  Mesh mesh = parse(disk::read<std::runtime_error>(path), path.string());
  for (Vector3& vertex : mesh.vertices) {
    vertex = scaled(scale, vertex);
  }
  require_finite(mesh.vertices, path.string());
  return mesh;
}

void write_mesh(const std::filesystem::path& path, const Mesh& mesh) {
  const std::string kind = ending(path);
  if (kind != ".stl" && kind != ".ply") {
    throw MeshError(fmt::format("{}: must end with .stl or .ply", path.string()));
  }
  require_valid(mesh, path.string());
  const std::string bytes = kind == ".stl" ? to_stl(mesh) : to_ply(mesh);
  const std::string_view piece = bytes;
  disk::write<std::runtime_error>(path, {&piece, 1});
}

}  // namespace stiction::geometry
