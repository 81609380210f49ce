#include "stiction/scalar/joints.h"

#include <algorithm>

namespace stiction::scalar {

Joints::Joints(const std::vector<AnyModel>& models)
    : force_(models.size()), seen_(models.size()), workspace_(joint_workspace(models.size())) {
  joints_.reserve(models.size());
  for (const auto& model : models) {
    joints_.emplace_back(model);
  }
}

void Joints::rest_under(std::span<const double> load) noexcept {
  for (std::size_t i = 0; i < size(); ++i) {
    joints_[i].rest_under(load[i]);
    force_[i] = load[i];
  }
}

JointReport Joints::solve(const JointStep& step, std::span<double> force, const JointOptions& options) noexcept {
  const auto law = [&](std::size_t i, double free_velocity, double mobility) noexcept {
    const Response response = joints_[i].response(
        {.free_velocity = free_velocity, .mobility = mobility, .velocity = step.velocity[i], .dt = step.dt});
    return JointResponse{response.force, response.velocity};
  };
  const JointReport report = solve_joints(step, JointLaw(law), force_, seen_, workspace_, options);
  std::copy(force_.begin(), force_.end(), force.begin());
  if (report.status == JointStatus::not_finite) {
    std::fill(force_.begin(), force_.end(), 0.0);
    return report;
  }
  for (std::size_t i = 0; i < size(); ++i) {
    joints_[i].solve({.free_velocity = seen_[i],
                      .mobility = step.mobility[i * size() + i],
                      .velocity = step.velocity[i],
                      .dt = step.dt});
  }
  return report;
}

void Joints::step(std::span<const double> velocity, double dt, std::span<double> force) noexcept {
  for (std::size_t i = 0; i < size(); ++i) {
    force[i] = joints_[i].step(velocity[i], dt);
  }
}

}  // namespace stiction::scalar
