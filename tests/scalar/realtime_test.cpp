// What runs in a control loop never touches the heap.
#include <gtest/gtest.h>

#include <vector>

#include "stiction/scalar/dahl_batch.h"
#include "stiction/scalar/elasto_plastic_batch.h"
#include "stiction/scalar/friction.h"
#include "stiction/scalar/gms_batch.h"
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
  for (int i = 0; i < test::affordable<Model>(300); ++i) {
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
    keep(model.solve(state, {.free_velocity = v + dt * load, .mobility = 1, .velocity = v, .dt = dt}).force);
    if constexpr (Switching<Model>) {
      keep(model.guards(state, v, load)[0]);
      keep(Model::modes(model.transition(state, i % static_cast<int>(Model::guard_count)))[0]);
    }
    if constexpr (requires { model.force(state, v, load); }) {
      keep(model.force(state, v, load));
    }
    keep(model.solve(state, {.free_velocity = v + dt * load, .mobility = 1, .velocity = v, .dt = dt, .load = load})
             .force);
    keep(model.step(state, v, dt).force);
    if constexpr (requires { model.energy(state); }) {
      keep(model.energy(state));
    }
    if constexpr (requires { model.record(state, v); }) {
      keep(model.force(model.record(state, v), v));
    }
    if constexpr (requires { model.steady_state(v); }) {
      keep(model.force(model.steady_state(v), v));
    }
    if constexpr (requires { model.linearised(load); }) {
      keep(model.linearised(1.0).damping_ratio);
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

TEST(RealTime, AnyModelChosenAtRunTimeRunsWithoutTheHeap) {
  for_each_model([]<class Model>(std::type_identity<Model>) {
    Friction any(test::example<Model>());
    EXPECT_EQ(test::heap_calls_in([&] {
                for (int i = 0; i < 100; ++i) {
                  const CoupledStep<double> step{.free_velocity = 0.01, .mobility = 1, .velocity = 0.01, .dt = 1e-3};
                  keep(any.step(0.01, 1e-3) + any.solve(step).force + any.force(0.01, 0.2));
                }
              }),
              0)
        << Model::info.name;
  });
}

TEST(RealTime, CheckingParametersDoesNotNeedTheHeapEither) {
  for_each_model([]<class Model>(std::type_identity<Model>) {
    const typename Model::Params empty{};
    EXPECT_EQ(test::heap_calls_in([&] { keep(Model::check(empty) ? 1 : 0); }), 0) << Model::info.name;
    const auto usual = test::example<Model>().params();
    EXPECT_EQ(test::heap_calls_in([&] { keep(Model::check(usual) ? 1 : Model(usual).velocity_scale()); }), 0)
        << Model::info.name;
  });
}

template <class Model>
std::vector<Model> hundred_joints(test::Random& random, bool plain_joints) {
  std::vector<Model> models;
  for (int i = 0; i < 100; ++i) {
    auto params = test::drawn_params<Model>(random);
    if constexpr (requires { params.stribeck_exponent; }) {
      params.stribeck_exponent = plain_joints ? 2 : params.stribeck_exponent;
    } else {
      params.exponent = plain_joints ? 2 : params.exponent;
    }
    if constexpr (requires { params.damping_velocity; }) {
      params.damping_velocity = plain_joints ? infinity : params.damping_velocity;
    }
    if constexpr (requires { params.share; }) {  // a batch wants the same number of elements
      params.stiffness = preset::table2_gms().params().stiffness;
      params.share = preset::table2_gms().params().share;
    }
    models.push_back(Model::make(params));
  }
  return models;
}

TEST(RealTime, BatchesStepWithoutTheHeap) {
  test::Random random(23);
  std::vector<double> velocity(100, 0.01);
  std::vector<double> force(100);
  for (const bool plain_joints : {true, false}) {
    const auto expect_no_heap = [&]<class Model>(std::type_identity<Model>) {
      const auto models = hundred_joints<Model>(random, plain_joints);
      const Batch<Model> batch(models);
      std::vector<double> state(100);
      EXPECT_EQ(test::heap_calls_in([&] {
                  batch.step(state, velocity, 1e-3, force);
                  batch.step(state, velocity, 1e-3);
                }),
                0)
          << Model::info.name;
    };
    expect_no_heap(std::type_identity<LuGre>{});
    expect_no_heap(std::type_identity<Dahl>{});
    expect_no_heap(std::type_identity<ElastoPlastic>{});

    const GmsBatch batch(hundred_joints<Gms>(random, plain_joints));
    std::vector<double> elements(100 * batch.elements());
    std::vector<std::int32_t> slipping(100);
    EXPECT_EQ(test::heap_calls_in([&] {
                batch.step(elements, slipping, velocity, 1e-3, force);
                batch.step(elements, slipping, velocity, 1e-3);
              }),
              0);
  }
}

}  // namespace
}  // namespace stiction::scalar
