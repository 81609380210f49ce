// A servo in a file is another way to call the library, with the same result to the last bit.
#include "stiction/io/servo_scenario.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "io/temp_folder.h"
#include "stiction/io/any_scenario.h"
#include "stiction/io/file.h"
#include "stiction/scalar/coulomb.h"
#include "support/models.h"

namespace stiction::io::servo_scenario_test {
namespace {

constexpr const char* model = "[model]\nname = 'coulomb'\ncoulomb_force = 0.1\n";
constexpr const char* integrator = "[integrator]\nduration = 0.5\nstep = 1e-3\n";

ServoScenario parse(const std::string& servo, const std::string& more = "") {
  return std::get<ServoScenario>(
      parse_any_scenario(fmt::format("{}[servo]\n{}\n{}{}", model, servo, integrator, more), "s.toml", "."));
}
std::string complaint_about(const std::string& servo, const std::string& more = "") {
  return test::message_of<InputError>([&] { parse(servo, more); });
}

TEST(ServoScenario, IsTheSameCallOfTheLibrary) {
  const auto scenario = parse(
      "mode = 'current'\ninertia = 0.02\ntorque_constant = 1\nproportional = 4\nmax_output = 2\ndelay = 0.01\n"
      "position = 0.1\ngoal = 1\nsupply_voltage = 9\nexternal_torque = { type = 'sine', amplitude = 0.3, frequency = 7 "
      "}");
  const auto expected = sim::simulate(
      scalar::AnyModel(scalar::Coulomb::make({.coulomb_force = 0.1})),
      sim::Servo::make({.inertia = 0.02, .torque_constant = 1, .proportional = 4, .max_output = 2, .delay = 0.01},
                       sim::ServoMode::current),
      {.goal = 1.0, .supply_voltage = 9.0, .external_torque = sim::Sine{.amplitude = 0.3, .frequency = 7}},
      {.method = sim::Method::sdirk2, .duration = 0.5, .output_interval = 5e-4, .step = 1e-3}, {.position = 0.1});
  const auto actual = run(scenario);
  EXPECT_GT(expected.position.back(), 0.4);
  EXPECT_EQ(named_columns(actual).values, named_columns(expected).values);
  EXPECT_EQ(named_columns(actual, {"output", "time"}).names, (std::vector<std::string>{"output", "time"}));
}

TEST(ServoScenario, HasDefaults) {
  const auto s = parse("inertia = 1\nproportional = 0\nmode = 'torque'");
  EXPECT_EQ(s.inputs.supply_voltage.at(0), 12);
  EXPECT_EQ(s.inputs.goal.at(0), 0);
  EXPECT_EQ(s.servo.params.max_output, infinity);
  EXPECT_EQ(s.options.method, sim::Method::sdirk2);
}

TEST(ServoScenario, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(complaint_about("inertia = -1\nproportional = 1"),
            "s.toml:5:11: servo.inertia = -1: must be > 0 and finite");
  EXPECT_EQ(
      complaint_about("inertia = 1\nproportional = 1"),
      "s.toml:4:1: servo.torque_constant = 0: must be > 0 where the servo drives its motor by a voltage or a current");
  EXPECT_EQ(complaint_about("inertia = 1\nproportional = 1\nmode = 'volts'"),
            "s.toml:7:8: servo.mode = 'volts': must be one of voltage, current, torque");
  EXPECT_EQ(complaint_about("inertia = 1\nproportional = 1\nmode = 'torque'", "[body]\nmass = 1\n"),
            "s.toml:11:1: [body] cannot be combined with [servo], which is body and load");
  const auto hasty = parse("inertia = 1\nproportional = 1\nmode = 'torque'\nsample_time = 1e-12");
  EXPECT_EQ(test::message_of<InvalidParameter>([&] { run(hasty); }),
            "sample_time = 1e-12: must be >= duration / max_steps");
}

}  // namespace
}  // namespace stiction::io::servo_scenario_test
