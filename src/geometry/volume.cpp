#include "volume.h"

#include <openvdb/openvdb.h>
#include <openvdb/tools/MeshToVolume.h>
#include <openvdb/tools/SignedFloodFill.h>
#include <openvdb/tools/VolumeToMesh.h>
#include <tbb/parallel_for.h>

#include <atomic>
#include <cmath>
#include <mutex>

namespace stiction::geometry {
namespace {

/// The mesh as OpenVDB asks for it.
class Polygons {
 public:
  explicit Polygons(const Mesh& mesh) : mesh_(&mesh) {}
  [[nodiscard]] std::size_t polygonCount() const { return mesh_->triangles.size(); }
  [[nodiscard]] std::size_t pointCount() const { return mesh_->vertices.size(); }
  [[nodiscard]] std::size_t vertexCount(std::size_t /*polygon*/) const { return 3; }
  void getIndexSpacePoint(std::size_t polygon, std::size_t corner, openvdb::Vec3d& position) const {
    const Vector3& v = mesh_->vertices[mesh_->triangles[polygon][corner]];
    position = {v[0], v[1], v[2]};
  }

 private:
  const Mesh* mesh_;
};

/// Hands OpenVDB's percentages on. Its threads ask too, for each triangle and without a percentage: now and then one of
/// them repeats the last one, so that `progress` can stop the work, by an exception that TBB carries to the caller.
class Reporter {
 public:
  explicit Reporter(const Progress& progress) : progress_(&progress) {}
  void start(const char* /*name*/ = nullptr) {}
  void end() {}
  bool wasInterrupted(int percent = -1) {
    constexpr unsigned rarely = 64;
    if (!*progress_ || (percent < 0 && asked_.fetch_add(1, std::memory_order_relaxed) % rarely != 0)) {
      return false;
    }
    const std::scoped_lock lock(mutex_);
    percent_ = percent >= 0 ? percent : percent_;
    (*progress_)(percent_ / 100.0);
    return false;
  }

 private:
  const Progress* progress_;
  std::atomic<unsigned> asked_ = 0;
  std::mutex mutex_;
  int percent_ = 0;
};

using Leaf = openvdb::FloatTree::LeafNodeType;
static_assert(Leaf::DIM == FieldData::side, "a leaf has the nodes of a block but for its last layers");

}  // namespace

Band surface_band(const Mesh& mesh, const std::array<std::uint32_t, 3>& blocks, const Progress& progress) {
  openvdb::initialize();
  constexpr float width = 2;
  constexpr float exact = 0.95F;
  Reporter reporter(progress);
  const auto grid = openvdb::tools::meshToVolume<openvdb::FloatGrid>(
      reporter, Polygons(mesh), openvdb::math::Transform(), width, width, openvdb::tools::UNSIGNED_DISTANCE_FIELD);

  const auto block_of = [&](std::size_t x, std::size_t y, std::size_t z) {
    return (x * blocks[1] + y) * blocks[2] + z;
  };
  std::vector<const Leaf*> leaves(std::size_t{blocks[0]} * blocks[1] * blocks[2], nullptr);
  for (auto leaf = grid->tree().cbeginLeaf(); leaf; ++leaf) {
    const openvdb::Coord o = leaf->origin();
    const std::array<std::size_t, 3> b{static_cast<std::size_t>(o.x() >> 3), static_cast<std::size_t>(o.y() >> 3),
                                       static_cast<std::size_t>(o.z() >> 3)};
    if (o.x() >= 0 && o.y() >= 0 && o.z() >= 0 && b[0] < blocks[0] && b[1] < blocks[1] && b[2] < blocks[2]) {
      leaves[block_of(b[0], b[1], b[2])] = &*leaf;
    }
  }
  /// The nodes of a block: those of its leaf, and the first layers of the next leaves.
  const auto fill = [&](std::size_t x, std::size_t y, std::size_t z, float* out) {
    for (std::size_t i = 0; i < 9; ++i) {
      for (std::size_t j = 0; j < 9; ++j) {
        for (std::size_t k = 0; k < 9; ++k) {
          const std::size_t bx = x + i / 8;
          const std::size_t by = y + j / 8;
          const std::size_t bz = z + k / 8;
          const bool in_grid = bx < blocks[0] && by < blocks[1] && bz < blocks[2];
          const Leaf* leaf = in_grid ? leaves[block_of(bx, by, bz)] : nullptr;
          const auto offset = static_cast<openvdb::Index>(((i % 8) << 6U) | ((j % 8) << 3U) | (k % 8));
          const float distance = leaf != nullptr && leaf->isValueOn(offset) ? leaf->getValue(offset) : width;
          *out++ = distance < exact ? distance : Band::unknown;
        }
      }
    }
  };
  Band band;
  band.index.assign(leaves.size(), FieldData::no_block);
  std::vector<std::size_t> wanted;  // blocks with a leaf
  for (std::size_t b = 0; b < leaves.size(); ++b) {
    if (leaves[b] != nullptr) {
      band.index[b] = static_cast<std::uint32_t>(wanted.size());
      wanted.push_back(b);
    }
  }
  band.near.resize(wanted.size() * FieldData::nodes);
  tbb::parallel_for(std::size_t{0}, wanted.size(), [&](std::size_t i) {
    const std::size_t b = wanted[i];
    fill(b / blocks[2] / blocks[1], b / blocks[2] % blocks[1], b % blocks[2], &band.near[i * FieldData::nodes]);
  });
  return band;
}

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
  /// Halves a cube of samples until it has no surface near or is a leaf.
  const auto fill = [&](const auto& self, int x, int y, int z, int width) -> void {
    const double half = width / 2.0;
    // no sample of the cube is farther from its middle than half a diagonal
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
          const openvdb::Coord place(x + i, y + j, z + k);
          if (std::abs(value) < static_cast<double>(background)) {
            leaf.setValueOn(place, static_cast<float>(value));
          } else {
            leaf.setValueOff(place, value < 0 ? -background : background);
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
