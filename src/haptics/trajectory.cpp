#include "stiction/haptics/trajectory.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "stiction/problem.h"

namespace stiction::haptics {
namespace {

constexpr double max_time = 1e9;  // [s]

}  // namespace

Trajectory::Trajectory(std::vector<TimedPose> poses) : poses_(std::move(poses)) {
  if (poses_.empty()) {
    throw InvalidParameter({"poses", 0, "at least one", true});
  }
  for (std::size_t i = 0; i < poses_.size(); ++i) {
    const auto& [time, pose] = poses_[i];
    if (!(std::abs(time) <= max_time) || (i > 0 && !(time > poses_[i - 1].time))) {
      throw InvalidParameter({"time", time, "within 1e9 s, and later than that of the previous pose"});
    }
    for (const double x : pose.position) {
      if (!(std::abs(x) <= max_coordinate)) {
        throw InvalidParameter({"position", x, "finite, and within 1e9 m"});
      }
    }
    if (!is_pose(pose, 1e-6)) {
      throw InvalidParameter({"rotation", pose.rotation[0][0], "a rotation matrix"});
    }
  }
  for (std::size_t i = 1; i < poses_.size(); ++i) {
    rotations_.push_back(rotation_vector(product(poses_[i].pose.rotation, transposed(poses_[i - 1].pose.rotation))));
  }
}

Pose Trajectory::at(double time) const noexcept {
  if (std::isnan(time)) {
    return {{time, time, time}, identity_rotation};
  }
  const auto next = std::ranges::upper_bound(poses_, time, {}, &TimedPose::time);
  if (next == poses_.begin()) {
    return poses_.front().pose;
  }
  if (next == poses_.end()) {
    return poses_.back().pose;
  }
  const TimedPose& before = *(next - 1);
  const double share = (time - before.time) / (next->time - before.time);
  const Vector3 displacement = difference(next->pose.position, before.pose.position);
  const auto rotation = rotations_[static_cast<std::size_t>(next - poses_.begin() - 1)];
  return {sum(before.pose.position, scaled(share, displacement)),
          product(rotation_by(scaled(share, rotation)), before.pose.rotation)};
}

}  // namespace stiction::haptics
