#include "stiction/planar/frozen_stiffness.h"

#include <gtest/gtest.h>

#include "stiction/planar/distributed.h"
#include "stiction/planar/shapes.h"

namespace stiction::planar {
namespace {

Reduced<SurfaceTable> lugre() {
  Friction friction = preset::waltersson_p1();
  friction.elasto_plastic = false;
  const Patch patch(paper::square());
  return Reduced<SurfaceTable>::make({friction, patch.pressure_moments(), SurfaceTable(patch)});
}

TEST(FrozenStiffness, EqualsTheAmendedModelAtAConstantLoad) {
  const auto amended = lugre();
  FrozenStiffness<SurfaceTable> frozen(amended);
  Reduced<SurfaceTable>::State z;
  for (int k = 0; k < 200; ++k) {
    const Twist twist{1e-3 * std::sin(0.05 * k), 2e-4, 0.1};
    frozen.press(3);
    const auto next = amended.step(z, twist, 3, 1e-4);
    z = next.state;
    const Wrench w = frozen.step(twist, 1e-4);
    ASSERT_NEAR(w.x, next.wrench.x, 1e-12);
    ASSERT_NEAR(w.torque, next.wrench.torque, 1e-14);
  }
}

TEST(FrozenStiffness, ForceStaysWhileItSticksAndTheLoadChanges) {
  FrozenStiffness<SurfaceTable> contact(lugre());
  contact.press(5);
  contact.step({1e-4, 0, 0}, 1e-3);  // 1e-7 m: a tenth of what it takes to slide
  const double held = contact.trial({}, 1e-3).x;
  for (const double force : {5.0, 4.0, 3.0, 9.0}) {
    contact.press(force);
    EXPECT_DOUBLE_EQ(contact.trial({}, 1e-3).x, held) << force;
  }
  EXPECT_NEAR(held, -0.5, 0.03);  // σ0 z f_N, less what LuGre bristles creep
}

TEST(FrozenStiffness, SlidingForceFollowsTheLoad) {
  FrozenStiffness<SurfaceTable> contact(lugre());
  for (const double force : {5.0, 2.0, 7.0}) {
    double x = 0;
    for (int k = 0; k < 100; ++k) {
      contact.press(force);
      x = contact.step({0.05, 0, 0}, 1e-3).x;
    }
    EXPECT_NEAR(x, -force * (1 + 0.2 * 0.05), 1e-6 * force);
  }
}

TEST(FrozenStiffness, LiftsOffAndTouchesAgain) {
  FrozenStiffness<SurfaceTable> contact(lugre());
  contact.press(5);
  contact.step({0.05, 0, 0}, 1e-3);
  contact.press(0);
  EXPECT_EQ(contact.step({0.05, 0, 1}, 1e-3), (Wrench{}));
  contact.press(1);
  EXPECT_LT(contact.step({0.05, 0, 0}, 1e-3).x, -0.5);
}

TEST(BoundedEuler, KeepsBristlesWithinTheirLargestDeflection) {
  const Patch patch(paper::square(5));
  const auto model = Distributed::make({preset::waltersson_p1(), patch});
  const auto reduced = lugre();
  std::vector<double> z(model.state_size());
  Reduced<SurfaceTable>::State three;
  for (int k = 0; k < 50; ++k) {
    model.euler_step(z, {0.05, 0.02, 3}, 1, 1e-4, true);
    three = reduced.euler_step(three, {0.05, 0.02, 3}, 1, 1e-4, true).state;
    for (std::size_t i = 0; i < model.size(); ++i) {
      ASSERT_LE(std::hypot(z[i], z[model.size() + i]), 1.2e-6 * (1 + 1e-12));
    }
    ASSERT_LE(std::hypot(three.x, three.y), 1.2e-6 * (1 + 1e-12));
  }
  // Without the bound they leave it
  model.euler_step(z, {0.05, 0.02, 3}, 1, 1e-4);
  const std::size_t lower_left = model.size() - 5;
  EXPECT_GT(std::hypot(z[lower_left], z[model.size() + lower_left]), 1.2e-6);
}

}  // namespace
}  // namespace stiction::planar
