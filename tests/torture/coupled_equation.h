// Whether a coupled step solves its equation, v⁺ = v_free − mobility·dt·F, as well as the velocity and the force are
// rounded. Random tests and the fuzz target share it.
#pragma once

#include <cmath>
#include <limits>
#include <optional>
#include <type_traits>

#include "scalar_models.h"
#include "support/states.h"

namespace stiction::torture {

using Step = CoupledStep<double>;

/// The force of a step that ends with velocity w, in the law and state that `solve` ended in.
template <class Model>
double force_at(const Model& model, const typename Model::State& before, const typename Model::State& after, double dt,
                double w) {
  if constexpr (LoadScaled<Model>) {
    return force_at(model.unloaded, before, after, dt, w);
  } else if constexpr (requires { model.implicit(before, w, dt); }) {
    return model.implicit(before, w, dt).force;
  } else {
    return model.force(after, w);
  }
}

template <class Model>
constexpr double noise = std::is_same_v<Model, JournalBearing> ? 1e-4 : 128 * std::numeric_limits<double>::epsilon();

struct Unbalanced {
  double residual, tolerance;  // [m/s]
};

/// What is left over, where it is more than rounding.
template <class Model>
std::optional<Unbalanced> unbalanced(const Model& model, const typename Model::State& before,
                                     const Solved<typename Model::State, double>& after, const Step& s) {
  if constexpr (requires { model.params().zero_velocity; }) {
    if (!test::same_mode<Model>(before, after.state)) {
      return {};  // Karnopp's velocity jumps
    }
  }
  if (std::is_same_v<Model, JournalBearing> && s.dt > 1) {
    return {};  // the film is solved by iteration, which such a step is too long for
  }
  const double gain = s.mobility * s.dt;
  constexpr double smallest = std::numeric_limits<double>::min();  // below it numbers have fewer digits
  if (gain < smallest) {
    return {};
  }
  const double factor = load_factor(model, s);
  const double w = after.velocity;
  const double residual = w + gain * after.force - s.free_velocity;
  const double speeds = std::abs(w) + std::abs(s.free_velocity) + std::abs(s.velocity);
  double bound = 0;
  if constexpr (Geared<Model>) {
    bound = force_bound(model.plain(model.budget(after.state.transmitted)), w);
  } else {
    bound = force_bound(model, w);
  }
  const double tolerance = noise<Model> * (speeds + gain * factor * bound) + smallest;
  if (std::abs(residual) <= tolerance) {
    return {};
  }
  const auto residual_at = [&](double at) {
    return at + gain * factor * force_at(model, before, after.state, s.dt, at) - s.free_velocity;
  };
  const auto changes_sign_within = [&](double nudge) {
    const double below = residual_at(w - nudge);
    const double above = residual_at(w + nudge);
    return (below <= tolerance && above >= -tolerance) || (below >= -tolerance && above <= tolerance);
  };
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  if (changes_sign_within(4 * epsilon * std::abs(w)) || changes_sign_within(8 * epsilon * speeds + 4 * smallest)) {
    return {};
  }
  return Unbalanced{residual, tolerance};
}

}  // namespace stiction::torture
