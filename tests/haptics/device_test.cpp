// Hands: played back, simulated, and by UDP from a sender that is correct, silent, or sends invalid packets.
#include "stiction/haptics/device.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <system_error>
#include <vector>

#include "haptics/random_pose.h"
#include "haptics/udp_sender.h"
#include "stiction/haptics/simulated_hand.h"
#include "stiction/haptics/udp_device.h"

namespace stiction::haptics {
namespace {

using test::Random;

TEST(PlaybackDevice, GoesItsWay) {
  PlaybackDevice device(Trajectory({{5, {{0, 0, 0}, identity_rotation}}, {7, {{0.2, 0, 0}, rotation_by({0, 0, 1})}}}));
  for (const double time : {0.0, 0.5, 1.0, 2.0, 10.0}) {
    const HandSample hand = device.read(time);
    const double share = std::min(time / 2, 1.0);
    EXPECT_NEAR(hand.pose.position[0], 0.2 * share, 1e-15);
    EXPECT_NEAR(rotation_vector(hand.pose.rotation)[2], share, 1e-14);
    EXPECT_EQ(hand.age, 0);
    device.write(time, {{1, 2, 3, 4, 5, 6}, Phase::slides, false});
  }
}

/// Under a steady force the hand rests where the spring holds it: F/k from its path, τ/k_tor turned.
TEST(SimulatedHand, GivesWayToWhatItFeels) {
  HandParams params;
  const Vector3 centre{0.05, 0, 0};
  const Pose start{{0.1, 0.2, 0.3}, rotation_by({0.4, 0, 0})};
  SimulatedHand hand(Trajectory({TimedPose{0, start}}), centre, params);
  for (int i = 0; i < 5000; ++i) {
    hand.write(i * 1e-3, {{2, 0, -1, 0, 0.1, 0}, Phase::held, false});
    hand.read((i + 1) * 1e-3);
  }
  const Pose end = hand.read(6).pose;
  const Vector3 moved_by = difference(to_world(end, centre), to_world(start, centre));
  EXPECT_LT(norm(difference(moved_by, {2 / params.stiffness, 0, -1 / params.stiffness})), 1e-9);
  const Vector3 turned_by = rotation_vector(product(end.rotation, transposed(start.rotation)));
  EXPECT_LT(norm(difference(turned_by, {0, 0.1 / params.rotational_stiffness, 0})), 1e-9);
}

TEST(SimulatedHand, TurnsAboutWhereItHolds) {
  const Vector3 centre{0.05, 0.02, 0};
  SimulatedHand hand(Trajectory({TimedPose{}}), centre);
  for (int i = 1; i < 500; ++i) {
    hand.write(i * 1e-3, {{0, 0, 0, 0, 0.1, -0.2}, Phase::held, false});
    EXPECT_LT(norm(difference(to_world(hand.read(i * 1e-3).pose, centre), centre)), 1e-13);
  }
}

/// A step of the path: the answer of a mass on spring and damper, from its solution in closed form.
TEST(SimulatedHand, SwingsAsItsMassDoes) {
  HandParams params;
  params.mass = 0.3;
  params.stiffness = 300;
  params.damping = 4;
  const double h = 1e-5;
  SimulatedHand hand(Trajectory({TimedPose{}, {1e-9, {{0.01, 0, 0}, identity_rotation}}}), {}, params);
  const double omega = std::sqrt(params.stiffness / params.mass);
  const double zeta = params.damping / (2 * std::sqrt(params.stiffness * params.mass));
  const double ring = omega * std::sqrt(1 - zeta * zeta);
  hand.read(h);  // the path jumps in this step
  double worst = 0;
  // from x = 0.01, which the damper of the jumping path has pushed already: take the state from two readings
  const double x1 = hand.read(2 * h).pose.position[0];
  const double x2 = hand.read(3 * h).pose.position[0];
  const double v = (x2 - x1) / h;
  const double a = x2 - 0.01;
  const double b = (v + zeta * omega * a) / ring;
  for (int i = 4; i < 60000; ++i) {
    const double t = (i - 3) * h;
    const double expected = 0.01 + std::exp(-zeta * omega * t) * (a * std::cos(ring * t) + b * std::sin(ring * t));
    worst = std::max(worst, std::abs(hand.read(i * h).pose.position[0] - expected));
  }
  EXPECT_LT(worst, 2e-5);  // of first order in h
  EXPECT_GT(zeta, 0.1);
}

TEST(SimulatedHand, IsStableWhateverItsSpring) {
  HandParams params;
  params.stiffness = 1e9;
  params.damping = 1e6;
  params.rotational_stiffness = 1e9;
  SimulatedHand hand(Trajectory({TimedPose{}, {1, {{0.1, 0, 0}, rotation_by({0, 0, 3})}}}), {}, params);
  for (int i = 0; i < 2000; ++i) {
    const HandSample sample = hand.read(i * 1e-3);
    EXPECT_NEAR(sample.pose.position[0], std::min(i * 1e-4, 0.1), 1e-6);
    hand.write(i * 1e-3, {{1, 1, 1, 0.1, 0.1, 0.1}, Phase::held, false});
  }
  params.mass = 0;
  EXPECT_THROW(SimulatedHand(Trajectory({TimedPose{}}), {}, params), InvalidParameter);
}

TEST(Udp, PosesComeBack) {
  Random random(71);
  for (int i = 0; i < 1000; ++i) {
    const Pose pose = test::random_pose(random, 10);
    const udp::PosePacket sent{random.bits(), random.between(-1, 1e6), pose.position, quaternion_of(pose.rotation)};
    udp::PosePacket got;
    ASSERT_EQ(udp::decode(udp::encode(sent), 100, got), udp::Refusal::none);
    EXPECT_EQ(got.sequence, sent.sequence);
    EXPECT_EQ(got.seconds, sent.seconds);
    EXPECT_EQ(got.position, sent.position);
    EXPECT_LT(test::largest_difference(rotation_of(got.rotation), pose.rotation), 4e-15);
    const udp::ForcePacket force{
        random.bits(), random.unit(), {{random.unit(), 2, 3, 4, 5, -random.unit()}, Phase::slides, i % 2 == 0}};
    const auto back = udp::decode_force(udp::encode(force));
    ASSERT_TRUE(back);
    EXPECT_EQ(back->sequence, force.sequence);
    EXPECT_EQ(back->output.wrench, force.output.wrench);
    EXPECT_EQ(back->output.phase, Phase::slides);
    EXPECT_EQ(back->output.safe, force.output.safe);
  }
}

/// The bytes, as the page says: a sender in another language counts on them.
TEST(Udp, BytesAreThoseOfTheTable) {
  const udp::Packet packet = udp::encode(udp::PosePacket{0x0102030405060708, 1, {2, -2, 0}, {0, 0, 0, 1}});
  EXPECT_EQ(std::memcmp(packet.data(), "STIC\x01\x00\x01\x00", 8), 0);
  EXPECT_EQ(packet[8], 8);
  EXPECT_EQ(packet[15], 1);
  EXPECT_EQ(packet[23], 0x3f);  // 1.0 is 3ff0…
  EXPECT_EQ(packet[22], 0xf0);
  EXPECT_EQ(packet[31], 0x40);  // 2.0 is 4000…
  EXPECT_EQ(packet[39], 0xc0);
  EXPECT_EQ(packet[79], 0x3f);
  const udp::Packet force = udp::encode(udp::ForcePacket{7, 0, {{1, 0, 0, 0, 0, 2}, Phase::fault, true}});
  EXPECT_EQ(std::memcmp(force.data(), "STIC\x01\x00\x02\x00\x07", 9), 0);
  EXPECT_EQ(force[31], 0x3f);
  EXPECT_EQ(force[71], 0x40);
  EXPECT_EQ(force[72], 3);
  EXPECT_EQ(force[76], 1);
}

TEST(Udp, RefusesWhatIsNoPose) {
  const udp::Packet good = udp::encode(udp::PosePacket{1, 0, {1, 2, 3}, {1, 0, 0, 0}});
  udp::PosePacket pose;
  const auto refusal = [&](const auto& change) {
    std::vector<std::uint8_t> bytes(good.begin(), good.end());
    change(bytes);
    return udp::decode(bytes, 10, pose);
  };
  const auto put = [](std::vector<std::uint8_t>& bytes, std::size_t at, double x) {
    std::memcpy(&bytes[at], &x, sizeof x);
  };
  using Bytes = std::vector<std::uint8_t>;
  EXPECT_EQ(refusal([](Bytes&) {}), udp::Refusal::none);
  EXPECT_EQ(refusal([](Bytes& b) { b.clear(); }), udp::Refusal::wrong_size);
  EXPECT_EQ(refusal([](Bytes& b) { b.pop_back(); }), udp::Refusal::wrong_size);
  EXPECT_EQ(refusal([](Bytes& b) { b.push_back(0); }), udp::Refusal::wrong_size);
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_EQ(refusal([&](Bytes& b) { b[i] ^= 0x10U; }), udp::Refusal::wrong_header) << i;
  }
  for (std::size_t at = 16; at < 80; at += 8) {
    for (const double bad : {std::nan(""), infinity, -infinity}) {
      EXPECT_EQ(refusal([&](Bytes& b) { put(b, at, bad); }), udp::Refusal::not_finite) << at;
    }
  }
  EXPECT_EQ(refusal([&](Bytes& b) { put(b, 24, 10.0); }), udp::Refusal::too_far);
  EXPECT_EQ(refusal([&](Bytes& b) { put(b, 24, 1e300); }), udp::Refusal::too_far);
  EXPECT_EQ(refusal([&](Bytes& b) { put(b, 48, 1.002); }), udp::Refusal::not_unit_quaternion);
  EXPECT_EQ(refusal([&](Bytes& b) { put(b, 48, 0.0); }), udp::Refusal::not_unit_quaternion);
  EXPECT_EQ(refusal([&](Bytes& b) { put(b, 48, 1e308); }), udp::Refusal::not_unit_quaternion);
  // Nearly a unit: taken, and made one
  EXPECT_EQ(refusal([&](Bytes& b) { put(b, 48, 1.0005); }), udp::Refusal::none);
  EXPECT_EQ(pose.rotation.w, 1);
}

using test::Sender;

TEST(UdpDevice, TakesPosesAndAnswers) {
  UdpDevice device;
  Sender sender(device.port());
  EXPECT_EQ(device.read(0).age, infinity);
  device.write(0, {});  // to nobody
  sender.send({1, 0, {0.1, 0.2, 0.3}, {1, 0, 0, 0}});
  sender.send({2, 0, {0.4, 0.5, 0.6}, {0, 0, 0, 1}});
  HandSample hand = device.read(1);
  EXPECT_EQ(hand.pose.position, (Vector3{0.4, 0.5, 0.6}));
  EXPECT_EQ(hand.pose.rotation, rotation_of({0, 0, 0, 1}));
  EXPECT_EQ(hand.age, 0);
  EXPECT_NEAR(device.read(1.25).age, 0.25, 1e-15);
  device.write(1.25, {{1, 2, 3, 4, 5, 6}, Phase::held, false});
  const auto force = sender.receive();
  ASSERT_TRUE(force);
  EXPECT_EQ(force->sequence, 2U);
  EXPECT_EQ(force->seconds, 1.25);
  EXPECT_EQ(force->output.wrench, (Vector6{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(force->output.phase, Phase::held);
  EXPECT_EQ(device.counts().taken, 2U);
}

TEST(UdpDevice, CountsGarbageAndGoesOn) {
  Random random(72);
  UdpDevice device;
  Sender sender(device.port());
  sender.send({10, 0, {0.1, 0, 0}, {1, 0, 0, 0}});
  device.read(0);
  std::uint64_t sent = 0;
  for (int i = 0; i < 2000; ++i) {
    std::vector<std::uint8_t> bytes(i % 3 == 0 ? 80 : random.bits() % 400);
    for (std::uint8_t& byte : bytes) {
      byte = static_cast<std::uint8_t>(random.bits());
    }
    sender.send(bytes.data(), bytes.size());
    ++sent;
    const HandSample hand = device.read(i * 1e-4);
    EXPECT_EQ(hand.pose.position, (Vector3{0.1, 0, 0}));
    EXPECT_NEAR(hand.age, i * 1e-4, 1e-12);
  }
  const UdpCounts& counts = device.counts();
  EXPECT_EQ(counts.wrong_size + counts.wrong_header, sent);
  EXPECT_GT(counts.wrong_header, 600U);
  std::vector<std::uint8_t> too_long(200);  // a pose, and more
  std::ranges::copy(udp::encode(udp::PosePacket{11, 0, {0.3, 0, 0}, {1, 0, 0, 0}}), too_long.begin());
  sender.send(too_long.data(), too_long.size());
  sender.send(too_long.data(), 81);
  EXPECT_EQ(device.read(0.2).pose.position, (Vector3{0.1, 0, 0}));
  sender.send({11, 0, {NAN, 0, 0}, {1, 0, 0, 0}});
  sender.send({12, 0, {1e9, 0, 0}, {1, 0, 0, 0}});
  sender.send({13, 0, {0, 0, 0}, {2, 0, 0, 0}});
  sender.send({10, 0, {0.7, 0, 0}, {1, 0, 0, 0}});
  sender.send({9, 0, {0.8, 0, 0}, {1, 0, 0, 0}});
  Sender other(device.port());
  other.send({1000, 0, {0.9, 0, 0}, {1, 0, 0, 0}});
  EXPECT_EQ(device.read(0.2).pose.position, (Vector3{0.1, 0, 0}));
  EXPECT_EQ(counts.not_finite, 1U);
  EXPECT_EQ(counts.too_far, 1U);
  EXPECT_EQ(counts.not_unit_quaternion, 1U);
  EXPECT_EQ(counts.old_sequence, 2U);
  EXPECT_EQ(counts.other_sender, 1U);
  EXPECT_EQ(counts.taken, 1U);
  sender.send({11, 0, {0.2, 0, 0}, {1, 0, 0, 0}});
  EXPECT_EQ(device.read(0.21).pose.position, (Vector3{0.2, 0, 0}));
  // After a silence anyone may start again
  other.send({1, 0, {0.9, 0, 0}, {1, 0, 0, 0}});
  EXPECT_EQ(device.read(0.72).pose.position, (Vector3{0.9, 0, 0}));
}

TEST(UdpDevice, FloodIsBounded) {
  UdpOptions options;
  options.max_packets = 16;
  UdpDevice device(options);
  Sender sender(device.port());
  for (std::uint64_t i = 1; i <= 5000; ++i) {
    sender.send({i, 0, {1e-3, 0, 0}, {1, 0, 0, 0}});
  }
  for (int reading = 1; reading <= 3; ++reading) {
    device.read(0);
    EXPECT_EQ(device.counts().taken, 16U * static_cast<unsigned>(reading));
    EXPECT_EQ(device.counts().full_readings, static_cast<unsigned>(reading));
  }
  // What waits is little: a few hundred packets at most
  for (int i = 0; i < 40; ++i) {
    device.read(0);
  }
  EXPECT_LT(device.counts().taken, 600U);
}

TEST(UdpDevice, RefusesWhatCannotBe) {
  EXPECT_THROW(UdpDevice({.address = "nowhere"}), DeviceError);
  EXPECT_THROW(UdpDevice({.address = "203.0.113.1"}), DeviceError);  // not of this machine
  EXPECT_THROW(UdpDevice({.max_packets = 0}), InvalidParameter);
  EXPECT_THROW(UdpDevice({.new_peer_after = NAN}), InvalidParameter);
  const UdpDevice first;
  try {
    const UdpDevice second({.port = first.port()});
    FAIL();
  } catch (const DeviceError& error) {
    EXPECT_NE(std::string(error.what()).find("cannot listen on 127.0.0.1:"), std::string::npos);
  }
}

}  // namespace
}  // namespace stiction::haptics
