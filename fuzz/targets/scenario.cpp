// A simulation of one axis in TOML. Short ones with fixed steps are run: rows are finite, or the run says it diverged.
#include "stiction/io/scenario.h"

#include "fuzz/support.h"
#include "stiction/io/file.h"
#include "stiction/sim/cvode.h"

using stiction::fuzz::accepted;

FUZZ_TARGET(scenario)(std::span<const std::uint8_t> input) {
  const std::string_view text = stiction::fuzz::Bytes(input).rest();
  accepted<stiction::io::InputError>([&] {
    const auto scenario = stiction::io::parse_scenario(text, "input", {});
    const auto& options = scenario.options;
    if (options.method == stiction::sim::Method::cvode || options.duration > 500 * options.step ||
        options.duration > 2000 * options.output_interval) {
      return;
    }
    try {
      const auto columns = stiction::io::named_columns(stiction::io::run(scenario));
      for (const auto& values : columns.values) {
        FUZZ_REQUIRE(stiction::fuzz::all_finite(values));
        FUZZ_REQUIRE(values.size() == columns.values.front().size());
      }
    } catch (const stiction::sim::SolverFailure&) {
    } catch (const stiction::InvalidParameter&) {
    }
  });
}
