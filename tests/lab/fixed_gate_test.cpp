// The 30 fixed cells of the gate against creep: a rotary body under a step load, watched from 2 s to 20 s.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <tuple>

#include "scalar/stiction_gate.h"

namespace stiction::lab {
namespace {

// One test, because the cells are computed once.
TEST(FixedGate, ImplicitStepsHoldWhatTrulyStays) {
  std::map<std::string, std::set<std::tuple<double, double, double>>> cells;
  int truly_still = 0;
  int moved_by_explicit_euler = 0;
  for (const GateCell& cell : fixed_gate_cells({.quick = true})) {
    SCOPED_TRACE(::testing::Message() << cell.method << ", stiffness " << cell.stiffness << ", step " << cell.step
                                      << ", damping ratio " << cell.damping_ratio << ": moved " << cell.result.moved
                                      << ", truly " << cell.reference.moved);
    EXPECT_TRUE(cells[cell.method].insert({cell.stiffness, cell.step, cell.damping_ratio}).second) << "twice";
    EXPECT_NE(cell.reference.verdict, Verdict::slides);
    EXPECT_NE(cell.reference.verdict, Verdict::diverges);
    EXPECT_GE(cell.reference.position, 0.2 / cell.stiffness * (1 - 1e-6));  // the bristle carries the load
    const bool still = cell.reference.verdict == Verdict::holds;
    if (cell.method == "backward-euler") {
      EXPECT_EQ(cell.result.verdict, Verdict::holds);
      EXPECT_LE(cell.result.moved, 1e-9);
    } else if (cell.method == "sdirk2" && still) {
      ++truly_still;
      EXPECT_EQ(cell.result.verdict, Verdict::holds);
      EXPECT_LE(cell.result.moved, 1e-9);
    } else if (cell.method == "sdirk2, 4 sub-steps") {
      EXPECT_LE(cell.result.moved, cell.reference.moved + 1e-9);
    } else if (cell.method == "explicit-euler") {
      moved_by_explicit_euler += cell.result.verdict != Verdict::holds ? 1 : 0;
    }
  }
  ASSERT_EQ(cells.size(), 6U);
  for (const auto& [method, different] : cells) {
    EXPECT_EQ(different.size(), 30U) << method;
  }
  EXPECT_GE(truly_still, 25);
  EXPECT_GE(moved_by_explicit_euler, 21);  // the gate tells a bad integrator from a good one
}

}  // namespace
}  // namespace stiction::lab
