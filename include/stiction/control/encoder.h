// Position quantised by an encoder.
#pragma once

#include <cmath>
#include <optional>

#include "stiction/control/sample.h"

namespace stiction::control {

/// A position rounded to the nearest count.
///   x_q = q ⌊x/q + ½⌋,   q = turn/counts
template <class Real>
struct BasicEncoder {
  struct Params {
    Real counts{};                             // per revolution [-], > 0
    Real turn = Real(6.28318530717958647692);  // one revolution [rad]; linear scale: length of that many counts [m]
  };
  static constexpr std::array<Field<Params, Real>, 2> fields{{
      {"counts", &Params::counts, "-", positive, required, "counts per turn"},
      {"turn", &Params::turn, "rad", positive, 6.28318530717958647692, "a turn, or the length of a scale [m]"},
  }};

  Params params;

  static std::optional<Problem> check(const Params& p) noexcept { return first_problem(p, fields); }
#if defined(__cpp_exceptions)
  static BasicEncoder make(const Params& p) { return BasicEncoder(checked<BasicEncoder>(p)); }
#endif
  /// For parameters that `check` has passed.
  explicit BasicEncoder(const Params& p) noexcept : params(p) {}

  /// q [rad]
  Real resolution() const noexcept { return params.turn / params.counts; }

  Real read(Real position) const noexcept {
    using std::floor;
    return resolution() * floor(position / resolution() + Real(0.5));
  }
};

using Encoder = BasicEncoder<double>;

}  // namespace stiction::control
