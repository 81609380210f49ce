#include "stiction/planar/slip.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "patch_sums.h"
#include "stiction/planar/friction.h"
#include "stiction/planar/limit_surface.h"
#include "stiction/roots.h"

namespace stiction::planar {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

bool is_finite(std::initializer_list<double> values) noexcept {
  return std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
}

/// (v_x, v_y, r ω) or (f_x, f_y, τ/r). In these, P(v) ≥ |v|/√5 and |wrench| ≤ √2 for every patch with μ f_N = 1:
///   P(v) ≥ |∫ v_t p| = |(v_x, v_y)|,   P(v) ≥ |ω| ∫ |ρ − C| p ≥ |ω| r/2 as r ≤ ∫ |ρ − C| p + |C| and |C| ≤ ∫ |ρ − C| p
struct ScaledVector {
  double x = 0, y = 0, z = 0;
  friend ScaledVector operator+(const ScaledVector& a, const ScaledVector& b) noexcept {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
  }
  friend ScaledVector operator-(const ScaledVector& a, const ScaledVector& b) noexcept {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
  }
  friend ScaledVector operator*(double s, const ScaledVector& a) noexcept { return {s * a.x, s * a.y, s * a.z}; }
};
double dot(const ScaledVector& a, const ScaledVector& b) noexcept { return a.x * b.x + a.y * b.y + a.z * b.z; }
double size(const ScaledVector& a) noexcept { return std::sqrt(dot(a, a)); }
double inner_radius() noexcept { return 1 / std::sqrt(5.0); }

/// The Hessian of P, symmetric.
struct Curvature {
  double xx = 0, xy = 0, xz = 0, yy = 0, yz = 0, zz = 0;
  void add(double weight, const ScaledVector& a) noexcept {  // weight·a aᵀ
    xx += weight * a.x * a.x;
    xy += weight * a.x * a.y;
    xz += weight * a.x * a.z;
    yy += weight * a.y * a.y;
    yz += weight * a.y * a.z;
    zz += weight * a.z * a.z;
  }
  [[nodiscard]] ScaledVector times(const ScaledVector& a) const noexcept {
    return {xx * a.x + xy * a.y + xz * a.z, xy * a.x + yy * a.y + yz * a.z, xz * a.x + yz * a.y + zz * a.z};
  }
};

/// P of a patch with μ f_N = 1 in scaled coordinates.
class Dissipation {
 public:
  explicit Dissipation(const Patch& patch) noexcept : patch_(patch), r_(patch.torque_radius()) {}

  /// ∇P: the load at which the patch is about to move with v, minus the wrench of friction.
  [[nodiscard]] ScaledVector slope(const ScaledVector& v) const noexcept {
    const Wrench w = coulomb_wrench(patch_, {v.x, v.y, v.z / r_});
    return {-w.x, -w.y, -w.torque / r_};
  }

  [[nodiscard]] Curvature curvature(const ScaledVector& v) const noexcept {
    if (patch_.corners().size() == 0) {
      return of_points(v);
    }
    const double speed = std::hypot(v.x, v.y);
    return speed > 12 * patch_.radius() * std::abs(v.z) / r_ ? of_far_cells(v, speed) : of_cells(v);
  }

 private:
  /// ∇²P = Σ share/|u| m mᵀ,   u the velocity of the point, m = (n, ρ × n) with n ⊥ u
  [[nodiscard]] Curvature of_points(const ScaledVector& v) const noexcept {
    const Points& points = patch_.points();
    Curvature sum;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const double ux = v.x - v.z / r_ * points.y[i];
      const double uy = v.y + v.z / r_ * points.x[i];
      const double speed = std::sqrt(ux * ux + uy * uy);
      if (speed > 0) {
        const double nx = -uy / speed;
        const double ny = ux / speed;
        sum.add(points.share[i] / speed, {nx, ny, (points.x[i] * ny - points.y[i] * nx) / r_});
      }
    }
    return sum;
  }

  /// P = |ω| D(C) with D = ∫ |ρ − C| p and C = (−v_y, v_x)/ω, so ∇²P = |ω| (∂C/∂v)ᵀ ∇²D (∂C/∂v)
  [[nodiscard]] Curvature of_cells(const ScaledVector& v) const noexcept {
    const Points& corners = patch_.corners();
    const double spin = v.z / r_;
    const double cx = -v.y / spin;
    const double cy = v.x / spin;
    const DistanceHessian hessian =
        patch_sums().distance_hessian(corners.x.data(), corners.y.data(), corners.share.data(), corners.size(), cx, cy);
    const ScaledVector a{0, -1, -cx / r_};  // ω ∂Cₓ/∂v
    const ScaledVector b{1, 0, -cy / r_};
    const double scale = 1 / std::abs(spin);
    Curvature sum;
    sum.add(scale * (hessian.xx - hessian.xy), a);  // 2 xy ab = xy ((a + b)² − a² − b²)
    sum.add(scale * (hessian.yy - hessian.xy), b);
    sum.add(scale * hessian.xy, a + b);
    return sum;
  }

  /// Far from the centre of rotation the wrench is smooth, so central differences are accurate.
  [[nodiscard]] Curvature of_far_cells(const ScaledVector& v, double speed) const noexcept {
    const double h = 1e-5 * speed;
    const double hz = h * r_ / patch_.radius();
    const auto along = [&](const ScaledVector& step, double length) {
      return (0.5 / length) * (slope(v + step) - slope(v - step));
    };
    const ScaledVector x = along({h, 0, 0}, h);
    const ScaledVector y = along({0, h, 0}, h);
    const ScaledVector z = along({0, 0, hz}, hz);
    return {x.x, (x.y + y.x) / 2, (x.z + z.x) / 2, y.y, (y.z + z.y) / 2, z.z};
  }

  const Patch& patch_;
  double r_;
};

/// A convex polygon that contains the minimiser; every gradient cuts off a part.
class Region {
 public:
  explicit Region(double reach) noexcept {
    add({-reach, -reach});
    add({reach, -reach});
    add({reach, reach});
    add({-reach, reach});
    measure();
  }

  /// Keeps the side with slope·(x − at) ≤ max_value.
  void cut(const Point& slope, const Point& at, double max_value) noexcept {
    const auto before = corners_;
    const std::size_t n = size_;
    const auto beyond = [&](const Point& p) { return slope.x * (p.x - at.x) + slope.y * (p.y - at.y) - max_value; };
    size_ = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const Point& p = before[i];
      const Point& q = before[(i + 1) % n];
      const double at_p = beyond(p);
      const double at_q = beyond(q);
      if (at_p <= 0) {
        add(p);
      }
      if ((at_p < 0 && at_q > 0) || (at_p > 0 && at_q < 0)) {
        const double t = at_p / (at_p - at_q);
        add({p.x + t * (q.x - p.x), p.y + t * (q.y - p.y)});
      }
    }
    measure();
  }
  [[nodiscard]] bool holds(const Point& p) const noexcept {
    for (std::size_t i = 0; i < size_; ++i) {
      const Point& a = corners_[i];
      const Point along = corners_[(i + 1) % size_] - a;
      if (!(along.x * (p.y - a.y) - along.y * (p.x - a.x) > 0)) {
        return false;
      }
    }
    return size_ > 2;
  }
  [[nodiscard]] double area() const noexcept { return area_; }
  [[nodiscard]] const Point& centre() const noexcept { return centre_; }

 private:
  void add(const Point& p) noexcept {
    if (size_ < corners_.size()) {
      corners_[size_++] = p;
    }
  }
  void measure() noexcept {
    area_ = 0;
    centre_ = {};
    for (std::size_t i = 2; i < size_; ++i) {  // triangles from the first corner
      const Point a = corners_[i - 1] - corners_[0];
      const Point b = corners_[i] - corners_[0];
      const double part = (a.x * b.y - a.y * b.x) / 2;
      area_ += part;
      centre_ = {centre_.x + part * (a.x + b.x) / 3, centre_.y + part * (a.y + b.y) / 3};
    }
    const double scale = area_ > 0 ? 1 / area_ : 0;
    centre_ = size_ > 0 ? Point{corners_[0].x + scale * centre_.x, corners_[0].y + scale * centre_.y} : Point{};
  }

  std::array<Point, 256> corners_{};  // a cut adds at most one
  std::size_t size_ = 0;
  double area_ = 0;
  Point centre_;
};

struct Found {
  ScaledVector twist;
  double low = 0, high = infinity;  // bounds on the load factor
  int rounds = 0;
};

/// P has a kink where a point that carries load does not move. If the patch rotates about point i, friction there may
/// be any force up to its share, so with W the wrench of all others the load is held if |s f − W_f| ≤ share. The torque
/// balance then holds too.
bool rotates_about_point(const Patch& patch, const ScaledVector& load, std::size_t pivot, Found& found) noexcept {
  const Points& points = patch.points();
  const double r = patch.torque_radius();
  ScaledVector twist{points.y[pivot], -points.x[pivot], r};
  const double sign = dot(load, twist) < 0 ? -1 : 1;
  twist = (1 / dot(load, twist)) * twist;
  double fx = 0;
  double fy = 0;
  double power = 0;
  double share = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double dx = points.x[i] - points.x[pivot];
    const double dy = points.y[i] - points.y[pivot];
    const double d = std::sqrt(dx * dx + dy * dy);
    power += points.share[i] * d;
    if (d > 0) {
      fx -= sign * points.share[i] * dy / d;
      fy += sign * points.share[i] * dx / d;
    } else {
      share += points.share[i];
    }
  }
  const double factor = power * std::abs(twist.z) / r;
  if (!(std::hypot(factor * load.x - fx, factor * load.y - fy) <= share)) {
    return false;  // also for a load without torque about the point: the factor is then not finite
  }
  found.twist = twist;
  found.low = std::max(found.low, factor);  // a lower bound above the factor is detected in `solved`
  found.high = factor;
  return true;
}

std::size_t nearest_point(const Points& points, double x, double y) noexcept {
  std::size_t best = 0;
  double min_distance = infinity;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double d = square(points.x[i] - x) + square(points.y[i] - y);
    if (d < min_distance && points.share[i] > 0) {
      min_distance = d;
      best = i;
    }
  }
  return best;
}

/// The minimum of P(v) over the plane load·v = 1, |load| = 1: Newton's method, safeguarded by a region that shrinks in
/// every round. Ends when the factor is accurate, or known to be on one side of `level`.
Found min_dissipation(const Patch& patch, const ScaledVector& load, double level) noexcept {
  constexpr int max_rounds = 240;
  constexpr double tolerance = 1e-12;
  const Dissipation dissipation(patch);
  // Two unit vectors normal to the load
  const double smallest = std::min({std::abs(load.x), std::abs(load.y), std::abs(load.z)});
  ScaledVector a = std::abs(load.x) == smallest   ? ScaledVector{0, -load.z, load.y}
                   : std::abs(load.y) == smallest ? ScaledVector{load.z, 0, -load.x}
                                                  : ScaledVector{-load.y, load.x, 0};
  a = (1 / size(a)) * a;
  const ScaledVector b{load.y * a.z - load.z * a.y, load.z * a.x - load.x * a.z, load.x * a.y - load.y * a.x};

  Region region(3.2);  // |v| ≤ √5 P(v) ≤ √5 P(load) ≤ √10
  Found found;
  Point at;  // v = load + at.x a + at.y b
  double min_residual = infinity;
  double last_residual = infinity;
  double last_area = region.area();
  int without_gain = 0;
  std::size_t tried_pivot = patch.size();
  while (found.rounds < max_rounds) {
    ++found.rounds;
    const ScaledVector v = load + at.x * a + at.y * b;
    if (patch.corners().size() == 0 && v.z != 0) {
      const double arm = patch.torque_radius() / v.z;
      const std::size_t pivot = nearest_point(patch.points(), -v.y * arm, v.x * arm);
      if (pivot != tried_pivot && rotates_about_point(patch, load, pivot, found)) {
        return found;
      }
      tried_pivot = pivot;
    }
    const ScaledVector slope = dissipation.slope(v);
    const double power = dot(slope, v);
    const ScaledVector deviation = slope - power * load;
    const double residual = size(deviation);
    // Inside the limit surface: the gradient, the point at −1/√5 along the deviation, and all between them
    found.low = std::max(found.low, power / (1 + residual / inner_radius()));  // NaN: the loop ends below
    if (residual < min_residual) {
      without_gain = residual < 0.5 * min_residual ? 0 : without_gain;
      min_residual = residual;
      found.twist = v;
      found.high = power;
    }
    if (residual <= tolerance * inner_radius() || found.high < level || found.low > level || std::isnan(power)) {
      break;
    }
    // At the limit of double precision the residual stops decreasing; near sharp corners it may also stall for a while.
    without_gain += min_residual < 1e-6 ? 1 : 0;
    if (without_gain > (min_residual < 1e-10 ? 3 : 25)) {
      break;
    }
    const Point g{dot(slope, a), dot(slope, b)};
    region.cut(g, at, std::min(found.high - power, 0.0));
    if (!(region.area() > 0)) {
      break;
    }
    const Curvature curvature = dissipation.curvature(v);
    const ScaledVector curvature_a = curvature.times(a);
    const ScaledVector curvature_b = curvature.times(b);
    // A line of points has no curvature along itself
    const double regularisation = 1e-13 * (dot(a, curvature_a) + dot(b, curvature_b)) + 1e-200;
    const double aa = dot(a, curvature_a) + regularisation;
    const double bb = dot(b, curvature_b) + regularisation;
    const double ab = dot(a, curvature_b);
    const double determinant = aa * bb - ab * ab;
    const Point newton{at.x - (bb * g.x - ab * g.y) / determinant, at.y - (aa * g.y - ab * g.x) / determinant};
    const bool progress = residual < 0.5 * last_residual || region.area() < 0.75 * last_area;
    at = progress && region.holds(newton) ? newton : region.centre();
    last_residual = residual;
    last_area = region.area();
  }
  return found;
}

/// The load as a unit vector, with its length for μ f_N = 1 [N].
struct Direction {
  ScaledVector unit;
  double length = 0;
};
Direction direction_of(const Wrench& load, double r) noexcept {
  const double torque = load.torque / r;
  const double largest = std::max({std::abs(load.x), std::abs(load.y), std::abs(torque)});
  const ScaledVector scaled{load.x / largest, load.y / largest, torque / largest};
  return {(1 / size(scaled)) * scaled, largest * size(scaled)};
}

Slip solved(const Patch& patch, const Wrench& load, double friction, double level) noexcept {
  constexpr Slip unknown{nan, nan, {nan, nan, nan}, 0, false};
  if (!is_finite({load.x, load.y, load.torque, friction})) {
    return unknown;
  }
  if (load == Wrench{}) {
    return {infinity, 0, {}, 0, true};
  }
  friction = in_contact(friction);
  const double r = patch.torque_radius();
  if (!(r > 0)) {  // one point: friction has no lever arm
    const double force = std::hypot(load.x, load.y);
    const bool spins = load.torque != 0;
    const Twist twist = spins ? Twist{0, 0, sgn(load.torque)} : Twist{load.x / force, load.y / force, 0};
    return {spins ? 0 : friction / force, 0, twist, 0, true};
  }
  const auto [unit, length] = direction_of(load, r);
  const Found found = min_dissipation(patch, unit, level * length / friction);
  if (!std::isfinite(length) || !std::isfinite(found.high)) {
    return unknown;
  }
  const ScaledVector twist = (1 / size(found.twist)) * found.twist;
  // Bounds that cross by more than rounding prove nothing
  const double gap = std::min(std::abs(1 - found.low / found.high), 1.0);
  return {found.high * (friction / length), gap, {twist.x, twist.y, twist.z / r}, found.rounds, gap <= 1e-9};
}

}  // namespace

Slip slip(const Patch& patch, const Wrench& load, double friction) noexcept {
  return solved(patch, load, friction, nan);
}

bool holds(const Patch& patch, const Wrench& load, double friction) noexcept {
  return solved(patch, load, friction, 1).factor > 1;
}

Push pushed(const Patch& patch, double friction, const Pusher& pusher, const Vector& velocity) noexcept {
  const Point arm = pusher.contact - patch.centre_of_pressure();
  const double length = std::hypot(pusher.normal.x, pusher.normal.y);
  if (!is_finite({friction, arm.x, arm.y, length, velocity.x, velocity.y}) || !(length > 0) ||
      !(pusher.coefficient >= 0)) {
    return {{nan, nan, nan}, {nan, nan, nan}, Contact::parts};
  }
  const Vector n{pusher.normal.x / length, pusher.normal.y / length};
  const double approach = n.x * velocity.x + n.y * velocity.y;
  if (approach <= 0) {
    return {};
  }
  const double r = patch.torque_radius();
  friction = in_contact(friction);
  const auto motion = [&](double spin) { return at_point(Twist{velocity.x, velocity.y, spin}, arm, Point{}); };
  const auto load_of = [&](double spin) { return -1.0 * coulomb_wrench(patch, motion(spin)); };
  // dP/dω along these motions: the torque about the contact, which increases with ω
  const auto torque = [&](double spin) { return at_point(load_of(spin), Point{}, arm).torque; };
  double spin = 0;
  Wrench load;  // for μ f_N = 1
  if (r > 0) {
    const double max_spin = 2.1 * std::hypot(velocity.x, velocity.y) / r;  // |ω| r/2 ≤ P(v) ≤ P(no spin) = speed
    const double resolution = 1e-15 * max_spin;
    spin = root_in(Bracket<double>{-max_spin, torque(-max_spin), max_spin, torque(max_spin)}, resolution, torque);
    // A patch of points may rotate about one of them, with a wrench between the limits from either side.
    const double below = torque(spin - 4 * resolution);
    const double above = torque(spin + 4 * resolution);
    const double share = above > below ? clip(above / (above - below), 0.0, 1.0) : 0.5;
    load = share * load_of(spin - 4 * resolution) + (1 - share) * load_of(spin + 4 * resolution);
  } else {  // one point: it is pulled along by the arm and rotates freely
    const double arm_squared = arm.x * arm.x + arm.y * arm.y;
    spin = arm_squared > 0 ? (arm.x * velocity.y - arm.y * velocity.x) / arm_squared : 0;
    load = load_of(spin);
  }
  const double normal = n.x * load.x + n.y * load.y;
  const double tangential = n.x * load.y - n.y * load.x;
  const double half_cone = std::atan(pusher.coefficient);
  const double c = std::cos(half_cone);
  const double s = tangential < 0 ? -std::sin(half_cone) : std::sin(half_cone);
  if (std::abs(tangential) * c <= std::abs(s) * normal) {
    return {motion(spin), friction * load, Contact::sticks};
  }
  // The contact slides: the force is on the edge of the cone. It does positive work on the motion it causes, which is
  // rotated from the pusher's motion towards the normal, so the body always moves along with the pusher.
  const Wrench cone_edge = at_point(Wrench{c * n.x - s * n.y, c * n.y + s * n.x, 0}, arm, Point{});
  const Slip start = slip(patch, cone_edge, 1);
  const Twist at_contact = at_point(start.twist, Point{}, arm);
  const double rate = approach / (n.x * at_contact.x + n.y * at_contact.y);
  return {{rate * start.twist.x, rate * start.twist.y, rate * start.twist.spin},
          friction * start.factor * cone_edge,
          Contact::slides};
}

}  // namespace stiction::planar
