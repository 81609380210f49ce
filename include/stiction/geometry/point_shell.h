// Points on the surface of a solid with their normals, in nested levels of detail and a bounding-sphere tree.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "stiction/export.h"
#include "stiction/geometry/distance_field.h"
#include "stiction/geometry/mesh.h"

namespace stiction::geometry {

struct ShellParams {
  int points = 8000;       // exact number, 1 to 1 000 000
  int levels = 8;          // 1 to 20
  std::uint64_t seed = 1;  // of the random candidates
};

struct ShellPoint {
  Vector3 position;  // [m], on the mesh
  Vector3 normal;    // unit, outwards
};

/// A node of the tree: the points of a surface patch, and their bounding sphere.
struct ShellNode {
  Vector3 centre{};
  double radius = 0;              // [m]
  std::uint32_t first_child = 0;  // children are contiguous in the list of nodes, after their parent
  std::uint32_t child_count = 0;  // 0 for a leaf
  std::uint32_t first_point = 0;  // its points are contiguous in the list of points
  std::uint32_t point_count = 0;
};

/// The shell as plain data, for the cache.
struct ShellData {
  std::vector<ShellPoint> points;    // in the order of the tree
  std::vector<std::uint32_t> level;  // of each point: the coarsest that contains it
  std::vector<ShellNode> nodes;      // the root first, then level by level
  std::vector<double> spacing;       // [m] of each level, coarse to fine: see `PointShell::spacing`
};

/// Level l contains all points of the coarser levels, so that a coarse level is a subsample of the whole surface.
/// Farthest-point sampling: each point is the one farthest from all earlier points (among some 20 candidates for each
/// point of the finest level). So in every level no two points are closer than its spacing, and no point of the surface
/// is farther than that from one of them. Points whose normals differ by 90° or more do not count as close: both sides
/// of a sheet have their own.
///
/// A node of the tree represents a point of one level; its children are the points of the next level that are nearest
/// to it. A surface patch can be skipped if nothing is within `radius` of `centre`.
class STICTION_EXPORT PointShell {
 public:
  /// Throws InvalidParameter; MeshError for a mesh without area.
  static PointShell make(const Mesh& mesh, const ShellParams& params = {}, const Progress& progress = {});

  /// From data that was made by the above; throws MeshError if it cannot have been.
  explicit PointShell(ShellData data);

  [[nodiscard]] std::span<const ShellPoint> points() const noexcept { return data_.points; }
  [[nodiscard]] std::span<const ShellNode> nodes() const noexcept { return data_.nodes; }
  [[nodiscard]] std::size_t levels() const noexcept { return data_.spacing.size(); }
  /// The coarsest level that contains a point; 0 is the coarsest of all.
  [[nodiscard]] std::size_t level_of(std::size_t point) const noexcept { return data_.level[point]; }
  [[nodiscard]] std::size_t points_in_level(std::size_t level) const noexcept;
  [[nodiscard]] double spacing(std::size_t level) const noexcept { return data_.spacing[level]; }  // [m]
  [[nodiscard]] const ShellData& data() const noexcept { return data_; }
  [[nodiscard]] std::size_t bytes() const noexcept;

 private:
  ShellData data_;
};

}  // namespace stiction::geometry
