// Simulation of a body on a line with friction, and of friction under an imposed velocity.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <type_traits>
#include <vector>

#include "stiction/scalar/coulomb.h"
#include "stiction/scalar/stiction.h"
#include "stiction/scalar/viscous.h"
#include "stiction/sim/hybrid.h"
#include "stiction/sim/steps.h"
#include "stiction/sim/trajectory.h"

namespace stiction::sim {

namespace detail {

/// Laws that are linear in the speed, or a power of it, have no characteristic velocity.
template <class Model>
inline constexpr bool has_velocity_scale =
    !std::is_same_v<Model, scalar::Coulomb> && !std::is_same_v<Model, scalar::Stiction> &&
    !std::is_same_v<Model, scalar::Viscous>;

/// The force on a body under a load, with all forces of the model multiplied by the normal load.
template <class Model>
double friction_under_load(const Model& model, const LineState<Model>& y, double load, double normal) noexcept {
  if constexpr (requires { model.force(y.friction, y.velocity, load); }) {
    return normal == 0 ? 0 : normal * model.force(y.friction, y.velocity, per_normal(load, normal));
  } else {
    return normal * model.force(y.friction, y.velocity);
  }
}

template <scalar::Model Model>
Trajectory simulate_fixed_step(const Model& model, const Body& body, const Load& load, LineState<Model> y,
                               const Options& options) {
  Trajectory out = empty_trajectory(model, options, load.time_scale());
  const FixedGrid grid(options);
  const auto row = [&](double t, double friction, double push) {
    LineState<Model> seen = y;
    seen.velocity = seen_velocity(model, y.friction, y.velocity);
    return add_row(out, t, seen, friction, push);
  };
  const LinearLoad start = load.at(0);
  const double first = start.at(y.position, y.velocity, y.integral);
  bool finite = row(0, friction_under_load(model, y, first, start.normal), first);
  for (std::size_t i = 0; i < grid.steps && finite; ++i) {
    if (FixedGrid::asks_before(i) && !goes_on(options, grid.time(i), out)) {
      break;
    }
    const auto next = fixed_step(options.method, model, body.mass, load, grid.time(i), y, grid.h);
    y = next.state;
    ++out.steps;
    if (grid.row_after(i) || !std::isfinite(y.velocity)) {
      const double now = grid.time(i + 1);
      finite = row(now, next.friction, load.at(now).at(y.position, y.velocity, y.integral));
    }
  }
  return out;
}

/// States of the ODE: position, velocity, integral, then the friction's own.
template <class Model>
std::vector<double> to_vector(const Model& model, const LineState<Model>& y) {
  std::vector<double> values{y.position, y.velocity, y.integral};
  const auto states = Model::pack(y.friction);
  for (std::size_t i = 0; i < scalar::states_in_use(model); ++i) {
    values.push_back(states[i]);
  }
  return values;
}

template <class Model>
LineState<Model> from_vector(std::span<const double> values, const typename Model::State& mode) {
  auto states = Model::pack(mode);
  for (std::size_t i = 0; i + 3 < values.size(); ++i) {
    states[i] = values[3 + i];
  }
  return {values[0], values[1], values[2], Model::unpack(states, mode)};
}

template <class Model>
void write_rate(const Model& model, const LineState<Model>& y, std::span<double> dydt) {
  const auto rate = Model::pack(model.rate(y.friction, y.velocity));
  for (std::size_t i = 0; i + 3 < dydt.size(); ++i) {
    dydt[3 + i] = rate[i];
  }
}

/// Presliding displacement, F/k at rest [m]; 0 if nothing is elastic.
template <class Model>
double elastic_length(const Model& model) noexcept {
  if constexpr (Model::order > 0) {
    const double v = model.velocity_scale();
    constexpr double time = 1e-12;  // over which every bristle is still a spring
    const auto rest = model.at_rest(0);
    const double stiffness = (model.force(model.advance(rest, v, time), 0) - model.force(rest, 0)) / (v * time);
    const double length = std::abs(model.force(Model::unpack(model.typical(), rest), 0) / stiffness);
    return std::isfinite(length) ? length : 0;
  } else {
    return 0;
  }
}

/// Scales of the states, and a bound on the step: a short load peak beyond break-away must not be stepped over, and a
/// delay must reach back to steps already taken, close enough for linear interpolation. Scales of length and velocity
/// are those of the friction if it has its own, otherwise of the motion: no unit is preferred.
template <class Model>
OdeProblem scaled_problem(const Model& model, const MotionScale& motion, double time_scale, double relative_tolerance) {
  const auto typical = model.typical();
  const std::size_t states = scalar::states_in_use(model);
  constexpr double small = 1e-3;  // of the largest motion, so that its end is resolved too
  const double elastic = elastic_length(model);
  const double length = elastic > 0 ? std::clamp(elastic, 1e-9 * motion.length, motion.length) : small * motion.length;
  const double velocity =
      has_velocity_scale<Model> ? std::min<double>(model.velocity_scale(), motion.velocity) : small * motion.velocity;
  OdeProblem problem;
  problem.relative_tolerance = relative_tolerance;
  problem.scale = {length, velocity, length};
  problem.scale.insert(problem.scale.end(), typical.begin(), typical.begin() + static_cast<std::ptrdiff_t>(states));
  problem.max_step = time_scale / 10;
  if constexpr (requires { model.delay(); }) {
    if (model.delay() > 0) {
      problem.max_step = std::min(problem.max_step, model.delay() / 16);
    }
  }
  return problem;
}

/// Takes the transitions of guards that are already negative: a body that stops under too large a load reverses.
template <class Model>
void settle(const Model& model, LineState<Model>& y, double load) noexcept {
  if constexpr (scalar::Switching<Model>) {
    for (std::size_t round = 0; round < Model::guard_count + 2; ++round) {
      const auto guards = model.guards(y.friction, y.velocity, load);
      const auto fallen = std::find_if(guards.begin(), guards.end(), [](double g) { return g < 0; });
      if (fallen == guards.end()) {
        return;
      }
      y.friction = model.transition(y.friction, static_cast<int>(fallen - guards.begin()));
      if constexpr (scalar::Sticking<Model>) {
        y.velocity = model.velocity_after(y.friction, y.velocity);
      }
    }
  }
}

/// Evaluates an input from the left at the end of a segment, where it may jump.
struct Segment {
  double end = 0;
  [[nodiscard]] double clamp(double t) const noexcept { return std::min(t, std::nextafter(end, 0.0)); }
  /// Start of a step of length h, such that its end stays inside.
  [[nodiscard]] double start_of(double t, double h) const noexcept { return std::min(t, clamp(end) - h); }
};

/// Steps of a body on a line, for when the accurate solver fails. `advance(state, time, h)` gives the next state.
template <class Model, class StateFrom, class Advance>
CoupledSteps coupled_steps(const Model& model, std::array<LineState<Model>, 4>& slots, typename Model::State& mode,
                           const StateFrom& state_from, const Advance& advance) {
  CoupledSteps steps;
  steps.start = [&slots, &state_from](std::span<const double> values) { slots[0] = state_from(values); };
  steps.step = [&slots, advance](std::size_t from, std::size_t to, double t, double h) {
    slots[to] = advance(slots[from], t, h);
  };
  steps.get = [&slots, &model](std::size_t slot, std::span<double> values) {
    const auto now = to_vector(model, slots[slot]);
    std::copy(now.begin(), now.end(), values.begin());
  };
  steps.put = [&slots](std::size_t slot, std::span<const double> values) {
    slots[slot] = from_vector<Model>(values, slots[slot].friction);
  };
  steps.accept = [&slots, &mode](std::size_t slot) {
    slots[0] = slots[slot];
    mode = slots[0].friction;
  };
  steps.switched = [&slots](std::size_t a, std::size_t b) {
    return switched<Model>(slots[a].friction, slots[b].friction);
  };
  return steps;
}

template <scalar::Model Model>
Trajectory simulate_cvode(const Model& model, const Body& body, const Load& load, const LineState<Model>& y0,
                          const Options& options) {
  Trajectory out = empty_trajectory(model, options, load.time_scale());
  auto mode = y0.friction;  // changes only at events
  Segment segment;
  struct Push {
    double load, normal;
  };
  const auto push_on = [&](double t, const LineState<Model>& y) {
    const LinearLoad l = load.at(segment.clamp(t));
    return Push{l.at(y.position, y.velocity, y.integral), l.normal};
  };
  const auto change_mode = [&](double t, LineState<Model> y, std::span<double> values) {
    const Push push = push_on(t, y);
    settle(model, y, per_normal(push.load, push.normal));
    mode = y.friction;
    const auto changed = to_vector(model, y);
    std::copy(changed.begin(), changed.end(), values.begin());
  };

  const auto state_from = [&](std::span<const double> values) {
    auto y = from_vector<Model>(values, mode);
    if constexpr (scalar::Sticking<Model>) {
      y.velocity = Model::held(mode) ? 0 : y.velocity;  // discards the solver's rounding errors
    }
    return y;
  };

  HybridSystem system;
  const MotionScale motion = motion_scale(body.mass, body.position, body.velocity, load, options.duration);
  system.ode = scaled_problem(model, motion, load.time_scale(), options.relative_tolerance);
  system.ode.rate = [&](double t, std::span<const double> values, std::span<double> dydt) {
    const auto y = state_from(values);
    const LinearLoad l = load.at(segment.clamp(t));
    const double push = l.at(y.position, y.velocity, y.integral);
    dydt[0] = seen_velocity(model, y.friction, y.velocity);
    dydt[1] = (push - friction_under_load(model, y, push, l.normal)) / body.mass;
    dydt[2] = l.error(y.position, y.velocity);
    write_rate(model, y, dydt);
    if constexpr (scalar::Sticking<Model>) {
      if (Model::held(mode)) {
        dydt[0] = dydt[1] = 0;  // held exactly at rest
      }
    }
  };
  if constexpr (scalar::Switching<Model>) {
    system.ode.guard_count = Model::guard_count;
    system.ode.guards = [&](double t, std::span<const double> values, std::span<double> result) {
      const auto y = state_from(values);
      const Push push = push_on(t, y);
      const auto guards = model.guards(y.friction, y.velocity, per_normal(push.load, push.normal));
      std::copy(guards.begin(), guards.end(), result.begin());
    };
    system.on_guard = [&](double t, std::span<double> values, int guard) {
      auto y = state_from(values);
      y.friction = model.transition(y.friction, guard);
      if constexpr (scalar::Sticking<Model>) {
        y.velocity = model.velocity_after(y.friction, y.velocity);
      }
      change_mode(t, y, values);
    };
  }
  if constexpr (requires { model.record(mode, 0.0); }) {
    system.on_step = [&](double, std::span<const double> values) {
      const auto y = from_vector<Model>(values, mode);
      mode = model.record(y.friction, y.velocity);
    };
  }
  system.begin_segment = [&](double start, double end, std::span<double> values) {
    segment.end = end;
    change_mode(start, state_from(values), values);
  };
  system.on_row = [&](double t, std::span<const double> values) {
    auto y = state_from(values);
    const Push push = push_on(t, y);
    const double friction = friction_under_load(model, y, push.load, push.normal);
    y.velocity = seen_velocity(model, y.friction, y.velocity);
    return add_row(out, t, y, friction, push.load);
  };
  std::array<LineState<Model>, 4> slots{};
  system.coupled = coupled_steps(model, slots, mode, state_from, [&](const LineState<Model>& from, double t, double h) {
    return sdirk2(model, body.mass, load, segment.start_of(t, h), from, h).state;
  });
  auto segments = load.breakpoints(options.duration);
  segments.push_back(options.duration);
  integrate(system, to_vector(model, y0), segments, options, out);
  return out;
}

/// An exact step of the friction at the mid-step velocity: second-order accurate.
template <scalar::Model Model>
LineState<Model> midpoint(const Model& model, LineState<Model> y, double velocity, double h) noexcept {
  y.friction = model.advance(y.friction, velocity, h);
  y.position += h * velocity;
  return y;
}

/// Friction under a given velocity: the accurate solver for cvode, exact steps at the mid-step velocity otherwise.
/// A contact that sticks exactly follows the sign of the velocity; other switches are located as events.
template <scalar::Model Model>
Trajectory drive_cvode(const Model& model, const Signal& velocity, const Signal& normal,
                       const typename Model::State& friction, const Options& options) {
  constexpr bool has_events = scalar::Switching<Model> && !scalar::Sticking<Model>;
  Trajectory out = empty_trajectory(model, options, infinity);
  auto mode = friction;  // changes only at events
  Segment segment;
  const auto state_at = [&](double t, std::span<const double> values) {
    auto y = from_vector<Model>(values, mode);
    y.velocity = velocity.at(segment.clamp(t));
    if constexpr (!has_events) {
      y.friction = model.advance(y.friction, y.velocity, 0);  // zero time: only updates the mode
    }
    return y;
  };
  const auto change_mode = [&](LineState<Model> y, std::span<double> values) {
    settle(model, y, 0);
    mode = y.friction;
    const auto changed = to_vector(model, y);
    std::copy(changed.begin() + 3, changed.end(), values.begin() + 3);
  };
  HybridSystem system;
  const double time_scale = std::min(velocity.time_scale(), normal.time_scale());
  const double fastest = velocity.magnitude() > 0 ? velocity.magnitude() : 1;
  system.ode = scaled_problem(model, {fastest * std::min(time_scale, options.duration), fastest}, time_scale,
                              options.relative_tolerance);
  system.ode.rate = [&](double t, std::span<const double> values, std::span<double> dydt) {
    const auto y = state_at(t, values);
    dydt[0] = y.velocity;
    dydt[1] = dydt[2] = 0;
    write_rate(model, y, dydt);
  };
  if constexpr (has_events) {
    system.ode.guard_count = Model::guard_count;
    system.ode.guards = [&](double t, std::span<const double> values, std::span<double> result) {
      const auto y = state_at(t, values);
      const auto guards = model.guards(y.friction, y.velocity, 0);
      std::copy(guards.begin(), guards.end(), result.begin());
    };
    system.on_guard = [&](double t, std::span<double> values, int guard) {
      auto y = state_at(t, values);
      y.friction = model.transition(y.friction, guard);
      change_mode(y, values);
    };
  }
  if constexpr (requires { model.record(mode, 0.0); }) {
    system.on_step = [&](double t, std::span<const double> values) {
      const auto y = state_at(t, values);
      mode = model.record(y.friction, y.velocity);
    };
  }
  system.begin_segment = [&](double start, double end, std::span<double> values) {
    segment.end = end;
    if constexpr (has_events) {
      auto y = state_at(start, values);
      y.friction = model.advance(y.friction, y.velocity, 0);  // the velocity may have jumped
      change_mode(y, values);
    }
  };
  system.on_row = [&](double t, std::span<const double> values) {
    const auto y = state_at(t, values);
    const double force = std::max(normal.at(t), 0.0) * model.force(y.friction, y.velocity);
    return add_row(out, t, y, force, force);
  };
  Load inputs;  // its breakpoints are those of both signals
  inputs.force = velocity;
  inputs.normal = normal;
  auto segments = inputs.breakpoints(options.duration);
  segments.push_back(options.duration);
  const auto state_from = [&](std::span<const double> values) { return from_vector<Model>(values, mode); };
  std::array<LineState<Model>, 4> slots{};
  system.coupled = coupled_steps(model, slots, mode, state_from, [&](LineState<Model> y, double t, double h) {
    const auto v = [&](double after) { return velocity.at(segment.clamp(t + after)); };
    // Friction has a kink where the velocity reverses: such a step is split there.
    double first = h;
    if (v(0) * v(h) < 0) {
      double low = 0;
      for (int i = 0; i < 60; ++i) {
        const double middle = (low + first) / 2;
        (v(middle) * v(0) > 0 ? low : first) = middle;
      }
    }
    y = midpoint(model, y, v(first / 2), first);
    return first < h ? midpoint(model, y, v((first + h) / 2), h - first) : y;
  });
  integrate(system, to_vector(model, LineState<Model>{0, 0, 0, friction}), segments, options, out);
  return out;
}

template <scalar::Model Model>
Trajectory drive_fixed_step(const Model& model, const Signal& velocity, const Signal& normal,
                            const typename Model::State& friction, const Options& options) {
  Trajectory out = empty_trajectory(model, options, std::min(velocity.time_scale(), normal.time_scale()));
  const FixedGrid grid(options);
  LineState<Model> y{0, velocity.at(0), 0, model.advance(friction, velocity.at(0), 0)};
  const auto row = [&](double t) {
    const auto now = model.advance(y.friction, y.velocity, 0);  // the mode at this velocity
    const double force = std::max(normal.at(t), 0.0) * model.force(now, y.velocity);
    return add_row(out, t, LineState<Model>{y.position, y.velocity, 0, now}, force, force);
  };
  bool finite = row(0);
  for (std::size_t i = 0; i < grid.steps && finite; ++i) {
    if (FixedGrid::asks_before(i) && !goes_on(options, grid.time(i), out)) {
      break;
    }
    y = midpoint(model, y, velocity.at((static_cast<double>(i) + 0.5) * options.step), options.step);
    y.velocity = velocity.at(grid.time(i + 1));
    ++out.steps;
    if (grid.row_after(i)) {
      finite = row(grid.time(i + 1));
    }
  }
  return out;
}

}  // namespace detail

/// Simulates a body with friction under a load from t = 0 to the end. Throws InvalidParameter, SolverFailure.
template <scalar::Model Model>
Trajectory simulate(const Model& model, const Body& body, const Load& load, const Options& options,
                    const typename Model::State& friction = {}) {
  require_valid(body);
  require_valid(load);
  require_valid(options, Entry::body, load.time_scale());
  detail::require_valid_state(model, friction);
  // Zero time: this only sets a switching contact to slip if the body starts with a velocity.
  const LineState<Model> y{body.position, body.velocity, 0, model.advance(friction, body.velocity, 0)};
  return options.method == Method::cvode ? detail::simulate_cvode(model, body, load, y, options)
                                         : detail::simulate_fixed_step(model, body, load, y, options);
}

/// Friction under an imposed velocity. `load` in the result is the force needed to keep a massless body moving.
/// Method::midpoint: exact steps of the friction state at the mid-step velocity (second order). Throws
/// InvalidParameter, SolverFailure.
template <scalar::Model Model>
Trajectory drive(const Model& model, const Signal& velocity, const Options& options,
                 const typename Model::State& friction = {}, const Signal& normal = 1.0) {
  require_valid(velocity, "velocity");
  require_valid(normal, "normal");
  require_valid(options, Entry::imposed_velocity, std::min(velocity.time_scale(), normal.time_scale()));
  detail::require_valid_state(model, friction);
  return options.method == Method::cvode ? detail::drive_cvode(model, velocity, normal, friction, options)
                                         : detail::drive_fixed_step(model, velocity, normal, friction, options);
}

}  // namespace stiction::sim
