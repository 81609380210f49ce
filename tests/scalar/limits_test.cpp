// Every model at the ends of its parameters' ranges, and with inputs that are extreme or make no sense.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "stiction/scalar/coupled.h"
#include "support/random.h"
#include "support/states.h"

namespace stiction::scalar::limits_test {
namespace {

using test::Random;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double epsilon = std::numeric_limits<double>::epsilon();

template <class Model>
typename Model::State random_state(const Model& model, Random& random, double velocity) {
  return test::reachable_state(model, velocity, [&] {
    return test::Move{random.sign() * random.log_between(1e-6, 1), random.log_between(1e-6, 1e-1)};
  });
}

// The ends of the ranges ----------------------------------------------------------------------------------------------

std::array<double, 2> ends_of(const Range& range) {
  return {range.low_allowed ? range.low : std::nextafter(range.low, infinity),
          range.high_allowed ? range.high : std::nextafter(range.high, 0)};
}

/// The parameters that a field is bound to, moved along with it: those that tests/support/models.h names, and where
/// that is not enough those of the same unit.
template <class Model, class Field>
void move_partners(typename Model::Params& params, const Field& moved, double factor) {
  const auto multiply = [&](const auto& field) {
    double& value = params.*field.member;
    value = std::clamp(value * factor, field.range.low, field.range.high);
  };
  if (const auto [times, base] = test::relation_of<Model>(moved.name); base != nullptr) {
    multiply(*base);
  }
  for (const auto& field : Model::fields) {
    if (const auto [times, base] = test::relation_of<Model>(field.name); base != nullptr && base->name == moved.name) {
      multiply(field);
    }
  }
  if constexpr (requires { params.zero_velocity; }) {  // Karnopp's F_S ≥ F(DV)
    const double viscous = std::exchange(params.viscous, 0);
    const double room = params.static_force - Model(params).sliding_force(params.zero_velocity);
    params.viscous = std::min(viscous, 0.9 * room / params.zero_velocity);
  }
  if constexpr (requires { params.limit; }) {  // Leuven's ΣW ≥ F_S
    const double missing = params.static_force / sum_of(params.limit);
    for (double& limit : params.limit.values) {
      limit *= std::max(1.0, missing);
    }
  }
  if constexpr (requires { params.contact_onset; }) {
    params.contact_stiffness = std::max(params.contact_stiffness, 2 * params.load / square(1 - params.contact_onset));
  }
  if constexpr (std::is_same_v<Model, Tabulated>) {
    params.force.values[0] = std::min(params.force.values[0], params.static_force);
  }
  for (const auto& field : Model::fields) {
    const bool is_other = std::string_view(field.name) != moved.name && std::string_view(field.unit) == moved.unit;
    if (is_other && Model::check(params)) {
      multiply(field);
    }
  }
}

/// Ends that the range of another parameter makes impossible.
template <class Model>
bool is_reachable(const char* field, double end) {
  const std::string_view name = field;
  if constexpr (Geared<Model>) {
    return !(name == "stribeck_velocity" && end == infinity);  // where friction falls with speed
  }
  return !std::is_same_v<Model, BlimanSorine2> ||  // force_1 > force_2
         !((name == "force_1" && end < 1) || (name == "force_2" && end > 1));
}

/// Calls f(params, text) with each number of a model at each end of its range.
template <class Model, class F>
void at_every_end(const F& f) {
  const auto usual = test::drawn_params<Model>([](const test::Interval& i) { return std::sqrt(i.low * i.high); });
  for (const auto& field : Model::fields) {
    for (const double end : ends_of(field.range)) {
      auto params = usual;
      params.*field.member = end;
      move_partners<Model>(params, field, end / (usual.*field.member));
      const std::string text = std::string(Model::info.name) + "." + field.name + " = " + std::to_string(end);
      if (!is_reachable<Model>(field.name, end)) {
        continue;
      }
      ASSERT_FALSE(Model::check(params)) << text << ": " << Model::check(params)->field
                                         << ", which needs a row in relations of tests/support/models.h";
      f(params, text);
    }
  }
  if constexpr (requires { Model::integers; }) {
    for (const auto& field : Model::integers) {
      for (const double end : ends_of(field.range)) {
        auto params = usual;
        assign(params, field, end);
        f(params, std::string(Model::info.name) + "." + field.name + " = " + std::to_string(end));
      }
    }
  }
  if constexpr (requires { Model::lists; }) {
    for (const auto& list : Model::lists) {
      for (const double end : ends_of(list.range)) {
        auto params = usual;
        std::fill_n((params.*list.member).values.begin(), (params.*list.member).size, end);
        if (!Model::check(params)) {  // where nothing binds them to others
          f(params, std::string(Model::info.name) + "." + list.name + " = " + std::to_string(end));
        }
      }
    }
  }
}

TEST(EndsOfRanges, GiveFiniteFrictionAgainstTheMotion) {
  int ends = 0;
  for_each_model([&]<class Model>(std::type_identity<Model>) {
    at_every_end<Model>([&](const typename Model::Params& params, const std::string& text) {
      SCOPED_TRACE(text);
      const Model model = Model::make(params);
      for (const double v : {1e-15, -1e-6, 1e-3, -1.0, 1e6, -1e15}) {
        auto state = model.at_rest(0);
        for (const double dt : {1e-15, 1e-3, 1.0, 1e15, 1e15}) {
          state = model.advance(state, v, dt);
          const double force = model.force(state, v);
          ASSERT_TRUE(std::isfinite(force)) << v << " " << dt;
          ASSERT_LE(test::share_of_limits(model, state), 1 + 4 * epsilon) << v << " " << dt;
        }
        // A film may take longer to settle, and nothing is promised of a general system.
        if (!std::is_same_v<Model, JournalBearing> && !std::is_same_v<Model, BlimanSorine>) {
          ASSERT_GE(model.force(state, v) * v, 0) << v;
        }
      }
      ++ends;
    });
  });
  EXPECT_GE(ends, 250);
}

TEST(EndsOfRanges, GiveFiniteCoupledStepsInsideTheInvariantSet) {
  for_each_model([&]<class Model>(std::type_identity<Model>) {
    Random random(21);
    at_every_end<Model>([&](const typename Model::Params& params, const std::string& text) {
      SCOPED_TRACE(text);
      const Model model = Model::make(params);
      for (int i = 0; i < test::affordable<Model>(200) + 5; ++i) {
        const double meant = random.sign() * random.log_between(1e-9, 1e6);
        const auto state = random_state(model, random, meant);
        const double velocity = test::possible_velocity(model, state, meant);
        const double mobility = random.log_between(1e-3, 1e3);
        const double dt = random.log_between(1e-6, 1e-1);
        const double free = random.sign() * random.log_between(1e-9, 1e6);
        const auto after =
            model.solve(state, {.free_velocity = free, .mobility = mobility, .velocity = velocity, .dt = dt});
        ASSERT_TRUE(std::isfinite(after.velocity) && std::isfinite(after.force))
            << free << " " << mobility << " " << dt;
        ASSERT_LE(test::share_of_limits(model, after.state), 1 + 8 * epsilon);
      }
    });
  });
}

// Times, mobilities and velocities ------------------------------------------------------------------------------------

TEST(CoupledStep, WithoutTimeKeepsTheFreeVelocityAndTheState) {
  for_each_model([]<class Model>(std::type_identity<Model>) {
    Random random(22);
    for (int i = 0; i < 500; ++i) {
      const Model model = Model::make(test::drawn_params<Model>(random));
      const double meant = random.unit() < 0.3 ? 0 : random.sign() * random.log_between(1e-6, 1);
      const auto state = random_state(model, random, meant);
      const double velocity = test::possible_velocity(model, state, meant);
      const double free = random.unit() < 0.3 ? velocity : random.sign() * random.log_between(1e-6, 1);
      const auto after = model.solve(
          state, {.free_velocity = free, .mobility = random.unit() < 0.2 ? 0.0 : 1.0, .velocity = velocity, .dt = 0});
      ASSERT_EQ(after.velocity, free) << Model::info.name;
      ASSERT_TRUE(std::isfinite(after.force)) << Model::info.name;
      if (test::same_mode<Model>(state, after.state)) {
        ASSERT_EQ(Model::pack(after.state), Model::pack(state)) << Model::info.name;
      }
    }
  });
}

TEST(CoupledStep, WithoutMobilityIsADrivenStep) {
  for_each_model([]<class Model>(std::type_identity<Model>) {
    Random random(23);
    for (int i = 0; i < test::affordable<Model>(500); ++i) {
      const Model model = Model::make(test::drawn_params<Model>(random));
      const double velocity = random.sign() * random.log_between(1e-6, 1);
      const auto state = random_state(model, random, velocity);
      const double free = random.sign() * random.log_between(1e-6, 1);
      const auto after = model.solve(state, {.free_velocity = free, .mobility = 0, .velocity = velocity, .dt = 1e-3});
      ASSERT_EQ(after.velocity, free) << Model::info.name;
      ASSERT_TRUE(std::isfinite(after.force)) << Model::info.name;
      ASSERT_LE(test::share_of_limits(model, after.state), 1 + 8 * epsilon) << Model::info.name;
    }
  });
}

TEST(CoupledStep, ThatCannotBeTakenGivesNan) {
  for_each_model([]<class Model>(std::type_identity<Model>) {
    const Model model = test::example<Model>();
    Random random(24);
    for (const double v : {0.0, 0.3, -1e-6}) {
      const auto state = random_state(model, random, v);
      const auto expect_nan = [&](double free, double mobility, double dt, double velocity, const char* input) {
        const auto after =
            model.solve(state, {.free_velocity = free, .mobility = mobility, .velocity = velocity, .dt = dt});
        EXPECT_TRUE(std::isnan(after.velocity)) << Model::info.name << " " << input << " v " << v;
        EXPECT_TRUE(std::isnan(after.force)) << Model::info.name << " " << input << " v " << v;
      };
      expect_nan(v + 0.1, 1, -1e-3, v, "negative dt");
      expect_nan(v + 0.1, -1, 1e-3, v, "negative mobility");
      expect_nan(v + 0.1, -1, -1e-3, v, "both");
      expect_nan(v + 0.1, 1, infinity, v, "infinite dt");
      expect_nan(v + 0.1, infinity, 1e-3, v, "infinite mobility");
      expect_nan(infinity, 1, 1e-3, v, "infinite free velocity");
      expect_nan(v + 0.1, 1, 1e-3, -infinity, "infinite velocity");
    }
  });
}

/// Whether a state, or the force that follows from it, is not finite.
template <class Model>
bool shows_fault(const Model& model, const typename Model::State& state, double velocity) {
  const auto values = Model::pack(state);
  return !std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); }) ||
         !std::isfinite(model.force(state, velocity));
}

TEST(Advance, OverATimeThatCannotPassShows) {
  for_each_model([]<class Model>(std::type_identity<Model>) {
    if (Model::order > 0) {
      const Model model = test::example<Model>();
      Random random(25);
      for (const double v : {0.0, 0.3, -1e-6}) {
        const auto state = random_state(model, random, v);
        for (const double dt : {-1e-300, -1e-3, -1e9, infinity, -infinity, nan}) {
          EXPECT_TRUE(shows_fault(model, model.advance(state, v, dt), v)) << Model::info.name << " " << v << " " << dt;
        }
      }
    }
  });
}

TEST(Force, AtAnInfiniteVelocityIsNotANumberOrInfinite) {
  for_each_model([]<class Model>(std::type_identity<Model>) {
    const Model model = test::example<Model>();
    for (const double v : {infinity, -infinity}) {
      EXPECT_FALSE(std::isfinite(model.force(model.advance({}, v, 0), v))) << Model::info.name;
    }
  });
}

/// Processor time of a call, the best of a few [s].
double cpu_time(const std::function<double()>& call) {
  [[maybe_unused]] static volatile double result = 0;  // else the call is optimised away
  double best = infinity;
  for (int i = 0; i < 3; ++i) {
    const std::clock_t start = std::clock();
    result = call();
    best = std::min(best, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  }
  return best;
}

TEST(CoupledStep, TakesBoundedTimeWhateverItsInputs) {
  for_each_model([]<class Model>(std::type_identity<Model>) {
    auto params = test::example<Model>().params();
    if constexpr (requires { params.bristles; }) {
      params.bristles = 64;
    }
    const Model model = Model::make(params);
    const auto state = model.advance(model.at_rest(0), 0.1, 1e-3);
    double longest = 0;
    for (const double dt : {1e-300, 1e-3, 1e300}) {
      for (const double mobility : {1e-300, 1.0, 1e300}) {
        for (const double free : {-1e300, 1e-300, 1.0, 1e300}) {
          for (const double velocity : {0.0, -1.0, 1e300}) {
            longest =
                std::max(longest, cpu_time([&] {
                           const auto after = model.solve(
                               state, {.free_velocity = free, .mobility = mobility, .velocity = velocity, .dt = dt});
                           return after.velocity + after.force;
                         }));
          }
        }
      }
    }
    EXPECT_LT(longest, 0.1) << Model::info.name;
  });
}

/// A law that counts how often it is asked.
struct CountingBristles {
  const HaessigBristle& model;
  int& count;

  Solved<HaessigBristle::State, double> implicit(const HaessigBristle::State& state, double w, double dt) const {
    ++count;
    return model.implicit(state, w, dt);
  }
  static bool one_root(double, double) { return false; }
  double root_resolution(const HaessigBristle::State& state, double dt) const {
    return model.root_resolution(state, dt);
  }
};

TEST(CoupledStep, LooksAtFewVelocitiesHoweverLongTheStep) {
  const auto model = HaessigBristle::make({.stiffness = 13, .largest_bend = 1e-3, .bristles = 64});
  const auto state = model.advance(model.at_rest(0), 0.1, 1e-2);
  for (const double dt : {1e-15, 1e-3, 1.0, 1e15, 1e300}) {
    for (const double free : {-1e15, -1.0, 1e-15, 1e-3, 1e15, 1e300}) {
      for (const double velocity : {0.0, -1.0, 1.0, 1e15, 1e300}) {
        int count = 0;
        implicit_solve(CountingBristles{model, count}, state,
                       CoupledStep<double>{.free_velocity = free, .mobility = 1e-3, .velocity = velocity, .dt = dt});
        EXPECT_LE(count, 300) << dt << " " << free << " " << velocity;
      }
    }
  }
}

TEST(CoupledStep, OfAStiffContactBalancesItsForce) {
  // Found by random steps: brackets over many decades, of which the root was not found.
  const BlimanSorine1 film({.force = 2.8e-8, .distance = 2.2e-7, .viscous = 1e15});
  const double gain = 6063.9 * 3259255.7;
  const auto crept =
      film.solve({}, {.free_velocity = -6.7e-15, .mobility = 6063.9, .velocity = -2e-13, .dt = 3259255.7});
  EXPECT_NEAR(crept.velocity + gain * crept.force, -6.7e-15, 1e-12 * 2e-13);
  const Dahl dahl({.stiffness = 1e12, .coulomb_force = 1e3});
  const auto held =
      dahl.solve({}, {.free_velocity = 1e-9, .mobility = 1e-3, .velocity = 1e-15, .dt = 1e3});  // (ω dt)² = 1e15
  EXPECT_NEAR(held.force, 1e-9, 1e-12 * 1e-9);
  const auto lugre = LuGre::make(
      {.stiffness = 1e12, .damping = 1e9, .coulomb_force = 1e3, .static_force = 2e3, .stribeck_velocity = 1e-3});
  const auto stuck = lugre.solve({}, {.free_velocity = 1e-3, .mobility = 1, .velocity = 0, .dt = 1e3});
  EXPECT_NEAR(stuck.force, 1e-6, 1e-12 * 1e-6);
}

TEST(CoupledStep, OfAPowerLawHasTheForceThatStopsTheBodyThoughItsVelocityIsTooSmallToStore) {
  for (const double exponent : {0.1, 0.2}) {
    const auto viscous = Viscous::make({.viscous = 1e15, .exponent = exponent});
    const auto after = viscous.solve({}, {.free_velocity = 1e-15, .mobility = 1e15, .velocity = 1e-15, .dt = 1e15});
    EXPECT_NEAR(after.force, 1e-45, 1e-57) << exponent;
    EXPECT_NEAR(after.velocity, 0, 1e-27) << exponent;
  }
}

TEST(CoupledStep, OfLeuvenAtAHighSpeedHasARoot) {
  // ż = v (1 − |F_h/s|ⁿ) cancels at high speed: the damping made a force that grew without bound.
  const Leuven model({.stiffness = {1e15, 3e12, 1e7},
                      .limit = {0.2, 0.2, 0.2},
                      .damping = 6.8e12,
                      .coulomb_force = 0.0068,
                      .static_force = 0.46,
                      .stribeck_velocity = 0.004,
                      .exponent = 8});
  const auto state = model.at_rest(0.4);
  const auto after = model.solve(state, {.free_velocity = 1e15, .mobility = 0.03, .velocity = 1e10, .dt = 2e-10});
  EXPECT_NEAR(after.velocity, 1e15, 1e12);
}

// Rest ----------------------------------------------------------------------------------------------------------------

TEST(AtRest, CarriesALoadUpToBreakAwayAndNoMore) {
  for_each_model([]<class Model>(std::type_identity<Model>) {
    Random random(26);
    for (int i = 0; i < 200; ++i) {
      const Model model = Model::make(test::drawn_params<Model>(random));
      const auto most = model.at_rest(1e12);
      const auto least = model.at_rest(-1e12);
      EXPECT_LE(test::share_of_limits(model, most), 1 + 4 * epsilon) << Model::info.name;
      EXPECT_LE(test::share_of_limits(model, least), 1 + 4 * epsilon) << Model::info.name;
      EXPECT_EQ(most, model.at_rest(2e12)) << Model::info.name;
      const double level = model.force(most, 0);
      EXPECT_GE(level, 0) << Model::info.name;
      if (Model::order > 0 && !SeesLoad<Model> && !std::is_same_v<Model, JournalBearing>) {
        const double load = level * random.between(-1, 1);
        EXPECT_NEAR(model.force(model.at_rest(load), 0), load, 1e-12 * level) << Model::info.name;
      }
    }
  });
}

}  // namespace
}  // namespace stiction::scalar::limits_test
