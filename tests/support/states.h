// States that a model can be in, and how they look in a mirror.
#pragma once

#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "support/models.h"

namespace stiction::test {

/// States that stay the same in a mirror, by name; all others change their sign.
inline bool is_even(std::string_view state) {
  return state == "clock" || state == "dwell" || state == "x" || state == "vx";  // of a bearing loaded along x
}

/// The state of a body that moves the other way.
template <class Model>
typename Model::State mirrored(const typename Model::State& state) {
  auto values = Model::pack(state);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = is_even(Model::state_names[i]) ? values[i] : -values[i];
  }
  auto result = Model::unpack(values, state);
  if constexpr (requires { result.mode; }) {
    result.mode = static_cast<scalar::Mode>(-static_cast<int>(result.mode));
  }
  if constexpr (requires { result.direction; }) {
    result.direction = -result.direction;
  }
  if constexpr (requires { result.past; }) {
    for (double& value : result.past.value) {
      value = -value;
    }
  }
  return result;
}

/// Whether a body that moves the other way meets the same friction. The squeeze force of a film that covers half of the
/// bearing, 2 ε ε'/q², pushes along the motion of one direction, also in the other.
template <class Model>
using IsOdd = std::bool_constant<!std::is_same_v<Model, scalar::JournalBearing>>;

/// The model seen in a mirror: itself, but for one whose parameters of the two directions differ.
template <class Model>
Model mirrored_model(const Model& model) {
  auto params = model.params();
  for (const auto& field : Model::fields) {
    std::string name = field.name;
    if (name.ends_with("_plus")) {
      name.replace(name.size() - 4, 4, "minus");
      std::swap(params.*field.member, params.*find_field<Model>(name)->member);
    }
  }
  return Model(params);
}

/// Whether no contact has switched between two states.
template <class Model>
bool same_mode(const typename Model::State& a, const typename Model::State& b) {
  if constexpr (scalar::Switching<Model>) {
    return Model::modes(a) == Model::modes(b);
  } else {
    return true;
  }
}

struct Move {
  double velocity, time;
};

/// Where a few random moves from rest lead, at a velocity that has just been reached.
template <class Model, class DrawMove>
typename Model::State reachable_state(const Model& model, double velocity, DrawMove&& draw_move) {
  auto state = model.at_rest(0);
  for (int i = 0; i < 3; ++i) {
    const Move move = draw_move();
    state = model.advance(state, move.velocity, move.time);
  }
  return model.advance(state, velocity, 0);  // no time passes: a contact's mode follows
}

/// The invariant set of a model's states: magnitudes that no motion from rest exceeds, by the order of `pack`. An entry
/// is infinite where nothing is promised.
template <class Model>
std::array<double, Model::order> state_limits(const Model& model) {
  std::array<double, Model::order> limits{};
  limits.fill(infinity);
  const auto fill = [&](const auto& list, double factor) {
    for (std::size_t i = 0; i < scalar::states_in_use(model); ++i) {
      limits[i] = factor * list[i];
    }
  };
  if constexpr (requires { model.curve.static_force / model.stiffness; }) {
    limits[0] = model.curve.static_force / model.stiffness;  // |z| ≤ F_S/σ₀
  } else if constexpr (std::is_same_v<Model, scalar::Dahl> || std::is_same_v<Model, scalar::LoadDependentDahl>) {
    limits[0] = model.params().coulomb_force;
  } else if constexpr (std::is_same_v<Model, scalar::ResetIntegrator>) {
    limits[0] = model.largest;
  } else if constexpr (std::is_same_v<Model, scalar::BlimanSorine1>) {
    limits[0] = model.params().force;
  } else if constexpr (std::is_same_v<Model, scalar::BlimanSorine2>) {
    limits = {model.params().force_1, model.params().force_2};
  } else if constexpr (std::is_same_v<Model, scalar::Gms>) {
    fill(model.params().share, model.params().static_force);
  } else if constexpr (std::is_same_v<Model, scalar::Leuven>) {
    fill(model.params().limit, 1);
  } else if constexpr (std::is_same_v<Model, scalar::HaessigBristle>) {
    limits.fill(model.params().largest_bend);
  } else if constexpr (std::is_same_v<Model, scalar::Armstrong>) {
    limits[0] = (model.params().coulomb_force + model.params().static_excess) / model.params().stiffness;
  } else if constexpr (std::is_same_v<Model, scalar::JournalBearing>) {
    limits[0] = limits[1] = 1;  // the journal stays in its bearing
  }
  return limits;
}

/// The largest share of its limit that a state takes, among all of a model.
template <class Model>
double share_of_limits(const Model& model, const typename Model::State& state) {
  const auto limits = state_limits(model);
  const auto values = Model::pack(state);
  double largest = 0;
  for (std::size_t i = 0; i < scalar::states_in_use(model); ++i) {
    const double share = std::abs(values[i]) / limits[i];
    largest = share <= largest ? largest : share;  // NaN shows
  }
  return largest;
}

/// The velocity of a body in this state that was meant to move so fast: one that is held does not.
template <class Model>
double possible_velocity(const Model& model, const typename Model::State& state, double velocity) {
  if constexpr (scalar::Sticking<Model>) {
    return model.velocity_after(state, velocity);
  } else {
    return velocity;
  }
}

/// The state with one of its numbers replaced.
template <class Model>
typename Model::State with_number(const typename Model::State& state, std::size_t i, double value) {
  auto values = Model::pack(state);
  values[i] = value;
  return Model::unpack(values, state);
}

/// The size of a force with all its terms, which rounding errors are measured with.
template <class Model>
double size_of_force(const Model& model, const typename Model::State& state, double velocity) {
  const double force = model.force(state, velocity);
  double size = std::abs(force) + std::abs(model.force(model.advance({}, velocity, 0), velocity));
  for (std::size_t i = 0; i < scalar::states_in_use(model); ++i) {
    const double bent = Model::pack(state)[i] + model.typical()[i];
    size += std::abs(model.force(with_number<Model>(state, i, bent), velocity) - force);
  }
  return size;
}

}  // namespace stiction::test
