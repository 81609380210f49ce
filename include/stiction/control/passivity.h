// Whether friction compensation around a linear loop is covered by the passivity theorem: is the loop positive real?
// Not for real-time loops; double only.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

#include "stiction/control/pid.h"
#include "stiction/scalar/lugre.h"

namespace stiction::control {

/// Coefficients from the highest power of s down: {J, K_d, K_p, K_i} is J s³ + K_d s² + K_p s + K_i.
inline constexpr std::size_t max_degree = 8;
using Polynomial = List<double, max_degree + 1>;

/// G(s) = numerator/denominator
struct TransferFunction {
  Polynomial numerator;
  Polynomial denominator;
};

enum class PositiveReal {
  yes,
  unstable,            // a pole outside the open left half plane, other than those a positive real G may have
  negative_real_part,  // Re G(jω) < 0 at `frequency`
  not_a_function,      // no or too many coefficients, one that is not finite, or a zero denominator
};

struct PassivityVerdict {
  PositiveReal verdict = PositiveReal::not_a_function;
  double frequency = 0;  // where Re G(jω) is smallest, if it is negative: ω [rad/s]
  double real_part = 0;  // Re G(jω) there

  [[nodiscard]] constexpr bool passive() const noexcept { return verdict == PositiveReal::yes; }
  [[nodiscard]] constexpr const char* text() const noexcept {
    switch (verdict) {
      case PositiveReal::yes:
        return "positive real: friction compensation with an observer is covered by the passivity theorem";
      case PositiveReal::unstable:
        return "not positive real: a pole is not in the left half plane";
      case PositiveReal::negative_real_part:
        return "not positive real: the real part is negative at some frequency; the loop may still be stable, but the "
               "theorem does not say so";
      default:
        return "not a transfer function";
    }
  }
};

namespace detail {

/// A polynomial with coefficients in ascending order, and for each of them the sum of the magnitudes of the terms added
/// to it: a coefficient far below that sum is a rounding error.
struct RoundedPolynomial {
  std::array<double, 2 * max_degree + 1> at{};
  std::array<double, 2 * max_degree + 1> size{};
  std::size_t degree = 0;

  static constexpr double rounding = 64 * std::numeric_limits<double>::epsilon();

  constexpr void add(std::size_t power, double value) noexcept {
    at[power] += value;
    size[power] += value < 0 ? -value : value;
  }
  /// Drops leading coefficients that are zero or rounding errors.
  void trim() noexcept {
    for (degree = at.size() - 1; degree > 0 && !(std::abs(at[degree]) > rounding * size[degree]); --degree) {
    }
  }
  [[nodiscard]] constexpr double value(double x) const noexcept { return horner(at, x); }
  [[nodiscard]] constexpr bool clearly_negative(double x) const noexcept {
    return value(x) < -rounding * horner(size, x);
  }
  [[nodiscard]] constexpr RoundedPolynomial derivative() const noexcept {
    RoundedPolynomial slope;
    for (std::size_t i = 1; i <= degree; ++i) {
      slope.at[i - 1] = static_cast<double>(i) * at[i];
      slope.size[i - 1] = static_cast<double>(i) * size[i];
    }
    slope.degree = degree > 0 ? degree - 1 : 0;
    return slope;
  }

 private:
  [[nodiscard]] constexpr double horner(const std::array<double, 2 * max_degree + 1>& c, double x) const noexcept {
    double sum = 0;
    for (std::size_t i = degree + 1; i-- > 0;) {
      sum = sum * x + c[i];
    }
    return sum;
  }
};

/// The root between two positive numbers where the sign changes, to the last bit: bisection over the representable
/// numbers in between.
inline double root_between(const RoundedPolynomial& p, double low, double high) noexcept {
  const bool positive_below = p.value(low) > 0;
  auto a = std::bit_cast<std::uint64_t>(low);
  auto b = std::bit_cast<std::uint64_t>(high);
  while (b - a > 1) {
    const std::uint64_t middle = a + (b - a) / 2;
    ((p.value(std::bit_cast<double>(middle)) > 0) == positive_below ? a : b) = middle;
  }
  return std::bit_cast<double>(b);
}

/// The sign changes of a polynomial on (0, end): between two roots of its derivative it is monotone.
struct SignChanges {
  std::array<double, 2 * max_degree> at{};
  std::size_t count = 0;
};
inline SignChanges sign_changes(const RoundedPolynomial& p, double end) noexcept {
  SignChanges result;
  if (p.degree == 0) {
    return result;
  }
  const SignChanges extrema = sign_changes(p.derivative(), end);
  double low = 0;
  for (std::size_t i = 0; i <= extrema.count; ++i) {
    const double high = i < extrema.count ? extrema.at[i] : end;
    if ((p.value(low) > 0) != (p.value(high) > 0)) {
      result.at[result.count++] = root_between(p, low, high);
    }
    low = high;
  }
  return result;
}

/// Cauchy's bound on the magnitude of the roots.
inline double beyond_all_roots(const RoundedPolynomial& p) noexcept {
  double largest = 0;
  for (std::size_t i = 0; i < p.degree; ++i) {
    largest = std::abs(p.at[i]) > largest ? std::abs(p.at[i]) : largest;
  }
  return 1 + largest / std::abs(p.at[p.degree]);
}

/// A point x ≥ 0 where p(x) < 0, by more than rounding: at 0, at a minimum, or beyond all roots.
inline std::optional<double> negative_at(const RoundedPolynomial& p) noexcept {
  const double end = beyond_all_roots(p);
  if (p.clearly_negative(0)) {
    return 0;
  }
  const SignChanges extrema = sign_changes(p.derivative(), end);
  for (std::size_t i = 0; i < extrema.count; ++i) {
    if (p.clearly_negative(extrema.at[i])) {
      return extrema.at[i];
    }
  }
  return p.clearly_negative(end) ? std::optional(end) : std::nullopt;
}

/// The minimiser of p/q on x ≥ 0, at most its value at `from`: a root of (p/q)' ∝ p' q − p q'.
inline double min_quotient(const RoundedPolynomial& p, const RoundedPolynomial& q, double from) noexcept {
  const RoundedPolynomial p_slope = p.derivative();
  const RoundedPolynomial q_slope = q.derivative();
  RoundedPolynomial slope;
  for (std::size_t i = 0; i <= p.degree; ++i) {
    for (std::size_t k = 0; k <= q.degree; ++k) {
      slope.add(i + k, p_slope.at[i] * q.at[k]);
      slope.add(i + k, -p.at[i] * q_slope.at[k]);
    }
  }
  slope.trim();
  const SignChanges extrema = sign_changes(slope, beyond_all_roots(slope));
  double best = from;
  for (std::size_t i = 0; i < extrema.count; ++i) {
    best = p.value(extrema.at[i]) / q.value(extrema.at[i]) < p.value(best) / q.value(best) ? extrema.at[i] : best;
  }
  return best;
}

/// Routh's criterion: all roots in the open left half plane.
inline bool is_hurwitz(const RoundedPolynomial& p) noexcept {
  const double sign = p.at[p.degree] < 0 ? -1 : 1;
  std::array<double, 2 * max_degree + 2> upper{};
  std::array<double, 2 * max_degree + 2> lower{};
  for (std::size_t i = 0; i <= p.degree; ++i) {
    (i % 2 == 0 ? upper : lower)[i / 2] = sign * p.at[p.degree - i];
  }
  for (std::size_t row = 0; row < p.degree; ++row) {
    if (!(upper[0] > 0) || !(lower[0] > 0)) {
      return false;
    }
    std::array<double, 2 * max_degree + 2> next{};
    for (std::size_t i = 0; i + 1 < upper.size(); ++i) {
      next[i] = upper[i + 1] - upper[0] / lower[0] * lower[i + 1];
    }
    upper = lower;
    lower = next;
  }
  return upper[0] > 0;
}

/// Coefficients in ascending order; empty if they are invalid.
inline std::optional<RoundedPolynomial> ascending(const Polynomial& p) noexcept {
  if (p.size == 0 || p.size > max_degree + 1) {
    return std::nullopt;
  }
  RoundedPolynomial result;
  for (std::size_t i = 0; i < p.size; ++i) {
    if (!finite.holds(p[i])) {
      return std::nullopt;
    }
    result.add(p.size - 1 - i, p[i]);
  }
  result.trim();
  return result;
}

/// Cancels common factors of s.
inline void cancel_zeros(RoundedPolynomial& n, RoundedPolynomial& d) noexcept {
  while (n.at[0] == 0 && d.at[0] == 0 && d.degree > 0) {
    for (RoundedPolynomial* p : {&n, &d}) {
      for (std::size_t i = 1; i < p->at.size(); ++i) {
        p->at[i - 1] = p->at[i];
        p->size[i - 1] = p->size[i];
      }
      p->at.back() = p->size.back() = 0;
      p->trim();
    }
  }
}

}  // namespace detail

/// Whether G = N/D is positive real: N + D has all roots in the open left half plane, and Re N(jω) D(−jω), a polynomial
/// in ω², is nowhere negative. This also covers poles on the imaginary axis and at infinity. The polynomial is
/// evaluated at its minima, not on a grid; values within rounding count as zero.
inline PassivityVerdict positive_real(const TransferFunction& g) noexcept {
  auto n = detail::ascending(g.numerator);
  auto d = detail::ascending(g.denominator);
  if (!n || !d || d->at[d->degree] == 0) {
    return {};
  }
  detail::cancel_zeros(*n, *d);
  // Re N(jω) D(−jω): powers i of N and k of D give  n_i d_k j^(i−k) ω^(i+k), real if i − k is even
  detail::RoundedPolynomial real_part;
  detail::RoundedPolynomial d_squared;  // |D(jω)|²
  for (std::size_t k = 0; k <= d->degree; ++k) {
    for (std::size_t i = k % 2; i <= max_degree; i += 2) {
      const double sign = (i > k ? i - k : k - i) % 4 == 0 ? 1 : -1;
      real_part.add((i + k) / 2, sign * n->at[i] * d->at[k]);
      d_squared.add((i + k) / 2, sign * d->at[i] * d->at[k]);
    }
  }
  detail::RoundedPolynomial sum = *d;
  for (std::size_t i = 0; i <= n->degree; ++i) {
    sum.add(i, n->at[i]);
  }
  real_part.trim();
  d_squared.trim();
  sum.trim();
  const auto negative = detail::negative_at(real_part);
  if (!negative && detail::is_hurwitz(sum)) {
    return {PositiveReal::yes, 0, 0};
  }
  if (!detail::is_hurwitz(*d) || !negative) {
    return {PositiveReal::unstable, 0, 0};
  }
  const double worst = detail::min_quotient(real_part, d_squared, *negative);
  return {PositiveReal::negative_real_part, std::sqrt(worst), real_part.value(worst) / d_squared.value(worst)};
}

/// From the uncompensated friction to the error, times σ₁ s + σ₀, for PI control of the velocity:
///   G = s (σ₁ s + σ₀)/(m s² + K_p s + K_i)
inline TransferFunction velocity_loop(const scalar::LuGre& friction, double mass, const Pid::Params& gains) noexcept {
  return {{friction.damping.at_rest, friction.stiffness, 0}, {mass, gains.proportional, gains.integral}};
}
/// The same for PID control of the position:
///   G = s (σ₁ s + σ₀)/(m s³ + K_d s² + K_p s + K_i)
inline TransferFunction servo_loop(const scalar::LuGre& friction, double mass, const Pid::Params& gains) noexcept {
  return {{friction.damping.at_rest, friction.stiffness, 0},
          {mass, gains.derivative, gains.proportional, gains.integral}};
}

/// One inequality: left ≥ right.
struct Condition {
  const char* text = "";
  double left = 0, right = 0;
  [[nodiscard]] constexpr bool holds() const noexcept { return left >= right; }
};

/// In closed form, for the two loops above: positive real if and only if all conditions hold.
template <std::size_t N>
struct PassivityConditions {
  std::array<Condition, N> conditions;
  [[nodiscard]] constexpr bool passive() const noexcept { return failed() == nullptr; }
  /// The first one that does not hold.
  [[nodiscard]] constexpr const Condition* failed() const noexcept {
    for (const Condition& condition : conditions) {
      if (!condition.holds()) {
        return &condition;
      }
    }
    return nullptr;
  }
};

// Re N(jω) D(−jω) = ω² (σ₁ m ω² + σ₀ K_p − σ₁ K_i)
inline PassivityConditions<2> velocity_loop_conditions(const scalar::LuGre& friction,
                                                       const Pid::Params& gains) noexcept {
  const double stiffness = friction.stiffness;
  const double damping = friction.damping.at_rest;
  return {{{{"K_i >= 0", gains.integral, 0},
            {"sigma0 K_p >= sigma1 K_i", stiffness * gains.proportional, damping * gains.integral}}}};
}
// Re N(jω) D(−jω) = ω² ((σ₁ K_d − σ₀ m) ω² + σ₀ K_p − σ₁ K_i)
inline PassivityConditions<3> servo_conditions(const scalar::LuGre& friction, double mass,
                                               const Pid::Params& gains) noexcept {
  const double stiffness = friction.stiffness;
  const double damping = friction.damping.at_rest;
  return {{{{"K_i >= 0", gains.integral, 0},
            {"sigma0 K_p >= sigma1 K_i", stiffness * gains.proportional, damping * gains.integral},
            {"sigma1 K_d >= sigma0 m", damping * gains.derivative, stiffness * mass}}}};
}

}  // namespace stiction::control
