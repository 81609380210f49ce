// Simulates a recording: the axis is driven as the log says it was, and the result is laid beside what was measured.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "stiction/identify/data.h"
#include "stiction/sim/steps.h"

namespace stiction::identify {

/// How the axis was driven.
enum class Drive {
  held_torque,      // by the logged torque, held between samples
  linear_torque,    // by the logged torque, straight lines between samples
  continuous_loop,  // by a PID controller that sees position and velocity at all times
  sampled_loop,     // by a PID controller at the log's rate, its output held
};
constexpr bool is_loop(Drive drive) noexcept { return drive == Drive::continuous_loop || drive == Drive::sampled_loop; }

/// u = kp (x_ref − x) + ki ∫(x_ref − x) dt + kd (v_ref − v)
struct Loop {
  double kp = 0, ki = 0, kd = 0;
};

/// A recording made ready for simulation.
struct Track {
  const Recording* recording = nullptr;
  Drive drive = Drive::held_torque;
  std::vector<double> reference_position, reference_velocity;  // for a loop
  double correction = 0;  // [rad/s], with which a simulation by torque is drawn to the measured position; 0: not at all
  double position_noise = 1, torque_noise = 1;  // standard deviations
  int steps = 1;                                // of the simulation, for each sample interval
  std::vector<char> use;                        // samples that count
};

/// Where a simulation starts, and what the log does not show.
struct Unknowns {
  double position = 0, velocity = 0;
  double torque = 0;    // carried by friction at the start
  double integral = 0;  // of the loop at the start
  double shift = 0;     // of the reference position, where only its velocity is known
  double offset = 0;    // torque that the log does not show
  Loop loop;
};

template <class Model>
struct Plant {
  Model model;
  double mass = 0;
};

/// One sample interval by L-stable steps of third order (Alexander 1977); each stage is the model's coupled solve.
/// `load` gives the load at a share of the interval.
template <class Model, class LoadAt>
sim::LineState<Model> move(const Plant<Model>& plant, sim::LineState<Model> y, double interval, int steps,
                           const LoadAt& load) noexcept {
  constexpr double g = 0.43586652150845899942;
  constexpr double c2 = (1 + g) / 2;
  constexpr double b1 = -(6 * g * g - 16 * g + 1) / 4;
  constexpr double b2 = (6 * g * g - 20 * g + 5) / 4;
  using State = sim::LineState<Model>;
  // at + w1 (a1 − a0) + w2 (b1 − b0)
  const auto moved = [](const State& at, double w1, const State& a1, const State& a0, double w2, const State& z1,
                        const State& z0) {
    State out = a1;
    out.position = at.position + w1 * (a1.position - a0.position) + w2 * (z1.position - z0.position);
    out.velocity = at.velocity + w1 * (a1.velocity - a0.velocity) + w2 * (z1.velocity - z0.velocity);
    out.integral = at.integral + w1 * (a1.integral - a0.integral) + w2 * (z1.integral - z0.integral);
    auto states = Model::pack(at.friction);
    const auto sa1 = Model::pack(a1.friction);
    const auto sa0 = Model::pack(a0.friction);
    const auto sz1 = Model::pack(z1.friction);
    const auto sz0 = Model::pack(z0.friction);
    for (std::size_t i = 0; i < states.size(); ++i) {
      states[i] += w1 * (sa1[i] - sa0[i]) + w2 * (sz1[i] - sz0[i]);
    }
    out.friction = Model::unpack(states, z1.friction);
    return out;
  };
  // One step over the shares [from, from + part] of the interval.
  const auto step = [&](const State& start, double from, double part) {
    const auto stage = [&](double c, const State& base, double present) {
      return sim::implicit_stage(plant.model, plant.mass, load(from + c * part), base, present, g * part * interval)
          .state;
    };
    const State first = stage(g, start, start.velocity);
    const State base2 = moved(start, (c2 - g) / g, first, start, 0, first, start);
    const State second = stage(c2, base2, first.velocity);
    const State base3 = moved(start, b1 / g, first, start, b2 / g, second, base2);
    return stage(1, base3, second.velocity);
  };
  const double part = 1.0 / steps;
  for (int i = 0; i < steps; ++i) {
    const State next = step(y, i * part, part);
    if (y.velocity * next.velocity < 0) {
      // Friction has a kink where the motion reverses: one step up to it, one beyond. Else its error would add up.
      const double reversal = part * y.velocity / (y.velocity - next.velocity);
      y = step(step(y, i * part, reversal), i * part + reversal, part - reversal);
    } else {
      y = next;
    }
  }
  return y;
}

/// Calls out(k, position, torque) for each sample.
template <class Model, class Out>
void follow(const Plant<Model>& plant, const Track& track, const Unknowns& start, const Out& out) {
  const int steps = track.steps;
  const Recording& log = *track.recording;
  const std::size_t n = log.time.size();
  sim::LineState<Model> y{start.position, start.velocity, start.integral, plant.model.at_rest(start.torque)};
  y.friction = plant.model.advance(y.friction, y.velocity, 0);
  const double kp = start.loop.kp;
  const double ki = start.loop.ki;
  const double kd = start.loop.kd;
  const auto command = [&](std::size_t k) {
    return is_loop(track.drive) ? kp * (start.shift + track.reference_position[k] - y.position) + ki * y.integral +
                                      kd * (track.reference_velocity[k] - y.velocity)
                                : log.torque[k];
  };
  double predicted = y.position;
  for (std::size_t k = 0;; ++k) {
    const double torque = command(k);
    out(k, predicted, torque);
    if (k + 1 == n) {
      return;
    }
    const double dt = log.time[k + 1] - log.time[k];
    if (track.drive == Drive::continuous_loop) {
      const double v0 = track.reference_velocity[k];
      const double v1 = track.reference_velocity[k + 1];
      const double x0 = start.shift + track.reference_position[k];
      y = move(plant, y, dt, steps, [&](double share) {
        const double v = v0 + share * (v1 - v0);
        sim::LinearLoad load;
        load.reference = x0 + share * dt * (v0 + v) / 2;
        load.force = start.offset + kp * load.reference + kd * v;
        load.stiffness = kp;
        load.damping = kd;
        load.integral_gain = ki;
        load.error_of_position = 1;
        return load;
      });
      predicted = y.position;
      continue;
    }
    const double error =
        track.drive == Drive::sampled_loop ? start.shift + track.reference_position[k] - y.position : 0;
    const double after = track.drive == Drive::linear_torque ? log.torque[k + 1] : torque;
    const double integral = y.integral + dt * error;
    y = move(plant, y, dt, steps, [&](double share) {
      sim::LinearLoad load;
      load.force = start.offset + torque + share * (after - torque);
      return load;
    });
    y.integral = integral;
    predicted = y.position;
    if (track.correction > 0 && !is_loop(track.drive)) {
      // An observer with two poles at the correction's rate: keeps a sliding axis from drifting away on torque noise.
      const double off = log.position[k + 1] - y.position;
      y.position += (1 - std::exp(-2 * track.correction * dt)) * off;
      y.velocity += track.correction * track.correction * dt * off;
    }
  }
}

}  // namespace stiction::identify
