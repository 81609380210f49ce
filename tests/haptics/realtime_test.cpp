// Cycles of the haptic loop, without the heap.
#include <gtest/gtest.h>

#include <cmath>

#include "haptics/random_pose.h"
#include "haptics/small_scenes.h"
#include "support/malloc_guard.h"

namespace stiction::haptics {
namespace {

TEST(Haptics, CyclesCallNoHeap) {
  test::Random random(61);
  for (const bool switched : {false, true}) {
    for (const double mass : {0.0, 0.1}) {
      RenderParams params;
      params.mass = mass;
      params.most_contacts = 60;  // fewer than there are
      Renderer renderer =
          test::cube_on(test::corner_shell(), 0.5, params, Separation::pulled,
                        switched ? make_switched_friction(60, 8) : make_cone_program(60));
      const double at = test::cube_half;
      std::size_t most = 0;
      const long calls = test::heap_calls_in([&] {
        renderer.place({{at, at, at}, no_turn});
        for (int i = 0; i < 500; ++i) {
          const double in = 0.004 * std::sin(0.02 * i);
          Pose hand{{at - in, at - in, at - 0.5 * in}, rotation_by({0.1 * in, 0, 0.3})};
          if (i % 50 == 49) {
            hand.position[0] = NAN;
          }
          most = std::max(most, renderer.step(hand).touching);
        }
        for (int i = 0; i < 200; ++i) {
          renderer.step(test::random_pose(random, 0.05));
        }
        most = std::max(most, renderer.contact_count());
      });
      EXPECT_EQ(calls, 0);
      EXPECT_GT(most, 60U);
    }
  }
  static_assert(noexcept(std::declval<Renderer&>().step({})));
}

}  // namespace
}  // namespace stiction::haptics
