#include "triangle_distances.h"

#include <algorithm>
#include <limits>

namespace stiction::geometry {
namespace {

// As closest_point in triangle_math.h, but without branches: the plane where the foot of the perpendicular is inside
// the triangle, and all three sides.
STICTION_KERNEL void lower_squares(const std::array<Vector3, 3>& corners, PointBatch& points) noexcept {
  const auto& [a, b, c] = corners;
  const Vector3 ab = difference(b, a);
  const Vector3 ac = difference(c, a);
  const Vector3 bc = difference(c, b);
  const double m11 = dot(ab, ab);
  const double m12 = dot(ab, ac);
  const double m22 = dot(ac, ac);
  const double det = m11 * m22 - m12 * m12;
  const bool thin = !(det > 1e-10 * m11 * m22);
  const Vector3 normal = cross(ab, ac);
  const double square_normal = dot(normal, normal);
  // A degenerate triangle is represented by its sides.
  const double per_normal = thin ? 0 : 1 / square_normal;
  const double min_inside = thin ? std::numeric_limits<double>::infinity() : 0;
  const auto inverse = [](double square) { return square > 0 ? 1 / square : 0; };
  const double per_ab = inverse(m11);
  const double per_ac = inverse(m22);
  const double per_bc = inverse(dot(bc, bc));
  const std::size_t size = points.size;
  const double* px = points.x.data();
  const double* py = points.y.data();
  const double* pz = points.z.data();
  double* squares = points.square.data();
  for (std::size_t i = 0; i < size; ++i) {
    const double x = px[i] - a[0];
    const double y = py[i] - a[1];
    const double z = pz[i] - a[2];
    const double r1 = ab[0] * x + ab[1] * y + ab[2] * z;
    const double r2 = ac[0] * x + ac[1] * y + ac[2] * z;
    const double s = m22 * r1 - m12 * r2;
    const double t = m11 * r2 - m12 * r1;
    const double height = normal[0] * x + normal[1] * y + normal[2] * z;
    const double inside = std::min(std::min(s, t), det - s - t);  // ≥ 0 if the foot is inside
    const auto square_to = [&](const Vector3& along, double share, double dx, double dy, double dz) {
      const double u = std::min(std::max(share, 0.0), 1.0);
      const double ex = dx - u * along[0];
      const double ey = dy - u * along[1];
      const double ez = dz - u * along[2];
      return ex * ex + ey * ey + ez * ez;
    };
    const double to_ab = square_to(ab, r1 * per_ab, x, y, z);
    const double to_ac = square_to(ac, r2 * per_ac, x, y, z);
    // bc · (p − b) = (ac − ab) · (p − a − ab)
    const double to_bc = square_to(bc, (r2 - r1 - m12 + m11) * per_bc, x - ab[0], y - ab[1], z - ab[2]);
    const double sides = std::min(std::min(to_ab, to_ac), to_bc);
    const double square = inside >= min_inside ? height * height * per_normal : sides;
    squares[i] = std::min(squares[i], square);
  }
}

}  // namespace

constinit const TriangleKernels STICTION_THIS_TABLE(triangle_kernels){lower_squares};

}  // namespace stiction::geometry
