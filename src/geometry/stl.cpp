#include <bit>
#include <cstring>

#include "binary.h"
#include "faces.h"
#include "stiction/geometry/mesh_file.h"
#include "text.h"

namespace stiction::geometry {
namespace {

constexpr std::size_t stl_header = 80;
constexpr std::size_t stl_triangle = 50;  // normal and three corners as 32-bit numbers, and two unused bytes
constexpr std::size_t max_triangles = max_index / 3;  // each has its own vertices

void add_triangle(Mesh& mesh, const std::array<Vector3, 3>& corners) {
  const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
  mesh.vertices.insert(mesh.vertices.end(), corners.begin(), corners.end());
  mesh.triangles.push_back({first, first + 1, first + 2});
}

/// solid [name] { facet normal x y z  outer loop  3 × (vertex x y z)  endloop  endfacet } endsolid [name]
Mesh parse_text_stl(std::string_view bytes, const std::string& name) {
  Mesh mesh;
  Words words(bytes, name);
  const auto expect = [&](const char* wanted) {
    const auto word = words.next();
    if (!is_keyword(word, wanted)) {
      words.fail(word.empty() ? fmt::format("the file ends where '{}' is expected", wanted)
                              : fmt::format("'{}': must be '{}'", shown(word), wanted));
    }
  };
  words.next();  // solid
  words.next_line();
  for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
    if (is_keyword(word, "endsolid") || is_keyword(word, "solid")) {  // several solids form one mesh
      words.next_line();
      continue;
    }
    if (!is_keyword(word, "facet")) {
      words.fail(fmt::format("'{}': must be 'facet' or 'endsolid'", shown(word)));
    }
    for (int i = 0; i < 4; ++i) {  // normal x y z is ignored: it follows from the corners
      words.next();
    }
    expect("outer");
    expect("loop");
    std::array<Vector3, 3> corners{};
    for (Vector3& corner : corners) {
      expect("vertex");
      for (std::size_t i = 0; i < 3; ++i) {
        corner[i] = words.number<double>(words.next(), axis_names[i]);
      }
    }
    expect("endloop");
    expect("endfacet");
    if (mesh.triangles.size() == max_triangles) {
      words.fail(fmt::format("more than {} triangles", max_triangles));
    }
    add_triangle(mesh, corners);
  }
  return mesh;
}

}  // namespace

Mesh parse_stl(std::string_view bytes, const std::string& name) {
  const bool header = bytes.size() >= stl_header + 4;
  const std::size_t count = header ? load<std::uint32_t>(bytes, stl_header, std::endian::little) : 0;
  const std::size_t wanted = stl_header + 4 + count * stl_triangle;
  Mesh mesh;
  if (!header || bytes.size() != wanted) {  // not by the first word: many binary files start with "solid"
    const bool text =
        is_keyword(Words(bytes, name).next().substr(0, 5), "solid") && bytes.find('\0') == std::string_view::npos;
    if (text) {
      mesh = parse_text_stl(bytes, name);
    } else if (!header) {
      throw MeshError(fmt::format("{}: not an STL file: {} bytes, at least 84 are needed", name, bytes.size()));
    } else {
      throw MeshError(fmt::format(
          "{}: not an STL file: read as binary its header promises {} triangles in {} bytes, it has {}; text "
          "would start with 'solid'",
          name, count, wanted, bytes.size()));
    }
  } else if (count > max_triangles) {
    throw MeshError(fmt::format("{}: {} triangles: must be at most {}", name, count, max_triangles));
  } else {
    mesh.vertices.reserve(3 * count);
    mesh.triangles.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
      std::array<Vector3, 3> corners{};
      for (std::size_t k = 0; k < 9; ++k) {
        const std::size_t at = stl_header + 4 + i * stl_triangle + 12 + 4 * k;
        corners[k / 3][k % 3] = load<float>(bytes, at, std::endian::little);
      }
      add_triangle(mesh, corners);
    }
  }
  if (mesh.triangles.empty()) {
    throw MeshError(fmt::format("{}: no triangles", name));
  }
  require_finite(mesh.vertices, name);
  return mesh;
}

std::string to_stl(const Mesh& mesh) {
  std::string bytes(stl_header, ' ');
  bytes.reserve(stl_header + 4 + mesh.triangles.size() * stl_triangle);
  store(bytes, static_cast<std::uint32_t>(mesh.triangles.size()));
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    const auto corners = mesh.corners(i);
    const Vector3 normal = area_vector(corners);
    const double length = norm(normal);
    for (const double x : normal) {
      store(bytes, static_cast<float>(length > 0 ? x / length : 0));
    }
    for (const Vector3& corner : corners) {
      for (const double x : corner) {
        store(bytes, static_cast<float>(x));
      }
    }
    store(bytes, std::uint16_t{0});
  }
  return bytes;
}

}  // namespace stiction::geometry
