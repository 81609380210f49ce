// Whose fault a long cycle was: by its clocks, and by the same cycle once more.
#include "stiction/haptics/overruns.h"

#include <gtest/gtest.h>

#include <cmath>
#include <ctime>
#include <set>

#include "haptics/small_scenes.h"

namespace stiction::haptics {
namespace {

using test::cube_half;

TEST(Blame, IsWhatTheClocksSay) {
  const auto cycle = [](double wall, double cpu, std::int64_t switches, std::int64_t waits) {
    ServoCycle made;
    made.wall = wall;
    made.cpu = cpu;
    made.switches = switches;
    made.waits = waits;
    return blame(made, 1e-3);
  };
  EXPECT_EQ(cycle(1e-3, 1e-3, 5, 5), Blame::none);
  EXPECT_EQ(cycle(1.1e-3, 0.2e-3, 1, 0), Blame::system);
  EXPECT_EQ(cycle(1.1e-3, 0.2e-3, 0, 0), Blame::system);  // off the core without a switch
  EXPECT_EQ(cycle(1.1e-3, 0.2e-3, 1, 1), Blame::waited);
  EXPECT_EQ(cycle(2e-3, 1.1e-3, 3, 2), Blame::own);
}

void burn() {  // 30 ms of the core
  const std::clock_t until = std::clock() + 3 * CLOCKS_PER_SEC / 100;
  while (std::clock() < until) {
  }
}
constexpr double budget = 0.025;  // [s]

/// The cone program, but in some of its calls it takes long, or pushes.
class BusyFriction final : public FrictionStep {
 public:
  BusyFriction(std::set<int> slow, std::set<int> other) : slow_(std::move(slow)), other_(std::move(other)) {}
  FrictionMotion step(const Situation& situation, std::span<spatial::ContactResult> forces) noexcept override {
    FrictionMotion motion = cones_->step(situation, forces);
    if (slow_.contains(calls_)) {
      burn();
    }
    if (other_.contains(calls_)) {
      motion.motion[0] += 1e-12;
    }
    ++calls_;
    return motion;
  }
  void reset() noexcept override { calls_ = 0; }

 private:
  std::unique_ptr<FrictionStep> cones_ = make_cone_program(1000);
  std::set<int> slow_, other_;
  int calls_ = 0;
};

Renderer pressed(std::set<int> slow = {}, std::set<int> other = {}) {
  Renderer renderer = test::cube_on(test::floor_shell(), 0.5, {}, Separation::pulled,
                                    std::make_unique<BusyFriction>(std::move(slow), std::move(other)));
  renderer.reset_pose({{0, 0, cube_half - 0.001}, identity_rotation});
  return renderer;
}

/// Drags the cube along the floor. In one cycle it is slow itself.
class SlowHand final : public Device {
 public:
  explicit SlowHand(int slow = -1) : slow_(slow) {}
  HandSample read(double time) noexcept override {
    if (std::lround(1000 * time) == slow_) {
      burn();
    }
    return {{{0.05 * time, 0, cube_half - 0.004}, identity_rotation}, 0};
  }
  void write(double, const DeviceOutput&) noexcept override {}

 private:
  int slow_;
};

Overruns run(Renderer renderer, SlowHand hand) {
  Overruns overruns(budget);
  run_servo(renderer, hand, {.duration = 0.04, .real_time = false, .forces_every = 7}, nullptr,
            [&](const ServoCycle& cycle) { overruns.add(cycle); });
  return overruns;
}

/// Those of our own making; the machine may add to them.
const Overrun* find(const Overruns& overruns, std::size_t number) {
  for (const Overrun& overrun : overruns.all()) {
    if (overrun.number == number) {
      return &overrun;
    }
  }
  return nullptr;
}

TEST(Overruns, OwnWorkIsWhatComesAgain) {
  Overruns overruns = run(pressed({10, 20}), SlowHand());
  ASSERT_NE(find(overruns, 10), nullptr);
  ASSERT_NE(find(overruns, 20), nullptr);
  EXPECT_EQ(overruns.blame(*find(overruns, 10)), Blame::own);
  EXPECT_EQ(overruns.cleared(), 0U);
  EXPECT_TRUE(std::isinf(find(overruns, 10)->replayed));

  Renderer slow_again = pressed({20});
  overruns.replay(slow_again);
  EXPECT_TRUE(find(overruns, 10)->same);
  EXPECT_TRUE(find(overruns, 20)->same);
  EXPECT_EQ(overruns.blame(*find(overruns, 20)), Blame::own);
  EXPECT_GT(find(overruns, 20)->replayed, 0.03);

  Renderer well = pressed();  // a theft in the run before may have hit the other one
  overruns.replay(well);
  Renderer well_again = pressed();
  overruns.replay(well_again);
  EXPECT_EQ(overruns.blame(*find(overruns, 10)), Blame::system);
  EXPECT_EQ(overruns.blame(*find(overruns, 20)), Blame::system);
  EXPECT_EQ(overruns.count(Blame::own), 0U);
  EXPECT_GE(overruns.cleared(), 2U);
  EXPECT_LE(overruns.longest_replay(), budget);

  Renderer slow_once_more = pressed({10});  // once is enough
  overruns.replay(slow_once_more);
  EXPECT_EQ(overruns.count(Blame::own), 0U);
}

/// As often as it takes, and not for ever.
TEST(Overruns, SettlesWhatItCan) {
  Overruns overruns = run(pressed({10}), SlowHand());
  int made = 0;
  overruns.settle([&] { return ++made == 1 ? pressed({10}) : pressed(); });
  EXPECT_EQ(overruns.count(Blame::own), 0U);
  EXPECT_GE(made, 2);

  Overruns slow = run(pressed({10}), SlowHand());
  made = 0;
  slow.settle([&] {
    ++made;
    return pressed({10});
  });
  EXPECT_EQ(made, 3);
  EXPECT_EQ(slow.blame(*find(slow, 10)), Blame::own);
}

/// What the device takes does not come again with the renderer, and stays the cycle's.
TEST(Overruns, ADeviceIsNotCleared) {
  Overruns overruns = run(pressed(), SlowHand(15));
  ASSERT_NE(find(overruns, 15), nullptr);
  Renderer again = pressed();
  overruns.replay(again);
  EXPECT_TRUE(find(overruns, 15)->same);
  EXPECT_EQ(overruns.blame(*find(overruns, 15)), Blame::own);
}

/// A renderer that does something else says nothing about the cycle, nor does one after it.
TEST(Overruns, OtherWorkClearsNothing) {
  Overruns overruns = run(pressed({10, 20}), SlowHand());
  Renderer other = pressed({}, {15});
  overruns.replay(other);
  ASSERT_NE(find(overruns, 10), nullptr);
  ASSERT_NE(find(overruns, 20), nullptr);
  EXPECT_TRUE(find(overruns, 10)->same);
  EXPECT_FALSE(find(overruns, 20)->same);
  Renderer well = pressed();
  overruns.replay(well);
  EXPECT_EQ(overruns.blame(*find(overruns, 20)), Blame::own);
}

}  // namespace
}  // namespace stiction::haptics
