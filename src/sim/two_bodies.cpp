#include "stiction/sim/two_bodies.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "contact_events.h"

namespace stiction::sim {
namespace {

using State = PairState<ModelView>;

bool add_row(PairTrajectory& out, double time, const State& y, double friction) {
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
State extrapolated(const State& start, const State& end, double weight) noexcept {
  const auto further = [weight](double a, double b) { return a + weight * (b - a); };
  State y = end;
  y.position_1 = further(start.position_1, end.position_1);
  y.velocity_1 = further(start.velocity_1, end.velocity_1);
  y.integral_1 = further(start.integral_1, end.integral_1);
  y.position_2 = further(start.position_2, end.position_2);
  y.velocity_2 = further(start.velocity_2, end.velocity_2);
  y.integral_2 = further(start.integral_2, end.integral_2);
  const auto from = ModelView::pack(start.friction);
  auto states = ModelView::pack(end.friction);
  for (std::size_t i = 0; i < states.size(); ++i) {
    states[i] = further(from[i], states[i]);
  }
  y.friction = ModelView::unpack(states, end.friction);
  return y;
}

using Stepped = std::pair<State, double>;

/// Tells the friction what a gear between the bodies transmits.
void transmit(const ModelView& model, const Body& body_1, const Body& body_2, const LinearLoad& load_1,
              const LinearLoad& load_2, State& y) noexcept {
  if (model.table()->geared) {
    const auto between = [&](double u1, double u2) { return load_between(body_1.mass, body_2.mass, u1, u2); };
    const double load = between(load_1.at(y.position_1, y.velocity_1, y.integral_1),
                                load_2.at(y.position_2, y.velocity_2, y.integral_2));
    const double motor = between(load_1.motor_at(y.position_1, y.velocity_1, y.integral_1),
                                 load_2.motor_at(y.position_2, y.velocity_2, y.integral_2));
    model.table()->transmit(y.friction.data(), transmitted(load, motor, load_1.normal));
  }
}

/// Both bodies and both loads, with their coupled fixed steps.
struct Pair {
  const ModelView& model;
  const Body& body_1;
  const Body& body_2;
  const Load& load_1;
  const Load& load_2;

  [[nodiscard]] Stepped stage(const State& base, const State& present, double end, double s) const noexcept {
    return pair_stage(model, body_1.mass, body_2.mass, load_1.at(end), load_2.at(end), base, present, s);
  }
  [[nodiscard]] Stepped backward_euler(const State& y, double time, double h) const noexcept {
    return stage(y, y, time + h, h);
  }
  /// As for one body (steps.h).
  [[nodiscard]] Stepped sdirk2(const State& y, double time, double h) const noexcept {
    constexpr double gamma = 0.29289321881345254;
    constexpr double weight = 2.414213562373095;  // 1/γ − 1
    const auto first = stage(y, y, time + gamma * h, gamma * h).first;
    const auto second = stage(extrapolated(y, first, weight), first, time + h, gamma * h);
    const bool smooth =
        !switched<ModelView>(y.friction, first.friction) && !switched<ModelView>(y.friction, second.first.friction);
    return smooth ? second : backward_euler(y, time, h);
  }
};

/// The accurate solver integrates body 1 and the motion relative to it, so that sticking is one velocity held at zero.
PairTrajectory simulate_pair_cvode(const ModelView& model, const Body& body_1, const Body& body_2, const Load& load_1,
                                   const Load& load_2, const State& y0, const Options& options) {
  constexpr std::size_t body_states = 6;  // x₁, v₁, q₁, x₁ − x₂, v₁ − v₂, q₂
  const double reduced_mass = 1 / (1 / body_1.mass + 1 / body_2.mass);
  const Pair pair{model, body_1, body_2, load_1, load_2};
  PairTrajectory out;
  out.solver = name_of(options.method);
  auto mode = y0.friction;
  Segment segment;

  const auto state_from = [&](std::span<const double> values) {
    State y{values[0],
            values[1],
            values[2],
            values[0] - values[3],
            values[1] - values[4],
            values[5],
            with_states(mode, values.subspan(body_states))};
    y.velocity_2 = ModelView::held(mode) ? y.velocity_1 : y.velocity_2;
    return y;
  };
  // The solver's own state: the difference of two large velocities would suffer cancellation, which guards would see.
  const auto relative_in = [&](std::span<const double> values) { return ModelView::held(mode) ? 0 : values[4]; };
  const auto to_values = [&](const State& y) {
    std::vector<double> values{
        y.position_1, y.velocity_1, y.integral_1, y.position_1 - y.position_2, y.velocity_1 - y.velocity_2,
        y.integral_2};
    const auto states = ModelView::pack(y.friction);
    values.insert(values.end(), states.begin(), states.begin() + model.states_in_use());
    return values;
  };
  struct Pushes {
    LinearLoad one, two;
    double u1, u2, load, friction;
  };
  const auto pushes_on = [&](double t, State& y, double relative_velocity) {
    Pushes p{load_1.at(segment.clamp(t)), load_2.at(segment.clamp(t)), 0, 0, 0, 0};
    p.u1 = p.one.at(y.position_1, y.velocity_1, y.integral_1);
    p.u2 = p.two.at(y.position_2, y.velocity_2, y.integral_2);
    p.load = load_between(body_1.mass, body_2.mass, p.u1, p.u2);
    transmit(model, body_1, body_2, p.one, p.two, y);
    p.friction = friction_under_load(model, y.friction, relative_velocity, p.load, p.one.normal);
    return p;
  };
  const auto change_mode = [&](double t, State y, double relative_velocity, std::span<double> values) {
    const Pushes p = pushes_on(t, y, relative_velocity);
    settle(model, y.friction, relative_velocity, per_normal(p.load, p.one.normal));
    y = with_relative_velocity(y, body_1.mass, body_2.mass, relative_velocity);
    mode = y.friction;
    auto changed = to_values(y);
    changed[4] = relative_velocity;
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
    auto y = state_from(values);
    const double relative = relative_in(values);
    const Pushes p = pushes_on(t, y, relative);
    dydt[0] = y.velocity_1;
    dydt[1] = (p.u1 - p.friction) / body_1.mass;
    dydt[2] = p.one.error(y.position_1, y.velocity_1);
    dydt[3] = model.output_velocity(y.friction, relative);
    dydt[4] = (p.load - p.friction) / reduced_mass;
    dydt[5] = p.two.error(y.position_2, y.velocity_2);
    write_rate(model, y.friction, relative, dydt.subspan(body_states));
    if (ModelView::held(mode)) {
      dydt[3] = dydt[4] = 0;
    }
  };
  system.ode.guard_count = model.table()->guard_count;
  system.ode.guards = [&](double t, std::span<const double> values, std::span<double> result) {
    auto y = state_from(values);
    const double relative = relative_in(values);
    const Pushes p = pushes_on(t, y, relative);
    const auto guards = model.guards(y.friction, relative, per_normal(p.load, p.one.normal));
    std::copy(guards.begin(), guards.end(), result.begin());
  };
  system.on_guard = [&](double t, std::span<double> values, int guard) {
    auto y = state_from(values);
    double relative = relative_in(values);
    y.friction = model.transition(y.friction, guard);
    if (model.table()->sticks) {
      relative = model.velocity_after(y.friction, relative);
      y = with_relative_velocity(y, body_1.mass, body_2.mass, relative);
    }
    change_mode(t, y, relative, values);
  };
  if (model.table()->has_memory) {
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
    auto y = state_from(values);
    return add_row(out, t, y, pushes_on(t, y, relative_in(values)).friction);
  };
  std::array<State, 4> slots{};
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
    return switched<ModelView>(slots[a].friction, slots[b].friction);
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

}  // namespace

PairTrajectory simulate(const ModelView& model, const Body& body_1, const Body& body_2, const Load& load_1,
                        const Load& load_2, const Options& options, const AnyState& friction) {
  require_valid(body_1, "body_1.");
  require_valid(body_2, "body_2.");
  require_valid(load_1, "load_1.");
  require_valid(load_2, "load_2.");
  const double time_scale = std::min(load_1.time_scale(), load_2.time_scale());
  require_valid(options, Entry::two_bodies, time_scale);
  require_valid_state(model, friction);
  State y{body_1.position,
          body_1.velocity,
          0,
          body_2.position,
          body_2.velocity,
          0,
          model.advance(friction, body_1.velocity - body_2.velocity, 0)};
  if (options.method == Method::cvode) {
    return simulate_pair_cvode(model, body_1, body_2, load_1, load_2, y, options);
  }
  PairTrajectory out;
  out.solver = name_of(options.method);
  out.note = sampling_note(options, time_scale);
  const FixedGrid grid(options);
  const Pair pair{model, body_1, body_2, load_1, load_2};
  const LinearLoad start = load_1.at(0);
  const double load = load_between(body_1.mass, body_2.mass, start.at(y.position_1, y.velocity_1, 0),
                                   load_2.at(0).at(y.position_2, y.velocity_2, 0));
  transmit(model, body_1, body_2, start, load_2.at(0), y);
  bool finite =
      add_row(out, 0, y, friction_under_load(model, y.friction, y.velocity_1 - y.velocity_2, load, start.normal));
  for (std::size_t i = 0; i < grid.steps && finite; ++i) {
    if (FixedGrid::asks_before(i) && !goes_on(options, grid.time(i), out)) {
      break;
    }
    const auto next = options.method == Method::sdirk2 ? pair.sdirk2(y, grid.time(i), grid.h)
                                                       : pair.backward_euler(y, grid.time(i), grid.h);
    y = next.first;
    ++out.steps;
    if (grid.row_after(i) || !std::isfinite(y.velocity_1)) {
      finite = add_row(out, grid.time(i + 1), y, next.second);
    }
  }
  return out;
}

PairTrajectory simulate(const scalar::AnyModel& model, const Body& body_1, const Body& body_2, const Load& load_1,
                        const Load& load_2, const Options& options, std::span<const double> states) {
  return simulate(ModelView(model), body_1, body_2, load_1, load_2, options, initial_state(model, states));
}

}  // namespace stiction::sim
