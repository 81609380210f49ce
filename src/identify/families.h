// For each model that can be identified: its free numbers, and how the model's parameters follow from them.
#pragma once

#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "stiction/scalar/dahl.h"
#include "stiction/scalar/elasto_plastic.h"
#include "stiction/scalar/gms.h"
#include "stiction/scalar/lugre.h"
#include "stiction/scalar/stribeck.h"

namespace stiction::identify {

/// Initial guess of a Stribeck curve.
struct CurveGuess {
  double coulomb_force = 0, static_excess = 0, stribeck_velocity = 0, viscous = 0;
};

/// Initial guess of the friction.
struct Guess : CurveGuess {
  std::optional<CurveGuess> plus, minus;  // of each direction separately, where the data allow
  double stiffness = 0, damping = 0, mass = 0;
  double max_mass = infinity;  // a larger mass is inconsistent with the measured torque and motion
};

/// A free number. Positive ones are fitted by their logarithm; those that may be 0 directly.
struct Slot {
  std::string name;
  std::string unit;
  double start = 0;
  double scale = 0;  // of a number that may be 0; 0: positive
  double max = infinity;
  double min = 0;
};

inline Slot positive_slot(std::string name, std::string unit, double start) {
  return {std::move(name), std::move(unit), start, 0, infinity, 0};
}

/// Names of the Stribeck curve's numbers are those of the models; static_force is fitted as F_C + an excess ≥ 0.
inline void add_curve(std::vector<Slot>& slots, const CurveGuess& g, const std::string& side = "") {
  slots.push_back(positive_slot("coulomb_force" + side, "N", g.coulomb_force));
  slots.push_back({"static_force" + side, "N", g.static_excess, 0.1 * g.coulomb_force});
  slots.push_back(positive_slot("stribeck_velocity" + side, "m/s", g.stribeck_velocity));
  slots.push_back({"viscous" + side, "N s/m", g.viscous, 0.1 * g.coulomb_force / g.stribeck_velocity});
}

/// `cost`: rough cost of a step, relative to LuGre's. `states`: of the friction. `steady_numbers`: numbers on which the
/// steady friction depends.
template <class Model>
struct Family;

template <>
struct Family<scalar::LuGre> {
  using Model = scalar::LuGre;
  static constexpr double cost = 1;
  static constexpr std::size_t states = 1;
  static constexpr std::size_t steady_numbers = 4;
  static std::vector<Slot> slots(const Guess& g) {
    std::vector<Slot> s{positive_slot("stiffness", "N/m", g.stiffness),
                        {"damping", "N s/m", g.damping, 0.2 * std::sqrt(g.stiffness * g.mass)}};
    add_curve(s, g);
    return s;
  }
  static Model make(std::span<const double> p, double exponent) {
    return Model({.stiffness = p[0],
                  .damping = p[1],
                  .coulomb_force = p[2],
                  .static_force = p[2] + p[3],
                  .stribeck_velocity = p[4],
                  .stribeck_exponent = exponent,
                  .viscous = p[5]});
  }
};

template <>
struct Family<scalar::ElastoPlastic> {
  using Model = scalar::ElastoPlastic;
  static constexpr double cost = 2.5;
  static constexpr std::size_t states = 1;
  static constexpr std::size_t steady_numbers = 4;
  static std::vector<Slot> slots(const Guess& g) {
    auto s = Family<scalar::LuGre>::slots(g);
    s.push_back({"elastic_share", "-", 0.5, 0.2, 0.99, 0.01});
    return s;
  }
  static Model make(std::span<const double> p, double exponent) {
    return Model({.stiffness = p[0],
                  .damping = p[1],
                  .coulomb_force = p[2],
                  .static_force = p[2] + p[3],
                  .stribeck_velocity = p[4],
                  .stribeck_exponent = exponent,
                  .viscous = p[5],
                  .elastic_share = p[6]});
  }
};

template <>
struct Family<scalar::Dahl> {
  using Model = scalar::Dahl;
  static constexpr double cost = 3;
  static constexpr std::size_t states = 1;
  static constexpr std::size_t steady_numbers = 1;
  static std::vector<Slot> slots(const Guess& g) {
    return {positive_slot("stiffness", "N/m", g.stiffness),
            positive_slot("coulomb_force", "N", g.coulomb_force),
            {"exponent", "-", 1, 0.3, 4, 0.2}};
  }
  static Model make(std::span<const double> p, double) {
    return Model({.stiffness = p[0], .coulomb_force = p[1], .exponent = p[2]});
  }
};

template <>
struct Family<scalar::Stribeck> {
  using Model = scalar::Stribeck;
  static constexpr double cost = 0.5;
  static constexpr std::size_t states = 0;
  static constexpr std::size_t steady_numbers = 4;
  static std::vector<Slot> slots(const Guess& g) {
    std::vector<Slot> s;
    add_curve(s, g);
    return s;
  }
  static Model make(std::span<const double> p, double exponent) {
    return Model({.coulomb_force = p[0],
                  .static_force = p[0] + p[1],
                  .stribeck_velocity = p[2],
                  .stribeck_exponent = exponent,
                  .viscous = p[3]});
  }
};

template <>
struct Family<scalar::AsymmetricStribeck> {
  using Model = scalar::AsymmetricStribeck;
  static constexpr double cost = 0.5;
  static constexpr std::size_t states = 0;
  static constexpr std::size_t steady_numbers = 8;
  static std::vector<Slot> slots(const Guess& g) {
    std::vector<Slot> s;
    add_curve(s, g.plus.value_or(g), "_plus");
    add_curve(s, g.minus.value_or(g), "_minus");
    return s;
  }
  static Model make(std::span<const double> p, double exponent) {
    return Model({.coulomb_force_plus = p[0],
                  .static_force_plus = p[0] + p[1],
                  .stribeck_velocity_plus = p[2],
                  .stribeck_exponent_plus = exponent,
                  .viscous_plus = p[3],
                  .coulomb_force_minus = p[4],
                  .static_force_minus = p[4] + p[5],
                  .stribeck_velocity_minus = p[6],
                  .stribeck_exponent_minus = exponent,
                  .viscous_minus = p[7]});
  }
};

/// Four elements that slip one after the other at 0.4, 0.8, 1.6 and 3.2 times F_C/σ₀; their shares of the force are
/// free.
template <>
struct Family<scalar::Gms> {
  using Model = scalar::Gms;
  static constexpr double cost = 1.4;
  static constexpr std::size_t states = 4;
  static constexpr std::size_t steady_numbers = 4;
  static std::vector<Slot> slots(const Guess& g) {
    std::vector<Slot> s{positive_slot("stiffness", "N/m", g.stiffness),
                        positive_slot("share_2", "-", 1),
                        positive_slot("share_3", "-", 1),
                        positive_slot("share_4", "-", 0.5),
                        {"attraction", "N/s", 10 * g.coulomb_force, 0, infinity, g.coulomb_force}};
    add_curve(s, g);
    return s;
  }
  static Model make(std::span<const double> p, double exponent) {
    Model::Params q;
    const double sum = 1 + p[1] + p[2] + p[3];
    double reach = 0.4 * p[5] / p[0];
    for (const double weight : {1.0, p[1], p[2], p[3]}) {
      q.share.push_back(weight / sum);
      q.stiffness.push_back(weight / sum * p[5] / reach);
      reach *= 2;
    }
    q.attraction = p[4];
    q.coulomb_force = p[5];
    q.static_force = p[5] + p[6];
    q.stribeck_velocity = p[7];
    q.stribeck_exponent = exponent;
    q.viscous = p[8];
    return Model(q);
  }
};

}  // namespace stiction::identify
