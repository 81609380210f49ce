#include "stiction/planar/reduced.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "require.h"

namespace stiction::planar {
namespace {

void require_cells(const char* field, std::size_t cells) {
  require(cells >= 1 && cells <= 1000, field, static_cast<double>(cells), "from 1 to 1000");
}

/// The unit of length for r ω. A single point has no r, and its friction does not depend on the unit.
double unit_of_length(double r) { return r > 0 ? r : 1; }

/// Deviation of a patch from axisymmetry: the largest of its moments up to the fourth that vanish for a disc, over
/// ∫ |ζ|^(m+n) p dA or a bound on it. Higher moments would show the cells and points that represent a disc.
double asymmetry_of(const Patch& patch) {
  double largest = 0;
  for (int order = 2; order <= 4; ++order) {
    // ∫ |ζ|^(2k+1) p ≤ √(∫ |ζ|^2k p ∫ |ζ|^(2k+2) p)
    const int k = order / 2;
    const double bound = order % 2 == 0 ? patch.moment(k, k).real()
                                        : std::sqrt(patch.moment(k, k).real() * patch.moment(k + 1, k + 1).real());
    for (int m = 0; 2 * m < order; ++m) {
      largest = bound > 0 ? std::max(largest, std::abs(patch.moment(m, order - m)) / bound) : largest;
    }
  }
  return largest;
}

}  // namespace

SurfaceTable::SurfaceTable(const Patch& patch, std::size_t cells, Rule rule) : cells_(static_cast<double>(cells)) {
  require_cells("cells", cells);
  const double r = patch.torque_radius();
  const double per_r = r > 0 ? 1 / r : 0;
  const double unit = unit_of_length(r);
  nodes_.reserve(3 * (cells + 1) * (cells + 1));
  for (std::size_t face = 0; face < 3; ++face) {
    for (std::size_t j = 0; j <= cells; ++j) {
      for (std::size_t i = 0; i <= cells; ++i) {
        const double a = 2 * static_cast<double>(i) / static_cast<double>(cells) - 1;
        const double b = 2 * static_cast<double>(j) / static_cast<double>(cells) - 1;
        Vector3 v{};
        v[face] = 1;
        v[(face + 1) % 3] = a;
        v[(face + 2) % 3] = b;
        const Wrench w = coulomb_wrench(patch, {unit * v[0], unit * v[1], v[2]}, rule);
        nodes_.push_back({{w.x, w.y, w.torque * per_r, 0}});
      }
    }
  }
}

std::array<Vector3, 3> SurfaceTable::gradient(const Vector3& v) const noexcept {
  const std::array size{std::abs(v[0]), std::abs(v[1]), std::abs(v[2])};
  const std::size_t face = size[0] >= size[1] && size[0] >= size[2] ? 0 : size[1] >= size[2] ? 1 : 2;
  const std::size_t second = (face + 1) % 3;
  const std::size_t third = (face + 2) % 3;
  const double largest = v[face];
  if (!(std::abs(largest) > 1e-290)) {
    return {};
  }
  // h = ± B(a, b) with a = (1 + v_second/v_face) cells/2, b likewise
  const Spot at = spot(v, cells_);
  const Node* const low = nodes_.data() + at.node;
  const Node* const high = low + at.row;
  const double sign = sgn(largest);
  const double da = sign * (at.w10 + at.w11);  // position in the cell
  const double db = sign * (at.w01 + at.w11);
  const double scale = sign * 0.5 * cells_ / largest;
  std::array<Vector3, 3> rows{};
  for (std::size_t k = 0; k < 3; ++k) {
    const double by_a = (1 - db) * (low[1].h[k] - low[0].h[k]) + db * (high[1].h[k] - high[0].h[k]);
    const double by_b = (1 - da) * (high[0].h[k] - low[0].h[k]) + da * (high[1].h[k] - low[1].h[k]);
    rows[k][second] = scale * by_a;
    rows[k][third] = scale * by_b;
    rows[k][face] = -scale * (by_a * v[second] + by_b * v[third]) / largest;
  }
  return rows;
}

AxisymmetricCurve::AxisymmetricCurve(const Patch& patch, std::size_t cells) : cells_(static_cast<double>(cells)) {
  require_cells("cells", cells);
  const double asymmetry = asymmetry_of(patch);
  require(asymmetry <= 0.15, "asymmetry of the patch", asymmetry, "<= 0.15 for an axisymmetric surface");
  const double r = patch.torque_radius();
  const double per_r = r > 0 ? 1 / r : 0;
  const double unit = unit_of_length(r);
  nodes_.reserve(2 * cells + 1);
  for (std::size_t i = 0; i <= 2 * cells; ++i) {
    const double fraction = static_cast<double>(i) / cells_;  // as in the look-up
    const double sliding = fraction <= 1 ? 1 : 2 - fraction;
    const double spinning = fraction <= 1 ? fraction : 1;
    const Wrench w = coulomb_wrench(patch, {unit * sliding, 0, spinning});
    nodes_.push_back({w.x, w.torque * per_r});
  }
}

AngleTable::AngleTable(const Patch& patch, std::size_t quarter, WrenchOf wrench) : quarter_(quarter) {
  require_cells("quarter", quarter);
  const auto wrench_at = [&](const Twist& twist) {
    return wrench != nullptr ? wrench(patch, twist) : coulomb_wrench(patch, twist);
  };
  torque_radius_ = std::abs(wrench_at({0, 0, 1}).torque);
  const double unit = unit_of_length(torque_radius_);
  const double step = std::numbers::pi / 2 / static_cast<double>(quarter);
  for (std::size_t i = 0; i <= 4 * quarter; ++i) {
    const double theta = static_cast<double>(i) * step;
    for (std::size_t j = 0; j <= quarter; ++j) {
      const double phi = static_cast<double>(j) * step;
      const double spin = j == quarter ? 0 : std::cos(phi);
      const Wrench w =
          wrench_at({unit * std::cos(theta) * std::sin(phi), unit * std::sin(theta) * std::sin(phi), spin});
      nodes_.push_back({w.x, w.y, w.torque / unit});
    }
  }
}

Vector3 AngleTable::operator()(const Vector3& v) const noexcept {
  const double sliding = std::sqrt(v[0] * v[0] + v[1] * v[1]);
  if (const double sum = sliding + std::abs(v[2]); !(sum > 0 && sum < infinity)) {
    return {0 * sum, 0 * sum, 0 * sum};  // no motion; a NaN propagates
  }
  // h(−v) = −h(v): only ω ≥ 0 is stored.
  const double sign = v[2] < 0 ? -1 : 1;
  const double per_cell = static_cast<double>(quarter_) / (std::numbers::pi / 2);
  double theta = std::atan2(sign * v[1], sign * v[0]);
  theta += theta < 0 ? 2 * std::numbers::pi : 0;
  const double phi = std::atan2(sliding, std::abs(v[2]));
  const double a = theta * per_cell;
  const double b = phi * per_cell;
  const double i = std::min(std::floor(a), 4 * static_cast<double>(quarter_) - 1);
  const double j = std::min(std::floor(b), static_cast<double>(quarter_) - 1);
  const double da = a - i;
  const double db = b - j;
  const Vector3* const node = &nodes_[static_cast<std::size_t>(i) * (quarter_ + 1) + static_cast<std::size_t>(j)];
  const Vector3* const next = node + quarter_ + 1;
  Vector3 h{};
  for (std::size_t k = 0; k < 3; ++k) {
    h[k] =
        sign * ((1 - da) * ((1 - db) * node[0][k] + db * node[1][k]) + da * ((1 - db) * next[0][k] + db * next[1][k]));
  }
  return h;
}

}  // namespace stiction::planar
