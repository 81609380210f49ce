// Experiments on the schemes that section 6 of the paper mentions beside the LuGre observer.
#pragma once

#include <cmath>
#include <vector>

#include "../lab.h"
#include "stiction/scalar/presets.h"

namespace stiction::lab {

Result mrac_coulomb(const Context&);
Result asymmetric_compensation(const Context&);
Result path_compensation(const Context&);
Result cascade(const Context&);
Result friction_detector(const Context&);
Result bliman_sorine_identification(const Context&);
Result identification(const Context&);
Result two_link_arm(const Context&);

/// Root mean square of the values whose time is at least `from`.
inline double rms_after(const std::vector<double>& time, const std::vector<double>& values, double from) {
  double sum = 0;
  double count = 0;
  for (std::size_t i = 0; i < time.size(); ++i) {
    if (time[i] >= from) {
      sum += values[i] * values[i];
      ++count;
    }
  }
  return std::sqrt(sum / count);
}

}  // namespace stiction::lab
