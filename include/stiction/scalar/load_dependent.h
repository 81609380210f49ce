// Friction that grows with the load, which is the sum of all other forces: right for a guide or screw that its load
// presses, wrong for a gear (gear.h), whose teeth transmit a weight in full while the motor holds it and the sum is
// zero.
#pragma once

#include <cmath>

#include "stiction/scalar/dahl.h"
#include "stiction/scalar/stribeck.h"

namespace stiction::scalar {

/// 1 + μ |load|/F_C: the factor by which the load raises the friction, so that F_C becomes F_C + μ |load|.
template <class Real>
struct LoadFactor {
  Real gain;           // μ [-], ≥ 0
  Real coulomb_force;  // F_C without load [N]
  Real operator()(Real load) const noexcept {
    using std::abs;
    return Real(1) + gain * abs(load) / coulomb_force;
  }
};

/// A model scaled by 1 + μ |load|/F_C. `Unloaded` is the model without load, which defines the state.
template <class Self, class Params, class Unloaded, class Real>
struct LoadDependent : ModelBase<Self, Params, Real> {
  using State = typename Unloaded::State;
  static constexpr bool follows_load = true;
  static constexpr std::size_t order = Unloaded::order;
  static constexpr std::array<const char*, order> state_names = Unloaded::state_names;

  Unloaded unloaded;
  LoadFactor<Real> load_factor;

  LoadDependent(const Params& p, const typename Unloaded::Params& without_load) noexcept
      : ModelBase<Self, Params, Real>(p), unloaded(without_load), load_factor{p.load_gain, p.coulomb_force} {}

  static constexpr std::array<Real, order> pack(const State& state) noexcept { return Unloaded::pack(state); }
  static constexpr State unpack(const std::array<Real, order>& values, const State& state) noexcept {
    return Unloaded::unpack(values, state);
  }
  std::array<Real, order> typical() const noexcept { return unloaded.typical(); }
  Real velocity_scale() const noexcept { return unloaded.velocity_scale(); }
  State rate(State state, Real velocity) const noexcept { return unloaded.rate(state, velocity); }
  State advance(State state, Real velocity, Real dt) const noexcept { return unloaded.advance(state, velocity, dt); }
  State at_rest(Real load) const noexcept { return unloaded.at_rest(load / load_factor(load)); }
  /// Without a load.
  Real force(State state, Real velocity) const noexcept { return unloaded.force(state, velocity); }
  Real dissipated_power(State state, Real velocity) const noexcept {
    return unloaded.dissipated_power(state, velocity);
  }

  /// F = factor·F₀ is equivalent to F₀ with factor times the mobility.
  Solved<State, Real> solve(State state, CoupledStep<Real> step) const noexcept {
    const Real factor = load_factor(load_of_step(step));
    step.mobility = step.mobility * factor;
    auto solved = unloaded.solve(state, step);
    solved.force = solved.force * factor;
    return solved;
  }
};

template <class Real>
struct LoadDependentStribeckParams {
  Real coulomb_force{};       // F_C without load [N], > 0
  Real static_force{};        // F_S without load [N], ≥ F_C
  Real stribeck_velocity{};   // v_S [m/s], > 0
  Real stribeck_exponent{2};  // δ [-], in [0.5, 2]
  Real viscous{};             // F_v without load [N s/m], ≥ 0
  Real load_gain{};           // μ [-], ≥ 0
};

/// Stribeck friction scaled by 1 + μ |load|/F_C, where load is the sum of all other forces on the body.
///   v ≠ 0: F = (1 + μ |load|/F_C) (g(v) sgn v + F_v v)      v = 0: F = load while |load| ≤ (1 + μ |load|/F_C) F_S
/// For μ F_S ≥ F_C no load breaks it away: the drive is self-locking. Without a load it is `stribeck`.
template <class Real>
struct BasicLoadDependentStribeck
    : LoadDependent<BasicLoadDependentStribeck<Real>, LoadDependentStribeckParams<Real>, BasicStribeck<Real>, Real> {
  using Params = LoadDependentStribeckParams<Real>;
  using Base = LoadDependent<BasicLoadDependentStribeck, Params, BasicStribeck<Real>, Real>;
  using Base::force;
  using Base::load_factor;
  using Base::unloaded;
  using typename Base::State;

  static constexpr Info info{
      "load-dependent-stribeck", "Stribeck friction that grows with the load, the sum of all other forces",
      "F = (1 + μ |load|/F_C) (g(v) sgn v + F_v v);  v = 0: F = load up to (1 + μ |load|/F_C) F_S",
      "gear efficiency models, e.g. Pelchen, Schweiger and Otter 2002"};
  using Rows = StribeckFields<Params, Real>;
  static constexpr std::array<Field<Params, Real>, 6> fields{{
      {"coulomb_force", &Params::coulomb_force, "N", positive_size, required,
       "F_C, friction at high speed without load"},
      {"static_force", &Params::static_force, "N", positive_size, required,
       "F_S >= F_C, break-away force without load"},
      Rows::stribeck_velocity,
      Rows::stribeck_exponent,
      {"viscous", &Params::viscous, "N s/m", size_or_zero, 0.0, "F_v, viscous coefficient without load"},
      {"load_gain", &Params::load_gain, "-", size_or_zero, required, "μ, rise of F_C for each newton of load"},
  }};
  static constexpr std::size_t guard_count = BasicStribeck<Real>::guard_count;
  static constexpr std::array<const char*, 1> mode_names = BasicStribeck<Real>::mode_names;

  static std::optional<Problem> problem(const Params& p) noexcept {
    return problem_of_levels(p.coulomb_force, p.static_force);
  }
  /// For parameters that `check` has passed.
  explicit BasicLoadDependentStribeck(const Params& p) noexcept
      : Base(p, {p.coulomb_force, p.static_force, p.stribeck_velocity, p.stribeck_exponent, p.viscous}) {}

  static constexpr std::array<double, 1> modes(State state) noexcept { return BasicStribeck<Real>::modes(state); }
  static constexpr bool held(State state) noexcept { return BasicStribeck<Real>::held(state); }
  static constexpr Real velocity_after(State state, Real velocity) noexcept {
    return BasicStribeck<Real>::velocity_after(state, velocity);
  }

  Real force(State state, Real velocity, Real load) const noexcept {
    const Real factor = load_factor(load);
    return factor * unloaded.force(state, velocity, Real(load / factor));
  }
  /// The largest load held at rest, F_S/(1 − μ F_S/F_C); infinite if the drive is self-locking.
  Real breakaway_force(Real) const noexcept {
    const auto& p = this->params();
    const Real margin = Real(1) - p.load_gain * p.static_force / p.coulomb_force;
    return margin > Real(0) ? p.static_force / margin : Real(infinity);
  }

  std::array<Real, 2> guards(State state, Real velocity, Real load) const noexcept {
    return unloaded.guards(state, velocity, load / load_factor(load));
  }
  constexpr State transition(State state, int guard) const noexcept { return unloaded.transition(state, guard); }
};

template <class Real>
struct LoadDependentDahlParams {
  Real stiffness{};      // σ without load [N/m], > 0
  Real coulomb_force{};  // F_C without load [N], > 0
  Real exponent{1};      // α [-], in [0.01, 100]
  Real load_gain{};      // μ [-], ≥ 0
};

/// Dahl friction scaled by 1 + μ |load|/F_C. The state is the friction without load.
///   dF₀/dt = σ |w|^α sgn(w) v,   w = 1 − (F₀/F_C) sgn v      F = (1 + μ |load|/F_C) F₀
template <class Real>
struct BasicLoadDependentDahl
    : LoadDependent<BasicLoadDependentDahl<Real>, LoadDependentDahlParams<Real>, BasicDahl<Real>, Real> {
  using Params = LoadDependentDahlParams<Real>;
  using Base = LoadDependent<BasicLoadDependentDahl, Params, BasicDahl<Real>, Real>;
  using Base::force;
  using typename Base::State;

  static constexpr Info info{"load-dependent-dahl",
                             "Dahl friction that grows with the load, the sum of all other forces",
                             "dF0/dt = σ |w|^α sgn(w) v,  w = 1 - (F0/F_C) sgn v,  F = (1 + μ |load|/F_C) F0",
                             "Dahl's model with the gear efficiency of load-dependent-stribeck"};
  static constexpr std::array<Field<Params, Real>, 4> fields{{
      {"stiffness", &Params::stiffness, "N/m", positive_size, required, "σ, stiffness at F = 0 without load"},
      {"coulomb_force", &Params::coulomb_force, "N", positive_size, required, "F_C, friction without load"},
      {"exponent", &Params::exponent, "-", BasicDahl<Real>::exponents, 1.0, "α, shape of the stress-strain curve"},
      {"load_gain", &Params::load_gain, "-", size_or_zero, required, "μ, rise of F_C for each newton of load"},
  }};

  /// For parameters that `check` has passed.
  explicit BasicLoadDependentDahl(const Params& p) noexcept : Base(p, {p.stiffness, p.coulomb_force, p.exponent}) {}

  Real force(State state, Real velocity, Real load) const noexcept {
    return this->load_factor(load) * this->unloaded.force(state, velocity);
  }
};

using LoadDependentStribeck = BasicLoadDependentStribeck<double>;
using LoadDependentDahl = BasicLoadDependentDahl<double>;
static_assert(Sticking<LoadDependentStribeck> && SeesLoad<LoadDependentStribeck> && SeesLoad<LoadDependentDahl>);
STICTION_REGISTERED(LoadDependentStribeck);
STICTION_REGISTERED(LoadDependentDahl);

}  // namespace stiction::scalar
