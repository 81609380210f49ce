// Planar scenarios: what their text becomes, and that running them is the library's own simulation. The command line's
// tests hold the many ways in which the text can be wrong.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "io/temp_folder.h"
#include "stiction/io/any_scenario.h"
#include "stiction/io/file.h"
#include "stiction/planar/shapes.h"
#include "stiction/sim/cvode.h"
#include "stiction/sim/planar_steps.h"
#include "support/csv.h"
#include "support/random.h"

namespace stiction::io::planar_scenario_test {
namespace {

using planar::Distributed;
using planar::Ellipsoid;
using planar::Patch;
using planar::Point;
using planar::Reduced;
using planar::SoftFingerModel;
using planar::SurfaceTable;
using planar::Twist;
using planar::Wrench;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

constexpr double pi = std::numbers::pi;

const std::string patch = "[patch]\nshape = 'paper-square'\n";
const std::string friction = "[friction]\npreset = 'waltersson-p1'\n";
const std::string contact = "[contact]\nnormal_force = 2\n";
const std::string body = "[body]\nmass = 0.5\ninertia = 1e-3\n";
const std::string integrator = "[integrator]\nduration = 0.1\n";

PlanarScenario parse(const std::string& text, const std::filesystem::path& folder = ".") {
  return std::get<PlanarScenario>(parse_any_scenario(text, "s.toml", folder));
}
std::string complaint_about(const std::string& text) {
  return test::message_of<InputError>([&] { (void)parse_any_scenario(text, "s.toml", "."); });
}

// Which kind of scenario ---------------------------------------------------------------------------------------------

TEST(AnyScenario, WithAModelIsOfALine) {
  const std::string line = "[model]\nname = 'coulomb'\ncoulomb_force = 1\n[body]\nmass = 1\n" + integrator;
  EXPECT_TRUE(std::holds_alternative<Scenario>(parse_any_scenario(line, "s.toml", ".")));
  EXPECT_EQ(complaint_about(line + patch),
            "s.toml:1:1: [model] is for bodies on a line: it cannot be combined with [patch], [friction] or [contact]");
  EXPECT_EQ(complaint_about(""), "s.toml:1:1: 'model' is missing: must be a table [model]");
}

TEST(AnyScenario, WithATableOfPatchesIsPlanar) {
  EXPECT_EQ(complaint_about(patch), "s.toml:1:1: 'friction' is missing: must be a table [friction]");
  EXPECT_EQ(complaint_about(friction), "s.toml:1:1: 'patch' is missing: must be a table [patch]");
  EXPECT_EQ(complaint_about(contact), "s.toml:1:1: 'patch' is missing: must be a table [patch]");
}

// Reading ------------------------------------------------------------------------------------------------------------

TEST(PlanarScenario, HasDefaultsForAllThatIsOptional) {
  const PlanarScenario s = parse(patch + friction + contact + body + integrator);
  EXPECT_EQ(s.title, "");
  EXPECT_TRUE(std::holds_alternative<Reduced<SurfaceTable>>(s.model));
  EXPECT_EQ(s.body.contacts, 1);
  EXPECT_FALSE(s.body.carried);
  EXPECT_EQ(s.body.contact, Point{});
  EXPECT_EQ(s.body.gravity, Point{});
  EXPECT_FALSE(s.body.load);
  EXPECT_THAT(s.body.jumps, IsEmpty());
  EXPECT_EQ(s.start.position, Point{});
  EXPECT_EQ(s.start.angle, 0);
  EXPECT_EQ(s.start.velocity, Twist{});
  EXPECT_FALSE(s.motion);
  EXPECT_EQ(s.step, 0);
  EXPECT_EQ(s.options.interval, 1e-4);  // a thousand rows
  EXPECT_EQ(s.options.relative_tolerance, 1e-6);
  EXPECT_THAT(s.columns, IsEmpty());
}

TEST(PlanarScenario, TakesEveryKeyOfABody) {
  const PlanarScenario s = parse(R"(
title = "t"
[patch]
shape = "rectangle"
width = 0.03
height = 0.01
cells = 5
at = [0.002, -0.001]
[friction]
law = "lugre"
stiffness = 2e5
damping = 30
viscous = 0.3
coulomb = 0.4
static = 0.6
stribeck_exponent = 1.5
stribeck_velocity = 0.02
[contact]
model = "distributed"
contacts = 3
carried = true
at = [0.1, 0.2]
normal_force = {type = "steps", times = [0, 0.5], values = [3, -4]}
[body]
mass = 0.7
inertia = 0.005
gravity = [1, -2]
position = [0.3, 0.4]
angle = 0.5
velocity = [0.6, 0.7]
spin = 0.8
[load]
fx = {type = "steps", times = [0.2], values = [5]}
fy = {type = "ramp", to = 6, start = 0.3, end = 0.6}
torque = 0.9
[integrator]
method = "accurate"
duration = 1
relative_tolerance = 1e-7
[output]
interval = 0.25
columns = ["y", "time"]
)");
  EXPECT_EQ(s.title, "t");
  const auto& model = std::get<Distributed>(s.model);
  EXPECT_EQ(model.size(), 25U);
  EXPECT_EQ(model.params().friction, (planar::Friction{2e5, 30, 0.3, 0.4, 0.6, 1.5, 0.02, 0.9, false}));
  EXPECT_NEAR(sim::centre_of_pressure(s.model).x, 0.002, 1e-15);
  EXPECT_NEAR(sim::centre_of_pressure(s.model).y, -0.001, 1e-15);
  EXPECT_EQ(s.body.mass, 0.7);
  EXPECT_EQ(s.body.inertia, 0.005);
  EXPECT_EQ(s.body.gravity, (Point{1, -2}));
  EXPECT_EQ(s.body.contacts, 3);
  EXPECT_TRUE(s.body.carried);
  EXPECT_EQ(s.body.contact, (Point{0.1, 0.2}));
  EXPECT_EQ(s.body.normal_force(0.4), 3);
  EXPECT_EQ(s.body.normal_force(0.6), 0);  // no pull
  EXPECT_EQ(s.body.load(0.1), (Wrench{0, 0, 0.9}));
  EXPECT_EQ(s.body.load(0.45).x, 5);
  EXPECT_NEAR(s.body.load(0.45).y, 3, 1e-12);
  EXPECT_THAT(s.body.jumps, UnorderedElementsAre(0.5, 0.2, 0.3, 0.6));
  EXPECT_EQ(s.start.position, (Point{0.3, 0.4}));
  EXPECT_EQ(s.start.angle, 0.5);
  EXPECT_EQ(s.start.velocity, (Twist{0.6, 0.7, 0.8}));
  EXPECT_EQ(s.options.duration, 1);
  EXPECT_EQ(s.options.interval, 0.25);
  EXPECT_EQ(s.options.relative_tolerance, 1e-7);
  EXPECT_EQ(s.options.absolute_tolerance, 1e-9);
  EXPECT_THAT(s.columns, ElementsAre("y", "time"));
  EXPECT_THAT(named_columns(run(s), s.columns).names, ElementsAre("y", "time"));
}

TEST(PlanarScenario, LetsAnyFieldOfAPresetBeChanged) {
  const auto read = [](const std::string& more) {
    return std::get<Reduced<SurfaceTable>>(parse(patch + friction + more + contact + body + integrator).model)
        .params()
        .friction;
  };
  EXPECT_EQ(read(""), planar::preset::waltersson_p1());
  for (const auto& field : planar::friction_fields) {
    planar::Friction expected = planar::preset::waltersson_p1();
    expected.*field.member *= std::string_view(field.name) == "static" ? 1.25 : 0.75;
    EXPECT_EQ(read(fmt::format("{} = {}\n", field.name, expected.*field.member)), expected) << field.name;
  }
}

TEST(PlanarScenario, TakesAPatchFromAFileBesideIt) {
  const test::TempFolder folder;
  folder.write("p.toml", "[patch]\nshape = 'grid'\nfile = 'p.csv'\nwidth = 0.02\nheight = 0.01\n");
  folder.write("p.csv", "0, 0\n1, 3\n");
  const PlanarScenario s = parse("[patch]\nfile = 'p.toml'\n" + friction + contact + body + integrator, folder.path());
  EXPECT_NEAR(sim::centre_of_pressure(s.model).x, 0.0025, 1e-15);
  EXPECT_NEAR(sim::centre_of_pressure(s.model).y, -0.0025, 1e-15);
}

TEST(PlanarScenario, StopsAtKinksAndKeepsUpWithFastInputs) {
  const auto read = [](const std::string& force) {
    return parse(patch + friction + contact + body + "[load]\nfx = " + force + "\n" + integrator).options.max_step;
  };
  EXPECT_EQ(read("1"), 1e-2);
  EXPECT_EQ(read("{type = 'sine', amplitude = 1, frequency = 1e3}"), 1e-4);
}

TEST(PlanarScenario, DamageOfAnyKindIsHarmlessOrReportedInOneLine) {
  const std::string text =
      "title = 'a'\n[patch]\nshape = 'disc'\nradius = 0.01\ncells = 3\n" + friction +
      "[contact]\nmodel = 'ellipsoid'\nat = [1, 2]\nnormal_force = [1, {type='ramp', to=4, end=2}]\n" + body +
      "[load]\nfx = 1\n" + integrator + "[output]\ncolumns = ['time', \"x\"]\n";
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

// Running is the library's own simulation ----------------------------------------------------------------------------

/// The paper's box between two fingers, pushed as well, so that every part of the body has its say.
struct Held {
  std::string text;
  sim::PlanarBody body;
  sim::PlanarState start;
  sim::PlanarOptions options;
};
Held held(const std::string& shape, const std::string& model) {
  Held h;
  h.text = "[patch]\n" + shape + "\n[friction]\npreset = 'waltersson-p0'\n[contact]\nmodel = '" + model +
           "'\ncontacts = 2\nat = [0.001, 0.002]\n" +
           "normal_force = {type='sine', amplitude=0.9, frequency=12, offset=1.7}\n"
           "[body]\nmass = 0.2\ninertia = 4.8e-4\ngravity = [0, -9.81]\nposition = [0.003, 0.004]\nangle = 0.1\n"
           "velocity = [0.01, 0.02]\nspin = -0.3\n"
           "[load]\nfx = {type='steps', times=[0.1], values=[0.3]}\ntorque = 0.002\n"
           "[output]\ninterval = 0.01\n[integrator]\nduration = 0.3\n";
  h.body = {.mass = 0.2, .inertia = 4.8e-4, .gravity = {0, -9.81}, .contacts = 2, .contact = {0.001, 0.002}};
  h.body.normal_force = [](double t) { return 1.7 + 0.9 * std::sin(12 * t); };
  h.body.load = [](double t) { return Wrench{t >= 0.1 ? 0.3 : 0, 0, 0.002}; };
  h.body.jumps = {0.1};
  h.start = {{0.003, 0.004}, 0.1, {0.01, 0.02, -0.3}};
  h.options = {.duration = 0.3, .interval = 0.01, .max_step = 1.0 / 12 / 10};
  return h;
}

void expect_rows(const sim::PlanarRun& scenario, const sim::PlanarRun& expected) {
  EXPECT_NEAR(static_cast<double>(scenario.steps), static_cast<double>(expected.steps), 0.05 * 300);
  ASSERT_EQ(scenario.rows.size(), expected.rows.size() + 1);
  for (std::size_t i = 0; i < expected.rows.size(); ++i) {
    EXPECT_NEAR(scenario.rows[i + 1].time, expected.rows[i].time, 1e-15);
    // Rows end steps, so that another last digit of their times gives other last digits of all.
    EXPECT_NEAR(scenario.rows[i + 1].state.position.y, expected.rows[i].state.position.y, 1e-9);
    EXPECT_NEAR(scenario.rows[i + 1].state.angle, expected.rows[i].state.angle, 1e-7);
    EXPECT_NEAR(scenario.rows[i + 1].wrench.x, expected.rows[i].wrench.x, 1e-5);
    EXPECT_NEAR(scenario.rows[i + 1].wrench.torque, expected.rows[i].wrench.torque, 1e-7);
    EXPECT_NEAR(scenario.rows[i + 1].normal_force, expected.rows[i].normal_force, 1e-12);
  }
}

TEST(RunPlanarScenario, WithManyBristlesIsTheLibrarysOwn) {
  const Held h = held("shape = 'paper-gradient-line'", "distributed");
  const auto model = Distributed::make({planar::preset::waltersson_p0(), Patch(planar::paper::gradient_line())});
  expect_rows(run(parse(h.text)), sim::simulate(h.body, model, h.start, h.options));
}

TEST(RunPlanarScenario, WithThreeStatesIsTheLibrarysOwn) {
  const Held h = held("shape = 'paper-gradient-line'", "reduced");
  const Patch line(planar::paper::gradient_line());
  const auto model =
      Reduced<SurfaceTable>::make({planar::preset::waltersson_p0(), line.pressure_moments(), SurfaceTable(line)});
  expect_rows(run(parse(h.text)), sim::simulate(h.body, model, h.start, h.options));
}

TEST(RunPlanarScenario, WithAnEllipsoidIsTheLibrarysOwn) {
  const Held h = held("shape = 'paper-non-convex-2'", "ellipsoid");
  const Patch tee(planar::paper::non_convex_2());
  const auto model = Reduced<Ellipsoid>::make({planar::preset::waltersson_p0(), tee.pressure_moments(), {}});
  expect_rows(run(parse(h.text)), sim::simulate(h.body, model, h.start, h.options));
}

TEST(RunPlanarScenario, WithASoftFingerIsTheLibrarysOwn) {
  const Held h =
      held("shape = 'soft-finger'\nreach = 0.006\nexponent = 1.5\nper_newton = true\nlargest = 0.0075", "reduced");
  const auto model = SoftFingerModel::make(planar::preset::waltersson_p0(), {0.006, 1.5, true, 0.0075}, 2.6);
  expect_rows(run(parse(h.text)), sim::simulate(h.body, model, h.start, h.options));
  const Held fixed_size = held("shape = 'soft-finger'\nradius = 0.004\nexponent = 1.5", "reduced");
  EXPECT_GT(std::abs(run(parse(h.text)).rows.back().state.angle - run(parse(fixed_size.text)).rows.back().state.angle),
            1e-3);
}

/// Fixed steps by hand.
template <class Contact>
sim::PlanarRun stepped(const Held& h, Contact model, const std::function<void(Contact&, double)>& press) {
  sim::PlanarSteps<Contact> steps({h.body.mass, h.body.inertia, 2, false, h.body.contact}, std::move(model));
  steps.position = h.start.position;
  steps.angle = h.start.angle;
  steps.velocity = h.start.velocity;
  sim::PlanarRun result;
  for (int k = 0; k < 300; ++k) {
    const double middle = (k + 0.5) * 1e-3;
    const double force = h.body.normal_force(middle);
    press(steps.contact, force);
    const Wrench w = steps.step({Wrench{0, -9.81 * 0.2, 0} + h.body.load(middle), force}, 1e-3);
    if (k % 10 == 9) {
      result.rows.push_back({(k + 1) * 1e-3, force, {steps.position, steps.angle, steps.velocity}, w});
    }
  }
  result.steps = 300;
  return result;
}

TEST(RunPlanarScenario, InFixedStepsIsTheLibrarysOwn) {
  const std::string fixed = "method = 'fixed'\nstep = 1e-3\n";
  const Held line = held("shape = 'paper-gradient-line'", "reduced");
  const Patch p(planar::paper::gradient_line());
  const auto model =
      Reduced<SurfaceTable>::make({planar::preset::waltersson_p0(), p.pressure_moments(), SurfaceTable(p)});
  using ThreeStates = sim::ReducedContact<SurfaceTable>;
  expect_rows(run(parse(line.text + fixed)), stepped<ThreeStates>(line, {model}, [](auto&, double) {}));
  using ManyBristles = sim::DistributedContact;
  expect_rows(run(parse(held("shape = 'paper-gradient-line'", "distributed").text + fixed)),
              stepped<ManyBristles>(line, ManyBristles(Distributed::make({planar::preset::waltersson_p0(), p})),
                                    [](auto&, double) {}));
  const Held soft = held("shape = 'soft-finger'\nreach = 0.006\nexponent = 1.5\nper_newton = true", "reduced");
  const auto finger = SoftFingerModel::make(planar::preset::waltersson_p0(), {0.006, 1.5, true}, 2.6);
  using Finger = sim::ReducedContact<planar::SurfaceFamily<planar::AxisymmetricCurve>>;
  expect_rows(run(parse(soft.text + fixed)), stepped<Finger>(soft, {finger.model}, [&](Finger& c, double force) {
                planar::press(c.model, finger.finger, force);
              }));
}

TEST(RunPlanarScenario, OfASoftFingerThatIsMovedIsTheLibrarysOwn) {
  const sim::PlanarRun result = run(
      parse("[patch]\nshape = 'soft-finger'\nreach = 0.006\n" + friction +
            "[contact]\nnormal_force = {type = 'ramp', from = 1, to = 3, end = 0.1}\n[motion]\nvx = 0.01\nspin = 2\n" +
            integrator + "step = 1e-3\n"));
  auto [finger, model] = SoftFingerModel::make(planar::preset::waltersson_p1(), {0.006}, 3);
  planar::SoftFingerFriction::State z;
  ASSERT_EQ(result.rows.size(), 101U);
  for (std::size_t k = 0; k < 100; ++k) {
    const auto step = static_cast<double>(k);
    planar::press(model, finger, 1 + 20 * (step + 0.5) * 1e-3);
    z = model.advance(z, {0.01, 0, 2}, 1e-3);
    const double force = 1 + 20 * (step + 1) * 1e-3;
    planar::press(model, finger, force);
    const Wrench w = model.wrench(z, {0.01, 0, 2}, force);
    EXPECT_NEAR(result.rows[k + 1].wrench.x, w.x, 1e-9) << k;
    EXPECT_NEAR(result.rows[k + 1].wrench.torque, w.torque, 1e-11) << k;
  }
}

// Against other data -------------------------------------------------------------------------------------------------

/// The paper's velocity profile at the centre of pressure, given at the origin of a patch that is not symmetric.
TEST(RunPlanarScenario, OfAPatchThatIsMovedGivesThePublishedForces) {
  const Point cop = Patch(planar::paper::gradient_line()).centre_of_pressure();
  ASSERT_GT(cop.y, 1e-3);
  const auto table = [](double factor, const std::vector<std::pair<double, double>>& points) {
    std::vector<double> times;
    std::vector<double> values;
    for (const auto& [time, value] : points) {
      times.push_back(time);
      values.push_back(factor * value);
    }
    return fmt::format("{{type = 'table', times = [{}], values = [{}]}}", fmt::join(times, ", "),
                       fmt::join(values, ", "));
  };
  const std::vector<std::pair<double, double>> spin{{0, 0}, {0.6, 1}, {3.4, 1}, {4, 0}};
  const std::string text =
      "[patch]\nshape = 'paper-gradient-line'\n" + friction + "[contact]\nmodel = 'distributed'\nnormal_force = 1\n" +
      "[motion]\nvx = [" + table(0.015, {{0.8, 0}, {1.4, 1}, {1.6, 1}, {2.2, 0}}) + ", " + table(cop.y, spin) + "]\n" +
      "vy = [" + table(0.006, {{2.4, 0}, {2.7, 1}, {4.3, 1}, {4.6, 0}}) + ", " + table(-cop.x, spin) + "]\n" +
      "spin = " + table(1, spin) + "\n[integrator]\nstep = 1e-4\nduration = 5\n[output]\ninterval = 0.05\n";
  const sim::PlanarRun result = run(parse(text));
  const auto expected = test::read_reference("planar_distributed_gradient_line");
  ASSERT_EQ(result.rows.size(), 101U);
  ASSERT_EQ(expected.at("t_s").size(), 100U);
  for (std::size_t i = 0; i < 100; ++i) {
    const Wrench w = planar::at_point(result.rows[i].wrench, {}, cop);
    EXPECT_NEAR(result.rows[i].time, expected.at("t_s")[i], 1e-12);
    EXPECT_NEAR(w.x, expected.at("fx_N")[i], 2e-3) << i;
    EXPECT_NEAR(w.y, expected.at("fy_N")[i], 2e-3) << i;
    EXPECT_NEAR(w.torque, expected.at("tau_Nm")[i], 2e-5) << i;
  }
}

/// The published box between two fingers, whose grip changes in steps of 10 ms.
TEST(RunPlanarScenario, OfABoxInHandGivesThePublishedPose) {
  std::vector<double> times;
  std::vector<double> grip;
  for (int i = 0; i < 200; ++i) {
    times.push_back(0.01 * i);
    grip.push_back(1.73 + 0.91 * std::sin(4 * pi * 0.01 * i));
  }
  const auto end = [&](const std::string& model, const std::string& method) {
    const std::string text = fmt::format(
        "[patch]\nshape = 'paper-circle'\n{}[contact]\nmodel = '{}'\ncontacts = 2\nnormal_force = "
        "{{type = 'steps', times = [{}], values = [{}]}}\n[body]\nmass = 0.2\ninertia = {}\n"
        "gravity = [0, -9.81]\nposition = [0.002, 0]\n[integrator]\nduration = 2\n{}",
        friction, model, fmt::join(times, ", "), fmt::join(grip, ", "), 0.2 / 12 * (0.15 * 0.15 + 0.08 * 0.08), method);
    return run(parse(text)).rows.back();
  };
  const auto distributed = end("distributed", "relative_tolerance = 1e-7\n").state;
  const auto many = test::read_reference("planar_inhand_case2_circle_fn1_distributed");
  EXPECT_NEAR(distributed.position.x, many.at("x_m").back(), 1e-5);
  EXPECT_NEAR(distributed.position.y, many.at("y_m").back(), 1e-5);
  EXPECT_NEAR(distributed.angle, many.at("theta_rad").back(), 1e-4);
  const auto three = test::read_reference("planar_inhand_case2_circle_fn1_reduced");
  for (const char* method : {"", "method = 'fixed'\nstep = 1e-4\n"}) {
    const auto reduced = end("reduced", method);
    EXPECT_EQ(reduced.time, 2);
    EXPECT_NEAR(reduced.state.position.x, three.at("x_m").back(), 3e-4) << method;
    EXPECT_NEAR(reduced.state.position.y, three.at("y_m").back(), 3e-4) << method;
    EXPECT_NEAR(reduced.state.angle, three.at("theta_rad").back(), 0.01) << method;
  }
}

PlanarScenario example(const std::string& name) {
  return std::get<PlanarScenario>(
      read_any_scenario(std::filesystem::path(stiction::test::data_folder()) / "../../examples/scenarios" / name));
}

/// Sliding and spinning of a uniform disc stop together: v/(ω R) goes to 0.653, and stays there.
TEST(PlanarExamples, SpinningDiscStopsAtOnce) {
  PlanarScenario s = example("spinning_disc.toml");
  const auto ratio_when_slow = [&] {
    const sim::PlanarRun result = run(s);
    EXPECT_NEAR(result.rows.back().state.velocity.x, 0, 1e-6);
    EXPECT_NEAR(result.rows.back().state.velocity.spin, 0, 1e-4);
    const auto slow = std::find_if(result.rows.begin(), result.rows.end(),
                                   [](const auto& row) { return row.state.velocity.x < 0.03 * 0.5; });
    return slow->state.velocity.x / (slow->state.velocity.spin * 0.04);
  };
  const double before = s.start.velocity.x / (s.start.velocity.spin * 0.04);
  EXPECT_NEAR(before, 2.5, 1e-12);
  EXPECT_LT(ratio_when_slow() - 0.653, 0.1 * (before - 0.653));
  s.start.velocity.spin = 0.5 / (0.653 * 0.04);
  s.options.duration = 0.6;  // spinning, it slides longer
  EXPECT_NEAR(ratio_when_slow(), 0.653, 0.01);
}

/// Between the published ends of the two models under a stepped grip; the same in fixed steps.
TEST(PlanarExamples, BoxInHandEndsWhereItShould) {
  PlanarScenario s = example("in_hand_slip.toml");
  const auto accurate = run(s).rows.back().state;
  EXPECT_NEAR(accurate.position.y, -0.018, 1e-3);
  EXPECT_NEAR(accurate.angle, -0.148, 5e-3);
  s.step = 1e-5;
  const auto fixed = run(s).rows.back().state;
  EXPECT_NEAR(fixed.position.y, accurate.position.y, 2e-5);
  EXPECT_NEAR(fixed.angle, accurate.angle, 2e-4);
}

/// Pushed with more than it holds, it slides and turns the way it is pushed, and rests at the end.
TEST(PlanarExamples, PushedSliderMovesAndRests) {
  PlanarScenario s = example("pushed_slider.toml");
  const auto end = run(s).rows.back();
  EXPECT_GT(end.state.position.x, 0.05);
  EXPECT_GT(end.state.angle, 0.05);
  EXPECT_LT(end.state.angle, 0.15);
  EXPECT_NEAR(end.state.velocity.x, 0, 1e-9);
  s.step = 0;
  EXPECT_NEAR(run(s).rows.back().state.position.x, end.state.position.x, 1e-3);
}

/// A contact that is carried makes no torque from the way of the body; one that stays behind does.
TEST(PlanarExamples, SpinningDiscTakesItsContactAlong) {
  PlanarScenario s = example("spinning_disc.toml");
  s.start.velocity.y = 0.3;
  // Damping of bristles that start to bend takes 0.3 % of the motion in less than a microsecond; long steps miss it.
  auto params = std::get<Reduced<SurfaceTable>>(s.model).params();
  params.friction.damping = 10;
  s.model = Reduced<SurfaceTable>::make(params);
  const auto end = [&](double step, bool carried) {
    s.step = step;
    s.body.carried = carried;
    return run(s).rows.back().state;
  };
  const auto accurate = end(0, true);
  const auto fixed = end(1e-5, true);
  EXPECT_NEAR(fixed.position.x, accurate.position.x, 1e-4);
  EXPECT_NEAR(fixed.position.y, accurate.position.y, 1e-4);
  EXPECT_NEAR(fixed.angle, accurate.angle, 1e-3);
  EXPECT_GT(std::abs(end(0, false).angle - accurate.angle), 0.1);
  EXPECT_GT(std::abs(end(1e-5, false).angle - accurate.angle), 0.1);
}

// Rows ---------------------------------------------------------------------------------------------------------------

TEST(PlanarRows, BeginAtZeroAndStopAtTheEnd) {
  const auto times = [](const std::string& options) {
    std::vector<double> result;
    const std::string text = patch + friction + contact + body + options;
    for (const auto& row : run(parse(text)).rows) {
      result.push_back(row.time);
    }
    return result;
  };
  const std::string rows = "[output]\ninterval = 0.04\n";
  EXPECT_EQ(times("[integrator]\nduration = 0.1\n").size(), 1001U);
  // 2.5 intervals: made three
  const auto accurate = times("[integrator]\nduration = 0.1\n" + rows);
  ASSERT_EQ(accurate.size(), 4U);
  EXPECT_EQ(accurate[0], 0);
  EXPECT_NEAR(accurate[1], 0.1 / 3, 1e-15);
  EXPECT_NEAR(accurate[3], 0.1, 1e-15);
  EXPECT_THAT(times("[integrator]\nduration = 0.1\nmethod = 'fixed'\nstep = 0.01\n" + rows),
              ElementsAre(0, ::testing::DoubleEq(0.04), ::testing::DoubleEq(0.08), 0.1));
  EXPECT_THAT(times("[integrator]\nduration = 0.1\n[output]\ninterval = 7\n"), ElementsAre(0, 0.1));
}

TEST(PlanarRows, TheFirstHasTheFrictionOfUnbentBristles) {
  const std::string start = "position = [0.01, 0]\nvelocity = [0.02, 0.03]\nspin = 0.5\n";
  const std::string text = patch + friction + contact + "at = [0.004, 0.005]\n" + body + start;
  const auto p = planar::preset::waltersson_p1();
  const planar::Points points = Patch(planar::paper::square()).points();
  double u = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    u += points.share[i] * (points.x[i] * points.x[i] + points.y[i] * points.y[i]);
  }
  // At the contact, whose arm from the centre of mass is (−0.006, 0.005): −(σ1 + σ2) v f_N; with many bristles the
  // torque is −(σ1 + σ2) u ω f_N.
  const Twist v{0.02 - 0.5 * 0.005, 0.03 + 0.5 * -0.006, 0.5};
  const double c = (p.damping + p.viscous) * 2;
  for (const char* method : {"accurate", "fixed"}) {
    std::string many = text + integrator + "method = '" + method + "'\n";
    many.replace(many.find("normal_force"), 0, "model = 'distributed'\n");
    const sim::PlanarRow row = run(parse(many)).rows.front();
    EXPECT_EQ(row.time, 0);
    EXPECT_EQ(row.normal_force, 2);
    EXPECT_EQ(row.state.velocity, (Twist{0.02, 0.03, 0.5}));
    EXPECT_NEAR(row.wrench.x, -c * v.x, 1e-10 * c);
    EXPECT_NEAR(row.wrench.y, -c * v.y, 1e-10 * c);
    EXPECT_NEAR(row.wrench.torque, -c * u * 0.5, 1e-10 * c);
  }
}

TEST(PlanarRows, AreNotWrittenWhereStepsCannotBeSolved) {
  const std::string absurd = patch + friction + contact + body + "gravity = [0, -1e200]\n" + integrator;
  EXPECT_THROW(run(parse(absurd)), sim::SolverFailure);
  EXPECT_THROW(run(parse(absurd + "method = 'fixed'\n")), sim::SolverFailure);
}

TEST(PlanarNames, AreThoseOfTheFile) {
  for (const char* name : {"distributed", "reduced", "ellipsoid"}) {
    const std::string text = fmt::format("{}{}{}model = '{}'\n{}{}", patch, friction, contact, name, body, integrator);
    EXPECT_STREQ(sim::name_of(parse(text).model), name);
  }
}

}  // namespace
}  // namespace stiction::io::planar_scenario_test
