// What runs in a control loop never touches the heap.
#include <gtest/gtest.h>

#include <vector>

#include "stiction/scalar/lugre_batch.h"
#include "support/malloc_guard.h"
#include "support/models.h"
#include "support/random.h"

namespace stiction::scalar {
namespace {

volatile double sink = 0;

void keep(double value) { sink = value; }

template <class Model>
void call_everything(const Model& model, test::Random& random) {
  for (int i = 0; i < 300; ++i) {
    const double v = i % 7 == 0 ? 0.0 : random.sign() * random.log_between(1e-6, 10);
    const double dt = random.log_between(1e-6, 1e-1);
    const double load = random.between(-3, 3);
    auto state = model.advance(model.at_rest(load), v, dt);
    keep(model.force(state, v));
    keep(model.dissipated_power(state, v));
    keep(model.velocity_scale());
    const auto rates = Model::pack(model.rate(state, v));
    state = Model::unpack(Model::pack(state), state);
    keep(rates.empty() ? 0 : rates[0]);
    keep(model.solve(state, v + dt * load, 1, dt, v).force);
    keep(model.solve(state, v + dt * load, 1, dt).force);
    if constexpr (Switching<Model>) {
      keep(model.force(state, v, load));
      keep(model.guards(state, v, load)[0]);
      keep(static_cast<double>(static_cast<int>(model.transition(state, i % 2).mode)));
    }
    if constexpr (requires { model.step(state, v, dt); }) {
      keep(model.step(state, v, dt).force);
      keep(model.energy(state));
    }
  }
}

TEST(RealTime, EveryModelRunsWithoutTheHeap) {
  for_each_model([]<class Model>(std::type_identity<Model>) {
    const Model ordinary = test::example<Model>();
    test::Random random(22);
    EXPECT_EQ(test::heap_calls_in([&] { call_everything(ordinary, random); }), 0) << Model::info.name;
    for (int i = 0; i < 20; ++i) {
      const Model model = Model::make(test::drawn_params<Model>(random));
      EXPECT_EQ(test::heap_calls_in([&] { call_everything(model, random); }), 0) << Model::info.name;
    }
  });
}

TEST(RealTime, CheckingParametersDoesNotNeedTheHeapEither) {
  for_each_model([]<class Model>(std::type_identity<Model>) {
    const typename Model::Params empty{};
    EXPECT_EQ(test::heap_calls_in([&] { keep(Model::check(empty) ? 1 : 0); }), 0) << Model::info.name;
  });
}

TEST(RealTime, BatchStepsWithoutTheHeap) {
  test::Random random(23);
  for (const bool plain_joints : {true, false}) {
    std::vector<LuGre> models;
    for (int i = 0; i < 100; ++i) {
      auto params = test::drawn_params<LuGre>(random);
      if (plain_joints) {
        params.stribeck_exponent = 2;
        params.damping_velocity = infinity;
      }
      models.push_back(LuGre::make(params));
    }
    const LuGreBatch batch(models);
    std::vector<double> bristle(100);
    std::vector<double> velocity(100, 0.01);
    std::vector<double> force(100);
    EXPECT_EQ(test::heap_calls_in([&] {
                batch.step(bristle, velocity, 1e-3, force);
                batch.step(bristle, velocity, 1e-3);
              }),
              0);
  }
}

}  // namespace
}  // namespace stiction::scalar
