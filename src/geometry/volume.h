// What is taken from OpenVDB. Its headers are heavy: volume.cpp alone includes them.
#pragma once

#include "stiction/geometry/distance_field.h"
#include "stiction/geometry/mesh.h"

namespace stiction::geometry {

/// Distances without sign at the nodes of a grid with spacing 1, in blocks.
struct Band {
  std::vector<std::uint32_t> index;  // as in FieldData
  std::vector<float> near;           // as in FieldData; `unknown` away from the surface
  static constexpr float unknown = 1000;
};
/// `mesh` is in units of the grid: node (i, j, k) is at (i, j, k). OpenVDB is exact within one spacing of the mesh.
/// Farther away it takes a triangle near that of a neighbour, which has been seen to be off by 1.4; those are unknown.
Band surface_band(const Mesh& mesh, const std::array<std::uint32_t, 3>& blocks, const Progress& progress);

/// The surface where a function is 0, sampled `spacing` apart around its box. The function changes by no more than 1 a
/// metre. Closed, but not checked. `shift` moves the samples, by a share of the spacing.
Mesh level_set_mesh(const std::function<double(const Vector3&)>& distance, const Box& box, double spacing,
                    double adaptivity, const Vector3& shift, const Progress& progress);

}  // namespace stiction::geometry
