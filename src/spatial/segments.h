// Friction as segments, of which pyramids are sums: as Balls<1>, but with a multiplier for each end, since one for both
// loses the way in degenerate programs.
#pragma once

#include "balls.h"

namespace stiction::spatial {

/// Σ ω_i w_i β_i with |β_i| ≤ 1, and the central path
///   w_iᵀ y + λ_i − μ_i = 0,   λ_i (1 − β_i) = c,   μ_i (1 + β_i) = c
class Segments {
 public:
  explicit Segments(std::size_t capacity) : columns_(blocks(capacity) * 6), state_(blocks(capacity)) {}

  void clear() noexcept { n_ = 0; }
  [[nodiscard]] std::size_t size() const noexcept { return n_; }

  void add(const Vector6& w, double weight) noexcept {
    const std::size_t block = n_ / lane_count;
    const std::size_t lane = n_ % lane_count;
    if (lane == 0) {  // what is not used must not matter
      for (std::size_t a = 0; a < 6; ++a) {
        columns_[block * 6 + a] = Lanes{};
      }
      state_[block] = State{};
    }
    for (std::size_t a = 0; a < 6; ++a) {
      columns_[block * 6 + a][lane] = w[a];
    }
    state_[block].weight[lane] = weight;
    ++n_;
  }
  [[nodiscard]] double beta(std::size_t i) const noexcept { return state_[i / lane_count].beta[i % lane_count]; }

  void start_in_the_middle(double c) noexcept {
    for (std::size_t i = 0; i < blocks(n_); ++i) {
      state_[i].beta = Lanes{};
      state_[i].upper = Lanes{} + c;
      state_[i].lower = Lanes{} + c;
    }
  }
  void start_inside(double share, double c) noexcept {
    for (std::size_t i = 0; i < blocks(n_); ++i) {
      State& s = state_[i];
      s.beta *= share;
      s.upper = c / (1 - s.beta);
      s.lower = c / (1 + s.beta);
    }
  }
  void stay() noexcept {
    for (std::size_t i = 0; i < blocks(n_); ++i) {
      state_[i].d_beta = Lanes{};
      state_[i].d_upper = Lanes{};
      state_[i].d_lower = Lanes{};
    }
  }

  STICTION_ALWAYS_INLINE void evaluate(double alpha, const Vector6& y, Sums& sums) noexcept {
    std::array<Lanes, triangle> matrix{};
    std::array<Lanes, 6> wrench{};
    Lanes reach{};
    Lanes centre{};
    for (std::size_t i = 0; i < blocks(n_); ++i) {
      const Lanes* const w = &columns_[i * 6];
      State& s = state_[i];
      s.beta += alpha * s.d_beta;
      s.upper += alpha * s.d_upper;
      s.lower += alpha * s.d_lower;
      s.u = along(w, y);
      reach += s.weight * (s.u < 0 ? -s.u : s.u);
      centre += s.weight * (s.upper * (1 - s.beta) + s.lower * (1 + s.beta));
      const Lanes scale = s.weight / stiffness(s);
      const Lanes pull = s.weight * s.beta;
      std::size_t k = 0;
      for (std::size_t a = 0; a < 6; ++a) {
        wrench[a] += pull * w[a];
        const Lanes scaled = scale * w[a];
        for (std::size_t e = a; e < 6; ++e, ++k) {
          matrix[k] += scaled * w[e];
        }
      }
    }
    sums.add(matrix, wrench, reach, centre);
  }

  STICTION_ALWAYS_INLINE void predict(const Vector6& y_there, Way& way) noexcept {
    Lanes most = Lanes{} + 1e300;
    std::array<Lanes, 3> centre{};
    for (std::size_t i = 0; i < blocks(n_); ++i) {
      State& s = state_[i];
      s.d_beta = -along(&columns_[i * 6], y_there) / stiffness(s);
      const Lanes above = 1 - s.beta;
      const Lanes below = 1 + s.beta;
      s.d_upper = -s.upper + s.upper * s.d_beta / above;
      s.d_lower = -s.lower - s.lower * s.d_beta / below;
      most = shorter(most, s, above, below);
      centre[0] += s.weight * (s.upper * above + s.lower * below);
      centre[1] += s.weight * (s.d_upper * above + s.d_lower * below + (s.lower - s.upper) * s.d_beta);
      centre[2] += s.weight * (s.d_lower - s.d_upper) * s.d_beta;
    }
    way.most = std::min(way.most, least(most));
    for (std::size_t k = 0; k < centre.size(); ++k) {
      way.centre[k] += 0.5 * sum(centre[k]);
    }
  }

  STICTION_ALWAYS_INLINE void prepare_correction(double c, double share, Vector6& right) noexcept {
    std::array<Lanes, 6> total{};
    for (std::size_t i = 0; i < blocks(n_); ++i) {
      const Lanes* const w = &columns_[i * 6];
      State& s = state_[i];
      const Lanes above = 1 - s.beta;
      const Lanes below = 1 + s.beta;
      // λ⁺ (1 − β) + … − dλ⁺ dβ = c,   μ likewise with the other sign
      s.r_upper = (c - s.upper * above + share * s.d_upper * s.d_beta) / above;
      s.r_lower = (c - s.lower * below - share * s.d_lower * s.d_beta) / below;
      s.q = -(s.u + s.upper - s.lower) - s.r_upper + s.r_lower;
      const Lanes z = s.weight * s.q / stiffness(s);
      for (std::size_t a = 0; a < 6; ++a) {
        total[a] += w[a] * z;
      }
    }
    for (std::size_t a = 0; a < 6; ++a) {
      right[a] += sum(total[a]);
    }
  }

  STICTION_ALWAYS_INLINE void correct(const Vector6& dy, Way& way) noexcept {
    Lanes most = Lanes{} + 1e300;
    for (std::size_t i = 0; i < blocks(n_); ++i) {
      State& s = state_[i];
      const Lanes above = 1 - s.beta;
      const Lanes below = 1 + s.beta;
      s.d_beta = (s.q - along(&columns_[i * 6], dy)) / stiffness(s);
      s.d_upper = s.r_upper + s.upper * s.d_beta / above;
      s.d_lower = s.r_lower - s.lower * s.d_beta / below;
      most = shorter(most, s, above, below);
    }
    way.most = std::min(way.most, least(most));
  }

  STICTION_ALWAYS_INLINE void move_alone(double c, const Vector6& y) noexcept {
    for (std::size_t i = 0; i < blocks(n_); ++i) {
      State& s = state_[i];
      const Lanes u = along(&columns_[i * 6], y);
      const Lanes next = s.beta + s.d_beta;
      const Lanes upper = s.upper + s.d_upper;
      const Lanes lower = s.lower + s.d_lower;
      // λ − μ = 2 c β/(1 − β²) = −u
      const Lanes own = -u / (c + root(c * c + u * u));
      const auto stays = (1 - next > 1e-3 * (1 - s.beta)) & (1 + next > 1e-3 * (1 + s.beta)) &
                         (upper > 1e-3 * s.upper) & (lower > 1e-3 * s.lower);
      s.beta = stays ? next : own;
      s.upper = stays ? upper : c / (1 - own);
      s.lower = stays ? lower : c / (1 + own);
    }
    stay();
  }

 private:
  struct State {
    Lanes weight{}, beta{}, upper{}, lower{}, u{}, d_beta{}, d_upper{}, d_lower{}, q{}, r_upper{}, r_lower{};
  };
  static constexpr std::size_t blocks(std::size_t n) noexcept { return (n + lane_count - 1) / lane_count; }

  STICTION_ALWAYS_INLINE static Lanes along(const Lanes* w, const Vector6& y) noexcept {
    Lanes result{};
    for (std::size_t a = 0; a < 6; ++a) {
      result += w[a] * y[a];
    }
    return result;
  }
  STICTION_ALWAYS_INLINE static Lanes stiffness(const State& s) noexcept {
    return s.upper / (1 - s.beta) + s.lower / (1 + s.beta);
  }
  STICTION_ALWAYS_INLINE static Lanes shorter(const Lanes& most, const State& s, const Lanes& above,
                                              const Lanes& below) noexcept {
    const Lanes far = Lanes{} + 1e300;
    const Lanes limit = s.d_beta > 0 ? above / s.d_beta : s.d_beta < 0 ? -below / s.d_beta : far;
    const Lanes upper = s.d_upper < 0 ? -s.upper / s.d_upper : far;
    const Lanes lower = s.d_lower < 0 ? -s.lower / s.d_lower : far;
    Lanes all = limit < upper ? limit : upper;
    all = all < lower ? all : lower;
    all = s.weight > 0 ? all : far;
    return all < most ? all : most;
  }

  std::vector<Lanes> columns_;  // block by block
  std::vector<State> state_;
  std::size_t n_ = 0;
};

}  // namespace stiction::spatial
