// The one call that every model offers: v⁺ = v_free − mobility·dt·F with F in the law at the new state.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "support/every_model.h"
#include "support/random.h"
#include "support/states.h"

namespace stiction::scalar::coupled_step_test {
namespace {

using test::Random;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double epsilon = std::numeric_limits<double>::epsilon();

test::Move random_move(Random& random) {
  return {random.sign() * random.log_between(1e-6, 1), random.log_between(1e-6, 1e-1)};
}

template <class Model>
typename Model::State random_state(const Model& model, Random& random, double velocity) {
  return test::reachable_state(model, velocity, [&] { return random_move(random); });
}

using Step = CoupledStep<double>;

/// A velocity that is often zero, and the state of a body that has it.
template <class Model>
std::pair<typename Model::State, double> random_motion(const Model& model, Random& random) {
  const double meant = random.unit() < 0.3 ? 0.0 : random.sign() * random.log_between(1e-6, 1);
  const auto state = random_state(model, random, meant);
  return {state, test::possible_velocity(model, state, meant)};
}

/// Steps that slide on, stop, stick and turn.
template <class Model>
Step random_step(const Model& model, Random& random, double velocity) {
  Step step{};
  step.mobility = random.log_between(1e-2, 1e2);
  step.dt = random.log_between(1e-5, 1e-1);
  step.velocity = velocity;
  const double friction = model.force(model.advance({}, 1, 1e9), 1);
  step.free_velocity = velocity + step.mobility * step.dt * friction * random.between(-2, 2);
  return step;
}

/// Models that multiply another one's force.
template <class Model>
concept LoadScaled = requires(const Model& model) {
  model.load_factor(0.0) * model.unloaded.force({}, 0.0);
};

/// The force at the new velocity w, by the model's own implicit step where it has one.
template <class Model>
double force_at(const Model& model, const typename Model::State& before, const Step& step, double w) {
  if constexpr (requires { model.implicit(before, w, step.dt); }) {
    return model.implicit(before, w, step.dt).force;
  } else {
    return model.force(before, w);
  }
}

template <LoadScaled Model>
double force_at(const Model& model, const typename Model::State& before, const Step& step, double w) {
  const double load = load_of_step(step);
  return model.load_factor(load) * force_at(model.unloaded, before, step, w);
}

/// Karnopp's velocity jumps by so much when the body stops or breaks away.
template <class Model>
double largest_jump(const Model& model) {
  if constexpr (requires { model.params().zero_velocity; }) {
    return model.params().zero_velocity;
  } else {
    return 0;
  }
}

/// How well the force is known; a film is solved by iteration.
template <class Model>
constexpr double noise = std::is_same_v<Model, JournalBearing> ? 1e-9 : epsilon;

/// How much the force changes when the state and the velocity are rounded a few times.
template <class Model>
double rounding_of_force(const Model& model, const typename Model::State& state, double velocity) {
  const double force = model.force(state, velocity);
  const double nudge = 8 * epsilon * std::abs(velocity);
  double spread = 8 * epsilon * std::abs(force) + std::abs(model.force(state, velocity + nudge) - force) +
                  std::abs(model.force(state, velocity - nudge) - force);
  const auto values = Model::pack(state);
  for (std::size_t i = 0; i < states_in_use(model); ++i) {
    const double rounded = values[i] + 8 * epsilon * std::max(std::abs(values[i]), model.typical()[i]);
    spread += std::abs(model.force(test::with_number<Model>(state, i, rounded), velocity) - force);
  }
  return spread;
}

/// v⁺ = v_free − mobility·dt·F, as well as a velocity that is rounded allows.
template <class Model>
void expect_equation(const Model& model, const typename Model::State& before, const Step& step,
                     const Solved<typename Model::State, double>& after) {
  const double gain = step.mobility * step.dt;
  const double residual = after.velocity - (step.free_velocity - gain * after.force);
  const double speeds = std::abs(step.free_velocity) + std::abs(step.velocity);
  const double nudge = after.velocity == 0 ? 0 : epsilon * (2 * std::abs(after.velocity) + speeds);
  const double spread = std::abs(force_at(model, before, step, after.velocity + nudge) -
                                 force_at(model, before, step, after.velocity - nudge)) +
                        rounding_of_force(model, after.state, after.velocity) +
                        4 * noise<Model> * (std::abs(after.force) + std::abs(model.force(before, after.velocity)));
  const bool jumps = largest_jump(model) > 0 && !test::same_mode<Model>(before, after.state);
  ASSERT_TRUE(jumps || std::abs(residual) <= nudge + gain * spread + 4 * noise<Model> * speeds)
      << residual << " allowed " << nudge + gain * spread << " at " << speeds << " force " << after.force;
}

/// The force is that of the law at the new state and velocity.
template <class Model>
void expect_force_in_law(const Model& model, const Step&, const Solved<typename Model::State, double>& after) {
  if constexpr (Sticking<Model>) {
    // At rest the law takes any load up to break-away, and so this one; else it does not look at it.
    ASSERT_NEAR(model.force(after.state, after.velocity, after.force), after.force,
                4 * epsilon * std::abs(after.force));
  } else {
    ASSERT_NEAR(after.force, model.force(after.state, after.velocity),
                rounding_of_force(model, after.state, after.velocity));
  }
}
template <LoadScaled Model>
void expect_force_in_law(const Model& model, const Step& step, const Solved<typename Model::State, double>& after) {
  const double load = load_of_step(step);
  const double factor = model.load_factor(load);
  if constexpr (Sticking<Model>) {
    expect_force_in_law(model.unloaded, step, {after.force / factor, after.velocity, after.state});
  } else {
    ASSERT_NEAR(after.force, model.force(after.state, after.velocity, load), 4 * epsilon * std::abs(after.force));
  }
}

/// state⁺ = state + dt·rate(state⁺, v⁺), as well as rounding of state⁺ and v⁺ allows.
template <class Model>
void expect_implicit_euler(const Model& model, const typename Model::State& before, const Step& step,
                           const Solved<typename Model::State, double>& after) {
  const auto residual = [&](const typename Model::State& next, double w) {
    auto values = Model::pack(next);
    const auto start = Model::pack(before);
    const auto rate = Model::pack(model.rate(next, w));
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = (values[i] - start[i]) - step.dt * rate[i];
    }
    return values;
  };
  const auto off = residual(after.state, after.velocity);
  const auto values = Model::pack(after.state);
  auto allowed = Model::pack(before);
  for (std::size_t i = 0; i < allowed.size(); ++i) {
    allowed[i] = 4 * epsilon * (std::abs(allowed[i]) + std::abs(values[i]));
  }
  const auto allow = [&](const auto& rounded) {
    for (std::size_t i = 0; i < allowed.size(); ++i) {
      allowed[i] += std::abs(rounded[i] - off[i]);
    }
  };
  allow(residual(after.state, after.velocity * (1 + 8 * epsilon)));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double rounding = 8 * epsilon * std::max(std::abs(values[i]), model.typical()[i]);
    allow(residual(test::with_number<Model>(after.state, i, values[i] + rounding), after.velocity));
    allow(residual(test::with_number<Model>(after.state, i, values[i] - rounding), after.velocity));
  }
  for (std::size_t i = 0; i < states_in_use(model); ++i) {
    ASSERT_LE(std::abs(off[i]), allowed[i]) << "state " << i;
  }
}

/// LuGre's implicit bristle and its force at the new velocity, in extended precision.
void expect_in_law(const LuGre& model, const LuGre::State& before, const Step& step,
                   const Solved<LuGre::State, double>& after) {
  const auto p = model.params();
  const long double w = after.velocity;
  const long double g = p.coulomb_force + (static_cast<long double>(p.static_force) - p.coulomb_force) *
                                              std::exp(-std::pow(std::abs(w / p.stribeck_velocity),
                                                                 static_cast<long double>(p.stribeck_exponent)));
  const long double pull = p.stiffness * std::abs(w) / g;
  const long double z = (before.bristle + step.dt * w) / (1 + step.dt * pull);
  const long double rate = (w - pull * before.bristle) / (1 + step.dt * pull);  // (z − z before) / dt, not cancelled
  const long double fade = std::isinf(p.damping_velocity) ? 1 : std::exp(-square(w / p.damping_velocity));
  const long double force = p.stiffness * z + p.damping * fade * rate + p.viscous * w;
  const double scale = p.static_force + p.damping * std::abs(after.velocity) + p.viscous * std::abs(after.velocity);
  ASSERT_NEAR(after.state.bristle, static_cast<double>(z), 8 * epsilon * p.static_force / p.stiffness);
  ASSERT_NEAR(after.force, static_cast<double>(force), 32 * epsilon * scale);
}

/// Dahl's  u + k u^α = w,  u = 1 − F⁺ sgn(v⁺)/F_C, in extended precision: near F_C the state cannot resolve u.
void expect_in_law(const Dahl& model, const Dahl::State& before, const Step& step,
                   const Solved<Dahl::State, double>& after) {
  const auto& p = model.params();
  const long double direction = sgn(after.velocity);
  const long double w = 1 - direction * before.force / p.coulomb_force;
  const long double k = static_cast<long double>(p.stiffness) * std::abs(after.velocity) * step.dt / p.coulomb_force;
  long double low = 0;
  long double high = w;
  for (int i = 0; i < 70; ++i) {
    const long double u = (low + high) / 2;
    (u + k * std::pow(u, static_cast<long double>(p.exponent)) < w ? low : high) = u;
  }
  const long double expected = direction == 0 ? before.force : direction * p.coulomb_force * (1 - low);
  ASSERT_NEAR(after.state.force, static_cast<double>(expected), 8 * epsilon * p.coulomb_force);
  ASSERT_EQ(after.force, after.state.force);
}

void expect_in_law(const LoadDependentDahl& model, const Dahl::State& before, const Step& step,
                   const Solved<Dahl::State, double>& after) {
  expect_force_in_law(model, step, after);
  expect_in_law(model.unloaded, before, step, {after.state.force, after.velocity, after.state});
}

/// Armstrong: the state remembers one velocity more than the force has seen, so only its limits are known.
void expect_in_law(const Armstrong& model, const Armstrong::State& before, const Step& step,
                   const Solved<Armstrong::State, double>& after) {
  if (after.state.mode == Mode::stick) {
    expect_force_in_law(model, step, after);
  } else {
    const auto& p = model.params();
    const double sliding = sgn(after.velocity) * after.force - p.viscous * std::abs(after.velocity);
    ASSERT_GE(sliding, p.coulomb_force * (1 - 4 * epsilon));
    ASSERT_LE(sliding, (p.coulomb_force + p.static_excess) * (1 + 4 * epsilon));
  }
  if (test::same_mode<Armstrong>(before, after.state)) {
    expect_implicit_euler(model, before, step, after);
  }
}

/// Leuven: implicit Euler in z, with the elements that slip held at their limits. The law's own kinks are there.
void expect_in_law(const Leuven& model, const Leuven::State& before, const Step& step,
                   const Solved<Leuven::State, double>& after) {
  expect_force_in_law(model, step, after);
  const auto& p = model.params();
  const double direction = sgn(after.velocity);
  const double way = std::abs(after.velocity) * step.dt;
  long double hysteresis = 0;
  for (const double force : after.state.force) {
    hysteresis += force;
  }
  const long double y = direction * hysteresis / model.curve(after.velocity);
  const long double strength = std::pow(std::abs(y), static_cast<long double>(p.exponent));
  const long double deflection = direction * way * (1 - (y < 0 ? -strength : strength));
  for (std::size_t i = 0; i < p.stiffness.size; ++i) {
    const long double next = before.force[i] + p.stiffness[i] * deflection;
    const double rounding = 64 * epsilon * (p.limit[i] + p.stiffness[i] * way * p.exponent);
    ASSERT_NEAR(after.state.force[i], clip(static_cast<double>(next), -p.limit[i], p.limit[i]), rounding) << i;
  }
}

template <class Model>
void expect_in_law(const Model& model, const typename Model::State& before, const Step& step,
                   const Solved<typename Model::State, double>& after) {
  const bool same_mode = test::same_mode<Model>(before, after.state);
  if (same_mode || largest_jump(model) == 0) {
    expect_force_in_law(model, step, after);
  }
  if (same_mode && after.velocity != 0) {
    expect_implicit_euler(model, before, step, after);
  }
}

template <class Model>
class CoupledStepOf : public testing::Test {};
TYPED_TEST_SUITE(CoupledStepOf, test::EveryModel, test::ModelNames);

TYPED_TEST(CoupledStepOf, SolvesItsEquation) {
  using Model = TypeParam;
  Random random(9);
  const int cases = test::affordable<Model>(20'000);
  int stuck = 0;
  for (int i = 0; i < cases; ++i) {
    SCOPED_TRACE("case " + std::to_string(i));
    const Model model = Model::make(test::drawn_params<Model>(random));
    const auto [before, velocity] = random_motion(model, random);
    const Step step = random_step(model, random, velocity);
    const auto after = model.solve(
        before,
        {.free_velocity = step.free_velocity, .mobility = step.mobility, .velocity = step.velocity, .dt = step.dt});
    expect_equation(model, before, step, after);
    expect_in_law(model, before, step, after);
    ASSERT_FALSE(testing::Test::HasFatalFailure());
    stuck += after.velocity == 0 ? 1 : 0;
  }
  if constexpr (Sticking<Model>) {
    if (Model::held({})) {
      EXPECT_GT(stuck, cases / 10);
      EXPECT_LT(stuck, cases - cases / 10);
    }
  }
}

TYPED_TEST(CoupledStepOf, WithoutMobilityKeepsTheFreeVelocity) {
  using Model = TypeParam;
  Random random(10);
  for (int i = 0; i < test::affordable<Model>(2'000); ++i) {
    const Model model = Model::make(test::drawn_params<Model>(random));
    const auto [state, velocity] = random_motion(model, random);
    ASSERT_EQ(model.solve(state, {.free_velocity = velocity, .mobility = 0, .velocity = velocity, .dt = 1e-3}).velocity,
              velocity);
  }
}

TEST(CoupledStep, AtRestWithoutLoadStaysAtRest) {
  for_each_model([]<class Model>(std::type_identity<Model>) {
    const auto after = test::example<Model>().solve({}, {.free_velocity = 0, .mobility = 1, .velocity = 0, .dt = 1e-3});
    EXPECT_EQ(after.velocity, 0) << Model::info.name;
    EXPECT_EQ(after.force, 0) << Model::info.name;
    EXPECT_TRUE(after.state == test::mirrored<Model>(after.state) || !test::IsOdd<Model>::value) << Model::info.name;
    EXPECT_TRUE(test::same_mode<Model>(after.state, {})) << Model::info.name;
  });
}

TEST(CoupledStep, HandsNanOnFromEveryInput) {
  for_each_model([]<class Model>(std::type_identity<Model>) {
    const Model model = test::example<Model>();
    Random random(11);
    for (const double v : {0.0, 0.3, -0.3, 1e-6, -1e-6}) {
      for (int repeat = 0; repeat < 20; ++repeat) {
        const auto state = repeat == 0 ? model.advance({}, v, 0) : random_state(model, random, v);
        const auto expect_nan = [&](const auto& after, const std::string& input) {
          ASSERT_TRUE(std::isnan(after.velocity)) << Model::info.name << " " << input << " v " << v;
          ASSERT_TRUE(std::isnan(after.force)) << Model::info.name << " " << input << " v " << v;
        };
        expect_nan(model.solve(state, {.free_velocity = nan, .mobility = 1, .velocity = v, .dt = 1e-2}),
                   "free velocity");
        expect_nan(model.solve(state, {.free_velocity = v + 0.01, .mobility = nan, .velocity = v, .dt = 1e-2}),
                   "mobility");
        expect_nan(model.solve(state, {.free_velocity = 0, .mobility = nan, .velocity = v, .dt = 1e-2}),
                   "mobility, at rest");
        expect_nan(model.solve(state, {.free_velocity = v + 0.01, .mobility = 1, .velocity = v, .dt = nan}), "dt");
        expect_nan(model.solve(state, {.free_velocity = v + 0.01, .mobility = 1, .velocity = nan, .dt = 1e-2}),
                   "velocity");
        for (std::size_t i = 0; i < states_in_use(model); ++i) {
          const std::string name = Model::state_names[i];
          if (!test::is_even(name)) {
            expect_nan(model.solve(test::with_number<Model>(state, i, nan),
                                   {.free_velocity = v + 0.01, .mobility = 1, .velocity = v, .dt = 1e-2}),
                       name);
          }
        }
        if (testing::Test::HasFatalFailure()) {
          return;
        }
      }
    }
  });
}

/// Whether a number in the state is NaN, or the force that follows from it.
template <class Model>
bool shows_nan(const Model& model, const typename Model::State& state, double velocity) {
  const auto values = Model::pack(state);
  return std::any_of(values.begin(), values.end(), [](double x) { return std::isnan(x); }) ||
         std::isnan(model.force(state, velocity));
}

TEST(Advance, HandsNanOnFromEveryInput) {
  for_each_model([]<class Model>(std::type_identity<Model>) {
    const Model model = test::example<Model>();
    Random random(12);
    for (int i = 0; i < 200; ++i) {
      const double v = random.sign() * random.log_between(1e-6, 1);
      const auto state = random_state(model, random, v);
      ASSERT_TRUE(shows_nan(model, model.advance(state, nan, 1e-2), nan)) << Model::info.name;
      if (Model::order > 0) {
        ASSERT_TRUE(shows_nan(model, model.advance(state, v, nan), v)) << Model::info.name;
      }
      for (std::size_t k = 0; k < states_in_use(model); ++k) {
        const auto bad = test::with_number<Model>(state, k, nan);
        ASSERT_TRUE(shows_nan(model, model.advance(bad, v, 1e-2), v)) << Model::info.name << " state " << k;
      }
    }
  });
}

TEST(CoupledStep, ForceHandsNanOn) {
  for_each_model([]<class Model>(std::type_identity<Model>) {
    const Model model = test::example<Model>();
    EXPECT_TRUE(std::isnan(model.force(model.advance({}, 0.1, 0), nan))) << Model::info.name;
    EXPECT_TRUE(std::isnan(model.force({}, nan))) << Model::info.name;
    EXPECT_TRUE(std::isnan(model.dissipated_power({}, nan))) << Model::info.name;
    const typename Model::State resting{};
    if constexpr (requires { model.force(resting, 0, nan); }) {
      EXPECT_TRUE(std::isnan(model.force(resting, 0, nan))) << Model::info.name;
      EXPECT_TRUE(std::isnan(model.force(model.advance({}, 0.1, 0), nan, 1))) << Model::info.name;
    }
  });
}

TEST(CoupledStep, SurvivesExtremeInputs) {
  for_each_model([]<class Model>(std::type_identity<Model>) {
    const Model model = test::example<Model>();
    for (const double free : {-1e6, -1e-12, 1e-300, 1e6}) {
      for (const double mobility : {1e-12, 1e6}) {
        for (const double dt : {1e-12, 1e3}) {
          const auto after = model.solve(model.advance({}, free, 0),
                                         {.free_velocity = free, .mobility = mobility, .velocity = free, .dt = dt});
          EXPECT_TRUE(std::isfinite(after.velocity) && std::isfinite(after.force))
              << Model::info.name << " " << free << " " << mobility << " " << dt;
          EXPECT_LE(std::abs(after.velocity), (std::abs(free) + largest_jump(model)) * (1 + 1e-12)) << Model::info.name;
        }
      }
    }
  });
}

}  // namespace
}  // namespace stiction::scalar::coupled_step_test
