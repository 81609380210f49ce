#include <gtest/gtest.h>

#include <limits>

#include "lab.h"

namespace stiction::lab {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double inf = std::numeric_limits<double>::infinity();

TEST(Claim, WithinHoldsUpToItsToleranceOnBothSides) {
  const auto holds = [](double measured) { return within("", printed(""), 10, measured, 0.5, "").holds; };
  EXPECT_TRUE(holds(10));
  EXPECT_TRUE(holds(9.5));
  EXPECT_TRUE(holds(10.5));
  EXPECT_FALSE(holds(9.4999));
  EXPECT_FALSE(holds(10.5001));
}

TEST(Claim, AtMostHoldsBelowAndAtLeastAbove) {
  EXPECT_TRUE(at_most("", printed(""), 10, 10, "").holds);
  EXPECT_TRUE(at_most("", printed(""), 10, -1e9, "").holds);
  EXPECT_FALSE(at_most("", printed(""), 10, 10.001, "").holds);
  EXPECT_TRUE(at_most("", printed(""), 10, 10.5, "", 0.5).holds);
  EXPECT_FALSE(at_most("", printed(""), 10, 10.6, "", 0.5).holds);
  EXPECT_TRUE(at_least("", printed(""), 10, 10, "").holds);
  EXPECT_TRUE(at_least("", printed(""), 10, 1e9, "").holds);
  EXPECT_FALSE(at_least("", printed(""), 10, 9.999, "").holds);
  EXPECT_TRUE(at_least("", printed(""), 10, 9.5, "", 0.5).holds);
  EXPECT_FALSE(at_least("", printed(""), 10, 9.4, "", 0.5).holds);
}

TEST(Claim, NothingHoldsForWhatIsNotANumber) {
  for (const auto& claim : {within("", printed(""), 10, nan, inf, ""), at_most("", printed(""), 10, nan, "", inf),
                            at_least("", printed(""), 10, nan, "", inf), within("", printed(""), 10, inf, 1, "")}) {
    EXPECT_FALSE(claim.holds) << claim.relation;
    EXPECT_FALSE(claim.ok()) << claim.relation;
  }
}

TEST(Claim, KeepsAllThatIsSaidAboutIt) {
  const Claim claim = within("break-away", printed("Fig. 2"), 1.5, 1.4, 0.2, "N");
  EXPECT_EQ(claim.name, "break-away");
  EXPECT_EQ(claim.source.where, "Fig. 2");
  EXPECT_EQ(claim.published, 1.5);
  EXPECT_EQ(claim.measured, 1.4);
  EXPECT_EQ(claim.tolerance, 0.2);
  EXPECT_EQ(claim.unit, "N");
  EXPECT_EQ(claim.relation, "within");
  EXPECT_EQ(claim.expect, Expect::reproduced);
  EXPECT_EQ(at_most("", printed(""), 0, 0, "").relation, "at most");
  EXPECT_EQ(at_least("", printed(""), 0, 0, "").relation, "at least");
}

TEST(Claim, IsAsExpectedWhenReproducedOnesHoldAndRefutedOnesDoNot) {
  const Claim holds = at_most("", printed(""), 1, 0, "");
  const Claim fails = at_most("", printed(""), 0, 1, "");
  EXPECT_TRUE(holds.ok());
  EXPECT_FALSE(fails.ok());
  EXPECT_FALSE(Claim(holds).as_refuted("why").ok());
  EXPECT_TRUE(Claim(fails).as_refuted("why").ok());
  EXPECT_TRUE(Claim(holds).as_info("why").ok());
  EXPECT_TRUE(Claim(fails).as_info("why").ok());
}

TEST(Claim, IsStillMeasuredWhereItIsRefutedOrForInformation) {
  const Claim refuted = at_most("", printed(""), 0, 1, "").as_refuted("the sign is wrong");
  EXPECT_EQ(refuted.expect, Expect::refuted);
  EXPECT_EQ(refuted.reason, "the sign is wrong");
  EXPECT_FALSE(refuted.holds);
  const Claim info = at_most("", printed(""), 1, 0, "").as_info("depends on the machine");
  EXPECT_EQ(info.expect, Expect::info);
  EXPECT_EQ(info.reason, "depends on the machine");
  EXPECT_TRUE(info.holds);
}

TEST(Context, ShowsProgressAndStopsWhenAskedTo) {
  EXPECT_NO_THROW(Context{}.step(0.5));
  double seen = 0;
  bool stop = false;
  const Context context{.progress = [&](double fraction) { seen = fraction; }, .cancelled = [&] { return stop; }};
  context.step(0.25);
  EXPECT_EQ(seen, 0.25);
  stop = true;
  EXPECT_THROW(context.step(0.5), Cancelled);
  EXPECT_EQ(seen, 0.25);
}

}  // namespace
}  // namespace stiction::lab
