// What every registered experiment must offer. The stiction gate takes long and has tests of its own.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>

#include "lab.h"

namespace stiction::lab {

static void PrintTo(const Experiment& experiment, std::ostream* out) { *out << experiment.id; }

namespace {

std::string test_name(const Experiment& experiment) {
  std::string name;
  bool start = true;
  for (const char c : std::string(experiment.id)) {
    const bool letter = std::isalnum(static_cast<unsigned char>(c)) != 0;
    name += letter ? std::string(1, static_cast<char>(start ? std::toupper(c) : c)) : "";
    start = !letter;
  }
  return name;
}

TEST(Experiments, HaveUniqueIdsTitlesAndSources) {
  std::set<std::string> ids;
  for (const Experiment& experiment : experiments()) {
    EXPECT_TRUE(ids.insert(experiment.id).second) << experiment.id << " is there twice";
    EXPECT_THAT(experiment.id, ::testing::MatchesRegex("[a-z]+/[a-z0-9]+(-[a-z0-9]+)*"));
    EXPECT_FALSE(std::string_view(experiment.title).empty()) << experiment.id;
    EXPECT_FALSE(std::string_view(experiment.source).empty()) << experiment.id;
    EXPECT_NE(experiment.run, nullptr) << experiment.id;
  }
  EXPECT_GE(ids.size(), 7U);
}

/// In full it takes minutes: `make test-slow`.
bool takes_long(const Experiment& experiment) {
  static const std::set<std::string_view> others{"control/identification", "planar/drift", "planar/recognition",
                                                 "planar/resolution"};
  const std::string_view id = experiment.id;
  return id.starts_with("haptics/") || others.contains(id);
}

/// Each once, but the stiction gate.
template <class Choice>
std::vector<Experiment> experiments_where(const Choice& choice) {
  std::set<std::string> ids{"scalar/stiction-gate"};
  std::vector<Experiment> chosen;
  std::copy_if(experiments().begin(), experiments().end(), std::back_inserter(chosen),
               [&](const Experiment& experiment) { return choice(experiment) && ids.insert(experiment.id).second; });
  return chosen;
}

std::size_t length(const Column& column) {
  return std::visit([](const auto& values) { return values.size(); }, column.values);
}

std::vector<std::string> claims_of(const Result& result) {
  std::vector<std::string> names;
  for (const Claim& claim : result.claims) {
    names.push_back(claim.name);
  }
  return names;
}

void expect_claims_with_everything_a_reader_needs(const Result& result) {
  SCOPED_TRACE("does it reproduce its claims, with everything a reader needs?");
  EXPECT_TRUE(std::any_of(result.claims.begin(), result.claims.end(),
                          [](const Claim& claim) { return claim.expect != Expect::info; }));
  EXPECT_FALSE(result.figures.empty());
  EXPECT_FALSE(result.notes.empty());
  std::set<std::string> names;
  for (const Claim& claim : result.claims) {
    SCOPED_TRACE(claim.name);
    EXPECT_TRUE(claim.ok()) << claim.measured << " instead of " << claim.published;
    EXPECT_TRUE(names.insert(claim.name).second) << "twice";
    EXPECT_FALSE(claim.name.empty() || claim.source.where.empty() || claim.unit.empty());
    EXPECT_TRUE(std::isfinite(claim.published) && std::isfinite(claim.measured) && claim.tolerance >= 0);
    EXPECT_EQ(claim.reason.empty(), claim.expect == Expect::reproduced);
  }
}

void expect_columns_that_are_there(const Result& result) {
  SCOPED_TRACE("does it draw columns that are there?");
  for (const Table& table : result.tables) {
    for (const Column& column : table.columns) {
      EXPECT_EQ(length(column), length(table.columns.front())) << table.name << " " << column.name;
    }
  }
  for (const Figure& figure : result.figures) {
    EXPECT_FALSE(figure.title.empty() || figure.x_label.empty() || figure.y_label.empty() || figure.series.empty());
    for (const Series& series : figure.series) {
      const auto table = std::find_if(result.tables.begin(), result.tables.end(),
                                      [&](const Table& t) { return t.name == series.table; });
      ASSERT_NE(table, result.tables.end()) << series.table;
      ASSERT_LT(std::max(series.x, series.y), table->columns.size()) << series.table;
      EXPECT_GT(length(table->columns[series.y]), 1U) << series.table;
    }
  }
}

void expect_no_claim_left_out(const Result& quick, const Result& full) {
  SCOPED_TRACE("is it quick without leaving out a claim?");
  EXPECT_EQ(claims_of(quick), claims_of(full));
}

class EachExperiment : public ::testing::TestWithParam<Experiment> {};

// One test, because an experiment is run once for all that its result must be; and in full where that does not take
// minutes.
TEST_P(EachExperiment, ReproducesItsClaimsDrawsItsColumnsAndIsQuickWithAllOfThem) {
  const Result quick = GetParam().run({.quick = true});
  expect_claims_with_everything_a_reader_needs(quick);
  expect_columns_that_are_there(quick);
  if (!takes_long(GetParam())) {
    expect_no_claim_left_out(quick, GetParam().run({}));
  }
}

TEST_P(EachExperiment, StopsWhenCancelled) {
  EXPECT_THROW(GetParam().run({.quick = true, .cancelled = [] { return true; }}), Cancelled);
}

class LongExperiment : public ::testing::TestWithParam<Experiment> {};

TEST_P(LongExperiment, IsQuickWithoutLeavingOutAClaim) {
  expect_no_claim_left_out(GetParam().run({.quick = true}), GetParam().run({}));
}

INSTANTIATE_TEST_SUITE_P(, EachExperiment,
                         ::testing::ValuesIn(experiments_where([](const Experiment&) { return true; })),
                         [](const auto& test) { return test_name(test.param); });
INSTANTIATE_TEST_SUITE_P(, LongExperiment, ::testing::ValuesIn(experiments_where(takes_long)),
                         [](const auto& test) { return test_name(test.param); });

}  // namespace
}  // namespace stiction::lab
