// The early schemes and the coupled joints never touch the heap either.
#include <gtest/gtest.h>

#include <cmath>

#include "stiction/control/asymmetric.h"
#include "stiction/control/bliman_sorine_features.h"
#include "stiction/control/mrac_coulomb.h"
#include "stiction/control/path_compensator.h"
#include "stiction/scalar/presets.h"
#include "stiction/sim/two_link_arm.h"
#include "support/malloc_guard.h"

namespace stiction::control {
namespace {

volatile double sink = 0;

TEST(RealTime, EarlySchemesRunWithoutTheHeap) {
  const auto mrac = MracCoulomb::make({.inertia = 1, .bandwidth = 10, .coulomb_gain = 50, .saturation_velocity = 1e-3});
  const auto asymmetric =
      AsymmetricCompensator::make({.coulomb_plus = 1, .coulomb_minus = 2, .saturation_velocity = 1e-3});
  const auto identifier =
      AsymmetricIdentifier::make({.inertia = 1, .min_velocity = 0.01, .filter_time = 0.01, .memory = 10});
  const auto path = DahlPathCompensator::make(scalar::preset::table2_dahl(), {.dead_band = 1e-4});
  const auto second = BlimanSorinePathCompensator::make(scalar::preset::table2_bliman_sorine_2(), {});
  EXPECT_EQ(test::heap_calls_in([&] {
              MracCoulomb::State adapted;
              auto learned = identifier.start();
              DahlPathCompensator::State along;
              BlimanSorinePathCompensator::State along_second;
              for (int i = 0; i < 1000; ++i) {
                const double v = i % 100 == 99 ? NAN : std::sin(0.02 * i);
                const auto out = mrac.step(adapted, 0.5, v, 1e-3);
                adapted = out.state;
                learned = identifier.step(learned, out.force, v, 1e-3);
                along = path.step(along, 0.01 * v).state;
                along_second = second.step(along_second, 0.01 * v).state;
                sink = asymmetric.force(v, learned.friction()) + along.path + along_second.path;
              }
            }),
            0);
}

TEST(RealTime, AnArmAndItsFrictionStepWithoutTheHeap) {
  const auto arm = sim::TwoLinkArm::make({.length_1 = 0.4,
                                          .mass_1 = 2,
                                          .centre_1 = 0.2,
                                          .inertia_1 = 0.03,
                                          .mass_2 = 1,
                                          .centre_2 = 0.15,
                                          .inertia_2 = 0.01,
                                          .gravity = 9.81});
  const std::array joints{scalar::preset::table2_lugre_fading(), scalar::preset::table2_lugre_fading()};
  EXPECT_EQ(test::heap_calls_in([&] {
              sim::ArmState<scalar::LuGre> state;
              for (int i = 0; i < 1000; ++i) {
                state = sim::step(arm, joints, state, {8 * std::sin(0.01 * i), 2}, 1e-3).state;
              }
              sink = state.position[0];
            }),
            0);
}

TEST(RealTime, FeaturesOfALoopAreFoundWithoutTheHeap) {
  std::array<double, 1000> position{};
  std::array<double, 1000> force{};
  for (std::size_t i = 0; i < position.size(); ++i) {
    position[i] = std::sin(0.02 * static_cast<double>(i));
    force[i] = std::cos(0.02 * static_cast<double>(i));
  }
  EXPECT_EQ(test::heap_calls_in([&] { sink = identify_bliman_sorine(position, force).settling_ratio; }), 0);
}

}  // namespace
}  // namespace stiction::control
