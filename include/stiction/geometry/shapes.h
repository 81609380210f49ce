// Meshes of simple solids, closed and facing outwards. Lengths in metres. All throw InvalidParameter for numbers that
// are not finite, sizes that are not positive, and for too few divisions or too many.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <vector>

#include "stiction/geometry/mesh.h"

namespace stiction::geometry {

/// About the origin; `divisions` squares along each edge, at most 500, two triangles each.
Mesh box(const Vec3& size, std::size_t divisions = 1);
/// The same with edges and corners of a radius, which is at most half the shortest side; 250 divisions at
/// most.
Mesh rounded_box(const Vec3& size, double radius, std::size_t divisions = 8);
/// About the origin, from an icosahedron whose triangles are cut into 4^cuts, at most 9; its vertices are on the
/// sphere.
Mesh sphere(double radius, std::size_t cuts = 4);
/// A peg along z about the origin.
Mesh cylinder(double radius, double length, std::size_t sectors = 64, std::size_t rings = 1);
/// A block about the origin with a round hole along z right through it. `sectors` is a multiple of 8.
Mesh block_with_hole(const Vec3& size, double hole_radius, std::size_t sectors = 64, std::size_t rings = 1);
/// A floor (z ≤ 0) and one wall (x ≤ 0), two (also y ≤ 0) or three (also x ≥ size) of a thickness, as long and high as
/// `size` inside.
Mesh corner(double size, double thickness, int walls);
/// A round rod along a path of points, its ends flat. The path may bend, by less than 90° at a point and gently enough
/// for the radius.
Mesh tube(const std::vector<Vec3>& path, double radius, std::size_t sectors = 24);

/// The surface of a set of the boxes that planes at xs, ys and zs cut space into. Boxes that touch along an edge alone
/// give an edge with four triangles, which mesh_check.h refuses.
Mesh blocks(const std::vector<double>& xs, const std::vector<double>& ys, const std::vector<double>& zs,
            const std::function<bool(std::size_t x, std::size_t y, std::size_t z)>& filled);

using Rotation = std::array<Vec3, 3>;  // rows of a rotation matrix
/// About a unit axis by an angle [rad].
Rotation rotation(const Vec3& axis, double angle);
/// Throws InvalidParameter for anything else, a mirror included.
void require_rotation(const Rotation& rotation);
Mesh moved(Mesh mesh, const Vec3& offset);
Mesh rotated(Mesh mesh, const Rotation& rotation);
/// Both in one mesh. Where they overlap, a distance field takes inside either as inside.
Mesh joined(Mesh a, const Mesh& b);

}  // namespace stiction::geometry
