// What patches and their friction are given: every entry refuses what it cannot use, by name; what runs in a loop shows
// NaN, and never turns it into a number.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "stiction/planar/distributed.h"
#include "stiction/planar/ellipsoid.h"
#include "stiction/planar/frozen_stiffness.h"
#include "stiction/planar/reduced_batch.h"
#include "stiction/planar/slip.h"
#include "stiction/planar/soft_finger.h"

namespace stiction::planar {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// The message of what is thrown.
template <class Make>
std::string refusal(const Make& make) {
  try {
    (void)make();
  } catch (const InvalidParameter& problem) {
    return problem.what();
  }
  return "accepted";
}

bool shows(const Wrench& w) { return std::isnan(w.x) && std::isnan(w.y) && std::isnan(w.torque); }
bool shows_somewhere(const Wrench& w) { return std::isnan(w.x) || std::isnan(w.y) || std::isnan(w.torque); }

const Patch& pad() {
  static const Patch patch(paper::circle());
  return patch;
}

// Refused when made ------------------------------------------------------------------------------------------------

TEST(PlanarInput, OfAPressureIsReportedAsItWasGiven) {
  const auto minus_one = [](double, double) { return -1.0; };
  const std::string message = "pressure = -1: must be >= 0 and finite";
  const std::vector<std::vector<Point>> triangle{{{0, 0}, {0.01, 0}, {0, 0.01}}};
  EXPECT_EQ(refusal([&] { return polygon_grid(triangle, 20, 20, minus_one); }), message);
  EXPECT_EQ(refusal([&] { return pressure_grid(minus_one, {0, 0}, {1, 1}, 3, 3); }), message);
  EXPECT_EQ(refusal([&] { return rectangle_points(1, 1, 3, 3, minus_one); }), message);
  EXPECT_EQ(refusal([&] { return disc_points(1, 3, 5, [](double) { return -1.0; }); }), message);
  // One sample of many, which a mean would have hidden
  const auto mostly = [](double x, double) { return x > 0.9 ? nan : 1.0; };
  EXPECT_EQ(refusal([&] {
              return pressure_grid(mostly, {0, 0}, {1, 1}, 2, 2);
            }),
            "pressure = nan: must be >= 0 and finite");
}

TEST(PlanarInput, OfAGridHasCellsOfASizeThatCounts) {
  const auto thin = [](double width, double height) {
    return refusal([&] { return polygon_grid({{{0, 0}, {width, 0}, {0, height}}}, 9, 5); });
  };
  EXPECT_EQ(thin(1, 1), "accepted");
  EXPECT_TRUE(thin(1e-320, 1).starts_with("width of a cell = ")) << thin(1e-320, 1);
  EXPECT_TRUE(thin(1, 1e-320).starts_with("height of a cell = ")) << thin(1, 1e-320);
  EXPECT_TRUE(thin(1e-12, 1).ends_with(": must be in [1e-12, 1e6]")) << thin(1e-12, 1);
}

TEST(PlanarInput, OfAnAxisymmetricSurfaceIsAPatchThatIsTheSameFromAllSides) {
  const auto curve = [](const Patch& patch) { return refusal([&] { return AxisymmetricCurve(patch); }); };
  for (const PressureGrid& round : {paper::circle(), paper::circle(11), paper::soft_finger(1, 2),
                                    pressure_grid(soft_finger_pressure(1, 0.5), {-1, -1}, {1, 1}, 31, 31, 2)}) {
    EXPECT_EQ(curve(Patch(round)), "accepted");
  }
  EXPECT_EQ(curve(Patch(disc_points(0.01, 4, 9))), "accepted");
  EXPECT_EQ(curve(Patch(disc_points(0.01, 4, 9)).moved({1, 2})), "accepted");
  for (const PressureGrid& other :
       {paper::line(), paper::gradient_line(), paper::square(), paper::non_convex_1(), paper::non_convex_2()}) {
    EXPECT_NE(curve(Patch(other)).find("must be <= 0.15 for an axisymmetric surface"), std::string::npos);
  }
  EXPECT_NE(curve(Patch(Points{{0, 1}, {0, 0}, {1, 1}})), "accepted");
  EXPECT_NE(curve(Patch(rectangle_points(2, 1, 6, 6))), "accepted");
}

TEST(PlanarInput, OfSharesIsOneForEachPointWithSumOne) {
  auto model = Distributed::make({preset::waltersson_p0(), Patch(Points{{0, 1}, {0, 0}, {1, 3}})});
  const auto before = [&] { return model.shares()[0] == 0.25 && model.shares()[1] == 0.75; };
  for (const std::vector<double>& bad : {std::vector<double>{1},
                                         {0.5, 0.25, 0.25},
                                         {-0.5, 1.5},
                                         {0.5, 0.6},
                                         {0.5, 0.4},
                                         {nan, 1},
                                         {0.5, nan},
                                         {infinity, 0},
                                         {}}) {
    EXPECT_FALSE(model.set_shares(bad));
    EXPECT_TRUE(before());
  }
  EXPECT_TRUE(model.set_shares(std::vector<double>{1.0F / 3, 2.0F / 3}));
  EXPECT_EQ(model.shares()[1], 2.0F / 3);
}

TEST(PlanarInput, OfABatchIsChecked) {
  const std::vector<SurfaceTable> tables{SurfaceTable(pad(), 4)};
  using Item = ReducedBatch::Item;
  const auto made = [&](double r, double u) {
    return refusal([&] { return ReducedBatch(tables, std::vector<Item>{{preset::waltersson_p0(), 0, r, u}}); });
  };
  EXPECT_EQ(made(0.01, nan), "mean_square_radius = nan: must be in [0, 1e14]");
  EXPECT_EQ(made(0.01, -1), "mean_square_radius = -1: must be in [0, 1e14]");
  EXPECT_EQ(made(nan, 1), "torque_radius = nan: must be 0, or in [1e-20, 1e7]");
  EXPECT_EQ(made(-1, 1), "torque_radius = -1: must be 0, or in [1e-20, 1e7]");
  for (const double r : {0.0, 1e-20, 1e7}) {
    EXPECT_EQ(made(r, r * r), "accepted");
  }
  ReducedBatch batch(tables, std::vector<Item>{{preset::waltersson_p0(), 0, 0.01, 1e-4}});
  EXPECT_TRUE(batch.resize(0, 0.02, 4e-4));
  EXPECT_FALSE(batch.resize(1, 0.02, 4e-4));
  EXPECT_FALSE(batch.resize(0, nan, 4e-4));
  EXPECT_FALSE(batch.resize(0, 0.02, nan));
  EXPECT_FALSE(batch.resize(0, -0.02, 4e-4));
}

TEST(PlanarInput, OfCountsIsBounded) {
  const Pressure one = [](double, double) { return 1.0; };
  const std::size_t huge = std::numeric_limits<std::size_t>::max() / 2;
  EXPECT_EQ(refusal([&] {
              return pressure_grid(one, {0, 0}, {1, 1}, 1001, 1000, 1);
            }),
            "columns x rows = 1.001e+06: must be <= 1e6");
  EXPECT_NE(refusal([&] { return pressure_grid(one, {0, 0}, {1, 1}, huge, 4, 1); }), "accepted");
  EXPECT_EQ(refusal([&] { return pressure_grid(one, {0, 0}, {1, 1}, 2, 2, 65); }), "samples = 65: must be in [1, 64]");
  EXPECT_EQ(refusal([&] { return disc_points(1, 1001, 3); }), "rings = 1001: must be in [1, 1000]");
  EXPECT_NE(refusal([&] { return disc_points(1, 1000, 1001); }), "accepted");
  EXPECT_EQ(refusal([&] { return rectangle_points(1, 1, 1, 1001); }), "rows = 1001: must be in [1, 1000]");
  EXPECT_EQ(refusal([&] { return SurfaceTable(pad(), 1001); }), "cells = 1001: must be from 1 to 1000");
  EXPECT_EQ(refusal([&] { return AngleTable(pad(), 1001); }), "quarter = 1001: must be from 1 to 1000");
  EXPECT_EQ(refusal([&] { return fitted_ellipsoid(pad(), Axes::free, 2'000'000); }),
            "directions = 2e+06: must be in [6, 1e6]");
  EXPECT_NE(refusal([&] { return Patch(PressureGrid{huge, 4, {}, 1, 1, {1, 1, 1, 1}}); }), "accepted");
}

// Ranges, at their ends --------------------------------------------------------------------------------------------

TEST(PlanarRange, OfPlacesAndSizesIsRefusedBeyondItsEnds) {
  const auto cell = [](double corner, double width, double height) {
    return refusal([&] { return Patch(PressureGrid{1, 1, {corner, 0}, width, height, {1}}); });
  };
  EXPECT_EQ(cell(0, 1e-12, 1e-12), "accepted");
  EXPECT_EQ(cell(0, 1e6, 1e6), "accepted");
  EXPECT_EQ(cell(-1e6, 1, 1e-6), "accepted");
  EXPECT_EQ(cell(1e6, 1e-6, 1), "accepted");
  EXPECT_EQ(cell(0, 0.9e-12, 1e-12), "width = 9e-13: must be in [1e-12, 1e6]");
  EXPECT_EQ(cell(0, 1, 1.1e6), "height = 1.1e+06: must be in [1e-12, 1e6]");
  EXPECT_EQ(cell(1.1e6, 1, 1), "corner.x = 1.1e+06: must be in [-1e6, 1e6]");
  EXPECT_NE(cell(0, 1, 0.9e-6).find("<= 1e6; take points for a line"), std::string::npos);
  EXPECT_EQ(refusal([] { return Patch(Points{{0, 1e6}, {-1e6, 0}, {1, 1}}); }), "accepted");
  EXPECT_EQ(refusal([] { return Patch(Points{{0, 1.1e6}, {0, 0}, {1, 1}}); }), "x = 1.1e+06: must be in [-1e6, 1e6]");
  EXPECT_NE(refusal([] { return pad().scaled(1e-11); }), "accepted");
  EXPECT_NE(refusal([] { return pad().scaled(1e9); }), "accepted");
  EXPECT_NE(refusal([] { return pad().moved({2e6, 0}); }), "accepted");
  EXPECT_NEAR(Patch(Points{{-1e6, 1e6}, {-1e6, 1e6}, {1, 1}}).torque_radius(), std::sqrt(2) * 1e6,
              1e-3);  // the largest
  EXPECT_EQ(refusal([] {
              return Patch(PressureGrid{1, 30, {}, 1e6, 1e6, std::vector<double>(30, 1)});
            }),
            "radius = 1.52071e+07: must be <= 1e7");
  // Nearly all the load in one point: a lever too short to count
  EXPECT_GT(Patch(Points{{0, 1}, {0, 0}, {1, 1e-19}}).torque_radius(), 1e-20);
  EXPECT_EQ(Patch(Points{{0, 1}, {0, 0}, {1, 1e-21}}).torque_radius(), 0);
}

/// A square of any size, anywhere, has the same limit surface in its own measure.
TEST(PlanarRange, OfSizesAndPlacesKeepsTheDigits) {
  const double unit = (std::sqrt(2) + std::asinh(1)) / 6;
  for (const double size : {1e-12, 1e-9, 1.0, 1e6}) {
    for (const double corner : {0.0, -1e6, 1e6}) {
      for (const std::size_t n : {1U, 5U}) {
        const double cell = size / static_cast<double>(n);
        if (!patch_sizes.holds(cell)) {
          continue;
        }
        const Patch patch(PressureGrid{n, n, {corner, corner}, cell, cell, std::vector<double>(n * n, 1.0)});
        EXPECT_NEAR(patch.torque_radius() / size, unit, 1e-13) << size << ' ' << corner;
        EXPECT_NEAR(patch.mean_square_radius() / size / size, 1.0 / 6, 1e-13) << size << ' ' << corner;
        const Wrench w = coulomb_wrench(patch, {0.3 * size, 0, 1});
        const Wrench reference = coulomb_wrench(Patch(PressureGrid{1, 1, {-0.5, -0.5}, 1, 1, {1}}), {0.3, 0, 1});
        EXPECT_NEAR(w.x, reference.x, 1e-12) << size << ' ' << corner;
        EXPECT_NEAR(w.torque / size, reference.torque, 1e-12) << size << ' ' << corner;
        EXPECT_NEAR(slip(patch, {1, 0, 0.5 * size}, 1).factor,
                    slip(Patch(PressureGrid{1, 1, {-0.5, -0.5}, 1, 1, {1}}), {1, 0, 0.5}, 1).factor, 1e-11);
      }
    }
  }
}

TEST(PlanarRange, OfFrictionIsRefusedBeyondItsEnds) {
  for (const auto& field : friction_fields) {
    const auto with = [&](double value) {
      Friction friction = preset::waltersson_p1();
      friction.*field.member = value;
      if (field.member == &Friction::coulomb) {
        friction.static_level = clip(2 * value, field.range.low, field.range.high);
      }
      if (field.member == &Friction::static_level) {
        friction.coulomb = clip(value / 2, field.range.low, field.range.high);
      }
      return check(friction);
    };
    EXPECT_FALSE(with(field.range.low)) << field.name;
    EXPECT_FALSE(with(field.range.high)) << field.name;
    EXPECT_TRUE(with(field.range.high * 1.001)) << field.name;
    EXPECT_TRUE(with(field.range.low > 0 ? field.range.low * 0.999 : -1e-9)) << field.name;
    EXPECT_TRUE(with(nan)) << field.name;
  }
  Friction steep = preset::waltersson_p1();
  steep.static_level = 100 * steep.coulomb;
  EXPECT_FALSE(check(steep));
  steep.static_level *= 1.001;
  EXPECT_STREQ(check(steep)->allowed, "<= 100 coulomb");
}

/// Each parameter at either end, all together: friction stays finite and bounded, in all models and in single
/// precision, at rest, in slow and in fast motion.
TEST(PlanarRange, OfFrictionHoldsAtAllItsEnds) {
  const std::vector<SurfaceTable> tables{SurfaceTable(pad(), 8)};
  const double r = pad().torque_radius();
  const double u = pad().mean_square_radius();
  const std::vector<Twist> twists{{0, 0, 0},   {1e-12, 0, 1e-9}, {1e-3, -2e-3, 0.1}, {0, 0, 5},
                                  {3, 4, 100}, {-1e3, 1, 1e4},   {1e-6, 1e-6, 0}};
  for (unsigned mask = 0; mask < 256; ++mask) {
    Friction f;
    for (std::size_t k = 0; k < friction_fields.size(); ++k) {
      const auto& field = friction_fields[k];
      f.*field.member = (mask >> k & 1U) != 0 ? field.range.high : field.range.low;
    }
    if (f.static_level != f.coulomb) {  // the ends of their quotient
      (f.static_level > f.coulomb ? f.static_level : f.coulomb) = 100 * std::min(f.static_level, f.coulomb);
      f.static_level = std::max(f.static_level, f.coulomb);
      f.coulomb = f.static_level / 100;
    }
    ASSERT_FALSE(check(f)) << mask;
    for (const bool elasto_plastic : {false, true}) {
      f.elasto_plastic = elasto_plastic;
      const auto many = Distributed::make({f, Patch(disc_points(0.01, 2, 5))});
      const auto reduced = Reduced<SurfaceTable>::make({f, pad().pressure_moments(), tables[0]});
      const ReducedBatch batch(tables, std::vector<ReducedBatch::Item>{{f, 0, r, u}});
      const ReducedBatchF batch_f(tables, std::vector<ReducedBatchF::Item>{{f, 0, r, u}});
      std::vector<double> z(many.state_size());
      Reduced<SurfaceTable>::State state;
      std::vector<double> states(3);
      std::vector<double> wrenches(3);
      std::vector<float> states_f(3);
      std::vector<float> wrenches_f(3);
      for (const double dt : {1e-6, 1e-3, 1.0}) {
        for (const Twist& v : twists) {
          const double speed = std::hypot(v.x, v.y) + 0.01 * std::abs(v.spin);
          // σ₀ |z| ≤ μ_S, |dz/dt| ≤ 2 |v| plus what an old deflection adds
          const double bound =
              3 * (f.static_level + 3 * f.damping * speed * (f.static_level / f.coulomb) + f.viscous * speed) + 1e-9;
          const auto expect_bounded = [&](double x, double y, double torque, const char* model) {
            ASSERT_LE(std::abs(x), bound) << model << ' ' << mask;
            ASSERT_LE(std::abs(y), bound) << model << ' ' << mask;
            ASSERT_LE(std::abs(torque), bound) << model << ' ' << mask;
          };
          const Wrench a = many.step(z, v, 1, dt);
          expect_bounded(a.x, a.y, a.torque, "many");
          const auto next = reduced.step(state, v, 1, dt);
          state = next.state;
          expect_bounded(next.wrench.x, next.wrench.y, next.wrench.torque, "reduced");
          batch.step(states, std::vector<double>{v.x, v.y, v.spin}, std::vector<double>{1}, dt, wrenches);
          expect_bounded(wrenches[0], wrenches[1], wrenches[2], "batch");
          batch_f.step(states_f,
                       std::vector<float>{static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.spin)},
                       std::vector<float>{1}, static_cast<float>(dt), wrenches_f);
          expect_bounded(wrenches_f[0], wrenches_f[1], wrenches_f[2], "float");
        }
      }
    }
  }
}

TEST(PlanarRange, OfSoftFingersHoldsAtItsEnds) {
  for (const double k : {0.5, 1000.0}) {
    const SoftFinger finger{.reach = 0.01, .exponent = k};
    EXPECT_FALSE(check(finger));
    const auto model = SoftFingerModel::make(preset::waltersson_p0(), finger, 5);
    const auto next = model.model.step({}, {0.01, 0, 1}, 5, 1);
    EXPECT_LT(next.wrench.x, -1);
    EXPECT_LT(finger.torque_radius(5), finger.radius(5));
    EXPECT_GT(finger.torque_radius(5), 0.1 * finger.radius(5));
  }
  const auto made = [](const SoftFinger& finger) {
    return refusal([&] { return SoftFingerModel::make(preset::waltersson_p0(), finger, 5); });
  };
  EXPECT_EQ(made({.reach = 0.01, .exponent = 0.49}), "exponent = 0.49: must be in [0.5, 1000]");
  EXPECT_EQ(made({.reach = 0.01, .exponent = 1001}), "exponent = 1001: must be in [0.5, 1000]");
  EXPECT_EQ(made({.reach = 0.01, .exponent = 2, .largest = nan}), "largest = nan: must be > 0, or inf");
  EXPECT_EQ(made({.reach = 1e-13, .exponent = 2}), "reach = 1e-13: must be in [1e-12, 1e6]");
  EXPECT_EQ(made({.reach = 0.01, .exponent = 0.1, .per_newton = true}), "accepted");   // k from 0.5 to 0.5
  EXPECT_EQ(made({.reach = 0.01, .exponent = 1000, .per_newton = true}), "accepted");  // k from 0.5 to 1000
  EXPECT_NE(refusal([] { return soft_finger_pressure(nan, 2); }), "accepted");
  EXPECT_NE(refusal([] { return soft_finger_pressure(1, 0); }), "accepted");
  // Below 0 there is no contact; NaN shows
  const SoftFinger changing{.reach = 0.01, .exponent = 2, .per_newton = true};
  EXPECT_EQ(changing.radius(-8), 0);
  EXPECT_EQ(changing.torque_radius(-8), 0);
  EXPECT_EQ(changing.torque_radius(0), 0);
  EXPECT_TRUE(std::isnan(changing.radius(nan)) && std::isnan(changing.torque_radius(nan)));
  EXPECT_TRUE(std::isnan(changing.mean_square_radius(nan)) && std::isnan(changing.power(nan)));
}

// In a loop ----------------------------------------------------------------------------------------------------------

TEST(PlanarNaN, OfALoadNeitherHoldsNorIsProven) {
  for (const Patch& patch : {pad(), Patch(Points{{0}, {0}, {1}}), Patch(Points{{0, 1}, {0, 0}, {1, 1}})}) {
    for (const Wrench& load : {Wrench{nan, 0, 0}, Wrench{0, nan, 1}, Wrench{1, 0, nan}, Wrench{infinity, 0, 0},
                               Wrench{0, 0, -infinity}, Wrench{infinity, -infinity, 0}}) {
      const Slip s = slip(patch, load, 1);
      EXPECT_TRUE(std::isnan(s.factor) && std::isnan(s.gap) && !s.proven);
      EXPECT_TRUE(std::isnan(s.twist.x) && std::isnan(s.twist.y) && std::isnan(s.twist.spin));
      EXPECT_TRUE(s.slips());
      EXPECT_FALSE(holds(patch, load, 1));
      const Slip e = LimitEllipsoid::of_radius(0.01).slip(load, 1);
      EXPECT_TRUE(std::isnan(e.factor) && !e.proven && e.slips());
    }
    for (const double friction : {nan, infinity, -infinity}) {
      EXPECT_TRUE(std::isnan(slip(patch, {1, 0, 0}, friction).factor));
      EXPECT_FALSE(holds(patch, {1, 0, 0}, friction));
      EXPECT_FALSE(LimitEllipsoid::of_radius(0.01).slip({1, 0, 0}, friction).proven);
      EXPECT_FALSE(LimitEllipsoid::of_radius(0.01).slip({0, 0, 0}, friction).proven);
    }
  }
}

TEST(PlanarLoad, OfAnySizeScalesTheFactor) {
  const double r = pad().torque_radius();
  const double factor = slip(pad(), {1, 0.5, 0.3 * r}, 1).factor;
  const auto ellipsoid = LimitEllipsoid::of_radius(r);
  const double rough = ellipsoid.slip({1, 0.5, 0.3 * r}, 1).factor;
  const Wrench direction = ellipsoid.wrench({1, 0.5, 0.3 / r});
  for (const double size : {1e-300, 1e-200, 1e-100, 1e100, 1e200, 1e300}) {
    EXPECT_NEAR(slip(pad(), {size, 0.5 * size, 0.3 * r * size}, size).factor / factor, 1, 1e-12) << size;
    EXPECT_NEAR(ellipsoid.slip({size, 0.5 * size, 0.3 * r * size}, size).factor / rough, 1, 1e-12) << size;
    const Wrench same = ellipsoid.wrench({size, 0.5 * size, 0.3 / r * size});
    EXPECT_NEAR(same.x, direction.x, 1e-12) << size;
    EXPECT_NEAR(same.torque, direction.torque, 1e-12) << size;
  }
}

TEST(PlanarNaN, OfAPushShows) {
  const Pusher good{{-0.01, 0.002}, {1, 0}, 0.5};
  const auto expect_nan = [](double friction, const Pusher& pusher, const Vector& velocity) {
    const Push push = pushed(pad(), friction, pusher, velocity);
    EXPECT_TRUE(std::isnan(push.twist.x) && std::isnan(push.load.x));
    EXPECT_EQ(push.contact, Contact::parts);
  };
  for (const double bad : {nan, infinity}) {
    expect_nan(bad, good, {1, 0});
    expect_nan(1, good, {bad, 0});
    expect_nan(1, good, {1, -bad});
    expect_nan(1, {{bad, 0}, {1, 0}, 0.5}, {1, 0});
    expect_nan(1, {{0, bad}, {1, 0}, 0.5}, {1, 0});
    expect_nan(1, {{0, 0}, {bad, 0}, 0.5}, {1, 0});
  }
  expect_nan(1, {{0, 0}, {0, 0}, 0.5}, {1, 0});
  expect_nan(1, {{0, 0}, {1, 0}, nan}, {1, 0});
  expect_nan(1, {{0, 0}, {1, 0}, -0.1}, {1, 0});
  EXPECT_EQ(pushed(pad(), 1, good, {1, 0}).contact, Contact::sticks);
}

/// NaN in any one argument, at rest and in motion, for both laws: the wrench shows it.
template <class StepOf>
void expect_nan_shows(const StepOf& step) {
  const std::vector<Twist> twists{{0, 0, 0}, {1e-3, 0, 0}, {0, 0, 1}, {0.1, -0.2, 3}};
  for (const Twist& v : twists) {
    EXPECT_TRUE(shows_somewhere(step(Twist{nan, v.y, v.spin}, 1.0, 1e-3)));
    EXPECT_TRUE(shows_somewhere(step(Twist{v.x, nan, v.spin}, 1.0, 1e-3)));
    EXPECT_TRUE(shows_somewhere(step(Twist{v.x, v.y, nan}, 1.0, 1e-3)));
    EXPECT_TRUE(shows(step(v, nan, 1e-3)));
    EXPECT_TRUE(shows_somewhere(step(v, 1.0, nan)));
  }
}

TEST(PlanarNaN, ShowsInEveryModel) {
  const std::vector<SurfaceTable> tables{SurfaceTable(pad(), 8)};
  for (const bool elasto_plastic : {false, true}) {
    for (const double exponent : {2.0, 1.0}) {
      Friction f = preset::waltersson_p1();
      f.elasto_plastic = elasto_plastic;
      f.stribeck_exponent = exponent;
      const auto of_reduced = [](const auto& model) {
        expect_nan_shows([&](const Twist& v, double force, double dt) { return model.step({}, v, force, dt).wrench; });
        const Twist v{1e-3, 0, 1};
        EXPECT_TRUE(shows_somewhere(model.step({nan, 0, 0}, v, 1, 1e-3).wrench));
        EXPECT_TRUE(shows_somewhere(model.step({0, nan, 0}, v, 1, 1e-3).wrench));
        EXPECT_TRUE(shows_somewhere(model.step({0, 0, nan}, v, 1, 1e-3).wrench));
        auto other = model;
        other.resize(nan, 1e-4);
        EXPECT_TRUE(shows_somewhere(other.step({}, v, 1, 1e-3).wrench));
        other.resize(0.01, nan);
        EXPECT_TRUE(shows_somewhere(other.step({}, v, 1, 1e-3).wrench));
      };
      of_reduced(Reduced<SurfaceTable>::make({f, pad().pressure_moments(), tables[0]}));
      of_reduced(Reduced<Ellipsoid>::make({f, pad().pressure_moments(), {}}));
      of_reduced(Reduced<AngleTable>::make({f, pad().pressure_moments(), AngleTable(pad(), 5)}));
      of_reduced(Reduced<AxisymmetricCurve>::make({f, pad().pressure_moments(), AxisymmetricCurve(pad(), 8)}));
      const auto many = Distributed::make({f, Patch(disc_points(0.01, 3, 7))});
      expect_nan_shows([&](const Twist& v, double force, double dt) {
        std::vector<double> z(many.state_size());
        return many.step(z, v, force, dt);
      });
      for (std::size_t k = 0; k < many.state_size(); ++k) {
        std::vector<double> z(many.state_size());
        z[k] = nan;
        EXPECT_TRUE(shows_somewhere(many.step(z, {1e-3, 0, 1}, 1, 1e-3)));
      }
      const auto of_batch = [&]<class Real>(const BasicReducedBatch<Real>& batch) {
        expect_nan_shows([&](const Twist& v, double force, double dt) {
          std::vector<Real> z(3 * batch.size());
          std::vector<Real> w(3 * batch.size());
          std::vector<Real> twists(3 * batch.size());
          std::vector<Real> forces(batch.size(), Real(1));
          twists[1] = static_cast<Real>(v.x);
          twists[1 + batch.size()] = static_cast<Real>(v.y);
          twists[1 + 2 * batch.size()] = static_cast<Real>(v.spin);
          forces[1] = static_cast<Real>(force);
          batch.step(z, twists, forces, static_cast<Real>(dt), w);
          if (!std::isnan(dt)) {  // and in no other patch
            EXPECT_FALSE(std::isnan(w[0] + w[batch.size()] + w[2 * batch.size()]));
          }
          return Wrench{w[1], w[1 + batch.size()], w[1 + 2 * batch.size()]};
        });
      };
      using Item = ReducedBatch::Item;
      of_batch(ReducedBatch(tables, std::vector<Item>(5, {f, 0, 0.01, 1e-4})));
      of_batch(ReducedBatchF(tables, std::vector<ReducedBatchF::Item>(5, {f, 0, 0.01, 1e-4})));
    }
  }
}

TEST(PlanarNormalForce, BelowZeroIsNoContact) {
  const Twist v{0.01, -0.02, 1};
  const auto model =
      Reduced<SurfaceTable>::make({preset::waltersson_p1(), pad().pressure_moments(), SurfaceTable(pad(), 8)});
  const Wrench none{0, 0, 0};
  EXPECT_EQ(model.step({}, v, -3, 1e-3).wrench, none);
  EXPECT_EQ(model.wrench({1e-7, 0, 0}, v, -3), none);
  const auto many = Distributed::make({preset::waltersson_p1(), pad()});
  std::vector<double> z(many.state_size());
  EXPECT_EQ(many.step(z, v, -3, 1e-3), none);
  EXPECT_EQ(many.wrench(z, v, -3), none);
  const std::vector<SurfaceTable> tables{SurfaceTable(pad(), 8)};
  const ReducedBatch batch(tables, std::vector<ReducedBatch::Item>(2, {preset::waltersson_p1(), 0, 0.01, 1e-4}));
  std::vector<double> states(6);
  std::vector<double> wrenches(6);
  batch.step(states, std::vector<double>(6, 0.01), std::vector<double>{-1, 1}, 1e-3, wrenches);
  EXPECT_EQ(wrenches[0], 0);
  EXPECT_LT(wrenches[1], -0.1);
}

TEST(PlanarNaN, OfANormalForceIsNotKeptByAFrozenStiffness) {
  FrozenStiffness<SurfaceTable> contact(
      Reduced<SurfaceTable>::make({preset::waltersson_p0(), pad().pressure_moments(), SurfaceTable(pad(), 8)}));
  EXPECT_TRUE(contact.press(2));
  const Wrench before = contact.trial({0.01, 0, 0}, 1e-3);
  EXPECT_FALSE(contact.press(nan));
  EXPECT_FALSE(contact.press(infinity));
  EXPECT_EQ(contact.trial({0.01, 0, 0}, 1e-3), before);
  EXPECT_TRUE(contact.press(-1));
  EXPECT_EQ(contact.trial({0.01, 0, 0}, 1e-3), (Wrench{0, 0, 0}));
}

TEST(PlanarNaN, OfAParameterShowsInAFamilyOfSurfaces) {
  auto family = soft_finger_surfaces(1, 4, 3);
  family.select(nan);
  EXPECT_TRUE(std::isnan(family({1, 0, 0.5})[0]));
  family.select(2);
  EXPECT_FALSE(std::isnan(family({1, 0, 0.5})[0]));
  auto one = soft_finger_surfaces(2, 2, 2);
  one.select(nan);
  EXPECT_TRUE(std::isnan(one({1, 0, 0.5})[0]));
  auto model = SoftFingerModel::make(preset::waltersson_p0(), {.reach = 0.01, .exponent = 2}, 5);
  press(model.model, model.finger, nan);
  EXPECT_TRUE(shows_somewhere(model.model.step({}, {0.01, 0, 0}, 1, 1e-3).wrench));
  press(model.model, model.finger, 1);
  EXPECT_FALSE(shows_somewhere(model.model.step({}, {0.01, 0, 0}, 1, 1e-3).wrench));
}

}  // namespace
}  // namespace stiction::planar
