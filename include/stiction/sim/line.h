// Simulation of a body on a line with friction, and of friction under an imposed velocity.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "stiction/sim/hybrid.h"
#include "stiction/sim/steps.h"
#include "stiction/sim/trajectory.h"

namespace stiction::sim {

namespace detail {

template <class Model>
double friction_under_load(const Model& model, const LineState<Model>& y, double load) noexcept {
  if constexpr (scalar::Switching<Model>) {
    return model.force(y.friction, y.velocity, load);
  } else {
    return model.force(y.friction, y.velocity);
  }
}

template <scalar::Model Model>
Trajectory simulate_fixed_step(const Model& model, const Body& body, const Load& load, LineState<Model> y,
                               const Options& options) {
  Trajectory out = empty_trajectory<Model>();
  const FixedGrid grid(options);
  const double first = load.at(0).at(y.position, y.velocity, y.integral);
  bool finite = add_row(out, 0, y, friction_under_load(model, y, first), first);
  for (std::size_t i = 0; i < grid.steps && finite; ++i) {
    const auto next = fixed_step(options.method, model, body.mass, load, grid.time(i), y, grid.h);
    y = next.state;
    ++out.steps;
    if (grid.row_after(i) || !std::isfinite(y.velocity)) {
      const double now = grid.time(i + 1);
      finite = add_row(out, now, y, next.friction, load.at(now).at(y.position, y.velocity, y.integral));
    }
  }
  return out;
}

/// States of the ODE: position, velocity, integral, then the friction's own.
template <class Model>
std::vector<double> to_vector(const LineState<Model>& y) {
  std::vector<double> values{y.position, y.velocity, y.integral};
  for (const double state : Model::pack(y.friction)) {
    values.push_back(state);
  }
  return values;
}

template <class Model>
LineState<Model> from_vector(std::span<const double> values, const typename Model::State& mode) {
  auto states = Model::pack(mode);
  for (std::size_t i = 0; i < states.size(); ++i) {
    states[i] = values[3 + i];
  }
  return {values[0], values[1], values[2], Model::unpack(states, mode)};
}

/// Sizes of the states, and a bound on the step: a short push beyond break-away must not be stepped over.
template <class Model>
OdeProblem scaled_problem(const Model& model, double time_scale, double relative_tolerance) {
  const auto typical = model.typical();
  const double length = typical.empty() ? 1e-3 : typical[0];
  OdeProblem problem;
  problem.relative_tolerance = relative_tolerance;
  problem.scale = {length, model.velocity_scale(), length};
  problem.scale.insert(problem.scale.end(), typical.begin(), typical.end());
  problem.max_step = time_scale / 10;
  return problem;
}

/// Follows guards that are already negative: a body that stops under too great a load turns at once.
template <class Model>
void settle(const Model& model, LineState<Model>& y, double load) noexcept {
  if constexpr (scalar::Switching<Model>) {
    for (int round = 0; round < 3; ++round) {
      const auto guards = model.guards(y.friction, y.velocity, load);
      const auto fallen = std::find_if(guards.begin(), guards.end(), [](double g) { return g < 0; });
      if (fallen == guards.end()) {
        return;
      }
      const auto next = model.transition(y.friction, static_cast<int>(fallen - guards.begin()));
      if (next.mode == scalar::Mode::stick) {
        y.velocity = 0;
      }
      y.friction = next;
    }
  }
}

/// Looks at an input from the left at the end of a segment, where it may jump.
struct Segment {
  double end = 0;
  [[nodiscard]] double clamp(double t) const noexcept { return std::min(t, std::nextafter(end, 0.0)); }
};

template <scalar::Model Model>
Trajectory simulate_cvode(const Model& model, const Body& body, const Load& load, const LineState<Model>& y0,
                          const Options& options) {
  Trajectory out = empty_trajectory<Model>();
  auto mode = y0.friction;  // of a switching contact; it changes at events alone
  Segment segment;
  const auto load_on = [&](double t, const LineState<Model>& y) {
    return load.at(segment.clamp(t)).at(y.position, y.velocity, y.integral);
  };
  const auto change_mode = [&](double t, LineState<Model> y, std::span<double> values) {
    settle(model, y, load_on(t, y));
    mode = y.friction;
    const auto changed = to_vector(y);
    std::copy(changed.begin(), changed.end(), values.begin());
  };

  HybridSystem system;
  system.ode = scaled_problem(model, load.time_scale(), options.relative_tolerance);
  system.ode.rate = [&](double t, std::span<const double> values, std::span<double> dydt) {
    const auto y = from_vector<Model>(values, mode);
    const LinearLoad l = load.at(segment.clamp(t));
    const double push = l.at(y.position, y.velocity, y.integral);
    dydt[0] = y.velocity;
    dydt[1] = (push - friction_under_load(model, y, push)) / body.mass;
    dydt[2] = l.error(y.position, y.velocity);
    const auto rate = Model::pack(model.rate(y.friction, y.velocity));
    for (std::size_t i = 0; i < rate.size(); ++i) {
      dydt[3 + i] = rate[i];
    }
    if constexpr (scalar::Switching<Model>) {
      if (mode.mode == scalar::Mode::stick) {
        dydt[0] = dydt[1] = 0;  // truly stopped, truly held
      }
    }
  };
  if constexpr (scalar::Switching<Model>) {
    system.ode.guard_count = Model::guard_count;
    system.ode.guards = [&](double t, std::span<const double> values, std::span<double> result) {
      const auto y = from_vector<Model>(values, mode);
      const auto guards = model.guards(mode, y.velocity, load_on(t, y));
      std::copy(guards.begin(), guards.end(), result.begin());
    };
    system.on_guard = [&](double t, std::span<double> values, int guard) {
      auto y = from_vector<Model>(values, mode);
      y.friction = model.transition(mode, guard);
      if (y.friction.mode == scalar::Mode::stick) {
        y.velocity = 0;
      }
      change_mode(t, y, values);
    };
  }
  system.begin_segment = [&](double start, double end, std::span<double> values) {
    segment.end = end;
    change_mode(start, from_vector<Model>(values, mode), values);
  };
  system.on_row = [&](double t, std::span<const double> values) {
    const auto y = from_vector<Model>(values, mode);
    const double push = load_on(t, y);
    return add_row(out, t, y, friction_under_load(model, y, push), push);
  };
  auto segments = load.breakpoints(options.duration);
  segments.push_back(options.duration);
  out.steps = integrate(system, to_vector(y0), segments, options.output_interval);
  return out;
}

/// Friction under a given velocity: the accurate solver for cvode, exact steps at the mid-step velocity otherwise.
template <scalar::Model Model>
Trajectory drive_cvode(const Model& model, const Signal& velocity, const typename Model::State& friction,
                       const Options& options) {
  Trajectory out = empty_trajectory<Model>();
  Segment segment;
  const auto state_at = [&](double t, std::span<const double> values) {
    auto y = from_vector<Model>(values, friction);
    y.velocity = velocity.at(segment.clamp(t));
    y.friction =
        model.advance(y.friction, y.velocity, 0);  // no time passes: only the mode of a switching contact follows
    return y;
  };
  HybridSystem system;
  system.ode = scaled_problem(model, velocity.time_scale(), options.relative_tolerance);
  system.ode.rate = [&](double t, std::span<const double> values, std::span<double> dydt) {
    const auto y = state_at(t, values);
    const auto rate = Model::pack(model.rate(y.friction, y.velocity));
    dydt[0] = y.velocity;
    dydt[1] = dydt[2] = 0;
    for (std::size_t i = 0; i < rate.size(); ++i) {
      dydt[3 + i] = rate[i];
    }
  };
  system.begin_segment = [&](double, double end, std::span<double>) { segment.end = end; };
  system.on_row = [&](double t, std::span<const double> values) {
    const auto y = state_at(t, values);
    const double force = model.force(y.friction, y.velocity);
    return add_row(out, t, y, force, force);
  };
  auto segments = velocity.breakpoints(options.duration);
  segments.push_back(options.duration);
  out.steps = integrate(system, to_vector(LineState<Model>{0, 0, 0, friction}), segments, options.output_interval);
  return out;
}

template <scalar::Model Model>
Trajectory drive_fixed_step(const Model& model, const Signal& velocity, const typename Model::State& friction,
                            const Options& options) {
  Trajectory out = empty_trajectory<Model>();
  const FixedGrid grid(options);
  LineState<Model> y{0, velocity.at(0), 0, friction};
  const double first = model.force(y.friction, y.velocity);
  bool finite = add_row(out, 0, y, first, first);
  for (std::size_t i = 0; i < grid.steps && finite; ++i) {
    const double middle = velocity.at((static_cast<double>(i) + 0.5) * options.step);
    y.friction = model.advance(y.friction, middle, options.step);
    y.position += options.step * middle;
    y.velocity = velocity.at(grid.time(i + 1));
    ++out.steps;
    if (grid.row_after(i)) {
      const double force = model.force(y.friction, y.velocity);
      finite = add_row(out, grid.time(i + 1), y, force, force);
    }
  }
  return out;
}

}  // namespace detail

/// Moves a body with friction under a load from t = 0 to the end.
template <scalar::Model Model>
Trajectory simulate(const Model& model, const Body& body, const Load& load, const Options& options,
                    const typename Model::State& friction = {}) {
  // No time passes: this only sets a switching contact to slip where the body starts with a velocity.
  const LineState<Model> y{body.position, body.velocity, 0, model.advance(friction, body.velocity, 0)};
  return options.method == Method::cvode ? detail::simulate_cvode(model, body, load, y, options)
                                         : detail::simulate_fixed_step(model, body, load, y, options);
}

/// Friction under an imposed velocity. `load` in the result is the force needed to keep a massless body moving.
/// Fixed-step methods: exact steps of the friction state at the mid-step velocity (second order).
template <scalar::Model Model>
Trajectory drive(const Model& model, const Signal& velocity, const Options& options,
                 const typename Model::State& friction = {}) {
  return options.method == Method::cvode ? detail::drive_cvode(model, velocity, friction, options)
                                         : detail::drive_fixed_step(model, velocity, friction, options);
}

}  // namespace stiction::sim
