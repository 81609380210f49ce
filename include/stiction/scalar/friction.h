// Any model of the registry together with its state: one type with the same calls, for programs that choose the model
// at run time. Copies are snapshots.
#pragma once

#include "stiction/scalar/any_model.h"

namespace stiction::scalar {

class Friction {
 public:
  /// A model at rest without load.
  explicit Friction(const AnyModel& model) noexcept : model_(model), state_(model.at_rest(0)) {}

  [[nodiscard]] const char* name() const noexcept { return model_.name(); }
  /// The model itself if it is an M, otherwise nullptr.
  template <Model M>
  [[nodiscard]] const M* model() const noexcept {
    return model_.as<M>();
  }

  /// Resistance at the present state; a contact that sticks holds the load.
  [[nodiscard]] double force(double velocity) const noexcept { return model_.force(state_, velocity); }
  [[nodiscard]] double force(double velocity, double load) const noexcept {
    return model_.force(state_, velocity, load);
  }
  /// Advances the state at a constant velocity and returns the resistance at its end: the call for a control loop.
  double step(double velocity, double dt) noexcept {
    return model_.table()->step(model_.data(), state_.data(), velocity, dt);
  }
  /// Coupled step of body and friction; updates the state.
  Response solve(const CoupledStep<double>& step) noexcept {
    return model_.table()->solve(model_.data(), state_.data(), step);
  }
  /// The result of `solve`, without changing the state.
  [[nodiscard]] Response response(const CoupledStep<double>& step) const noexcept {
    AnyState state = state_;
    return model_.table()->solve(model_.data(), state.data(), step);
  }
  /// The state that carries a load without motion.
  void rest_under(double load) noexcept { state_ = model_.at_rest(load); }
  /// Dissipated power [W].
  [[nodiscard]] double dissipated_power(double velocity) const noexcept {
    return model_.dissipated_power(state_, velocity);
  }

  /// The continuous states, in the order of `state_name`.
  [[nodiscard]] std::size_t states() const noexcept { return model_.states_in_use(); }
  [[nodiscard]] const char* state_name(std::size_t i) const noexcept {
    const auto names = model_.table()->state_names;
    return i < names.size() ? names[i] : "";
  }
  [[nodiscard]] double state(std::size_t i) const noexcept {
    const auto values = AnyModel::pack(state_);
    return i < values.size() ? values[i] : 0.0;
  }

  friend bool operator==(const Friction& a, const Friction& b) noexcept { return a.state_ == b.state_; }

 private:
  AnyModel model_;
  AnyState state_;
};

}  // namespace stiction::scalar
