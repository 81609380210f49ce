// Points on the surface of a solid with their normals, nested in levels, in a tree of spheres.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "stiction/geometry/distance_field.h"
#include "stiction/geometry/mesh.h"

namespace stiction::geometry {

struct ShellParams {
  double points = 8000;    // exactly as many, 1 to 1 000 000
  double levels = 8;       // 1 to 20
  std::uint64_t seed = 1;  // another seed, another shell
};

struct ShellPoint {
  Vec3 position;  // [m], on the mesh
  Vec3 normal;    // unit, outwards
};

/// A node of the tree: the points of one piece of surface, and a sphere around them.
struct ShellNode {
  Vec3 centre{};
  double radius = 0;              // [m]
  std::uint32_t first_child = 0;  // children are neighbours in the list of nodes, behind their parent
  std::uint32_t child_count = 0;  // 0 at the bottom
  std::uint32_t first_point = 0;  // its points are neighbours in the list of points
  std::uint32_t point_count = 0;
};

/// The shell as plain data, for the cache.
struct ShellData {
  std::vector<ShellPoint> points;    // in the order of the tree
  std::vector<std::uint32_t> level;  // of each point: the coarsest that has it
  std::vector<ShellNode> nodes;      // the root first; each level below it, one after the other
  std::vector<double> spacing;       // [m] of each level, coarse to fine: see `PointShell::spacing`
};

/// Level l has all points of the levels before it, so that a coarse level is a thinned copy of the whole surface. Each
/// point was the one farthest from all points before it (among some 20 candidates for each point of the finest level).
/// So in every level no two points are nearer than its spacing, and no place on the surface is farther than that from
/// one. Points whose normals differ by 90° or more do not count as near: both sides of a sheet have their own.
///
/// A node of the tree stands for a point of one level and has as children the points of the next one that are nearest
/// to it. A piece of surface can be skipped where nothing is within `radius` of `centre`.
class PointShell {
 public:
  /// Throws InvalidParameter; MeshError for a mesh without area.
  static PointShell make(const Mesh& mesh, const ShellParams& params = {}, const Progress& progress = {});

  /// From data that was made by the above; throws MeshError where it cannot have been.
  explicit PointShell(ShellData data);

  [[nodiscard]] std::span<const ShellPoint> points() const noexcept { return data_.points; }
  [[nodiscard]] std::span<const ShellNode> nodes() const noexcept { return data_.nodes; }
  [[nodiscard]] std::size_t levels() const noexcept { return data_.spacing.size(); }
  /// The level in which a point comes first; 0 is the coarsest.
  [[nodiscard]] std::size_t level_of(std::size_t point) const noexcept { return data_.level[point]; }
  [[nodiscard]] std::size_t points_in_level(std::size_t level) const noexcept;
  [[nodiscard]] double spacing(std::size_t level) const noexcept { return data_.spacing[level]; }  // [m]
  [[nodiscard]] const ShellData& data() const noexcept { return data_; }
  [[nodiscard]] std::size_t bytes() const noexcept;

 private:
  ShellData data_;
};

}  // namespace stiction::geometry
