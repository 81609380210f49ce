#include "support/malloc_guard.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <string>
#include <thread>
#include <vector>

#include "stiction/sim/line.h"
#include "support/models.h"

namespace stiction::test {
namespace {

void* volatile planted = nullptr;  // the compiler must not see through it

TEST(MallocGuard, CountsNothingWhereNothingHappens) {
  int sum = 0;
  EXPECT_EQ(heap_calls_in([&] { sum += 1; }), 0);
}

TEST(MallocGuard, CatchesMallocAndFree) {
  EXPECT_EQ(heap_calls_in([] { planted = std::malloc(8); }), 1);
  EXPECT_EQ(heap_calls_in([] { std::free(planted); }), 1);
}

TEST(MallocGuard, CatchesTheWholeFamily) {
  EXPECT_EQ(heap_calls_in([] {
              planted = std::calloc(4, 4);
              planted = std::realloc(planted, 64);
              std::free(planted);
              planted = std::aligned_alloc(64, 64);
              std::free(planted);
              void* memory = nullptr;
              if (posix_memalign(&memory, 64, 64) == 0) {
                planted = memory;
              }
              std::free(planted);
            }),
            7);
}

TEST(MallocGuard, CatchesNewAndDelete) {
  EXPECT_EQ(heap_calls_in([] {
              planted = ::operator new(16);
              ::operator delete(planted);
              planted = ::operator new (64, std::align_val_t{64});
              ::operator delete (planted, std::align_val_t{64});
            }),
            4);
}

TEST(MallocGuard, CatchesAGrowingVectorAndAString) {
  std::vector<double> values;
  EXPECT_GT(heap_calls_in([&] { values.push_back(1); }), 0);
  values.reserve(10);
  EXPECT_EQ(heap_calls_in([&] { values.push_back(2); }), 0);
  EXPECT_GT(heap_calls_in([&] { values.resize(100); }), 0);
  std::string text;
  EXPECT_GT(heap_calls_in([&] { text.append(1000, 'x'); }), 0);
}

TEST(MallocGuard, SeesInsideTheLibrary) {
  EXPECT_GT(heap_calls_in([] { sim::simulate(standard_lugre(), {}, {}, {.duration = 0.01}); }), 0);
}

TEST(MallocGuard, LooksAtItsOwnThreadAlone) {
  std::atomic<int> stage = 0;
  std::thread other([&] {
    while (stage != 1) {
    }
    planted = std::malloc(8);
    std::free(planted);
    stage = 2;
  });
  EXPECT_EQ(heap_calls_in([&] {
              stage = 1;
              while (stage != 2) {
              }
            }),
            0);
  other.join();
}

}  // namespace
}  // namespace stiction::test
