// The elliptic friction cone of one contact, with a coefficient for each direction.
#pragma once

#include <type_traits>

#include "stiction/math.h"
#include "stiction/spatial/cone_algebra.h"
#include "stiction/spatial/five_directions.h"

namespace stiction::spatial {

///   K = {f ∈ R^N : f_1 ≥ 0, f_1² ≥ Σ f_{i+1}²/μ_i²}      i = 1 … N − 1
/// The normal force comes FIRST, as in MuJoCo: N = 1 frictionless, 3 sliding, 4 also torsion, 6 also rolling.
/// Coefficients of torsion and rolling are lengths [m], and f_4 … f_6 are torques. μ_i = 0 fixes f_{i+1} at 0. The dual
/// cone has the coefficients 1/μ_i; μ_i = ∞ leaves f_{i+1} unbounded.
template <std::size_t N, class Real = double>
struct EllipticCone {
  static_assert(N >= 1);
  using Scalar = Real;
  using Force = Vector<Real, N>;
  using Params = EllipticCone;
  Vector<Real, N - 1> mu{};  // [-] or [m], ≥ 0

  static constexpr std::optional<Problem> check(const Params& cone) noexcept {
    for (const Real& x : cone.mu) {
      if (!non_negative.holds(x)) {
        return Problem{"mu", plain(x), non_negative.text};
      }
    }
    return std::nullopt;
  }
#if defined(__cpp_exceptions)
  static EllipticCone make(const Params& params) { return checked<EllipticCone>(params); }
#endif

  /// Whether f is in the cone, or within the Euclidean distance `tolerance` [N] of it.
  [[nodiscard]] bool contains(const Force& f, Real tolerance = Real(0)) const noexcept {
    return inside(f) || (tolerance > Real(0) && margin(f) >= -tolerance);
  }

  /// Distance to the boundary [N]: positive inside, negative outside, where it is −|f − P(f)|.
  [[nodiscard]] Real margin(const Force& f) const noexcept {
    return inside(f) ? depth(f) : -norm(difference(f, project(f)));
  }

  /// Projection, the nearest force in the cone. With x_1 = f_1 + ν for f_1 > 0 and x_1 = ν otherwise, the nearest point
  /// has
  ///   x_{i+1} = f_{i+1} sin²α_i x_1/(ν + k_i)      tan α_i = μ_i
  ///   k_i = sin²α_i f_1 for f_1 > 0,  −cos²α_i f_1 otherwise
  /// and ν ≥ 0 is the root of Σ (sin α_i cos α_i f_{i+1}/(ν + k_i))² = 1, or 0 if the sum is below 1 there.
  [[nodiscard]] Force project(const Force& f) const noexcept {
#if defined(__GNUC__)
    if constexpr (N == 6 && std::is_same_v<Real, double>) {
      if (const FiveDirections all(mu, f); all.moderate()) {
        return all.nearest();
      }
    }
#endif
    if (inside(f)) {
      return f;
    }
    const bool pressed = f[0] > Real(0);
    const Axes axes = axes_of(f, pressed);
    const Real nu = root(axes, Real(0));
    const Real normal = (pressed ? f[0] : Real(0)) + nu;
    Force x{normal};
    for (std::size_t i = 0; i + 1 < N; ++i) {
      x[i + 1] = mu[i] < unlimited ? f[i + 1] * (axes.sine2[i] * normal / (nu + axes.k[i])) : f[i + 1];
    }
    return x;
  }

  /// Weighted projection: the force in the cone that minimises Σ w_i (x_i − f_i)², w_i > 0. In y_i = √w_i x_i that is
  /// the projection onto the cone with μ_i √(w_{i+1}/w_1).
  [[nodiscard]] Force project(const Force& f, const Force& weights) const noexcept {
    using std::sqrt;
    EllipticCone stretched;
    Force root_of_weight{};
    Force y{};
    for (std::size_t i = 0; i < N; ++i) {
      root_of_weight[i] = sqrt(weights[i] / weights[0]);
      y[i] = root_of_weight[i] * f[i];
    }
    for (std::size_t i = 0; i + 1 < N; ++i) {
      stretched.mu[i] = mu[i] * root_of_weight[i + 1];
    }
    Force x = stretched.project(y);
    for (std::size_t i = 0; i < N; ++i) {
      x[i] /= root_of_weight[i];
    }
    return x;
  }

  /// {y : y_1 ≥ √Σ (μ_i y_{i+1})²}
  [[nodiscard]] EllipticCone dual() const noexcept {
    EllipticCone other;
    for (std::size_t i = 0; i + 1 < N; ++i) {
      other.mu[i] = Real(1) / mu[i];
    }
    return other;
  }
  [[nodiscard]] Negative<EllipticCone> polar() const noexcept { return {dual()}; }
  [[nodiscard]] Force project_polar(const Force& f) const noexcept { return polar().project(f); }

  /// sup d·f over the cone: 0 or infinity.
  [[nodiscard]] Real support(const Force& direction) const noexcept { return cone_support(*this, direction); }
  /// sup d·f over the part of the cone with f_1 ≤ normal: normal (d_1 + √Σ (μ_i d_{i+1})²)₊
  [[nodiscard]] Real section_support(const Force& direction, Real normal) const noexcept {
    const Real height = direction[0] + friction_support(direction, Real(1));
    return normal * (height < Real(0) ? Real(0) : height);
  }
  /// sup d·f over the friction that a normal force allows (d_1 does not matter): normal √Σ (μ_i d_{i+1})²
  [[nodiscard]] Real friction_support(const Force& direction, Real normal) const noexcept {
    Vector<Real, N> scaled_direction{};
    for (std::size_t i = 0; i + 1 < N; ++i) {
      scaled_direction[i + 1] = mu[i] * direction[i + 1];
    }
    return normal * norm(scaled_direction);
  }

 private:
  /// A coefficient of at least this size marks an unbounded direction; its square is finite.
  static constexpr Real unlimited =
      Real(1) / (std::numeric_limits<Real>::epsilon() * std::numeric_limits<Real>::epsilon() *
                 std::numeric_limits<Real>::epsilon());
  struct Axes {
    Vector<Real, N - 1> sine2{}, cosine2{};  // of α
    Vector<Real, N - 1> k{};                 // ∞ where there is no pull, which makes the term 0
    Vector<Real, N - 1> pull{};              // |sin α cos α f|
    Real zero{};                             // 0, or NaN for a normal force that is not finite
  };

  [[nodiscard]] bool inside(const Force& f) const noexcept {
    using std::abs;
    if (!(f[0] >= Real(0))) {
      return false;
    }
    for (std::size_t i = 0; i + 1 < N; ++i) {
      if (abs(f[i + 1]) > mu[i] * f[0]) {
        return false;  // cheap test that rejects most forces outside
      }
    }
    Force ratio{};
    for (std::size_t i = 0; i + 1 < N; ++i) {
      ratio[i + 1] = f[i + 1] == Real(0) ? Real(0) : f[i + 1] / mu[i];
    }
    return norm(ratio) <= f[0];
  }

  [[nodiscard]] Axes axes_of(const Force& f, bool pressed) const noexcept {
    using std::abs;
    Axes axes;
    axes.zero = Real(0) * f[0];
    for (std::size_t i = 0; i + 1 < N; ++i) {
      const Real m = mu[i] < unlimited ? mu[i] : unlimited;
      axes.cosine2[i] = Real(1) / (Real(1) + m * m);
      axes.sine2[i] = m * m * axes.cosine2[i];
      axes.pull[i] = mu[i] < unlimited ? m * axes.cosine2[i] * abs(f[i + 1]) : Real(0);
      const Real k = pressed ? axes.sine2[i] * f[0] : -axes.cosine2[i] * f[0];
      axes.k[i] = axes.pull[i] == Real(0) ? std::numeric_limits<Real>::infinity() : k;
    }
    return axes;
  }

  /// The root ν ≥ min_root of Σ (pull_i/(ν + k_i))² = 1, or `min_root` if the sum is below 1 there. Newton's method on
  /// (Σ …)^−½, which is concave and increasing: from below it cannot overshoot the root.
  static Real root(const Axes& axes, Real min_root) noexcept {
    using std::sqrt;
    Real nu = min_root;
    for (std::size_t i = 0; i + 1 < N; ++i) {
      const Real alone = axes.pull[i] - axes.k[i];  // the root if there were no other direction
      nu = alone > nu ? alone : nu;
    }
    // Convergence is quadratic: one step from a sum this close to 1 reaches the root.
    const Real close = sqrt(std::numeric_limits<Real>::epsilon()) / Real(8);
    for (int iteration = 0; iteration < 50; ++iteration) {
      Real squares = axes.zero;
      Real slope = Real(0);
      for (std::size_t i = 0; i + 1 < N; ++i) {
        const Real inverse = Real(1) / (nu + axes.k[i]);
        const Real share = axes.pull[i] * inverse;
        squares += share * share;
        slope += share * share * inverse;
      }
      if (!(squares > Real(1))) {
        return is_nan(squares) ? squares : nu;
      }
      // −G/G' for G = (Σ …)^−½ − 1
      nu += squares / slope * (sqrt(squares) - Real(1));
      if (squares - Real(1) < close) {
        break;
      }
    }
    return nu;
  }

  /// For f inside, the nearest boundary point solves the same equation with ν in [−min k_i, 0]. With
  /// t_i = pull_i/(ν + k_i), Σ t_i² = 1, the plane tangent to the cone there is at the distance
  ///   (f_1 − Σ t_i |f_{i+1}|/μ_i)/√(1 + Σ t_i²/μ_i²)
  /// The direction with the smallest μ gets t² = 1 − Σ (others): even with no force along it, the boundary may be
  /// nearest there.
  [[nodiscard]] Real depth(const Force& f) const noexcept {
    using std::abs;
    using std::sqrt;
    if constexpr (N == 1) {
      return f[0];
    } else {
      Axes axes = axes_of(f, true);
      std::size_t narrowest = 0;
      for (std::size_t i = 0; i + 1 < N; ++i) {
        narrowest = axes.sine2[i] < axes.sine2[narrowest] ? i : narrowest;
        if (axes.pull[i] < std::numeric_limits<Real>::epsilon() * axes.k[i]) {
          axes.pull[i] = Real(0);  // negligible against k: pull − k would round to a pole
          axes.k[i] = std::numeric_limits<Real>::infinity();
        }
      }
      if (axes.sine2[narrowest] == Real(0)) {
        return Real(0);  // the cone is flat: it has no interior
      }
      const Real nu = root(axes, -axes.sine2[narrowest] * f[0]);
      Vector<Real, N - 1> share{};
      Real others = Real(0);
      for (std::size_t i = 0; i + 1 < N; ++i) {
        share[i] = i == narrowest ? Real(0) : axes.pull[i] / (nu + axes.k[i]);
        others += share[i] * share[i];
      }
      share[narrowest] = others < Real(1) ? sqrt(Real(1) - others) : Real(0);
      const Real scale = others < Real(1) ? Real(1) : sqrt(others);
      Real reach = f[0];
      Real length = Real(1);
      for (std::size_t i = 0; i + 1 < N; ++i) {
        const Real slope = share[i] / scale / mu[i];
        reach -= slope * abs(f[i + 1]);
        length += slope * slope;
      }
      return reach / sqrt(length);
    }
  }
};

}  // namespace stiction::spatial
