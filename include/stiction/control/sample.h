// How the controllers in this folder handle invalid samples.
#pragma once

#include <cmath>
#include <limits>

#include "stiction/problem.h"

namespace stiction::control {

/// The result of a step for a sample that is not `usable`; the controller's state is unchanged.
template <class Real>
inline constexpr Real unknown = std::numeric_limits<Real>::quiet_NaN();

/// Neither NaN nor infinite, for every number type.
template <class Real>
constexpr bool is_finite(const Real& x) noexcept {
  return x - x == Real(0);  // NOLINT(misc-redundant-expression): NaN for NaN and infinity
}

/// Whether every value is finite, and the time since the last sample finite and not negative.
template <class Real, class... Values>
constexpr bool usable(const Real& dt, const Values&... values) noexcept {
  return dt >= Real(0) && is_finite(dt) && (is_finite(values) && ...);
}

/// A limit that may be infinite on either side.
inline constexpr Range any_number{-infinity, infinity, true, true, "a number, or inf"};

}  // namespace stiction::control
