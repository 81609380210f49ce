// A hand's poses in CSV. What is accepted gives finite poses at all times.
#include "fuzz/support.h"
#include "stiction/io/file.h"
#include "stiction/io/haptic_scene.h"

FUZZ_TARGET(trajectory)(std::span<const std::uint8_t> input) {
  const auto file = stiction::fuzz::file_in_memory(stiction::fuzz::Bytes(input).rest());
  stiction::fuzz::accepted<stiction::io::InputError>([&] {
    const auto path = stiction::io::read_trajectory(file);
    for (const double time : {path.begin(), 0.5 * path.begin() + 0.5 * path.end(), path.end(), 1e300, -1e300}) {
      const auto pose = path.at(time);
      FUZZ_REQUIRE(stiction::fuzz::all_finite(pose.position));
      for (const auto& row : pose.rotation) {
        FUZZ_REQUIRE(stiction::fuzz::all_finite(row));
      }
    }
  });
}
