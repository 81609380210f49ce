// A device in another process: poses are received and forces sent by UDP, in packets of 80 bytes. Linux.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "stiction/export.h"
#include "stiction/haptics/device.h"

namespace stiction::haptics {

/// A device cannot be reached or opened.
class STICTION_EXPORT DeviceError : public Error {
 public:
  using Error::Error;
};

/// Numbers are little-endian; `f64` is an IEEE double.
///
///   bytes   pose, to this device                force, from this device
///   0–3     "STIC"                              "STIC"
///   4–5     u16 version, 1                      u16 version, 1
///   6–7     u16 kind, 1                         u16 kind, 2
///   8–15    u64 sequence number, increases by   u64 that of the last pose accepted
///           at most 2^32, and wraps to 0
///   16–23   f64 time of the sender [s]          f64 time of the loop [s]
///   24–47   3 f64 position x, y, z [m]          3 f64 force x, y, z [N]
///   48–79   4 f64 unit quaternion w, x, y, z    3 f64 torque x, y, z [N m];
///                                               72–75 u32 phase: 0 free, 1 held, 2 slides, 3 fault;
///                                               76–79 u32: 1 in the safe state
namespace udp {
inline constexpr std::size_t packet_size = 80;
using Packet = std::array<std::uint8_t, packet_size>;

struct PosePacket {
  std::uint64_t sequence = 0;
  double seconds = 0;
  Vector3 position{};
  Quaternion rotation{1, 0, 0, 0};
};
struct ForcePacket {
  std::uint64_t sequence = 0;
  double seconds = 0;
  DeviceOutput output;
};
/// Why a packet was rejected.
enum class Refusal : std::uint8_t { none, wrong_size, wrong_header, not_finite, too_far, not_unit_quaternion };

STICTION_EXPORT Packet encode(const PosePacket& pose) noexcept;
STICTION_EXPORT Packet encode(const ForcePacket& force) noexcept;
/// The quaternion is normalised. `max_distance`: largest distance of the position from the origin [m].
STICTION_EXPORT Refusal decode(std::span<const std::uint8_t> bytes, double max_distance, PosePacket& pose) noexcept;
STICTION_EXPORT std::optional<ForcePacket> decode_force(std::span<const std::uint8_t> bytes) noexcept;
}  // namespace udp

struct UdpOptions {
  std::string address = "127.0.0.1";  // to listen on, IPv4; the loopback address is reachable from this machine only
  std::uint16_t port = 0;             // 0: any free port
  int max_packets = 128;              // processed in one reading, 1 to 100 000
  double new_peer_after = 0.5;        // time without a pose from the current sender after which another may take over
                                      // and sequence numbers may restart [s]
  double max_distance = 1000;         // largest distance of a pose from the origin [m]
};

/// Packets accepted and rejected.
struct UdpCounts {
  std::uint64_t taken = 0;
  std::uint64_t wrong_size = 0, wrong_header = 0, not_finite = 0, too_far = 0, not_unit_quaternion = 0;
  std::uint64_t old_sequence = 0;   // not larger than that of the last pose accepted, or by more than 2^32
  std::uint64_t other_sender = 0;   // from another sender while the current one is fresh
  std::uint64_t full_readings = 0;  // readings that stopped at `max_packets`
  std::uint64_t not_sent = 0;       // forces that could not be sent
};

/// Sends every `write` to the sender of the last pose. Invalid packets are counted and have no effect.
class STICTION_EXPORT UdpDevice final : public Device {
 public:
  /// Throws InvalidParameter, and DeviceError if the socket cannot be opened.
  explicit UdpDevice(const UdpOptions& options = {});
  ~UdpDevice() override;

  HandSample read(double time) noexcept override;
  void write(double time, const DeviceOutput& output) noexcept override;

  [[nodiscard]] std::uint16_t port() const noexcept { return port_; }
  [[nodiscard]] const UdpCounts& counts() const noexcept { return counts_; }

 private:
  struct Address {
    std::uint32_t host = 0;
    std::uint16_t port = 0;
    friend bool operator==(const Address&, const Address&) = default;
  };
  void take(std::span<const std::uint8_t> bytes, const Address& sender, double time) noexcept;

  UdpOptions options_;
  int socket_ = -1;
  std::uint16_t port_ = 0;
  Address peer_;
  std::uint64_t sequence_ = 0;
  bool any_ = false;
  double fresh_at_ = 0;  // [s]
  Pose pose_;
  UdpCounts counts_;
};

}  // namespace stiction::haptics
