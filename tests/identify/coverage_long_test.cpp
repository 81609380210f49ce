#include <gtest/gtest.h>

#include "identify/coverage.h"

namespace stiction {
namespace {

TEST(Intervals, HoldTheTruthInFortySets) {
  const test::Coverage found = test::coverage(40, 1);
  EXPECT_LE(found.refused, 1);
  EXPECT_GE(found.share(), 0.9);
  EXPECT_LT(found.worst, 6);
  RecordProperty("held", found.held);
  RecordProperty("intervals", found.all);
}

}  // namespace
}  // namespace stiction
