#include "faces.h"
#include "stiction/geometry/mesh_file.h"
#include "text.h"

namespace stiction::geometry {
namespace {

/// v x y z …, in the order of the file. Faces may stand before the vertices that they use, so these come first.
std::vector<Vector3> read_vertices(std::string_view bytes, const std::string& name) {
  std::vector<Vector3> vertices;
  Words words(bytes, name);
  do {
    if (words.next_in_line() == "v") {
      Vector3 vertex{};
      for (std::size_t i = 0; i < 3; ++i) {
        vertex[i] = words.number<double>(words.next_in_line(), axis_names[i]);
      }
      vertices.push_back(vertex);
    }
  } while (words.next_line());
  return vertices;
}

}  // namespace

Mesh parse_obj(std::string_view bytes, const std::string& name) {
  Mesh mesh{.vertices = read_vertices(bytes, name), .triangles = {}};
  const auto vertices = static_cast<long long>(mesh.vertices.size());
  Faces faces;
  long long vertices_so_far = 0;  // a negative index counts back from this
  Words words(bytes, name);
  do {
    const std::string_view keyword = words.next_in_line();
    vertices_so_far += keyword == "v" ? 1 : 0;
    if (keyword != "f") {
      continue;
    }
    // vertex, vertex/texture, vertex//normal or vertex/texture/normal
    for (auto word = words.next_in_line(); !word.empty() && word[0] != '#'; word = words.next_in_line()) {
      const auto index = words.number<long long>(word.substr(0, word.find('/')), "vertex");
      const long long place = index < 0 ? vertices_so_far + index : index - 1;
      if (place < 0 || place >= vertices || place > max_index) {
        words.fail(fmt::format("vertex = {}: must be from 1 to {}, or count back from -1", index, vertices));
      }
      faces.add_corner(static_cast<std::uint32_t>(place));
    }
    if (const std::size_t corners = faces.end_face(); corners < 3) {
      words.fail(fmt::format("a face with {} corners: must be 3 or more", corners));
    }
  } while (words.next_line());
  if (faces.empty()) {
    throw MeshError(fmt::format("{}: no faces", name));
  }
  mesh.triangles = faces.triangles(mesh.vertices, name);
  return mesh;
}

}  // namespace stiction::geometry
