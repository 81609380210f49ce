// What the theory promises of each model, along random motions and for random parameters.
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#include "stiction/sim/any_model.h"
#include "support/every_model.h"
#include "support/property.h"
#include "support/states.h"

namespace stiction::scalar {
namespace {

/// Whether friction can be a source of energy.
enum class Energy {
  free,     // nothing is promised
  power,    // F v ≥ 0 at every instant
  storage,  // dS/dt ≤ F v with S = energy(); by eq. 30 for LuGre and elasto-plastic, for a constant s(v) for GMS
  passive,  // ∫F v dt ≥ 0 for every motion from rest, without S in closed form
};

/// What the force depends on.
enum class Path {
  speed,  // speed or time
  alone,  // the path alone
  plain,  // the path alone without Stribeck effect, damping and viscous friction
};

/// `row` is the model's in the table of equations of the specification; `step` is how well one step at constant
/// velocity is two steps of half the length, and `ode` how well it is the differential equation, as shares of the
/// state's size.
struct Promise {
  std::string_view model;
  int row;
  Energy energy;
  Path path;
  double step;
  double ode;
};

constexpr std::array promises{
    Promise{"coulomb", 1, Energy::power, Path::plain, 0, 0},
    Promise{"viscous", 2, Energy::power, Path::speed, 0, 0},
    Promise{"stiction", 3, Energy::power, Path::plain, 0, 0},
    Promise{"stribeck", 4, Energy::power, Path::plain, 0, 0},
    Promise{"asymmetric-stribeck", 4, Energy::power, Path::plain, 0, 0},
    Promise{"load-dependent-stribeck", 4, Energy::power, Path::plain, 0, 0},
    Promise{"tabulated", 4, Energy::power, Path::speed, 0, 0},
    Promise{"karnopp", 5, Energy::power, Path::speed, 0, 0},
    Promise{"karnopp-original", 5, Energy::power, Path::speed, 0, 0},
    Promise{"armstrong", 6, Energy::free, Path::speed, 1e-12, 1e-8},  // a delay
    Promise{"dahl", 7, Energy::storage, Path::alone, 1e-12, 1e-8},
    Promise{"load-dependent-dahl", 7, Energy::storage, Path::alone, 1e-12, 1e-8},
    Promise{"haessig-bristle", 8, Energy::storage, Path::alone, 1e-12, 1e-8},
    Promise{"reset-integrator", 9, Energy::storage, Path::plain, 1e-12, 1e-8},
    Promise{"bliman-sorine-1", 10, Energy::storage, Path::plain, 1e-12, 1e-8},
    Promise{"bliman-sorine-2", 11, Energy::passive, Path::plain, 1e-12, 1e-8},
    Promise{"bliman-sorine", 11, Energy::passive, Path::plain, 1e-12, 1e-8},
    Promise{"journal-bearing", 12, Energy::power, Path::speed, infinity, infinity},  // a film in steps of up to 2 ms
    Promise{"lugre", 13, Energy::storage, Path::plain, 1e-12, 1e-8},
    Promise{"elasto-plastic", 14, Energy::storage, Path::plain, 5e-7, 5e-7},
    Promise{"gms", 15, Energy::storage, Path::plain, 1e-12, 1e-8},
    Promise{"leuven", 16, Energy::free, Path::plain, 1e-5, 1e-5},
    Promise{"brown-mcphee", 17, Energy::power, Path::speed, 0, 0},
    Promise{"specker", 18, Energy::power, Path::speed, 0, 0},
    Promise{"tanh", 18, Energy::power, Path::speed, 0, 0},
};

/// A model without a row does not compile.
consteval Promise promise_of(std::string_view model) {
  for (const Promise& promise : promises) {
    if (promise.model == model) {
      return promise;
    }
  }
  throw "no row for this model";
}
template <class Model>
constexpr Promise promised = promise_of(Model::info.name);

using test::affordable;
using test::any_model;
using test::between;
using test::holds_for;
using test::log_between;
using test::mirrored;
using test::signed_between;

constexpr double epsilon = std::numeric_limits<double>::epsilon();

template <class Model>
class EveryMotion : public testing::Test {};
TYPED_TEST_SUITE(EveryMotion, test::EveryModel, test::ModelNames);

template <class Model>
class OddMotion : public testing::Test {};
TYPED_TEST_SUITE(OddMotion, test::ModelsThat<test::IsOdd>, test::ModelNames);

template <class Model>
using StepsAreExact = std::bool_constant<(Model::order > 0 && promised<Model>.ode < 1)>;
template <class Model>
class ExactMotion : public testing::Test {};
TYPED_TEST_SUITE(ExactMotion, test::ModelsThat<StepsAreExact>, test::ModelNames);

template <class Model>
using FollowsThePath = std::bool_constant<promised<Model>.path != Path::speed>;
template <class Model>
class PathMotion : public testing::Test {};
TYPED_TEST_SUITE(PathMotion, test::ModelsThat<FollowsThePath>, test::ModelNames);

template <class Model>
using MakesHeat =
    std::bool_constant<promised<Model>.energy == Energy::power || promised<Model>.energy == Energy::storage>;
template <class Model>
class DissipativeMotion : public testing::Test {};
TYPED_TEST_SUITE(DissipativeMotion, test::ModelsThat<MakesHeat>, test::ModelNames);

template <class Model>
concept HasEnergy = requires(const Model& model, const typename Model::State& state) {
  model.energy(state);
};
template <class Model>
using KnowsItsEnergy = std::bool_constant<HasEnergy<Model>>;
template <class Model>
class StoringMotion : public testing::Test {};
TYPED_TEST_SUITE(StoringMotion, test::ModelsThat<KnowsItsEnergy>, test::ModelNames);

template <class Model>
using IsPassive = std::bool_constant<promised<Model>.energy == Energy::passive || std::is_same_v<Model, Dahl> ||
                                     std::is_same_v<Model, BlimanSorine1>>;
template <class Model>
class PassiveMotion : public testing::Test {};
TYPED_TEST_SUITE(PassiveMotion, test::ModelsThat<IsPassive>, test::ModelNames);

test::Move any_move() { return {*signed_between(1e-7, 1e1), *log_between(1e-6, 1e-1)}; }

template <class Model>
typename Model::State any_state(const Model& model, double velocity) {
  return test::reachable_state(model, velocity, any_move);
}

template <class Model>
bool is_finite(const Model& model, const typename Model::State& state, double velocity) {
  return std::isfinite(test::share_of_limits(model, state)) && std::isfinite(model.force(state, velocity));
}

TYPED_TEST(EveryMotion, AdvanceStaysFiniteAndInsideTheInvariantSet) {
  using Model = TypeParam;
  holds_for(affordable<Model>(3'000), [] {
    const auto model = any_model<Model>();
    const double velocity = *signed_between(1e-12, 1e3);
    const auto state = model.advance(any_state(model, velocity), velocity, *log_between(1e-9, 1));
    RC_ASSERT(is_finite(model, state, velocity));
    RC_ASSERT(test::share_of_limits(model, state) <= 1 + 4 * epsilon);
    const auto hour = model.advance(state, *signed_between(1e-12, 1e3), 3600);
    RC_ASSERT(is_finite(model, hour, velocity));
    RC_ASSERT(test::share_of_limits(model, hour) <= 1 + 4 * epsilon);
  });
}

TYPED_TEST(OddMotion, AdvanceIsOddToTheLastBit) {
  using Model = TypeParam;
  holds_for(2'000, [] {
    const auto model = any_model<Model>();
    const auto image = test::mirrored_model(model);
    const double velocity = *signed_between(1e-12, 1e3);
    const auto state = any_state(model, velocity);
    const double dt = *log_between(1e-9, 1);
    const auto next = model.advance(state, velocity, dt);
    const auto back = image.advance(mirrored<Model>(state), -velocity, dt);
    RC_ASSERT(back == mirrored<Model>(next));
    RC_ASSERT(image.force(back, -velocity) == -model.force(next, velocity));
    RC_ASSERT(Model::pack(image.rate(back, -velocity)) == Model::pack(mirrored<Model>(model.rate(next, velocity))));
  });
}

TYPED_TEST(PathMotion, AtRestNothingChangesToTheLastBit) {
  using Model = TypeParam;
  holds_for(1'000, [] {
    const auto model = any_model<Model>();
    const auto state = any_state(model, *signed_between(1e-7, 1e1));
    RC_ASSERT(Model::pack(model.advance(state, 0, *log_between(1e-9, 1e9))) == Model::pack(state));
  });
}

TYPED_TEST(ExactMotion, TwoStepsAreOneLongerStep) {
  using Model = TypeParam;
  holds_for(affordable<Model>(3'000), [] {
    const auto model = any_model<Model>();
    const double velocity = *signed_between(1e-7, 1e1);
    const auto state = any_state(model, velocity);
    const double dt = *log_between(1e-6, 1e-1);
    const auto once = model.advance(state, velocity, dt);
    const auto twice = model.advance(model.advance(state, velocity, dt / 2), velocity, dt / 2);
    if constexpr (std::is_same_v<Model, HaessigBristle>) {
      RC_PRE(std::abs(velocity * dt) < 60 * model.params.largest_bend);  // a longer way is forgotten
    }
    RC_PRE(test::same_mode<Model>(once, twice));  // rounding may decide on which side of a jump it is
    for (std::size_t i = 0; i < states_in_use(model); ++i) {
      const double size = std::max(model.typical()[i], std::abs(Model::pack(once)[i]));
      const double off = std::abs(Model::pack(once)[i] - Model::pack(twice)[i]) / size;
      RC_ASSERT(off <= promised<Model>.step);
    }
  });
}

TYPED_TEST(ExactMotion, AdvanceIsTheDifferentialEquation) {
  using Model = TypeParam;
  holds_for(affordable<Model>(5'000) / 50 + 20, [] {
    const auto model = any_model<Model>();
    const double velocity = *signed_between(1e-5, 1);
    const auto numbers = Model::pack(any_state(model, velocity));
    double time = *log_between(1e-5, 1e-1);
    if constexpr (std::is_same_v<Model, HaessigBristle>) {
      time = std::min(time, 3 * model.params.largest_bend / (std::abs(velocity) + 1e-5));  // every snap is an event
    }
    const auto run =
        sim::drive(AnyModel(model), velocity, {.duration = time, .output_interval = time, .relative_tolerance = 1e-10},
                   std::span(numbers).first(states_in_use(model)));
    const auto next = model.advance(Model::unpack(numbers, {}), velocity, time);
    if constexpr (Switching<Model>) {
      RC_PRE(run.states[states_in_use(model)].back() == Model::modes(next)[0]);
    }
    for (std::size_t i = 0; i < states_in_use(model); ++i) {
      const double size = std::max(model.typical()[i], std::abs(Model::pack(next)[i]));
      const double off = std::abs(run.states[i].back() - Model::pack(next)[i]) / size;
      RC_ASSERT(off <= promised<Model>.ode);
    }
  });
}

/// The parameters without anything that knows the speed.
template <class Model>
Model without_speed(const Model& model) {
  auto params = params_of(model);
  for (const auto& field : Model::fields) {
    const std::string_view name = field.name;
    if (name.starts_with("viscous") || name == "damping") {
      params.*field.member = 0;
    }
    if (name.starts_with("static_force")) {
      params.*field.member = params.*test::relation_of<Model>(name).second->member;
    }
  }
  return Model::make(params);
}

TYPED_TEST(PathMotion, ForceFollowsFromThePathAlone) {
  using Model = TypeParam;
  holds_for(2'000, [] {
    const auto model = promised<Model>.path == Path::plain ? without_speed(any_model<Model>()) : any_model<Model>();
    auto slow = model.at_rest(0);
    auto fast = slow;
    for (int i = 0; i < 4; ++i) {
      const double way = *signed_between(1e-8, 1e-1);
      RC_PRE(way != 0);
      const double direction = sgn(way);
      const double v = direction * *log_between(1e-5, 1e-2);
      const double w = direction * *log_between(1e-2, 1e1);
      slow = model.advance(slow, v, way / v);
      fast = model.advance(fast, w, way / w);
      RC_PRE(test::same_mode<Model>(slow, fast));
      const double size = test::size_of_force(model, slow, v);
      RC_ASSERT(std::abs(model.force(slow, v) - model.force(fast, w)) <= 1e-9 * size);
    }
  });
}

/// With a storage function where there is one for some parameters only.
template <class Model>
Model any_storing_model() {
  if constexpr (std::is_same_v<Model, Gms>) {
    auto params = any_model<Gms>().params;
    params.static_force = params.coulomb_force;
    return Gms::make(params);
  } else {
    return any_model<Model>();
  }
}

TYPED_TEST(DissipativeMotion, PowerTurnsIntoHeat) {
  using Model = TypeParam;
  holds_for(affordable<Model>(3'000), [] {
    const auto model = any_storing_model<Model>();
    const double velocity = *signed_between(1e-7, 1e2);
    const auto state = any_state(model, velocity);
    if constexpr (requires { model.dissipativity_margin(velocity); }) {
      RC_PRE(model.dissipativity_margin(velocity) >= 0);  // eq. 30
    }
    const double size = test::size_of_force(model, state, velocity) * std::abs(velocity);
    RC_ASSERT(model.dissipated_power(state, velocity) >= -1e-12 * size);
    if (promised<Model>.energy == Energy::power) {
      RC_ASSERT(model.force(state, velocity) * velocity >= 0);
    }
  });
}

TYPED_TEST(StoringMotion, DissipatedPowerIsWhatIsNotStored) {
  using Model = TypeParam;
  holds_for(2'000, [] {
    const auto model = any_model<Model>();
    const double velocity = *signed_between(1e-7, 1e1);
    const auto state = any_state(model, velocity);
    const auto rate = Model::pack(model.rate(state, velocity));
    // S is quadratic: its central difference along the rates is exact, whatever the step.
    double step = infinity;
    for (std::size_t i = 0; i < states_in_use(model); ++i) {
      step = rate[i] == 0 ? step : std::min(step, model.typical()[i] / std::abs(rate[i]));
    }
    RC_PRE(std::isfinite(step));
    const auto energy_after = [&](double time) {
      auto numbers = Model::pack(state);
      for (std::size_t i = 0; i < states_in_use(model); ++i) {
        numbers[i] += time * rate[i];
      }
      return model.energy(Model::unpack(numbers, state));
    };
    const double stored = (energy_after(step) - energy_after(-step)) / (2 * step);
    const double power = model.force(state, velocity) * velocity;
    const double size = test::size_of_force(model, state, velocity) * std::abs(velocity) + std::abs(stored);
    RC_ASSERT(std::abs(model.dissipated_power(state, velocity) - (power - stored)) <= 1e-9 * size);
  });
}

/// Work done on the contact over one move, by Gauss's rule of five points on pieces that are short for its bends.
template <class Model>
double work_over(const Model& model, const typename Model::State& state, double way) {
  constexpr std::array places{-0.9061798459386640, -0.5384693101056831, 0.0, 0.5384693101056831, 0.9061798459386640};
  constexpr std::array weights{0.2369268850561891, 0.4786286704993665, 128.0 / 225, 0.4786286704993665,
                               0.2369268850561891};
  const auto pieces = static_cast<int>(std::abs(way) / model.velocity_scale() * 2) + 2;
  const double half = way / (2 * pieces);
  double work = 0;
  for (int piece = 0; piece < pieces; ++piece) {
    for (std::size_t i = 0; i < places.size(); ++i) {
      const double x = half * (2 * piece + 1 + places[i]);
      const auto there = model.advance(state, sgn(way), std::abs(x));
      work += half * weights[i] * model.force(there, 0);  // slowly: no viscous friction
    }
  }
  return work;
}

/// What a random path takes and how much was moved to and fro: work that is negative has been created. It starts and
/// ends in the same state, or starts at rest without load, where nothing is stored.
template <class Model>
std::pair<double, double> work_of_random_path(const Model& model, bool cycle) {
  const double bend = model.velocity_scale();  // the distance of one bend
  const auto far = [&](auto state) { return model.advance(state, 1, 1e3 * bend); };
  auto state = cycle ? far(model.at_rest(0)) : model.at_rest(0);
  double work = 0;
  double moved = 0;
  const auto move = [&](double way) {
    const double part = work_over(model, state, way);
    state = model.advance(state, sgn(way), std::abs(way));
    work += part;
    moved += std::abs(part);
  };
  for (int i = 0; i < 6; ++i) {
    move(bend * *signed_between(1e-3, 10));
  }
  if (cycle) {
    for (int i = 0; i < 50; ++i) {
      move(bend);
    }
  }
  return {work, moved};
}

TYPED_TEST(PassiveMotion, NoMotionFromRestAndNoCycleYieldsWork) {
  using Model = TypeParam;
  holds_for(500, [] {
    const auto model = any_model<Model>();
    for (const bool cycle : {false, true}) {
      const auto [work, moved] = work_of_random_path(model, cycle);
      RC_ASSERT(work >= -1e-9 * moved);
    }
  });
}

TEST(Passivity, FindsAModelThatYieldsWork) {
  const BlimanSorine2 generator({.force_1 = 1, .force_2 = 1.5, .ratio = 0.5, .distance = 1e-3});  // f₁ < f₂
  EXPECT_LT(work_over(generator, {}, 0.1), 0);
}

template <class Model>
class SmoothForce : public testing::Test {};
using SmoothModels = testing::Types<BrownMcPhee, Specker, Tanh>;
TYPED_TEST_SUITE(SmoothForce, SmoothModels, test::ModelNames);

TYPED_TEST(SmoothForce, ForceNeverExceedsItsPeakAndTheViscousPart) {
  using Model = TypeParam;
  holds_for(5'000, [] {
    const auto model = any_model<Model>();
    const double velocity = model.velocity_scale() * *signed_between(1e-6, 1e6);
    double peak = model.params.coulomb_force;
    if constexpr (requires { model.params.static_force; }) {
      peak = model.params.static_force;
    }
    const double most = peak + model.params.viscous * std::abs(velocity);
    RC_ASSERT(std::abs(model.force({}, velocity)) <= most * (1 + 4 * epsilon));
  });
}

}  // namespace
}  // namespace stiction::scalar
