// Dahl's model: friction as a stress-strain curve of the displacement, with hysteresis and without stiction.
#pragma once

#include <cmath>
#include <limits>

#include "stiction/scalar/coupled.h"

namespace stiction::scalar {

template <class Real>
struct DahlParams {
  Real stiffness{};      // σ [N/m], > 0
  Real coulomb_force{};  // F_C [N], > 0
  Real exponent{1};      // α [-], in [0.01, 100]
};

/// Dahl friction (Olsson et al. 1998, eqs. 10 and 11), with the sign that keeps it defined everywhere.
///   dF/dt = σ |w|^α sgn(w) v,   w = 1 − (F/F_C) sgn v
/// It depends on the path alone, not on the speed: with s the distance covered in one direction and k = σ s/F_C,
///   α = 1: w = w₀ e^−k        else: w = (w₀^(1−α) + (α − 1) k)^(1/(1−α)), 0 where the bracket is not positive
template <class Real>
struct BasicDahl : ImplicitModel<BasicDahl<Real>, DahlParams<Real>, Real> {
  using Base = ImplicitModel<BasicDahl<Real>, DahlParams<Real>, Real>;
  using Base::Base;
  using typename Base::Params;
  struct State {
    Real force{};  // F [N]; |F| ≤ F_C is an invariant set
    friend constexpr bool operator==(const State&, const State&) = default;
  };

  static constexpr Range exponents{0.01, 100, true, true, "in [0.01, 100]"};
  static constexpr Info info{"dahl", "Dahl friction: presliding with hysteresis, no stiction",
                             "dF/dt = σ |w|^α sgn(w) v,  w = 1 - (F/F_C) sgn v", "Olsson et al. 1998, eqs. 10 and 11"};
  static constexpr std::array<Field<Params, Real>, 3> fields{{
      {"stiffness", &Params::stiffness, "N/m", positive_size, required, "σ, stiffness at F = 0"},
      {"coulomb_force", &Params::coulomb_force, "N", positive_size, required, "F_C, friction after sliding for long"},
      {"exponent", &Params::exponent, "-", exponents, 1.0, "α, shape of the stress-strain curve"},
  }};
  static constexpr std::size_t order = 1;
  static constexpr std::array<const char*, 1> state_names{"force"};

  static constexpr std::array<Real, 1> pack(const State& state) noexcept { return {state.force}; }
  static constexpr State unpack(const std::array<Real, 1>& values, const State&) noexcept { return {values[0]}; }

  State rate(State state, Real velocity) const noexcept {
    using std::abs;
    // dF/dt = σ |w|^α sgn(w) v
    const Real w = distance_to_limit(state, velocity);
    if (params_.exponent < Real(1) && abs(w) < Real(1e-9)) {
      return {Real(0) *
              velocity};  // F_C is reached after a finite distance, with a slope at which solvers would chatter
    }
    return {params_.stiffness * power(Real(abs(w)), params_.exponent) * sgn(w) * velocity};
  }

  Real force(State state, Real velocity) const noexcept {
    return state.force + Real(0) * velocity;  // a NaN velocity propagates
  }

  /// Exact for any motion in one direction; v·dt is the displacement.
  State advance(State state, Real velocity, Real dt) const noexcept {
    return moved(state, velocity * elapsed(dt), [this](Real w, Real k) { return exact_drop(w, k); });
  }

  /// The implicit Euler step at the new velocity: w⁺ + k |w⁺|^α sgn w⁺ = w with k = σ |v⁺| dt/F_C.
  Solved<State, Real> implicit(State state, Real velocity, Real dt) const noexcept {
    const State next = moved(state, velocity * dt, [this](Real w, Real k) { return implicit_drop(w, k); });
    return {next.force, velocity, next};
  }
  /// F increases with the displacement.
  static constexpr bool one_root(Real, Real) noexcept { return true; }
  Real root_resolution(State, Real dt) const noexcept {
    return params_.coulomb_force / (params_.stiffness * dt) / Real(256);
  }

  State at_rest(Real load) const noexcept { return {clip(load, -params_.coulomb_force, params_.coulomb_force)}; }
  std::array<Real, 1> typical() const noexcept { return {params_.coulomb_force}; }
  Real velocity_scale() const noexcept {
    return params_.coulomb_force / params_.stiffness;
  }  // presliding range covered in one second

  /// Elastic energy S = F²/(2 σ), a storage function for every α [J].
  Real energy(State state) const noexcept { return square(state.force) / (Real(2) * params_.stiffness); }
  /// F v − dS/dt = F v (1 − |w|^α sgn w) [W]; never negative, since F v and the bracket change sign together, at w = 1.
  Real dissipated_power(State state, Real velocity) const noexcept {
    return state.force * (velocity - rate(state, velocity).force / params_.stiffness);
  }

  /// Small motions of a mass: ω = √(σ/m), no damping.
  Linearised<Real> linearised(Real mass) const noexcept {
    using std::sqrt;
    return {sqrt(params_.stiffness / mass), Real(0)};
  }

 private:
  using Base::params_;

  /// w = 1 − (F/F_C) sgn v: the distance of F from F_C along the motion, over F_C, from 0 to 2.
  Real distance_to_limit(State state, Real direction) const noexcept {
    return Real(1) - state.force / params_.coulomb_force * sgn(direction);
  }

  /// F after a displacement by which w falls by drop(w, k): F changes by F_C times that.
  template <class Drop>
  State moved(State state, Real displacement, const Drop& drop) const noexcept {
    using std::abs;
    const Real direction = sgn(displacement);
    if (direction == Real(0)) {
      return {state.force + displacement};  // no motion; a NaN propagates
    }
    const Real w = distance_to_limit(state, displacement);
    const Real k = params_.stiffness * abs(displacement) / params_.coulomb_force;
    const Real direction_force = direction * params_.coulomb_force;
    const Real next = state.force + direction_force * (sgn(w) * drop(Real(abs(w)), k));
    // Rounding must not carry F past F_C: the invariant set holds exactly.
    return {state.force < direction_force ? clip(next, state.force, direction_force)
                                          : clip(next, direction_force, state.force)};
  }

  /// w₀ − w after the distance k, for w₀ ≥ 0.
  Real exact_drop(Real w, Real k) const noexcept {
    using std::log;
    const Real excess = params_.exponent - Real(1);
    if (excess == Real(0)) {
      return w * decay(k);
    }
    if (excess == Real(1)) {
      return w * (w * k / (Real(1) + w * k));
    }
    if (w == Real(0)) {
      return Real(0);
    }
    // w = w₀ (1 + (α − 1) k w₀^(α−1))^(−1/(α−1)) = w₀ exp(−log(…)/(α − 1))
    const Real growth = excess * k * power(w, excess);
    if (!(growth > Real(-1))) {
      return w;  // α < 1: F_C is reached after a finite distance
    }
    if constexpr (std::is_floating_point_v<Real>) {
      return w * decay(Real(std::log1p(growth) / excess));
    } else {
      return w * decay(Real(log(Real(1) + growth) / excess));
    }
  }

  /// w − u with u + k u^α = w: in closed form for α = 1/2, 1 and 2, else by Newton's method.
  Real implicit_drop(Real w, Real k) const noexcept {
    using std::sqrt;
    const Real alpha = params_.exponent;
    if (alpha == Real(1)) {
      return w * (k / (Real(1) + k));
    }
    if (w == Real(0) || k == Real(0)) {
      return Real(0) * w * k;
    }
    if (alpha == Real(2)) {
      const Real growth = Real(4) * k * w;
      return growth > std::numeric_limits<Real>::max() / Real(4)
                 ? w  // u is negligible, and the square root would overflow
                 : k * square(Real(Real(2) * w / (Real(1) + sqrt(Real(1) + growth))));
    }
    if (alpha == Real(0.5)) {
      return k > Real(1) / std::numeric_limits<Real>::epsilon() ? w
                                                                : k * (Real(2) * w / (k + sqrt(k * k + Real(4) * w)));
    }
    if (alpha > Real(1)) {
      const Terms terms = convex_root(Real(1), k, alpha, w);
      return alpha * terms.power_term > w ? w - terms.linear
                                          : terms.power_term;  // whichever has the smaller rounding error
    }
    return convex_root(k, Real(1), Real(Real(1) / alpha), w).linear;  // in y = u^α: k y + y^(1/α) = w
  }

  /// The two terms of w = a y + b y^β at its root, for β > 1 and a, b, w > 0. The sum is convex, so Newton's method
  /// converges monotonically from above. It starts where one term alone equals w, so few steps are needed.
  struct Terms {
    Real linear, power_term;
  };
  static Terms convex_root(Real a, Real b, Real beta, Real w) noexcept {
    using std::abs;
    const Real from_linear = w / a;
    const Real from_power = power(Real(w / b), Real(Real(1) / beta));
    Real y = from_power < from_linear ? from_power : from_linear;
    if (!(y > Real(0))) {
      return {w, w};  // a or b overflows: its term is all of w
    }
    // The error after a step is about β/2 times the square of the step, both relative.
    const Real tolerance = Real(std::is_same_v<Real, float> ? 1e-4 : 1e-9) / beta;
    Real power_term = b * power(y, beta);
    for (int i = 0; i < 32; ++i) {
      // y − (a y + b y^β − w)/(a + β b y^(β−1)), rewritten without a difference
      const Real next = y * ((w + (beta - Real(1)) * power_term) / (a * y + beta * power_term));
      const bool found = !(abs(next - y) > tolerance * y);
      y = next;
      power_term = b * power(y, beta);
      if (found) {
        break;
      }
    }
    return {a * y, power_term};
  }
};

using Dahl = BasicDahl<double>;
static_assert(Model<Dahl>);
STICTION_REGISTERED(Dahl);

}  // namespace stiction::scalar
