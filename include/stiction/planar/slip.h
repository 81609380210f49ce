// The limit surface from the other side: from a load to the motion. Will a patch slip under this load, how far is the
// load from that, which way does it go, and how does a pushed body move? Coulomb friction, slow motion.
//
// With P(v) = μ ∫ p |v_t| dA the power that friction takes (convex; its slope is the wrench), a load w can be
// multiplied by
//   s = min P(v) over all twists with w·v = 1
// until it reaches the limit surface, and the minimiser is the motion that starts there.
#pragma once

#include "stiction/planar/patch.h"
#include "stiction/problem.h"

namespace stiction::planar {

/// What a load does.
struct Slip {
  double factor = 0;   // s ≥ 0: the load times s is on the limit surface. Infinite for no load
  double gap = 0;      // proven: the true factor lies in [factor·(1 − gap), factor], but for rounding
  Twist twist;         // direction of the motion at that load, at the centre of pressure; v_x² + v_y² + (r ω)² = 1
  int rounds = 0;      // directions of motion that were tried
  bool proven = true;  // gap ≤ 1e-9

  /// The load reaches the surface or lies outside: the patch moves. Also where the factor is NaN, as nothing then shows
  /// that it holds.
  [[nodiscard]] bool slips() const noexcept { return !(factor > 1); }
};

/// `load` acts on the body, at the centre of pressure (`at_point` moves it there); `friction` is μ f_N [N], where below
/// 0 is no contact and counts as 0. A patch that touches in one point takes no torque: then the factor is 0 and it
/// spins. Where several motions are possible, as for a line that is pulled across, one of them. A load or a friction
/// that is not finite shows as NaN in all fields, and is not proven. Bounded time, no heap.
[[nodiscard]] Slip slip(const Patch& patch, const Wrench& load, double friction) noexcept;

/// Whether the patch stays at rest: `!slip(…).slips()`, most often in fewer rounds. False for NaN.
[[nodiscard]] bool holds(const Patch& patch, const Wrench& load, double friction) noexcept;

/// Two components in the plane: a velocity [m/s] or a direction.
struct Vector {
  double x = 0, y = 0;
};

/// A point that pushes a body from the side.
struct Pusher {
  Point contact;  // in the frame of the patch [m]
  Vector normal;  // into the body, any length
  double coefficient =
      infinity;  // of friction between pusher and body, ≥ 0; infinite: slides only where it had to pull
};

enum class Contact { sticks, slides, parts };

struct Push {
  Twist twist;                       // of the body, at the centre of pressure
  Wrench load;                       // of the pusher on the body, at the centre of pressure
  Contact contact = Contact::parts;  // parts: the pusher moves away, the body rests
};

/// The motion of a body that rests on the patch and is pushed slowly, with the velocity of the pusher. One that sticks
/// leaves one unknown, the spin: P(v) is least over the motions that take the contact along. If that needs a force
/// outside the pusher's friction cone, the force is the edge of the cone and the motion is that of `slip`, as fast as
/// the pusher goes along its normal. Where several forces do, as for a body on three points that turns about one, the
/// result has one of them. Input that is not finite, a normal without length and a coefficient below 0 show as NaN,
/// with `parts`. Bounded time, no heap.
[[nodiscard]] Push pushed(const Patch& patch, double friction, const Pusher& pusher, const Vector& velocity) noexcept;

}  // namespace stiction::planar
