// A trajectory of poses: the motion of a hand, recorded or synthetic.
#pragma once

#include <span>
#include <vector>

#include "stiction/export.h"
#include "stiction/haptics/pose.h"

namespace stiction::haptics {

struct TimedPose {
  double time = 0;  // [s]
  Pose pose;
};

/// Between two poses the position is interpolated linearly and the rotation about a fixed axis, both at constant speed.
/// Before the first and after the last pose the body rests.
class STICTION_EXPORT Trajectory {
 public:
  /// Throws InvalidParameter if there are no poses, times do not increase or exceed 1e9 s, or a pose is invalid
  /// (is_pose).
  explicit Trajectory(std::vector<TimedPose> poses);

  /// No allocation, no throw. NaN gives NaN.
  [[nodiscard]] Pose at(double time) const noexcept;

  [[nodiscard]] double begin() const noexcept { return poses_.front().time; }
  [[nodiscard]] double end() const noexcept { return poses_.back().time; }
  [[nodiscard]] std::span<const TimedPose> poses() const noexcept { return poses_; }

 private:
  std::vector<TimedPose> poses_;
  std::vector<Vector3> rotations_;  // rotation vectors from each pose to the next
};

}  // namespace stiction::haptics
