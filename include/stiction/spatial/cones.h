// Friction cones of a hard point contact whose normal is the z axis: Coulomb's circular cone, and the box cone with one
// bound per axis.
#pragma once

#include <numbers>
#include <utility>

#include "stiction/spatial/elliptic_cone.h"
#include "stiction/spatial/frames.h"

namespace stiction::spatial {

///   K = {f : f_z ≥ 0, √(f_x² + f_y²) ≤ μ f_z}
/// μ = 0 is the ray along the normal. The dual cone has the coefficient 1/μ; μ = ∞ is the half space f_z ≥ 0.
template <class Real = double>
struct CircularCone {
  using Scalar = Real;
  using Force = Vector<Real, 3>;
  using Params = CircularCone;
  Real mu;  // coefficient of friction [-], ≥ 0

  static constexpr std::optional<Problem> check(const Params& cone) noexcept {
    return non_negative.holds(cone.mu) ? std::nullopt
                                       : std::optional<Problem>({"mu", plain(cone.mu), non_negative.text});
  }
#if defined(__cpp_exceptions)
  static CircularCone make(const Params& params) { return checked<CircularCone>(params); }
#endif

  /// α = atan μ
  [[nodiscard]] Real half_angle() const noexcept {
    using std::atan;
    return atan(mu);
  }

  /// Whether f is in the cone, or within the Euclidean distance `tolerance` [N] of it.
  [[nodiscard]] bool contains(const Force& f, Real tolerance = Real(0)) const noexcept {
    return inside(f) || (tolerance > Real(0) && margin(f) >= -tolerance);
  }

  /// Distance to the boundary [N]: positive inside, negative outside, where it is −|f − P(f)|.
  ///   sin α f_z − cos α |f_t|;  −|f| where the apex is nearest
  [[nodiscard]] Real margin(const Force& f) const noexcept {
    const Edge edge = meridian();
    const Real friction = tangential(f);
    if (f[2] < Real(0) && edge.sine * friction + edge.cosine * f[2] <= Real(0)) {
      return -norm(f);
    }
    return edge.sine * f[2] - edge.cosine * friction;
  }

  /// Projection, the nearest force in the cone: f itself, the apex, or a point on the boundary ray (sin α, cos α) in
  /// the meridian plane of f:
  ///   s = sin α |f_t| + cos α f_z      x = (s sin α f_t/|f_t|, s cos α)
  [[nodiscard]] Force project(const Force& f) const noexcept {
    if (inside(f)) {
      return f;
    }
    const Edge edge = meridian();
    const Real friction = tangential(f);
    const Real s = edge.sine * friction + edge.cosine * f[2];
    if (s <= Real(0)) {
      return {};
    }
    // For μ = ∞ the tangential part is unchanged.
    const Real share = edge.cosine == Real(0) ? Real(1) : s * edge.sine / friction;
    return {share * f[0], share * f[1], s * edge.cosine};
  }

  /// Weighted projection: the force in the cone that minimises Σ w_i (x_i − f_i)², w_i > 0. For w_x = w_y it is the
  /// projection onto another circular cone, in closed form; otherwise onto an elliptic one.
  [[nodiscard]] Force project(const Force& f, const Force& weights) const noexcept {
    using std::sqrt;
    if (weights[0] == weights[1]) {
      const Real stretch = sqrt(weights[2] / weights[0]);
      const Force x = CircularCone{mu / stretch}.project({f[0], f[1], stretch * f[2]});
      return {x[0], x[1], x[2] / stretch};
    }
    return to_z_normal(EllipticCone<3, Real>{{mu, mu}}.project(to_x_normal(f), to_x_normal(weights)));
  }

  /// {y : μ |y_t| ≤ y_z}
  [[nodiscard]] CircularCone dual() const noexcept { return {Real(1) / mu}; }
  [[nodiscard]] Negative<CircularCone> polar() const noexcept { return {dual()}; }
  [[nodiscard]] Force project_polar(const Force& f) const noexcept { return polar().project(f); }

  /// sup d·f over the cone: 0 or infinity.
  [[nodiscard]] Real support(const Force& direction) const noexcept { return cone_support(*this, direction); }
  /// sup d·f over the part of the cone with f_z ≤ normal: normal (d_z + μ |d_t|)₊
  [[nodiscard]] Real section_support(const Force& direction, Real normal) const noexcept {
    const Real height = direction[2] + mu * tangential(direction);
    return normal * (height < Real(0) ? Real(0) : height);
  }
  /// sup d·f over the friction disc for a given normal force (d_z does not matter): μ normal |d_t|
  [[nodiscard]] Real friction_support(const Force& direction, Real normal) const noexcept {
    return mu * normal * tangential(direction);
  }

  /// The boundary ray at the angle φ about the normal: (μ cos φ, μ sin φ, 1).
  [[nodiscard]] Force ray(Real phi) const noexcept {
    using std::cos;
    using std::sin;
    return {mu * cos(phi), mu * sin(phi), Real(1)};
  }
  /// The rays f_1, f_2 whose positive combinations are the planar cone at the angle φ. The union of the planar cones
  /// over φ in [0, π) is the cone.
  [[nodiscard]] std::pair<Force, Force> planar_rays(Real phi) const noexcept {
    const Force one = ray(phi);
    return {one, {-one[0], -one[1], one[2]}};
  }
  /// f = a f_1 + b f_2 in the planar cone that contains it: a, b = (f_z ± |f_t|/μ)/2. f is in the cone if neither is
  /// negative.
  struct Planar {
    Real phi, a, b;
  };
  [[nodiscard]] Planar planar(const Force& f) const noexcept {
    using std::atan2;
    const Real friction = tangential(f);
    const Real share = friction == Real(0) ? Real(0) : friction / mu;
    return {atan2(f[1], f[0]), (f[2] + share) / Real(2), (f[2] - share) / Real(2)};
  }
  /// Outward unit normal of the supporting half space n·f ≤ 0 that touches the cone along ray(φ).
  [[nodiscard]] Force half_space(Real phi) const noexcept {
    using std::cos;
    using std::sin;
    const Edge edge = meridian();
    return {edge.cosine * cos(phi), edge.cosine * sin(phi), -edge.sine};
  }

 private:
  struct Edge {
    Real sine, cosine;  // of α
  };
  /// Avoids 0 · ∞ at μ = 0 and μ = ∞.
  [[nodiscard]] Edge meridian() const noexcept {
    using std::sqrt;
    const bool flat = mu > Real(1);
    const Real m = flat ? Real(1) / mu : mu;
    const Real large = Real(1) / sqrt(Real(1) + m * m);
    return flat ? Edge{large, m * large} : Edge{m * large, large};
  }
  static Real tangential(const Force& f) noexcept { return norm(Vector<Real, 2>{f[0], f[1]}); }
  [[nodiscard]] bool inside(const Force& f) const noexcept {
    const Real friction = tangential(f);
    return f[2] >= Real(0) && (friction == Real(0) || friction <= mu * f[2]);
  }
};

/// One bound per axis: K = {f : f_z ≥ 0, |f_x| ≤ μ_x f_z, |f_y| ≤ μ_y f_z}. It contains the elliptic cone with these μ.
template <class Real = double>
struct BoxCone {
  using Scalar = Real;
  using Force = Vector<Real, 3>;
  using Params = BoxCone;
  Real mu_x, mu_y;  // [-], ≥ 0

  static constexpr std::optional<Problem> check(const Params& cone) noexcept {
    constexpr std::array<Field<BoxCone, Real>, 2> fields{
        {{"mu_x", &BoxCone::mu_x, "-", non_negative, required, "coefficient of friction along x"},
         {"mu_y", &BoxCone::mu_y, "-", non_negative, required, "coefficient of friction along y"}}};
    return first_problem(cone, fields);
  }
#if defined(__cpp_exceptions)
  static BoxCone make(const Params& params) { return checked<BoxCone>(params); }
#endif

  /// Whether f is in the cone, or within the Euclidean distance `tolerance` [N] of it.
  [[nodiscard]] bool contains(const Force& f, Real tolerance = Real(0)) const noexcept {
    return inside(f) || (tolerance > Real(0) && margin(f) >= -tolerance);
  }

  /// Distance to the boundary [N]: positive inside, where it is the smallest (μ_i f_z − |f_i|)/√(1 + μ_i²); negative
  /// outside, where it is −|f − P(f)|.
  [[nodiscard]] Real margin(const Force& f) const noexcept {
    using std::abs;
    using std::sqrt;
    if (!inside(f)) {
      return -norm(difference(f, project(f)));
    }
    const Real to_x = (mu_x * f[2] - abs(f[0])) / sqrt(Real(1) + mu_x * mu_x);
    const Real to_y = (mu_y * f[2] - abs(f[1])) / sqrt(Real(1) + mu_y * mu_y);
    return to_x < to_y ? to_x : to_y;
  }

  /// Projection, the nearest force in the cone, in closed form.
  [[nodiscard]] Force project(const Force& f) const noexcept {
    const Real height = detail::box_height(f[2], Vector<Real, 2>{f[0], f[1]}, Vector<Real, 2>{mu_x, mu_y});
    return {detail::into(f[0], mu_x * height), detail::into(f[1], mu_y * height), height};
  }

  /// Weighted projection: the force in the cone that minimises Σ w_i (x_i − f_i)², w_i > 0, by projection onto another
  /// box cone.
  [[nodiscard]] Force project(const Force& f, const Force& weights) const noexcept {
    using std::sqrt;
    const Real x = sqrt(weights[0] / weights[2]);
    const Real y = sqrt(weights[1] / weights[2]);
    const Force stretched = BoxCone{mu_x * x, mu_y * y}.project({x * f[0], y * f[1], f[2]});
    return {stretched[0] / x, stretched[1] / y, stretched[2]};
  }

  /// {y : y_z ≥ μ_x |y_x| + μ_y |y_y|}
  [[nodiscard]] Dual<BoxCone> dual() const noexcept { return {*this}; }
  [[nodiscard]] Negative<Dual<BoxCone>> polar() const noexcept { return {dual()}; }
  [[nodiscard]] Force project_polar(const Force& f) const noexcept { return polar().project(f); }

  /// sup d·f over the cone: 0 or infinity.
  [[nodiscard]] Real support(const Force& direction) const noexcept { return cone_support(*this, direction); }
  /// sup d·f over the part of the cone with f_z ≤ normal: normal (d_z + μ_x |d_x| + μ_y |d_y|)₊
  [[nodiscard]] Real section_support(const Force& direction, Real normal) const noexcept {
    const Real height = direction[2] + friction_support(direction, Real(1));
    return normal * (height < Real(0) ? Real(0) : height);
  }
  /// sup d·f over the friction rectangle for a given normal force (d_z does not matter).
  [[nodiscard]] Real friction_support(const Force& direction, Real normal) const noexcept {
    using std::abs;
    return normal * (mu_x * abs(direction[0]) + mu_y * abs(direction[1]));
  }

  static constexpr std::size_t edge_count() noexcept { return 4; }
  /// (±μ_x, ±μ_y, 1), anticlockwise from the first quadrant.
  [[nodiscard]] Force edge(std::size_t i) const noexcept {
    return {i == 0 || i == 3 ? mu_x : -mu_x, i < 2 ? mu_y : -mu_y, Real(1)};
  }
  /// Outward unit normal of the half space n·f ≤ 0 of a face: +x, +y, −x, −y.
  /// If both μ are 0, the faces alone admit the whole z axis: f_z ≥ 0 must be required as well.
  [[nodiscard]] Force half_space(std::size_t i) const noexcept {
    using std::sqrt;
    const Real mu = i % 2 == 0 ? mu_x : mu_y;
    const Real along = (i < 2 ? Real(1) : Real(-1)) / sqrt(Real(1) + mu * mu);
    const Real down = -mu / sqrt(Real(1) + mu * mu);
    return i % 2 == 0 ? Force{along, Real(0), down} : Force{Real(0), along, down};
  }

 private:
  [[nodiscard]] bool inside(const Force& f) const noexcept {
    using std::abs;
    return f[2] >= Real(0) && abs(f[0]) <= mu_x * f[2] && abs(f[1]) <= mu_y * f[2];
  }
};

}  // namespace stiction::spatial
