// A body on a patch, in TOML. Short ones with fixed steps are run: rows are finite, or the run is refused.
#include "fuzz/support.h"
#include "fuzz/toml_inputs.h"
#include "stiction/io/any_scenario.h"
#include "stiction/io/file.h"
#include "stiction/sim/cvode.h"

using stiction::fuzz::accepted;

FUZZ_TARGET(planar_scenario)(std::span<const std::uint8_t> input) {
  const std::string_view text = stiction::fuzz::Bytes(input).rest();
  if (stiction::fuzz::large_count(text, "cells")) {
    return;
  }
  accepted<stiction::io::InputError>([&] {
    const auto any = stiction::io::parse_any_scenario(text, "input", {});
    const auto* scenario = std::get_if<stiction::io::PlanarScenario>(&any);
    if (scenario == nullptr || !(scenario->step > 0) || scenario->options.duration > 50 * scenario->step) {
      return;
    }
    try {
      const auto columns = stiction::io::named_columns(stiction::io::run(*scenario));
      for (const auto& values : columns.values) {
        FUZZ_REQUIRE(stiction::fuzz::all_finite(values));
      }
    } catch (const stiction::sim::SolverFailure&) {
    } catch (const stiction::InvalidParameter&) {
    }
  });
}
