// The exact distance from a point to a mesh.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "stiction/geometry/mesh.h"

namespace stiction::geometry {

/// Boxes in boxes around the triangles of a mesh, which it copies.
class TriangleTree {
 public:
  /// Throws MeshError as require_valid does.
  explicit TriangleTree(const Mesh& mesh);

  static constexpr std::uint32_t none = 0xffffffff;
  struct Closest {
    double distance;  // [m], without sign
    Vec3 point;       // of the mesh
    std::uint32_t triangle = none;
  };
  /// The point of the mesh nearest to p. Where nothing is nearer than `within`, the distance is that and the triangle
  /// `none`. With a slack, one that is up to that share farther away than the nearest, found sooner. No allocation.
  /// Where p is NaN, so are distance and point.
  [[nodiscard]] Closest closest(const Vec3& p, double within = std::numeric_limits<double>::infinity(),
                                double slack = 0) const noexcept;

  /// The triangles whose boxes reach within `radius` of p, by their places in `corners`, at most `most` and one more.
  void near(const Vec3& p, double radius, std::size_t most, std::vector<std::uint32_t>& found) const;
  /// The triangles, by their numbers in the mesh, whose boxes meet the ray from p along a direction without zeros.
  void along(const Vec3& p, const Vec3& direction, std::vector<std::uint32_t>& found) const;
  [[nodiscard]] const std::array<Vec3, 3>& corners(std::uint32_t place) const noexcept { return corners_[place]; }

 private:
  struct Node {
    Box box;
    std::uint32_t first = 0;  // of its triangles; of an inner node: its second child, the first one comes next
    std::uint32_t count = 0;  // 0: an inner node
  };
  void split(std::size_t from, std::size_t to, const Mesh& mesh, std::vector<std::uint32_t>& order);

  std::vector<Node> nodes_;
  std::vector<std::array<Vec3, 3>> corners_;  // in the order of the leaves
  std::vector<std::uint32_t> triangles_;
};

}  // namespace stiction::geometry
