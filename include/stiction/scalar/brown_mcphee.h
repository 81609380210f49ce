// A smooth friction law for multibody simulation, with a peak like stiction but without sticking.
#pragma once

#include <cmath>

#include "stiction/scalar/memoryless.h"

namespace stiction::scalar {

template <class Real>
struct BrownMcPheeParams {
  Real coulomb_force{};        // F_C [N], > 0
  Real static_force{};         // F_S [N], ≥ F_C
  Real transition_velocity{};  // v_t [m/s], > 0
  Real viscous{};              // F_v [N s/m], ≥ 0
};

/// Friction after Brown and McPhee (2016): continuous with its derivative, for solvers that need smooth functions.
///   F = F_C tanh(4 v/v_t) + (F_S − F_C) (v/v_t) / ((v/v_t)²/4 + 3/4)² + F_v v
/// At v_t, just before its peak, it is 0.067 % of F_C below F_S. It never holds a load: the body creeps.
template <class Real>
struct BasicBrownMcPhee : Memoryless<BasicBrownMcPhee<Real>, BrownMcPheeParams<Real>, Real> {
  using Base = Memoryless<BasicBrownMcPhee<Real>, BrownMcPheeParams<Real>, Real>;
  using Base::Base;
  using typename Base::Params;

  static constexpr Info info{"brown-mcphee", "Smooth friction with a stiction-like peak (Brown and McPhee)",
                             "F = F_C tanh(4 v/v_t) + (F_S - F_C) (v/v_t)/((v/v_t)^2/4 + 3/4)^2 + F_v v",
                             "Brown and McPhee 2016"};
  static constexpr std::array<Field<Params, Real>, 4> fields{{
      {"coulomb_force", &Params::coulomb_force, "N", positive_size, required, "F_C, friction at high speed"},
      {"static_force", &Params::static_force, "N", positive_size, required, "F_S >= F_C, height of the peak"},
      {"transition_velocity", &Params::transition_velocity, "m/s", positive_size, required, "v_t, speed of the peak"},
      {"viscous", &Params::viscous, "N s/m", size_or_zero, 0.0, "F_v, viscous coefficient"},
  }};

  static std::optional<Problem> problem(const Params& p) noexcept {
    return problem_below("static_force", p.static_force, p.coulomb_force, ">= coulomb_force");
  }

  Real resistance(Real velocity) const noexcept {
    using std::tanh;
    const Real ratio = velocity / params_.transition_velocity;
    // F = F_C tanh(4 v/v_t) + (F_S − F_C) (v/v_t) / ((v/v_t)²/4 + 3/4)² + F_v v
    return params_.coulomb_force * tanh(Real(4) * ratio) +
           (params_.static_force - params_.coulomb_force) *
               (ratio / square(Real(square(ratio) / Real(4) + Real(0.75)))) +
           params_.viscous * velocity;
  }
  Real velocity_scale() const noexcept { return params_.transition_velocity / Real(4); }

  /// dF/dv at rest: (4 F_C + 16/9 (F_S − F_C))/v_t + F_v.
  Real damping_at_rest() const noexcept {
    return (Real(4) * params_.coulomb_force + Real(16) / Real(9) * (params_.static_force - params_.coulomb_force)) /
               params_.transition_velocity +
           params_.viscous;
  }

 private:
  using Base::params_;
};

using BrownMcPhee = BasicBrownMcPhee<double>;
static_assert(Model<BrownMcPhee>);
STICTION_REGISTERED(BrownMcPhee);

}  // namespace stiction::scalar
