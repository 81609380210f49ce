// A scenario is another way to call the library, with the same result to the last bit.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>

#include "io/model_text.h"
#include "stiction/io/file.h"
#include "stiction/io/scenario.h"
#include "stiction/sim/line.h"
#include "support/models.h"

namespace stiction::io::scenario_run_test {
namespace {

std::vector<std::uint64_t> bits(const std::vector<double>& values) {
  std::vector<std::uint64_t> result;
  for (const double value : values) {
    result.push_back(std::bit_cast<std::uint64_t>(value));
  }
  return result;
}

void expect_same(const sim::Trajectory& actual, const sim::Trajectory& expected) {
  ASSERT_TRUE(expected.time.size() > 10U || expected.diverged);
  EXPECT_EQ(actual.steps, expected.steps);
  EXPECT_EQ(actual.diverged, expected.diverged);
  const auto a = named_columns(actual);
  const auto b = named_columns(expected);
  ASSERT_EQ(a.names, b.names);
  for (std::size_t i = 0; i < a.names.size(); ++i) {
    EXPECT_TRUE(bits(a.values[i]) == bits(b.values[i])) << a.names[i];
  }
}

struct NamedMethod {
  const char* name;
  sim::Method method;
};
void PrintTo(const NamedMethod& method, std::ostream* out) { *out << method.name; }
constexpr std::array<NamedMethod, 7> methods{{{"cvode", sim::Method::cvode},
                                              {"sdirk2", sim::Method::sdirk2},
                                              {"backward-euler", sim::Method::backward_euler},
                                              {"explicit-euler", sim::Method::explicit_euler},
                                              {"semi-implicit-euler", sim::Method::semi_implicit_euler},
                                              {"runge-kutta-4", sim::Method::runge_kutta_4},
                                              {"midpoint", sim::Method::midpoint}}};
bool offered(const NamedMethod& method, sim::Entry entry) {
  const auto& all = sim::methods_of(entry);
  return std::find(all.begin(), all.end(), method.method) != all.end();
}

/// An ordinary model of each kind; light and soft enough for explicit steps.
template <class M>
typename M::Params mild_params() {
  return test::drawn_params<M>([](const test::Interval& i) {
    return i.low == 1e2 ? 400 : std::sqrt(i.low * i.high);  // stiffness
  });
}

template <class M>
std::string model_text() {
  return test::model_text<M>(mild_params<M>());
}

std::string integrator_text(const NamedMethod& method) {
  return fmt::format("[integrator]\nmethod = '{}'\nduration = 0.5\n{}\n[output]\ninterval = 0.01\n", method.name,
                     method.method == sim::Method::cvode ? "relative_tolerance = 1e-7" : "step = 2e-4");
}

sim::Options options(const NamedMethod& method) {
  sim::Options result{.method = method.method, .duration = 0.5, .output_interval = 0.01};
  (method.method == sim::Method::cvode ? result.relative_tolerance : result.step) =
      method.method == sim::Method::cvode ? 1e-7 : 2e-4;
  return result;
}

/// The states that a model uses, a little off rest.
template <class M>
typename M::State initial_state() {
  auto states = M::pack({});
  std::fill_n(states.begin(), scalar::states_in_use(M(mild_params<M>())), 1e-4);
  return M::unpack(states, {});
}

template <class M>
std::string initial_text() {
  std::string text = "[initial]\n";
  for (std::size_t i = 0; i < scalar::states_in_use(M(mild_params<M>())); ++i) {
    text += fmt::format("{} = 1e-4\n", M::state_names[i]);
  }
  return text;
}

class RunScenario : public ::testing::TestWithParam<NamedMethod> {};

TEST_P(RunScenario, RefusesMethodsThatAreNotOffered) {
  const std::string start = "[model]\nname = 'coulomb'\ncoulomb_force = 1\n";
  const auto refuses = [&](const std::string& moves) {
    try {
      (void)parse_scenario(start + moves + integrator_text(GetParam()), "s.toml", ".");
    } catch (const InputError&) {
      return true;
    }
    return false;
  };
  EXPECT_EQ(refuses("[body]\nmass = 1\n"), !offered(GetParam(), sim::Entry::body));
  EXPECT_EQ(refuses("[motion]\nvelocity = 1\n"), !offered(GetParam(), sim::Entry::imposed_velocity));
}

TEST_P(RunScenario, OfABodyUnderAFullLoadIsTheLibrarysOwnSimulation) {
  if (!offered(GetParam(), sim::Entry::body)) {
    return;
  }
  scalar::for_each_model([&]<class M>(std::type_identity<M>) {
    SCOPED_TRACE(M::info.name);
    const auto scenario =
        parse_scenario(model_text<M>() + initial_text<M>() +
                           "[body]\nmass = 2\nposition = 0.01\nvelocity = -0.02\n"
                           "[load]\nforce = [{type='sine', amplitude=4, frequency=20}, 0.5]\n"
                           "[load.spring]\nstiffness = 30\ndamping = 1\nanchor = {type='ramp', to=0.2, end=0.3}\n"
                           "[load.controller]\nreference = 0.1\nproportional = 5\nintegral = 2\nderivative = 0.5\n" +
                           integrator_text(GetParam()),
                       "s.toml", ".");
    const sim::Load load{
        .force = sim::Signal({sim::Sine{4, 20}, sim::Constant{0.5}}),
        .spring = sim::Spring{30, 1, sim::Ramp{0, 0.2, 0, 0.3}},
        .controller = sim::Pid{sim::Pid::On::position, 0.1, 5, 2, 0.5},
    };
    expect_same(run(scenario), sim::simulate(M::make(mild_params<M>()), {2, 0.01, -0.02}, load, options(GetParam()),
                                             initial_state<M>()));
  });
}

TEST_P(RunScenario, OfAnImposedVelocityIsTheLibrarysOwnDrive) {
  if (!offered(GetParam(), sim::Entry::imposed_velocity)) {
    return;
  }
  scalar::for_each_model([&]<class M>(std::type_identity<M>) {
    SCOPED_TRACE(M::info.name);
    const auto scenario = parse_scenario(model_text<M>() + initial_text<M>() +
                                             "[motion]\nvelocity = {type='sine', amplitude=0.02, frequency=30}\n" +
                                             integrator_text(GetParam()),
                                         "s.toml", ".");
    expect_same(run(scenario),
                sim::drive(M::make(mild_params<M>()), sim::Sine{0.02, 30}, options(GetParam()), initial_state<M>()));
  });
}

INSTANTIATE_TEST_SUITE_P(, RunScenario, ::testing::ValuesIn(methods), [](const auto& test) {
  std::string name = test.param.name;
  std::erase(name, '-');
  return name;
});

}  // namespace
}  // namespace stiction::io::scenario_run_test
