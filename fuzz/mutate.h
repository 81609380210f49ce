// Inputs near stored ones, for compilers without libFuzzer. Blind: no coverage leads it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <string_view>
#include <utility>
#include <vector>

namespace stiction::fuzz {

using Input = std::vector<std::uint8_t>;

class Mutator {
 public:
  static constexpr std::size_t max_size = 4096;

  explicit Mutator(std::vector<Input> seeds) : seeds_(std::move(seeds)) {}

  /// A seed with one to eight changes.
  Input next() {
    Input input = seeds_[below(seeds_.size())];
    for (std::size_t changes = 1 + below(8); changes > 0; --changes) {
      change(input);
    }
    input.resize(std::min(input.size(), max_size));
    return input;
  }

 private:
  /// The remainder and not a distribution of the standard library: the same sequence everywhere.
  std::size_t below(std::size_t n) { return random_() % n; }
  std::uint8_t any_byte() { return static_cast<std::uint8_t>(below(256)); }

  void change(Input& input) {
    // What numbers, tables and lines are written with
    constexpr std::string_view characters = "0123456789+-.eE,;:=[]{}\"'#/ \t\r\n\\naninf";
    const std::size_t at = below(input.size() + 1);
    const std::size_t length = std::min(input.size() - at, 1 + below(16));
    const auto place = input.begin() + static_cast<std::ptrdiff_t>(at);
    switch (below(7)) {
      case 0:  // a bit
        if (length > 0) {
          *place ^= static_cast<std::uint8_t>(1U << below(8));
        }
        break;
      case 1:  // a byte
        if (length > 0) {
          *place = any_byte();
        }
        break;
      case 2:
        input.insert(place, any_byte());
        break;
      case 3:  // a character
        input.insert(place, static_cast<std::uint8_t>(characters[below(characters.size())]));
        break;
      case 4:
        input.erase(place, place + static_cast<std::ptrdiff_t>(length));
        break;
      case 5: {  // some of it again
        const Input part(place, place + static_cast<std::ptrdiff_t>(length));
        input.insert(input.begin() + static_cast<std::ptrdiff_t>(below(input.size() + 1)), part.begin(), part.end());
        break;
      }
      default: {  // the rest of another one
        const Input& other = seeds_[below(seeds_.size())];
        const std::size_t from = below(other.size() + 1);
        input.resize(at);
        input.insert(input.end(), other.begin() + static_cast<std::ptrdiff_t>(from), other.end());
      }
    }
  }

  std::vector<Input> seeds_;
  std::mt19937_64 random_{1};  // the standard fixes its sequence
};

}  // namespace stiction::fuzz
