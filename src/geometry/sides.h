// The sides of triangles, two of which make an edge of a closed surface.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "stiction/geometry/mesh.h"

namespace stiction::geometry {

struct Side {
  std::uint32_t low, high;  // vertices
  std::uint32_t triangle;
  bool up;  // the triangle goes from low to high
};

struct Sides {
  std::vector<std::array<Side, 2>> pairs;
  std::vector<Side> open;      // of edges with one triangle
  std::vector<Side> unpaired;  // one of an odd number at an edge
  std::vector<Side> crowded;   // one of more than two at an edge
};

/// Pairs the sides at each edge. Where solids touch along an edge, four sides or more meet: those of one surface are
/// paired first, then those that go in opposite directions, and among these the ones that are closest to flat.
Sides paired_sides(const Mesh& mesh);

/// Connected triangles, and which of them must be flipped to agree with the first (union-find with parity).
class Parts {
 public:
  explicit Parts(std::size_t triangles);

  struct Place {
    std::uint32_t part;  // its first triangle
    bool flipped;
  };
  Place of(std::uint32_t triangle);
  /// Puts two triangles at an edge into one part.
  void join(const Side& a, const Side& b);

 private:
  std::vector<std::uint32_t> next_;  // towards the first triangle of the part
  std::vector<char> flipped_;        // against next_
};

}  // namespace stiction::geometry
