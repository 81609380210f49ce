// The bristle behind the patch models, in two dimensions (one cell) or three (a whole patch).
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "stiction/planar/friction.h"

namespace stiction::planar {

/// How long a vector is, and one over it.
struct Size {
  double length = 0, inverse = 0;
};

/// Sizes for one bristle at a time: the instructions with the shortest wait. Branches are cheap.
struct OneByOne {
  static constexpr bool branches = true;
  static Size size(double square) noexcept {
    constexpr double tiny = 1e-300;
    const double length = std::sqrt(square);
    return {length, length * (1 / (square + tiny))};  // root and quotient at the same time
  }
};

/// Sizes for many bristles: multiplications, of which a processor does far more than roots and quotients. To 2 ulp; a
/// square under 1e-307 gives some small length. No branches.
struct ManyAtOnce {
  static constexpr bool branches = false;
  static Size size(double square) noexcept {
    // A guess within 3.5 % from halving the exponent, then x ← x (1 + h/2 + 3h²/8 + 5h³/16) with h = 1 − square x²
    const auto guess = std::bit_cast<double>(0x5fe6eb50c7b537a9U - (std::bit_cast<std::uint64_t>(square) >> 1U));
    const double inverse = better(square, better(square, guess));
    return {square * inverse, inverse};
  }

 private:
  static double better(double square, double inverse) noexcept {
    const double h = multiply_add(-square * inverse, inverse, 1.0);
    return multiply_add(inverse * h, multiply_add(h, multiply_add(h, 0.3125, 0.375), 0.5), inverse);
  }
};

/// Along its path s = ∫ |v| dt a bristle follows
///   dz/ds = d − β z/z̄,   z̄ = g(|v|)/σ₀
/// where d is the direction in which it is bent: the direction of motion of a cell, or −h of a patch's limit surface.
/// It settles at z̄ d. For LuGre β = 1; elasto-plastic (eqs. 15 to 18):
///   β = ½ (ẑ·d̂ + 1) β̄(|z|),   β̄ = 0 below s_ba |d| z̄, 1 above |d| z̄, half a sine between
template <std::size_t Dimensions, class Sizes>
struct Bristle {
  using Vector = std::array<double, Dimensions>;

  static constexpr double dot(const Vector& a, const Vector& b) noexcept {
    double sum = a[0] * b[0];
    for (std::size_t i = 1; i < Dimensions; ++i) {
      sum = multiply_add(a[i], b[i], sum);
    }
    return sum;
  }
  static Size size(const Vector& a) noexcept { return Sizes::size(dot(a, a)); }

  /// What stays the same while the direction does. Quotients are few: they are what a step costs.
  struct Path {
    Vector d{};              // where the bristle is bent
    double per_length = 0;   // 1/|d|
    double per_settled = 0;  // 1/z̄
    double most = 0;         // z_max = |d| z̄
    double per_most = 0;     // 1/z_max
    double middle = 0;       // (z_ba + z_max)/2
    double per_width = 0;    // 1/(z_max − z_ba)
    double elastic = 0;      // z_ba = s_ba z_max
  };
  static Path path(const Vector& d, const Size& d_size, double settled, double per_settled,
                   double elastic_share) noexcept {
    Path path;
    path.d = d;
    path.per_length = d_size.inverse;
    path.per_settled = per_settled;
    path.most = d_size.length * settled;
    path.per_most = path.per_settled * d_size.inverse;
    path.middle = 0.5 * (1 + elastic_share) * path.most;
    path.per_width = path.per_most * (1 / (1 - elastic_share));  // a loop keeps the quotient
    path.elastic = elastic_share * path.most;
    return path;
  }

  /// ẑ·d̂
  static double cosine(const Path& path, const Vector& z, double per_length) noexcept {
    return dot(z, path.d) * path.per_length * per_length;
  }
  /// β of the elasto-plastic bristle.
  static double creep(const Path& path, double cosine, double length) noexcept {
    const double place = clip((length - path.middle) * path.per_width, -0.5, 0.5);
    return 0.25 * (cosine + 1) * (1 + sin_pi(place));
  }

  /// z after a path s with β held: exact, whatever s.
  [[gnu::always_inline]] static Vector along(const Path& path, const Vector& z, double beta, double s) noexcept {
    // z + (d − β z/z̄) (1 − e^−x)/x s with x = β s/z̄
    const double pull = beta * path.per_settled;
    const double way = s * mean_decay(pull * s);
    Vector result{};
    for (std::size_t i = 0; i < Dimensions; ++i) {
      result[i] = multiply_add(multiply_add(-pull, z[i], path.d[i]), way, z[i]);
    }
    return result;
  }

  /// An elasto-plastic bristle after a path s in one direction: second order in s, and bounded for every s, since no
  /// bristle is bent beyond z_max by sliding. In parts, for loops over many bristles.
  struct Bent {
    Vector z;
    Size size;
  };
  static Bent elasto_plastic(const Path& path, const Vector& z, double s) noexcept {
    const Size start = size(z);
    if constexpr (Sizes::branches) {
      const Vector end = moved(path, z, s);
      const double square = dot(end, end);
      if (start.length <= path.elastic && square <= path.elastic * path.elastic) {
        return {end, Sizes::size(square)};  // elastic at both ends, and so between
      }
    }
    return within(path, start, along(path, z, creep_half_way(path, z, start, s), s));
  }
  /// β half way, which is reached by an implicit step: (z + ½ s d)/(1 + ½ s β/z̄).
  [[gnu::always_inline]] static double creep_half_way(const Path& path, const Vector& z, const Size& start,
                                                      double s) noexcept {
    const double first = creep(path, cosine(path, z, start.inverse), start.length);
    const double share = 1 / multiply_add(0.5 * s * path.per_settled, first, 1.0);
    const Vector way = moved(path, z, 0.5 * s);
    const Size way_size = size(way);
    return creep(path, cosine(path, way, way_size.inverse), way_size.length * share);
  }
  [[gnu::always_inline]] static Bent within(const Path& path, const Size& start, const Vector& end) noexcept {
    Bent bent{end, size(end)};
    const double limit = start.length > path.most ? start.length : path.most;
    const double per_limit = start.length > path.most ? start.inverse : path.per_most;
    const double reached = limit * bent.size.inverse;  // under 1: beyond the limit
    const double factor = reached < 1 ? reached : 1.0;
    for (double& component : bent.z) {
      component *= factor;
    }
    bent.size.length *= factor;
    bent.size.inverse = reached < 1 ? per_limit : bent.size.inverse;
    return bent;
  }

 private:
  static Vector moved(const Path& path, const Vector& z, double s) noexcept {
    Vector result{};
    for (std::size_t i = 0; i < Dimensions; ++i) {
      result[i] = multiply_add(path.d[i], s, z[i]);
    }
    return result;
  }

  /// (1 − e^−x)/x for x ≥ 0.
  static double mean_decay(double x) noexcept {
    if constexpr (Sizes::branches) {
      if (x < 0.35) {
        // 1 − x/2! + x²/3! − … − x¹³/14!, summed pairwise: a short wait
        const double y = -x;
        const double y2 = y * y;
        const double y4 = y2 * y2;
        const double a = multiply_add(y2, multiply_add(y, 1.0 / 24, 1.0 / 6), multiply_add(y, 0.5, 1.0));
        const double b =
            multiply_add(y2, multiply_add(y, 1.0 / 40320, 1.0 / 5040), multiply_add(y, 1.0 / 720, 1.0 / 120));
        const double c = multiply_add(y2, multiply_add(y, 1.0 / 479001600, 1.0 / 39916800),
                                      multiply_add(y, 1.0 / 3628800, 1.0 / 362880));
        const double d = multiply_add(y, 1.0 / 87178291200, 1.0 / 6227020800);
        return multiply_add(y4 * y4, multiply_add(y4, d, c), multiply_add(y4, b, a));
      }
      return decay(x) / x;
    } else {
      const double small = x < 1e-9 ? 1.0 : 0.0;
      return (decay(x) + small) / (x + small);
    }
  }
};

}  // namespace stiction::planar
