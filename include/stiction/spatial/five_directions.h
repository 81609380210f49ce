// The projection onto an elliptic cone with five friction directions, four of them in one SIMD vector.
#pragma once

#include <array>
#include <cmath>

#if defined(__GNUC__)
namespace stiction::spatial {

/// As EllipticCone<6>::project, with four directions in a SIMD vector and the fifth as a scalar, so that everything
/// stays in registers.
class FiveDirections {
 public:
  using Force = std::array<double, 6>;
  FiveDirections(const std::array<double, 5>& mu, const Force& f) noexcept
      : mu_{{mu[0], mu[1], mu[2], mu[3]}, mu[4]},
        sideways_{{std::abs(f[1]), std::abs(f[2]), std::abs(f[3]), std::abs(f[4])}, std::abs(f[5])},
        f_(f) {}

  /// Whether squares and quotients stay far from overflow and underflow.
  [[nodiscard]] bool moderate() const noexcept {
    const double square = f_[0] * f_[0] + total(sideways_ * sideways_);
    return -largest(zero - mu_) > 1e-8 && largest(mu_) < 1e8 && square > 1e-200 && square < 1e200;
  }
  [[nodiscard]] Force nearest() const noexcept {
    const double normal = f_[0];
    const bool pressed = normal > 0;
    if (pressed && largest(sideways_ - mu_ * normal) <= 0) {
      const Five ratio = sideways_ / mu_;
      if (total(ratio * ratio) <= normal * normal) {
        return f_;
      }
    }
    if (const Five reach = mu_ * sideways_; !pressed && total(reach * reach) <= normal * normal) {
      return {};  // in the polar cone: the apex
    }
    const Five cosine2 = one / (one + mu_ * mu_);
    const Five sine2 = mu_ * mu_ * cosine2;
    const Five pull = mu_ * cosine2 * sideways_;
    const Five k = pressed ? sine2 * normal : cosine2 * -normal;
    const double alone = largest(pull - k);
    double nu = alone > 0 ? alone : 0.0;
    Five inverse = one / (k + nu);
    for (int iteration = 0; iteration < 50; ++iteration) {
      const Five share = pull * inverse;
      const Five part = share * share;
      const double squares = total(part);
      if (!(squares > 1)) {
        break;
      }
      const double step = squares / total(part * inverse) * (std::sqrt(squares) - 1);
      nu += step;
      if (squares - 1 < 1e-9) {
        inverse = inverse - inverse * inverse * step;  // to rounding: 1/(a + s) = (1 − s/a)/a
        break;
      }
      inverse = one / (k + nu);
    }
    const double x = (pressed ? normal : 0.0) + nu;
    const Five share = sine2 * inverse * x;
    return {x,
            f_[1] * share.four[0],
            f_[2] * share.four[1],
            f_[3] * share.four[2],
            f_[4] * share.four[3],
            f_[5] * share.fifth};
  }

 private:
  using Four [[gnu::vector_size(32)]] = double;
  struct Five {
    Four four;
    double fifth;
    friend Five operator+(const Five& a, const Five& b) noexcept { return {a.four + b.four, a.fifth + b.fifth}; }
    friend Five operator-(const Five& a, const Five& b) noexcept { return {a.four - b.four, a.fifth - b.fifth}; }
    friend Five operator*(const Five& a, const Five& b) noexcept { return {a.four * b.four, a.fifth * b.fifth}; }
    friend Five operator/(const Five& a, const Five& b) noexcept { return {a.four / b.four, a.fifth / b.fifth}; }
    friend Five operator+(const Five& a, double b) noexcept { return {a.four + b, a.fifth + b}; }
    friend Five operator*(const Five& a, double b) noexcept { return {a.four * b, a.fifth * b}; }
  };
  static constexpr Five zero{};
  static constexpr Five one{{1, 1, 1, 1}, 1};
  static double total(const Five& x) noexcept { return ((x.four[0] + x.four[2]) + (x.four[1] + x.four[3])) + x.fifth; }
  static double larger(double a, double b) noexcept { return a > b ? a : b; }
  static double largest(const Five& x) noexcept {
    return larger(larger(larger(x.four[0], x.four[1]), larger(x.four[2], x.four[3])), x.fifth);
  }

  Five mu_, sideways_;
  Force f_;
};

}  // namespace stiction::spatial
#endif
