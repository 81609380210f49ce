// A contact patch in a simulator that computes the normal forces itself: the remaining motion, which friction resists.
#pragma once

#include <span>

#include "stiction/export.h"
#include "stiction/planar/twist.h"
#include "stiction/vector.h"

namespace stiction::planar {

/// For CoupledTwist: the twist (x, y, spin) after a step without friction, and the mobility of the patch.
struct HeldNormals {
  Twist free_twist = {};
  Matrix3 mobility = {};
};

/// The motion of a patch whose n contact points keep their normal velocity at zero; otherwise a box would seem free
/// to tip about its contacts. Given W = J M⁻¹ Jᵀ, by rows, and v = J q̇ after a step without friction. The rows of J are
/// the twist (t: x, y, spin) and then the normal velocity of each contact point (n):
///   A = W_tt − W_tn W_nn⁻¹ W_nt,   v_free = v_t − W_tn W_nn⁻¹ v_n
/// W_nn is regularised by 1e-9 of its trace, since contacts may hold a body redundantly. Throws InvalidParameter unless
/// v has 3 + n and W (3 + n)² entries. Allocates.
STICTION_EXPORT HeldNormals hold_normals(std::span<const double> w, std::span<const double> velocity);

}  // namespace stiction::planar
