// What a scenario's text becomes. The command line's tests hold the many ways in which it can be wrong.
#include "stiction/io/scenario.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "io/model_text.h"
#include "io/temp_folder.h"
#include "stiction/io/file.h"
#include "support/models.h"
#include "support/random.h"

namespace stiction::io::scenario_test {
namespace {

using test::message_of;
using ::testing::ContainsRegex;
using ::testing::DoubleEq;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::IsEmpty;
using ::testing::Pointwise;
using ::testing::SizeIs;

constexpr const char* coulomb = "[model]\nname = 'coulomb'\ncoulomb_force = 1\n";
constexpr const char* body = "[body]\nmass = 2\n";
constexpr const char* integrator = "[integrator]\nduration = 3\n";

Scenario parse(const std::string& text, const std::filesystem::path& folder = ".") {
  return parse_scenario(text, "s.toml", folder);
}

/// A body under a force that is given in TOML.
sim::Signal force(const std::string& value, const std::filesystem::path& folder = ".") {
  return parse(fmt::format("{}{}[load]\nforce = {}\n{}", coulomb, body, value, integrator), folder).load.force;
}

std::string complaint_about(const std::string& text) {
  return message_of<InputError>([&] { parse(text); });
}

TEST(Scenario, HasDefaultsForAllThatIsOptional) {
  const Scenario s = parse(std::string(coulomb) + body + integrator);
  EXPECT_EQ(s.title, "");
  EXPECT_EQ(s.model.as<scalar::Coulomb>()->params().viscous, 0);
  EXPECT_THAT(s.initial_states, IsEmpty());
  EXPECT_EQ(s.body.position, 0);
  EXPECT_EQ(s.body.velocity, 0);
  EXPECT_EQ(s.load.force.at(1), 0);
  EXPECT_FALSE(s.load.spring);
  EXPECT_FALSE(s.load.controller);
  EXPECT_FALSE(s.imposed_velocity);
  EXPECT_EQ(s.options.method, sim::Method::sdirk2);
  EXPECT_EQ(s.options.step, 1e-3);
  EXPECT_EQ(s.options.output_interval, 3e-3);  // a thousand rows
  EXPECT_THAT(s.columns, IsEmpty());
}

TEST(Scenario, TakesEveryKeyOfABodyUnderALoad) {
  const Scenario s = parse(R"(
    title = "Every key"
    [model]
    name = "lugre"
    stiffness = 1e5
    damping = 316
    coulomb_force = 1
    static_force = 1.5
    stribeck_velocity = 1e-3
    [initial]
    bristle = 2e-6
    [body]
    mass = 2
    position = -0.5
    velocity = 0.25
    [load]
    force = 4
    [load.spring]
    stiffness = 10
    damping = 3
    anchor = 0.125
    [load.controller]
    on = "position"
    reference = 0.5
    proportional = 5
    integral = 6
    derivative = 7
    [integrator]
    method = "backward-euler"
    duration = 8
    step = 0.002
    [output]
    interval = 0.04
    columns = ["time", "bristle"]
  )");
  EXPECT_EQ(s.title, "Every key");
  EXPECT_TRUE(s.model.as<scalar::LuGre>() != nullptr);
  EXPECT_THAT(s.initial_states, ElementsAre(2e-6));
  EXPECT_EQ(s.body.mass, 2);
  EXPECT_EQ(s.body.position, -0.5);
  EXPECT_EQ(s.body.velocity, 0.25);
  EXPECT_EQ(s.load.force.at(0), 4);
  ASSERT_TRUE(s.load.spring);
  EXPECT_EQ(s.load.spring->stiffness, 10);
  EXPECT_EQ(s.load.spring->damping, 3);
  EXPECT_EQ(s.load.spring->anchor.at(0), 0.125);
  ASSERT_TRUE(s.load.controller);
  EXPECT_EQ(s.load.controller->on, sim::Pid::On::position);
  EXPECT_EQ(s.load.controller->reference.at(0), 0.5);
  EXPECT_EQ(s.load.controller->proportional, 5);
  EXPECT_EQ(s.load.controller->integral, 6);
  EXPECT_EQ(s.load.controller->derivative, 7);
  EXPECT_EQ(s.options.method, sim::Method::backward_euler);
  EXPECT_EQ(s.options.duration, 8);
  EXPECT_EQ(s.options.step, 0.002);
  EXPECT_EQ(s.options.output_interval, 0.04);
  EXPECT_THAT(s.columns, ElementsAre("time", "bristle"));
}

TEST(Scenario, TakesAVelocityInPlaceOfABody) {
  const Scenario s = parse(std::string(coulomb) + "[motion]\nvelocity = 0.5\n" + integrator);
  ASSERT_TRUE(s.imposed_velocity);
  EXPECT_EQ(s.imposed_velocity->at(2), 0.5);
}

TEST(Scenario, ControlsVelocityWithoutADerivative) {
  const std::string text = std::string(coulomb) + body + integrator;
  const auto pid =
      parse(text + "[load.controller]\non = 'velocity'\nreference = 2\nproportional = 3\n").load.controller;
  ASSERT_TRUE(pid);
  EXPECT_EQ(pid->on, sim::Pid::On::velocity);
  EXPECT_EQ(pid->proportional, 3);
  EXPECT_EQ(complaint_about(text + "[load.controller]\non = 'velocity'\nderivative = 2\n"),
            "s.toml:10:1: unknown key 'load.controller.derivative' (2)");
}

TEST(Scenario, SpringAndControllerRestAtZeroUnlessTold) {
  const Scenario s =
      parse(std::string(coulomb) + body + integrator + "[load.spring]\nstiffness = 5\n[load.controller]\n");
  EXPECT_EQ(s.load.spring->damping, 0);
  EXPECT_EQ(s.load.spring->anchor.at(1), 0);
  EXPECT_EQ(s.load.controller->on, sim::Pid::On::position);
  EXPECT_EQ(s.load.controller->reference.at(1), 0);
  EXPECT_EQ(s.load.controller->proportional, 0);
  EXPECT_EQ(s.load.controller->integral, 0);
  EXPECT_EQ(s.load.controller->derivative, 0);
}

TEST(Scenario, KnowsEveryMethodByName) {
  for (const auto& [name, method] : {
           std::pair("cvode", sim::Method::cvode),
           std::pair("sdirk2", sim::Method::sdirk2),
           std::pair("backward-euler", sim::Method::backward_euler),
           std::pair("explicit-euler", sim::Method::explicit_euler),
           std::pair("semi-implicit-euler", sim::Method::semi_implicit_euler),
           std::pair("runge-kutta-4", sim::Method::runge_kutta_4),
       }) {
    EXPECT_EQ(parse(fmt::format("{}{}{}method = '{}'\n", coulomb, body, integrator, name)).options.method, method);
  }
}

TEST(Scenario, ToleranceIsTheAccurateSolversAndStepTheOthers) {
  const std::string text = std::string(coulomb) + body + integrator;
  EXPECT_EQ(parse(text + "method = 'cvode'").options.relative_tolerance, 1e-9);
  EXPECT_EQ(parse(text + "method = 'cvode'\nrelative_tolerance = 1e-6").options.relative_tolerance, 1e-6);
  EXPECT_THAT(complaint_about(text + "method = 'cvode'\nstep = 1e-3"),
              ::testing::StartsWith("s.toml:9:8: integrator.step = 0.001: must be left out"));
  EXPECT_THAT(complaint_about(text + "relative_tolerance = 1e-6"),
              ::testing::StartsWith("s.toml:8:22: integrator.relative_tolerance = 1e-06: must be left out"));
}

TEST(Scenario, DefaultStepIsNotLongerThanTheRun) {
  EXPECT_EQ(parse(std::string(coulomb) + body + "[integrator]\nduration = 1e-5\n").options.step, 1e-5);
}

TEST(Scenario, ReadsEveryParameterOfEveryModel) {
  scalar::for_each_model([]<class M>(std::type_identity<M>) {
    SCOPED_TRACE(M::info.name);
    const auto wanted = test::example<M>().params();
    const auto is_required = [](const auto& field) { return std::isnan(field.fallback); };
    const Scenario s = parse(test::model_text<M>(wanted) + body + integrator);
    const Scenario d = parse(test::model_text<M>(wanted, is_required) + body + integrator);
    EXPECT_THAT(s.initial_states, SizeIs(s.model.states_in_use()));
    const auto read = (*s.model.as<M>()).params();
    const auto read_required = (*d.model.as<M>()).params();
    for (const auto& field : M::fields) {
      EXPECT_EQ(read.*field.member, wanted.*field.member) << field.name;
      EXPECT_EQ(read_required.*field.member, is_required(field) ? wanted.*field.member : field.fallback) << field.name;
    }
    if constexpr (requires { M::integers; }) {
      for (const auto& field : M::integers) {
        EXPECT_EQ(read.*field.member, wanted.*field.member) << field.name;
        EXPECT_EQ(read_required.*field.member, field.fallback) << field.name;
      }
    }
    if constexpr (requires { M::lists; }) {
      for (const auto& field : M::lists) {
        EXPECT_EQ(read.*field.member, wanted.*field.member) << field.name;
      }
    }
  });
}

/// What is wrong with a scenario in which one list of a model's parameters has this text.
template <class M, class ListField>
std::string complaint_about_list(const ListField& field, const std::string& list) {
  std::string text = test::model_text<M>(test::example<M>().params());
  const auto at = text.find(std::string("\n") + field.name + " = [") + 1;
  text.replace(at, text.find('\n', at) - at, fmt::format("{} = {}", field.name, list));
  return complaint_about(text + body + integrator);
}

TEST(ScenarioComplaint, NamesAListThatIsMissingEmptyTooLongOrHasABadNumber) {
  scalar::for_each_model([]<class M>(std::type_identity<M>) {
    if constexpr (requires { M::lists; }) {
      for (const auto& field : M::lists) {
        SCOPED_TRACE(std::string(M::info.name) + "." + field.name);
        const std::string key = std::string("model.") + field.name;
        const std::string numbers = fmt::format("a list of numbers, each {}", field.range.text);
        const auto about = [&](const std::string& list) { return complaint_about_list<M>(field, list); };
        const std::string place = "s.toml:[0-9]+:[0-9]+: ";
        EXPECT_THAT(about("[]"), ContainsRegex(place + key + " = \\[.*\\]: must be "));
        EXPECT_THAT(about("[]"), EndsWith("must be " + numbers));
        EXPECT_THAT(about("3"), EndsWith(key + " = 3: must be " + numbers));
        EXPECT_THAT(about("['a']"), EndsWith(": must be " + numbers));
        EXPECT_THAT(about("[nan]"), EndsWith(key + " = nan: must be " + numbers));
        std::string many = "[1";
        for (std::size_t i = 0; i < field.capacity; ++i) {
          many += fmt::format(", {}", i + 2);
        }
        EXPECT_THAT(about(many + "]"), ContainsRegex(place + key + " = \\[.*: must be "));
        EXPECT_THAT(about(many + "]"), EndsWith(std::string("must be ") + field.length));
        std::string without = test::model_text<M>(test::example<M>().params());
        const auto at = without.find(std::string("\n") + field.name + " = [") + 1;
        without.erase(at, without.find('\n', at) + 1 - at);
        EXPECT_THAT(complaint_about(without + body + integrator),
                    EndsWith(fmt::format("'{}' is missing: must be {}", key, numbers)));
      }
    }
  });
}

TEST(ScenarioComplaint, NamesTheListThatIsNotAsLongAsItsPartner) {
  EXPECT_THAT(complaint_about_list<scalar::Gms>(scalar::Gms::lists[1], "[0.5, 0.25, 0.125, 0.125]"),
              ContainsRegex("s.toml:[0-9]+:9: model.share = .*: must be as many as stiffness"));
  EXPECT_THAT(complaint_about_list<scalar::Gms>(scalar::Gms::lists[1], "[0.5, 0.25, 0.3]"),
              ContainsRegex("s.toml:[0-9]+:9: model.share = .*: must be a list of sum 1"));
  EXPECT_THAT(complaint_about_list<scalar::BlimanSorine>(scalar::BlimanSorine::lists[0], "[1, 0, 0, -1]"),
              ContainsRegex("s.toml:[0-9]+:5: model.a = .*: must be a matrix with stable eigenvalues"));
}

TEST(Scenario, AnInfiniteDampingVelocityIsAllowed) {
  const Scenario s = parse(
      "model = {name='lugre', stiffness=1, damping=1, coulomb_force=1, static_force=1, stribeck_velocity=1, "
      "damping_velocity=inf}\nbody = {mass=1}\nintegrator = {duration=1}");
  EXPECT_EQ(s.model.as<scalar::LuGre>()->params().damping_velocity, infinity);
}

struct SignalCase {
  const char* name;
  const char* text;
  std::vector<double> at;  // t = 0, 0.5, 1, 1.5, 2, 3
};
void PrintTo(const SignalCase& signal, std::ostream* out) { *out << signal.name; }

class SignalText : public ::testing::TestWithParam<SignalCase> {};

TEST_P(SignalText, GivesTheValuesItSays) {
  const auto signal = force(GetParam().text);
  std::vector<double> values;
  for (const double t : {0.0, 0.5, 1.0, 1.5, 2.0, 3.0}) {
    values.push_back(signal.at(t));
  }
  EXPECT_THAT(values, Pointwise(DoubleEq(), GetParam().at));
}

const double sine_half = std::sin(0.5);
INSTANTIATE_TEST_SUITE_P(
    , SignalText,
    ::testing::Values(
        SignalCase{"Number", "-2.5", {-2.5, -2.5, -2.5, -2.5, -2.5, -2.5}},
        SignalCase{"WholeNumber", "3", {3, 3, 3, 3, 3, 3}},
        SignalCase{"Constant", "{type='constant', value=4}", {4, 4, 4, 4, 4, 4}},
        SignalCase{"Ramp", "{type='ramp', from=1, to=5, start=1, end=2}", {1, 1, 1, 3, 5, 5}},
        SignalCase{"RampFromZeroAtOnce", "{type='ramp', to=4, end=2}", {0, 1, 2, 3, 4, 4}},
        SignalCase{"SmoothRamp",
                   "{type='ramp', to=4, end=2, smooth=true}",
                   {0, 2 - std::numbers::sqrt2, 2, 2 + std::numbers::sqrt2, 4, 4}},
        SignalCase{"Sine",
                   "{type='sine', amplitude=2, frequency=1}",
                   {0, 2 * sine_half, 2 * std::sin(1.0), 2 * std::sin(1.5), 2 * std::sin(2.0), 2 * std::sin(3.0)}},
        SignalCase{"SineWithPhaseAndOffset",
                   "{type='sine', amplitude=1, frequency=2, phase=0.25, offset=10}",
                   {10 + std::sin(0.25), 10 + std::sin(1.25), 10 + std::sin(2.25), 10 + std::sin(3.25),
                    10 + std::sin(4.25), 10 + std::sin(6.25)}},
        SignalCase{"Steps", "{type='steps', times=[0.5, 2], values=[7, -1]}", {0, 7, 7, 7, -1, -1}},
        SignalCase{"Table", "{type='table', times=[0.5, 1.5, 2], values=[1, 3, 0]}", {1, 1, 2, 3, 0, 0}},
        SignalCase{
            "Sum", "[1, {type='steps', times=[1], values=[10]}, {type='ramp', to=4, end=2}]", {1, 2, 13, 14, 15, 15}}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(ScenarioSignal, ComesFromACsvFileBesideTheScenario) {
  const test::TempFolder folder;
  folder.write("log.csv", "time, t2, u\n0, 1, 2\n2, 5, 6\n");
  EXPECT_EQ(force("{type='csv', file='log.csv', value='u'}", folder.path()).at(1), 4);
  EXPECT_EQ(force("{type='csv', file='log.csv', value='u', time='t2'}", folder.path()).at(2), 3);

  folder.write("s.toml",
               fmt::format("{}{}[load.force]\ntype='csv'\nfile='log.csv'\nvalue='u'\n{}", coulomb, body, integrator));
  EXPECT_EQ(read_scenario(folder / "s.toml").load.force.at(0.5), 3);
}

TEST(ScenarioSignal, WorksForAnchorReferenceAndVelocity) {
  const std::string ramp = "{type='ramp', to=4, end=2}";
  const std::string start = std::string(coulomb) + integrator;
  EXPECT_EQ(parse(start + body + "[load.spring]\nstiffness = 1\nanchor = " + ramp).load.spring->anchor.at(1), 2);
  EXPECT_EQ(parse(start + body + "[load.controller]\nreference = " + ramp).load.controller->reference.at(1), 2);
  EXPECT_EQ(parse(start + "[motion]\nvelocity = " + ramp).imposed_velocity->at(1), 2);
}

TEST(ScenarioComplaint, NamesPlaceKeyValueAndRange) {
  EXPECT_EQ(complaint_about("[model]\nname = 'coulomb'\ncoulomb_force =  -1\n"),
            "s.toml:3:18: model.coulomb_force = -1: must be in [0, 1e15]");
  EXPECT_EQ(complaint_about("[model]\nname = 'coulomb'\n"),
            "s.toml:1:1: 'model.coulomb_force' is missing: must be a number in [0, 1e15]");
}

TEST(ScenarioComplaint, ShowsALongValueShortened) {
  const std::string message = complaint_about("title = 3\nmodel = '" + std::string(500, 'x') + "'\n");
  EXPECT_EQ(message, "s.toml:1:9: title = 3: must be a text in quotes");
  EXPECT_LT(complaint_about("model = '" + std::string(500, 'x') + "'\n").size(), 120);
}

TEST(ScenarioComplaint, TakesAMistypedRequiredKeyForWhatItIs) {
  EXPECT_EQ(complaint_about("[model]\nname = 'coulomb'\ncoulom_force = 1\n"),
            "s.toml:3:1: unknown key 'model.coulom_force' (1); did you mean 'coulomb_force'?");
}

TEST(ScenarioComplaint, DoesNotTakeAnotherKnownKeyForAMistypedOne) {
  std::string text = "[model]\nname = 'asymmetric-stribeck'\n";
  for (const auto& field : scalar::AsymmetricStribeck::fields) {
    text += std::string(field.name) != "static_force_plus" ? fmt::format("{} = 1\n", field.name) : "";
  }
  EXPECT_EQ(complaint_about(text),
            "s.toml:1:1: 'model.static_force_plus' is missing: must be a number in [1e-15, 1e15]");
}

TEST(ScenarioComplaint, DamageOfAnyKindIsHarmlessOrReportedInOneLine) {
  const std::string text = fmt::format(
      "title = \"a\"\n{}{}{}[load]\nforce = [1, {{type='ramp', to=4, end=2, smooth=true}}]\n[load.spring]\n"
      "stiffness = 1e3\n[output]\ncolumns = ['time', \"load\"]\n",
      coulomb, body, integrator);
  test::Random random(1);
  const std::string bytes = "[]{}='\"\\#,.+-_eE019 \n\r\t\x01\xC3\xFFnif";
  int harmless = 0;
  for (int i = 0; i < 5000; ++i) {
    std::string damaged = text;
    for (auto changes = 1 + random.bits() % 3; changes > 0; --changes) {
      const std::size_t at = random.bits() % damaged.size();
      damaged.erase(at, random.bits() % 4);
      damaged.insert(at, random.bits() % 2, bytes[random.bits() % bytes.size()]);
    }
    try {
      parse(damaged);
      ++harmless;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), ::testing::MatchesRegex("s.toml:[0-9]+:[0-9]+: [^\n]+")) << damaged;
    }
  }
  EXPECT_GT(harmless, 100);
  EXPECT_LT(harmless, 4000);
}

TEST(Closest, FindsTheNearestOfTheNames) {
  const std::vector<std::string> names{"stiffness", "damping", "coulomb_force", "static_force"};
  EXPECT_EQ(closest("stifness", names), "stiffness");
  EXPECT_EQ(closest("dampnig", names), "damping");
  EXPECT_EQ(closest("static", names), "");  // six letters are missing
  EXPECT_EQ(closest("coulombforce", names), "coulomb_force");
  EXPECT_EQ(closest("damping", names), "damping");
  EXPECT_EQ(closest("Damping", names), "damping");
}

TEST(Closest, SuggestsNothingThatIsFar) {
  EXPECT_EQ(closest("mass", {"stiffness", "damping"}), "");
  EXPECT_EQ(closest("mass", {}), "");
  EXPECT_EQ(closest("", {"stiffness"}), "");
}

TEST(Closest, TakesTheFirstOfTwoThatAreEquallyNear) { EXPECT_EQ(closest("bac", {"bat", "bad"}), "bat"); }

TEST(NamedColumns, AreAllOfATrajectoryInItsOrder) {
  sim::Trajectory run;
  run.time = {0, 1};
  run.position = {2, 3};
  run.velocity = {4, 5};
  run.friction = {6, 7};
  run.load = {8, 9};
  run.state_names = {"bristle", "mode"};
  run.states = {{10, 11}, {12, 13}};
  const auto all = named_columns(run);
  EXPECT_THAT(all.names, ElementsAre("time", "position", "velocity", "friction", "load", "bristle", "mode"));
  EXPECT_THAT(all.values, ElementsAre(ElementsAre(0, 1), ElementsAre(2, 3), ElementsAre(4, 5), ElementsAre(6, 7),
                                      ElementsAre(8, 9), ElementsAre(10, 11), ElementsAre(12, 13)));
  const auto some = named_columns(run, {"mode", "time"});
  EXPECT_THAT(some.names, ElementsAre("mode", "time"));
  EXPECT_THAT(some.values, ElementsAre(ElementsAre(12, 13), ElementsAre(0, 1)));
}

TEST(NamedColumns, RefuseANameThatIsNotThere) {
  EXPECT_EQ(message_of<InputError>([] {
              named_columns(sim::Trajectory{}, {"time", "bristle"});
            }),
            "no column 'bristle': must be one of time, position, velocity, friction, load");
}

}  // namespace
}  // namespace stiction::io::scenario_test
