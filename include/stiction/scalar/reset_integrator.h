// The reset integrator: a bristle that is cut off at its limit, with stiction below it.
#pragma once

#include <cmath>

#include "stiction/math.h"
#include "stiction/scalar/model.h"

namespace stiction::scalar {

/// Haessig and Friedland's reset integrator (Olsson et al. 1998, eqs. 13 and 14) for any stiffness σ₀(v) the user
/// brings.
///   inside:  ż = v,  F = (1 + a) σ₀(v) z + σ₁ v      until |z| reaches z₀, then
///   sliding: ż = 0,  F = σ₀(v) z₀ sgn v              until v = 0
template <class Real, class Stiffness>
struct ResetBristle {
  Stiffness stiffness;  // σ₀(v) > 0 [N/m]
  Real largest;         // z₀ [m], > 0
  Real stiction;        // a [-], ≥ 0
  Real damping;         // σ₁ [N s/m], ≥ 0

  struct State {
    Real bristle{};           // z [m], |z| ≤ z₀
    Mode mode = Mode::stick;  // stick: inside the limits
    friend constexpr bool operator==(const State&, const State&) = default;
  };
  static constexpr std::size_t order = 1;
  static constexpr std::size_t guard_count = 2;
  static constexpr std::array<const char*, 1> state_names{"bristle"};
  static constexpr std::array<const char*, 1> mode_names{"mode"};

  static constexpr std::array<Real, 1> pack(const State& state) noexcept { return {state.bristle}; }
  static constexpr State unpack(const std::array<Real, 1>& values, const State& state) noexcept {
    return {values[0], state.mode};
  }
  static constexpr std::array<double, 1> modes(const State& state) noexcept { return {plain_mode(state.mode)}; }

  State rate(State state, Real velocity) const noexcept {
    return {state.mode == Mode::stick ? velocity : Real(0), state.mode};
  }
  Real force(State state, Real velocity) const noexcept {
    // F = (1 + a) σ₀ z + σ₁ ż inside, σ₀ z at the limit
    return state.mode == Mode::stick ? (Real(1) + stiction) * stiffness(velocity) * state.bristle + damping * velocity
                                     : stiffness(velocity) * state.bristle + Real(0) * velocity;
  }

  /// Exact for a constant velocity.
  State advance(State state, Real velocity, Real dt) const noexcept {
    const Real moved = state.bristle + velocity * elapsed(dt);
    if (velocity > Real(0) && !(moved < largest)) {
      return {is_nan(moved) ? moved : largest, Mode::slip_plus};
    }
    if (velocity < Real(0) && !(moved > -largest)) {
      return {is_nan(moved) ? moved : -largest, Mode::slip_minus};
    }
    return {moved, Mode::stick};
  }
  Solved<State, Real> step(State state, Real velocity, Real dt) const noexcept {
    const State next = advance(state, velocity, dt);
    return {force(next, velocity), velocity, next};
  }

  /// Positive inside the mode: the margin to the limits, or the speed of sliding.
  std::array<Real, 2> guards(State state, Real velocity, Real) const noexcept {
    if (state.mode == Mode::stick) {
      return {largest - state.bristle, largest + state.bristle};
    }
    return {state.mode == Mode::slip_plus ? velocity : -velocity, Real(1)};
  }
  State transition(State state, int guard) const noexcept {
    if (state.mode != Mode::stick) {
      return {state.bristle, Mode::stick};
    }
    return guard == 0 ? State{largest, Mode::slip_plus} : State{-largest, Mode::slip_minus};
  }

  /// v⁺ = v_free − mobility·dt·F. A sliding body continues to slide if that has a root; otherwise the bristle carries
  /// the load within its limits; otherwise the body breaks away. σ₀ is taken at the present velocity.
  Solved<State, Real> solve(State state, const CoupledStep<Real>& step) const noexcept {
    if (!can_step(step) || is_nan(state.bristle)) {
      const Real nan = not_a_number<Real>();
      return {nan, nan, {nan, state.mode}};
    }
    const Real free_velocity = step.free_velocity;
    const Real dt = step.dt;
    const Real gain = step.gain();
    const Real sigma = stiffness(step.velocity);
    const auto sliding = [&](Mode mode) {
      const Real z = mode == Mode::slip_plus ? largest : -largest;
      const Real force = sigma * z;
      return Solved<State, Real>{force, free_velocity - gain * force, {z, mode}};
    };
    const auto slides = [](const Solved<State, Real>& s) {
      return s.state.mode == Mode::slip_plus ? s.velocity > Real(0) : s.velocity < Real(0);
    };
    if (state.mode != Mode::stick) {
      if (const auto on = sliding(state.mode); slides(on)) {
        return on;
      }
    }
    // w (1 + gain ((1+a) σ₀ dt + σ₁)) = v_free − gain (1+a) σ₀ z
    const Real spring = (Real(1) + stiction) * sigma;
    const Real w = (free_velocity - gain * spring * state.bristle) / (Real(1) + gain * (spring * dt + damping));
    const Real z = state.bristle + dt * w;
    if (z < largest && z > -largest) {
      return {spring * z + damping * w, w, {z, Mode::stick}};
    }
    if (const auto away = sliding(w > Real(0) ? Mode::slip_plus : Mode::slip_minus); slides(away)) {
      return away;
    }
    return {spring * z + damping * w, w, {clip(z, -largest, largest), Mode::stick}};  // reverses at the limit
  }

  /// The deflection that carries a load below break-away without motion.
  State at_rest(Real load) const noexcept {
    return {clip(load / ((Real(1) + stiction) * stiffness(Real(0))), -largest, largest), Mode::stick};
  }
  std::array<Real, 1> typical() const noexcept { return {largest}; }
  Real velocity_scale() const noexcept { return largest; }  // from zero to the limit in one second

  /// Elastic energy S = (1 + a) σ₀ z²/2 for constant σ₀; the drop of F at the limit does not change it [J].
  Real energy(State state) const noexcept {
    return (Real(1) + stiction) * stiffness(Real(0)) * square(state.bristle) / Real(2);
  }
  /// F v − dS/dt [W]: σ₁ v² inside, σ₀ z₀ |v| while sliding.
  Real dissipated_power(State state, Real velocity) const noexcept {
    const Real elastic = (Real(1) + stiction) * stiffness(velocity) * state.bristle;
    return force(state, velocity) * velocity - elastic * rate(state, velocity).bristle;
  }
};

/// σ₀(v) = σ₀
template <class Real>
struct ConstantStiffness {
  Real value;  // σ₀ [N/m]
  Real operator()(Real) const noexcept { return value; }
};

template <class Real>
struct ResetIntegratorParams {
  Real stiffness{};           // σ₀ [N/m], > 0
  Real largest_deflection{};  // z₀ [m], > 0
  Real stiction{};            // a [-], ≥ 0
  Real damping{};             // σ₁ [N s/m], ≥ 0
};

/// The reset integrator with constant stiffness: F_C = σ₀ z₀ while sliding, F_S = (1 + a) σ₀ z₀ at break-away.
template <class Real>
struct BasicResetIntegrator : ResetBristle<Real, ConstantStiffness<Real>>,
                              Parameters<BasicResetIntegrator<Real>, ResetIntegratorParams<Real>> {
  using Base = ResetBristle<Real, ConstantStiffness<Real>>;
  using Params = ResetIntegratorParams<Real>;

  static constexpr Info info{
      "reset-integrator", "Reset integrator: a bristle cut off at its limit, with stiction",
      "dz/dt = v inside |z| < z0, else 0;  F = (1 + a) σ0 z + σ1 dz/dt inside, σ0 z0 sgn v while sliding",
      "Olsson et al. 1998, eqs. 13 and 14"};
  static constexpr std::array<Field<Params, Real>, 4> fields{{
      {"stiffness", &Params::stiffness, "N/m", positive_size, required, "σ0, sliding friction over z0"},
      {"largest_deflection", &Params::largest_deflection, "m", positive_size, required, "z0, where the bristle slides"},
      {"stiction", &Params::stiction, "-", size_or_zero, 0.0, "a, break-away above sliding friction: F_S/F_C - 1"},
      {"damping", &Params::damping, "N s/m", size_or_zero, 0.0, "σ1, damping inside the limits"},
  }};

  /// For parameters that `check` has passed.
  explicit BasicResetIntegrator(const Params& p) noexcept
      : Base{{p.stiffness}, p.largest_deflection, p.stiction, p.damping}, Parameters<BasicResetIntegrator, Params>(p) {}

  /// Small motions of a mass: ω = √((1+a) σ₀/m), ζ = σ₁/(2 √(m (1+a) σ₀)).
  Linearised<Real> linearised(Real mass) const noexcept {
    using std::sqrt;
    const Real spring = (Real(1) + params_.stiction) * params_.stiffness;
    return {sqrt(spring / mass), params_.damping / (Real(2) * sqrt(mass * spring))};
  }

 private:
  using Parameters<BasicResetIntegrator, Params>::params_;
};

using ResetIntegrator = BasicResetIntegrator<double>;
static_assert(Switching<ResetIntegrator>);
STICTION_REGISTERED(ResetIntegrator);

}  // namespace stiction::scalar
