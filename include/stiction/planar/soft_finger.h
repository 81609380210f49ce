// The soft finger under a varying load, with three states: no pre-computation is repeated when the load changes.
#pragma once

#include "stiction/export.h"
#include "stiction/planar/reduced.h"
#include "stiction/planar/shapes.h"

namespace stiction::planar {

/// Limit surfaces for exponents k from `min_exponent` to `max_exponent`, within [0.5, 1000], evenly spaced in 1/k.
/// Throws InvalidParameter.
STICTION_EXPORT SurfaceFamily<AxisymmetricCurve> soft_finger_surfaces(double min_exponent, double max_exponent,
                                                                      std::size_t members = 8);

/// One pre-computation serves every load: the size follows from r and u in closed form, the shape from the family.
using SoftFingerFriction = Reduced<SurfaceFamily<AxisymmetricCurve>>;

/// Sets the normal force [N], before a step in which it changes; ≤ 0: the contact has its minimum size. NaN propagates
/// to the wrenches until the next call.
STICTION_EXPORT void press(SoftFingerFriction& model, const SoftFinger& finger, double normal_force) noexcept;

struct STICTION_EXPORT SoftFingerModel {
  SoftFinger finger;
  SoftFingerFriction model;

  /// For normal forces up to `max_force`, which is also the initial one. Throws InvalidParameter.
  static SoftFingerModel make(const Friction& friction, const SoftFinger& finger, double max_force);
};

}  // namespace stiction::planar
