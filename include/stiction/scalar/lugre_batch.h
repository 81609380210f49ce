// Many LuGre joints or contacts in one call: structure of arrays, SIMD chosen at run time.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "stiction/scalar/lugre.h"

namespace stiction::scalar {

/// n LuGre models, each with its own parameters, advanced together. Bit for bit what `LuGre::step` gives one by one
/// when compiled for the same target; the last bits differ where only one side has fused multiply-add. Building one
/// allocates; `step` does not, and is safe to call from several threads on separate arrays.
class LuGreBatch {
 public:
  explicit LuGreBatch(std::span<const LuGre> models);

  [[nodiscard]] std::size_t size() const noexcept { return stiffness_.size(); }

  /// Advances every bristle over dt at its constant velocity and gives the force at the end.
  /// All three spans have `size()` elements; `force` may be empty where only the states are wanted.
  void step(std::span<double> bristle, std::span<const double> velocity, double dt,
            std::span<double> force = {}) const noexcept;

 private:
  std::vector<double> stiffness_, coulomb_force_, static_force_, stribeck_velocity_, stribeck_exponent_, damping_,
      damping_velocity_, viscous_;
  bool plain_ = true;  // every exponent is 2 and every damping constant: the case that vectorises
};

}  // namespace stiction::scalar
