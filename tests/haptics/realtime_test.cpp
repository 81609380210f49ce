// Cycles of the haptic loop, without the heap.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <vector>

#include "haptic_baselines.h"
#include "haptics/random_pose.h"
#include "haptics/small_scenes.h"
#include "haptics/udp_sender.h"
#include "stiction/haptics/servo.h"
#include "stiction/haptics/simulated_hand.h"
#include "stiction/haptics/udp_device.h"
#include "support/malloc_guard.h"

namespace stiction::haptics {
namespace {

using baselines::make_constraint_contact;
using baselines::make_gauss_seidel;
using baselines::make_spring_friction;
using baselines::make_staggered_projections;
TEST(Haptics, CyclesCallNoHeap) {
  test::Random random(61);
  for (const bool switched : {false, true}) {
    for (const double mass : {0.0, 0.1}) {
      RenderParams params;
      params.mass = mass;
      params.max_contacts = 60;  // fewer than there are
      Renderer renderer = test::cube_on(test::corner_shell(), 0.5, params, Separation::pulled,
                                        switched ? make_switched_friction(60, 8) : make_cone_program(60));
      const double at = test::cube_half;
      std::size_t most = 0;
      const long calls = test::heap_calls_in([&] {
        renderer.reset_pose({{at, at, at}, identity_rotation});
        for (int i = 0; i < 500; ++i) {
          const double in = 0.004 * std::sin(0.02 * i);
          Pose hand{{at - in, at - in, at - 0.5 * in}, rotation_by({0.1 * in, 0, 0.3})};
          if (i % 50 == 49) {
            hand.position[0] = NAN;
          }
          most = std::max(most, renderer.step(hand).touching);
        }
        for (int i = 0; i < 200; ++i) {
          renderer.step(test::random_pose(random, 0.05));
        }
        most = std::max(most, renderer.contact_count());
      });
      EXPECT_EQ(calls, 0);
      EXPECT_GT(most, 60U);
    }
  }
  static_assert(noexcept(std::declval<Renderer&>().step({})));
}

/// Contacts come, go and are too many.
TEST(Haptics, BaselinesCallNoHeap) {
  test::Random random(62);
  constexpr std::size_t most = 60;
  std::vector<std::unique_ptr<FrictionStep>> steps;
  steps.push_back(make_spring_friction(most));
  steps.push_back(make_spring_friction(most, {.implicit = false}));
  steps.push_back(make_staggered_projections(most));
  steps.push_back(make_gauss_seidel(most));
  steps.push_back(make_constraint_contact(most));
  for (std::unique_ptr<FrictionStep>& step : steps) {
    RenderParams params;
    params.max_contacts = static_cast<int>(most);
    Renderer renderer = test::cube_on(test::corner_shell(), 0.5, params, Separation::pulled, std::move(step));
    const double at = test::cube_half;
    std::size_t touching = 0;
    const long calls = test::heap_calls_in([&] {
      renderer.reset_pose({{at + 0.001, at + 0.001, at + 0.001}, identity_rotation});
      for (int i = 0; i < 300; ++i) {
        Pose hand = test::random_pose(random, 0.008, 0.2);
        hand.position = sum(hand.position, {at, at, at});
        touching = std::max(touching, renderer.step(hand).touching);
      }
    });
    EXPECT_EQ(calls, 0);
    EXPECT_GT(touching, most);
  }
}

TEST(Haptics, LoopAndDevicesCallNoHeap) {
  Renderer renderer = test::cube_on(test::floor_shell(), 0.5, {});
  renderer.reset_pose({{0, 0, test::cube_half}, identity_rotation});
  SimulatedHand hand(
      Trajectory({{0, {{0, 0, test::cube_half}, identity_rotation}}, {0.1, {{0, 0, 0.015}, identity_rotation}}}), {});
  UdpDevice udp;
  test::Sender sender(udp.port());
  ServoRecord record(50);
  const ServoOptions simulated{.duration = 0.2, .real_time = false, .stop = [] { return false; }};
  const ServoOptions clocked{.duration = 0.05};
  const std::function<void(const ServoCycle&)> after = [&](const ServoCycle& cycle) {
    sender.send({static_cast<std::uint64_t>(cycle.time * 1000) + 1, 0, {0, 0, 0.019}, {1, 0, 0, 0}});
  };
  std::size_t cycles = 0;
  const long calls = test::heap_calls_in([&] {
    cycles += run_servo(renderer, hand, simulated, &record).cycles;
    cycles += run_servo(renderer, udp, clocked, &record, after).cycles;
  });
  EXPECT_EQ(calls, 0);
  EXPECT_GT(cycles, 200U);
  EXPECT_GT(udp.counts().taken, 0U);
}

}  // namespace
}  // namespace stiction::haptics
