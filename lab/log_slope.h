// The exponent of a power law.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace stiction::lab {

/// The slope of log y over log x.
inline double log_slope(const std::vector<double>& x, const std::vector<double>& y) {
  double sx = 0;
  double sy = 0;
  double sxx = 0;
  double sxy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double a = std::log(x[i]);
    const double b = std::log(y[i]);
    sx += a;
    sy += b;
    sxx += a * a;
    sxy += a * b;
  }
  const auto n = static_cast<double>(x.size());
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

}  // namespace stiction::lab
