#include "vector_operations.h"

#include <nvector/nvector_serial.h>

#include <array>
#include <cmath>
#include <cstddef>

namespace stiction::sim {
namespace {

constexpr std::size_t lanes = 32;  // partial sums, so that additions do not depend on each other

std::size_t length(N_Vector v) { return static_cast<std::size_t>(NV_LENGTH_S(v)); }

/// Every z[i] = of(x[i], y[i]); z may be x or y.
template <class Of>
void each(N_Vector x, N_Vector y, N_Vector z, const Of& of) {
  const std::size_t n = length(z);
  const double* const a = NV_DATA_S(x);
  const double* const b = NV_DATA_S(y);
  double* const c = NV_DATA_S(z);
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC ivdep
#endif
  for (std::size_t i = 0; i < n; ++i) {
    c[i] = of(a[i], b[i]);
  }
}

double weighted_norm(N_Vector x, N_Vector w) {
  // sqrt(Σ (x w)²/n)
  const std::size_t n = length(x);
  const double* const a = NV_DATA_S(x);
  const double* const b = NV_DATA_S(w);
  std::array<double, lanes> sums{};
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const double product = a[i + lane] * b[i + lane];
      sums[lane] += product * product;
    }
  }
  double sum = 0;
  for (; i < n; ++i) {
    const double product = a[i] * b[i];
    sum += product * product;
  }
  for (const double part : sums) {
    sum += part;
  }
  return std::sqrt(sum / static_cast<double>(n));
}

}  // namespace

void use_vector_operations(N_Vector vector) {
  auto& ops = *vector->ops;
  ops.nvlinearsum = [](double a, N_Vector x, double b, N_Vector y, N_Vector z) {
    if (a == 1) {
      each(x, y, z, [b](double p, double q) { return p + b * q; });
    } else {
      each(x, y, z, [a, b](double p, double q) { return a * p + b * q; });
    }
  };
  ops.nvscale = [](double a, N_Vector x, N_Vector z) { each(x, x, z, [a](double p, double) { return a * p; }); };
  ops.nvconst = [](double a, N_Vector z) { each(z, z, z, [a](double, double) { return a; }); };
  ops.nvprod = [](N_Vector x, N_Vector y, N_Vector z) { each(x, y, z, [](double p, double q) { return p * q; }); };
  ops.nvdiv = [](N_Vector x, N_Vector y, N_Vector z) { each(x, y, z, [](double p, double q) { return p / q; }); };
  ops.nvabs = [](N_Vector x, N_Vector z) { each(x, x, z, [](double p, double) { return std::abs(p); }); };
  ops.nvinv = [](N_Vector x, N_Vector z) { each(x, x, z, [](double p, double) { return 1 / p; }); };
  ops.nvaddconst = [](N_Vector x, double a, N_Vector z) { each(x, x, z, [a](double p, double) { return p + a; }); };
  ops.nvwrmsnorm = weighted_norm;
}

}  // namespace stiction::sim
