// The gate against creep on its coarse grid: models × loads × steps × dampings.
#include <gtest/gtest.h>

#include "scalar/stiction_gate.h"

namespace stiction::lab {
namespace {

// One test, because the cells are computed once.
TEST(RampGate, JudgedBodiesStayWhereTheTrueOnesDo) {
  int ours = 0;
  int judged = 0;
  int bristles_at_small_steps = 0;
  int judged_bristles_at_small_steps = 0;
  for (const GateCell& cell : gate_cells({.quick = true})) {
    SCOPED_TRACE(::testing::Message() << cell.model << ", " << cell.method << ", load " << cell.load_share << ", step "
                                      << cell.step << ", damping ratio " << cell.damping_ratio << ": moved "
                                      << cell.result.moved << ", truly " << cell.reference.moved);
    if (cell.model == "tanh" || cell.model == "viscous") {
      EXPECT_FALSE(cell.judged);
      if (cell.method == "backward-euler") {
        EXPECT_NE(cell.result.verdict, Verdict::holds);  // they have no stiction: a gate that lets them pass is broken
      }
    }
    const bool could_be_judged =
        cell.model != "tanh" && cell.model != "viscous" && (cell.method == "sdirk2" || cell.method == "backward-euler");
    const bool bristles_at_a_small_step =
        could_be_judged && cell.method == "sdirk2" && cell.stiffness > 0 && cell.step <= 1e-3;
    ours += could_be_judged ? 1 : 0;
    bristles_at_small_steps += bristles_at_a_small_step ? 1 : 0;
    if (!cell.judged) {
      continue;
    }
    ++judged;
    EXPECT_TRUE(cell.result.verdict == Verdict::holds || cell.result.verdict == Verdict::moves);
    EXPECT_NE(cell.reference.verdict, Verdict::slides);
    if (cell.method == "backward-euler") {
      EXPECT_FALSE(cell.moves_too_much);
      EXPECT_EQ(cell.result.verdict, Verdict::holds);
      EXPECT_LE(cell.result.moved, 1e-12);
    } else {
      EXPECT_EQ(cell.method, "sdirk2");
      EXPECT_LE(cell.result.moved, 1e-12 + 1.01 * cell.reference.moved);
      if (cell.step <= 1e-3) {
        EXPECT_LE(position_error(cell), 0.02);
        judged_bristles_at_small_steps += bristles_at_a_small_step ? 1 : 0;
      }
    }
  }
  // A few still ring when the watch begins.
  EXPECT_GE(judged, 0.9 * ours);
  EXPECT_GE(judged_bristles_at_small_steps, 0.8 * bristles_at_small_steps);
  RecordProperty("judged", judged);
  RecordProperty("judged_bristles_at_small_steps", judged_bristles_at_small_steps);
}

}  // namespace
}  // namespace stiction::lab
