// Joints of a mechanism with any models of the registry and their states, for simulators.
#pragma once

#include <span>
#include <vector>

#include "stiction/export.h"
#include "stiction/scalar/friction.h"
#include "stiction/scalar/joint_solver.h"

namespace stiction::scalar {

/// n joints with their models and states. Only the constructor allocates.
class STICTION_EXPORT Joints {
 public:
  explicit Joints(const std::vector<AnyModel>& models);

  [[nodiscard]] std::size_t size() const noexcept { return joints_.size(); }
  [[nodiscard]] const Friction& joint(std::size_t i) const noexcept { return joints_[i]; }
  /// Sets every joint at rest under its load [N m].
  void rest_under(std::span<const double> load) noexcept;

  /// Advances the states with the mechanism and gives the friction of each joint. The last forces are the initial
  /// guess. The states do not change if the result is not finite.
  JointReport solve(const JointStep& step, std::span<double> force, const JointOptions& options = {}) noexcept;

  /// Advances the states at the given velocities, without a load: a loaded joint then creeps.
  void step(std::span<const double> velocity, double dt, std::span<double> force) noexcept;

 private:
  std::vector<Friction> joints_;
  std::vector<double> force_, seen_, workspace_;
};

}  // namespace stiction::scalar
