// The bristle of the patch models, in two dimensions (one cell) or three (a whole patch).
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "stiction/planar/friction.h"

namespace stiction::planar {

/// The length of a vector and its reciprocal.
template <class Real>
struct BasicSize {
  Real length = 0, inverse = 0;
};
using Size = BasicSize<double>;

/// Lengths for one bristle at a time: lowest latency. Branches are cheap.
struct OneByOne {
  using Real = double;
  using By = Arithmetic;
  static constexpr bool branches = true;
  static Size size(double square) noexcept {
    constexpr double tiny = 1e-300;
    const double length = std::sqrt(square);
    return {length, length * (1 / (square + tiny))};  // square root and division in parallel
  }
  static double sine(double x) noexcept { return sin_pi_by<By>(x); }
};

/// Lengths for many bristles: multiplications, whose throughput is far higher than that of square roots and divisions.
/// To 2 ulp; a square near the smallest representable number gives some small length. No branches.
template <class Number, class Rounding = Arithmetic>
struct ManyAtOnce {
  using Real = Number;
  using By = Rounding;
  static constexpr bool branches = false;
  static BasicSize<Real> size(Real square) noexcept {
    // A guess to 3.5 % by halving the exponent, then x ← x (1 + h/2 + 3h²/8 + 5h³/16) with h = 1 − square x²
    using Bits = std::conditional_t<sizeof(Real) == 8, std::uint64_t, std::uint32_t>;
    constexpr Bits start = sizeof(Real) == 8 ? Bits(0x5fe6eb50c7b537a9U) : Bits(0x5f375a86U);
    const auto guess = std::bit_cast<Real>(Bits(start - (std::bit_cast<Bits>(square) >> 1U)));
    const Real better_guess = better(square, guess);  // to 7e-6
    const Real inverse = sizeof(Real) == 8 ? better(square, better_guess) : best(square, better_guess);
    return {square * inverse, inverse};
  }
  /// sin(π x) for |x| ≤ ½; in single precision x P(x²) with five terms, to 7e-9.
  [[gnu::always_inline]] static Real sine(Real x) noexcept {
    if constexpr (sizeof(Real) == 8) {
      return sin_pi_by<By>(x);
    } else {
      const Real w = x * x;
      const Real high = By::multiply_add(w, By::multiply_add(w, Real(0.07765591), Real(-0.5982904)), Real(2.5500774));
      return x * By::multiply_add(w, By::multiply_add(w, high, Real(-5.1677101)), Real(3.1415926));
    }
  }

 private:
  /// x ← x (1 + h/2), enough for full single precision.
  static Real best(Real square, Real inverse) noexcept {
    const Real h = By::multiply_add(-square * inverse, inverse, Real(1));
    return By::multiply_add(inverse * h, Real(0.5), inverse);
  }
  static Real better(Real square, Real inverse) noexcept {
    const Real h = By::multiply_add(-square * inverse, inverse, Real(1));
    return By::multiply_add(inverse * h, By::multiply_add(h, By::multiply_add(h, Real(0.3125), Real(0.375)), Real(0.5)),
                            inverse);
  }
};

/// Along its path s = ∫ |v| dt a bristle follows
///   dz/ds = d − β z/z̄,   z̄ = g(|v|)/σ₀
/// where d is the direction in which it deflects: the direction of motion of a cell, or −h of a patch's limit surface.
/// The steady state is z̄ d. For LuGre β = 1; elasto-plastic (eqs. 15 to 18):
///   β = ½ (ẑ·d̂ + 1) β̄(|z|),   β̄ = 0 below s_ba |d| z̄, 1 above |d| z̄, a half sine in between
template <std::size_t Dimensions, class Sizes>
struct Bristle {
  using Real = typename Sizes::Real;
  using By = typename Sizes::By;
  using Size = BasicSize<Real>;
  using Vector = std::array<Real, Dimensions>;

  static constexpr Real dot(const Vector& a, const Vector& b) noexcept {
    Real sum = a[0] * b[0];
    for (std::size_t i = 1; i < Dimensions; ++i) {
      sum = By::multiply_add(a[i], b[i], sum);
    }
    return sum;
  }
  static Size size(const Vector& a) noexcept { return Sizes::size(dot(a, a)); }

  /// Quantities that are constant for a given direction of motion. Divisions are few: they dominate the cost of a step.
  struct Path {
    Vector d{};               // direction of deflection
    Real per_length = 0;      // 1/|d|
    Real per_settled = 0;     // 1/z̄
    Real max_length = 0;      // z_max = |d| z̄
    Real per_max_length = 0;  // 1/z_max
    Real middle = 0;          // (z_ba + z_max)/2
    Real per_width = 0;       // 1/(z_max − z_ba)
    Real elastic = 0;         // z_ba = s_ba z_max
  };
  static Path path(const Vector& d, const Size& d_size, Real settled, Real per_settled, Real elastic_share) noexcept {
    return path(d, d_size, settled, per_settled, elastic_share, 1 / (1 - elastic_share));  // loop-invariant division
  }
  static Path path(const Vector& d, const Size& d_size, Real settled, Real per_settled, Real elastic_share,
                   Real per_plastic_share) noexcept {
    Path path;
    path.d = d;
    path.per_length = d_size.inverse;
    path.per_settled = per_settled;
    path.max_length = d_size.length * settled;
    path.per_max_length = path.per_settled * d_size.inverse;
    path.middle = Real(0.5) * (1 + elastic_share) * path.max_length;
    path.per_width = path.per_max_length * per_plastic_share;
    path.elastic = elastic_share * path.max_length;
    return path;
  }

  /// ẑ·d̂
  static Real cosine(const Path& path, const Vector& z, Real per_length) noexcept {
    return dot(z, path.d) * path.per_length * per_length;
  }
  /// β of the elasto-plastic bristle.
  static Real creep(const Path& path, Real cosine, Real length) noexcept {
    const Real phase = clip((length - path.middle) * path.per_width, Real(-0.5), Real(0.5));
    return Real(0.25) * (cosine + 1) * (1 + Sizes::sine(phase));
  }

  /// z after a path of length s at constant β: exact for every s.
  [[gnu::always_inline]] static Vector along(const Path& path, const Vector& z, Real beta, Real s) noexcept {
    // z + (d − β z/z̄) (1 − e^−x)/x s with x = β s/z̄
    const Real pull = beta * path.per_settled;
    const Real step = s * mean_decay(pull * s);
    Vector result{};
    for (std::size_t i = 0; i < Dimensions; ++i) {
      result[i] = By::multiply_add(By::multiply_add(-pull, z[i], path.d[i]), step, z[i]);
    }
    return result;
  }

  /// An elasto-plastic bristle after a path of length s in one direction: second-order accurate, and bounded for every
  /// s, since sliding deflects no bristle beyond z_max. In parts, for loops over many bristles.
  struct Deflected {
    Vector z;
    Size size;
  };
  static Deflected elasto_plastic(const Path& path, const Vector& z, Real s) noexcept {
    const Size start = size(z);
    if constexpr (Sizes::branches) {
      const Vector end = moved(path, z, s);
      const Real square = dot(end, end);
      if (start.length <= path.elastic && square <= path.elastic * path.elastic) {
        return {end, Sizes::size(square)};  // elastic at both ends, and so in between
      }
    }
    return within(path, start, along(path, z, creep_half_way(path, z, start, s), s));
  }
  /// β at the midpoint, which is reached by an implicit half step: (z + ½ s d)/(1 + ½ s β/z̄).
  [[gnu::always_inline]] static Real creep_half_way(const Path& path, const Vector& z, const Size& start,
                                                    Real s) noexcept {
    const Real first = creep(path, cosine(path, z, start.inverse), start.length);
    const Real share = 1 / By::multiply_add(Real(0.5) * s * path.per_settled, first, Real(1));
    const Vector midpoint = moved(path, z, Real(0.5) * s);
    const Size way_size = size(midpoint);
    return creep(path, cosine(path, midpoint, way_size.inverse), way_size.length * share);
  }
  [[gnu::always_inline]] static Deflected within(const Path& path, const Size& start, const Vector& end) noexcept {
    Deflected deflected{end, size(end)};
    const Real limit = start.length > path.max_length ? start.length : path.max_length;
    const Real per_limit = start.length > path.max_length ? start.inverse : path.per_max_length;
    const Real reached = limit * deflected.size.inverse;  // < 1: beyond the limit
    const Real factor = reached < 1 ? reached : Real(1);
    for (Real& component : deflected.z) {
      component *= factor;
    }
    deflected.size.length *= factor;
    deflected.size.inverse = reached < 1 ? per_limit : deflected.size.inverse;
    return deflected;
  }

 private:
  static Vector moved(const Path& path, const Vector& z, Real s) noexcept {
    Vector result{};
    for (std::size_t i = 0; i < Dimensions; ++i) {
      result[i] = By::multiply_add(path.d[i], s, z[i]);
    }
    return result;
  }

  /// (1 − e^−x)/x for x ≥ 0.
  static Real mean_decay(Real x) noexcept {
    if constexpr (Sizes::branches) {
      if (x < 0.35) {
        // 1 − x/2! + x²/3! − … − x¹³/14!, summed pairwise for low latency
        const Real y = -x;
        const Real y2 = y * y;
        const Real y4 = y2 * y2;
        const Real a = By::multiply_add(y2, By::multiply_add(y, 1.0 / 24, 1.0 / 6), By::multiply_add(y, 0.5, 1.0));
        const Real b = By::multiply_add(y2, By::multiply_add(y, 1.0 / 40320, 1.0 / 5040),
                                        By::multiply_add(y, 1.0 / 720, 1.0 / 120));
        const Real c = By::multiply_add(y2, By::multiply_add(y, 1.0 / 479001600, 1.0 / 39916800),
                                        By::multiply_add(y, 1.0 / 3628800, 1.0 / 362880));
        const Real d = By::multiply_add(y, 1.0 / 87178291200, 1.0 / 6227020800);
        return By::multiply_add(y4 * y4, By::multiply_add(y4, d, c), By::multiply_add(y4, b, a));
      }
      return decay_by<By>(x) / x;
    } else {
      const Real small = x < Real(1e-9) ? Real(1) : Real(0);
      return (decay_by<By>(x) + small) / (x + small);
    }
  }
};

}  // namespace stiction::planar
