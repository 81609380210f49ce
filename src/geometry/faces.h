// Triangulates the faces of a file, which may have any number of corners.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "stiction/geometry/mesh.h"

namespace stiction::geometry {

class Faces {
 public:
  void add_corner(std::uint32_t vertex) { corners_.push_back(vertex); }
  /// Ends a face: the corners since the last call. Returns their number.
  std::size_t end_face();
  [[nodiscard]] bool empty() const { return ends_.empty(); }

  /// Triangulates all faces: as a fan where the whole face is visible from its first corner, else by ear clipping.
  /// Throws MeshError for a corner that is not a vertex, and for a face of more than 1000 corners that is not a fan.
  [[nodiscard]] std::vector<Triangle> triangles(const std::vector<Vector3>& vertices, const std::string& name) const;

 private:
  std::vector<std::uint32_t> corners_;
  std::vector<std::size_t> ends_;
};

/// Throws MeshError if a number is not finite.
void require_finite(const std::vector<Vector3>& vertices, const std::string& name);

}  // namespace stiction::geometry
