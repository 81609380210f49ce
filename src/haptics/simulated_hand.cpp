#include "stiction/haptics/simulated_hand.h"

#include <algorithm>
#include <cmath>

namespace stiction::haptics {
namespace {

Vector3 rotation_between(const Pose& from, const Pose& to) noexcept {
  return rotation_vector(product(to.rotation, transposed(from.rotation)));
}

}  // namespace

SimulatedHand::SimulatedHand(Trajectory path, const Vector3& centre, const HandParams& params)
    : path_(std::move(path)), centre_(centre), params_(params), pose_(path_.poses().front().pose) {
  if (const auto problem = HandParams::check(params)) {
    throw InvalidParameter(*problem);
  }
  for (const double x : centre) {
    if (!(std::abs(x) <= max_coordinate)) {
      throw InvalidParameter({"centre", x, "finite, and within 1e9 m"});
    }
  }
}

void SimulatedHand::write(double /*time*/, const DeviceOutput& output) noexcept {
  const bool usable = std::ranges::all_of(output.wrench, [](double x) { return std::isfinite(x); });
  felt_ = usable ? output.wrench : Vector6{};
}

HandSample SimulatedHand::read(double time) noexcept {
  const double h = std::min(time - time_, params_.max_step);
  if (!(h > 0) || !std::isfinite(time)) {
    return {pose_, 0};
  }
  const Pose before = path_.at(path_.begin() + time - h);
  const Pose target = path_.at(path_.begin() + time);
  time_ = time;
  const Vector3 path_velocity = scaled(1 / h, difference(to_world(target, centre_), to_world(before, centre_)));
  const Vector3 path_spin = scaled(1 / h, rotation_between(before, target));
  const Vector3 offset = difference(to_world(target, centre_), to_world(pose_, centre_));
  const Vector3 rotation = rotation_between(pose_, target);
  const HandParams& p = params_;
  for (std::size_t i = 0; i < 3; ++i) {
    // v₊ (m + h c + h² k) = m v + h (k (p − x) + c dp/dt + F)
    velocity_[i] = (p.mass * velocity_[i] + h * (p.stiffness * offset[i] + p.damping * path_velocity[i] + felt_[i])) /
                   (p.mass + h * p.damping + h * h * p.stiffness);
    spin_[i] = (p.inertia * spin_[i] +
                h * (p.rotational_stiffness * rotation[i] + p.rotational_damping * path_spin[i] + felt_[3 + i])) /
               (p.inertia + h * p.rotational_damping + h * h * p.rotational_stiffness);
  }
  const Pose next = moved(pose_, centre_, scaled(h, velocity_), scaled(h, spin_));
  if (is_pose(next)) {
    pose_ = next;
  } else {  // not a valid pose: the hand stays, and starts again from rest
    velocity_ = {};
    spin_ = {};
  }
  return {pose_, 0};
}

}  // namespace stiction::haptics
