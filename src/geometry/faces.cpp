#include "faces.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace stiction::geometry {
namespace {

constexpr std::size_t max_ear_corners = 1000;  // ear clipping takes at least quadratic time

using Point = std::array<double, 2>;

/// Twice the area of a triangle, positive where it runs counter-clockwise.
double area_of(const Point& a, const Point& b, const Point& c) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

bool is_inside(const Point& p, const Point& a, const Point& b, const Point& c) {
  return p != a && p != b && p != c && area_of(a, b, p) >= 0 && area_of(b, c, p) >= 0 && area_of(c, a, p) >= 0;
}

/// Ear clipping: cuts off corners whose triangle contains no other part of the face.
class Ears {
 public:
  Ears(std::span<const std::uint32_t> face, const std::vector<Vector3>& vertices, const Vector3& normal) : face_(face) {
    // Projected along the axis closest to the normal, keeping the orientation
    const std::array<double, 3> size{std::abs(normal[0]), std::abs(normal[1]), std::abs(normal[2])};
    const auto axis = static_cast<std::size_t>(std::ranges::max_element(size) - size.begin());
    const std::size_t u = normal[axis] > 0 ? (axis + 1) % 3 : (axis + 2) % 3;
    const std::size_t v = normal[axis] > 0 ? (axis + 2) % 3 : (axis + 1) % 3;
    for (std::size_t i = 0; i < face.size(); ++i) {
      points_.push_back({vertices[face[i]][u], vertices[face[i]][v]});
      next_.push_back((i + 1) % face.size());
      before_.push_back((i + face.size() - 1) % face.size());
    }
  }

  void cut(std::vector<Triangle>& triangles) {
    std::size_t at = 0;
    std::size_t tried = 0;
    for (std::size_t remaining = face_.size(); remaining > 2;) {
      // A self-intersecting face may have no ear: any corner is then cut off, which keeps the boundary of the face
      if (is_ear(at) || tried == remaining) {
        triangles.push_back({face_[before_[at]], face_[at], face_[next_[at]]});
        next_[before_[at]] = next_[at];
        before_[next_[at]] = before_[at];
        --remaining;
        tried = 0;
      } else {
        ++tried;
      }
      at = next_[at];
    }
  }

 private:
  [[nodiscard]] bool is_ear(std::size_t i) const {
    const Point& a = points_[before_[i]];
    const Point& b = points_[i];
    const Point& c = points_[next_[i]];
    if (!(area_of(a, b, c) > 0)) {
      return false;
    }
    for (std::size_t k = next_[next_[i]]; k != before_[i]; k = next_[k]) {
      if (is_inside(points_[k], a, b, c)) {
        return false;
      }
    }
    return true;
  }

  std::span<const std::uint32_t> face_;
  std::vector<Point> points_;
  std::vector<std::size_t> next_, before_;
};

void cut(std::span<const std::uint32_t> face, const std::vector<Vector3>& vertices, const std::string& name,
         std::vector<Triangle>& triangles) {
  const auto area = [&](std::size_t i) {
    return area_vector({vertices[face[0]], vertices[face[i]], vertices[face[i + 1]]});
  };
  Vector3 normal{};
  for (std::size_t i = 1; i + 1 < face.size(); ++i) {
    normal = sum(normal, area(i));
  }
  bool fan = true;
  for (std::size_t i = 1; face.size() > 3 && i + 1 < face.size(); ++i) {
    fan = fan && !(dot(area(i), normal) < -1e-12 * dot(normal, normal));
  }
  if (!fan && face.size() <= max_ear_corners) {
    Ears(face, vertices, normal).cut(triangles);
    return;
  }
  if (!fan) {
    throw MeshError(fmt::format("{}: a face of {} corners that is not convex: must have at most {} corners", name,
                                face.size(), max_ear_corners));
  }
  for (std::size_t i = 1; i + 1 < face.size(); ++i) {
    triangles.push_back({face[0], face[i], face[i + 1]});
  }
}

}  // namespace

std::size_t Faces::end_face() {
  const std::size_t begin = ends_.empty() ? 0 : ends_.back();
  ends_.push_back(corners_.size());
  return corners_.size() - begin;
}

std::vector<Triangle> Faces::triangles(const std::vector<Vector3>& vertices, const std::string& name) const {
  if (!corners_.empty() && std::ranges::max(corners_) >= vertices.size()) {
    throw MeshError(
        fmt::format("{}: a face uses vertex {}: must be below {}", name, std::ranges::max(corners_), vertices.size()));
  }
  std::vector<Triangle> result;
  result.reserve(corners_.size() - std::min(corners_.size(), 2 * ends_.size()));
  std::size_t begin = 0;
  for (const std::size_t end : ends_) {
    cut(std::span(corners_).subspan(begin, end - begin), vertices, name, result);
    begin = end;
  }
  return result;
}

void require_finite(const std::vector<Vector3>& vertices, const std::string& name) {
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const Vector3& v = vertices[i];
    if (!std::ranges::all_of(v, [](double x) { return std::isfinite(x); })) {
      throw MeshError(fmt::format("{}: vertex {} is ({:g}, {:g}, {:g}): must be finite", name, i, v[0], v[1], v[2]));
    }
  }
}

}  // namespace stiction::geometry
