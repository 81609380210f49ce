// What all models of one axis have in common. Sign: a model returns the resistance F of  m dv/dt = u − F, so positive
// velocity gives positive F. Units are SI; "force" means N on a line and N·m on a shaft (then m is rad).
#pragma once

#include <array>
#include <concepts>
#include <limits>
#include <optional>

#include "stiction/export.h"
#include "stiction/problem.h"

namespace stiction::scalar {

// What parameters may be, in SI units. Far beyond any machine at both ends, and such that products, ratios and powers
// of several stay finite. Every model also computes with velocities, times and mobilities of up to 1e15.
inline constexpr Range positive_size{1e-15, 1e15, true, true, "in [1e-15, 1e15]"};
inline constexpr Range size_or_zero{0, 1e15, true, true, "in [0, 1e15]"};
inline constexpr Range size_or_infinite{1e-15, infinity, true, true, ">= 1e-15, or inf"};
inline constexpr Range signed_size{-1e15, 1e15, true, true, "in [-1e15, 1e15]"};
/// Of a whole, without its ends.
inline constexpr Range inner_shares{1e-3, 0.999, true, true, "in [0.001, 0.999]"};

template <class Real>
constexpr Real not_a_number() noexcept {
  return Real(std::numeric_limits<double>::quiet_NaN());
}

/// The time that a step takes, as `advance` and `step` see it: NaN where dt is negative or not finite, which then shows
/// in the state and the force.
template <class Real>
constexpr Real elapsed(const Real& dt) noexcept {
  return dt >= Real(0) && dt < Real(infinity) ? dt : not_a_number<Real>();
}

/// Whether a coupled step can be taken: no input is negative that must not be, and all are finite. Otherwise `solve`
/// gives NaN. Without mobility or time the body keeps its free velocity; without time the state stays as it is.
template <class Real>
constexpr bool can_step(const Real& free_velocity, const Real& mobility, const Real& dt,
                        const Real& velocity) noexcept {
  const Real all = free_velocity + velocity + mobility * dt + dt;
  return dt >= Real(0) && mobility >= Real(0) && Real(0) * all == Real(0);  // not where one is infinite or NaN
}

/// Body and friction in one implicit step: v⁺ = free_velocity − mobility·dt·F, with F in the law at (state, v⁺).
template <class Real>
struct CoupledStep {
  Real free_velocity;          // at the end of the step without friction [m/s]
  Real mobility;               // 1/mass, ≥ 0 [1/kg]
  Real velocity;               // at the start of the step; picks the root where the law has several [m/s]
  Real dt;                     // ≥ 0 [s]
  std::optional<Real> load{};  // transmitted load [N], for laws that follow it; otherwise taken from the velocities
};

/// The answer of a coupled step: velocity = free_velocity − mobility·dt·force, with force in the law at the new state.
template <class State, class Real>
struct Solved {
  Real force;     // resistance over the step [N]
  Real velocity;  // at the end of the step [m/s]
  State state;    // at the end of the step
};

/// How a contact that truly sticks behaves now.
enum class Mode : signed char { slip_minus = -1, stick = 0, slip_plus = 1 };

constexpr double plain_mode(Mode mode) noexcept { return static_cast<double>(static_cast<int>(mode)); }

/// What `stiction models` prints about a model.
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

/// The calls that solvers need: of every model, and of one chosen at run time (any_model.h).
template <class M>
concept Dynamics = requires(const M model, typename M::State state, double x) {
  { M::pack(state).size() } -> std::convertible_to<std::size_t>;
  { M::unpack(M::pack(state), state) } -> std::same_as<typename M::State>;
  { model.typical().size() } -> std::convertible_to<std::size_t>;
  { model.velocity_scale() } -> std::same_as<double>;
  { model.rate(state, x) } -> std::same_as<typename M::State>;
  { model.force(state, x) } -> std::same_as<double>;
  { model.advance(state, x, x) } -> std::same_as<typename M::State>;
  { model.at_rest(x) } -> std::same_as<typename M::State>;
  { model.dissipated_power(state, x) } -> std::same_as<double>;
};

/// A model: its calls, its parameters and what is printed about it. `order` counts the continuous states that an ODE
/// solver carries.
template <class M>
concept Model = Dynamics<M> && requires(const M model, typename M::State state, typename M::Params params, double x) {
  { M::check(params) } -> std::same_as<std::optional<Problem>>;
  { M::info } -> std::convertible_to<Info>;
  { M::fields.size() } -> std::convertible_to<std::size_t>;
  { M::pack(state) } -> std::same_as<std::array<double, M::order>>;
  { model.typical() } -> std::same_as<std::array<double, M::order>>;
  { model.solve(state, x, x, x, x) } -> std::same_as<Solved<typename M::State, double>>;
};

/// Models that switch: a guard is positive inside its mode, and the event is its fall through zero.
template <class M>
concept Switching = Model<M> && requires(const M model, typename M::State state, double x, int guard) {
  { model.guards(state, x, x) } -> std::same_as<std::array<double, M::guard_count>>;
  { model.transition(state, guard) } -> std::same_as<typename M::State>;
  { M::modes(state) } -> std::same_as<std::array<double, M::mode_names.size()>>;
};

/// Switching models that see the load, because they truly hold it: while `held`, the velocity is zero and the friction
/// equals the load. A transition may set the velocity.
template <class M>
concept Sticking = Switching<M> && requires(const M model, typename M::State state, double x) {
  { model.force(state, x, x) } -> std::same_as<double>;
  { M::held(state) } -> std::same_as<bool>;
  { model.velocity_after(state, x) } -> std::same_as<double>;
};

/// Models that want to know the load itself in the coupled step, as a sixth argument: their friction follows from it.
template <class M>
concept SeesLoad = Model<M> && requires(const M model, typename M::State state, double x) {
  { model.solve(state, x, x, x, x, x) } -> std::same_as<Solved<typename M::State, double>>;
  { model.force(state, x, x) } -> std::same_as<double>;
};

/// The load over a step of which only the velocities are known, for SeesLoad models that are not told [N].
template <class Real>
constexpr Real load_of_step(Real free_velocity, Real velocity, Real gain) noexcept {
  return gain > Real(0) ? (free_velocity - velocity) / gain : Real(0);
}

/// The coupled step of any model.
template <Dynamics M>
auto solve_coupled(const M& model, const typename M::State& state, const CoupledStep<double>& step) noexcept {
  if constexpr (requires { model.solve(state, step); }) {
    return model.solve(state, step);
  } else {
    if constexpr (SeesLoad<M>) {
      if (step.load) {
        return model.solve(state, step.free_velocity, step.mobility, step.dt, step.velocity, *step.load);
      }
    }
    return model.solve(state, step.free_velocity, step.mobility, step.dt, step.velocity);
  }
}

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

/// The number of states in use; fewer than `order` where it depends on the parameters.
template <class M>
constexpr std::size_t states_in_use(const M& model) noexcept {
  if constexpr (requires { model.states_in_use(); }) {
    return model.states_in_use();
  } else {
    return M::order;
  }
}

/// The parameters a model was made from.
template <Model M>
typename M::Params params_of(const M& model) noexcept {
  if constexpr (requires { model.params(); }) {
    return model.params();
  } else {
    return model.params;
  }
}

/// The table of functions behind which a model is compiled once (model_table.h). Those of registered models are in the
/// library: STICTION_REGISTERED(M) at the end of the model's header says so.
struct ModelTable;
template <class M>
struct TableOf {
  static const ModelTable value;
};
#if defined(STICTION_COMPILE_MODEL_TABLES)
#define STICTION_REGISTERED(M) template struct STICTION_EXPORT TableOf<M>
#else
#define STICTION_REGISTERED(M) extern template struct STICTION_EXPORT TableOf<M>
#endif

}  // namespace stiction::scalar
