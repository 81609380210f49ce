// The normal load of a scenario reaches the friction.
#include <gtest/gtest.h>

#include "stiction/io/file.h"
#include "stiction/io/scenario.h"
#include "stiction/sim/line.h"
#include "support/models.h"

namespace stiction::io {
namespace {

const std::string model_text =
    "[model]\nname = 'lugre'\nstiffness = 260\ndamping = 0.6\ncoulomb_force = 0.28\nstatic_force = 0.33\n"
    "stribeck_velocity = 0.01\nviscous = 0.0176\n";
const std::string integrator_text = "[integrator]\nduration = 1\nstep = 1e-3\n[output]\ninterval = 0.01\n";
const sim::Options options{.method = sim::Method::sdirk2, .duration = 1, .output_interval = 0.01, .step = 1e-3};

TEST(ScenarioNormal, OfALoadIsTheLibrarysOwn) {
  const auto pressed = parse_scenario(model_text + "[body]\nmass = 0.01\n[load]\nforce = 0.5\n" +
                                          "normal = {type='ramp', from=3, to=0, end=0.8}\n" + integrator_text,
                                      "s.toml", ".");
  const auto expected =
      sim::simulate(test::table2_lugre(), {.mass = 0.01}, {.force = 0.5, .normal = sim::Ramp{3, 0, 0, 0.8}}, options);
  const auto plain = sim::simulate(test::table2_lugre(), {.mass = 0.01}, {.force = 0.5}, options);
  EXPECT_EQ(run(pressed).position, expected.position);
  EXPECT_EQ(run(pressed).friction, expected.friction);
  EXPECT_NE(run(pressed).position, plain.position);
  EXPECT_EQ(run(pressed).friction.back(), 0);
}

TEST(ScenarioNormal, OfAnImposedMotionIsTheLibrarysOwn) {
  const auto pressed =
      parse_scenario(model_text + "[motion]\nvelocity = 0.02\nnormal = [2, {type='sine', amplitude=3, " +
                         "frequency=5}]\n" + integrator_text,
                     "s.toml", ".");
  const sim::Signal normal(std::vector<sim::Signal::Term>{sim::Constant{2}, sim::Sine{3, 5}});
  sim::Options imposed = options;
  imposed.method = sim::Method::midpoint;
  EXPECT_EQ(run(pressed).friction, sim::drive(test::table2_lugre(), 0.02, imposed, {}, normal).friction);
  EXPECT_NE(run(pressed).friction, sim::drive(test::table2_lugre(), 0.02, imposed).friction);
}

TEST(ScenarioNormal, IsOneWhereLeftOut) {
  const auto plain =
      parse_scenario(model_text + "[body]\nmass = 0.01\n[load]\nforce = 0.5\n" + integrator_text, "s.toml", ".");
  EXPECT_EQ(run(plain).friction, sim::simulate(test::table2_lugre(), {.mass = 0.01}, {.force = 0.5}, options).friction);
  EXPECT_EQ(plain.load.normal.at(0.3), 1);
}

TEST(ScenarioNormal, ThatIsNoSignalIsRefusedWithItsPlace) {
  const std::string bad = model_text + "[body]\nmass = 1\n[load]\nnormal = 'much'\n" + integrator_text;
  try {
    (void)parse_scenario(bad, "s.toml", ".");
    FAIL() << "taken";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("s.toml:12:"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("normal"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace stiction::io
