// Characteristics of any model, measured through its public calls: slopes at rest, break-away force, and the work over
// closed cycles. Not for real-time loops: they take up to some hundred thousand calls.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "stiction/problem.h"
#include "stiction/scalar/model.h"

namespace stiction::sim {

/// d₀ = dF/dv at rest [N s/m]; infinite if the contact sticks exactly, or if the slope of F is unbounded at v = 0.
template <scalar::Dynamics M>
double damping_at_rest(const M& model) noexcept {
  if (scalar::sticks(model)) {
    return infinity;
  }
  const auto rest = model.at_rest(0);
  const auto slope = [&](double v) { return (model.force(rest, v) - model.force(rest, -v)) / (2 * v); };
  const double near = slope(1e-5 * model.velocity_scale());
  return slope(1e-7 * model.velocity_scale()) > 2 * near ? infinity : near;
}

/// k₀ = dF/dx at rest [N/m], from the force that remains after a small displacement; 0 if nothing is elastic.
template <scalar::Dynamics M>
double stiffness_at_rest(const M& model) noexcept {
  if (scalar::sticks(model)) {
    return 0;  // rigid, not elastic
  }
  const double v = model.velocity_scale();
  constexpr double time = 1e-6;
  const auto left_after = [&](double velocity) {
    return model.force(model.advance(model.at_rest(0), velocity, time), 0);
  };
  return (left_after(v) - left_after(-v)) / (2 * v * time);
}

/// The state of steady sliding at this velocity: after at least 100 s and at least 1 m. The last steps are short, for
/// models with memory.
template <scalar::Dynamics M>
typename M::State settled(const M& model, double velocity) noexcept {
  constexpr int steps = 200;
  auto state = model.at_rest(0);
  double dt = std::max(100.0, 1 / std::abs(velocity)) / steps;
  for (int round = 0; round < 2; ++round, dt /= steps) {
    for (int i = 0; i < steps; ++i) {
      state = model.advance(state, velocity, dt);
    }
  }
  return state;
}

/// A speed well within sliding [m/s]: the first of 10, 20, 40 … times the model's velocity scale beyond which friction
/// no longer decreases.
template <scalar::Dynamics M>
double sliding_speed(const M& model) noexcept {
  const auto friction = [&](double v) { return model.force(settled(model, v), v); };
  double speed = 10 * model.velocity_scale();
  for (int doubling = 0; doubling < 8 && friction(2 * speed) < 0.99 * friction(speed); ++doubling) {
    speed *= 2;
  }
  return speed;
}

/// The displacement over which friction builds up [m]: sliding friction over stiffness; arbitrary without stiffness.
template <scalar::Dynamics M>
double presliding_length(const M& model) noexcept {
  const double stiffness = stiffness_at_rest(model);
  if (!(stiffness > 0)) {
    return model.velocity_scale();
  }
  const double fast = sliding_speed(model);
  return model.force(settled(model, fast), fast) / stiffness;
}

/// The largest load that is held in a direction of ±1: the stiction limit of a contact that sticks exactly, otherwise
/// the peak of friction when dragged slowly from rest. 0 if friction vanishes with the speed: any load moves the body.
template <scalar::Dynamics M>
double breakaway_force(const M& model, double direction = 1) noexcept {
  if (scalar::sticks(model)) {
    const auto holds = [&](double load) {
      return model.solve(model.at_rest(0), {.free_velocity = direction * load, .mobility = 1, .velocity = 0, .dt = 1})
                 .velocity == 0;
    };
    double low = 0;
    double high = 1e-9;
    for (; high < 1e15 && holds(high); high *= 2) {
      low = high;
    }
    for (int i = 0; i < 60; ++i) {
      const double middle = (low + high) / 2;
      (holds(middle) ? low : high) = middle;
    }
    return low;
  }
  const double slow = direction * model.velocity_scale() / 100;
  auto state = model.at_rest(0);
  double peak = direction * model.force(state, slow);
  const auto drag = [&](double distance) {
    constexpr int steps = 2000;
    for (int i = 0; i < steps; ++i) {
      state = model.advance(state, slow, distance / steps / std::abs(slow));
      peak = std::max(peak, direction * model.force(state, slow));
    }
  };
  const double length = presliding_length(model);
  drag(4 * length);    // in fine steps, where most models peak
  drag(100 * length);  // until the softest element slides
  const double fast = direction * sliding_speed(model);
  return peak < 0.5 * direction * model.force(settled(model, fast), fast) ? 0 : peak;
}

/// Work over one period of a closed motion.
struct CycleWork {
  double net = 0;    // ∮ F v dt [J]; negative: friction generates energy
  double total = 0;  // ∮ |F v| dt [J]
  double speed = 0;  // the largest in the cycle [m/s]

  /// Net over total: 1 if friction opposes all motion, 0 for a spring.
  [[nodiscard]] double share() const noexcept { return total > 0 ? net / total : 0; }
  /// By more than the integration error.
  [[nodiscard]] bool generates_energy() const noexcept { return share() < -1e-3; }
};

namespace detail {

/// A segment of a motion at constant velocity.
struct Stretch {
  double velocity;
  double time;
};

/// Adds the work over a segment, by Simpson's rule on 32 intervals.
template <scalar::Dynamics M>
void add_work(const M& model, const Stretch& stretch, typename M::State& state, CycleWork& work) noexcept {
  constexpr int pieces = 32;
  const auto [v, time] = stretch;
  const double h = time / pieces;
  state = model.advance(state, v, 0);  // updates a contact's mode
  double before = model.force(state, v);
  for (int i = 0; i < pieces; ++i) {
    state = model.advance(state, v, h / 2);
    const double middle = model.force(state, v);
    state = model.advance(state, v, h / 2);
    const double after = model.force(state, v);
    work.net += v * h / 6 * (before + 4 * middle + after);
    work.total += std::abs(v) * h / 6 * (std::abs(before) + 4 * std::abs(middle) + std::abs(after));
    before = after;
  }
}

/// Work in the second period of a motion, after the transient.
template <scalar::Dynamics M, std::size_t N>
CycleWork cycle_work(const M& model, const std::array<Stretch, N>& motion) noexcept {
  CycleWork work;
  auto state = model.at_rest(0);
  for (int period = 0; period < 2; ++period) {
    work = {};
    for (const Stretch& stretch : motion) {
      work.speed = std::max(work.speed, std::abs(stretch.velocity));
      add_work(model, stretch, state, work);
    }
  }
  return work;
}

}  // namespace detail

/// Tests passivity on some hundred closed cycles: slowly to break-away, then fast at up to a million times the velocity
/// scale, and back in the same way or slowly. Such bursts reveal what an oscillation would not: friction that pushes
/// while its bristle relaxes. Returns the worst cycle at the lowest speed that generates energy, otherwise the worst of
/// all.
template <scalar::Dynamics M>
CycleWork worst_cycle(const M& model) noexcept {
  using detail::Stretch;
  const double length = presliding_length(model);
  const double scale = model.velocity_scale();
  CycleWork worst{1, 1, 0};
  const auto consider = [&](const auto& motion) {
    const CycleWork work = detail::cycle_work(model, motion);
    worst = work.share() < worst.share() ? work : worst;
  };
  const double slowest = stiffness_at_rest(model) > 0 ? 0.01 * scale : scale;
  for (double fast = scale; fast < 2e6 * scale && !worst.generates_energy(); fast *= 10) {
    for (double slow = slowest; slow < 2 * scale; slow *= 100) {
      for (const double slowly : {length, 10 * length}) {
        for (const double off : {0.3 * length, length, 3 * length}) {
          consider(std::array{Stretch{slow, slowly / slow}, Stretch{fast, off / fast}, Stretch{-slow, slowly / slow},
                              Stretch{-fast, off / fast}});
          consider(std::array{Stretch{slow, slowly / slow}, Stretch{fast, off / fast},
                              Stretch{-slow, (slowly + off) / slow}});
        }
      }
    }
  }
  return worst;
}

}  // namespace stiction::sim
