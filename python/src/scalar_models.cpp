// Every model of the registry as a class. All that differs between them comes from their own tables of parameters.
#include <cstring>

#include "scalar.h"
#include "stiction/scalar/dahl_batch.h"
#include "stiction/scalar/elasto_plastic_batch.h"
#include "stiction/scalar/gms_batch.h"
#include "stiction/scalar/lugre_batch.h"
#include "stiction/scalar/registry.h"

namespace stiction::python {
namespace {

/// The class of one model in Python.
template <class M>
struct ModelOf final : ScalarModel {
  using ScalarModel::ScalarModel;
};

/// The library's batch of a model, where it has one, for states that are one number.
template <class M>
ScalarModel::Plan batch_of(const std::vector<scalar::ModelView>& views) {
  std::vector<M> models;
  models.reserve(views.size());
  for (const scalar::ModelView& view : views) {
    models.push_back(*view.as<M>());
  }
  return std::make_shared<scalar::Batch<M>>(models);
}
template <class M>
void step_batch(const ScalarModel::Plan& plan, StateStore& states, const Numbers& velocity, double dt,
                const Room& force) noexcept {
  const std::size_t n = states.size();
  static_cast<const scalar::Batch<M>*>(plan.get())
      ->step({reinterpret_cast<double*>(states.at(0)), n}, {static_cast<const double*>(velocity.data), n}, dt,
             {static_cast<double*>(force.data), n});
}

/// Calls visit(std::type_identity<M>{}) if the model is one for which the library has a batch.
template <class Visitor>
void with_batched(const scalar::ModelTable& table, const Visitor& visit) {
  const auto try_one = [&]<class M>(std::type_identity<M> type) {
    if (&table == &scalar::TableOf<M>::value) {
      visit(type);
    }
  };
  try_one(std::type_identity<scalar::LuGre>{});
  try_one(std::type_identity<scalar::Dahl>{});
  try_one(std::type_identity<scalar::ElastoPlastic>{});
}

py::object number_of(const scalar::Parameter& p, double value) {
  return p.is_integer ? py::object(py::int_(static_cast<std::int64_t>(value))) : py::object(py::float_(value));
}

py::list table_of_parameters(const scalar::ModelTable& table) {
  py::list rows;
  for (const scalar::Parameter& p : table.parameters) {
    py::dict row;
    row["name"] = p.name;
    row["unit"] = p.unit;
    row["range"] = p.capacity == 0 ? std::string(p.range.text) : std::string(p.length) + ", each " + p.range.text;
    row["default"] = p.fallback == p.fallback ? number_of(p, p.fallback) : py::none();
    row["meaning"] = p.meaning;
    rows.append(row);
  }
  return rows;
}

/// "bliman-sorine-1" to "BlimanSorine1"; two names have capitals of their own.
std::string class_name(std::string name) {
  const std::map<std::string, std::string> own{
      {"lugre", "LuGre"}, {"gear-lugre", "GearLuGre"}, {"brown-mcphee", "BrownMcPhee"}};
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
std::vector<scalar::AnyModel> models_from(const scalar::ModelTable& table, const py::kwargs& given) {
  std::vector<std::string> known, required_names;
  for (const scalar::Parameter& p : table.parameters) {
    known.emplace_back(p.name);
    if (p.fallback != p.fallback) {
      required_names.emplace_back(p.name);
    }
  }
  check_keywords(given, known, required_names, class_name(table.info.name));

  // How many models there are follows from the arrays: a number has no length, a list one of its own.
  std::size_t n = 1;
  std::vector<std::optional<Table>> columns;
  for (const scalar::Parameter& p : table.parameters) {
    if (!given.contains(p.name)) {
      columns.emplace_back();
      continue;
    }
    const Table& values = columns.emplace_back(numbers_of(given[p.name], p.name)).value();
    const py::ssize_t own = p.capacity == 0 ? 0 : 1;
    if (values.ndim() > own + 1 || values.ndim() < own) {
      throw py::value_error(std::string(p.name) + " has shape " + shape_text(values) + ": must be " +
                            (own == 0 ? "a number, or (n,)" : "(k,), or (n, k)"));
    }
    if (values.ndim() == own + 1) {
      const auto length = static_cast<std::size_t>(values.shape(0));
      if (length == 0 || (n != 1 && length != n)) {
        throw py::value_error(std::string(p.name) + " is for " + std::to_string(length) + " models, others for " +
                              std::to_string(n));
      }
      n = length;
    }
  }

  std::vector<scalar::AnyModel> models;
  models.reserve(n);
  for (std::size_t i = 0; i < n; ++i) {
    scalar::AnyParams params(table);
    std::optional<Problem> problem;
    for (std::size_t k = 0; k < columns.size() && !problem; ++k) {
      if (!columns[k]) {
        continue;
      }
      const Table& values = *columns[k];
      const bool is_list = table.parameters[k].capacity > 0;
      const std::size_t length = is_list ? static_cast<std::size_t>(values.shape(values.ndim() - 1)) : 1;
      const bool for_each = values.ndim() == (is_list ? 2 : 1);
      problem = params.assign(k, std::span(values.data() + (for_each ? i * length : 0), length));
    }
    problem = problem ? problem : params.check();
    if (problem) {
      throw py::value_error(InvalidParameter::describe(*problem) +
                            (n > 1 ? " (model " + std::to_string(i) + " of " + std::to_string(n) + ")" : ""));
    }
    models.emplace_back(params);
  }
  return models;
}

/// The page of docs/models/ about a model: those of its name, or where it is beside others.
std::string page_of(const std::string& name) {
  const std::map<std::string, std::string> others{{"asymmetric-stribeck", "stribeck"},
                                                  {"bliman-sorine-1", "bliman-sorine"},
                                                  {"bliman-sorine-2", "bliman-sorine"},
                                                  {"gear-elasto-plastic", "gear"},
                                                  {"gear-lugre", "gear"},
                                                  {"karnopp-original", "karnopp"},
                                                  {"load-dependent-dahl", "load-dependent"},
                                                  {"load-dependent-stribeck", "load-dependent"}};
  const auto found = others.find(name);
  return "docs/models/" + (found == others.end() ? name : found->second) + ".md";
}

std::string listed(std::span<const char* const> names, const char* none) {
  std::string text;
  for (const char* name : names) {
    text += (text.empty() ? "" : ", ") + std::string(name);
  }
  return text.empty() ? none : text;
}

std::string doc_of(const scalar::ModelTable& table) {
  std::string text = std::string(table.info.title) + ".\n\n    " + table.info.equation +
                     "\n\nStates: " + listed(table.state_names, "none") +
                     ". Modes: " + listed(table.mode_names, "none") + ".\nSource: " + table.info.source +
                     ".\nMore: " + page_of(table.info.name) + ", and `stiction models " + table.info.name +
                     "`.\n\nParameters, all by keyword; an array of n gives n models:\n";
  for (const scalar::Parameter& p : table.parameters) {
    text += p.capacity == 0 ? describe_fields(std::span(&p, 1))
                            : std::string("    ") + p.name + " [" + p.unit + "]: " + p.meaning + "; " + p.length +
                                  ", each " + p.range.text + "\n";
  }
  return text;
}

template <class M>
void bind_model(py::module_& module) {
  using Class = ModelOf<M>;
  const scalar::ModelTable& table = scalar::TableOf<M>::value;
  auto bound = py::class_<Class, ScalarModel, std::shared_ptr<Class>>(module, class_name(M::info.name).c_str(),
                                                                      doc_of(table).c_str());
  bound.def(py::init([](const py::kwargs& given) {
    const scalar::ModelTable& own = scalar::TableOf<M>::value;
    return std::make_shared<Class>(own, models_from(own, given));
  }));
  bound.attr("name") = M::info.name;
  bound.attr("title") = M::info.title;
  bound.attr("equation") = M::info.equation;
  bound.attr("source") = M::info.source;
  bound.attr("fields") = py::tuple(table_of_parameters(table));
  bound.attr("mode_names") = py::tuple(py::cast(names_of(table.mode_names)));
  if (table.has_energy) {
    bound
        .def(
            "energy", [](const Class& self, const State& state) { return energy_of(self, state); }, py::arg("state"),
            "Elastic energy [J] of a State.")
        .def(
            "energy", [](const Class& self, const States& states) { return energy_of(self, states); },
            py::arg("states"), "Of each of States.");
  }
  if constexpr (requires(const M& m, double x) { m.steady_force(x); }) {
    bound.def(
        "steady_force",
        [](const Class& self, double velocity) { return self.view().template as<M>()->steady_force(velocity); },
        py::arg("velocity"), "Friction after sliding at this velocity [m/s] for long [N].");
  }
  if constexpr (requires(const M& m, double x) { m.breakaway_force(x); }) {
    bound.def(
        "breakaway_force",
        [](const Class& self, double direction) { return self.view().template as<M>()->breakaway_force(direction); },
        py::arg("direction") = 1.0, "The largest load that is held at rest [N], in the direction of a sign.");
  }
  if constexpr (requires(const M& m, double x) { m.linearised(x); }) {
    bound.def(
        "linearised",
        [](const Class& self, double mass) {
          const auto linear = self.view().template as<M>()->linearised(mass);
          return std::pair(linear.natural_frequency, linear.damping_ratio);
        },
        py::arg("mass"), "(natural frequency [rad/s], damping ratio [-]) of small motions of a mass [kg].");
  }
  if constexpr (requires(const M& m, double x) { m.dissipativity_margin(x); }) {
    bound.def(
        "dissipativity_margin",
        [](const Class& self, double velocity) { return self.view().template as<M>()->dissipativity_margin(velocity); },
        py::arg("velocity"), "4 g(v) - σ1(v)|v| [N]: positive where dissipation is proven.");
  }
  if constexpr (requires(const M& m) { m.largest_deflection(); }) {
    bound.def(
        "largest_deflection", [](const Class& self) { return self.view().template as<M>()->largest_deflection(); },
        "F_S/σ0, the largest that is reached from rest [m].");
  }
}

}  // namespace

ScalarModelPtr make_scalar(const scalar::AnyModel& model) {
  ScalarModelPtr result;
  scalar::for_each_model([&]<class M>(std::type_identity<M>) {
    if (model.as<M>() != nullptr) {
      result = std::make_shared<ModelOf<M>>(*model.table(), std::vector{model});
    }
  });
  return result;
}

ScalarModel::ScalarModel(const scalar::ModelTable& table, const std::vector<scalar::AnyModel>& models)
    : table_(&table),
      count_(models.size()),
      stride_((table.model_size + sizeof(double) - 1) / sizeof(double)),
      models_(stride_ * models.size()) {
  for (std::size_t i = 0; i < models.size(); ++i) {
    std::memcpy(models_.data() + i * stride_, models[i].data(), table.model_size);
  }
}

std::size_t ScalarModel::states_in_use() const noexcept {
  std::size_t largest = 0;
  for (std::size_t i = 0; i < count_; ++i) {
    largest = std::max(largest, view(i).states_in_use());
  }
  return largest;
}

py::dict ScalarModel::parameters() const {
  py::dict result;
  const auto params_of = [&](std::size_t i) { return scalar::AnyModel(view(i)).params(); };
  const auto n = static_cast<py::ssize_t>(count_);
  for (std::size_t k = 0; k < table_->parameters.size(); ++k) {
    const scalar::Parameter& p = table_->parameters[k];
    const auto list_of = [&](std::size_t i) {
      const scalar::AnyParams params = params_of(i);
      const auto values = params.values(k);
      return std::vector<double>(values.begin(), values.end());
    };
    if (count_ == 1) {
      const auto values = list_of(0);
      result[p.name] = p.capacity == 0 ? number_of(p, values[0]) : py::object(to_array(values));
    } else if (p.capacity == 0) {
      py::array_t<double> column(n);
      for (std::size_t i = 0; i < count_; ++i) {
        column.mutable_at(static_cast<py::ssize_t>(i)) = list_of(i)[0];
      }
      result[p.name] = p.is_integer ? column.attr("astype")("int64") : py::object(column);
    } else {
      py::list rows;
      for (std::size_t i = 0; i < count_; ++i) {
        rows.append(to_array(list_of(i)));
      }
      result[p.name] = rows;
    }
  }
  return result;
}
py::list ScalarModel::table() const { return table_of_parameters(*table_); }

void ScalarModel::at_rest(StateStore& states, const Numbers& load) const noexcept {
  for (std::size_t i = 0; i < states.size(); ++i) {
    table_->at_rest(model(i), load[i], states.at(i));
  }
}
void ScalarModel::force(const StateStore& states, const Numbers& velocity, const Numbers* load,
                        const Room& force) const noexcept {
  for (std::size_t i = 0; i < states.size(); ++i) {
    force.put(i, load != nullptr ? table_->force_under_load(model(i), states.at(i), velocity[i], (*load)[i])
                                 : table_->force(model(i), states.at(i), velocity[i]));
  }
}
void ScalarModel::rate(const StateStore& states, const Numbers& velocity, double* rates) const noexcept {
  for (std::size_t i = 0; i < states.size(); ++i) {
    scalar::AnyState rate(*table_);
    table_->rate(model(i), states.at(i), velocity[i], rate.data());
    std::copy_n(scalar::AnyModel::pack(rate).begin(), states.used(), rates + i * states.used());
  }
}
void ScalarModel::advance(StateStore& states, const Numbers& velocity, double dt) const noexcept {
  for (std::size_t i = 0; i < states.size(); ++i) {
    table_->advance(model(i), states.at(i), velocity[i], dt);
  }
}
ScalarModel::Plan ScalarModel::plan(std::size_t n) {
  if (n > 1 && batch_size_ != n) {
    with_batched(*table_, [&]<class M>(std::type_identity<M>) {
      std::vector<scalar::ModelView> views;
      for (std::size_t i = 0; i < n; ++i) {
        views.push_back(view(i));
      }
      batch_ = batch_of<M>(views);
      batch_size_ = n;
    });
  }
  return n > 1 ? batch_ : nullptr;
}
void ScalarModel::step(StateStore& states, const Numbers& velocity, double dt, const Room& force,
                       const Plan& plan) const noexcept {
  if (plan && velocity.contiguous() && force.contiguous()) {
    with_batched(*table_, [&]<class M>(std::type_identity<M>) { step_batch<M>(plan, states, velocity, dt, force); });
    return;
  }
  for (std::size_t i = 0; i < states.size(); ++i) {
    force.put(i, table_->step(model(i), states.at(i), velocity[i], dt));
  }
}
void ScalarModel::solve(StateStore& states, const Numbers& free_velocity, const Numbers& mobility, double dt,
                        const Numbers* velocity, const Forces& forces, const Room& force,
                        const Room& new_velocity) const noexcept {
  const auto given = [](const Numbers* numbers, std::size_t i) {
    return numbers != nullptr ? std::optional((*numbers)[i]) : std::nullopt;
  };
  for (std::size_t i = 0; i < states.size(); ++i) {
    const double free = free_velocity[i];
    const auto response = table_->solve(model(i), states.at(i),
                                        {.free_velocity = free,
                                         .mobility = mobility[i],
                                         .velocity = velocity != nullptr ? (*velocity)[i] : free,
                                         .dt = dt,
                                         .load = given(forces.load, i),
                                         .motor_force = given(forces.motor, i),
                                         .external_force = given(forces.external, i)});
    force.put(i, response.force);
    new_velocity.put(i, response.velocity);
  }
}
void ScalarModel::transmit(StateStore& states, const Numbers& motor, const Numbers& external) const noexcept {
  for (std::size_t i = 0; i < states.size(); ++i) {
    table_->transmit(states.at(i), {motor[i], external[i]});
  }
}
void ScalarModel::dissipated_power(const StateStore& states, const Numbers& velocity,
                                   const Room& power) const noexcept {
  for (std::size_t i = 0; i < states.size(); ++i) {
    power.put(i, table_->dissipated_power(model(i), states.at(i), velocity[i]));
  }
}
void ScalarModel::energy(const StateStore& states, const Room& energy) const noexcept {
  for (std::size_t i = 0; i < states.size(); ++i) {
    energy.put(i, table_->energy(model(i), states.at(i)));
  }
}
std::vector<double> ScalarModel::guards(const StateStore& state, double velocity, double load) const {
  std::vector<double> values(table_->guard_count);
  table_->guards(model(0), state.at(0), velocity, load, values.data());
  return values;
}
bool ScalarModel::transition(StateStore& state, int guard) const {
  if (guard < 0 || static_cast<std::size_t>(guard) >= table_->guard_count) {
    return false;
  }
  table_->transition(model(0), state.at(0), guard);
  return true;
}

void bind_scalar_models(py::module_& module, py::class_<ScalarModel, ScalarModelPtr>&) {
  scalar::for_each_model([&]<class M>(std::type_identity<M>) { bind_model<M>(module); });
}

}  // namespace stiction::python
