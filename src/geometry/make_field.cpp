#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "stiction/geometry/distance_field.h"
#include "stiction/geometry/mesh_check.h"
#include "stiction/geometry/triangle_tree.h"
#include "stiction/problem.h"
#include "triangle_distances.h"
#include "triangle_math.h"
#include "winding.h"

namespace stiction::geometry {
namespace {

constexpr std::size_t side = FieldData::side;
constexpr Range resolutions{32, 1024, true, true, "from 32 to 1024"};
// A point in the band has a node of its cell within √3/2 cells, and all of them within √3.
constexpr double nearest_node = 0.8661;
constexpr double farthest_node = 1.7321;

constexpr double far_slack = 0.1;  // relative slack of the bounds far from the surface

/// The grid around a solid, with a margin of a band and one cell on every side.
FieldData empty_grid(const Box& solid, const FieldParams& params) {
  if (!resolutions.holds(params.resolution)) {
    throw InvalidParameter(Problem{"resolution", params.resolution, resolutions.text});
  }
  if (!(params.band >= 1 && params.band <= params.resolution / 16)) {
    throw InvalidParameter(Problem{"band", params.band, "from 1 to resolution/16"});
  }
  if (!is_box(solid)) {
    throw MeshError("cannot make a distance field: the box around the solid must be finite");
  }
  constexpr double min_size = 1e-12;  // [m]: values are 32-bit numbers
  if (const double size = solid.longest_side(); !(size >= min_size)) {
    throw MeshError(
        fmt::format("cannot make a distance field of a solid of {:g} m: must be at least {:g} m", size, min_size));
  }
  const double padding = std::ceil(params.band) + 1;
  FieldData data;
  data.solid = solid;
  data.spacing = solid.longest_side() / (params.resolution - 2 * padding);
  data.band = params.band * data.spacing;
  for (std::size_t i = 0; i < 3; ++i) {
    data.origin[i] = solid.low[i] - padding * data.spacing;
    const double cells = std::ceil(solid.size()[i] / data.spacing - 1e-9) + 2 * padding;
    data.blocks[i] = static_cast<std::uint32_t>(std::ceil(cells / side));
  }
  return data;
}

/// Rounds to 32 bits towards 0, so that bounds stay bounds.
float towards_zero(double x) {
  const auto y = static_cast<float>(x);
  return std::abs(static_cast<double>(y)) > std::abs(x) ? std::nextafter(y, 0.0F) : y;
}

std::size_t far_node(const FieldData& data, std::size_t x, std::size_t y, std::size_t z) {
  return (x * (data.blocks[1] + 1) + y) * (data.blocks[2] + 1) + z;
}

/// Distances at successive points of a line: the triangle closest to the last point is a good guess for the next one.
class DistanceAlongLine {
 public:
  DistanceAlongLine(const Mesh& mesh, const TriangleTree& tree) : mesh_(&mesh), tree_(&tree) {}

  /// At most the fraction `slack` above the exact distance.
  double distance(const Vector3& p, double slack = 0) {
    const double guess =
        triangle_ == TriangleTree::none ? infinity : norm(difference(p, closest_point(p, mesh_->corners(triangle_))));
    const TriangleTree::Closest found = tree_->closest(p, guess, slack);
    triangle_ = found.triangle != TriangleTree::none ? found.triangle : triangle_;
    return found.distance;
  }

 private:
  const Mesh* mesh_;
  const TriangleTree* tree_;
  std::uint32_t triangle_ = TriangleTree::none;
};

Vector3 node_at(std::size_t x, std::size_t y, std::size_t z) {
  return {static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)};
}

/// Builds a field, in units of the grid.
class Builder {
 public:
  Builder(const Mesh& mesh, const FieldParams& params, const Progress& progress)
      : data_(empty_grid(geometry::bounds(mesh), params)),
        band_(params.band),
        mesh_(in_grid(mesh, data_)),
        progress_(&progress) {}

  FieldData build() && {
    report(0.01);
    winding_.emplace(mesh_, side * data_.blocks[0] + 1, side * data_.blocks[1] + 1);
    report(0.03);
    tree_.emplace(mesh_);
    report(0.05);
    fill_far();
    fill_near();
    return std::move(data_);
  }

 private:
  static Mesh in_grid(Mesh mesh, const FieldData& data) {
    for (Vector3& v : mesh.vertices) {
      v = scaled(1 / data.spacing, difference(v, data.origin));
    }
    return mesh;
  }
  void report(double fraction) const {
    if (*progress_) {
      (*progress_)(fraction);
    }
  }

  /// Far from the surface exact distances are expensive, because many triangles are almost equally close: bounds
  /// suffice.
  void fill_far() {
    const auto& n = data_.blocks;
    data_.far.resize((std::size_t{n[0]} + 1) * (n[1] + 1) * (n[2] + 1));
    for (std::size_t x = 0; x <= n[0]; ++x) {
      tbb::parallel_for(std::size_t{0}, std::size_t{n[1]} + 1, [&](std::size_t y) {
        auto line = winding_->line(side * x, side * y);
        DistanceAlongLine exact(mesh_, *tree_);
        for (std::size_t z = 0; z <= n[2]; ++z) {
          const Vector3 p = node_at(side * x, side * y, side * z);
          const double min_distance = data_.spacing * exact.distance(p, far_slack) / (1 + far_slack);
          data_.far[far_node(data_, x, y, z)] = towards_zero(line.inside(p[2]) ? -min_distance : min_distance);
        }
      });
      report(0.05 + 0.2 * static_cast<double>(x) / n[0]);
    }
  }

  void fill_near() {
    const auto& n = data_.blocks;
    data_.index.assign(std::size_t{n[0]} * n[1] * n[2], FieldData::no_block);
    // Blocks that may have a node within the band: such a node is within half a diagonal of a corner of the block.
    const double reach = data_.spacing * (band_ + nearest_node + 4 * std::sqrt(3.0));
    std::vector<std::size_t> wanted;
    for (std::size_t b = 0; b < data_.index.size(); ++b) {
      const std::size_t x = b / n[2] / n[1];
      const std::size_t y = b / n[2] % n[1];
      const std::size_t z = b % n[2];
      bool near = false;
      for (std::size_t corner = 0; corner < 8; ++corner) {
        const double far = data_.far[far_node(data_, x + corner % 2, y + corner / 2 % 2, z + corner / 4)];
        near = near || std::abs(far) <= reach;
      }
      if (near) {
        wanted.push_back(b);
      }
    }
    // In batches, so that progress is reported and dropped blocks take no memory
    constexpr std::size_t batch = 512;
    std::vector<float> nodes(batch * FieldData::nodes);
    std::vector<char> keep(batch);
    for (std::size_t from = 0; from < wanted.size(); from += batch) {
      const std::size_t count = std::min(batch, wanted.size() - from);
      tbb::parallel_for(std::size_t{0}, count, [&](std::size_t i) {
        keep[i] = fill_block(wanted[from + i], &nodes[i * FieldData::nodes]) ? 1 : 0;
      });
      for (std::size_t i = 0; i < count; ++i) {
        if (keep[i] != 0) {
          data_.index[wanted[from + i]] = static_cast<std::uint32_t>(data_.near.size() / FieldData::nodes);
          const auto first = nodes.begin() + static_cast<std::ptrdiff_t>(i * FieldData::nodes);
          data_.near.insert(data_.near.end(), first, first + static_cast<std::ptrdiff_t>(FieldData::nodes));
        }
      }
      report(0.25 + 0.75 * static_cast<double>(from + count) / static_cast<double>(wanted.size()));
    }
  }

  /// False where no node is within the band.
  bool fill_block(std::size_t block, float* out) const {
    const auto& n = data_.blocks;
    const std::size_t x = side * (block / n[2] / n[1]);
    const std::size_t y = side * (block / n[2] % n[1]);
    const std::size_t z = side * (block % n[2]);
    Vector3 middle = node_at(x, y, z);
    for (double& c : middle) {
      c += side / 2.0;
    }
    if (tree_->closest(middle).distance > band_ + nearest_node + std::sqrt(3.0) * side / 2) {
      return false;
    }
    double min_distance = infinity;
    // By octants, nodes 0 to 4 and 5 to 8 along each axis: the triangles near an octant are tested for all of its nodes
    // at once.
    constexpr std::array<std::size_t, 3> splits{0, 5, side + 1};
    std::vector<std::uint32_t> triangles;
    const double max_distance = band_ + farthest_node;  // exceeded by no node of a cell in the band
    for (std::size_t octant = 0; octant < 8; ++octant) {
      const std::array<std::size_t, 3> part{octant / 4, octant / 2 % 2, octant % 2};
      Vector3 centre = node_at(x, y, z);
      for (std::size_t axis = 0; axis < 3; ++axis) {
        centre[axis] += static_cast<double>(splits[part[axis]] + splits[part[axis] + 1] - 1) / 2;
      }
      PointBatch batch;
      std::array<std::size_t, PointBatch::capacity> node_index{};
      for (std::size_t i = splits[part[0]]; i < splits[part[0] + 1]; ++i) {
        for (std::size_t j = splits[part[1]]; j < splits[part[1] + 1]; ++j) {
          for (std::size_t k = splits[part[2]]; k < splits[part[2] + 1]; ++k) {
            const std::size_t at = (i * (side + 1) + j) * (side + 1) + k;
            node_index[batch.size] = at;
            batch.x[batch.size] = static_cast<double>(x + i);
            batch.y[batch.size] = static_cast<double>(y + j);
            batch.z[batch.size] = static_cast<double>(z + k);
            batch.square[batch.size++] = max_distance * max_distance;
          }
        }
      }
      lower(batch, centre, triangles);
      for (std::size_t i = 0; i < batch.size; ++i) {
        const double distance = std::sqrt(batch.square[i]);
        out[node_index[i]] = static_cast<float>(data_.spacing * distance);
        min_distance = std::min(min_distance, distance);
      }
    }
    for (std::size_t i = 0; i <= side; ++i) {
      for (std::size_t j = 0; j <= side; ++j) {
        auto line = winding_->line(x + i, y + j);
        for (std::size_t k = 0; k <= side; ++k, ++out) {
          *out = line.inside(static_cast<double>(z + k)) ? -*out : *out;
        }
      }
    }
    return min_distance <= band_ + nearest_node;
  }

  /// Distances up to band + √3, for points within 2√3 of a centre; larger ones are left at that value.
  void lower(PointBatch& points, const Vector3& centre, std::vector<std::uint32_t>& triangles) const {
    constexpr std::size_t max_triangles = 500;  // with more, the tree is faster
    const double radius = 2 * std::sqrt(3.0) + 1e-6;
    const double centre_distance = tree_->closest(centre, band_ + farthest_node + radius).distance;
    // For q nearest to a point p: |q − centre| ≤ |q − p| + radius, and |q − p| ≤ centre_distance + radius
    tree_->near(centre, std::min(centre_distance + radius, band_ + farthest_node) + radius, max_triangles, triangles);
    if (triangles.size() <= max_triangles) {
      for (const std::uint32_t t : triangles) {
        triangle_kernels().lower_squares(tree_->corners(t), points);
      }
      return;
    }
    for (std::size_t i = 0; i < points.size; ++i) {
      const double limit = std::sqrt(points.square[i]) * (1 + 1e-12);
      const double distance = tree_->closest({points.x[i], points.y[i], points.z[i]}, limit).distance;
      points.square[i] = std::min(points.square[i], distance * distance);
    }
  }

  FieldData data_;
  double band_;  // in cells
  Mesh mesh_;
  std::optional<Winding> winding_;
  std::optional<TriangleTree> tree_;
  const Progress* progress_;
};

}  // namespace

DistanceField DistanceField::make(const Mesh& mesh, const FieldParams& params, const Progress& progress) {
  require_valid(mesh);
  if (progress) {
    progress(0);
  }
  if (!is_closed(mesh)) {
    throw MeshError("cannot make a distance field of a mesh that is not closed");
  }
  return DistanceField(Builder(mesh, params, progress).build());
}

DistanceField DistanceField::of_function(const std::function<double(const Vector3&)>& distance, const Box& solid,
                                         const FieldParams& params) {
  FieldData data = empty_grid(solid, params);
  const auto& n = data.blocks;
  const double h = data.spacing;
  const auto at_node = [&](double x, double y, double z) {
    return distance(sum(data.origin, scaled(h, Vector3{x, y, z})));
  };
  const auto at = [&](std::size_t x, std::size_t y, std::size_t z) {
    return at_node(static_cast<double>(x), static_cast<double>(y), static_cast<double>(z));
  };
  data.far.resize((std::size_t{n[0]} + 1) * (n[1] + 1) * (n[2] + 1));
  data.index.assign(std::size_t{n[0]} * n[1] * n[2], FieldData::no_block);
  // No node of a block is farther from its middle than half its diagonal.
  const double reach = params.band + nearest_node + 4 * std::sqrt(3.0);
  for (std::size_t x = 0; x <= n[0]; ++x) {
    for (std::size_t y = 0; y <= n[1]; ++y) {
      for (std::size_t z = 0; z <= n[2]; ++z) {
        data.far[far_node(data, x, y, z)] = towards_zero(at(side * x, side * y, side * z));
        if (x == n[0] || y == n[1] || z == n[2]) {
          continue;
        }
        const double half = side / 2.0;
        const double middle = at_node(static_cast<double>(side * x) + half, static_cast<double>(side * y) + half,
                                      static_cast<double>(side * z) + half);
        if (std::abs(middle) > reach * h) {
          continue;
        }
        data.index[(x * n[1] + y) * n[2] + z] = static_cast<std::uint32_t>(data.near.size() / FieldData::nodes);
        for (std::size_t i = 0; i <= side; ++i) {
          for (std::size_t j = 0; j <= side; ++j) {
            for (std::size_t k = 0; k <= side; ++k) {
              data.near.push_back(static_cast<float>(at(side * x + i, side * y + j, side * z + k)));
            }
          }
        }
      }
    }
  }
  return DistanceField(std::move(data));
}

}  // namespace stiction::geometry
