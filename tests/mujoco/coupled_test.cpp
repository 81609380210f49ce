// The engine-free half of the bridge: joints against sim::solve_joints, a patch against its own equation.
#include "coupled.h"

#include <gtest/gtest.h>

#include "stiction/planar/shapes.h"
#include "stiction/scalar/presets.h"
#include "stiction/sim/coupled_joints.h"

namespace stiction::integrations {
namespace {

namespace preset = scalar::preset;

TEST(CoupledJoints, AreWhatTheLibrarysSweepsGive) {
  const auto lugre = preset::olsson_table2();
  CoupledJoints joints({lugre, lugre});
  const sim::JointMatrix<2> w{{{400, -150}, {-150, 300}}};
  const std::array<double, 4> by_rows{400, -150, -150, 300};
  std::array<scalar::LuGre::State, 2> states{};
  std::array<double, 2> velocity{};
  std::array<double, 2> force{};
  for (int i = 0; i < 500; ++i) {
    const std::array<double, 2> torque{0.004 * i, 0.1 * (i % 7)};
    std::array<double, 2> free{};
    for (std::size_t k = 0; k < 2; ++k) {
      free[k] = velocity[k] + 1e-3 * (w[k][0] * torque[0] + w[k][1] * torque[1]);
    }
    const auto expected = sim::solve_joints<2, scalar::LuGre>({lugre, lugre}, states, free, w, 1e-3, velocity);
    joints.step(free, by_rows, velocity, 1e-3, force);
    for (std::size_t k = 0; k < 2; ++k) {
      EXPECT_NEAR(force[k], expected.force[k], 1e-9) << i;
      EXPECT_NEAR(joints.joint(k).state(0), expected.state[k].bristle, 1e-12);
      velocity[k] = expected.velocity[k];
    }
    states = expected.state;
  }
  EXPECT_GT(velocity[0], 0.1);  // it has broken away
}

TEST(CoupledJoints, HoldALoadWithoutMotion) {
  CoupledJoints joints({preset::table2_stribeck()});
  std::array<double, 1> force{};
  for (int i = 0; i < 1000; ++i) {
    joints.step(std::array{1e-3 * 400 * 0.3}, std::array{400.0}, std::array{0.0}, 1e-3, force);
    EXPECT_DOUBLE_EQ(force[0], 0.3);
  }
  joints.rest_under(std::array{0.1});
  EXPECT_EQ(joints.size(), 1U);
}

TEST(CoupledPatch, MeetsItsEquation) {
  const planar::Patch patch(planar::paper::square());
  const auto make = [&] {
    return planar::Reduced<planar::SurfaceTable>::make(planar::preset::waltersson_p1(), patch,
                                                       planar::SurfaceTable(patch));
  };
  CoupledPatch contact(make());
  const auto model = make();
  const CoupledPatch::Matrix3 a{{{2, 0.3, 1}, {0.3, 1.5, -2}, {1, -2, 9000}}};
  planar::Reduced<planar::SurfaceTable>::State z;
  for (int i = 0; i < 300; ++i) {
    const planar::Twist free{1e-4 * i, 2e-5 * (i % 11), 0.01 * (i % 5)};
    const auto w = contact.step(free, a, 3, 1e-3);
    EXPECT_LT(contact.residual(), 1e-9) << i;
    // The same wrench from the plain step at the twist that the equation gives
    const planar::Twist after{free.x + 1e-3 * (a[0][0] * w.x + a[0][1] * w.y + a[0][2] * w.torque),
                              free.y + 1e-3 * (a[1][0] * w.x + a[1][1] * w.y + a[1][2] * w.torque),
                              free.spin + 1e-3 * (a[2][0] * w.x + a[2][1] * w.y + a[2][2] * w.torque)};
    const auto plain = model.step(z, after, 3, 1e-3);
    z = contact.state();
    EXPECT_NEAR(plain.wrench.x, w.x, 2e-5) << i;
    EXPECT_NEAR(plain.wrench.y, w.y, 2e-5) << i;
    EXPECT_NEAR(plain.wrench.torque, w.torque, 2e-7) << i;
  }
}

TEST(CoupledPatch, HasNoFrictionWithoutContact) {
  const planar::Patch patch(planar::paper::square());
  CoupledPatch contact(
      planar::Reduced<planar::SurfaceTable>::make(planar::preset::waltersson_p1(), patch, planar::SurfaceTable(patch)));
  EXPECT_EQ(contact.step({1, 0, 0}, {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, 0, 1e-3), planar::Wrench{});
}

}  // namespace
}  // namespace stiction::integrations
