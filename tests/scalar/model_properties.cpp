// What the theory promises of each model, along random motions and for random parameters.
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#include "stiction/sim/line.h"
#include "support/model_kinds.h"
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

/// `step` is how well one step at constant velocity is two steps of half the length, and `ode` how well it is the
/// differential equation, as shares of the state's size.
struct Promise {
  std::string_view model;
  Energy energy;
  Path path;
  double step = 1e-12;
  double ode = 1e-8;
};

/// Models of which something else is known than what `promise_of` concludes from their calls.
constexpr std::array promises{
    Promise{"coulomb", Energy::power, Path::plain},
    Promise{"stiction", Energy::power, Path::plain},
    Promise{"stribeck", Energy::power, Path::plain},
    Promise{"asymmetric-stribeck", Energy::power, Path::plain},
    Promise{"load-dependent-stribeck", Energy::power, Path::plain},
    Promise{"gear", Energy::power, Path::plain},
    Promise{"gear-lugre", Energy::storage, Path::plain},
    Promise{"gear-elasto-plastic", Energy::storage, Path::plain, 5e-7, 5e-7},
    Promise{"armstrong", Energy::free, Path::speed},  // a delay
    Promise{"dahl", Energy::storage, Path::alone},
    Promise{"load-dependent-dahl", Energy::storage, Path::alone},
    Promise{"haessig-bristle", Energy::storage, Path::alone},
    Promise{"reset-integrator", Energy::storage, Path::plain},
    Promise{"bliman-sorine-1", Energy::storage, Path::plain},
    Promise{"bliman-sorine-2", Energy::passive, Path::plain},
    Promise{"bliman-sorine", Energy::passive, Path::plain},
    Promise{"journal-bearing", Energy::power, Path::speed, infinity, infinity},  // a film in steps of up to 2 ms
    Promise{"lugre", Energy::storage, Path::plain},
    Promise{"elasto-plastic", Energy::storage, Path::plain, 5e-7, 5e-7},
    Promise{"gms", Energy::storage, Path::plain},
    Promise{"leuven", Energy::free, Path::plain, 1e-5, 1e-5},
};

Promise promise_of(const test::ModelKind& kind) {
  const auto* const found = std::find_if(promises.begin(), promises.end(),
                                         [&](const Promise& promise) { return promise.model == kind.name(); });
  if (found != promises.end()) {
    return *found;
  }
  const bool only_resists = kind.table->order == 0;
  const Energy energy = only_resists ? Energy::power : kind.table->has_energy ? Energy::storage : Energy::free;
  return {kind.name(), energy, Path::speed};
}

using test::any_model;
using test::between;
using test::holds_for;
using test::log_between;
using test::ModelKind;
using test::signed_between;

constexpr double epsilon = std::numeric_limits<double>::epsilon();

class ModelTest : public test::EveryModel {
 public:
  const Promise promised = promise_of(kind);
};

class EveryMotion : public ModelTest {};
INSTANTIATE_TEST_SUITE_P(Models, EveryMotion, test::every_model(), test::name_of);

class OddMotion : public ModelTest {};
INSTANTIATE_TEST_SUITE_P(Models, OddMotion, test::models_that([](const ModelKind& kind) { return kind.is_odd(); }),
                         test::name_of);

class ExactMotion : public ModelTest {};
INSTANTIATE_TEST_SUITE_P(Models, ExactMotion, test::models_that([](const ModelKind& kind) {
                           return kind.table->order > 0 && promise_of(kind).ode < 1;
                         }),
                         test::name_of);

class PathMotion : public ModelTest {};
INSTANTIATE_TEST_SUITE_P(Models, PathMotion,
                         test::models_that([](const ModelKind& kind) { return promise_of(kind).path != Path::speed; }),
                         test::name_of);

class DissipativeMotion : public ModelTest {};
INSTANTIATE_TEST_SUITE_P(Models, DissipativeMotion, test::models_that([](const ModelKind& kind) {
                           const Energy energy = promise_of(kind).energy;
                           return energy == Energy::power || energy == Energy::storage;
                         }),
                         test::name_of);

class StoringMotion : public ModelTest {};
INSTANTIATE_TEST_SUITE_P(Models, StoringMotion,
                         test::models_that([](const ModelKind& kind) { return kind.table->has_energy; }),
                         test::name_of);

class PassiveMotion : public ModelTest {};
INSTANTIATE_TEST_SUITE_P(Models, PassiveMotion, test::models_that([](const ModelKind& kind) {
                           return promise_of(kind).energy == Energy::passive || kind.name() == "dahl" ||
                                  kind.name() == "bliman-sorine-1";
                         }),
                         test::name_of);

test::Move any_move() { return {*signed_between(1e-7, 1e1), *log_between(1e-6, 1e-1)}; }

AnyState any_state(const AnyModel& model, double velocity) { return test::reachable_state(model, velocity, any_move); }

bool is_finite(const ModelKind& kind, const AnyModel& model, const AnyState& state, double velocity) {
  return std::isfinite(test::share_of_limits(kind, model, state)) && std::isfinite(model.force(state, velocity));
}

TEST_P(EveryMotion, AdvanceStaysFiniteAndInsideTheInvariantSet) {
  holds_for(kind.affordable(3'000), [&] {
    const AnyModel model = any_model(kind);
    const double velocity = *signed_between(1e-12, 1e3);
    const auto state = model.advance(any_state(model, velocity), velocity, *log_between(1e-9, 1));
    RC_ASSERT(is_finite(kind, model, state, velocity));
    RC_ASSERT(test::share_of_limits(kind, model, state) <= 1 + 4 * epsilon);
    const auto hour = model.advance(state, *signed_between(1e-12, 1e3), 3600);
    RC_ASSERT(is_finite(kind, model, hour, velocity));
    RC_ASSERT(test::share_of_limits(kind, model, hour) <= 1 + 4 * epsilon);
  });
}

TEST_P(OddMotion, AdvanceIsOddToTheLastBit) {
  holds_for(2'000, [&] {
    const AnyModel model = any_model(kind);
    const AnyModel image = kind.mirrored_model(model);
    const double velocity = *signed_between(1e-12, 1e3);
    const auto state = any_state(model, velocity);
    const double dt = *log_between(1e-9, 1);
    const auto next = model.advance(state, velocity, dt);
    const auto back = image.advance(kind.mirrored(state), -velocity, dt);
    RC_ASSERT(back == kind.mirrored(next));
    RC_ASSERT(image.force(back, -velocity) == -model.force(next, velocity));
    RC_ASSERT(AnyModel::pack(image.rate(back, -velocity)) == AnyModel::pack(kind.mirrored(model.rate(next, velocity))));
  });
}

TEST_P(PathMotion, AtRestNothingChangesToTheLastBit) {
  holds_for(1'000, [&] {
    const AnyModel model = any_model(kind);
    const auto state = any_state(model, *signed_between(1e-7, 1e1));
    RC_ASSERT(AnyModel::pack(model.advance(state, 0, *log_between(1e-9, 1e9))) == AnyModel::pack(state));
  });
}

TEST_P(ExactMotion, TwoStepsAreOneLongerStep) {
  holds_for(kind.affordable(3'000), [&] {
    const AnyModel model = any_model(kind);
    const double velocity = *signed_between(1e-7, 1e1);
    const auto state = any_state(model, velocity);
    const double dt = *log_between(1e-6, 1e-1);
    const auto once = model.advance(state, velocity, dt);
    const auto twice = model.advance(model.advance(state, velocity, dt / 2), velocity, dt / 2);
    if (const auto* bristles = model.as<HaessigBristle>()) {
      RC_PRE(std::abs(velocity * dt) < 60 * bristles->params().largest_bend);  // a longer way is forgotten
    }
    RC_PRE(test::same_mode(once, twice));  // rounding may decide on which side of a jump it is
    for (std::size_t i = 0; i < model.states_in_use(); ++i) {
      const double size = std::max(model.typical()[i], std::abs(AnyModel::pack(once)[i]));
      const double off = std::abs(AnyModel::pack(once)[i] - AnyModel::pack(twice)[i]) / size;
      RC_ASSERT(off <= promised.step);
    }
  });
}

TEST_P(ExactMotion, AdvanceIsTheDifferentialEquation) {
  holds_for(kind.affordable(5'000) / 50 + 20, [&] {
    const AnyModel model = any_model(kind);
    const double velocity = *signed_between(1e-5, 1);
    const auto numbers = AnyModel::pack(any_state(model, velocity));
    double time = *log_between(1e-5, 1e-1);
    if (const auto* bristles = model.as<HaessigBristle>()) {
      time =
          std::min(time, 3 * bristles->params().largest_bend / (std::abs(velocity) + 1e-5));  // every snap is an event
    }
    const auto run =
        sim::drive(model, velocity, {.duration = time, .output_interval = time, .relative_tolerance = 1e-10},
                   std::span<const double>(numbers.data(), model.states_in_use()));
    const auto next = model.advance(AnyModel::unpack(numbers, model.initial()), velocity, time);
    if (kind.table->guard_count > 0) {
      RC_PRE(run.states[model.states_in_use()].back() == AnyModel::modes(next)[0]);
    }
    for (std::size_t i = 0; i < model.states_in_use(); ++i) {
      const double size = std::max(model.typical()[i], std::abs(AnyModel::pack(next)[i]));
      const double off = std::abs(run.states[i].back() - AnyModel::pack(next)[i]) / size;
      RC_ASSERT(off <= promised.ode);
    }
  });
}

/// The parameters without anything that knows the speed.
AnyModel without_speed(const AnyModel& model) {
  AnyParams params = model.params();
  for (std::size_t i = 0; i < params.parameters().size(); ++i) {
    const std::string_view name = params.parameters()[i].name;
    if (name.starts_with("viscous") || name == "damping" || name == "stribeck_force") {
      params.assign(i, 0);
    }
    if (name.starts_with("static_force")) {
      const std::string direction(name.substr(std::string_view("static_force").size()));
      params.assign(i, params.value(params.find("coulomb_force" + direction)));
    }
  }
  return AnyModel::make(params);
}

TEST_P(PathMotion, ForceFollowsFromThePathAlone) {
  holds_for(2'000, [&] {
    const AnyModel model = promised.path == Path::plain ? without_speed(any_model(kind)) : any_model(kind);
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
      RC_PRE(test::same_mode(slow, fast));
      const double size = test::size_of_force(model, slow, v);
      RC_ASSERT(std::abs(model.force(slow, v) - model.force(fast, w)) <= 1e-9 * size);
    }
  });
}

/// With a storage function where there is one for some parameters only.
AnyModel any_storing_model(const ModelKind& kind) {
  const AnyModel model = any_model(kind);
  if (const auto* gms = model.as<Gms>()) {
    auto params = gms->params();
    params.static_force = params.coulomb_force;
    return Gms::make(params);
  }
  return model;
}

TEST_P(DissipativeMotion, PowerTurnsIntoHeat) {
  holds_for(kind.affordable(3'000), [&] {
    const AnyModel model = any_storing_model(kind);
    const double velocity = *signed_between(1e-7, 1e2);
    const auto state = any_state(model, velocity);
    RC_PRE(kind.dissipativity_margin(model, velocity).value_or(0) >= 0);  // eq. 30
    const double size = test::size_of_force(model, state, velocity) * std::abs(velocity);
    RC_ASSERT(model.dissipated_power(state, velocity) >= -1e-12 * size);
    if (promised.energy == Energy::power) {
      RC_ASSERT(model.force(state, velocity) * velocity >= 0);
    }
  });
}

TEST_P(StoringMotion, DissipatedPowerIsWhatIsNotStored) {
  holds_for(2'000, [&] {
    const AnyModel model = any_model(kind);
    const double velocity = *signed_between(1e-7, 1e1);
    const auto state = any_state(model, velocity);
    const auto rate = AnyModel::pack(model.rate(state, velocity));
    // S is quadratic: its central difference along the rates is exact, whatever the step.
    double step = infinity;
    for (std::size_t i = 0; i < model.states_in_use(); ++i) {
      step = rate[i] == 0 ? step : std::min(step, model.typical()[i] / std::abs(rate[i]));
    }
    RC_PRE(std::isfinite(step));
    const auto energy_after = [&](double time) {
      auto numbers = AnyModel::pack(state);
      for (std::size_t i = 0; i < model.states_in_use(); ++i) {
        numbers[i] += time * rate[i];
      }
      return model.energy(AnyModel::unpack(numbers, state));
    };
    const double stored = (energy_after(step) - energy_after(-step)) / (2 * step);
    const double power = model.force(state, velocity) * velocity;
    const double size = test::size_of_force(model, state, velocity) * std::abs(velocity) + std::abs(stored);
    RC_ASSERT(std::abs(model.dissipated_power(state, velocity) - (power - stored)) <= 1e-9 * size);
  });
}

/// Work done on the contact over one move, by Gauss's rule of five points on pieces that are short for its bends.
double work_over(const AnyModel& model, const AnyState& state, double way) {
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
std::pair<double, double> work_of_random_path(const AnyModel& model, bool cycle) {
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

TEST_P(PassiveMotion, NoMotionFromRestAndNoCycleYieldsWork) {
  holds_for(500, [&] {
    const AnyModel model = any_model(kind);
    for (const bool cycle : {false, true}) {
      const auto [work, moved] = work_of_random_path(model, cycle);
      RC_ASSERT(work >= -1e-9 * moved);
    }
  });
}

TEST(Passivity, FindsAModelThatYieldsWork) {
  const BlimanSorine2 generator({.force_1 = 1, .force_2 = 1.5, .ratio = 0.5, .distance = 1e-3});  // f₁ < f₂
  EXPECT_LT(work_over(generator, AnyModel(generator).initial(), 0.1), 0);
}

class SmoothForce : public test::EveryModel {};
INSTANTIATE_TEST_SUITE_P(Models, SmoothForce, test::models_named({"brown-mcphee", "specker", "tanh"}), test::name_of);

TEST_P(SmoothForce, ForceNeverExceedsItsPeakAndTheViscousPart) {
  holds_for(5'000, [&] {
    const AnyModel model = any_model(kind);
    const AnyParams params = model.params();
    const auto value = [&](const char* name) { return params.value(params.find(name)); };
    const double velocity = model.velocity_scale() * *signed_between(1e-6, 1e6);
    const bool has_peak = params.find("static_force") < params.parameters().size();
    const double peak = value(has_peak ? "static_force" : "coulomb_force");
    const double most = peak + value("viscous") * std::abs(velocity);
    RC_ASSERT(std::abs(model.force(model.initial(), velocity)) <= most * (1 + 4 * epsilon));
  });
}

}  // namespace
}  // namespace stiction::scalar
