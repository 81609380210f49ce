// What the controllers do in a loop never touches the heap.
#include <gtest/gtest.h>

#include <cmath>

#include "stiction/control/adaptive.h"
#include "stiction/control/any_compensator.h"
#include "stiction/control/dither.h"
#include "stiction/control/encoder.h"
#include "stiction/control/passivity.h"
#include "stiction/control/pid.h"
#include "support/malloc_guard.h"
#include "support/models.h"

namespace stiction::control::realtime_test {
namespace {

volatile double sink = 0;

TEST(RealTime, AWholeCompensatedLoopRunsWithoutTheHeap) {
  const auto model = test::table2_lugre();
  const auto encoder = Encoder::make({.counts = 20000});
  auto estimator = VelocityEstimator::make({.corner = 300});
  auto pid = Pid::make({.proportional = 6, .integral = 60, .derivative = 0.2, .max_output = 1});
  auto plain = pid;
  auto observer = LuGreObserver::make(model, {.gain = 0.05});
  auto adaptive = AdaptiveCompensator::make(model, {.mass = 0.0023, .adaptation = 300, .gain = 0.05});
  auto over_a_turn = BasicAdaptiveCompensator<double, HarmonicRegressor<double>>::make(
      model, {.mass = 0.0023, .adaptation = 300, .gain = 0.05});
  auto coulomb = CoulombCompensator::make(scalar::preset::table2_coulomb(), {.saturation_velocity = 0.005});
  auto stribeck = StribeckCompensator::make(scalar::preset::table2_stribeck(), {.saturation_velocity = 0.005});
  auto sine = SineDither::make({.amplitude = 0.1, .period = 0.01});
  auto square = SquareDither::make({.amplitude = 0.1, .period = 0.01});
  auto knocker = Knocker::make({.amplitude = 0.1, .period = 0.01, .width = 1e-3});
  EXPECT_EQ(test::heap_calls_in([&] {
              double u = 0;
              for (int i = 0; i < 1000; ++i) {
                const double position = i % 100 == 99 ? NAN : encoder.read(std::sin(0.01 * i));
                const double v = estimator.step(position, 1e-3);
                const double friction = observer.step(v, 0.01, 1e-3) + adaptive.step(v, 0.01, u, 1e-3) +
                                        over_a_turn.step(v, position, 0.01, u, 1e-3) + coulomb.step(v, 1e-3) +
                                        stribeck.step(v, 1e-3);
                u = pid.step(0.1, v, friction, 1e-3) + plain.step(0.1, 1e-3);
                sink = u + sine.step(1e-3) + square.step(1e-3) + knocker.step(u, 1e-3);
              }
              sink = positive_real(servo_loop(model, 0.0023, pid.params)).real_part;
              sink = servo_conditions(model, 0.0023, pid.params).passive() ? 1 : 0;
            }),
            0);
}

TEST(RealTime, ACompensatorFromAnyModelRunsWithoutTheHeap) {
  scalar::for_each_model([]<class Model>(std::type_identity<Model>) {
    const scalar::AnyModel model = test::example<Model>();
    EXPECT_EQ(test::heap_calls_in([&] {
                AnyCompensator compensator(model, {.saturation_velocity = 1e-4});
                for (int i = 0; i < 100; ++i) {
                  sink = compensator.step(0.01 * std::sin(0.1 * i), 1e-3);
                }
              }),
              0)
        << Model::info.name;
  });
}

}  // namespace
}  // namespace stiction::control::realtime_test
