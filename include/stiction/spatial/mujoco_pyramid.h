// MuJoCo's pyramidal contact: non-negative coefficients of the edges n ± μ t instead of a force.
#pragma once

#include "stiction/spatial/elliptic_cone.h"

namespace stiction::spatial {

///   K = {Σ λ_i⁺ (e_1 + μ_i e_{i+1}) + λ_i⁻ (e_1 − μ_i e_{i+1}) : λ ≥ 0} = {f : Σ |f_{i+1}|/μ_i ≤ f_1}
/// The normal force comes first. N = 1, 3, 4, 6 takes 1, 4, 6, 10 coefficients. The pyramid is inscribed in the
/// elliptic cone with the same μ and touches it along the edges.
template <std::size_t N, class Real = double>
struct MujocoPyramid {
  static_assert(N >= 1);
  static constexpr std::size_t coefficients = N == 1 ? 1 : 2 * (N - 1);
  using Scalar = Real;
  using Force = Vector<Real, N>;
  using Coefficients = Vector<Real, coefficients>;
  using Params = MujocoPyramid;
  Vector<Real, N - 1> mu{};  // [-] or [m], > 0

  static constexpr std::optional<Problem> check(const Params& cone) noexcept {
    for (const Real& x : cone.mu) {
      if (!positive.holds(x)) {
        return Problem{"mu", plain(x), positive.text};
      }
    }
    return std::nullopt;
  }
#if defined(__cpp_exceptions)
  static MujocoPyramid make(const Params& params) { return checked<MujocoPyramid>(params); }
#endif

  /// f_1 = Σ λ, f_{i+1} = μ_i (λ_i⁺ − λ_i⁻). The order is λ_1⁺, λ_1⁻, λ_2⁺, …
  [[nodiscard]] Force decode(const Coefficients& lambda) const noexcept {
    Force f{};
    for (const Real& x : lambda) {
      f[0] += x;
    }
    for (std::size_t i = 0; i + 1 < N; ++i) {
      f[i + 1] = mu[i] * (lambda[2 * i] - lambda[2 * i + 1]);
    }
    return f;
  }

  /// Coefficients as MuJoCo chooses them: each pair gets an equal share f_1/(N − 1). `decode` therefore recovers only
  /// forces with |f_{i+1}| ≤ μ_i f_1/(N − 1). Above that range f_{i+1} is clipped; below it λ_i⁺ becomes negative.
  ///   a = f_1/(N − 1)      b_i = min(a, f_{i+1}/μ_i)      λ_i^± = (a ± b_i)/2
  [[nodiscard]] Coefficients encode(const Force& f) const noexcept {
    Coefficients lambda{};
    if constexpr (N == 1) {
      lambda[0] = f[0];
    } else {
      const Real a = f[0] / static_cast<Real>(N - 1);
      for (std::size_t i = 0; i + 1 < N; ++i) {
        const Real ratio = f[i + 1] / mu[i];
        const Real b = ratio > a ? a : ratio;
        lambda[2 * i] = (a + b) / Real(2);
        lambda[2 * i + 1] = (a - b) / Real(2);
      }
    }
    return lambda;
  }

  /// Coefficients ≥ 0 for every force in the pyramid: each pair gets the required |f_{i+1}|/μ_i and an equal share of
  /// the rest of f_1. A force outside has negative coefficients; `decode` recovers every force.
  [[nodiscard]] Coefficients encode_exactly(const Force& f) const noexcept {
    using std::abs;
    Coefficients lambda{};
    const Real share = slack(f) / static_cast<Real>(coefficients);
    for (Real& x : lambda) {
      x = share;
    }
    for (std::size_t i = 0; i + 1 < N; ++i) {
      lambda[2 * i + (f[i + 1] < Real(0) ? 1 : 0)] += abs(f[i + 1]) / mu[i];
    }
    return lambda;
  }

  /// Whether f is in the pyramid, or within the Euclidean distance `tolerance` [N] of it.
  [[nodiscard]] bool contains(const Force& f, Real tolerance = Real(0)) const noexcept {
    return slack(f) >= Real(0) || (tolerance > Real(0) && margin(f) >= -tolerance);
  }

  /// Distance to the boundary [N]: positive inside, where it is (f_1 − Σ |f_{i+1}|/μ_i)/√(1 + Σ 1/μ_i²); negative
  /// outside, where it is −|f − P(f)|.
  [[nodiscard]] Real margin(const Force& f) const noexcept {
    using std::sqrt;
    const Real height = slack(f);
    if (!(height >= Real(0))) {
      return -norm(difference(f, project(f)));
    }
    Real square = Real(1);
    for (const Real& x : mu) {
      square += Real(1) / (x * x);
    }
    return height / sqrt(square);
  }

  /// Projection, the nearest force in the pyramid. The dual {y : |y_{i+1}| ≤ y_1/μ_i} is a box cone; with P the
  /// projection onto that:
  ///   x = f + P(−f)
  [[nodiscard]] Force project(const Force& f) const noexcept {
    if (slack(f) >= Real(0)) {
      return f;
    }
    Vector<Real, N - 1> limit{};
    Vector<Real, N - 1> tangential{};
    for (std::size_t i = 0; i + 1 < N; ++i) {
      limit[i] = Real(1) / mu[i];
      tangential[i] = f[i + 1];
    }
    const Real height = detail::box_height(-f[0], tangential, limit);
    Force x = f;
    x[0] += height;
    for (std::size_t i = 0; i + 1 < N; ++i) {
      x[i + 1] -= detail::into(f[i + 1], limit[i] * height);
    }
    return x;
  }

  static constexpr std::size_t edge_count() noexcept { return coefficients; }
  /// e_1 ± μ_i e_{i+1} in the order of the coefficients.
  [[nodiscard]] Force edge(std::size_t j) const noexcept {
    Force e{};
    e[0] = Real(1);
    if constexpr (N > 1) {
      e[1 + j / 2] = j % 2 == 0 ? mu[j / 2] : -mu[j / 2];
    }
    return e;
  }
  [[nodiscard]] Dual<MujocoPyramid> dual() const noexcept { return {*this}; }
  [[nodiscard]] Negative<Dual<MujocoPyramid>> polar() const noexcept { return {dual()}; }
  [[nodiscard]] Force project_polar(const Force& f) const noexcept { return polar().project(f); }

  /// sup d·f over the pyramid: 0 or infinity.
  [[nodiscard]] Real support(const Force& direction) const noexcept { return cone_support(*this, direction); }
  /// sup d·f over the part with f_1 ≤ normal: normal (d_1 + max μ_i |d_{i+1}|)₊
  [[nodiscard]] Real section_support(const Force& direction, Real normal) const noexcept {
    const Real height = direction[0] + friction_support(direction, Real(1));
    return normal * (height < Real(0) ? Real(0) : height);
  }
  /// sup d·f over the friction for a given normal force (d_1 does not matter).
  [[nodiscard]] Real friction_support(const Force& direction, Real normal) const noexcept {
    using std::abs;
    Real max_work = Real(0);
    for (std::size_t i = 0; i + 1 < N; ++i) {
      const Real work = mu[i] * abs(direction[i + 1]);
      max_work = work > max_work || is_nan(work) ? work : max_work;
    }
    return normal * max_work;
  }

 private:
  /// f_1 − Σ |f_{i+1}|/μ_i
  [[nodiscard]] Real slack(const Force& f) const noexcept {
    using std::abs;
    Real result = f[0];
    for (std::size_t i = 0; i + 1 < N; ++i) {
      result -= abs(f[i + 1]) / mu[i];
    }
    return result;
  }
};

}  // namespace stiction::spatial
