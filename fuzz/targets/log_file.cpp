// A user's log: columns found by name or asked for, in units. What is accepted is finite, in rising time.
#include "stiction/io/log_file.h"

#include "fuzz/support.h"
#include "stiction/io/file.h"

using stiction::fuzz::accepted;
using stiction::fuzz::all_finite;

FUZZ_TARGET(log_file)(std::span<const std::uint8_t> input) {
  stiction::fuzz::Bytes bytes(input);
  // The first byte says what the command line would be asked for.
  const unsigned asked = bytes.byte();
  stiction::io::LogOptions options;
  if ((asked & 1U) != 0) {
    options.columns = {{"torque", "a"}, {"position", "b"}};
  }
  if ((asked & 2U) != 0) {
    options.units = {{"time", "ms"}, {"position", (asked & 4U) != 0 ? "deg" : "furlong"}};
  }
  const auto file = stiction::fuzz::file_in_memory(bytes.rest());
  accepted<stiction::io::InputError>([&] {
    const auto log = stiction::io::read_log(file, options);
    FUZZ_REQUIRE(log.data.recordings.size() + log.data.sweeps.size() > 0);
    for (const auto& recording : log.data.recordings) {
      FUZZ_REQUIRE(all_finite(recording.time) && all_finite(recording.torque) && all_finite(recording.position));
      FUZZ_REQUIRE(recording.time.size() == recording.torque.size());
      FUZZ_REQUIRE(recording.time.size() == recording.position.size());
      FUZZ_REQUIRE(std::ranges::is_sorted(recording.time));
    }
    for (const auto& sweep : log.data.sweeps) {
      FUZZ_REQUIRE(all_finite(sweep.velocity) && all_finite(sweep.torque) && all_finite(sweep.deviation));
      FUZZ_REQUIRE(sweep.velocity.size() == sweep.torque.size());
    }
  });
}
