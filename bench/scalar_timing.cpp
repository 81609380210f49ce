// Axes: steps of one joint, batches of many, and a body with its friction.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "stiction/scalar/dahl_batch.h"
#include "stiction/scalar/elasto_plastic_batch.h"
#include "stiction/scalar/gms_batch.h"
#include "stiction/scalar/lugre_batch.h"
#include "stiction/scalar/presets.h"
#include "stiction/sim/line.h"
#include "timing.h"

namespace stiction::bench {
namespace {

using scalar::LuGre;

/// A sink the optimiser cannot see through.
volatile double sink = 0;

LuGre joint(double stiffness) {
  return LuGre::make({.stiffness = stiffness,
                      .damping = std::sqrt(stiffness),
                      .coulomb_force = 1,
                      .static_force = 1.5,
                      .stribeck_velocity = 1e-3,
                      .viscous = 0.4});
}

/// Velocities a servo would see: slow reversals and slides up to 50 mm/s.
std::vector<double> velocities(std::size_t n) {
  std::vector<double> v(n);
  for (std::size_t i = 0; i < n; ++i) {
    v[i] = 0.05 * std::sin(0.013 * static_cast<double>(i)) * std::sin(0.0017 * static_cast<double>(i));
  }
  return v;
}

/// Textbook RK4 on dz/dt at a frozen velocity, with as many sub-steps as it needs: 1 for stability, more for accuracy.
double rk4(const LuGre& model, double z, double v, double dt, double substep_rate) {
  const double rate = model.stiffness * std::abs(v) / model.curve(v);
  const int substeps = std::max(1, static_cast<int>(std::ceil(rate * dt / substep_rate)));
  const double h = dt / substeps;
  for (int i = 0; i < substeps; ++i) {
    const double k1 = model.rate({z}, v).bristle;
    const double k2 = model.rate({z + h / 2 * k1}, v).bristle;
    const double k3 = model.rate({z + h / 2 * k2}, v).bristle;
    const double k4 = model.rate({z + h * k3}, v).bristle;
    z += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  return z;
}

Row single_step(const std::string& name, double substep_rate, double allowed) {
  const LuGre model = joint(1e5);
  const auto v = velocities(4096);
  constexpr double dt = 1e-3;
  double z = 0;
  double reference = 0;
  double deviation = 0;
  for (const double velocity : v) {
    z = model.step({z}, velocity, dt).state.bristle;
    reference = rk4(model, reference, velocity, dt, substep_rate);
    deviation = std::max(deviation, std::abs(z - reference) / model.largest_deflection());
  }
  require_same(name, deviation, allowed);
  const auto ours = [&] {
    LuGre::State state;
    double sum = 0;
    for (const double velocity : v) {
      const auto next = model.step(state, velocity, dt);
      state = next.state;
      sum += next.force;
    }
    sink = sum;
  };
  const auto theirs = [&] {
    double state = 0;
    double sum = 0;
    for (const double velocity : v) {
      state = rk4(model, state, velocity, dt, substep_rate);
      sum += model.force({state}, velocity);
    }
    sink = sum;
  };
  const auto [a, b] = time_both(static_cast<int>(v.size()), ours, theirs);
  return {"LuGre::step, one joint, dt = 1 ms", name, a, b, deviation};
}

/// A batch against the same joints one by one, which give the same forces.
Row batch_row(const std::string& model, const std::function<void()>& ours, const std::function<void()>& theirs,
              const std::vector<double>& force, const std::vector<double>& single, double scale) {
  double deviation = 0;
  for (int step = 0; step < 10; ++step) {
    ours();
    theirs();
    for (std::size_t i = 0; i < force.size(); ++i) {
      deviation = std::max(deviation, std::abs(force[i] - single[i]) / scale);
    }
  }
  require_same(model + "Batch", deviation, 1e-15);
  const auto [a, b] = time_both(static_cast<int>(force.size()), ours, theirs);
  return {fmt::format("{}Batch::step, {} joints", model, force.size()), model + "::step, joint by joint", a, b,
          deviation};
}

/// Steps the joints one after the other, each from its last state.
template <class Model>
auto one_by_one(const std::vector<Model>& models, const std::vector<double>& v, std::vector<double>& force) {
  return [&, states = std::vector<typename Model::State>(models.size())]() mutable {
    for (std::size_t i = 0; i < models.size(); ++i) {
      const auto next = models[i].step(states[i], v[i], 1e-3);
      states[i] = next.state;
      force[i] = next.force;
    }
  };
}

template <class Model>
Row batch_step(const std::string& name, const Model& model, double scale) {
  constexpr std::size_t n = 1024;
  std::vector<Model> models;
  for (std::size_t i = 0; i < n; ++i) {
    auto params = model.params();
    params.stiffness *= 1 + 1e-4 * static_cast<double>(i);
    models.push_back(Model::make(params));
  }
  const scalar::Batch<Model> batch(models);
  const auto v = velocities(n);
  std::vector<double> states(n);
  std::vector<double> force(n);
  std::vector<double> single(n);
  return batch_row(
      name, [&] { batch.step(states, v, 1e-3, force); }, one_by_one(models, v, single), force, single, scale);
}

Row gms_batch_step(const scalar::Gms& model, double scale) {
  constexpr std::size_t n = 1024;
  const std::vector<scalar::Gms> models(n, model);
  const scalar::GmsBatch batch(models);
  const auto v = velocities(n);
  std::vector<double> elements(n * batch.elements());
  std::vector<std::int32_t> slipping(n);
  std::vector<double> force(n);
  std::vector<double> single(n);
  return batch_row(
      "Gms", [&] { batch.step(elements, slipping, v, 1e-3, force); }, one_by_one(models, v, single), force, single,
      scale);
}

/// A loaded body with LuGre friction over 0.2 s: one coupled step of 1 ms against RK4 at the largest stable step.
Row coupled_step(const std::string& name, sim::Method method) {
  const LuGre model = joint(1e5);
  const sim::Load load{.force = sim::Sine{1.2, 20}};
  constexpr double h = 1e-3;
  constexpr int steps = 200;
  constexpr int substeps = 8;  // RK4 diverges with 5 or fewer here
  const auto run = [&](sim::Method m, double step, int count) {
    sim::LineState<LuGre> y;
    for (int i = 0; i < count; ++i) {
      y = sim::fixed_step(m, model, 1.0, load, i * step, y, step).state;
    }
    return y;
  };
  const double deviation = std::abs(run(method, h, steps).friction.bristle -
                                    run(sim::Method::runge_kutta_4, h / substeps, steps * substeps).friction.bristle) /
                           model.largest_deflection();
  require_same(name, deviation, 0.02);
  const auto [a, b] = time_both(
      steps, [&] { sink = run(method, h, steps).position; },
      [&] { sink = run(sim::Method::runge_kutta_4, h / substeps, steps * substeps).position; });
  return {name, "RK4 with 8 sub-steps (body and bristle)", a, b, deviation};
}

}  // namespace

std::vector<Row> scalar_rows() {
  return {
      single_step("RK4, sub-steps for stability alone", 2.0, 0.1),
      single_step("RK4, sub-steps for 1e-6", 0.1, 1e-6),
      batch_step("LuGre", joint(1e5), 1.5),
      batch_step("Dahl", scalar::preset::table2_dahl(), 0.28),
      batch_step("ElastoPlastic", scalar::preset::table2_elasto_plastic(), 0.33),
      gms_batch_step(scalar::preset::table2_gms(), 0.33),
      coupled_step("coupled backward Euler, 1 ms", sim::Method::backward_euler),
      coupled_step("coupled SDIRK2, 1 ms", sim::Method::sdirk2),
  };
}

}  // namespace stiction::bench
