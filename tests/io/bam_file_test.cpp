// Servos in the files of Rhoban/bam.
#include "stiction/io/bam_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "io/temp_folder.h"
#include "stiction/io/file.h"
#include "stiction/io/model_file.h"
#include "stiction/io/scenario.h"
#include "stiction/scalar/presets.h"

namespace stiction::io::bam_file_test {
namespace {

using scalar::Gear;
using test::message_of;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// The servo MX-64 as published with Rhoban/bam (Apache-2.0, see stiction/scalar/gear_presets.h).
constexpr const char* mx64 = R"({
    "kt": 1.6016832750318712, "R": 2.3164043271967447, "armature": 0.012265893049213158,
    "friction_base": 6.217919698787649e-07, "friction_stribeck": 0.12269525980968875,
    "load_friction_motor": 0.3114720375111298, "load_friction_external": 2.0462014258729542e-08,
    "load_friction_motor_stribeck": 0.18774381222411038, "load_friction_external_stribeck": 0.014065853481003015,
    "load_friction_motor_quad": 0.006908512882777861, "load_friction_external_quad": 0.009999980627672081,
    "dtheta_stribeck": 2.575277366960116, "alpha": 0.8409018066017007, "friction_viscous": 0.02533701181690149,
    "model": "m6", "actuator": "mx64"})";

BamServo parse(const std::string& text) { return parse_bam_file(text, "m.json"); }
std::string complaint_about(const std::string& text) {
  return message_of<InputError>([&] { parse(text); });
}
bool same(const Gear& a, const Gear& b) { return scalar::AnyModel(a).params() == scalar::AnyModel(b).params(); }

TEST(BamFile, HasTheServoOfThePreset) {
  const BamServo servo = parse(mx64);
  EXPECT_TRUE(same(servo.friction, scalar::preset::servo_mx64()));
  EXPECT_STREQ(servo.structure->name, "m6");
  EXPECT_EQ(servo.actuator, "mx64");
  EXPECT_EQ(servo.armature, scalar::preset::servo_mx64_armature);
  EXPECT_EQ(servo.torque_constant, 1.6016832750318712);
  EXPECT_EQ(servo.resistance, 2.3164043271967447);
  EXPECT_EQ(servo.position_offset, std::nullopt);
}

TEST(BamFile, IsWrittenWithTheSameKeysAndNumbers) {
  EXPECT_EQ(nlohmann::json::parse(to_bam_json(parse(mx64))), nlohmann::json::parse(mx64));
}

TEST(BamFile, OfEveryStructureIsReadAsItWasWritten) {
  const std::array<Gear::Params, 6> gears{
      Gear::Params{.coulomb_force = 0.1, .viscous = 0.3},
      Gear::Params{.coulomb_force = 0, .stribeck_force = 0.2, .stribeck_velocity = 1.5, .stribeck_exponent = 8.7},
      Gear::Params{.coulomb_force = 0.1, .motor_gain = 0.2, .external_gain = 0.2, .viscous = 1.0 / 3},
      Gear::Params{.coulomb_force = 0.1,
                   .motor_gain = 0.2,
                   .external_gain = 0.2,
                   .motor_stribeck_gain = 0.05,
                   .external_stribeck_gain = 0.05,
                   .stribeck_velocity = 1},
      Gear::Params{.coulomb_force = 0.1,
                   .motor_gain = 0.2,
                   .external_gain = 0.3,
                   .external_stribeck_gain = 0.05,
                   .stribeck_velocity = 1},
      Gear::Params{.coulomb_force = 0.1, .external_quadratic_gain = 0.01, .stribeck_velocity = 1},
  };
  for (std::size_t i = 0; i < gears.size(); ++i) {
    const BamServo servo{.friction = Gear::make(gears[i]),
                         .structure = &scalar::structure_of(gears[i]),
                         .actuator = "mine",
                         .position_offset = -0.02};
    EXPECT_EQ(servo.structure, &scalar::gear_structures[i]);
    const BamServo again = parse(to_bam_json(servo));
    EXPECT_TRUE(same(again.friction, servo.friction)) << servo.structure->name;
    EXPECT_EQ(again.structure, servo.structure);
    EXPECT_EQ(again.position_offset, -0.02);
    EXPECT_EQ(again.armature, std::nullopt);
    // A richer structure can say the same, a simpler one cannot.
    for (std::size_t k = 0; k < gears.size(); ++k) {
      BamServo other = servo;
      other.structure = &scalar::gear_structures[k];
      if (other.structure->contains(gears[i])) {
        EXPECT_EQ(parse(to_bam_json(other)).friction.dry_friction({2, -1}, 0.4),
                  servo.friction.dry_friction({2, -1}, 0.4));
      } else {
        EXPECT_THAT(message_of<InputError>([&] { to_bam_json(other); }), HasSubstr("cannot say this friction"));
      }
    }
  }
}

TEST(BamFile, SaysWhatIsWrongInOneLine) {
  const std::string m1 = R"("friction_base": 0.1, "friction_viscous": 0)";
  EXPECT_EQ(complaint_about("{" + m1 + "}"), "m.json: there is no 'model'");
  EXPECT_EQ(complaint_about("{" + m1 + R"(, "model": "m7"})"),
            "m.json: model = 'm7': must be one of m1, m2, m3, m4, m5, m6");
  EXPECT_EQ(complaint_about("{" + m1 + R"(, "model": 6})"), "m.json: model = 6: must be a text");
  EXPECT_EQ(complaint_about(R"({"friction_base": 0.1, "model": "m1"})"),
            "m.json: there is no friction_viscous, which model m1 (Coulomb) needs");
  EXPECT_EQ(complaint_about("{" + m1 + R"(, "model": "m1", "alpha": 2})"),
            "m.json: alpha: must be left out, since model m1 (Coulomb) has no such term");
  EXPECT_EQ(complaint_about("{" + m1 + R"(, "model": "m3", "load_friction_motor": 1, "load_friction_base": 1})"),
            "m.json: load_friction_motor: must be left out, since model m3 (load-dependent) has no such term");
  EXPECT_EQ(complaint_about(R"({"friction_base": -1, "friction_viscous": 0, "model": "m1"})"),
            "m.json: friction_base = -1: must be a number, in [0, 1e15]");
  EXPECT_EQ(complaint_about(R"({"friction_base": "a", "friction_viscous": 0, "model": "m1"})"),
            "m.json: friction_base = \"a\": must be a number, in [0, 1e15]");
  EXPECT_EQ(complaint_about("{" + m1 + R"(, "model": "m1", "R": 0})"),
            "m.json: R = 0: must be a number, > 0 and finite");
  EXPECT_EQ(complaint_about("{" + m1 + R"(, "model": "m1", "kt": 1e999})").substr(0, 25), "m.json: not a JSON file: ");
  EXPECT_THAT(complaint_about("[1]"), StartsWith("m.json: must be a JSON object"));
  EXPECT_THAT(complaint_about(""), StartsWith("m.json: not a JSON file: "));
  EXPECT_THAT(complaint_about(std::string(100'000, '[')), StartsWith("m.json: not a JSON file: "));
  EXPECT_THAT(complaint_about("{\"model\": \"\xff\"}"), StartsWith("m.json: not a JSON file: "));
}

TEST(BamFile, IsUsedWhereAModelIsRead) {
  const test::TempFolder folder;
  const auto path = folder.write("m6.json", mx64);
  const ModelFile file = read_model_file(path);
  EXPECT_EQ(file.mass, scalar::preset::servo_mx64_armature);
  EXPECT_TRUE(same(*file.model.as<Gear>(), scalar::preset::servo_mx64()));

  const auto scenario = read_scenario(
      folder.write("s.toml",
                   "model = {bam = 'm6.json', viscous = 0}\nbody = {mass = 2}\nintegrator = {duration = 1}\n"
                   "load = {force = -1.0, motor = 2.0}\n"));
  EXPECT_EQ(scenario.model.as<Gear>()->params().viscous, 0);
  EXPECT_EQ(scenario.model.as<Gear>()->params().motor_gain, 0.3114720375111298);
  ASSERT_TRUE(scenario.load.motor);
  EXPECT_EQ(scenario.load.motor->at(0), 2);
  EXPECT_EQ(read_model_file(folder.write("m.toml", "[model]\nbam = 'm6.json'\n")).mass,
            scalar::preset::servo_mx64_armature);
  EXPECT_THAT(message_of<InputError>([&] {
                read_model_file(folder.write("b.toml", "[model]\nbam = 'm6.json'\npreset = 'servo-mx64'\n"));
              }),
              HasSubstr("must be left out beside bam"));
  EXPECT_THAT(message_of<InputError>(
                  [&] { read_model_file(folder.write("c.toml", "[model]\nbam = 'm6.json'\nname = 'lugre'\n")); }),
              HasSubstr("must be 'gear', the model of the file"));
  EXPECT_THAT(message_of<InputError>([&] { read_model_file(folder.write("d.toml", "[model]\nbam = 'none.json'\n")); }),
              HasSubstr("none.json: No such file"));
}

TEST(GearStructures, HaveTheirFreeParameters) {
  const auto* const m4 = scalar::find_gear_structure("m4");
  ASSERT_NE(m4, nullptr);
  EXPECT_TRUE(m4->is_free("motor_gain") && m4->is_free("stribeck_velocity") && m4->is_free("viscous"));
  EXPECT_TRUE(m4->is_free("external_stribeck_gain") && !m4->is_free("motor_quadratic_gain"));
  EXPECT_FALSE(scalar::find_gear_structure("m1")->is_free("stribeck_force"));
  EXPECT_FALSE(scalar::find_gear_structure("m3")->is_free("motor_stribeck_gain"));
  EXPECT_FALSE(m4->contains({.coulomb_force = 1, .motor_gain = 0.1}));  // one gain for both sides
  EXPECT_EQ(scalar::find_gear_structure("m7"), nullptr);
}

}  // namespace
}  // namespace stiction::io::bam_file_test
