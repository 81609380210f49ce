#include "stiction/geometry/mesh_repair.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sides.h"

namespace stiction::geometry {
namespace {

using Index = std::uint32_t;
using Edge = std::pair<Index, Index>;  // from, to
using Loop = std::vector<Index>;

Edge sorted(Index a, Index b) { return a < b ? Edge{a, b} : Edge{b, a}; }

/// Maps each vertex to the first one within a distance: `first[i]` ≤ i.
std::vector<Index> near_vertices(const Mesh& mesh, double distance) {
  const Box box = bounds(mesh);
  using Cell = std::array<std::int64_t, 3>;
  struct Hash {
    std::size_t operator()(const Cell& c) const noexcept {
      std::uint64_t h = 0;
      for (const std::int64_t x : c) {
        h = (h ^ static_cast<std::uint64_t>(x)) * 0x9E3779B97F4A7C15ULL;
        h ^= h >> 29U;
      }
      return h;
    }
  };
  std::unordered_map<Cell, std::vector<Index>, Hash> cells;
  std::vector<Index> first(mesh.vertices.size());
  for (Index i = 0; i < mesh.vertices.size(); ++i) {
    const Vector3& p = mesh.vertices[i];
    Cell cell{};
    for (std::size_t k = 0; k < 3; ++k) {
      cell[k] = static_cast<std::int64_t>((p[k] - box.low[k]) / distance);
    }
    first[i] = i;
    for (int n = 0; n < 27 && first[i] == i; ++n) {
      const auto found = cells.find({cell[0] + n % 3 - 1, cell[1] + n / 3 % 3 - 1, cell[2] + n / 9 - 1});
      if (found == cells.end()) {
        continue;
      }
      const auto near = std::ranges::find_if(
          found->second, [&](Index j) { return norm(difference(mesh.vertices[j], p)) <= distance; });
      first[i] = near != found->second.end() ? *near : i;
    }
    if (first[i] == i) {
      cells[cell].push_back(i);
    }
  }
  return first;
}

void weld(Mesh& mesh, double distance, RepairReport& report) {
  const std::vector<Index> first = near_vertices(mesh, distance);
  std::vector<Index> renamed(first.size());
  std::vector<Vector3> kept;
  for (Index i = 0; i < first.size(); ++i) {
    if (first[i] == i) {
      renamed[i] = static_cast<Index>(kept.size());
      kept.push_back(mesh.vertices[i]);
    } else {
      renamed[i] = renamed[first[i]];
      (mesh.vertices[first[i]] == mesh.vertices[i] ? report.check.welded : report.near) += 1;
    }
  }
  mesh.vertices = std::move(kept);
  for (Triangle& t : mesh.triangles) {
    for (Index& corner : t) {
      corner = renamed[corner];
    }
  }
}

/// Removes triangles with two equal corners, and all but one of those with the same corners.
void remove_degenerate(Mesh& mesh, RepairReport& report) {
  std::map<Triangle, bool> seen;
  report.removed += std::erase_if(mesh.triangles, [&](const Triangle& t) {
    Triangle key = t;
    std::ranges::sort(key);
    return key[0] == key[1] || key[1] == key[2] || !seen.emplace(key, true).second;
  });
}

/// The triangles at each edge.
std::map<Edge, std::vector<Index>> edges_of(const Mesh& mesh) {
  std::map<Edge, std::vector<Index>> edges;
  for (Index i = 0; i < mesh.triangles.size(); ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      edges[sorted(mesh.triangles[i][k], mesh.triangles[i][(k + 1) % 3])].push_back(i);
    }
  }
  return edges;
}

/// At an edge of more than two triangles, one with two open edges protrudes from the surface. Removing it may expose
/// another.
void remove_fins(Mesh& mesh, RepairReport& report) {
  for (bool again = true; again;) {
    const auto edges = edges_of(mesh);
    std::vector<char> fin(mesh.triangles.size(), 0);
    for (Index i = 0; i < mesh.triangles.size(); ++i) {
      int open = 0;
      bool crowded = false;
      for (std::size_t k = 0; k < 3; ++k) {
        const std::size_t count = edges.at(sorted(mesh.triangles[i][k], mesh.triangles[i][(k + 1) % 3])).size();
        open += count == 1 ? 1 : 0;
        crowded = crowded || count > 2;
      }
      fin[i] = open == 2 && crowded ? 1 : 0;
    }
    std::size_t i = 0;
    const std::size_t removed = std::erase_if(mesh.triangles, [&](const Triangle&) { return fin[i++] != 0; });
    report.removed += removed;
    again = removed > 0;
  }
}

bool has_side(const Triangle& t, Index a, Index b) {
  return (t[0] == a && t[1] == b) || (t[1] == a && t[2] == b) || (t[2] == a && t[0] == b);
}

/// Flips triangles until partners agree, and counts them. On a non-orientable surface some will not.
std::size_t orient(Mesh& mesh, const Sides& sides) {
  Parts parts(mesh.triangles.size());
  for (const auto& [a, b] : sides.pairs) {
    parts.join(a, b);
  }
  std::size_t flipped = 0;
  for (Index i = 0; i < mesh.triangles.size(); ++i) {
    if (parts.of(i).flipped) {
      std::swap(mesh.triangles[i][1], mesh.triangles[i][2]);
      ++flipped;
    }
  }
  return flipped;
}

/// Paired sides that go in opposite directions, with triangles flipped to that end. A non-orientable surface is cut
/// open.
Sides oriented_sides(Mesh& mesh, RepairReport& report) {
  Sides sides = paired_sides(mesh);
  report.check.flipped += orient(mesh, sides);
  for (auto& pair : sides.pairs) {
    for (Side& side : pair) {
      side.up = has_side(mesh.triangles[side.triangle], side.low, side.high);
    }
  }
  std::erase_if(sides.pairs, [&](const auto& pair) {
    const bool cut = pair[0].up == pair[1].up;
    if (cut) {
      sides.unpaired.insert(sides.unpaired.end(), pair.begin(), pair.end());
    }
    return cut;
  });
  return sides;
}

/// Gives each surface vertices of its own where several meet: what remains are surfaces with borders, which meet again
/// when equal vertices are welded. False, and nothing done, where every side has a partner.
bool separate_surfaces(Mesh& mesh, RepairReport& report) {
  const Sides sides = oriented_sides(mesh, report);
  if (sides.open.empty() && sides.unpaired.empty()) {
    return false;
  }
  // The corners of all triangles, 3 t + k; paired sides share theirs.
  std::vector<std::size_t> same(3 * mesh.triangles.size());
  std::iota(same.begin(), same.end(), std::size_t{0});
  const auto first_of = [&](std::size_t corner) {
    while (same[corner] != corner) {
      corner = same[corner] = same[same[corner]];
    }
    return corner;
  };
  const auto corner_at = [&](const Side& side, Index vertex) {
    const Triangle& t = mesh.triangles[side.triangle];
    return 3 * std::size_t{side.triangle} + (t[0] == vertex ? 0 : t[1] == vertex ? 1 : 2);
  };
  for (const auto& [a, b] : sides.pairs) {
    for (const Index vertex : {a.low, a.high}) {
      const std::size_t one = first_of(corner_at(a, vertex));
      const std::size_t other = first_of(corner_at(b, vertex));
      same[std::max(one, other)] = std::min(one, other);
    }
  }
  std::vector<Vector3> vertices;
  std::vector<Index> name(same.size());
  for (std::size_t corner = 0; corner < same.size(); ++corner) {
    Index& vertex = mesh.triangles[corner / 3][corner % 3];
    const std::size_t first = first_of(corner);
    if (first == corner) {
      name[corner] = static_cast<Index>(vertices.size());
      vertices.push_back(mesh.vertices[vertex]);
    }
    vertex = name[first];
  }
  mesh.vertices = std::move(vertices);
  return true;
}

/// The boundaries of holes, in the direction in which the missing triangles traverse them. A boundary that touches
/// itself is split in two.
std::vector<Loop> borders_of(const Mesh& mesh, const Sides& sides) {
  std::multimap<Index, Index> next;
  for (const auto* without_partner : {&sides.open, &sides.unpaired}) {
    for (const Side& side : *without_partner) {
      const bool up = has_side(mesh.triangles[side.triangle], side.low, side.high);
      next.emplace(up ? side.high : side.low, up ? side.low : side.high);
    }
  }
  std::vector<Loop> loops;
  std::unordered_map<Index, std::size_t> path_index;  // on the path
  while (!next.empty()) {
    Loop path{next.begin()->first};
    path_index = {{path[0], 0}};
    while (!path.empty()) {
      const auto step = next.find(path.back());
      if (step == next.end()) {  // an open boundary
        break;
      }
      const Index to = step->second;
      next.erase(step);
      if (const auto before = path_index.find(to); before != path_index.end()) {
        const std::size_t start = before->second;
        Loop loop(path.begin() + static_cast<std::ptrdiff_t>(start), path.end());
        for (std::size_t i = start + 1; i < path.size(); ++i) {
          path_index.erase(path[i]);
        }
        path.resize(start + 1);
        if (loop.size() >= 3) {
          loops.push_back(std::move(loop));
        }
        if (start == 0) {
          break;
        }
      } else {
        path_index.emplace(to, path.size());
        path.push_back(to);
      }
    }
  }
  return loops;
}

double triangle_area(const Mesh& mesh, Index a, Index b, Index c) {
  return 0.5 * norm(area_vector({mesh.vertices[a], mesh.vertices[b], mesh.vertices[c]}));
}

/// The triangulation of minimum area: W(i, k) = min over j of W(i, j) + W(j, k) + area(i, j, k). A diagonal that is an
/// edge already would have more than two triangles. Empty if there is no such triangulation.
std::optional<std::vector<Triangle>> min_area_fill(const Mesh& mesh, const Loop& loop, const std::set<Edge>& edges) {
  const std::size_t n = loop.size();
  constexpr double never = std::numeric_limits<double>::infinity();
  std::vector<double> cost(n * n, 0);
  std::vector<std::size_t> split(n * n, 0);
  for (std::size_t width = 2; width < n; ++width) {
    for (std::size_t i = 0; i + width < n; ++i) {
      const std::size_t k = i + width;
      const bool border = i == 0 && k == n - 1;
      double best = never;
      if (border || !edges.contains(sorted(loop[i], loop[k]))) {
        for (std::size_t j = i + 1; j < k; ++j) {
          const double parts = cost[i * n + j] + cost[j * n + k];
          const double c = parts < best ? parts + triangle_area(mesh, loop[i], loop[j], loop[k]) : never;
          if (c < best) {
            best = c;
            split[i * n + k] = j;
          }
        }
      }
      cost[i * n + k] = best;
    }
  }
  if (!std::isfinite(cost[n - 1])) {
    return std::nullopt;
  }
  std::vector<Triangle> triangles;
  std::vector<std::pair<std::size_t, std::size_t>> open{{0, n - 1}};
  while (!open.empty()) {
    const auto [i, k] = open.back();
    open.pop_back();
    if (k - i < 2) {
      continue;
    }
    const std::size_t j = split[i * n + k];
    triangles.push_back({loop[i], loop[j], loop[k]});
    open.emplace_back(i, j);
    open.emplace_back(j, k);
  }
  return triangles;
}

/// For long boundaries: repeatedly cuts off the corner with the shortest new edge.
std::vector<Triangle> ear_by_ear(const Mesh& mesh, Loop loop) {
  std::vector<Triangle> triangles;
  while (loop.size() > 3) {
    const std::size_t n = loop.size();
    std::size_t best = 0;
    double shortest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < n; ++i) {
      const double length = norm(difference(mesh.vertices[loop[(i + n - 1) % n]], mesh.vertices[loop[(i + 1) % n]]));
      if (length < shortest) {
        shortest = length;
        best = i;
      }
    }
    triangles.push_back({loop[(best + n - 1) % n], loop[best], loop[(best + 1) % n]});
    loop.erase(loop.begin() + static_cast<std::ptrdiff_t>(best));
  }
  triangles.push_back({loop[0], loop[1], loop[2]});
  return triangles;
}

double size_of(const Mesh& mesh, const Loop& loop) {
  Mesh border;
  for (const Index i : loop) {
    border.vertices.push_back(mesh.vertices[i]);
  }
  return bounds(border).longest_side();
}

void fill_holes(Mesh& mesh, const RepairOptions& options, RepairReport& report) {
  constexpr std::size_t small = 400;  // min_area_fill takes cubic time
  const Sides sides = oriented_sides(mesh, report);
  const std::vector<Loop> borders = borders_of(mesh, sides);
  std::set<Edge> edges;
  if (!borders.empty()) {
    for (const auto& [a, b] : sides.pairs) {
      edges.emplace(a.low, a.high);
    }
    for (const Side& side : sides.open) {
      edges.emplace(side.low, side.high);
    }
  }
  for (const Loop& loop : borders) {
    if (options.max_hole_edges && loop.size() > *options.max_hole_edges) {
      continue;
    }
    const auto best = loop.size() <= small ? min_area_fill(mesh, loop, edges) : std::nullopt;
    const std::vector<Triangle> filling = best ? *best : ear_by_ear(mesh, loop);
    mesh.triangles.insert(mesh.triangles.end(), filling.begin(), filling.end());
    ++report.holes;
    report.added += filling.size();
    report.largest_edges = std::max(report.largest_edges, loop.size());
    report.largest_size = std::max(report.largest_size, size_of(mesh, loop));
  }
}

/// Of triangles with the same corners, two cancel each other: every edge keeps an even number of sides.
void cancel_pairs(Mesh& mesh) {
  const auto key_of = [](Triangle t) {
    std::ranges::sort(t);
    return t;
  };
  std::map<Triangle, bool> odd;
  for (const Triangle& t : mesh.triangles) {
    bool& o = odd[key_of(t)];
    o = !o;
  }
  std::erase_if(mesh.triangles, [&](const Triangle& t) {
    const Triangle key = key_of(t);
    const bool keep = std::exchange(odd[key], false) && key[0] != key[1] && key[1] != key[2];
    return !keep;
  });
}

/// Removes parts that enclose no volume: what closing a flat sheet leaves.
void remove_flat_parts(Mesh& mesh, RepairReport& report) {
  const Sides sides = oriented_sides(mesh, report);
  Parts parts(mesh.triangles.size());
  for (const auto& [a, b] : sides.pairs) {
    parts.join(a, b);
  }
  struct Size {
    double volume = 0, area = 0;
  };
  std::map<Index, Size> size;
  for (Index i = 0; i < mesh.triangles.size(); ++i) {
    const Index part = parts.of(i).part;
    const auto c = mesh.corners(i);
    const Vector3& origin = mesh.vertices[mesh.triangles[part][0]];
    size[part].volume += dot(difference(c[0], origin), cross(difference(c[1], origin), difference(c[2], origin))) / 6;
    size[part].area += norm(area_vector(c));
  }
  Index i = 0;
  report.removed += std::erase_if(mesh.triangles, [&](const Triangle&) {
    const Size& s = size[parts.of(i++).part];
    return std::abs(s.volume) <= 1e-9 * s.area * std::sqrt(s.area);
  });
}

}  // namespace

std::string describe(const RepairReport& report) {
  std::string text;
  const auto append = [&](const std::string& phrase) { text += (text.empty() ? "" : ", ") + phrase; };
  if (report.near > 0) {
    append(fmt::format("{} near vertices merged (within {:.3g} m)", report.near, report.weld));
  }
  if (report.removed > 0) {
    append(fmt::format("{} degenerate or superfluous triangles removed", report.removed));
  }
  if (report.holes > 0) {
    append(fmt::format("{} holes filled with {} triangles (at most {} edges, {:.3g} m across)", report.holes,
                       report.added, report.largest_edges, report.largest_size));
  }
  if (const std::string more = describe(report.check); !more.empty()) {
    append(more);
  }
  return text;
}

Mesh repaired_mesh(const Mesh& mesh, const std::string& name, const RepairOptions& options, RepairReport* report) {
  if (!non_negative.holds(options.weld)) {
    throw InvalidParameter({"weld", options.weld, non_negative.text});
  }
  require_valid(mesh, name);
  RepairReport found;
  const double side = bounds(mesh).longest_side();
  found.weld = std::max(options.weld > 0 ? options.weld : 1e-6 * side, 1e-12 * side);
  Mesh result = mesh;
  if (found.weld > 0) {
    weld(result, found.weld, found);
  }
  remove_degenerate(result, found);
  remove_fins(result, found);
  if (result.triangles.empty()) {
    throw MeshError(fmt::format("{}: no triangle is left where vertices within {:.3g} m are one", name, found.weld));
  }
  // A filled hole may touch another one at a vertex, or coincide with what was there, and leave a smaller hole.
  constexpr int max_passes = 4;
  for (int i = 0; i < max_passes && separate_surfaces(result, found); ++i) {
    fill_holes(result, options, found);
    RepairReport again;  // vertices that were one already
    weld(result, found.weld, again);
    cancel_pairs(result);
  }
  remove_flat_parts(result, found);
  const MeshReport before = found.check;
  result = checked_mesh(result, name, &found.check);
  found.check.welded += before.welded;
  found.check.flipped += before.flipped;
  if (report != nullptr) {
    *report = found;
  }
  return result;
}

}  // namespace stiction::geometry
