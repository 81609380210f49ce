// Simulates a recording: the axis is driven as in the log, and the result is compared with the measurement.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

#include "families.h"
#include "signals.h"
#include "stiction/identify/data.h"
#include "stiction/sim/steps.h"

namespace stiction::identify {

/// How the axis was driven.
enum class Drive {
  held_torque,      // by the logged torque, held between samples
  linear_torque,    // by the logged torque, linear between samples
  smooth_torque,    // by the logged torque, a cubic spline through the samples
  continuous_loop,  // by a PID controller that sees position and velocity at all times
  sampled_loop,     // by a PID controller at the log's rate, its output held
};
constexpr bool is_loop(Drive drive) noexcept { return drive == Drive::continuous_loop || drive == Drive::sampled_loop; }

/// u = kp (x_ref − x) + ki ∫(x_ref − x) dt + kd (v_ref − v)
struct Loop {
  double kp = 0, ki = 0, kd = 0;
};

/// A recording prepared for simulation.
struct Track {
  const Recording* recording = nullptr;
  Drive drive = Drive::held_torque;
  std::vector<double> reference_position, reference_velocity;  // for a loop
  double correction = 0;  // [rad/s], of a simulation by torque towards the measured position; 0: none
  double position_noise = 1, torque_noise = 1;  // standard deviations
  int steps = 1;                                // of the simulation, for each sample interval
  std::vector<char> use;                        // samples that count
  std::vector<double> curvature;                // of the spline through the torques, at the samples

  void follow(const Recording& log) {
    recording = &log;
    curvature = spline_curvature(log.time, log.torque);
  }
  /// The torque at a fraction of the interval after sample k.
  [[nodiscard]] double torque_within(std::size_t k, double share) const {
    const double u = recording->torque[k];
    if (drive == Drive::held_torque) {
      return u;
    }
    const double line = u + share * (recording->torque[k + 1] - u);
    if (drive == Drive::linear_torque) {
      return line;
    }
    // (1 − s) u₀ + s u₁ − h²/6 s (1 − s) ((2 − s) u₀″ + (1 + s) u₁″)
    const double h = recording->time[k + 1] - recording->time[k];
    return line - h * h / 6 * share * (1 - share) * ((2 - share) * curvature[k] + (1 + share) * curvature[k + 1]);
  }
};

/// Initial state of a simulation, and quantities that the log does not contain.
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

// Derivatives ---------------------------------------------------------------------------------------------------------

/// What a simulation depends on besides the model's own numbers, in the order in which they follow those.
enum class Dependence { mass, offset, position, velocity, torque, kp, ki, kd, integral, shift };
constexpr std::size_t dependences = 10;
using Gradient = Eigen::Array<double, 20, 1>;
constexpr double nudge = 1e-6;  // increment of a search number, for differences

/// Derivatives of the simulated quantities.
struct Sensitivity {
  std::size_t model_numbers = 0;
  Gradient slope = Gradient::Zero();       // of each quantity with respect to its search number; 0: not fitted
  std::vector<Gradient> position, torque;  // at each sample

  [[nodiscard]] Eigen::Index index(Dependence quantity) const {
    return static_cast<Eigen::Index>(model_numbers + static_cast<std::size_t>(quantity));
  }
  /// d(quantity)/d(numbers)
  [[nodiscard]] Gradient of(Dependence quantity) const {
    Gradient one = Gradient::Zero();
    one[index(quantity)] = slope[index(quantity)];
    return one;
  }
};

/// Models whose simulation can be differentiated step by step: an implicit step at a given velocity, and decoupled
/// states. With more than one, the friction is their sum and a viscous part.
template <class Model>
concept Differentiable = (Family<Model>::states > 0) &&
                         requires(const Model& m, const typename Model::State& s, double x) {
  m.implicit(s, x, x);
  m.root_resolution(s, x);
};

/// A state of the axis with its derivatives, or without.
template <class Model, bool derive>
struct Moving {
  struct Nothing {};
  struct Tangent {
    Gradient position = Gradient::Zero(), velocity = Gradient::Zero(), integral = Gradient::Zero();
    std::array<Gradient, Family<Model>::states> friction;
    Tangent() { friction.fill(Gradient::Zero()); }
  };
  sim::LineState<Model> y{};
  [[no_unique_address]] std::conditional_t<derive, Tangent, Nothing> d{};
};

/// The friction's implicit step, differentiated by finite differences at the solved velocity: cheaper than solving
/// again.
template <class Model>
struct StepDerivatives {
  static constexpr std::size_t states = Family<Model>::states;
  struct By {
    double force = 0;
    std::array<double, states> state{};
  };
  By velocity;
  std::array<double, states> force_by_state{}, state_by_state{};
  Gradient force_by_numbers = Gradient::Zero();
  std::array<Gradient, states> state_by_numbers;

  StepDerivatives(const Model& model, std::span<const Model> nudged, const typename Model::State& friction, double v,
                  double s) noexcept {
    const auto here = model.implicit(friction, v, s);
    const auto packed = Model::pack(here.state);
    const auto difference = [&](const auto& there, double h) {
      By by{(there.force - here.force) / h};
      const auto moved = Model::pack(there.state);
      for (std::size_t i = 0; i < states; ++i) {
        by.state[i] = (moved[i] - packed[i]) / h;
      }
      return by;
    };
    // Steps away from rest, where friction has a kink.
    const double dv = std::copysign(1e-6 * std::abs(v) + 1e-3 * model.root_resolution(friction, s), v);
    velocity = difference(model.implicit(friction, v + dv, s), dv);
    auto start = Model::pack(friction);
    std::array<double, states> dz{};
    for (std::size_t i = 0; i < states; ++i) {
      dz[i] = std::copysign(1e-6 * model.typical()[i], -start[i]);
      start[i] += dz[i];
    }
    const By by_states = difference(model.implicit(Model::unpack(start, friction), v, s), 1);
    for (std::size_t i = 0; i < states; ++i) {
      state_by_state[i] = by_states.state[i] / dz[i];
      force_by_state[i] = states == 1 ? by_states.force / dz[i] : state_by_state[i];
    }
    state_by_numbers.fill(Gradient::Zero());
    for (std::size_t j = 0; j < nudged.size(); ++j) {
      const By by = difference(nudged[j].implicit(friction, v, s), nudge);
      force_by_numbers[static_cast<Eigen::Index>(j)] = by.force;
      for (std::size_t i = 0; i < states; ++i) {
        state_by_numbers[i][static_cast<Eigen::Index>(j)] = by.state[i];
      }
    }
  }
};

// Simulation ----------------------------------------------------------------------------------------------------------

/// Simulates one recording; with `derive`, also how it depends on every number.
template <class Model, bool derive>
class Follower {
 public:
  using State = Moving<Model, derive>;

  /// `nudged` and `sensitivity` are for derivatives: the model with each of its numbers perturbed, and the result.
  Follower(const Plant<Model>& plant, const Track& track, const Unknowns& start, std::span<const Model> nudged = {},
           Sensitivity* sensitivity = nullptr)
      : plant_(plant), track_(track), start_(start), nudged_(nudged), sensitivity_(sensitivity) {}

  /// Fills position and torque at each sample. Returns the number of steps: samples at which the motion reverses, or an
  /// element of the friction begins to slip, take more.
  std::size_t run(std::span<double> position, std::span<double> torque) {
    const Recording& log = *track_.recording;
    State at = beginning();
    double predicted = at.y.position;
    if constexpr (derive) {
      sensitivity_->position.resize(log.time.size());
      sensitivity_->torque.resize(log.time.size());
      sensitivity_->position[0] = at.d.position;
    }
    for (std::size_t k = 0;; ++k) {
      const double u = command(k, at.y);
      position[k] = predicted;
      torque[k] = u;
      if constexpr (derive) {
        sensitivity_->torque[k] = command_gradient(k, at);
      }
      if (k + 1 == log.time.size()) {
        return steps_;
      }
      const double dt = log.time[k + 1] - log.time[k];
      at = track_.drive == Drive::continuous_loop ? under_continuous_loop(at, k, dt) : under_torque(at, k, dt, u);
      predicted = at.y.position;
      if constexpr (derive) {
        sensitivity_->position[k + 1] = at.d.position;
      }
      if (track_.correction > 0 && !is_loop(track_.drive)) {
        draw_to(log.position[k + 1], dt, at);
      }
    }
  }

 private:
  State beginning() const {
    const auto friction = [&](const Model& model, double torque) {
      return model.advance(model.at_rest(torque), start_.velocity, 0);
    };
    State at;
    at.y = {start_.position, start_.velocity, start_.integral, friction(plant_.model, start_.torque)};
    if constexpr (derive) {
      at.d.position = sensitivity_->of(Dependence::position);
      at.d.velocity = sensitivity_->of(Dependence::velocity);
      at.d.integral = sensitivity_->of(Dependence::integral);
      const auto here = Model::pack(at.y.friction);
      const auto put = [&](Eigen::Index number, const Model& model, double torque) {
        const auto there = Model::pack(friction(model, torque));
        for (std::size_t i = 0; i < at.d.friction.size(); ++i) {
          at.d.friction[i][number] = (there[i] - here[i]) / nudge;
        }
      };
      for (std::size_t j = 0; j < nudged_.size(); ++j) {
        put(static_cast<Eigen::Index>(j), nudged_[j], start_.torque);
      }
      const Eigen::Index torque = sensitivity_->index(Dependence::torque);
      put(torque, plant_.model, start_.torque + nudge * sensitivity_->slope[torque]);
    }
    return at;
  }

  double reference(std::size_t k) const { return start_.shift + track_.reference_position[k]; }

  /// The torque that the log or the loop gives at sample k.
  double command(std::size_t k, const sim::LineState<Model>& y) const {
    const auto& [kp, ki, kd] = start_.loop;
    return is_loop(track_.drive)
               ? kp * (reference(k) - y.position) + ki * y.integral + kd * (track_.reference_velocity[k] - y.velocity)
               : track_.recording->torque[k];
  }
  Gradient command_gradient(std::size_t k, const State& at) const {
    if (!is_loop(track_.drive)) {
      return Gradient::Zero();
    }
    const auto& [kp, ki, kd] = start_.loop;
    return loop_gradient(reference(k), track_.reference_velocity[k], at.y) - kp * at.d.position + ki * at.d.integral -
           kd * at.d.velocity;
  }
  /// d/d(numbers) of the loop's torque where the axis is held.
  Gradient loop_gradient(double reference, double reference_velocity, const sim::LineState<Model>& y) const {
    return sensitivity_->of(Dependence::kp) * (reference - y.position) + sensitivity_->of(Dependence::ki) * y.integral +
           sensitivity_->of(Dependence::kd) * (reference_velocity - y.velocity) +
           start_.loop.kp * sensitivity_->of(Dependence::shift);
  }

  State under_continuous_loop(const State& at, std::size_t k, double dt) const {
    const double kp = start_.loop.kp;
    const double ki = start_.loop.ki;
    const double kd = start_.loop.kd;
    const double v0 = track_.reference_velocity[k];
    const double v1 = track_.reference_velocity[k + 1];
    const double x0 = reference(k);
    const auto reference_velocity = [&](double share) { return v0 + share * (v1 - v0); };
    const auto load_at = [&](double share) {
      const double v = reference_velocity(share);
      sim::LinearLoad load;
      load.reference = x0 + share * dt * (v0 + v) / 2;
      load.force = start_.offset + kp * load.reference + kd * v;
      load.stiffness = kp;
      load.damping = kd;
      load.integral_gain = ki;
      load.error_of_position = 1;
      return load;
    };
    const auto load_gradient = [&](double share, const sim::LinearLoad& load, const sim::LineState<Model>& y) {
      return Gradient(sensitivity_->of(Dependence::offset) +
                      loop_gradient(load.reference, reference_velocity(share), y));
    };
    return moved(at, dt, load_at, load_gradient);
  }

  State under_torque(const State& at, std::size_t k, double dt, double torque) const {
    const bool sampled = track_.drive == Drive::sampled_loop;  // its torque is held
    const auto load_at = [&](double share) {
      sim::LinearLoad load;
      load.force = start_.offset + (sampled ? torque : track_.torque_within(k, share));
      return load;
    };
    Gradient by_numbers;
    if constexpr (derive) {
      by_numbers = sensitivity_->of(Dependence::offset) + command_gradient(k, at);
    }
    State next = moved(at, dt, load_at, [&](double, const auto&, const auto&) { return by_numbers; });
    if (sampled) {
      next.y.integral = at.y.integral + dt * (reference(k) - at.y.position);
      if constexpr (derive) {
        next.d.integral = at.d.integral + dt * (sensitivity_->of(Dependence::shift) - at.d.position);
      }
    }
    return next;
  }

  /// An observer with two poles at the correction's rate w: keeps a sliding axis from drifting away on torque noise.
  /// An error (x, v) after a sample becomes (x + h v, v) in the next prediction. With
  ///   x ← (1 − L₁) x,  L₁ = 1 − p²      v ← v − L₂ x,  L₂ = (1 − p)²/h      p = exp(−w h)
  /// both eigenvalues of a sample interval are p exactly, so it is stable at any sample interval.
  void draw_to(double measured, double dt, State& at) const {
    const double pole = std::exp(-track_.correction * dt);
    const double share = 1 - pole * pole;
    const double pull = square(1 - pole) / dt;
    const double error = measured - at.y.position;
    at.y.position += share * error;
    at.y.velocity += pull * error;
    if constexpr (derive) {
      at.d.velocity -= pull * at.d.position;
      at.d.position *= 1 - share;
    }
  }

  /// One sample interval by L-stable steps of third order (Alexander 1977); each stage is the model's coupled solve.
  /// `load` gives the load at a share of the interval.
  template <class LoadAt, class LoadGradient>
  State moved(State at, double interval, const LoadAt& load, const LoadGradient& load_gradient) const noexcept {
    constexpr double g = 0.43586652150845899942;
    constexpr double c2 = (1 + g) / 2;
    constexpr double b1 = -(6 * g * g - 16 * g + 1) / 4;
    constexpr double b2 = (6 * g * g - 20 * g + 5) / 4;
    // One step over the shares [from, from + part] of the interval.
    const auto plain_step = [&](const State& start, double from, double part) {
      ++steps_;
      const auto stage = [&](double c, const State& base, double present) {
        return this->stage(base, present, g * part * interval, from + c * part, load, load_gradient);
      };
      const State first = stage(g, start, start.y.velocity);
      const State base2 = combined(start, (c2 - g) / g, first, start, 0, first, start);
      const State second = stage(c2, base2, first.y.velocity);
      const State base3 = combined(start, b1 / g, first, start, b2 / g, second, base2);
      return stage(1, base3, second.y.velocity);
    };
    // The same, split where elements of the friction begin to slip: otherwise it would depend on the numbers
    // discontinuously.
    const auto step = [&](State start, double from, double length) {
      State next = plain_step(start, from, length);
      if constexpr (Family<Model>::states > 1) {
        for (std::size_t split = 0; split < Family<Model>::states; ++split) {
          const double slip = first_slip(start.y, next.y);
          if (!(slip > 0.001 && slip < 0.999)) {
            break;
          }
          start = plain_step(start, from, slip * length);
          from += slip * length;
          length -= slip * length;
          next = plain_step(start, from, length);
        }
      }
      return next;
    };
    const double part = 1.0 / track_.steps;
    for (int i = 0; i < track_.steps; ++i) {
      const State next = step(at, i * part, part);
      if (at.y.velocity * next.y.velocity < 0) {
        // Friction has a kink where the motion reverses: one step up to it and one after it. Otherwise errors would
        // accumulate.
        const double v0 = at.y.velocity;
        const double v1 = next.y.velocity;
        const double reversal = part * v0 / (v0 - v1);
        const auto beyond = [&](const State& middle, double where) {
          return step(middle, i * part + where, part - where);
        };
        const State middle = step(at, i * part, reversal);
        State after = beyond(middle, reversal);
        if constexpr (derive) {
          // The position of the split depends on the numbers too. It is moved away from the kink.
          const double shift = std::copysign(1e-5 * reversal, -v0 * middle.y.velocity);
          const Gradient moved_split = part * (v0 * next.d.velocity - v1 * at.d.velocity) / ((v0 - v1) * (v0 - v1));
          const double other = reversal + shift;
          add_difference(after, beyond(step(at, i * part, other), other), moved_split / shift);
        }
        at = after;
      } else {
        at = next;
      }
    }
    return at;
  }

  /// The fraction of a step after which the first element reaches its limit; 1: none does.
  double first_slip(const sim::LineState<Model>& start, const sim::LineState<Model>& next) const noexcept {
    double first = 1;
    const double direction = next.velocity < 0 ? -1 : 1;
    const auto before = plant_.model.advance(start.friction, direction * std::abs(start.velocity), 0);
    auto stretched = before;
    const auto stretch = plant_.model.rate(before, next.position - start.position);  // kᵢ (x − x₀) of those that stick
    for (std::size_t i = 0; i < Family<Model>::states; ++i) {
      stretched.force[i] += stretch.force[i];
    }
    const auto margins = plant_.model.guards(before, direction * std::abs(start.velocity), 0);
    const auto room_after = plant_.model.guards(stretched, next.velocity, 0);
    for (std::size_t i = 0; i < Family<Model>::states; ++i) {
      if (margins[i] > 0 && room_after[i] < 0) {
        first = std::min(first, margins[i] / (margins[i] - room_after[i]));
      }
    }
    return first;
  }

  /// Adds (other − at)·weight to the derivatives.
  static void add_difference(State& at, const State& other, const Gradient& weight) noexcept {
    at.d.position += (other.y.position - at.y.position) * weight;
    at.d.velocity += (other.y.velocity - at.y.velocity) * weight;
    at.d.integral += (other.y.integral - at.y.integral) * weight;
    const auto here = Model::pack(at.y.friction);
    const auto there = Model::pack(other.y.friction);
    for (std::size_t i = 0; i < at.d.friction.size(); ++i) {
      at.d.friction[i] += (there[i] - here[i]) * weight;
    }
  }

  /// at + w1 (a1 − a0) + w2 (z1 − z0)
  static State combined(const State& at, double w1, const State& a1, const State& a0, double w2, const State& z1,
                        const State& z0) noexcept {
    const auto mix = [&](auto&& of) { return of(at) + w1 * (of(a1) - of(a0)) + w2 * (of(z1) - of(z0)); };
    State out = at;
    out.y.position = mix([](const State& s) { return s.y.position; });
    out.y.velocity = mix([](const State& s) { return s.y.velocity; });
    out.y.integral = mix([](const State& s) { return s.y.integral; });
    auto states = Model::pack(at.y.friction);
    const auto from1 = Model::pack(a0.y.friction);
    const auto to1 = Model::pack(a1.y.friction);
    const auto from2 = Model::pack(z0.y.friction);
    const auto to2 = Model::pack(z1.y.friction);
    for (std::size_t i = 0; i < Family<Model>::states; ++i) {
      states[i] += w1 * (to1[i] - from1[i]) + w2 * (to2[i] - from2[i]);
    }
    out.y.friction = Model::unpack(states, z1.y.friction);
    if constexpr (derive) {
      const auto mix_gradient = [&](auto member) {
        return Gradient(at.d.*member + w1 * (a1.d.*member - a0.d.*member) + w2 * (z1.d.*member - z0.d.*member));
      };
      using T = std::remove_const_t<decltype(at.d)>;
      out.d.position = mix_gradient(&T::position);
      out.d.velocity = mix_gradient(&T::velocity);
      out.d.integral = mix_gradient(&T::integral);
      for (std::size_t i = 0; i < out.d.friction.size(); ++i) {
        out.d.friction[i] = mix([i](const State& s) -> const Gradient& { return s.d.friction[i]; });
      }
    }
    return out;
  }

  template <class LoadAt, class LoadGradient>
  State stage(const State& base, double present, double s, double share, const LoadAt& load_at,
              const LoadGradient& load_gradient) const noexcept {
    const sim::LinearLoad load = load_at(share);
    State next;
    next.y = sim::implicit_stage(plant_.model, plant_.mass, load, base.y, present, s).state;
    if constexpr (derive) {
      // 0 = m (v⁺ − v) − s (load(x⁺, v⁺, q⁺) − F(z, v⁺)),   x⁺ = x + s v⁺,   q⁺ = q + s e(x⁺)
      const Gradient reference = load.error_of_position * sensitivity_->of(Dependence::shift);
      // The change at constant v⁺.
      const Gradient integral = base.d.integral + s * (reference - load.error_of_position * base.d.position);
      Gradient push =
          load_gradient(share, load, next.y) - load.stiffness * base.d.position + load.integral_gain * integral;
      const Gradient momentum =
          plant_.mass * base.d.velocity + (base.y.velocity - next.y.velocity) * sensitivity_->of(Dependence::mass);
      const auto move_on = [&] {
        next.d.position = base.d.position + s * next.d.velocity;
        next.d.integral = base.d.integral + s * (reference - load.error_of_position * next.d.position);
      };
      if (next.d.friction.size() > 1 && next.y.velocity == 0) {  // held by friction, which takes all of the load
        move_on();
        carry_at_rest(base, push + momentum / s, next);
        return next;
      }
      const StepDerivatives<Model> friction(plant_.model, nudged_, base.y.friction, next.y.velocity, s);
      push -= friction.force_by_numbers;
      for (std::size_t i = 0; i < next.d.friction.size(); ++i) {
        push -= friction.force_by_state[i] * base.d.friction[i];
      }
      const double resistance =
          plant_.mass + s * (load.damping + s * load.stiffness + s * s * load.integral_gain * load.error_of_position +
                             friction.velocity.force);
      next.d.velocity = (momentum + s * push) / resistance;
      move_on();
      for (std::size_t i = 0; i < next.d.friction.size(); ++i) {
        next.d.friction[i] = friction.state_by_numbers[i] + friction.state_by_state[i] * base.d.friction[i] +
                             friction.velocity.state[i] * next.d.velocity;
      }
    }
    return next;
  }

  /// The states of an axis at rest share a change of the load in the same proportion as the load itself.
  static void carry_at_rest(const State& base, const Gradient& load, State& next) noexcept {
    const auto before = Model::pack(base.y.friction);
    const auto after = Model::pack(next.y.friction);
    Gradient remaining_load = load;
    double taken = 0;
    for (std::size_t i = 0; i < next.d.friction.size(); ++i) {
      remaining_load -= base.d.friction[i];
      taken += after[i] - before[i];
    }
    for (std::size_t i = 0; i < next.d.friction.size(); ++i) {
      next.d.friction[i] = base.d.friction[i] + (taken == 0 ? 0 : (after[i] - before[i]) / taken) * remaining_load;
    }
  }

  const Plant<Model>& plant_;
  const Track& track_;
  const Unknowns& start_;
  std::span<const Model> nudged_;
  Sensitivity* sensitivity_;
  mutable std::size_t steps_ = 0;  // taken so far
};

}  // namespace stiction::identify
