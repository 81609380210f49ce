// Pyramidal approximations of the circular cone: n flat sides, inscribed or circumscribed.
#pragma once

#include "stiction/spatial/cones.h"

namespace stiction::spatial {

enum class Fit {
  inscribed,      // the edges lie on the circular cone: friction is understated, at worst by the factor cos(π/n)
  circumscribed,  // the sides touch the circular cone: friction is overstated, at worst by the factor 1/cos(π/n)
};

/// Friction of an n-sided pyramid over that of the circular cone in the direction where they differ most.
template <class Real = double>
[[nodiscard]] Real worst_friction_ratio(std::size_t sides, Fit fit) noexcept {
  using std::cos;
  const Real ratio = cos(std::numbers::pi_v<Real> / static_cast<Real>(sides));
  return fit == Fit::inscribed ? ratio : Real(1) / ratio;
}

/// n sides about the z axis. Edges at the angles 2πj/n, sides at θ_j = (2j + 1)π/n:
///   K = {f : f_x cos θ_j + f_y sin θ_j ≤ m f_z}      m = μ cos(π/n) inscribed, μ circumscribed
/// The inscribed one with four sides is the notes' pos{(μ,0,1), (0,μ,1), (−μ,0,1), (0,−μ,1)}.
template <class Real = double>
class Pyramid {
 public:
  using Scalar = Real;
  using Force = Vector<Real, 3>;
  static constexpr std::size_t max_sides = 64;

  struct Params {
    Real mu;            // of the circular cone [-], ≥ 0
    std::size_t sides;  // 3 to 64
    Fit fit = Fit::inscribed;
  };

  static constexpr std::optional<Problem> check(const Params& params) noexcept {
    if (!non_negative.holds(params.mu)) {
      return Problem{"mu", plain(params.mu), non_negative.text};
    }
    if (params.sides < 3 || params.sides > max_sides) {
      return Problem{"sides", static_cast<double>(params.sides), "from 3 to 64"};
    }
    return std::nullopt;
  }
#if defined(__cpp_exceptions)
  static Pyramid make(const Params& params) { return Pyramid(checked<Pyramid>(params)); }
#endif
  /// For parameters that have been checked.
  explicit Pyramid(const Params& params) noexcept
      : params_(params), side_{std::cos(half_sector()), std::sin(half_sector())} {
    using std::cos;
    using std::sin;
    slope_ = params.fit == Fit::inscribed ? params.mu * side_[0] : params.mu;
    corner_ = slope_ * side_[1] / side_[0];
    std::size_t sectors = 2;  // from the x axis to line 0, which lies at π or beyond
    for (; 2 * sectors < params.sides; sectors *= 2) {
      ++folds_;
    }
    for (std::size_t k = 0; k <= folds_; ++k, sectors /= 2) {
      const Real angle = Real(2) * half_sector() * static_cast<Real>(sectors);
      line_[k] = {cos(angle), sin(angle)};
    }
  }

  [[nodiscard]] const Params& params() const noexcept { return params_; }

  /// Whether f is in the pyramid, or within the Euclidean distance `tolerance` [N] of it.
  [[nodiscard]] bool contains(const Force& f, Real tolerance = Real(0)) const noexcept {
    return margin(f) >= -tolerance;
  }

  /// Distance to the boundary [N]: positive inside, where it is (m f_z − f·side)/√(1 + m²) for the nearest side;
  /// negative outside, where it is −|f − P(f)|.
  [[nodiscard]] Real margin(const Force& f) const noexcept {
    using std::sqrt;
    const Force local = fold(f).force;
    const Real height = slope_ * f[2] - local[0];
    return height >= Real(0) && f[2] >= Real(0) ? height / sqrt(Real(1) + slope_ * slope_)
                                                : -norm(difference(local, into_sector(local)));
  }

  /// Projection, the nearest force in the pyramid. By symmetry it lies in the sector of f, and there it is the
  /// projection onto a box cone: up to m f_z along the side's normal, up to m tan(π/n) f_z across it.
  [[nodiscard]] Force project(const Force& f) const noexcept {
    Folded folded = fold(f);
    folded.force = into_sector(folded.force);
    return unfold(folded);
  }

  /// Weighted projection: the force in the pyramid that minimises Σ w_i (x_i − f_i)², w_i > 0. For w_x = w_y it is the
  /// projection onto another pyramid; otherwise the best of all sides and edges.
  [[nodiscard]] Force project(const Force& f, const Force& weights) const noexcept {
    using std::sqrt;
    if (weights[0] == weights[1]) {
      const Real stretch = sqrt(weights[2] / weights[0]);
      Params params = params_;
      params.mu = params_.mu / stretch;
      const Force x = Pyramid(params).project({f[0], f[1], stretch * f[2]});
      return {x[0], x[1], x[2] / stretch};
    }
    return contains(f) ? f : best_of_sides_and_edges(f, weights);
  }

  /// The cone of all y with y·edge ≥ 0.
  [[nodiscard]] Dual<Pyramid> dual() const noexcept { return {*this}; }
  [[nodiscard]] Negative<Dual<Pyramid>> polar() const noexcept { return {dual()}; }
  [[nodiscard]] Force project_polar(const Force& f) const noexcept { return polar().project(f); }

  /// sup d·f over the pyramid: 0 or infinity.
  [[nodiscard]] Real support(const Force& direction) const noexcept { return cone_support(*this, direction); }
  /// sup d·f over the part of the pyramid with f_z ≤ normal.
  [[nodiscard]] Real section_support(const Force& direction, Real normal) const noexcept {
    const Real height = direction[2] + friction_support(direction, Real(1));
    return normal * (height < Real(0) ? Real(0) : height);
  }
  /// sup d·f over the friction polygon for a given normal force (d_z does not matter): at the corner nearest to d.
  [[nodiscard]] Real friction_support(const Force& direction, Real normal) const noexcept {
    using std::abs;
    const Force local = fold(direction).force;
    return normal * (slope_ * local[0] + corner_ * abs(local[1]));
  }

  [[nodiscard]] std::size_t edge_count() const noexcept { return params_.sides; }
  /// (r cos 2πj/n, r sin 2πj/n, 1), r = m/cos(π/n)
  [[nodiscard]] Force edge(std::size_t j) const noexcept {
    using std::cos;
    using std::sin;
    const Real angle = Real(2) * half_sector() * static_cast<Real>(j);
    const Real radius = slope_ / cos(half_sector());
    return {radius * cos(angle), radius * sin(angle), Real(1)};
  }
  /// Outward unit normal of the half space n·f ≤ 0 of side j: (cos θ_j, sin θ_j, −m)/√(1 + m²).
  /// If μ = 0, the sides alone admit the whole z axis: f_z ≥ 0 must be required as well.
  [[nodiscard]] Force half_space(std::size_t j) const noexcept {
    using std::cos;
    using std::sin;
    using std::sqrt;
    const Real angle = half_sector() * static_cast<Real>(2 * j + 1);
    const Real length = sqrt(Real(1) + slope_ * slope_);
    return {cos(angle) / length, sin(angle) / length, -slope_ / length};
  }

 private:
  [[nodiscard]] Real half_sector() const noexcept {
    return std::numbers::pi_v<Real> / static_cast<Real>(params_.sides);
  }

  /// A force reflected into the sector of side 0, with x along the side's normal. Bit k: reflection k was applied.
  struct Folded {
    Force force;
    unsigned mirrored;
  };
  /// The pyramid is symmetric about the lines at 2π/n · 2^k and about the x axis. Reflections across these halve the
  /// range of angles again and again, from [0, π] to [0, 2π/n], without trigonometric functions.
  [[nodiscard]] Folded fold(const Force& f) const noexcept {
    Real x = f[0];
    Real y = f[1] < Real(0) ? -f[1] : f[1];
    unsigned mirrored = f[1] < Real(0) ? 1U << max_folds : 0U;
    for (std::size_t k = 1; k <= folds_; ++k) {
      if (line_[k][0] * y - line_[k][1] * x > Real(0)) {
        mirrored |= 1U << k;
        mirror(k, x, y);
      }
    }
    return {{side_[0] * x + side_[1] * y, side_[0] * y - side_[1] * x, f[2]}, mirrored};
  }
  [[nodiscard]] Force unfold(const Folded& folded) const noexcept {
    const Force& f = folded.force;
    Real x = side_[0] * f[0] - side_[1] * f[1];
    Real y = side_[1] * f[0] + side_[0] * f[1];
    for (std::size_t k = folds_; k > 0; --k) {
      if ((folded.mirrored >> k & 1U) != 0) {
        mirror(k, x, y);
      }
    }
    return {x, (folded.mirrored >> max_folds & 1U) != 0 ? -y : y, f[2]};
  }
  /// Reflection across line k, at the angle β: (x, y) to (x cos 2β + y sin 2β, x sin 2β − y cos 2β). 2β is the angle of
  /// line k − 1.
  void mirror(std::size_t k, Real& x, Real& y) const noexcept {
    const auto [cosine, sine] = line_[k - 1];
    const Real along = x * cosine + y * sine;
    y = x * sine - y * cosine;
    x = along;
  }
  [[nodiscard]] Force into_sector(const Force& local) const noexcept {
    return BoxCone<Real>{slope_, corner_}.project(local);
  }

  /// The best projection of f onto a side, if it lies between the side's edges, or onto an edge; otherwise the apex.
  [[nodiscard]] Force best_of_sides_and_edges(const Force& f, const Force& w) const noexcept {
    using std::abs;
    const auto distance = [&](const Force& x) {
      const Force d = difference(x, f);
      return dot(d, Force{w[0] * d[0], w[1] * d[1], w[2] * d[2]});
    };
    Force best{};
    const auto consider = [&](const Force& x) { best = distance(x) <= distance(best) ? x : best; };
    if (is_nan(norm(f))) {
      return f;
    }
    const Vector<Real, 2> turn = line_[folds_];
    const Real radius = slope_ / side_[0];
    Vector<Real, 2> at{Real(1), Real(0)};
    for (std::size_t j = 0; j < params_.sides; ++j) {
      // projection onto the ray along e: max(0, fᵀWe/eᵀWe) e
      const Force e{radius * at[0], radius * at[1], Real(1)};
      const Force we{w[0] * e[0], w[1] * e[1], w[2] * e[2]};
      const Real along = dot(f, we) / dot(e, we);
      consider(scaled(along < Real(0) ? Real(0) : along, e));
      // projection onto the side n·x = 0, if it lies between the side's edges: f − W⁻¹n (n·f)/(nᵀW⁻¹n)
      const Vector<Real, 2> out{at[0] * side_[0] - at[1] * side_[1], at[1] * side_[0] + at[0] * side_[1]};
      const Force n{out[0], out[1], -slope_};
      const Force wn{n[0] / w[0], n[1] / w[1], n[2] / w[2]};
      const Force foot = difference(f, scaled(dot(n, f) / dot(n, wn), wn));
      if (foot[2] >= Real(0) && abs(out[0] * foot[1] - out[1] * foot[0]) <= corner_ * foot[2]) {
        consider(foot);
      }
      at = {at[0] * turn[0] - at[1] * turn[1], at[1] * turn[0] + at[0] * turn[1]};
    }
    return best;
  }

  static constexpr std::size_t max_folds = 6;  // 64 sides

  Params params_;
  Real slope_;                                         // m
  Real corner_;                                        // half the length of a side of the polygon at f_z = 1
  Vector<Real, 2> side_;                               // direction of side 0
  std::size_t folds_ = 1;                              // reflections besides that at the x axis
  std::array<Vector<Real, 2>, max_folds + 1> line_{};  // directions at 2π/n · 2^(folds − k): the last is edge 1
};

}  // namespace stiction::spatial
