// A model chosen at run time. Each model is compiled once, behind a table of functions; whatever runs offline
// (simulation, experiments, C, Python, command line) goes through it.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <new>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>

#include "stiction/export.h"
#include "stiction/scalar/model_table.h"

namespace stiction::scalar {

/// A short list of numbers, whose length depends on the model.
template <std::size_t Capacity>
class Numbers {
 public:
  explicit Numbers(std::size_t size) noexcept : size_(size) {}
  void resize(std::size_t size) noexcept { size_ = size; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] double* data() noexcept { return values_.data(); }
  [[nodiscard]] const double* data() const noexcept { return values_.data(); }
  [[nodiscard]] double* begin() noexcept { return values_.data(); }
  [[nodiscard]] const double* begin() const noexcept { return values_.data(); }
  [[nodiscard]] double* end() noexcept { return values_.data() + size_; }
  [[nodiscard]] const double* end() const noexcept { return values_.data() + size_; }
  double& operator[](std::size_t i) noexcept { return values_[i]; }
  const double& operator[](std::size_t i) const noexcept { return values_[i]; }
  friend bool operator==(const Numbers& a, const Numbers& b) noexcept {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  std::array<double, Capacity> values_;  // NOLINT(cppcoreguidelines-pro-type-member-init): the first size_ are written
  std::size_t size_;
};

/// Plain data of a type that only its table knows. Copies only the bytes of that type.
template <std::size_t Capacity, std::size_t ModelTable::*Size>
class PlainData {
 public:
  PlainData() noexcept {}  // NOLINT(modernize-use-equals-default): = default would clear the storage
  explicit PlainData(const ModelTable& table) noexcept : table_(&table) {}
  PlainData(const PlainData& other) noexcept : table_(other.table_) { copy(other); }
  PlainData& operator=(const PlainData& other) noexcept {
    if (this != &other) {
      table_ = other.table_;
      copy(other);
    }
    return *this;
  }
  ~PlainData() = default;

  [[nodiscard]] const ModelTable* table() const noexcept { return table_; }
  [[nodiscard]] void* data() noexcept { return storage_.data(); }
  [[nodiscard]] const void* data() const noexcept { return storage_.data(); }

 protected:
  template <class T>
  PlainData(const ModelTable& table, const T& value) noexcept : table_(&table) {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= Capacity && alignof(T) <= alignof(double));
    ::new (data()) T(value);
  }

 private:
  void copy(const PlainData& other) noexcept {
    if (table_ != nullptr) {
      std::memcpy(data(), other.data(), table_->*Size);
    }
  }

  const ModelTable* table_ = nullptr;
  alignas(double) std::array<std::byte, Capacity> storage_;  // NOLINT(cppcoreguidelines-pro-type-member-init): as above
};

/// The state of any model: a value.
class AnyState : public PlainData<2304, &ModelTable::state_size> {
 public:
  /// Without a model; can only be assigned to.
  AnyState() noexcept {}  // NOLINT(modernize-use-equals-default): as above
  /// The initial state of a model, at rest without load.
  explicit AnyState(const ModelTable& table) noexcept : PlainData(table) { table.initial(data()); }
  template <class State>
  AnyState(const ModelTable& table, const State& state) noexcept : PlainData(table, state) {}

  /// The state in the model's own type; the model must be an M.
  template <class M>
  [[nodiscard]] const typename M::State& as() const noexcept {
    return *static_cast<const typename M::State*>(data());
  }
  friend bool operator==(const AnyState& a, const AnyState& b) noexcept {
    return a.table() == b.table() && (a.table() == nullptr || a.table()->equal(a.data(), b.data()));
  }
};

/// The calls of a model behind its table, with the names of the models' own. `Self` provides table() and object().
template <class Self>
class ModelCalls {
 public:
  using State = AnyState;
  static constexpr std::size_t order = 64;        // at most
  static constexpr std::size_t guard_count = 65;  // at most
  using States = Numbers<order>;
  using Guards = Numbers<guard_count>;
  using Modes = Numbers<4>;

  [[nodiscard]] const Info& info() const noexcept { return table().info; }
  [[nodiscard]] const char* name() const noexcept { return info().name; }

  static States pack(const State& state) noexcept {
    States values(state.table()->order);
    state.table()->pack(state.data(), values.data());
    return values;
  }
  static State unpack(const States& values, State state) noexcept {
    state.table()->unpack(values.data(), state.data());
    return state;
  }
  static Modes modes(const State& state) noexcept {
    Modes values(state.table()->mode_names.size());
    state.table()->modes(state.data(), values.data());
    return values;
  }

  [[nodiscard]] std::size_t states_in_use() const noexcept { return table().states_in_use(object()); }
  [[nodiscard]] States typical() const noexcept {
    States values(table().order);
    table().typical(object(), values.data());
    return values;
  }
  [[nodiscard]] double velocity_scale() const noexcept { return table().velocity_scale(object()); }

  [[nodiscard]] State initial() const noexcept { return State(table()); }
  [[nodiscard]] State at_rest(double load) const noexcept {
    State state(table());
    table().at_rest(object(), load, state.data());
    return state;
  }
  [[nodiscard]] State rate(const State& state, double velocity) const noexcept {
    State result(table());
    table().rate(object(), state.data(), velocity, result.data());
    return result;
  }
  [[nodiscard]] double force(const State& state, double velocity) const noexcept {
    return table().force(object(), state.data(), velocity);
  }
  /// As `force`, also for models whose friction depends on the load or that stick.
  [[nodiscard]] double force(const State& state, double velocity, double load) const noexcept {
    return table().force_under_load(object(), state.data(), velocity, load);
  }
  [[nodiscard]] State advance(State state, double velocity, double dt) const noexcept {
    table().advance(object(), state.data(), velocity, dt);
    return state;
  }
  [[nodiscard]] Solved<State, double> step(State state, double velocity, double dt) const noexcept {
    const double force = table().step(object(), state.data(), velocity, dt);
    return {force, velocity, state};
  }
  [[nodiscard]] Solved<State, double> solve(State state, const CoupledStep<double>& step) const noexcept {
    const Response response = table().solve(object(), state.data(), step);
    return {response.force, response.velocity, state};
  }
  [[nodiscard]] bool one_root(double mobility, double dt) const noexcept {
    return table().one_root(object(), mobility, dt);
  }
  [[nodiscard]] double dissipated_power(const State& state, double velocity) const noexcept {
    return table().dissipated_power(object(), state.data(), velocity);
  }
  [[nodiscard]] double energy(const State& state) const noexcept { return table().energy(object(), state.data()); }

  /// The model itself if it is an M, otherwise nullptr.
  template <Model M>
  [[nodiscard]] const M* as() const noexcept {
    return &table() == &TableOf<M>::value ? static_cast<const M*>(object()) : nullptr;
  }

  static State transmitting(State state, const Transmitted<double>& forces) noexcept {
    state.table()->transmit(state.data(), forces);
    return state;
  }
  [[nodiscard]] bool follows_load() const noexcept { return table().follows_load; }
  [[nodiscard]] Guards guards(const State& state, double velocity, double load) const noexcept {
    Guards values(table().guard_count);
    table().guards(object(), state.data(), velocity, load, values.data());
    return values;
  }
  [[nodiscard]] State transition(State state, int guard) const noexcept {
    table().transition(object(), state.data(), guard);
    return state;
  }
  static bool held(const State& state) noexcept { return state.table()->held(state.data()); }
  [[nodiscard]] double velocity_after(const State& state, double velocity) const noexcept {
    return table().velocity_after(object(), state.data(), velocity);
  }
  [[nodiscard]] double output_velocity(const State& state, double velocity) const noexcept {
    return table().output_velocity(object(), state.data(), velocity);
  }
  [[nodiscard]] double delay() const noexcept { return table().delay(object()); }
  [[nodiscard]] State record(State state, double velocity) const noexcept {
    table().record(object(), state.data(), velocity);
    return state;
  }

 private:
  friend Self;
  ModelCalls() = default;
  [[nodiscard]] const ModelTable& table() const noexcept { return *static_cast<const Self&>(*this).table(); }
  [[nodiscard]] const void* object() const noexcept { return static_cast<const Self&>(*this).data(); }
};

/// Refers to a model that must outlive it.
class ModelView : public ModelCalls<ModelView> {
 public:
  ModelView(const ModelTable& table, const void* model) noexcept : table_(&table), model_(model) {}
  template <Model M>
  explicit ModelView(const M& model) noexcept : ModelView(TableOf<M>::value, &model) {}

  [[nodiscard]] const ModelTable* table() const noexcept { return table_; }
  [[nodiscard]] const void* data() const noexcept { return model_; }

 private:
  const ModelTable* table_;
  const void* model_;
};

/// The parameters of any model, by their order in `parameters()`.
class AnyParams : public PlainData<704, &ModelTable::params_size> {
 public:
  using Values = Numbers<704 / sizeof(double)>;

  /// Defaults; NaN where a parameter is required.
  explicit AnyParams(const ModelTable& table) noexcept : PlainData(table) { table.default_params(data()); }

  [[nodiscard]] std::span<const Parameter> parameters() const noexcept { return table()->parameters; }
  /// The index of a parameter; parameters().size() if there is none of that name.
  [[nodiscard]] std::size_t find(std::string_view name) const noexcept {
    const auto all = parameters();
    return static_cast<std::size_t>(
        std::find_if(all.begin(), all.end(), [&](const Parameter& p) { return p.name == name; }) - all.begin());
  }
  /// One number, or those of a list.
  [[nodiscard]] Values values(std::size_t parameter) const noexcept {
    Values result(0);
    result.resize(table()->values(data(), parameter, result.data()));
    return result;
  }
  [[nodiscard]] double value(std::size_t parameter) const noexcept { return values(parameter)[0]; }
  /// Replaces a number or a list. Returns a problem for an integer parameter that would not be an integer or is out of
  /// range; everything else is stored, and left to `check`.
  std::optional<Problem> assign(std::size_t parameter, std::span<const double> values) noexcept {
    return table()->assign(data(), parameter, values.data(), values.size());
  }
  std::optional<Problem> assign(std::size_t parameter, double value) noexcept { return assign(parameter, {&value, 1}); }
  [[nodiscard]] std::optional<Problem> check() const noexcept { return table()->check(data()); }

  friend bool operator==(const AnyParams& a, const AnyParams& b) noexcept {
    bool same = a.table() == b.table();
    for (std::size_t i = 0; same && i < a.parameters().size(); ++i) {
      same = a.values(i) == b.values(i);
    }
    return same;
  }
};

/// Owns a model of any type: a value.
class AnyModel : public PlainData<704, &ModelTable::model_size>, public ModelCalls<AnyModel> {
 public:
  template <Model M>
  AnyModel(const M& model) noexcept  // NOLINT: any model will do
      : PlainData(TableOf<M>::value, model) {}
  /// A copy of the model that the view refers to.
  explicit AnyModel(const ModelView& view) noexcept : PlainData(*view.table()) {
    std::memcpy(data(), view.data(), view.table()->model_size);
  }
  /// For parameters that `check` has passed.
  explicit AnyModel(const AnyParams& params) noexcept : PlainData(*params.table()) {
    params.table()->construct(params.data(), data());
  }
#if defined(__cpp_exceptions)
  /// Throws InvalidParameter.
  static AnyModel make(const AnyParams& params) {
    if (const auto problem = params.check()) {
      throw InvalidParameter(*problem);
    }
    return AnyModel(params);
  }
#endif
  operator ModelView() const noexcept { return {*table(), data()}; }  // NOLINT: the same calls

  [[nodiscard]] AnyParams params() const noexcept {
    AnyParams params(*table());
    table()->params_of(data(), params.data());
    return params;
  }
  using PlainData::data;
  using PlainData::table;
};

/// The registered models, in the order of registry.h.
STICTION_EXPORT std::span<const ModelTable* const> registered_models() noexcept;
/// The one of that name, or nullptr.
STICTION_EXPORT const ModelTable* find_model(std::string_view name) noexcept;

}  // namespace stiction::scalar
