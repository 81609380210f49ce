#include "motion_filter.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "signals.h"
#include "stiction/math.h"
#include "stiction/problem.h"

namespace stiction::identify {
namespace {

constexpr double corner_times_half_width = 0.343;  // where ∫ (1 − u²)² cos(2π f h u) du has fallen by 3 dB
constexpr std::size_t min_window = 5;              // samples

/// Visits, for each index in `at`, the samples within the window; windows of too few samples are widened.
template <class Visit>
void for_windows(std::span<const double> time, double half_width, std::span<const std::size_t> at, const Visit& visit) {
  std::size_t first = 0;
  std::size_t last = 0;  // one past the end
  for (std::size_t i = 0; i < at.size(); ++i) {
    const double centre = time[at[i]];
    while (time[first] < centre - half_width) {
      ++first;
    }
    last = std::max(last, at[i] + 1);
    while (last < time.size() && time[last] <= centre + half_width) {
      ++last;
    }
    std::size_t from = first;
    std::size_t to = last;
    double width = half_width;
    while (to - from < min_window && (from > 0 || to < time.size())) {
      from -= from > 0 ? 1 : 0;
      to += to < time.size() ? 1 : 0;
      width = 1.01 * std::max(centre - time[from], time[to - 1] - centre);
    }
    visit(i, centre, width, from, to);
  }
}

/// Weighted moments Σ w uᵏ and Σ w uᵏ y.
template <std::size_t Order>
struct Moments {
  std::array<double, 2 * Order + 1> u{};
  std::array<double, Order + 1> y{};

  void add(double weight, double x, double value) {
    double power = weight;
    for (std::size_t k = 0; k < u.size(); ++k) {
      u[k] += power;
      if (k < y.size()) {
        y[k] += power * value;
      }
      power *= x;
    }
  }
};

}  // namespace

double corner_of(double half_width) { return corner_times_half_width / half_width; }

std::vector<double> smoothed(std::span<const double> time, std::span<const double> signal, double half_width,
                             std::span<const std::size_t> at) {
  std::vector<double> result(at.size());
  for_windows(time, half_width, at, [&](std::size_t i, double centre, double width, std::size_t from, std::size_t to) {
    Moments<1> m;
    const double base = signal[at[i]];
    for (std::size_t k = from; k < to; ++k) {
      const double x = (time[k] - centre) / width;
      m.add(square(std::max(0.0, 1 - x * x)), x, signal[k] - base);
    }
    // y ≈ c₀ + c₁ u:   c₀ = (Σwu² Σwy − Σwu Σwuy)/(Σw Σwu² − (Σwu)²)
    const double determinant = m.u[0] * m.u[2] - m.u[1] * m.u[1];
    const bool line = determinant > 1e-9 * m.u[0] * m.u[0];
    result[i] = base + (line ? (m.u[2] * m.y[0] - m.u[1] * m.y[1]) / determinant : m.y[0] / m.u[0]);
  });
  return result;
}

std::vector<double> slopes(std::span<const double> time, std::span<const double> signal, double half_width,
                           std::span<const std::size_t> at) {
  std::vector<double> result(at.size());
  for_windows(time, half_width, at, [&](std::size_t i, double centre, double width, std::size_t from, std::size_t to) {
    Moments<2> m;
    const double base = signal[at[i]];
    for (std::size_t k = from; k < to; ++k) {
      const double x = (time[k] - centre) / width;
      m.add(std::max(0.0, 1 - x * x), x, signal[k] - base);
    }
    // y ≈ c₀ + c₁ u + c₂ u²: c₁ by Cramer's rule on the normal equations
    const auto& [u0, u1, u2, u3, u4] = m.u;
    const double determinant = u0 * (u2 * u4 - u3 * u3) - u1 * (u1 * u4 - u3 * u2) + u2 * (u1 * u3 - u2 * u2);
    double slope = 0;
    if (determinant > 1e-9 * u0 * u0 * u0) {
      slope = (u0 * (m.y[1] * u4 - u3 * m.y[2]) - m.y[0] * (u1 * u4 - u3 * u2) + u2 * (u1 * m.y[2] - m.y[1] * u2)) /
              determinant;
    } else if (u0 * u2 - u1 * u1 > 1e-9 * u0 * u0) {
      slope = (u0 * m.y[1] - u1 * m.y[0]) / (u0 * u2 - u1 * u1);
    }
    result[i] = slope / width;
  });
  return result;
}

double best_half_width(std::span<const double> time, std::span<const double> signal, double noise) {
  const std::size_t n = time.size();
  const double duration = time[n - 1] - time[0];
  std::vector<double> intervals;
  for (std::size_t k = 1; k < n; ++k) {
    intervals.push_back(time[k] - time[k - 1]);
  }
  const double interval = median(std::move(intervals));
  std::vector<std::size_t> at;  // enough places to judge from
  for (std::size_t k = 0; k < n; k += std::max<std::size_t>(1, n / 2000)) {
    at.push_back(k);
  }
  constexpr double step = 1.5;
  const double widest = std::min(0.25, duration / 20);
  double best = 2.5 * interval;
  double min_error = infinity;
  auto narrow = slopes(time, signal, best, at);
  for (double width = 2.5 * interval; step * width < widest; width *= step) {
    const auto wide = slopes(time, signal, step * width, at);
    double change = 0;
    for (std::size_t i = 0; i < at.size(); ++i) {
      change += square(wide[i] - narrow[i]) / static_cast<double>(at.size());
    }
    // White noise: variance = σ² dt ∫(1 − u²)² u² du/(h³ (∫(1 − u²) u² du)²) = 2.143 σ² dt/h³, of which a share of
    // about 0.55 differs between h and 1.5 h. The rest of the change is bias, (1.5² − 1) times that of h.
    const double variance = 2.143 * square(noise) * interval / (width * width * width);
    const double bias = std::max(0.0, change - 0.55 * variance) / square(step * step - 1);
    if (variance + bias < min_error) {
      min_error = variance + bias;
      best = width;
    }
    narrow = wide;
  }
  return best;
}

}  // namespace stiction::identify
