#include "stiction/haptics/trajectory.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "stiction/problem.h"

namespace stiction::haptics {

Trajectory::Trajectory(std::vector<TimedPose> poses) : poses_(std::move(poses)) {
  if (poses_.empty()) {
    throw InvalidParameter({"poses", 0, "at least one", true});
  }
  for (std::size_t i = 0; i < poses_.size(); ++i) {
    const auto& [time, pose] = poses_[i];
    if (!std::isfinite(time) || (i > 0 && !(time > poses_[i - 1].time))) {
      throw InvalidParameter({"time", time, "finite, and later than that of the pose before"});
    }
    const double sum = pose.position[0] + pose.position[1] + pose.position[2];
    if (!std::isfinite(sum)) {
      throw InvalidParameter({"position", sum, "finite"});
    }
    const Matrix3 square = product(pose.rotation, transposed(pose.rotation));
    for (std::size_t row = 0; row < 3; ++row) {
      for (std::size_t column = 0; column < 3; ++column) {
        if (!(std::abs(square[row][column] - no_turn[row][column]) < 1e-6)) {
          throw InvalidParameter({"rotation", square[row][column], "of a rotation"});
        }
      }
    }
  }
  for (std::size_t i = 1; i < poses_.size(); ++i) {
    turns_.push_back(rotation_vector(product(poses_[i].pose.rotation, transposed(poses_[i - 1].pose.rotation))));
  }
}

Pose Trajectory::at(double time) const noexcept {
  const auto next = std::ranges::upper_bound(poses_, time, {}, &TimedPose::time);
  if (next == poses_.begin()) {
    return poses_.front().pose;
  }
  if (next == poses_.end()) {
    return poses_.back().pose;
  }
  const TimedPose& before = *(next - 1);
  const double share = (time - before.time) / (next->time - before.time);
  const Vec3 way = spatial::difference(next->pose.position, before.pose.position);
  const auto turn = turns_[static_cast<std::size_t>(next - poses_.begin() - 1)];
  return {spatial::sum(before.pose.position, spatial::scaled(share, way)),
          product(rotation_by(spatial::scaled(share, turn)), before.pose.rotation)};
}

}  // namespace stiction::haptics
