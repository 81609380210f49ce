// The C interface of one axis: every call returns a status it has, and says why it failed. NaN in is never a plausible
// number out.
#include <vector>

#include "fuzz/c_status.h"

using stiction::fuzz::Bytes;
using stiction::fuzz::checked;

namespace {

stiction_model* make_model(Bytes& bytes) {
  const std::size_t index = bytes.below(stiction_model_count() + 1);  // one too many
  const char* name = stiction_model_name(index);
  FUZZ_REQUIRE((name != nullptr) == (index < stiction_model_count()));
  std::array<std::array<double, 5>, 24> values{};
  std::array<stiction_parameter, 24> parameters{};
  std::size_t count = 0;
  for (std::size_t i = 0; i < stiction_parameter_count(name) && count < parameters.size(); ++i) {
    stiction_parameter_info info{};
    FUZZ_REQUIRE(checked(stiction_parameter_at(name, i, &info)) == STICTION_OK);
    const bool given = bytes.flag() || (std::isnan(info.fallback) && !bytes.flag());
    if (given) {
      const std::size_t size = info.is_list != 0 ? bytes.below(6) : 1;
      for (std::size_t k = 0; k < size; ++k) {
        const double value = bytes.any_number();
        values[count][k] = bytes.flag() ? value : std::abs(value);
      }
      parameters[count] = {info.name, values[count].data(), size};
      ++count;
    }
  }
  stiction_model* model = nullptr;
  const int status = checked(stiction_model_create(name, parameters.data(), count, &model));
  FUZZ_REQUIRE((status == STICTION_OK) == (model != nullptr));
  return model;
}

}  // namespace

FUZZ_TARGET(c_api_scalar)(std::span<const std::uint8_t> input) {
  Bytes bytes(input);
  stiction_model* model = make_model(bytes);
  if (model == nullptr) {
    return;
  }
  const std::size_t size = stiction_state_size(model);
  std::vector<double> state(2 * ((size + 7) / 8));  // room for two
  std::vector<double> values(stiction_state_count(model));
  const double load = bytes.any_number();
  if (checked(stiction_at_rest(model, load, state.data())) != STICTION_OK) {
    FUZZ_REQUIRE(checked(stiction_at_rest(model, 0, state.data())) == STICTION_OK);
  }
  for (int i = 0; i < 50 && !bytes.empty(); ++i) {
    const double velocity = bytes.any_number();
    const double dt = bytes.any_number();
    double force = 0;
    stiction_moved moved{};
    switch (bytes.below(7)) {
      case 0:
        checked(stiction_get_states(model, state.data(), values.data()));
        if (!values.empty()) {
          values[bytes.below(values.size())] = bytes.any_number();
        }
        checked(stiction_set_states(model, state.data(), values.data()));
        break;
      case 1:
        checked(stiction_force_under_load(model, state.data(), velocity, bytes.any_number(), &force));
        break;
      case 2:
        checked(stiction_rate(model, state.data(), velocity, values.data()));
        break;
      case 3:
        if (checked(stiction_step(model, state.data(), velocity, dt, bytes.flag() ? &force : nullptr)) == STICTION_OK) {
          FUZZ_REQUIRE(dt >= 0 && std::isfinite(dt));
        }
        break;
      case 4: {
        const double mobility = bytes.any_number();
        const double transmitted = bytes.any_number();
        const stiction_coupled_step step{bytes.any_number(), mobility, velocity, dt,
                                         bytes.flag() ? &transmitted : nullptr};
        if (checked(stiction_solve(model, state.data(), &step, &moved)) == STICTION_OK) {
          FUZZ_REQUIRE(mobility >= 0 && dt >= 0);
        }
        break;
      }
      case 5:
        checked(stiction_transmit(model, state.data(), velocity, bytes.any_number()));
        break;
      default:
        FUZZ_REQUIRE(checked(stiction_force(model, nullptr, velocity, &force)) == STICTION_INVALID);
        FUZZ_REQUIRE(checked(stiction_step_many(model, state.data(), 0, nullptr, 1e-3, nullptr)) == STICTION_OK);
        checked(stiction_force(model, state.data(), velocity, &force));
        FUZZ_REQUIRE(!std::isnan(velocity) || std::isnan(force));
    }
  }
  stiction_model_free(model);
}
