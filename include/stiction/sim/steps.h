// Fixed steps of a body on a line with friction. Pure functions: no allocation, no lock, no throw, bounded time.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

#include "stiction/scalar/model.h"
#include "stiction/sim/load.h"

namespace stiction::sim {

/// cvode is the accurate solver of line.h, midpoint its fixed step under an imposed velocity; the others are the fixed
/// steps below.
enum class Method { cvode, sdirk2, backward_euler, explicit_euler, semi_implicit_euler, runge_kutta_4, midpoint };

/// The name in scenario files.
constexpr const char* name_of(Method method) noexcept {
  constexpr std::array names{"cvode",         "sdirk2",  "backward-euler", "explicit-euler", "semi-implicit-euler",
                             "runge-kutta-4", "midpoint"};
  return names[static_cast<std::size_t>(method)];
}

/// The complete state: the body, the controller's integral and the friction state.
template <class Model>
struct LineState {
  double position = 0;  // x [m]
  double velocity = 0;  // v [m/s]
  double integral = 0;  // q, ∫ of the controller's error
  typename Model::State friction{};

  friend bool operator==(const LineState&, const LineState&) = default;
};

/// The result of a step: the new state and the friction force on the body over the step [N].
template <class Model>
struct Stepped {
  LineState<Model> state;
  double friction = 0;
};

/// The velocity at which the position changes; a model may hold the position while momentum builds up.
template <class Model>
double seen_velocity(const Model& model, const typename Model::State& friction, double velocity) noexcept {
  if constexpr (requires { model.output_velocity(friction, velocity); }) {
    return model.output_velocity(friction, velocity);
  } else {
    return velocity;
  }
}

/// Whether a contact has switched between two states.
template <class Model>
bool switched(const typename Model::State& before, const typename Model::State& after) noexcept {
  if constexpr (requires { Model::modes(before); }) {
    return Model::modes(before) != Model::modes(after);
  } else {
    return false;
  }
}

/// The motion of a body without friction in an implicit stage of length s; with friction v⁺ = velocity − s F/mass.
struct FreeMotion {
  double velocity;
  double mass;        // effective: with the contributions of springs, dampers and the controller
  double push;        // the load at the end of the stage for v⁺ = 0 [N]
  double drag;        // its decrease with v⁺ [N s/m]
  double motor_push;  // the motor's parts of both
  double motor_drag;

  [[nodiscard]] double load_at(double v) const noexcept { return push - drag * v; }
  [[nodiscard]] double motor_at(double v) const noexcept { return motor_push - motor_drag * v; }
};
inline FreeMotion without_friction(double mass, const LinearLoad& load, double x, double v, double q,
                                   double s) noexcept {
  const double integral_drag = s * load.integral_gain * (s * load.error_of_position + load.error_of_velocity);
  const double integral_push = load.integral_gain * (q + s * (load.reference - load.error_of_position * x));
  const double drag = load.damping + s * load.stiffness + integral_drag;
  const double push = load.force - load.stiffness * x + integral_push;
  const double effective_mass = mass + s * drag;
  return {(mass * v + s * push) / effective_mass,
          effective_mass,
          push,
          drag,
          load.motor_force - load.motor_stiffness * x + integral_push,
          load.motor_damping + s * load.motor_stiffness + integral_drag};
}

/// What a gear transmits under a load, of which `motor` is the motor's part.
inline scalar::Transmitted<double> transmitted(double load, double motor, double normal) noexcept {
  return {per_normal(motor, normal), per_normal(load - motor, normal)};
}

/// Tells the friction what the gear transmits, if there is one.
template <scalar::Dynamics Model>
void transmit(const Model& model, LineState<Model>& y, const LinearLoad& load) noexcept {
  if constexpr (requires { Model::transmitting(y.friction, scalar::Transmitted<double>{}); }) {
    if (scalar::geared(model)) {
      y.friction =
          Model::transmitting(y.friction, transmitted(load.at(y.position, y.velocity, y.integral),
                                                      load.motor_at(y.position, y.velocity, y.integral), load.normal));
    }
  }
}

/// The model's coupled step, with the load for models that need it, and its part of a motor for gears. `load` and
/// `mobility` are those of the body; all forces of the model are multiplied by the normal load.
template <scalar::Dynamics Model>
auto solve_under_load(const Model& model, const typename Model::State& friction, double free_velocity, double mobility,
                      double s, double present_velocity, double load, double motor, double normal) noexcept {
  const auto [motor_force, external_force] = transmitted(load, motor, normal);
  auto solved = model.solve(friction, {.free_velocity = free_velocity,
                                       .mobility = normal * mobility,
                                       .velocity = present_velocity,
                                       .dt = s,
                                       .load = per_normal(load, normal),
                                       .motor_force = motor_force,
                                       .external_force = external_force});
  solved.force *= normal;
  return solved;
}

/// One implicit stage of length s from `base`: the solution of
///   x⁺ = x + s v⁺,   q⁺ = q + s e(x⁺, v⁺),   m v⁺ = m v + s (load(x⁺, v⁺, q⁺) − F),   F in the friction law at v⁺.
/// Eliminating x⁺ and q⁺ leaves v⁺ = v_free − (s/m_effective) F, which is the model's own coupled `solve`.
/// `load` is that at the end of the stage. `present_velocity` selects the root if there are several.
template <scalar::Dynamics Model>
Stepped<Model> implicit_stage(const Model& model, double mass, const LinearLoad& load, const LineState<Model>& base,
                              double present_velocity, double s) noexcept {
  const FreeMotion free = without_friction(mass, load, base.position, base.velocity, base.integral, s);
  const auto solved = solve_under_load(model, base.friction, free.velocity, 1 / free.mass, s, present_velocity,
                                       free.load_at(present_velocity), free.motor_at(present_velocity), load.normal);
  LineState<Model> next{base.position + s * seen_velocity(model, solved.state, solved.velocity), solved.velocity,
                        base.integral, solved.state};
  next.integral += s * load.error(next.position, next.velocity);
  return {next, solved.force};
}

/// Backward Euler: first order, never rings, never creeps. `load.at(time)` gives a LinearLoad.
template <scalar::Dynamics Model, class AnyLoad = Load>
Stepped<Model> backward_euler(const Model& model, double mass, const AnyLoad& load, double time,
                              const LineState<Model>& now, double h) noexcept {
  return implicit_stage(model, mass, load.at(time + h), now, now.velocity, h);
}

/// SDIRK2 with γ = 1 − 1/√2: second order and L-stable, two stages that are each the same coupled solve.
///   Y₁ = y + γh f(Y₁),   Y₂ = y + (1−γ)h f(Y₁) + γh f(Y₂),   y⁺ = Y₂,   and  (1−γ)h f(Y₁) = (1/γ − 1)(Y₁ − y)
/// If the contact switches between stick and slip within the step, second order is not attainable: that step is taken
/// by backward Euler, so that a body that stops stays at rest.
template <scalar::Dynamics Model, class AnyLoad = Load>
Stepped<Model> sdirk2(const Model& model, double mass, const AnyLoad& load, double time, const LineState<Model>& now,
                      double h) noexcept {
  constexpr double gamma = 0.29289321881345254;
  constexpr double weight = 2.414213562373095;  // 1/γ − 1 = 1 + √2
  const auto first = implicit_stage(model, mass, load.at(time + gamma * h), now, now.velocity, gamma * h).state;

  if (switched<Model>(now.friction, first.friction)) {
    return backward_euler(model, mass, load, time, now, h);
  }
  LineState<Model> base = first;
  base.position = now.position + weight * (first.position - now.position);
  base.velocity = now.velocity + weight * (first.velocity - now.velocity);
  base.integral = now.integral + weight * (first.integral - now.integral);
  const auto start = Model::pack(now.friction);
  auto states = Model::pack(first.friction);
  for (std::size_t i = 0; i < states.size(); ++i) {
    states[i] = start[i] + weight * (states[i] - start[i]);
  }
  base.friction = Model::unpack(states, first.friction);
  auto second = implicit_stage(model, mass, load.at(time + h), base, first.velocity, gamma * h);

  if (switched<Model>(now.friction, second.state.friction)) {
    return backward_euler(model, mass, load, time, now, h);
  }
  return second;
}

/// Friction for schemes without a coupled step. The load is passed to models whose friction depends on it (SeesLoad),
/// not to those that would only hold it.
template <scalar::Dynamics Model>
double explicit_friction(const Model& model, const LineState<Model>& y, double load, double normal) noexcept {
  if constexpr (requires { model.force(y.friction, y.velocity, load); }) {
    if (scalar::follows_load(model)) {
      return normal == 0 ? 0 : normal * model.force(y.friction, y.velocity, per_normal(load, normal));
    }
  }
  return normal * model.force(y.friction, y.velocity);
}

/// dy/dt of body, integral and friction, with the friction force at the current state.
template <scalar::Dynamics Model>
LineState<Model> line_rate(const Model& model, double mass, const LinearLoad& load, LineState<Model> y) noexcept {
  transmit(model, y, load);
  const double push = load.at(y.position, y.velocity, y.integral);
  const double net = push - explicit_friction(model, y, push, load.normal);
  return {seen_velocity(model, y.friction, y.velocity), net / mass, load.error(y.position, y.velocity),
          model.rate(y.friction, y.velocity)};
}

/// y + h·rate, state by state.
template <scalar::Dynamics Model>
LineState<Model> moved(const LineState<Model>& y, const LineState<Model>& rate, double h) noexcept {
  LineState<Model> next = y;
  next.position += h * rate.position;
  next.velocity += h * rate.velocity;
  next.integral += h * rate.integral;
  const auto slope = Model::pack(rate.friction);
  auto states = Model::pack(y.friction);
  for (std::size_t i = 0; i < states.size(); ++i) {
    states[i] += h * slope[i];
  }
  next.friction = Model::unpack(states, y.friction);
  return next;
}

template <scalar::Dynamics Model>
Stepped<Model> with_force(const Model& model, const LinearLoad& load, LineState<Model> state) noexcept {
  transmit(model, state, load);
  state.friction =
      model.advance(state.friction, state.velocity, 0);  // zero time: only updates the mode of a switching contact
  const double push = load.at(state.position, state.velocity, state.integral);
  return {state, explicit_friction(model, state, push, load.normal)};
}

/// Textbook schemes, for comparison: they become unstable or creep where the implicit ones hold.
template <scalar::Dynamics Model>
Stepped<Model> explicit_euler(const Model& model, double mass, const Load& load, double time,
                              const LineState<Model>& now, double h) noexcept {
  return with_force(model, load.at(time + h), moved(now, line_rate(model, mass, load.at(time), now), h));
}

/// First the velocity with the current friction, then the friction state (exactly) and position with the new velocity.
template <scalar::Dynamics Model>
Stepped<Model> semi_implicit_euler(const Model& model, double mass, const Load& load, double time,
                                   const LineState<Model>& now, double h) noexcept {
  const LinearLoad start = load.at(time);
  LineState<Model> next = moved(now, line_rate(model, mass, start, now), h);
  next.position = now.position + h * seen_velocity(model, now.friction, next.velocity);
  next.friction = now.friction;
  transmit(model, next, start);
  next.friction = model.advance(next.friction, next.velocity, h);
  return with_force(model, load.at(time + h), next);
}

template <scalar::Dynamics Model>
Stepped<Model> runge_kutta_4(const Model& model, double mass, const Load& load, double time,
                             const LineState<Model>& now, double h) noexcept {
  const auto rate = [&](double t, const LineState<Model>& y) { return line_rate(model, mass, load.at(t), y); };
  const auto k1 = rate(time, now);
  const auto k2 = rate(time + h / 2, moved(now, k1, h / 2));
  const auto k3 = rate(time + h / 2, moved(now, k2, h / 2));
  const auto k4 = rate(time + h, moved(now, k3, h));
  return with_force(model, load.at(time + h),
                    moved(moved(moved(moved(now, k1, h / 6), k2, h / 3), k3, h / 3), k4, h / 6));
}

/// The fixed step of this method; NaN for cvode and midpoint, which are not fixed steps of a body.
template <scalar::Dynamics Model>
Stepped<Model> fixed_step(Method method, const Model& model, double mass, const Load& load, double t,
                          const LineState<Model>& y, double h) noexcept {
  switch (method) {
    case Method::backward_euler:
      return backward_euler(model, mass, load, t, y, h);
    case Method::explicit_euler:
      return explicit_euler(model, mass, load, t, y, h);
    case Method::semi_implicit_euler:
      return semi_implicit_euler(model, mass, load, t, y, h);
    case Method::runge_kutta_4:
      return runge_kutta_4(model, mass, load, t, y, h);
    case Method::sdirk2:
      return sdirk2(model, mass, load, t, y, h);
    default:
      constexpr double nan = std::numeric_limits<double>::quiet_NaN();
      return {{nan, nan, nan, y.friction}, nan};
  }
}

}  // namespace stiction::sim
