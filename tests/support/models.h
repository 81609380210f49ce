// Models for tests: the published parameter sets, and values for every parameter that a registered model may have.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "stiction/scalar/presets.h"

namespace stiction::test {

inline scalar::LuGre standard_lugre() { return scalar::preset::canudas_1995(); }
inline scalar::LuGre table2_lugre() { return scalar::preset::olsson_table2(); }
inline constexpr double table2_inertia = scalar::preset::olsson_table2_mass;

/// Where a parameter's test values lie. A draw above `cap` becomes `most`, so that special values come up often.
struct Interval {
  double low;
  double high;
  double cap = infinity;
  double most = infinity;
};

/// By the name in a model's table, with or without a direction, or else by the unit.
inline Interval usual_values(std::string_view field, std::string_view unit) {
  for (const std::string_view direction : {"_plus", "_minus"}) {
    if (field.ends_with(direction)) {
      field.remove_suffix(direction.size());
    }
  }
  if (field == "damping") return {1e-1, 1e3};
  if (field == "stribeck_exponent") return {0.5, 8, 2, 2};
  if (field == "viscous") return {1e-3, 1e1};
  if (field == "damping_velocity") return {1e-3, 1e6, 10, infinity};
  if (field == "exponent") return {0.5, 4, 2, 1};
  if (field == "ratio") return {0.05, 0.9};
  if (field == "largest_deflection") return {1e-6, 1e-2};
  if (field == "stiction") return {0.01, 1};
  if (field == "attraction") return {0.1, 1e3};
  if (field == "zero_velocity") return {1e-5, 1e-3};
  if (field == "static_excess") return {0.01, 5};
  if (field == "dwell_time") return {1e-3, 10};
  if (field == "bristles") return {1, 64};
  if (field == "seed") return {1, 1e6};
  if (field == "load_gain" || unit == "1/N") return {0.01, 0.3};
  if (field.ends_with("_gain")) return {0.01, 0.5};
  if (field == "radius" || field == "length") return {0.01, 0.05};
  if (field == "clearance") return {1e-5, 1e-4};
  if (field == "viscosity") return {0.005, 0.1};
  if (field == "load") return {50, 500};
  if (field == "contact_onset") return {0.7, 0.9};
  if (field == "contact_friction") return {0.05, 0.3};
  if (unit == "N") return {0.1, 10};
  if (unit == "N/m") return {1e2, 1e6};
  if (unit == "N s/m") return {1e-2, 1e2};
  if (unit == "m/s") return {1e-4, 1e-1};
  if (unit == "m") return {1e-5, 1e-2};
  if (unit == "s") return {1e-4, 1e-1};
  if (unit == "kg") return {0.5, 20};
  if (unit == "-") return {0.1, 0.9};
  throw std::invalid_argument("tests know no values for the parameter " + std::string(field) + " [" +
                              std::string(unit) + "]: add them to usual_values in tests/support/models.h");
}

/// A parameter that is bound to one before it: it is drawn as a multiple of that one.
struct Relation {
  std::string_view field;
  std::string_view base;
  Interval times;
};
inline constexpr std::array relations{
    Relation{"static_force", "coulomb_force", {1, 3}},
    Relation{"stribeck_force", "coulomb_force", {0.01, 2}},
    Relation{"force_2", "force_1", {0.05, 0.95}},
    Relation{"contact_stiffness", "load", {150, 1000}},
};

/// The field of a model with that name, or nullptr.
template <class Model>
constexpr auto find_field(std::string_view name) {
  const auto found =
      std::find_if(Model::fields.begin(), Model::fields.end(), [&](const auto& field) { return field.name == name; });
  return found == Model::fields.end() ? nullptr : &*found;
}

/// What a parameter is bound to, in the same direction: the multiples allowed, and the other field.
template <class Model>
auto relation_of(std::string_view name) {
  using Field = std::decay_t<decltype(*Model::fields.begin())>;
  for (const Relation& relation : relations) {
    if (name.starts_with(relation.field)) {
      const std::string_view direction = name.substr(relation.field.size());
      if (const Field* base = find_field<Model>(std::string(relation.base) + std::string(direction))) {
        return std::pair(relation.times, base);
      }
    }
  }
  return std::pair(Interval{}, static_cast<const Field*>(nullptr));
}

template <class Params, class Draw>
void draw_lists(Params&, Draw&&) {}

/// One to eight elements that slip one after the other: ever softer, ever stronger.
template <class Draw>
void draw_elements(scalar::Elements<double>& stiffness, scalar::Elements<double>& limit, double all, Draw&& draw) {
  const auto count = static_cast<int>(draw(Interval{1, 9}));
  const double total = draw(Interval{1e2, 1e6});
  double sum = 0;
  for (int i = 1; i <= count; ++i) {
    stiffness.push_back(total / (count * i) * draw(Interval{0.7, 1.4}));
    limit.push_back(i * draw(Interval{0.7, 1.4}));
    sum += limit.values[limit.size - 1];
  }
  for (std::size_t i = 0; i < limit.size; ++i) {
    limit.values[i] *= all / sum;
  }
}
template <class Draw>
void draw_lists(scalar::Gms::Params& p, Draw&& draw) {
  draw_elements(p.stiffness, p.share, 1, draw);
}
template <class Draw>
void draw_lists(scalar::Leuven::Params& p, Draw&& draw) {
  draw_elements(p.stiffness, p.limit, p.static_force * draw(Interval{1, 2}), draw);
}
/// One to four models of first order in parallel, one of them with the wrong sign, seen in other coordinates: with
/// H = I − 2 u uᵀ/(uᵀu), its own inverse,  A = H diag(−1/εᵢ) H,  B = H (fᵢ/εᵢ),  C = (1 … 1) H.
template <class Draw>
void draw_lists(scalar::BlimanSorine::Params& p, Draw&& draw) {
  const auto n = static_cast<std::size_t>(draw(Interval{1, 5}));
  const double force = draw(Interval{0.1, 10});
  const double distance = draw(Interval{1e-5, 1e-2});
  std::array<double, 4> part{};
  std::array<double, 4> rate{};
  double length = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double place = static_cast<double>(i + 1);
    rate[i] = draw(Interval{1, 1.9}) / (distance * place);
    part[i] = i == 1 ? -force * draw(Interval{0.05, 0.95}) : force;  // the slower one weakens the faster one
    length += place * place;
  }
  const auto mirror = [&](std::size_t i, std::size_t j) {
    return (i == j ? 1 : 0) - 2 * static_cast<double>((i + 1) * (j + 1)) / length;
  };
  for (std::size_t i = 0; i < n; ++i) {
    double b = 0;
    double c = 0;
    for (std::size_t j = 0; j < n; ++j) {
      double a = 0;
      for (std::size_t k = 0; k < n; ++k) {
        a -= mirror(i, k) * rate[k] * mirror(k, j);
      }
      p.a.push_back(a);
      b += mirror(i, j) * part[j] * rate[j];
      c += mirror(j, i);
    }
    p.b.push_back(b);
    p.c.push_back(c);
  }
}
/// One to eight points; friction falls from break-away, then rises.
template <class Draw>
void draw_lists(scalar::Tabulated::Params& p, Draw&& draw) {
  const auto count = static_cast<int>(draw(Interval{1, 9}));
  const double step = draw(Interval{1e-4, 1e-1});
  for (int i = 0; i < count; ++i) {
    p.speed.push_back(i == 0 ? 0 : step * (i + draw(Interval{0.1, 0.9})));
    p.force.push_back(p.static_force * draw(Interval{0.3, 1}) * (i < 2 ? 1 : 0.5 * i));
  }
}

/// Parameters each of which is in its range; `draw` picks a number from an Interval.
template <class Model, class Draw>
typename Model::Params params_in_range(Draw&& draw) {
  typename Model::Params params{};
  for (const auto& field : Model::fields) {
    double& value = params.*field.member;
    if (const auto [times, base] = relation_of<Model>(field.name); base != nullptr) {
      value = params.*base->member * draw(times);
      continue;
    }
    const Interval values = usual_values(field.name, field.unit);
    value = draw(values);
    value = value > values.cap ? values.most : value;
    value = std::clamp(value, field.range.low, field.range.high);
  }
  if constexpr (requires { Model::integers; }) {
    for (const auto& field : Model::integers) {
      assign(params, field, std::floor(draw(usual_values(field.name, field.unit))));
    }
  }
  draw_lists(params, draw);
  if constexpr (requires { params.zero_velocity; }) {  // Karnopp's F_S >= F(DV), where F_v DV may be too much
    const double viscous = std::exchange(params.viscous, 0);
    const double room = params.static_force - Model(params).sliding_force(params.zero_velocity);
    params.viscous = std::min(viscous, 0.9 * room / params.zero_velocity);
  }
  return params;
}

/// Valid parameters of any registered model: drawn again where they do not fit together.
template <class Model, class Draw>
typename Model::Params drawn_params(Draw&& draw) {
  for (int i = 0; i < 1000; ++i) {
    const auto params = params_in_range<Model>(draw);
    if (!Model::check(params)) {
      return params;
    }
  }
  throw std::invalid_argument(std::string("tests find no valid parameters of the model ") + Model::info.name +
                              ": add what binds them to relations in tests/support/models.h");
}

/// One ordinary model of its kind, from the middle of the intervals.
template <class Model>
Model example() {
  return Model::make(drawn_params<Model>([](const Interval& i) { return std::sqrt(i.low * i.high); }));
}

/// How many of a test's cases a model that takes long to step gets.
template <class Model>
constexpr int affordable(int cases) {
  return std::is_same_v<Model, scalar::JournalBearing> ? cases / 50 : cases;
}

/// Whether a model remembers nothing: its force is a function of velocity.
template <class Model>
inline constexpr bool is_memoryless = !scalar::Switching<Model> && Model::order == 0;

}  // namespace stiction::test
