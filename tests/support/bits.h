// Equality to the last bit.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace stiction::test {

/// The same bits; any NaN is the same as any other.
inline bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) || (std::isnan(a) && std::isnan(b));
}

}  // namespace stiction::test
