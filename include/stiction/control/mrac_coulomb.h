// Model-reference adaptive Coulomb compensation: the scheme of an early telescope drive.
#pragma once

#include <cmath>

#include "stiction/control/sample.h"
#include "stiction/math.h"

namespace stiction::control {

/// Velocity control that makes a drive with unknown Coulomb and viscous friction follow a first-order model (after the
/// idea of Gilbart and Winston 1974: adapt the friction until drive and model agree).
///   plant        J dv/dt = u − F_C sgn(v) − F_v v
///   model        dv_m/dt = a (r − v_m)
///   control      u = J a (r − v) + â s(v) + b̂ v,      s(v) = v/v_s limited to ±1
///   adaptation   dâ/dt = −γ e s(v),   db̂/dt = −γ_v e v,   e = v − v_m,   0 ≤ â ≤ â_max,  0 ≤ b̂ ≤ b̂_max
/// Where s(v) = sgn(v), the Lyapunov function V = J e²/2 + (â − F_C)²/(2γ) + (b̂ − F_v)²/(2γ_v) decreases:
///   dV/dt = −J a e²
template <class Real>
struct BasicMracCoulomb {
  struct Params {
    Real inertia{};                     // J [kg], > 0
    Real bandwidth{};                   // a [1/s], > 0
    Real coulomb_gain{};                // γ [N/m], ≥ 0
    Real viscous_gain{};                // γ_v [kg/m], ≥ 0; 0: b̂ is constant
    Real saturation_velocity{};         // v_s [m/s], > 0
    Real max_coulomb = Real(infinity);  // â_max [N], > 0
    Real max_viscous = Real(infinity);  // b̂_max [N s/m], > 0
  };
  struct State {
    Real model_velocity{};  // v_m [m/s]
    Real coulomb{};         // â [N]
    Real viscous{};         // b̂ [N s/m]
    friend constexpr bool operator==(const State&, const State&) = default;
  };
  struct Output {
    Real force;         // u, the total command [N]
    Real compensation;  // the part that compensates friction [N]
    Real error;         // e = v − v_m [m/s]
    State state;
  };

  static constexpr std::array<Field<Params, Real>, 7> fields{{
      {"inertia", &Params::inertia, "kg", positive, required, "J, mass or inertia of the drive"},
      {"bandwidth", &Params::bandwidth, "1/s", positive, required, "a, of the reference model"},
      {"coulomb_gain", &Params::coulomb_gain, "N/m", non_negative, required, "γ, adaptation of the Coulomb level"},
      {"viscous_gain", &Params::viscous_gain, "kg/m", non_negative, 0.0, "γ_v, adaptation of the viscous coefficient"},
      {"saturation_velocity", &Params::saturation_velocity, "m/s", positive, required, "v_s, where s(v) reaches 1"},
      {"max_coulomb", &Params::max_coulomb, "N", positive_or_infinite, infinity, "bound on the Coulomb level"},
      {"max_viscous", &Params::max_viscous, "N s/m", positive_or_infinite, infinity,
       "bound on the viscous coefficient"},
  }};

  Params params;

  static std::optional<Problem> check(const Params& p) noexcept { return first_problem(p, fields); }
#if defined(__cpp_exceptions)
  static BasicMracCoulomb make(const Params& p) { return BasicMracCoulomb(checked<BasicMracCoulomb>(p)); }
#endif
  /// For parameters that `check` has passed.
  explicit BasicMracCoulomb(const Params& p) noexcept : params(p) {}

  /// One sample: the command to hold over dt, and the state after it. The reference model is exact for a constant
  /// reference. NaN, and an unchanged state, for a sample that is not finite.
  Output step(State state, Real reference, Real velocity, Real dt) const noexcept {
    if (!usable(dt, reference, velocity)) {
      return {unknown<Real>, unknown<Real>, unknown<Real>, state};
    }
    const Real s = clip(Real(velocity / params.saturation_velocity), Real(-1), Real(1));
    // u = J a (r − v) + â s(v) + b̂ v
    const Real compensation = state.coulomb * s + state.viscous * velocity;
    const Real force = params.inertia * params.bandwidth * (reference - velocity) + compensation;
    // dâ/dt = −γ e s(v),   db̂/dt = −γ_v e v
    const Real error = velocity - state.model_velocity;
    const Real coulomb = state.coulomb - dt * params.coulomb_gain * error * s;
    const Real viscous = state.viscous - dt * params.viscous_gain * error * velocity;
    // v_m⁺ = v_m + (r − v_m)(1 − e^(−a dt))
    const Real moved = state.model_velocity + (reference - state.model_velocity) * decay(Real(params.bandwidth * dt));
    return {force,
            compensation,
            error,
            {moved, clip(coulomb, Real(0), params.max_coulomb), clip(viscous, Real(0), params.max_viscous)}};
  }

  /// At a constant speed the error obeys e'' + a e' + (γ/J) e = 0: the gain γ for a damping ratio ζ, J a²/(4 ζ²) [N/m].
  static Real coulomb_gain_for(Real inertia, Real bandwidth, Real damping_ratio) noexcept {
    return inertia * square(bandwidth) / (Real(4) * square(damping_ratio));
  }
};

using MracCoulomb = BasicMracCoulomb<double>;

}  // namespace stiction::control
