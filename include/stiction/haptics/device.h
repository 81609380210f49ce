// Interface to a haptic device: it reads the pose of the hand and outputs a wrench.
#pragma once

#include <utility>

#include "stiction/export.h"
#include "stiction/haptics/friction_step.h"
#include "stiction/haptics/pose.h"
#include "stiction/haptics/trajectory.h"
#include "stiction/problem.h"
#include "stiction/spatial/static_friction.h"

namespace stiction::haptics {

/// The pose of the hand: the pose that the moving body would have in free space.
struct HandSample {
  Pose pose;
  double age = infinity;  // of the pose [s]; infinite: none has arrived yet
};

/// The wrench on the hand: a force, and a torque about the point where it holds the body.
struct DeviceOutput {
  Vector6 wrench{};  // [N], [N m]
  Phase phase = Phase::free;
  bool safe = false;  // the wrench is 0 because there is no fresh pose; in a fault it is 0 as well
};

/// Times are in seconds since the start of the loop and never decrease. Both calls run in the real-time loop: no
/// allocation, no throw, no blocking.
class STICTION_EXPORT Device {
 public:
  Device() = default;
  virtual ~Device() = default;
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  virtual HandSample read(double time) noexcept = 0;
  virtual void write(double time, const DeviceOutput& output) noexcept = 0;
};

/// A hand that follows its path regardless of the force.
class PlaybackDevice final : public Device {
 public:
  explicit PlaybackDevice(Trajectory path) : path_(std::move(path)) {}
  HandSample read(double time) noexcept override { return {path_.at(path_.begin() + time), 0}; }
  void write(double, const DeviceOutput&) noexcept override {}

 private:
  Trajectory path_;
};

}  // namespace stiction::haptics
