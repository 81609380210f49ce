// The friction polygon of eq. 13 in Kaufman's form: as a sum of forces along its corners.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace stiction::spatial {

/// ℓ sides around the circle of radius μ N (eq. 13), with corners at the angles φ_i = 2πi/ℓ (eqs. 15, 16):
///   β_u cos θ_j + β_v sin θ_j ≤ μ N,   θ_j = (2j + 1)π/ℓ
/// Kaufman's cone has unknowns b_i ≥ 0 along the corners whose sum is at most μ N. The theorem (eqs. 14 to 26): this
/// polygon is Kaufman's, scaled by 1/cos(π/ℓ). The proof is constructive; `decompose` and `compose` are its two
/// directions.
template <class Real = double>
class FrictionPolygon {
 public:
  using Friction = std::array<Real, 2>;  // (β_u, β_v)

  /// Fewer than three sides are taken as three.
  explicit FrictionPolygon(std::size_t sides) noexcept : sides_(sides < 3 ? 3 : sides) {}

  [[nodiscard]] std::size_t sides() const noexcept { return sides_; }
  /// 1/cos θ_0: its size relative to Kaufman's polygon, and its circumradius over the radius of the circle.
  [[nodiscard]] Real scale() const noexcept {
    using std::cos;
    return Real(1) / cos(half_angle());
  }
  /// T_i (eq. 15), in the tangents' frame.
  [[nodiscard]] Friction corner(std::size_t i) const noexcept {
    using std::cos;
    using std::sin;
    const Real angle = Real(2) * half_angle() * static_cast<Real>(i);
    return {cos(angle), sin(angle)};
  }

  /// The smallest μ N whose polygon contains this friction: the largest left-hand side of eq. 13.
  [[nodiscard]] Real needed(const Friction& friction) const noexcept {
    using std::cos;
    using std::sin;
    Real largest{};
    for (std::size_t j = 0; j < sides_; ++j) {
      const Real angle = half_angle() * static_cast<Real>(2 * j + 1);
      const Real along = friction[0] * cos(angle) + friction[1] * sin(angle);
      largest = along > largest ? along : largest;
    }
    return largest;
  }

  /// Friction as b_i T_i + b_{i+1} T_{i+1}, both b ≥ 0 (eqs. 20 to 22). Their sum is needed(friction)/cos θ_0 (eq. 23).
  struct Share {
    std::size_t corner;  // i; the other is (i + 1) % ℓ
    Real here, next;     // b_i, b_{i+1}
  };
  [[nodiscard]] Share decompose(const Friction& friction) const noexcept {
    using std::atan2;
    using std::floor;
    using std::sin;
    const Real sector_angle = Real(2) * half_angle();
    const auto count = static_cast<Real>(sides_);
    // eq. 19: the two adjacent corners. If rounding picks the next sector, one b is negative by a rounding error.
    const Real sector = floor(atan2(friction[1], friction[0]) / sector_angle);
    const Real around = sector < Real(0) ? sector + count : sector;
    const std::size_t i = around >= Real(0) && around < count ? static_cast<std::size_t>(around) : 0;
    const Friction here = corner(i);
    const Friction next = corner((i + 1) % sides_);
    // (F × T)·N in the frame of the tangents
    const auto across = [&](const Friction& t) { return friction[0] * t[1] - friction[1] * t[0]; };
    const Real b_here = across(next) / sin(sector_angle);
    const Real b_next = -across(here) / sin(sector_angle);
    return {i, b_here < Real(0) ? Real(0) : b_here, b_next < Real(0) ? Real(0) : b_next};
  }

  /// Σ b_i T_i (eqs. 24, 25), with `sides()` coefficients.
  template <class Numbers>
  [[nodiscard]] Friction compose(const Numbers& b) const noexcept {
    Friction sum{};
    for (std::size_t i = 0; i < sides_; ++i) {
      const Friction t = corner(i);
      sum[0] += b[i] * t[0];
      sum[1] += b[i] * t[1];
    }
    return sum;
  }

 private:
  [[nodiscard]] Real half_angle() const noexcept { return std::numbers::pi_v<Real> / static_cast<Real>(sides_); }

  std::size_t sides_;
};

}  // namespace stiction::spatial
