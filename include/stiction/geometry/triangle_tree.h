// The exact distance from a point to a mesh.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "stiction/export.h"
#include "stiction/geometry/mesh.h"

namespace stiction::geometry {

/// A bounding-box hierarchy of the triangles of a mesh, which it copies.
class STICTION_EXPORT TriangleTree {
 public:
  /// Throws MeshError as require_valid does.
  explicit TriangleTree(const Mesh& mesh);

  static constexpr std::uint32_t none = 0xffffffff;
  struct Closest {
    double distance;  // [m], unsigned
    Vector3 point;    // on the mesh
    std::uint32_t triangle = none;
  };
  /// The point on the mesh nearest to p. If nothing is closer than `within`, the distance is `within` and the triangle
  /// `none`. With `slack` the result may be farther than the nearest by this fraction, but is found faster. No
  /// allocation. If p is NaN, so are distance and point.
  [[nodiscard]] Closest closest(const Vector3& p, double within = std::numeric_limits<double>::infinity(),
                                double slack = 0) const noexcept;

  /// The triangles whose boxes are within `radius` of p, as indices for `corners`; at most `max_count` + 1 of them.
  void near(const Vector3& p, double radius, std::size_t max_count, std::vector<std::uint32_t>& found) const;
  /// The triangles, by their indices in the mesh, whose boxes intersect the ray from p. No component of the direction
  /// may be zero.
  void along(const Vector3& p, const Vector3& direction, std::vector<std::uint32_t>& found) const;
  [[nodiscard]] const std::array<Vector3, 3>& corners(std::uint32_t index) const noexcept { return corners_[index]; }

 private:
  struct Node {
    Box box;
    std::uint32_t first = 0;  // first triangle; inner node: second child, the first child is the next node
    std::uint32_t count = 0;  // 0: an inner node
  };
  void split(std::size_t from, std::size_t to, const Mesh& mesh, std::vector<std::uint32_t>& order);

  std::vector<Node> nodes_;
  std::vector<std::array<Vector3, 3>> corners_;  // in the order of the leaves
  std::vector<std::uint32_t> triangles_;
};

}  // namespace stiction::geometry
