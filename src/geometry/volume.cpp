#include "volume.h"

#include <openvdb/openvdb.h>
#include <openvdb/tools/SignedFloodFill.h>
#include <openvdb/tools/VolumeToMesh.h>

#include <cmath>

namespace stiction::geometry {
namespace {

using Leaf = openvdb::FloatTree::LeafNodeType;

}  // namespace

Mesh level_set_mesh(const std::function<double(const Vector3&)>& distance, const Box& box, double spacing,
                    double adaptivity, const Vector3& shift, const Progress& progress) {
  openvdb::initialize();
  constexpr double margin = 5;  // samples
  const auto background = static_cast<float>(3 * spacing);
  const Vector3 origin = sum(box.low, scaled(spacing, difference(shift, {margin, margin, margin})));
  const auto grid = openvdb::FloatGrid::create(background);
  const auto at = [&](double x, double y, double z) {
    return distance(sum(origin, scaled(spacing, Vector3{x, y, z})));
  };
  const Vector3 size = box.size();
  const auto samples = [&](std::size_t axis) { return static_cast<int>(size[axis] / spacing + 2 * margin) + 1; };
  const auto report = [&](double fraction) {
    if (progress) {
      progress(fraction);
    }
  };
  /// Subdivides a cube of samples until it is far from the surface or a leaf.
  const auto fill = [&](const auto& self, int x, int y, int z, int width) -> void {
    const double half = width / 2.0;
    // no sample of the cube is farther from its centre than half a diagonal
    if (std::abs(at(x + half, y + half, z + half)) > (std::sqrt(3.0) * half + 3) * spacing) {
      return;
    }
    if (width > static_cast<int>(Leaf::DIM)) {
      for (int i = 0; i < 8; ++i) {
        self(self, x + i % 2 * width / 2, y + i / 2 % 2 * width / 2, z + i / 4 * width / 2, width / 2);
      }
      return;
    }
    report(0.8 * x / samples(0));
    Leaf& leaf = *grid->tree().touchLeaf({x, y, z});
    for (int i = 0; i < width; ++i) {
      for (int j = 0; j < width; ++j) {
        for (int k = 0; k < width; ++k) {
          const double value = at(x + i, y + j, z + k);
          const openvdb::Coord coord(x + i, y + j, z + k);
          if (std::abs(value) < static_cast<double>(background)) {
            leaf.setValueOn(coord, static_cast<float>(value));
          } else {
            leaf.setValueOff(coord, value < 0 ? -background : background);
          }
        }
      }
    }
  };
  constexpr int cube = 64;
  for (int x = 0; x < samples(0); x += cube) {
    for (int y = 0; y < samples(1); y += cube) {
      for (int z = 0; z < samples(2); z += cube) {
        fill(fill, x, y, z, cube);
      }
    }
  }
  openvdb::tools::signedFloodFill(grid->tree());
  report(0.8);

  std::vector<openvdb::Vec3s> points;
  std::vector<openvdb::Vec3I> triangles;
  std::vector<openvdb::Vec4I> quads;
  openvdb::tools::volumeToMesh(*grid, points, triangles, quads, 0.0, adaptivity);
  report(0.9);
  Mesh mesh;
  for (const openvdb::Vec3s& p : points) {
    mesh.vertices.push_back(sum(origin, scaled(spacing, Vector3{double{p.x()}, double{p.y()}, double{p.z()}})));
  }
  const auto add = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) { mesh.triangles.push_back({a, b, c}); };
  for (const openvdb::Vec3I& t : triangles) {
    add(t[0], t[1], t[2]);
  }
  for (const openvdb::Vec4I& q : quads) {  // cut along the shorter diagonal
    const bool even = (points[q[0]] - points[q[2]]).lengthSqr() <= (points[q[1]] - points[q[3]]).lengthSqr();
    add(q[0], q[1], even ? q[2] : q[3]);
    add(even ? q[0] : q[1], q[2], q[3]);
  }
  return mesh;
}

}  // namespace stiction::geometry
