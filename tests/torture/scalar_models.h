// Scalar models for torture: valid parameters from the whole of their ranges, and the bounds of their forces.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>

#include "stiction/scalar/registry.h"
#include "support/models.h"
#include "torture.h"

namespace stiction::torture {

using namespace scalar;  // NOLINT(google-build-using-namespace)

/// Over its whole range, and often at its ends.
inline double wild(Random& random, const Range& range) {
  const std::uint64_t pick = random.bits() % 16;
  if (pick == 0) {
    return range.low;
  }
  if (pick == 1) {
    return range.high;
  }
  const double low = std::max(range.low, 1e-15);
  const double high = std::min(range.high, 1e15);
  return std::clamp(random.log_between(low, high), low, high);
}

// Lists ---------------------------------------------------------------------------------------------------------------

template <class Params>
void draw_lists(Random&, Params&) {}
inline void draw_lists(Random& random, Gms::Params& p) {
  const std::size_t count = 1 + random.bits() % 16;
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    p.stiffness.push_back(wild(random, positive_size));
    p.share.push_back(random.one_in(4) ? random.log_between(1e-12, 1) : random.unit() + 1e-3);
    sum += p.share.values[i];
  }
  for (std::size_t i = 0; i < count; ++i) {
    p.share.values[i] = std::max(p.share.values[i] / sum, 1e-15);
  }
}
inline void draw_lists(Random& random, Leuven::Params& p) {
  const std::size_t count = 1 + random.bits() % 16;
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    p.stiffness.push_back(wild(random, positive_size));
    p.limit.push_back(random.one_in(4) ? random.log_between(1e-12, 1) : random.unit() + 1e-3);
    sum += p.limit.values[i];
  }
  const double all = p.static_force * (random.one_in(2) ? 1 : random.log_between(1, 1e3));
  for (std::size_t i = 0; i < count; ++i) {
    p.limit.values[i] *= all / sum;
  }
}
inline void draw_lists(Random& random, Tabulated::Params& p) {
  const std::size_t count = 1 + random.bits() % 32;
  for (std::size_t i = 0; i < count; ++i) {
    p.speed.push_back(i == 0 && random.one_in(2) ? 0 : wild(random, positive_size));
    p.force.push_back(wild(random, size_or_zero));
  }
  std::sort(p.speed.values.begin(), p.speed.values.begin() + static_cast<std::ptrdiff_t>(count));
  p.force.values[0] = std::min(p.force.values[0], p.static_force);
}
/// Models of first order in parallel, seen in other coordinates.
inline void draw_lists(Random& random, BlimanSorine::Params& p) {
  test::draw_lists(p, [&](const test::Interval& i) { return random.log_between(i.low, i.high); });
  const double force = random.log_between(1e-6, 1e6);
  const double distance = random.log_between(1e-6, 1e6);
  for (std::size_t i = 0; i < p.b.size; ++i) {
    p.b.values[i] *= force / distance;
  }
  for (std::size_t i = 0; i < p.a.size; ++i) {
    p.a.values[i] /= distance;
  }
}

/// Valid parameters: of every size, or ordinary ones.
template <class Model>
Model any_model(Random& random) {
  for (int attempt = 0; attempt < 200; ++attempt) {
    typename Model::Params params{};
    for (const auto& field : Model::fields) {
      double& value = params.*field.member;
      value = wild(random, field.range);
      if (const auto [times, base] = test::relation_of<Model>(field.name); base != nullptr) {
        const bool is_level = std::string_view(field.name).starts_with("static_force");
        const double high = is_level && random.one_in(2) ? 1e6 : times.high;
        value = params.*base->member * (random.one_in(8) ? times.low : random.log_between(times.low, high));
      }
    }
    if constexpr (requires { Model::integers; }) {
      for (const auto& field : Model::integers) {
        assign(params, field, std::floor(wild(random, field.range)));
      }
    }
    if constexpr (requires { params.zero_velocity; }) {  // Karnopp's F_S >= F(DV)
      if (!(params.coulomb_force + params.viscous * params.zero_velocity <= params.static_force)) {
        params.viscous = (params.static_force - params.coulomb_force) / params.zero_velocity * random.unit() / 2;
      }
    }
    draw_lists(random, params);
    if (!Model::check(params)) {
      return Model(params);
    }
  }
  return Model(test::drawn_params<Model>([&](const test::Interval& i) { return random.log_between(i.low, i.high); }));
}

// Bounds --------------------------------------------------------------------------------------------------------------

/// The largest friction at a velocity; infinite where the parameters' names do not tell.
template <class Model>
double force_bound(const Model& model, double velocity) {
  const double speed = std::abs(velocity);
  const auto params = model.params();
  std::optional<double> force;
  for (const auto& field : Model::fields) {
    const std::string_view name = field.name;
    if (name.starts_with("static_force") || name.starts_with("coulomb_force")) {
      force = std::max(force.value_or(0), params.*field.member);
    }
  }
  double level = force.value_or(infinity);
  if constexpr (requires { params.static_excess; }) {
    level += params.static_excess;
  }
  double viscous = 0;
  for (const auto& field : Model::fields) {
    if (std::string_view(field.name).starts_with("viscous")) {
      viscous = std::max(viscous, params.*field.member);
    }
  }
  double bound = level + viscous * speed;
  if constexpr (requires {
                  params.stribeck_velocity;
                  params.static_force;
                  params.damping;
                }) {
    // σ₁ |ż| with |ż| ≤ |v| (1 + F_S/F_C), to the power n in Leuven's model
    double exponent = 1;
    if constexpr (requires { params.exponent; }) {
      exponent = params.exponent;
    }
    bound += params.damping * speed * (1 + std::pow(params.static_force / params.coulomb_force, exponent));
  }
  return bound;
}
inline double force_bound(const Viscous& model, double velocity) {
  return model.params().viscous * std::pow(std::abs(velocity), model.params().exponent);
}
inline double force_bound(const Tabulated& model, double) {
  return std::max(model.params().static_force,
                  *std::max_element(model.params().force.begin(), model.params().force.end()));
}
inline double force_bound(const HaessigBristle& model, double) {
  return model.params().bristles * model.params().stiffness * model.params().largest_bend;
}
inline double force_bound(const ResetIntegrator& model, double velocity) {
  const auto p = model.params();
  return (1 + p.stiction) * p.stiffness * p.largest_deflection + p.damping * std::abs(velocity);
}
inline double force_bound(const BlimanSorine1& model, double velocity) {
  return model.params().force + model.params().viscous * std::abs(velocity);
}
inline double force_bound(const BlimanSorine2& model, double velocity) {
  return model.params().force_1 + model.params().force_2 + model.params().viscous * std::abs(velocity);
}
inline double force_bound(const BlimanSorine& model, double velocity) {
  double states = 0;  // nothing is promised of a general system; these few parallel ones stay near their steady states
  for (std::size_t i = 0; i < model.a.size; ++i) {
    for (const double x : model.settled) {
      states += std::abs(model.params().c[i]) * std::abs(x);
    }
  }
  return 1e3 * states + model.params().viscous * std::abs(velocity);
}
inline double force_bound(const JournalBearing& model, double velocity) {
  const auto& p = model.params();
  const double film = 6.3 * p.viscosity * p.radius * p.length / p.clearance;
  return p.contact_friction * p.contact_stiffness * square(1 - p.contact_onset) + 1e3 * film * std::abs(velocity);
}

/// With nothing transmitted.
template <Geared Model>
double force_bound(const Model& model, double velocity) {
  return force_bound(model.plain(model.budget({})), velocity);
}

template <class Model>
concept LoadScaled = requires(const Model& model) {
  model.load_factor(0.0) * model.unloaded.force({}, 0.0);
};
/// By how much the load of a step raises the friction.
template <class Model>
double load_factor(const Model& model, const CoupledStep<double>& step) {
  if constexpr (LoadScaled<Model>) {
    return model.load_factor(load_of_step(step));
  } else {
    return 1;
  }
}

}  // namespace stiction::torture
