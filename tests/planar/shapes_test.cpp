// Shapes: the paper's masks against the authors' constants, geometry against closed forms.
#include "stiction/planar/shapes.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <string>
#include <vector>

#include "stiction/planar/limit_surface.h"
#include "stiction/problem.h"
#include "support/csv.h"

namespace stiction::planar::shapes_test {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double pi = std::numbers::pi;

double sum(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }
std::ptrdiff_t cells(const PressureGrid& grid) {
  return std::count_if(grid.pressure.begin(), grid.pressure.end(), [](double p) { return p > 0; });
}

template <class Call>
void expect_refused(const Call& call, const std::string& field) {
  try {
    (void)call();
    ADD_FAILURE() << field << " was accepted";
  } catch (const InvalidParameter& error) {
    EXPECT_EQ(error.problem().field, field);
  }
}

// The paper's masks
// ----------------------------------------------------------------------------------------------------

TEST(PaperMasks, HaveTheAuthorsCellCounts) {
  EXPECT_EQ(cells(paper::square()), 441);
  EXPECT_EQ(cells(paper::circle()), 317);
  EXPECT_EQ(cells(paper::circle(101)), 7845);
  EXPECT_EQ(cells(paper::line()), 21);
  EXPECT_EQ(cells(paper::gradient_line()), 21);
  EXPECT_EQ(cells(paper::gradient_line_x()), 21);
  EXPECT_EQ(cells(paper::non_convex_1()), 2 * 3 * 3);
  EXPECT_EQ(cells(paper::non_convex_1(101)), 2 * 15 * 15);
  EXPECT_EQ(cells(paper::non_convex_1(20)), 2 * 3 * 4);      // rows 8 to 11: 8.5 and 11.5 are rounded to even
  EXPECT_EQ(cells(paper::non_convex_2()), 14 * 3 + 14 * 3);  // stem and head: int(0.7·21) = 14 cells long, 3 wide
}

TEST(PaperMasks, PutTheGradientWhereTheAuthorsDo) {
  const PressureGrid up = paper::gradient_line();
  EXPECT_DOUBLE_EQ(up.pressure[up.index(10, 0)], 1);
  EXPECT_DOUBLE_EQ(up.pressure[up.index(10, 20)], 1 - 20.0 / 21);
  const PressureGrid left = paper::gradient_line_x();
  EXPECT_DOUBLE_EQ(left.pressure[left.index(0, 10)], 1);
  EXPECT_DOUBLE_EQ(left.pressure[left.index(20, 10)], 1 - 20.0 / 21);
}

TEST(PaperMasks, HaveTheAuthorsConstants) {
  const auto rows = test::read_reference("planar_shape_constants");
  const std::vector<PressureGrid (*)(std::size_t, double)> makers{
      paper::square, paper::circle, paper::line, paper::gradient_line, paper::non_convex_1, paper::non_convex_2};
  ASSERT_EQ(rows.at("N").size(), 2 * makers.size());
  for (std::size_t k = 0; k < rows.at("N").size(); ++k) {
    const auto shape = static_cast<std::size_t>(rows.at("shape")[k]);
    const Patch patch(makers[shape](static_cast<std::size_t>(rows.at("N")[k]), 0.02));
    EXPECT_NEAR(patch.centre_of_pressure().x, rows.at("cop_x_m")[k], 1e-13) << k;
    EXPECT_NEAR(patch.centre_of_pressure().y, rows.at("cop_y_m")[k], 1e-13) << k;
    // Relative: they are printed with 12 digits.
    const double r = rows.at("r_m")[k];
    EXPECT_NEAR(std::abs(authors_bilinear_wrench(patch, {0, 0, 1}).torque), r, 1e-10 * r) << k;
    const Points& points = patch.points();
    double u = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      u += points.share[i] * (points.x[i] * points.x[i] + points.y[i] * points.y[i]);
    }
    EXPECT_NEAR(u, rows.at("u_m2")[k], 1e-10 * u) << k;
    // The exact u over cells is larger by that of one cell.
    const double cell = 0.02 / rows.at("N")[k];
    EXPECT_NEAR(patch.mean_square_radius(), u + cell * cell / 6, 1e-13 * u) << k;
  }
}

TEST(PaperMasks, HaveTheExactTorqueRadiusThatTheBilinearRuleMisses) {
  EXPECT_NEAR(Patch(paper::square()).torque_radius(), 0.02 * (std::sqrt(2) + std::asinh(1)) / 6, 1e-14);
  // A strip of one cell: a little above the L/4 of a line
  EXPECT_NEAR(Patch(paper::line()).torque_radius(), 0.005, 6e-5);
  EXPECT_NEAR(Patch(paper::line(101)).torque_radius(), 0.005, 4e-6);
  // The stair steps of the circle: −4.2 % by the exact integral, −4.6 % by the bilinear rule
  const Patch circle(paper::circle());
  EXPECT_NEAR(circle.torque_radius() / (0.02 / 3), 1 - 0.0417, 1e-4);
  EXPECT_NEAR(-authors_bilinear_wrench(circle, {0, 0, 1}).torque / (0.02 / 3), 1 - 0.0464, 1e-4);
}

TEST(PaperMasks, OfTheSoftFingerAreTheFormulaInCells) {
  // a = 6 cells at 1 N; at 8 N 12 cells are clipped to 10.5.
  const PressureGrid light = paper::soft_finger(1, 2);
  EXPECT_DOUBLE_EQ(light.pressure[light.index(10, 10)], 1);
  EXPECT_DOUBLE_EQ(light.pressure[light.index(13, 10)], std::sqrt(1 - 0.25));
  EXPECT_EQ(light.pressure[light.index(16, 10)], 0);
  EXPECT_EQ(light.pressure[light.index(17, 10)], 0);
  const PressureGrid heavy = paper::soft_finger(8, 16);
  EXPECT_DOUBLE_EQ(heavy.pressure[heavy.index(0, 10)], std::pow(1 - std::pow(10 / 10.5, 16), 1.0 / 16));
  EXPECT_EQ(heavy.pressure[heavy.index(0, 0)], 0);
}

// Grids from functions
// -------------------------------------------------------------------------------------------------

TEST(PressureGridOf, AFunctionHasTheMeanOfEachCell) {
  // Samples in the middle of equal parts: exact for a linear pressure
  const auto grid = pressure_grid([](double x, double y) { return 1 + x + 2 * y; }, {0, 0}, {2, 3}, 4, 5, 3);
  ASSERT_EQ(grid.pressure.size(), 20U);
  for (std::size_t j = 0; j < 5; ++j) {
    for (std::size_t i = 0; i < 4; ++i) {
      const Point c = grid.centre(i, j);
      EXPECT_NEAR(grid.pressure[grid.index(i, j)], 1 + c.x + 2 * c.y, 1e-14);
    }
  }
}

TEST(PressureGridOf, ADiscIsItsCoveredShare) {
  const auto disc = [](double x, double y) { return std::hypot(x, y) <= 1 ? 1.0 : 0.0; };
  const auto grid = pressure_grid(disc, {-1, -1}, {1, 1}, 20, 20, 32);
  EXPECT_NEAR(sum(grid.pressure) * grid.width * grid.height, pi, 1e-3);
  EXPECT_NEAR(Patch(grid).torque_radius(), 2.0 / 3, 2e-3);  // cells on the edge spread their share: ~ cell²
}

TEST(PressureGridOf, ABadBoxIsRefused) {
  const Pressure one = [](double, double) { return 1.0; };
  expect_refused([&] { return pressure_grid(one, {0, 0}, {0, 1}, 2, 2); }, "width");
  expect_refused([&] { return pressure_grid(one, {0, 1}, {1, 0}, 2, 2); }, "height");
  expect_refused([&] { return pressure_grid(one, {0, nan}, {1, 1}, 2, 2); }, "height");
  expect_refused([&] { return pressure_grid(one, {0, 0}, {infinity, 1}, 2, 2); }, "width");
  expect_refused([&] { return pressure_grid(one, {0, 0}, {1, 1}, 0, 2); }, "columns");
  expect_refused([&] { return pressure_grid(one, {0, 0}, {1, 1}, 2, 0); }, "rows");
  expect_refused([&] { return pressure_grid(one, {0, 0}, {1, 1}, 2, 2, 0); }, "samples");
}

// Polygons
// -------------------------------------------------------------------------------------------------------------

/// Area, from the covered shares.
double area(const PressureGrid& grid) { return sum(grid.pressure); }

std::vector<Point> box(double left, double bottom, double right, double top) {
  return {{left, bottom}, {right, bottom}, {right, top}, {left, top}};
}

TEST(Polygon, OfATriangleCoversExactlyItsShareOfEachCell) {
  // Below the diagonal of a square: cells on it are half covered.
  const auto grid = polygon_grid({{{0, 0}, {4, 0}, {4, 4}}}, 4, 4);
  for (std::size_t j = 0; j < 4; ++j) {
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_NEAR(grid.pressure[grid.index(i, 3 - j)], i == j ? 0.5 : (i > j ? 1.0 : 0.0), 1e-15) << i << ' ' << j;
    }
  }
}

TEST(Polygon, HasItsAreaOnAnyGridInEitherDirectionOfItsLoop) {
  std::vector<Point> loop{{0.1, 0.2}, {1.3, 0.05}, {1.7, 0.9}, {0.8, 0.5}, {0.3, 1.4}};  // not convex
  double expected = 0;
  for (std::size_t i = 0; i < loop.size(); ++i) {
    const Point& a = loop[i];
    const Point& b = loop[(i + 1) % loop.size()];
    expected += (a.x * b.y - a.y * b.x) / 2;
  }
  for (const std::size_t n : {1U, 3U, 10U, 33U}) {
    EXPECT_NEAR(area(polygon_grid({loop}, n, n + 2)), expected, 1e-14);
  }
  std::reverse(loop.begin(), loop.end());
  EXPECT_NEAR(area(polygon_grid({loop}, 7, 5)), expected, 1e-14);
}

TEST(Polygon, HasItsCentroidWithinTheErrorOfItsCells) {
  // A triangle's centroid is the mean of its corners. Cells move the covered share to their middle: error ~ cell².
  double before = 1;
  for (const std::size_t n : {10U, 20U, 40U}) {
    const Point cop = Patch(polygon_grid({{{0, 0}, {3, 0}, {0, 3}}}, n, n)).centre_of_pressure();
    const double error = std::hypot(cop.x - 1, cop.y - 1);
    EXPECT_LT(error, 3.0 / static_cast<double>(n * n));
    EXPECT_LT(error, before / 3.5);
    before = error;
  }
}

TEST(Polygon, OfAnLShapeOnItsCellsIsExact) {
  const auto grid = polygon_grid({{{0, 0}, {3, 0}, {3, 1}, {1, 1}, {1, 3}, {0, 3}}}, 3, 3);
  EXPECT_NEAR(area(grid), 5, 1e-14);
  const Patch patch(grid);
  EXPECT_EQ(patch.size(), 5U);
  EXPECT_NEAR(patch.centre_of_pressure().x, (3 * 0.5 + 1.5 + 2.5) / 5, 1e-15);
  EXPECT_NEAR(patch.centre_of_pressure().y, (3 * 0.5 + 1.5 + 2.5) / 5, 1e-15);
}

TEST(Polygon, HasHolesIslandsAndSeveralPads) {
  const auto outer = box(0, 0, 10, 10);
  auto hole = box(2, 2, 8, 8);
  const auto island = box(4, 4, 6, 6);
  const auto pad = box(12, 1, 15, 3);
  for (int turn = 0; turn < 2; ++turn) {  // the sense of a loop does not matter
    for (const std::size_t n : {1U, 5U, 13U, 30U}) {
      EXPECT_NEAR(area(polygon_grid({outer, hole}, n, n)), 100 - 36, 1e-12);
      EXPECT_NEAR(area(polygon_grid({hole, outer}, n, n)), 100 - 36, 1e-12);
      EXPECT_NEAR(area(polygon_grid({outer, hole, island}, n, n)), 100 - 36 + 4, 1e-12);
      EXPECT_NEAR(area(polygon_grid({island, pad, hole, outer}, n, n)), 100 - 36 + 4 + 6, 1e-12);
    }
    std::reverse(hole.begin(), hole.end());
  }
  const auto grid = polygon_grid({outer, hole, island}, 10, 10);
  EXPECT_EQ(grid.pressure[grid.index(3, 3)], 0);
  EXPECT_NEAR(grid.pressure[grid.index(5, 5)], 1, 1e-15);
  EXPECT_NEAR(grid.pressure[grid.index(0, 5)], 1, 1e-15);
}

TEST(Polygon, LoopsMayTouch) {
  const auto right = box(1, 0, 2, 1);
  const std::vector<Point> left{{1, 0}, {1, 1}, {0, 1}, {0, 0}};
  EXPECT_NEAR(area(polygon_grid({right, left}, 5, 3)), 2, 1e-14);  // an edge in common
  EXPECT_NEAR(area(polygon_grid({left, right}, 5, 3)), 2, 1e-14);
  EXPECT_NEAR(area(polygon_grid({box(0, 0, 2, 2), box(0, 0, 1, 1)}, 4, 4)), 3, 1e-14);  // a hole in the corner
  EXPECT_NEAR(area(polygon_grid({box(0, 0, 1, 1), box(0, 0, 2, 2)}, 4, 4)), 3, 1e-14);
  EXPECT_NEAR(area(polygon_grid({box(0, 0, 3, 3), {{1, 0}, {2, 0}, {1.5, 2}}}, 4, 4)), 8, 1e-14);  // a notch
  EXPECT_NEAR(area(polygon_grid({box(0, 0, 1, 1), box(1, 1, 2, 2)}, 4, 4)), 2, 1e-14);             // corner to corner
}

TEST(Polygon, OfARingHasTheTorqueRadiusOfTheDifference) {
  // r of a frame: (A r_A − B r_B)/(A − B), squares about one middle
  const Patch frame(polygon_grid({box(-3, -3, 3, 3), box(-1, -1, 1, 1)}, 6, 6));
  const double unit = (std::sqrt(2) + std::asinh(1)) / 6;
  EXPECT_NEAR(frame.torque_radius(), (36 * 6 * unit - 4 * 2 * unit) / 32, 1e-13);
  EXPECT_NEAR(frame.mean_square_radius(), (36 * 36 / 6.0 - 4 * 4 / 6.0) / 32, 1e-13);
}

TEST(Polygon, TakesThePressureInTheMiddleOfTheCoveredShare) {
  // Linear over a triangle: exact in the sum, ∫ x over the triangle (0,0) (1,0) (0,1) = 1/6
  const auto grid = polygon_grid({{{0, 0}, {1, 0}, {0, 1}}}, 7, 7, [](double x, double) { return x; });
  EXPECT_NEAR(sum(grid.pressure), 1.0 / 6, 1e-15);
}

TEST(Polygon, BadLoopsAreRefused) {
  expect_refused([] { return polygon_grid({}, 2, 2); }, "polygon (loops)");
  expect_refused([] { return polygon_grid({{{0, 0}, {1, 1}}}, 2, 2); }, "polygon (points of a loop)");
  expect_refused([] { return polygon_grid({{{0, 0}, {1, nan}, {1, 1}}}, 2, 2); }, "polygon");
  expect_refused([] { return polygon_grid({{{0, 0}, {infinity, 0}, {1, 1}}}, 2, 2); }, "polygon");
  expect_refused([] { return polygon_grid({{{0, 0}, {1, 0}, {2, 0}}}, 2, 2); }, "height");
  expect_refused([] { return polygon_grid({{{0, 0}, {1, 0}, {1, 1}}}, 0, 2); }, "columns");
}

// Quadrature rules
// -----------------------------------------------------------------------------------------------------

/// Σ share xᵃ yᵇ / Σ share
double mean_power(const Points& points, int a, int b) {
  double total = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    total += points.share[i] * std::pow(points.x[i], a) * std::pow(points.y[i], b);
  }
  return total / sum(points.share);
}

/// (n − 1)!!, 1 for n ≤ 0
double odd_factorial(int n) { return n <= 1 ? 1.0 : (n - 1) * odd_factorial(n - 2); }

TEST(DiscPoints, IntegratePolynomialsUpToTheDegreeOfTheRule) {
  for (const std::size_t rings : {1U, 2U, 3U, 6U, 20U}) {
    for (const std::size_t sectors : {3U, 8U, 13U}) {
      const Points points = disc_points(1.5, rings, sectors);
      EXPECT_EQ(points.size(), rings * sectors);
      const int degree = std::min(static_cast<int>(sectors) - 1, 2 * static_cast<int>(rings) - 2);
      for (int a = 0; a <= degree; ++a) {
        for (int b = 0; a + b <= degree; ++b) {
          // mean of xᵃ yᵇ = Rᵃ⁺ᵇ 2/(a + b + 2) · (a − 1)!! (b − 1)!!/(a + b)!!
          double even = 1;
          for (int k = a + b; k > 0; k -= 2) {
            even *= k;
          }
          const bool odd = a % 2 == 1 || b % 2 == 1;
          const double expected =
              odd ? 0 : std::pow(1.5, a + b) * 2 / (a + b + 2) * odd_factorial(a) * odd_factorial(b) / even;
          EXPECT_NEAR(mean_power(points, a, b), expected, 1e-13 * std::pow(1.5, a + b))
              << rings << ' ' << a << ' ' << b;
        }
      }
    }
  }
}

TEST(DiscPoints, WeighAPressure) {
  // p = 1 − ρ²: r = ∫ ρ² (1 − ρ²)/∫ ρ (1 − ρ²) = (2/15)/(1/4), u = (1/12)/(1/4)
  const Patch patch(disc_points(2, 3, 5, [](double share) { return 1 - share * share; }));
  EXPECT_NEAR(patch.torque_radius(), 2 * 8.0 / 15, 1e-14);
  EXPECT_NEAR(patch.mean_square_radius(), 4 * 1.0 / 3, 1e-14);
}

TEST(RectanglePoints, IntegratePolynomialsUpToTheDegreeOfTheRule) {
  const auto axis = [](int m, double side) { return m % 2 == 0 ? std::pow(side / 2, m) / (m + 1) : 0.0; };
  for (const std::size_t columns : {1U, 2U, 5U, 12U}) {
    for (const std::size_t rows : {1U, 3U, 8U}) {
      const Points points = rectangle_points(3, 0.5, columns, rows);
      EXPECT_EQ(points.size(), columns * rows);
      EXPECT_NEAR(sum(points.share), 1, 1e-14);
      for (int a = 0; a < 2 * static_cast<int>(columns); ++a) {
        for (int b = 0; b < 2 * static_cast<int>(rows); ++b) {
          EXPECT_NEAR(mean_power(points, a, b), axis(a, 3) * axis(b, 0.5),
                      1e-13 * std::pow(1.5, a) * std::pow(0.25, b));
        }
      }
      // and not further
      const int beyond = 2 * static_cast<int>(columns);
      EXPECT_GT(std::abs(mean_power(points, beyond, 0) / axis(beyond, 3) - 1), 1e-8);
    }
  }
  const Points weighed = rectangle_points(2, 1, 3, 3, [](double x, double) { return 1 + x; });
  EXPECT_NEAR(Patch(weighed).centre_of_pressure().x, 1.0 / 3, 1e-15);
}

TEST(QuadratureRules, RefuseBadSizes) {
  for (const double bad : {0.0, -1.0, nan, infinity}) {
    expect_refused([=] { return disc_points(bad, 2, 3); }, "radius");
    expect_refused([=] { return rectangle_points(bad, 1, 2, 3); }, "width");
    expect_refused([=] { return rectangle_points(1, bad, 2, 3); }, "height");
  }
  expect_refused([] { return disc_points(1, 0, 3); }, "rings");
  expect_refused([] { return disc_points(1, 3, 0); }, "sectors");
  expect_refused([] { return rectangle_points(1, 1, 0, 3); }, "columns");
  expect_refused([] { return rectangle_points(1, 1, 3, 0); }, "rows");
}

// Soft finger
// ----------------------------------------------------------------------------------------------------------

TEST(SoftFinger, GrowsWithTheCubeRootOfTheLoadUpToItsLimit) {
  const SoftFinger finger{.reach = 0.006, .exponent = 2, .per_newton = false, .largest = 0.01};
  EXPECT_DOUBLE_EQ(finger.radius(1), 0.006);
  EXPECT_DOUBLE_EQ(finger.radius(0.125), 0.003);
  EXPECT_DOUBLE_EQ(finger.radius(8), 0.01);
  EXPECT_EQ(finger.radius(0), 0);
  EXPECT_EQ(finger.power(5), 2);
  const SoftFinger changing{.reach = 0.006, .exponent = 2, .per_newton = true};
  EXPECT_EQ(changing.power(5), 10);
  EXPECT_DOUBLE_EQ(changing.radius(1000), 0.06);
}

TEST(SoftFinger, OfExponentTwoHasTheConstantsOfHertz) {
  // p ∝ √(1 − s²): r = (3π/16) a, u = (2/5) a²
  const auto pressure = soft_finger_pressure(0.5, 2);
  EXPECT_DOUBLE_EQ(pressure(0, 0), 1);
  EXPECT_DOUBLE_EQ(pressure(0.3, 0), 0.8);
  EXPECT_EQ(pressure(0.3, 0.4), 0);
  EXPECT_EQ(pressure(5, 0), 0);
  EXPECT_DOUBLE_EQ(soft_finger_pressure(0.5, 3)(0, 0.25), std::cbrt(1 - 0.125));
  const Patch patch(disc_points(0.5, 30, 12, [&](double share) { return pressure(0.5 * share, 0); }));
  EXPECT_NEAR(patch.torque_radius(), 3 * pi / 16 * 0.5, 1e-4 * 0.5);
  EXPECT_NEAR(patch.mean_square_radius(), 0.4 * 0.25, 1e-4 * 0.25);
}

TEST(SoftFinger, TendsToAUniformDiscForLargeExponents) {
  const auto pressure = soft_finger_pressure(1, 400);
  const Patch patch(disc_points(1, 40, 12, [&](double share) { return pressure(share, 0); }));
  EXPECT_NEAR(patch.torque_radius(), 2.0 / 3, 1e-3);
}

}  // namespace
}  // namespace stiction::planar::shapes_test
