// Motion and force in the contact plane. Sign convention: a twist is the velocity of the moving body relative to the
// other surface; a wrench is that of friction on the moving body, so it opposes the twist. Positive rotation is
// counter-clockwise.
#pragma once

#include <cmath>

#include "stiction/math.h"

namespace stiction::planar {

struct Point {
  double x = 0, y = 0;  // [m]
  friend constexpr bool operator==(const Point&, const Point&) = default;
};
constexpr Point operator-(const Point& a, const Point& b) noexcept { return {a.x - b.x, a.y - b.y}; }
constexpr Point operator+(const Point& a, const Point& b) noexcept { return {a.x + b.x, a.y + b.y}; }

struct Twist {
  double x = 0, y = 0;  // velocity of the reference point [m/s]
  double spin = 0;      // [rad/s]
  friend constexpr bool operator==(const Twist&, const Twist&) = default;
};

struct Wrench {
  double x = 0, y = 0;  // [N]
  double torque = 0;    // about the reference point [N m]
  friend constexpr bool operator==(const Wrench&, const Wrench&) = default;
};
constexpr Wrench operator+(const Wrench& a, const Wrench& b) noexcept {
  return {a.x + b.x, a.y + b.y, a.torque + b.torque};
}
constexpr Wrench operator*(double s, const Wrench& w) noexcept { return {s * w.x, s * w.y, s * w.torque}; }

/// The same motion, expressed at another point: v_P = v + ω × (to − from).
constexpr Twist at_point(const Twist& twist, const Point& from, const Point& to) noexcept {
  return {twist.x - twist.spin * (to.y - from.y), twist.y + twist.spin * (to.x - from.x), twist.spin};
}

/// The same forces, with the torque about another point: τ_P = τ + (from − to) × f.
constexpr Wrench at_point(const Wrench& wrench, const Point& from, const Point& to) noexcept {
  const Point arm = from - to;
  return {wrench.x, wrench.y, wrench.torque + arm.x * wrench.y - arm.y * wrench.x};
}

/// Power that a wrench feeds into a motion, both at the same point [W].
constexpr double power(const Wrench& wrench, const Twist& twist) noexcept {
  return wrench.x * twist.x + wrench.y * twist.y + wrench.torque * twist.spin;
}

}  // namespace stiction::planar
