#include "stiction/planar/held_normals.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "stiction/problem.h"

namespace stiction::planar {
namespace {

constexpr std::size_t columns = 4;  // W_nt and v_n

/// (G + 1e-9 tr G) X = B by Cholesky; X overwrites B.
void solve_regularised(std::vector<double>& g, std::size_t n, std::vector<double>& b) {
  double trace = 0;
  for (std::size_t i = 0; i < n; ++i) {
    trace += g[i * n + i];
  }
  for (std::size_t j = 0; j < n; ++j) {
    g[j * n + j] += 1e-9 * trace;
    for (std::size_t k = 0; k < j; ++k) {
      g[j * n + j] -= g[j * n + k] * g[j * n + k];
    }
    g[j * n + j] = std::sqrt(std::max(g[j * n + j], 1e-300));
    for (std::size_t i = j + 1; i < n; ++i) {
      for (std::size_t k = 0; k < j; ++k) {
        g[i * n + j] -= g[i * n + k] * g[j * n + k];
      }
      g[i * n + j] /= g[j * n + j];
    }
  }
  for (std::size_t c = 0; c < columns; ++c) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t k = 0; k < i; ++k) {
        b[i * columns + c] -= g[i * n + k] * b[k * columns + c];
      }
      b[i * columns + c] /= g[i * n + i];
    }
    for (std::size_t i = n; i-- > 0;) {
      for (std::size_t k = i + 1; k < n; ++k) {
        b[i * columns + c] -= g[k * n + i] * b[k * columns + c];
      }
      b[i * columns + c] /= g[i * n + i];
    }
  }
}

}  // namespace

HeldNormals hold_normals(std::span<const double> w, std::span<const double> velocity) {
  const std::size_t count = velocity.size();
  if (count < 3) {
    throw InvalidParameter(Problem{"velocity", static_cast<double>(count), "3 + n numbers", true});
  }
  if (w.size() != count * count) {
    throw InvalidParameter(Problem{"w", static_cast<double>(w.size()), "(3 + n)² numbers", true});
  }
  const std::size_t n = count - 3;
  std::vector<double> nn(n * n);
  std::vector<double> right(n * columns);
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = 0; b < n; ++b) {
      nn[a * n + b] = w[(a + 3) * count + b + 3];
    }
    for (std::size_t t = 0; t < 3; ++t) {
      right[a * columns + t] = w[(a + 3) * count + t];
    }
    right[a * columns + 3] = velocity[a + 3];
  }
  solve_regularised(nn, n, right);
  Matrix3 mobility{};
  Vector3 twist{};
  for (std::size_t t = 0; t < 3; ++t) {
    twist[t] = velocity[t];
    for (std::size_t s = 0; s < 3; ++s) {
      mobility[t][s] = w[t * count + s];
    }
    for (std::size_t a = 0; a < n; ++a) {
      twist[t] -= w[t * count + a + 3] * right[a * columns + 3];
      for (std::size_t s = 0; s < 3; ++s) {
        mobility[t][s] -= w[t * count + a + 3] * right[a * columns + s];
      }
    }
  }
  return {{twist[0], twist[1], twist[2]}, mobility};
}

}  // namespace stiction::planar
