#include "identify/coverage.h"

#include <gtest/gtest.h>

namespace stiction {
namespace {

TEST(Intervals, HoldTheTruthInFourSets) {
  const test::Coverage found = test::coverage(4, 101);
  EXPECT_EQ(found.refused, 0);
  EXPECT_GE(found.share(), 0.82);  // 28 intervals: fewer than 23 of them would happen once in 5000 such tests
  EXPECT_LT(found.worst, 4.5);
}

}  // namespace
}  // namespace stiction
