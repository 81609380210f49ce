// The other end of a UDP device.
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "stiction/haptics/udp_device.h"

namespace stiction::test {

namespace udp = haptics::udp;

/// A socket that talks to a port of this machine.
class Sender {
 public:
  explicit Sender(std::uint16_t port) : socket_(::socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0)) {
    to_.sin_family = AF_INET;
    to_.sin_port = htons(port);
    to_.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  }
  ~Sender() { ::close(socket_); }
  Sender(const Sender&) = delete;
  Sender& operator=(const Sender&) = delete;

  void send(const void* bytes, std::size_t size) {
    ::sendto(socket_, bytes, size, 0, reinterpret_cast<const sockaddr*>(&to_), sizeof to_);
  }
  void send(const udp::PosePacket& pose) {
    const udp::Packet packet = udp::encode(pose);
    send(packet.data(), packet.size());
  }
  std::optional<udp::ForcePacket> receive() {
    std::array<std::uint8_t, 200> bytes{};
    const ssize_t length = ::recv(socket_, bytes.data(), bytes.size(), 0);
    return length < 0 ? std::nullopt : udp::decode_force(std::span(bytes).first(static_cast<std::size_t>(length)));
  }

 private:
  int socket_;
  sockaddr_in to_{};
};

}  // namespace stiction::test
