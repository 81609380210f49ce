// How often 95 % intervals hold the truth, over generated logs of many axes.
#pragma once

#include <cstdint>

namespace stiction::test {

struct Coverage {
  int held = 0, all = 0;  // intervals of the seven parameters of LuGre and its body
  int refused = 0;        // sets of logs that were not identified
  double worst = 0;       // most standard deviations that an estimate was off
  [[nodiscard]] double share() const { return all > 0 ? static_cast<double>(held) / all : 0; }
};

/// Sets of a sweep, a presliding log and a velocity loop of axes drawn at random.
Coverage coverage(int sets, std::uint64_t first_seed);

}  // namespace stiction::test
