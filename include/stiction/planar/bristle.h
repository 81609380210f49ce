// The bristle behind the patch models, in two dimensions (one cell) or three (a whole patch).
#pragma once

#include <array>
#include <cstddef>

#include "stiction/planar/friction.h"

namespace stiction::planar {

/// Along its path s = ∫ |v| dt a bristle follows
///   dz/ds = d − β z/z̄,   z̄ = g(|v|)/σ₀
/// where d is the direction in which it is bent: the direction of motion of a cell, or −h of a patch's limit surface.
/// It settles at z̄ d. For LuGre β = 1; elasto-plastic (eqs. 15 to 18):
///   β = ½ (ẑ·d̂ + 1) β̄(|z|),   β̄ = 0 below s_ba |d| z̄, 1 above |d| z̄, half a sine between
template <std::size_t Dimensions>
struct Bristle {
  using Vector = std::array<double, Dimensions>;

  static constexpr double dot(const Vector& a, const Vector& b) noexcept {
    double sum = 0;
    for (std::size_t i = 0; i < Dimensions; ++i) {
      sum += a[i] * b[i];
    }
    return sum;
  }
  static double length(const Vector& a) noexcept { return std::sqrt(dot(a, a)); }

  /// What stays the same while the direction does. Quotients are few: they are what a step costs.
  struct Path {
    Vector d{};                // where the bristle is bent
    double settled = 0;        // z̄
    double per_settled = 0;    // 1/z̄
    double most = 0;           // z_max = |d| z̄
    double per_length = 0;     // 1/|d|
    double per_width = 0;      // 1/(z_max − z_ba)
    double elastic_share = 0;  // s_ba
  };
  /// `d_length` may be 0: then nothing matters, and nothing is divided by 0.
  static Path path(const Vector& d, double d_length, double settled, double elastic_share) noexcept {
    constexpr double tiny = 1e-300;
    Path path;
    path.d = d;
    path.settled = settled;
    path.per_settled = 1 / settled;
    path.most = d_length * settled;
    path.per_length = 1 / (d_length + tiny);
    path.per_width = path.per_settled * path.per_length / (1 - elastic_share);
    path.elastic_share = elastic_share;
    return path;
  }

  /// β of the elasto-plastic bristle.
  static double creep(const Path& path, const Vector& z, double z_length) noexcept {
    constexpr double tiny = 1e-300;
    const double along = dot(z, path.d) * path.per_length / (z_length + tiny);
    // From −½ at z_ba to ½ at z_max
    const double place = clip((z_length - 0.5 * (1 + path.elastic_share) * path.most) * path.per_width, -0.5, 0.5);
    return 0.25 * (along + 1) * (1 + sin_pi(place));
  }

  /// z after a path s with β held: exact, whatever s.
  static Vector along(const Path& path, const Vector& z, double beta, double s) noexcept {
    // z + (d − β z/z̄) (1 − e^−x)/x s with x = β s/z̄
    const double pull = beta * path.per_settled;
    const double x = pull * s;
    const double small = x < 1e-9 ? 1.0 : 0.0;
    const double way = (decay(x) + small) / (x + small) * s;
    Vector result{};
    for (std::size_t i = 0; i < Dimensions; ++i) {
      result[i] = z[i] + (path.d[i] - pull * z[i]) * way;
    }
    return result;
  }

  /// An elasto-plastic bristle after a path s in one direction: second order in s, and bounded for every s, since no
  /// bristle is bent beyond z_max by sliding.
  static Vector elasto_plastic(const Path& path, const Vector& z, double s) noexcept {
    constexpr double tiny = 1e-300;
    const double start = length(z);
    const double first = creep(path, z, start) * path.per_settled;
    // Half way by an implicit step
    const double share = 1 / (1 + 0.5 * s * first);
    Vector middle{};
    for (std::size_t i = 0; i < Dimensions; ++i) {
      middle[i] = (z[i] + 0.5 * s * path.d[i]) * share;
    }
    const Vector end = along(path, z, creep(path, middle, length(middle)), s);
    const double limit = start > path.most ? start : path.most;
    const double size = length(end);
    const double factor = (size > limit ? limit : size) / (size + tiny);
    Vector result{};
    for (std::size_t i = 0; i < Dimensions; ++i) {
      result[i] = end[i] * factor;
    }
    return result;
  }
};

}  // namespace stiction::planar
