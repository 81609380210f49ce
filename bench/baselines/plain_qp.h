// The quadratic program of static friction (eqs. 28 to 31) by accelerated projected gradients: slow, short, and with an
// error bound. The oracle of the tests and a baseline of the benchmarks.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <span>
#include <vector>

#include "stiction/spatial/contact_tangents.h"
#include "stiction/spatial/static_friction.h"

namespace stiction::baselines {

template <class Real>
using Six = std::array<Real, 6>;
template <class Real>
using SixBySix = std::array<Six<Real>, 6>;

template <class Real>
Real inner(const Six<Real>& a, const Six<Real>& b) {
  Real sum = 0;
  for (std::size_t i = 0; i < 6; ++i) {
    sum += a[i] * b[i];
  }
  return sum;
}
template <class Real>
Six<Real> product(const SixBySix<Real>& a, const Six<Real>& x) {
  Six<Real> result;
  for (std::size_t i = 0; i < 6; ++i) {
    result[i] = inner(a[i], x);
  }
  return result;
}
/// Gauss–Jordan elimination with row pivoting.
template <class Real>
SixBySix<Real> inverse(SixBySix<Real> a) {
  SixBySix<Real> result{};
  for (std::size_t i = 0; i < 6; ++i) {
    result[i][i] = 1;
  }
  for (std::size_t k = 0; k < 6; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < 6; ++i) {
      pivot = std::abs(a[i][k]) > std::abs(a[pivot][k]) ? i : pivot;
    }
    std::swap(a[k], a[pivot]);
    std::swap(result[k], result[pivot]);
    const Real scale = 1 / a[k][k];
    for (std::size_t j = 0; j < 6; ++j) {
      a[k][j] *= scale;
      result[k][j] *= scale;
    }
    for (std::size_t i = 0; i < 6; ++i) {
      const Real factor = a[i][k];
      for (std::size_t j = 0; j < 6 && i != k; ++j) {
        a[i][j] -= factor * a[k][j];
        result[i][j] -= factor * result[k][j];
      }
    }
  }
  return result;
}

struct PlainOptions {
  int sides = 0;  // 0: exact cones
  spatial::Metric metric = spatial::Metric::stiffness;
  double gap = 1e-10;  // over the objective without friction
  long max_iterations = 200'000;
};
struct PlainSolution {
  Vector6 motion{};
  double objective = 0, gap = 0, without_friction = 0;  // [J]
  bool converged = false;
  long iterations = 0;
  std::vector<Vector3> friction;  // of each contact [N]
};

/// min ½ gᵀ H g with g = F + Σ A_b x_b, |x_b| ≤ r_b: a body under friction from balls of one to three dimensions.
template <class Real>
class PlainQp {
 public:
  PlainQp(std::span<const spatial::Contact> contacts, const spatial::Load& load, const PlainOptions& options)
      : options_(options), contacts_(contacts.size()) {
    // Torques over the length, so that one step size suits all components
    const Real length = load.length;
    for (std::size_t i = 0; i < 6; ++i) {
      scale_[i] = i < 3 ? Real(1) : 1 / length;
    }
    SixBySix<Real> k;
    SixBySix<Real> d;
    for (std::size_t i = 0; i < 6; ++i) {
      f_[i] = load.wrench[i] * scale_[i];
      for (std::size_t j = 0; j < 6; ++j) {
        k[i][j] = load.gradient[i][j] * scale_[i] * scale_[j];
        d[i][j] = load.mass[i][j] * scale_[i] * scale_[j];
      }
    }
    if (options.metric == spatial::Metric::stiffness) {
      // D = −sym K stands for both D and −K: H = D⁻¹, Δ = H g
      for (std::size_t i = 0; i < 6; ++i) {
        for (std::size_t j = 0; j < 6; ++j) {
          g_of_y_[i][j] = -(k[i][j] + k[j][i]) / 2;
        }
      }
      h_ = inverse(g_of_y_);
      motion_of_g_ = h_;
    } else {
      // H = K⁻ᵀ D K⁻¹, Δ = −K⁻¹ g
      const SixBySix<Real> k_inverse = inverse(k);
      for (std::size_t i = 0; i < 6; ++i) {
        for (std::size_t j = 0; j < 6; ++j) {
          motion_of_g_[i][j] = -k_inverse[i][j];
          h_[i][j] = 0;
          for (std::size_t a = 0; a < 6; ++a) {
            for (std::size_t b = 0; b < 6; ++b) {
              h_[i][j] += k_inverse[a][i] * d[a][b] * k_inverse[b][j];
            }
          }
        }
      }
      g_of_y_ = inverse(h_);
    }
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      add(contacts[i], i);
    }
  }

  [[nodiscard]] PlainSolution solve() const {
    const std::size_t n = balls_.size();
    using X = std::vector<std::array<Real, 3>>;
    X x(n);
    X ahead(n);  // Nesterov's point
    X next(n);
    const Real step = 1 / largest_curvature();
    const Real without = inner(f_, product(h_, f_)) / 2;
    PlainSolution result;
    result.without_friction = static_cast<double>(without);
    Real best_bound = 0;
    Real momentum = 1;
    Six<Real> g = f_;
    Real objective = without;
    for (long k = 0;; ++k) {
      const Six<Real> y = product(h_, g = total(x));
      objective = inner(g, y) / 2;
      // Any y bounds from below: t (yᵀF − Σ r |Aᵀy|) − t² yᵀH⁻¹y/2, at its best t
      const Real slope = inner(y, f_) - reach(y);
      if (const Real curvature = inner(y, product(g_of_y_, y)); slope > 0 && curvature > 0) {
        best_bound = std::max(best_bound, slope * slope / curvature / 2);
      }
      result.iterations = k;
      result.converged = objective - best_bound <= Real(options_.gap) * without;
      if (result.converged || k >= options_.max_iterations) {
        break;
      }
      const Six<Real> y_ahead = product(h_, total(ahead));
      Real uphill = 0;
      for (std::size_t b = 0; b < n; ++b) {
        const Ball& ball = balls_[b];
        Real size = 0;
        std::array<Real, 3> slide{};
        for (std::size_t c = 0; c < ball.dimension; ++c) {
          slide[c] = inner(ball.columns[c], y_ahead);
          next[b][c] = ahead[b][c] - step * slide[c];
          size += next[b][c] * next[b][c];
        }
        size = std::sqrt(size);
        for (std::size_t c = 0; c < ball.dimension; ++c) {
          next[b][c] *= size > ball.radius ? ball.radius / size : 1;
          uphill += slide[c] * (next[b][c] - x[b][c]);
        }
      }
      // Restart if the momentum leads uphill
      const Real next_momentum = uphill > 0 ? 1 : (1 + std::sqrt(1 + 4 * momentum * momentum)) / 2;
      const Real share = uphill > 0 ? 0 : (momentum - 1) / next_momentum;
      momentum = next_momentum;
      for (std::size_t b = 0; b < n; ++b) {
        for (std::size_t c = 0; c < balls_[b].dimension; ++c) {
          ahead[b][c] = next[b][c] + share * (next[b][c] - x[b][c]);
          x[b][c] = next[b][c];
        }
      }
    }
    result.objective = static_cast<double>(objective);
    result.gap = static_cast<double>(std::max(Real(0), objective - best_bound));
    const Six<Real> motion = product(motion_of_g_, g);
    for (std::size_t i = 0; i < 6; ++i) {
      result.motion[i] = static_cast<double>(motion[i] * scale_[i]);
    }
    result.friction.resize(contacts_);
    for (std::size_t b = 0; b < n; ++b) {
      for (std::size_t c = 0; c < balls_[b].dimension; ++c) {
        for (std::size_t a = 0; a < 3; ++a) {
          result.friction[balls_[b].contact][a] += static_cast<double>(balls_[b].columns[c][a] * x[b][c]);
        }
      }
    }
    return result;
  }

 private:
  struct Ball {
    std::size_t contact = 0, dimension = 0;
    std::array<Six<Real>, 3> columns{};
    Real radius = 0;
  };

  [[nodiscard]] Six<Real> scaled_column(const Vector6& w, Real factor) const {
    Six<Real> result;
    for (std::size_t i = 0; i < 6; ++i) {
      result[i] = factor * w[i] * scale_[i];
    }
    return result;
  }

  /// An ellipse is a disc in stretched coordinates, a polygon a sum of segments.
  void add(const spatial::Contact& c, std::size_t index) {
    const auto [tu, tv] = spatial::contact_tangents(c);
    const auto u = spatial::friction_column(c, tu);
    const auto v = spatial::friction_column(c, tv);
    const Vector6 normal_rotation{0, 0, 0, c.normal[0], c.normal[1], c.normal[2]};
    const Real along_u = Real(c.friction) * c.normal_force;
    const Real along_v = Real(c.friction_v.value_or(c.friction)) * c.normal_force;
    const Real twist = Real(c.torsion) * c.normal_force * scale_[3];  // as a force
    if (options_.sides > 0) {
      const Real half = std::tan(std::numbers::pi_v<Real> / options_.sides);
      const Real max_friction = std::max(along_u, along_v);
      for (int j = 0; j < options_.sides / 2 && max_friction > 0; ++j) {
        const Real angle = (2 * j + 1) * std::numbers::pi_v<Real> / options_.sides;
        Six<Real> edge = scaled_column(u, -std::sin(angle) * along_u / max_friction);
        const Six<Real> across = scaled_column(v, std::cos(angle) * along_v / max_friction);
        for (std::size_t i = 0; i < 6; ++i) {
          edge[i] += across[i];
        }
        balls_.push_back({index, 1, {edge}, half * max_friction});
      }
      if (twist > 0) {
        balls_.push_back({index, 1, {scaled_column(normal_rotation, 1 / scale_[3])}, twist});
      }
      return;
    }
    if (const Real max_friction = std::max({along_u, along_v, twist}); max_friction > 0) {
      balls_.push_back({index,
                        twist > 0 ? 3U : 2U,
                        {scaled_column(u, along_u / max_friction), scaled_column(v, along_v / max_friction),
                         scaled_column(normal_rotation, twist / max_friction / scale_[3])},
                        max_friction});
    }
  }

  [[nodiscard]] Six<Real> total(const std::vector<std::array<Real, 3>>& x) const {
    Six<Real> g = f_;
    for (std::size_t b = 0; b < balls_.size(); ++b) {
      for (std::size_t c = 0; c < balls_[b].dimension; ++c) {
        for (std::size_t i = 0; i < 6; ++i) {
          g[i] += balls_[b].columns[c][i] * x[b][c];
        }
      }
    }
    return g;
  }
  /// Σ r |Aᵀ y|: the largest work that friction can dissipate in a motion.
  [[nodiscard]] Real reach(const Six<Real>& y) const {
    Real sum = 0;
    for (const Ball& ball : balls_) {
      Real square = 0;
      for (std::size_t c = 0; c < ball.dimension; ++c) {
        const Real slide = inner(ball.columns[c], y);
        square += slide * slide;
      }
      sum += ball.radius * std::sqrt(square);
    }
    return sum;
  }
  /// An upper bound on the largest eigenvalue of Aᵀ H A: that of H (Σ A Aᵀ) by power iteration, with a margin.
  [[nodiscard]] Real largest_curvature() const {
    SixBySix<Real> gram{};
    for (const Ball& ball : balls_) {
      for (std::size_t c = 0; c < ball.dimension; ++c) {
        for (std::size_t i = 0; i < 6; ++i) {
          for (std::size_t j = 0; j < 6; ++j) {
            gram[i][j] += ball.columns[c][i] * ball.columns[c][j];
          }
        }
      }
    }
    Six<Real> v{1, Real(0.9), Real(0.8), Real(0.7), Real(0.6), Real(0.5)};
    Real value = 1;
    constexpr int powers = 200;
    for (int k = 0; k < powers; ++k) {
      v = product(h_, product(gram, v));
      value = std::sqrt(inner(v, v));
      if (!(value > 0)) {
        return 1;
      }
      for (Real& component : v) {
        component /= value;
      }
    }
    return value * Real(1.05);
  }

  PlainOptions options_;
  std::size_t contacts_;
  Six<Real> scale_{}, f_{};
  SixBySix<Real> h_{}, g_of_y_{}, motion_of_g_{};
  std::vector<Ball> balls_;
};

template <class Real = long double>
PlainSolution plain_qp(std::span<const spatial::Contact> contacts, const spatial::Load& load,
                       const PlainOptions& options = {}) {
  return PlainQp<Real>(contacts, load, options).solve();
}

}  // namespace stiction::baselines
