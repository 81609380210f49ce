// A normal load multiplies all forces of a model: given per newton, they follow the contact as it is pressed and let
// go.
#include <gtest/gtest.h>

#include <cmath>

#include "stiction/scalar/registry.h"
#include "stiction/sim/line.h"
#include "support/models.h"

namespace stiction::sim::normal_load_test {
namespace {

constexpr std::array every_method{Method::cvode,          Method::sdirk2,
                                  Method::backward_euler, Method::semi_implicit_euler,
                                  Method::explicit_euler, Method::runge_kutta_4};
constexpr std::array coupled_methods{Method::cvode, Method::sdirk2, Method::backward_euler};

const scalar::Coulomb dry({.coulomb_force = 0.5});
const scalar::Stiction sticky({.coulomb_force = 0.5, .static_force = 0.8});

/// Parameters with every force, stiffness and damping `factor` times as large.
template <class Params>
Params scaled(Params p, double factor) {
  const auto times = [&](double& value) { value *= factor; };
  if constexpr (requires { p.coulomb_force; }) times(p.coulomb_force);
  if constexpr (requires { p.static_force; }) times(p.static_force);
  if constexpr (requires { p.viscous; }) times(p.viscous);
  if constexpr (requires { p.force_1; }) times(p.force_1);
  if constexpr (requires { p.force_2; }) times(p.force_2);
  if constexpr (requires { p.damping; }) times(p.damping);
  if constexpr (requires { p.attraction; }) times(p.attraction);
  if constexpr (requires { p.stiffness.values; }) {
    for (double& value : p.stiffness.values) {
      times(value);
    }
  } else if constexpr (requires { p.stiffness; }) {
    times(p.stiffness);
  }
  if constexpr (requires { p.limit; }) {
    for (double& value : p.limit.values) {
      times(value);
    }
  }
  return p;
}

template <class Model>
void expect_scales(const Model& model) {
  const Model stronger(scaled(model.params(), 4));
  const Body body{.mass = 0.01, .velocity = 0.3};
  Load load{.force = Sine{1.5, 5}, .spring = Spring{.stiffness = 2}};
  Load pressed = load;
  pressed.normal = 4.0;
  for (const Method method : every_method) {
    SCOPED_TRACE(std::string(Model::info.name) + " " + name_of(method));
    const bool gentle = method == Method::cvode || method == Method::sdirk2 || method == Method::backward_euler;
    const Options options{.method = method,
                          .duration = 2,
                          .output_interval = 0.02,
                          .step = gentle ? 1e-3 : 1e-4,
                          .relative_tolerance = 1e-10};
    const auto expected = simulate(stronger, body, load, options);
    const auto run = simulate(model, body, pressed, options);
    ASSERT_EQ(run.time.size(), expected.time.size());
    const double tolerance = method == Method::cvode ? 1e-6 : 1e-11;
    for (std::size_t i = 0; i < run.time.size(); ++i) {
      ASSERT_NEAR(run.position[i], expected.position[i], tolerance) << run.time[i];
      ASSERT_NEAR(run.velocity[i], expected.velocity[i], tolerance) << run.time[i];
      ASSERT_NEAR(run.friction[i], expected.friction[i], 10 * tolerance) << run.time[i];
    }
  }
}

TEST(NormalLoad, AConstantOneIsAModelWithAllForcesScaled) {
  namespace preset = scalar::preset;
  expect_scales(preset::table2_coulomb());
  expect_scales(preset::table2_stiction());
  expect_scales(preset::table2_stribeck());
  expect_scales(preset::table2_dahl());
  expect_scales(preset::table2_bliman_sorine_2());
  expect_scales(preset::olsson_table2());
  expect_scales(preset::table2_elasto_plastic());
  expect_scales(preset::table2_reset_integrator());
  expect_scales(preset::table2_gms());
  expect_scales(preset::table2_leuven());
  expect_scales(preset::table2_tanh());
}

TEST(NormalLoad, ThatRisesStopsABodyAtTheAnalyticTimeAndPlace) {
  // m v' = −μ (a + b t):  v = v₀ − μ (a t + b t²/2)/m
  const double rate = 2;
  const double stop = (-1 + std::sqrt(1 + 2 * rate * 2 * 3 / 0.5)) / rate;  // a = 1, m = 2, v₀ = 3
  const double place = 3 * stop - 0.5 / 2 * (stop * stop / 2 + rate * stop * stop * stop / 6);
  for (const Method method : coupled_methods) {
    const auto run = simulate(dry, {.mass = 2, .velocity = 3}, {.normal = Ramp{1, 1 + rate * 10, 0, 10}},
                              {.method = method, .duration = 5, .output_interval = 1e-2, .step = 1e-4});
    const double tolerance = method == Method::cvode ? 1e-7 : 1e-3;
    EXPECT_NEAR(run.position.back(), place, tolerance) << name_of(method);
    for (std::size_t i = 0; i < run.time.size(); ++i) {
      const double t = run.time[i];
      const double v = t < stop ? 3 - 0.5 / 2 * (t + rate * t * t / 2) : 0;
      ASSERT_NEAR(run.velocity[i], v, tolerance) << t;
      if (t > stop + 1e-3) {
        ASSERT_EQ(run.velocity[i], 0) << "held";
        ASSERT_EQ(run.friction[i], 0) << "nothing pushes";
      } else if (t < stop - 1e-3) {
        ASSERT_NEAR(run.friction[i], 0.5 * (1 + rate * t), 1e-9) << t;
      }
    }
  }
}

TEST(NormalLoad, ThatFallsLetsAStuckBodyBreakAwayAtTheRightTime) {
  // Held until 0.8 N(t) = 0.6, N = 2 − t/2
  const double away = 2 * (2 - 0.6 / 0.8);
  const Load load{.force = 0.6, .normal = Ramp{2, 0, 0, 4}};
  const auto position_after = [&](double time) {
    return simulate(sticky, {.mass = 1}, load, {.duration = time, .output_interval = time}).position.back();
  };
  EXPECT_EQ(position_after(away - 1e-6), 0);
  EXPECT_GT(position_after(away + 1e-6), 0);
  for (const Method method : coupled_methods) {
    const auto run =
        simulate(sticky, {.mass = 1}, load, {.method = method, .duration = 4, .output_interval = 1e-2, .step = 1e-4});
    for (std::size_t i = 0; i < run.time.size(); ++i) {
      const double t = run.time[i];
      if (t < away - 1e-9) {
        ASSERT_EQ(run.position[i], 0) << t;
        ASSERT_NEAR(run.friction[i], 0.6, 1e-15) << t;
      } else if (t > away + 1e-3) {
        // m v' = 0.6 − 0.5 (2 − t/2)
        const double v = -0.4 * (t - away) + 0.125 * (t * t - away * away);
        ASSERT_NEAR(run.velocity[i], v, method == Method::cvode ? 1e-7 : 1e-3) << name_of(method) << " " << t;
        ASSERT_NEAR(run.friction[i], 0.5 * (2 - t / 2), 1e-4);
      }
    }
  }
}

TEST(NormalLoad, OfNothingReleasesABodyWithAnyModel) {
  // Pressed by 10 N, then not at all
  scalar::for_each_model([]<class Model>(std::type_identity<Model>) {
    const Model model = test::example<Model>();
    for (const Method method : coupled_methods) {
      SCOPED_TRACE(std::string(Model::info.name) + " " + name_of(method));
      const Options options{.method = method, .duration = 1, .output_interval = 0.1, .step = 1e-3};
      const auto run = simulate(model, {.mass = 2}, {.force = 0.3, .normal = Steps{{0.0, 0.45}, {10, 0}}}, options);
      ASSERT_FALSE(run.diverged);
      const std::size_t start = 5;
      for (std::size_t i = start; i < run.time.size(); ++i) {
        const double since = run.time[i] - run.time[start];
        ASSERT_NEAR(run.velocity[i], run.velocity[start] + 0.3 / 2 * since, 1e-9) << run.time[i];
        ASSERT_EQ(run.friction[i], 0);
      }
    }
  });
}

TEST(NormalLoad, OfNothingOrLessFromTheStartIsABodyWithoutFriction) {
  for (const Method method : every_method) {
    for (const double nothing : {0.0, -5.0}) {
      for (const auto& push : {Signal(0.5), Signal(Ramp{0, 1, 0, 2})}) {
        const auto run = simulate(sticky, {.mass = 2}, {.force = push, .normal = nothing},
                                  {.method = method, .duration = 1, .output_interval = 0.1, .step = 1e-4});
        ASSERT_FALSE(run.diverged) << name_of(method);
        for (std::size_t i = 0; i < run.time.size(); ++i) {
          const double t = run.time[i];
          ASSERT_NEAR(run.velocity[i], (push.at(0) > 0 ? 0.5 * t : t * t / 4) / 2, 1e-4) << name_of(method) << " " << t;
          ASSERT_EQ(run.friction[i], 0);
        }
      }
    }
  }
}

TEST(NormalLoad, ScalesTheFrictionUnderAnImposedVelocity) {
  const auto lugre = test::table2_lugre();
  const Signal velocity(Sine{0.02, 3});
  const Signal normal(std::vector<Signal::Term>{Constant{2}, Sine{3, 5}});  // below zero at times
  for (const Method method : {Method::cvode, Method::midpoint}) {
    const Options options{.method = method, .duration = 3, .output_interval = 0.01};
    const auto plain = drive(lugre, velocity, options);
    const auto pressed = drive(lugre, velocity, options, {}, normal);
    ASSERT_EQ(plain.time.size(), pressed.time.size());
    int free = 0;
    for (std::size_t i = 0; i < plain.time.size(); ++i) {
      const double factor = std::max(0.0, 2 + 3 * std::sin(5 * plain.time[i]));
      free += factor == 0 ? 1 : 0;
      ASSERT_NEAR(pressed.friction[i], factor * plain.friction[i], 1e-7);
      ASSERT_NEAR(pressed.states[0][i], plain.states[0][i], 1e-10) << "the bristle is that per newton";
      ASSERT_EQ(pressed.load[i], pressed.friction[i]);
    }
    EXPECT_GT(free, 30);
  }
  // Steady sliding: N(t) g(v)
  const auto sliding =
      drive(lugre, 0.05, {.duration = 2, .output_interval = 0.1}, lugre.steady_state(0.05), Ramp{0, 4, 0, 2});
  for (std::size_t i = 0; i < sliding.time.size(); ++i) {
    EXPECT_NEAR(sliding.friction[i], 2 * sliding.time[i] * lugre.steady_force(0.05), 1e-9);
  }
}

TEST(NormalLoad, AJumpIsMetExactlyUnderAnImposedVelocityToo) {
  const auto run = drive(dry, 0.1, {.duration = 1, .output_interval = 0.25}, {}, Steps{{0.0, 0.3, 0.6}, {1, 5, 0}});
  const std::vector<double> expected{0.5, 0.5, 2.5, 0, 0};
  ASSERT_EQ(run.friction.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(run.friction[i], expected[i]) << run.time[i];
  }
}

TEST(NormalLoad, IsPartOfWhatALoadTellsTheSolver) {
  const Load load{.force = Sine{1, 2}, .normal = Signal(std::vector<Signal::Term>{Sine{1, 50}, Steps{{0.3}, {2}}})};
  EXPECT_EQ(load.time_scale(), Signal(Sine{1, 50}).time_scale());
  EXPECT_EQ(load.breakpoints(1), std::vector<double>{0.3});
  EXPECT_NEAR(load.at(0.4).normal, 2 + std::sin(20), 1e-15);
}

TEST(NormalLoad, ThatIsNotANumberIsRefused) {
  const Signal broken(Steps{{0.0, 0.5}, {1, std::nan("")}});
  const Load load{.force = 2.0, .normal = broken};
  const auto lugre = test::table2_lugre();
  EXPECT_THROW(simulate(lugre, {.mass = 1}, load, {.method = Method::sdirk2}), InvalidParameter);
  EXPECT_THROW(simulate(lugre, {.mass = 1}, load, {.method = Method::runge_kutta_4}), InvalidParameter);
  EXPECT_THROW(simulate(lugre, {.mass = 1}, load, {}), InvalidParameter);
  EXPECT_THROW(drive(lugre, 0.01, {.method = Method::midpoint}, {}, broken), InvalidParameter);
  EXPECT_THROW(drive(lugre, 0.01, {}, {}, broken), InvalidParameter);
}

TEST(NormalLoad, HoldsABristleThatIsPressedHarderWhereItIs) {
  // Pressed ten times as hard, the same load bends the LuGre bristle a tenth as far: the body springs back.
  const auto lugre = test::standard_lugre();
  const Load load{.force = 0.5, .normal = Ramp{1, 10, 0.5, 1.5, true}};
  for (const Method method : coupled_methods) {
    const auto run = simulate(lugre, {.mass = 1}, load, {.method = method, .duration = 3, .output_interval = 0.1});
    EXPECT_NEAR(run.states[0].back(), 0.05 / 1e5, 1e-10) << name_of(method);
    EXPECT_NEAR(run.friction.back(), 0.5, 1e-6) << name_of(method);
  }
}

}  // namespace
}  // namespace stiction::sim::normal_load_test
