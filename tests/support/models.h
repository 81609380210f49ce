// Models for tests: the published parameter sets, and values for every parameter that a registered model may have.
#pragma once

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <string_view>

#include "stiction/scalar/registry.h"

namespace stiction::test {

/// Canudas de Wit et al. 1995; the mass is 1 kg.
inline scalar::LuGre standard_lugre() {
  return scalar::LuGre::make({.stiffness = 1e5,
                              .damping = std::sqrt(1e5),
                              .coulomb_force = 1,
                              .static_force = 1.5,
                              .stribeck_velocity = 1e-3,
                              .viscous = 0.4});
}

/// Olsson et al. 1998, Table 2.
inline scalar::LuGre table2_lugre() {
  return scalar::LuGre::make({.stiffness = 260,
                              .damping = 0.6,
                              .coulomb_force = 0.28,
                              .static_force = 0.33,
                              .stribeck_velocity = 0.01,
                              .viscous = 0.0176});
}
inline constexpr double table2_inertia = 0.0023;

/// Where a parameter's test values lie. A draw above `cap` becomes `most`, so that special values come up often.
struct Interval {
  double low;
  double high;
  double cap = infinity;
  double most = infinity;
};

/// By the name in a model's table, with or without a direction.
inline Interval usual_values(std::string_view field) {
  for (const std::string_view direction : {"_plus", "_minus"}) {
    if (field.ends_with(direction)) {
      field.remove_suffix(direction.size());
    }
  }
  if (field == "stiffness") return {1e2, 1e6};
  if (field == "damping") return {1e-1, 1e3};
  if (field == "coulomb_force") return {0.1, 10};
  if (field == "stribeck_velocity") return {1e-4, 1e-1};
  if (field == "stribeck_exponent") return {0.5, 8, 2, 2};
  if (field == "viscous") return {1e-3, 1e1};
  if (field == "damping_velocity") return {1e-3, 1e6, 10, infinity};
  if (field == "exponent") return {0.5, 4, 2, 1};
  if (field == "transition_velocity") return {1e-4, 1e-1};
  throw std::invalid_argument("tests know no values for the parameter " + std::string(field));
}

/// Valid parameters of any registered model; `draw` picks a number from an Interval.
template <class Model, class Draw>
typename Model::Params drawn_params(Draw&& draw) {
  typename Model::Params params{};
  double coulomb_force = 0;
  for (const auto& field : Model::fields) {
    const std::string_view name = field.name;
    double& value = params.*field.member;
    if (name.starts_with("static_force")) {
      value = coulomb_force * draw(Interval{1, 3});
      continue;
    }
    const Interval values = usual_values(name);
    value = draw(values);
    value = value > values.cap ? values.most : value;
    if (name.starts_with("coulomb_force")) {
      coulomb_force = value;
    }
  }
  return params;
}

/// One ordinary model of its kind, from the middle of the intervals.
template <class Model>
Model example() {
  return Model::make(drawn_params<Model>([](const Interval& i) { return std::sqrt(i.low * i.high); }));
}

template <class Model>
inline constexpr bool is_set_valued = scalar::Switching<Model>;
template <class Model>
inline constexpr bool is_memoryless = !scalar::Switching<Model> && Model::order == 0;

}  // namespace stiction::test
