#include "stiction/geometry/point_shell.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <optional>

#include "stiction/problem.h"

namespace stiction::geometry {
namespace {

constexpr std::size_t candidates_for_a_point = 20;
constexpr std::size_t coarsest_points = 16;
constexpr std::size_t bucket = 16;  // candidates in a leaf of the search tree
constexpr Range point_counts{1, 1e6, true, true, "a whole number from 1 to 1000000"};
constexpr Range level_counts{1, 20, true, true, "a whole number from 1 to 20"};
const double crease = std::cos(40 * std::numbers::pi / 180);  // at sharper edges each side keeps its own normals

/// SplitMix64: the same numbers on every machine.
struct Random {
  std::uint64_t state;
  double unit() {
    std::uint64_t x = state += 0x9e3779b97f4a7c15U;
    x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
    return static_cast<double>((x ^ (x >> 31U)) >> 11U) * 0x1p-53;
  }
};

Vector3 unit(const Vector3& v, const Vector3& otherwise) {
  const double length = norm(v);
  return length > 0 ? scaled(1 / length, v) : otherwise;
}

/// A normal for each corner of each triangle: the mean over the triangles around the vertex, weighted by angle, without
/// those beyond a crease.
std::vector<std::array<Vector3, 3>> corner_normals(const Mesh& mesh) {
  const std::size_t count = mesh.triangles.size();
  std::vector<Vector3> normal(count);
  std::vector<std::uint32_t> first(mesh.vertices.size() + 1);  // of the triangles around each vertex
  for (std::size_t t = 0; t < count; ++t) {
    normal[t] = unit(area_vector(mesh.corners(t)), {0, 0, 0});
    for (const std::uint32_t v : mesh.triangles[t]) {
      ++first[v + 1];
    }
  }
  std::partial_sum(first.begin(), first.end(), first.begin());
  struct Corner {
    std::uint32_t triangle;
    double angle;
  };
  std::vector<Corner> around(3 * count);
  std::vector<std::uint32_t> filled(first.begin(), first.end() - 1);
  for (std::uint32_t t = 0; t < count; ++t) {
    const auto c = mesh.corners(t);
    for (std::size_t k = 0; k < 3; ++k) {
      const Vector3 a = difference(c[(k + 1) % 3], c[k]);
      const Vector3 b = difference(c[(k + 2) % 3], c[k]);
      around[filled[mesh.triangles[t][k]]++] = {t, std::atan2(norm(cross(a, b)), dot(a, b))};
    }
  }
  std::vector<std::array<Vector3, 3>> result(count);
  for (std::size_t t = 0; t < count; ++t) {
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t v = mesh.triangles[t][k];
      Vector3 mean{};
      for (std::uint32_t i = first[v]; i < first[v + 1]; ++i) {
        const Vector3& other = normal[around[i].triangle];
        if (dot(other, normal[t]) >= crease) {
          mean = sum(mean, scaled(around[i].angle, other));
        }
      }
      result[t][k] = unit(mean, normal[t]);
    }
  }
  return result;
}

/// Points distributed over the surface by area, and the corners of triangles along creases, which the former would
/// miss.
std::vector<ShellPoint> spread(const Mesh& mesh, std::size_t count, Random random, const auto& poll) {
  const auto normals = corner_normals(mesh);
  const double total = area(mesh);
  std::vector<ShellPoint> points;
  points.reserve(count + mesh.triangles.size());
  const auto place = [&](std::size_t t, const Vector3& weight) {
    const auto c = mesh.corners(t);
    const auto blend = [&](const std::array<Vector3, 3>& of) {
      return sum(sum(scaled(weight[0], of[0]), scaled(weight[1], of[1])), scaled(weight[2], of[2]));
    };
    const Vector3 face = unit(area_vector(c), normals[t][0]);
    points.push_back({blend(c), unit(blend(normals[t]), face)});
  };
  double before = 0;
  std::size_t taken = 0;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    poll();
    before += norm(area_vector(mesh.corners(t))) / 2;
    const auto until = static_cast<std::size_t>(std::min(before / total, 1.0) * static_cast<double>(count));
    // An additive sequence with the plastic number: even over a square, which is folded to the triangle
    double r = random.unit();
    double s = random.unit();
    for (; taken < until; ++taken) {
      r = std::fmod(r + 0.7548776662466927, 1.0);
      s = std::fmod(s + 0.5698402909980532, 1.0);
      const bool fold = r + s > 1;
      const double a = fold ? 1 - r : r;
      const double b = fold ? 1 - s : s;
      place(t, {1 - a - b, a, b});
      poll();
    }
    for (std::size_t k = 0; k < 3; ++k) {
      const Vector3 face = unit(area_vector(mesh.corners(t)), {0, 0, 0});
      if (norm(face) > 0 && dot(normals[t][k], face) > 1 - 1e-9) {
        Vector3 corner{};
        corner[k] = 1;
        place(t, corner);
      }
    }
  }
  return points;
}

double square_distance(const Vector3& a, const Vector3& b) noexcept {
  const Vector3 d = difference(a, b);
  return dot(d, d);
}
bool same_side(const ShellPoint& a, const ShellPoint& b) noexcept { return dot(a.normal, b.normal) > 0; }

/// Yields the candidates in the order in which each is the farthest from all previous ones. A tree of boxes stores the
/// farthest candidate of each box, so choosing one updates only the surroundings of the chosen point.
class FarthestFirst {
 public:
  FarthestFirst(std::vector<ShellPoint> candidates, const auto& poll) : points_(std::move(candidates)) {
    square_.assign(points_.size(), infinity);
    nodes_.reserve(4 * points_.size() / bucket);
    split(0, points_.size(), poll);
  }

  struct Chosen {
    ShellPoint point;
    double distance;  // to the previous ones
  };
  /// The next point: an arbitrary one first, then the farthest one.
  Chosen next(std::size_t first) {
    const std::size_t i = started_ ? nodes_[0].farthest : first;
    started_ = true;
    const Chosen chosen{points_[i], std::sqrt(square_[i])};
    cover(0, chosen.point);
    square_[i] = -1;  // never chosen again
    refresh(0, i);
    return chosen;
  }
  [[nodiscard]] std::size_t size() const { return points_.size(); }

 private:
  struct Node {
    Box box;
    std::uint32_t from, to;
    std::uint32_t second = 0;  // child; the first one comes next; 0: a leaf
    std::uint32_t farthest = 0;
    double square = infinity;  // of the farthest
  };

  void split(std::size_t from, std::size_t to, const auto& poll) {
    poll(to - from);
    Box box{points_[from].position, points_[from].position};
    for (std::size_t i = from; i < to; ++i) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        box.low[axis] = std::min(box.low[axis], points_[i].position[axis]);
        box.high[axis] = std::max(box.high[axis], points_[i].position[axis]);
      }
    }
    const std::size_t node = nodes_.size();
    nodes_.push_back({box, static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(to), 0,
                      static_cast<std::uint32_t>(from), infinity});
    if (to - from <= bucket) {
      return;
    }
    const Vector3 size = box.size();
    const auto axis = static_cast<std::size_t>(std::ranges::max_element(size) - size.begin());
    const std::size_t half = from + (to - from) / 2;
    const auto at = [&](std::size_t i) { return points_.begin() + static_cast<std::ptrdiff_t>(i); };
    std::nth_element(at(from), at(half), at(to),
                     [&](const ShellPoint& a, const ShellPoint& b) { return a.position[axis] < b.position[axis]; });
    split(from, half, poll);
    nodes_[node].second = static_cast<std::uint32_t>(nodes_.size());
    split(half, to, poll);
  }

  void find_farthest(Node& node, std::size_t index) {
    if (node.second == 0) {
      const auto begin = square_.begin();
      const auto best = std::max_element(begin + node.from, begin + node.to);
      node.farthest = static_cast<std::uint32_t>(best - begin);
      node.square = *best;
      return;
    }
    const Node& a = nodes_[index + 1];
    const Node& b = nodes_[node.second];
    node.farthest = a.square >= b.square ? a.farthest : b.farthest;
    node.square = std::max(a.square, b.square);
  }

  /// Updates the distances of the candidates near a new point.
  void cover(std::size_t index, const ShellPoint& point) {
    Node& node = nodes_[index];
    double to_box = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      const double d = std::max({node.box.low[i] - point.position[i], point.position[i] - node.box.high[i], 0.0});
      to_box += d * d;
    }
    if (to_box >= node.square) {
      return;
    }
    if (node.second == 0) {
      for (std::size_t i = node.from; i < node.to; ++i) {
        if (same_side(points_[i], point)) {
          square_[i] = std::min(square_[i], square_distance(points_[i].position, point.position));
        }
      }
    } else {
      cover(index + 1, point);
      cover(node.second, point);
    }
    find_farthest(node, index);
  }
  /// Updates the tree after the distance of one candidate has changed.
  void refresh(std::size_t index, std::size_t candidate) {
    Node& node = nodes_[index];
    if (node.second != 0) {
      refresh(candidate < nodes_[node.second].from ? index + 1 : node.second, candidate);
    }
    find_farthest(node, index);
  }

  std::vector<ShellPoint> points_;
  std::vector<double> square_;  // of the distance of each candidate to the chosen points
  std::vector<Node> nodes_;
  bool started_ = false;
};

/// Points in each level: from few to all, by a constant factor.
std::vector<std::size_t> level_sizes(std::size_t points, std::size_t levels) {
  std::vector<std::size_t> sizes(levels, points);
  const auto coarsest = static_cast<double>(std::min(points, coarsest_points));
  for (std::size_t l = 0; l + 1 < levels; ++l) {
    const double share = static_cast<double>(l) / static_cast<double>(levels - 1);
    sizes[l] =
        static_cast<std::size_t>(std::lround(coarsest * std::pow(static_cast<double>(points) / coarsest, share)));
  }
  return sizes;
}

/// For each of the points from `known` to `all`, the nearest of the first `known` ones on the same side of the surface;
/// on either side if there is none.
std::vector<std::uint32_t> parents(const std::vector<ShellPoint>& points, std::size_t known, std::size_t all,
                                   const auto& poll) {
  // A grid with about one known point in each occupied cell
  Box box{points[0].position, points[0].position};
  for (std::size_t i = 0; i < all; ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      box.low[k] = std::min(box.low[k], points[i].position[k]);
      box.high[k] = std::max(box.high[k], points[i].position[k]);
    }
  }
  const auto cells = static_cast<std::size_t>(std::clamp(std::sqrt(static_cast<double>(known) / 2), 1.0, 128.0));
  const double width = std::max(box.longest_side(), 1e-300) / static_cast<double>(cells) * (1 + 1e-12);
  const auto cell_of = [&](const Vector3& p) {
    std::array<std::ptrdiff_t, 3> c{};
    for (std::size_t k = 0; k < 3; ++k) {
      c[k] = std::clamp<std::ptrdiff_t>(static_cast<std::ptrdiff_t>((p[k] - box.low[k]) / width), 0,
                                        static_cast<std::ptrdiff_t>(cells) - 1);
    }
    return c;
  };
  std::vector<std::vector<std::uint32_t>> grid(cells * cells * cells);
  const auto at = [&](std::ptrdiff_t x, std::ptrdiff_t y, std::ptrdiff_t z) -> std::vector<std::uint32_t>& {
    return grid[(static_cast<std::size_t>(x) * cells + static_cast<std::size_t>(y)) * cells +
                static_cast<std::size_t>(z)];
  };
  for (std::uint32_t i = 0; i < known; ++i) {
    const auto c = cell_of(points[i].position);
    at(c[0], c[1], c[2]).push_back(i);
  }
  std::vector<std::uint32_t> result;
  result.reserve(all - known);
  for (std::size_t i = known; i < all; ++i) {
    poll();
    const auto c = cell_of(points[i].position);
    const auto last_cell = static_cast<std::ptrdiff_t>(cells) - 1;
    double min_square = infinity;
    double min_any = infinity;
    std::uint32_t best = 0;
    std::uint32_t best_any = 0;
    // Rings of cells around it, until no nearer point is possible
    for (std::ptrdiff_t ring = 0; ring <= last_cell; ++ring) {
      const double ring_distance = static_cast<double>(ring - 1) * width;
      if (ring > 0 && ring_distance > 0 && min_square <= ring_distance * ring_distance) {
        break;
      }
      for (std::ptrdiff_t x = std::max<std::ptrdiff_t>(c[0] - ring, 0); x <= std::min(c[0] + ring, last_cell); ++x) {
        for (std::ptrdiff_t y = std::max<std::ptrdiff_t>(c[1] - ring, 0); y <= std::min(c[1] + ring, last_cell); ++y) {
          const bool shell = std::abs(x - c[0]) == ring || std::abs(y - c[1]) == ring;
          for (std::ptrdiff_t z = std::max<std::ptrdiff_t>(c[2] - ring, 0); z <= std::min(c[2] + ring, last_cell);
               ++z) {
            if (!shell && std::abs(z - c[2]) != ring) {
              continue;
            }
            for (const std::uint32_t k : at(x, y, z)) {
              const double square = square_distance(points[i].position, points[k].position);
              if (square < min_any) {
                min_any = square;
                best_any = k;
              }
              if (square < min_square && same_side(points[i], points[k])) {
                min_square = square;
                best = k;
              }
            }
          }
        }
      }
    }
    result.push_back(min_square < infinity ? best : best_any);
  }
  return result;
}

/// A small enclosing sphere: the centre moves towards the farthest point, by decreasing amounts (Bădoiu and Clarkson).
void enclose(ShellNode& node, std::span<const ShellPoint> points, const auto& poll) {
  Vector3 centre{};
  for (const ShellPoint& p : points) {
    centre = sum(centre, scaled(1 / static_cast<double>(points.size()), p.position));
  }
  const auto farthest = [&](const Vector3& from) {
    return std::ranges::max_element(points, {}, [&](const ShellPoint& p) { return square_distance(p.position, from); })
        ->position;
  };
  Vector3 best = centre;
  double radius = norm(difference(farthest(centre), centre));
  for (int i = 1; i <= 40; ++i) {
    poll(points.size());
    centre = sum(centre, scaled(1.0 / (i + 1), difference(farthest(centre), centre)));
    const double r = norm(difference(farthest(centre), centre));
    if (r < radius) {
      radius = r;
      best = centre;
    }
  }
  node.centre = best;
  node.radius = radius * (1 + 1e-12);
}

/// For each level l and each point i of it, its children in level l + 1; the point itself first.
std::vector<std::vector<std::vector<std::uint32_t>>> children_of(const std::vector<ShellPoint>& points,
                                                                 const std::vector<std::size_t>& sizes,
                                                                 const auto& poll) {
  std::vector<std::vector<std::vector<std::uint32_t>>> children(sizes.size() - 1);
  for (std::size_t l = 0; l + 1 < sizes.size(); ++l) {
    children[l].resize(sizes[l]);
    for (std::uint32_t i = 0; i < sizes[l]; ++i) {
      children[l][i].push_back(i);
    }
    const auto parent = parents(points, sizes[l], sizes[l + 1], poll);
    for (std::size_t i = 0; i < parent.size(); ++i) {
      children[l][parent[i]].push_back(static_cast<std::uint32_t>(sizes[l] + i));
    }
  }
  return children;
}

}  // namespace

PointShell PointShell::make(const Mesh& mesh, const ShellParams& params, const Progress& progress) {
  if (!point_counts.holds(params.points)) {
    throw InvalidParameter(Problem{"points", static_cast<double>(params.points), point_counts.text});
  }
  if (!level_counts.holds(params.levels)) {
    throw InvalidParameter(Problem{"levels", static_cast<double>(params.levels), level_counts.text});
  }
  require_valid(mesh);
  if (!(area(mesh) > 0)) {
    throw MeshError("cannot make a point shell of a mesh without area");
  }
  const auto count = static_cast<std::size_t>(params.points);
  const std::vector<std::size_t> sizes = level_sizes(count, static_cast<std::size_t>(params.levels));
  const auto report = [&](double fraction) {
    if (progress) {
      progress(fraction);
    }
  };
  double done = 0;
  std::size_t since = 0;  // points since the last report
  const auto poll = [&](std::size_t points_seen = 1) {
    constexpr std::size_t between = 20'000;
    if ((since += points_seen) >= between) {
      since = 0;
      report(done);
    }
  };
  report(done);
  Random random{params.seed};
  FarthestFirst order(spread(mesh, std::max<std::size_t>(candidates_for_a_point * count, 1000), random, poll), poll);
  std::vector<ShellPoint> points;  // farthest first
  std::vector<double> distance;
  const auto start = static_cast<std::size_t>(random.unit() * static_cast<double>(order.size()));
  for (std::size_t i = 0; i < count; ++i) {
    const auto [point, to_others] = order.next(start);
    points.push_back(point);
    distance.push_back(to_others);
    if (i % 256 == 0) {
      report(0.05 + 0.85 * static_cast<double>(i) / static_cast<double>(count));
    }
  }

  done = 0.9;
  ShellData data;
  const auto children = children_of(points, sizes, poll);
  for (const std::size_t size : sizes) {
    data.spacing.push_back(
        size > 1 ? *std::min_element(distance.begin() + 1, distance.begin() + static_cast<std::ptrdiff_t>(size))
                 : bounds(mesh).longest_side());
  }
  // Nodes level by level: the root, and one for each point of every level but the finest, whose points are the leaves.
  std::vector<std::uint32_t> level_points(sizes[0]);
  std::iota(level_points.begin(), level_points.end(), 0U);
  data.nodes.push_back({});
  if (sizes.size() > 1) {
    data.nodes[0].first_child = 1;
    data.nodes[0].child_count = static_cast<std::uint32_t>(level_points.size());
  }
  for (std::size_t l = 0; l + 1 < sizes.size(); ++l) {
    std::vector<std::uint32_t> next;
    const std::size_t first_of_next = data.nodes.size() + level_points.size();
    for (const std::uint32_t i : level_points) {
      ShellNode node;
      if (l + 2 < sizes.size()) {
        node.first_child = static_cast<std::uint32_t>(first_of_next + next.size());
        node.child_count = static_cast<std::uint32_t>(children[l][i].size());
      } else {  // at the lowest level: its points
        node.first_point = static_cast<std::uint32_t>(next.size());
        node.point_count = static_cast<std::uint32_t>(children[l][i].size());
      }
      data.nodes.push_back(node);
      next.insert(next.end(), children[l][i].begin(), children[l][i].end());
    }
    level_points = std::move(next);
  }
  // `level_points` has the points of the finest level in the order of the tree.
  for (const std::uint32_t i : level_points) {
    data.points.push_back(points[i]);
    data.level.push_back(static_cast<std::uint32_t>(std::ranges::upper_bound(sizes, i) - sizes.begin()));
  }
  for (std::size_t n = data.nodes.size(); n-- > 0;) {
    ShellNode& node = data.nodes[n];
    if (node.child_count > 0) {
      const ShellNode& last = data.nodes[node.first_child + node.child_count - 1];
      node.first_point = data.nodes[node.first_child].first_point;
      node.point_count = last.first_point + last.point_count - node.first_point;
    } else if (n == 0) {
      node.point_count = static_cast<std::uint32_t>(count);
    }
    enclose(node, std::span(data.points).subspan(node.first_point, node.point_count), poll);
  }
  report(1);
  return PointShell(std::move(data));
}

PointShell::PointShell(ShellData data) : data_(std::move(data)) {
  const auto finite = [](const Vector3& v) { return std::isfinite(v[0] + v[1] + v[2]); };
  bool good = !data_.points.empty() && !data_.nodes.empty() && !data_.spacing.empty() &&
              data_.level.size() == data_.points.size() && data_.nodes.size() < 0xffffffff;
  for (const ShellPoint& point : data_.points) {
    good = good && finite(point.position) && std::abs(norm(point.normal) - 1) < 1e-6;
  }
  // A tree: the children of a node follow those of the previous node, and likewise the points of the lowest nodes
  std::size_t next_child = 1;
  std::size_t next_point = 0;
  for (const ShellNode& node : data_.nodes) {
    const bool leaf = node.child_count == 0;
    good = good && (leaf ? node.first_point == next_point : node.first_child == next_child) && node.point_count > 0 &&
           std::size_t{node.first_point} + node.point_count <= data_.points.size() && finite(node.centre) &&
           non_negative.holds(node.radius);
    next_child += node.child_count;
    next_point += leaf ? node.point_count : 0;
  }
  good = good && next_child == data_.nodes.size() && next_point == data_.points.size() &&
         std::ranges::all_of(data_.spacing, [](double x) { return x >= 0; }) &&
         std::ranges::all_of(data_.level, [&](std::uint32_t l) { return l < data_.spacing.size(); });
  if (!good) {
    throw MeshError("the data of the point shell are inconsistent");
  }
}

std::size_t PointShell::points_in_level(std::size_t level) const noexcept {
  return static_cast<std::size_t>(std::ranges::count_if(data_.level, [&](std::uint32_t l) { return l <= level; }));
}

std::size_t PointShell::bytes() const noexcept {
  return data_.points.size() * (sizeof(ShellPoint) + sizeof(std::uint32_t)) + data_.nodes.size() * sizeof(ShellNode);
}

}  // namespace stiction::geometry
