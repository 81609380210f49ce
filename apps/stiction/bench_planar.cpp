#include <algorithm>
#include <cmath>
#include <numbers>

#include "bench_rows.h"
#include "stiction/planar/distributed.h"
#include "stiction/planar/reduced.h"
#include "stiction/planar/shapes.h"

namespace stiction::cli {
namespace {

using planar::Distributed;
using planar::Friction;
using planar::Patch;
using planar::Points;
using planar::Reduced;
using planar::Scaled;
using planar::SurfaceTable;
using planar::Twist;
using planar::Wrench;

volatile double sink = 0;

/// The settings of the paper's timing tables: softer bristles, so that explicit Euler steps of 0.1 ms are stable.
Friction timed_friction() {
  Friction friction = planar::preset::waltersson_p1();
  friction.stiffness = 1e5;
  friction.damping = 20;
  return friction;
}
constexpr Twist timed_twist{0.1, -0.05, 1.59};
constexpr double timed_step = 1e-5;

// The paper's equations as they read ----------------------------------------------------------------------------------

double steady(const Friction& p, double speed) {
  return p.coulomb +
         (p.static_level - p.coulomb) * std::exp(-std::pow(speed / p.stribeck_velocity, p.stribeck_exponent));
}

/// β of eqs. 15 to 18 and 32.
template <class Vector>
double plain_beta(const Friction& p, const Vector& z, const Vector& v, double most) {
  double zz = 0;
  double vv = 0;
  double zv = 0;
  for (std::size_t i = 0; i < z.size(); ++i) {
    zz += z[i] * z[i];
    vv += v[i] * v[i];
    zv += z[i] * v[i];
  }
  const double length = std::sqrt(zz);
  if (length == 0 || vv == 0 || length <= p.elastic_share * most) {
    return 0;
  }
  const double aligned = 0.5 * (zv / (length * std::sqrt(vv)) + 1);
  if (length >= most) {
    return aligned;
  }
  const double least = p.elastic_share * most;
  return aligned * 0.5 * (std::sin(std::numbers::pi * (length - (most + least) / 2) / (most - least)) + 1);
}

struct PlainDistributed {
  Friction p;
  Points points;
  std::vector<std::array<double, 2>> z = std::vector<std::array<double, 2>>(points.size());

  Wrench euler_step(const Twist& twist, double normal, double dt) {
    Wrench total;
    for (std::size_t i = 0; i < z.size(); ++i) {
      const std::array v{twist.x - twist.spin * points.y[i], twist.y + twist.spin * points.x[i]};
      const double speed = std::sqrt(v[0] * v[0] + v[1] * v[1]);
      const double g = steady(p, speed);
      const double beta = plain_beta(p, z[i], v, g / p.stiffness);
      std::array<double, 2> l{};
      for (std::size_t k = 0; k < 2; ++k) {
        const double dz = v[k] - z[i][k] * beta * p.stiffness * speed / g;
        l[k] = (p.stiffness * z[i][k] + p.damping * dz + p.viscous * v[k]) * points.share[i] * normal;
        z[i][k] += dt * dz;
      }
      total = total + Wrench{-l[0], -l[1], -(points.x[i] * l[1] - points.y[i] * l[0])};
    }
    return total;
  }
};

struct PlainReduced {
  Friction p;
  planar::AngleTable table;
  double r, u;
  Scaled z{};

  Wrench euler_step(const Twist& twist, double normal, double dt) {
    const double speed = std::sqrt(twist.x * twist.x + twist.y * twist.y + r * r * twist.spin * twist.spin);
    const Scaled h = table({twist.x, twist.y, r * twist.spin});
    const double g = steady(p, speed);
    const Scaled opposite{-h[0], -h[1], -h[2]};
    const double size = std::sqrt(h[0] * h[0] + h[1] * h[1] + h[2] * h[2]);
    const double beta = plain_beta(p, Scaled{z[0], z[1], z[2] / r}, opposite, size * g / p.stiffness);
    const Scaled s{1, 1, r};
    const Scaled viscous{twist.x, twist.y, u * twist.spin};
    Scaled f{};
    for (std::size_t k = 0; k < 3; ++k) {
      const double dz = -(s[k] * h[k] + z[k] * beta * p.stiffness / g) * speed;
      f[k] = -(p.stiffness * z[k] + p.damping * dz + p.viscous * viscous[k]) * normal;
      z[k] += dt * dz;
    }
    return {f[0], f[1], f[2]};
  }
};

/// The torque in units of a force.
double difference(const Wrench& a, const Wrench& b, double r) {
  return std::max({std::abs(a.x - b.x), std::abs(a.y - b.y), std::abs(a.torque - b.torque) / r});
}

/// A twist that turns a little from step to step.
Twist twist_at(int k) { return {timed_twist.x, timed_twist.y + 1e-4 * std::sin(0.01 * k), timed_twist.spin}; }

/// Times step(k) against plain(k) once their answers have been compared, from step `from` on: a step gives the force at
/// its end, Euler's at its start, and these are alike once both slide steadily.
template <class Step, class Plain>
Row compared(const std::string& what, const std::string& baseline, int operations, int from, double allowed, double r,
             const Step& step, const Plain& plain) {
  double deviation = 0;
  for (int k = 0; k < 1200; ++k) {
    const double off = difference(step(k), plain(k), r);
    deviation = k >= from ? std::max(deviation, off) : deviation;
  }
  require_same(what, deviation, allowed);
  const auto repeat = [operations](const auto& one) {
    for (int k = 0; k < operations; ++k) {
      sink = one(k).x;
    }
  };
  const auto [ours, theirs] = time_both(
      operations, [&] { repeat(step); }, [&] { repeat(plain); });
  return {what, baseline, ours, theirs, deviation};
}

Row distributed_row(const std::string& what, bool euler, double allowed) {
  const Patch patch(planar::paper::square());
  const Distributed model(timed_friction(), patch);
  PlainDistributed plain{timed_friction(), patch.points()};
  std::vector<double> z(model.state_size());
  return compared(
      what, "plain distributed model, explicit Euler", 20, euler ? 0 : 1000, allowed, patch.torque_radius(),
      [&](int k) {
        return euler ? model.euler_step(z, twist_at(k), 1, timed_step) : model.step(z, twist_at(k), 1, timed_step);
      },
      [&](int k) { return plain.euler_step(twist_at(k), 1, timed_step); });
}

Row reduced_row() {
  const Patch patch(planar::paper::square());
  const auto model = Reduced<SurfaceTable>::make(timed_friction(), patch, SurfaceTable(patch));
  PlainReduced plain{timed_friction(), planar::AngleTable(patch), patch.torque_radius(), patch.mean_square_radius()};
  Reduced<SurfaceTable>::State z;
  return compared(
      "Reduced::step, limit surface", "plain reduced model, explicit Euler", 2000, 1000, 0.01, patch.torque_radius(),
      [&](int k) {
        const auto next = model.step(z, twist_at(k), 1, timed_step);
        z = next.state;
        return next.wrench;
      },
      [&](int k) { return plain.euler_step(twist_at(k), 1, timed_step); });
}

Row table_row() {
  const std::string what = "SurfaceTable, 21x21 cells, 1875 nodes";
  const Patch patch(planar::paper::circle());
  const SurfaceTable table(patch);
  const planar::AngleTable plain(patch, 20, planar::authors_bilinear_wrench);
  double deviation = 0;
  for (int k = 0; k < 1000; ++k) {
    const Scaled v{std::sin(1.3 * k), std::cos(2.1 * k), std::sin(0.7 * k + 1)};
    const Scaled a = table(v);
    const Scaled b = plain(v);
    for (std::size_t i = 0; i < 3; ++i) {
      deviation = std::max(deviation, std::abs(a[i] - b[i]));
    }
  }
  require_same(what, deviation, 0.03);  // the bilinear rule is off by that much
  const auto [ours, theirs] = time_both(
      1,
      [&] {
        sink = SurfaceTable(patch)({1, 2, 3})[0];
      },
      [&] {
        sink = planar::AngleTable(patch, 20, planar::authors_bilinear_wrench)({1, 2, 3})[0];
      });
  return {what, "AngleTable by the bilinear rule", ours, theirs, deviation};
}

}  // namespace

std::vector<Row> planar_rows() {
  return {distributed_row("Distributed::euler_step, 21x21", true, 1e-9),
          distributed_row("Distributed::step, 21x21", false, 1e-3), reduced_row(), table_row()};
}

}  // namespace stiction::cli
