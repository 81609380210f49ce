#include "tally.h"

#include <gtest/gtest.h>

#include <string>

namespace stiction::lab {
namespace {

Claim holding(Source source) { return at_most("", std::move(source), 1, 0, ""); }
Claim failing(Source source) { return at_most("", std::move(source), 0, 1, ""); }

TEST(Tally, SaysReproducedOfWhatAPaperPrintsDrawsOrShipsAlone) {
  EXPECT_EQ(outcome_of(holding(printed(""))), Outcome::reproduced);
  EXPECT_EQ(outcome_of(holding(from_figure(""))), Outcome::reproduced);
  EXPECT_EQ(outcome_of(holding(from_authors(""))), Outcome::reproduced);
  EXPECT_EQ(outcome_of(holding(from_program(""))), Outcome::confirmed);
  EXPECT_EQ(outcome_of(holding(from_theory(""))), Outcome::confirmed);
  EXPECT_EQ(outcome_of(holding(requirement(""))), Outcome::met);
}

TEST(Tally, CallsWhatDoesNotComeOutAsExpectedByThatName) {
  for (const auto& kind : {printed, from_theory, requirement}) {
    EXPECT_EQ(outcome_of(failing(kind(""))), Outcome::unexpected);
    EXPECT_EQ(outcome_of(failing(kind("")).as_refuted("")), Outcome::refuted);
    EXPECT_EQ(outcome_of(holding(kind("")).as_refuted("")), Outcome::unexpected);
    EXPECT_EQ(outcome_of(failing(kind("")).as_info("")), Outcome::info);
  }
}

TEST(Tally, CountsByOutcomeAndByEvidence) {
  Tally tally;
  EXPECT_EQ(tally.text(), "none");
  tally.add(holding(printed("")));
  tally.add(holding(printed("")));
  tally.add(holding(from_figure("")));
  tally.add(holding(from_program("")));
  tally.add(holding(requirement("")));
  tally.add(failing(printed("")).as_refuted(""));
  tally.add(failing(printed("")));
  tally.add(failing(printed("")).as_info(""));
  EXPECT_EQ(tally.text(),
            "3 reproduced (2 printed, 1 read from figures), 1 confirmed (1 independent programs), 1 met, 1 refuted, "
            "1 not as expected, 1 for information");
  EXPECT_EQ(tally.judged(), 7U);
  EXPECT_EQ(tally.as_expected(), 6U);
  EXPECT_EQ(tally.count(Evidence::printed), 2U);

  Tally twice = tally;
  twice.add(tally);
  EXPECT_EQ(twice.count(Outcome::reproduced), 6U);
  EXPECT_EQ(twice.count(Evidence::figure), 2U);
}

}  // namespace
}  // namespace stiction::lab
