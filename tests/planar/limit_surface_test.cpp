// The Coulomb wrench of a patch against adaptive quadrature, closed forms, the authors' files and its own properties.
#include "stiction/planar/limit_surface.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include "stiction/planar/shapes.h"
#include "support/csv.h"
#include "support/property.h"
#include "support/random.h"

namespace stiction::planar::limit_surface_test {
namespace {

using test::between;
using test::holds_for;
using test::log_between;
using test::Random;
using test::signed_between;
using Real = long double;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double pi = std::numbers::pi;
constexpr std::array every_rule{Rule::exact, Rule::midpoint, Rule::bilinear};

/// The largest difference, the torque as a share of `length`. NaN counts as infinite.
double difference(const Wrench& a, const Wrench& b, double length) {
  const double worst = std::max({std::abs(a.x - b.x), std::abs(a.y - b.y), std::abs(a.torque - b.torque) / length});
  const bool known = std::isfinite(a.x + a.y + a.torque + b.x + b.y + b.torque);
  return known ? worst : INFINITY;
}

double tangential(const Wrench& w) { return std::hypot(w.x, w.y); }

/// The twist at the origin of a rotation about a point.
Twist about(const Point& centre, double spin) { return {spin * centre.y, -spin * centre.x, spin}; }

// Adaptive quadrature in long double
// -----------------------------------------------------------------------------------

struct Three {
  Real x = 0, y = 0, z = 0;
  friend Three operator+(const Three& a, const Three& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend Three operator-(const Three& a, const Three& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  friend Three operator*(Real s, const Three& a) { return {s * a.x, s * a.y, s * a.z}; }
  [[nodiscard]] Real size() const { return std::max({std::abs(x), std::abs(y), std::abs(z)}); }
};

/// Five Gauss points: nodes from the roots of P₅, so that they are as exact as the type.
template <class F>
auto gauss5(const F& f, Real a, Real b) {
  const Real root = std::sqrt(Real(10) / 7);
  const Real inner = std::sqrt(5 - 2 * root) / 3;
  const Real outer = std::sqrt(5 + 2 * root) / 3;
  const Real inner_weight = (322 + 13 * std::sqrt(Real(70))) / 1800;
  const Real outer_weight = (322 - 13 * std::sqrt(Real(70))) / 1800;
  const Real m = (a + b) / 2;
  const Real h = (b - a) / 2;
  return (b - a) * (Real(128) / 450 * f(m) + inner_weight * (f(m - inner * h) + f(m + inner * h)) +
                    outer_weight * (f(m - outer * h) + f(m + outer * h)));
}

template <class F>
Three adaptive(const F& f, Real a, Real b, Real tolerance, int depth = 40) {
  const Real m = (a + b) / 2;
  const Three whole = gauss5(f, a, b);
  const Three halves = gauss5(f, a, m) + gauss5(f, m, b);
  const Real rounding_error = 1e-18L * halves.size();
  if ((whole - halves).size() <= std::max(tolerance, rounding_error) || depth == 0) {
    return halves;
  }
  return adaptive(f, a, m, tolerance / 2, depth - 1) + adaptive(f, m, b, tolerance / 2, depth - 1);
}

struct Box {
  Real left, right, bottom, top;
};

/// ∫ (X/d, Y/d, d) over a box, X and Y from the centre of rotation. In polar coordinates about it the integrands are
/// functions of the angle times 1, 1 and d, so ∫ F dA = ∫ F ρ²/k dθ around the edge, k = 2, 2, 3, with
/// ρ² dθ = (distance of the edge's line) ds: smooth along each edge, wherever the centre lies.
Three polar_integral(const Box& box, Real cx, Real cy, Real tolerance) {
  const auto edge = [&](Real x0, Real y0, Real x1, Real y1) {
    const Real length = std::hypot(x1 - x0, y1 - y0);
    const Real line = ((x0 - cx) * (y1 - y0) - (y0 - cy) * (x1 - x0)) / length;
    if (line == 0) {
      return Three{};
    }
    // The foot of the perpendicular splits the edge: the integrands turn fastest there.
    const Real foot = ((cx - x0) * (x1 - x0) + (cy - y0) * (y1 - y0)) / length;
    const auto f = [&](Real s) {
      const Real x = x0 + s * (x1 - x0) / length - cx;
      const Real y = y0 + s * (y1 - y0) / length - cy;
      const Real d = std::hypot(x, y);
      return Three{line / 2 * x / d, line / 2 * y / d, line / 3 * d};
    };
    if (foot > 0 && foot < length) {
      return adaptive(f, 0, foot, tolerance) + adaptive(f, foot, length, tolerance);
    }
    return adaptive(f, 0, length, tolerance);
  };
  return edge(box.left, box.bottom, box.right, box.bottom) + edge(box.right, box.bottom, box.right, box.top) +
         edge(box.right, box.top, box.left, box.top) + edge(box.left, box.top, box.left, box.bottom);
}

/// ∫ (v̂ₓ, v̂ᵧ, ρ × v̂) over a box, one direction inside the other: for a centre of rotation outside.
Three plane_integral(const Box& box, Real vx, Real vy, Real spin, Real tolerance) {
  const auto row = [&](Real y) {
    const auto f = [&](Real x) {
      const Real ux = vx - spin * y;
      const Real uy = vy + spin * x;
      const Real speed = std::hypot(ux, uy);
      return Three{ux / speed, uy / speed, (x * uy - y * ux) / speed};
    };
    return adaptive(f, box.left, box.right, 1e-2L * tolerance * (box.right - box.left));
  };
  return adaptive(row, box.bottom, box.top, tolerance * (box.right - box.left) * (box.top - box.bottom));
}

/// The wrench at the centre of pressure, by the definition.
Wrench quadrature(const PressureGrid& grid, const Twist& v, bool polar) {
  Real force = 0;
  Real cop_x = 0;
  Real cop_y = 0;
  std::vector<std::pair<Box, Real>> cells;
  for (std::size_t j = 0; j < grid.rows; ++j) {
    for (std::size_t i = 0; i < grid.columns; ++i) {
      const Real p = grid.pressure[grid.index(i, j)];
      const Real left = grid.corner.x + Real(grid.width) * static_cast<Real>(i);
      const Real bottom = grid.corner.y + Real(grid.height) * static_cast<Real>(grid.rows - 1 - j);
      const Box box{left, left + grid.width, bottom, bottom + grid.height};
      force += p * grid.width * grid.height;
      cop_x += p * (box.left + box.right) / 2 * grid.width * grid.height;
      cop_y += p * (box.bottom + box.top) / 2 * grid.width * grid.height;
      if (p > 0) {
        cells.emplace_back(box, p);
      }
    }
  }
  cop_x /= force;
  cop_y /= force;
  Real unit = 0;  // of length: the patch's size, so that sums of different powers compare
  for (auto& [box, p] : cells) {
    box = {box.left - cop_x, box.right - cop_x, box.bottom - cop_y, box.top - cop_y};
    unit = std::max({unit, std::abs(box.left), std::abs(box.right), std::abs(box.bottom), std::abs(box.top)});
  }
  const Real tolerance = 1e-14L;
  Three sum;
  for (auto [box, p] : cells) {
    box = {box.left / unit, box.right / unit, box.bottom / unit, box.top / unit};
    if (polar) {
      const Real cx = -v.y / (v.spin * unit);
      const Real cy = v.x / (v.spin * unit);
      const Real sign = v.spin < 0 ? -1 : 1;
      const Three part = polar_integral(box, cx, cy, tolerance * (box.right - box.left) * (box.top - box.bottom));
      // v̂ = sgn ω (−Y, X)/d,   ρ × v̂ = sgn ω (d + C·(X, Y)/d)
      sum = sum + p * sign * Three{-part.y, part.x, part.z + cx * part.x + cy * part.y};
    } else {
      sum = sum + p * plane_integral(box, v.x, v.y, v.spin * unit, tolerance);
    }
  }
  sum = (-unit * unit / force) * sum;
  return {static_cast<double>(sum.x), static_cast<double>(sum.y), static_cast<double>(sum.z * unit)};
}

/// Up to 5 × 5 cells, some of them empty, one never.
PressureGrid random_grid(Random& random, double aspect = 1) {
  const auto columns = static_cast<std::size_t>(random.between(1, 6));
  const auto rows = static_cast<std::size_t>(random.between(1, 6));
  PressureGrid grid{columns, rows, {random.between(-1, 1), random.between(-1, 1)}, 1.0, aspect, {}};
  for (std::size_t k = 0; k < columns * rows; ++k) {
    grid.pressure.push_back(random.unit() < 0.3 && k > 0 ? 0.0 : random.log_between(1e-2, 1e2));
  }
  return grid;
}

TEST(ExactRule, AgreesWithAdaptiveQuadratureForCentresOfRotationNearAndFar) {
  Random random(1);
  double worst_near = 0;
  double worst_far = 0;
  for (int k = 0; k < 400; ++k) {
    const PressureGrid grid = random_grid(random, random.log_between(0.1, 10));
    const Patch patch(grid);
    const double distance = patch.radius() * (k % 4 == 0 ? random.unit() : random.log_between(1, 100));
    const double angle = random.between(0, 2 * pi);
    const Twist v = about({distance * std::cos(angle), distance * std::sin(angle)}, random.sign());
    const bool polar = distance < 20 * patch.radius();
    const double error = difference(coulomb_wrench(patch, v), quadrature(grid, v, polar), patch.radius());
    double& worst = distance > 12 * patch.radius() ? worst_far : worst_near;
    worst = std::max(worst, error);
  }
  std::cout << "near " << worst_near << ", far " << worst_far << '\n';
  EXPECT_LT(worst_near, 1e-10);
  EXPECT_LT(worst_far, 1e-10);
}

TEST(ExactRule, AgreesWithAdaptiveQuadratureOnEitherSideOfTheSwitchToTheSeries) {
  Random random(2);
  for (int k = 0; k < 100; ++k) {
    const PressureGrid grid = random_grid(random, random.log_between(0.1, 10));
    const Patch patch(grid);
    const double angle = random.between(0, 2 * pi);
    std::array<Wrench, 2> sides;
    for (const std::size_t side : {0U, 1U}) {
      const double distance = patch.radius() * (side == 0 ? 12 - 1e-9 : 12 + 1e-9);
      const Twist v = about({distance * std::cos(angle), distance * std::sin(angle)}, random.sign());
      sides[side] = coulomb_wrench(patch, v);
      // Two quadratures that share nothing but the Gauss points
      ASSERT_LT(difference(sides[side], quadrature(grid, v, true), patch.radius()), 2e-11);
      ASSERT_LT(difference(sides[side], quadrature(grid, v, false), patch.radius()), 2e-11);
    }
  }
}

/// Corner sums cancel down to the area of a cell: rounding grows with (distance of the centre of rotation)²/area.
TEST(ExactRule, LosesAccuracyOnThinPatchesInProportionToTheirAspectRatioOnly) {
  for (const double aspect : {1e2, 1e3, 1e4, 1e5, 1e6}) {
    Random random(3);
    double worst = 0;
    for (int k = 0; k < 60; ++k) {
      const PressureGrid grid = random_grid(random, k % 2 == 0 ? aspect : 1 / aspect);
      const Patch patch(grid);
      const double distance = patch.radius() * random.log_between(0.01, 100);
      const double angle = random.between(0, 2 * pi);
      const Twist v = about({distance * std::cos(angle), distance * std::sin(angle)}, random.sign());
      const bool polar = distance < 20 * patch.radius();
      worst = std::max(worst, difference(coulomb_wrench(patch, v), quadrature(grid, v, polar), patch.radius()));
    }
    std::cout << "aspect ratio " << aspect << ": " << worst << '\n';
    EXPECT_LT(worst, 2e-12 * aspect);
  }
}

TEST(ExactRule, IsExactForCentresOfRotationOnCornersEdgesAndCellCentres) {
  Random random(4);
  for (int k = 0; k < 60; ++k) {
    const PressureGrid grid = random_grid(random);
    const Patch patch(grid);
    const Point cop = patch.centre_of_pressure();
    for (const double a : {0.0, 0.5, 1.0}) {
      for (const double b : {0.0, 0.25, 1.0}) {
        const Twist v = about(Point{grid.corner.x + a, grid.corner.y + b} - cop, random.sign());
        ASSERT_LT(difference(coulomb_wrench(patch, v), quadrature(grid, v, true), patch.radius()), 1e-12);
      }
    }
  }
}

// Closed forms
// ---------------------------------------------------------------------------------------------------------

/// A disc as a polygon of 3600 corners with the covered share of each cell.
PressureGrid disc_grid(double radius, std::size_t n) {
  std::vector<Point> loop;
  for (int k = 0; k < 3600; ++k) {
    loop.push_back({radius * std::cos(2 * pi * k / 3600), radius * std::sin(2 * pi * k / 3600)});
  }
  return polygon_grid({loop}, n, n);
}

/// Uniform disc, rotation about a point at c from the middle, k = c/R < 1: f = 4/(3π k) [(1 + k²) E(k) − (1 − k²) K(k)]
double disc_force(double k) {
  return 4 / (3 * pi * k) * ((1 + k * k) * std::comp_ellint_2(k) - (1 - k * k) * std::comp_ellint_1(k));
}

TEST(Disc, AgreesWithClosedFormsWithinTheErrorOfItsEdgeCells) {
  const double radius = 0.01;
  double before = 0;
  for (const std::size_t n : {25U, 50U, 100U}) {
    const Patch patch(disc_grid(radius, n));
    double error = std::abs(coulomb_wrench(patch, {0, 0, 2}).torque + 2.0 / 3 * radius) / radius;
    for (const double k : {0.01, 0.3, 0.7, 0.99}) {
      const Wrench w = coulomb_wrench(patch, about({k * radius, 0}, 1));
      error = std::max({error, std::abs(w.y - disc_force(k)), std::abs(w.x)});
    }
    std::cout << n << " cells across: " << error << '\n';
    EXPECT_LT(error, 0.8 / static_cast<double>(n * n));
    EXPECT_TRUE(before == 0 || error < before / 2.5);  // falls nearly with the square of the cell
    before = error;
  }
}

TEST(Disc, PointsOnRingsGiveTheTorqueOfRotationToRounding) {
  const Patch patch(disc_points(0.01, 3, 7));
  EXPECT_NEAR(coulomb_wrench(patch, {0, 0, 1}).torque, -2.0 / 3 * 0.01, 1e-16);
  EXPECT_LT(tangential(coulomb_wrench(patch, {0, 0, 1})), 1e-14);
}

TEST(Translation, GivesTheWholeForceAgainstTheMotionAndNoTorque) {
  Random random(5);
  for (int k = 0; k < 100; ++k) {
    const Patch patch(random_grid(random, random.log_between(1e-6, 1e6)));
    const double angle = random.between(0, 2 * pi);
    for (const Rule rule : every_rule) {
      const Wrench w = coulomb_wrench(patch, {3 * std::cos(angle), 3 * std::sin(angle), 0}, rule);
      ASSERT_LT(difference(w, {-std::cos(angle), -std::sin(angle), 0}, patch.radius()), 1e-14);
    }
  }
}

TEST(Translation, IsAsAccurateForManyCells) {
  const Patch patch(paper::square(101));
  EXPECT_LT(difference(coulomb_wrench(patch, {1, 0, 0}), {-1, 0, 0}, patch.radius()), 1e-13);
}

/// A line of no width along y, uniform, half length 1, rotating about (a, b):
///   ∫ X/d = −a [arsinh(Y/|a|)]/2,   ∫ Y/d = [d]/2,   ∫ d = [Y d + a² arsinh(Y/|a|)]/4,   Y from −1 − b to 1 − b
Wrench line_wrench(double a, double b) {
  const double low = -1 - b;
  const double high = 1 - b;
  const double logs = a == 0 ? 0 : std::asinh(high / std::abs(a)) - std::asinh(low / std::abs(a));
  const double x = -a * logs / 2;
  const double y = (std::hypot(a, high) - std::hypot(a, low)) / 2;
  const double d = (high * std::hypot(a, high) - low * std::hypot(a, low) + a * a * logs) / 4;
  return {y, -x, -(d + a * x + b * y)};
}

TEST(Line, OfOneThinColumnApproachesTheClosedForm) {
  for (const double width : {1e-2, 1e-3, 1e-4}) {
    const Patch patch(PressureGrid{1, 7, {-width / 2, -1}, width, 2.0 / 7, std::vector<double>(7, 1.0)});
    double worst = 0;
    for (const double a : {0.0, 0.2, -1.0, 5.0}) {
      for (const double b : {0.0, 0.4, -0.9, 1.5, -7.0}) {
        worst = std::max(worst, difference(coulomb_wrench(patch, about({a, b}, 1)), line_wrench(a, b), 1));
      }
    }
    std::cout << "width " << width << ": " << worst << '\n';
    EXPECT_LT(worst, width * width);  // the logarithm of a finite width is within this
  }
}

// The authors' files
// ---------------------------------------------------------------------------------------------------

struct Shape {
  const char* name;
  PressureGrid grid;
  double own_error;  // of their bilinear rule on 101 × 101 cells, against the exact integral over the same cells
};

TEST(AuthorsFiles, AreReproducedByTheirRulesAndMetByTheExactOneWithinTheGridsError) {
  for (const Shape& shape : {Shape{"Square", paper::square(101), 8e-4}, Shape{"Circle", paper::circle(101), 3e-4},
                             Shape{"LineGrad", paper::gradient_line(101), 3e-3}}) {
    const auto rows = test::read_reference(std::string("planar_limit_surface_") + shape.name);
    const Patch patch(shape.grid);
    const Points& points = patch.points();
    const double r = std::abs(authors_bilinear_wrench(patch, {0, 0, 1}).torque);
    double worst_single = 0;
    double worst_bilinear = 0;
    double worst_exact = 0;
    int on_a_cell = 0;
    ASSERT_GT(rows.at("vx_m_s").size(), 90U);
    for (std::size_t k = 0; k < rows.at("vx_m_s").size(); ++k) {
      const auto at = [&](const char* name) { return rows.at(name)[k]; };
      const Twist v{at("vx_m_s"), at("vy_m_s"), at("omega_rad_s")};
      const double theta = at("theta_deg") * pi / 180;
      const double phi = at("phi_deg") * pi / 180;
      // The file's twists are those of eq. 33 with the r of this patch.
      ASSERT_NEAR(v.x, r * std::cos(theta) * std::sin(phi), 1e-13);
      ASSERT_NEAR(v.y, r * std::sin(theta) * std::sin(phi), 1e-13);
      const Wrench single{at("fx_single_N"), at("fy_single_N"), at("tau_single_Nm")};
      const Wrench bilinear{at("fx_bilinear_N"), at("fy_bilinear_N"), at("tau_bilinear_Nm")};
      // Where the centre of rotation is a cell's centre, that cell's direction is noise, in their file and here.
      double noise = 0;
      for (std::size_t i = 0; i < points.size(); ++i) {
        const bool still = std::hypot(v.x - v.spin * points.y[i], v.y + v.spin * points.x[i]) < 1e-12;
        noise = still ? points.share[i] : noise;
      }
      on_a_cell += noise > 0 ? 1 : 0;
      const double error = difference(coulomb_wrench(patch, v, Rule::midpoint), single, r);
      worst_single = std::max(worst_single, error - 2.01 * noise);
      worst_bilinear = std::max(worst_bilinear, difference(authors_bilinear_wrench(patch, v), bilinear, r));
      worst_exact = std::max(worst_exact, difference(coulomb_wrench(patch, v), bilinear, r));
    }
    std::cout << shape.name << ": single " << worst_single << ", bilinear " << worst_bilinear << ", exact "
              << worst_exact << ", on a cell " << on_a_cell << '\n';
    EXPECT_LT(worst_single, 1e-10) << shape.name;
    EXPECT_LT(worst_bilinear, 1e-10) << shape.name;
    EXPECT_LT(worst_exact, shape.own_error) << shape.name;
    EXPECT_LT(on_a_cell, 12);
  }
}

/// Their cell index truncates towards zero: in the strip left of and below the grid the blend extrapolates.
TEST(BilinearRule, WithFloorNeverExceedsTheNormalForceWhereTheAuthorsIndexDoes) {
  for (const auto& [grid, overshoot] : {std::pair{paper::non_convex_1(), 1.155}, std::pair{paper::line(), 1.065}}) {
    const Patch patch(grid);
    const Point cop = patch.centre_of_pressure();
    double authors = 0;
    double ours = 0;
    for (double x = -2.0; x < 23.0; x += 0.1) {
      for (double y = -2.0; y < 23.0; y += 0.1) {
        const Point centre{grid.corner.x + x * grid.width, grid.corner.y + y * grid.height};
        const Twist v = about(centre - cop, 1);
        authors = std::max(authors, tangential(authors_bilinear_wrench(patch, v)));
        ours = std::max(ours, tangential(coulomb_wrench(patch, v, Rule::bilinear)));
        const bool in_strip = x < 0 || y < 0;
        if (!in_strip) {  // elsewhere the two are the same rule
          ASSERT_LT(difference(authors_bilinear_wrench(patch, v), coulomb_wrench(patch, v, Rule::bilinear), 0.01),
                    1e-9);
        }
      }
    }
    std::cout << "authors " << authors << ", floor " << ours << '\n';
    EXPECT_NEAR(authors, overshoot, 0.001);
    EXPECT_LE(ours, 1 + 1e-14);
  }
}

TEST(MidpointRule, StepsAsTheCentreOfRotationPassesACellAndTheExactRuleDoesNot) {
  const PressureGrid grid = paper::line();
  const Patch patch(grid);
  const Point cell = grid.centre(10, 14) - patch.centre_of_pressure();
  const auto step = [&](Rule rule) {
    const Wrench below = coulomb_wrench(patch, about({cell.x, cell.y - 1e-9}, 1), rule);
    const Wrench above = coulomb_wrench(patch, about({cell.x, cell.y + 1e-9}, 1), rule);
    return difference(below, above, patch.radius());
  };
  EXPECT_NEAR(step(Rule::midpoint), 2.0 / 21, 1e-6);
  EXPECT_LT(step(Rule::bilinear), 1e-5);
  EXPECT_LT(step(Rule::exact), 1e-5);
}

// Properties
// -----------------------------------------------------------------------------------------------------------

PressureGrid any_grid() {
  const auto columns = *rc::gen::inRange<std::size_t>(1, 7);
  const auto rows = *rc::gen::inRange<std::size_t>(1, 7);
  PressureGrid grid{
      columns, rows, {*between(-0.1, 0.1), *between(-0.1, 0.1)}, *log_between(1e-4, 1e-2), *log_between(1e-4, 1e-2),
      {}};
  for (std::size_t k = 0; k < columns * rows; ++k) {
    const double p = *between(-0.5, 1);
    grid.pressure.push_back(k == 0 ? 1 : std::max(p, 0.0));
  }
  return grid;
}

/// Rotations about points in and around the patch, far ones, and translations.
Twist any_twist(const Patch& patch) {
  const double speed = *log_between(1e-6, 1e2);
  const double angle = *between(0, 2 * pi);
  const double spin = speed / patch.radius() * *signed_between(1e-3, 1e2);
  return {speed * std::cos(angle), speed * std::sin(angle), spin};
}

/// Both rules that integrate a non-negative measure, cells or points: what follows from the definition holds for them.
Rule true_rule() { return *rc::gen::element(Rule::exact, Rule::midpoint); }

constexpr int many = 2'000;
constexpr double rounding = 1e-11;

TEST(Wrench, IsOdd) {
  holds_for(many, [] {
    const Patch patch(any_grid());
    const Twist v = any_twist(patch);
    for (const Rule rule : every_rule) {
      const Wrench there = coulomb_wrench(patch, v, rule);
      const Wrench back = coulomb_wrench(patch, {-v.x, -v.y, -v.spin}, rule);
      RC_ASSERT(back.x == -there.x && back.y == -there.y && back.torque == -there.torque);
    }
  });
}

TEST(Wrench, DependsOnTheDirectionOfTheTwistAlone) {
  holds_for(many, [] {
    const Patch patch(any_grid());
    const Twist v = any_twist(patch);
    const double factor = std::pow(10, *between(-200, 200));
    const Twist scaled{factor * v.x, factor * v.y, factor * v.spin};
    RC_ASSERT(difference(coulomb_wrench(patch, v), coulomb_wrench(patch, scaled), patch.radius()) < rounding);
  });
}

TEST(Wrench, TakesMorePowerThanThatOfAnyOtherMotionWould) {
  holds_for(many, [] {
    const Patch patch(any_grid());
    const Rule rule = true_rule();
    const Twist v = any_twist(patch);
    const Twist w = any_twist(patch);
    const double size = std::hypot(v.x, v.y, v.spin * patch.radius());
    // (f(v) − f(w))·v ≤ 0
    const double gain = power(coulomb_wrench(patch, v, rule), v) - power(coulomb_wrench(patch, w, rule), v);
    RC_ASSERT(gain <= rounding * size);
    RC_ASSERT(power(coulomb_wrench(patch, v, rule), v) <= 0);
  });
}

TEST(Wrench, LiesOnAConvexSurface) {
  holds_for(many, [] {
    const Patch patch(any_grid());
    const Rule rule = true_rule();
    // The power taken, H(v) = −f(v)·v, is the support function of the surface: convex if and only if the surface is.
    const auto taken = [&](const Twist& v) { return -power(coulomb_wrench(patch, v, rule), v); };
    const Twist v = any_twist(patch);
    const Twist w = any_twist(patch);
    const double a = *between(0, 1);
    const double b = 1 - a;
    const Twist mixed{a * v.x + b * w.x, a * v.y + b * w.y, a * v.spin + b * w.spin};
    RC_ASSERT(taken(mixed) <= (1 + rounding) * (a * taken(v) + b * taken(w)));
  });
}

TEST(Wrench, IsTheSlopeOfThePowerTaken) {
  holds_for(many, [] {
    const Patch patch(any_grid());
    const Twist v = any_twist(patch);
    const double speed = std::hypot(v.x, v.y, v.spin * patch.radius());
    const double h = 1e-5 * speed;
    const auto taken = [&](double x, double y, double spin) {
      const Twist near{v.x + x, v.y + y, v.spin + spin / patch.radius()};
      return -power(coulomb_wrench(patch, near), near);
    };
    // f = −∂H/∂v
    const Wrench slope{-(taken(h, 0, 0) - taken(-h, 0, 0)) / (2 * h), -(taken(0, h, 0) - taken(0, -h, 0)) / (2 * h),
                       -(taken(0, 0, h) - taken(0, 0, -h)) / (2 * h) * patch.radius()};
    RC_ASSERT(difference(coulomb_wrench(patch, v), slope, patch.radius()) < 1e-4);
  });
}

TEST(Wrench, IsBoundedByTheNormalForceAndTheTorqueOfARotationAboutTheCentreOfPressure) {
  holds_for(many, [] {
    const Patch patch(any_grid());
    const Twist v = any_twist(patch);
    for (const Rule rule : every_rule) {
      RC_ASSERT(tangential(coulomb_wrench(patch, v, rule)) <= 1 + rounding);
    }
    RC_ASSERT(std::abs(coulomb_wrench(patch, v).torque) <= patch.torque_radius() + rounding * patch.radius());
  });
}

TEST(Wrench, TurnsWithThePatch) {
  holds_for(many, [] {
    const PressureGrid grid = any_grid();
    // A quarter turn takes (x, y) to (−y, x): column i of a row j, from the top, becomes column j of row columns − 1 −
    // i.
    PressureGrid turned{grid.rows,   grid.columns, {},
                        grid.height, grid.width,   std::vector<double>(grid.pressure.size())};
    turned.corner = {-(grid.corner.y + static_cast<double>(grid.rows) * grid.height), grid.corner.x};
    for (std::size_t j = 0; j < grid.rows; ++j) {
      for (std::size_t i = 0; i < grid.columns; ++i) {
        turned.pressure[turned.index(j, grid.columns - 1 - i)] = grid.pressure[grid.index(i, j)];
      }
    }
    const Patch patch(grid);
    const Patch other(turned);
    const Twist v = any_twist(patch);
    for (const Rule rule : {Rule::exact, Rule::midpoint}) {
      const Wrench w = coulomb_wrench(patch, v, rule);
      const Wrench seen = coulomb_wrench(other, {-v.y, v.x, v.spin}, rule);
      RC_ASSERT(difference(seen, {-w.y, w.x, w.torque}, patch.radius()) < rounding);
    }
    const Point cop = patch.centre_of_pressure();
    RC_ASSERT(std::abs(other.centre_of_pressure().x + cop.y) < 1e-15);
    RC_ASSERT(std::abs(other.centre_of_pressure().y - cop.x) < 1e-15);
  });
}

TEST(Wrench, IsMirroredWithThePatch) {
  holds_for(many, [] {
    const PressureGrid grid = any_grid();
    PressureGrid mirror = grid;
    mirror.corner.x = -(grid.corner.x + static_cast<double>(grid.columns) * grid.width);
    for (std::size_t j = 0; j < grid.rows; ++j) {
      for (std::size_t i = 0; i < grid.columns; ++i) {
        mirror.pressure[mirror.index(grid.columns - 1 - i, j)] = grid.pressure[grid.index(i, j)];
      }
    }
    const Patch patch(grid);
    const Patch other(mirror);
    const Twist v = any_twist(patch);
    // Rounding of two sums over cells with sides 1:n, of 2e-12 n each
    const double aspect = std::max(grid.width / grid.height, grid.height / grid.width);
    for (const Rule rule : {Rule::exact, Rule::midpoint}) {
      const Wrench w = coulomb_wrench(patch, v, rule);
      const Wrench seen = coulomb_wrench(other, {-v.x, v.y, -v.spin}, rule);
      RC_ASSERT(difference(seen, {-w.x, w.y, -w.torque}, patch.radius()) < std::max(rounding, 4e-12 * aspect));
    }
  });
}

TEST(Wrench, OfPointsTurnsByAnyAngle) {
  holds_for(many, [] {
    Points points;
    Points turned;
    const double angle = *between(0, 2 * pi);
    const double c = std::cos(angle);
    const double s = std::sin(angle);
    for (std::size_t k = *rc::gen::inRange<std::size_t>(1, 30); k > 0; --k) {
      const Point at{*between(-0.01, 0.01), *between(-0.01, 0.01)};
      const double share = *between(0.1, 1);
      points.add(at, share);
      turned.add({c * at.x - s * at.y, s * at.x + c * at.y}, share);
    }
    const Patch patch(points);
    const Patch other(turned);
    const Twist v = any_twist(Patch(disc_points(0.01, 2, 5)));
    const Wrench w = coulomb_wrench(patch, v);
    const Wrench seen = coulomb_wrench(other, {c * v.x - s * v.y, s * v.x + c * v.y, v.spin});
    // A point near the centre of rotation turns fast with its place: its rounding shows in full.
    RC_ASSERT(difference(seen, {c * w.x - s * w.y, s * w.x + c * w.y, w.torque}, 0.01) < 1e-8);
  });
}

TEST(Wrench, ScalesWithThePatchAndStaysWhenItMoves) {
  holds_for(many, [] {
    const Patch patch(any_grid());
    const double factor = *log_between(1e-3, 1e3);
    const Patch scaled = patch.scaled(factor);
    const Patch moved = patch.moved({*between(-1, 1), *between(-1, 1)});
    const Twist v = any_twist(patch);
    for (const Rule rule : {Rule::exact, Rule::midpoint}) {
      const Wrench w = coulomb_wrench(patch, v, rule);
      // The same directions of motion at a larger patch: a slower spin. The torque grows with the size.
      const Wrench large = coulomb_wrench(scaled, {v.x, v.y, v.spin / factor}, rule);
      RC_ASSERT(difference(large, {w.x, w.y, factor * w.torque}, scaled.radius()) < rounding);
      RC_ASSERT(coulomb_wrench(moved, v, rule) == w);
    }
  });
}

TEST(Wrench, IsFiniteForEveryFiniteTwist) {
  holds_for(many, [] {
    const auto extreme = [] {
      return *rc::gen::oneOf(rc::gen::map(between(-323, 300), [](double e) { return std::pow(10, e); }),
                             rc::gen::map(between(-323, 300), [](double e) { return -std::pow(10, e); }),
                             rc::gen::just(0.0), rc::gen::just(-0.0), rc::gen::just(1e300), rc::gen::just(5e-324));
    };
    const Patch cells(any_grid());
    const Patch points(disc_points(0.01, 2, 5));
    Points one;
    one.add({0.3, 0.4}, 2);
    const Twist v{extreme(), extreme(), extreme()};
    for (const Rule rule : every_rule) {
      for (const Patch& patch : {cells, points, Patch(one)}) {
        const Wrench w = coulomb_wrench(patch, v, rule);
        RC_ASSERT(std::isfinite(w.torque));
        RC_ASSERT(tangential(w) <= 1 + rounding);
        // Where something moves there is friction, down to where spin times radius is no longer a number.
        const bool moves = std::abs(v.x) > 0 || std::abs(v.y) > 0 || std::abs(v.spin) * patch.radius() > 0;
        RC_ASSERT((w == Wrench{0, 0, 0}) == !moves || patch.size() == 1 || rule != Rule::exact);
      }
    }
    const Wrench authors = authors_bilinear_wrench(cells, v);
    RC_ASSERT(std::isfinite(authors.x + authors.y + authors.torque));
  });
}

TEST(Wrench, OfNoMotionIsNone) {
  for (const Rule rule : every_rule) {
    EXPECT_EQ(coulomb_wrench(Patch(paper::square()), {}, rule), (Wrench{0, 0, 0}));
    EXPECT_EQ(coulomb_wrench(Patch(disc_points(0.01, 2, 5)), {}, rule), (Wrench{0, 0, 0}));
  }
}

TEST(Wrench, ShowsNaNAndInfinity) {
  for (const Rule rule : every_rule) {
    for (const double bad : {nan, infinity, -infinity}) {
      for (const double other : {0.0, 1.0}) {
        for (const Twist& v : {Twist{bad, other, other}, Twist{other, bad, other}, Twist{other, other, bad}}) {
          const Wrench w = coulomb_wrench(Patch(paper::circle(5)), v, rule);
          EXPECT_TRUE(std::isnan(w.x + w.y + w.torque)) << v.x << ' ' << v.y << ' ' << v.spin;
        }
      }
    }
  }
}

// The centre of rotation without force
// ---------------------------------------------------------------------------------

TEST(ForcelessCentre, GivesNoForceForAnyPatch) {
  holds_for(1'000, [] {
    const Patch patch(any_grid());
    const Point c = forceless_centre_of_rotation(patch);
    RC_ASSERT(tangential(coulomb_wrench(patch, about(c, 1))) < 1e-9);
  });
}

TEST(ForcelessCentre, GivesNoForceForSmallPadsFarApart) {
  holds_for(1'000, [] {
    PressureGrid grid{40, 40, {0, 0}, 1e-3, 1e-3, std::vector<double>(1600, 0.0)};
    for (int pads = *rc::gen::inRange(1, 6); pads > 0; --pads) {
      grid.pressure[*rc::gen::inRange<std::size_t>(0, 1600)] = *log_between(1, 1e3);
    }
    const Patch patch(grid);
    RC_ASSERT(tangential(coulomb_wrench(patch, about(forceless_centre_of_rotation(patch), 1))) < 1e-9);
  });
}

TEST(ForcelessCentre, OfASymmetricPatchIsItsCentreOfPressure) {
  for (const PressureGrid& grid : {paper::square(), paper::circle(), paper::line(), paper::non_convex_1()}) {
    const Patch patch(grid);
    const Point c = forceless_centre_of_rotation(patch);
    EXPECT_LT(std::hypot(c.x, c.y), 1e-12 * patch.radius());
  }
}

/// On a line it halves the force: where the pressure's integral is one half.
TEST(ForcelessCentre, OfAGradientLineHalvesTheForce) {
  const std::size_t n = 40;
  PressureGrid grid{1, n, {-5e-7, 0}, 1e-6, 1.0 / static_cast<double>(n), {}};
  for (std::size_t j = 0; j < n; ++j) {
    grid.pressure.push_back(static_cast<double>(n - 1 - j) + 0.5);  // p = y n: the mean over each cell
  }
  const Patch patch(grid);
  const Point cop = patch.centre_of_pressure();
  EXPECT_NEAR(cop.y, 2.0 / 3, 1e-3);
  // Up to the end of cell j the share is ((j + 1)/n)²; within a cell it grows in proportion.
  const double end = std::floor(static_cast<double>(n) * std::sqrt(0.5)) / static_cast<double>(n);
  const double slope = 2 * (end + 0.5 / static_cast<double>(n));
  const double half = end + (0.5 - end * end) / slope;
  const Point c = forceless_centre_of_rotation(patch);
  EXPECT_NEAR(cop.y + c.y, half, 1e-9);
  EXPECT_NEAR(cop.y + c.y, std::sqrt(0.5), 1e-3);  // p = y without cells
  EXPECT_NEAR(c.x, 0, 1e-9);
}

}  // namespace
}  // namespace stiction::planar::limit_surface_test
