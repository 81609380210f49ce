// Numbers as bytes, in either order.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <string>
#include <string_view>

namespace stiction::geometry {

/// The number at a position that the caller has checked.
template <class Number>
Number load(std::string_view bytes, std::size_t at, std::endian order) {
  std::array<char, sizeof(Number)> raw{};
  std::memcpy(raw.data(), bytes.data() + at, raw.size());
  if (order != std::endian::native) {
    std::ranges::reverse(raw);
  }
  return std::bit_cast<Number>(raw);
}

/// Appends a number, little-endian.
template <class Number>
void store(std::string& bytes, Number value) {
  auto raw = std::bit_cast<std::array<char, sizeof(Number)>>(value);
  if (std::endian::native != std::endian::little) {
    std::ranges::reverse(raw);
  }
  bytes.append(raw.data(), raw.size());
}

}  // namespace stiction::geometry
