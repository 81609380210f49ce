#include "stiction/geometry/triangle_tree.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "stiction/problem.h"
#include "triangle_math.h"

namespace stiction::geometry {
namespace {

constexpr std::size_t leaf_size = 4;
constexpr std::size_t max_levels = 40;  // halves: 2^32 triangles need 32

double square_distance(const Vector3& p, const Box& box) noexcept {
  double sum = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const double d = std::max({box.low[i] - p[i], p[i] - box.high[i], 0.0});
    sum += d * d;
  }
  return sum;
}

/// Whether {p + t direction, t ≥ 0} meets a box; with a margin for rounding.
bool meets(const Vector3& p, const Vector3& direction, const Box& box) noexcept {
  double enters = 0;
  double leaves = infinity;
  for (std::size_t i = 0; i < 3; ++i) {
    const double a = (box.low[i] - p[i]) / direction[i];
    const double b = (box.high[i] - p[i]) / direction[i];
    enters = std::max(enters, std::min(a, b));
    leaves = std::min(leaves, std::max(a, b));
  }
  return enters <= leaves * (1 + 1e-12);
}

}  // namespace

TriangleTree::TriangleTree(const Mesh& mesh) {
  require_valid(mesh);
  std::vector<std::uint32_t> order(mesh.triangles.size());
  std::iota(order.begin(), order.end(), 0U);
  nodes_.reserve(order.size());
  split(0, order.size(), mesh, order);
  corners_.reserve(order.size());
  for (const std::uint32_t t : order) {
    corners_.push_back(mesh.corners(t));
  }
  triangles_ = std::move(order);
}

void TriangleTree::split(std::size_t from, std::size_t to, const Mesh& mesh, std::vector<std::uint32_t>& order) {
  Box box{mesh.corners(order[from])[0], mesh.corners(order[from])[0]};
  Box middles{{infinity, infinity, infinity}, {-infinity, -infinity, -infinity}};
  const auto middle = [&](std::uint32_t t, std::size_t axis) {
    const auto c = mesh.corners(t);
    return c[0][axis] + c[1][axis] + c[2][axis];
  };
  for (std::size_t i = from; i < to; ++i) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      for (const Vector3& corner : mesh.corners(order[i])) {
        box.low[axis] = std::min(box.low[axis], corner[axis]);
        box.high[axis] = std::max(box.high[axis], corner[axis]);
      }
      middles.low[axis] = std::min(middles.low[axis], middle(order[i], axis));
      middles.high[axis] = std::max(middles.high[axis], middle(order[i], axis));
    }
  }
  const std::size_t node = nodes_.size();
  nodes_.push_back({box, static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(to - from)});
  if (to - from <= leaf_size) {
    return;
  }
  const Vector3 spread = middles.size();
  const auto axis = static_cast<std::size_t>(std::ranges::max_element(spread) - spread.begin());
  const std::size_t half = from + (to - from) / 2;
  const auto at = [&](std::size_t i) { return order.begin() + static_cast<std::ptrdiff_t>(i); };
  std::nth_element(at(from), at(half), at(to), [&](std::uint32_t a, std::uint32_t b) {
    const double x = middle(a, axis);
    const double y = middle(b, axis);
    return x != y ? x < y : a < b;
  });
  split(from, half, mesh, order);
  nodes_[node].first = static_cast<std::uint32_t>(nodes_.size());
  nodes_[node].count = 0;
  split(half, to, mesh, order);
}

TriangleTree::Closest TriangleTree::closest(const Vector3& p, double within, double slack) const noexcept {
  if (std::isnan(p[0] + p[1] + p[2])) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    return {nan, {nan, nan, nan}, none};
  }
  const double tolerance = (1 + slack) * (1 + slack);
  struct Open {
    double square;
    std::uint32_t node;
  };
  std::array<Open, max_levels> stack{};
  std::size_t size = 0;
  double min_square = within * within;
  Closest best{within, {}, none};
  stack[size++] = {square_distance(p, nodes_[0].box), 0};
  while (size > 0) {
    const Open open = stack[--size];
    if (open.square * tolerance >= min_square) {
      continue;
    }
    const Node& node = nodes_[open.node];
    for (std::uint32_t i = node.first; i < node.first + node.count; ++i) {
      const Vector3 q = closest_point(p, corners_[i]);
      const Vector3 d = difference(p, q);
      const double square = dot(d, d);
      if (square < min_square) {
        min_square = square;
        best = {0, q, triangles_[i]};
        best.distance = std::sqrt(square);
      }
    }
    if (node.count == 0) {
      Open near{square_distance(p, nodes_[open.node + 1].box), open.node + 1};
      Open far{square_distance(p, nodes_[node.first].box), node.first};
      if (far.square < near.square) {
        std::swap(near, far);
      }
      stack[size++] = far;
      stack[size++] = near;
    }
  }
  return best;
}

void TriangleTree::near(const Vector3& p, double radius, std::size_t max_count,
                        std::vector<std::uint32_t>& found) const {
  std::array<std::uint32_t, max_levels> stack{};
  std::size_t size = 1;
  found.clear();
  while (size > 0 && found.size() <= max_count) {
    const std::uint32_t index = stack[--size];
    const Node& node = nodes_[index];
    if (square_distance(p, node.box) > radius * radius) {
      continue;
    }
    if (node.count == 0) {
      stack[size++] = node.first;
      stack[size++] = index + 1;
    }
    for (std::uint32_t i = node.first; i < node.first + node.count; ++i) {
      found.push_back(i);
    }
  }
}

void TriangleTree::along(const Vector3& p, const Vector3& direction, std::vector<std::uint32_t>& found) const {
  std::array<std::uint32_t, max_levels> stack{};
  std::size_t size = 1;
  found.clear();
  while (size > 0) {
    const std::uint32_t index = stack[--size];
    const Node& node = nodes_[index];
    if (!meets(p, direction, node.box)) {
      continue;
    }
    if (node.count == 0) {
      stack[size++] = node.first;
      stack[size++] = index + 1;
    }
    found.insert(found.end(), triangles_.begin() + node.first, triangles_.begin() + node.first + node.count);
  }
}

}  // namespace stiction::geometry
