#include "contact_events.h"

#include <algorithm>
#include <cmath>

namespace stiction::sim {
namespace {

/// Presliding displacement, F/k at rest [m]; 0 if nothing is elastic.
double elastic_length(const ModelView& model) noexcept {
  if (model.table()->order == 0) {
    return 0;
  }
  const double v = model.velocity_scale();
  constexpr double time = 1e-12;  // over which every bristle is still a spring
  const auto rest = model.at_rest(0);
  const double stiffness = (model.force(model.advance(rest, v, time), 0) - model.force(rest, 0)) / (v * time);
  const double length = std::abs(model.force(ModelView::unpack(model.typical(), rest), 0) / stiffness);
  return std::isfinite(length) ? length : 0;
}

}  // namespace

double friction_under_load(const ModelView& model, const AnyState& friction, double velocity, double load,
                           double normal) noexcept {
  return normal == 0 ? 0 : normal * model.force(friction, velocity, per_normal(load, normal));
}

OdeProblem scaled_problem(const ModelView& model, const MotionScale& motion, double time_scale,
                          double relative_tolerance) {
  const auto typical = model.typical();
  const std::size_t states = model.states_in_use();
  constexpr double small = 1e-3;  // of the largest motion, so that its end is resolved too
  const double elastic = elastic_length(model);
  const double length = elastic > 0 ? std::clamp(elastic, 1e-9 * motion.length, motion.length) : small * motion.length;
  const double velocity = model.table()->has_velocity_scale ? std::min<double>(model.velocity_scale(), motion.velocity)
                                                            : small * motion.velocity;
  OdeProblem problem;
  problem.relative_tolerance = relative_tolerance;
  problem.scale = {length, velocity, length};
  problem.scale.insert(problem.scale.end(), typical.begin(), typical.begin() + states);
  problem.max_step = time_scale / 10;
  if (model.delay() > 0) {
    problem.max_step = std::min(problem.max_step, model.delay() / 16);
  }
  return problem;
}

void settle(const ModelView& model, AnyState& friction, double& velocity, double load) noexcept {
  const std::size_t guard_count = model.table()->guard_count;
  if (guard_count == 0) {
    return;
  }
  for (std::size_t round = 0; round < guard_count + 2; ++round) {
    const auto guards = model.guards(friction, velocity, load);
    const auto* const fallen = std::find_if(guards.begin(), guards.end(), [](double g) { return g < 0; });
    if (fallen == guards.end()) {
      return;
    }
    friction = model.transition(friction, static_cast<int>(fallen - guards.begin()));
    velocity = model.velocity_after(friction, velocity);
  }
}

AnyState with_states(const AnyState& mode, std::span<const double> values) noexcept {
  auto states = ModelView::pack(mode);
  std::copy(values.begin(), values.end(), states.begin());
  return ModelView::unpack(states, mode);
}

void write_rate(const ModelView& model, const AnyState& friction, double velocity, std::span<double> dydt) noexcept {
  const auto rate = ModelView::pack(model.rate(friction, velocity));
  std::copy_n(rate.begin(), dydt.size(), dydt.begin());
}

void require_valid_state(const ModelView& model, const AnyState& friction) {
  const auto states = ModelView::pack(friction);
  for (std::size_t i = 0; i < model.states_in_use(); ++i) {
    if (!finite.holds(states[i])) {
      throw InvalidParameter(Problem{model.table()->state_names[i], states[i], finite.text});
    }
  }
}

AnyState initial_state(const ModelView& model, std::span<const double> states) {
  if (!states.empty() && states.size() != model.states_in_use()) {
    throw InvalidParameter(
        Problem{"states", static_cast<double>(states.size()), "as many as the model has, or none", true});
  }
  return with_states(model.at_rest(0), states);
}

}  // namespace stiction::sim
