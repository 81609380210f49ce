// Random steps of every scalar model, with parameters from the whole of their ranges and inputs of every size: results
// are finite, forces and states stay within the model's bounds, friction creates no energy where that is promised, the
// coupled step solves its own equation, inputs that make no sense show, and no call takes long.
#include <algorithm>
#include <array>
#include <limits>

#include "coupled_equation.h"
#include "scalar_models.h"
#include "stiction/scalar/registry.h"
#include "support/states.h"
#include "torture.h"

namespace stiction::torture {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr int steps_of_case = 64;

// One case ------------------------------------------------------------------------------------------------------------

template <class Model>
class Case {
 public:
  Case(std::uint64_t seed, std::int64_t number, bool quiet)
      : random_(seed), number_(number), quiet_(quiet), model_(any_model<Model>(random_)) {}

  /// The number of violations.
  int run() {
    double velocity = 0;
    const double load = signed_number(-50, 50);
    auto state = model_.at_rest(load);
    check_state(state, "at_rest");
    for (step_ = 0; step_ < steps_of_case && violations_ == 0; ++step_) {
      switch (random_.bits() % 8) {
        case 0:
          show_nonsense(state, velocity);
          break;
        case 1:
        case 2:
        case 3: {
          velocity = any_velocity(velocity);
          inputs_ = {.free_velocity = 0, .mobility = 0, .velocity = velocity, .dt = any_time()};
          state = model_.advance(state, velocity, inputs_.dt);
          check_state(state, "advance");
          check_force(model_.force(state, velocity), velocity, 1, "force");
          check_heat(state, velocity);
          break;
        }
        default:
          velocity = solve(state, test::possible_velocity(model_, state, velocity));
      }
    }
    return violations_;
  }

 private:
  double signed_number(int low, int high) {
    return random_.one_in(16) ? 0 : random_.sign() * random_.over_powers_of_two(low, high);
  }
  /// Half of them as in practice.
  double any_size(int usual_low, int usual_high) {
    return random_.one_in(32)  ? 0
           : random_.one_in(2) ? random_.over_powers_of_two(usual_low, usual_high)
                               : random_.over_powers_of_two(-49, 49);
  }
  double any_time() { return any_size(-20, 0); }
  double any_velocity(double now) {
    switch (random_.bits() % 4) {
      case 0:
        return now;
      case 1:
        return model_.velocity_scale() * random_.sign() * random_.over_powers_of_two(-10, 10);
      default:
        return signed_number(-49, 49);
    }
  }

  double solve(typename Model::State& state, double velocity) {
    Step s{.free_velocity = velocity, .mobility = any_size(-7, 7), .velocity = velocity, .dt = any_time()};
    const double gain = s.mobility * s.dt;
    switch (random_.bits() % 4) {
      case 0:
        break;  // no load
      case 1:
        s.free_velocity = signed_number(-49, 49);
        break;
      default:  // a load of about the friction
        s.free_velocity += gain * force_bound(model_, velocity) * random_.sign() * 3 * random_.unit();
    }
    s.free_velocity = std::clamp(s.free_velocity, -1e15, 1e15);
    inputs_ = s;
    const auto before = state;
    const auto after = model_.solve(before, s);
    check_state(after.state, "solve");
    if (!std::isfinite(after.velocity)) {
      violation("velocity of solve", after.velocity, 0);
      return 0;
    }
    const double factor = load_factor(model_, s);
    check_force(after.force, after.velocity, factor, "force of solve");
    if (const auto left = unbalanced(model_, before, after, s)) {
      violation("equation of solve", left->residual, left->tolerance);
    }
    if (s.free_velocity == s.velocity) {
      check_energy(before, after);
    }
    state = after.state;
    return after.velocity;
  }

  void check_state(const typename Model::State& state, const char* what) {
    const double share = test::share_of_limits(model_, state);
    if (!(share <= 1 + 16 * epsilon)) {
      violation(what, share, 1);
    }
  }
  void check_force(double force, double velocity, double factor, const char* what) {
    // Below 1e-290 a velocity has lost digits that the force of a power law still has.
    const double bound = factor * force_bound(model_, std::max(std::abs(velocity), 1e-290));
    if (!(std::abs(force) <= bound * (1 + 1e-9))) {
      violation(what, force, bound);
    }
  }
  /// Dissipation at one instant.
  void check_heat(const typename Model::State& state, double velocity) {
    if constexpr (std::is_same_v<Model, BlimanSorine2> || std::is_same_v<Model, BlimanSorine> ||
                  std::is_same_v<Model, Armstrong> || std::is_same_v<Model, Leuven>) {
      return;  // nothing is promised of an instant
    } else {
      if constexpr (requires { model_.dissipativity_margin(velocity); }) {
        if (!(model_.dissipativity_margin(velocity) >= 0)) {
          return;
        }
      }
      if constexpr (std::is_same_v<Model, Gms>) {
        if (model_.params().static_force != model_.params().coulomb_force) {
          return;
        }
      }
      const double heat = model_.dissipated_power(state, velocity);
      double size = force_bound(model_, velocity) * std::abs(velocity);
      if constexpr (std::is_same_v<Model, Gms>) {  // a slipping element is drawn to its limit, however soft its spring
        const auto& p = model_.params();
        for (std::size_t i = 0; i < p.share.size; ++i) {
          size += square(p.share[i]) * p.static_force * p.attraction / p.stiffness[i];
        }
      }
      if (!(heat >= -1e-12 * size)) {
        violation("dissipated_power", heat, -1e-12 * size);
      }
    }
  }
  /// Body and friction gain no energy without a load.
  void check_energy(const typename Model::State& before, const Solved<typename Model::State, double>& after) {
    if constexpr (Model::order == 0 && !std::is_same_v<Model, Karnopp> && !std::is_same_v<Model, KarnoppOriginal>) {
      if (!(std::abs(after.velocity) <= std::abs(inputs_.velocity)) || after.velocity * inputs_.velocity < 0 ||
          after.force * inputs_.velocity < 0) {
        violation("speed without a load", after.velocity, inputs_.velocity);
      }
    } else if constexpr (std::is_same_v<Model, Dahl> || std::is_same_v<Model, BlimanSorine1>) {
      if (inputs_.mobility == 0) {
        return;
      }
      const double kinetic = square(inputs_.velocity) / (2 * inputs_.mobility);
      const double had = kinetic + model_.energy(before);
      const double has = square(after.velocity) / (2 * inputs_.mobility) + model_.energy(after.state);
      if (!(has <= had * (1 + 1e-9))) {
        violation("energy without a load", has, had);
      }
    }
  }

  /// What is not finite, or a time or mobility that is negative, gives a velocity and force that are NaN.
  void show_nonsense(const typename Model::State& state, double velocity) {
    constexpr double infinite = std::numeric_limits<double>::infinity();
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    const std::array bad{nan, infinite, -infinite};
    const double wrong = bad[random_.bits() % 3];
    Step s{.free_velocity = velocity, .mobility = 1, .velocity = velocity, .dt = 1e-3};
    switch (random_.bits() % 6) {
      case 0:
        s.free_velocity = wrong;
        break;
      case 1:
        s.mobility = wrong;
        break;
      case 2:
        s.dt = wrong;
        break;
      case 3:
        s.velocity = wrong;
        break;
      case 4:
        s.dt = -random_.over_powers_of_two(-49, 49);
        break;
      default:
        s.mobility = -random_.over_powers_of_two(-49, 49);
    }
    inputs_ = s;
    const auto after = model_.solve(state, s);
    if (!std::isnan(after.velocity) || !std::isnan(after.force)) {
      violation("velocity after nonsense", after.velocity, nan);
    }
  }

  void violation(const char* what, double value, double limit) {
    if (violations_++ > 0 || quiet_) {
      return;
    }
    std::printf("%s: %s = %.17g, limit %.17g, in step %d\n", Model::info.name, what, value, limit, step_);
    std::printf("  free_velocity %.17g mobility %.17g dt %.17g velocity %.17g\n", inputs_.free_velocity,
                inputs_.mobility, inputs_.dt, inputs_.velocity);
    const auto params = model_.params();
    for (const auto& field : Model::fields) {
      std::printf("  %s = %.17g\n", field.name, params.*field.member);
    }
    if constexpr (requires { Model::integers; }) {
      for (const auto& field : Model::integers) {
        std::printf("  %s = %u\n", field.name, params.*field.member);
      }
    }
    if constexpr (requires { Model::lists; }) {
      for (const auto& field : Model::lists) {
        std::printf("  %s =", field.name);
        for (const double x : params.*field.member) {
          std::printf(" %.17g", x);
        }
        std::printf("\n");
      }
    }
    std::printf("  again: --only %s --case %lld\n", Model::info.name, static_cast<long long>(number_));
  }

  Random random_;
  std::int64_t number_;
  bool quiet_;
  Model model_;
  Step inputs_{};
  int step_ = -1;
  int violations_ = 0;
};

/// No case of 64 steps may take longer [s], at the best of three runs.
template <class Model>
constexpr double longest_case = std::is_same_v<Model, JournalBearing> ? 2 : 0.5;
/// How many steps of a fast model one step of this costs, roughly.
template <class Model>
constexpr double price = std::is_same_v<Model, JournalBearing>                                              ? 500
                         : std::is_same_v<Model, HaessigBristle> || std::is_same_v<Model, Leuven>           ? 100
                         : std::is_same_v<Model, ElastoPlastic> || std::is_same_v<Model, LoadDependentDahl> ? 10
                         : std::is_same_v<Model, Dahl> || std::is_same_v<Model, BlimanSorine> ||
                                 std::is_same_v<Model, LuGre> || std::is_same_v<Model, Gms>
                             ? 5
                             : 1;

struct Outcome {
  std::int64_t steps = 0;
  int violations = 0;
};

template <class Model>
Outcome run(const Options& options, std::uint64_t part, double steps) {
  Outcome outcome;
  const auto cases = std::max<std::int64_t>(1, static_cast<std::int64_t>(steps / steps_of_case));
  const std::int64_t first = std::max<std::int64_t>(0, options.single_case);
  const std::int64_t last = options.single_case < 0 ? cases : first + 1;
  const auto start = std::chrono::steady_clock::now();
  double longest = 0;
  for (std::int64_t i = first; i < last; ++i) {
    const auto seed = case_seed(options.seed, part, static_cast<std::uint64_t>(i));
    const auto case_start = std::chrono::steady_clock::now();
    const int violations = Case<Model>(seed, i, outcome.violations >= 3).run();
    double time = seconds_since(case_start);
    for (int again = 0; again < 2 && time > longest_case<Model>; ++again) {
      const auto again_start = std::chrono::steady_clock::now();
      Case<Model>(seed, i, true).run();
      time = std::min(time, seconds_since(again_start));
    }
    if (time > longest_case<Model>) {
      std::printf("%s: %d steps took %.3g s\n  again: --only %s --case %lld\n", Model::info.name, steps_of_case, time,
                  Model::info.name, static_cast<long long>(i));
      ++outcome.violations;
    }
    longest = std::max(longest, time);
    outcome.violations += violations > 0 ? 1 : 0;
    outcome.steps += steps_of_case;
  }
  const double seconds = seconds_since(start);
  std::printf("%-24s %12lld steps %8.0f ns each, longest case %9.3g ms, violations in %d cases\n", Model::info.name,
              static_cast<long long>(outcome.steps), 1e9 * seconds / static_cast<double>(outcome.steps), 1e3 * longest,
              outcome.violations);
  std::fflush(stdout);
  return outcome;
}

}  // namespace
}  // namespace stiction::torture

int main(int argc, char** argv) {
  using namespace stiction;  // NOLINT(google-build-using-namespace)
  const torture::Options options = torture::options_from(argc, argv, 1e9);
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  double shares = 0;
  scalar::for_each_model([&]<class Model>(std::type_identity<Model>) { shares += 1 / torture::price<Model>; });
  torture::Outcome all;
  std::uint64_t part = 0;
  bool found = false;
  scalar::for_each_model([&]<class Model>(std::type_identity<Model>) {
    const std::uint64_t number = part++;
    if (options.only.empty() || options.only == Model::info.name) {
      found = true;
      const double share = options.only.empty() ? 1 / torture::price<Model> / shares : 1;
      const auto outcome = torture::run<Model>(options, number, options.steps * share);
      all.steps += outcome.steps;
      all.violations += outcome.violations;
    }
  });
  if (!found) {
    std::fprintf(stderr, "there is no model '%s'\n", options.only.c_str());
    return 2;
  }
  std::printf("seed %llu: %lld steps, violations in %d cases\n", static_cast<unsigned long long>(options.seed),
              static_cast<long long>(all.steps), all.violations);
  return all.violations == 0 ? 0 : 1;
}
