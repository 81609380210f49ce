#include "sides.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <tuple>

namespace stiction::geometry {
namespace {

std::vector<Side> sorted_sides(const Mesh& mesh) {
  std::vector<Side> sides;
  sides.reserve(3 * mesh.triangles.size());
  for (std::uint32_t i = 0; i < mesh.triangles.size(); ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t a = mesh.triangles[i][k];
      const std::uint32_t b = mesh.triangles[i][(k + 1) % 3];
      sides.push_back({std::min(a, b), std::max(a, b), i, a < b});
    }
  }
  std::ranges::sort(sides, {}, [](const Side& s) { return std::tuple(s.low, s.high, s.triangle); });
  return sides;
}

/// From the edge to the triangle's third vertex, at right angles to the edge, of length 1; 0 for a triangle without
/// area.
Vector3 direction_of(const Mesh& mesh, const Side& side) {
  const Triangle& t = mesh.triangles[side.triangle];
  const std::uint32_t third = t[0] ^ t[1] ^ t[2] ^ side.low ^ side.high;
  const Vector3 along = difference(mesh.vertices[side.high], mesh.vertices[side.low]);
  const Vector3 across = difference(mesh.vertices[third], mesh.vertices[side.low]);
  const Vector3 d = sum(across, scaled(-dot(across, along) / dot(along, along), along));
  const double length = norm(d);
  return length > 0 && std::isfinite(length) ? scaled(1 / length, d) : Vector3{};
}

/// Where more than two sides meet. `parts`: what is connected without such edges, and whether triangles agree there.
void pair_many(const Mesh& mesh, Parts& parts, std::span<const Side> sides, Sides& result) {
  constexpr std::size_t few = 32;  // beyond, angles do not count: comparing all with all takes too long
  struct Candidate {
    bool different_parts, same_direction;
    double cosine;  // −1: flat
    std::size_t a, b;
  };
  std::vector<Candidate> candidates;
  for (std::size_t b = 1; b < sides.size() && sides.size() <= few; ++b) {
    for (std::size_t a = 0; a < b; ++a) {
      const auto [part_a, flipped_a] = parts.of(sides[a].triangle);
      const auto [part_b, flipped_b] = parts.of(sides[b].triangle);
      candidates.push_back({part_a != part_b, (sides[a].up != flipped_a) == (sides[b].up != flipped_b),
                            dot(direction_of(mesh, sides[a]), direction_of(mesh, sides[b])), a, b});
    }
  }
  std::ranges::sort(candidates, {}, [](const Candidate& c) {
    return std::tuple(c.different_parts, c.same_direction, c.cosine, c.a, c.b);
  });
  std::vector<char> taken(sides.size(), 0);
  for (const Candidate& c : candidates) {
    if (taken[c.a] == 0 && taken[c.b] == 0) {
      taken[c.a] = taken[c.b] = 1;
      result.pairs.push_back({sides[c.a], sides[c.b]});
    }
  }
  std::vector<Side> up;
  std::vector<Side> down;
  for (std::size_t i = 0; i < sides.size(); ++i) {
    if (taken[i] == 0) {
      (sides[i].up ? up : down).push_back(sides[i]);
    }
  }
  for (; !up.empty() && !down.empty(); up.pop_back(), down.pop_back()) {
    result.pairs.push_back({up.back(), down.back()});
  }
  auto& rest = up.empty() ? down : up;  // all in one direction
  for (; rest.size() >= 2; rest.resize(rest.size() - 2)) {
    result.pairs.push_back({rest[rest.size() - 2], rest.back()});
  }
  result.unpaired.insert(result.unpaired.end(), rest.begin(), rest.end());
}

}  // namespace

Parts::Parts(std::size_t triangles) : next_(triangles), flipped_(triangles, 0) {
  for (std::size_t i = 0; i < triangles; ++i) {
    next_[i] = static_cast<std::uint32_t>(i);
  }
}

Parts::Place Parts::of(std::uint32_t triangle) {
  // To the root and back, so that the next search is short
  std::uint32_t root = triangle;
  bool flipped = false;
  while (next_[root] != root) {
    flipped = flipped != (flipped_[root] != 0);
    root = next_[root];
  }
  bool rest = flipped;
  while (next_[triangle] != root && triangle != root) {
    const std::uint32_t next = next_[triangle];
    const bool step = flipped_[triangle] != 0;
    next_[triangle] = root;
    flipped_[triangle] = static_cast<char>(rest);
    rest = rest != step;
    triangle = next;
  }
  return {root, flipped};
}

void Parts::join(const Side& a, const Side& b) {
  const Place one = of(a.triangle);
  const Place other = of(b.triangle);
  if (one.part == other.part) {
    return;
  }
  // Neighbours agree if they go along their edge in opposite directions.
  const bool flip = (a.up == b.up) != (one.flipped != other.flipped);
  const auto [low, high] = std::minmax(one.part, other.part);
  next_[high] = low;
  flipped_[high] = static_cast<char>(flip);
}

Sides paired_sides(const Mesh& mesh) {
  const std::vector<Side> sides = sorted_sides(mesh);
  Sides result;
  Parts parts(mesh.triangles.size());
  std::vector<std::span<const Side>> crowded;
  for (std::size_t from = 0; from < sides.size();) {
    std::size_t to = from + 1;
    while (to < sides.size() && sides[to].low == sides[from].low && sides[to].high == sides[from].high) {
      ++to;
    }
    if (to - from == 1) {
      result.open.push_back(sides[from]);
    } else if (to - from == 2) {
      result.pairs.push_back({sides[from], sides[from + 1]});
      parts.join(sides[from], sides[from + 1]);
    } else {
      crowded.push_back(std::span(sides).subspan(from, to - from));
      result.crowded.push_back(sides[from]);
    }
    from = to;
  }
  for (const auto& edge : crowded) {
    pair_many(mesh, parts, edge, result);
  }
  return result;
}

}  // namespace stiction::geometry
