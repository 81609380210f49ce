// Every model of the registry as a class. All that differs between them comes from their own tables of parameters.
#include "scalar.h"
#include "stiction/scalar/dahl_batch.h"
#include "stiction/scalar/elasto_plastic_batch.h"
#include "stiction/scalar/gms_batch.h"
#include "stiction/scalar/lugre_batch.h"

namespace stiction::python {
namespace {

template <class M>
const typename M::State& state_at(const std::byte* at) noexcept {
  return *reinterpret_cast<const typename M::State*>(at);
}
template <class M>
typename M::State& state_at(std::byte* at) noexcept {
  return *reinterpret_cast<typename M::State*>(at);
}

template <class M>
const StateKind& kind_of() {
  using State = typename M::State;
  static_assert(std::is_trivially_copyable_v<State> && alignof(State) <= alignof(double));
  static const StateKind kind = [] {
    StateKind made{M::info.name,
                   sizeof(State),
                   M::order,
                   sizeof(State) == M::order * sizeof(double),
                   {},
                   {},
                   [](const std::byte* state, double* values) {
                     const auto packed = M::pack(state_at<M>(state));
                     if constexpr (M::order > 0) {
                       std::copy(packed.begin(), packed.end(), values);
                     }
                   },
                   [](std::byte* state, const double* values) {
                     std::array<double, M::order> packed{};
                     std::copy_n(values, M::order, packed.begin());
                     state_at<M>(state) = M::unpack(packed, state_at<M>(state));
                   },
                   [](const std::byte* state, double* values) {
                     if constexpr (scalar::Switching<M>) {
                       const auto modes = M::modes(state_at<M>(state));
                       std::copy(modes.begin(), modes.end(), values);
                     }
                   },
                   [](const std::byte* a, const std::byte* b) { return state_at<M>(a) == state_at<M>(b); }};
    made.names.assign(M::state_names.begin(), M::state_names.end());
    if constexpr (scalar::Switching<M>) {
      made.mode_names.assign(M::mode_names.begin(), M::mode_names.end());
    }
    return made;
  }();
  return kind;
}

/// The library's batch of a model, where it has one, for states that are one number.
template <class M>
struct BatchOf {
  static constexpr bool exists = false;
  struct Type {};
};
template <class M>
requires std::same_as<M, scalar::LuGre> || std::same_as<M, scalar::Dahl> || std::same_as<M, scalar::ElastoPlastic>
struct BatchOf<M> {
  static constexpr bool exists = true;
  using Type = scalar::Batch<M>;
};

template <class M>
class ModelOf final : public ScalarModel {
 public:
  explicit ModelOf(std::vector<M> models) : models_(std::move(models)) {}

  [[nodiscard]] const StateKind& kind() const noexcept override { return kind_of<M>(); }
  [[nodiscard]] const scalar::Info& info() const noexcept override { return M::info; }
  [[nodiscard]] std::size_t count() const noexcept override { return models_.size(); }
  [[nodiscard]] std::size_t states_in_use() const noexcept override {
    std::size_t most = 0;
    for (const M& model : models_) {
      most = std::max(most, scalar::states_in_use(model));
    }
    return most;
  }
  [[nodiscard]] bool sees_load() const noexcept override { return takes_load; }
  [[nodiscard]] scalar::AnyModel any() const override { return models_.front(); }
  [[nodiscard]] double velocity_scale() const noexcept override { return models_.front().velocity_scale(); }
  [[nodiscard]] const M& first() const noexcept { return models_.front(); }

  [[nodiscard]] py::dict parameters() const override {
    py::dict result;
    const auto n = static_cast<py::ssize_t>(models_.size());
    for (const auto& field : M::fields) {
      if (n == 1) {
        result[field.name] = scalar::params_of(models_[0]).*field.member;
        continue;
      }
      py::array_t<double> column(n);
      for (py::ssize_t i = 0; i < n; ++i) {
        column.mutable_at(i) = scalar::params_of(models_[static_cast<std::size_t>(i)]).*field.member;
      }
      result[field.name] = column;
    }
    if constexpr (requires { M::lists; }) {
      for (const auto& field : M::lists) {
        const auto list_of = [&](const M& model) {
          const auto params = scalar::params_of(model);
          const auto& list = params.*field.member;
          return std::vector<double>(list.begin(), list.end());
        };
        if (n == 1) {
          result[field.name] = to_array(list_of(models_[0]));
          continue;
        }
        py::list rows;
        for (const M& model : models_) {
          rows.append(to_array(list_of(model)));
        }
        result[field.name] = rows;
      }
    }
    return result;
  }
  [[nodiscard]] py::list table() const override { return table_of_parameters(); }
  static py::list table_of_parameters() {
    py::list rows;
    for (const auto& field : M::fields) {
      py::dict row;
      row["name"] = field.name;
      row["unit"] = field.unit;
      row["range"] = field.range.text;
      row["default"] = field.fallback == field.fallback ? py::object(py::float_(field.fallback)) : py::none();
      row["meaning"] = field.meaning;
      rows.append(row);
    }
    if constexpr (requires { M::lists; }) {
      for (const auto& field : M::lists) {
        py::dict row;
        row["name"] = field.name;
        row["unit"] = field.unit;
        row["range"] = std::string(field.length) + ", each " + field.range.text;
        row["default"] = py::none();
        row["meaning"] = field.meaning;
        rows.append(row);
      }
    }
    return rows;
  }

  void at_rest(StateStore& states, const Numbers& load) const noexcept override {
    for (std::size_t i = 0; i < states.size(); ++i) {
      ::new (states.at(i)) typename M::State(model(i).at_rest(load[i]));
    }
  }
  void force(const StateStore& states, const Numbers& velocity, const Numbers* load,
             const Room& force) const noexcept override {
    for (std::size_t i = 0; i < states.size(); ++i) {
      const auto& state = state_at<M>(states.at(i));
      if constexpr (takes_load) {
        if (load != nullptr) {
          force.put(i, model(i).force(state, velocity[i], (*load)[i]));
          continue;
        }
      }
      force.put(i, model(i).force(state, velocity[i]));
    }
  }
  void rate(const StateStore& states, const Numbers& velocity, double* rates) const noexcept override {
    for (std::size_t i = 0; i < states.size(); ++i) {
      const auto packed = M::pack(model(i).rate(state_at<M>(states.at(i)), velocity[i]));
      if constexpr (M::order > 0) {
        std::copy_n(packed.begin(), states.used(), rates + i * states.used());
      }
    }
  }
  void advance(StateStore& states, const Numbers& velocity, double dt) const noexcept override {
    for (std::size_t i = 0; i < states.size(); ++i) {
      auto& state = state_at<M>(states.at(i));
      state = model(i).advance(state, velocity[i], dt);
    }
  }
  Plan plan(std::size_t n) override {
    if constexpr (BatchOf<M>::exists) {
      if (n > 1 && (!batch_ || batch_->size() != n)) {
        batch_ =
            std::make_shared<typename BatchOf<M>::Type>(models_.size() == n ? models_ : std::vector<M>(n, models_[0]));
      }
      return n > 1 ? batch_ : nullptr;
    } else {
      return nullptr;
    }
  }
  void step(StateStore& states, const Numbers& velocity, double dt, const Room& force,
            const Plan& plan) const noexcept override {
    const std::size_t n = states.size();
    if constexpr (BatchOf<M>::exists) {
      if (plan && velocity.contiguous() && force.contiguous()) {
        const auto& batch = *static_cast<const typename BatchOf<M>::Type*>(plan.get());
        batch.step({reinterpret_cast<double*>(states.at(0)), n}, {static_cast<const double*>(velocity.data), n}, dt,
                   {static_cast<double*>(force.data), n});
        return;
      }
    }
    for (std::size_t i = 0; i < n; ++i) {
      auto& state = state_at<M>(states.at(i));
      const double v = velocity[i];
      if constexpr (requires(const M& m) { m.step(state, v, dt); }) {
        const auto next = model(i).step(state, v, dt);
        state = next.state;
        force.put(i, next.force);
      } else {
        state = model(i).advance(state, v, dt);
        force.put(i, model(i).force(state, v));
      }
    }
  }
  void solve(StateStore& states, const Numbers& free_velocity, const Numbers& mobility, double dt,
             const Numbers* velocity, const Numbers* load, const Room& force,
             const Room& new_velocity) const noexcept override {
    for (std::size_t i = 0; i < states.size(); ++i) {
      auto& state = state_at<M>(states.at(i));
      const double free = free_velocity[i];
      const double gain = mobility[i];
      const auto solved = [&] {
        if constexpr (scalar::SeesLoad<M>) {
          if (load != nullptr) {
            return model(i).solve(state, free, gain, dt, velocity != nullptr ? (*velocity)[i] : free, (*load)[i]);
          }
        }
        if constexpr (requires(const M& m) { m.solve(state, free, gain, dt); }) {
          if (velocity == nullptr) {
            return model(i).solve(state, free, gain, dt);
          }
        }
        return model(i).solve(state, free, gain, dt, velocity != nullptr ? (*velocity)[i] : free);
      }();
      state = solved.state;
      force.put(i, solved.force);
      new_velocity.put(i, solved.velocity);
    }
  }
  void dissipated_power(const StateStore& states, const Numbers& velocity, const Room& power) const noexcept override {
    for (std::size_t i = 0; i < states.size(); ++i) {
      power.put(i, model(i).dissipated_power(state_at<M>(states.at(i)), velocity[i]));
    }
  }
  void energy(const StateStore& states, const Room& energy) const noexcept override {
    if constexpr (has_energy) {
      for (std::size_t i = 0; i < states.size(); ++i) {
        energy.put(i, model(i).energy(state_at<M>(states.at(i))));
      }
    }
  }
  static constexpr bool has_energy = requires(const M& m, const typename M::State& s) { m.energy(s); };

  std::vector<double> guards(const StateStore& state, double velocity, double load) const override {
    if constexpr (scalar::Switching<M>) {
      const auto values = models_[0].guards(state_at<M>(state.at(0)), velocity, load);
      return {values.begin(), values.end()};
    } else {
      return {};
    }
  }
  bool transition(StateStore& state, int guard) const override {
    if constexpr (scalar::Switching<M>) {
      if (guard >= 0 && static_cast<std::size_t>(guard) < M::guard_count) {
        auto& now = state_at<M>(state.at(0));
        now = models_[0].transition(now, guard);
        return true;
      }
    }
    return false;
  }

 private:
  static constexpr bool takes_load = requires(const M& m, const typename M::State& s, double x) { m.force(s, x, x); };
  const M& model(std::size_t i) const noexcept { return models_.size() == 1 ? models_[0] : models_[i]; }

  std::vector<M> models_;
  std::shared_ptr<typename BatchOf<M>::Type> batch_;  // for the number of contacts that was asked for last
};

/// "bliman-sorine-1" to "BlimanSorine1"; two names have capitals of their own.
std::string class_name(std::string name) {
  const std::map<std::string, std::string> own{{"lugre", "LuGre"}, {"brown-mcphee", "BrownMcPhee"}};
  if (const auto found = own.find(name); found != own.end()) {
    return found->second;
  }
  std::string result;
  bool capital = true;
  for (const char c : name) {
    if (c == '-') {
      capital = true;
      continue;
    }
    result += capital && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    capital = false;
  }
  return result;
}

/// The models that keywords describe: one, or n where a parameter is an array.
template <class M>
std::vector<M> models_from(const py::kwargs& given) {
  using Params = typename M::Params;
  std::vector<std::string> known, required_names;
  for (const auto& field : M::fields) {
    known.emplace_back(field.name);
    if (field.fallback != field.fallback) {
      required_names.emplace_back(field.name);
    }
  }
  if constexpr (requires { M::lists; }) {
    for (const auto& field : M::lists) {
      known.emplace_back(field.name);
      required_names.emplace_back(field.name);
    }
  }
  check_keywords(given, known, required_names, class_name(M::info.name));

  // How many models there are follows from the arrays: a number has no length, a list one of its own.
  std::size_t n = 1;
  const auto count = [&](const char* name, const Table& values, py::ssize_t own) {
    if (values.ndim() > own + 1 || values.ndim() < own) {
      throw py::value_error(std::string(name) + " has shape " + shape_text(values) + ": must be " +
                            (own == 0 ? "a number, or (n,)" : "(k,), or (n, k)"));
    }
    if (values.ndim() == own + 1) {
      const auto length = static_cast<std::size_t>(values.shape(0));
      if (length == 0 || (n != 1 && length != n)) {
        throw py::value_error(std::string(name) + " is for " + std::to_string(length) + " models, others for " +
                              std::to_string(n));
      }
      n = length;
    }
  };
  std::map<std::string, Table> columns;
  for (const auto& name : known) {
    if (given.contains(name.c_str())) {
      columns.emplace(name, Table(numbers_of(given[name.c_str()], name.c_str())));
    }
  }
  for (const auto& field : M::fields) {
    if (const auto found = columns.find(field.name); found != columns.end()) {
      count(field.name, found->second, 0);
    }
  }
  if constexpr (requires { M::lists; }) {
    for (const auto& field : M::lists) {
      count(field.name, columns.at(field.name), 1);
    }
  }

  std::vector<M> models;
  models.reserve(n);
  for (std::size_t i = 0; i < n; ++i) {
    Params params{};
    for (const auto& field : M::fields) {
      const auto found = columns.find(field.name);
      params.*field.member =
          found == columns.end() ? field.fallback : found->second.data()[found->second.ndim() == 0 ? 0 : i];
    }
    if constexpr (requires { M::lists; }) {
      for (const auto& field : M::lists) {
        const Table& values = columns.at(field.name);
        const auto length = static_cast<std::size_t>(values.shape(values.ndim() - 1));
        const double* const row = values.data() + (values.ndim() == 2 ? i * length : 0);
        for (std::size_t k = 0; k < length; ++k) {
          (params.*field.member).push_back(row[k]);
        }
      }
    }
    if (const auto problem = M::check(params)) {
      throw py::value_error(InvalidParameter::describe(*problem) +
                            (n > 1 ? " (model " + std::to_string(i) + " of " + std::to_string(n) + ")" : ""));
    }
    models.emplace_back(params);
  }
  return models;
}

template <class M>
std::string doc_of() {
  std::string text = std::string(M::info.title) + ".\n\n    " + M::info.equation + "\n\nSource: " + M::info.source +
                     ".\n\nParameters, all by keyword; an array of n gives n models:\n" + describe_fields(M::fields);
  if constexpr (requires { M::lists; }) {
    for (const auto& field : M::lists) {
      text += std::string("    ") + field.name + " [" + field.unit + "]: " + field.meaning + "; " + field.length +
              ", each " + field.range.text + "\n";
    }
  }
  return text;
}

template <class M>
void bind_model(py::module_& module) {
  using Class = ModelOf<M>;
  auto bound = py::class_<Class, ScalarModel, std::shared_ptr<Class>>(module, class_name(M::info.name).c_str(),
                                                                      doc_of<M>().c_str());
  bound.def(py::init([](const py::kwargs& given) { return std::make_shared<Class>(models_from<M>(given)); }));
  bound.attr("name") = M::info.name;
  bound.attr("title") = M::info.title;
  bound.attr("equation") = M::info.equation;
  bound.attr("source") = M::info.source;
  bound.attr("fields") = py::tuple(Class::table_of_parameters());
  bound.attr("mode_names") = py::tuple(py::cast(kind_of<M>().mode_names));
  if constexpr (Class::has_energy) {
    bound.def(
        "energy", [](const Class& self, const py::object& state) { return energy_of(self, state); }, py::arg("state"),
        "Elastic energy [J] of a State, or of each of States.");
  }
  if constexpr (requires(const M& m, double x) { m.steady_force(x); }) {
    bound.def(
        "steady_force", [](const Class& self, double velocity) { return self.first().steady_force(velocity); },
        py::arg("velocity"), "Friction after sliding at this velocity [m/s] for long [N].");
  }
  if constexpr (requires(const M& m, double x) { m.breakaway_force(x); }) {
    bound.def(
        "breakaway_force", [](const Class& self, double direction) { return self.first().breakaway_force(direction); },
        py::arg("direction") = 1.0, "The largest load that is held at rest [N], in the direction of a sign.");
  }
  if constexpr (requires(const M& m, double x) { m.linearised(x); }) {
    bound.def(
        "linearised",
        [](const Class& self, double mass) {
          const auto linear = self.first().linearised(mass);
          return py::make_tuple(linear.natural_frequency, linear.damping_ratio);
        },
        py::arg("mass"), "(natural frequency [rad/s], damping ratio [-]) of small motions of a mass [kg].");
  }
  if constexpr (requires(const M& m, double x) { m.dissipativity_margin(x); }) {
    bound.def(
        "dissipativity_margin",
        [](const Class& self, double velocity) { return self.first().dissipativity_margin(velocity); },
        py::arg("velocity"), "4 g(v) - σ1(v)|v| [N]: positive where dissipation is proven.");
  }
  if constexpr (requires(const M& m) { m.largest_deflection(); }) {
    bound.def(
        "largest_deflection", [](const Class& self) { return self.first().largest_deflection(); },
        "F_S/σ0, the largest that is reached from rest [m].");
  }
}

}  // namespace

ScalarModelPtr make_scalar(const scalar::AnyModel& model) {
  return std::visit(
      []<class M>(const M& chosen) -> ScalarModelPtr { return std::make_shared<ModelOf<M>>(std::vector<M>{chosen}); },
      model);
}

void bind_scalar_models(py::module_& module, py::class_<ScalarModel, ScalarModelPtr>&) {
  scalar::for_each_model([&]<class M>(std::type_identity<M>) { bind_model<M>(module); });
}

}  // namespace stiction::python
