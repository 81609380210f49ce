// Constructive solid geometry: solids that are united and cut, and become one mesh. Detailed parts from a short
// description.
#pragma once

#include <functional>
#include <vector>

#include "stiction/export.h"
#include "stiction/geometry/mesh.h"
#include "stiction/geometry/shapes.h"

namespace stiction::geometry {

/// A solid given by a function that is negative inside, positive outside, 0 on the surface, with a Lipschitz constant
/// of at most 1: the distance, or a lower bound on it. Lengths in metres; factories throw InvalidParameter for sizes ≤
/// 0.
class STICTION_EXPORT Solid {
 public:
  using Distance = std::function<double(const Vector3&)>;
  /// `box` contains the whole solid. Outside the box the function is at least the distance to it.
  Solid(Distance distance, const Box& box);

  [[nodiscard]] double distance(const Vector3& p) const { return distance_(p); }
  [[nodiscard]] const Box& box() const noexcept { return box_; }

  /// Centred at the origin; `rounding`: radius of edges and corners.
  static Solid block(const Vector3& size, double rounding = 0);
  static Solid ball(double radius);
  /// Along z, centred at the origin.
  static Solid rod(double radius, double length, double rounding = 0);
  /// Along straight segments, with round ends and bends.
  static Solid pipe(const std::vector<Vector3>& path, double radius);

  [[nodiscard]] Solid moved(const Vector3& offset) const;
  [[nodiscard]] Solid rotated(const Matrix3& rotation) const;

  STICTION_EXPORT friend Solid operator+(const Solid& a, const Solid& b);  // union
  STICTION_EXPORT friend Solid operator-(const Solid& a, const Solid& b);  // difference
  STICTION_EXPORT friend Solid operator&(const Solid& a, const Solid& b);  // intersection
  Solid& operator+=(const Solid& other) { return *this = *this + other; }
  Solid& operator-=(const Solid& other) { return *this = *this - other; }

 private:
  Distance distance_;
  Box box_;
};

/// The surface as one closed mesh, by OpenVDB from samples `spacing` apart: edges are rounded by about half of that.
/// `adaptivity`, 0 to 1: larger triangles on flat parts. Throws InvalidParameter for more than 2000 samples
/// along a side, MeshError for a solid without a surface.
STICTION_EXPORT Mesh meshed(const Solid& solid, double spacing, double adaptivity = 0, const Progress& progress = {});

}  // namespace stiction::geometry
