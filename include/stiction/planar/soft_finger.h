// The soft finger under a changing load, with three states: nothing is computed anew when the load changes.
#pragma once

#include "stiction/planar/reduced.h"
#include "stiction/planar/shapes.h"

namespace stiction::planar {

/// Limit surfaces of exponents from `least` to `most`, within [0.5, 1000], evenly in 1/k. Throws InvalidParameter.
SurfaceFamily<AxisymmetricCurve> soft_finger_surfaces(double least, double most, std::size_t members = 8);

/// One pre-computation serves every load: the size follows from r and u in closed form, the shape from the family.
using SoftFingerFriction = Reduced<SurfaceFamily<AxisymmetricCurve>>;

/// Call before a step under another load; ≤ 0 is a finger that barely touches. NaN shows in the wrenches, until the
/// next call.
void press(SoftFingerFriction& model, const SoftFinger& finger, double normal_force) noexcept;

struct SoftFingerModel {
  SoftFinger finger;
  SoftFingerFriction model;

  /// For loads up to `most_force`, and pressed by it. Throws InvalidParameter.
  static SoftFingerModel make(const Friction& friction, const SoftFinger& finger, double most_force);
};

}  // namespace stiction::planar
