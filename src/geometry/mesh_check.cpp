#include "stiction/geometry/mesh_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <vector>

#include "sides.h"
#include "stiction/geometry/triangle_tree.h"
#include "triangle_math.h"

namespace stiction::geometry {
namespace {

constexpr std::uint32_t none = 0xffffffff;

std::string text(const Vector3& v) { return fmt::format("({:.6g}, {:.6g}, {:.6g})", v[0], v[1], v[2]); }

/// Equal vertices become the first of them, which leaves the others unused.
Mesh welded(const Mesh& mesh, MeshReport& report) {
  std::vector<std::uint32_t> order(mesh.vertices.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) {
    return mesh.vertices[a] != mesh.vertices[b] ? mesh.vertices[a] < mesh.vertices[b] : a < b;
  });
  std::vector<std::uint32_t> first(order.size());  // of the equal ones
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool same = i > 0 && mesh.vertices[order[i]] == mesh.vertices[order[i - 1]];
    first[order[i]] = same ? first[order[i - 1]] : order[i];
    report.welded += same ? 1 : 0;
  }
  Mesh result{mesh.vertices, {}};
  for (const Triangle& triangle : mesh.triangles) {
    const Triangle t{first[triangle[0]], first[triangle[1]], first[triangle[2]]};
    if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) {
      ++report.degenerate;
    } else {
      result.triangles.push_back(t);
    }
  }
  return result;
}

/// Keeps only the vertices that triangles use, in the order of first use.
void remove_unused(Mesh& mesh, MeshReport& report) {
  std::vector<Vector3> used;
  std::vector<std::uint32_t> renamed(mesh.vertices.size(), none);
  for (Triangle& triangle : mesh.triangles) {
    for (std::uint32_t& corner : triangle) {
      std::uint32_t& name = renamed[corner];
      if (name == none) {
        name = static_cast<std::uint32_t>(used.size());
        used.push_back(mesh.vertices[corner]);
      }
      corner = name;
    }
  }
  report.unused = mesh.vertices.size() - report.welded - used.size();
  mesh.vertices = std::move(used);
}

/// Of triangles with the same corners, keeps one if they face the same direction, and none if they face each other.
void remove_duplicates(Mesh& mesh, MeshReport& report) {
  struct Key {
    Triangle sorted;
    bool even;  // the corners are an even permutation of the sorted ones
    std::uint32_t index;
  };
  std::vector<Key> keys(mesh.triangles.size());
  for (std::uint32_t i = 0; i < keys.size(); ++i) {
    const Triangle& t = mesh.triangles[i];
    keys[i] = {t, (t[0] < t[1]) == ((t[1] < t[2]) == (t[0] < t[2])), i};
    std::ranges::sort(keys[i].sorted);
  }
  std::ranges::sort(
      keys, [](const Key& a, const Key& b) { return a.sorted != b.sorted ? a.sorted < b.sorted : a.index < b.index; });
  std::vector<bool> removed(keys.size());
  for (std::size_t from = 0; from < keys.size();) {
    std::size_t to = from;
    int facing = 0;
    for (; to < keys.size() && keys[to].sorted == keys[from].sorted; ++to) {
      facing += keys[to].even ? 1 : -1;
    }
    if (to - from > 1) {
      bool kept = facing == 0;
      for (std::size_t i = from; i < to; ++i) {
        const bool keep = !kept && keys[i].even == (facing > 0);
        kept = kept || keep;
        removed[keys[i].index] = !keep;
        report.duplicate += keep ? 0 : 1;
      }
    }
    from = to;
  }
  std::size_t i = 0;
  std::erase_if(mesh.triangles, [&](const Triangle&) { return removed[i++]; });
}

/// Every side must have a partner; says how many have not, and where the first is.
void require_closed(const Mesh& mesh, const Sides& sides, const std::string& name) {
  const auto fail_on = [&](const std::vector<Side>& faults, const char* one, const char* several) {
    if (!faults.empty()) {
      throw MeshError(fmt::format("{}: {} {}, the first from {} to {}", name, faults.size(),
                                  faults.size() == 1 ? one : several, text(mesh.vertices[faults[0].low]),
                                  text(mesh.vertices[faults[0].high])));
    }
  };
  fail_on(sides.open, "open edge (one triangle)", "open edges (one triangle each)");
  fail_on(sides.unpaired, "edge with an odd number of triangles", "edges with an odd number of triangles");
}

/// The triangles of one connected surface.
using Part = std::vector<std::uint32_t>;

/// Flips triangles until neighbours agree in orientation, as few as possible in each part.
std::vector<Part> make_consistent(Mesh& mesh, const Sides& sides, const std::string& name, std::vector<bool>& flipped) {
  struct Neighbour {
    std::uint32_t triangle;
    bool agrees;
  };
  std::vector<std::array<Neighbour, 3>> neighbours(mesh.triangles.size());
  std::vector<std::uint8_t> known(mesh.triangles.size());
  for (const auto& [a, b] : sides.pairs) {
    neighbours[a.triangle][known[a.triangle]++] = {b.triangle, a.up != b.up};
    neighbours[b.triangle][known[b.triangle]++] = {a.triangle, a.up != b.up};
  }
  std::vector<Part> parts;
  std::vector<bool> reached(mesh.triangles.size());
  for (std::uint32_t seed = 0; seed < mesh.triangles.size(); ++seed) {
    if (reached[seed]) {
      continue;
    }
    Part part{seed};
    reached[seed] = true;
    std::size_t count = 0;  // of triangles to flip
    for (std::size_t i = 0; i < part.size(); ++i) {
      const std::uint32_t t = part[i];
      count += flipped[t] ? 1 : 0;
      for (const Neighbour& n : neighbours[t]) {
        const bool flip = flipped[t] == n.agrees;
        if (!reached[n.triangle]) {
          reached[n.triangle] = true;
          flipped[n.triangle] = flip;
          part.push_back(n.triangle);
        } else if (flipped[n.triangle] != flip) {
          throw MeshError(fmt::format("{}: not orientable (a twisted surface), near {}", name,
                                      text(mesh.vertices[mesh.triangles[t][0]])));
        }
      }
    }
    if (2 * count > part.size()) {
      for (const std::uint32_t t : part) {
        flipped[t] = !flipped[t];
      }
    }
    parts.push_back(std::move(part));
  }
  for (std::size_t t = 0; t < flipped.size(); ++t) {
    if (flipped[t]) {
      std::swap(mesh.triangles[t][1], mesh.triangles[t][2]);
    }
  }
  return parts;
}

/// Finds the parts that are cavities: those inside an odd number of other parts.
class Nesting {
 public:
  Nesting(const Mesh& mesh, const std::vector<Part>& parts, std::string name)
      : mesh_(&mesh),
        tree_(mesh),
        part_of_(mesh.triangles.size()),
        remaining_work_(work(mesh)),
        name_(std::move(name)) {
    for (std::uint32_t p = 0; p < parts.size(); ++p) {
      for (const std::uint32_t t : parts[p]) {
        part_of_[t] = p;
      }
    }
  }

  /// Whether a ray from one of its corners crosses the others an odd number of times.
  [[nodiscard]] bool is_inside(const Part& part) {
    const Vector3& from = mesh_->vertices[mesh_->triangles[part[0]][0]];
    tree_.along(from, ray_direction, near_);
    if (near_.size() > remaining_work_) {
      throw MeshError(fmt::format("{}: too many nested parts face inwards, the last near {}", name_, text(from)));
    }
    remaining_work_ -= near_.size();
    const auto crosses = [&](std::uint32_t t) {
      return part_of_[t] != part_of_[part[0]] && ray_crosses(from, mesh_->corners(t));
    };
    return std::ranges::count_if(near_, crosses) % 2 == 1;
  }

 private:
  /// A ray meets few triangles, unless thousands of parts are nested. Bounds the work linearly in their number.
  static std::size_t work(const Mesh& mesh) { return 1000 * mesh.triangles.size() + 1'000'000; }

  const Mesh* mesh_;
  TriangleTree tree_;
  std::vector<std::uint32_t> part_of_;
  std::size_t remaining_work_;  // triangles that rays may still be tested against
  std::string name_;
  std::vector<std::uint32_t> near_;
};

double volume_of(const Mesh& mesh, const Part& part, const Vector3& origin) {
  double six = 0;
  for (const std::uint32_t t : part) {
    const auto c = mesh.corners(t);
    six += dot(difference(c[0], origin), cross(difference(c[1], origin), difference(c[2], origin)));
  }
  return six / 6;
}

/// Neighbours agree, and parts that are no cavities face outwards. Returns a side where surfaces touch, if any do.
std::optional<Side> orient(Mesh& mesh, const std::string& name, MeshReport& found) {
  const Sides sides = paired_sides(mesh);
  require_closed(mesh, sides, name);
  std::vector<bool> flipped(mesh.triangles.size());
  const std::vector<Part> parts = make_consistent(mesh, sides, name, flipped);

  const Vector3 middle = bounds(mesh).middle();
  std::optional<Nesting> nesting;
  for (const Part& part : parts) {
    if (volume_of(mesh, part, middle) >= 0) {
      continue;
    }
    // Oriented inwards, which is correct for a cavity
    if (!nesting && parts.size() > 1) {
      nesting.emplace(mesh, parts, name);
    }
    if (!nesting || !nesting->is_inside(part)) {
      for (const std::uint32_t t : part) {
        std::swap(mesh.triangles[t][1], mesh.triangles[t][2]);
        flipped[t] = !flipped[t];
      }
    }
  }
  found.parts = parts.size();
  found.flipped = static_cast<std::size_t>(std::ranges::count(flipped, true));
  return sides.crowded.empty() ? std::nullopt : std::optional(sides.crowded[0]);
}

/// `checked_mesh`, once. `crowded`: a side where surfaces touch.
Mesh checked_once(const Mesh& mesh, const std::string& name, MeshReport& found, std::optional<Side>& crowded) {
  require_valid(mesh, name);
  Mesh result = welded(mesh, found);
  remove_duplicates(result, found);
  remove_unused(result, found);
  if (result.triangles.empty()) {
    throw MeshError(fmt::format("{}: all triangles are degenerate, or in pairs back to back", name));
  }
  crowded = orient(result, name, found);
  for (std::size_t t = 0; t < result.triangles.size(); ++t) {
    found.slivers += norm(area_vector(result.corners(t))) == 0 ? 1 : 0;
  }
  const double side = bounds(result).longest_side();
  if (!(volume(result) > 1e-12 * side * side * side)) {
    throw MeshError(fmt::format("{}: encloses no volume", name));
  }
  return result;
}

}  // namespace

std::string describe(const MeshReport& report) {
  std::string result;
  const auto add = [&](std::size_t count, const char* what) {
    if (count > 0) {
      result += fmt::format("{}{} {}", result.empty() ? "" : ", ", count, what);
    }
  };
  add(report.welded, "equal vertices welded");
  add(report.unused, "unused vertices removed");
  add(report.degenerate, "degenerate triangles removed");
  add(report.duplicate, "duplicate triangles removed");
  add(report.flipped, "triangles flipped");
  return result;
}

Mesh checked_mesh(const Mesh& mesh, const std::string& name, MeshReport* report) {
  MeshReport found;
  std::optional<Side> crowded;
  Mesh result = checked_once(mesh, name, found, crowded);
  // Where surfaces touch, their sides can be paired in several ways. If that depends on how the mesh was written, no
  // way is right.
  if (crowded) {
    MeshReport again;
    std::optional<Side> still;
    (void)checked_once(result, name, again, still);
    if (again.changed()) {
      throw MeshError(fmt::format("{}: surfaces that touch along an edge cannot be told apart, near {}", name,
                                  text(result.vertices[crowded->low])));
    }
  }
  if (report != nullptr) {
    *report = found;
  }
  return result;
}

bool is_closed(const Mesh& mesh) {
  const Sides sides = paired_sides(mesh);
  return !mesh.triangles.empty() && sides.open.empty() && sides.unpaired.empty() &&
         std::ranges::all_of(sides.pairs, [](const auto& pair) { return pair[0].up != pair[1].up; });
}

}  // namespace stiction::geometry
