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

TEST(ComparisonSet, HasEveryModelOnceInTheOrderOfTheRegistry) {
  const auto set = comparison_set();
  ASSERT_EQ(set.size(), std::variant_size_v<scalar::AnyModel>);
  for (std::size_t i = 0; i < set.size(); ++i) {
    EXPECT_EQ(set[i].model.index(), i);
    EXPECT_EQ(set[i].name, std::visit([]<class M>(const M&) { return M::info.name; }, set[i].model));
    EXPECT_EQ(model_named(set, set[i].name).index(), i);
  }
}

template <class M>
void expect_same_parameters(const M& model, const M& expected) {
  const auto a = scalar::params_of(model);
  const auto b = scalar::params_of(expected);
  for (const auto& field : M::fields) {
    const double value = b.*field.member;
    EXPECT_TRUE(a.*field.member == value || std::abs(a.*field.member - value) < 1e-14 * std::abs(value)) << field.name;
  }
  if constexpr (requires { M::lists; }) {
    for (const auto& list : M::lists) {
      ASSERT_EQ((a.*list.member).size, (b.*list.member).size) << list.name;
      for (std::size_t i = 0; i < (a.*list.member).size; ++i) {
        EXPECT_DOUBLE_EQ((a.*list.member)[i], (b.*list.member)[i]) << list.name;
      }
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
      std::visit(
          [&]<class M>(const M& model) { expect_same_parameters(std::get<M>(set[expected.index()].model), model); },
          expected);
      ++compared;
    }
  }
  EXPECT_EQ(compared, 24);  // all but tabulated
}

TEST(ComparisonSet, WithTheSetOf1995FitsBlimanAndSorineToIt) {
  const auto set = comparison_set(scalar::preset::canudas_1995());
  expect_same_parameters(std::get<scalar::BlimanSorine2>(model_named(set, "bliman-sorine-2")),
                         scalar::preset::canudas_bliman_sorine_2());
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
      const double friction =
          std::visit([&](const auto& model) { return model.force(sim::settled(model, speed), speed); }, any);
      const double excess = name == "armstrong" ? (like.params().static_force - like.params().coulomb_force) / 401 : 0;
      const double tail = name == "brown-mcphee" ? 0.05 : 1e-6;  // its Stribeck term falls as v⁻³ only
      EXPECT_NEAR(friction, like.params().coulomb_force + excess + viscous, tail * like.params().coulomb_force) << name;
    }
  }
}

}  // namespace
}  // namespace stiction::lab
