// Faces of a file, with any number of corners, on their way to triangles.
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
  /// The corners since the last call are a face; their number.
  std::size_t end_face();
  [[nodiscard]] bool empty() const { return ends_.empty(); }

  /// Cuts all of them into triangles: a fan where the whole face can be seen from its first corner, else ear by ear.
  /// Throws MeshError for a corner that is no vertex, and for a face of more than 1000 corners that is no fan.
  [[nodiscard]] std::vector<Triangle> triangles(const std::vector<Vector3>& vertices, const std::string& name) const;

 private:
  std::vector<std::uint32_t> corners_;
  std::vector<std::size_t> ends_;
};

/// Throws MeshError where a number is not finite.
void require_finite(const std::vector<Vector3>& vertices, const std::string& name);

}  // namespace stiction::geometry
