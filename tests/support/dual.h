// A number with a derivative, as automatic differentiation needs it: the plainest type that the models must work with.
#pragma once

#include <cmath>
#include <limits>

namespace stiction::test {

class Dual {
 public:
  Dual(double value = 0, double derivative = 0) : value_(value), derivative_(derivative) {}  // NOLINT: as a number
  [[nodiscard]] double value() const { return value_; }
  [[nodiscard]] double derivative() const { return derivative_; }

  Dual operator-() const { return {-value_, -derivative_}; }
  friend Dual operator+(const Dual& a, const Dual& b) { return {a.value_ + b.value_, a.derivative_ + b.derivative_}; }
  friend Dual operator-(const Dual& a, const Dual& b) { return {a.value_ - b.value_, a.derivative_ - b.derivative_}; }
  friend Dual operator*(const Dual& a, const Dual& b) {
    return {a.value_ * b.value_, a.derivative_ * b.value_ + a.value_ * b.derivative_};
  }
  friend Dual operator/(const Dual& a, const Dual& b) {
    return {a.value_ / b.value_, (a.derivative_ - a.value_ / b.value_ * b.derivative_) / b.value_};
  }
  Dual& operator+=(const Dual& b) { return *this = *this + b; }
  Dual& operator-=(const Dual& b) { return *this = *this - b; }

  friend bool operator<(const Dual& a, const Dual& b) { return a.value_ < b.value_; }
  friend bool operator>(const Dual& a, const Dual& b) { return a.value_ > b.value_; }
  friend bool operator<=(const Dual& a, const Dual& b) { return a.value_ <= b.value_; }
  friend bool operator>=(const Dual& a, const Dual& b) { return a.value_ >= b.value_; }
  friend bool operator==(const Dual& a, const Dual& b) { return a.value_ == b.value_; }
  friend bool operator!=(const Dual& a, const Dual& b) { return a.value_ != b.value_; }

  friend Dual abs(const Dual& x) { return x.value_ < 0 ? -x : x; }
  friend Dual sqrt(const Dual& x) { return x.chain(std::sqrt(x.value_), 0.5 / std::sqrt(x.value_)); }
  friend Dual exp(const Dual& x) { return x.chain(std::exp(x.value_), std::exp(x.value_)); }
  friend Dual log(const Dual& x) { return x.chain(std::log(x.value_), 1 / x.value_); }
  friend Dual sin(const Dual& x) { return x.chain(std::sin(x.value_), std::cos(x.value_)); }
  friend Dual cos(const Dual& x) { return x.chain(std::cos(x.value_), -std::sin(x.value_)); }
  friend Dual tanh(const Dual& x) {
    const double t = std::tanh(x.value_);
    return x.chain(t, (1 - t) * (1 + t));
  }

 private:
  [[nodiscard]] Dual chain(double value, double slope) const { return {value, slope * derivative_}; }

  double value_;
  double derivative_;
};

}  // namespace stiction::test

template <>
class std::numeric_limits<stiction::test::Dual> : public std::numeric_limits<double> {};
