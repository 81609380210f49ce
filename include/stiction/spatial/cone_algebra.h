// Operations common to all cones: reflection through the origin, and the dual of a polyhedral cone.
//   dual  K* = {y : y·f ≥ 0 for all f in K}          polar  K° = −K*
//   Moreau: f = P_K(f) + P_K°(f), and the two parts are orthogonal
#pragma once

#include "stiction/math.h"
#include "stiction/problem.h"
#include "stiction/vector.h"

namespace stiction::spatial {

/// −K. The polar of a cone is the Negative of its dual.
template <class Cone>
struct Negative {
  using Real = typename Cone::Scalar;
  using Scalar = Real;
  using Force = typename Cone::Force;
  Cone cone;

  [[nodiscard]] bool contains(const Force& f, Real tolerance = Real(0)) const noexcept {
    return cone.contains(negative(f), tolerance);
  }
  [[nodiscard]] Real margin(const Force& f) const noexcept { return cone.margin(negative(f)); }
  [[nodiscard]] Force project(const Force& f) const noexcept { return negative(cone.project(negative(f))); }
  /// (−K)* = −(K*)
  [[nodiscard]] auto dual() const noexcept { return Negative<decltype(cone.dual())>{cone.dual()}; }
  /// (−K)° = K*
  [[nodiscard]] auto polar() const noexcept { return cone.dual(); }
  [[nodiscard]] Force project_polar(const Force& f) const noexcept { return polar().project(f); }
};

/// K* of a polyhedral cone K: the edges of K are the inward normals of the faces of K*.
template <class Cone>
struct Dual {
  using Real = typename Cone::Scalar;
  using Scalar = Real;
  using Force = typename Cone::Force;
  Cone cone;  // K

  [[nodiscard]] bool contains(const Force& f, Real tolerance = Real(0)) const noexcept {
    return margin(f) >= -tolerance;
  }
  /// Distance to the boundary, negative outside.
  [[nodiscard]] Real margin(const Force& f) const noexcept {
    Real nearest = std::numeric_limits<Real>::infinity();
    for (std::size_t i = 0; i < cone.edge_count(); ++i) {
      const Force edge = cone.edge(i);
      // e·f/|e| ≥ 0 for every edge e of K
      const Real distance = dot(edge, f) / norm(edge);
      nearest = distance < nearest || is_nan(distance) ? distance : nearest;
    }
    return nearest < Real(0) ? -norm(cone.project(negative(f))) : nearest;
  }
  /// P_K*(f) = f + P_K(−f)
  [[nodiscard]] Force project(const Force& f) const noexcept { return sum(f, cone.project(negative(f))); }
  [[nodiscard]] const Cone& dual() const noexcept { return cone; }
  /// (K*)° = −K
  [[nodiscard]] Negative<Cone> polar() const noexcept { return {cone}; }
  [[nodiscard]] Force project_polar(const Force& f) const noexcept { return polar().project(f); }
};

/// sup of d·f over a whole cone: 0 where d lies in its polar, infinite elsewhere; a NaN propagates.
template <class Cone>
[[nodiscard]] typename Cone::Scalar cone_support(const Cone& cone, const typename Cone::Force& direction) noexcept {
  const auto outside = cone.section_support(direction, typename Cone::Scalar(1));
  return outside > 0 ? std::numeric_limits<typename Cone::Scalar>::infinity() : outside;
}

namespace detail {

/// The normal component s ≥ 0 of the projection of (normal, tangential) onto |x_i| ≤ μ_i s, the root of
///   s − normal = Σ μ_i (|tangential_i| − μ_i s)₊
/// Each active set A gives s_A = (normal + Σ_A μ_i |tangential_i|)/(1 + Σ_A μ_i²), and the root is the largest of
/// these. As s increases the active set can only shrink: at most N + 1 iterations.
template <class Real, std::size_t N>
Real box_height(const Real& normal, const Vector<Real, N>& tangential, const Vector<Real, N>& mu) noexcept {
  using std::abs;
  Real height = normal < Real(0) ? Real(0) : normal;
  for (std::size_t round = 0; round <= N; ++round) {
    Real load = normal;
    Real stiffness = Real(1);
    for (std::size_t i = 0; i < N; ++i) {
      const bool held = abs(tangential[i]) > mu[i] * height;
      load += held ? mu[i] * abs(tangential[i]) : Real(0);
      stiffness += held ? mu[i] * mu[i] : Real(0);
    }
    const Real next = load / stiffness;
    if (!(next > height)) {
      break;
    }
    height = next;
  }
  return height;
}

/// x clamped to [−limit, limit]; a NaN propagates.
template <class Real>
constexpr Real into(const Real& x, const Real& limit) noexcept {
  return x > limit ? limit : x < -limit ? -limit : x;
}

}  // namespace detail
}  // namespace stiction::spatial
