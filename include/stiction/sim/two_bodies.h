// Two bodies on a line with friction between them: a block on a moving table, a clutch, a shaft in its sleeve.
#pragma once

#include <utility>

#include "stiction/sim/line.h"
#include "stiction/sim/pair_trajectory.h"

namespace stiction::sim {

///   m₁ dv₁/dt = u₁ − F,   m₂ dv₂/dt = u₂ + F,   F the friction model's at v₁ − v₂
/// Each load acts between its body and the ground; the first one's normal load is that of the contact. Friction depends
/// only on the relative motion, with the reduced mass 1/(1/m₁ + 1/m₂) and the load (u₁/m₁ − u₂/m₂)/(1/m₁ + 1/m₂): the
/// force that a sticking contact must transmit so that both bodies move together.
template <class Model>
struct PairState {
  double position_1 = 0, velocity_1 = 0, integral_1 = 0;  // [m], [m/s], of the controller
  double position_2 = 0, velocity_2 = 0, integral_2 = 0;
  typename Model::State friction{};

  friend bool operator==(const PairState&, const PairState&) = default;
};

/// Sets the relative velocity of both bodies, conserving their total momentum.
template <class Model>
PairState<Model> with_relative_velocity(PairState<Model> y, double mass_1, double mass_2, double relative) noexcept {
  const double change = relative - (y.velocity_1 - y.velocity_2);
  if (change != 0) {
    y.velocity_1 += change * mass_2 / (mass_1 + mass_2);
    y.velocity_2 = y.velocity_1 - relative;
  }
  return y;
}

/// The force that the contact must transmit so that both bodies move together under u₁ and u₂ [N].
inline double load_between(double mass_1, double mass_2, double u1, double u2) noexcept {
  return (u1 / mass_1 - u2 / mass_2) / (1 / mass_1 + 1 / mass_2);
}

/// One implicit stage of length s for both bodies and the friction between them, by the model's own coupled `solve`.
/// The velocities of `present` select the root if there are several, and give the load for models that need it.
template <scalar::Model Model>
std::pair<PairState<Model>, double> pair_stage(const Model& model, double mass_1, double mass_2,
                                               const LinearLoad& load_1, const LinearLoad& load_2,
                                               const PairState<Model>& base, const PairState<Model>& present,
                                               double s) noexcept {
  const auto one = without_friction(mass_1, load_1, base.position_1, base.velocity_1, base.integral_1, s);
  const auto two = without_friction(mass_2, load_2, base.position_2, base.velocity_2, base.integral_2, s);
  const double load = load_between(mass_1, mass_2, one.load_at(present.velocity_1), two.load_at(present.velocity_2));
  const auto solved = solve_under_load(model, base.friction, one.velocity - two.velocity, 1 / one.mass + 1 / two.mass,
                                       s, present.velocity_1 - present.velocity_2, load, load_1.normal);
  const double force = solved.force;

  PairState<Model> next = base;
  next.friction = solved.state;
  next.velocity_1 = one.velocity - s * force / one.mass;
  next.velocity_2 = two.velocity + s * force / two.mass;
  // The relative velocity is bitwise that of the solution, so that sticking bodies move as one.
  next = with_relative_velocity(next, mass_1, mass_2, solved.velocity);
  next.position_1 += s * next.velocity_1;
  next.position_2 += s * (next.velocity_1 - seen_velocity(model, solved.state, solved.velocity));
  next.integral_1 += s * load_1.error(next.position_1, next.velocity_1);
  next.integral_2 += s * load_2.error(next.position_2, next.velocity_2);
  return {next, force};
}

namespace detail {

template <class Model>
bool add_row(PairTrajectory& out, double time, const PairState<Model>& y, double friction) {
  if (!std::isfinite(y.position_1) || !std::isfinite(y.velocity_1) || !std::isfinite(y.position_2) ||
      !std::isfinite(y.velocity_2) || !std::isfinite(friction)) {
    out.diverged = true;
    return false;
  }
  out.time.push_back(time);
  out.position_1.push_back(y.position_1);
  out.velocity_1.push_back(y.velocity_1);
  out.position_2.push_back(y.position_2);
  out.velocity_2.push_back(y.velocity_2);
  out.friction.push_back(friction);
  return true;
}

/// start + weight (end − start), state by state: the base of SDIRK2's second stage.
template <class Model>
PairState<Model> extrapolated(const PairState<Model>& start, const PairState<Model>& end, double weight) noexcept {
  const auto further = [weight](double a, double b) { return a + weight * (b - a); };
  PairState<Model> y = end;
  y.position_1 = further(start.position_1, end.position_1);
  y.velocity_1 = further(start.velocity_1, end.velocity_1);
  y.integral_1 = further(start.integral_1, end.integral_1);
  y.position_2 = further(start.position_2, end.position_2);
  y.velocity_2 = further(start.velocity_2, end.velocity_2);
  y.integral_2 = further(start.integral_2, end.integral_2);
  const auto from = Model::pack(start.friction);
  auto states = Model::pack(end.friction);
  for (std::size_t i = 0; i < states.size(); ++i) {
    states[i] = further(from[i], states[i]);
  }
  y.friction = Model::unpack(states, end.friction);
  return y;
}

template <class Model>
using PairStepped = std::pair<PairState<Model>, double>;

/// Both bodies and both loads, with their coupled fixed steps.
template <class Model>
struct Pair {
  const Model& model;
  const Body& body_1;
  const Body& body_2;
  const Load& load_1;
  const Load& load_2;

  [[nodiscard]] PairStepped<Model> stage(const PairState<Model>& base, const PairState<Model>& present, double end,
                                         double s) const noexcept {
    return pair_stage(model, body_1.mass, body_2.mass, load_1.at(end), load_2.at(end), base, present, s);
  }
  [[nodiscard]] PairStepped<Model> backward_euler(const PairState<Model>& y, double time, double h) const noexcept {
    return stage(y, y, time + h, h);
  }
  /// As for one body (steps.h).
  [[nodiscard]] PairStepped<Model> sdirk2(const PairState<Model>& y, double time, double h) const noexcept {
    constexpr double gamma = 0.29289321881345254;
    constexpr double weight = 2.414213562373095;  // 1/γ − 1
    const auto first = stage(y, y, time + gamma * h, gamma * h).first;
    const auto second = stage(extrapolated(y, first, weight), first, time + h, gamma * h);
    const bool smooth =
        !switched<Model>(y.friction, first.friction) && !switched<Model>(y.friction, second.first.friction);
    return smooth ? second : backward_euler(y, time, h);
  }
};

/// The accurate solver integrates body 1 and the motion relative to it, so that sticking is one velocity held at zero.
template <scalar::Model Model>
PairTrajectory simulate_pair_cvode(const Model& model, const Body& body_1, const Body& body_2, const Load& load_1,
                                   const Load& load_2, const PairState<Model>& y0, const Options& options) {
  constexpr std::size_t body_states = 6;  // x₁, v₁, q₁, x₁ − x₂, v₁ − v₂, q₂
  const double reduced_mass = 1 / (1 / body_1.mass + 1 / body_2.mass);
  const Pair<Model> pair{model, body_1, body_2, load_1, load_2};
  const std::size_t friction_states = scalar::states_in_use(model);
  PairTrajectory out;
  out.solver = name_of(options.method);
  auto mode = y0.friction;
  Segment segment;

  const auto state_from = [&](std::span<const double> values) {
    auto states = Model::pack(mode);
    for (std::size_t i = 0; i < friction_states; ++i) {
      states[i] = values[body_states + i];
    }
    PairState<Model> y{values[0],
                       values[1],
                       values[2],
                       values[0] - values[3],
                       values[1] - values[4],
                       values[5],
                       Model::unpack(states, mode)};
    if constexpr (scalar::Sticking<Model>) {
      y.velocity_2 = Model::held(mode) ? y.velocity_1 : y.velocity_2;
    }
    return y;
  };
  // The solver's own state: the difference of two large velocities would suffer cancellation, which guards would see.
  const auto relative_in = [&](std::span<const double> values) {
    if constexpr (scalar::Sticking<Model>) {
      return Model::held(mode) ? 0 : values[4];
    } else {
      return values[4];
    }
  };
  const auto to_values = [&](const PairState<Model>& y) {
    std::vector<double> values{
        y.position_1, y.velocity_1, y.integral_1, y.position_1 - y.position_2, y.velocity_1 - y.velocity_2,
        y.integral_2};
    const auto states = Model::pack(y.friction);
    values.insert(values.end(), states.begin(), states.begin() + static_cast<std::ptrdiff_t>(friction_states));
    return values;
  };
  struct Pushes {
    LinearLoad one, two;
    double u1, u2, load, friction;
  };
  const auto pushes_on = [&](double t, const PairState<Model>& y, double relative_velocity) {
    Pushes p{load_1.at(segment.clamp(t)), load_2.at(segment.clamp(t)), 0, 0, 0, 0};
    p.u1 = p.one.at(y.position_1, y.velocity_1, y.integral_1);
    p.u2 = p.two.at(y.position_2, y.velocity_2, y.integral_2);
    p.load = load_between(body_1.mass, body_2.mass, p.u1, p.u2);
    const LineState<Model> relative{0, relative_velocity, 0, y.friction};
    p.friction = friction_under_load(model, relative, p.load, p.one.normal);
    return p;
  };
  const auto change_mode = [&](double t, PairState<Model> y, double relative_velocity, std::span<double> values) {
    const Pushes p = pushes_on(t, y, relative_velocity);
    LineState<Model> relative{0, relative_velocity, 0, y.friction};
    settle(model, relative, per_normal(p.load, p.one.normal));
    y = with_relative_velocity(y, body_1.mass, body_2.mass, relative.velocity);
    y.friction = mode = relative.friction;
    auto changed = to_values(y);
    changed[4] = relative.velocity;
    std::copy(changed.begin(), changed.end(), values.begin());
  };

  HybridSystem system;
  const double time_scale = std::min(load_1.time_scale(), load_2.time_scale());
  const MotionScale one = motion_scale(body_1.mass, body_1.position, body_1.velocity, load_1, options.duration);
  const MotionScale two = motion_scale(body_2.mass, body_2.position, body_2.velocity, load_2, options.duration);
  system.ode = scaled_problem(model, {std::max(one.length, two.length), std::max(one.velocity, two.velocity)},
                              time_scale, options.relative_tolerance);
  const double length = system.ode.scale[0];
  system.ode.scale.insert(system.ode.scale.begin(), {length, system.ode.scale[1], length});
  system.ode.rate = [&](double t, std::span<const double> values, std::span<double> dydt) {
    const auto y = state_from(values);
    const double relative = relative_in(values);
    const Pushes p = pushes_on(t, y, relative);
    dydt[0] = y.velocity_1;
    dydt[1] = (p.u1 - p.friction) / body_1.mass;
    dydt[2] = p.one.error(y.position_1, y.velocity_1);
    dydt[3] = seen_velocity(model, y.friction, relative);
    dydt[4] = (p.load - p.friction) / reduced_mass;
    dydt[5] = p.two.error(y.position_2, y.velocity_2);
    const auto rate = Model::pack(model.rate(y.friction, relative));
    for (std::size_t i = 0; i < friction_states; ++i) {
      dydt[body_states + i] = rate[i];
    }
    if constexpr (scalar::Sticking<Model>) {
      if (Model::held(mode)) {
        dydt[3] = dydt[4] = 0;
      }
    }
  };
  if constexpr (scalar::Switching<Model>) {
    system.ode.guard_count = Model::guard_count;
    system.ode.guards = [&](double t, std::span<const double> values, std::span<double> result) {
      const auto y = state_from(values);
      const double relative = relative_in(values);
      const Pushes p = pushes_on(t, y, relative);
      const auto guards = model.guards(y.friction, relative, per_normal(p.load, p.one.normal));
      std::copy(guards.begin(), guards.end(), result.begin());
    };
    system.on_guard = [&](double t, std::span<double> values, int guard) {
      auto y = state_from(values);
      double relative = relative_in(values);
      y.friction = model.transition(y.friction, guard);
      if constexpr (scalar::Sticking<Model>) {
        relative = model.velocity_after(y.friction, relative);
        y = with_relative_velocity(y, body_1.mass, body_2.mass, relative);
      }
      change_mode(t, y, relative, values);
    };
  }
  if constexpr (requires { model.record(mode, 0.0); }) {
    system.on_step = [&](double, std::span<const double> values) {
      const auto y = state_from(values);
      mode = model.record(y.friction, relative_in(values));
    };
  }
  system.begin_segment = [&](double start, double end, std::span<double> values) {
    segment.end = end;
    change_mode(start, state_from(values), relative_in(values), values);
  };
  system.on_row = [&](double t, std::span<const double> values) {
    const auto y = state_from(values);
    return add_row(out, t, y, pushes_on(t, y, relative_in(values)).friction);
  };
  std::array<PairState<Model>, 4> slots{};
  CoupledSteps& coupled = system.coupled;
  coupled.start = [&](std::span<const double> values) { slots[0] = state_from(values); };
  coupled.step = [&](std::size_t from, std::size_t to, double t, double h) {
    slots[to] = pair.sdirk2(slots[from], segment.start_of(t, h), h).first;
  };
  coupled.get = [&](std::size_t slot, std::span<double> values) {
    const auto now = to_values(slots[slot]);
    std::copy(now.begin(), now.end(), values.begin());
  };
  coupled.put = [&](std::size_t slot, std::span<const double> values) {
    const auto kept = std::exchange(mode, slots[slot].friction);
    slots[slot] = state_from(values);
    mode = kept;
  };
  coupled.accept = [&](std::size_t slot) {
    slots[0] = slots[slot];
    mode = slots[0].friction;
  };
  coupled.switched = [&](std::size_t a, std::size_t b) {
    return switched<Model>(slots[a].friction, slots[b].friction);
  };
  auto segments = load_1.breakpoints(options.duration);
  const auto more = load_2.breakpoints(options.duration);
  segments.insert(segments.end(), more.begin(), more.end());
  segments.push_back(options.duration);
  std::sort(segments.begin(), segments.end());
  segments.erase(std::unique(segments.begin(), segments.end()), segments.end());
  integrate(system, to_values(y0), segments, options, out);
  return out;
}

}  // namespace detail

/// Simulates two bodies with friction between them from t = 0 to the end: cvode, sdirk2 or backward_euler. Throws
/// InvalidParameter, SolverFailure.
template <scalar::Model Model>
PairTrajectory simulate(const Model& model, const Body& body_1, const Body& body_2, const Load& load_1,
                        const Load& load_2, const Options& options, const typename Model::State& friction = {}) {
  require_valid(body_1, "body_1.");
  require_valid(body_2, "body_2.");
  require_valid(load_1, "load_1.");
  require_valid(load_2, "load_2.");
  const double time_scale = std::min(load_1.time_scale(), load_2.time_scale());
  require_valid(options, Entry::two_bodies, time_scale);
  detail::require_valid_state(model, friction);
  PairState<Model> y{body_1.position,
                     body_1.velocity,
                     0,
                     body_2.position,
                     body_2.velocity,
                     0,
                     model.advance(friction, body_1.velocity - body_2.velocity, 0)};
  if (options.method == Method::cvode) {
    return detail::simulate_pair_cvode(model, body_1, body_2, load_1, load_2, y, options);
  }
  PairTrajectory out;
  out.solver = name_of(options.method);
  out.note = sampling_note(options, time_scale);
  const detail::FixedGrid grid(options);
  const detail::Pair<Model> pair{model, body_1, body_2, load_1, load_2};
  const LinearLoad start = load_1.at(0);
  const double load = load_between(body_1.mass, body_2.mass, start.at(y.position_1, y.velocity_1, 0),
                                   load_2.at(0).at(y.position_2, y.velocity_2, 0));
  const LineState<Model> relative{0, y.velocity_1 - y.velocity_2, 0, y.friction};
  bool finite = detail::add_row(out, 0, y, detail::friction_under_load(model, relative, load, start.normal));
  for (std::size_t i = 0; i < grid.steps && finite; ++i) {
    if (detail::FixedGrid::asks_before(i) && !goes_on(options, grid.time(i), out)) {
      break;
    }
    const auto next = options.method == Method::sdirk2 ? pair.sdirk2(y, grid.time(i), grid.h)
                                                       : pair.backward_euler(y, grid.time(i), grid.h);
    y = next.first;
    ++out.steps;
    if (grid.row_after(i) || !std::isfinite(y.velocity_1)) {
      finite = detail::add_row(out, grid.time(i + 1), y, next.second);
    }
  }
  return out;
}

}  // namespace stiction::sim
