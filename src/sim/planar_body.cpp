#include "stiction/sim/planar_body.h"

#include <algorithm>
#include <cmath>

#include "stiction/problem.h"
#include "stiction/sim/cvode.h"

namespace stiction::sim {
namespace {

using planar::Point;
using planar::Twist;
using planar::Wrench;

constexpr std::size_t body_size = 6;  // position, angle, velocity, spin

void check(const PlanarBody& body, const PlanarOptions& options) {
  const auto require = [](bool holds, const char* field, double value, const char* allowed) {
    if (!holds) {
      throw InvalidParameter(Problem{field, value, allowed});
    }
  };
  require(positive.holds(body.mass), "mass", body.mass, positive.text);
  require(positive.holds(body.inertia), "inertia", body.inertia, positive.text);
  require(positive.holds(body.contacts), "contacts", body.contacts, positive.text);
  require(positive.holds(options.duration), "duration", options.duration, positive.text);
  require(positive.holds(options.interval), "interval", options.interval, positive.text);
  require(positive.holds(options.relative_tolerance), "relative_tolerance", options.relative_tolerance, positive.text);
}

/// Where the contact is, and how its twist follows from the body's.
struct Contact {
  Point at;   // place of the point at which friction takes twists
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

/// Gauss with pivots; x overwrites b.
void solve_in_place(std::array<std::array<double, body_size>, body_size>& a, std::span<double> b) {
  for (std::size_t k = 0; k < body_size; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < body_size; ++i) {
      pivot = std::abs(a[i][k]) > std::abs(a[pivot][k]) ? i : pivot;
    }
    std::swap(a[k], a[pivot]);
    std::swap(b[k], b[pivot]);
    for (std::size_t i = k + 1; i < body_size; ++i) {
      const double factor = a[i][k] / a[k][k];
      for (std::size_t j = k; j < body_size; ++j) {
        a[i][j] -= factor * a[k][j];
      }
      b[i] -= factor * b[k];
    }
  }
  for (std::size_t k = body_size; k-- > 0;) {
    for (std::size_t j = k + 1; j < body_size; ++j) {
      b[k] -= a[k][j] * b[j];
    }
    b[k] /= a[k][k];
  }
}

/// Inputs may jump where segments meet: within one they are those of its inside, also at its very ends.
struct Segment {
  double first = 0, last = 0;
  double operator()(double t) const { return std::clamp(t, first, last); }
};

/// Runs CVODE from jump to jump, with a row every interval.
template <class WrenchOf>
PlanarRun run(const PlanarBody& body, OdeProblem problem, std::vector<double> y, const PlanarOptions& options,
              Segment& segment, const WrenchOf& wrench_of) {
  std::vector<double> ends = body.jumps;
  const auto count = static_cast<std::size_t>(std::llround(options.duration / options.interval));
  std::erase_if(ends, [&](double t) { return !(t > 0 && t < options.duration); });
  ends.push_back(options.duration);
  std::sort(ends.begin(), ends.end());
  PlanarRun result;
  std::size_t next_row = 1;
  const auto add_row = [&](double time, std::span<const double> at, double before) {
    result.rows.push_back(
        {time, body.normal_force(before), {{at[0], at[1]}, at[2], {at[3], at[4], at[5]}}, wrench_of(at, before)});
  };
  problem.relative_tolerance = options.relative_tolerance;
  problem.absolute_tolerance = options.absolute_tolerance;
  problem.max_step = options.max_step;
  Cvode solver(std::move(problem), 0, y);
  std::vector<double> sample(y.size());
  double start = 0;
  for (const double end : ends) {
    if (!(end > start)) {
      continue;
    }
    const double inside = 1e-9 * (end - start);
    segment = {start + inside, end - inside};
    while (solver.time() < end) {
      solver.step(end);
      while (next_row <= count && static_cast<double>(next_row) * options.interval <= solver.time() + 1e-12) {
        const double time = static_cast<double>(next_row) * options.interval;
        const double clipped = std::min(time, solver.time());
        solver.interpolate(clipped, sample);
        add_row(time, sample, segment(clipped));
        ++next_row;
      }
    }
    if (end < options.duration) {
      std::copy(solver.y().begin(), solver.y().end(), sample.begin());
      solver.restart(end, sample);
    }
    start = end;
  }
  result.steps = solver.steps_taken();
  return result;
}

}  // namespace

PlanarRun simulate(const PlanarBody& body, const planar::Distributed& friction, PlanarState start,
                   const PlanarOptions& options) {
  check(body, options);
  const std::size_t bristles = friction.state_size();
  const auto load_at = [&](double t) { return body.load ? body.load(t) : Wrench{}; };
  OdeProblem problem;
  Segment segment;
  problem.rate = [&](double time, std::span<const double> y, std::span<double> dydt) {
    const double t = segment(time);
    const Contact contact = contact_of(body, y, friction.reference());
    const Wrench w =
        friction.rate(y.subspan(body_size), twist_at(contact, y), body.normal_force(t), dydt.subspan(body_size));
    accelerate(body, contact, w, load_at(t), y, dydt);
  };
  std::vector<double> scratch(2 * bristles);
  problem.newton = [&, scratch](double time, std::span<const double> y, double gamma, std::span<double> b) mutable {
    const double t = segment(time);
    const Contact contact = contact_of(body, y, friction.reference());
    const Twist twist = twist_at(contact, y);
    const double normal = body.normal_force(t);
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
    solve_in_place(a, b.first(body_size));
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
  return run(body, std::move(problem), std::move(y), options, segment, [&](std::span<const double> at, double time) {
    const Contact contact = contact_of(body, at, friction.reference());
    const Wrench w = friction.wrench(at.subspan(body_size), twist_at(contact, at), body.normal_force(time));
    return planar::at_point(w, friction.reference(), {});
  });
}

template <class Surface>
PlanarRun simulate(const PlanarBody& body, const planar::Reduced<Surface>& friction, Point centre_of_pressure,
                   PlanarState start, const PlanarOptions& options) {
  check(body, options);
  using State = typename planar::Reduced<Surface>::State;
  const auto load_at = [&](double t) { return body.load ? body.load(t) : Wrench{}; };
  const auto state_of = [](std::span<const double> y) { return State{y[6], y[7], y[8]}; };
  OdeProblem problem;
  Segment segment;
  problem.rate = [&](double time, std::span<const double> y, std::span<double> dydt) {
    const double t = segment(time);
    const Contact contact = contact_of(body, y, centre_of_pressure);
    const auto now = friction.rate_and_wrench(state_of(y), twist_at(contact, y), body.normal_force(t));
    dydt[6] = now.state.x;
    dydt[7] = now.state.y;
    dydt[8] = now.state.turn;
    accelerate(body, contact, now.wrench, load_at(t), y, dydt);
  };
  problem.scale.assign(9, 1);
  std::vector<double> y{start.position.x,
                        start.position.y,
                        start.angle,
                        start.velocity.x,
                        start.velocity.y,
                        start.velocity.spin,
                        0,
                        0,
                        0};
  return run(body, std::move(problem), std::move(y), options, segment, [&](std::span<const double> at, double time) {
    const Contact contact = contact_of(body, at, centre_of_pressure);
    const Wrench w = friction.wrench(state_of(at), twist_at(contact, at), body.normal_force(time));
    return planar::at_point(w, centre_of_pressure, {});
  });
}

template PlanarRun simulate(const PlanarBody&, const planar::Reduced<planar::SurfaceTable>&, Point, PlanarState,
                            const PlanarOptions&);
template PlanarRun simulate(const PlanarBody&, const planar::Reduced<planar::AngleTable>&, Point, PlanarState,
                            const PlanarOptions&);
template PlanarRun simulate(const PlanarBody&, const planar::Reduced<planar::Ellipsoid>&, Point, PlanarState,
                            const PlanarOptions&);

}  // namespace stiction::sim
