// The table of functions of one model (any_model.h). The library has those of the registered models; a table of a
// user's own model is compiled where that model is used.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <new>
#include <optional>
#include <span>
#include <type_traits>

#include "stiction/scalar/model.h"

namespace stiction::scalar {

/// One parameter of a model: a number, or a list of numbers.
struct Parameter {
  const char* name;
  const char* unit;
  Range range;      // of each number
  double fallback;  // `required` where there is none
  const char* meaning;
  bool is_integer = false;
  std::size_t capacity = 0;  // of a list; 0: one number
  const char* length = "";   // the number of values of a list, in words
};

/// Force and velocity after a coupled step; the state is updated in place.
struct Response {
  double force;     // resistance over the step [N]
  double velocity;  // at the end of the step [m/s]
};

/// The calls of one model. Models, states and parameters are plain data: they can be copied bytewise. All
/// functions are real-time safe if the model's own calls are.
struct ModelTable {
  Info info;
  std::size_t model_size, state_size, params_size;  // [bytes]
  std::size_t order;                                // continuous states; `states_in_use` may be fewer
  std::size_t guard_count;                          // 0: the model does not switch
  bool sticks;                                      // holds a load exactly at rest (Sticking)
  bool sees_load;                                   // its force depends on the load, or holds it
  bool follows_load;                                // its friction depends on the sum of all other forces
  bool geared;                                      // it depends on what a gear transmits
  bool has_velocity_scale;                          // false: the law has no characteristic velocity
  bool has_energy;
  bool has_memory;  // of past velocities: solvers that integrate the states must `record` them
  std::span<const char* const> state_names;
  std::span<const char* const> mode_names;
  std::span<const Parameter> parameters;

  // Parameters
  void (*default_params)(void* params) noexcept;  // NaN for required ones
  void (*params_of)(const void* model, void* params) noexcept;
  std::optional<Problem> (*check)(const void* params) noexcept;
  void (*construct)(const void* params, void* model) noexcept;  // from parameters that `check` has passed
  std::size_t (*values)(const void* params, std::size_t parameter, double* values) noexcept;  // returns their number
  std::optional<Problem> (*assign)(void* params, std::size_t parameter, const double* values,
                                   std::size_t count) noexcept;

  // States
  void (*initial)(void* state) noexcept;
  void (*at_rest)(const void* model, double load, void* state) noexcept;
  std::size_t (*states_in_use)(const void* model) noexcept;
  void (*pack)(const void* state, double* values) noexcept;
  void (*unpack)(const double* values, void* state) noexcept;
  void (*modes)(const void* state, double* values) noexcept;
  void (*transmit)(void* state, const Transmitted<double>& forces) noexcept;  // no effect for models of no gear
  bool (*equal)(const void* a, const void* b) noexcept;
  void (*typical)(const void* model, double* values) noexcept;
  double (*velocity_scale)(const void* model) noexcept;

  // Dynamics
  void (*rate)(const void* model, const void* state, double velocity, void* rate) noexcept;
  double (*force)(const void* model, const void* state, double velocity) noexcept;
  double (*force_under_load)(const void* model, const void* state, double velocity, double load) noexcept;
  void (*advance)(const void* model, void* state, double velocity, double dt) noexcept;
  double (*step)(const void* model, void* state, double velocity, double dt) noexcept;
  Response (*solve)(const void* model, void* state, const CoupledStep<double>& step) noexcept;
  bool (*one_root)(const void* model, double mobility,
                   double dt) noexcept;  // `solve` has a unique root; false: not known
  double (*dissipated_power)(const void* model, const void* state, double velocity) noexcept;
  double (*energy)(const void* model, const void* state) noexcept;  // 0 without has_energy

  // Switching; no effect for models that do not switch
  void (*guards)(const void* model, const void* state, double velocity, double load, double* values) noexcept;
  void (*transition)(const void* model, void* state, int guard) noexcept;
  bool (*held)(const void* state) noexcept;
  double (*velocity_after)(const void* model, const void* state, double velocity) noexcept;
  double (*output_velocity)(const void* model, const void* state, double velocity) noexcept;

  // Memory of the past
  double (*delay)(const void* model) noexcept;  // [s]; 0: none
  void (*record)(const void* model, void* state, double velocity) noexcept;
};

namespace detail {

template <class M>
struct Erased {
  using State = typename M::State;
  static const M& model(const void* p) noexcept { return *static_cast<const M*>(p); }
  static const State& state(const void* p) noexcept { return *static_cast<const State*>(p); }
  static State& state(void* p) noexcept { return *static_cast<State*>(p); }

  static constexpr bool has_integers = requires { M::integers; };
  static constexpr bool has_lists = requires { M::lists; };
  static constexpr bool has_energy = requires(const M& m, const State& s) { m.energy(s); };
  static constexpr bool sees_load = requires(const M& m, const State& s, double x) { m.force(s, x, x); };

  // Parameters -------------------------------------------------------------------------------------------------------

  /// Parameters are numbered through the tables: fields, integers, lists.
  static constexpr std::size_t integers_begin = M::fields.size();
  static constexpr std::size_t lists_begin = [] {
    if constexpr (has_integers) {
      return integers_begin + M::integers.size();
    } else {
      return integers_begin;
    }
  }();
  static constexpr std::size_t parameter_count = [] {
    if constexpr (has_lists) {
      return lists_begin + M::lists.size();
    } else {
      return lists_begin;
    }
  }();
  static constexpr std::array<Parameter, parameter_count> parameters = [] {
    std::array<Parameter, parameter_count> all{};
    std::size_t i = 0;
    for (const auto& field : M::fields) {
      all[i++] = {field.name, field.unit, field.range, field.fallback, field.meaning};
    }
    if constexpr (has_integers) {
      for (const auto& field : M::integers) {
        all[i++] = {field.name, field.unit, field.range, field.fallback, field.meaning, true};
      }
    }
    if constexpr (has_lists) {
      for (const auto& list : M::lists) {
        all[i++] = {list.name, list.unit, list.range, required, list.meaning, false, list.capacity, list.length};
      }
    }
    return all;
  }();

  using Params = typename M::Params;
  static Params& params(void* p) noexcept { return *static_cast<Params*>(p); }
  static void default_params(void* at) noexcept {
    Params& made = *::new (at) Params{};
    for (const auto& field : M::fields) {
      made.*field.member = field.fallback;
    }
  }
  static void params_of_model(const void* m, void* at) noexcept { ::new (at) Params(model(m).params()); }
  static std::optional<Problem> check(const void* p) noexcept { return M::check(*static_cast<const Params*>(p)); }
  static void construct([[maybe_unused]] const void* p, [[maybe_unused]] void* at) noexcept {
    if constexpr (std::is_constructible_v<M, const Params&>) {  // a user's model may have no parameters
      ::new (at) M(*static_cast<const Params*>(p));
    }
  }
  static std::size_t values(const void* p, std::size_t i, double* numbers) noexcept {
    const Params& from = *static_cast<const Params*>(p);
    if (i < integers_begin) {
      *numbers = from.*M::fields[i].member;
      return 1;
    }
    if constexpr (has_integers) {
      if (i < lists_begin) {
        *numbers = from.*M::integers[i - integers_begin].member;
        return 1;
      }
    }
    if constexpr (has_lists) {
      const auto& list = from.*M::lists[i - lists_begin].member;
      return static_cast<std::size_t>(std::copy(list.begin(), list.end(), numbers) - numbers);
    } else {
      return 0;
    }
  }
  static std::optional<Problem> assign(void* p, std::size_t i, const double* numbers, std::size_t count) noexcept {
    Params& to = params(p);
    if (i < integers_begin) {
      return stiction::assign(to, M::fields[i], count == 1 ? numbers[0] : required);
    }
    if constexpr (has_integers) {
      if (i < lists_begin) {
        return stiction::assign(to, M::integers[i - integers_begin], count == 1 ? numbers[0] : required);
      }
    }
    if constexpr (has_lists) {
      auto& list = to.*M::lists[i - lists_begin].member;
      list = {};
      for (std::size_t k = 0; k < count; ++k) {
        list.push_back(numbers[k]);
      }
    }
    return std::nullopt;
  }

  // States -----------------------------------------------------------------------------------------------------------

  static void initial(void* at) noexcept { ::new (at) State{}; }
  static void at_rest(const void* m, double load, void* at) noexcept { ::new (at) State(model(m).at_rest(load)); }
  static std::size_t in_use(const void* m) noexcept { return states_in_use(model(m)); }
  static void pack(const void* s, double* values) noexcept {
    const auto packed = M::pack(state(s));
    std::copy(packed.begin(), packed.end(), values);
  }
  static void unpack(const double* values, void* s) noexcept {
    std::array<double, M::order> packed{};
    std::copy_n(values, M::order, packed.begin());
    state(s) = M::unpack(packed, state(s));
  }
  static void modes([[maybe_unused]] const void* s, [[maybe_unused]] double* values) noexcept {
    if constexpr (Switching<M>) {
      const auto now = M::modes(state(s));
      std::copy(now.begin(), now.end(), values);
    }
  }
  static void transmit([[maybe_unused]] void* s, [[maybe_unused]] const Transmitted<double>& forces) noexcept {
    if constexpr (Geared<M>) {
      state(s) = M::transmitting(state(s), forces);
    }
  }
  static bool equal(const void* a, const void* b) noexcept { return state(a) == state(b); }
  static void typical(const void* m, double* values) noexcept {
    const auto sizes = model(m).typical();
    std::copy(sizes.begin(), sizes.end(), values);
  }
  static double velocity_scale(const void* m) noexcept { return model(m).velocity_scale(); }

  // Dynamics ---------------------------------------------------------------------------------------------------------

  static void rate(const void* m, const void* s, double v, void* at) noexcept {
    ::new (at) State(model(m).rate(state(s), v));
  }
  static double force(const void* m, const void* s, double v) noexcept { return model(m).force(state(s), v); }
  static double force_under_load(const void* m, const void* s, double v, [[maybe_unused]] double load) noexcept {
    if constexpr (sees_load) {
      return model(m).force(state(s), v, load);
    } else {
      return model(m).force(state(s), v);
    }
  }
  static void advance(const void* m, void* s, double v, double dt) noexcept {
    state(s) = model(m).advance(state(s), v, dt);
  }
  static double step(const void* m, void* s, double v, double dt) noexcept {
    const auto next = model(m).step(state(s), v, dt);
    state(s) = next.state;
    return next.force;
  }
  static Response solve(const void* m, void* s, const CoupledStep<double>& step) noexcept {
    const auto solved = model(m).solve(state(s), step);
    state(s) = solved.state;
    return {solved.force, solved.velocity};
  }
  static bool one_root([[maybe_unused]] const void* m, [[maybe_unused]] double mobility,
                       [[maybe_unused]] double dt) noexcept {
    if constexpr (requires { model(m).one_root(mobility, dt); }) {
      return model(m).one_root(mobility, dt);
    } else {
      return false;
    }
  }
  static double dissipated_power(const void* m, const void* s, double v) noexcept {
    return model(m).dissipated_power(state(s), v);
  }
  static double energy([[maybe_unused]] const void* m, [[maybe_unused]] const void* s) noexcept {
    if constexpr (has_energy) {
      return model(m).energy(state(s));
    } else {
      return 0;
    }
  }

  // Switching and memory ---------------------------------------------------------------------------------------------

  static constexpr std::size_t guard_count = [] {
    if constexpr (Switching<M>) {
      return M::guard_count;
    } else {
      return std::size_t{0};
    }
  }();
  static constexpr std::span<const char* const> mode_names() noexcept {
    if constexpr (Switching<M>) {
      return M::mode_names;
    } else {
      return {};
    }
  }
  static void guards([[maybe_unused]] const void* m, [[maybe_unused]] const void* s, [[maybe_unused]] double v,
                     [[maybe_unused]] double load, [[maybe_unused]] double* values) noexcept {
    if constexpr (Switching<M>) {
      const auto now = model(m).guards(state(s), v, load);
      std::copy(now.begin(), now.end(), values);
    }
  }
  static void transition([[maybe_unused]] const void* m, [[maybe_unused]] void* s,
                         [[maybe_unused]] int guard) noexcept {
    if constexpr (Switching<M>) {
      state(s) = model(m).transition(state(s), guard);
    }
  }
  static bool held([[maybe_unused]] const void* s) noexcept {
    if constexpr (Sticking<M>) {
      return M::held(state(s));
    } else {
      return false;
    }
  }
  static double velocity_after([[maybe_unused]] const void* m, [[maybe_unused]] const void* s, double v) noexcept {
    if constexpr (Sticking<M>) {
      return model(m).velocity_after(state(s), v);
    } else {
      return v;
    }
  }
  static double output_velocity([[maybe_unused]] const void* m, [[maybe_unused]] const void* s, double v) noexcept {
    if constexpr (requires { model(m).output_velocity(state(s), v); }) {
      return model(m).output_velocity(state(s), v);
    } else {
      return v;
    }
  }
  static double delay([[maybe_unused]] const void* m) noexcept {
    if constexpr (requires { model(m).delay(); }) {
      return model(m).delay();
    } else {
      return 0;
    }
  }
  static void record([[maybe_unused]] const void* m, [[maybe_unused]] void* s, [[maybe_unused]] double v) noexcept {
    if constexpr (requires { model(m).record(state(s), v); }) {
      state(s) = model(m).record(state(s), v);
    }
  }
  static constexpr bool has_velocity_scale = !requires { M::scale_free; };
};

}  // namespace detail

template <class M>
constinit const ModelTable TableOf<M>::value{.info = M::info,
                                             .model_size = sizeof(M),
                                             .state_size = sizeof(typename M::State),
                                             .params_size = sizeof(typename M::Params),
                                             .order = M::order,
                                             .guard_count = detail::Erased<M>::guard_count,
                                             .sticks = Sticking<M>,
                                             .sees_load = detail::Erased<M>::sees_load,
                                             .follows_load = SeesLoad<M>,
                                             .geared = Geared<M>,
                                             .has_velocity_scale = detail::Erased<M>::has_velocity_scale,
                                             .has_energy = detail::Erased<M>::has_energy,
                                             .has_memory = requires(const M& m, typename M::State s){m.record(s, 0.0);
}  // namespace stiction::scalar
, .state_names = M::state_names, .mode_names = detail::Erased<M>::mode_names(),
  .parameters = detail::Erased<M>::parameters, .default_params = detail::Erased<M>::default_params,
  .params_of = detail::Erased<M>::params_of_model, .check = detail::Erased<M>::check,
  .construct = detail::Erased<M>::construct, .values = detail::Erased<M>::values, .assign = detail::Erased<M>::assign,
  .initial = detail::Erased<M>::initial, .at_rest = detail::Erased<M>::at_rest,
  .states_in_use = detail::Erased<M>::in_use, .pack = detail::Erased<M>::pack, .unpack = detail::Erased<M>::unpack,
  .modes = detail::Erased<M>::modes, .transmit = detail::Erased<M>::transmit, .equal = detail::Erased<M>::equal,
  .typical = detail::Erased<M>::typical, .velocity_scale = detail::Erased<M>::velocity_scale,
  .rate = detail::Erased<M>::rate, .force = detail::Erased<M>::force,
  .force_under_load = detail::Erased<M>::force_under_load, .advance = detail::Erased<M>::advance,
  .step = detail::Erased<M>::step, .solve = detail::Erased<M>::solve, .one_root = detail::Erased<M>::one_root,
  .dissipated_power = detail::Erased<M>::dissipated_power, .energy = detail::Erased<M>::energy,
  .guards = detail::Erased<M>::guards, .transition = detail::Erased<M>::transition, .held = detail::Erased<M>::held,
  .velocity_after = detail::Erased<M>::velocity_after, .output_velocity = detail::Erased<M>::output_velocity,
  .delay = detail::Erased<M>::delay, .record = detail::Erased<M>::record,
}
;

}  // namespace stiction::scalar
