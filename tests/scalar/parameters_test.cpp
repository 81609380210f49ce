#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "support/models.h"
#include "support/random.h"

namespace stiction::scalar::parameters_test {
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

/// Whether a check complains about a value that lies in the range of its field, because of another one. Each such
/// relation has its own test below.
bool is_relation(const std::optional<Problem>& problem, const Range& range) {
  return problem && std::string(problem->allowed) != range.text;
}

TEST(Parameters, OfEveryModelAreAcceptedAtTheEdgesTheirRangeAllows) {
  int accepted = 0;
  for_each_model([&]<class Model>(std::type_identity<Model>) {
    for (const auto& field : Model::fields) {
      auto params = example_params<Model>();
      for (const double edge : {field.range.low_allowed ? field.range.low : std::nextafter(field.range.low, infinity),
                                field.range.high_allowed ? field.range.high : std::nextafter(field.range.high, 0)}) {
        params.*field.member = edge;
        const auto problem = Model::check(params);
        if (!is_relation(problem, field.range)) {
          EXPECT_FALSE(problem) << Model::info.name << "." << field.name << " = " << edge;
          EXPECT_NO_THROW(Model::make(params));
          ++accepted;
        }
      }
    }
  });
  EXPECT_GE(accepted, 180);
}

/// Lists of numbers that no model takes: the first problem found.
template <class Model, class Field>
std::optional<Problem> problem_with(const Field& field, const std::vector<double>& numbers) {
  auto params = example_params<Model>();
  auto& list = params.*field.member = {};
  for (const double number : numbers) {
    list.push_back(number);
  }
  const auto problem = Model::check(params);
  if (problem) {
    EXPECT_THROW(Model::make(params), InvalidParameter);
  }
  return problem;
}

TEST(Parameters, ThatAreListsAreRefusedByNameWithTooManyNumbersNoneOrABadOne) {
  int lists = 0;
  for_each_model([&]<class Model>(std::type_identity<Model>) {
    if constexpr (requires { Model::lists; }) {
      const auto usual = example_params<Model>();
      for (const auto& field : Model::lists) {
        SCOPED_TRACE(std::string(Model::info.name) + "." + field.name);
        const std::vector<double> numbers((usual.*field.member).begin(), (usual.*field.member).end());
        EXPECT_FALSE(problem_with<Model>(field, numbers));
        for (const std::size_t count : {std::size_t{0}, field.capacity + 1, 3 * field.capacity}) {
          const auto problem = problem_with<Model>(field, std::vector<double>(count, numbers[0]));
          ASSERT_TRUE(problem) << count;
          EXPECT_STREQ(problem->field, field.name);
          EXPECT_STREQ(problem->allowed, field.length);
          EXPECT_EQ(problem->value, static_cast<double>(count));
          EXPECT_TRUE(problem->is_length);
        }
        for (const double value : values_outside(field.range)) {
          auto with_bad = numbers;
          with_bad.back() = value;
          const auto problem = problem_with<Model>(field, with_bad);
          ASSERT_TRUE(problem) << value;
          EXPECT_STREQ(problem->field, field.name);
          EXPECT_STREQ(problem->allowed, field.range.text);
          EXPECT_TRUE(problem->value == value || (std::isnan(problem->value) && std::isnan(value)));
        }
        auto longer = numbers;
        longer.push_back(numbers.back());
        const auto problem = problem_with<Model>(field, longer);
        ASSERT_TRUE(problem) << "one more than its partner";
        EXPECT_TRUE(problem->is_length);
        ++lists;
      }
    }
  });
  EXPECT_GE(lists, 9);
}

TEST(Parameters, ListsThatBelongTogetherAreAsLong) {
  auto gms = example_params<Gms>();
  gms.share.push_back(0.1);
  EXPECT_STREQ(Gms::check(gms)->field, "share");
  EXPECT_STREQ(Gms::check(gms)->allowed, "as many as stiffness");
  auto leuven = example_params<Leuven>();
  leuven.stiffness.push_back(1);
  EXPECT_STREQ(Leuven::check(leuven)->field, "limit");
  EXPECT_EQ(Leuven::check(leuven)->value, static_cast<double>(leuven.limit.size));
  BlimanSorine::Params general{.a = {-1}, .b = {1}, .c = {1, 2}};
  EXPECT_STREQ(BlimanSorine::check(general)->field, "c");
  EXPECT_STREQ(BlimanSorine::check(general)->allowed, "as many as b");
  general = {.a = {-1, -1}, .b = {1}, .c = {1}};
  EXPECT_STREQ(BlimanSorine::check(general)->field, "a");
  EXPECT_STREQ(BlimanSorine::check(general)->allowed, "n x n numbers for n numbers in b");
  general = {.a = {-1}, .b = {1, 1, 1, 1, 1}, .c = {1}};
  EXPECT_STREQ(BlimanSorine::check(general)->field, "b");
  EXPECT_STREQ(BlimanSorine::check(general)->allowed, "1 to 4 numbers");
}

TEST(Parameters, SharesOfMaxwellSlipElementsSumToOne) {
  Gms::Params params{.stiffness = {100, 50},
                     .share = {0.5, 0.5},
                     .attraction = 1,
                     .coulomb_force = 1,
                     .static_force = 1.5,
                     .stribeck_velocity = 0.01};
  EXPECT_FALSE(Gms::check(params));
  params.share = {0.3 + 1e-12, 0.7};
  EXPECT_FALSE(Gms::check(params)) << "rounded";
  for (const double other : {0.49999, 0.50001, 1.5}) {
    params.share = {0.5, other};
    const auto problem = Gms::check(params);
    ASSERT_TRUE(problem);
    EXPECT_STREQ(problem->field, "share");
    EXPECT_STREQ(problem->allowed, "a list of sum 1");
    EXPECT_EQ(problem->value, 0.5 + other);
    EXPECT_FALSE(problem->is_length);
  }
}

TEST(Parameters, LimitsOfLeuvenElementsCarryTheStaticForce) {
  Leuven::Params params{.stiffness = {100, 50},
                        .limit = {0.5, 1},
                        .damping = 1,
                        .coulomb_force = 1,
                        .static_force = 1.5,
                        .stribeck_velocity = 0.01};
  EXPECT_FALSE(Leuven::check(params)) << "just enough";
  params.limit = {0.5, 9};
  EXPECT_FALSE(Leuven::check(params));
  params.limit = {0.5, 0.99};
  EXPECT_STREQ(Leuven::check(params)->field, "limit");
  EXPECT_STREQ(Leuven::check(params)->allowed, "a list of sum >= static_force");
  EXPECT_NEAR(Leuven::check(params)->value, 1.49, 1e-8);
}

TEST(Parameters, FastForceOfBlimanSorineExceedsTheSlowOne) {
  BlimanSorine2::Params params{.force_1 = 2, .force_2 = 1, .ratio = 0.1, .distance = 1e-3};
  EXPECT_FALSE(BlimanSorine2::check(params));
  for (const double force_1 : {1.0, 0.5}) {
    params.force_1 = force_1;
    EXPECT_STREQ(BlimanSorine2::check(params)->field, "force_1");
    EXPECT_STREQ(BlimanSorine2::check(params)->allowed, "> force_2");
  }
  params.force_1 = std::nextafter(1.0, 2.0);
  EXPECT_FALSE(BlimanSorine2::check(params));
}

TEST(Parameters, MatrixOfBlimanSorineIsStable) {
  const auto problem_of = [](const BlimanSorine::Params::Numbers& a, const BlimanSorine::Params::Numbers& b) {
    return BlimanSorine::check({.a = a, .b = b, .c = b});
  };
  EXPECT_FALSE(problem_of({-1}, {1}));
  EXPECT_FALSE(problem_of({-1, 5, -5, -1}, {1, 1})) << "a damped rotation";
  for (const auto& a : {BlimanSorine::Params::Numbers{0, 1, -1, 0}, BlimanSorine::Params::Numbers{1, 0, 0, -1},
                        BlimanSorine::Params::Numbers{-1, 0, 0, 0}, BlimanSorine::Params::Numbers{0, 0, 0, 0}}) {
    ASSERT_TRUE(problem_of(a, {1, 1}));
    EXPECT_STREQ(problem_of(a, {1, 1})->field, "a");
    EXPECT_STREQ(problem_of(a, {1, 1})->allowed, "a matrix with stable eigenvalues");
  }
}

TEST(Parameters, KarnoppHoldsNoLessThanItSlidesWithAtTheEdgeOfItsBand) {
  Karnopp::Params params{.coulomb_force = 1, .static_force = 1.5, .zero_velocity = 0.1, .viscous = 5};
  EXPECT_FALSE(Karnopp::check(params)) << "1 + 5 0.1 is held";
  params.viscous = 5.0001;
  EXPECT_STREQ(Karnopp::check(params)->field, "static_force");
  EXPECT_STREQ(Karnopp::check(params)->allowed, ">= the sliding friction at zero_velocity");
}

TEST(Parameters, AsperitiesOfABearingCarryItsLoad) {
  auto params = example_params<JournalBearing>();
  const double least = params.load / square(1 - params.contact_onset);
  params.contact_stiffness = least * (1 + 1e-9);
  EXPECT_FALSE(JournalBearing::check(params));
  params.contact_stiffness = least * (1 - 1e-9);
  EXPECT_STREQ(JournalBearing::check(params)->field, "contact_stiffness");
}

TEST(Parameters, MeasuredPointsRiseAndStartBelowBreakAway) {
  Tabulated::Params params{.speed = {0, 0.1}, .force = {2, 1}, .static_force = 2};
  EXPECT_FALSE(Tabulated::check(params));
  params.speed = {0.1, 0.1};
  EXPECT_STREQ(Tabulated::check(params)->field, "speed");
  EXPECT_STREQ(Tabulated::check(params)->allowed, "strictly increasing");
  params = {.speed = {0, 0.1}, .force = {2, 1}, .static_force = 1.9};
  EXPECT_STREQ(Tabulated::check(params)->field, "static_force");
}

TEST(Parameters, ThatAreIntegersTakeWholeNumbersInTheirRangeAndKeepTheirValueOtherwise) {
  int integers = 0;
  for_each_model([&]<class Model>(std::type_identity<Model>) {
    const ModelTable& table = TableOf<Model>::value;
    for (std::size_t i = 0; i < table.parameters.size(); ++i) {
      const Parameter& parameter = table.parameters[i];
      if (!parameter.is_integer) {
        continue;
      }
      SCOPED_TRACE(std::string(Model::info.name) + "." + parameter.name);
      AnyParams params = AnyModel(example<Model>()).params();
      for (const double value : {parameter.range.low, parameter.range.low + 1, parameter.range.high}) {
        EXPECT_FALSE(params.assign(i, value));
        EXPECT_EQ(params.value(i), value);
        EXPECT_FALSE(params.check());
      }
      std::vector<double> refused = values_outside(parameter.range);
      refused.insert(refused.end(), {20.5, -1, 1e300});
      for (const double value : refused) {
        const auto problem = params.assign(i, value);
        ASSERT_TRUE(problem) << value;
        EXPECT_STREQ(problem->field, parameter.name);
        EXPECT_STREQ(problem->allowed, parameter.range.text);
        EXPECT_TRUE(problem->value == value || (std::isnan(problem->value) && std::isnan(value)));
        EXPECT_EQ(params.value(i), parameter.range.high);
      }
      EXPECT_TRUE(params.assign(i, std::span<const double>{})) << "no number";
      ++integers;
    }
  });
  EXPECT_GE(integers, 2);
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
          if constexpr (requires { params.zero_velocity; }) {
            params.viscous = 0;  // see Karnopp's own relation
          }
          EXPECT_FALSE(Model::check(params)) << Model::info.name << ": equal levels are allowed";
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
  EXPECT_GE(pairs, 13);
}

TEST(Parameters, MessageIsOneLineWithFieldValueAndRange) {
  auto params = test::table2_lugre().params();
  params.stiffness = -1;
  try {
    LuGre::make(params);
    FAIL();
  } catch (const InvalidParameter& error) {
    EXPECT_STREQ(error.what(), "stiffness = -1: must be in [1e-15, 1e15]");
  }
  EXPECT_EQ(InvalidParameter::describe({"static_force", 0.25, ">= coulomb_force"}),
            "static_force = 0.25: must be >= coulomb_force");
  EXPECT_EQ(InvalidParameter::describe({"damping_velocity", nan, "> 0, or inf"}),
            "damping_velocity = nan: must be > 0, or inf");
  EXPECT_EQ(InvalidParameter::describe({"share", 0, "1 to 16 numbers", true}),
            "share has 0 numbers: must be 1 to 16 numbers");
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
    if constexpr (requires { Model::integers; }) {
      for (const auto& field : Model::integers) {
        EXPECT_TRUE(names.insert(field.name).second) << field.name;
        EXPECT_STRNE(field.unit, "");
        EXPECT_STRNE(field.meaning, "");
        EXPECT_TRUE(std::isnan(field.fallback) || field.range.holds(field.fallback)) << field.name;
      }
    }
    if constexpr (requires { Model::lists; }) {
      for (const auto& field : Model::lists) {
        EXPECT_TRUE(names.insert(field.name).second) << field.name;
        EXPECT_STRNE(field.unit, "");
        EXPECT_STRNE(field.length, "");
        EXPECT_STRNE(field.meaning, "");
      }
    }
  });
  EXPECT_EQ(models.size(), RegisteredModels::size);
}

TEST(Parameters, FallbacksInTheTableAreTheDefaultsOfTheStruct) {
  for_each_model([]<class Model>(std::type_identity<Model>) {
    const typename Model::Params defaults{};
    for (const auto& field : Model::fields) {
      EXPECT_EQ(defaults.*field.member, std::isnan(field.fallback) ? 0.0 : field.fallback)
          << Model::info.name << "." << field.name;
    }
    if constexpr (requires { Model::integers; }) {
      for (const auto& field : Model::integers) {
        EXPECT_EQ(defaults.*field.member, std::isnan(field.fallback) ? 0.0 : field.fallback)
            << Model::info.name << "." << field.name;
      }
    }
  });
}

TEST(Parameters, AreTheSameAfterAModelIsMade) {
  for_each_model([]<class Model>(std::type_identity<Model>) {
    test::Random random(13);
    for (int i = 0; i < 20; ++i) {
      const auto params = drawn_params<Model>(random);
      const auto back = Model::make(params).params();
      for (const auto& field : Model::fields) {
        EXPECT_EQ(back.*field.member, params.*field.member) << Model::info.name << "." << field.name;
      }
      if constexpr (requires { Model::integers; }) {
        for (const auto& field : Model::integers) {
          EXPECT_EQ(back.*field.member, params.*field.member) << Model::info.name << "." << field.name;
        }
      }
      if constexpr (requires { Model::lists; }) {
        for (const auto& field : Model::lists) {
          EXPECT_EQ(back.*field.member, params.*field.member) << Model::info.name << "." << field.name;
        }
      }
    }
  });
}

TEST(Parameters, LevelsOfAStribeckCurveLieWithinAMillionOfEachOther) {
  auto params = test::table2_lugre().params();
  params.coulomb_force = 1e-3;
  params.static_force = 1e3;
  EXPECT_FALSE(LuGre::check(params));
  params.static_force = 1.001e3;
  ASSERT_TRUE(LuGre::check(params));
  EXPECT_EQ(InvalidParameter::describe(*LuGre::check(params)), "static_force = 1001: must be <= 1e6 coulomb_force");
  // Beyond, g(v) = F_S − (F_S − F_C)(1 − e^…) would be 0 at high speed.
  EXPECT_GT(LuGre(test::table2_lugre().params()).curve(1e9), 0);
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
}  // namespace stiction::scalar::parameters_test
