#include <array>
#include <cstdio>
#include <cstring>
#include <memory>

#include "error.h"
#include "stiction/scalar/registry.h"

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

/// Calls f(std::type_identity<M>{}) for the model of that name; false where there is none.
template <class F>
bool with_model(const char* name, const F& f) {
  bool found = false;
  scalar::for_each_model([&]<class M>(std::type_identity<M> type) {
    if (!found && std::strcmp(name, M::info.name) == 0) {
      found = true;
      f(type);
    }
  });
  return found;
}

int unknown_model(const char* name) noexcept { return failed_about(STICTION_UNKNOWN, "there is no model", name, ""); }

template <class M>
std::size_t parameters_of() noexcept {
  if constexpr (requires { M::lists; }) {
    return M::fields.size() + M::lists.size();
  } else {
    return M::fields.size();
  }
}

template <class M>
int read_parameters(const stiction_parameter* given, std::size_t count, typename M::Params& params) noexcept {
  for (const auto& field : M::fields) {
    params.*field.member = field.fallback;  // NaN where it must be given: the check then names it
  }
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
    bool known = false;
    for (const auto& field : M::fields) {
      if (std::strcmp(parameter.name, field.name) == 0) {
        if (parameter.count != 1) {
          return failed(Problem{field.name, static_cast<double>(parameter.count), "one number", true});
        }
        params.*field.member = parameter.values[0];
        known = true;
      }
    }
    if constexpr (requires { M::lists; }) {
      for (const auto& field : M::lists) {
        if (std::strcmp(parameter.name, field.name) == 0) {
          if (parameter.count > field.capacity) {  // the numbers beyond need not be there
            return failed(Problem{field.name, static_cast<double>(parameter.count), field.length, true});
          }
          params.*field.member = {};
          for (std::size_t k = 0; k < parameter.count; ++k) {
            (params.*field.member).push_back(parameter.values[k]);
          }
          known = true;
        }
      }
    }
    if (!known) {
      std::array<char, 64> before{};
      std::snprintf(before.data(), before.size(), "%s has no parameter", M::info.name);
      return failed_about(STICTION_UNKNOWN, before.data(), parameter.name, "");
    }
  }
  if (const auto problem = M::check(params)) {
    return failed(*problem);
  }
  return STICTION_OK;
}

/// Calls f(model, state) with the state behind a pointer that the caller got from stiction_at_rest.
template <class F>
void with_state(const stiction_model* model, void* state, const F& f) noexcept {
  std::visit([&]<class M>(const M& m) { f(m, *static_cast<typename M::State*>(state)); }, model->model);
}
template <class F>
void with_state(const stiction_model* model, const void* state, const F& f) noexcept {
  std::visit([&]<class M>(const M& m) { f(m, *static_cast<const typename M::State*>(state)); }, model->model);
}

}  // namespace

std::size_t stiction_model_count(void) { return std::variant_size_v<scalar::AnyModel>; }

const char* stiction_model_name(std::size_t index) {
  const char* name = nullptr;
  std::size_t i = 0;
  scalar::for_each_model([&]<class M>(std::type_identity<M>) { name = i++ == index ? M::info.name : name; });
  return name;
}

std::size_t stiction_parameter_count(const char* model_name) {
  std::size_t count = 0;
  if (model_name != nullptr) {
    with_model(model_name, [&]<class M>(std::type_identity<M>) { count = parameters_of<M>(); });
  }
  return count;
}

int stiction_parameter_at(const char* model_name, std::size_t index, stiction_parameter_info* info) {
  if (model_name == nullptr || info == nullptr) {
    return null_pointer();
  }
  int status = STICTION_OK;
  const auto describe = [&]<class M>(std::type_identity<M>) {
    std::size_t i = 0;
    status = index < parameters_of<M>() ? STICTION_OK : failed(STICTION_UNKNOWN, "there is no such parameter");
    for (const auto& field : M::fields) {
      if (i++ == index) {
        *info = {field.name, field.unit, field.range.text, field.meaning, field.fallback, 0};
      }
    }
    if constexpr (requires { M::lists; }) {
      for (const auto& field : M::lists) {
        if (i++ == index) {
          *info = {field.name, field.unit, field.range.text, field.meaning, stiction::required, 1};
        }
      }
    }
  };
  return with_model(model_name, describe) ? status : unknown_model(model_name);
}

int stiction_model_create(const char* name, const stiction_parameter* parameters, std::size_t count,
                          stiction_model** model) {
  if (model != nullptr) {
    *model = nullptr;
  }
  if (name == nullptr || model == nullptr || (parameters == nullptr && count > 0)) {
    return null_pointer();
  }
  int status = STICTION_OK;
  const int caught = stiction::c_api::guarded([&] {
    const bool found = with_model(name, [&]<class M>(std::type_identity<M>) {
      typename M::Params params{};
      status = read_parameters<M>(parameters, count, params);
      if (status == STICTION_OK) {
        *model = std::make_unique<stiction_model>(stiction_model{M(params)}).release();
      }
    });
    status = found ? status : unknown_model(name);
  });
  return caught == STICTION_OK ? status : caught;
}

void stiction_model_free(stiction_model* model) { const std::unique_ptr<stiction_model> owned(model); }

std::size_t stiction_state_size(const stiction_model* model) {
  return model == nullptr ? 0 : std::visit([]<class M>(const M&) { return sizeof(typename M::State); }, model->model);
}

int stiction_at_rest(const stiction_model* model, double load, void* state) {
  if (model == nullptr || state == nullptr) {
    return null_pointer();
  }
  std::visit([&]<class M>(const M& m) { ::new (state) typename M::State(m.at_rest(load)); }, model->model);
  return STICTION_OK;
}

std::size_t stiction_state_count(const stiction_model* model) {
  return model == nullptr ? 0 : std::visit([](const auto& m) { return scalar::states_in_use(m); }, model->model);
}

const char* stiction_state_name(const stiction_model* model, std::size_t index) {
  if (index >= stiction_state_count(model)) {
    return nullptr;
  }
  return std::visit([&]<class M>(const M&) -> const char* { return M::state_names.begin()[index]; }, model->model);
}

int stiction_get_states(const stiction_model* model, const void* state, double* values) {
  if (model == nullptr || state == nullptr || values == nullptr) {
    return null_pointer();
  }
  with_state(model, state, [&]<class M>(const M& m, const typename M::State& s) {
    const auto packed = M::pack(s);
    for (std::size_t i = 0; i < scalar::states_in_use(m); ++i) {
      values[i] = packed.begin()[i];
    }
  });
  return STICTION_OK;
}

int stiction_set_states(const stiction_model* model, void* state, const double* values) {
  if (model == nullptr || state == nullptr || values == nullptr) {
    return null_pointer();
  }
  with_state(model, state, [&]<class M>(const M& m, typename M::State& s) {
    auto packed = M::pack(s);
    for (std::size_t i = 0; i < scalar::states_in_use(m); ++i) {
      packed.begin()[i] = values[i];
    }
    s = M::unpack(packed, s);
  });
  return STICTION_OK;
}

int stiction_force(const stiction_model* model, const void* state, double velocity, double* force) {
  if (model == nullptr || state == nullptr || force == nullptr) {
    return null_pointer();
  }
  with_state(model, state, [&](const auto& m, const auto& s) { *force = m.force(s, velocity); });
  return STICTION_OK;
}

int stiction_force_under_load(const stiction_model* model, const void* state, double velocity, double load,
                              double* force) {
  if (model == nullptr || state == nullptr || force == nullptr) {
    return null_pointer();
  }
  with_state(model, state, [&](const auto& m, const auto& s) {
    if constexpr (requires { m.force(s, velocity, load); }) {
      *force = m.force(s, velocity, load);
    } else {
      *force = m.force(s, velocity);
    }
  });
  return STICTION_OK;
}

int stiction_rate(const stiction_model* model, const void* state, double velocity, double* rates) {
  if (model == nullptr || state == nullptr || rates == nullptr) {
    return null_pointer();
  }
  with_state(model, state, [&]<class M>(const M& m, const typename M::State& s) {
    const auto packed = M::pack(m.rate(s, velocity));
    for (std::size_t i = 0; i < scalar::states_in_use(m); ++i) {
      rates[i] = packed.begin()[i];
    }
  });
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
  std::visit(
      [&]<class M>(const M& m) {
        auto* const state = static_cast<typename M::State*>(states);
        for (std::size_t i = 0; i < n; ++i) {
          state[i] = m.advance(state[i], velocity[i], dt);
          if (force != nullptr) {
            force[i] = m.force(state[i], velocity[i]);
          }
        }
      },
      model->model);
  return STICTION_OK;
}

int stiction_solve(const stiction_model* model, void* state, double free_velocity, double mobility, double dt,
                   double velocity, stiction_moved* moved) {
  if (model == nullptr || state == nullptr || moved == nullptr) {
    return null_pointer();
  }
  if (!usable_dt(dt)) {
    return STICTION_INVALID;
  }
  if (!stiction::non_negative.holds(mobility)) {
    return failed(Problem{"mobility", mobility, stiction::non_negative.text});
  }
  with_state(model, state, [&](const auto& m, auto& s) {
    const auto solved = m.solve(s, free_velocity, mobility, dt, velocity);
    s = solved.state;
    *moved = {solved.force, solved.velocity};
  });
  return STICTION_OK;
}
