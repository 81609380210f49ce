// Same input, same bits: on every machine, at every SIMD level, in every build with the same arithmetic, whatever the
// number of threads.
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

#include "stiction/scalar/lugre_batch.h"
#include "stiction/sim/line.h"
#include "support/models.h"

namespace stiction::sim {
namespace {

/// FNV-1a over the bytes of every number, lowest first.
class Hash {
 public:
  void add(std::uint64_t word) {
    for (unsigned shift = 0; shift < 64; shift += 8) {
      value_ = (value_ ^ ((word >> shift) & 0xffU)) * 0x100000001b3U;
    }
  }
  void add(double number) { add(std::bit_cast<std::uint64_t>(number)); }
  void add(const std::vector<double>& column) {
    for (const double number : column) {
      add(number);
    }
  }
  [[nodiscard]] std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325U;
};

/// Straight lines, a spring and a controller: nothing here calls the C library's sine, whose bits differ by machine.
Load load() {
  return {.force = Table{{0, 0.3, 0.9, 1.6, 2}, {0, 2.5, -2.5, 1.2, 0}},
          .spring = Spring{.stiffness = 20, .damping = 0.3, .anchor = Ramp{0, 0.2, 0, 2}},
          .controller = Pid{.reference = Steps{{0.5}, {0.1}}, .proportional = 3, .integral = 1, .derivative = 0.1}};
}

template <class Model>
std::uint64_t trajectory_hash(const Model& model, Method method, double duration = 2) {
  const auto run = simulate(model, {.mass = 0.5, .velocity = 0.02}, load(),
                            {.method = method, .duration = duration, .output_interval = 1e-2, .step = 1e-4});
  Hash hash;
  for (const auto* column : {&run.time, &run.position, &run.velocity, &run.friction, &run.load}) {
    hash.add(*column);
  }
  for (const auto& column : run.states) {
    hash.add(column);
  }
  return hash.value();
}

std::uint64_t batch_hash(std::size_t first) {
  std::vector<scalar::LuGre> models;
  std::vector<double> bristle;
  std::vector<double> velocity;
  for (std::size_t i = first; i < first + 101; ++i) {
    const double x = static_cast<double>(i);
    models.push_back(scalar::LuGre::make({.stiffness = 100 + 7 * x,
                                          .damping = 0.3 + x / 64,
                                          .coulomb_force = 1 + x / 100,
                                          .static_force = 1.5 + x / 50,
                                          .stribeck_velocity = 1e-3 * (1 + x / 16),
                                          .viscous = x / 300}));
    bristle.push_back(0);
    velocity.push_back((x - 200) / 1024);
  }
  const scalar::LuGreBatch batch(models);
  std::vector<double> force(models.size());
  Hash hash;
  for (int step = 0; step < 100; ++step) {
    batch.step(bristle, velocity, 1e-3, force);
    hash.add(bristle);
    hash.add(force);
    for (double& v : velocity) {
      v = step % 10 == 9 ? -v : v * 0.96875;
    }
  }
  return hash.value();
}

using Jobs = std::vector<std::function<std::uint64_t()>>;
constexpr std::array fixed_steps{Method::backward_euler, Method::sdirk2, Method::explicit_euler,
                                 Method::semi_implicit_euler, Method::runge_kutta_4};

/// Models that need +, −, ×, /, √ and `decay` alone: the others call the C library's pow, log or tanh.
Jobs portable_jobs() {
  Jobs all;
  const auto add_model = [&](const auto& model) {
    for (const Method method : fixed_steps) {
      all.push_back([model, method] { return trajectory_hash(model, method); });
    }
  };
  add_model(scalar::Coulomb::make({.coulomb_force = 1, .viscous = 0.2}));
  add_model(scalar::Viscous::make({.viscous = 0.7}));
  add_model(scalar::Stiction::make({.coulomb_force = 1, .static_force = 1.4, .viscous = 0.2}));
  add_model(scalar::Stribeck::make({.coulomb_force = 1, .static_force = 1.4, .stribeck_velocity = 0.01}));
  add_model(scalar::AsymmetricStribeck::make({1, 1.4, 0.01, 2, 0.1, 0.8, 1.2, 0.02, 2, 0.2}));
  add_model(test::table2_lugre());
  auto fading = test::table2_lugre().params();
  fading.damping_velocity = 0.1;
  add_model(scalar::LuGre::make(fading));
  add_model(scalar::Tabulated::make({.speed = {0, 0.1, 1}, .force = {1, 0.7, 1.2}, .static_force = 1.4}));
  add_model(scalar::Karnopp::make({.coulomb_force = 1, .static_force = 1.4, .zero_velocity = 1e-3}));
  add_model(scalar::Armstrong::make({.stiffness = 1e3,
                                     .coulomb_force = 1,
                                     .static_excess = 0.4,
                                     .stribeck_velocity = 0.01,
                                     .lag = 5e-3,
                                     .dwell_time = 0.1}));
  add_model(scalar::Dahl::make({.stiffness = 1e3, .coulomb_force = 1}));
  add_model(scalar::Dahl::make({.stiffness = 1e3, .coulomb_force = 1, .exponent = 2}));
  add_model(scalar::HaessigBristle::make({.stiffness = 50, .largest_bend = 1e-3, .bristles = 20}));
  add_model(scalar::ResetIntegrator::make({.stiffness = 1e3, .largest_deflection = 1e-3, .stiction = 0.4}));
  add_model(scalar::BlimanSorine2::make({.force_1 = 2, .force_2 = 1, .ratio = 0.1, .distance = 1e-2}));
  add_model(scalar::BlimanSorine::make({.a = {-100, 50, -50, -100}, .b = {80, 30}, .c = {1, 1}}));
  add_model(scalar::ElastoPlastic::make(
      {.stiffness = 1e3, .damping = 1, .coulomb_force = 1, .static_force = 1.4, .stribeck_velocity = 0.01}));
  add_model(scalar::Gms::make({.stiffness = {800, 400, 200},
                               .share = {0.2, 0.3, 0.5},
                               .attraction = 20,
                               .coulomb_force = 1,
                               .static_force = 1.4,
                               .stribeck_velocity = 0.01}));
  for (const std::size_t first : {0U, 101U, 202U, 303U}) {
    all.push_back([first] { return batch_hash(first); });
  }
  return all;
}

/// Every registered model for a short time.
Jobs all_jobs() {
  Jobs all;
  scalar::for_each_model([&]<class Model>(std::type_identity<Model>) {
    for (const Method method : fixed_steps) {
      all.push_back([method] { return trajectory_hash(test::example<Model>(), method, 0.1); });
    }
  });
  return all;
}

std::uint64_t hash_with_threads(const Jobs& all, std::size_t count) {
  std::vector<std::uint64_t> results(all.size());
  std::vector<std::thread> threads;
  for (std::size_t thread = 0; thread < count; ++thread) {
    threads.emplace_back([&, thread] {
      for (std::size_t i = thread; i < all.size(); i += count) {
        results[i] = all[i]();
      }
    });
  }
  for (auto& thread : threads) {
    thread.join();
  }
  Hash hash;
  for (const auto result : results) {
    hash.add(result);
  }
  return hash.value();
}

// Native builds use fused multiply-add where the processor has it (math.h), so there are two right answers.
#if defined(STICTION_FUSED)
constexpr std::uint64_t expected_hash = 0x4ff126656c28b2fcU;
#else
constexpr std::uint64_t expected_hash = 0xbb25c6a88cf85f17U;
#endif

TEST(Determinism, FixedStepsAndBatchGiveTheStoredBits) {
  const auto hash = hash_with_threads(portable_jobs(), 1);
  EXPECT_EQ(hash, expected_hash) << std::hex << hash;
}

TEST(Determinism, FourThreadsGiveTheSameBitsAsOne) {
  EXPECT_EQ(hash_with_threads(portable_jobs(), 4), hash_with_threads(portable_jobs(), 1));
  EXPECT_EQ(hash_with_threads(all_jobs(), 4), hash_with_threads(all_jobs(), 1));
}

TEST(Determinism, AccurateSolverRepeatsItself) {
  const auto run = [] { return trajectory_hash(test::table2_lugre(), Method::cvode); };
  EXPECT_EQ(run(), run());
}

}  // namespace
}  // namespace stiction::sim
