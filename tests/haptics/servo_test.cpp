// The loop: its cycles, its safe state, and what it says of its own times. Nothing here depends on how fast it runs.
#include "stiction/haptics/servo.h"

#include <gtest/gtest.h>
#include <sys/time.h>

#include <atomic>
#include <cmath>
#include <csignal>
#include <ctime>
#include <thread>
#include <vector>

#include "haptics/small_scenes.h"
#include "haptics/udp_sender.h"
#include "stiction/haptics/simulated_hand.h"
#include "stiction/haptics/udp_device.h"

namespace stiction::haptics {
namespace {

using test::cube_half;

/// A hand whose freshness is written down beforehand.
class ScriptedDevice final : public Device {
 public:
  std::function<HandSample(double)> hand = [](double) {
    return HandSample{{{0, 0, cube_half - 0.004}, identity_rotation}, 0};
  };
  std::vector<DeviceOutput> heard;
  HandSample read(double time) noexcept override { return hand(time); }
  void write(double, const DeviceOutput& output) noexcept override { heard.push_back(output); }
};

Renderer on_floor() {
  Renderer renderer = test::cube_on(test::floor_shell(), 0.5, {});
  renderer.reset_pose({{0, 0, cube_half}, identity_rotation});
  return renderer;
}

TEST(Servo, RunsAsManyCyclesAsItSays) {
  Renderer renderer = on_floor();
  ScriptedDevice device;
  ServoRecord record(300);
  std::size_t told = 0;
  const ServoReport report =
      run_servo(renderer, device, {.duration = 0.4, .real_time = false}, &record, [&](const ServoCycle& cycle) {
        EXPECT_NEAR(cycle.time, static_cast<double>(told) * 1e-3, 1e-12);
        ++told;
      });
  EXPECT_EQ(report.cycles, 400U);
  EXPECT_EQ(told, 400U);
  EXPECT_EQ(record.cycles().size(), 300U);
  EXPECT_EQ(record.left_out(), 100U);
  EXPECT_EQ(report.safe, 0U);
  EXPECT_EQ(report.faults, 0U);
  EXPECT_EQ(report.skipped, 0U);
  ASSERT_EQ(device.heard.size(), 401U);
  // The hand feels the floor all the time, and nothing at the end
  EXPECT_NEAR(device.heard[399].wrench[2], 1.9, 0.05);
  EXPECT_EQ(device.heard[399].phase, Phase::held);
  EXPECT_EQ(device.heard.back().wrench, Vector6{});
  EXPECT_TRUE(device.heard.back().safe);
  for (const ServoCycle& cycle : record.cycles()) {
    EXPECT_EQ(cycle.gain, 1);
    EXPECT_EQ(cycle.output, cycle.cycle.output);
    EXPECT_GT(cycle.wall, 0);
    EXPECT_GT(cycle.cpu, 0);
    EXPECT_EQ(cycle.late, 0);
  }
}

/// Fresh for 0.2 s, silent until 0.5 s, fresh again: 0 from the time-out on, then a ramp.
TEST(Servo, GoesToTheSafeStateAndBack) {
  Renderer renderer = on_floor();
  ScriptedDevice device;
  const Pose pressed{{0, 0, cube_half - 0.004}, identity_rotation};
  device.hand = [&](double time) { return HandSample{pressed, time < 0.2 ? 0 : time < 0.5 ? time - 0.2 : 0}; };
  ServoRecord record(2000);
  const ServoOptions options{.duration = 1, .real_time = false, .time_out = 0.1, .ramp = 0.25};
  const ServoReport report = run_servo(renderer, device, options, &record);
  EXPECT_NEAR(static_cast<double>(report.safe), 200, 1);
  for (const ServoCycle& cycle : record.cycles()) {
    const auto& heard = device.heard[static_cast<std::size_t>(std::lround(cycle.time * 1000))];
    EXPECT_EQ(heard.wrench, cycle.output);
    const double t = cycle.time;
    if (t > 0.3005 && t < 0.4995) {
      EXPECT_EQ(cycle.output, Vector6{}) << t;
      EXPECT_TRUE(heard.safe);
    } else if (t > 0.15 && t < 0.2995) {
      EXPECT_NEAR(cycle.output[2], 1.9, 0.05) << t;
      EXPECT_FALSE(heard.safe);
    } else if (t > 0.5005) {
      EXPECT_NEAR(cycle.gain, std::min(1.0, (t - 0.499) / 0.25), 1e-9) << t;
      EXPECT_NEAR(cycle.output[2], 1.9 * cycle.gain, 0.05) << t;
    }
  }
}

TEST(Servo, WaitsForTheFirstPoseWithoutAForce) {
  for (const double age : {infinity, std::nan("")}) {
    Renderer renderer = on_floor();
    const Pose start = renderer.body();
    ScriptedDevice device;
    device.hand = [&](double time) {
      // Nonsense for a pose, as long as there is none
      return time < 0.1 ? HandSample{{{9, 9, -9}, identity_rotation}, age}
                        : HandSample{{{0, 0, cube_half}, identity_rotation}, 0};
    };
    ServoRecord record(200);
    run_servo(renderer, device, {.duration = 0.2, .real_time = false, .ramp = 0.05}, &record);
    for (const ServoCycle& cycle : record.cycles()) {
      if (cycle.time < 0.0995) {
        EXPECT_EQ(cycle.output, Vector6{});
        EXPECT_LT(norm(difference(cycle.cycle.body.position, start.position)), 1e-9);
      }
    }
    EXPECT_EQ(record.cycles().back().gain, 1);
    EXPECT_NEAR(record.cycles()[100].gain, 0.02, 1e-12);
  }
}

TEST(Servo, InvalidPosesGiveNoForce) {
  Renderer renderer = on_floor();
  ScriptedDevice device;
  device.hand = [](double time) {
    const auto k = std::lround(time * 1000);
    return HandSample{{{k % 3 == 0 ? 1e308 : k % 3 == 1 ? -1e308 : std::nan(""), 0, 0}, identity_rotation}, 0};
  };
  run_servo(renderer, device, {.duration = 0.1, .real_time = false});
  for (const DeviceOutput& output : device.heard) {
    for (const double x : output.wrench) {
      EXPECT_TRUE(std::isfinite(x));
    }
  }
}

TEST(Servo, StopsWhenAsked) {
  Renderer renderer = on_floor();
  ScriptedDevice device;
  int asked = 0;
  const ServoReport report = run_servo(renderer, device, {.real_time = false, .stop = [&] { return ++asked > 50; }});
  EXPECT_EQ(report.cycles, 50U);
  EXPECT_EQ(device.heard.back().wrench, Vector6{});
  // Also where what is called after a cycle throws
  device.heard.clear();
  EXPECT_THROW(run_servo(renderer, device, {.real_time = false}, nullptr,
                         [](const ServoCycle& cycle) {
                           if (cycle.time > 0.01) {
                             throw std::runtime_error("enough");
                           }
                         }),
               std::runtime_error);
  EXPECT_TRUE(device.heard.back().safe);
}

std::atomic<int> signals{0};
TEST(Servo, StopsOnASignalInItsSleep) {
  Renderer renderer = test::cube_on(test::floor_shell(), 0.5, [] {
    RenderParams params;
    params.period = 3600;  // an hour: it sleeps
    return params;
  }());
  struct sigaction on_signal {};
  struct sigaction before {};
  on_signal.sa_handler = [](int) { ++signals; };
  sigaction(SIGUSR1, &on_signal, &before);
  ScriptedDevice device;
  const pthread_t self = pthread_self();
  std::atomic<bool> over{false};
  std::thread other([&] {
    while (!over) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      pthread_kill(self, SIGUSR1);
    }
  });
  const ServoReport report = run_servo(renderer, device, {.stop = [] { return signals >= 2; }});
  over = true;
  other.join();
  sigaction(SIGUSR1, &before, nullptr);
  EXPECT_EQ(report.cycles, 1U);
}

/// A cycle that burns a core is its own; one that sleeps is not.
TEST(Servo, KnowsItsOwnOverruns) {
  Renderer renderer = on_floor();
  ScriptedDevice device;
  device.hand = [](double time) {
    timespec t{};
    const auto k = std::lround(time * 1000);
    if (k == 3) {  // 20 ms on a core
      const std::clock_t until = std::clock() + CLOCKS_PER_SEC / 50;
      while (std::clock() < until) {
      }
    }
    if (k == 5) {  // 20 ms away from it
      t.tv_nsec = 20000000;
      nanosleep(&t, nullptr);
    }
    return HandSample{{{0, 0, cube_half}, identity_rotation}, 0};
  };
  ServoRecord record(10);
  const ServoReport report =
      run_servo(renderer, device, {.duration = 0.008, .real_time = false, .budget = 0.015}, &record);
  EXPECT_EQ(report.cycles, 8U);
  EXPECT_GE(report.overruns, 2U);
  EXPECT_GE(report.own, 1U);
  std::size_t own = 0, stolen = 0;
  for (const ServoCycle& cycle : record.cycles()) {
    own += cycle.cpu > 0.015 ? 1 : 0;
    stolen += cycle.wall > 0.015 && cycle.cpu <= 0.015 && cycle.waits == 0 ? 1 : 0;
  }
  EXPECT_EQ(report.own, own);
  EXPECT_EQ(report.stolen, stolen);
  EXPECT_GE(report.waited, 1U);
  EXPECT_EQ(report.overruns, own + stolen + report.waited);
  EXPECT_EQ(record.cycles()[1].waits, 0);
  EXPECT_GE(record.cycles()[5].waits, 1);
  EXPECT_GT(record.cycles()[3].cpu, 0.015);
  EXPECT_LT(record.cycles()[5].cpu, 0.015);
  EXPECT_GT(record.cycles()[5].wall, 0.0199);
  EXPECT_GT(report.longest, 0.0199);
}

/// Signals halt the loop in the middle: those that burn a core are counted as its own time, those that sleep are not.
TEST(Servo, FindsHaltsOfAnEmptyLoop) {
#ifdef __SANITIZE_THREAD__
  GTEST_SKIP() << "ThreadSanitizer holds signals back, and this is about when they come";
#endif
  const auto halts_with = [](void (*halt)(int)) {
    struct sigaction on_signal {};
    struct sigaction before {};
    on_signal.sa_handler = halt;
    sigaction(SIGALRM, &on_signal, &before);
    const itimerval every{.it_interval = {0, 100000}, .it_value = {0, 100000}};
    setitimer(ITIMER_REAL, &every, nullptr);
    const Halts found = find_halts(0.55, 0.02);
    const itimerval never{};
    setitimer(ITIMER_REAL, &never, nullptr);
    sigaction(SIGALRM, &before, nullptr);
    return found;
  };
  const Halts burnt = halts_with([](int) {  // 25 ms on the core
    const std::clock_t until = std::clock() + CLOCKS_PER_SEC / 40;
    while (std::clock() < until) {
    }
  });
  EXPECT_GE(burnt.count, 3U);
  EXPECT_GE(burnt.as_own, 3U);
  EXPECT_GT(burnt.longest, 0.025);
  const Halts slept = halts_with([](int) {  // 40 ms away from it
    const timespec t{.tv_sec = 0, .tv_nsec = 40000000};
    nanosleep(&t, nullptr);
  });
  EXPECT_GE(slept.count, 3U);
  EXPECT_LT(slept.as_own, slept.count);
  EXPECT_GT(slept.longest, 0.04);
  EXPECT_THROW(find_halts(0, 1e-3), InvalidParameter);
  EXPECT_THROW(find_halts(1, NAN), InvalidParameter);
}

/// In real time: no cycle before its time, periods that are over are left out, and the clock is right.
TEST(Servo, KeepsToTheClock) {
  Renderer renderer = on_floor();
  ScriptedDevice device;
  device.hand = [](double time) {
    if (std::lround(time * 1000) == 100) {
      std::this_thread::sleep_for(std::chrono::milliseconds(30));
    }
    return HandSample{{{0, 0, cube_half}, identity_rotation}, 0};
  };
  ServoRecord record(1000);
  const ServoReport report = run_servo(renderer, device, {.duration = 0.3}, &record);
  EXPECT_GE(report.seconds, 0.3);
  EXPECT_LE(report.cycles + report.skipped, 300U);
  EXPECT_GE(report.cycles + report.skipped, 298U);
  EXPECT_GE(report.skipped, 28U);
  EXPECT_GT(report.cycles, 20U);
  double last = -1;
  for (const ServoCycle& cycle : record.cycles()) {
    EXPECT_GE(cycle.late, -1e-6);
    EXPECT_GT(cycle.time, last);
    EXPECT_NEAR(cycle.time * 1000, std::round(cycle.time * 1000), 1e-6);
    last = cycle.time;
  }
}

TEST(Servo, RefusesWhatCannotBe) {
  Renderer renderer = on_floor();
  ScriptedDevice device;
  for (const ServoOptions& bad :
       {ServoOptions{.duration = 0}, ServoOptions{.duration = 1, .time_out = -1},
        ServoOptions{.duration = 1, .ramp = NAN}, ServoOptions{.duration = 1, .budget = NAN},
        ServoOptions{.duration = 1, .budget = -1}, ServoOptions{.duration = 1, .priority = 100}}) {
    EXPECT_THROW(run_servo(renderer, device, bad), InvalidParameter);
  }
  EXPECT_TRUE(device.heard.empty());
}

/// A sender that is well, floods, sends garbage, and falls silent, against the clock: the loop goes on, and ends safe.
TEST(Servo, AnInvalidOrSilentUdpSenderDoesNotStopTheLoop) {
  Renderer renderer = on_floor();
  UdpDevice device;
  std::atomic<bool> over{false};
  std::atomic<int> act{0};
  std::thread remote([&] {
    test::Sender sender(device.port());
    std::array<std::uint8_t, 80> garbage{};
    std::uint64_t sequence = 0;
    while (!over) {
      if (act <= 1) {  // poses, and then a flood of them with garbage between
        sender.send({++sequence, 0, {0, 0, cube_half - 0.004}, {1, 0, 0, 0}});
        while (sender.receive()) {
        }
      }
      if (act == 1) {
        garbage[sequence % 80] ^= static_cast<std::uint8_t>(sequence);
        sender.send(garbage.data(), sequence % 81);
      } else {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
    }
  });
  ServoRecord record(4000);
  const ServoOptions options{.duration = 1.5, .time_out = 0.05, .ramp = 0.1};
  const ServoReport report = run_servo(renderer, device, options, &record, [&](const ServoCycle& cycle) {
    act = cycle.time < 0.5 ? 0 : cycle.time < 1 ? 1 : 2;
  });
  over = true;
  remote.join();
  EXPECT_GE(report.seconds, 1.5);
  EXPECT_GE(report.cycles + report.skipped, 1498U);
  EXPECT_GT(report.cycles, 100U);
  EXPECT_GT(device.counts().taken, 50U);
  EXPECT_GT(device.counts().wrong_size + device.counts().wrong_header, 50U);
  std::size_t with_force = 0;
  for (const ServoCycle& cycle : record.cycles()) {
    with_force += cycle.output[2] > 1 ? 1 : 0;
    if (cycle.hand.age > options.time_out) {
      EXPECT_EQ(cycle.output, Vector6{});
    }
  }
  EXPECT_GT(with_force, 50U);
  EXPECT_GT(record.cycles().back().hand.age, 0.3);  // silent since
  EXPECT_EQ(record.cycles().back().output, Vector6{});
}

/// A simulated hand that is pushed against the floor rests where its spring and the floor agree.
TEST(Servo, SimulatedHandRestsOnTheFloor) {
  Renderer renderer = on_floor();
  HandParams params;
  params.stiffness = 300;
  SimulatedHand hand(
      Trajectory({{0, {{0, 0, cube_half}, identity_rotation}}, {0.5, {{0, 0, cube_half - 0.01}, identity_rotation}}}),
      {}, params);
  ServoRecord record(3000);
  run_servo(renderer, hand, {.duration = 3, .real_time = false}, &record);
  // In line: hand 300, coupling 500, floor 10 · 1000 N/m
  const double expected = 0.01 / (1 / 300.0 + 1 / 500.0 + 1 / 10000.0);
  EXPECT_NEAR(record.cycles().back().output[2], expected, 0.01 * expected);
  EXPECT_NEAR(record.cycles()[2900].output[2], record.cycles().back().output[2], 1e-4);  // at rest
}

}  // namespace
}  // namespace stiction::haptics
