// Coulomb friction smoothed by a hyperbolic tangent, as in many simulators; it creeps.
#pragma once

#include <cmath>

#include "stiction/scalar/memoryless.h"

namespace stiction::scalar {

template <class Real>
struct TanhParams {
  Real coulomb_force{};        // F_C [N], ≥ 0
  Real transition_velocity{};  // v_0 [m/s], > 0
  Real viscous{};              // F_v [N s/m], ≥ 0
};

/// Regularised Coulomb friction.
///   F = F_C tanh(v / v_0) + F_v v
/// A load u < F_C is not held: the body creeps at v = v_0 artanh(u / F_C).
template <class Real>
struct BasicTanh : Memoryless<BasicTanh<Real>, TanhParams<Real>, Real> {
  using Base = Memoryless<BasicTanh<Real>, TanhParams<Real>, Real>;
  using Base::Base;
  using typename Base::Params;

  static constexpr Info info{"tanh", "Coulomb friction smoothed by tanh", "F = F_C tanh(v/v_0) + F_v v",
                             "common regularisation; see the model's page"};
  static constexpr std::array<Field<Params, Real>, 3> fields{{
      {"coulomb_force", &Params::coulomb_force, "N", size_or_zero, required, "F_C, sliding friction"},
      {"transition_velocity", &Params::transition_velocity, "m/s", positive_size, required,
       "v_0, width of the ramp at rest"},
      {"viscous", &Params::viscous, "N s/m", size_or_zero, 0.0, "F_v, viscous coefficient"},
  }};

  Real resistance(Real velocity) const noexcept {
    using std::tanh;
    // F = F_C tanh(v/v_0) + F_v v
    return params_.coulomb_force * tanh(velocity / params_.transition_velocity) + params_.viscous * velocity;
  }
  Real velocity_scale() const noexcept { return params_.transition_velocity; }

  /// dF/dv at rest: a load u creeps at about u over this.
  Real damping_at_rest() const noexcept {
    return params_.coulomb_force / params_.transition_velocity + params_.viscous;
  }

 private:
  using Base::params_;
};

using Tanh = BasicTanh<double>;
static_assert(Model<Tanh>);
STICTION_REGISTERED(Tanh);

}  // namespace stiction::scalar
