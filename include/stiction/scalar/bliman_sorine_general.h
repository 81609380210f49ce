// The general form of Bliman and Sorine's models: any stable linear system in the distance covered.
#pragma once

#include <cmath>
#include <utility>

#include "stiction/scalar/coupled.h"
#include "stiction/small_matrix.h"

namespace stiction::scalar {

inline constexpr std::size_t max_bliman_sorine_order = 4;

template <class Real>
struct BlimanSorineParams {
  using Numbers = List<Real, max_bliman_sorine_order * max_bliman_sorine_order>;
  Numbers a{};     // A [1/m], n × n, row by row, eigenvalues in the left half-plane
  Numbers b{};     // B [N/m], n numbers
  Numbers c{};     // C [-], n numbers
  Real viscous{};  // F_v [N s/m], ≥ 0
};

/// Bliman and Sorine's general form (Olsson et al. 1998, eq. 15), a linear system in the distance s = ∫|v| dt, driven
/// by the direction of motion.
///   dx/ds = A x + B sgn v,   F = C x + F_v v        so  dx/dt = |v| A x + B v
/// After sliding for long F = −C A⁻¹ B sgn v + F_v v (eq. 23).
template <class Real>
struct BasicBlimanSorine : ImplicitModel<BasicBlimanSorine<Real>, BlimanSorineParams<Real>, Real> {
  using Base = ImplicitModel<BasicBlimanSorine<Real>, BlimanSorineParams<Real>, Real>;
  using typename Base::Params;
  static constexpr std::size_t order = max_bliman_sorine_order;
  struct State {
    std::array<Real, order> x{};  // [N], the first n are in use
    friend constexpr bool operator==(const State&, const State&) = default;
  };
  using Matrix = SmallMatrix<Real, order>;

  static constexpr Info info{"bliman-sorine", "Bliman and Sorine, general form of order 1 to 4",
                             "dx/dt = |v| A x + B v,  F = C x + F_v v", "Olsson et al. 1998, eq. 15"};
  static constexpr std::array<Field<Params, Real>, 1> fields{{
      {"viscous", &Params::viscous, "N s/m", size_or_zero, 0.0, "F_v, viscous coefficient"},
  }};
  static constexpr std::array<ListField<Params, Real, order * order>, 3> lists{{
      {"a", &Params::a, "1/m", signed_size, "n x n numbers, row by row, n from 1 to 4", "A, all eigenvalues stable"},
      {"b", &Params::b, "N/m", signed_size, "n numbers, n from 1 to 4", "B, how the direction drives the states"},
      {"c", &Params::c, "-", signed_size, "n numbers, as many as b", "C, how the states make the force"},
  }};
  static constexpr std::array<const char*, order> state_names{"x1", "x2", "x3", "x4"};

  Matrix a;                           // A
  std::array<Real, order> settled{};  // −A⁻¹ B: the states after sliding forwards for long

  static std::optional<Problem> problem(const Params& p) noexcept {
    if (p.b.size > order) {
      return Problem{"b", static_cast<double>(p.b.size), "1 to 4 numbers", true};
    }
    if (p.a.size != p.b.size * p.b.size) {
      return Problem{"a", static_cast<double>(p.a.size), "n x n numbers for n numbers in b", true};
    }
    if (auto problem = problem_unlike("c", p.c, p.b, "as many as b")) {
      return problem;
    }
    if (!stable(matrix_of(p))) {
      return Problem{"a", plain(p.a[0]), "a matrix with stable eigenvalues"};
    }
    const Real level = BasicBlimanSorine(p).steady_force();
    return finite.holds(level)
               ? std::nullopt
               : std::optional<Problem>({"a", plain(p.a[0]), "a matrix for which -C A^-1 B is finite", false});
  }

  /// For parameters that `check` has passed.
  explicit BasicBlimanSorine(const Params& p) noexcept : Base(p), a(matrix_of(p)) {
    std::array<Real, order> drive{};
    for (std::size_t i = 0; i < a.size; ++i) {
      drive[i] = -p.b[i];
    }
    settled = a.solved(drive);
  }

  std::size_t states_in_use() const noexcept { return a.size; }
  static constexpr std::array<Real, order> pack(const State& state) noexcept { return state.x; }
  static constexpr State unpack(const std::array<Real, order>& values, const State&) noexcept { return {values}; }

  State rate(State state, Real velocity) const noexcept {
    using std::abs;
    // dx/dt = |v| A x + B v
    State result{a.times(state.x)};
    for (std::size_t i = 0; i < a.size; ++i) {
      result.x[i] = abs(velocity) * result.x[i] + params_.b[i] * velocity;
    }
    return result;
  }
  Real force(State state, Real velocity) const noexcept {
    Real sum = params_.viscous * velocity;
    for (std::size_t i = 0; i < a.size; ++i) {
      sum += params_.c[i] * state.x[i];
    }
    return sum;
  }

  /// Exact for any motion in one direction: x(s) = x_ss + e^(A s) (x − x_ss) with x_ss = −A⁻¹ B sgn v.
  State advance(State state, Real velocity, Real dt) const noexcept {
    using std::abs;
    const Real displacement = velocity * elapsed(dt);
    const Real direction = sgn(displacement);
    if (direction == Real(0)) {
      state.x[0] += displacement;  // a NaN propagates
      return state;
    }
    const Real max_halvings = Real(1e10);
    const Real distance = abs(displacement) * a.norm() < max_halvings ? abs(displacement) : max_halvings / a.norm();
    const Matrix flow = a.mixed(distance, a, Real(0)).exponential();
    for (std::size_t i = 0; i < a.size; ++i) {
      state.x[i] -= direction * settled[i];
    }
    state.x = flow.times(state.x);
    for (std::size_t i = 0; i < a.size; ++i) {
      state.x[i] += direction * settled[i];
    }
    return state;
  }
  /// (I − |w| dt A) x⁺ = x + B w dt
  Solved<State, Real> implicit(State state, Real w, Real dt) const noexcept {
    using std::abs;
    const Real displacement = w * dt;
    for (std::size_t i = 0; i < a.size; ++i) {
      state.x[i] += params_.b[i] * displacement;
    }
    const State next{Matrix::identity(a.size).mixed(Real(1), a, Real(-abs(displacement))).solved(state.x)};
    return {force(next, w), w, next};
  }
  Real root_resolution(State, Real dt) const noexcept { return Real(1) / (a.norm() * dt * Real(256)); }

  /// The states along −A⁻¹ B that carry a load without motion; for larger loads those of steady sliding.
  State at_rest(Real load) const noexcept {
    const Real level = force({settled}, Real(0));
    const Real share =
        level == Real(0) ? Real(0) * load : clip(Real(load / level), Real(-1), Real(1));  // a NaN propagates
    State state{settled};
    for (Real& x : state.x) {
      x = x * share;
    }
    return state;
  }
  State steady_state(Real velocity) const noexcept {
    State state{settled};
    for (Real& x : state.x) {
      x = x * sgn(velocity);
    }
    return state;
  }
  /// F₀ = −C A⁻¹ B (eq. 23) [N]
  Real steady_force() const noexcept { return force({settled}, Real(0)); }

  std::array<Real, order> typical() const noexcept {
    using std::abs;
    std::array<Real, order> sizes{};
    Real largest{};
    for (const Real& x : settled) {
      largest = abs(x) > largest ? abs(x) : largest;
    }
    sizes.fill(largest > Real(0) ? largest : Real(1));
    return sizes;
  }
  Real velocity_scale() const noexcept { return Real(1) / a.norm(); }  // presliding range covered in one second

  /// F v: the power into the contact, part of which it stores [W]. The general form has no storage function in closed
  /// form.
  Real dissipated_power(State state, Real velocity) const noexcept { return force(state, velocity) * velocity; }

  /// Small motions of a mass: k₀ = C B, damped by the viscous term alone.
  Linearised<Real> linearised(Real mass) const noexcept {
    using std::sqrt;
    Real stiffness{};
    for (std::size_t i = 0; i < a.size; ++i) {
      stiffness += params_.c[i] * params_.b[i];
    }
    return {sqrt(stiffness / mass), params_.viscous / (Real(2) * sqrt(mass * stiffness))};
  }

 private:
  using Base::params_;

  static Matrix matrix_of(const Params& p) noexcept {
    Matrix m;
    m.size = p.b.size < order ? p.b.size : order;
    for (std::size_t i = 0; i < m.size; ++i) {
      for (std::size_t j = 0; j < m.size; ++j) {
        m.at[i][j] = p.a[i * m.size + j];
      }
    }
    return m;
  }

  /// All eigenvalues in the left half-plane, by Hurwitz's test of the characteristic polynomial (Faddeev and
  /// LeVerrier):
  ///   λⁿ + c₁ λⁿ⁻¹ + … + cₙ,   M₁ = A, cₖ = −tr(Mₖ)/k, Mₖ₊₁ = A (Mₖ + cₖ I)
  static bool stable(const Matrix& a) noexcept {
    const Real norm = a.norm();
    if (!(norm > Real(0))) {
      return false;
    }
    const Matrix scaled = a.mixed(Real(1) / norm, a, Real(0));
    std::array<Real, order + 1> c{};
    c[0] = Real(1);
    Matrix m = scaled;
    for (std::size_t k = 1; k <= a.size; ++k) {
      Real trace{};
      for (std::size_t i = 0; i < a.size; ++i) {
        trace += m.at[i][i];
      }
      c[k] = -trace / Real(static_cast<double>(k));
      if (!(c[k] > Real(0))) {
        return false;
      }
      m = scaled.times(m.mixed(Real(1), Matrix::identity(a.size), c[k]));
    }
    // With all coefficients positive: n = 3 needs c₁c₂ > c₃, n = 4 needs c₁c₂c₃ > c₃² + c₁²c₄.
    const bool third = a.size < 3 || c[1] * c[2] > c[3];
    return third && (a.size < 4 || c[1] * c[2] * c[3] > square(c[3]) + square(c[1]) * c[4]);
  }
};

using BlimanSorine = BasicBlimanSorine<double>;
static_assert(Model<BlimanSorine>);
STICTION_REGISTERED(BlimanSorine);

}  // namespace stiction::scalar
