// Friction that grows with the load it transmits, as in gears and screws.
#pragma once

#include <cmath>

#include "stiction/scalar/dahl.h"
#include "stiction/scalar/stribeck.h"

namespace stiction::scalar {

/// 1 + μ |load|/F_C: by how much the transmitted load raises the friction, so that F_C becomes F_C + μ |load|.
template <class Real>
struct LoadFactor {
  Real gain;           // μ [-], ≥ 0
  Real coulomb_force;  // F_C without load [N]
  Real operator()(Real load) const noexcept {
    using std::abs;
    return Real(1) + gain * abs(load) / coulomb_force;
  }
};

/// Stribeck friction in proportion to 1 + μ |load|/F_C, where load is the sum of all other forces on the body.
///   v ≠ 0: F = (1 + μ |load|/F_C) (g(v) sgn v + F_v v)      v = 0: F = load while |load| ≤ (1 + μ |load|/F_C) F_S
/// For μ F_S ≥ F_C no load breaks it away: the drive locks itself. Without a load it is `stribeck`.
template <class Real>
struct BasicLoadDependentStribeck {
  struct Params {
    Real coulomb_force{};       // F_C without load [N], > 0
    Real static_force{};        // F_S without load [N], ≥ F_C
    Real stribeck_velocity{};   // v_S [m/s], > 0
    Real stribeck_exponent{2};  // δ [-], in [0.5, 2]
    Real viscous{};             // F_v without load [N s/m], ≥ 0
    Real load_gain{};           // μ [-], ≥ 0
  };
  using Base = BasicStribeck<Real>;
  using State = typename Base::State;

  static constexpr Info info{
      "load-dependent-stribeck", "Stribeck friction that grows with the transmitted load (gears)",
      "F = (1 + μ |load|/F_C) (g(v) sgn v + F_v v);  v = 0: F = load up to (1 + μ |load|/F_C) F_S",
      "gear efficiency models, e.g. Pelchen, Schweiger and Otter 2002"};
  static constexpr std::array<Field<Params, Real>, 6> fields{{
      {"coulomb_force", &Params::coulomb_force, "N", positive_size, required,
       "F_C, friction at high speed without load"},
      {"static_force", &Params::static_force, "N", positive_size, required,
       "F_S >= F_C, break-away force without load"},
      {"stribeck_velocity", &Params::stribeck_velocity, "m/s", positive_size, required, "v_S, speed of the drop"},
      {"stribeck_exponent", &Params::stribeck_exponent, "-", stribeck_exponents, 2.0, "δ, shape of the drop"},
      {"viscous", &Params::viscous, "N s/m", size_or_zero, 0.0, "F_v, viscous coefficient without load"},
      {"load_gain", &Params::load_gain, "-", size_or_zero, required, "μ, rise of F_C for each newton of load"},
  }};
  static constexpr std::size_t order = 0;
  static constexpr std::size_t guard_count = 2;
  static constexpr std::array<const char*, 0> state_names{};
  static constexpr std::array<const char*, 1> mode_names{"mode"};

  Params params;
  Base unloaded;
  LoadFactor<Real> load_factor;

  static std::optional<Problem> check(const Params& p) noexcept {
    const auto problem = first_problem(p, fields);
    return problem ? problem : problem_of_levels(p.coulomb_force, p.static_force);
  }
#if defined(__cpp_exceptions)
  static BasicLoadDependentStribeck make(const Params& p) {
    return BasicLoadDependentStribeck(checked<BasicLoadDependentStribeck>(p));
  }
#endif
  /// For parameters that `check` has passed.
  explicit BasicLoadDependentStribeck(const Params& p) noexcept
      : params(p),
        unloaded({p.coulomb_force, p.static_force, p.stribeck_velocity, p.stribeck_exponent, p.viscous}),
        load_factor{p.load_gain, p.coulomb_force} {}

  static constexpr std::array<Real, 0> typical() noexcept { return {}; }
  static constexpr std::array<Real, 0> pack(State) noexcept { return {}; }
  static constexpr State unpack(const std::array<Real, 0>&, State state) noexcept { return state; }
  static constexpr std::array<double, 1> modes(State state) noexcept { return Base::modes(state); }
  static constexpr bool held(State state) noexcept { return Base::held(state); }
  static constexpr Real velocity_after(State state, Real velocity) noexcept {
    return Base::velocity_after(state, velocity);
  }
  Real velocity_scale() const noexcept { return unloaded.velocity_scale(); }
  State rate(State state, Real velocity) const noexcept { return unloaded.rate(state, velocity); }
  State at_rest(Real load) const noexcept { return unloaded.at_rest(load); }
  State advance(State state, Real velocity, Real dt) const noexcept { return unloaded.advance(state, velocity, dt); }

  /// Without a load.
  Real force(State state, Real velocity) const noexcept { return unloaded.force(state, velocity); }
  Real force(State state, Real velocity, Real load) const noexcept {
    const Real factor = load_factor(load);
    return factor * unloaded.force(state, velocity, Real(load / factor));
  }
  Real dissipated_power(State state, Real velocity) const noexcept { return force(state, velocity) * velocity; }
  /// The largest load held at rest, F_S/(1 − μ F_S/F_C); infinite where the drive locks itself.
  Real breakaway_force(Real) const noexcept {
    const Real room = Real(1) - params.load_gain * params.static_force / params.coulomb_force;
    return room > Real(0) ? params.static_force / room : Real(infinity);
  }

  std::array<Real, 2> guards(State state, Real velocity, Real load) const noexcept {
    return unloaded.guards(state, velocity, load / load_factor(load));
  }
  constexpr State transition(State state, int guard) const noexcept { return unloaded.transition(state, guard); }

  Solved<State, Real> solve(State state, Real free_velocity, Real mobility, Real dt, Real velocity,
                            Real load) const noexcept {
    const Real factor = load_factor(load);
    auto solved = unloaded.solve(state, free_velocity, mobility * factor, dt, velocity);
    solved.force = solved.force * factor;
    return solved;
  }
  Solved<State, Real> solve(State state, Real free_velocity, Real mobility, Real dt, Real velocity) const noexcept {
    const Real load = load_of_step(free_velocity, velocity, Real(mobility * dt));
    return solve(state, free_velocity, mobility, dt, velocity, load);
  }
  Solved<State, Real> solve(State state, Real free_velocity, Real mobility, Real dt) const noexcept {
    return solve(state, free_velocity, mobility, dt, free_velocity);
  }
};

/// Dahl friction in proportion to 1 + μ |load|/F_C. The state is the friction without load.
///   dF₀/dt = σ |w|^α sgn(w) v,   w = 1 − (F₀/F_C) sgn v      F = (1 + μ |load|/F_C) F₀
template <class Real>
struct BasicLoadDependentDahl {
  struct Params {
    Real stiffness{};      // σ without load [N/m], > 0
    Real coulomb_force{};  // F_C without load [N], > 0
    Real exponent{1};      // α [-], in [0.01, 100]
    Real load_gain{};      // μ [-], ≥ 0
  };
  using Base = BasicDahl<Real>;
  using State = typename Base::State;

  static constexpr Info info{"load-dependent-dahl", "Dahl friction that grows with the transmitted load (gears)",
                             "dF0/dt = σ |w|^α sgn(w) v,  w = 1 - (F0/F_C) sgn v,  F = (1 + μ |load|/F_C) F0",
                             "Dahl's model with the gear efficiency of load-dependent-stribeck"};
  static constexpr std::array<Field<Params, Real>, 4> fields{{
      {"stiffness", &Params::stiffness, "N/m", positive_size, required, "σ, stiffness at F = 0 without load"},
      {"coulomb_force", &Params::coulomb_force, "N", positive_size, required, "F_C, friction without load"},
      {"exponent", &Params::exponent, "-", Base::exponents, 1.0, "α, shape of the stress-strain curve"},
      {"load_gain", &Params::load_gain, "-", size_or_zero, required, "μ, rise of F_C for each newton of load"},
  }};
  static constexpr std::size_t order = 1;
  static constexpr std::array<const char*, 1> state_names = Base::state_names;

  Params params;
  Base unloaded;
  LoadFactor<Real> load_factor;

  static std::optional<Problem> check(const Params& p) noexcept { return first_problem(p, fields); }
#if defined(__cpp_exceptions)
  static BasicLoadDependentDahl make(const Params& p) {
    return BasicLoadDependentDahl(checked<BasicLoadDependentDahl>(p));
  }
#endif
  /// For parameters that `check` has passed.
  explicit BasicLoadDependentDahl(const Params& p) noexcept
      : params(p), unloaded({p.stiffness, p.coulomb_force, p.exponent}), load_factor{p.load_gain, p.coulomb_force} {}

  static constexpr std::array<Real, 1> pack(const State& state) noexcept { return Base::pack(state); }
  static constexpr State unpack(const std::array<Real, 1>& values, const State& state) noexcept {
    return Base::unpack(values, state);
  }
  State rate(State state, Real velocity) const noexcept { return unloaded.rate(state, velocity); }
  State advance(State state, Real velocity, Real dt) const noexcept { return unloaded.advance(state, velocity, dt); }
  /// Without a load.
  Real force(State state, Real velocity) const noexcept { return unloaded.force(state, velocity); }
  Real force(State state, Real velocity, Real load) const noexcept {
    return load_factor(load) * unloaded.force(state, velocity);
  }
  Real dissipated_power(State state, Real velocity) const noexcept {
    return unloaded.dissipated_power(state, velocity);
  }
  State at_rest(Real load) const noexcept { return unloaded.at_rest(load / load_factor(load)); }
  std::array<Real, 1> typical() const noexcept { return unloaded.typical(); }
  Real velocity_scale() const noexcept { return unloaded.velocity_scale(); }

  Solved<State, Real> solve(State state, Real free_velocity, Real mobility, Real dt, Real velocity,
                            Real load) const noexcept {
    const Real factor = load_factor(load);
    auto solved = unloaded.solve(state, free_velocity, mobility * factor, dt, velocity);
    solved.force = solved.force * factor;
    return solved;
  }
  Solved<State, Real> solve(State state, Real free_velocity, Real mobility, Real dt, Real velocity) const noexcept {
    const Real load = load_of_step(free_velocity, velocity, Real(mobility * dt));
    return solve(state, free_velocity, mobility, dt, velocity, load);
  }
  Solved<State, Real> solve(State state, Real free_velocity, Real mobility, Real dt) const noexcept {
    return solve(state, free_velocity, mobility, dt, free_velocity);
  }
};

using LoadDependentStribeck = BasicLoadDependentStribeck<double>;
using LoadDependentDahl = BasicLoadDependentDahl<double>;
static_assert(Sticking<LoadDependentStribeck> && SeesLoad<LoadDependentStribeck> && SeesLoad<LoadDependentDahl>);
STICTION_REGISTERED(LoadDependentStribeck);
STICTION_REGISTERED(LoadDependentDahl);

}  // namespace stiction::scalar
