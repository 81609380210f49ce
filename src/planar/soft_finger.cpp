#include "stiction/planar/soft_finger.h"

#include <algorithm>
#include <cmath>

#include "require.h"

namespace stiction::planar {
namespace {

constexpr double least_exponent = 0.5;  // below it nearly all the force is in one point
constexpr double least_radius = 1e-6;   // [m]

/// ∫ t^m p dt / ∫ t p dt over 0 … 1 with p = [1 − t^k]^(1/k): both are Beta functions,
///   ∫ t^m (1 − t^k)^(1/k) dt = B((m + 1)/k, 1 + 1/k)/k
double moment(double m, double k) {
  const double y = 1 + 1 / k;
  const double a = (m + 1) / k;
  const double b = 2 / k;
  return std::exp(std::lgamma(a) - std::lgamma(a + y) - std::lgamma(b) + std::lgamma(b + y));
}

}  // namespace

double SoftFinger::radius(double normal_force) const noexcept {
  // a = c f_N^(1/3)
  return std::min(reach * std::cbrt(normal_force), largest);
}

double SoftFinger::power(double normal_force) const noexcept { return per_newton ? exponent * normal_force : exponent; }

double SoftFinger::torque_radius(double normal_force) const noexcept {
  return radius(normal_force) * moment(2, power(normal_force));
}

double SoftFinger::mean_square_radius(double normal_force) const noexcept {
  return square(radius(normal_force)) * moment(3, power(normal_force));
}

SurfaceFamily<AxisymmetricCurve> soft_finger_surfaces(double least, double most, std::size_t members) {
  require(least >= least_exponent && least <= most && most < infinity, "least exponent", least,
          ">= 0.5 and <= the largest");
  require(members >= 2, "members", static_cast<double>(members), ">= 2");
  std::vector<double> powers;
  std::vector<AxisymmetricCurve> curves;
  for (std::size_t i = 0; i < members && (i == 0 || most > least); ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(members - 1);
    powers.push_back(1 / ((1 - share) / least + share / most));
    // About 1e-3 off curves from far finer grids; more samples in a cell bring them no nearer
    constexpr std::size_t cells = 31;
    constexpr std::size_t samples = 2;
    const Pressure pressure = soft_finger_pressure(1, powers.back());
    curves.emplace_back(Patch(pressure_grid(pressure, {-1, -1}, {1, 1}, cells, cells, samples)), 32);
  }
  return {std::move(powers), std::move(curves)};
}

SoftFingerModel SoftFingerModel::make(const Friction& friction, const SoftFinger& finger, double most_force) {
  if (const auto problem = check(friction)) {
    throw InvalidParameter(*problem);
  }
  require(positive.holds(finger.reach), "reach", finger.reach, positive.text);
  require(positive.holds(finger.exponent), "exponent", finger.exponent, positive.text);
  require(positive.holds(most_force), "most_force", most_force, positive.text);
  const double most = std::max(finger.power(most_force), least_exponent);
  SoftFingerModel result{finger,
                         {friction, soft_finger_surfaces(finger.per_newton ? least_exponent : most, most), 0, 0}};
  press(result.model, finger, most_force);
  return result;
}

void press(SoftFingerFriction& model, const SoftFinger& finger, double normal_force) noexcept {
  const double k = std::max(finger.power(normal_force), least_exponent);
  const double a = std::max(finger.radius(std::max(normal_force, 0.0)), least_radius);
  model.surface.select(k);
  model.resize(a * moment(2, k), a * a * moment(3, k));
}

}  // namespace stiction::planar
