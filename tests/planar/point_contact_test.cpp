// A contact in one point, or in several at one place: friction without a lever, in every model.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "stiction/planar/distributed.h"
#include "stiction/planar/ellipsoid.h"
#include "stiction/planar/reduced.h"
#include "stiction/planar/reduced_batch.h"
#include "stiction/planar/shapes.h"
#include "stiction/planar/slip.h"
#include "stiction/sim/planar_steps.h"

namespace stiction::planar {
namespace {

/// Ways to touch in one point.
std::vector<Patch> point_contacts() {
  std::vector<Patch> patches;
  patches.emplace_back(Points{{0}, {0}, {1}});
  patches.emplace_back(Points{{0.3}, {-0.1}, {7}});
  patches.emplace_back(Points{{0.1, 0.1, 0.1}, {0.7, 0.7, 0.7}, {1, 1, 1}});   // at one place; 0.1 has no end in base 2
  patches.emplace_back(Points{{0.1 + 0.2, 0.3}, {0, 0}, {1, 2}});              // the same but for rounding
  patches.emplace_back(Points{{0.2, 0.4, -5}, {0.1, 3, -900}, {0, 1e-3, 0}});  // one with weight among others
  patches.emplace_back(Points{{1e6, 1e6}, {-1e6, -1e6}, {1, 3}});              // far away
  return patches;
}

Friction friction(bool elasto_plastic) {
  Friction friction = preset::waltersson_p0();
  friction.elasto_plastic = elasto_plastic;
  return friction;
}

TEST(PointContact, HasNoLever) {
  for (const Patch& patch : point_contacts()) {
    EXPECT_EQ(patch.radius(), 0);
    EXPECT_EQ(patch.torque_radius(), 0);
    EXPECT_EQ(patch.mean_square_radius(), 0);
    EXPECT_EQ(coulomb_wrench(patch, {0, 0, 3}), (Wrench{0, 0, 0}));
    const Wrench w = coulomb_wrench(patch, {3, 4, 100});
    EXPECT_NEAR(w.x, -0.6, 1e-15);
    EXPECT_NEAR(w.y, -0.8, 1e-15);
    EXPECT_NEAR(w.torque, 0, 1e-15);
    const Point still = forceless_centre_of_rotation(patch);
    EXPECT_EQ(still, (Point{0, 0}));
  }
}

/// Sliding for long: μ_C f_N against the motion, and no torque, whatever the spin.
template <class Model, class StepOf>
void expect_full_friction(const Model& model, const StepOf& step, double tolerance) {
  for (const double spin : {0.0, 2.0, -500.0}) {
    for (double angle = 0.1; angle < 6.3; angle += 0.7) {
      const Twist twist{0.02 * std::cos(angle), 0.02 * std::sin(angle), spin};
      const Wrench w = step(model, twist);
      EXPECT_NEAR(w.x, -3 * std::cos(angle), 3 * tolerance) << spin;
      EXPECT_NEAR(w.y, -3 * std::sin(angle), 3 * tolerance) << spin;
      EXPECT_NEAR(w.torque, 0, 1e-15);
    }
  }
}
template <class Surface>
void expect_full_friction_of(const Reduced<Surface>& model, double tolerance) {
  expect_full_friction(
      model,
      [](const Reduced<Surface>& m, const Twist& twist) {
        typename Reduced<Surface>::State z;
        Wrench w;
        for (int k = 0; k < 200; ++k) {
          const auto next = m.step(z, twist, 3, 1e-3);
          z = next.state;
          w = next.wrench;
        }
        return w;
      },
      tolerance);
}

TEST(PointContact, SlidesWithAllItsFrictionOnEverySurface) {
  for (const Patch& patch : point_contacts()) {
    for (const bool elasto_plastic : {false, true}) {
      const Friction f = friction(elasto_plastic);
      // Tables are straight between directions: 4 % short of a circle with 7 cells, 0.1 % with 24
      expect_full_friction_of(Reduced<SurfaceTable>::make({f, patch.pressure_moments(), SurfaceTable(patch)}), 4e-3);
      expect_full_friction_of(Reduced<SurfaceTable>::make({f, patch.pressure_moments(), SurfaceTable(patch, 7)}), 4e-2);
      expect_full_friction_of(Reduced<AngleTable>::make({f, patch.pressure_moments(), AngleTable(patch)}), 4e-3);
      expect_full_friction_of(Reduced<Ellipsoid>::make({f, patch.pressure_moments(), {}}), 1e-9);
      expect_full_friction_of(Reduced<AxisymmetricCurve>::make({f, patch.pressure_moments(), AxisymmetricCurve(patch)}),
                              1e-9);
      expect_full_friction(
          Distributed::make({f, patch}),
          [](const Distributed& m, const Twist& twist) {
            std::vector<double> z(m.state_size());
            Wrench w;
            for (int k = 0; k < 200; ++k) {
              w = m.step(z, twist, 3, 1e-3);
            }
            return w;
          },
          1e-9);
    }
  }
}

TEST(PointContact, InABatchIsTheModelOneByOne) {
  const Patch patch(Points{{0}, {0}, {1}});
  const std::vector<SurfaceTable> tables{SurfaceTable(patch)};
  const auto model = Reduced<SurfaceTable>::make({friction(true), patch.pressure_moments(), tables[0]});
  const std::vector<ReducedBatch::Item> items(3, {friction(true), 0, 0, 0});
  const ReducedBatch batch(tables, items);
  std::vector<double> states(9);
  std::vector<double> wrenches(9);
  Reduced<SurfaceTable>::State z;
  for (int k = 0; k < 100; ++k) {
    const Twist twist{1e-3 * std::cos(0.1 * k), 2e-3 * std::sin(0.1 * k), 30};
    const std::vector<double> twists{twist.x, twist.x, twist.x, twist.y, twist.y, twist.y, twist.spin, twist.spin, 0};
    batch.step(states, twists, std::vector<double>(3, 2.0), 1e-3, wrenches);
    const auto next = model.step(z, twist, 2, 1e-3);
    z = next.state;
    EXPECT_NEAR(wrenches[1], next.wrench.x, 1e-11);
    EXPECT_NEAR(wrenches[4], next.wrench.y, 1e-11);
    EXPECT_EQ(wrenches[7], 0);
  }
}

TEST(PointContact, SlipsAtItsFrictionAndSpinsFreely) {
  for (const Patch& patch : point_contacts()) {
    EXPECT_NEAR(slip(patch, {0.6, 0.8, 0}, 0.5).factor, 0.5, 1e-15);
    EXPECT_EQ(slip(patch, {0.6, 0.8, 1e-9}, 0.5).factor, 0);
    EXPECT_THROW((void)fitted_ellipsoid(patch), InvalidParameter);
  }
}

TEST(PointContact, StopsABody) {
  for (const Patch& patch : point_contacts()) {
    const auto model = Reduced<SurfaceTable>::make({friction(true), patch.pressure_moments(), SurfaceTable(patch)});
    const Point to_middle{-patch.centre_of_pressure().x, -patch.centre_of_pressure().y};
    sim::PlanarSteps<sim::ReducedContact<SurfaceTable>> body(
        {.mass = 1, .inertia = 1e-3, .carried = true, .at = to_middle}, {model});
    body.velocity = {0.1, 0, 5};
    for (int k = 0; k < 100; ++k) {
      body.step({{}, 10}, 1e-3);
      ASSERT_LE(body.error(), 1e-9);
    }
    EXPECT_NEAR(body.velocity.x, 0, 1e-6);
    EXPECT_NEAR(body.velocity.spin, 5, 1e-6);                // nothing turns it
    EXPECT_NEAR(body.position.x, 0.1 * 0.1 / 2 / 10, 1e-4);  // v²/(2 μ g)
  }
}

}  // namespace
}  // namespace stiction::planar
