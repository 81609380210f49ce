// A bounded memory of a signal.
#include "stiction/scalar/delay_line.h"

#include <gtest/gtest.h>

#include <cmath>

namespace stiction::scalar {
namespace {

TEST(DelayLine, IsThePresentValueWhileEmpty) {
  const DelayLine<double, 8> line;
  EXPECT_EQ(line.at(-3, 0, 0.7), 0.7);
}

TEST(DelayLine, HadItsFirstValueForEver) {
  DelayLine<double, 8> line;
  line.push(1, 5, 0.1);
  EXPECT_EQ(line.at(0, 2, 9), 5);
  EXPECT_EQ(line.at(1, 2, 9), 5);
  EXPECT_EQ(line.at(1.5, 2, 9), 7) << "halfway to the present value";
}

TEST(DelayLine, ReachesBackOverTheWholeDelayHoweverManySamplesCome) {
  constexpr double delay = 0.02;
  for (const double step : {1e-6, 1e-4, 1.6e-4, 3e-3, 0.05}) {
    DelayLine<double, 64> line;
    double worst = 0;
    for (int i = 0; i < 20'000; ++i) {
      const double now = i * step;
      line.push(now, std::sin(3 * now), delay / 62);
      if (now > 2 * delay) {
        worst = std::max(worst, std::abs(line.at(now - delay, now, std::sin(3 * now)) - std::sin(3 * (now - delay))));
      }
      if (now > 1) {
        break;
      }
    }
    const double spacing = std::max(2 * step, 2 * delay / 62);
    EXPECT_LE(worst, 9 * spacing * spacing / 8) << "the error of straight lines, step " << step;
  }
}

TEST(DelayLine, CanBeComparedAndCopied) {
  DelayLine<double, 8> a;
  a.push(0, 1, 0);
  DelayLine<double, 8> b = a;
  EXPECT_EQ(a, b);
  b.push(1, 2, 0);
  EXPECT_NE(a, b);
}

}  // namespace
}  // namespace stiction::scalar
