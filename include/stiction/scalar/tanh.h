// Coulomb friction smoothed by a hyperbolic tangent: what many simulators offer, and what creeps.
#pragma once

#include <cmath>

#include "stiction/scalar/memoryless.h"

namespace stiction::scalar {

/// Regularised Coulomb friction.
///   F = F_C tanh(v / v_0) + F_v v
/// A load u < F_C is not held: the body creeps at v = v_0 artanh(u / F_C).
template <class Real>
struct BasicTanh : Memoryless<BasicTanh<Real>, Real> {
  struct Params {
    Real coulomb_force{};        // F_C [N], ≥ 0
    Real transition_velocity{};  // v_0 [m/s], > 0
    Real viscous{};              // F_v [N s/m], ≥ 0
  };
  using Base = Memoryless<BasicTanh<Real>, Real>;
  using typename Base::State;

  static constexpr Info info{"tanh", "Coulomb friction smoothed by tanh", "F = F_C tanh(v/v_0) + F_v v",
                             "common regularisation; see the model's page"};
  static constexpr std::array<Field<Params, Real>, 3> fields{{
      {"coulomb_force", &Params::coulomb_force, "N", size_or_zero, required, "F_C, sliding friction"},
      {"transition_velocity", &Params::transition_velocity, "m/s", positive_size, required,
       "v_0, width of the ramp at rest"},
      {"viscous", &Params::viscous, "N s/m", size_or_zero, 0.0, "F_v, viscous coefficient"},
  }};

  Params params;

  static std::optional<Problem> check(const Params& p) noexcept { return first_problem(p, fields); }
#if defined(__cpp_exceptions)
  static BasicTanh make(const Params& p) { return BasicTanh(checked<BasicTanh>(p)); }
#endif
  /// For parameters that `check` has passed.
  explicit BasicTanh(const Params& p) noexcept : params(p) {}

  Real resistance(Real velocity) const noexcept {
    using std::tanh;
    // F = F_C tanh(v/v_0) + F_v v
    return params.coulomb_force * tanh(velocity / params.transition_velocity) + params.viscous * velocity;
  }
  Real velocity_scale() const noexcept { return params.transition_velocity; }

  /// dF/dv at rest: a load u creeps at about u over this.
  Real damping_at_rest() const noexcept { return params.coulomb_force / params.transition_velocity + params.viscous; }
};

using Tanh = BasicTanh<double>;
static_assert(Model<Tanh>);
STICTION_REGISTERED(Tanh);

}  // namespace stiction::scalar
