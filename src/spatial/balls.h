// Friction of many contacts as d-dimensional unit balls, eight contacts per SIMD block: discs (cones) and balls (cones
// with torsion). All sweeps of the solver over these contacts.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <new>
#include <vector>

#include "../simd.h"
#include "matrix6.h"

namespace stiction::spatial {

using Lanes = double __attribute__((vector_size(64)));
inline constexpr std::size_t lane_count = 8;

/// Allocator with an alignment of 64 bytes. A file compiled without AVX-512 takes `Lanes` to be aligned to 16 or 32
/// bytes only, but the sweeps for wider vector units assume the full alignment.
template <class T>
struct LaneAllocator {
  using value_type = T;
  static constexpr std::align_val_t alignment{64};
  LaneAllocator() = default;
  template <class U>
  LaneAllocator(const LaneAllocator<U>&) noexcept {}  // NOLINT(google-explicit-constructor): as allocators do
  T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), alignment)); }
  void deallocate(T* p, std::size_t) noexcept { ::operator delete(p, alignment); }
  friend bool operator==(const LaneAllocator&, const LaneAllocator&) noexcept { return true; }
};
template <class T>
using LaneVector = std::vector<T, LaneAllocator<T>>;

STICTION_ALWAYS_INLINE Lanes root(const Lanes& x) noexcept {
  Lanes result;
  for (std::size_t i = 0; i < lane_count; ++i) {
    result[i] = std::sqrt(x[i]);
  }
  return result;
}
using stiction::sum;
STICTION_ALWAYS_INLINE double sum(const Lanes& x) noexcept {
  return ((x[0] + x[4]) + (x[1] + x[5])) + ((x[2] + x[6]) + (x[3] + x[7]));
}
STICTION_ALWAYS_INLINE double largest(const Lanes& x) noexcept {
  double result = x[0];
  for (std::size_t i = 1; i < lane_count; ++i) {
    result = x[i] > result ? x[i] : result;
  }
  return result;
}

/// Sums over all contacts at the current iterate.
struct Sums {
  std::array<double, triangle> matrix{};  // Σ ω W M⁻¹ Wᵀ
  Vector6 wrench{};                       // Σ ω W β
  double support = 0;                     // Σ ω |Wᵀ y|, the support function
  double centre = 0;                      // Σ ω T (1 − |β|²)/2

  STICTION_ALWAYS_INLINE void add(const std::array<Lanes, 6>& wrench_part, const Lanes& support_part) noexcept {
    for (std::size_t a = 0; a < 6; ++a) {
      wrench[a] += sum(wrench_part[a]);
    }
    support += sum(support_part);
  }
  STICTION_ALWAYS_INLINE void add(const std::array<Lanes, triangle>& matrix_part,
                                  const std::array<Lanes, 6>& wrench_part, const Lanes& support_part,
                                  const Lanes& twice_centre) noexcept {
    for (std::size_t k = 0; k < triangle; ++k) {
      matrix[k] += sum(matrix_part[k]);
    }
    add(wrench_part, support_part);
    centre += 0.5 * sum(twice_centre);
  }
};
/// Lower bound on the projection weight ρ = 1 − |β|², for contacts at their friction limit.
inline constexpr double min_projection_weight = 1e-6;

/// Friction projected onto the force balance: its wrench Σ ω W β̂ and the largest |β̂|².
struct Projection {
  Vector6 wrench{};
  double largest_square = 0;

  STICTION_ALWAYS_INLINE void add(const std::array<Lanes, 6>& wrench_part, double square) noexcept {
    for (std::size_t a = 0; a < 6; ++a) {
      wrench[a] += sum(wrench_part[a]);
    }
    largest_square = square > largest_square ? square : largest_square;
  }
};

/// Step lengths of the primal variables (β) and of the dual ones (y and the multipliers).
struct Step {
  double primal = 0, dual = 0;
};

/// Largest feasible step lengths, and the mean complementarity as a function of the step.
struct StepLimits {
  Step longest{1e300, 1e300};
  std::array<double, 4> centre{};                  // Σ c_k α^k: balls, with a common primal and dual step
  double by_primal = 0, by_dual = 0, by_both = 0;  // c₀ + α_p p + α_d d + α_p α_d b: segments

  /// `rate`: reciprocal of the step to the boundary, so that sweeps need no division.
  STICTION_ALWAYS_INLINE static void shorten(double& longest_step, const Lanes& rate) noexcept {
    const double max_rate_of_all = largest(rate);
    longest_step = max_rate_of_all > 1e-300 ? std::min(longest_step, 1 / max_rate_of_all) : longest_step;
  }
  [[nodiscard]] double centre_at(const Step& step) const noexcept {
    const double a = step.primal;
    return centre[0] + a * (centre[1] + a * (centre[2] + a * centre[3])) + a * by_primal + step.dual * by_dual +
           a * step.dual * by_both;
  }
};

/// Σ ω_i W_i β_i with |β_i| ≤ 1, and its central path for a dual variable y ∈ R⁶ and multipliers T_i:
///   W_iᵀ y + T_i β_i = 0,   T_i (1 − |β_i|²) = 2 c
/// (β, T) are eliminated from Newton's equations contact by contact: with M = T (1 + 2 β βᵀ/(1 − |β|²)),
///   M⁻¹ = (1 − 2 β βᵀ/(1 + |β|²))/T
template <std::size_t d>
class Balls {
 public:
  static constexpr std::size_t dimensions = d;
  explicit Balls(std::size_t capacity)
      : columns_(blocks(capacity) * 6 * d), state_(blocks(capacity)), kept_(blocks(capacity)) {}

  void clear() noexcept { n_ = 0; }

  /// Adds one contact: its columns of W and its weight ω.
  void add(const std::array<Vector6, d>& w, double weight) noexcept {
    const std::size_t block = n_ / lane_count;
    const std::size_t lane = n_ % lane_count;
    if (lane == 0) {  // unused lanes must contribute nothing
      for (std::size_t k = 0; k < 6 * d; ++k) {
        columns_[block * 6 * d + k] = Lanes{};
      }
      state_[block] = State{};
    }
    for (std::size_t c = 0; c < d; ++c) {
      for (std::size_t a = 0; a < 6; ++a) {
        columns_[(block * 6 + a) * d + c][lane] = w[c][a];
      }
    }
    state_[block].weight[lane] = weight;
    ++n_;
  }

  /// Bulk alternative to `add`: the number of contacts, then blocks of eight with their rows of W and weights.
  void resize(std::size_t n) noexcept { n_ = n; }
  STICTION_ALWAYS_INLINE void set_block(std::size_t block, const std::array<std::array<Lanes, d>, 6>& rows,
                                        const Lanes& weight) noexcept {
    for (std::size_t a = 0; a < 6; ++a) {
      for (std::size_t c = 0; c < d; ++c) {
        columns_[(block * 6 + a) * d + c] = rows[a][c];
      }
    }
    state_[block] = State{};
    state_[block].weight = weight;
  }
  [[nodiscard]] std::array<Lanes, d>& betas(std::size_t block) noexcept { return state_[block].beta; }
  [[nodiscard]] const std::array<Lanes, d>& betas(std::size_t block) const noexcept { return state_[block].beta; }

  [[nodiscard]] double beta(std::size_t i, std::size_t c) const noexcept {
    return state_[i / lane_count].beta[c][i % lane_count];
  }
  void set_beta(std::size_t i, std::size_t c, double value) noexcept {
    state_[i / lane_count].beta[c][i % lane_count] = value;
  }
  /// β = 0, T (1 − |β|²) = 2 c.
  void start_centred(double c) noexcept {
    for (std::size_t i = 0; i < blocks(n_); ++i) {
      for (Lanes& b : state_[i].beta) {
        b = Lanes{};
      }
      state_[i].t = Lanes{} + 2 * c;
      state_[i].inside = Lanes{} + 1.0;
    }
  }
  /// Keeps β and sets T = 2 c/(1 − |β|²).
  STICTION_ALWAYS_INLINE void set_multipliers(double c) noexcept {
    for (std::size_t i = 0; i < blocks(n_); ++i) {
      state_[i].t = 2 * c * state_[i].per_inside;
    }
  }
  /// Scales β by `share`, towards the interior, and sets T for c.
  void start_inside(double share, double c) noexcept {
    for (std::size_t i = 0; i < blocks(n_); ++i) {
      Lanes b2{};
      for (Lanes& b : state_[i].beta) {
        b *= share;
        b2 += b * b;
      }
      const Lanes inside = 1 - b2;
      state_[i].inside = inside > 1e-12 ? inside : Lanes{} + 1e-12;
      state_[i].t = 2 * c / state_[i].inside;
    }
  }

  /// Contacts that slip at the last y move onto the central path for c; the others keep β, with T for c.
  STICTION_ALWAYS_INLINE void start_near(double c) noexcept {
    for (std::size_t i = 0; i < blocks(n_); ++i) {
      State& s = state_[i];
      // T² − 2 c T − |u|² = 0,   β = −u/T
      const Lanes on_path_t = c + root(c * c + square(s.u));
      const Lanes stuck = 2 * c * s.per_inside;
      const auto slips = on_path_t > stuck;
      const Lanes per_on_path_t = 1.0 / on_path_t;
      for (std::size_t k = 0; k < d; ++k) {
        s.beta[k] = slips ? -s.u[k] * per_on_path_t : s.beta[k];
      }
      s.t = slips ? on_path_t : stuck;
      s.inside = slips ? 2 * c * per_on_path_t : s.inside;
    }
  }

  /// The friction wrench, the support Σ ω |Wᵀ y| and the slip u = Wᵀ y at a given y: the input of `start_near`.
  STICTION_ALWAYS_INLINE void evaluate_bounds(const Vector6& y, Sums& sums) noexcept {
    std::array<Lanes, 6> wrench{};
    Lanes support{};
    for (std::size_t i = 0; i < blocks(n_); ++i) {
      const Lanes* const w = &columns_[i * 6 * d];
      State& s = state_[i];
      update_slip(w, y, s);
      support += s.weight * root(square(s.u));
      s.per_inside = 1.0 / s.inside;
      for (std::size_t a = 0; a < 6; ++a) {
        wrench[a] += s.weight * wrench_row(w, a, s);
      }
    }
    if (n_ > 0) {
      sums.add(wrench, support);
    }
  }

  /// Takes a step along the last direction, of the same length for β and T, then evaluates the new point.
  STICTION_ALWAYS_INLINE void evaluate(const Step& step, const Vector6& y, Sums& sums) noexcept {
    if (n_ == 0) {
      return;
    }
    std::array<Lanes, triangle> matrix{};
    std::array<Lanes, 6> wrench{};
    Lanes support{};
    Lanes centre{};
    for (std::size_t i = 0; i < blocks(n_); ++i) {
      const Lanes* const w = &columns_[i * 6 * d];
      State& s = state_[i];
      s.inside = inside_after(s, step.primal);
      for (std::size_t c = 0; c < d; ++c) {
        s.beta[c] += step.primal * s.d_beta[c];
      }
      s.t += step.primal * s.d_t;
      update_slip(w, y, s);
      support += s.weight * root(square(s.u));
      centre += s.weight * s.t * s.inside;
      // ω W M⁻¹ Wᵀ = ω/T (W − 2/(1 + |β|²) (W β) βᵀ) Wᵀ
      s.per_t = 1.0 / s.t;
      s.per_inside = 1.0 / s.inside;
      s.m = 2.0 / (2.0 - s.inside);
      const Lanes scale = s.weight * s.per_t;
      std::array<Lanes, 6> p;
      for (std::size_t a = 0; a < 6; ++a) {
        p[a] = wrench_row(w, a, s);
        wrench[a] += s.weight * p[a];
      }
      std::size_t k = 0;
      for (std::size_t a = 0; a < 6; ++a) {
        const Lanes mp = s.m * p[a];
        std::array<Lanes, d> row;
        for (std::size_t c = 0; c < d; ++c) {
          row[c] = scale * (w[a * d + c] - mp * s.beta[c]);
        }
        for (std::size_t e = a; e < 6; ++e, ++k) {
          for (std::size_t c = 0; c < d; ++c) {
            matrix[k] += row[c] * w[e * d + c];
          }
        }
      }
    }
    sums.add(matrix, wrench, support, centre);
  }

  /// Predictor: the direction towards c = 0, given y at its end.
  STICTION_ALWAYS_INLINE void predict(const Vector6& y_end, StepLimits& limits) noexcept {
    if (n_ == 0) {
      return;
    }
    Lanes rate{};
    std::array<Lanes, 4> centre{};
    for (std::size_t i = 0; i < blocks(n_); ++i) {
      const Lanes* const w = &columns_[i * 6 * d];
      State& s = state_[i];
      std::array<Lanes, d> q;
      for (std::size_t c = 0; c < d; ++c) {
        q[c] = Lanes{};
        for (std::size_t a = 0; a < 6; ++a) {
          q[c] -= w[a * d + c] * y_end[a];
        }
      }
      // M dβ = −Wᵀ y_end,   dT = −T + 2 T β·dβ/(1 − |β|²)
      const Inner in = direction(s, q);
      s.d_t = -s.t + 2 * s.t * in.along * s.per_inside;
      rate = max_rate(rate, s, in);
      const Lanes e2 = in.square;
      centre[0] += s.weight * s.t * in.inside;
      centre[1] += s.weight * (s.d_t * in.inside - 2 * s.t * in.along);
      centre[2] -= s.weight * (2 * s.d_t * in.along + s.t * e2);
      centre[3] -= s.weight * s.d_t * e2;
    }
    StepLimits::shorten(limits.longest.primal, rate);
    StepLimits::shorten(limits.longest.dual, rate);
    for (std::size_t k = 0; k < 4; ++k) {
      limits.centre[k] += 0.5 * sum(centre[k]);
    }
  }

  /// Corrector, first half: adds Σ ω W M⁻¹ q to the right-hand side of the direction towards c. `share` scales the
  /// second-order terms of the predictor direction.
  STICTION_ALWAYS_INLINE void prepare_correction(double c, double share, Vector6& right) noexcept {
    if (n_ == 0) {
      return;
    }
    std::array<Lanes, 6> total{};
    for (std::size_t i = 0; i < blocks(n_); ++i) {
      const Lanes* const w = &columns_[i * 6 * d];
      State& s = state_[i];
      Lanes e1{};
      Lanes e2{};
      for (std::size_t k = 0; k < d; ++k) {
        e1 += s.beta[k] * s.d_beta[k];
        e2 += s.d_beta[k] * s.d_beta[k];
      }
      // r₃ = 2 c − T (1 − |β|²) + 2 dT β·dβ + T |dβ|²; q = −(Wᵀy + Tβ + dT dβ) − β r₃/(1 − |β|²)
      const Lanes r3 = 2 * c - s.t * s.inside + share * (2 * s.d_t * e1 + s.t * e2);
      const Lanes factor = r3 * s.per_inside;
      Lanes bq{};
      for (std::size_t k = 0; k < d; ++k) {
        s.d_beta[k] = -(s.u[k] + s.t * s.beta[k] + share * s.d_t * s.d_beta[k]) - s.beta[k] * factor;
        bq += s.beta[k] * s.d_beta[k];
      }
      s.d_t = r3;
      const Lanes m = s.m * bq;
      const Lanes scale = s.weight * s.per_t;
      for (std::size_t k = 0; k < d; ++k) {
        const Lanes z = scale * (s.d_beta[k] - s.beta[k] * m);
        for (std::size_t a = 0; a < 6; ++a) {
          total[a] += w[a * d + k] * z;
        }
      }
    }
    for (std::size_t a = 0; a < 6; ++a) {
      right[a] += sum(total[a]);
    }
  }

  /// Corrector, second half: the direction for a given dy, and its largest feasible step.
  STICTION_ALWAYS_INLINE void correct(const Vector6& dy, StepLimits& limits) noexcept {
    if (n_ == 0) {
      return;
    }
    Lanes rate{};
    for (std::size_t i = 0; i < blocks(n_); ++i) {
      const Lanes* const w = &columns_[i * 6 * d];
      State& s = state_[i];
      std::array<Lanes, d> q;
      for (std::size_t c = 0; c < d; ++c) {
        q[c] = s.d_beta[c];
        for (std::size_t a = 0; a < 6; ++a) {
          q[c] -= w[a * d + c] * dy[a];
        }
      }
      const Inner in = direction(s, q);
      s.d_t = (s.d_t + 2 * s.t * in.along) * s.per_inside;
      rate = max_rate(rate, s, in);
    }
    StepLimits::shorten(limits.longest.primal, rate);
    StepLimits::shorten(limits.longest.dual, rate);
  }

  /// A Newton step of each contact separately, for a given y: the full step if it stays in the interior, otherwise onto
  /// the central path for c. Straight steps common to all contacts cannot follow the curved boundary of a ball.
  STICTION_ALWAYS_INLINE void newton_step_per_contact(double c, const Vector6& y) noexcept {
    for (std::size_t i = 0; i < blocks(n_); ++i) {
      const Lanes* const w = &columns_[i * 6 * d];
      State& s = state_[i];
      std::array<Lanes, d> u;
      Lanes u2{};
      for (std::size_t k = 0; k < d; ++k) {
        u[k] = Lanes{};
        for (std::size_t a = 0; a < 6; ++a) {
          u[k] += w[a * d + k] * y[a];
        }
        u2 += u[k] * u[k];
      }
      const Lanes t = s.t + s.d_t;
      const Lanes inside = inside_after(s, 1);
      // T² − 2 c T − |u|² = 0,   β = −u/T
      const Lanes on_path_t = c + root(c * c + u2);
      const auto in_interior = (inside > 5e-3 * s.inside) & (t > 1e-3 * s.t);
      for (std::size_t k = 0; k < d; ++k) {
        s.beta[k] = in_interior ? s.beta[k] + s.d_beta[k] : -u[k] / on_path_t;
      }
      s.t = in_interior ? t : on_path_t;
      s.inside = in_interior ? inside : 2 * c / on_path_t;
    }
    clear_direction();
  }

  /// Moves every contact onto the central path for the given c and y.
  STICTION_ALWAYS_INLINE void centre_on(double c, const Vector6& y) noexcept {
    for (std::size_t i = 0; i < blocks(n_); ++i) {
      State& s = state_[i];
      update_slip(&columns_[i * 6 * d], y, s);
      // T² − 2 c T − |u|² = 0,   β = −u/T
      s.t = c + root(c * c + square(s.u));
      s.inside = 2 * c / s.t;
      for (std::size_t k = 0; k < d; ++k) {
        s.beta[k] = -s.u[k] / s.t;
      }
    }
    clear_direction();
  }
  /// β ← share β
  void scale(double share) noexcept {
    for (std::size_t i = 0; i < blocks(n_); ++i) {
      for (Lanes& b : state_[i].beta) {
        b *= share;
      }
    }
  }

  /// Clears the last direction.
  void clear_direction() noexcept {
    for (std::size_t i = 0; i < blocks(n_); ++i) {
      state_[i].d_beta = std::array<Lanes, d>{};
      state_[i].d_t = Lanes{};
    }
  }

  /// W ← Bᵀ W, with the rows of Bᵀ in `transposed_basis`.
  STICTION_ALWAYS_INLINE void rotate(const Matrix6& transposed_basis) noexcept {
    for (std::size_t i = 0; i < blocks(n_); ++i) {
      Lanes* const w = &columns_[i * 6 * d];
      for (std::size_t c = 0; c < d; ++c) {
        std::array<Lanes, 6> column;
        for (std::size_t a = 0; a < 6; ++a) {
          column[a] = w[a * d + c];
        }
        for (std::size_t a = 0; a < 6; ++a) {
          w[a * d + c] = Lanes{};
          for (std::size_t b = 0; b < 6; ++b) {
            w[a * d + c] += transposed_basis[a][b] * column[b];
          }
        }
      }
    }
  }

  /// Σ ω |W|/d: the sum of the absolute entries of W, averaged over the d columns.
  STICTION_ALWAYS_INLINE double size_of_columns() const noexcept {
    Lanes size{};
    for (std::size_t i = 0; i < blocks(n_); ++i) {
      const Lanes* const w = &columns_[i * 6 * d];
      for (std::size_t k = 0; k < 6 * d; ++k) {
        size += state_[i].weight / static_cast<double>(d) * (w[k] < 0.0 ? -w[k] : w[k]);
      }
    }
    return n_ > 0 ? sum(size) : 0;
  }
  /// Σ ω ρ W Wᵀ
  STICTION_ALWAYS_INLINE void projection_matrix(std::array<double, triangle>& to) const noexcept {
    std::array<Lanes, triangle> matrix{};
    for (std::size_t i = 0; i < blocks(n_); ++i) {
      const Lanes* const w = &columns_[i * 6 * d];
      const Lanes scale = state_[i].weight * projection_weight(state_[i]);
      std::size_t k = 0;
      for (std::size_t a = 0; a < 6; ++a) {
        for (std::size_t e = a; e < 6; ++e, ++k) {
          for (std::size_t c = 0; c < d; ++c) {
            matrix[k] += scale * w[a * d + c] * w[e * d + c];
          }
        }
      }
    }
    for (std::size_t k = 0; k < triangle && n_ > 0; ++k) {
      to[k] += sum(matrix[k]);
    }
  }
  /// β̂ ← β̂ − ρ Wᵀ z, from β̂ = β in the first round. Accumulates the wrench and the largest |β̂|²; dβ stores β̂.
  STICTION_ALWAYS_INLINE void project(const Vector6& z, bool first, Projection& sums) noexcept {
    std::array<Lanes, 6> wrench{};
    Lanes max_square{};
    for (std::size_t i = 0; i < blocks(n_); ++i) {
      const Lanes* const w = &columns_[i * 6 * d];
      State& s = state_[i];
      const Lanes rho = projection_weight(s);
      Lanes square{};
      for (std::size_t c = 0; c < d; ++c) {
        Lanes q{};
        for (std::size_t a = 0; a < 6; ++a) {
          q += w[a * d + c] * z[a];
        }
        const Lanes b = (first ? s.beta[c] : s.d_beta[c]) - rho * q;
        s.d_beta[c] = b;
        square += b * b;
        for (std::size_t a = 0; a < 6; ++a) {
          wrench[a] += s.weight * w[a * d + c] * b;
        }
      }
      const Lanes counted = s.weight > 0 ? square : Lanes{};
      max_square = counted > max_square ? counted : max_square;
    }
    if (n_ > 0) {
      sums.add(wrench, largest(max_square));
    }
  }
  /// Saves scale β̂, or β if the scale is 0, for `restore`.
  void keep(double scale) noexcept {
    for (std::size_t i = 0; i < blocks(n_); ++i) {
      for (std::size_t c = 0; c < d; ++c) {
        kept_[i][c] = scale > 0 ? scale * state_[i].d_beta[c] : state_[i].beta[c];
      }
    }
  }
  void restore() noexcept {
    for (std::size_t i = 0; i < blocks(n_); ++i) {
      state_[i].beta = kept_[i];
    }
  }

 private:
  struct alignas(64) State {
    std::array<Lanes, d> beta{}, u{};
    std::array<Lanes, d> d_beta{};  // also holds q between the two halves of the corrector
    Lanes inside{};                 // 1 − |β|², stored separately: near 0 the difference would suffer cancellation
    Lanes weight{}, t{};
    Lanes d_t{};                       // also holds r₃
    Lanes per_t{}, per_inside{}, m{};  // 1/T, 1/(1 − |β|²), 2/(1 + |β|²)
  };
  struct Inner {
    Lanes inside, along, square;  // 1 − |β|², β·dβ, |dβ|²
  };
  static constexpr std::size_t blocks(std::size_t n) noexcept { return (n + lane_count - 1) / lane_count; }

  /// Projection weights ρ: contacts with friction in reserve take up most of the change.
  STICTION_ALWAYS_INLINE static Lanes projection_weight(const State& s) noexcept {
    return s.inside > min_projection_weight ? s.inside : Lanes{} + min_projection_weight;
  }
  /// u = Wᵀ y
  STICTION_ALWAYS_INLINE static void update_slip(const Lanes* w, const Vector6& y, State& s) noexcept {
    for (std::size_t c = 0; c < d; ++c) {
      s.u[c] = Lanes{};
      for (std::size_t a = 0; a < 6; ++a) {
        s.u[c] += w[a * d + c] * y[a];
      }
    }
  }
  STICTION_ALWAYS_INLINE static Lanes square(const std::array<Lanes, d>& x) noexcept {
    Lanes result{};
    for (const Lanes& component : x) {
      result += component * component;
    }
    return result;
  }
  /// Row a of W β.
  STICTION_ALWAYS_INLINE static Lanes wrench_row(const Lanes* w, std::size_t a, const State& s) noexcept {
    Lanes result{};
    for (std::size_t c = 0; c < d; ++c) {
      result += w[a * d + c] * s.beta[c];
    }
    return result;
  }

  /// 1 − |β + α dβ|², bounded below by 4e-3 (1 − |β|²).
  STICTION_ALWAYS_INLINE static Lanes inside_after(const State& s, double alpha) noexcept {
    Lanes along{};
    Lanes square{};
    for (std::size_t c = 0; c < d; ++c) {
      along += s.beta[c] * s.d_beta[c];
      square += s.d_beta[c] * s.d_beta[c];
    }
    const Lanes inside = s.inside - 2 * alpha * along - alpha * alpha * square;
    const Lanes min_inside = 4e-3 * s.inside;
    return inside > min_inside ? inside : min_inside;
  }

  /// dβ = M⁻¹ q
  STICTION_ALWAYS_INLINE static Inner direction(State& s, const std::array<Lanes, d>& q) noexcept {
    Lanes bq{};
    for (std::size_t c = 0; c < d; ++c) {
      bq += s.beta[c] * q[c];
    }
    const Lanes m = s.m * bq;
    Inner in{s.inside, Lanes{}, Lanes{}};
    for (std::size_t c = 0; c < d; ++c) {
      s.d_beta[c] = s.per_t * (q[c] - s.beta[c] * m);
      in.along += s.beta[c] * s.d_beta[c];
      in.square += s.d_beta[c] * s.d_beta[c];
    }
    return in;
  }
  /// The larger of `rate` and 1/α, where α is the step to |β + α dβ| = 1 or T + α dT = 0, whichever is shorter.
  STICTION_ALWAYS_INLINE static Lanes max_rate(const Lanes& rate, const State& s, const Inner& in) noexcept {
    // |dβ|² α² + 2 β·dβ α − (1 − |β|²) = 0, solved for 1/α without cancellation
    const Lanes out = (in.along + root(in.along * in.along + in.square * in.inside)) * s.per_inside;
    const Lanes fall = -s.d_t * s.per_t;
    const Lanes both = out > fall ? out : fall;
    const Lanes counted = s.weight > 0 ? both : Lanes{};
    return counted > rate ? counted : rate;
  }

  LaneVector<Lanes> columns_;  // block by block: 6 rows of d
  LaneVector<State> state_;
  LaneVector<std::array<Lanes, d>> kept_;
  std::size_t n_ = 0;
};

}  // namespace stiction::spatial
