// Steps of a body on a line, and all they look at, never touch the heap.
#include <gtest/gtest.h>

#include "stiction/sim/line.h"
#include "support/malloc_guard.h"
#include "support/models.h"

namespace stiction::sim {
namespace {

volatile double sink = 0;

Load rich_load() {
  return {.force = Signal(std::vector<Signal::Term>{Constant{0.1}, Ramp{0, 1, 0, 1}, Ramp{0, 1, 0, 1, true},
                                                    Sine{2, 30}, Steps{{0.1, 0.2}, {1, -1}}, Table{{0, 1}, {0, 1}}}),
          .spring = Spring{.stiffness = 5, .damping = 0.1, .anchor = Sine{0.2, 3}},
          .controller = Pid{.reference = Ramp{0, 1, 0, 1}, .proportional = 2, .integral = 1, .derivative = 0.3}};
}

TEST(RealTime, SignalsAndLoadsAreReadWithoutTheHeap) {
  const Load load = rich_load();
  EXPECT_EQ(test::heap_calls_in([&] {
              for (double t = -0.1; t < 1.5; t += 0.01) {
                sink = load.force.at(t);
                sink = load.force.slope(t);
                sink = load.at(t).at(0.1, 0.2, 0.3);
                sink = load.at(t).error(0.1, 0.2);
                sink = load.time_scale();
              }
            }),
            0);
}

TEST(RealTime, EveryStepOfEveryModelRunsWithoutTheHeap) {
  const Load load = rich_load();
  scalar::for_each_model([&]<class Model>(std::type_identity<Model>) {
    const Model model = test::example<Model>();
    for (const Method method : {Method::backward_euler, Method::sdirk2, Method::explicit_euler,
                                Method::semi_implicit_euler, Method::runge_kutta_4}) {
      EXPECT_EQ(test::heap_calls_in([&] {
                  LineState<Model> y{};
                  for (int i = 0; i < test::affordable<Model>(1000); ++i) {
                    y = fixed_step(method, model, 1, load, i * 1e-3, y, 1e-3).state;
                  }
                  sink = y.position;
                }),
                0)
          << Model::info.name << " method " << static_cast<int>(method);
    }
  });
}

}  // namespace
}  // namespace stiction::sim
