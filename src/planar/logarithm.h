// A logarithm that vectorises.
#pragma once

#include <bit>
#include <cstdint>

#include "stiction/math.h"

namespace stiction::planar {

/// ln x for finite x > 0 above 1e-300, to 2e-16 absolute near 1 and 2 ulp elsewhere, without branches.
///   x = 2^k m with m in [√½, √2],   ln m = 2 artanh f = 2 (f + f³/3 + f⁵/5 + …),   f = (m − 1)/(m + 1)
template <class By>
[[gnu::always_inline]] inline double logarithm(double x) noexcept {
  constexpr double ln2_high = 6.93147180369123816490e-01;
  constexpr double ln2_low = 1.90821492927058770002e-10;
  constexpr std::uint64_t half = 0x3fe6a09e667f3bcdULL;  // √½
  const auto bits = std::bit_cast<std::uint64_t>(x) - half;
  // k = floor(log2(x/√½)); as a double through the bits of 2^52 + 2^11 + k, without an integer conversion
  const std::uint64_t biased = (bits >> 52U) ^ 0x800U;  // k + 2048 for 12 bits that wrap
  const double k = std::bit_cast<double>(0x4330000000000000ULL | (biased & 0xfffU)) - (0x1p52 + 2048);
  const double m = std::bit_cast<double>((bits & 0x000fffffffffffffULL) + half);
  const double f = (m - 1) / (m + 1);
  const double f2 = f * f;
  double sum = 2.0 / 23;
  sum = By::multiply_add(sum, f2, 2.0 / 21);
  sum = By::multiply_add(sum, f2, 2.0 / 19);
  sum = By::multiply_add(sum, f2, 2.0 / 17);
  sum = By::multiply_add(sum, f2, 2.0 / 15);
  sum = By::multiply_add(sum, f2, 2.0 / 13);
  sum = By::multiply_add(sum, f2, 2.0 / 11);
  sum = By::multiply_add(sum, f2, 2.0 / 9);
  sum = By::multiply_add(sum, f2, 2.0 / 7);
  sum = By::multiply_add(sum, f2, 2.0 / 5);
  sum = By::multiply_add(sum, f2, 2.0 / 3);
  const double tail = By::multiply_add(f * f2, sum, k * ln2_low);
  return By::multiply_add(k, ln2_high, 2 * f + tail);
}

}  // namespace stiction::planar
