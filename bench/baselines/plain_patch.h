// The paper's equations as written, without optimisation: the baseline of patch models.
#pragma once

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "stiction/planar/reduced.h"

namespace stiction::bench {

using planar::Friction;
using planar::Points;
using planar::Twist;
using planar::Wrench;

inline double steady(const Friction& p, double speed) {
  return p.coulomb +
         (p.static_level - p.coulomb) * std::exp(-std::pow(speed / p.stribeck_velocity, p.stribeck_exponent));
}

/// β of eqs. 15 to 18 and 32.
template <class Vector>
double plain_beta(const Friction& p, const Vector& z, const Vector& v, double max_length) {
  double zz = 0;
  double vv = 0;
  double zv = 0;
  for (std::size_t i = 0; i < z.size(); ++i) {
    zz += z[i] * z[i];
    vv += v[i] * v[i];
    zv += z[i] * v[i];
  }
  const double length = std::sqrt(zz);
  if (length == 0 || vv == 0 || length <= p.elastic_share * max_length) {
    return 0;
  }
  const double aligned = 0.5 * (zv / (length * std::sqrt(vv)) + 1);
  if (length >= max_length) {
    return aligned;
  }
  const double elastic_length = p.elastic_share * max_length;
  return aligned * 0.5 *
         (std::sin(std::numbers::pi * (length - (max_length + elastic_length) / 2) / (max_length - elastic_length)) +
          1);
}

struct PlainDistributed {
  Friction p;
  Points points;
  std::vector<std::array<double, 2>> z = std::vector<std::array<double, 2>>(points.size());
  std::vector<std::array<double, 2>> dz = z;

  /// The wrench at the current state, and the rates of the bristles.
  Wrench rate(const std::vector<std::array<double, 2>>& at, const Twist& twist, double normal,
              std::vector<std::array<double, 2>>& rates) const {
    Wrench total;
    for (std::size_t i = 0; i < at.size(); ++i) {
      const std::array v{twist.x - twist.spin * points.y[i], twist.y + twist.spin * points.x[i]};
      const double speed = std::sqrt(v[0] * v[0] + v[1] * v[1]);
      const double g = steady(p, speed);
      const double beta = plain_beta(p, at[i], v, g / p.stiffness);
      std::array<double, 2> l{};
      for (std::size_t k = 0; k < 2; ++k) {
        rates[i][k] = v[k] - at[i][k] * beta * p.stiffness * speed / g;
        l[k] = (p.stiffness * at[i][k] + p.damping * rates[i][k] + p.viscous * v[k]) * points.share[i] * normal;
      }
      total = total + Wrench{-l[0], -l[1], -(points.x[i] * l[1] - points.y[i] * l[0])};
    }
    return total;
  }
  Wrench euler_step(const Twist& twist, double normal, double dt) {
    const Wrench total = rate(z, twist, normal, dz);
    for (std::size_t i = 0; i < z.size(); ++i) {
      for (std::size_t k = 0; k < 2; ++k) {
        z[i][k] += dt * dz[i][k];
      }
    }
    return total;
  }
};

struct PlainReduced {
  Friction p;
  planar::AngleTable table;
  double r, u;
  Vector3 z{};

  Wrench rate(const Vector3& at, const Twist& twist, double normal, Vector3& rates) const {
    const double speed = std::sqrt(twist.x * twist.x + twist.y * twist.y + r * r * twist.spin * twist.spin);
    const Vector3 h = table({twist.x, twist.y, r * twist.spin});
    const double g = steady(p, speed);
    const Vector3 opposite{-h[0], -h[1], -h[2]};
    const double size = std::sqrt(h[0] * h[0] + h[1] * h[1] + h[2] * h[2]);
    const double beta = plain_beta(p, Vector3{at[0], at[1], at[2] / r}, opposite, size * g / p.stiffness);
    const Vector3 s{1, 1, r};
    const Vector3 viscous{twist.x, twist.y, u * twist.spin};
    Vector3 f{};
    for (std::size_t k = 0; k < 3; ++k) {
      rates[k] = -(s[k] * h[k] + at[k] * beta * p.stiffness / g) * speed;
      f[k] = -(p.stiffness * at[k] + p.damping * rates[k] + p.viscous * viscous[k]) * normal;
    }
    return {f[0], f[1], f[2]};
  }
  Wrench euler_step(const Twist& twist, double normal, double dt) {
    Vector3 dz{};
    const Wrench wrench = rate(z, twist, normal, dz);
    for (std::size_t k = 0; k < 3; ++k) {
      z[k] += dt * dz[k];
    }
    return wrench;
  }
};

}  // namespace stiction::bench
