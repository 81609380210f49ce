// Pyramids inside and around the circular cone: K_p ⊂ K_c ⊂ K_circumscribed, and the worst error of friction. The
// cone as a union of planar cones; the box cone with one bound per axis.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "../control/statistics.h"
#include "../lab.h"
#include "stiction/spatial/pyramid.h"

namespace stiction::lab::spatial_cone_nesting {
namespace {

using spatial::CircularCone;
using spatial::Fit;
using spatial::Pyramid;
using Force = Vector<double, 3>;

constexpr double mu = 0.6;
constexpr double pi = std::numbers::pi;
constexpr std::array<std::size_t, 9> sides{3, 4, 5, 6, 8, 12, 16, 32, 64};

/// The largest friction of a cone in a direction, for a normal force of 1: by bisection on membership.
template <class Cone>
double max_friction(const Cone& cone, double phi) {
  double inside = 0;
  double outside = 4 * mu;
  constexpr int halvings = 45;
  for (int k = 0; k < halvings; ++k) {
    const double middle = (inside + outside) / 2;
    (cone.contains(Force{middle * std::cos(phi), middle * std::sin(phi), 1}) ? inside : outside) = middle;
  }
  return inside / mu;
}

/// Smallest and largest over the circle, relative to the circular cone. Directions at multiples of π/n hit the worst
/// ones.
struct Extent {
  double smallest = 1e300, largest = 0;
};
template <class Cone>
Extent extent(const Cone& cone, std::size_t n, int between) {
  Extent result;
  const auto directions = 2 * static_cast<int>(n) * between;
  for (int k = 0; k < directions; ++k) {
    const double friction = max_friction(cone, 2 * pi * k / directions);
    result.smallest = std::min(result.smallest, friction);
    result.largest = std::max(result.largest, friction);
  }
  return result;
}

/// Extents and inclusions of pyramids.
void nest(const Context& context, int between, int forces, Random& random, Result& result) {
  const CircularCone<> cone{mu};
  Table table{"extent",
              {{"sides", std::vector<double>{}},
               {"inscribed, least [-]", std::vector<double>{}},
               {"circumscribed, largest [-]", std::vector<double>{}},
               {"error of the inscribed [-]", std::vector<double>{}},
               {"error of the circumscribed [-]", std::vector<double>{}}},
              true};
  double outside_cone = 0;           // forces of K_p that are not in K_c
  double outside_circumscribed = 0;  // forces of K_c that are not in the circumscribed one
  double largest_inscribed = 0;
  double min_circumscribed = 1e300;
  for (std::size_t i = 0; i < sides.size(); ++i) {
    context.step(0.8 * static_cast<double>(i) / static_cast<double>(sides.size()));
    const std::size_t n = sides.at(i);
    const auto inner = Pyramid<>::make({mu, n, Fit::inscribed});
    const auto outer = Pyramid<>::make({mu, n, Fit::circumscribed});
    const Extent inside = extent(inner, n, between);
    const Extent around = extent(outer, n, between);
    largest_inscribed = std::max(largest_inscribed, inside.largest);
    min_circumscribed = std::min(min_circumscribed, around.smallest);
    const double ratio = std::cos(pi / static_cast<double>(n));
    result.claims.push_back(within(fmt::format("{} sides, inscribed: least friction", n), from_theory("cos(π/n)"),
                                   ratio, inside.smallest, 1e-9, "-"));
    result.claims.push_back(within(fmt::format("{} sides, circumscribed: largest friction", n),
                                   from_theory("1/cos(π/n)"), 1 / ratio, around.largest, 1e-9, "-"));
    const std::array<double, 5> values{static_cast<double>(n), inside.smallest, around.largest, 1 - inside.smallest,
                                       around.largest - 1};
    for (std::size_t k = 0; k < values.size(); ++k) {
      std::get<std::vector<double>>(table.columns[k].values).push_back(values.at(k));
    }
    for (int k = 0; k < forces; ++k) {
      const Force any{random.gaussian(), random.gaussian(), random.gaussian()};
      outside_cone += cone.contains(inner.project(any), 1e-12) ? 0 : 1;
      outside_circumscribed += outer.contains(cone.project(any), 1e-12) ? 0 : 1;
    }
  }
  result.tables.push_back(table);
  result.claims.push_back(at_most("forces of inscribed pyramids outside the cone",
                                  printed("notes: K_p is an underestimator of K_c"), 0, outside_cone, "-"));
  result.claims.push_back(at_most("forces of the cone outside circumscribed pyramids",
                                  from_theory("the pyramid of eq. 13 contains the cone"), 0, outside_circumscribed,
                                  "-"));
  result.claims.push_back(
      within("inscribed, largest friction", from_theory("edges on the cone"), 1, largest_inscribed, 1e-9, "-"));
  result.claims.push_back(
      within("circumscribed, least friction", from_theory("sides touch the cone"), 1, min_circumscribed, 1e-9, "-"));
  Figure error{"error",
               "Worst error of friction against the sides of the pyramid",
               "sides",
               "error [-]",
               {{"extent", 0, 3, "inscribed", "linespoints"}, {"extent", 0, 4, "circumscribed", "linespoints"}}};
  error.x_log = true;
  error.y_log = true;
  result.figures.push_back(error);
}

/// The cone as a union of planar cones, and the box of one bound an axis.
void unite(int between, int forces, Random& random, Result& result) {
  const CircularCone<> cone{mu};
  // The union over φ of the planar cones pos{f_1(φ), f_2(φ)}
  double differ = 0;
  double deviation = 0;
  for (int k = 0; k < forces; ++k) {
    const Force f{random.gaussian(), random.gaussian(), random.gaussian()};
    const auto [phi, a, b] = cone.planar(f);
    const auto [f1, f2] = cone.planar_rays(phi);
    for (std::size_t c = 0; c < 3; ++c) {
      deviation = std::max(deviation, std::abs(a * f1[c] + b * f2[c] - f[c]));
    }
    differ += (a >= 0 && b >= 0) == cone.contains(f) ? 0 : 1;
  }
  result.claims.push_back(at_most("forces that only one of cone and union of planar cones has",
                                  printed("notes: K_c is the union over φ"), 0, differ, "-"));
  result.claims.push_back(
      at_most("a f_1 + b f_2, off the force", printed("notes: pos{f_1, f_2}"), 0, deviation, "N", 1e-12));
  const Extent box = extent(spatial::BoxCone<>{mu, mu}, 4, between);
  result.claims.push_back(within("box of one bound an axis: largest friction", from_theory("√2, on its edges"),
                                 std::numbers::sqrt2, box.largest, 1e-9, "-"));
}

/// Friction by direction, for four sides.
void outline(int between, Result& result) {
  const CircularCone<> cone{mu};
  Table table{"outline",
              {{"angle [deg]", std::vector<double>{}},
               {"inscribed [-]", std::vector<double>{}},
               {"cone [-]", std::vector<double>{}},
               {"circumscribed [-]", std::vector<double>{}},
               {"box [-]", std::vector<double>{}}}};
  const auto four_in = Pyramid<>::make({mu, 4, Fit::inscribed});
  const auto four_out = Pyramid<>::make({mu, 4, Fit::circumscribed});
  double along_rays = 1e300;
  for (int k = 0; k < 4; ++k) {
    along_rays = std::min(along_rays, max_friction(four_in, k * pi / 2));
  }
  result.claims.push_back(within("cone: angle of its steepest force", printed("notes: α = tan⁻¹ μ"), std::atan(mu),
                                 std::atan(mu * extent(cone, 8, between).largest), 1e-9, "rad"));
  result.claims.push_back(within("four sides, inscribed: least friction along the four rays",
                                 printed("notes: (μ, 0, 1), (0, μ, 1), (−μ, 0, 1), (0, −μ, 1)"), 1, along_rays, 1e-9,
                                 "-"));
  for (int degree = 0; degree <= 360; ++degree) {
    const double phi = degree * pi / 180;
    const std::array<double, 5> values{static_cast<double>(degree), max_friction(four_in, phi), max_friction(cone, phi),
                                       max_friction(four_out, phi), max_friction(spatial::BoxCone<>{mu, mu}, phi)};
    for (std::size_t k = 0; k < values.size(); ++k) {
      std::get<std::vector<double>>(table.columns[k].values).push_back(values.at(k));
    }
  }
  result.tables.push_back(table);
  result.figures.push_back({"outline",
                            "Most friction by direction, four sides",
                            "direction [deg]",
                            "friction over μ N [-]",
                            {{"outline", 0, 1, "inscribed"},
                             {"outline", 0, 2, "cone"},
                             {"outline", 0, 3, "circumscribed"},
                             {"outline", 0, 4, "box"}}});
}

}  // namespace

Result run(const Context& context) {
  const int between = context.quick ? 4 : 32;
  const int forces = context.quick ? 2000 : 50'000;
  Result result;
  result.notes =
      "μ = 0.6. Friction of a pyramid over that of the circular cone, in the direction where they differ most: an "
      "inscribed pyramid gives cos(π/n) of it, a circumscribed one 1/cos(π/n). The paper's pyramid (eq. 13) is of the "
      "second kind: with four sides it overstates friction by 41 %. Extents are found from membership alone, by "
      "halving; inclusions are tried with random forces.";
  Random random(1);
  nest(context, between, forces, random, result);
  context.step(0.8);
  unite(between, forces, random, result);
  outline(between, result);
  return result;
}

}  // namespace stiction::lab::spatial_cone_nesting
