// The models that the experiments compare are the presets of the comparison set, and have the levels they are fitted
// to.
#include "scalar/comparison_set.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string_view>

#include "stiction/sim/measure.h"

namespace stiction::lab {
namespace {

TEST(ComparisonSet, HasEveryModelWithSuchAPresetOnceInTheOrderOfTheRegistry) {
  const auto set = comparison_set();
  std::size_t i = 0;
  for (const scalar::ModelTable* model : scalar::registered_models()) {
    if (scalar::comparison_preset(*model) == nullptr) {
      continue;
    }
    ASSERT_LT(i, set.size());
    EXPECT_EQ(set[i].model.table(), model);
    EXPECT_EQ(set[i].name, set[i].model.name());
    EXPECT_EQ(model_named(set, set[i].name).table(), set[i].model.table());
    ++i;
  }
  EXPECT_EQ(i, set.size());
}

void expect_same_parameters(const scalar::AnyModel& model, const scalar::AnyModel& expected) {
  const scalar::AnyParams a = model.params();
  const scalar::AnyParams b = expected.params();
  ASSERT_EQ(a.table(), b.table());
  for (std::size_t i = 0; i < a.parameters().size(); ++i) {
    const auto found = a.values(i);
    const auto wanted = b.values(i);
    ASSERT_EQ(found.size(), wanted.size()) << a.parameters()[i].name;
    for (std::size_t k = 0; k < found.size(); ++k) {
      EXPECT_TRUE(found[k] == wanted[k] || std::abs(found[k] - wanted[k]) < 1e-14 * std::abs(wanted[k]))
          << a.parameters()[i].name;
    }
  }
}

TEST(ComparisonSet, WithTable2IsMadeOfThePresets) {
  const std::set<std::string_view> others{"table2-bliman-sorine-2-soft", "table2-lugre-fading", "table2-tabulated"};
  const auto set = comparison_set();
  int compared = 0;
  for (const scalar::Preset& preset : scalar::presets) {
    const std::string_view name = preset.name;
    if ((name.starts_with("table2-") && !others.contains(name)) || name == "olsson-1998-table2") {
      SCOPED_TRACE(name);
      const auto expected = preset.make();
      expect_same_parameters(model_named(set, expected.name()), expected);
      ++compared;
    }
  }
  EXPECT_EQ(compared, 24);  // all but tabulated
}

TEST(ComparisonSet, WithTheSetOf1995FitsBlimanAndSorineToIt) {
  const auto set = comparison_set(scalar::preset::canudas_1995());
  expect_same_parameters(model_named(set, "bliman-sorine-2"), scalar::preset::canudas_bliman_sorine_2());
}

// Sliding fast, less F_v v: F_C. The bristles' friction is random, and the bearing has its own law.
TEST(ComparisonSet, SlidesAtTheCoulombLevel) {
  for (const auto& like : {scalar::preset::olsson_table2(), scalar::preset::canudas_1995()}) {
    const double speed = 20 * like.params().stribeck_velocity;
    for (const auto& [name, any] : comparison_set(like)) {
      if (name == "viscous" || name == "haessig-bristle" || name == "journal-bearing") {
        continue;
      }
      const double viscous = lacks_viscous(any) ? 0 : like.params().viscous * speed;
      const double friction = any.force(sim::settled(any, speed), speed);
      const double excess = name == "armstrong" ? (like.params().static_force - like.params().coulomb_force) / 401 : 0;
      const double tail = name == "brown-mcphee" ? 0.05 : 1e-6;  // its Stribeck term falls as v⁻³ only
      EXPECT_NEAR(friction, like.params().coulomb_force + excess + viscous, tail * like.params().coulomb_force) << name;
    }
  }
}

}  // namespace
}  // namespace stiction::lab
