// A fixed step of body and friction as a matrix near a point, by finite differences, and how fast it grows.
#pragma once

#include <algorithm>
#include <cmath>

#include "stiction/sim/steps.h"
#include "stiction/small_matrix.h"

namespace stiction::sim::detail {

/// A steady motion: the state, and the load that maintains it. The position does not matter.
template <class Model>
struct Point {
  LineState<Model> y;
  double load = 0;
};

/// Velocity and friction states.
template <class Model>
using StepMatrix = SmallMatrix<double, Model::order + 1>;

/// d(next)/d(now) of one step, in units of the model's own scales.
template <class Model>
StepMatrix<Model> step_matrix(Method method, const Model& model, double mass, const Point<Model>& point, double h) {
  // Small relative to the scales on which friction changes, large relative to rounding, which scales with the speed.
  const double shift = point.y.velocity == 0 ? 1e-7 : 1e-5;
  const std::size_t n = scalar::states_in_use(model) + 1;
  const auto typical = model.typical();
  const auto scale = [&](std::size_t i) {
    return i == 0 ? std::max(model.velocity_scale(), std::abs(point.y.velocity)) : typical[i - 1];
  };
  const Load load{.force = point.load};
  /// The point with its j-th number changed; a contact's mode follows.
  const auto shifted = [&](std::size_t j, double by) {
    LineState<Model> y = point.y;
    if (j == 0) {
      y.velocity += by;
    } else {
      auto states = Model::pack(y.friction);
      states[j - 1] += by;
      y.friction = Model::unpack(states, y.friction);
    }
    y.friction = model.advance(y.friction, y.velocity, 0);
    return y;
  };
  StepMatrix<Model> matrix;
  matrix.size = n;
  for (std::size_t j = 0; j < n; ++j) {
    const double by = shift * scale(j);
    // A friction state at the edge of its mode has a derivative on one side alone.
    const auto usable = [&](const LineState<Model>& y) {
      return j == 0 || !switched<Model>(point.y.friction, y.friction) ? y : point.y;
    };
    const auto above = usable(shifted(j, by));
    const auto below = usable(shifted(j, -by));
    const double sides = (above == point.y ? 0 : 1) + (below == point.y ? 0 : 1);
    const auto up = fixed_step(method, model, mass, load, 0, above, h).state;
    const auto down = fixed_step(method, model, mass, load, 0, below, h).state;
    const auto up_states = Model::pack(up.friction);
    const auto down_states = Model::pack(down.friction);
    for (std::size_t i = 0; i < n; ++i) {
      const double change = i == 0 ? up.velocity - down.velocity : up_states[i - 1] - down_states[i - 1];
      matrix.at[i][j] = sides == 0 ? 0 : change / (sides * by) * (scale(j) / scale(i));
    }
  }
  return matrix;
}

/// The largest magnitude of the eigenvalues: ln ρ = lim 2^−k ln ‖A^(2^k)‖.
template <class Matrix>
double spectral_radius(Matrix a) {
  double log_radius = 0;
  double weight = 1;
  for (int squaring = 0; squaring < 50; ++squaring) {
    const double size = a.norm();
    if (size == 0) {
      return 0;
    }
    if (!std::isfinite(size)) {
      return infinity;
    }
    log_radius += weight * std::log(size);
    a = a.mixed(1 / size, a, 0);
    a = a.times(a);
    weight /= 2;
  }
  return std::exp(log_radius);
}

/// The largest magnitude of the eigenvalues of body and friction [1/s].
template <class Model>
double fastest_rate(const Model& model, double mass, const Point<Model>& point, double h) {
  const auto matrix = step_matrix(Method::explicit_euler, model, mass, point, h);  // I + h J
  return spectral_radius(matrix.mixed(1, StepMatrix<Model>::identity(matrix.size), -1)) / h;
}

/// Deviations that truly grow, as on the falling part of a Stribeck curve: the rate [1/s], else 0.
template <class Model>
double true_growth_rate(const Model& model, double mass, const Point<Model>& point, double fastest) {
  const double h = 1e-2 / fastest;
  const double exponent = std::log(spectral_radius(step_matrix(Method::runge_kutta_4, model, mass, point, h)));
  return exponent > 1e-7 ? exponent / h : 0;
}

}  // namespace stiction::sim::detail
