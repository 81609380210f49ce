// Every model of one axis with any parameters that it accepts: states and forces stay finite for velocities, times and
// mobilities of up to 1e15, and NaN shows. Whether coupled steps meet their equation is for tests/torture.
#include "fuzz/support.h"
#include "stiction/scalar/registry.h"

using stiction::fuzz::Bytes;

namespace {

constexpr double limit = 1e15;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

template <class M>
typename M::Params params_from(Bytes& bytes) {
  typename M::Params params{};
  for (const auto& field : M::fields) {
    // 0: the default, so that a short input is an ordinary model
    params.*field.member = bytes.flag() || std::isnan(field.fallback) ? bytes.number_for(field.range) : field.fallback;
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

template <class M>
void run(Bytes& bytes) {
  const auto params = params_from<M>(bytes);
  if (M::check(params)) {
    return;
  }
  const M model(params);
  auto state = model.at_rest(bytes.finite_number(limit));
  FUZZ_REQUIRE(stiction::fuzz::all_finite(M::pack(state)));
  FUZZ_REQUIRE(std::isnan(model.force(model.advance(state, nan, 1e-3), nan)));
  FUZZ_REQUIRE(std::isnan(model.solve(state, nan, 1, 1e-3, 0).velocity));
  for (int i = 0; i < 50 && !bytes.empty(); ++i) {
    const double velocity = bytes.finite_number(limit);
    const double dt = std::abs(bytes.finite_number(limit));
    if (bytes.flag()) {
      state = model.advance(state, velocity, dt);
      FUZZ_REQUIRE(std::isfinite(model.force(state, velocity)));
      FUZZ_REQUIRE(stiction::fuzz::all_finite(M::pack(model.rate(state, velocity))));
      FUZZ_REQUIRE(!std::isnan(model.dissipated_power(state, velocity)));
    } else {
      const double mobility = std::abs(bytes.finite_number(limit));
      const double free_velocity = bytes.finite_number(limit);
      const auto solved = model.solve(state, free_velocity, mobility, dt, velocity);
      FUZZ_REQUIRE(std::isfinite(solved.force) && std::isfinite(solved.velocity));
      state = solved.state;
    }
    FUZZ_REQUIRE(stiction::fuzz::all_finite(M::pack(state)));
  }
}

}  // namespace

FUZZ_TARGET(scalar_models)(std::span<const std::uint8_t> input) {
  Bytes bytes(input);
  const std::size_t chosen = bytes.below(std::variant_size_v<stiction::scalar::AnyModel>);
  std::size_t i = 0;
  stiction::scalar::for_each_model([&]<class M>(std::type_identity<M>) {
    if (i++ == chosen) {
      run<M>(bytes);
    }
  });
}
