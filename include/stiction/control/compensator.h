// Friction compensation with any model: from the measured velocity, or from the desired one as feed-forward.
#pragma once

#include <cmath>
#include <optional>

#include "stiction/control/sample.h"
#include "stiction/math.h"
#include "stiction/scalar/coulomb.h"
#include "stiction/scalar/stribeck.h"

namespace stiction::control {

/// How a compensator uses its model.
template <class Real>
struct CompensatorParams {
  Real scale{1};               // s [-], ≥ 0: above 1 over-, below 1 under-compensation
  Real saturation_velocity{};  // v_sat [m/s], ≥ 0; for models that jump at v = 0

  static constexpr std::array<Field<CompensatorParams, Real>, 2> fields{{
      {"scale", &CompensatorParams::scale, "-", non_negative, 1.0, "s, multiplies the friction"},
      {"saturation_velocity", &CompensatorParams::saturation_velocity, "m/s", non_negative, 0.0,
       "v_sat, half the width of the ramp through zero (0: none)"},
  }};
};

/// F̂ = s F(v) for |v| ≥ v_sat,  F̂ = s (|v|/v_sat) F(± v_sat) below: a ramp through zero instead of a jump. With
/// Coulomb friction this is s (F_C sat(v/v_sat) + F_v v). `Model` needs State and step: all of scalar/, and
/// user-defined ones.
template <class Model, class Number = double>
struct Compensator {
  using Real = Number;
  using Params = CompensatorParams<Real>;
  using State = typename Model::State;
  static constexpr auto& fields = Params::fields;

  Model friction;
  Params params;
  State state{};

  static std::optional<Problem> check(const Params& p) noexcept { return first_problem(p, fields); }
#if defined(__cpp_exceptions)
  static Compensator make(const Model& friction, const Params& p = {}) {
    return Compensator(friction, checked<Compensator>(p));
  }
#endif
  /// For parameters that `check` has passed.
  explicit Compensator(const Model& model, const Params& p = {}) noexcept : friction(model), params(p) {}

  /// The friction at this sample, dt after the last one, for a velocity that is constant over dt: the measured one, or
  /// the desired one for feed-forward. NaN, and no change of state, for a velocity that is not finite.
  Real step(Real velocity, Real dt) noexcept {
    if (!usable(dt, velocity)) {
      return unknown<Real>;
    }
    using std::abs;
    const Real edge = params.saturation_velocity;
    const bool inside = abs(velocity) < edge;
    const Real seen = inside ? (velocity < Real(0) ? -edge : edge) : velocity;
    return params.scale * (inside ? abs(velocity) / edge : Real(1)) * force_after(seen, dt);
  }

 private:
  Real force_after(Real velocity, Real dt) noexcept {
    const auto next = friction.step(state, velocity, dt);
    state = next.state;
    return next.force;
  }
};

template <class Real>
using BasicCoulombCompensator = Compensator<scalar::BasicCoulomb<Real>, Real>;
template <class Real>
using BasicStribeckCompensator = Compensator<scalar::BasicStribeck<Real>, Real>;

using CoulombCompensator = BasicCoulombCompensator<double>;
using StribeckCompensator = BasicStribeckCompensator<double>;

}  // namespace stiction::control
