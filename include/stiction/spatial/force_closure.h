// Force closure: do wrenches positively span R⁶? Answered with a certificate either way, without a solver library.
#pragma once

#include <span>

#include "stiction/vector.h"

namespace stiction::spatial {

/// The answer, with its certificate.
template <class Real = double>
struct ForceClosure {
  bool closed;  // every load can be resisted
  /// Closed: the convex hull of the generators contains a ball of this radius about the origin; the largest such ball
  /// may be larger. Otherwise ≤ 0: direction·g ≥ −margin for every generator g, so the origin is at least that far
  /// outside the hull, or on its boundary.
  Real margin;
  Vector<Real, 6> direction;  // if not closed: unit vector with direction·g ≥ 0 for every generator
  std::size_t rank;           // dimension of the span of the generators
  std::size_t rounds;         // iterations of the search
  bool converged;             // false: the iteration limit was reached, and nothing is proven
};

namespace detail {

/// The component of v orthogonal to an orthonormal basis. Gram–Schmidt, twice for orthogonality to rounding.
template <class Real>
Vector<Real, 6> beside(Vector<Real, 6> v, std::span<const Vector<Real, 6>> basis) noexcept {
  for (int pass = 0; pass < 2; ++pass) {
    for (const auto& q : basis) {
      v = difference(v, scaled(dot(q, v), q));
    }
  }
  return v;
}

/// Non-negative least squares by Lawson and Hanson's active-set method, with at most six generators in use at a time:
///   min |Σ x_j g_j − b|, x ≥ 0
/// A generator is only added if its component orthogonal to those in use exceeds `tolerance`.
template <class Real>
struct NonNegative {
  std::array<Vector<Real, 6>, 6> columns{};
  std::array<Vector<Real, 6>, 6> basis{};  // orthonormal, of the columns
  std::array<std::size_t, 6> index{};
  std::array<Real, 6> x{};
  std::size_t size = 0;
  Vector<Real, 6> residual{};  // b − Σ x_j g_j
  std::size_t rounds = 0;
  bool converged = false;

  NonNegative(std::span<const Vector<Real, 6>> generators, const Vector<Real, 6>& b, Real tolerance) noexcept
      : residual(b) {
    const std::size_t max_rounds = 50 + 4 * generators.size();
    for (; rounds < max_rounds && size < 6; ++rounds) {
      std::size_t best = generators.size();
      Real gain = Real(0);
      for (std::size_t j = 0; j < generators.size(); ++j) {
        const Real slope = dot(generators[j], residual);
        if (slope > gain && norm(beside<Real>(generators[j], {basis.data(), size})) > tolerance) {
          gain = slope;
          best = j;
        }
      }
      const Real before = norm(residual);
      if (!(gain > tolerance * before)) {
        break;
      }
      columns[size] = generators[best];
      index[size] = best;
      x[size] = Real(0);
      ++size;
      settle(b);
      // Every iteration reduces the residual, until rounding dominates.
      if (!(norm(residual) < before)) {
        break;
      }
    }
    converged = rounds < max_rounds;
  }

 private:
  /// Moves x to the least-squares solution of the generators in use, or as far towards it as x stays non-negative.
  /// Generators whose x reaches 0 are removed.
  void settle(const Vector<Real, 6>& b) noexcept {
    while (size > 0) {
      const std::array<Real, 6> target = least_squares(b);
      Real step = Real(1);
      std::size_t first = size;
      for (std::size_t i = 0; i < size; ++i) {
        if (!(target[i] > Real(0)) && !(x[i] / (x[i] - target[i]) > step)) {
          step = x[i] / (x[i] - target[i]);
          first = i;
        }
      }
      for (std::size_t i = 0; i < size; ++i) {
        x[i] += step * (target[i] - x[i]);
      }
      if (first == size) {
        break;
      }
      --size;
      for (std::size_t i = first; i < size; ++i) {
        columns[i] = columns[i + 1];
        index[i] = index[i + 1];
        x[i] = x[i + 1];
      }
    }
    residual = b;
    for (std::size_t i = 0; i < size; ++i) {
      residual = difference(residual, scaled(x[i], columns[i]));
    }
  }

  /// min |Σ x_i columns_i − b| by orthogonalisation: columns = Q R, R x = Qᵀ b.
  std::array<Real, 6> least_squares(const Vector<Real, 6>& b) noexcept {
    for (std::size_t i = 0; i < size; ++i) {
      basis[i] = beside<Real>(columns[i], {basis.data(), i});
      basis[i] = scaled(Real(1) / norm(basis[i]), basis[i]);
    }
    std::array<Real, 6> solution{};
    for (std::size_t i = size; i-- > 0;) {
      Real right = dot(basis[i], b);
      for (std::size_t j = i + 1; j < size; ++j) {
        right -= dot(basis[i], columns[j]) * solution[j];
      }
      solution[i] = right / dot(basis[i], columns[i]);
    }
    return solution;
  }
};

/// (Σ g gᵀ)⁻¹ v by the Cholesky factorisation L Lᵀ.
template <class Real>
struct Gram {
  std::array<Vector<Real, 6>, 6> lower{};

  explicit Gram(std::span<const Vector<Real, 6>> generators) noexcept {
    using std::sqrt;
    for (const auto& g : generators) {
      for (std::size_t i = 0; i < 6; ++i) {
        for (std::size_t j = 0; j <= i; ++j) {
          lower[i][j] += g[i] * g[j];
        }
      }
    }
    for (std::size_t i = 0; i < 6; ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        for (std::size_t k = 0; k < j; ++k) {
          lower[i][j] -= lower[i][k] * lower[j][k];
        }
        lower[i][j] = i == j ? sqrt(lower[i][i]) : lower[i][j] / lower[j][j];
      }
    }
  }
  [[nodiscard]] Vector<Real, 6> solve(Vector<Real, 6> v) const noexcept {
    for (std::size_t i = 0; i < 6; ++i) {
      for (std::size_t k = 0; k < i; ++k) {
        v[i] -= lower[i][k] * v[k];
      }
      v[i] /= lower[i][i];
    }
    for (std::size_t i = 6; i-- > 0;) {
      for (std::size_t k = i + 1; k < 6; ++k) {
        v[i] -= lower[k][i] * v[k];
      }
      v[i] /= lower[i][i];
    }
    return v;
  }
};

/// An orthonormal basis of the span of the generators, by Gram–Schmidt with the largest remainder as pivot.
template <class Real>
std::size_t span_basis(std::span<const Vector<Real, 6>> generators, Real tolerance,
                       std::array<Vector<Real, 6>, 6>& basis) noexcept {
  for (std::size_t rank = 0; rank < 6; ++rank) {
    Real largest = tolerance;
    for (const auto& g : generators) {
      const Vector<Real, 6> rest = beside<Real>(g, {basis.data(), rank});
      if (const Real size = norm(rest); size > largest) {
        largest = size;
        basis[rank] = scaled(Real(1) / size, rest);
      }
    }
    if (!(largest > tolerance)) {
      return rank;
    }
  }
  return 6;
}

}  // namespace detail

/// Closed if the origin lies strictly inside the convex hull of the generators g_j. With b = −mean g:
///   Σ x_j g_j = b has a solution x ≥ 0 and the g_j span R⁶   ⇒   closed: Σ (1/m + x_j) g_j = 0, all coefficients > 0
///   otherwise the nearest Σ x_j g_j has the residual r = b − Σ x_j g_j with r·g_j ≤ 0: no generator has a positive
///   component along r
/// Components below about 1e-6 of the largest generator (double) count as 0: a grasp that needs forces a million times
/// the load is not closed. NaN is not closed.
template <class Real>
[[nodiscard]] ForceClosure<Real> force_closure(std::span<const Vector<Real, 6>> generators) noexcept {
  using std::cbrt;
  ForceClosure<Real> answer{false, Real(0), {}, 0, 0, true};
  Real largest = Real(0);
  Vector<Real, 6> total{};
  for (const auto& g : generators) {
    const Real size = norm(g);
    if (!(size <= std::numeric_limits<Real>::max())) {
      answer.margin = std::numeric_limits<Real>::quiet_NaN();
      answer.converged = false;
      return answer;
    }
    largest = size > largest ? size : largest;
    total = sum(total, g);
  }
  const Real tolerance = largest * cbrt(std::numeric_limits<Real>::epsilon()) / Real(4);

  std::array<Vector<Real, 6>, 6> basis{};
  answer.rank = detail::span_basis<Real>(generators, tolerance, basis);
  if (answer.rank < 6) {
    // A direction orthogonal to all generators
    Real max_size = Real(0);
    for (std::size_t i = 0; i < 6; ++i) {
      Vector<Real, 6> axis{};
      axis[i] = Real(1);
      axis = detail::beside<Real>(axis, {basis.data(), answer.rank});
      if (const Real size = norm(axis); size > max_size) {
        max_size = size;
        answer.direction = scaled(Real(1) / size, axis);
      }
    }
    return answer;
  }

  const Real share = Real(1) / static_cast<Real>(generators.size());
  const detail::NonNegative<Real> nearest(generators, scaled(-share, total), tolerance);
  answer.rounds = nearest.rounds;
  answer.converged = nearest.converged;
  const Real residual = norm(nearest.residual);
  if (residual > tolerance * share || !nearest.converged) {
    answer.direction = scaled(Real(-1) / residual, nearest.residual);
    Real min_component = largest;
    for (const auto& g : generators) {
      const Real reach = dot(answer.direction, g);
      min_component = reach < min_component ? reach : min_component;
    }
    answer.margin = min_component > Real(0) ? -min_component : Real(0);
    return answer;
  }

  // d = G μ with μ_j = d·h_j, h_j = (G Gᵀ)⁻¹ g_j. With λ > 0, Σ λ = 1, G λ = 0, the coefficients λ + ε μ stay ≥ 0 for
  // every unit d if ε |h_j| ≤ λ_j. Then ε d/(1 + ε Σ μ) is in the hull, which thus contains the ball of radius
  // ε/(1 + ε |Σ h_j|).
  const detail::Gram<Real> gram(generators);
  Real scale = Real(1);
  for (std::size_t i = 0; i < nearest.size; ++i) {
    scale += nearest.x[i];
  }
  Real epsilon = std::numeric_limits<Real>::max();
  for (std::size_t j = 0; j < generators.size(); ++j) {
    Real lambda = share;
    for (std::size_t i = 0; i < nearest.size; ++i) {
      lambda += nearest.index[i] == j ? nearest.x[i] : Real(0);
    }
    const Real reach = lambda / scale / norm(gram.solve(generators[j]));
    epsilon = reach < epsilon ? reach : epsilon;
  }
  answer.closed = true;
  answer.margin = epsilon / (Real(1) + epsilon * norm(gram.solve(total)));
  return answer;
}

}  // namespace stiction::spatial
