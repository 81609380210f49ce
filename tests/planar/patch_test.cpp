// Contact patches: centre of pressure, r and u against closed forms, what is refused, and how wrenches are moved.
#include "stiction/planar/patch.h"

#include <gmock/gmock.h>

#include <cmath>
#include <complex>
#include <limits>
#include <string>
#include <vector>

#include "stiction/planar/limit_surface.h"
#include "stiction/problem.h"
#include "support/random.h"

namespace stiction::planar::patch_test {
namespace {

using testing::HasSubstr;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// One cell, or equal cells, with their middle at (x, y).
PressureGrid rectangle(double width, double height, std::size_t columns = 1, std::size_t rows = 1, Point middle = {}) {
  return {columns,
          rows,
          {middle.x - width / 2, middle.y - height / 2},
          width / static_cast<double>(columns),
          height / static_cast<double>(rows),
          std::vector<double>(columns * rows, 3.0)};
}

/// Mean distance from the middle of a rectangle, half sides a and b.
long double mean_distance(long double a, long double b) {
  return std::hypot(a, b) / 3 + a * a / (6 * b) * std::asinh(b / a) + b * b / (6 * a) * std::asinh(a / b);
}

TEST(Patch, OfARectangleHasItsClosedFormsHoweverManyCells) {
  for (const std::size_t columns : {1U, 2U, 7U}) {
    for (const std::size_t rows : {1U, 3U, 10U}) {
      const Patch patch(rectangle(0.03, 0.02, columns, rows, {0.5, -0.25}));
      EXPECT_NEAR(patch.centre_of_pressure().x, 0.5, 1e-15);
      EXPECT_NEAR(patch.centre_of_pressure().y, -0.25, 1e-15);
      EXPECT_NEAR(patch.torque_radius(), static_cast<double>(mean_distance(0.015L, 0.01L)), 1e-14);
      EXPECT_NEAR(patch.mean_square_radius(), (0.03 * 0.03 + 0.02 * 0.02) / 12, 1e-17);
      EXPECT_EQ(patch.size(), columns * rows);
      EXPECT_EQ(patch.corners().size(), 4U);  // the pressure changes at the four corners alone
    }
  }
}

TEST(Patch, OfASquareHasTheKnownTorqueRadius) {
  // r = a (√2 + ln(1 + √2))/6
  EXPECT_NEAR(Patch(rectangle(0.02, 0.02, 5, 5)).torque_radius(),
              0.02 * (std::sqrt(2) + std::log(1 + std::sqrt(2))) / 6, 1e-15);
}

TEST(Patch, KeepsAllItsPointsWithinItsRadius) {
  const Patch cell(rectangle(0.03, 0.04));
  EXPECT_DOUBLE_EQ(cell.radius(), 0.025);
  const Patch patch(rectangle(0.03, 0.04, 6, 9));
  const Points& corners = patch.corners();
  for (std::size_t i = 0; i < corners.size(); ++i) {
    EXPECT_LE(std::hypot(corners.x[i], corners.y[i]), patch.radius() * (1 + 1e-15));
  }
}

TEST(Patch, OfTwoUnequalCellsLiesNearerTheHeavyOne) {
  PressureGrid grid = rectangle(2, 1, 2, 1);
  grid.pressure = {1, 3};
  const Patch patch(grid);
  EXPECT_DOUBLE_EQ(patch.centre_of_pressure().x, 0.25);
  EXPECT_DOUBLE_EQ(patch.centre_of_pressure().y, 0);
  // u = Σ share (distance² + (w² + h²)/12)
  EXPECT_NEAR(patch.mean_square_radius(), 0.25 * 0.75 * 0.75 + 0.75 * 0.25 * 0.25 + 2.0 / 12, 1e-15);
  EXPECT_DOUBLE_EQ(patch.points().share[0], 0.25);
  EXPECT_DOUBLE_EQ(patch.points().share[1], 0.75);
}

TEST(Patch, OfPointsHasTheirSums) {
  Points points;
  points.add({1, 2}, 1);
  points.add({4, 6}, 1);
  const Patch patch(points);
  EXPECT_EQ(patch.centre_of_pressure(), (Point{2.5, 4}));
  EXPECT_DOUBLE_EQ(patch.torque_radius(), 2.5);
  EXPECT_DOUBLE_EQ(patch.mean_square_radius(), 6.25);
  EXPECT_DOUBLE_EQ(patch.radius(), 2.5);
  EXPECT_EQ(patch.corners().size(), 0U);
  EXPECT_EQ(patch.grid().columns, 0U);
  EXPECT_DOUBLE_EQ(patch.points().share[0], 0.5);
}

TEST(Patch, DoesNotDependOnTheFactorOfThePressureNorOnEmptyCells) {
  const Patch small(rectangle(0.02, 0.01, 2, 1));
  PressureGrid grid{6, 5, {-0.03, -0.015}, 0.01, 0.01, std::vector<double>(30, 0.0)};
  grid.corner = {-0.03, -0.025};
  grid.pressure[grid.index(2, 2)] = grid.pressure[grid.index(3, 2)] = 1e-5;
  const Patch large(grid);
  EXPECT_EQ(large.size(), 2U);
  EXPECT_NEAR(large.radius(), small.radius(), 1e-17);
  EXPECT_NEAR(large.torque_radius(), small.torque_radius(), 1e-16);
  EXPECT_NEAR(large.mean_square_radius(), small.mean_square_radius(), 1e-18);
  EXPECT_NEAR(large.centre_of_pressure().x, 0, 1e-17);
  EXPECT_NEAR(large.centre_of_pressure().y, 0, 1e-17);
}

TEST(Patch, OfOnePointHasNoSizeAndNoTorque) {
  Points points;
  points.add({0.1, 0.2}, 5);
  const Patch patch(points);
  EXPECT_EQ(patch.radius(), 0);
  EXPECT_EQ(patch.torque_radius(), 0);
  EXPECT_EQ(patch.mean_square_radius(), 0);
  EXPECT_EQ(patch.centre_of_pressure(), (Point{0.1, 0.2}));
  const Wrench w = coulomb_wrench(patch, {3, 4, 100});
  EXPECT_DOUBLE_EQ(w.x, -0.6);
  EXPECT_DOUBLE_EQ(w.y, -0.8);
  EXPECT_EQ(w.torque, 0);
  EXPECT_EQ(coulomb_wrench(patch, {0, 0, 1}), (Wrench{0, 0, 0}));
}

/// r → L/4 for a thin strip. Rounding grows with the aspect ratio.
TEST(Patch, MayBeThin) {
  for (const double aspect : {1e2, 1e4, 1e6}) {
    const auto expected = static_cast<double>(mean_distance(0.5L, 0.5L / static_cast<long double>(aspect)));
    EXPECT_NEAR(Patch(rectangle(1, 1 / aspect)).torque_radius(), expected, 1e-15 * aspect);
    EXPECT_NEAR(Patch(rectangle(1 / aspect, 1, 1, 4)).torque_radius(), expected, 1e-15 * aspect);
    EXPECT_NEAR(Patch(rectangle(1, 1 / aspect)).mean_square_radius(), 1.0 / 12 * (1 + 1 / (aspect * aspect)), 1e-15);
  }
}

TEST(Patch, HasTheMomentsOfItsPressure) {
  // ∫ x^m dx over [−½, ½] = 2^−m/(m + 1) for even m; ζ = (x + i y)/R
  const Patch patch(rectangle(1, 1, 3, 3));
  const double radius = std::sqrt(0.5);
  const auto axis = [](int m) { return m % 2 == 0 ? std::pow(0.5, m) / (m + 1) : 0.0; };
  EXPECT_NEAR(std::abs(patch.moment(0, 0) - 1.0), 0, 1e-14);  // a sum of 324 shares
  EXPECT_NEAR(std::abs(patch.moment(1, 0)), 0, 1e-15);
  EXPECT_NEAR(patch.moment(1, 1).real() * radius * radius, 2 * axis(2), 1e-15);
  // (x + i y)⁴ = x⁴ − 6 x² y² + y⁴ + odd terms
  EXPECT_NEAR(patch.moment(4, 0).real() * std::pow(radius, 4), 2 * axis(4) - 6 * axis(2) * axis(2), 1e-15);
  // |x + i y|¹⁰
  double tenth = 0;
  const std::vector<double> binomial{1, 5, 10, 10, 5, 1};
  for (int k = 0; k <= 5; ++k) {
    tenth += binomial[static_cast<std::size_t>(k)] * axis(2 * k) * axis(10 - 2 * k);
  }
  EXPECT_NEAR(patch.moment(5, 5).real() * std::pow(radius, 10), tenth, 1e-15);
  EXPECT_NEAR(std::abs(patch.moment(3, 2) - std::conj(patch.moment(2, 3))), 0, 1e-16);
}

TEST(Patch, ScaledIsThePatchOfAScaledGrid) {
  PressureGrid grid{3, 2, {0.1, -0.2}, 0.01, 0.02, {1, 0, 2, 3, 4, 0.5}};
  PressureGrid large = grid;
  large.corner = {0.25, -0.5};
  large.width = 0.025;
  large.height = 0.05;
  const Patch scaled = Patch(grid).scaled(2.5);
  const Patch made(large);
  EXPECT_NEAR(scaled.centre_of_pressure().x, made.centre_of_pressure().x, 1e-15);
  EXPECT_NEAR(scaled.centre_of_pressure().y, made.centre_of_pressure().y, 1e-15);
  EXPECT_NEAR(scaled.radius(), made.radius(), 1e-15);
  EXPECT_NEAR(scaled.torque_radius(), made.torque_radius(), 1e-14);
  EXPECT_NEAR(scaled.mean_square_radius(), made.mean_square_radius(), 1e-16);
  EXPECT_NEAR(scaled.grid().corner.x, large.corner.x, 1e-15);
  EXPECT_NEAR(scaled.grid().corner.y, large.corner.y, 1e-15);
  for (const Twist& v : {Twist{1, 0, 30}, Twist{0.3, -1, 1e-3}, Twist{0, 0, 1}}) {
    for (const Rule rule : {Rule::exact, Rule::midpoint, Rule::bilinear}) {
      const Wrench a = coulomb_wrench(scaled, v, rule);
      const Wrench b = coulomb_wrench(made, v, rule);
      EXPECT_NEAR(a.x, b.x, 1e-12);
      EXPECT_NEAR(a.y, b.y, 1e-12);
      EXPECT_NEAR(a.torque, b.torque, 1e-13);
    }
  }
}

TEST(Patch, MovedIsThePatchOfAMovedGrid) {
  const PressureGrid grid{3, 2, {0.1, -0.2}, 0.01, 0.02, {1, 0, 2, 3, 4, 0.5}};
  PressureGrid elsewhere = grid;
  elsewhere.corner = {0.4, 0.8};
  const Patch moved = Patch(grid).moved({0.3, 1});
  const Patch made(elsewhere);
  EXPECT_NEAR(moved.centre_of_pressure().x, made.centre_of_pressure().x, 1e-15);
  EXPECT_NEAR(moved.centre_of_pressure().y, made.centre_of_pressure().y, 1e-15);
  EXPECT_EQ(moved.torque_radius(), Patch(grid).torque_radius());
  for (const Rule rule : {Rule::exact, Rule::midpoint, Rule::bilinear}) {
    const Wrench a = coulomb_wrench(moved, {0.01, 0.02, 3}, rule);
    const Wrench b = coulomb_wrench(made, {0.01, 0.02, 3}, rule);
    EXPECT_NEAR(a.x, b.x, 1e-11);
    EXPECT_NEAR(a.y, b.y, 1e-11);
    EXPECT_NEAR(a.torque, b.torque, 1e-13);
  }
}

// What is refused
// ------------------------------------------------------------------------------------------------------

template <class Input>
void expect_refused(const Input& input, const std::string& field) {
  try {
    const Patch patch(input);
    ADD_FAILURE() << field << " was accepted";
  } catch (const InvalidParameter& error) {
    EXPECT_EQ(error.problem().field, field);
    EXPECT_THAT(error.what(), HasSubstr(field + " = "));
  }
}

TEST(PatchInput, OfAGridIsRefusedByTheNameOfTheField) {
  const PressureGrid good = rectangle(1, 1, 2, 2);
  const auto with = [&](auto change) {
    PressureGrid grid = good;
    change(grid);
    return grid;
  };
  for (const double bad : {nan, infinity, -1.0, -5e-324}) {
    expect_refused(with([=](auto& g) { g.pressure[2] = bad; }), "pressure");
  }
  expect_refused(with([](auto& g) { g.pressure.assign(4, 0.0); }), "pressure (its sum)");
  expect_refused(with([](auto& g) { g.pressure.assign(4, 1e308); }), "pressure (its sum)");
  expect_refused(with([](auto& g) { g.pressure.pop_back(); }), "pressure (its length)");
  expect_refused(with([](auto& g) { g.pressure.push_back(1); }), "pressure (its length)");
  expect_refused(with([](auto& g) { g.columns = 0; }), "columns");
  expect_refused(with([](auto& g) { g.rows = 0; }), "rows");
  for (const double bad : {nan, infinity, 0.0, -1.0}) {
    expect_refused(with([=](auto& g) { g.width = bad; }), "width");
    expect_refused(with([=](auto& g) { g.height = bad; }), "height");
  }
  for (const double bad : {nan, infinity, -infinity}) {
    expect_refused(with([=](auto& g) { g.corner.x = bad; }), "corner.x");
    expect_refused(with([=](auto& g) { g.corner.y = bad; }), "corner.y");
  }
  expect_refused(PressureGrid{}, "columns");
}

TEST(PatchInput, OfPointsIsRefusedByTheNameOfTheField) {
  Points good;
  good.add({0, 0}, 1);
  good.add({1, 0}, 2);
  const auto with = [&](auto change) {
    Points points = good;
    change(points);
    return points;
  };
  for (const double bad : {nan, infinity, -1.0}) {
    expect_refused(with([=](auto& p) { p.share[1] = bad; }), "share");
  }
  for (const double bad : {nan, infinity, -infinity}) {
    expect_refused(with([=](auto& p) { p.x[0] = bad; }), "x");
    expect_refused(with([=](auto& p) { p.y[1] = bad; }), "y");
  }
  expect_refused(with([](auto& p) { p.share = {0, 0}; }), "share (its sum)");
  expect_refused(with([](auto& p) { p.share.pop_back(); }), "share (its length)");
  expect_refused(with([](auto& p) { p.y.push_back(1); }), "share (its length)");
  expect_refused(Points{}, "share (its sum)");
}

TEST(PatchInput, OfScaledAndMovedIsRefused) {
  const Patch patch(rectangle(1, 1));
  for (const double bad : {nan, infinity, 0.0, -1.0}) {
    EXPECT_THROW((void)patch.scaled(bad), InvalidParameter);
  }
  for (const double bad : {nan, infinity}) {
    EXPECT_THROW((void)patch.moved({bad, 0}), InvalidParameter);
    EXPECT_THROW((void)patch.moved({0, bad}), InvalidParameter);
  }
}

// Moving twists and wrenches
// -------------------------------------------------------------------------------------------

TEST(AtPoint, MovesTheVelocityOfARigidBody) {
  // Turning about the origin at 2 rad/s, the point (3, 0) moves up at 6 m/s, (0, 1) to the left at 2 m/s.
  EXPECT_EQ(at_point(Twist{0, 0, 2}, {0, 0}, {3, 0}), (Twist{0, 6, 2}));
  EXPECT_EQ(at_point(Twist{0, 0, 2}, {0, 0}, {0, 1}), (Twist{-2, 0, 2}));
}

TEST(AtPoint, MovesTheTorqueByTheLeverOfTheForce) {
  // A force up at (3, 0) turns the body counter-clockwise about the origin, one to the right at (0, 1) clockwise.
  EXPECT_EQ(at_point(Wrench{0, 5, 0}, {3, 0}, {0, 0}), (Wrench{0, 5, 15}));
  EXPECT_EQ(at_point(Wrench{4, 0, 1}, {0, 1}, {0, 0}), (Wrench{4, 0, -3}));
}

TEST(AtPoint, KeepsThePower) {
  test::Random random(1);
  for (int k = 0; k < 1000; ++k) {
    const auto any = [&] { return random.between(-1, 1); };
    const Twist v{any(), any(), any()};
    const Wrench w{any(), any(), any()};
    const Point from{any(), any()};
    const Point to{any(), any()};
    EXPECT_NEAR(power(at_point(w, from, to), at_point(v, from, to)), power(w, v), 2e-15);
    const Twist back = at_point(at_point(v, from, to), to, from);
    EXPECT_NEAR(back.x, v.x, 1e-15);
    EXPECT_NEAR(back.y, v.y, 1e-15);
  }
}

TEST(Patch, PressureTooSmallToDivideByIsRefused) {
  EXPECT_THROW(Patch(PressureGrid{1, 1, {0, 0}, 1, 1, {5e-324}}), InvalidParameter);
  EXPECT_NEAR(Patch(PressureGrid{1, 1, {0, 0}, 1, 1, {1e-280}}).torque_radius(),
              Patch(PressureGrid{1, 1, {0, 0}, 1, 1, {1}}).torque_radius(), 1e-15);
}

TEST(Patch, IsMadeAgainFromItsDataWithTheSameBits) {
  for (const Patch& patch : {Patch(rectangle(0.02, 0.01, 7, 5, {0.1, -0.3})).scaled(1 / 3.0).moved({0.1, 0.7}),
                             Patch(Points{{0, 0.01, 0.03}, {0.1, 0, 0}, {1, 2, 0.7}})}) {
    const Patch again(patch.data());
    EXPECT_EQ(again, patch);
    EXPECT_NE(patch.scaled(2), patch);
    const Twist twist{0.3, -0.1, 20};
    EXPECT_EQ(coulomb_wrench(again, twist).torque, coulomb_wrench(patch, twist).torque);
    Patch::Data wrong = patch.data();
    wrong.points.x.pop_back();
    EXPECT_THROW(Patch{wrong}, InvalidParameter);
    wrong = patch.data();
    wrong.moments.pop_back();
    EXPECT_THROW(Patch{wrong}, InvalidParameter);
    wrong = patch.data();
    wrong.grid.pressure.push_back(1);
    EXPECT_THROW(Patch{wrong}, InvalidParameter);
  }
}

}  // namespace
}  // namespace stiction::planar::patch_test
