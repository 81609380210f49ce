// The signed distance to a solid, pre-computed and evaluated in nanoseconds: negative inside, positive outside.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "stiction/export.h"
#include "stiction/geometry/mesh.h"

namespace stiction::geometry {

struct FieldParams {
  double resolution = 256;  // cells along the longest side of the box around solid and band, 32 to 1024
  double band = 4;          // the distance is stored up to this many cells from the surface, 1 to resolution/16
};

/// The field as plain data, for the cache. Nodes are `spacing` apart; node (i, j, k) is at origin + spacing (i, j, k).
/// A block has 8³ cells and stores all its 9³ nodes, so a look-up accesses one block.
struct FieldData {
  static constexpr std::size_t side = 8;  // cells along a block
  static constexpr std::size_t nodes = (side + 1) * (side + 1) * (side + 1);
  static constexpr std::uint32_t no_block = 0xffffffff;

  Vector3 origin{};                       // [m]
  double spacing = 1;                     // h [m]
  double band = 0;                        // [m]
  Box solid;                              // bounding box of the mesh
  std::array<std::uint32_t, 3> blocks{};  // number along x, y, z
  std::vector<std::uint32_t> index;       // of each block in `near`, z fastest; no_block if far from the surface
  std::vector<float> near;  // [m] 729 nodes for each block near the surface, z fastest; beyond band + √3 h a bound
  std::vector<float> far;   // [m] nodes 8h apart, (blocks + 1)³, z fastest; never more than the distance
};

/// Guarantees, with d the exact distance and T the trilinear interpolation of exact distances at the nodes:
///   |d| < band:  value = T. |T − d| is below half a cell, except at spikes and thin walls.
///   elsewhere:   value = the sign of d times a lower bound on |d|, so that nothing near is ever taken to be far. It is
///                from T of the nodes 8h apart: for q the nearest surface point and weights w_i of the corners c_i,
///                  T ≤ Σ w_i |c_i − q| ≤ √(d² + v),   v = Σ w_i |c_i − p|²,   so   |d| ≥ √(T² − v)
///   outside the grid: with o the nearest point of the grid, √(|p − o|² + d(o)²) from that bound.
/// The gradient is that of T. It has no unit, and length 1 where d is smooth.
class STICTION_EXPORT DistanceField {
 public:
  /// From a closed mesh (see mesh_check.h). Overlapping parts are united. Takes seconds. Throws InvalidParameter;
  /// MeshError if the mesh is not closed, not valid, or smaller than 1e-12 m.
  static DistanceField make(const Mesh& mesh, const FieldParams& params = {}, const Progress& progress = {});

  /// From a distance function, for tests and simple shapes. It must have a Lipschitz constant of at most 1. Throws
  /// InvalidParameter; MeshError if it gives a value that is not finite.
  static DistanceField of_function(const std::function<double(const Vector3&)>& distance, const Box& solid,
                                   const FieldParams& params = {});

  /// From data that was made by one of the above; throws MeshError if it cannot have been. All its values are finite
  /// then, and so are all results at finite points.
  explicit DistanceField(FieldData data);

  struct Sample {
    double value;  // [m]
    Vector3 gradient;
    bool exact;  // in the band
  };
  /// No allocation, no throw. NaN gives NaN and not exact.
  [[nodiscard]] Sample at(const Vector3& p) const noexcept;
  [[nodiscard]] double value(const Vector3& p) const noexcept;

  /// A radius around p in which `value` is nowhere negative, 0 if there is none: to skip points without evaluation.
  ///   T(q) ≥ d(q) − Σ w_i |c_i − q| ≥ d(q) − √v(q), v ≤ ¾ h²; so T(q) < 0 needs d(q) < ½√3 h, and with d ≥ √(T² − v)
  ///   here r = √(T² − v) − ½√3 h;   in the band |∇T| ≤ √3 as well, so that r = min(T/√3, band − ½√3 h) is valid, too
  [[nodiscard]] double clearance(const Vector3& p) const noexcept;
  /// The same around the point of a sample: at no cost, but sometimes smaller.
  [[nodiscard]] double clearance_of(const Sample& sample) const noexcept;

  [[nodiscard]] double spacing() const noexcept { return data_.spacing; }
  [[nodiscard]] double band() const noexcept { return data_.band; }
  [[nodiscard]] const Box& solid() const noexcept { return data_.solid; }
  [[nodiscard]] const FieldData& data() const noexcept { return data_; }
  [[nodiscard]] std::size_t bytes() const noexcept;

 private:
  FieldData data_;
  double per_spacing_ = 1;
};

}  // namespace stiction::geometry
