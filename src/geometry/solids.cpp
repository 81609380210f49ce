#include "stiction/geometry/solids.h"

#include <algorithm>
#include <cmath>

#include "../require.h"
#include "stiction/geometry/mesh_check.h"
#include "stiction/problem.h"
#include "volume.h"

namespace stiction::geometry {
namespace {

double to_box(const Vector3& p, const Box& box) {
  Vector3 out{};
  for (std::size_t i = 0; i < 3; ++i) {
    out[i] = std::max({box.low[i] - p[i], p[i] - box.high[i], 0.0});
  }
  return norm(out);
}

Box around(const Box& a, const Box& b) {
  Box box;
  for (std::size_t i = 0; i < 3; ++i) {
    box.low[i] = std::min(a.low[i], b.low[i]);
    box.high[i] = std::max(a.high[i], b.high[i]);
  }
  return box;
}

Vector3 rotate(const Matrix3& r, const Vector3& v) { return {dot(r[0], v), dot(r[1], v), dot(r[2], v)}; }

}  // namespace

Solid::Solid(Distance distance, const Box& box) : distance_(std::move(distance)), box_(box) {
  require(is_box(box), "box", box.longest_side(), "finite");
}

Solid Solid::block(const Vector3& size, double rounding) {
  require(std::ranges::all_of(size, [](double x) { return positive.holds(x); }), "size", std::ranges::min(size),
          positive.text);
  require(rounding >= 0 && rounding <= std::ranges::min(size) / 2, "rounding", rounding,
          "from 0 to half the shortest side");
  const Vector3 half = scaled(0.5, size);
  return {[half, rounding](const Vector3& p) {
            Vector3 out{};
            double max_value = -infinity;
            for (std::size_t i = 0; i < 3; ++i) {
              const double q = std::abs(p[i]) - half[i] + rounding;
              out[i] = std::max(q, 0.0);
              max_value = std::max(max_value, q);
            }
            return norm(out) + std::min(max_value, 0.0) - rounding;
          },
          {scaled(-1.0, half), half}};
}

Solid Solid::ball(double radius) {
  require(positive.holds(radius), "radius", radius, positive.text);
  return {[radius](const Vector3& p) { return norm(p) - radius; },
          {{-radius, -radius, -radius}, {radius, radius, radius}}};
}

Solid Solid::rod(double radius, double length, double rounding) {
  require(positive.holds(radius), "radius", radius, positive.text);
  require(positive.holds(length), "length", length, positive.text);
  require(rounding >= 0 && rounding <= std::min(radius, length / 2), "rounding", rounding,
          "from 0 to the radius and half the length");
  return {[=](const Vector3& p) {
            const double across = std::hypot(p[0], p[1]) - radius + rounding;
            const double along = std::abs(p[2]) - length / 2 + rounding;
            return std::hypot(std::max(across, 0.0), std::max(along, 0.0)) + std::min(std::max(across, along), 0.0) -
                   rounding;
          },
          {{-radius, -radius, -length / 2}, {radius, radius, length / 2}}};
}

Solid Solid::pipe(const std::vector<Vector3>& path, double radius) {
  require(positive.holds(radius), "radius", radius, positive.text);
  require(path.size() >= 2, "path", static_cast<double>(path.size()), "of 2 points or more");
  Box box{path[0], path[0]};
  for (const Vector3& p : path) {
    require(std::isfinite(p[0] + p[1] + p[2]), "path", p[0] + p[1] + p[2], finite.text);
    box = around(box, {p, p});
  }
  const Vector3 thick{radius, radius, radius};
  return {[path, radius](const Vector3& p) {
            double min_value = infinity;
            for (std::size_t i = 0; i + 1 < path.size(); ++i) {
              const Vector3 along = difference(path[i + 1], path[i]);
              const Vector3 to_p = difference(p, path[i]);
              const double square = dot(along, along);
              const double t = square > 0 ? std::clamp(dot(along, to_p) / square, 0.0, 1.0) : 0.0;
              min_value = std::min(min_value, norm(difference(to_p, scaled(t, along))));
            }
            return min_value - radius;
          },
          {difference(box.low, thick), sum(box.high, thick)}};
}

Solid Solid::moved(const Vector3& offset) const {
  return {[distance = distance_, offset](const Vector3& p) { return distance(difference(p, offset)); },
          {sum(box_.low, offset), sum(box_.high, offset)}};
}

Solid Solid::rotated(const Matrix3& rotation) const {
  require_rotation(rotation);
  const Matrix3 back{{{rotation[0][0], rotation[1][0], rotation[2][0]},
                      {rotation[0][1], rotation[1][1], rotation[2][1]},
                      {rotation[0][2], rotation[1][2], rotation[2][2]}}};
  const Vector3 middle = rotate(rotation, box_.middle());
  Vector3 half{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      half[i] += std::abs(rotation[i][k]) * box_.size()[k] / 2;
    }
  }
  return {[distance = distance_, back](const Vector3& p) { return distance(rotate(back, p)); },
          {difference(middle, half), sum(middle, half)}};
}

// Far from its box a solid need not be evaluated: d_b ≥ the distance to the box decides.
Solid operator+(const Solid& a, const Solid& b) {
  return {[a, b](const Vector3& p) {
            const double d = a.distance(p);
            return to_box(p, b.box()) >= d && d > 0 ? d : std::min(d, b.distance(p));
          },
          around(a.box(), b.box())};
}

Solid operator-(const Solid& a, const Solid& b) {
  return {[a, b](const Vector3& p) {
            const double d = a.distance(p);
            return to_box(p, b.box()) > 0 && -to_box(p, b.box()) <= d ? d : std::max(d, -b.distance(p));
          },
          a.box()};
}

Solid operator&(const Solid& a, const Solid& b) {
  Box box = a.box();
  for (std::size_t i = 0; i < 3; ++i) {
    box.low[i] = std::max(box.low[i], b.box().low[i]);
    box.high[i] = std::max(std::min(box.high[i], b.box().high[i]), box.low[i]);
  }
  return {[a, b](const Vector3& p) { return std::max(a.distance(p), b.distance(p)); }, box};
}

Mesh meshed(const Solid& solid, double spacing, double adaptivity, const Progress& progress) {
  require(positive.holds(spacing), "spacing", spacing, positive.text);
  require(solid.box().longest_side() / spacing <= 2000, "spacing", spacing, "at least 1/2000 of the longest side");
  require(adaptivity >= 0 && adaptivity <= 1, "adaptivity", adaptivity, "from 0 to 1");
  // If samples coincide with corners and edges, two sheets of the mesh can touch along an edge: shifted samples avoid
  // it.
  constexpr int max_tries = 12;
  for (int i = 1;; ++i) {
    const Vector3 shift{std::fmod(0.3819 * i, 1), std::fmod(0.5698 * i, 1), std::fmod(0.7549 * i, 1)};
    try {
      const auto distance = [&](const Vector3& p) {
        const double d = solid.distance(p);
        require(std::isfinite(d), "distance", d, finite.text);
        return d;
      };
      return checked_mesh(level_set_mesh(distance, solid.box(), spacing, adaptivity, shift, progress), "solid");
    } catch (const MeshError&) {
      if (i == max_tries) {
        throw;
      }
    }
  }
}

}  // namespace stiction::geometry
