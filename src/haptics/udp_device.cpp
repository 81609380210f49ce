#include "stiction/haptics/udp_device.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cmath>
#include <concepts>
#include <system_error>

namespace stiction::haptics {
namespace udp {
namespace {

constexpr std::uint32_t magic = 0x43495453;  // "STIC"
constexpr std::uint16_t version = 1;
enum Kind : std::uint16_t { pose_kind = 1, force_kind = 2 };

/// Writes numbers in sequence, little-endian.
class Writer {
 public:
  explicit Writer(Packet& packet) noexcept : packet_(packet) {}
  template <std::unsigned_integral Number>
  void put(Number number) noexcept {
    for (std::size_t i = 0; i < sizeof(Number); ++i) {
      packet_[at_++] = static_cast<std::uint8_t>(std::uint64_t{number} >> (8 * i));
    }
  }
  void put(double number) noexcept { put(std::bit_cast<std::uint64_t>(number)); }

 private:
  Packet& packet_;
  std::size_t at_ = 0;
};
class Reader {
 public:
  explicit Reader(std::span<const std::uint8_t> bytes) noexcept : bytes_(bytes) {}
  template <std::unsigned_integral Number>
  Number get() noexcept {
    std::uint64_t number = 0;
    for (std::size_t i = 0; i < sizeof(Number); ++i) {
      number |= std::uint64_t{bytes_[at_++]} << (8 * i);
    }
    return static_cast<Number>(number);
  }
  double number() noexcept { return std::bit_cast<double>(get<std::uint64_t>()); }

 private:
  std::span<const std::uint8_t> bytes_;
  std::size_t at_ = 0;
};

void put_header(Writer& out, Kind kind, std::uint64_t sequence, double seconds) noexcept {
  out.put(magic);
  out.put(version);
  out.put(static_cast<std::uint16_t>(kind));
  out.put(sequence);
  out.put(seconds);
}
bool has_header(Reader& in, Kind kind) noexcept {
  const bool valid = in.get<std::uint32_t>() == magic;
  const bool same_version = in.get<std::uint16_t>() == version;
  return in.get<std::uint16_t>() == kind && valid && same_version;
}

}  // namespace

Packet encode(const PosePacket& pose) noexcept {
  Packet packet{};
  Writer out(packet);
  put_header(out, pose_kind, pose.sequence, pose.seconds);
  for (const double x : {pose.position[0], pose.position[1], pose.position[2], pose.rotation.w, pose.rotation.x,
                         pose.rotation.y, pose.rotation.z}) {
    out.put(x);
  }
  return packet;
}

Packet encode(const ForcePacket& force) noexcept {
  Packet packet{};
  Writer out(packet);
  put_header(out, force_kind, force.sequence, force.seconds);
  for (const double x : force.output.wrench) {
    out.put(x);
  }
  out.put(static_cast<std::uint32_t>(force.output.phase));
  out.put(std::uint32_t{force.output.safe ? 1U : 0U});
  return packet;
}

Refusal decode(std::span<const std::uint8_t> bytes, double max_distance, PosePacket& pose) noexcept {
  if (bytes.size() != packet_size) {
    return Refusal::wrong_size;
  }
  Reader in(bytes);
  if (!has_header(in, pose_kind)) {
    return Refusal::wrong_header;
  }
  pose.sequence = in.get<std::uint64_t>();
  pose.seconds = in.number();
  for (double& x : pose.position) {
    x = in.number();
  }
  std::array<double, 4> q{};
  for (double& x : q) {
    x = in.number();
  }
  const auto all_finite = [](const auto& numbers) {
    return std::ranges::all_of(numbers, [](double x) { return std::isfinite(x); });
  };
  if (!std::isfinite(pose.seconds) || !all_finite(pose.position) || !all_finite(q)) {
    return Refusal::not_finite;
  }
  if (norm(pose.position) > max_distance) {
    return Refusal::too_far;
  }
  const double length = norm(q);
  if (!(std::abs(length - 1) < 1e-3)) {
    return Refusal::not_unit_quaternion;
  }
  pose.rotation = {q[0] / length, q[1] / length, q[2] / length, q[3] / length};
  return Refusal::none;
}

std::optional<ForcePacket> decode_force(std::span<const std::uint8_t> bytes) noexcept {
  Reader in(bytes);
  if (bytes.size() != packet_size || !has_header(in, force_kind)) {
    return std::nullopt;
  }
  ForcePacket force;
  force.sequence = in.get<std::uint64_t>();
  force.seconds = in.number();
  for (double& x : force.output.wrench) {
    x = in.number();
  }
  const auto phase = in.get<std::uint32_t>();
  if (phase > static_cast<std::uint32_t>(Phase::fault)) {
    return std::nullopt;
  }
  force.output.phase = static_cast<Phase>(phase);
  force.output.safe = in.get<std::uint32_t>() == 1;
  return force;
}

}  // namespace udp

namespace {

[[noreturn]] void fail(const std::string& what) {
  throw DeviceError(what + ": " + std::generic_category().message(errno));
}

sockaddr* as_plain(sockaddr_in& address) noexcept {
  return reinterpret_cast<sockaddr*>(&address);  // NOLINT(cppcoreguidelines-pro-type-reinterpret-cast): its interface
}

}  // namespace

UdpDevice::UdpDevice(const UdpOptions& options) : options_(options) {
  if (options.max_packets < 1 || options.max_packets > 100000) {
    throw InvalidParameter({"max_packets", static_cast<double>(options.max_packets), "1 to 100000"});
  }
  if (!(options.new_peer_after > 0)) {
    throw InvalidParameter({"new_peer_after", options.new_peer_after, "> 0"});
  }
  if (!(options.max_distance > 0)) {
    throw InvalidParameter({"max_distance", options.max_distance, "> 0"});
  }
  const std::string name = options.address + ':' + std::to_string(options.port);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(options.port);
  if (inet_pton(AF_INET, options.address.c_str(), &address.sin_addr) != 1) {
    errno = EINVAL;
    fail("not an IPv4 address: " + options.address);
  }
  socket_ = ::socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (socket_ < 0) {
    fail("cannot open a socket for " + name);
  }
  // A small buffer: queued packets are older than the next one, and one reading should see all of them
  const int buffer_size = 32768;
  socklen_t size = sizeof address;
  if (::setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &buffer_size, sizeof buffer_size) != 0 ||
      ::bind(socket_, as_plain(address), size) != 0 || ::getsockname(socket_, as_plain(address), &size) != 0) {
    const int error = errno;
    ::close(socket_);
    errno = error;
    fail("cannot listen on " + name);
  }
  port_ = ntohs(address.sin_port);
}

UdpDevice::~UdpDevice() { ::close(socket_); }

HandSample UdpDevice::read(double time) noexcept {
  std::array<std::uint8_t, udp::packet_size + 1> bytes{};  // one more, to detect packets that are too long
  for (int i = 0; i < options_.max_packets; ++i) {
    sockaddr_in from{};
    socklen_t size = sizeof from;
    const ssize_t length = ::recvfrom(socket_, bytes.data(), bytes.size(), 0, as_plain(from), &size);
    if (length < 0) {
      if (errno == EAGAIN || errno == EWOULDBLOCK) {
        break;
      }
      continue;  // a signal, or an ICMP report of an undelivered reply
    }
    take(std::span(bytes).first(static_cast<std::size_t>(length)), {from.sin_addr.s_addr, from.sin_port}, time);
    if (i + 1 == options_.max_packets) {
      ++counts_.full_readings;
    }
  }
  return {pose_, any_ ? time - fresh_at_ : infinity};
}

void UdpDevice::take(std::span<const std::uint8_t> bytes, const Address& sender, double time) noexcept {
  udp::PosePacket packet;
  switch (udp::decode(bytes, options_.max_distance, packet)) {
    case udp::Refusal::wrong_size:
      ++counts_.wrong_size;
      return;
    case udp::Refusal::wrong_header:
      ++counts_.wrong_header;
      return;
    case udp::Refusal::not_finite:
      ++counts_.not_finite;
      return;
    case udp::Refusal::too_far:
      ++counts_.too_far;
      return;
    case udp::Refusal::not_unit_quaternion:
      ++counts_.not_unit_quaternion;
      return;
    case udp::Refusal::none:
      break;
  }
  const bool fresh = any_ && time - fresh_at_ < options_.new_peer_after;
  if (fresh && sender != peer_) {
    ++counts_.other_sender;
    return;
  }
  // 1 to 2^32 ahead, modulo 2^64; 2^32 ns are longer than any `new_peer_after` in use
  if (fresh && packet.sequence - sequence_ - 1 >= std::uint64_t{1} << 32U) {
    ++counts_.old_sequence;
    return;
  }
  any_ = true;
  peer_ = sender;
  sequence_ = packet.sequence;
  fresh_at_ = time;
  pose_ = {packet.position, rotation_of(packet.rotation)};
  ++counts_.taken;
}

void UdpDevice::write(double time, const DeviceOutput& output) noexcept {
  if (!any_) {
    return;
  }
  const udp::Packet packet = udp::encode(udp::ForcePacket{sequence_, time, output});
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_addr.s_addr = peer_.host;
  to.sin_port = peer_.port;
  if (::sendto(socket_, packet.data(), packet.size(), MSG_NOSIGNAL, as_plain(to), sizeof to) !=
      static_cast<ssize_t>(packet.size())) {
    ++counts_.not_sent;
  }
}

}  // namespace stiction::haptics
