// Many small Runge-Kutta steps of a model's own `rate` at a constant velocity: what `advance` must come to.
#pragma once

#include <cstddef>

namespace stiction::test {

template <class Model>
typename Model::State runge_kutta(const Model& model, typename Model::State state, double velocity, double time,
                                  int steps) {
  const double h = time / steps;
  const auto moved = [&](const auto& slope, double by) {
    auto values = Model::pack(state);
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] += by * slope[i];
    }
    return Model::unpack(values, state);
  };
  for (int step = 0; step < steps; ++step) {
    const auto k1 = Model::pack(model.rate(state, velocity));
    const auto k2 = Model::pack(model.rate(moved(k1, h / 2), velocity));
    const auto k3 = Model::pack(model.rate(moved(k2, h / 2), velocity));
    const auto k4 = Model::pack(model.rate(moved(k3, h), velocity));
    auto mean = k1;
    for (std::size_t i = 0; i < mean.size(); ++i) {
      mean[i] = (k1[i] + 2 * (k2[i] + k3[i]) + k4[i]) / 6;
    }
    state = moved(mean, h);
  }
  return state;
}

}  // namespace stiction::test
