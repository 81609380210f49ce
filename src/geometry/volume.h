// What is taken from OpenVDB. Its headers are heavy: volume.cpp alone includes them.
#pragma once

#include "stiction/geometry/distance_field.h"
#include "stiction/geometry/mesh.h"

namespace stiction::geometry {

/// The surface where a function is 0, sampled `spacing` apart around its box. The function changes by no more than 1 a
/// metre. Closed, but not checked. `shift` moves the samples, by a share of the spacing.
Mesh level_set_mesh(const std::function<double(const Vector3&)>& distance, const Box& box, double spacing,
                    double adaptivity, const Vector3& shift, const Progress& progress);

}  // namespace stiction::geometry
