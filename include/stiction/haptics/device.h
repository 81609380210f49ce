// A haptic device as the loop sees it: where the hand is, and what it shall feel.
#pragma once

#include <utility>

#include "stiction/haptics/friction_step.h"
#include "stiction/haptics/pose.h"
#include "stiction/haptics/trajectory.h"
#include "stiction/problem.h"
#include "stiction/spatial/static_friction.h"

namespace stiction::haptics {

/// Where the hand is: the pose that the moving body would have in free space.
struct HandSample {
  Pose pose;
  double age = infinity;  // of the pose [s]; infinite: there has been none
};

/// What the hand shall feel: a force, and a torque about the point where it holds the body.
struct DeviceOutput {
  spatial::Vector6 wrench{};  // [N], [N m]
  Phase phase = Phase::free;
  bool safe = false;  // the wrench is 0 because there is no fresh pose; in a fault it is 0 as well
};

/// Times are those of the loop, in seconds since its start, and never fall. Both calls run in the loop: no allocation,
/// no throw, no waiting.
class Device {
 public:
  Device() = default;
  virtual ~Device() = default;
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  virtual HandSample read(double time) noexcept = 0;
  virtual void write(double time, const DeviceOutput& output) noexcept = 0;
};

/// A hand that goes its way whatever it feels.
class PlaybackDevice final : public Device {
 public:
  explicit PlaybackDevice(Trajectory path) : path_(std::move(path)) {}
  HandSample read(double time) noexcept override { return {path_.at(path_.begin() + time), 0}; }
  void write(double, const DeviceOutput&) noexcept override {}

 private:
  Trajectory path_;
};

}  // namespace stiction::haptics
