// A one-step solver for a few stiff states. After a jump it continues at full order, while CVODE restarts with
// tiny steps of order one; and its cost is that of the problem, not of calls through tables.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <utility>

#include "stiction/sim/cvode.h"

namespace stiction::sim {

/// RODAS of Hairer and Wanner (Solving Ordinary Differential Equations II, IV.7): order 4 with an error estimate of
/// order 3, L-stable. `rate(t, y)` gives dy/dt.
template <std::size_t N, class Rate>
class Rosenbrock {
 public:
  using State = std::array<double, N>;
  struct Tolerances {
    double relative = 1e-6;
    State absolute{};
    State increment{};  // for differences
    double max_step = 1e300;
  };

  Rosenbrock(Rate rate, double time, const State& start, const Tolerances& tolerances)
      : rate_(std::move(rate)), tolerances_(tolerances), time_(time), y_(start) {}

  /// One accepted step towards `end`, which is never passed. Throws SolverFailure.
  void step(double end) {
    const double remaining = end - time_;
    if (remaining <= 1e-14 * std::abs(end)) {
      time_ = end;  // equal up to rounding
      return;
    }
    const State slope = rate_(time_, y_);
    double h = std::min({h_ > 0 ? h_ : first_step(slope), tolerances_.max_step, remaining});
    h = h > 0.9 * remaining ? remaining : h;  // no tiny step at the end
    const Matrix jacobian = differences(slope);
    const double dt = 1e-7 * std::min(h, 1e-3);
    const State later = rate_(time_ + dt, y_);
    State by_time{};
    for (std::size_t i = 0; i < N; ++i) {
      by_time[i] = (later[i] - slope[i]) / dt;
    }
    for (bool again = false;; again = true) {
      if (!(h > 1e-16 * std::max(1e-3, std::abs(time_)))) {
        std::array<char, 80> line{};
        std::snprintf(line.data(), line.size(), "the step became too small at t = %g s", time_);
        throw SolverFailure(line.data());
      }
      const auto [next, error] = attempt(h, slope, jacobian, by_time);
      const double factor = std::clamp(0.9 / std::sqrt(std::sqrt(std::max(error, 1e-8))), 0.2, again ? 1.0 : 6.0);
      if (error <= 1) {
        const bool at_end = h >= remaining;
        time_ = at_end ? end : time_ + h;
        y_ = next;
        // A step shortened by the end does not limit the next one.
        h_ = at_end ? std::max(h * factor, std::min(h_, tolerances_.max_step)) : h * factor;
        ++steps_;
        return;
      }
      h *= std::isfinite(error) ? factor : 0.2;
      h_ = h;
    }
  }

  [[nodiscard]] double time() const noexcept { return time_; }
  [[nodiscard]] const State& y() const noexcept { return y_; }
  [[nodiscard]] long steps_taken() const noexcept { return steps_; }

 private:
  using Matrix = std::array<State, N>;  // by rows

  double first_step(const State& slope) const {
    double fastest = 0;
    for (std::size_t i = 0; i < N; ++i) {
      const double size = tolerances_.absolute[i] + tolerances_.relative * std::abs(y_[i]);
      fastest = std::max(fastest, std::abs(slope[i]) / size);
    }
    return std::min(1e-4, 1 / (fastest + 1e-6));
  }

  Matrix differences(const State& slope) const {
    Matrix jacobian{};
    State moved = y_;
    for (std::size_t j = 0; j < N; ++j) {
      const double increment = std::copysign(tolerances_.increment[j] + 1e-8 * std::abs(y_[j]), y_[j]);
      moved[j] = y_[j] + increment;
      const double per_taken = 1 / (moved[j] - y_[j]);
      const State rate_there = rate_(time_, moved);
      for (std::size_t i = 0; i < N; ++i) {
        jacobian[i][j] = (rate_there[i] - slope[i]) * per_taken;
      }
      moved[j] = y_[j];
    }
    return jacobian;
  }

  /// Gaussian elimination with pivoting, stored for several right-hand sides.
  struct Factors {
    Matrix a;
    std::array<std::size_t, N> pivot{};
    State per_diagonal{};

    explicit Factors(const Matrix& matrix) : a(matrix) {
      for (std::size_t k = 0; k < N; ++k) {
        pivot[k] = k;
        for (std::size_t i = k + 1; i < N; ++i) {
          pivot[k] = std::abs(a[i][k]) > std::abs(a[pivot[k]][k]) ? i : pivot[k];
        }
        std::swap(a[k], a[pivot[k]]);
        per_diagonal[k] = 1 / a[k][k];
        for (std::size_t i = k + 1; i < N; ++i) {
          a[i][k] *= per_diagonal[k];
          for (std::size_t j = k + 1; j < N; ++j) {
            a[i][j] -= a[i][k] * a[k][j];
          }
        }
      }
    }
    void solve(State& b) const {
      for (std::size_t k = 0; k < N; ++k) {
        std::swap(b[k], b[pivot[k]]);  // all exchanges first, since rows were exchanged with their factors
      }
      for (std::size_t k = 0; k < N; ++k) {
        for (std::size_t i = k + 1; i < N; ++i) {
          b[i] -= a[i][k] * b[k];
        }
      }
      for (std::size_t k = N; k-- > 0;) {
        for (std::size_t j = k + 1; j < N; ++j) {
          b[k] -= a[k][j] * b[j];
        }
        b[k] *= per_diagonal[k];
      }
    }
  };

  struct Attempt {
    State y;
    double error;  // ≤ 1: within the tolerances
  };
  Attempt attempt(double h, const State& slope, const Matrix& jacobian, const State& by_time) const {
    constexpr std::size_t stages = 6;
    constexpr double gamma = 0.25;
    constexpr std::array<double, stages> place{0, 0.386, 0.21, 0.63, 1, 1};
    constexpr std::array<double, stages> time_weight{0.25, -0.1043, 0.1035, -0.0362, 0, 0};
    constexpr std::array<std::array<double, 5>, stages> a{{
        {},
        {1.544},
        {0.9466785280815826, 0.2557011698983284},
        {3.314825187068521, 2.896124015972201, 0.9986419139977817},
        {1.221224509226641, 6.019134481288629, 12.53708332932087, -0.6878860361058950},
        {1.221224509226641, 6.019134481288629, 12.53708332932087, -0.6878860361058950, 1},
    }};
    constexpr std::array<std::array<double, 5>, stages> c{{
        {},
        {-5.6688},
        {-2.430093356833875, -0.2063599157091915},
        {-0.1073529058151375, -9.594562251023355, -20.47028614809616},
        {7.496443313967647, -10.24680431464352, -33.99990352819905, 11.70890893206160},
        {8.083246795921522, -7.981132988064893, -31.52159432874371, 16.31930543123136, -6.058818238834054},
    }};
    // (1/(γ h) − J) u_i = f(t + α_i h, y + Σ a_ij u_j) + Σ c_ij u_j/h + d_i h ∂f/∂t
    Matrix system{};
    for (std::size_t i = 0; i < N; ++i) {
      for (std::size_t j = 0; j < N; ++j) {
        system[i][j] = -jacobian[i][j];
      }
      system[i][i] += 1 / (gamma * h);
    }
    const Factors factors(system);
    std::array<State, stages> u{};
    State at = y_;
    for (std::size_t s = 0; s < stages; ++s) {
      at = y_;
      State right{};
      for (std::size_t k = 0; k < s; ++k) {
        for (std::size_t i = 0; i < N; ++i) {
          at[i] += a[s][k] * u[k][i];
          right[i] += c[s][k] / h * u[k][i];
        }
      }
      const State f = s == 0 ? slope : rate_(time_ + place[s] * h, at);
      for (std::size_t i = 0; i < N; ++i) {
        right[i] += f[i] + time_weight[s] * h * by_time[i];
      }
      factors.solve(right);
      u[s] = right;
    }
    // The last stage is the difference between the two orders.
    double sum = 0;
    for (std::size_t i = 0; i < N; ++i) {
      const double size =
          tolerances_.absolute[i] + tolerances_.relative * std::max(std::abs(y_[i]), std::abs(at[i] + u[5][i]));
      const double part = u[5][i] / size;
      at[i] += u[5][i];
      sum += part * part;
    }
    return {at, std::sqrt(sum / static_cast<double>(N))};
  }

  Rate rate_;
  Tolerances tolerances_;
  double time_;
  State y_;
  double h_ = 0;
  long steps_ = 0;
};

}  // namespace stiction::sim
