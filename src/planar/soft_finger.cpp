#include "stiction/planar/soft_finger.h"

#include <algorithm>
#include <cmath>

#include "require.h"

namespace stiction::planar {
namespace {

constexpr double min_radius = patch_sizes.low;  // [m]

/// ∫ t^m p dt / ∫ t p dt over 0 … 1 with p = [1 − t^k]^(1/k): both are Beta functions,
///   ∫ t^m (1 − t^k)^(1/k) dt = B((m + 1)/k, 1 + 1/k)/k
double moment(double m, double k) {
  const double y = 1 + 1 / k;
  const double a = (m + 1) / k;
  const double b = 2 / k;
  return std::exp(std::lgamma(a) - std::lgamma(a + y) - std::lgamma(b) + std::lgamma(b + y));
}

}  // namespace

std::optional<Problem> check(const SoftFinger& finger) noexcept {
  if (!patch_sizes.holds(finger.reach)) {
    return Problem{"reach", finger.reach, patch_sizes.text};
  }
  const Range& allowed = finger.per_newton ? positive : soft_finger_exponents;
  if (!allowed.holds(finger.exponent)) {
    return Problem{"exponent", finger.exponent, allowed.text};
  }
  if (!positive_or_infinite.holds(finger.largest)) {
    return Problem{"largest", finger.largest, positive_or_infinite.text};
  }
  return std::nullopt;
}

double SoftFinger::radius(double normal_force) const noexcept {
  // a = c f_N^(1/3); a NaN propagates
  const double a = reach * std::cbrt(normal_force < 0 ? 0 : normal_force);
  return a > largest ? largest : a;
}

double SoftFinger::power(double normal_force) const noexcept {
  const Range& range = soft_finger_exponents;
  return per_newton ? clip(exponent * normal_force, range.low, range.high) : exponent;
}

double SoftFinger::torque_radius(double normal_force) const noexcept {
  return radius(normal_force) * moment(2, power(normal_force));
}

double SoftFinger::mean_square_radius(double normal_force) const noexcept {
  return square(radius(normal_force)) * moment(3, power(normal_force));
}

SurfaceFamily<AxisymmetricCurve> soft_finger_surfaces(double min_exponent, double max_exponent, std::size_t members) {
  require(soft_finger_exponents.holds(min_exponent), "smallest exponent", min_exponent, soft_finger_exponents.text);
  require(soft_finger_exponents.holds(max_exponent) && max_exponent >= min_exponent, "largest exponent", max_exponent,
          ">= the smallest one and <= 1000");
  require(members >= 2 && members <= 100, "members", static_cast<double>(members), "in [2, 100]");
  std::vector<double> powers;
  std::vector<AxisymmetricCurve> curves;
  const bool several = max_exponent > (1 + 1e-9) * min_exponent;
  for (std::size_t i = 0; i < members && (i == 0 || several); ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(members - 1);
    powers.push_back(clip(1 / ((1 - share) / min_exponent + share / max_exponent), min_exponent, max_exponent));
    // Within about 1e-3 of curves from much finer grids; more samples per cell do not improve this
    constexpr std::size_t cells = 31;
    constexpr std::size_t samples = 2;
    const Pressure pressure = soft_finger_pressure(1, powers.back());
    curves.emplace_back(Patch(pressure_grid(pressure, {-1, -1}, {1, 1}, cells, cells, samples)), 32);
  }
  return {std::move(powers), std::move(curves)};
}

SoftFingerModel SoftFingerModel::make(const Friction& friction, const SoftFinger& finger, double max_force) {
  if (const auto problem = check(friction)) {
    throw InvalidParameter(*problem);
  }
  if (const auto problem = check(finger)) {
    throw InvalidParameter(*problem);
  }
  require(positive.holds(max_force), "max_force", max_force, positive.text);
  const double max_exponent = finger.power(max_force);
  const double min_exponent = finger.per_newton ? soft_finger_exponents.low : max_exponent;
  SoftFingerModel result{finger, SoftFingerFriction({friction, {}, soft_finger_surfaces(min_exponent, max_exponent)})};
  press(result.model, finger, max_force);
  return result;
}

void press(SoftFingerFriction& model, const SoftFinger& finger, double normal_force) noexcept {
  const double k = finger.power(normal_force);
  const double radius = finger.radius(normal_force);
  const double a = radius < min_radius ? min_radius : radius;  // a NaN propagates
  model.resize(a * moment(2, k), a * a * moment(3, k), k);
}

}  // namespace stiction::planar
