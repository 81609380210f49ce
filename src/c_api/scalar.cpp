#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <memory>

#include "error.h"
#include "stiction/scalar/any_model.h"

using stiction::Problem;
using stiction::c_api::failed;
using stiction::c_api::failed_about;
using stiction::c_api::null_pointer;
using stiction::c_api::usable_dt;
namespace scalar = stiction::scalar;

struct stiction_model {
  scalar::AnyModel model;
};

namespace {

int unknown_model(const char* name) noexcept { return failed_about(STICTION_UNKNOWN, "there is no model", name, ""); }

int read_parameters(const stiction_parameter* given, std::size_t count, scalar::AnyParams& params) noexcept {
  for (std::size_t i = 0; i < count; ++i) {
    const stiction_parameter& parameter = given[i];
    if (parameter.name == nullptr || (parameter.values == nullptr && parameter.count > 0)) {
      return null_pointer();
    }
    for (std::size_t k = 0; k < i; ++k) {
      if (std::strcmp(parameter.name, given[k].name) == 0) {
        return failed_about(STICTION_INVALID, "the parameter", parameter.name, " is given twice");
      }
    }
    const std::size_t found = params.find(parameter.name);
    if (found == params.parameters().size()) {
      std::array<char, 64> before{};
      std::snprintf(before.data(), before.size(), "%s has no parameter", params.table()->info.name);
      return failed_about(STICTION_UNKNOWN, before.data(), parameter.name, "");
    }
    const scalar::Parameter& known = params.parameters()[found];
    const double length = static_cast<double>(parameter.count);
    if (known.capacity == 0 && parameter.count != 1) {
      return failed(Problem{known.name, length, "one number", true});
    }
    if (known.capacity > 0 && parameter.count > known.capacity) {  // further numbers are not read
      return failed(Problem{known.name, length, known.length, true});
    }
    if (const auto problem = params.assign(found, std::span(parameter.values, parameter.count))) {
      return failed(*problem);
    }
  }
  if (const auto problem = params.check()) {
    return failed(*problem);
  }
  return STICTION_OK;
}

}  // namespace

std::size_t stiction_model_count(void) { return scalar::registered_models().size(); }

const char* stiction_model_name(std::size_t index) {
  const auto models = scalar::registered_models();
  return index < models.size() ? models[index]->info.name : nullptr;
}

std::size_t stiction_parameter_count(const char* model_name) {
  const scalar::ModelTable* table = model_name == nullptr ? nullptr : scalar::find_model(model_name);
  return table == nullptr ? 0 : table->parameters.size();
}

int stiction_parameter_at(const char* model_name, std::size_t index, stiction_parameter_info* info) {
  if (model_name == nullptr || info == nullptr) {
    return null_pointer();
  }
  const scalar::ModelTable* table = scalar::find_model(model_name);
  if (table == nullptr) {
    return unknown_model(model_name);
  }
  if (index >= table->parameters.size()) {
    return failed(STICTION_UNKNOWN, "there is no such parameter");
  }
  const scalar::Parameter& p = table->parameters[index];
  *info = {p.name, p.unit, p.range.text, p.meaning, p.fallback, p.capacity > 0 ? 1 : 0};
  return STICTION_OK;
}

int stiction_model_create(const char* name, const stiction_parameter* parameters, std::size_t count,
                          stiction_model** model) {
  if (model != nullptr) {
    *model = nullptr;
  }
  if (name == nullptr || model == nullptr || (parameters == nullptr && count > 0)) {
    return null_pointer();
  }
  const scalar::ModelTable* table = scalar::find_model(name);
  if (table == nullptr) {
    return unknown_model(name);
  }
  scalar::AnyParams params(*table);
  if (const int status = read_parameters(parameters, count, params); status != STICTION_OK) {
    return status;
  }
  return stiction::c_api::guarded(
      [&] { *model = std::make_unique<stiction_model>(stiction_model{scalar::AnyModel(params)}).release(); });
}

void stiction_model_free(stiction_model* model) { const std::unique_ptr<stiction_model> owned(model); }

std::size_t stiction_state_size(const stiction_model* model) {
  return model == nullptr ? 0 : model->model.table()->state_size;
}

int stiction_at_rest(const stiction_model* model, double load, void* state) {
  if (model == nullptr || state == nullptr) {
    return null_pointer();
  }
  model->model.table()->at_rest(model->model.data(), load, state);
  return STICTION_OK;
}

std::size_t stiction_state_count(const stiction_model* model) {
  return model == nullptr ? 0 : model->model.states_in_use();
}

const char* stiction_state_name(const stiction_model* model, std::size_t index) {
  return index < stiction_state_count(model) ? model->model.table()->state_names[index] : nullptr;
}

int stiction_get_states(const stiction_model* model, const void* state, double* values) {
  if (model == nullptr || state == nullptr || values == nullptr) {
    return null_pointer();
  }
  scalar::AnyModel::States packed(model->model.table()->order);
  model->model.table()->pack(state, packed.data());
  std::copy_n(packed.begin(), model->model.states_in_use(), values);
  return STICTION_OK;
}

int stiction_set_states(const stiction_model* model, void* state, const double* values) {
  if (model == nullptr || state == nullptr || values == nullptr) {
    return null_pointer();
  }
  scalar::AnyModel::States packed(model->model.table()->order);
  model->model.table()->pack(state, packed.data());
  std::copy_n(values, model->model.states_in_use(), packed.begin());
  model->model.table()->unpack(packed.data(), state);
  return STICTION_OK;
}

int stiction_transmit(const stiction_model* model, void* state, double motor_force, double external_force) {
  if (model == nullptr || state == nullptr) {
    return null_pointer();
  }
  for (const auto& [name, value] :
       {std::pair("motor_force", motor_force), std::pair("external_force", external_force)}) {
    if (!stiction::finite.holds(value)) {
      return failed(Problem{name, value, stiction::finite.text});
    }
  }
  model->model.table()->transmit(state, {motor_force, external_force});
  return STICTION_OK;
}

int stiction_force(const stiction_model* model, const void* state, double velocity, double* force) {
  if (model == nullptr || state == nullptr || force == nullptr) {
    return null_pointer();
  }
  *force = model->model.table()->force(model->model.data(), state, velocity);
  return STICTION_OK;
}

int stiction_force_under_load(const stiction_model* model, const void* state, double velocity, double load,
                              double* force) {
  if (model == nullptr || state == nullptr || force == nullptr) {
    return null_pointer();
  }
  *force = model->model.table()->force_under_load(model->model.data(), state, velocity, load);
  return STICTION_OK;
}

int stiction_rate(const stiction_model* model, const void* state, double velocity, double* rates) {
  if (model == nullptr || state == nullptr || rates == nullptr) {
    return null_pointer();
  }
  const scalar::ModelTable& table = *model->model.table();
  scalar::AnyState rate(table);
  table.rate(model->model.data(), state, velocity, rate.data());
  std::copy_n(scalar::AnyModel::pack(rate).begin(), model->model.states_in_use(), rates);
  return STICTION_OK;
}

int stiction_step(const stiction_model* model, void* state, double velocity, double dt, double* force) {
  return stiction_step_many(model, state, 1, &velocity, dt, force);
}

int stiction_step_many(const stiction_model* model, void* states, std::size_t n, const double* velocity, double dt,
                       double* force) {
  if (model == nullptr || (n > 0 && (states == nullptr || velocity == nullptr))) {
    return null_pointer();
  }
  if (!usable_dt(dt)) {
    return STICTION_INVALID;
  }
  const scalar::ModelTable& table = *model->model.table();
  for (std::size_t i = 0; i < n; ++i) {
    void* const state = static_cast<std::byte*>(states) + i * table.state_size;
    const double resistance = table.step(model->model.data(), state, velocity[i], dt);
    if (force != nullptr) {
      force[i] = resistance;
    }
  }
  return STICTION_OK;
}

int stiction_solve(const stiction_model* model, void* state, const stiction_coupled_step* step, stiction_moved* moved) {
  if (model == nullptr || state == nullptr || step == nullptr || moved == nullptr) {
    return null_pointer();
  }
  if (!usable_dt(step->dt)) {
    return STICTION_INVALID;
  }
  if (!stiction::non_negative.holds(step->mobility)) {
    return failed(Problem{"mobility", step->mobility, stiction::non_negative.text});
  }
  const scalar::Response response =
      model->model.table()->solve(model->model.data(), state,
                                  {.free_velocity = step->free_velocity,
                                   .mobility = step->mobility,
                                   .velocity = step->velocity,
                                   .dt = step->dt,
                                   .load = step->load != nullptr ? std::optional(*step->load) : std::nullopt});
  *moved = {response.force, response.velocity};
  return STICTION_OK;
}
