#include "stiction/sim/planar_body.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numeric>
#include <optional>
#include <string>

#include "planar_checks.h"
#include "rosenbrock.h"
#include "stiction/problem.h"
#include "stiction/sim/cvode.h"
#include "stiction/vector.h"

namespace stiction::sim {
namespace {

using planar::Point;
using planar::Twist;
using planar::Wrench;

constexpr std::size_t body_size = 6;  // position, angle, velocity, spin

/// What acts on the body. A number that is not finite ends the run: the solver gives up, and `solved` says why.
class Inputs {
 public:
  explicit Inputs(const PlanarBody& body) : body_(body) {}
  double normal_force(double t) const { return noted("normal_force(t)", body_.normal_force(t), t); }
  Wrench load(double t) const {
    const Wrench load = body_.load ? body_.load(t) : Wrench{};
    noted("load(t)", load.x + load.y + load.torque, t);
    return load;
  }
  /// Runs a step of the solver. Invalid inputs end the run at once: towards a time with
  /// invalid inputs the solver would take ever shorter steps.
  template <class Step>
  void solved(const Step& step) const {
    try {
      step();
    } catch (const SolverFailure&) {
      if (!problem_) {
        throw;
      }
    }
    if (problem_) {
      std::array<char, 100> line{};
      std::snprintf(line.data(), line.size(), "%s = %g at t = %g s: must be %s", problem_->field, problem_->value,
                    time_, problem_->allowed);
      throw InvalidInput(*problem_, line.data());
    }
  }

 private:
  double noted(const char* field, double value, double time) const {
    if (!std::isfinite(value)) {
      problem_ = Problem{field, value, finite.text};
      time_ = time;
    }
    return value;
  }

  const PlanarBody& body_;
  mutable std::optional<Problem> problem_;
  mutable double time_ = 0;  // of the problem [s]
};

/// The position of the contact, and its twist as a function of the body's.
struct Contact {
  Point at;   // position of the reference point of friction
  Point arm;  // from the centre of mass
};
Contact contact_of(const PlanarBody& body, std::span<const double> y, Point reference) {
  const Point centre{y[0], y[1]};
  const Point at = body.carried ? centre + body.contact + reference : body.contact + reference;
  return {at, at - centre};
}
Twist twist_at(const Contact& contact, std::span<const double> y) {
  return planar::at_point(Twist{y[3], y[4], y[5]}, {}, contact.arm);
}

/// Accelerations from the wrench of one contact.
void accelerate(const PlanarBody& body, const Contact& contact, const Wrench& friction, const Wrench& load,
                std::span<const double> y, std::span<double> dydt) {
  const Wrench w = body.contacts * planar::at_point(friction, contact.arm, {});
  dydt[0] = y[3];
  dydt[1] = y[4];
  dydt[2] = y[5];
  dydt[3] = (w.x + load.x) / body.mass + body.gravity.x;
  dydt[4] = (w.y + load.y) / body.mass + body.gravity.y;
  dydt[5] = (w.torque + load.torque) / body.inertia;
}

/// Inputs may jump where segments meet: within a segment they are evaluated inside it, also at its ends.
struct Segment {
  double first = 0, last = 0;
  double operator()(double t) const { return std::clamp(t, first, last); }
};

/// The normal force; updates the friction model when it changes.
template <class Model>
class NormalForce {
 public:
  NormalForce(const Inputs& inputs, Model& model, const Pressed<Model>& pressed)
      : inputs_(inputs), model_(model), pressed_(pressed) {}
  double operator()(double time) const {
    const double force = inputs_.normal_force(time);
    if (pressed_ && force != last_) {
      pressed_(model_, force);
      last_ = force;
    }
    return force;
  }

 private:
  const Inputs& inputs_;
  Model& model_;
  const Pressed<Model>& pressed_;
  mutable double last_ = -infinity;
};

/// Times at which inputs jump, and the end.
std::vector<double> segment_ends(const PlanarBody& body, double duration) {
  std::vector<double> ends = body.jumps;
  std::erase_if(ends, [&](double t) { return !(t > 0 && t < duration); });
  ends.push_back(duration);
  std::sort(ends.begin(), ends.end());
  ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
  return ends;
}

std::string line_of(const char* format, long steps, double number, double time) {
  std::array<char, 200> line{};
  std::snprintf(line.data(), line.size(), format, steps, number, time);
  return line.data();
}

/// InvalidParameter where the longest step is too short for the number of steps.
void check_steps(const PlanarOptions& options) {
  const auto max_steps = static_cast<double>(options.max_steps);
  if (const double needed = options.duration / options.max_step; needed > max_steps) {
    throw InvalidInput(Problem{"max_steps", max_steps, "enough for the input"},
                       line_of("max_steps = %ld: at least %g steps of max_step = %g s are needed: raise max_steps, "
                               "or shorten duration",
                               options.max_steps, needed, options.max_step));
  }
}

/// Integrates from jump to jump. `advance(end, row_time, on_row)` takes the solver to the end of a segment, calling
/// on_row(state) at each time k·interval on the way.
template <class Advance, class WrenchOf>
PlanarRun run(const PlanarBody& body, const PlanarOptions& options, Segment& segment, const Advance& advance,
              const WrenchOf& wrench_of) {
  check_steps(options);
  const auto count = static_cast<std::size_t>(std::llround(options.duration / options.interval));
  PlanarRun result;
  double start = 0;
  for (const double end : segment_ends(body, options.duration)) {
    const double inside = 1e-9 * (end - start);
    segment = {start + inside, end - inside};
    const auto next_row = [&] {
      const std::size_t next = result.rows.size() + 1;
      return next <= count ? static_cast<double>(next) * options.interval : infinity;
    };
    const auto add_row = [&](std::span<const double> y) {
      const double time = next_row();
      const double before = segment(time);
      const Wrench wrench = wrench_of(y, before);
      const double sum = std::accumulate(y.begin(), y.begin() + body_size, wrench.x + wrench.y + wrench.torque);
      result.diverged = result.diverged || !std::isfinite(sum);
      if (!result.diverged) {
        result.rows.push_back({time, body.normal_force(before), {{y[0], y[1]}, y[2], {y[3], y[4], y[5]}}, wrench});
      }
    };
    // False if the run is over: a row was not finite, or it must stop.
    const auto next_step = [&](double time, long steps) {
      result.steps = steps;
      if (steps >= options.max_steps) {
        throw SolverFailure(
            line_of("gave up after max_steps = %ld steps at t = %g of %g s: raise max_steps, or shorten "
                    "the duration",
                    steps, time, options.duration));
      }
      return !result.diverged && (steps % 16 != 0 || goes_on(options, time, result));
    };
    advance(end, next_row, add_row, next_step, result);
    if (result.diverged || result.interrupted) {
      break;
    }
    start = end;
  }
  return result;
}

/// CVODE with remedies for failures: it is restarted, and if that does not help it continues with lower orders, which
/// depend less on past steps. The first failure and the remedy are noted.
class PersistentCvode {
 public:
  PersistentCvode(OdeProblem problem, std::vector<double> start, const PlanarOptions& options)
      : problem_(std::move(problem)),
        solver_(problem_, 0, std::move(start)),
        min_pace_(0.01 * options.duration / static_cast<double>(options.max_steps)) {}

  [[nodiscard]] double time() const { return solver_.time(); }
  [[nodiscard]] std::span<const double> y() const { return solver_.y(); }
  [[nodiscard]] long steps_taken() const { return steps_before_ + solver_.steps_taken(); }
  void interpolate(double time, std::span<double> y) const { solver_.interpolate(time, y); }
  void restart(double time) { solver_.restart(time, std::vector(y().begin(), y().end())); }

  /// `step(solver)` takes one step, or none if it fails.
  template <class Step>
  void try_step(const Step& step, RunReport& report) {
    try {
      step(solver_);
      check_pace();
    } catch (const SolverFailure& failure) {
      std::array<char, 200> line{};
      std::snprintf(line.data(), line.size(), "cvode gave up at t = %g s (%s)", time(), failure.what());
      first_failure_ = first_failure_.empty() ? line.data() : first_failure_;
      help(line.data());
      report.note = first_failure_ + (problem_.max_order == 2 ? ": it went on with orders 1 and 2"
                                      : restarts_ == 1        ? ": it was restarted there"
                                                       : ": it was restarted " + std::to_string(restarts_) + " times");
    }
  }

 private:
  /// Steps so short that the end would never be reached are a failure too.
  void check_pace() {
    constexpr long window = 10'000;
    if (steps_taken() < pace_steps_ + window) {
      return;
    }
    stalls_ = time() - pace_time_ < min_pace_ * static_cast<double>(window);
    pace_steps_ = steps_taken();
    pace_time_ = time();
    if (stalls_) {
      throw SolverFailure("its steps became too short");
    }
  }

  void help(const char* failure) {
    constexpr long progress = 50;  // steps
    constexpr int max_restarts = 100;
    const bool tries_again = !stalls_ && steps_taken() - failed_at_ > progress && restarts_ < max_restarts;
    failed_at_ = steps_taken();
    stalls_ = false;
    if (tries_again) {
      ++restarts_;
      restart(time());
    } else if (problem_.max_order > 2) {
      problem_.max_order = 2;
      steps_before_ = steps_taken();
      solver_ = Cvode(problem_, time(), {y().begin(), y().end()});
    } else {
      throw SolverFailure(failure);
    }
  }

  OdeProblem problem_;
  Cvode solver_;
  double min_pace_;        // [s] a step
  long steps_before_ = 0;  // the present order
  long failed_at_ = -1'000'000;
  int restarts_ = 0;
  bool stalls_ = false;
  long pace_steps_ = 0;
  double pace_time_ = 0;
  std::string first_failure_;
};

constexpr double row_slack = 1e-12;  // [s]: rows that fall on an end belong to it

}  // namespace

bool goes_on(const PlanarOptions& options, double time, RunReport& report) {
  if (options.progress) {
    options.progress(time / options.duration);
  }
  report.interrupted = report.interrupted || options.stop.stop_requested();
  return !report.interrupted;
}

PlanarRun simulate(const PlanarBody& body, planar::Distributed friction, PlanarState start,
                   const PlanarOptions& options, const Pressed<planar::Distributed>& pressed) {
  check(body, start);
  check(options);
  const Inputs inputs(body);
  const NormalForce normal_force(inputs, friction, pressed);
  const std::size_t bristles = friction.state_size();
  OdeProblem problem;
  Segment segment;
  problem.rate = [&](double time, std::span<const double> y, std::span<double> dydt) {
    const double t = segment(time);
    const Contact contact = contact_of(body, y, friction.reference());
    const Wrench w =
        friction.rate(y.subspan(body_size), twist_at(contact, y), normal_force(t), dydt.subspan(body_size));
    accelerate(body, contact, w, inputs.load(t), y, dydt);
  };
  std::vector<double> scratch(2 * bristles);
  problem.newton = [&, scratch](double time, std::span<const double> y, double gamma, std::span<double> b) mutable {
    const double t = segment(time);
    const Contact contact = contact_of(body, y, friction.reference());
    const Twist twist = twist_at(contact, y);
    const double normal = normal_force(t);
    const auto z = y.subspan(body_size);
    const Wrench w = friction.wrench(z, twist, normal);
    const auto eliminated = friction.eliminate(z, twist, normal, gamma, b.subspan(body_size), scratch);
    // twist at the contact: (v_x − ω a_y, v_y + ω a_x, ω) with the arm a = c − p, or a fixed one
    const double moves = body.carried ? 0 : 1;
    std::array<std::array<double, body_size>, 3> twist_by{};
    twist_by[0] = {0, moves * twist.spin, 0, 1, 0, -contact.arm.y};
    twist_by[1] = {-moves * twist.spin, 0, 0, 0, 1, contact.arm.x};
    twist_by[2] = {0, 0, 0, 0, 0, 1};
    // wrench at the centre of mass: (f, τ + a × f)
    std::array<std::array<double, body_size>, 3> wrench_by{};
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < body_size; ++j) {
        for (std::size_t k = 0; k < 3; ++k) {
          wrench_by[i][j] += eliminated.by_twist[i][k] * twist_by[k][j];
        }
      }
    }
    std::array<double, 3> rest = eliminated.rest;
    for (std::size_t j = 0; j < body_size; ++j) {
      wrench_by[2][j] += contact.arm.x * wrench_by[1][j] - contact.arm.y * wrench_by[0][j];
    }
    rest[2] += contact.arm.x * rest[1] - contact.arm.y * rest[0];
    wrench_by[2][0] -= moves * w.y;
    wrench_by[2][1] += moves * w.x;
    std::array<std::array<double, body_size>, body_size> a{};
    const std::array inverse{body.contacts / body.mass, body.contacts / body.mass, body.contacts / body.inertia};
    for (std::size_t i = 0; i < 3; ++i) {
      a[i][i] = 1;
      a[i][3 + i] = -gamma;
      for (std::size_t j = 0; j < body_size; ++j) {
        a[3 + i][j] = (j == 3 + i ? 1 : 0) - gamma * inverse[i] * wrench_by[i][j];
      }
      b[3 + i] += gamma * inverse[i] * rest[i];
    }
    Vector6 x{};
    if (!solve(a, {b[0], b[1], b[2], b[3], b[4], b[5]}, x)) {
      x.fill(std::numeric_limits<double>::quiet_NaN());
    }
    std::ranges::copy(x, b.begin());
    Twist change;
    for (std::size_t j = 0; j < body_size; ++j) {
      change.x += twist_by[0][j] * b[j];
      change.y += twist_by[1][j] * b[j];
      change.spin += twist_by[2][j] * b[j];
    }
    friction.substitute(scratch, change, b.subspan(body_size));
  };
  problem.scale.assign(body_size + bristles, 1);
  std::vector<double> y(body_size + bristles);
  const std::array<double, body_size> begin{start.position.x, start.position.y, start.angle,
                                            start.velocity.x, start.velocity.y, start.velocity.spin};
  std::copy(begin.begin(), begin.end(), y.begin());
  problem.relative_tolerance = options.relative_tolerance;
  problem.absolute_tolerance = options.absolute_tolerance;
  problem.max_step = options.max_step;
  PersistentCvode solver(std::move(problem), y, options);
  const auto advance = [&](double end, const auto& next_row, const auto& add_row, const auto& next_step,
                           RunReport& report) {
    while (solver.time() < end) {
      if (!next_step(solver.time(), solver.steps_taken())) {
        return;
      }
      solver.try_step([&](Cvode& cvode) { inputs.solved([&] { cvode.step(end); }); }, report);
      while (!report.diverged && next_row() <= solver.time() + row_slack) {
        solver.interpolate(std::min(next_row(), solver.time()), y);
        add_row(y);
      }
    }
    if (end < options.duration) {
      solver.restart(end);
    }
  };
  PlanarRun result = run(body, options, segment, advance, [&](std::span<const double> at, double time) {
    const Contact contact = contact_of(body, at, friction.reference());
    const Wrench w = friction.wrench(at.subspan(body_size), twist_at(contact, at), normal_force(time));
    return planar::at_point(w, friction.reference(), {});
  });
  result.steps = solver.steps_taken();
  result.solver = "cvode";
  return result;
}

template <class Surface>
PlanarRun simulate(const PlanarBody& body, planar::Reduced<Surface> friction, PlanarState start,
                   const PlanarOptions& options, const Pressed<planar::Reduced<Surface>>& pressed) {
  const Point centre_of_pressure = friction.params().pressure.centre_of_pressure;
  check(body, start);
  check(options);
  const Inputs inputs(body);
  const NormalForce normal_force(inputs, friction, pressed);
  using State = std::array<double, body_size + 3>;
  const auto state_of = [](std::span<const double> y) {
    return typename planar::Reduced<Surface>::State{y[6], y[7], y[8]};
  };
  Segment segment;
  const auto rate = [&](double time, const State& y) {
    const double t = segment(time);
    const Contact contact = contact_of(body, y, centre_of_pressure);
    const auto now = friction.rate_and_wrench(state_of(y), twist_at(contact, y), normal_force(t));
    State dydt;
    accelerate(body, contact, now.wrench, inputs.load(t), y, dydt);
    dydt[6] = now.state.x;
    dydt[7] = now.state.y;
    dydt[8] = now.state.rotation;
    return dydt;
  };
  const State begin{start.position.x,
                    start.position.y,
                    start.angle,
                    start.velocity.x,
                    start.velocity.y,
                    start.velocity.spin,
                    0,
                    0,
                    0};
  const auto& [law, pressure, surface] = friction.params();
  const double r = std::max(pressure.torque_radius, 1e-9);  // for tolerances
  const double bristle = 1e-7 * law.coulomb / law.stiffness;
  const double speed = 1e-7 * law.stribeck_velocity;
  typename Rosenbrock<begin.size(), decltype(rate)>::Tolerances tolerances;
  tolerances.relative = options.relative_tolerance;
  tolerances.absolute.fill(options.absolute_tolerance);
  tolerances.absolute[8] *= r;
  tolerances.increment = {1e-7, 1e-7, 1e-7, speed, speed, speed / r, bristle, bristle, bristle * r};
  tolerances.max_step = options.max_step;
  Rosenbrock<begin.size(), decltype(rate)> solver(rate, 0, begin, tolerances);
  const auto advance = [&](double end, const auto& next_row, const auto& add_row, const auto& next_step, RunReport&) {
    while (solver.time() < end) {
      if (!next_step(solver.time(), solver.steps_taken())) {
        return;
      }
      const double row = next_row();
      inputs.solved([&] { solver.step(row < end - row_slack ? row : end); });
      if (next_row() <= solver.time() + row_slack) {
        add_row(solver.y());
      }
    }
  };
  PlanarRun result = run(body, options, segment, advance, [&](std::span<const double> at, double time) {
    const Contact contact = contact_of(body, at, centre_of_pressure);
    const Wrench w = friction.wrench(state_of(at), twist_at(contact, at), normal_force(time));
    return planar::at_point(w, centre_of_pressure, {});
  });
  result.steps = solver.steps_taken();
  result.solver = "rodas";
  return result;
}

// NOLINTBEGIN(bugprone-macro-parentheses): a type
#define STICTION_SURFACE(Surface)                                                                             \
  template PlanarRun simulate(const PlanarBody&, planar::Reduced<Surface>, PlanarState, const PlanarOptions&, \
                              const Pressed<planar::Reduced<Surface>>&);
// NOLINTEND(bugprone-macro-parentheses)
STICTION_SURFACE(planar::SurfaceTable)
STICTION_SURFACE(planar::AngleTable)
STICTION_SURFACE(planar::Ellipsoid)
STICTION_SURFACE(planar::AxisymmetricCurve)
STICTION_SURFACE(planar::SurfaceFamily<planar::AxisymmetricCurve>)
STICTION_SURFACE(planar::SurfaceFamily<planar::SurfaceTable>)
#undef STICTION_SURFACE

PlanarRun simulate(const PlanarBody& body, planar::SoftFingerModel finger, PlanarState start,
                   const PlanarOptions& options) {
  // The model in the finger is what `simulate` copies; `press` writes to that copy.
  const planar::SoftFinger shape = finger.finger;
  return simulate<planar::SurfaceFamily<planar::AxisymmetricCurve>>(
      body, std::move(finger.model), start, options,
      [shape](auto& model, double force) { planar::press(model, shape, force); });
}

}  // namespace stiction::sim
