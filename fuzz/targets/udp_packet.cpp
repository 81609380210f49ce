// Packets of 80 bytes from the network. What is taken is finite, near, a unit quaternion, and encodes to itself.
#include "fuzz/support.h"
#include "stiction/haptics/udp_device.h"

namespace udp = stiction::haptics::udp;

FUZZ_TARGET(udp_packet)(std::span<const std::uint8_t> input) {
  constexpr double max_distance = 1000;
  udp::PosePacket pose;
  if (udp::decode(input, max_distance, pose) == udp::Refusal::none) {
    FUZZ_REQUIRE(stiction::fuzz::all_finite(pose.position) && std::isfinite(pose.seconds));
    FUZZ_REQUIRE(std::ranges::all_of(pose.position, [](double x) { return std::abs(x) <= max_distance; }));
    const auto& [w, x, y, z] = pose.rotation;
    FUZZ_REQUIRE(std::abs(w * w + x * x + y * y + z * z - 1) < 1e-12);
    udp::PosePacket again;
    FUZZ_REQUIRE(udp::decode(udp::encode(pose), max_distance, again) == udp::Refusal::none);
    FUZZ_REQUIRE(again.sequence == pose.sequence && again.position == pose.position);
  }
  if (const auto force = udp::decode_force(input)) {
    FUZZ_REQUIRE(udp::decode_force(udp::encode(*force)).has_value());
  }
}
