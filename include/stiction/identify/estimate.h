// A number found in data, with its confidence interval.
#pragma once

#include <string>

namespace stiction::identify {

struct Estimate {
  std::string name;
  std::string unit;
  double value = 0;
  double deviation = 0;      // standard deviation of the estimate
  double low = 0, high = 0;  // 95 % interval
  bool determined = true;    // false: not identifiable from the data; `value` is only where the search ended
};

}  // namespace stiction::identify
