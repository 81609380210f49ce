// Static friction in a loop, without the heap.
#include <gtest/gtest.h>

#include <cmath>

#include "stiction/spatial/static_friction.h"
#include "support/malloc_guard.h"

namespace stiction::spatial {
namespace {

TEST(StaticFriction, CallsNoHeap) {
  std::vector<Contact> contacts;
  for (int i = 0; i < 50; ++i) {
    contacts.push_back({.arm = {0.05 * std::sin(1.0 * i), 0.05 * std::cos(2.0 * i), 0.01 * i},
                        .normal = {0, std::sin(0.3 * i), std::cos(0.3 * i)},
                        .normal_force = 1,
                        .friction = 0.4,
                        .dynamic_friction = 0.3,
                        .torsion = i % 3 == 0 ? 0.01 : 0.0,
                        .key = i});
  }
  Load load{.wrench = {3, 1, 2, 0.1, 0, 0.2}, .length = 0.05};
  for (std::size_t i = 0; i < 6; ++i) {
    load.gradient[i][i] = i < 3 ? -1000 : -2.5;
    load.mass[i][i] = i < 3 ? 1 : 1e-3;
  }
  for (const int sides : {0, 8}) {
    StaticFriction solver(64, sides);
    double sum = 0;
    const long calls = test::heap_calls_in([&] {
      for (int frame = 0; frame < 20; ++frame) {
        load.wrench[0] = 1.0 * frame;
        sum += solver.set(std::span(contacts).first(static_cast<std::size_t>(30 + frame)), load) ? 1 : 0;
        sum += solver.verdict().factor + solver.solve().objective + solver.contacts()[3].friction[1];
      }
    });
    EXPECT_EQ(calls, 0);
    EXPECT_TRUE(std::isfinite(sum));
  }
}

}  // namespace
}  // namespace stiction::spatial
