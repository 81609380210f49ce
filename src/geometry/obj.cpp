#include <tiny_obj_loader.h>

#include <sstream>

#include "stiction/geometry/mesh_file.h"
#include "text.h"

namespace stiction::geometry {
namespace {

/// tinyobjloader reads a number it does not understand as 0 and drops faces it cannot use, so both are looked at first.
/// Gives the number of vertices.
std::size_t check_obj(std::string_view bytes, const std::string& name) {
  std::size_t vertices = 0;
  for (Words words(bytes, name);;) {
    if (words.next_in_line() == "v") {
      ++vertices;
      for (const char* axis : {"x", "y", "z"}) {
        words.number<double>(words.next_in_line(), axis);
      }
    }
    if (!words.next_line()) {
      break;
    }
  }
  std::size_t seen = 0;  // a negative index counts back from here
  bool faces = false;
  for (Words words(bytes, name);;) {
    const std::string_view keyword = words.next_in_line();
    seen += keyword == "v" ? 1 : 0;
    if (keyword == "f") {
      faces = true;
      std::size_t corners = 0;
      for (auto word = words.next_in_line(); !word.empty(); word = words.next_in_line(), ++corners) {
        const auto index = words.number<long long>(word.substr(0, word.find('/')), "vertex");
        const long long place = index < 0 ? static_cast<long long>(seen) + index : index - 1;
        if (place < 0 || place >= static_cast<long long>(vertices)) {
          words.fail(fmt::format("vertex = {}: must be from 1 to {}, or count back from -1", index, vertices));
        }
      }
      if (corners < 3) {
        words.fail(fmt::format("a face with {} corners: must be 3 or more", corners));
      }
    }
    if (!words.next_line()) {
      break;
    }
  }
  if (!faces) {
    throw MeshError(fmt::format("{}: no faces", name));
  }
  return vertices;
}

}  // namespace

Mesh parse_obj(std::string_view bytes, const std::string& name) {
  const std::size_t vertices = check_obj(bytes, name);
  std::istringstream stream{std::string(bytes)};
  tinyobj::attrib_t attributes;
  std::vector<tinyobj::shape_t> shapes;
  std::vector<tinyobj::material_t> materials;
  std::string warning;  // of materials, which do not matter here
  std::string error;
  if (!tinyobj::LoadObj(&attributes, &shapes, &materials, &warning, &error, &stream, nullptr, true)) {
    throw MeshError(fmt::format("{}: {}", name, error.substr(0, error.find('\n'))));
  }
  Mesh mesh;
  mesh.vertices.resize(vertices);
  for (std::size_t i = 0; i < vertices; ++i) {
    mesh.vertices[i] = {attributes.vertices[3 * i], attributes.vertices[3 * i + 1], attributes.vertices[3 * i + 2]};
  }
  for (const tinyobj::shape_t& shape : shapes) {
    for (std::size_t i = 0; i + 2 < shape.mesh.indices.size(); i += 3) {
      Triangle triangle{};
      for (std::size_t k = 0; k < 3; ++k) {
        triangle[k] = static_cast<std::uint32_t>(shape.mesh.indices[i + k].vertex_index);
        if (triangle[k] >= vertices) {
          throw MeshError(fmt::format("{}: a face uses vertex {} of {}", name, triangle[k] + 1, vertices));
        }
      }
      mesh.triangles.push_back(triangle);
    }
  }
  return mesh;
}

}  // namespace stiction::geometry
