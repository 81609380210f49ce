// Solids that are joined and cut, and become one mesh: parts with real detail from a short description.
#pragma once

#include <functional>
#include <vector>

#include "stiction/geometry/mesh.h"
#include "stiction/geometry/shapes.h"

namespace stiction::geometry {

/// A solid given by a function that is negative inside, positive outside, 0 on the surface, and changes by no more than
/// 1 a metre: a distance, or less than that. Lengths in metres; the makers throw InvalidParameter for sizes ≤ 0.
class Solid {
 public:
  using Distance = std::function<double(const Vec3&)>;
  /// `box` holds the whole solid. The function is at least the distance to the box outside of it.
  Solid(Distance distance, const Box& box);

  [[nodiscard]] double distance(const Vec3& p) const { return distance_(p); }
  [[nodiscard]] const Box& box() const noexcept { return box_; }

  /// About the origin; edges and corners with a radius.
  static Solid block(const Vec3& size, double rounding = 0);
  static Solid ball(double radius);
  /// Along z, about the origin.
  static Solid rod(double radius, double length, double rounding = 0);
  /// Along straight pieces, with round ends and bends.
  static Solid pipe(const std::vector<Vec3>& path, double radius);

  [[nodiscard]] Solid moved(const Vec3& offset) const;
  [[nodiscard]] Solid rotated(const Rotation& rotation) const;

  friend Solid operator+(const Solid& a, const Solid& b);  // either
  friend Solid operator-(const Solid& a, const Solid& b);  // the first without the second
  friend Solid operator&(const Solid& a, const Solid& b);  // both
  Solid& operator+=(const Solid& other) { return *this = *this + other; }
  Solid& operator-=(const Solid& other) { return *this = *this - other; }

 private:
  Distance distance_;
  Box box_;
};

/// The surface as one closed mesh, by OpenVDB from samples `spacing` apart: edges are rounded by about half of that.
/// With an adaptivity from 0 to 1, flat parts get larger triangles. Throws InvalidParameter for more than 2000 samples
/// along a side, MeshError for a solid without a surface.
Mesh meshed(const Solid& solid, double spacing, double adaptivity = 0, const Progress& progress = {});

}  // namespace stiction::geometry
