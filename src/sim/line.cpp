#include "stiction/sim/line.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "contact_events.h"

namespace stiction::sim {
namespace {

using State = LineState<ModelView>;

Trajectory empty_trajectory(const ModelView& model, const Options& options, double time_scale) {
  Trajectory result;
  result.solver = name_of(options.method);
  result.note = sampling_note(options, time_scale);
  const auto states = model.table()->state_names.first(model.states_in_use());
  const auto modes = model.table()->mode_names;
  result.state_names.assign(states.begin(), states.end());
  result.state_names.insert(result.state_names.end(), modes.begin(), modes.end());
  result.states.resize(result.state_names.size());
  return result;
}

/// False if a value is not finite; then nothing is added.
bool add_row(Trajectory& out, double time, const State& y, double friction, double load) {
  const auto states = ModelView::pack(y.friction);
  const auto modes = ModelView::modes(y.friction);
  const std::size_t used = out.states.size() - modes.size();
  const auto is_finite = [](double x) { return std::isfinite(x); };
  if (!is_finite(y.position) || !is_finite(y.velocity) || !is_finite(friction) || !is_finite(load) ||
      !std::all_of(states.begin(), states.begin() + used, is_finite)) {
    out.diverged = true;
    return false;
  }
  out.time.push_back(time);
  out.position.push_back(y.position);
  out.velocity.push_back(y.velocity);
  out.friction.push_back(friction);
  out.load.push_back(load);
  for (std::size_t i = 0; i < used; ++i) {
    out.states[i].push_back(states[i]);
  }
  for (std::size_t i = 0; i < modes.size(); ++i) {
    out.states[used + i].push_back(modes[i]);
  }
  return true;
}

Trajectory simulate_fixed_step(const ModelView& model, const Body& body, const Load& load, State y,
                               const Options& options) {
  Trajectory out = empty_trajectory(model, options, load.time_scale());
  const FixedGrid grid(options);
  const auto row = [&](double t, double friction, double push) {
    State seen = y;
    seen.velocity = model.output_velocity(y.friction, y.velocity);
    return add_row(out, t, seen, friction, push);
  };
  const LinearLoad start = load.at(0);
  const double first = start.at(y.position, y.velocity, y.integral);
  transmit(model, y, start);
  bool finite = row(0, friction_under_load(model, y.friction, y.velocity, first, start.normal), first);
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

constexpr std::size_t body_states = 3;  // position, velocity, integral, then the friction's own

std::vector<double> to_vector(const ModelView& model, const State& y) {
  std::vector<double> values{y.position, y.velocity, y.integral};
  const auto states = ModelView::pack(y.friction);
  values.insert(values.end(), states.begin(), states.begin() + model.states_in_use());
  return values;
}

State from_vector(std::span<const double> values, const AnyState& mode) {
  return {values[0], values[1], values[2], with_states(mode, values.subspan(body_states))};
}

/// Steps of a body on a line, for when the accurate solver fails. `advance(state, time, h)` gives the next state.
template <class StateFrom, class Advance>
CoupledSteps coupled_steps(const ModelView& model, std::array<State, 4>& slots, AnyState& mode,
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
    slots[slot] = from_vector(values, slots[slot].friction);
  };
  steps.accept = [&slots, &mode](std::size_t slot) {
    slots[0] = slots[slot];
    mode = slots[0].friction;
  };
  steps.switched = [&slots](std::size_t a, std::size_t b) {
    return switched<ModelView>(slots[a].friction, slots[b].friction);
  };
  return steps;
}

Trajectory simulate_cvode(const ModelView& model, const Body& body, const Load& load, const State& y0,
                          const Options& options) {
  Trajectory out = empty_trajectory(model, options, load.time_scale());
  auto mode = y0.friction;  // changes only at events
  Segment segment;
  struct Push {
    double load, normal;
  };
  const auto push_on = [&](double t, State& y) {
    const LinearLoad l = load.at(segment.clamp(t));
    transmit(model, y, l);
    return Push{l.at(y.position, y.velocity, y.integral), l.normal};
  };
  const auto change_mode = [&](double t, State y, std::span<double> values) {
    const Push push = push_on(t, y);
    settle(model, y.friction, y.velocity, per_normal(push.load, push.normal));
    mode = y.friction;
    const auto changed = to_vector(model, y);
    std::copy(changed.begin(), changed.end(), values.begin());
  };
  const auto state_from = [&](std::span<const double> values) {
    auto y = from_vector(values, mode);
    y.velocity = ModelView::held(mode) ? 0 : y.velocity;  // discards the solver's rounding errors
    return y;
  };

  HybridSystem system;
  const MotionScale motion = motion_scale(body.mass, body.position, body.velocity, load, options.duration);
  system.ode = scaled_problem(model, motion, load.time_scale(), options.relative_tolerance);
  system.ode.rate = [&](double t, std::span<const double> values, std::span<double> dydt) {
    auto y = state_from(values);
    const LinearLoad l = load.at(segment.clamp(t));
    transmit(model, y, l);
    const double push = l.at(y.position, y.velocity, y.integral);
    dydt[0] = model.output_velocity(y.friction, y.velocity);
    dydt[1] = (push - friction_under_load(model, y.friction, y.velocity, push, l.normal)) / body.mass;
    dydt[2] = l.error(y.position, y.velocity);
    write_rate(model, y.friction, y.velocity, dydt.subspan(body_states));
    if (ModelView::held(mode)) {
      dydt[0] = dydt[1] = 0;  // held exactly at rest
    }
  };
  system.ode.guard_count = model.table()->guard_count;
  system.ode.guards = [&](double t, std::span<const double> values, std::span<double> result) {
    auto y = state_from(values);
    const Push push = push_on(t, y);
    const auto guards = model.guards(y.friction, y.velocity, per_normal(push.load, push.normal));
    std::copy(guards.begin(), guards.end(), result.begin());
  };
  system.on_guard = [&](double t, std::span<double> values, int guard) {
    auto y = state_from(values);
    y.friction = model.transition(y.friction, guard);
    y.velocity = model.velocity_after(y.friction, y.velocity);
    change_mode(t, y, values);
  };
  if (model.table()->has_memory) {
    system.on_step = [&](double, std::span<const double> values) {
      const auto y = from_vector(values, mode);
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
    const double friction = friction_under_load(model, y.friction, y.velocity, push.load, push.normal);
    y.velocity = model.output_velocity(y.friction, y.velocity);
    return add_row(out, t, y, friction, push.load);
  };
  std::array<State, 4> slots{};
  system.coupled = coupled_steps(model, slots, mode, state_from, [&](const State& from, double t, double h) {
    return sdirk2(model, body.mass, load, segment.start_of(t, h), from, h).state;
  });
  auto segments = load.breakpoints(options.duration);
  segments.push_back(options.duration);
  integrate(system, to_vector(model, y0), segments, options, out);
  return out;
}

/// An exact step of the friction at the mid-step velocity: second-order accurate.
State midpoint(const ModelView& model, State y, double velocity, double h) noexcept {
  y.friction = model.advance(y.friction, velocity, h);
  y.position += h * velocity;
  return y;
}

/// Friction under a given velocity: the accurate solver for cvode, exact steps at the mid-step velocity otherwise.
/// A contact that sticks exactly follows the sign of the velocity; other switches are located as events.
Trajectory drive_cvode(const ModelView& model, const Signal& velocity, const Signal& normal, const AnyState& friction,
                       const Options& options) {
  const bool has_events = model.table()->guard_count > 0 && !model.table()->sticks;
  Trajectory out = empty_trajectory(model, options, infinity);
  auto mode = friction;  // changes only at events
  Segment segment;
  const auto state_at = [&](double t, std::span<const double> values) {
    auto y = from_vector(values, mode);
    y.velocity = velocity.at(segment.clamp(t));
    if (!has_events) {
      y.friction = model.advance(y.friction, y.velocity, 0);  // zero time: only updates the mode
    }
    return y;
  };
  const auto change_mode = [&](State y, std::span<double> values) {
    settle(model, y.friction, y.velocity, 0);
    mode = y.friction;
    const auto changed = to_vector(model, y);
    std::copy(changed.begin() + body_states, changed.end(), values.begin() + body_states);
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
    write_rate(model, y.friction, y.velocity, dydt.subspan(body_states));
  };
  if (has_events) {
    system.ode.guard_count = model.table()->guard_count;
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
  if (model.table()->has_memory) {
    system.on_step = [&](double t, std::span<const double> values) {
      const auto y = state_at(t, values);
      mode = model.record(y.friction, y.velocity);
    };
  }
  system.begin_segment = [&](double start, double end, std::span<double> values) {
    segment.end = end;
    if (has_events) {
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
  const auto state_from = [&](std::span<const double> values) { return from_vector(values, mode); };
  std::array<State, 4> slots{};
  system.coupled = coupled_steps(model, slots, mode, state_from, [&](State y, double t, double h) {
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
  integrate(system, to_vector(model, State{0, 0, 0, friction}), segments, options, out);
  return out;
}

Trajectory drive_fixed_step(const ModelView& model, const Signal& velocity, const Signal& normal,
                            const AnyState& friction, const Options& options) {
  Trajectory out = empty_trajectory(model, options, std::min(velocity.time_scale(), normal.time_scale()));
  const FixedGrid grid(options);
  State y{0, velocity.at(0), 0, model.advance(friction, velocity.at(0), 0)};
  const auto row = [&](double t) {
    const auto now = model.advance(y.friction, y.velocity, 0);  // the mode at this velocity
    const double force = std::max(normal.at(t), 0.0) * model.force(now, y.velocity);
    return add_row(out, t, State{y.position, y.velocity, 0, now}, force, force);
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

}  // namespace

Trajectory simulate(const ModelView& model, const Body& body, const Load& load, const Options& options,
                    const AnyState& friction) {
  require_valid(body);
  require_valid(load);
  require_valid(options, Entry::body, load.time_scale());
  require_valid_state(model, friction);
  // Zero time: this only sets a switching contact to slip if the body starts with a velocity.
  const State y{body.position, body.velocity, 0, model.advance(friction, body.velocity, 0)};
  return options.method == Method::cvode ? simulate_cvode(model, body, load, y, options)
                                         : simulate_fixed_step(model, body, load, y, options);
}
Trajectory simulate(const scalar::AnyModel& model, const Body& body, const Load& load, const Options& options,
                    std::span<const double> states) {
  return simulate(ModelView(model), body, load, options, initial_state(model, states));
}

Trajectory drive(const ModelView& model, const Signal& velocity, const Options& options, const AnyState& friction,
                 const Signal& normal) {
  require_valid(velocity, "velocity");
  require_valid(normal, "normal");
  require_valid(options, Entry::imposed_velocity, std::min(velocity.time_scale(), normal.time_scale()));
  require_valid_state(model, friction);
  return options.method == Method::cvode ? drive_cvode(model, velocity, normal, friction, options)
                                         : drive_fixed_step(model, velocity, normal, friction, options);
}
Trajectory drive(const scalar::AnyModel& model, const Signal& velocity, const Options& options,
                 std::span<const double> states, const Signal& normal) {
  return drive(ModelView(model), velocity, options, initial_state(model, states), normal);
}

Trajectory no_rows(const scalar::AnyModel& model) { return empty_trajectory(model, {}, infinity); }

}  // namespace stiction::sim
