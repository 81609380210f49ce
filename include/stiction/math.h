// Elementary functions shared by all models. The double version of `decay` uses +, −, × and bit operations only, so
// that one joint, a SIMD batch and every machine give the same bits.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <type_traits>

namespace stiction {

/// −1, 0 or 1; sgn(0) = 0.
template <class Real>
constexpr Real sgn(const Real& x) noexcept {
  return Real((x > Real(0)) - (x < Real(0)));
}

template <class Real>
constexpr bool is_nan(const Real& x) noexcept {
  return x != x;  // NOLINT(misc-redundant-expression): true for NaN alone, and works for every number type
}

template <class Real>
constexpr Real clip(const Real& x, const Real& low, const Real& high) noexcept {
  const Real raised = low > x ? low : x;  // each line is one instruction, and a NaN propagates
  return high < raised ? high : raised;
}

template <class Real>
constexpr Real square(const Real& x) noexcept {
  return x * x;
}

/// base^exponent for base ≥ 0, also for automatic-differentiation types, which rarely know pow of two variables.
template <class Real>
Real power(const Real& base, const Real& exponent) noexcept {
  if constexpr (std::is_floating_point_v<Real>) {
    return std::pow(base, exponent);
  } else {
    using std::exp;
    using std::log;
    return base > Real(0) ? Real(exp(exponent * log(base))) : Real(0);
  }
}

/// a·b + c, rounded after each operation.
struct Unfused {
  template <class Real>
  static constexpr Real multiply_add(const Real& a, const Real& b, const Real& c) noexcept {
    return a * b + c;
  }
};
/// a·b + c, rounded once: one instruction where the processor has it, a call of the C library elsewhere.
struct Fused {
  template <class Real>
  static Real multiply_add(const Real& a, const Real& b, const Real& c) noexcept {
    if constexpr (std::is_same_v<Real, double> || std::is_same_v<Real, float>) {
      return std::fma(a, b, c);
    } else {
      return a * b + c;
    }
  }
};
/// The arithmetic of all models. It belongs to the build (STICTION_NATIVE defines STICTION_FUSED for all who link the
/// library), not to the compiler flags of a file: otherwise two files of a program could disagree on a function.
#if defined(STICTION_FUSED)
using Arithmetic = Fused;
#else
using Arithmetic = Unfused;
#endif

template <class Real>
Real multiply_add(const Real& a, const Real& b, const Real& c) noexcept {
  return Arithmetic::multiply_add(a, b, c);
}

/// 1 − exp(−x) for x ≥ 0, to 2 ulp, without branches.
///   exp(−x) = 2^−k exp(−r),   k = round(x / ln 2),   |r| ≤ ln 2 / 2
template <class By>
inline double decay_by(double x) noexcept {
  constexpr double log2e = 1.4426950408889634;
  constexpr double ln2_high = 6.93147180369123816490e-01;  // ln 2 without its last 21 bits: k·ln2_high is exact
  constexpr double ln2_low = 1.90821492927058770002e-10;
  constexpr double round_to_integer = 0x1.8p52;  // adding it leaves k in the low bits of the mantissa

  const double clipped = x > 40.0 ? 40.0 : x;  // 1 − exp(−40) rounds to 1; a NaN propagates
  const double shifted = By::multiply_add(clipped, log2e, round_to_integer);
  const double k = shifted - round_to_integer;
  const double r = By::multiply_add(k, ln2_low, By::multiply_add(k, ln2_high, -clipped));  // −r of the formula
  const auto exponent = std::bit_cast<std::uint64_t>(shifted) - std::bit_cast<std::uint64_t>(round_to_integer);
  const auto scale = std::bit_cast<double>((std::uint64_t{1023} - exponent) << 52U);  // 2^−k

  // exp(r) − 1 = r + r²(1/2! + r/3! + … + r¹¹/13!), summed pairwise: a short chain of dependent operations.
  const double r2 = r * r;
  const double r4 = r2 * r2;
  const double a = By::multiply_add(r, 1.0 / 6, 1.0 / 2);
  const double b = By::multiply_add(r, 1.0 / 120, 1.0 / 24);
  const double c = By::multiply_add(r, 1.0 / 5040, 1.0 / 720);
  const double d = By::multiply_add(r, 1.0 / 362880, 1.0 / 40320);
  const double e = By::multiply_add(r, 1.0 / 39916800, 1.0 / 3628800);
  const double f = By::multiply_add(r, 1.0 / 6227020800, 1.0 / 479001600);
  const double high = By::multiply_add(r4, By::multiply_add(r2, f, e), By::multiply_add(r2, d, c));
  const double growth = By::multiply_add(r2, By::multiply_add(r4, high, By::multiply_add(r2, b, a)), r);
  return By::multiply_add(-scale, growth, 1.0 - scale);
}

/// The same in single precision.
template <class By>
inline float decay_by(float x) noexcept {
  constexpr float log2e = 1.4426950408889634F;
  constexpr float ln2_high = 0.693145751953125F;  // ln 2 without its last bits: k·ln2_high is exact
  constexpr float ln2_low = 1.428606765330187e-06F;
  constexpr float round_to_integer = 0x1.8p23F;

  const float clipped = x > 20.0F ? 20.0F : x;
  const float shifted = By::multiply_add(clipped, log2e, round_to_integer);
  const float k = shifted - round_to_integer;
  const float r = By::multiply_add(k, ln2_low, By::multiply_add(k, ln2_high, -clipped));
  const auto exponent = std::bit_cast<std::uint32_t>(shifted) - std::bit_cast<std::uint32_t>(round_to_integer);
  const auto scale = std::bit_cast<float>((std::uint32_t{127} - exponent) << 23U);

  // exp(r) − 1 = r + r²(1/2! + r/3! + … + r⁵/7!)
  const float r2 = r * r;
  const float a = By::multiply_add(r, 1.0F / 6, 1.0F / 2);
  const float b = By::multiply_add(r, 1.0F / 120, 1.0F / 24);
  const float c = By::multiply_add(r, 1.0F / 5040, 1.0F / 720);
  const float growth = By::multiply_add(r2, By::multiply_add(r2, By::multiply_add(r2, c, b), a), r);
  return By::multiply_add(-scale, growth, 1.0F - scale);
}

inline double decay(double x) noexcept { return decay_by<Arithmetic>(x); }
inline float decay(float x) noexcept { return decay_by<Arithmetic>(x); }

/// The same for other number types.
template <class Real>
Real decay(const Real& x) noexcept {
  using std::exp;
  using std::expm1;
  if constexpr (std::is_floating_point_v<Real>) {
    return -expm1(-x);
  } else {
    return Real(1) - exp(-x);  // automatic differentiation types rarely know expm1
  }
}

/// sin(π x) for |x| ≤ ½, to 4 ulp, without branches: x P(x²), which interpolates at the Chebyshev points.
template <class By, class Real>
#if defined(__GNUC__)
[[gnu::always_inline]]
#endif
inline Real
sin_pi_by(const Real& x) noexcept {
  const Real w = x * x;
  const Real w2 = w * w;
  const Real w4 = w2 * w2;
  // Summed pairwise: a short chain of dependent operations
  const Real a = By::multiply_add(w, Real(-5.167712780049969), Real(3.141592653589793));
  const Real b = By::multiply_add(w, Real(-0.5992645293189447), Real(2.5501640398773007));
  const Real c = By::multiply_add(w, Real(-0.007370430505916944), Real(0.0821458865731029));
  const Real d = By::multiply_add(w, Real(-2.1903497074626018e-05), Real(0.0004662998161898394));
  const Real high = By::multiply_add(w4, Real(7.697826768224191e-07), By::multiply_add(w2, d, c));
  return x * By::multiply_add(w4, high, By::multiply_add(w2, b, a));
}
template <class Real>
#if defined(__GNUC__)
[[gnu::always_inline]]
#endif
inline Real
sin_pi(const Real& x) noexcept {
  return sin_pi_by<Arithmetic>(x);
}

}  // namespace stiction
