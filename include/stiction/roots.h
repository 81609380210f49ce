// Bounded root finding for the coupled step. Nothing here allocates, throws or iterates without bound.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace stiction {

/// Two points between which a continuous function changes sign, with its values there.
template <class Real>
struct Bracket {
  Real a, fa, b, fb;
};

/// The midpoint of two numbers in the order of their bit patterns, so that 64 bisections separate any two. For negative
/// numbers that order is reversed.
template <class Real>
Real stored_middle(Real a, Real b) noexcept {
  if constexpr (std::is_same_v<Real, double> || std::is_same_v<Real, float>) {
    using Bits = std::conditional_t<sizeof(Real) == 8, std::int64_t, std::int32_t>;
    constexpr Bits lowest = std::numeric_limits<Bits>::min();
    const auto ordered = [](Real x) {
      const auto bits = std::bit_cast<Bits>(x);
      return bits < 0 ? lowest - bits : bits;
    };
    const Bits x = ordered(a);
    const Bits y = ordered(b);
    const Bits middle = (x & y) + ((x ^ y) >> 1);  // (x + y)/2 without overflow
    return std::bit_cast<Real>(middle < 0 ? lowest - middle : middle);
  } else {
    return (a + b) / Real(2);
  }
}

/// The root inside a bracket, by Chandrupatla's method: inverse quadratic interpolation where that is safe, bisection
/// elsewhere; from the 40th evaluation on, `stored_middle`. At most 110 evaluations; usually about 7. It ends when the
/// argument is accurate to the absolute `tolerance` and |f| is below `noise`, or when rounding prevents further
/// progress.
template <class Real, class Function>
Real root_in(Bracket<Real> bracket, Real tolerance, const Function& f,
             Real noise = Real(std::numeric_limits<double>::infinity())) noexcept {
  using std::abs;
  auto [a, fa, b, fb] = bracket;  // a is the newest point, b is on the other side of the root, c is an earlier point
  Real c = a;
  Real fc = fa;
  Real fraction = Real(0.5);
  for (int iteration = 0; iteration < 110; ++iteration) {
    const bool a_is_best = abs(fa) < abs(fb);
    const Real best = a_is_best ? a : b;
    const Real residual = a_is_best ? fa : fb;
    const Real width = abs(b - a);
    const Real rounding = Real(2) * std::numeric_limits<Real>::epsilon() * abs(best);
    const Real resolution = rounding + (abs(residual) > noise ? std::numeric_limits<Real>::min() : tolerance);
    if (residual == Real(0) || width <= resolution) {
      return best;
    }
    const Real margin = resolution / (Real(2) * width);
    if (!(fraction >= margin)) {  // also where products overflowed
      fraction = margin;
    } else if (fraction > Real(1) - margin) {
      fraction = Real(1) - margin;
    }
    const Real x = iteration < 40 ? a + fraction * (b - a) : stored_middle(a, b);
    const Real fx = f(x);
    if ((fx > Real(0)) == (fa > Real(0))) {
      c = a;
      fc = fa;
    } else {
      c = b;
      fc = fb;
      b = a;
      fb = fa;
    }
    a = x;
    fa = fx;
    const Real xi = (a - b) / (c - b);
    const Real phi = (fa - fb) / (fc - fb);
    const bool interpolation_is_safe = phi * phi < xi && (Real(1) - phi) * (Real(1) - phi) < Real(1) - xi;
    // fa/(fb − fa) · fc/(fb − fc) + (c − a)/(b − a) · fa/(fc − fa) · fb/(fc − fb), with two divisions
    const Real across = fb - fc;
    fraction = interpolation_is_safe
                   ? fa * fc / ((fb - fa) * across) + (a - c) * (fa * fb) / ((b - a) * (fc - fa) * across)
                   : Real(0.5);
  }
  return abs(fa) < abs(fb) ? a : b;
}

/// The first root on the way from `start` to `end`, both in the units of f. The first stride is |f(start)|, where
/// a slope of 1 would have its root, and strides double. No stride is longer than the magnitude of the argument,
/// which halves towards zero and doubles away from it; `fine` is the smallest magnitude visited besides zero. Two roots
/// within one stride are missed. Returns `end` if f does not change sign, and NaN if f(start) is NaN.
template <class Real, class Function>
Real first_root(Real start, Real end, Real fine, Real tolerance, const Function& f,
                Real noise = Real(std::numeric_limits<double>::infinity())) noexcept {
  using std::abs;
  Bracket<Real> bracket{start, f(start), start, Real(0)};
  if (bracket.fa == Real(0)) {
    return start;
  }
  if (bracket.fa != bracket.fa) {
    return bracket.fa;  // NaN
  }
  const Real direction = end > start ? Real(1) : Real(-1);
  const Real smallest = std::numeric_limits<Real>::min();
  const Real step = fine > smallest ? fine : smallest;  // otherwise it would never leave zero
  Real max_stride = abs(bracket.fa);
  const int strides = 4200;  // more than the powers of two of a double, down to zero and up again
  for (int stride = 0; stride < strides; ++stride) {
    const Real along = direction * bracket.a;
    if (along >= Real(0)) {
      bracket.b = direction * (Real(2) * along > step ? Real(2) * along : step);
    } else {
      bracket.b = -along > step ? bracket.a / Real(2) : Real(0);
    }
    if (max_stride < direction * (bracket.b - bracket.a)) {
      bracket.b = bracket.a + direction * max_stride;
    }
    max_stride = max_stride * Real(2);
    const bool last = !(direction * (end - bracket.b) > Real(0));
    if (last) {
      bracket.b = end;
    }
    bracket.fb = f(bracket.b);
    if (bracket.fb == Real(0) || (bracket.fb > Real(0)) != (bracket.fa > Real(0))) {
      return root_in(bracket, tolerance, f, noise);
    }
    if (last) {
      break;
    }
    bracket.a = bracket.b;
    bracket.fa = bracket.fb;
  }
  return end;
}

/// `first_root` for a function that changes fast near some arguments: `points` are their magnitudes, increasing, and
/// strides begin anew at each, on both sides of zero.
template <class Real, std::size_t N, class Function>
Real first_root_past(const std::array<Real, N>& points, Real start, Real end, Real fine, Real tolerance,
                     const Function& f, Real noise = Real(std::numeric_limits<double>::infinity())) noexcept {
  const Real direction = end > start ? Real(1) : Real(-1);
  Real from = start;
  const Real first = f(start);
  if (first == Real(0)) {
    return start;
  }
  const bool side = first > Real(0);
  for (std::size_t i = 0; i < 2 * N; ++i) {  // towards zero on the one side, then away from it on the other
    const Real point = direction * (i < N ? -points[N - 1 - i] : points[i - N]);
    if (direction * (point - from) > Real(0) && direction * (end - point) > Real(0)) {
      if ((f(point) > Real(0)) != side) {
        return first_root(from, point, fine, tolerance, f, noise);
      }
      from = point;
    }
  }
  return first_root(from, end, fine, tolerance, f, noise);
}

}  // namespace stiction
