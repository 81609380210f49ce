#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>
#include <string>

#include "support/models.h"

namespace stiction::scalar {
namespace {

using test::drawn_params;
using test::example;
using testing::HasSubstr;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

template <class Model>
typename Model::Params example_params() {
  return drawn_params<Model>([](const test::Interval& i) { return std::sqrt(i.low * i.high); });
}

/// Values outside a range, each a neighbour of it or something a careless program hands over.
std::vector<double> values_outside(const Range& range) {
  std::vector<double> values{nan, -nan, -infinity};
  if (range.low_allowed) {
    values.push_back(std::nextafter(range.low, -infinity));
  } else {
    values.push_back(range.low);
  }
  values.push_back(range.low - 1);
  if (std::isfinite(range.high)) {
    values.push_back(range.high_allowed ? std::nextafter(range.high, infinity) : range.high);
    values.push_back(range.high + 1);
  }
  if (!(range.high_allowed && std::isinf(range.high))) {
    values.push_back(infinity);
  }
  return values;
}

template <class Model, class Field>
void expect_refused(const Field& field, double value) {
  auto params = example_params<Model>();
  params.*field.member = value;
  const auto problem = Model::check(params);
  ASSERT_TRUE(problem) << Model::info.name << "." << field.name << " = " << value;
  EXPECT_STREQ(problem->field, field.name);
  EXPECT_STREQ(problem->allowed, field.range.text);
  EXPECT_TRUE(problem->value == value || (std::isnan(problem->value) && std::isnan(value)));
  try {
    Model::make(params);
    FAIL() << Model::info.name << "." << field.name << " = " << value << " was accepted";
  } catch (const InvalidParameter& error) {
    EXPECT_THAT(error.what(), HasSubstr(std::string(field.name) + " = "));
    EXPECT_THAT(error.what(), HasSubstr(std::string(": must be ") + field.range.text));
    EXPECT_STREQ(error.problem().field, field.name);
  }
}

TEST(Parameters, OfEveryModelAreRefusedOutsideTheirRangeByName) {
  int refused = 0;
  for_each_model([&]<class Model>(std::type_identity<Model>) {
    for (const auto& field : Model::fields) {
      for (const double value : values_outside(field.range)) {
        expect_refused<Model>(field, value);
        ++refused;
      }
    }
  });
  EXPECT_GE(refused, 33 * 5);
}

TEST(Parameters, OfEveryModelAreAcceptedAtTheEdgesTheirRangeAllows) {
  for_each_model([]<class Model>(std::type_identity<Model>) {
    for (const auto& field : Model::fields) {
      if (std::string_view(field.name).starts_with("coulomb_force") ||
          std::string_view(field.name).starts_with("static_force")) {
        continue;  // bound to each other, see below
      }
      auto params = example_params<Model>();
      for (const double edge : {field.range.low_allowed ? field.range.low : std::nextafter(field.range.low, infinity),
                                field.range.high_allowed ? field.range.high : std::nextafter(field.range.high, 0)}) {
        params.*field.member = edge;
        EXPECT_FALSE(Model::check(params)) << Model::info.name << "." << field.name << " = " << edge;
        EXPECT_NO_THROW(Model::make(params));
      }
    }
  });
}

TEST(Parameters, StaticForceBelowCoulombForceIsRefused) {
  int pairs = 0;
  for_each_model([&]<class Model>(std::type_identity<Model>) {
    for (const auto& low : Model::fields) {
      const std::string name = low.name;
      if (!name.starts_with("static_force")) {
        continue;
      }
      const std::string partner = "coulomb_force" + name.substr(std::string("static_force").size());
      for (const auto& high : Model::fields) {
        if (partner == high.name) {
          auto params = example_params<Model>();
          params.*low.member = params.*high.member;
          EXPECT_FALSE(Model::check(params)) << "equal levels are allowed";
          params.*low.member = std::nextafter(params.*high.member, 0.0);
          const auto problem = Model::check(params);
          ASSERT_TRUE(problem) << Model::info.name;
          EXPECT_EQ(problem->field, name);
          EXPECT_EQ(problem->allowed, ">= " + partner);
          EXPECT_THROW(Model::make(params), InvalidParameter);
          ++pairs;
        }
      }
    }
  });
  EXPECT_EQ(pairs, 5);
}

TEST(Parameters, MessageIsOneLineWithFieldValueAndRange) {
  auto params = test::table2_lugre().params();
  params.stiffness = -1;
  try {
    LuGre::make(params);
    FAIL();
  } catch (const InvalidParameter& error) {
    EXPECT_STREQ(error.what(), "stiffness = -1: must be > 0 and finite");
  }
  EXPECT_EQ(InvalidParameter::describe({"static_force", 0.25, ">= coulomb_force"}),
            "static_force = 0.25: must be >= coulomb_force");
  EXPECT_EQ(InvalidParameter::describe({"damping_velocity", nan, "> 0, or inf"}),
            "damping_velocity = nan: must be > 0, or inf");
}

TEST(Parameters, OfEveryModelHaveTheirOwnNameUnitAndMeaning) {
  std::set<std::string> models;
  for_each_model([&]<class Model>(std::type_identity<Model>) {
    EXPECT_TRUE(models.insert(Model::info.name).second);
    EXPECT_STRNE(Model::info.title, "");
    EXPECT_STRNE(Model::info.equation, "");
    EXPECT_STRNE(Model::info.source, "");
    std::set<std::string> names;
    for (const auto& field : Model::fields) {
      EXPECT_TRUE(names.insert(field.name).second) << field.name;
      EXPECT_STRNE(field.unit, "");
      EXPECT_STRNE(field.meaning, "");
      EXPECT_TRUE(std::isnan(field.fallback) || field.range.holds(field.fallback)) << field.name;
    }
  });
  EXPECT_EQ(models.size(), std::variant_size_v<AnyModel>);
}

TEST(Parameters, FallbacksInTheTableAreTheDefaultsOfTheStruct) {
  for_each_model([]<class Model>(std::type_identity<Model>) {
    const typename Model::Params defaults{};
    for (const auto& field : Model::fields) {
      EXPECT_EQ(defaults.*field.member, std::isnan(field.fallback) ? 0.0 : field.fallback)
          << Model::info.name << "." << field.name;
    }
  });
}

TEST(Parameters, AreTheSameAfterALuGreModelIsMade) {
  const auto params = drawn_params<LuGre>([](const test::Interval& i) { return 0.9 * i.low + 0.1 * i.high; });
  const auto back = LuGre::make(params).params();
  for (const auto& field : LuGre::fields) {
    EXPECT_EQ(back.*field.member, params.*field.member) << field.name;
  }
}

TEST(Range, HoldsInsideAndNeverForNan) {
  EXPECT_TRUE(positive.holds(1e-300));
  EXPECT_FALSE(positive.holds(0.0));
  EXPECT_TRUE(non_negative.holds(0.0));
  EXPECT_TRUE(positive_or_infinite.holds(infinity));
  EXPECT_FALSE(finite.holds(infinity));
  for (const auto& range : {positive, non_negative, positive_or_infinite, finite, stribeck_exponents}) {
    EXPECT_FALSE(range.holds(nan));
    EXPECT_FALSE(range.holds(std::numeric_limits<float>::quiet_NaN()));
  }
}

}  // namespace
}  // namespace stiction::scalar
