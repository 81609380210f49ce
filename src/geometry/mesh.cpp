#include "stiction/geometry/mesh.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "stiction/problem.h"

namespace stiction::geometry {

void require_valid(const Mesh& mesh, const std::string& name) {
  constexpr double max_coordinate = 1e9;  // [m]: squares and volumes stay far from overflow
  constexpr std::size_t max_count = 0xffffffff;
  if (mesh.triangles.empty()) {
    throw MeshError(fmt::format("{}: no triangles", name));
  }
  if (mesh.vertices.size() >= max_count || mesh.triangles.size() >= max_count / 3) {
    throw MeshError(fmt::format("{}: {} triangles are too many", name, mesh.triangles.size()));
  }
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
    const Vector3& v = mesh.vertices[i];
    if (!std::ranges::all_of(v, [](double x) { return std::abs(x) <= max_coordinate; })) {  // false for NaN
      throw MeshError(fmt::format("{}: vertex {} is ({:.6g}, {:.6g}, {:.6g}): must be within {:g} m", name, i, v[0],
                                  v[1], v[2], max_coordinate));
    }
  }
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    if (const auto largest = std::ranges::max(mesh.triangles[i]); largest >= mesh.vertices.size()) {
      throw MeshError(
          fmt::format("{}: triangle {} uses vertex {}: must be below {}", name, i, largest, mesh.vertices.size()));
    }
  }
}

bool is_box(const Box& box) noexcept {
  bool good = true;
  for (std::size_t i = 0; i < 3; ++i) {
    good = good && std::isfinite(box.low[i]) && std::isfinite(box.high[i]) && box.low[i] <= box.high[i];
  }
  return good;
}

double Box::longest_side() const noexcept { return std::ranges::max(size()); }

Box bounds(const Mesh& mesh) noexcept {
  if (mesh.vertices.empty()) {
    return {};
  }
  Box box{mesh.vertices[0], mesh.vertices[0]};
  for (const Vector3& v : mesh.vertices) {
    for (std::size_t i = 0; i < 3; ++i) {
      box.low[i] = std::min(box.low[i], v[i]);
      box.high[i] = std::max(box.high[i], v[i]);
    }
  }
  return box;
}

Vector3 area_vector(const std::array<Vector3, 3>& corners) noexcept {
  return cross(difference(corners[1], corners[0]), difference(corners[2], corners[0]));
}

double area(const Mesh& mesh) noexcept {
  double twice = 0;
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    twice += norm(area_vector(mesh.corners(i)));
  }
  return twice / 2;
}

namespace {

/// ∫ 1, x and x xᵀ over the solid, with `origin` taken as 0. Each triangle spans a tetrahedron with it.
struct Moments {
  double volume = 0;
  Vector3 first{};
  std::array<std::array<double, 3>, 3> second{};
};
Moments moments(const Mesh& mesh, const Vector3& origin) noexcept {
  Moments m;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    std::array<Vector3, 3> c = mesh.corners(t);
    for (Vector3& corner : c) {
      corner = difference(corner, origin);
    }
    // V = a · (b × c)/6
    const double v = dot(c[0], cross(c[1], c[2])) / 6;
    const Vector3 s = sum(sum(c[0], c[1]), c[2]);
    m.volume += v;
    for (std::size_t i = 0; i < 3; ++i) {
      // ∫ x = V (a + b + c)/4
      m.first[i] += v * s[i] / 4;
      for (std::size_t j = 0; j < 3; ++j) {
        // ∫ x xᵀ = V (s sᵀ + a aᵀ + b bᵀ + c cᵀ)/20,  s = a + b + c
        m.second[i][j] += v / 20 * (s[i] * s[j] + c[0][i] * c[0][j] + c[1][i] * c[1][j] + c[2][i] * c[2][j]);
      }
    }
  }
  return m;
}

}  // namespace

double volume(const Mesh& mesh) noexcept { return moments(mesh, bounds(mesh).middle()).volume; }

MassProperties mass_properties(const Mesh& mesh, double density) {
  if (!positive.holds(density)) {
    throw InvalidParameter(Problem{"density", density, positive.text});
  }
  require_valid(mesh);
  const Vector3 middle = bounds(mesh).middle();
  const Vector3 offset = scaled(1 / moments(mesh, middle).volume, moments(mesh, middle).first);
  const Vector3 centre = sum(middle, offset);
  const Moments m = moments(mesh, centre);
  if (!(m.volume > 0)) {
    throw MeshError("the mesh encloses no volume");
  }
  MassProperties result{density * m.volume, centre, {}};
  // I = ∫ (|x|² 1 − x xᵀ) ρ
  const double trace = m.second[0][0] + m.second[1][1] + m.second[2][2];
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      result.inertia[i][j] = density * ((i == j ? trace : 0) - m.second[i][j]);
    }
  }
  return result;
}

}  // namespace stiction::geometry
