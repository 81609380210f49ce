// Position quantised by an encoder.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>

#include "stiction/control/sample.h"

namespace stiction::control {

/// A position rounded to the nearest count.
///   x_q = q ⌊x/q + ½⌋,   q = revolution/counts
template <class Real>
struct BasicEncoder {
  struct Params {
    std::uint32_t counts = 0;                        // per revolution, > 0
    Real revolution = Real(6.28318530717958647692);  // [rad]; of a linear scale: the length of that many counts [m]
  };
  static constexpr Range count_range{1, 4294967295.0, true, true, "a whole number from 1 to 2^32 - 1"};
  static constexpr std::array<IntegerField<Params>, 1> integers{{
      {"counts", &Params::counts, "-", count_range, required, "counts per revolution"},
  }};
  static constexpr std::array<Field<Params, Real>, 1> fields{{
      {"revolution", &Params::revolution, "rad", positive, 6.28318530717958647692,
       "one revolution; of a linear scale, the length of that many counts [m]"},
  }};

  Params params;

  static std::optional<Problem> check(const Params& p) noexcept {
    const auto problem = first_problem(p, integers);
    return problem ? problem : first_problem(p, fields);
  }
#if defined(__cpp_exceptions)
  static BasicEncoder make(const Params& p) { return BasicEncoder(checked<BasicEncoder>(p)); }
#endif
  /// For parameters that `check` has passed.
  explicit BasicEncoder(const Params& p) noexcept : params(p) {}

  /// q [rad]
  Real resolution() const noexcept { return params.revolution / Real(static_cast<double>(params.counts)); }

  Real read(Real position) const noexcept {
    using std::floor;
    return resolution() * floor(position / resolution() + Real(0.5));
  }
};

using Encoder = BasicEncoder<double>;

}  // namespace stiction::control
