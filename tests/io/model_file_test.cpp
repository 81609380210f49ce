// A model from a file, and the presets it may start from.
#include "stiction/io/model_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/temp_folder.h"
#include "stiction/io/file.h"
#include "stiction/io/scenario.h"
#include "stiction/scalar/presets.h"

namespace stiction::io::model_file_test {
namespace {

using scalar::LuGre;
using test::message_of;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

ModelFile parse(const std::string& text) { return parse_model_file(text, "m.toml"); }

std::string complaint_about(const std::string& text) {
  return message_of<InputError>([&] { parse(text); });
}

TEST(ModelFile, GivesEveryParameterOfEveryPreset) {
  for (const scalar::Preset& preset : scalar::presets) {
    const ModelFile file = parse(std::string("[model]\npreset = '") + preset.name + "'\n");
    EXPECT_EQ(file.mass, preset.mass);
    EXPECT_TRUE(file.model.params() == preset.make().params()) << preset.name;
  }
}

TEST(ModelFile, LetsAnyParameterOfAPresetBeChanged) {
  const auto file =
      parse("[model]\nname = 'lugre'\npreset = 'olsson-1998-table2'\ndamping_velocity = 4\ndamping = 0.7\n");
  const auto params = file.model.as<LuGre>()->params();
  EXPECT_EQ(params.damping_velocity, 4);
  EXPECT_EQ(params.damping, 0.7);
  EXPECT_EQ(params.stiffness, 260);
  EXPECT_EQ(params.viscous, 0.0176);  // not the model's own default
}

TEST(ModelFile, IsReadTheSameInAScenario) {
  const auto scenario = parse_scenario(
      "model = {preset = 'canudas-1995', viscous = 0}\nbody = {mass = 2}\nintegrator = {duration = 1}", "s.toml", ".");
  const auto params = scenario.model.as<LuGre>()->params();
  EXPECT_EQ(params.stiffness, 1e5);
  EXPECT_EQ(params.viscous, 0);
  EXPECT_EQ(scenario.body.mass, 2);
}

TEST(ModelFile, TakesTheMassOfTheBodyBeforeThatOfThePreset) {
  EXPECT_EQ(parse("[model]\npreset = 'canudas-1995'\n[body]\nmass = 3\nvelocity = 'not looked at'\n").mass, 3);
  EXPECT_EQ(parse("[model]\nname = 'coulomb'\ncoulomb_force = 1\n").mass, std::nullopt);
  EXPECT_EQ(parse("[model]\nname = 'coulomb'\ncoulomb_force = 1\n[body]\nmass = 3\n[nonsense]\nx = 1\n").mass, 3);
}

TEST(ModelFile, SaysWhatIsWrongInOneLine) {
  EXPECT_THAT(complaint_about("[model]\npreset = 'olsson-1998-tabel2'\n"),
              AllOf(StartsWith("m.toml:2:10: model.preset = 'olsson-1998-tabel2': must be one of canudas-1995, "),
                    EndsWith("; did you mean 'olsson-1998-table2'?")));
  EXPECT_EQ(complaint_about("[model]\npreset = 3\n"), "m.toml:2:10: model.preset = 3: must be a text in quotes");
  EXPECT_EQ(complaint_about("[model]\nname = 'tanh'\npreset = 'canudas-1995'\n"),
            "m.toml:2:8: model.name = 'tanh': must be 'lugre', the model of the preset 'canudas-1995', or left out");
  EXPECT_EQ(complaint_about("[model]\npreset = 'canudas-1995'\nstatic_force = 0.5\n"),
            "m.toml:3:16: model.static_force = 0.5: must be >= coulomb_force");
  // The value that no longer fits is the preset's own.
  EXPECT_EQ(complaint_about("[model]\npreset = 'canudas-1995'\ncoulomb_force = 2\n"),
            "m.toml:1:1: model.static_force = 1.5: must be >= coulomb_force");
  EXPECT_EQ(complaint_about("[model]\npreset = 'canudas-1995'\ntransition_velocity = 1\n"),
            "m.toml:3:1: unknown key 'model.transition_velocity' (1)");
  EXPECT_EQ(complaint_about("[body]\nmass = 1\n"), "m.toml:1:1: 'model' is missing: must be a table [model]");
  EXPECT_EQ(complaint_about("[model]\npreset = 'canudas-1995'\n[body]\nmass = -1\n"),
            "m.toml:4:8: body.mass = -1: must be > 0 and finite");
  EXPECT_EQ(complaint_about("[model\n").substr(0, 27), "m.toml:1:7: not valid TOML:");
}

TEST(ModelFile, IsReadFromDisk) {
  const test::TempFolder folder;
  const auto file = read_model_file(folder.write("servo.toml", "[model]\npreset = 'olsson-1998-table2'\n"));
  EXPECT_EQ(file.mass, 0.0023);
  EXPECT_THAT(message_of<InputError>([&] { read_model_file(folder / "none.toml"); }),
              HasSubstr("none.toml: No such file or directory"));
}

}  // namespace
}  // namespace stiction::io::model_file_test
