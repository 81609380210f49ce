// Any model of the registry together with its state: one type with the same calls, for programs that choose the model
// at run time. Copies are snapshots.
#pragma once

#include "stiction/scalar/joint_solver.h"
#include "stiction/scalar/registry.h"

namespace stiction::scalar {

class Friction {
 public:
  using Moved = JointResponse;  // what a coupled step gives

  /// A model at rest without load.
  template <Model M>
  explicit Friction(const M& model) noexcept : contact_(Contact<M>{model, model.at_rest(0)}) {}
  explicit Friction(const AnyModel& model) noexcept
      : Friction(std::visit([](const auto& m) { return Friction(m); }, model)) {}

  [[nodiscard]] const char* name() const noexcept {
    return std::visit([]<class M>(const Contact<M>&) { return M::info.name; }, contact_);
  }
  /// The model itself, where it is an M; otherwise nullptr.
  template <Model M>
  [[nodiscard]] const M* model() const noexcept {
    const auto* contact = std::get_if<Contact<M>>(&contact_);
    return contact == nullptr ? nullptr : &contact->model;
  }

  /// Resistance at the present state; a contact that sticks holds the load.
  [[nodiscard]] double force(double velocity) const noexcept {
    return std::visit([&](const auto& c) { return c.model.force(c.state, velocity); }, contact_);
  }
  [[nodiscard]] double force(double velocity, double load) const noexcept {
    return std::visit(
        [&](const auto& c) {
          if constexpr (requires { c.model.force(c.state, velocity, load); }) {
            return c.model.force(c.state, velocity, load);
          } else {
            return c.model.force(c.state, velocity);
          }
        },
        contact_);
  }
  /// Moves the state on at a constant velocity and returns the resistance there: the call for a control loop.
  double step(double velocity, double dt) noexcept {
    return std::visit(
        [&](auto& c) {
          c.state = c.model.advance(c.state, velocity, dt);
          return c.model.force(c.state, velocity);
        },
        contact_);
  }
  /// Moves state and body on together.
  Moved solve(double free_velocity, double mobility, double dt, double velocity) noexcept {
    return std::visit(
        [&](auto& c) {
          const auto solved = c.model.solve(c.state, free_velocity, mobility, dt, velocity);
          c.state = solved.state;
          return Moved{solved.force, solved.velocity};
        },
        contact_);
  }
  /// What `solve` would give; the state stays.
  [[nodiscard]] Moved response(double free_velocity, double mobility, double dt, double velocity) const noexcept {
    return std::visit(
        [&](const auto& c) {
          const auto solved = c.model.solve(c.state, free_velocity, mobility, dt, velocity);
          return Moved{solved.force, solved.velocity};
        },
        contact_);
  }
  /// The state that carries a load without motion.
  void rest_under(double load) noexcept {
    std::visit([&](auto& c) { c.state = c.model.at_rest(load); }, contact_);
  }
  /// Power turned into heat [W].
  [[nodiscard]] double dissipated_power(double velocity) const noexcept {
    return std::visit([&](const auto& c) { return c.model.dissipated_power(c.state, velocity); }, contact_);
  }

  /// The continuous states, in the order of `state_name`.
  [[nodiscard]] std::size_t states() const noexcept {
    return std::visit([](const auto& c) { return states_in_use(c.model); }, contact_);
  }
  [[nodiscard]] const char* state_name(std::size_t i) const noexcept {
    return std::visit([&]<class M>(const Contact<M>&) { return i < M::order ? M::state_names.begin()[i] : ""; },
                      contact_);
  }
  [[nodiscard]] double state(std::size_t i) const noexcept {
    return std::visit(
        [&]<class M>(const Contact<M>& c) {
          const auto values = M::pack(c.state);
          return i < values.size() ? values.begin()[i] : 0.0;
        },
        contact_);
  }

  friend bool operator==(const Friction& a, const Friction& b) noexcept {
    return a.contact_.index() == b.contact_.index() &&
           std::visit([&]<class M>(const Contact<M>& c) { return c.state == std::get<Contact<M>>(b.contact_).state; },
                      a.contact_);
  }

 private:
  template <class M>
  struct Contact {
    M model;
    typename M::State state;
  };
  template <class Variant>
  struct ContactsOf;
  template <class... M>
  struct ContactsOf<std::variant<M...>> {
    using Type = std::variant<Contact<M>...>;
  };

  typename ContactsOf<AnyModel>::Type contact_;
};

}  // namespace stiction::scalar
