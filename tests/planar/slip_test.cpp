// From loads to motion: closed forms, statics, a search that shares nothing with the solver, and properties.
#include "stiction/planar/slip.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iostream>
#include <limits>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "stiction/planar/limit_surface.h"
#include "stiction/planar/shapes.h"
#include "support/property.h"
#include "support/random.h"

namespace stiction::planar::slip_test {
namespace {

using test::between;
using test::holds_for;
using test::log_between;
using test::Random;
using Real = long double;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double pi = std::numbers::pi;

double length(const Twist& v, double r) { return std::hypot(v.x, v.y, r * v.spin); }
double length(const Wrench& w, double r) { return std::hypot(w.x, w.y, w.torque / r); }
double difference(const Twist& a, const Twist& b, double r) {
  return length(Twist{a.x - b.x, a.y - b.y, a.spin - b.spin}, r);
}
double difference(const Wrench& a, const Wrench& b, double r) { return length(a + -1.0 * b, r); }

struct Named {
  std::string name;
  Patch patch;
};

PressureGrid one_cell(double width, double height) { return {1, 1, {0.1, -0.2}, width, height, {1}}; }

/// Three small pads: nearly flat faces on the surface.
PressureGrid pads(std::size_t n) {
  PressureGrid grid{n, n, {}, 0.1 / static_cast<double>(n), 0.1 / static_cast<double>(n), {}};
  grid.pressure.assign(n * n, 0);
  grid.pressure[0] = 1;
  grid.pressure[n - 1] = 2;
  grid.pressure[n * n - n / 2] = 1.5;
  return grid;
}

Points points_on_a_line() {
  Points points;
  points.add({0, 0}, 1);
  points.add({0.3, 0}, 2);
  points.add({0.7, 0}, 1);
  points.add({1, 0}, 1);
  return points;
}

Points three_points() {
  Points points;
  points.add({0, 0}, 1);
  points.add({1, 0}, 2);
  points.add({0.5, 0.8}, 1.5);
  return points;
}

/// Almost all of the load on one point, the rest far away.
Points unequal_points() {
  Points points;
  points.add({0, 0}, 1);
  points.add({1, 0}, 1e-3);
  points.add({0, 1}, 1e-6);
  points.add({-1, -1}, 1e-9);
  return points;
}

std::vector<Named> patches() {
  return {{"square", Patch(paper::square())},
          {"circle", Patch(paper::circle())},
          {"line", Patch(paper::line())},
          {"gradient line", Patch(paper::gradient_line())},
          {"gradient line along x", Patch(paper::gradient_line_x())},
          {"two pads", Patch(paper::non_convex_1())},
          {"T", Patch(paper::non_convex_2())},
          {"soft finger", Patch(paper::soft_finger(2, 2))},
          {"one cell", Patch(one_cell(0.01, 0.01))},
          {"one cell, 1:100", Patch(one_cell(0.0001, 0.01))},
          {"one cell, 1000:1", Patch(one_cell(0.01, 0.00001))},
          {"three pads", Patch(pads(30))},
          {"disc of points", Patch(disc_points(0.01, 4, 9))},
          {"line of points", Patch(rectangle_points(1e-9, 0.02, 1, 50))},
          {"points on a line", Patch(points_on_a_line())},
          {"three points", Patch(three_points())},
          {"unequal points", Patch(unequal_points())}};
}

/// Uniform in (f_x, f_y, τ/r), and now and then without force, without torque or along an axis.
Wrench any_load(Random& random, const Patch& patch, int k) {
  const double z = random.between(-1, 1);
  const double angle = random.between(0, 2 * pi);
  const double across = std::sqrt(1 - z * z);
  Wrench load{across * std::cos(angle), across * std::sin(angle), z * patch.torque_radius()};
  switch (k % 10) {
    case 0:
      return {0, 0, load.torque};
    case 1:
      return {load.x, load.y, 0};
    case 2:
      return {load.x, 0, load.torque};
    default:
      return load;
  }
}

Twist any_twist(Random& random, const Patch& patch) {
  const double z = random.between(-1, 1);
  const double angle = random.between(0, 2 * pi);
  const double across = std::sqrt(1 - z * z);
  return {across * std::cos(angle), across * std::sin(angle), z / patch.torque_radius()};
}

// Closed forms
// ---------------------------------------------------------------------------------------------------------

TEST(Slip, OfADiscUnderTorqueAloneStartsAtTwoThirdsOfItsRadius) {
  const Patch disc(disc_points(0.03, 4, 9));
  const Slip s = slip(disc, {0, 0, -0.005}, 2.5);
  EXPECT_NEAR(s.factor, 2.5 * 2.0 / 3 * 0.03 / 0.005, 1e-12);
  EXPECT_NEAR(s.twist.spin * disc.torque_radius(), -1, 1e-9);
  EXPECT_LT(std::hypot(s.twist.x, s.twist.y), 1e-9);
  EXPECT_TRUE(s.proven);
  EXPECT_FALSE(s.slips());
}

TEST(Slip, UnderAForceThroughTheCentreOfPressureIsATranslationAlongIt) {
  for (const auto& [name, patch] : patches()) {
    for (const double angle : {0.0, 0.3, 2.0, -1.2, pi / 2}) {
      const Slip s = slip(patch, {0.4 * std::cos(angle), 0.4 * std::sin(angle), 0}, 1.7);
      EXPECT_NEAR(s.factor, 1.7 / 0.4, 1e-12) << name;
      EXPECT_LT(difference(s.twist, {std::cos(angle), std::sin(angle), 0}, patch.torque_radius()), 1e-12) << name;
    }
  }
}

/// A line of half length a, pulled across at a distance c from its middle, turns about a point of its own: with q the
/// share of μ f_N, τ/r = 1 − q² and τ = q c, r = a/2
TEST(Slip, OfALineThatIsPulledAcrossItMeetsTheParabola) {
  for (const double width : {1e-2, 1e-3}) {
    const Patch line(PressureGrid{1, 1, {-width / 2, -1}, width, 2, {1}});
    double worst = 0;
    for (double c = 0.05; c < 3; c *= 1.3) {
      const double half = c / 0.5 / 2;  // q² + 2 half q − 1 = 0
      const double expected = std::sqrt(half * half + 1) - half;
      const Slip s = slip(line, at_point(Wrench{1, 0, 0}, {0, c}, {}), 1);
      worst = std::max(worst, std::abs(s.factor / expected - 1));
    }
    std::cout << "width " << width << ": " << worst << '\n';
    EXPECT_LT(worst, 3 * width * width * std::abs(std::log(width)));
  }
}

/// Two supports a and b share a force across them like a beam: the first that carries its limit of ½ gives way, and the
/// body turns about the other.
TEST(Slip, OfABodyOnTwoPointsFollowsStatics) {
  Points two;
  two.add({0, 0}, 1);
  two.add({1, 0}, 1);
  const Patch patch(two);
  for (const double x : {-0.7, 0.0, 0.2, 0.45, 0.6, 1.0, 1.9}) {
    const Wrench load = at_point(Wrench{0, 3, 0}, {x, 0}, patch.centre_of_pressure());
    const Slip s = slip(patch, load, 2);
    EXPECT_NEAR(s.factor, 2 * 0.5 / std::max(std::abs(x), std::abs(1 - x)) / 3, 1e-13) << x;
    const Point pivot{x < 0.5 ? 1.0 : 0.0, 0};
    const Twist there = at_point(s.twist, patch.centre_of_pressure(), pivot);
    EXPECT_LT(std::hypot(there.x, there.y), 1e-12) << x;
    EXPECT_EQ(s.gap, 0) << x;
  }
}

/// A heavy place of three points and a light one far away. Torque alone turns the body about the heavy place: friction
/// of the light point times the distance, however little that is, and nothing below the smallest lever that counts.
TEST(Slip, OfAHeavyPlaceAndALightPointFarAwayIsWhatTheLightPointHolds) {
  const double distance = 3000;
  for (int decade = 1; decade < 60; ++decade) {
    const double light = std::pow(10.0, -decade);
    Points points;
    points.add({0, 0}, light);
    for (const double share : {0.3, 0.3, 0.4 - light}) {
      points.add({distance, 0}, share);
    }
    const Patch patch(points);
    const double r = 2 * light * (1 - light) * distance;
    const Slip torque = slip(patch, {0, 0, 1}, 1);
    const Slip force = slip(patch, {1, 0, 0}, 2);
    EXPECT_NEAR(force.factor, 2, 1e-9) << decade;
    EXPECT_TRUE(torque.proven && force.proven) << decade;
    EXPECT_TRUE(holds(patch, {1, 0, 0}, 2)) << decade;
    if (r < torque_radii.low) {
      EXPECT_EQ(patch.torque_radius(), 0) << decade;
      EXPECT_EQ(torque.factor, 0) << decade;
      EXPECT_FALSE(holds(patch, {1, 0, 1e-30}, 2)) << decade;
    } else {
      EXPECT_NEAR(patch.torque_radius(), r, 1e-12 * r) << decade;
      EXPECT_NEAR(torque.factor, light * distance, 1e-9 * light * distance) << decade;
      EXPECT_TRUE(holds(patch, {0, 0, 0.99 * light * distance}, 1)) << decade;
      EXPECT_FALSE(holds(patch, {0, 0, 1.01 * light * distance}, 1)) << decade;
    }
  }
}

/// Least power by nested searches for the least of a convex function, in long double and from the definition: for
/// patches of points, whose minimum is often a corner.
class Search {
 public:
  Search(const Patch& patch, const Wrench& load)
      : patch_(patch),
        load_{load.x, load.y, Real(load.torque) / patch.torque_radius()},
        reach_(4 / std::sqrt(dot(load_, load_))) {
    // The largest component of the load is eliminated.
    for (std::size_t i = 1; i < 3; ++i) {
      largest_ = std::abs(load_[i]) > std::abs(load_[largest_]) ? i : largest_;
    }
  }
  [[nodiscard]] Real factor() const {
    return least([&](Real p) { return least([&](Real q) { return power(p, q); }); });
  }

 private:
  using Vector3 = std::array<Real, 3>;
  static Real dot(const Vector3& a, const Vector3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
  template <class F>
  Real least(const F& f) const {  // golden section
    const Real ratio = (std::sqrt(Real(5)) - 1) / 2;
    Real a = -reach_;
    Real b = reach_;
    Real c = b - ratio * (b - a);
    Real d = a + ratio * (b - a);
    Real fc = f(c);
    Real fd = f(d);
    for (int i = 0; i < 75; ++i) {
      if (fc < fd) {
        b = std::exchange(d, c);
        fd = fc;
        c = b - ratio * (b - a);
        fc = f(c);
      } else {
        a = std::exchange(c, d);
        fc = fd;
        d = a + ratio * (b - a);
        fd = f(d);
      }
    }
    return std::min(fc, fd);
  }
  [[nodiscard]] Real power(Real p, Real q) const {
    Vector3 v{};
    v[(largest_ + 1) % 3] = p;
    v[(largest_ + 2) % 3] = q;
    v[largest_] = (1 - dot(load_, v)) / load_[largest_];
    const Real spin = v[2] / patch_.torque_radius();
    Real sum = 0;
    const Points& points = patch_.points();
    for (std::size_t i = 0; i < points.size(); ++i) {
      sum += points.share[i] * std::hypot(v[0] - spin * points.y[i], v[1] + spin * points.x[i]);
    }
    return sum;
  }

  const Patch& patch_;
  Vector3 load_{};
  std::size_t largest_ = 0;
  Real reach_ = 0;
};

TEST(Slip, OfBodiesOnPointsAgreesWithASearch) {
  Random random(11);
  double worst = 0;
  int on_a_point = 0;
  const int cases = 300;
  for (int k = 0; k < cases; ++k) {
    Points points;
    const int n = 2 + k % 5;
    for (int i = 0; i < n; ++i) {
      points.add({random.between(-1, 1), random.between(-1, 1)}, random.log_between(0.01, 1));
    }
    const Patch patch(points);
    const Wrench load = any_load(random, patch, k);
    const Slip s = slip(patch, load, 1);
    EXPECT_TRUE(s.proven);
    worst = std::max(worst, static_cast<double>(std::abs(s.factor / Search(patch, load).factor() - 1)));
    on_a_point += s.gap == 0 ? 1 : 0;
  }
  std::cout << "largest difference " << worst << ", " << on_a_point << " of " << cases << " turn about a point\n";
  EXPECT_LT(worst, 1e-11);
  EXPECT_GT(on_a_point, cases / 5);
}

// There and back
// -----------------------------------------------------------------------------------------------------------

TEST(Slip, GivesBackTheTwistOfAWrench) {
  for (const auto& [name, patch] : patches()) {
    const double r = patch.torque_radius();
    Random random(12);
    double factor = 0;
    double twist = 0;
    for (int k = 0; k < 500; ++k) {
      const Twist v = any_twist(random, patch);
      const Slip s = slip(patch, -3.0 * coulomb_wrench(patch, v), 3);
      factor = std::max(factor, std::abs(s.factor - 1));
      twist = std::max(twist, difference(s.twist, v, r));
    }
    std::cout << name << ": factor " << factor << ", twist " << twist << '\n';
    EXPECT_LT(factor, 1e-10) << name;
    const bool has_edges = name.starts_with("unequal");  // many motions with wrenches that are the same to rounding
    EXPECT_TRUE(has_edges || twist < 1e-6) << name;
  }
}

TEST(Slip, IsProvenWithFewRoundsForEveryShapeAndLoad) {
  for (const auto& [name, patch] : patches()) {
    const double r = patch.torque_radius();
    Random random(13);
    std::vector<int> rounds;
    double gap = 0;
    double off = 0;
    for (int k = 0; k < 2000; ++k) {
      const Wrench load = any_load(random, patch, k);
      const Slip s = slip(patch, load, 1);
      rounds.push_back(s.rounds);
      gap = std::max(gap, s.gap);
      ASSERT_NEAR(length(s.twist, r), 1, 1e-14);
      // Friction of that motion holds the load there, and no motion takes less power: f(v)·v = −s load·v
      ASSERT_NEAR(-power(coulomb_wrench(patch, s.twist), s.twist), s.factor * power(load, s.twist), 2e-9) << name;
      if (patch.corners().size() > 0) {  // one wrench for each motion
        off = std::max(off, difference(coulomb_wrench(patch, s.twist), -s.factor * load, r));
      }
    }
    std::ranges::sort(rounds);
    std::cout << name << ": rounds " << rounds[rounds.size() / 2] << " (median), " << rounds.back() << " (most), gap "
              << gap << '\n';
    EXPECT_LE(rounds[rounds.size() / 2], 15) << name;
    EXPECT_LE(rounds.back(), 60) << name;
    EXPECT_LE(gap, 1e-9) << name;
    EXPECT_LT(off, 1e-9) << name;
  }
}

TEST(Slip, IsAsGoodForVeryThinCellsAsTheirWrench) {
  for (const double aspect : {1e2, 1e3, 1e4, 1e5, 1e6}) {
    const Patch patch(one_cell(1, aspect));
    Random random(14);
    double worst = 0;
    for (int k = 0; k < 300; ++k) {
      const Slip s = slip(patch, -1.0 * coulomb_wrench(patch, any_twist(random, patch)), 1);
      worst = std::max(worst, std::abs(s.factor - 1));
      ASSERT_LT(s.gap, 1e-12 * aspect);
      ASSERT_LT(s.rounds, 100);
    }
    std::cout << "aspect ratio " << aspect << ": " << worst << '\n';
    EXPECT_LT(worst, 1e-13 * aspect);
  }
}

// Properties
// -----------------------------------------------------------------------------------------------------------

constexpr int many = 2'000;

Patch any_patch() {
  const bool cells = *rc::gen::arbitrary<bool>();
  if (cells) {
    const auto columns = *rc::gen::inRange<std::size_t>(1, 7);
    const auto rows = *rc::gen::inRange<std::size_t>(1, 7);
    PressureGrid grid{
        columns, rows, {*between(-0.1, 0.1), *between(-0.1, 0.1)}, *log_between(1e-3, 1e-2), *log_between(1e-3, 1e-2),
        {}};
    for (std::size_t k = 0; k < columns * rows; ++k) {
      const double p = *between(-0.5, 1);
      grid.pressure.push_back(k == 0 ? 1 : std::max(p, 0.0));
    }
    return Patch(grid);
  }
  Points points;
  const auto n = *rc::gen::inRange<std::size_t>(2, 12);
  for (std::size_t i = 0; i < n; ++i) {
    points.add({*between(-0.01, 0.01), *between(-0.01, 0.01)}, *log_between(1e-2, 1));
  }
  points.add({0.011, 0}, 0.1);
  return Patch(points);
}

Wrench any_load(const Patch& patch) {
  const double angle = *between(0, 2 * pi);
  const double z = *between(-1, 1);
  const double across = std::sqrt(1 - z * z);
  return {across * std::cos(angle), across * std::sin(angle), z * patch.torque_radius()};
}

TEST(Slip, HappensOutsideTheSurfaceAndNotInside) {
  holds_for(many, [] {
    const Patch patch(any_patch());
    const Wrench load = any_load(patch);
    const double friction = *log_between(1e-3, 1e3);
    const double factor = slip(patch, load, friction).factor;
    RC_ASSERT(holds(patch, 0.9999999 * factor * load, friction));
    RC_ASSERT(!holds(patch, 1.0000001 * factor * load, friction));
    RC_ASSERT(!slip(patch, 0.9999999 * factor * load, friction).slips());
    RC_ASSERT(slip(patch, 1.0000001 * factor * load, friction).slips());
  });
}

TEST(Slip, IsTheSameQuestionForEveryUnitOfForceAndLength) {
  holds_for(many, [] {
    const Patch patch(any_patch());
    const Wrench load = any_load(patch);
    const double friction = *log_between(1e-3, 1e3);
    const double times = *log_between(1e-9, 1e9);
    const double larger = *log_between(1e-3, 1e3);
    const Slip s = slip(patch, load, friction);
    const Slip other =
        slip(patch.scaled(larger), {times * load.x, times * load.y, times * larger * load.torque}, times * friction);
    RC_ASSERT(std::abs(other.factor / s.factor - 1) < 1e-9);
  });
}

TEST(Slip, SurfaceIsConvexAndSymmetric) {
  holds_for(many, [] {
    const Patch patch(any_patch());
    const Wrench one = any_load(patch);
    const Wrench two = any_load(patch);
    const double a = slip(patch, one, 1).factor;
    const double b = slip(patch, two, 1).factor;
    const double part = *between(0, 1);
    const Wrench between_them = part * a * one + (1 - part) * b * two;
    RC_ASSERT(slip(patch, between_them, 1).factor >= 1 - 1e-9);
    RC_ASSERT(std::abs(slip(patch, -1.0 * one, 1).factor / a - 1) < 1e-9);
  });
}

TEST(Slip, NeverTakesMoreThanAnyMotionAllows) {
  holds_for(many, [] {
    const Patch patch(any_patch());
    const Wrench load = any_load(patch);
    const Slip s = slip(patch, load, 1);
    // s load·v ≤ P(v) for every v, with equality for the motion that starts
    const double angle = *between(0, 2 * pi);
    const double z = *between(-1, 1);
    const double across = std::sqrt(1 - z * z);
    const Twist v{across * std::cos(angle), across * std::sin(angle), z / patch.torque_radius()};
    RC_ASSERT(s.factor * power(load, v) <= -power(coulomb_wrench(patch, v), v) + 1e-9);
    RC_ASSERT(s.proven);
  });
}

/// What the proof of the gap rests on.
TEST(Slip, SurfaceLiesBetweenTwoBalls) {
  double least = infinity;
  double most = 0;
  holds_for(many, [&] {
    const Patch patch(any_patch());
    const double r = patch.torque_radius();
    const double angle = *between(0, 2 * pi);
    const double z = *between(-1, 1);
    const double across = std::sqrt(1 - z * z);
    const Twist v{across * std::cos(angle), across * std::sin(angle), z / r};
    const Wrench w = coulomb_wrench(patch, v);
    least = std::min(least, -power(w, v));
    most = std::max(most, length(w, r));
    RC_ASSERT(-power(w, v) >= 1 / std::sqrt(5.0));
    RC_ASSERT(length(w, r) <= std::sqrt(2.0));
  });
  std::cout << "power at least " << least << ", wrench at most " << most << '\n';
}

// Odd cases
// ------------------------------------------------------------------------------------------------------------

TEST(Slip, OfNothingAndOfTooMuch) {
  for (const auto& [name, patch] : patches()) {
    const double r = patch.torque_radius();
    EXPECT_EQ(slip(patch, {}, 1).factor, infinity) << name;
    EXPECT_TRUE(holds(patch, {}, 1) && holds(patch, {}, 0)) << name;
    EXPECT_EQ(slip(patch, {}, 1).twist, Twist{}) << name;
    for (const double no_contact : {0.0, -1.0}) {
      const Slip s = slip(patch, {1, 2, 3 * r}, no_contact);
      EXPECT_EQ(s.factor, 0) << name;
      EXPECT_NEAR(length(s.twist, r), 1, 1e-14) << name;
      EXPECT_FALSE(holds(patch, {1, 2, 3 * r}, no_contact)) << name;
    }
    for (const double huge : {1e-300, 1e-200, 1e200, 1e300}) {
      const Slip s = slip(patch, {huge, -2 * huge, huge * r}, 1);
      EXPECT_NEAR(s.factor * huge, slip(patch, {1, -2, r}, 1).factor, 1e-9) << name;
    }
    for (const Wrench& load : {Wrench{nan, 0, 0}, Wrench{0, nan, 0}, Wrench{0, 0, nan}, Wrench{infinity, 0, 0},
                               Wrench{0, -infinity, 0}, Wrench{0, 0, infinity}}) {
      EXPECT_TRUE(std::isnan(slip(patch, load, 1).factor)) << name;
      EXPECT_FALSE(slip(patch, load, 1).proven) << name;
      EXPECT_FALSE(holds(patch, load, 1)) << name;
    }
    EXPECT_TRUE(std::isnan(slip(patch, {1, 0, 0}, nan).factor)) << name;
  }
}

TEST(Slip, OfOnePointSpinsUnderTheSmallestTorque) {
  Points one;
  one.add({3, 4}, 2);
  const Patch patch(one);
  EXPECT_EQ(slip(patch, {0, 0, -1e-9}, 1).factor, 0);
  EXPECT_EQ(slip(patch, {1, 0, -1e-9}, 1).twist, (Twist{0, 0, -1}));
  EXPECT_EQ(slip(patch, {3, 4, 0}, 10).factor, 2);
  EXPECT_EQ(slip(patch, {3, 4, 0}, 10).twist, (Twist{0.6, 0.8, 0}));
  EXPECT_TRUE(holds(patch, {3, 4, 0}, 10));
  EXPECT_FALSE(holds(patch, {3, 4, 1e-12}, 10));
}

// Pushing
// --------------------------------------------------------------------------------------------------------------

double cross(double ax, double ay, double bx, double by) { return ax * by - ay * bx; }

struct AnyPush {
  Patch patch;
  Pusher pusher;
  Vector velocity;
  Point arm;
};
AnyPush any_push() {
  AnyPush p{any_patch(), {}, {}, {}};
  const double place = *between(0, 2 * pi);
  const double facing = place + pi + *between(-1.4, 1.4);
  const double heading = facing + *between(-1.5, 1.5);
  const double distance = p.patch.radius() * *between(0.01, 2);
  p.arm = {distance * std::cos(place), distance * std::sin(place)};
  p.pusher = {p.patch.centre_of_pressure() + p.arm, {2 * std::cos(facing), 2 * std::sin(facing)}, *between(0, 2)};
  const double speed = *log_between(1e-3, 1e1);
  p.velocity = {speed * std::cos(heading), speed * std::sin(heading)};
  return p;
}

TEST(Pushed, ThroughTheCentreOfADiscMovesStraight) {
  const Patch disc = Patch(disc_points(0.05, 4, 9)).moved({1, 2});
  const Push push = pushed(disc, 3, {{0.95, 2}, {1, 0}, 0.5}, {0.2, 0});
  EXPECT_EQ(push.contact, Contact::sticks);
  EXPECT_LT(difference(push.twist, {0.2, 0, 0}, 0.03), 1e-13);
  EXPECT_LT(difference(push.load, {3, 0, 0}, 0.03), 1e-12);
  // A hair to the side it turns, the faster the farther.
  double before = 0;
  for (const double y : {0.001, 0.01, 0.03}) {
    const Push aside = pushed(disc, 3, {{0.95, 2 + y}, {1, 0}, 0.5}, {0.2, 0});
    EXPECT_LT(aside.twist.spin, before);
    before = aside.twist.spin;
  }
}

TEST(Pushed, AwayFromTheBodyLeavesItAtRest) {
  const Patch patch(paper::square());
  for (const Vector& velocity : {Vector{-1, 0}, Vector{0, 1}, Vector{0, 0}, Vector{-1, 7}}) {
    const Push push = pushed(patch, 1, {{-0.01, 0}, {1, 0}, 0.5}, velocity);
    EXPECT_EQ(push.contact, Contact::parts);
    EXPECT_EQ(push.twist, Twist{});
    EXPECT_EQ(push.load, Wrench{});
  }
  EXPECT_TRUE(std::isnan(pushed(patch, 1, {{-0.01, 0}, {1, 0}, 0.5}, {nan, 0}).twist.x));
  EXPECT_TRUE(std::isnan(pushed(patch, 1, {{-0.01, 0}, {0, 0}, 0.5}, {1, 0}).twist.x));
}

TEST(Pushed, BySomethingThatSticksTakesTheContactAlongWithTheLeastPower) {
  holds_for(many, [] {
    AnyPush p = any_push();
    p.pusher.coefficient = 1e9;
    const double speed = std::hypot(p.velocity.x, p.velocity.y);
    const double r = p.patch.torque_radius();
    const Push push = pushed(p.patch, 2, p.pusher, p.velocity);
    RC_PRE(push.contact == Contact::sticks);
    const Twist there = at_point(push.twist, {}, p.arm);
    RC_ASSERT(std::hypot(there.x - p.velocity.x, there.y - p.velocity.y) < 1e-12 * speed);
    RC_ASSERT(std::abs(at_point(push.load, {}, p.arm).torque) < 1e-9 * p.patch.radius());  // a force at the contact
    const auto taken = [&](double spin) {
      const Twist v = at_point(Twist{p.velocity.x, p.velocity.y, spin}, p.arm, {});
      return -2 * power(coulomb_wrench(p.patch, v), v);
    };
    const double least = taken(push.twist.spin);
    const double more = *log_between(1e-6, 10) * speed / r;
    RC_ASSERT(least <= taken(push.twist.spin + more) + 1e-11 * speed);
    RC_ASSERT(least <= taken(push.twist.spin - more) + 1e-11 * speed);
    RC_ASSERT(std::abs(power(push.load, push.twist) - least) < 1e-9 * speed);  // all of it goes into friction
    RC_ASSERT(std::abs(slip(p.patch, push.load, 2).factor - 1) < 1e-9);        // it is on the surface
  });
}

TEST(Pushed, OverTheEdgeOfTheFrictionConeSlides) {
  int sliding = 0;
  holds_for(many, [&] {
    const AnyPush p = any_push();
    const Push push = pushed(p.patch, 2, p.pusher, p.velocity);
    const double speed = std::hypot(p.velocity.x, p.velocity.y);
    const double nx = p.pusher.normal.x / 2;
    const double ny = p.pusher.normal.y / 2;
    const double normal = nx * push.load.x + ny * push.load.y;
    const double tangential = cross(nx, ny, push.load.x, push.load.y);
    const Twist there = at_point(push.twist, {}, p.arm);
    RC_ASSERT(push.contact != Contact::parts);
    RC_ASSERT(normal > 0);
    RC_ASSERT(std::abs(tangential) <= p.pusher.coefficient * normal * (1 + 1e-9) + 1e-12);
    // It neither enters the body nor leaves it.
    RC_ASSERT(std::abs(nx * there.x + ny * there.y - (nx * p.velocity.x + ny * p.velocity.y)) < 1e-11 * speed);
    RC_ASSERT(power(push.load, push.twist) > 0);
    if (push.contact == Contact::slides) {
      ++sliding;
      RC_ASSERT(std::abs(std::abs(tangential) - p.pusher.coefficient * normal) < 1e-12);
      // Friction drags the body the way the pusher slides.
      const double slides = cross(nx, ny, p.velocity.x - there.x, p.velocity.y - there.y);
      RC_ASSERT(slides * tangential >= -1e-9 * speed);
      RC_ASSERT(std::abs(slip(p.patch, push.load, 2).factor - 1) < 1e-9);
    }
  });
  std::cout << sliding << " slide\n";
  EXPECT_GT(sliding, many / test::fewer_cases / 10);
}

/// Mason: the pusher's direction and the two edges of its friction cone vote on the sense of rotation, each by the side
/// on which it passes the centre of pressure. For every patch, whatever its pressure.
TEST(Pushed, TurnsAsMasonsVoteSays) {
  int turns = 0;
  holds_for(many, [&] {
    const AnyPush p = any_push();
    const double a = std::atan(p.pusher.coefficient);
    const double nx = p.pusher.normal.x / 2;
    const double ny = p.pusher.normal.y / 2;
    const double speed = std::hypot(p.velocity.x, p.velocity.y);
    const double distance = std::hypot(p.arm.x, p.arm.y);
    const auto vote = [&](double x, double y) { return cross(p.arm.x, p.arm.y, x, y) / distance; };
    const std::array votes{vote(p.velocity.x / speed, p.velocity.y / speed),
                           vote(std::cos(a) * nx - std::sin(a) * ny, std::cos(a) * ny + std::sin(a) * nx),
                           vote(std::cos(a) * nx + std::sin(a) * ny, std::cos(a) * ny - std::sin(a) * nx)};
    RC_PRE(std::ranges::all_of(votes, [](double v) { return std::abs(v) > 1e-6; }));
    const auto ayes = std::ranges::count_if(votes, [](double v) { return v > 0; });
    const double spin = pushed(p.patch, 1, p.pusher, p.velocity).twist.spin;
    RC_ASSERT((ayes >= 2 ? spin : -spin) >= 0);
    turns += std::abs(spin) * p.patch.radius() > 1e-6 * speed ? 1 : 0;
  });
  EXPECT_GT(turns, many / test::fewer_cases * 9 / 10);
}

/// A body on one point follows like a wheel of a trolley: along the arm, turning until it trails.
TEST(Pushed, OnOnePointFollowsTheArm) {
  Points one;
  one.add({1, 1}, 1);
  const Patch patch(one);
  const Push push = pushed(patch, 2, {{0, 1}, {1, 0}, infinity}, {0.3, 0.4});
  EXPECT_EQ(push.contact, Contact::sticks);
  EXPECT_EQ(push.twist, (Twist{0.3, 0, -0.4}));
  EXPECT_EQ(push.load, (Wrench{2, 0, 0}));
}

}  // namespace
}  // namespace stiction::planar::slip_test
