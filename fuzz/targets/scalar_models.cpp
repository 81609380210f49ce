// Every model of one axis with any parameters that it accepts: states and forces stay finite for velocities, times and
// mobilities of up to 1e15, coupled steps solve their equation, and NaN shows.
#include "fuzz/support.h"
#include "stiction/scalar/registry.h"
#include "torture/coupled_equation.h"

using stiction::fuzz::Bytes;

namespace {

constexpr double max_input = 1e15;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

template <class M>
typename M::Params params_from(Bytes& bytes) {
  typename M::Params params{};
  for (const auto& field : M::fields) {
    // 0: the default, so that a short input is an ordinary model
    params.*field.member = bytes.flag() || std::isnan(field.fallback) ? bytes.number_for(field.range) : field.fallback;
  }
  if constexpr (requires { M::integers; }) {
    for (const auto& field : M::integers) {
      assign(params, field, bytes.flag() ? std::floor(bytes.number_for(field.range)) : field.fallback);
    }
  }
  if constexpr (requires { M::lists; }) {
    for (const auto& field : M::lists) {
      const std::size_t size = bytes.below(6);
      for (std::size_t i = 0; i < size; ++i) {
        (params.*field.member).push_back(bytes.number_for(field.range));
      }
    }
  }
  return params;
}

/// What did it, before the promise that is broken.
template <class M>
void print(const M& model, const stiction::torture::Step& s,
           const stiction::scalar::Solved<typename M::State, double>& solved) {
  const auto params = model.params();
  std::fprintf(stderr,
               "%s: free velocity %.17g, mobility %.17g, dt %.17g, velocity %.17g gives velocity %.17g, force %.17g\n",
               M::info.name, s.free_velocity, s.mobility, s.dt, s.velocity, solved.velocity, solved.force);
  for (const auto& field : M::fields) {
    std::fprintf(stderr, "  %s = %.17g\n", field.name, params.*field.member);
  }
}

/// Friction that follows the load of a step, Δv/(mobility·dt), is NaN where that is too large a number, as for a
/// mobility of 1e-308.
template <class M>
bool load_is_beyond_numbers(const M& model, const stiction::torture::Step& s) {
  return !(stiction::torture::load_factor(model, s) * s.mobility < 1e200);
}

template <class M>
void run(Bytes& bytes) {
  const auto params = params_from<M>(bytes);
  if (M::check(params)) {
    return;
  }
  const M model(params);
  auto state = model.at_rest(bytes.finite_number(max_input));
  FUZZ_REQUIRE(stiction::fuzz::all_finite(M::pack(state)));
  FUZZ_REQUIRE(std::isnan(model.force(model.advance(state, nan, 1e-3), nan)));
  FUZZ_REQUIRE(
      std::isnan(model.solve(state, {.free_velocity = nan, .mobility = 1, .velocity = 0, .dt = 1e-3}).velocity));
  for (int i = 0; i < 50 && !bytes.empty(); ++i) {
    if constexpr (stiction::scalar::Geared<M>) {
      state = M::transmitting(state, {bytes.finite_number(max_input), bytes.finite_number(max_input)});
    }
    const double velocity = bytes.finite_number(max_input);
    const double dt = std::abs(bytes.finite_number(max_input));
    if (bytes.flag()) {
      state = model.advance(state, velocity, dt);
      FUZZ_REQUIRE(std::isfinite(model.force(state, velocity)));
      FUZZ_REQUIRE(stiction::fuzz::all_finite(M::pack(model.rate(state, velocity))));
      FUZZ_REQUIRE(!std::isnan(model.dissipated_power(state, velocity)));
    } else {
      const double mobility = std::abs(bytes.finite_number(max_input));
      const double free_velocity = bytes.finite_number(max_input);
      const stiction::torture::Step step{
          .free_velocity = free_velocity, .mobility = mobility, .velocity = velocity, .dt = dt};
      const auto solved = model.solve(state, step);
      if (std::isnan(solved.velocity) && load_is_beyond_numbers(model, step)) {
        break;
      }
      const bool finite = std::isfinite(solved.force) && std::isfinite(solved.velocity);
      const bool balanced = !stiction::torture::unbalanced(model, state, solved, step);
      if (!finite || !balanced) {
        print(model, step, solved);
      }
      FUZZ_REQUIRE(finite);
      FUZZ_REQUIRE(balanced);
      state = solved.state;
    }
    FUZZ_REQUIRE(stiction::fuzz::all_finite(M::pack(state)));
  }
}

}  // namespace

FUZZ_TARGET(scalar_models)(std::span<const std::uint8_t> input) {
  Bytes bytes(input);
  const std::size_t chosen = bytes.below(stiction::scalar::RegisteredModels::size);
  std::size_t i = 0;
  stiction::scalar::for_each_model([&]<class M>(std::type_identity<M>) {
    if (i++ == chosen) {
      run<M>(bytes);
    }
  });
}
