// Scalar models behind one interface, so that their bindings are compiled once. A loop over many contacts is one call
// into the model's own code.
#pragma once

#include <map>
#include <span>

#include "core.h"
#include "stiction/scalar/any_model.h"

namespace stiction::python {

class ScalarModel;
using ScalarModelPtr = std::shared_ptr<ScalarModel>;

/// What states of a kind look like.
using StateKind = scalar::ModelTable;
inline std::vector<std::string> names_of(std::span<const char* const> names) { return {names.begin(), names.end()}; }

/// States in a row, each as the library has it.
class StateStore {
 public:
  StateStore(const StateKind& kind, std::size_t used, std::size_t count) : kind_(&kind), used_(used), count_(count) {
    if (const std::size_t doubles = (kind.state_size * count + sizeof(double) - 1) / sizeof(double);
        doubles > few_.size()) {
      many_.resize(doubles);
    }
  }

  [[nodiscard]] const StateKind& kind() const noexcept { return *kind_; }
  [[nodiscard]] std::size_t used() const noexcept { return used_; }  // continuous states
  [[nodiscard]] std::size_t size() const noexcept { return count_; }
  [[nodiscard]] std::byte* at(std::size_t i) noexcept {
    return reinterpret_cast<std::byte*>(many_.empty() ? few_.data() : many_.data()) + i * kind_->state_size;
  }
  [[nodiscard]] const std::byte* at(std::size_t i) const noexcept {
    return reinterpret_cast<const std::byte*>(many_.empty() ? few_.data() : many_.data()) + i * kind_->state_size;
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
/// States of many contacts: a value that Python can also write to.
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

/// One model for any number of contacts, or n models of one kind with parameters of their own.
class ScalarModel {
 public:
  ScalarModel(const scalar::ModelTable& table, const std::vector<scalar::AnyModel>& models);
  ScalarModel(const ScalarModel&) = delete;
  ScalarModel& operator=(const ScalarModel&) = delete;
  virtual ~ScalarModel() = default;

  [[nodiscard]] const scalar::ModelTable& kind() const noexcept { return *table_; }
  [[nodiscard]] const scalar::Info& info() const noexcept { return table_->info; }
  [[nodiscard]] std::size_t count() const noexcept { return count_; }  // of models; 1: for any number of contacts
  [[nodiscard]] std::size_t states_in_use() const noexcept;
  [[nodiscard]] bool sees_load() const noexcept { return table_->sees_load; }
  [[nodiscard]] py::dict parameters() const;
  [[nodiscard]] py::list table() const;
  [[nodiscard]] scalar::ModelView view(std::size_t i = 0) const noexcept { return {*table_, model(i)}; }
  [[nodiscard]] scalar::AnyModel any() const { return scalar::AnyModel(view()); }  // the first

  // Loops over n states --------------------------------------------------------------------------------------------
  void at_rest(StateStore& states, const Numbers& load) const noexcept;
  void force(const StateStore& states, const Numbers& velocity, const Numbers* load, const Room& force) const noexcept;
  void rate(const StateStore& states, const Numbers& velocity, double* rates) const noexcept;
  void advance(StateStore& states, const Numbers& velocity, double dt) const noexcept;
  /// What `step` needs for n states. Made with the interpreter's lock, used without.
  using Plan = std::shared_ptr<const void>;
  Plan plan(std::size_t n);
  void step(StateStore& states, const Numbers& velocity, double dt, const Room& force, const Plan& plan) const noexcept;
  /// The forces on the body; nullptr: not given.
  struct Forces {
    const Numbers* load;
    const Numbers* motor;
    const Numbers* external;
  };
  void solve(StateStore& states, const Numbers& free_velocity, const Numbers& mobility, double dt,
             const Numbers* velocity, const Forces& forces, const Room& force, const Room& new_velocity) const noexcept;
  void transmit(StateStore& states, const Numbers& motor, const Numbers& external) const noexcept;
  void dissipated_power(const StateStore& states, const Numbers& velocity, const Room& power) const noexcept;
  void energy(const StateStore& states, const Room& energy) const noexcept;
  [[nodiscard]] std::vector<double> guards(const StateStore& state, double velocity, double load) const;
  bool transition(StateStore& state, int guard) const;  // false: there is no such guard

 private:
  [[nodiscard]] const void* model(std::size_t i) const noexcept {
    return models_.data() + (count_ == 1 ? 0 : i * stride_);
  }

  const scalar::ModelTable* table_;
  std::size_t count_;
  std::size_t stride_;          // of a model, in numbers
  std::vector<double> models_;  // their bytes, aligned for each
  Plan batch_;                  // for the number of contacts that was asked for last
  std::size_t batch_size_ = 0;
};

inline void require_kind(const ScalarModel& model, const StateStore& states) {
  if (&states.kind() != &model.kind()) {
    throw py::type_error(std::string("a state of ") + states.kind().info.name + " was given to " + model.info().name);
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

/// A state as the library's simulators have it, and back.
inline State state_of(const ScalarModel& model, const scalar::AnyState& state) {
  State result{StateStore(model.kind(), model.states_in_use(), 1)};
  std::memcpy(result.store.at(0), state.data(), model.kind().state_size);
  return result;
}
inline scalar::AnyState any_state(const ScalarModel& model, const State& state) {
  require_one(model, state);
  scalar::AnyState result(model.kind());
  std::memcpy(result.data(), state.store.at(0), model.kind().state_size);
  return result;
}

/// The continuous states, (n, number of states).
py::array_t<double> values_of(const StateStore& store);
void set_values(StateStore& store, const Table& values);

/// The model of a kind that a function needs; TypeError for another.
template <class M>
M model_of(const ScalarModelPtr& model, const char* wanted) {
  const auto any = model->any();
  if (model->count() != 1 || any.as<M>() == nullptr) {
    throw py::type_error(std::string("model: must be one ") + wanted);
  }
  return *any.as<M>();
}

void bind_control_analysis(py::module_& m);
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
double energy_of(const ScalarModel& model, const State& state);
py::array_t<double> energy_of(const ScalarModel& model, const States& states);

}  // namespace stiction::python

template <>
class pybind11::detail::type_caster<stiction::python::ScalarModelPtr>
    : public stiction::python::NotNone<stiction::python::ScalarModel> {};
