// A user's log in any dialect: columns found by name or asked for, in units. What is accepted is finite, in rising
// time; what is in it can be inspected, with finite numbers, whatever it is.
#include "stiction/io/log_file.h"

#include "fuzz/support.h"
#include "stiction/identify/identify.h"
#include "stiction/io/file.h"

using stiction::fuzz::accepted;
using stiction::fuzz::all_finite;

namespace {

void check_inspection(const stiction::identify::Inspection& found) {
  FUZZ_REQUIRE(!found.support.empty());
  if (found.clock) {
    FUZZ_REQUIRE(std::isfinite(found.clock->interval) && found.clock->interval >= 0 && found.clock->jitter >= 0);
  }
  if (found.motion) {
    const double shares = found.motion->forward + found.motion->backward + found.motion->rest;
    FUZZ_REQUIRE(found.motion->fast == 0 || std::abs(shares - 1) < 1e-9);
  }
  if (found.yardstick) {
    FUZZ_REQUIRE(std::isfinite(found.yardstick->coulomb) && std::isfinite(found.yardstick->viscous));
    FUZZ_REQUIRE(found.yardstick->explained >= 0 && found.yardstick->explained <= 1);
  }
  for (const auto& signal : found.signals) {
    FUZZ_REQUIRE(std::isfinite(signal.low) && std::isfinite(signal.high) && signal.low <= signal.high);
  }
  FUZZ_REQUIRE(found.velocity.size() == found.torque.size() && found.velocity.size() == found.position.size());
}

}  // namespace

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
  if ((asked & 8U) != 0) {
    options.columns = {{"time", "1"}, {"position", "2"}, {"torque", "3"}};
  }
  if ((asked & 16U) != 0) {
    options.torque_constant = 0.1;
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
  accepted<stiction::Error>(
      [&] { check_inspection(stiction::identify::inspect(stiction::io::read_signals(file, options))); });
}
