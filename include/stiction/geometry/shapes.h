// Meshes of simple solids, closed and facing outwards. Lengths in metres. All throw InvalidParameter for values that
// are not finite, sizes that are not positive, and for too few or too many divisions.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <vector>

#include "stiction/export.h"
#include "stiction/geometry/mesh.h"

namespace stiction::geometry {

/// Centred at the origin; `divisions` squares along each edge, at most 500, two triangles each.
STICTION_EXPORT Mesh box(const Vector3& size, std::size_t divisions = 1);
/// The same with rounded edges and corners; the radius is at most half the shortest side; at most 250 divisions.
STICTION_EXPORT Mesh rounded_box(const Vector3& size, double radius, std::size_t divisions = 8);
/// Centred at the origin, from an icosahedron whose triangles are divided into 4^cuts, `cuts` at most 9; its vertices
/// are on the sphere.
STICTION_EXPORT Mesh sphere(double radius, std::size_t cuts = 4);
/// A peg along z, centred at the origin.
STICTION_EXPORT Mesh cylinder(double radius, double length, std::size_t sectors = 64, std::size_t rings = 1);
/// A block centred at the origin with a round through hole along z. `sectors` is a multiple of 8.
STICTION_EXPORT Mesh block_with_hole(const Vector3& size, double hole_radius, std::size_t sectors = 64,
                                     std::size_t rings = 1);
/// A floor (z ≤ 0) and one wall (x ≤ 0), two (also y ≤ 0) or three (also x ≥ size) of this thickness; `size` is the
/// inside length and height.
STICTION_EXPORT Mesh corner(double size, double thickness, int walls);
/// A round rod along a path of points, with flat ends. Bends must be below 90° at a point and wide enough for the
/// radius.
STICTION_EXPORT Mesh tube(const std::vector<Vector3>& path, double radius, std::size_t sectors = 24);

/// The surface of a set of the boxes into which planes at xs, ys and zs divide space. Boxes that touch only along an
/// edge give an edge with four triangles, which mesh_check.h rejects.
STICTION_EXPORT Mesh blocks(const std::vector<double>& xs, const std::vector<double>& ys, const std::vector<double>& zs,
                            const std::function<bool(std::size_t x, std::size_t y, std::size_t z)>& filled);

/// About a unit axis by an angle [rad].
STICTION_EXPORT Matrix3 rotation(const Vector3& axis, double angle);
/// Throws InvalidParameter unless it is a proper rotation; reflections are rejected.
STICTION_EXPORT void require_rotation(const Matrix3& rotation);
STICTION_EXPORT Mesh moved(Mesh mesh, const Vector3& offset);
STICTION_EXPORT Mesh rotated(Mesh mesh, const Matrix3& rotation);
/// Both in one mesh. If they overlap, the distance field is that of their union.
STICTION_EXPORT Mesh joined(Mesh a, const Mesh& b);

}  // namespace stiction::geometry
