// The inverse problem of the limit surface: from a load to the motion. Does a patch slip under a load, by what factor
// can the load grow before it does, in which direction does it slip, and how does a pushed body move? Coulomb friction,
// quasi-static motion.
//
// With P(v) = μ ∫ p |v_t| dA the power dissipated by friction (convex; its gradient is the wrench), a load w reaches
// the limit surface when multiplied by
//   s = min P(v) over all twists with w·v = 1
// and the minimiser is the motion that starts there.
#pragma once

#include "stiction/export.h"
#include "stiction/planar/patch.h"
#include "stiction/problem.h"

namespace stiction::planar {

/// The response to a load.
struct Slip {
  double factor = 0;   // s ≥ 0: the load times s is on the limit surface. Infinite for no load
  double gap = 0;      // relative gap: the true factor is in [factor·(1 − gap), factor], up to rounding
  Twist twist;         // direction of the motion at that load, at the centre of pressure; v_x² + v_y² + (r ω)² = 1
  int rounds = 0;      // iterations: directions of motion tried
  bool proven = true;  // gap ≤ 1e-9

  /// The load is on the limit surface or outside: the patch moves. Also true if the factor is NaN, since nothing then
  /// proves that it holds.
  [[nodiscard]] bool slips() const noexcept { return !(factor > 1); }
};

/// `load` acts on the body, at the centre of pressure (`at_point` moves it there); `friction` is μ f_N [N]: a negative
/// value means no contact and counts as 0. A single-point patch transmits no torque: under a torque the factor is 0 and
/// it spins. If several motions are possible, as for a line pulled across its length, the result is one of them. If the
/// load or friction is not finite, all fields are NaN and not proven. Bounded time, no heap.
[[nodiscard]] STICTION_EXPORT Slip slip(const Patch& patch, const Wrench& load, double friction) noexcept;

/// Whether the patch stays at rest: `!slip(…).slips()`, usually in fewer iterations. False for NaN.
[[nodiscard]] STICTION_EXPORT bool holds(const Patch& patch, const Wrench& load, double friction) noexcept;

/// Two components in the plane: a velocity [m/s] or a direction.
struct Vector {
  double x = 0, y = 0;
};

/// A point that pushes a body from the side.
struct Pusher {
  Point contact;                  // in the frame of the patch [m]
  Vector normal;                  // into the body, any length
  double coefficient = infinity;  // friction between pusher and body, ≥ 0; infinite: slides only if it had to pull
};

enum class Contact { sticks, slides, parts };

struct Push {
  Twist twist;                       // of the body, at the centre of pressure
  Wrench load;                       // of the pusher on the body, at the centre of pressure
  Contact contact = Contact::parts;  // parts: the pusher separates, the body rests
};

/// Quasi-static pushing: the motion of a body that rests on the patch, for a given velocity of the pusher. A sticking
/// pusher leaves one unknown, the spin: it minimises P(v) over the motions that move the contact with the pusher. If
/// that needs a force outside the pusher's friction cone, the force is on the edge of the cone and the motion is that
/// of `slip`, scaled to the pusher's velocity along its normal. If several forces are possible, as for a body on three
/// points that rotates about one of them, the result is one of them. Values that are not finite, a zero normal and a
/// negative coefficient give NaN, with `parts`. Bounded time, no heap.
[[nodiscard]] STICTION_EXPORT Push pushed(const Patch& patch, double friction, const Pusher& pusher,
                                          const Vector& velocity) noexcept;

}  // namespace stiction::planar
