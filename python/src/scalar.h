// Scalar models behind one interface, so that their bindings are compiled once. A loop over many contacts is one call
// into the model's own code.
#pragma once

#include <map>

#include "core.h"
#include "stiction/scalar/registry.h"

namespace stiction::python {

class ScalarModel;
using ScalarModelPtr = std::shared_ptr<ScalarModel>;

/// What states of a kind look like.
struct StateKind {
  const char* name;   // of the model
  std::size_t bytes;  // of one state
  std::size_t order;  // continuous states in it
  bool plain;         // it is these numbers and nothing else
  std::vector<std::string> names, mode_names;
  void (*pack)(const std::byte* state, double* values);
  void (*unpack)(std::byte* state, const double* values);
  void (*modes)(const std::byte* state, double* values);
  bool (*equal)(const std::byte* a, const std::byte* b);
};

/// States in a row, each as the library has it.
class StateStore {
 public:
  StateStore(const StateKind& kind, std::size_t used, std::size_t count) : kind_(&kind), used_(used), count_(count) {
    if (const std::size_t doubles = (kind.bytes * count + sizeof(double) - 1) / sizeof(double); doubles > few_.size()) {
      many_.resize(doubles);
    }
  }

  [[nodiscard]] const StateKind& kind() const noexcept { return *kind_; }
  [[nodiscard]] std::size_t used() const noexcept { return used_; }  // continuous states
  [[nodiscard]] std::size_t size() const noexcept { return count_; }
  [[nodiscard]] std::byte* at(std::size_t i) noexcept {
    return reinterpret_cast<std::byte*>(many_.empty() ? few_.data() : many_.data()) + i * kind_->bytes;
  }
  [[nodiscard]] const std::byte* at(std::size_t i) const noexcept {
    return reinterpret_cast<const std::byte*>(many_.empty() ? few_.data() : many_.data()) + i * kind_->bytes;
  }
  friend bool operator==(const StateStore& a, const StateStore& b) noexcept;

 private:
  const StateKind* kind_;
  std::size_t used_, count_;
  // Bytes of the states, aligned for each: within, so that the state of one contact costs no allocation, or outside
  std::array<double, 8> few_{};
  std::vector<double> many_;
};

/// One state: a value.
struct State {
  StateStore store;
};
/// States of many contacts: a table that `advance`, `step` and `solve` move on in place.
struct States {
  StateStore store;
  mutable OwnFlag busy = {};
};
/// To be held by every call that reads or changes them.
inline InUse in_use(const States& states) { return {states.busy.flag, "these states are"}; }

struct Solved {
  double force, velocity;
  State state;
};

/// One model for any number of contacts, or n models with parameters of their own.
class ScalarModel {
 public:
  ScalarModel() = default;
  ScalarModel(const ScalarModel&) = delete;
  ScalarModel& operator=(const ScalarModel&) = delete;
  virtual ~ScalarModel() = default;

  [[nodiscard]] virtual const StateKind& kind() const noexcept = 0;
  [[nodiscard]] virtual const scalar::Info& info() const noexcept = 0;
  [[nodiscard]] virtual std::size_t count() const noexcept = 0;  // of models; 1: for any number of contacts
  [[nodiscard]] virtual std::size_t states_in_use() const noexcept = 0;
  [[nodiscard]] virtual bool sees_load() const noexcept = 0;
  [[nodiscard]] virtual py::dict parameters() const = 0;
  [[nodiscard]] virtual py::list table() const = 0;
  [[nodiscard]] virtual scalar::AnyModel any() const = 0;  // the first
  [[nodiscard]] virtual double velocity_scale() const noexcept = 0;

  // Loops over n states --------------------------------------------------------------------------------------------
  virtual void at_rest(StateStore& states, const Numbers& load) const noexcept = 0;
  virtual void force(const StateStore& states, const Numbers& velocity, const Numbers* load,
                     const Room& force) const noexcept = 0;
  virtual void rate(const StateStore& states, const Numbers& velocity, double* rates) const noexcept = 0;
  virtual void advance(StateStore& states, const Numbers& velocity, double dt) const noexcept = 0;
  /// What `step` needs for n states. Made with the interpreter's lock, used without.
  using Plan = std::shared_ptr<const void>;
  virtual Plan plan(std::size_t n) = 0;
  virtual void step(StateStore& states, const Numbers& velocity, double dt, const Room& force,
                    const Plan& plan) const noexcept = 0;
  virtual void solve(StateStore& states, const Numbers& free_velocity, const Numbers& mobility, double dt,
                     const Numbers* velocity, const Numbers* load, const Room& force,
                     const Room& new_velocity) const noexcept = 0;
  virtual void dissipated_power(const StateStore& states, const Numbers& velocity,
                                const Room& power) const noexcept = 0;
  virtual void energy(const StateStore& states, const Room& energy) const noexcept = 0;
  virtual std::vector<double> guards(const StateStore& state, double velocity, double load) const = 0;
  virtual bool transition(StateStore& state, int guard) const = 0;  // false: there is no such guard
};

inline void require_kind(const ScalarModel& model, const StateStore& states) {
  if (&states.kind() != &model.kind()) {
    throw py::type_error(std::string("a state of ") + states.kind().name + " was given to " + model.kind().name);
  }
}
inline void require_states(const ScalarModel& model, const States& states) {
  require_kind(model, states.store);
  if (model.count() != 1 && model.count() != states.store.size()) {
    throw py::value_error(std::to_string(states.store.size()) + " states were given to " +
                          std::to_string(model.count()) + " models");
  }
}
inline void require_one(const ScalarModel& model, const State& state) {
  require_kind(model, state.store);
  if (model.count() != 1) {
    throw py::value_error("one state was given to " + std::to_string(model.count()) + " models");
  }
}

inline Numbers one(const double& value) noexcept { return {&value, 0, false}; }
inline Room room_for(double& value) noexcept { return {&value, 0, false}; }

inline StateStore rest(const ScalarModel& model, std::size_t n, const Numbers& load) {
  StateStore states(model.kind(), model.states_in_use(), n);
  model.at_rest(states, load);
  return states;
}

/// The continuous states, (n, number of states).
py::array_t<double> values_of(const StateStore& store);
void set_values(StateStore& store, const Table& values);

void bind_scalar_states(py::module_& m);
void bind_scalar_joints(py::module_& m);

/// The Python object of a model chosen at run time.
ScalarModelPtr make_scalar(const scalar::AnyModel& model);

/// Registers one class for each model of the registry (scalar_models.cpp).
void bind_scalar_models(py::module_& module, py::class_<ScalarModel, ScalarModelPtr>& base);

/// Bodies that move in steps (sim_bodies.cpp).
void bind_sim_bodies(py::module_& m);
void bind_sim_arm(py::module_& m);
void bind_sim_planar(py::module_& m);

/// The calls for one state and for many, which the energy of models that have one shares.
py::object energy_of(const ScalarModel& model, const py::object& state);

}  // namespace stiction::python
