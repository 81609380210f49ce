#include <algorithm>
#include <cmath>
#include <numbers>

#include "plain_patch.h"
#include "stiction/planar/shapes.h"
#include "stiction/sim/planar_body.h"
#include "stiction/sim/planar_steps.h"
#include "timing.h"

namespace stiction::bench {
namespace {

using planar::AngleTable;
using planar::Distributed;
using planar::Patch;
using planar::Reduced;
using planar::SurfaceTable;

volatile double sink = 0;

// The paper's box between two fingers, case 2 -------------------------------------------------------------------------

constexpr double mass = 0.2;
constexpr double inertia = mass / 12 * (0.15 * 0.15 + 0.08 * 0.08);
constexpr double weight = 9.81 * mass;
constexpr double start = 0.002;  // of the centre of mass, from the contact [m]
constexpr int contacts = 2;
constexpr double rk4_step = 2e-5;  // about the longest that stays stable

double grip(double t) { return 1.73 + 0.91 * std::sin(4 * std::numbers::pi * 0.01 * std::floor(t / 0.01 + 1e-9)); }

sim::PlanarBody held_box(double duration) {
  sim::PlanarBody body;
  body.mass = mass;
  body.inertia = inertia;
  body.gravity = {0, -9.81};
  body.contacts = contacts;
  body.normal_force = grip;
  for (int i = 1; i < std::lround(duration / 0.01); ++i) {
    body.jumps.push_back(0.01 * i);
  }
  return body;
}
const sim::PlanarState at_rest{.position = {start, 0}};

/// Position, angle and velocity of the box, and what changes with the bristles.
template <class Bristles>
struct PlainState {
  std::array<double, 6> body{start, 0, 0, 0, 0, 0};
  Bristles z;
};

void add(std::vector<std::array<double, 2>>& to, double factor, const std::vector<std::array<double, 2>>& what) {
  for (std::size_t i = 0; i < to.size(); ++i) {
    to[i][0] += factor * what[i][0];
    to[i][1] += factor * what[i][1];
  }
}
void add(Vector3& to, double factor, const Vector3& what) {
  for (std::size_t i = 0; i < 3; ++i) {
    to[i] += factor * what[i];
  }
}

/// Classical Runge-Kutta steps of box and bristles; how far the box has fallen.
template <class Plain, class Bristles>
double plain_run(const Plain& friction, const Bristles& none, double duration) {
  PlainState<Bristles> y{.z = none};
  using State = PlainState<Bristles>;
  const auto rate = [&](const State& at, double normal, State& rates) {
    const auto& b = at.body;
    const planar::Point arm{-b[0], -b[1]};
    const Wrench w = contacts * planar::at_point(friction.rate(at.z, planar::at_point(Twist{b[3], b[4], b[5]}, {}, arm),
                                                               normal, rates.z),
                                                 arm, {});
    rates.body = {b[3], b[4], b[5], w.x / mass, (w.y - weight) / mass, w.torque / inertia};
  };
  const auto moved = [](const State& from, double h, const State& rates) {
    State to = from;
    for (std::size_t i = 0; i < 6; ++i) {
      to.body[i] += h * rates.body[i];
    }
    add(to.z, h, rates.z);
    return to;
  };
  std::array<State, 4> k{y, y, y, y};
  const auto steps = std::lround(duration / rk4_step);
  for (long i = 0; i < steps; ++i) {
    const double normal = grip(static_cast<double>(i) * rk4_step);
    rate(y, normal, k[0]);
    rate(moved(y, rk4_step / 2, k[0]), normal, k[1]);
    rate(moved(y, rk4_step / 2, k[1]), normal, k[2]);
    rate(moved(y, rk4_step, k[2]), normal, k[3]);
    for (const auto& [share, at] : {std::pair{1.0, 0}, {2.0, 1}, {2.0, 2}, {1.0, 3}}) {
      y = moved(y, share * rk4_step / 6, k[static_cast<std::size_t>(at)]);
    }
  }
  return y.body[1];
}

/// A whole simulation of ours against one of Runge-Kutta's, by where the box ends.
Row compared(const std::string& what, const std::string& baseline, double allowed, const std::function<double()>& ours,
             const std::function<double()>& theirs) {
  const double expected = theirs();
  const double deviation = std::abs(ours() - expected) / std::abs(expected);
  require_same(what, deviation, allowed);
  const auto [a, b] = time_both(
      1, [&] { sink = ours(); }, [&] { sink = theirs(); }, few_rounds);
  return {what, baseline, a, b, deviation};
}

double end_of(const sim::PlanarRun& run) { return run.rows.back().state.position.y; }

}  // namespace

std::vector<Row> planar_body_rows() {
  const Patch patch(planar::paper::circle());
  const Friction friction = planar::preset::waltersson_p1();
  const auto reduced = Reduced<SurfaceTable>::make({friction, patch.pressure_moments(), SurfaceTable(patch, 96)});
  const PlainReduced plain_reduced{friction, AngleTable(patch, 60), patch.torque_radius(), patch.mean_square_radius()};
  const PlainDistributed plain_distributed{friction, patch.points()};
  constexpr double part = 0.5;      // [s], with the first slip
  constexpr double duration = 2.0;  // [s]
  const auto plain_three = [&] { return plain_run(plain_reduced, Vector3{}, duration); };
  std::vector<Row> rows;
  rows.push_back(compared(
      "box in hand, 317 bristles, 0.5 s", "RK4 of the plain model, 20 us", 1e-3,
      [&] {
        return end_of(sim::simulate(held_box(part), Distributed::make({friction, patch}), at_rest, {.duration = part}));
      },
      [&] { return plain_run(plain_distributed, plain_distributed.z, part); }));
  rows.push_back(compared(
      "box in hand, three states, 2 s", "RK4 of the plain model, 20 us", 0.01,
      [&] { return end_of(sim::simulate(held_box(duration), reduced, at_rest, {.duration = duration})); },
      plain_three));
  rows.push_back(compared(
      "box in hand, three states, 2 s in 1 ms steps", "RK4 of the plain model, 20 us", 0.1,
      [&] {
        sim::PlanarSteps<sim::ReducedContact<SurfaceTable>> steps({mass, inertia, contacts, false, {}}, {reduced});
        steps.position = at_rest.position;
        for (int k = 0; k < 2000; ++k) {
          steps.step({{0, -weight, 0}, grip(1e-3 * k)}, 1e-3);
        }
        return steps.position.y;
      },
      plain_three));
  const auto soft = [&](bool per_newton) {
    const planar::SoftFinger finger{.reach = 6 * 0.02 / 21, .exponent = 2, .per_newton = per_newton, .largest = 0.01};
    return [&friction, finger] {
      return end_of(sim::simulate(held_box(duration), planar::SoftFingerModel::make(friction, finger, 3), at_rest,
                                  {.duration = duration}));
    };
  };
  rows.push_back(compared("soft finger with k = 2 f_N, 2 s", "the same with k = 2", 0.05, soft(true), soft(false)));
  return rows;
}

}  // namespace stiction::bench
