// Poses at times: what a hand does, recorded or made up.
#pragma once

#include <span>
#include <vector>

#include "stiction/haptics/pose.h"

namespace stiction::haptics {

struct TimedPose {
  double time = 0;  // [s]
  Pose pose;
};

/// Between two poses the place goes straight and the turn is about one axis, each at an even speed. Before the first
/// and after the last the body rests there.
class Trajectory {
 public:
  /// Throws InvalidParameter where there is none, times do not grow or are beyond 1e9 s, or one is no pose (is_pose).
  explicit Trajectory(std::vector<TimedPose> poses);

  /// No allocation, no throw. NaN gives NaN.
  [[nodiscard]] Pose at(double time) const noexcept;

  [[nodiscard]] double begin() const noexcept { return poses_.front().time; }
  [[nodiscard]] double end() const noexcept { return poses_.back().time; }
  [[nodiscard]] std::span<const TimedPose> poses() const noexcept { return poses_; }

 private:
  std::vector<TimedPose> poses_;
  std::vector<Vec3> turns_;  // from each pose to the next
};

}  // namespace stiction::haptics
