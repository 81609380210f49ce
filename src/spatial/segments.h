// Friction as segments; a pyramid's friction polygon is a sum of segments. As Balls<1>, but with a multiplier for each
// end, since a common one fails to converge on degenerate programs.
#pragma once

#include <cstdint>

#include "balls.h"

namespace stiction::spatial {

/// Σ ω_i w_i β_i with |β_i| ≤ 1, and the central path
///   w_iᵀ y + λ_i − μ_i = 0,   λ_i (1 − β_i) = c,   μ_i (1 + β_i) = c
class Segments {
 public:
  explicit Segments(std::size_t capacity)
      : columns_(blocks(capacity) * 6),
        state_(blocks(capacity)),
        kept_(blocks(capacity)),
        original_(blocks(capacity) * lane_count) {}

  void clear() noexcept {
    n_ = 0;
    total_ = 0;
  }
  [[nodiscard]] bool empty() const noexcept { return n_ == 0; }
  [[nodiscard]] std::size_t size() const noexcept { return n_; }

  void add(const Vector6& w, double weight) noexcept {
    const std::size_t block = n_ / lane_count;
    const std::size_t lane = n_ % lane_count;
    if (lane == 0) {  // unused lanes must contribute nothing
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
    total_ = n_;
  }
  [[nodiscard]] double beta(std::size_t i) const noexcept { return state_[i / lane_count].beta[i % lane_count]; }

  void start_centred(double c) noexcept {
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
  void clear_direction() noexcept {
    for (std::size_t i = 0; i < blocks(n_); ++i) {
      state_[i].d_beta = Lanes{};
      state_[i].d_upper = Lanes{};
      state_[i].d_lower = Lanes{};
    }
  }

  /// Multipliers for the last u = wᵀ y: λ = c/(1 − β) + max(−u, 0), μ = c/(1 + β) + max(u, 0).
  STICTION_ALWAYS_INLINE void set_multipliers(double c) noexcept {
    for (std::size_t i = 0; i < blocks(n_); ++i) {
      State& s = state_[i];
      s.upper = c * s.per_above + (s.u < 0 ? -s.u : Lanes{});
      s.lower = c * s.per_below + (s.u > 0 ? s.u : Lanes{});
    }
  }

  STICTION_ALWAYS_INLINE void start_near(double c) noexcept { set_multipliers(c); }

  STICTION_ALWAYS_INLINE void evaluate_bounds(const Vector6& y, Sums& sums) noexcept {
    std::array<Lanes, 6> wrench{};
    Lanes support{};
    for (std::size_t i = 0; i < blocks(n_); ++i) {
      const Lanes* const w = &columns_[i * 6];
      State& s = state_[i];
      s.u = along(w, y);
      support += s.weight * (s.u < 0 ? -s.u : s.u);
      s.per_above = 1.0 / (1 - s.beta);
      s.per_below = 1.0 / (1 + s.beta);
      const Lanes pull = s.weight * s.beta;
      for (std::size_t a = 0; a < 6; ++a) {
        wrench[a] += pull * w[a];
      }
    }
    if (n_ > 0) {
      sums.add(wrench, support);
    }
  }

  STICTION_ALWAYS_INLINE void evaluate(const Step& step, const Vector6& y, Sums& sums) noexcept {
    if (n_ == 0) {
      return;
    }
    std::array<Lanes, triangle> matrix{};
    std::array<Lanes, 6> wrench{};
    Lanes support{};
    Lanes centre{};
    for (std::size_t i = 0; i < blocks(n_); ++i) {
      const Lanes* const w = &columns_[i * 6];
      State& s = state_[i];
      s.beta += step.primal * s.d_beta;
      s.upper += step.dual * s.d_upper;
      s.lower += step.dual * s.d_lower;
      s.u = along(w, y);
      support += s.weight * (s.u < 0 ? -s.u : s.u);
      centre += s.weight * (s.upper * (1 - s.beta) + s.lower * (1 + s.beta));
      s.per_above = 1.0 / (1 - s.beta);
      s.per_below = 1.0 / (1 + s.beta);
      s.per_upper = 1.0 / s.upper;
      s.per_lower = 1.0 / s.lower;
      s.per_stiffness = 1.0 / (s.upper * s.per_above + s.lower * s.per_below);
      const Lanes scale = s.weight * s.per_stiffness;
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
    sums.add(matrix, wrench, support, centre);
  }

  STICTION_ALWAYS_INLINE void predict(const Vector6& y_end, StepLimits& limits) noexcept {
    if (n_ == 0) {
      return;
    }
    Rates rates;
    std::array<Lanes, 4> centre{};
    for (std::size_t i = 0; i < blocks(n_); ++i) {
      State& s = state_[i];
      s.d_beta = -along(&columns_[i * 6], y_end) * s.per_stiffness;
      const Lanes above = 1 - s.beta;
      const Lanes below = 1 + s.beta;
      s.d_upper = -s.upper + s.upper * s.d_beta * s.per_above;
      s.d_lower = -s.lower - s.lower * s.d_beta * s.per_below;
      rates.add(s);
      centre[0] += s.weight * (s.upper * above + s.lower * below);
      centre[1] += s.weight * (s.d_upper * above + s.d_lower * below);
      centre[2] += s.weight * (s.lower - s.upper) * s.d_beta;
      centre[3] += s.weight * (s.d_lower - s.d_upper) * s.d_beta;
    }
    rates.shorten(limits);
    limits.centre[0] += 0.5 * sum(centre[0]);
    limits.by_dual += 0.5 * sum(centre[1]);
    limits.by_primal += 0.5 * sum(centre[2]);
    limits.by_both += 0.5 * sum(centre[3]);
  }

  STICTION_ALWAYS_INLINE void prepare_correction(double c, double share, Vector6& right) noexcept {
    if (n_ == 0) {
      return;
    }
    std::array<Lanes, 6> total{};
    for (std::size_t i = 0; i < blocks(n_); ++i) {
      const Lanes* const w = &columns_[i * 6];
      State& s = state_[i];
      const Lanes above = 1 - s.beta;
      const Lanes below = 1 + s.beta;
      // λ⁺ (1 − β) + … − dλ⁺ dβ = c,   μ likewise with the other sign
      s.r_upper = (c - s.upper * above + share * s.d_upper * s.d_beta) * s.per_above;
      s.r_lower = (c - s.lower * below - share * s.d_lower * s.d_beta) * s.per_below;
      s.q = -(s.u + s.upper - s.lower) - s.r_upper + s.r_lower;
      const Lanes z = s.weight * s.q * s.per_stiffness;
      for (std::size_t a = 0; a < 6; ++a) {
        total[a] += w[a] * z;
      }
    }
    for (std::size_t a = 0; a < 6; ++a) {
      right[a] += sum(total[a]);
    }
  }

  STICTION_ALWAYS_INLINE void correct(const Vector6& dy, StepLimits& limits) noexcept {
    if (n_ == 0) {
      return;
    }
    Rates rates;
    for (std::size_t i = 0; i < blocks(n_); ++i) {
      State& s = state_[i];
      s.d_beta = (s.q - along(&columns_[i * 6], dy)) * s.per_stiffness;
      s.d_upper = s.r_upper + s.upper * s.d_beta * s.per_above;
      s.d_lower = s.r_lower - s.lower * s.d_beta * s.per_below;
      rates.add(s);
    }
    rates.shorten(limits);
  }

  /// Safe screening: removes the segments that are certain to be at one end at the solution, and returns their wrench.
  /// The solution is within `radius` of the last evaluated y, in the norm of G: |w_iᵀ y| > radius (w_iᵀ G⁻¹ w_i)^½.
  STICTION_ALWAYS_INLINE Vector6 remove_known(const Matrix6& inverse_metric, double radius) noexcept {
    if (n_ == total_) {
      for (std::size_t i = 0; i < n_; ++i) {
        original_[i] = static_cast<std::uint32_t>(i);
      }
    }
    Vector6 wrench{};
    std::size_t remaining = 0;
    for (std::size_t i = 0; i < n_; ++i) {
      const std::size_t block = i / lane_count;
      const std::size_t lane = i % lane_count;
      if (lane == 0) {
        const Lanes* const w = &columns_[block * 6];
        Lanes size{};
        for (std::size_t a = 0; a < 6; ++a) {
          size += w[a] * along(w, inverse_metric[a]);
        }
        const Lanes& u = state_[block].u;
        state_[block].q = u * u - radius * radius * size;
      }
      const State& s = state_[block];
      const double weight = s.weight[lane];
      const std::uint32_t original = original_[i];
      if (weight > 0 && !(s.q[lane] > 0)) {
        move(i, remaining);
        original_[remaining++] = original;
        continue;
      }
      const double end = !(weight > 0) ? 0 : s.u[lane] > 0 ? -1 : 1;
      kept_[original / lane_count][original % lane_count] = end;
      for (std::size_t a = 0; a < 6; ++a) {
        wrench[a] += weight * end * columns_[block * 6 + a][lane];
      }
    }
    n_ = remaining;
    for (std::size_t i = remaining; i < blocks(remaining) * lane_count; ++i) {
      clear_lane(i);
    }
    return wrench;
  }
  /// Restores all segments with their β. False if none had been removed; otherwise their columns are lost.
  bool restore_removed() noexcept {
    if (n_ == total_) {
      return false;
    }
    for (std::size_t i = 0; i < n_; ++i) {
      kept_[original_[i] / lane_count][original_[i] % lane_count] = beta(i);
    }
    n_ = total_;
    restore();
    return true;
  }

  STICTION_ALWAYS_INLINE void newton_step_per_contact(double c, const Vector6& y) noexcept {
    for (std::size_t i = 0; i < blocks(n_); ++i) {
      State& s = state_[i];
      const Lanes u = along(&columns_[i * 6], y);
      const Lanes next = s.beta + s.d_beta;
      const Lanes upper = s.upper + s.d_upper;
      const Lanes lower = s.lower + s.d_lower;
      // λ − μ = 2 c β/(1 − β²) = −u
      const Lanes on_path = -u / (c + root(c * c + u * u));
      const auto in_interior = (1 - next > 1e-3 * (1 - s.beta)) & (1 + next > 1e-3 * (1 + s.beta)) &
                               (upper > 1e-3 * s.upper) & (lower > 1e-3 * s.lower);
      s.beta = in_interior ? next : on_path;
      s.upper = in_interior ? upper : c / (1 - on_path);
      s.lower = in_interior ? lower : c / (1 + on_path);
    }
    clear_direction();
  }

  STICTION_ALWAYS_INLINE void centre_on(double c, const Vector6& y) noexcept {
    for (std::size_t i = 0; i < blocks(n_); ++i) {
      State& s = state_[i];
      const Lanes u = along(&columns_[i * 6], y);
      // λ − μ = 2 c β/(1 − β²) = −u
      s.beta = -u / (c + root(c * c + u * u));
      s.upper = c / (1 - s.beta);
      s.lower = c / (1 + s.beta);
    }
    clear_direction();
  }
  void scale(double share) noexcept {
    for (std::size_t i = 0; i < blocks(n_); ++i) {
      state_[i].beta *= share;
    }
  }

  STICTION_ALWAYS_INLINE void rotate(const Matrix6& transposed_basis) noexcept {
    for (std::size_t i = 0; i < blocks(n_); ++i) {
      Lanes* const w = &columns_[i * 6];
      std::array<Lanes, 6> column;
      std::copy_n(w, 6, column.begin());
      for (std::size_t a = 0; a < 6; ++a) {
        w[a] = Lanes{};
        for (std::size_t b = 0; b < 6; ++b) {
          w[a] += transposed_basis[a][b] * column[b];
        }
      }
    }
  }

  STICTION_ALWAYS_INLINE double size_of_columns() const noexcept {
    Lanes size{};
    for (std::size_t i = 0; i < blocks(n_); ++i) {
      const Lanes* const w = &columns_[i * 6];
      for (std::size_t k = 0; k < 6; ++k) {
        size += state_[i].weight * (w[k] < 0.0 ? -w[k] : w[k]);
      }
    }
    return n_ > 0 ? sum(size) : 0;
  }
  STICTION_ALWAYS_INLINE void projection_matrix(std::array<double, triangle>& to) const noexcept {
    std::array<Lanes, triangle> matrix{};
    for (std::size_t i = 0; i < blocks(n_); ++i) {
      const Lanes* const w = &columns_[i * 6];
      const Lanes scale = state_[i].weight * projection_weight(state_[i]);
      std::size_t k = 0;
      for (std::size_t a = 0; a < 6; ++a) {
        for (std::size_t e = a; e < 6; ++e, ++k) {
          matrix[k] += scale * w[a] * w[e];
        }
      }
    }
    for (std::size_t k = 0; k < triangle && n_ > 0; ++k) {
      to[k] += sum(matrix[k]);
    }
  }
  STICTION_ALWAYS_INLINE void project(const Vector6& z, bool first, Projection& sums) noexcept {
    std::array<Lanes, 6> wrench{};
    Lanes max_square{};
    for (std::size_t i = 0; i < blocks(n_); ++i) {
      const Lanes* const w = &columns_[i * 6];
      State& s = state_[i];
      s.d_beta = (first ? s.beta : s.d_beta) - projection_weight(s) * along(w, z);
      const Lanes pull = s.weight * s.d_beta;
      for (std::size_t a = 0; a < 6; ++a) {
        wrench[a] += pull * w[a];
      }
      const Lanes counted = s.weight > 0 ? s.d_beta * s.d_beta : Lanes{};
      max_square = counted > max_square ? counted : max_square;
    }
    if (n_ > 0) {
      sums.add(wrench, largest(max_square));
    }
  }
  void keep(double scale) noexcept {
    for (std::size_t i = 0; i < blocks(n_); ++i) {
      kept_[i] = scale > 0 ? scale * state_[i].d_beta : state_[i].beta;
    }
  }
  void restore() noexcept {
    for (std::size_t i = 0; i < blocks(n_); ++i) {
      state_[i].beta = kept_[i];
    }
  }

 private:
  struct alignas(64) State {
    Lanes weight{}, beta{}, upper{}, lower{}, u{}, d_beta{}, d_upper{}, d_lower{}, q{}, r_upper{}, r_lower{};
    Lanes per_above{}, per_below{}, per_upper{}, per_lower{}, per_stiffness{};
  };
  static constexpr std::size_t blocks(std::size_t n) noexcept { return (n + lane_count - 1) / lane_count; }

  STICTION_ALWAYS_INLINE void move(std::size_t from, std::size_t to) noexcept {
    const std::size_t from_block = from / lane_count;
    const std::size_t from_lane = from % lane_count;
    const std::size_t to_block = to / lane_count;
    const std::size_t to_lane = to % lane_count;
    for (std::size_t a = 0; a < 6; ++a) {
      columns_[to_block * 6 + a][to_lane] = columns_[from_block * 6 + a][from_lane];
    }
    const State& old = state_[from_block];
    State& s = state_[to_block];
    s.weight[to_lane] = old.weight[from_lane];
    s.beta[to_lane] = old.beta[from_lane];
    s.upper[to_lane] = old.upper[from_lane];
    s.lower[to_lane] = old.lower[from_lane];
  }
  /// Unused lanes must contribute nothing.
  void clear_lane(std::size_t i) noexcept {
    const std::size_t block = i / lane_count;
    const std::size_t lane = i % lane_count;
    for (std::size_t a = 0; a < 6; ++a) {
      columns_[block * 6 + a][lane] = 0;
    }
    state_[block].weight[lane] = 0;
    state_[block].beta[lane] = 0;
    state_[block].upper[lane] = 1;
    state_[block].lower[lane] = 1;
  }
  STICTION_ALWAYS_INLINE static Lanes projection_weight(const State& s) noexcept {
    const Lanes inside = (1 - s.beta) * (1 + s.beta);
    return inside > min_projection_weight ? inside : Lanes{} + min_projection_weight;
  }
  STICTION_ALWAYS_INLINE static Lanes along(const Lanes* w, const Vector6& y) noexcept {
    Lanes result{};
    for (std::size_t a = 0; a < 6; ++a) {
      result += w[a] * y[a];
    }
    return result;
  }
  /// Largest reciprocals of the step to an end of a segment (primal), and to λ = 0 or μ = 0 (dual).
  struct Rates {
    Lanes primal{}, dual{};

    STICTION_ALWAYS_INLINE void add(const State& s) noexcept {
      const Lanes up = s.d_beta * s.per_above;
      const Lanes down = -s.d_beta * s.per_below;
      const Lanes upper = -s.d_upper * s.per_upper;
      const Lanes lower = -s.d_lower * s.per_lower;
      primal = max_rate(primal, up > down ? up : down, s);
      dual = max_rate(dual, upper > lower ? upper : lower, s);
    }
    STICTION_ALWAYS_INLINE static Lanes max_rate(const Lanes& rate, const Lanes& other, const State& s) noexcept {
      const Lanes counted = s.weight > 0 ? other : Lanes{};
      return counted > rate ? counted : rate;
    }
    STICTION_ALWAYS_INLINE void shorten(StepLimits& limits) const noexcept {
      StepLimits::shorten(limits.longest.primal, primal);
      StepLimits::shorten(limits.longest.dual, dual);
    }
  };

  LaneVector<Lanes> columns_;  // block by block
  LaneVector<State> state_;
  LaneVector<Lanes> kept_;
  std::vector<std::uint32_t> original_;  // original indices of the remaining segments, once some are removed
  std::size_t n_ = 0;                    // number of remaining segments
  std::size_t total_ = 0;                // number of all segments
};

}  // namespace stiction::spatial
