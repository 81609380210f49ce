#include "winding.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace stiction::geometry {
namespace {

// A line near an edge must cross the two adjacent triangles consistently, so crossings are decided in integers.
// Vertices are moved to even multiples of 1/lattice and lines run at odd ones, so no line meets a vertex. Products stay
// below 2^63.
constexpr std::int64_t lattice = std::int64_t{1} << 21;
constexpr double half_lattice = 0x1p20;
using Flat = std::array<std::int64_t, 2>;

Flat flat(const Vector3& v) { return {2 * std::llround(v[0] * half_lattice), 2 * std::llround(v[1] * half_lattice)}; }
std::int64_t floor_ratio(std::int64_t a, std::int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0); }
std::int64_t ceil_ratio(std::int64_t a, std::int64_t b) { return -floor_ratio(-a, b); }

/// The first line of row x whose y is not below the edge from a to b; none if the edge does not reach the row.
std::optional<std::int64_t> first_above(const Flat& a, const Flat& b, std::int64_t x) {
  if ((a[0] < x) == (b[0] < x)) {
    return std::nullopt;
  }
  const std::int64_t y = a[1] + ceil_ratio((b[1] - a[1]) * (x - a[0]), b[0] - a[0]);
  return ceil_ratio(y - 1, lattice);
}

}  // namespace

Winding::Winding(const Mesh& mesh, std::size_t x_nodes, std::size_t y_nodes) : y_nodes_(y_nodes) {
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const auto c = mesh.corners(t);
    const std::array<Flat, 3> f{flat(c[0]), flat(c[1]), flat(c[2])};
    const auto orientation = static_cast<double>(f[1][0] - f[0][0]) * static_cast<double>(f[2][1] - f[0][1]) -
                             static_cast<double>(f[1][1] - f[0][1]) * static_cast<double>(f[2][0] - f[0][0]);
    const std::int32_t entered = orientation < 0 ? 1 : -1;
    const Vector3 normal = area_vector(c);
    const auto [low_z, high_z] = std::minmax({c[0][2], c[1][2], c[2][2]});
    const auto [low_x, high_x] = std::minmax({f[0][0], f[1][0], f[2][0]});
    for (std::int64_t i = ceil_ratio(low_x - 1, lattice); i * lattice + 1 < high_x; ++i) {
      std::int64_t from = std::numeric_limits<std::int64_t>::max();
      std::int64_t to = std::numeric_limits<std::int64_t>::min();
      for (std::size_t k = 0; k < 3; ++k) {
        if (const auto j = first_above(f[k], f[(k + 1) % 3], i * lattice + 1)) {
          from = std::min(from, *j);
          to = std::max(to, *j);
        }
      }
      for (std::int64_t j = from; j < to; ++j) {
        // normal · (x − c_0) = 0
        const double z = c[0][2] - (normal[0] * (static_cast<double>(i) - c[0][0]) +
                                    normal[1] * (static_cast<double>(j) - c[0][1])) /
                                       normal[2];
        crossings_.push_back(
            {std::isfinite(z) ? std::clamp(z, low_z, high_z) : low_z,
             static_cast<std::uint32_t>(static_cast<std::size_t>(i) * y_nodes_ + static_cast<std::size_t>(j)),
             entered});
      }
    }
  }
  std::ranges::sort(crossings_, [](const Line::Crossing& a, const Line::Crossing& b) {
    return a.line != b.line ? a.line < b.line : a.z < b.z;
  });
  first_.assign(x_nodes * y_nodes + 1, crossings_.size());
  for (std::size_t i = crossings_.size(); i-- > 0;) {
    first_[crossings_[i].line] = i;
  }
  for (std::size_t line = x_nodes * y_nodes; line-- > 0;) {
    first_[line] = std::min(first_[line], first_[line + 1]);
  }
}

}  // namespace stiction::geometry
