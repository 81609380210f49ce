#include "stiction/planar/limit_surface.h"

#include <algorithm>
#include <cmath>
#include <complex>

#include "patch_sums.h"

namespace stiction::planar {
namespace {

/// Beyond this many radii the centre of rotation is far: sums over corners would cancel, while a series converges.
constexpr double far = 12;

Wrench midpoint(const Patch& patch, const Twist& v) noexcept {
  const Points& points = patch.points();
  return patch_sums().over_points(points.x.data(), points.y.data(), points.share.data(), points.size(), v.x, v.y,
                                  v.spin);
}

/// Rotation about a point within reach.
Wrench exact_near(const Patch& patch, const Twist& v) noexcept {
  const Points& corners = patch.corners();
  const double cx = -v.y / v.spin;
  const double cy = v.x / v.spin;
  const CornerSums sums =
      patch_sums().over_corners(corners.x.data(), corners.y.data(), corners.share.data(), corners.size(), cx, cy);
  // v̂ = sgn ω (−Y, X)/d
  const double sign = v.spin < 0 ? -1 : 1;
  const double fx = sign * sums.y;
  const double fy = -sign * sums.x;
  return {fx, fy, -sign * sums.distance + cx * fy - cy * fx};
}

/// Rotation about a far point C, or none: with ζ = x + i y and q = 1/C, the direction of motion is
///   v̂ = v̂₀ (1 − qζ)^½ (1 − q̄ζ̄)^−½
/// whose series in the patch's moments converges fast.
Wrench exact_far(const Patch& patch, const Twist& v) noexcept {
  using Complex = std::complex<double>;
  const Complex v0(v.x, v.y);
  const Complex direction = v0 / std::abs(v0);
  const Complex q = Complex(0, -v.spin * patch.radius()) / v0;
  constexpr int order = Patch::max_moment - 1;
  Complex force = 0;
  Complex lever = 0;  // ∫ ζ̄ v̂ p
  Complex left = 1;   // aₘ qᵐ with (1 − x)^½ = Σ aₘ xᵐ
  for (int m = 0; m <= order; ++m) {
    Complex term = left;  // times bₙ q̄ⁿ with (1 − x)^−½ = Σ bₙ xⁿ
    for (int n = 0; m + n <= order; ++n) {
      force += term * patch.moment(m, n);
      lever += term * patch.moment(m, n + 1);
      term *= std::conj(q) * ((n + 0.5) / (n + 1));
    }
    left *= q * ((m - 0.5) / (m + 1));
  }
  force *= -direction;
  // −∫ ρ × v̂ p = −Im ∫ ζ̄ v̂ p
  return {force.real(), force.imag(), -patch.radius() * (direction * lever).imag()};
}

/// The wrench of a rotation about a corner of a cell, blended (eq. 21). `index` rounds a coordinate in cells.
template <class Index>
Wrench blended(const Patch& patch, const Twist& v, const Index& index) noexcept {
  const PressureGrid& grid = patch.grid();
  if (v.spin == 0 || grid.columns == 0) {
    return midpoint(patch, v);
  }
  const Point cop = patch.centre_of_pressure();
  // The centre of rotation in cells from the lower left corner
  const double column = (cop.x - v.y / v.spin - grid.corner.x) / grid.width;
  const double row = (cop.y + v.x / v.spin - grid.corner.y) / grid.height;
  const double i = index(column);
  const double j = index(row);
  if (!(i >= 0 && i < static_cast<double>(grid.columns) && j >= 0 && j < static_cast<double>(grid.rows))) {
    return midpoint(patch, v);
  }
  const auto about = [&](double a, double b) {
    const double x = grid.corner.x + a * grid.width - cop.x;
    const double y = grid.corner.y + b * grid.height - cop.y;
    return midpoint(patch, {v.spin * y, -v.spin * x, v.spin});
  };
  const double a = column - i;
  const double b = row - j;
  return (1 - a) * (1 - b) * about(i, j) + a * (1 - b) * about(i + 1, j) + (1 - a) * b * about(i, j + 1) +
         a * b * about(i + 1, j + 1);
}

}  // namespace

Wrench coulomb_wrench(const Patch& patch, const Twist& twist, Rule rule) noexcept {
  // Only the direction matters: no overflow, whatever the magnitude.
  const double reach = patch.radius();  // 0: all load at one point, which resists no spin
  const double size = std::max({std::abs(twist.x), std::abs(twist.y), std::abs(twist.spin) * reach});
  if (!(size > 0)) {
    const double nothing = 0 * (twist.x + twist.y + twist.spin);  // a NaN propagates
    return {nothing, nothing, nothing};
  }
  const Twist v{twist.x / size, twist.y / size, reach > 0 ? twist.spin / size : 0 * twist.spin};
  if (rule == Rule::bilinear) {
    return blended(patch, v, [](double x) { return std::floor(x); });
  }
  if (rule == Rule::midpoint || patch.corners().size() == 0) {
    return midpoint(patch, v);
  }
  const bool is_far = std::hypot(v.x, v.y) > far * reach * std::abs(v.spin);
  return is_far ? exact_far(patch, v) : exact_near(patch, v);
}

Wrench authors_bilinear_wrench(const Patch& patch, const Twist& twist) noexcept {
  return blended(patch, twist, [](double x) { return std::trunc(x); });
}

Point forceless_centre_of_rotation(const Patch& patch, Rule rule) noexcept {
  // f(c) is the gradient of the convex function ∫ |ρ − c| p dA, rotated by 90°. Newton's method with finite differences
  // where it reduces the force; elsewhere, as between pads, Weiszfeld's step, which never goes uphill:
  //   −gradient / ∫ p/|ρ − c|, and ∫ p/|ρ − c| is minus the trace of the derivative of f
  Point c;
  const auto force = [&](Point at) {
    const Wrench w = coulomb_wrench(patch, {at.y, -at.x, 1}, rule);
    return Point{-w.y, w.x};  // minus the gradient, ∫ (ρ − c)/|ρ − c| p
  };
  const auto size = [](Point p) { return std::hypot(p.x, p.y); };
  const double h = 1e-4 * patch.radius();
  for (int round = 0; round < 500; ++round) {
    const Point f = force(c);
    const Point right = force({c.x + h, c.y});
    const Point up = force({c.x, c.y + h});
    const double xx = (right.x - f.x) / h;
    const double yy = (up.y - f.y) / h;
    const double xy = ((right.y - f.y) + (up.x - f.x)) / (2 * h);
    const double trace = xx + yy;
    const double determinant = xx * yy - xy * xy;
    if (!(std::abs(trace) > 0)) {
      break;
    }
    const Point newton{-(yy * f.x - xy * f.y) / determinant, -(xx * f.y - xy * f.x) / determinant};
    const bool take = size(newton) < patch.radius() && size(force(c + newton)) <= 0.9 * size(f);
    const Point step = take ? newton : Point{-f.x / trace, -f.y / trace};
    c = c + step;
    if (size(step) < 1e-12 * patch.radius()) {
      break;
    }
  }
  return c;
}

}  // namespace stiction::planar
