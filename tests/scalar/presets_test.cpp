#include "stiction/scalar/presets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cctype>
#include <set>
#include <string>

namespace stiction::scalar {
namespace {

TEST(Presets, HaveANameOfTheirOwnASourceAndABody) {
  std::set<std::string> names;
  for (const Preset& preset : presets) {
    EXPECT_TRUE(names.insert(preset.name).second) << preset.name;
    for (const char letter : std::string_view(preset.name)) {
      EXPECT_TRUE(std::islower(letter) || std::isdigit(letter) || letter == '-') << preset.name;
    }
    EXPECT_STRNE(preset.source, "");
    EXPECT_TRUE(positive.holds(preset.mass));
    EXPECT_EQ(find_preset(preset.name), &preset);
  }
  EXPECT_EQ(find_preset(""), nullptr);
  EXPECT_EQ(find_preset("canudas-1996"), nullptr);
}

TEST(Presets, HaveParametersThatTheirModelAccepts) {
  for (const Preset& preset : presets) {
    const auto problem = preset.make().params().check();
    EXPECT_FALSE(problem) << preset.name << ": " << InvalidParameter::describe(*problem);
  }
}

TEST(Presets, OfTheComparisonSetAreFoundByTheirModel) {
  int found = 0;
  for (const ModelTable* model : registered_models()) {
    if (const Preset* preset = comparison_preset(*model)) {
      EXPECT_EQ(preset->make().table(), model);
      ++found;
    }
  }
  EXPECT_GE(found, 25);
  EXPECT_STREQ(comparison_preset(*find_model("lugre"))->name, "olsson-1998-table2");
}

/// Table I of the 1995 paper, in its own notation.
TEST(Presets, OfCanudasHaveTheNumbersOfTheTable) {
  const Preset& preset = *find_preset("canudas-1995");
  const auto p = preset.make().as<LuGre>()->params();
  EXPECT_EQ(p.stiffness, 100000);
  EXPECT_DOUBLE_EQ(p.damping * p.damping, 100000);
  EXPECT_EQ(p.coulomb_force, 1);
  EXPECT_EQ(p.static_force, 1.5);
  EXPECT_EQ(p.stribeck_velocity, 0.001);
  EXPECT_EQ(p.viscous, 0.4);
  EXPECT_EQ(p.stribeck_exponent, 2);
  EXPECT_EQ(p.damping_velocity, infinity);
  EXPECT_EQ(preset.mass, 1);
  EXPECT_EQ(preset.axis, Axis::linear);
}

/// Table 2 gives α₀ = F_C and α₁ = F_S − F_C.
TEST(Presets, OfOlssonHaveTheNumbersOfTheTable) {
  const Preset& preset = *find_preset("olsson-1998-table2");
  const auto p = preset.make().as<LuGre>()->params();
  EXPECT_EQ(p.stiffness, 260);
  EXPECT_EQ(p.damping, 0.6);
  EXPECT_EQ(p.coulomb_force, 0.28);
  EXPECT_DOUBLE_EQ(p.static_force, 0.28 + 0.05);
  EXPECT_EQ(p.stribeck_velocity, 0.01);
  EXPECT_EQ(p.viscous, 0.0176);
  EXPECT_EQ(p.stribeck_exponent, 2);
  EXPECT_EQ(p.damping_velocity, infinity);
  EXPECT_EQ(preset.mass, 0.0023);
  EXPECT_EQ(preset.axis, Axis::rotary);
}

/// What was asked of BS2-A and BS2-STD: LuGre's sliding friction, stiffness, and break-away force after a reversal.
TEST(Presets, OfBlimanSorineMatchTheLuGreSetTheyAreMadeFrom) {
  const auto matches = [](const BlimanSorine2& model, const LuGre& goal) {
    const auto wanted = goal.params();
    EXPECT_NEAR(model.params().force_1 - model.params().force_2, wanted.coulomb_force, 1e-12 * wanted.coulomb_force);
    EXPECT_EQ(model.params().viscous, wanted.viscous);
    const double frequency = goal.linearised(1).natural_frequency;
    EXPECT_NEAR(model.linearised(1).natural_frequency, frequency, 1e-12 * frequency);
    const auto at_peak = model.advance(model.steady_state(-1), 1, model.peak_distance());
    EXPECT_NEAR(at_peak.x1 + at_peak.x2, wanted.static_force, 1e-12 * wanted.static_force);
  };
  matches(preset::table2_bliman_sorine_2(), preset::olsson_table2());
  matches(preset::canudas_bliman_sorine_2(), preset::canudas_1995());
}

TEST(Presets, OfTheGeneralBlimanSorineFormIsTheOneOfSecondOrder) {
  const auto general = preset::table2_bliman_sorine();
  const auto second = preset::table2_bliman_sorine_2();
  BlimanSorine::State a;
  BlimanSorine2::State b;
  for (const double velocity : {0.02, 0.001, -0.05, 0.3, -0.0004}) {
    a = general.advance(a, velocity, 0.04);
    b = second.advance(b, velocity, 0.04);
    EXPECT_NEAR(general.force(a, velocity), second.force(b, velocity), 1e-13);
  }
}

}  // namespace
}  // namespace stiction::scalar
