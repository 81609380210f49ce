// Meshing with OpenVDB. Its headers are slow to compile: only volume.cpp includes them.
#pragma once

#include "stiction/geometry/distance_field.h"
#include "stiction/geometry/mesh.h"

namespace stiction::geometry {

/// The surface where a function is 0, sampled `spacing` apart around its box. Its gradient must be at most
/// 1. The mesh is closed, but not checked. `shift` moves the samples, as a fraction of the spacing.
Mesh level_set_mesh(const std::function<double(const Vector3&)>& distance, const Box& box, double spacing,
                    double adaptivity, const Vector3& shift, const Progress& progress);

}  // namespace stiction::geometry
