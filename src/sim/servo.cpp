#include "stiction/sim/servo.h"

#include <algorithm>
#include <cmath>

#include "contact_events.h"
#include "stiction/math.h"

namespace stiction::sim {
namespace {

using State = LineState<ModelView>;

/// The motor's torque over a sample: torque − damping·v.
struct Motor {
  double torque = 0;
  double damping = 0;
  [[nodiscard]] double at(double velocity) const noexcept { return torque - damping * velocity; }
};

/// The load over one step, linear in the motion about where the step begins.
struct ServoLoad {
  LinearLoad load;
  [[nodiscard]] const LinearLoad& at(double) const noexcept { return load; }
};

/// What the firmware knows, and what it computes once in a sample.
class Firmware {
 public:
  Firmware(const Servo& servo, double position) : p_(servo.params), measured_(quantised(position)), goal_(measured_) {}

  [[nodiscard]] double goal() const noexcept { return goal_; }
  [[nodiscard]] double measured() const noexcept { return measured_; }
  [[nodiscard]] double output() const noexcept { return output_; }

  /// `position`: the true one, a delay ago.
  void sample(double position, double goal) noexcept {
    const double before = measured_;
    measured_ = quantised(position);
    const double max_change = p_.max_goal_rate * p_.sample_time;
    goal_ += std::clamp(goal - goal_, -max_change, max_change);
    // output = clip(k_p e − k_d w, ±max_output)
    const double rate = (measured_ - before) / p_.sample_time;
    output_ = clip(p_.proportional * (goal_ - measured_) - p_.derivative * rate, -p_.max_output, p_.max_output);
  }

 private:
  [[nodiscard]] double quantised(double position) const noexcept {
    return p_.encoder_step > 0 ? std::round(position / p_.encoder_step) * p_.encoder_step : position;
  }

  const Servo::Params& p_;
  double measured_;
  double goal_;
  double output_ = 0;
};

/// The motor under a commanded output. Current mode: the current, or what the whole supply drives if that is less.
Motor motor_of(const Servo& servo, double output, double supply, double velocity) noexcept {
  const Servo::Params& p = servo.params;
  const auto under_voltage = [&p](double voltage) {  // τ_m = k_t (V − k_t v)/R
    return Motor{p.torque_constant * voltage / p.resistance, square(p.torque_constant) / p.resistance};
  };
  switch (servo.mode) {
    case ServoMode::torque:
      return {output, 0};
    case ServoMode::current: {
      const double voltage = p.resistance * output + p.torque_constant * velocity;
      return std::abs(voltage) <= supply ? Motor{p.torque_constant * output, 0}
                                         : under_voltage(std::copysign(supply, voltage));
    }
    default:
      return under_voltage(supply * clip(output, -1.0, 1.0));
  }
}

/// The positions of the last steps, as far back as the delay.
class DelayLine {
 public:
  /// Before the run began, and where the delay is longer than the run, the position is the one at the start.
  DelayLine(double delay, const FixedGrid& grid, double position)
      : steps_(std::min(delay / grid.h, static_cast<double>(grid.steps))),
        past_(static_cast<std::size_t>(std::ceil(steps_)) + 2, position) {}
  void push(double position) noexcept {
    at_ = (at_ + 1) % past_.size();
    past_[at_] = position;
  }
  /// A delay ago, by linear interpolation.
  [[nodiscard]] double delayed() const noexcept {
    const auto whole = static_cast<std::size_t>(steps_);
    const double share = steps_ - static_cast<double>(whole);
    return (1 - share) * back(whole) + share * back(whole + 1);
  }

 private:
  [[nodiscard]] double back(std::size_t steps) const noexcept {
    return past_[(at_ + past_.size() - steps % past_.size()) % past_.size()];
  }

  double steps_;
  std::vector<double> past_;
  std::size_t at_ = 0;
};

double time_scale(const ServoInputs& inputs) noexcept {
  return std::min({inputs.goal.time_scale(), inputs.supply_voltage.time_scale(), inputs.external_torque.time_scale()});
}

class ServoRun {
 public:
  ServoRun(const ModelView& model, const Servo& servo, const ServoInputs& inputs, const Options& options,
           const State& start)
      : model_(model),
        servo_(servo),
        inputs_(inputs),
        options_(options),
        grid_(grid_of(servo, options)),
        substeps_(std::max<std::size_t>(1, static_cast<std::size_t>(std::llround(servo.params.sample_time / grid_.h)))),
        y_(start),
        firmware_(servo, start.position),
        line_(servo.params.delay, grid_, start.position) {}

  ServoTrajectory run(ServoTrajectory empty) {
    out_ = std::move(empty);
    out_.solver = name_of(options_.method);
    out_.note = sampling_note(options_, time_scale(inputs_));
    command(0);
    bool finite = add_row(0, 0);
    for (std::size_t i = 0; i < grid_.steps && finite; ++i) {
      if (FixedGrid::asks_before(i) && !goes_on(options_, grid_.time(i), out_)) {
        break;
      }
      if (i > 0 && i % substeps_ == 0) {
        command(grid_.time(i));
      }
      const double friction = step(grid_.time(i));
      ++out_.steps;
      if (grid_.row_after(i) || !std::isfinite(y_.velocity)) {
        finite = add_row(grid_.time(i + 1), friction);
      }
    }
    return std::move(out_);
  }

 private:
  /// Steps that fit into a sample a whole number of times.
  static FixedGrid grid_of(const Servo& servo, Options options) {
    const double sample = servo.params.sample_time;
    options.step = sample / std::ceil(sample / options.step - 1e-9);
    return FixedGrid(options);
  }
  [[nodiscard]] double supply(double time) const noexcept { return std::max(inputs_.supply_voltage.at(time), 0.0); }

  void command(double time) noexcept { firmware_.sample(line_.delayed(), inputs_.goal.at(time)); }

  /// τ_e about a position: its value there, and its slope.
  [[nodiscard]] std::pair<double, double> external(double time, double position) const noexcept {
    const Servo::Params& p = servo_.params;
    const double s = std::sin(position);
    const double c = std::cos(position);
    return {p.offset_torque + p.sine_torque * s + p.cosine_torque * c + inputs_.external_torque.at(time),
            p.sine_torque * c - p.cosine_torque * s};
  }

  double step(double time) noexcept {
    const double h = grid_.h;
    const Motor motor = motor_of(servo_, firmware_.output(), supply(time), y_.velocity);
    const auto [torque, slope] = external(time + h / 2, y_.position);
    ServoLoad load;
    load.load.force = motor.torque + torque - slope * y_.position;
    load.load.stiffness = -slope;
    load.load.damping = motor.damping;
    load.load.motor_force = motor.torque;  // a gear's friction depends on both sides of it
    load.load.motor_damping = motor.damping;
    const double mass = servo_.params.inertia + servo_.params.armature;
    const auto next = options_.method == Method::backward_euler ? backward_euler(model_, mass, load, time, y_, h)
                                                                : sdirk2(model_, mass, load, time, y_, h);
    y_ = next.state;
    line_.push(y_.position);
    return next.friction;
  }

  /// False if a value is not finite; then nothing is added.
  bool add_row(double time, double friction) {
    const double velocity = model_.output_velocity(y_.friction, y_.velocity);
    const double motor = motor_of(servo_, firmware_.output(), supply(time), y_.velocity).at(y_.velocity);
    const double torque = external(time, y_.position).first;
    if (!std::isfinite(y_.position + velocity + friction + motor + torque)) {
      out_.diverged = true;
      return false;
    }
    model_.table()->transmit(y_.friction.data(), {motor, torque});
    out_.time.push_back(time);
    out_.position.push_back(y_.position);
    out_.velocity.push_back(velocity);
    out_.friction.push_back(time > 0 ? friction
                                     : friction_under_load(model_, y_.friction, velocity, motor + torque, 1));
    out_.motor_torque.push_back(motor);
    out_.external_torque.push_back(torque);
    out_.goal.push_back(firmware_.goal());
    out_.measured.push_back(firmware_.measured());
    out_.output.push_back(firmware_.output());
    const auto states = ModelView::pack(y_.friction);
    for (std::size_t i = 0; i < out_.states.size(); ++i) {
      out_.states[i].push_back(states[i]);
    }
    return true;
  }

  const ModelView& model_;
  const Servo& servo_;
  const ServoInputs& inputs_;
  const Options& options_;
  FixedGrid grid_;
  std::size_t substeps_;
  State y_;
  Firmware firmware_;
  DelayLine line_;
  ServoTrajectory out_;
};

}  // namespace

Servo Servo::make(const Params& p, ServoMode mode) {
  if (const auto problem = check(p)) {
    throw InvalidParameter(*problem);
  }
  if (mode != ServoMode::torque && !(p.torque_constant > 0)) {
    throw InvalidParameter(Problem{"torque_constant", p.torque_constant,
                                   "> 0 where the servo drives its motor by a voltage or a current"});
  }
  return {p, mode};
}

ServoTrajectory simulate(const scalar::AnyModel& friction, const Servo& servo, const ServoInputs& inputs,
                         const Options& options, const Body& start, std::span<const double> states) {
  Servo::make(servo.params, servo.mode);
  require_valid(options, Entry::servo, time_scale(inputs));
  if (const double samples = options.duration / servo.params.sample_time;
      !(samples <= static_cast<double>(options.max_steps))) {
    throw InvalidParameter(Problem{"sample_time", servo.params.sample_time, ">= duration / max_steps"});
  }
  require_valid(start, "start.");
  require_valid(inputs.goal, "goal");
  require_valid(inputs.supply_voltage, "supply_voltage");
  require_valid(inputs.external_torque, "external_torque");
  const ModelView model(friction);
  const AnyState state = initial_state(model, states);
  require_valid_state(model, state);
  const State y{start.position, start.velocity, 0, model.advance(state, start.velocity, 0)};
  return ServoRun(model, servo, inputs, options, y).run(no_servo_rows(friction));
}

ServoTrajectory no_servo_rows(const scalar::AnyModel& friction) {
  ServoTrajectory out;
  const auto names = friction.table()->state_names.first(friction.states_in_use());
  out.state_names.assign(names.begin(), names.end());
  out.states.resize(names.size());
  return out;
}

}  // namespace stiction::sim
