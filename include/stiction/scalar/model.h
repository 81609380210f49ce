// Definitions common to all models of one axis. Sign: a model returns the resistance F of  m dv/dt = u − F, so positive
// velocity gives positive F. Units are SI; "force" means N on a line and N·m on a shaft (then m is rad).
#pragma once

#include <array>
#include <concepts>
#include <limits>
#include <optional>
#include <type_traits>

#include "stiction/export.h"
#include "stiction/problem.h"

namespace stiction::scalar {

// Ranges of parameters, in SI units: far beyond any machine at both ends, and such that products, ratios and powers of
// several stay finite. Every model also computes with velocities, times and mobilities of up to 1e15.
inline constexpr Range positive_size{1e-15, 1e15, true, true, "in [1e-15, 1e15]"};
inline constexpr Range size_or_zero{0, 1e15, true, true, "in [0, 1e15]"};
inline constexpr Range size_or_infinite{1e-15, infinity, true, true, ">= 1e-15, or inf"};
inline constexpr Range signed_size{-1e15, 1e15, true, true, "in [-1e15, 1e15]"};
/// Fractions of a whole, strictly inside (0, 1).
inline constexpr Range inner_shares{1e-3, 0.999, true, true, "in [0.001, 0.999]"};

template <class Real>
constexpr Real not_a_number() noexcept {
  return Real(std::numeric_limits<double>::quiet_NaN());
}

/// The duration of a step in `advance` and `step`: NaN if dt is negative or not finite, which propagates to the state
/// and the force.
template <class Real>
constexpr Real elapsed(const Real& dt) noexcept {
  return dt >= Real(0) && dt < Real(infinity) ? dt : not_a_number<Real>();
}

/// What a gear transmits, both at its output: a motor that holds a weight transmits all of it, though the sum is zero.
template <class Real>
struct Transmitted {
  Real motor{};     // force of the motor [N]
  Real external{};  // all other forces on the output but friction [N]
  friend constexpr bool operator==(const Transmitted&, const Transmitted&) = default;
};

/// One step of a body together with its friction:  v⁺ = free_velocity − mobility·dt·F,  F in the law at v⁺.
template <class Real>
struct CoupledStep {
  Real free_velocity;          // at the end of the step without friction [m/s]
  Real mobility;               // velocity change per unit impulse: 1/mass [1/kg], ≥ 0
  Real velocity;               // at the start [m/s]; selects the root if there are several. Unknown: free_velocity
  Real dt;                     // [s], ≥ 0
  std::optional<Real> load{};  // all forces but friction [N], for SeesLoad models; estimated if not given
  std::optional<Real> motor_force{};  // of a motor, through a gear [N], for Geared models; not given: as in the state
  std::optional<Real> external_force{};  // all others but friction [N], for Geared models; not given: as in the state

  /// Velocity change per newton of friction [m/(N s)].
  constexpr Real gain() const noexcept { return mobility * dt; }
};

/// Whether a coupled step is valid: mobility and dt are not negative, and all inputs are finite. Otherwise `solve`
/// gives NaN. Without mobility or time the body keeps its free velocity; without time the state does not change.
template <class Real>
constexpr bool can_step(const CoupledStep<Real>& step) noexcept {
  const Real all = step.free_velocity + step.velocity + step.gain() + step.dt;
  return step.dt >= Real(0) && step.mobility >= Real(0) && Real(0) * all == Real(0);  // false if one is inf or NaN
}

/// The load over a step: the given one, or the one that follows from the velocities [N].
template <class Real>
constexpr Real load_of_step(const CoupledStep<Real>& step) noexcept {
  if (step.load) {
    return *step.load;
  }
  return step.gain() > Real(0) ? (step.free_velocity - step.velocity) / step.gain() : Real(0);
}

/// What a gear transmits over a step; parts that the step does not give are the `present` ones.
template <class Real>
constexpr Transmitted<Real> transmitted_in(const CoupledStep<Real>& step, const Transmitted<Real>& present) noexcept {
  return {step.motor_force ? *step.motor_force : present.motor,
          step.external_force ? *step.external_force : present.external};
}

/// The result of `step` and `solve`. After `solve`, velocity = free_velocity − mobility·dt·force, with force in the law
/// at the new state; after `step`, velocity is the given one.
template <class State, class Real>
struct Solved {
  Real force;     // resistance [N]
  Real velocity;  // at the end of the step [m/s]
  State state;    // at the end of the step
};

/// The current mode of a contact that sticks exactly.
enum class Mode : signed char { slip_minus = -1, stick = 0, slip_plus = 1 };

constexpr double plain_mode(Mode mode) noexcept { return static_cast<double>(static_cast<int>(mode)); }

/// Description of a model, as printed by `stiction models`.
struct Info {
  const char* name;
  const char* title;
  const char* equation;
  const char* source;
};

/// A linear oscillator near standstill: x'' + 2 ζ ω x' + ω² x = u/m  (Olsson et al. 1998, eq. 27).
template <class Real>
struct Linearised {
  Real natural_frequency;  // ω [rad/s]
  Real damping_ratio;      // ζ [-]
};

/// The parameters of a model that has none.
struct NoParams {};

/// The parameters of a model: `Self` provides the table `fields`, and if needed the tables `integers` and `lists`, and
///   static std::optional<Problem> problem(const Params&) noexcept     checks relations between fields that are in
///   range
template <class Self, class ParamsOfSelf>
class Parameters {
 public:
  using Params = ParamsOfSelf;

  constexpr Parameters() noexcept requires std::is_empty_v<Params>
  = default;
  /// For parameters that `check` has passed.
  explicit constexpr Parameters(const Params& p) noexcept : params_(p) {}

  constexpr const Params& params() const noexcept { return params_; }

  /// The first invalid parameter, if there is one.
  static std::optional<Problem> check(const Params& p) noexcept {
    auto found = first_problem(p, Self::fields);
    if constexpr (requires { Self::integers; }) {
      found = found ? found : first_problem(p, Self::integers);
    }
    if constexpr (requires { Self::lists; }) {
      found = found ? found : first_problem(p, Self::lists);
    }
    if constexpr (requires { Self::problem(p); }) {
      found = found ? found : Self::problem(p);
    }
    return found;
  }
#if defined(__cpp_exceptions)
  /// The model, or InvalidParameter.
  static Self make(const Params& p) { return Self(checked<Self>(p)); }
#endif

 protected:
  Params params_{};
};

/// The base of models: parameters, and `step`. `State` is a nested type of `Self`, which is incomplete here: hence the
/// defaulted template parameter.
template <class Self, class ParamsOfSelf, class Real>
class ModelBase : public Parameters<Self, ParamsOfSelf> {
 public:
  using Parameters<Self, ParamsOfSelf>::Parameters;

  /// `advance`, then `force` at the new state: the call for a control loop.
  template <class M = Self>
  Solved<typename M::State, Real> step(const typename M::State& state, Real velocity, Real dt) const noexcept {
    const auto next = self().advance(state, velocity, dt);
    return {self().force(next, velocity), velocity, next};
  }

 protected:
  constexpr const Self& self() const noexcept { return static_cast<const Self&>(*this); }
};

/// The calls that solvers need: for every model, and for one chosen at run time (any_model.h).
template <class M>
concept Dynamics = requires(const M model, typename M::State state, CoupledStep<double> coupled, double x) {
  { M::pack(state).size() } -> std::convertible_to<std::size_t>;
  { M::unpack(M::pack(state), state) } -> std::same_as<typename M::State>;
  { model.typical().size() } -> std::convertible_to<std::size_t>;
  { model.velocity_scale() } -> std::same_as<double>;
  { model.rate(state, x) } -> std::same_as<typename M::State>;
  { model.force(state, x) } -> std::same_as<double>;
  { model.advance(state, x, x) } -> std::same_as<typename M::State>;
  { model.step(state, x, x) } -> std::same_as<Solved<typename M::State, double>>;
  { model.solve(state, coupled) } -> std::same_as<Solved<typename M::State, double>>;
  { model.at_rest(x) } -> std::same_as<typename M::State>;
  { model.dissipated_power(state, x) } -> std::same_as<double>;
};

/// A model: its calls, its parameters and its description. `order` counts the continuous states that an ODE
/// solver carries.
template <class M>
concept Model = Dynamics<M> && requires(const M model, typename M::State state, typename M::Params params) {
  { M::check(params) } -> std::same_as<std::optional<Problem>>;
  { model.params() } -> std::same_as<const typename M::Params&>;
  { M::info } -> std::convertible_to<Info>;
  { M::fields.size() } -> std::convertible_to<std::size_t>;
  { M::pack(state) } -> std::same_as<std::array<double, M::order>>;
  { model.typical() } -> std::same_as<std::array<double, M::order>>;
};

/// Models that switch: a guard is positive inside its mode, and its zero crossing is the event.
template <class M>
concept Switching = Model<M> && requires(const M model, typename M::State state, double x, int guard) {
  { model.guards(state, x, x) } -> std::same_as<std::array<double, M::guard_count>>;
  { model.transition(state, guard) } -> std::same_as<typename M::State>;
  { M::modes(state) } -> std::same_as<std::array<double, M::mode_names.size()>>;
};

/// Switching models that see the load, because they stick exactly: while `held`, the velocity is zero and the friction
/// equals the load. A transition may set the velocity.
template <class M>
concept Sticking = Switching<M> && requires(const M model, typename M::State state, double x) {
  { model.force(state, x, x) } -> std::same_as<double>;
  { M::held(state) } -> std::same_as<bool>;
  { model.velocity_after(state, x) } -> std::same_as<double>;
};

/// Models whose friction depends on the transmitted load: they use the load of the coupled step.
template <class M>
concept SeesLoad = Model<M> && M::follows_load && requires(const M model, typename M::State state, double x) {
  { model.force(state, x, x) } -> std::same_as<double>;
};

/// Models of gears: friction depends on the two sides of what is transmitted, not on their sum. Both are kept in the
/// state, for all calls: `transmitting` sets them, and `solve` takes those of the step.
template <class M>
concept Geared = Model<M> && requires(typename M::State state, Transmitted<double> forces) {
  { M::transmitting(state, forces) } -> std::same_as<typename M::State>;
};

/// Whether a contact holds a load exactly at rest.
template <Dynamics M>
constexpr bool sticks(const M& model) noexcept {
  if constexpr (requires { model.table()->sticks; }) {
    return model.table()->sticks;
  } else {
    return Sticking<M>;
  }
}

/// Whether friction depends on the transmitted load.
template <Dynamics M>
constexpr bool follows_load(const M& model) noexcept {
  if constexpr (requires { model.follows_load(); }) {
    return model.follows_load();
  } else {
    return SeesLoad<M>;
  }
}

/// Whether friction depends on what a gear transmits.
template <Dynamics M>
constexpr bool geared(const M& model) noexcept {
  if constexpr (requires { model.table()->geared; }) {
    return model.table()->geared;
  } else {
    return Geared<M>;
  }
}

/// The number of states in use; less than `order` if it depends on the parameters.
template <class M>
constexpr std::size_t states_in_use(const M& model) noexcept {
  if constexpr (requires { model.states_in_use(); }) {
    return model.states_in_use();
  } else {
    return M::order;
  }
}

/// The table of functions behind which a model is compiled once (model_table.h). Those of registered models are in the
/// library: STICTION_REGISTERED(M) at the end of the model's header declares that.
struct ModelTable;
template <class M>
struct STICTION_EXPORT TableOf {
  static const ModelTable value;
};
#if defined(STICTION_COMPILE_MODEL_TABLES)
#define STICTION_REGISTERED(M) template struct STICTION_EXPORT TableOf<M>
#else
#define STICTION_REGISTERED(M) extern template struct STICTION_EXPORT TableOf<M>
#endif

}  // namespace stiction::scalar
