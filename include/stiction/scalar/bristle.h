// One bristle whose deflection settles on a curve g(v): the dynamics behind LuGre, for any curves the user brings.
#pragma once

#include <cmath>
#include <utility>

#include "stiction/scalar/coupled.h"

namespace stiction::scalar {

/// Base of bristles that settle on a curve g(v).   F = σ₀ z + σ₁(v) ż + f(v)
/// `Curve`   g(v) > 0 [N]: steady sliding friction without f;  optional: steepness(), velocity_scale(), peak()
/// `Damping` σ₁(v) ≥ 0 [N s/m]: damping of the bristle;        optional: constant()
/// `Viscous` f(v) [N]: odd, f(v) v ≥ 0
template <class Self, class Real, class Curve, class Damping, class Viscous>
struct BristleBase {
  Real stiffness;   // σ₀ [N/m], > 0
  Curve curve;      // g(v)
  Damping damping;  // σ₁(v)
  Viscous viscous;  // f(v)

  struct State {
    Real bristle{};  // z [m], mean deflection; |z| ≤ max g / σ₀ is an invariant set
    friend constexpr bool operator==(const State&, const State&) = default;
  };
  static constexpr std::size_t order = 1;
  static constexpr std::array<const char*, 1> state_names{"bristle"};

  static constexpr std::array<Real, 1> pack(const State& state) noexcept { return {state.bristle}; }
  static constexpr State unpack(const std::array<Real, 1>& values, const State&) noexcept { return {values[0]}; }

  /// Body and bristle in one implicit step (coupled.h):  F = σ₀ z⁺ + σ₁(v⁺) (z⁺ − z)/dt + f(v⁺).
  Solved<State, Real> solve(State state, const CoupledStep<Real>& step) const noexcept {
    return implicit_solve(self(), state, step);
  }

  /// The deflection that carries a load without motion; for larger loads the one at break-away.
  State at_rest(Real load) const noexcept {
    const Real level = curve(Real(0));
    return {clip(load, -level, level) / stiffness};
  }
  /// The size of a state, for the tolerances of ODE solvers.
  std::array<Real, 1> typical() const noexcept { return {curve(Real(0)) / stiffness}; }

  /// The speed over which g(v) changes, if the curve provides it; otherwise that of slow sliding.
  Real velocity_scale() const noexcept {
    if constexpr (requires { curve.velocity_scale(); }) {
      return curve.velocity_scale();
    } else {
      return Real(1e-3);
    }
  }

  /// Elastic energy S = σ₀ z²/2, the storage function of the dissipativity proof [J].
  Real energy(State state) const noexcept { return stiffness * square(state.bristle) / Real(2); }
  /// Dissipated power: F v − dS/dt = F v − σ₀ z ż [W]. Negative where the model generates energy.
  Real dissipated_power(State state, Real velocity) const noexcept {
    return self().force(state, velocity) * velocity - stiffness * state.bristle * self().rate(state, velocity).bristle;
  }
  /// Margin of the sufficient condition for dissipativity (Olsson et al. 1998, eq. 30): 4 g(v) − σ₁(v)|v|, positive
  /// where it holds [N].
  Real dissipativity_margin(Real velocity) const noexcept {
    using std::abs;
    return Real(4) * curve(velocity) - damping(velocity) * abs(velocity);
  }

  /// The deflection after sliding at this velocity for long, g(v) sgn(v)/σ₀.
  State steady_state(Real velocity) const noexcept { return {sgn(velocity) * curve(velocity) / stiffness}; }
  /// Friction after sliding at this velocity for long, g(v) sgn(v) + f(v).
  Real steady_force(Real velocity) const noexcept { return sgn(velocity) * curve(velocity) + viscous(velocity); }

 protected:
  /// The residual of the coupled step changes slope on the velocity scales of g and of the bristle.
  Real finest_of(Real bristle_scale) const noexcept {
    const Real curve_scale = velocity_scale();
    return (bristle_scale < curve_scale ? bristle_scale : curve_scale) / Real(256);
  }

 private:
  constexpr const Self& self() const noexcept { return static_cast<const Self&>(*this); }
};

///   ż = v − σ₀ |v| z / g(v)               F = σ₀ z + σ₁(v) ż + f(v)
template <class Real, class Curve, class Damping, class Viscous>
struct Bristle : BristleBase<Bristle<Real, Curve, Damping, Viscous>, Real, Curve, Damping, Viscous> {
  using Base = BristleBase<Bristle<Real, Curve, Damping, Viscous>, Real, Curve, Damping, Viscous>;
  using Base::curve;
  using Base::damping;
  using Base::stiffness;
  using Base::viscous;
  using typename Base::State;

  Bristle(Real sigma_0, Curve g, Damping sigma_1, Viscous f) noexcept
      : Base{sigma_0, std::move(g), std::move(sigma_1), std::move(f)} {}

  State rate(State state, Real velocity) const noexcept {
    return {rate_under(relaxation(velocity, curve(velocity)), state, velocity)};
  }

  Real force(State state, Real velocity) const noexcept {
    return force_under(relaxation(velocity, curve(velocity)), state, velocity);
  }

  /// Exact for a constant velocity, whatever dt: with L = σ₀ |v| dt / g(v) and z_ss = g(v) sgn(v) / σ₀,
  ///   z(dt) = z + (z_ss − z)(1 − e^−L)
  State advance(State state, Real velocity, Real dt) const noexcept {
    const Real g = curve(velocity);
    return advance_under(relaxation(velocity, g), g, state, velocity, elapsed(dt));
  }

  /// `advance`, then `force` at the new state, with a single evaluation of g(v): the call for a control loop.
  Solved<State, Real> step(State state, Real velocity, Real dt) const noexcept {
    const Real g = curve(velocity);
    const Real pull = relaxation(velocity, g);
    const State next = advance_under(pull, g, state, velocity, elapsed(dt));
    return {force_under(pull, next, velocity), velocity, next};
  }

  /// Whether the coupled step has one root for all states: (k + 0.064)(σ₀ dt² + σ₁ dt)·mobility < 1.
  bool one_root(Real mobility, Real dt) const noexcept {
    if constexpr (requires {
                    curve.steepness();
                    damping.constant();
                  }) {
      return damping.constant() &&
             (curve.steepness() + Real(0.064)) * (stiffness * dt + damping(Real(0))) * dt * mobility < Real(1);
    } else {
      return false;
    }
  }

  /// The implicit Euler step at the new velocity w:  z⁺ = (z + dt w)/(1 + dt σ₀ |w|/g(w)).
  Solved<State, Real> implicit(State state, Real w, Real dt) const noexcept {
    // z⁺ − z = dt (w − σ₀ |w| z / g) / (1 + dt σ₀ |w| / g), free of cancellation for small w
    const Real pull = relaxation(w, curve(w));
    const Real rate = (w - pull * state.bristle) / (Real(1) + dt * pull);
    const Real z = state.bristle + dt * rate;
    return {stiffness * z + damping(w) * rate + viscous(w), w, {z}};
  }

  Real root_resolution(State state, Real dt) const noexcept {
    using std::abs;
    return this->finest_of((curve(Real(0)) / stiffness + abs(state.bristle)) / dt);
  }

 private:
  /// σ₀ |v| / g(v): the rate at which the bristle relaxes [1/s].
  Real relaxation(Real velocity, Real g) const noexcept {
    using std::abs;
    return stiffness * abs(velocity) / g;
  }

  Real rate_under(Real pull, State state, Real velocity) const noexcept {
    // ż = v − σ₀ |v| z / g(v)
    return velocity - pull * state.bristle;
  }

  Real force_under(Real pull, State state, Real velocity) const noexcept {
    // F = σ₀ z + σ₁(v) ż + f(v)
    return stiffness * state.bristle + damping(velocity) * rate_under(pull, state, velocity) + viscous(velocity);
  }

  State advance_under(Real pull, Real g, State state, Real velocity, Real dt) const noexcept {
    const Real z = state.bristle;
    const Real magnitude = g / stiffness;
    const Real settled = velocity < Real(0) ? -magnitude : magnitude;
    const Real moved = z + (settled - z) * decay(Real(pull * dt));
    // Rounding must not carry z past its steady value: the invariant set holds exactly.
    return {clip(moved, z < settled ? z : settled, z < settled ? settled : z)};
  }
};

}  // namespace stiction::scalar
