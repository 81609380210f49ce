// What C++ computes, printed to the last bit (hexadecimal), for the Python tests to compare with. Each line is a key
// and numbers.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "stiction/control/adaptive.h"
#include "stiction/control/any_compensator.h"
#include "stiction/control/lugre_observer.h"
#include "stiction/control/mrac_coulomb.h"
#include "stiction/control/pid.h"
#include "stiction/control/velocity_estimator.h"
#include "stiction/planar/distributed.h"
#include "stiction/planar/reduced_batch.h"
#include "stiction/planar/shapes.h"
#include "stiction/planar/slip.h"
#include "stiction/scalar/friction.h"
#include "stiction/scalar/presets.h"
#include "stiction/sim/line.h"

namespace {

void print(const std::string& key, const std::vector<double>& numbers) {
  std::printf("%s", key.c_str());
  for (const double x : numbers) {
    std::printf(" %a", x);
  }
  std::printf("\n");
}

/// A velocity that rests, creeps, slides and turns; exact in binary, so that both languages have the same.
double velocity_at(int i) {
  const int phase = i % 64;
  return phase < 8 ? 0.0 : (phase < 40 ? 1 : -1) * std::ldexp(1.0, phase % 8 - 10);
}

/// One preset under given velocities, and coupled to its mass.
void run_model(const std::string& name, const stiction::scalar::AnyModel& model, double mass) {
  const double dt = std::ldexp(1.0, -10);
  std::vector<double> forces, rates, powers;
  auto state = model.at_rest(0);
  for (int i = 0; i < 128; ++i) {
    const double v = velocity_at(i);
    for (const double rate : stiction::scalar::AnyModel::pack(model.rate(state, v))) {
      rates.push_back(rate);
    }
    state = model.advance(state, v, dt);
    forces.push_back(model.force(state, v));
    powers.push_back(model.dissipated_power(state, v));
  }
  print("force " + name, forces);
  print("rate " + name, rates);
  print("power " + name, powers);
  const auto states = stiction::scalar::AnyModel::pack(state);
  print("states " + name, {states.begin(), states.end()});

  std::vector<double> solved;
  state = model.at_rest(0);
  double velocity = 0;
  for (int i = 0; i < 128; ++i) {
    const double push = std::ldexp(1.0 * (i % 32), -5);
    const auto next = model.solve(
        state, {.free_velocity = velocity + dt / mass * push, .mobility = 1 / mass, .velocity = velocity, .dt = dt});
    state = next.state;
    velocity = next.velocity;
    solved.push_back(next.force);
    solved.push_back(next.velocity);
  }
  print("solve " + name, solved);
}

void scalar_models() {
  for (const auto& preset : stiction::scalar::presets) {
    run_model(preset.name, preset.make(), preset.mass);
  }
}

// Patches ------------------------------------------------------------------------------------------------------------

namespace planar = stiction::planar;

planar::Twist twist_at(int i) {
  return {std::ldexp(1.0 * ((5 * i) % 17 - 8), -11), std::ldexp(1.0 * ((3 * i) % 13 - 6), -11),
          std::ldexp(1.0 * ((7 * i) % 11 - 5), -4)};
}
void add(std::vector<double>& numbers, const planar::Wrench& w) { numbers.insert(numbers.end(), {w.x, w.y, w.torque}); }

template <class Surface>
void run_reduced(const std::string& name, const planar::Patch& patch, const Surface& surface) {
  const auto model =
      planar::Reduced<Surface>::make({planar::preset::waltersson_p1(), patch.pressure_moments(), surface});
  typename planar::Reduced<Surface>::State z;
  std::vector<double> wrenches;
  for (int i = 0; i < 64; ++i) {
    const auto next = model.step(z, twist_at(i / 4), 2, std::ldexp(1.0, -10));
    z = next.state;
    add(wrenches, next.wrench);
  }
  print("reduced " + name, wrenches);
}

void patches() {
  const planar::Patch patch(planar::paper::non_convex_2());
  std::vector<double> wrenches, slips;
  for (int i = 1; i < 40; ++i) {
    add(wrenches, planar::coulomb_wrench(patch, twist_at(i)));
    const planar::Twist t = twist_at(i);
    const auto answer = planar::slip(patch, {8 * t.x, 8 * t.y, t.spin / 64}, 0.5);
    slips.insert(slips.end(), {answer.factor, answer.twist.x, answer.twist.y, answer.twist.spin});
  }
  print("limit-surface", wrenches);
  print("slip", slips);
  print("patch", {patch.torque_radius(), patch.mean_square_radius(), patch.centre_of_pressure().x,
                  patch.centre_of_pressure().y});
  run_reduced("table", patch, planar::SurfaceTable(patch));
  run_reduced("ellipsoid", patch, planar::Ellipsoid{});
  run_reduced("angles", patch, planar::AngleTable(patch));
  const planar::Patch circle(planar::paper::circle());
  run_reduced("axisymmetric", circle, planar::AxisymmetricCurve(circle));

  const auto distributed = planar::Distributed::make({planar::preset::waltersson_p1(), patch});
  std::vector<double> z(distributed.state_size());
  std::vector<double> of_bristles;
  for (int i = 0; i < 64; ++i) {
    add(of_bristles, distributed.step(z, twist_at(i / 4), 2, std::ldexp(1.0, -10)));
  }
  print("distributed", of_bristles);

  constexpr std::size_t n = 37;
  const std::vector<planar::SurfaceTable> tables{planar::SurfaceTable(patch),
                                                 planar::SurfaceTable(planar::Patch(planar::paper::square()))};
  std::vector<planar::ReducedBatch::Item> items(n);
  for (std::size_t i = 0; i < n; ++i) {
    items[i] = {i % 3 == 0 ? planar::preset::waltersson_p0() : planar::preset::waltersson_p1(), i % 2,
                std::ldexp(static_cast<double>(i + 4), -11), std::ldexp(1.0, -14)};
  }
  const planar::ReducedBatch batch(tables, items);
  std::vector<double> states(3 * n), twists(3 * n), forces(n), out(3 * n);
  for (std::size_t i = 0; i < n; ++i) {
    const auto t = twist_at(static_cast<int>(i));
    twists[i] = t.x;
    twists[n + i] = t.y;
    twists[2 * n + i] = t.spin;
    forces[i] = 1 + std::ldexp(static_cast<double>(i), -3);
  }
  for (int step = 0; step < 5; ++step) {
    batch.step(states, twists, forces, std::ldexp(1.0, -10), out);
  }
  print("batch", out);
}

// Control and simulation ---------------------------------------------------------------------------------------------

namespace control = stiction::control;

void controllers() {
  const auto friction = stiction::scalar::preset::olsson_table2();
  const double dt = std::ldexp(1.0, -10);
  auto pid = control::Pid::make({.proportional = 4,
                                 .integral = 2,
                                 .derivative = 0.5,
                                 .tracking_time = 0.25,
                                 .min_output = -0.25,
                                 .max_output = 0.25});
  auto estimator = control::VelocityEstimator::make({.corner = 200});
  auto observer = control::BasicLuGreObserver<double>::make(friction, {.gain = 2});
  auto adaptive = control::AdaptiveCompensator::make(friction, {.mass = 0.0023, .adaptation = 1e6, .gain = 2});
  control::AnyCompensator compensator(stiction::scalar::AnyModel(friction), {.scale = 0.5, .saturation_velocity = 0});
  auto mrac = control::BasicMracCoulomb<double>::make(
      {.inertia = 0.0023, .bandwidth = 20, .coulomb_gain = 8, .viscous_gain = 0.5, .saturation_velocity = 0.01});
  control::BasicMracCoulomb<double>::State mrac_state;
  std::vector<double> of_pid, of_estimator, of_observer, of_adaptive, of_compensator, of_mrac;
  for (int i = 0; i < 128; ++i) {
    const double v = velocity_at(i);
    const double e = std::ldexp(static_cast<double>(i % 9 - 4), -8);
    of_pid.push_back(pid.step(e, v, e / 2, dt));
    of_estimator.push_back(estimator.step(e, dt));
    of_observer.push_back(observer.step(v, e, dt));
    of_adaptive.push_back(adaptive.step(v, 0, e, e / 4, dt));
    of_compensator.push_back(compensator.step(v, dt));
    const auto out = mrac.step(mrac_state, e, v, dt);
    mrac_state = out.state;
    of_mrac.push_back(out.force);
  }
  print("pid", of_pid);
  print("estimator", of_estimator);
  print("observer", of_observer);
  print("adaptive", of_adaptive);
  print("compensator", of_compensator);
  print("mrac", of_mrac);
}

void simulation() {
  namespace sim = stiction::sim;
  for (const auto method : {sim::Method::sdirk2, sim::Method::cvode}) {
    sim::Load load;
    load.force = sim::Table{{0, 2}, {0, 0.5}};
    const auto run = sim::simulate(stiction::scalar::AnyModel(stiction::scalar::preset::olsson_table2()), {0.0023},
                                   load, {.method = method, .duration = 2, .output_interval = 0.125});
    print(std::string("simulate ") + sim::name_of(method), run.position);
  }
}

/// The best time of a step of 1e5 patches [s], for the cost of the binding.
void time_patches() {
  constexpr std::size_t n = 100'000;
  const planar::Patch patch(planar::paper::non_convex_2());
  const std::vector<planar::SurfaceTable> tables{planar::SurfaceTable(patch)};
  const std::vector<planar::ReducedBatch::Item> items(n, {planar::preset::waltersson_p1(), 0, 0.01, 1e-5});
  const planar::ReducedBatch batch(tables, items);
  std::vector<double> states(3 * n), twists(3 * n, 1e-3), forces(n, 1.0), out(3 * n);
  double best = 1e9;
  for (int i = 0; i < 30; ++i) {
    const auto start = std::chrono::steady_clock::now();
    batch.step(states, twists, forces, std::ldexp(1.0, -10), out);
    best = std::fmin(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  print("time", {best});
}

}  // namespace

int main(int argc, char**) {
  if (argc > 1) {
    time_patches();
    return 0;
  }
  scalar_models();
  patches();
  controllers();
  simulation();
}
