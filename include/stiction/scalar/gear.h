// Friction of a gear: it grows with what the teeth transmit, and differs for driving and being driven back.
#pragma once

#include <cmath>

#include "stiction/scalar/stribeck.h"

namespace stiction::scalar {

/// The exponents of a gear's Stribeck curve: published ones go beyond 2.
inline constexpr Range gear_exponents{0.5, 100, true, true, "in [0.5, 100]"};
/// Friction per newton transmitted; a gear that loses all of it locks itself.
inline constexpr Range gear_gains{0, 1e3, true, true, "in [0, 1000]"};

/// The friction of a gear as a function of what it transmits, τ_m from its motor and τ_e from outside:
///   f = C + S R      S = exp(−|v/v_S|^α)
///   C = f₀ + |k_e τ_e − k_m τ_m|      R = f_s + |k_es τ_e − k_ms τ_m| + q
///   q = q_e τ_e² where |τ_e| < |τ_m|, q_m τ_m² where |τ_e| > |τ_m|; 0 unless τ_e and τ_m have opposite signs
template <class Real>
struct GearBudget {
  Real coulomb_force, stribeck_force;                  // f₀, f_s [N]
  Real motor_gain, external_gain;                      // k_m, k_e [-]
  Real motor_stribeck_gain, external_stribeck_gain;    // k_ms, k_es [-]
  Real motor_quadratic_gain, external_quadratic_gain;  // q_m, q_e [1/N]

  template <class Params>
  static constexpr GearBudget of(const Params& p) noexcept {
    return {p.coulomb_force,       p.stribeck_force,         p.motor_gain,           p.external_gain,
            p.motor_stribeck_gain, p.external_stribeck_gain, p.motor_quadratic_gain, p.external_quadratic_gain};
  }

  /// The level C of fast sliding and, at rest, C + R [N]. NaN if a transmitted force is not finite.
  struct Levels {
    Real coulomb_force, static_force;
  };
  Levels operator()(const Transmitted<Real>& through) const noexcept {
    using std::abs;
    const Real motor = through.motor;
    const Real external = through.external;
    const Real zero = Real(0) * (motor + external);  // NaN if one is not finite
    // C = f₀ + |k_e τ_e − k_m τ_m|
    const Real coulomb = coulomb_force + abs(Real(external_gain * external - motor_gain * motor)) + zero;
    // R = f_s + |k_es τ_e − k_ms τ_m| + q
    const Real drop = stribeck_force + abs(Real(external_stribeck_gain * external - motor_stribeck_gain * motor)) +
                      quadratic(motor, external);
    return {coulomb, coulomb + drop};
  }

  /// Whether the friction changes with speed, whatever is transmitted.
  constexpr bool has_stribeck_part() const noexcept {
    return stribeck_force > Real(0) || motor_stribeck_gain > Real(0) || external_stribeck_gain > Real(0) ||
           motor_quadratic_gain > Real(0) || external_quadratic_gain > Real(0);
  }

 private:
  Real quadratic(Real motor, Real external) const noexcept {
    using std::abs;
    const bool opposed = (motor < Real(0) && external > Real(0)) || (motor > Real(0) && external < Real(0));
    if (!opposed || abs(motor) == abs(external)) {
      return Real(0);
    }
    return abs(external) < abs(motor) ? external_quadratic_gain * square(external)
                                      : motor_quadratic_gain * square(motor);
  }
};

/// The parameters of a gear's friction, as rows for the `fields` of the models that have them.
template <class Params, class Real>
struct GearFields {
  using Row = Field<Params, Real>;
  static constexpr Row coulomb_force{
      "coulomb_force", &Params::coulomb_force, "N", size_or_zero, required, "f_0, friction at speed without load"};
  static constexpr Row stribeck_force{
      "stribeck_force", &Params::stribeck_force, "N", size_or_zero, 0.0, "f_s, what is added at rest"};
  static constexpr Row motor_gain{
      "motor_gain", &Params::motor_gain, "-", gear_gains, 0.0, "k_m, friction for each newton of the motor"};
  static constexpr Row external_gain{
      "external_gain", &Params::external_gain, "-", gear_gains, 0.0, "k_e, friction for each newton from outside"};
  static constexpr Row motor_stribeck_gain{
      "motor_stribeck_gain", &Params::motor_stribeck_gain, "-", gear_gains, 0.0, "k_ms, what is added to k_m at rest"};
  static constexpr Row external_stribeck_gain{"external_stribeck_gain",
                                              &Params::external_stribeck_gain,
                                              "-",
                                              gear_gains,
                                              0.0,
                                              "k_es, what is added to k_e at rest"};
  static constexpr Row motor_quadratic_gain{
      "motor_quadratic_gain",
      &Params::motor_quadratic_gain,
      "1/N",
      gear_gains,
      0.0,
      "q_m, friction at rest with the square of the motor's force, while it is driven back"};
  static constexpr Row external_quadratic_gain{
      "external_quadratic_gain",
      &Params::external_quadratic_gain,
      "1/N",
      gear_gains,
      0.0,
      "q_e, friction at rest with the square of the external force, while the motor drives"};
  static constexpr Row stribeck_velocity{"stribeck_velocity",
                                         &Params::stribeck_velocity,
                                         "m/s",
                                         size_or_infinite,
                                         infinity,
                                         "v_S, speed of the drop; finite if anything is added at rest"};
  static constexpr Row stribeck_exponent{"stribeck_exponent",   &Params::stribeck_exponent, "-", gear_exponents, 2.0,
                                         "α, shape of the drop"};
  static constexpr Row viscous{"viscous", &Params::viscous, "N s/m", size_or_zero, 0.0, "b, viscous coefficient"};
};

template <class Real>
struct GearParams {
  Real coulomb_force{};                     // f₀ [N], ≥ 0
  Real stribeck_force{};                    // f_s [N], ≥ 0
  Real motor_gain{};                        // k_m [-], ≥ 0
  Real external_gain{};                     // k_e [-], ≥ 0
  Real motor_stribeck_gain{};               // k_ms [-], ≥ 0
  Real external_stribeck_gain{};            // k_es [-], ≥ 0
  Real motor_quadratic_gain{};              // q_m [1/N], ≥ 0
  Real external_quadratic_gain{};           // q_e [1/N], ≥ 0
  Real stribeck_velocity = Real(infinity);  // v_S [m/s], > 0; finite if there is anything that falls with speed
  Real stribeck_exponent{2};                // α [-], in [0.5, 100]
  Real viscous{};                           // b [N s/m], ≥ 0
};

/// A model with a Stribeck curve whose levels follow what a gear transmits. `Plain` is that model at fixed levels;
/// `Self` provides `Plain plain(levels)`. The state is that of `Plain`, and what is transmitted now.
template <class Self, class ParamsOfSelf, class Plain, class Real>
struct GearModel : ModelBase<Self, ParamsOfSelf, Real> {
  using Base = ModelBase<Self, ParamsOfSelf, Real>;
  using Levels = typename GearBudget<Real>::Levels;

  struct State : Plain::State {
    Transmitted<Real> transmitted{};
    friend constexpr bool operator==(const State&, const State&) = default;
  };
  static constexpr std::size_t order = Plain::order;
  static constexpr std::array<const char*, order> state_names = Plain::state_names;

  GearBudget<Real> budget;
  /// For parameters that `check` has passed.
  explicit GearModel(const ParamsOfSelf& p) noexcept : Base(p), budget(GearBudget<Real>::of(p)) {}

  static std::optional<Problem> problem(const ParamsOfSelf& p) noexcept {
    const bool needed = GearBudget<Real>::of(p).has_stribeck_part();
    return needed && !(p.stribeck_velocity < Real(infinity))
               ? std::optional(Problem{"stribeck_velocity", stiction::plain(p.stribeck_velocity),
                                       "finite, where friction falls with speed"})
               : std::nullopt;
  }

  /// The state with other forces through the gear.
  static constexpr State transmitting(State state, const Transmitted<Real>& forces) noexcept {
    state.transmitted = forces;
    return state;
  }
  static constexpr std::array<Real, order> pack(const State& state) noexcept { return Plain::pack(part_of(state)); }
  static constexpr State unpack(const std::array<Real, order>& values, const State& state) noexcept {
    return {Plain::unpack(values, part_of(state)), state.transmitted};
  }
  /// Without a load; of a gear that has no friction then, between 1 N on both sides.
  std::array<Real, order> typical() const noexcept {
    const auto idle = budget({});
    return with(idle.static_force > Real(0) ? idle : budget({Real(1), Real(-1)})).typical();
  }
  Real velocity_scale() const noexcept { return with(budget({})).velocity_scale(); }

  State rate(const State& state, Real velocity) const noexcept {
    return {at(state).rate(part_of(state), velocity), state.transmitted};
  }
  State advance(const State& state, Real velocity, Real dt) const noexcept {
    const auto levels = budget(state.transmitted);
    return {with(levels).advance(part_of(state), is_usable(levels) ? velocity : not_a_number<Real>(), dt),
            state.transmitted};
  }
  /// Carries a load without motion, as far as the friction goes with nothing transmitted, or with these forces.
  State at_rest(Real load) const noexcept { return at_rest(load, {}); }
  State at_rest(Real load, const Transmitted<Real>& through) const noexcept {
    return {with(budget(through)).at_rest(load), through};
  }
  Real force(const State& state, Real velocity) const noexcept { return at(state).force(part_of(state), velocity); }
  Real dissipated_power(const State& state, Real velocity) const noexcept {
    return at(state).dissipated_power(part_of(state), velocity);
  }
  /// The coupled step, under what the gear transmits over it.
  Solved<State, Real> solve(const State& state, CoupledStep<Real> step) const noexcept {
    const auto through = transmitted_in(step, state.transmitted);
    const auto levels = budget(through);
    if (!is_usable(levels)) {
      step.free_velocity = not_a_number<Real>();  // gives NaN
    }
    const auto solved = with(levels).solve(part_of(state), step);
    return {solved.force, solved.velocity, {solved.state, through}};
  }

  /// f, the largest dry friction at this velocity.
  Real dry_friction(const Transmitted<Real>& through, Real velocity) const noexcept {
    const auto [coulomb, peak] = budget(through);
    return StribeckCurve<Real>{coulomb, peak, stribeck_velocity(), this->params().stribeck_exponent}(velocity);
  }

 protected:
  /// The state of `Plain` in it.
  static constexpr const typename Plain::State& part_of(const State& state) noexcept { return state; }
  static bool is_usable(const Levels& levels) noexcept { return levels.static_force < Real(infinity); }
  /// Any number where nothing falls with speed.
  Real stribeck_velocity() const noexcept {
    const Real given = this->params().stribeck_velocity;
    return given < Real(infinity) ? given : Real(1);
  }
  Plain with(const Levels& levels) const noexcept { return this->self().plain(levels); }
  Plain at(const State& state) const noexcept { return with(budget(state.transmitted)); }
};

/// Friction of a gear that truly sticks (Duclusaud and Passault 2025). It depends on the forces τ_m of the motor and
/// τ_e from outside, not on their sum: see GearBudget.
///   v ≠ 0:  F = f(v, τ_m, τ_e) sgn v + b v      v = 0:  F = load while |load| ≤ f(0, τ_m, τ_e)
template <class Real>
struct BasicGear : GearModel<BasicGear<Real>, GearParams<Real>, BasicStribeck<Real>, Real> {
  using Plain = BasicStribeck<Real>;
  using Base = GearModel<BasicGear<Real>, GearParams<Real>, Plain, Real>;
  using Base::Base;
  using Base::force;
  using typename Base::Levels;
  using typename Base::State;
  using Params = GearParams<Real>;

  static constexpr Info info{
      "gear", "Friction of a gear: grows with what its motor and the load transmit, set-valued at rest",
      "F = f sgn v + b v;  v = 0: F = load up to f;  f = f_0 + |k_e τ_e - k_m τ_m| + S (f_s + |k_es τ_e - k_ms τ_m| + "
      "q);  S = exp(-|v/v_S|^α);  q = q_e τ_e^2 where |τ_e| < |τ_m|, q_m τ_m^2 where |τ_e| > |τ_m|, 0 unless τ_e and "
      "τ_m are opposed",
      "Duclusaud and Passault 2025"};
  using Rows = GearFields<Params, Real>;
  static constexpr std::array<Field<Params, Real>, 11> fields{{
      Rows::coulomb_force,
      Rows::stribeck_force,
      Rows::motor_gain,
      Rows::external_gain,
      Rows::motor_stribeck_gain,
      Rows::external_stribeck_gain,
      Rows::motor_quadratic_gain,
      Rows::external_quadratic_gain,
      Rows::stribeck_velocity,
      Rows::stribeck_exponent,
      Rows::viscous,
  }};
  static constexpr std::size_t guard_count = Plain::guard_count;
  static constexpr auto mode_names = Plain::mode_names;

  static constexpr std::array<double, 1> modes(const State& state) noexcept {
    return Plain::modes(Base::part_of(state));
  }
  static constexpr bool held(const State& state) noexcept { return Plain::held(Base::part_of(state)); }
  static constexpr Real velocity_after(const State& state, Real velocity) noexcept {
    return Plain::velocity_after(Base::part_of(state), velocity);
  }

  /// Resistance under a load, also at rest. The load is the sum τ_m + τ_e, which friction balances at rest.
  Real force(const State& state, Real velocity, Real load) const noexcept {
    return this->at(state).force(Base::part_of(state), velocity, load);
  }
  std::array<Real, 2> guards(const State& state, Real velocity, Real load) const noexcept {
    return this->at(state).guards(Base::part_of(state), velocity, load);
  }
  State transition(const State& state, int guard) const noexcept {
    return {this->at(state).transition(Base::part_of(state), guard), state.transmitted};
  }

  /// The largest load held with nothing transmitted; otherwise it is `budget(transmitted).static_force`.
  Real breakaway_force(Real) const noexcept { return this->budget({}).static_force; }

  /// Stribeck friction at these levels.
  Plain plain(const Levels& levels) const noexcept {
    const auto& p = this->params();
    return Plain(
        {levels.coulomb_force, levels.static_force, this->stribeck_velocity(), p.stribeck_exponent, p.viscous});
  }
};

using Gear = BasicGear<double>;
static_assert(Sticking<Gear> && Geared<Gear>);
STICTION_REGISTERED(Gear);

}  // namespace stiction::scalar
