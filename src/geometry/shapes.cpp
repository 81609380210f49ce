#include "stiction/geometry/shapes.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "../require.h"
#include "stiction/problem.h"

namespace stiction::geometry {
namespace {

void require_positive(const char* field, double value) { require(positive.holds(value), field, value, positive.text); }
void require_size(const Vector3& size) {
  for (const double x : size) {
    require_positive("size", x);
  }
}
void require_at_least(const char* field, std::size_t value, std::size_t min_value, const char* allowed) {
  require(value >= min_value && value <= 100000, field, static_cast<double>(value), allowed);
}
void require_finite(const char* field, const Vector3& v) {
  for (const double x : v) {
    require(std::isfinite(x), field, x, finite.text);
  }
}
/// Checks the number of vertices of rings of sectors; both factors are at most 100 000.
void require_room(std::size_t rings, std::size_t sectors) {
  const auto vertices = static_cast<double>(rings * sectors);
  require(vertices <= 1e7, "rings times sectors", vertices, "at most 10 million");
}

std::vector<double> even_steps(double from, double to, std::size_t count) {
  std::vector<double> steps;
  for (std::size_t i = 0; i <= count; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(count);
    steps.push_back(from * (1 - share) + to * share);
  }
  return steps;
}

/// Two triangles; a, b, c, d counter-clockwise as seen from outside.
void add_quad(Mesh& mesh, std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
  mesh.triangles.push_back({a, b, c});
  mesh.triangles.push_back({a, c, d});
}

std::uint32_t add_vertex(Mesh& mesh, const Vector3& v) {
  mesh.vertices.push_back(v);
  return static_cast<std::uint32_t>(mesh.vertices.size() - 1);
}

/// Joins consecutive rings of equally many vertices, starting at `first`, by quads. Seen from outside, a ring runs to
/// the right and the next one is above it.
void join_rings(Mesh& mesh, std::uint32_t first, std::size_t rings, std::size_t sectors) {
  for (std::size_t r = 0; r + 1 < rings; ++r) {
    for (std::size_t s = 0; s < sectors; ++s) {
      const auto at = [&](std::size_t ring, std::size_t sector) {
        return static_cast<std::uint32_t>(first + ring * sectors + sector % sectors);
      };
      add_quad(mesh, at(r, s), at(r, s + 1), at(r + 1, s + 1), at(r + 1, s));
    }
  }
}

double angle_of(std::size_t sector, std::size_t sectors) {
  return 2 * std::numbers::pi * static_cast<double>(sector) / static_cast<double>(sectors);
}

}  // namespace

Mesh blocks(const std::vector<double>& xs, const std::vector<double>& ys, const std::vector<double>& zs,
            const std::function<bool(std::size_t, std::size_t, std::size_t)>& filled) {
  for (const auto& [field, planes] : {std::pair{"xs", &xs}, {"ys", &ys}, {"zs", &zs}}) {
    if (planes->size() < 2 || planes->size() > 1001) {
      throw InvalidParameter(Problem{field, static_cast<double>(planes->size()), "2 to 1001", true});
    }
    for (std::size_t i = 0; i < planes->size(); ++i) {
      const double x = (*planes)[i];
      require(std::isfinite(x) && (i == 0 || x > (*planes)[i - 1]), field, x,
              "finite, and larger than the previous one");
    }
  }
  const std::array<std::size_t, 3> n{xs.size() - 1, ys.size() - 1, zs.size() - 1};
  Mesh mesh;
  std::map<std::array<std::size_t, 3>, std::uint32_t> index_of;
  const auto vertex = [&](const std::array<std::size_t, 3>& at) {
    const auto [entry, is_new] = index_of.try_emplace(at, static_cast<std::uint32_t>(mesh.vertices.size()));
    if (is_new) {
      mesh.vertices.push_back({xs[at[0]], ys[at[1]], zs[at[2]]});
    }
    return entry->second;
  };
  const auto is_filled = [&](const std::array<std::size_t, 3>& c) {  // an index below 0 wraps to a very large number
    return c[0] < n[0] && c[1] < n[1] && c[2] < n[2] && filled(c[0], c[1], c[2]);
  };
  for (std::size_t x = 0; x < n[0]; ++x) {
    for (std::size_t y = 0; y < n[1]; ++y) {
      for (std::size_t z = 0; z < n[2]; ++z) {
        if (!filled(x, y, z)) {
          continue;
        }
        for (std::size_t axis = 0; axis < 3; ++axis) {
          for (const bool high : {false, true}) {
            std::array<std::size_t, 3> beside{x, y, z};
            beside[axis] += high ? 1 : static_cast<std::size_t>(-1);
            if (is_filled(beside)) {
              continue;
            }
            const std::size_t u = (axis + 1) % 3;
            const std::size_t v = (axis + 2) % 3;
            std::array<std::size_t, 3> a{x, y, z};
            a[axis] += high ? 1 : 0;
            auto b = a;
            auto c = a;
            auto d = a;
            ++b[u];
            ++c[u];
            ++c[v];
            ++d[v];
            if (high) {
              add_quad(mesh, vertex(a), vertex(b), vertex(c), vertex(d));
            } else {
              add_quad(mesh, vertex(a), vertex(d), vertex(c), vertex(b));
            }
          }
        }
      }
    }
  }
  return mesh;
}

Mesh box(const Vector3& size, std::size_t divisions) {
  require_size(size);
  require(divisions >= 1 && divisions <= 500, "divisions", static_cast<double>(divisions), "from 1 to 500");
  const auto steps = [&](std::size_t axis) { return even_steps(-size[axis] / 2, size[axis] / 2, divisions); };
  return blocks(steps(0), steps(1), steps(2), [](std::size_t, std::size_t, std::size_t) { return true; });
}

Mesh rounded_box(const Vector3& size, double radius, std::size_t divisions) {
  require_size(size);
  require_positive("radius", radius);
  require(radius <= std::ranges::min(size) / 2, "radius", radius, "at most half the shortest side");
  require(divisions >= 1 && divisions <= 250, "divisions", static_cast<double>(divisions), "from 1 to 250");
  // Equal angles in the rounding, so tangents of equal steps; the flat part is one step.
  std::array<std::vector<double>, 3> steps;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double flat = size[axis] / 2 - radius;
    for (std::size_t i = 0; i <= divisions; ++i) {
      const double angle = std::numbers::pi / 4 * static_cast<double>(i) / static_cast<double>(divisions);
      steps[axis].push_back(-flat - radius * std::tan(std::numbers::pi / 4 - angle));
    }
    auto mirrored = steps[axis];
    std::ranges::reverse(mirrored);
    for (const double x : mirrored) {
      if (-x > steps[axis].back()) {
        steps[axis].push_back(-x);
      }
    }
  }
  Mesh mesh = blocks(steps[0], steps[1], steps[2], [](std::size_t, std::size_t, std::size_t) { return true; });
  for (Vector3& v : mesh.vertices) {
    Vector3 inner{};
    for (std::size_t i = 0; i < 3; ++i) {
      inner[i] = std::clamp(v[i], radius - size[i] / 2, size[i] / 2 - radius);
    }
    const Vector3 out = difference(v, inner);
    v = sum(inner, scaled(radius / norm(out), out));
  }
  return mesh;
}

Mesh sphere(double radius, std::size_t subdivisions) {
  require_positive("radius", radius);
  require(subdivisions <= 9, "cuts", static_cast<double>(subdivisions), "from 0 to 9");
  const double g = std::numbers::phi;
  Mesh mesh{{{-1, g, 0},
             {1, g, 0},
             {-1, -g, 0},
             {1, -g, 0},
             {0, -1, g},
             {0, 1, g},
             {0, -1, -g},
             {0, 1, -g},
             {g, 0, -1},
             {g, 0, 1},
             {-g, 0, -1},
             {-g, 0, 1}},
            {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
             {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
             {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}}};
  for (std::size_t cut = 0; cut < subdivisions; ++cut) {
    std::map<std::array<std::uint32_t, 2>, std::uint32_t> middles;
    const auto middle = [&](std::uint32_t a, std::uint32_t b) {
      const auto [entry, is_new] =
          middles.try_emplace({std::min(a, b), std::max(a, b)}, static_cast<std::uint32_t>(mesh.vertices.size()));
      if (is_new) {
        mesh.vertices.push_back(sum(mesh.vertices[a], mesh.vertices[b]));
      }
      return entry->second;
    };
    std::vector<Triangle> smaller;
    for (const auto& [a, b, c] : mesh.triangles) {
      const std::uint32_t ab = middle(a, b);
      const std::uint32_t bc = middle(b, c);
      const std::uint32_t ca = middle(c, a);
      smaller.insert(smaller.end(), {{a, ab, ca}, {b, bc, ab}, {c, ca, bc}, {ab, bc, ca}});
    }
    mesh.triangles = std::move(smaller);
    for (Vector3& v : mesh.vertices) {
      v = scaled(1 / norm(v), v);
    }
  }
  for (Vector3& v : mesh.vertices) {
    v = scaled(radius / norm(v), v);
  }
  return mesh;
}

Mesh cylinder(double radius, double length, std::size_t sectors, std::size_t rings) {
  require_positive("length", length);
  require_at_least("rings", rings, 1, "from 1 to 100000");
  std::vector<Vector3> path;
  for (const double z : even_steps(-length / 2, length / 2, rings)) {
    path.push_back({0, 0, z});
  }
  return tube(path, radius, sectors);
}

Mesh tube(const std::vector<Vector3>& path, double radius, std::size_t sectors) {
  require_positive("radius", radius);
  require_at_least("sectors", sectors, 3, "from 3 to 100000");
  require_at_least("path", path.size(), 2, "of 2 to 100000 points");
  require_room(path.size(), sectors);
  for (const Vector3& p : path) {
    require_finite("path", p);
  }
  const auto direction = [&](std::size_t i) {  // of the segment from point i
    const Vector3 along = difference(path[i + 1], path[i]);
    require(norm(along) > 0, "path", static_cast<double>(i), "of points that differ from the previous one");
    return scaled(1 / norm(along), along);
  };
  Mesh mesh;
  Vector3 along = direction(0);
  Vector3 side = std::abs(along[0]) < 0.9 ? Vector3{1, 0, 0} : Vector3{0, 1, 0};
  side = difference(side, scaled(dot(side, along), along));
  side = scaled(1 / norm(side), side);
  for (std::size_t i = 0; i < path.size(); ++i) {
    const Vector3 before = i > 0 ? direction(i - 1) : direction(0);
    const Vector3 after = i + 1 < path.size() ? direction(i) : before;
    // The ring lies in the bisecting plane of the bend, stretched so that the rod keeps its radius.
    const Vector3 mean = sum(before, after);
    const Vector3 across = scaled(1 / norm(mean), mean);
    const double cosine = dot(before, across);
    require(cosine > 0.708, "path", static_cast<double>(i), "bent by less than 90 degrees at a point");
    const Vector3 other = cross(before, side);
    for (std::size_t s = 0; s < sectors; ++s) {
      const double angle = angle_of(s, sectors);
      const Vector3 out = scaled(radius, sum(scaled(std::cos(angle), side), scaled(std::sin(angle), other)));
      // along `before` onto the plane
      mesh.vertices.push_back(sum(path[i], difference(out, scaled(dot(out, across) / cosine, before))));
    }
    side = difference(side, scaled(2 * dot(side, across), across));  // mirrored twice: the smallest rotation to `after`
    side = difference(side, scaled(2 * dot(side, after), after));
    side = difference(side, scaled(dot(side, after), after));
    side = scaled(1 / norm(side), side);
  }
  join_rings(mesh, 0, path.size(), sectors);
  const std::uint32_t start = add_vertex(mesh, path.front());
  const std::uint32_t end = add_vertex(mesh, path.back());
  const auto last = static_cast<std::uint32_t>((path.size() - 1) * sectors);
  for (std::uint32_t s = 0; s < sectors; ++s) {
    const auto next = static_cast<std::uint32_t>((s + 1) % sectors);
    mesh.triangles.push_back({start, next, s});
    mesh.triangles.push_back({end, last + s, last + next});
  }
  return mesh;
}

Mesh block_with_hole(const Vector3& size, double hole_radius, std::size_t sectors, std::size_t rings) {
  require_size(size);
  require_positive("hole_radius", hole_radius);
  require(hole_radius < std::min(size[0], size[1]) / 2, "hole_radius", hole_radius, "less than half the block's width");
  require(sectors >= 8 && sectors % 8 == 0 && sectors <= 100000, "sectors", static_cast<double>(sectors),
          "a multiple of 8");
  require_at_least("rings", rings, 1, "from 1 to 100000");
  require_room(2 * rings, sectors);
  Mesh mesh;
  // Once around the profile: up the outside, inwards over the top, down the hole, and outwards at the bottom.
  const auto outer = [&](std::size_t s) {
    // equal steps along the sides of the square, so that its corners are vertices
    const double quarter_turns =
        4 * static_cast<double>(s) / static_cast<double>(sectors);  // quarters, from the middle of a side
    const auto quarter = static_cast<std::size_t>(std::floor(quarter_turns + 0.5)) % 4;
    const double along = 2 * (quarter_turns - std::floor(quarter_turns + 0.5));  // −1 to 1
    const std::array<Vector3, 4> side{{{1, along, 0}, {-along, 1, 0}, {-1, -along, 0}, {along, -1, 0}}};
    return Vector3{side[quarter][0] * size[0] / 2, side[quarter][1] * size[1] / 2, 0};
  };
  const auto inner = [&](std::size_t s) {
    const double angle = angle_of(s, sectors);
    return Vector3{hole_radius * std::cos(angle), hole_radius * std::sin(angle), 0};
  };
  const auto add_ring = [&](const auto& at, double z) {
    for (std::size_t s = 0; s < sectors; ++s) {
      mesh.vertices.push_back(sum(at(s), {0, 0, z}));
    }
  };
  const std::vector<double> heights = even_steps(-size[2] / 2, size[2] / 2, rings);
  for (const double z : heights) {
    add_ring(outer, z);
  }
  for (std::size_t i = heights.size(); i-- > 0;) {
    add_ring(inner, heights[i]);
  }
  const std::size_t count = 2 * heights.size();
  join_rings(mesh, 0, count, sectors);
  for (std::size_t s = 0; s < sectors; ++s) {  // from the last ring to the first
    const auto at = [&](std::size_t ring, std::size_t sector) {
      return static_cast<std::uint32_t>(ring * sectors + sector % sectors);
    };
    add_quad(mesh, at(count - 1, s), at(count - 1, s + 1), at(0, s + 1), at(0, s));
  }
  return mesh;
}

Mesh corner(double size, double thickness, int walls) {
  require_positive("size", size);
  require_positive("thickness", thickness);
  require(walls >= 1 && walls <= 3, "walls", walls, "1, 2 or 3");
  const std::vector<double> steps{-thickness, 0, size};
  const std::vector<double> steps_y = walls >= 2 ? steps : std::vector<double>{-thickness, size};
  std::vector<double> steps_x = steps;
  if (walls == 3) {
    steps_x.push_back(size + thickness);
  }
  return blocks(steps_x, steps_y, steps, [&](std::size_t x, std::size_t y, std::size_t z) {
    return x != 1 || z == 0 || (walls >= 2 && y == 0);
  });
}

Matrix3 rotation(const Vector3& axis, double angle) {
  require(std::abs(norm(axis) - 1) < 1e-6, "axis", norm(axis), "of length 1");
  require(std::isfinite(angle), "angle", angle, finite.text);
  const auto& [x, y, z] = axis;
  const double c = std::cos(angle);
  const double s = std::sin(angle);
  const double k = 1 - c;
  // R = cos 1 + sin [a]× + (1 − cos) a aᵀ
  return {{{c + k * x * x, k * x * y - s * z, k * x * z + s * y},
           {k * x * y + s * z, c + k * y * y, k * y * z - s * x},
           {k * x * z - s * y, k * y * z + s * x, c + k * z * z}}};
}

void require_rotation(const Matrix3& rotation) {
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      const double product = dot(rotation[i], rotation[j]);
      require(std::abs(product - (i == j ? 1 : 0)) < 1e-6, "rotation", product, "a rotation matrix");
    }
  }
  const double sense = dot(rotation[0], cross(rotation[1], rotation[2]));
  require(sense > 0, "rotation", sense, "a rotation matrix, not a reflection");
}

Mesh moved(Mesh mesh, const Vector3& offset) {
  require_finite("offset", offset);
  for (Vector3& v : mesh.vertices) {
    v = sum(v, offset);
  }
  return mesh;
}

Mesh rotated(Mesh mesh, const Matrix3& rotation) {
  require_rotation(rotation);
  for (Vector3& v : mesh.vertices) {
    v = {dot(rotation[0], v), dot(rotation[1], v), dot(rotation[2], v)};
  }
  return mesh;
}

Mesh joined(Mesh a, const Mesh& b) {
  require(a.vertices.size() + b.vertices.size() < 0xffffffff, "vertices",
          static_cast<double>(a.vertices.size() + b.vertices.size()), "fewer than 4294967295");
  const auto first = static_cast<std::uint32_t>(a.vertices.size());
  a.vertices.insert(a.vertices.end(), b.vertices.begin(), b.vertices.end());
  for (const Triangle& t : b.triangles) {
    a.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
  }
  return a;
}

}  // namespace stiction::geometry
