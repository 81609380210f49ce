// Friction of many contacts as unit balls of d dimensions, eight of them side by side: segments (pyramids), discs
// (cones), balls (cones with torsion). All sweeps over contacts that the solver makes.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "../scalar/simd.h"
#include "matrix6.h"

namespace stiction::spatial {

using Lanes = double __attribute__((vector_size(64)));
inline constexpr std::size_t lane_count = 8;

STICTION_ALWAYS_INLINE Lanes root(const Lanes& x) noexcept {
  Lanes result;
  for (std::size_t i = 0; i < lane_count; ++i) {
    result[i] = std::sqrt(x[i]);
  }
  return result;
}
STICTION_ALWAYS_INLINE double sum(const Lanes& x) noexcept {
  return ((x[0] + x[4]) + (x[1] + x[5])) + ((x[2] + x[6]) + (x[3] + x[7]));
}
STICTION_ALWAYS_INLINE double least(const Lanes& x) noexcept {
  double result = x[0];
  for (std::size_t i = 1; i < lane_count; ++i) {
    result = x[i] < result ? x[i] : result;
  }
  return result;
}

/// The upper triangle of a symmetric 6 × 6 matrix, row by row.
inline constexpr std::size_t triangle = 21;

/// What a sweep finds at the present point.
struct Sums {
  std::array<double, triangle> matrix{};  // Σ ω W M⁻¹ Wᵀ
  Vector6 wrench{};                       // Σ ω W β
  double reach = 0;                       // Σ ω |Wᵀ y|
  double centre = 0;                      // Σ ω T (1 − |β|²)/2

  STICTION_ALWAYS_INLINE void add(const std::array<Lanes, triangle>& some_matrix,
                                  const std::array<Lanes, 6>& some_wrench, const Lanes& some_reach,
                                  const Lanes& twice_centre) noexcept {
    for (std::size_t k = 0; k < triangle; ++k) {
      matrix[k] += sum(some_matrix[k]);
    }
    for (std::size_t a = 0; a < 6; ++a) {
      wrench[a] += sum(some_wrench[a]);
    }
    reach += sum(some_reach);
    centre += 0.5 * sum(twice_centre);
  }
};
/// How far a step may go, and the centre on the way: Σ c_k α^k.
struct Way {
  double most = 1e300;
  std::array<double, 4> centre{};
};

/// Σ ω_i W_i β_i with |β_i| ≤ 1, and the central path of a problem that sees it through y ∈ R⁶:
///   W_iᵀ y + T_i β_i = 0,   T_i (1 − |β_i|²) = 2 c
/// Newton's equations for (β, T) are solved contact by contact: with M = T (1 + 2 β βᵀ/(1 − |β|²)),
///   M⁻¹ = (1 − 2 β βᵀ/(1 + |β|²))/T
template <std::size_t d>
class Balls {
 public:
  explicit Balls(std::size_t capacity) : columns_(blocks(capacity) * 6 * d), state_(blocks(capacity)) {}

  void clear() noexcept { n_ = 0; }
  [[nodiscard]] std::size_t size() const noexcept { return n_; }

  /// Columns of W for one contact, and its weight ω.
  void add(const std::array<Vector6, d>& w, double weight) noexcept {
    const std::size_t block = n_ / lane_count;
    const std::size_t lane = n_ % lane_count;
    if (lane == 0) {  // what is not used must not matter
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

  [[nodiscard]] double beta(std::size_t i, std::size_t c) const noexcept {
    return state_[i / lane_count].beta[c][i % lane_count];
  }
  void set_beta(std::size_t i, std::size_t c, double value) noexcept {
    state_[i / lane_count].beta[c][i % lane_count] = value;
  }
  [[nodiscard]] double weight(std::size_t i) const noexcept { return state_[i / lane_count].weight[i % lane_count]; }
  void set_weight(std::size_t i, double value) noexcept { state_[i / lane_count].weight[i % lane_count] = value; }
  /// Column c of contact i.
  [[nodiscard]] Vector6 column(std::size_t i, std::size_t c) const noexcept {
    Vector6 result{};
    for (std::size_t a = 0; a < 6; ++a) {
      result[a] = columns_[((i / lane_count) * 6 + a) * d + c][i % lane_count];
    }
    return result;
  }

  /// β = 0, T (1 − |β|²) = 2 c.
  void start_in_the_middle(double c) noexcept {
    for (std::size_t i = 0; i < blocks(n_); ++i) {
      for (Lanes& b : state_[i].beta) {
        b = Lanes{};
      }
      state_[i].t = Lanes{} + 2 * c;
      state_[i].inside = Lanes{} + 1.0;
    }
  }
  /// β as it is, drawn inwards.
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

  /// Goes on by α of the last direction, then looks at the point.
  STICTION_ALWAYS_INLINE void evaluate(double alpha, const Vector6& y, Sums& sums) noexcept {
    std::array<Lanes, triangle> matrix{};
    std::array<Lanes, 6> wrench{};
    Lanes reach{};
    Lanes centre{};
    for (std::size_t i = 0; i < blocks(n_); ++i) {
      const Lanes* const w = &columns_[i * 6 * d];
      State& s = state_[i];
      s.inside = left_inside(s, alpha);
      for (std::size_t c = 0; c < d; ++c) {
        s.beta[c] += alpha * s.d_beta[c];
      }
      s.t += alpha * s.d_t;
      Lanes u2{};
      for (std::size_t c = 0; c < d; ++c) {
        Lanes u{};
        for (std::size_t a = 0; a < 6; ++a) {
          u += w[a * d + c] * y[a];
        }
        s.u[c] = u;
        u2 += u * u;
      }
      reach += s.weight * root(u2);
      centre += s.weight * s.t * s.inside;
      // ω W M⁻¹ Wᵀ = ω/T (W Wᵀ − 2/(1 + |β|²) (W β)(W β)ᵀ)
      const Lanes scale = s.weight / s.t;
      const Lanes m = 2.0 / (2.0 - s.inside);
      std::array<Lanes, 6> p;
      for (std::size_t a = 0; a < 6; ++a) {
        p[a] = Lanes{};
        for (std::size_t c = 0; c < d; ++c) {
          p[a] += w[a * d + c] * s.beta[c];
        }
        wrench[a] += s.weight * p[a];
      }
      std::size_t k = 0;
      for (std::size_t a = 0; a < 6; ++a) {
        for (std::size_t e = a; e < 6; ++e, ++k) {
          Lanes product = -m * p[a] * p[e];
          for (std::size_t c = 0; c < d; ++c) {
            product += w[a * d + c] * w[e * d + c];
          }
          matrix[k] += scale * product;
        }
      }
    }
    sums.add(matrix, wrench, reach, centre);
  }

  /// The direction to c = 0, with y there.
  STICTION_ALWAYS_INLINE void predict(const Vector6& y_there, Way& way) noexcept {
    Lanes most = Lanes{} + 1e300;
    std::array<Lanes, 4> centre{};
    for (std::size_t i = 0; i < blocks(n_); ++i) {
      const Lanes* const w = &columns_[i * 6 * d];
      State& s = state_[i];
      std::array<Lanes, d> q;
      for (std::size_t c = 0; c < d; ++c) {
        q[c] = Lanes{};
        for (std::size_t a = 0; a < 6; ++a) {
          q[c] -= w[a * d + c] * y_there[a];
        }
      }
      // M dβ = −Wᵀ y_there,   dT = −T + 2 T β·dβ/(1 − |β|²)
      const Inner in = direction(s, q);
      s.d_t = -s.t + 2 * s.t * in.along / in.inside;
      most = shorter(most, s, in);
      const Lanes e2 = in.square;
      centre[0] += s.weight * s.t * in.inside;
      centre[1] += s.weight * (s.d_t * in.inside - 2 * s.t * in.along);
      centre[2] -= s.weight * (2 * s.d_t * in.along + s.t * e2);
      centre[3] -= s.weight * s.d_t * e2;
    }
    way.most = std::min(way.most, least(most));
    for (std::size_t k = 0; k < 4; ++k) {
      way.centre[k] += 0.5 * sum(centre[k]);
    }
  }

  /// The right-hand side of the corrected direction towards c: adds Σ ω W M⁻¹ q. `share` of what the predicted
  /// direction leaves out in second order is taken into account.
  STICTION_ALWAYS_INLINE void prepare_correction(double c, double share, Vector6& right) noexcept {
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
      const Lanes factor = r3 / s.inside;
      Lanes bq{};
      for (std::size_t k = 0; k < d; ++k) {
        s.q[k] = -(s.u[k] + s.t * s.beta[k] + share * s.d_t * s.d_beta[k]) - s.beta[k] * factor;
        bq += s.beta[k] * s.q[k];
      }
      s.r3 = r3;
      const Lanes m = 2.0 / (2.0 - s.inside) * bq;
      const Lanes scale = s.weight / s.t;
      for (std::size_t k = 0; k < d; ++k) {
        const Lanes z = scale * (s.q[k] - s.beta[k] * m);
        for (std::size_t a = 0; a < 6; ++a) {
          total[a] += w[a * d + k] * z;
        }
      }
    }
    for (std::size_t a = 0; a < 6; ++a) {
      right[a] += sum(total[a]);
    }
  }

  /// The corrected direction, with the change of y.
  STICTION_ALWAYS_INLINE void correct(const Vector6& dy, Way& way) noexcept {
    Lanes most = Lanes{} + 1e300;
    for (std::size_t i = 0; i < blocks(n_); ++i) {
      const Lanes* const w = &columns_[i * 6 * d];
      State& s = state_[i];
      std::array<Lanes, d> q;
      for (std::size_t c = 0; c < d; ++c) {
        q[c] = s.q[c];
        for (std::size_t a = 0; a < 6; ++a) {
          q[c] -= w[a * d + c] * dy[a];
        }
      }
      const Inner in = direction(s, q);
      s.d_t = (s.r3 + 2 * s.t * in.along) / in.inside;
      most = shorter(most, s, in);
    }
    way.most = std::min(way.most, least(most));
  }

  /// Each contact for itself, with y given: the whole step where it stays inside, else to where it belongs for c.
  /// Straight steps of all together cannot turn along a ball.
  STICTION_ALWAYS_INLINE void move_alone(double c, const Vector6& y) noexcept {
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
      const Lanes inside = left_inside(s, 1);
      // T² − 2 c T − |u|² = 0,   β = −u/T
      const Lanes own = c + root(c * c + u2);
      const auto stays = (inside > 5e-3 * s.inside) & (t > 1e-3 * s.t);
      for (std::size_t k = 0; k < d; ++k) {
        s.beta[k] = stays ? s.beta[k] + s.d_beta[k] : -u[k] / own;
      }
      s.t = stays ? t : own;
      s.inside = stays ? inside : 2 * c / own;
    }
    stay();
  }

  /// Forgets the last direction.
  void stay() noexcept {
    for (std::size_t i = 0; i < blocks(n_); ++i) {
      state_[i].d_beta = std::array<Lanes, d>{};
      state_[i].d_t = Lanes{};
    }
  }

 private:
  struct State {
    std::array<Lanes, d> beta{}, u{}, d_beta{}, q{};
    Lanes inside{};  // 1 − |β|², kept on its own: near 0 a difference would have no digits left
    Lanes weight{}, t{}, d_t{}, r3{};
  };
  struct Inner {
    Lanes inside, along, square;  // 1 − |β|², β·dβ, |dβ|²
  };
  static constexpr std::size_t blocks(std::size_t n) noexcept { return (n + lane_count - 1) / lane_count; }

  /// 1 − |β + α dβ|²; a step leaves a two hundredth of it at least.
  STICTION_ALWAYS_INLINE static Lanes left_inside(const State& s, double alpha) noexcept {
    Lanes along{};
    Lanes square{};
    for (std::size_t c = 0; c < d; ++c) {
      along += s.beta[c] * s.d_beta[c];
      square += s.d_beta[c] * s.d_beta[c];
    }
    const Lanes left = s.inside - 2 * alpha * along - alpha * alpha * square;
    const Lanes least_left = 4e-3 * s.inside;
    return left > least_left ? left : least_left;
  }

  /// dβ = M⁻¹ q
  STICTION_ALWAYS_INLINE static Inner direction(State& s, const std::array<Lanes, d>& q) noexcept {
    Lanes bq{};
    for (std::size_t c = 0; c < d; ++c) {
      bq += s.beta[c] * q[c];
    }
    const Lanes m = 2.0 / (2.0 - s.inside) * bq;
    const Lanes per_t = 1.0 / s.t;
    Inner in{s.inside, Lanes{}, Lanes{}};
    for (std::size_t c = 0; c < d; ++c) {
      s.d_beta[c] = per_t * (q[c] - s.beta[c] * m);
      in.along += s.beta[c] * s.d_beta[c];
      in.square += s.d_beta[c] * s.d_beta[c];
    }
    return in;
  }
  /// Up to |β + α dβ| = 1 and T + α dT = 0.
  STICTION_ALWAYS_INLINE static Lanes shorter(const Lanes& most, const State& s, const Inner& in) noexcept {
    // |dβ|² α² + 2 β·dβ α − (1 − |β|²) = 0, in the form that loses no digits
    const Lanes whole = in.along + root(in.along * in.along + in.square * in.inside);
    const Lanes way = whole > 1e-300 ? in.inside / whole : Lanes{} + 1e300;
    const Lanes fall = s.d_t < 0 ? -s.t / s.d_t : Lanes{} + 1e300;
    const Lanes both = way < fall ? way : fall;
    const Lanes counted = s.weight > 0 ? both : Lanes{} + 1e300;
    return counted < most ? counted : most;
  }

  std::vector<Lanes> columns_;  // block by block: 6 rows of d
  std::vector<State> state_;
  std::size_t n_ = 0;
};

}  // namespace stiction::spatial
