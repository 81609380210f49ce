// Checks what the static-friction solver says by what it hands out, in a number type of more digits than double has:
// exact rationals, or quadruple precision whose own rounding is 1e-17 of what is compared.
#pragma once

#include <algorithm>
#include <array>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <numbers>
#include <span>
#include <string>
#include <type_traits>

#include "stiction/spatial/contact_tangents.h"
#include "stiction/spatial/static_friction.h"

namespace stiction::spatial::test {

using Rational = boost::multiprecision::cpp_rational;
__extension__ using Quad = __float128;

/// Rounding that a proof may claim: of all friction together, and of the load.
inline constexpr double claimed_rounding = 1e-12;
/// Smaller ones count as none.
inline constexpr double min_coefficient = 1e-300;

template <class Number>
class Checker {
 public:
  Checker(std::span<const Contact> contacts, const Load& load, int sides, Metric metric)
      : contacts_(contacts), load_(load), sides_(sides), metric_(metric) {
    for (const Contact& c : contacts) {
      const double lever = std::hypot(c.arm[0], c.arm[1], c.arm[2]) / load.length;
      capacity_ +=
          c.normal_force * std::max({c.friction, c.friction_v.value_or(0), c.torsion / load.length}) * (1 + lever);
    }
  }

  /// What is wrong with a verdict and its friction; nothing where both bounds are proven.
  [[nodiscard]] std::string check(const Verdict& v, std::span<const ContactResult> friction) const {
    if (v.factor > v.factor_limit) {
      return "the factor is above its limit";
    }
    if (v.holds() && !(v.proven() && v.factor >= 1)) {
      return "holds without proof";
    }
    if (v.factor_limit == infinity) {
      return "";  // nothing to hold
    }
    const Wrench needed = load_after(v.motion);
    const double size = scaled_size(needed);
    if (v.factor > 0) {
      Wrench sum = wrench_of(friction);
      for (std::size_t a = 0; a < 6; ++a) {
        sum[a] += Number(v.factor) * needed[a];
      }
      const double off = scaled_size(sum);
      if (!(off <= claimed_rounding * (capacity_ + v.factor * (size + scaled_size(wrench(load_.wrench)))))) {
        return "friction is off balance by " + std::to_string(off / (v.factor * size)) + " of the load";
      }
      if (const std::string problem = check_cones(friction); !problem.empty()) {
        return problem;
      }
    }
    // Σ largest work ≥ factor_limit f*ᵀ y would have to hold for friction to do more
    Number work = 0;
    double norm = 0;
    for (std::size_t a = 0; a < 6; ++a) {
      work += needed[a] * Number(v.mechanism[a]);
      norm += std::abs(v.mechanism[a]) * (a < 3 ? 1 : load_.length);
    }
    const double along = to_double(work);
    if (!(along > 0)) {
      return "the mechanism does not follow the load";
    }
    const double rounded_load = claimed_rounding * scaled_size(wrench(load_.wrench)) * norm;
    const double limit = (largest_work(v.mechanism) - claimed_rounding * capacity_ * norm) / (along + rounded_load);
    // Friction of less than 1e-30 of the load counts as none
    const double nothing = 1e-30 * 6 * scaled_size(wrench(load_.wrench)) * norm / (along + rounded_load);
    if (!(limit <= v.factor_limit * (1 + 1e-9) + nothing)) {
      return "the mechanism proves " + std::to_string(limit) + ", not " + std::to_string(v.factor_limit);
    }
    return "";
  }

  /// The same of a solution: friction within its cones, the motion in balance, the gap proven.
  [[nodiscard]] std::string check(const Solution& s, std::span<const ContactResult> friction) const {
    if (const std::string problem = check_cones(friction); !problem.empty()) {
      return problem;
    }
    if (metric_ != Metric::stiffness) {
      return "";
    }
    Wrench g = wrench_of(friction);
    Wrench g_y = times_stiffness(s.multiplier);
    Number energy = 0;
    Number bound = 0;
    for (std::size_t a = 0; a < 6; ++a) {
      g[a] += Number(load_.wrench[a]);
      energy += Number(0.5) * g[a] * Number(s.motion[a]);
      bound += Number(load_.wrench[a]) * Number(s.multiplier[a]) - Number(0.5) * g_y[a] * Number(s.multiplier[a]);
    }
    const Wrench spring = times_stiffness(s.motion);
    double norm = 0;
    double moved = 0;
    double off = 0;
    double size = 0;
    for (std::size_t a = 0; a < 6; ++a) {
      const double scale = a < 3 ? 1 : load_.length;
      norm += std::abs(s.multiplier[a]) * scale;
      moved += std::abs(s.motion[a]) * scale;
      off = std::max(off, std::abs(to_double(g[a] - spring[a])) / scale);
      size += std::abs(load_.wrench[a]) / scale;
    }
    const double rounding = 1e-9 * size + 1e-12 * capacity_;
    if (!(off <= rounding)) {
      return "the motion is off balance by " + std::to_string(off / size);
    }
    const double proven = to_double(bound) - largest_work(s.multiplier) + claimed_rounding * capacity_ * norm;
    const double slack = 1e-11 * (std::abs(s.objective) + size * norm);
    if (!(s.objective - proven <= s.gap + slack)) {
      return "the multiplier proves a gap of " + std::to_string(s.objective - proven) + ", not " +
             std::to_string(s.gap);
    }
    const double energy_off = std::abs(to_double(energy) - s.objective);
    return energy_off <= slack + off * moved ? "" : "the objective is off by " + std::to_string(energy_off);
  }

 private:
  using Wrench = std::array<Number, 6>;

  static double to_double(const Number& x) {
    if constexpr (std::is_same_v<Number, Rational>) {
      return x.template convert_to<double>();
    } else {
      return static_cast<double>(x);
    }
  }
  static Wrench wrench(const Vector6& x) {
    Wrench result{};
    for (std::size_t a = 0; a < 6; ++a) {
      result[a] = Number(x[a]);
    }
    return result;
  }
  [[nodiscard]] double scaled_size(const Wrench& x) const {
    double largest = 0;
    for (std::size_t a = 0; a < 6; ++a) {
      largest = std::max(largest, std::abs(to_double(x[a])) / (a < 3 ? 1 : load_.length));
    }
    return largest;
  }
  /// −K Δ, in the stiffness metric of K's symmetric part.
  [[nodiscard]] Wrench times_stiffness(const Vector6& motion) const {
    Wrench result{};
    for (std::size_t a = 0; a < 6; ++a) {
      for (std::size_t b = 0; b < 6; ++b) {
        const Number k = metric_ == Metric::stiffness
                             ? Number(0.5) * (Number(load_.gradient[a][b]) + Number(load_.gradient[b][a]))
                             : Number(load_.gradient[a][b]);
        result[a] -= k * Number(motion[b]);
      }
    }
    return result;
  }
  /// f* = F + K Δ
  [[nodiscard]] Wrench load_after(const Vector6& motion) const {
    Wrench result = times_stiffness(motion);
    for (std::size_t a = 0; a < 6; ++a) {
      result[a] = Number(load_.wrench[a]) - result[a];
    }
    return result;
  }
  [[nodiscard]] Wrench wrench_of(std::span<const ContactResult> friction) const {
    Wrench sum{};
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
      const Vector3& r = contacts_[i].arm;
      const Vector3& f = friction[i].friction;
      for (std::size_t a = 0; a < 3; ++a) {
        const std::size_t b = (a + 1) % 3;
        const std::size_t c = (a + 2) % 3;
        sum[a] += Number(f[a]);
        sum[3 + a] += Number(r[b]) * Number(f[c]) - Number(r[c]) * Number(f[b]) +
                      Number(friction[i].torque) * Number(contacts_[i].normal[a]);
      }
    }
    return sum;
  }

  struct Limits {
    double u, v, torsion;  // largest friction along u and v [N], and about the normal [N m]
  };
  static Limits limits(const Contact& c, double least = 0) {
    const auto of = [&](double coefficient) { return coefficient > least ? coefficient * c.normal_force : 0; };
    return {of(c.friction), of(c.friction_v.value_or(c.friction)), of(c.torsion)};
  }
  static double along(const Vector3& a, const Vector3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

  [[nodiscard]] std::string check_cones(std::span<const ContactResult> friction) const {
    if (friction.size() != contacts_.size()) {
      return "friction of " + std::to_string(friction.size()) + " contacts";
    }
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
      const Contact& c = contacts_[i];
      const Limits limit = limits(c);
      const ContactTangents t = contact_tangents(c);
      const double size = std::max({limit.u, limit.v, limit.torsion / load_.length});
      // Rounding of what acts along one direction is no force along another
      const auto share = [&](double force, double most) {
        const double excess = std::max(0.0, std::abs(force) - claimed_rounding * size);
        return excess == 0 ? 0 : most > 0 ? std::copysign(excess, force) / most : 1e9;
      };
      const double u = share(along(friction[i].friction, t.u), limit.u);
      const double v = share(along(friction[i].friction, t.v), limit.v);
      const double w = share(friction[i].torque, limit.torsion);
      double used = std::sqrt(u * u + v * v + w * w);
      if (sides_ > 0) {
        used = std::abs(w);
        for (int j = 0; j < sides_; ++j) {
          const double angle = (2 * j + 1) * std::numbers::pi / sides_;
          used = std::max(used, u * std::cos(angle) + v * std::sin(angle));
        }
      }
      const double lifted = std::abs(along(friction[i].friction, c.normal));
      if (!(used <= 1 + claimed_rounding) || !(lifted <= 1e-6 * size + 1e-300)) {
        return "contact " + std::to_string(i) + " gives " + std::to_string(used) + " of its friction";
      }
    }
    return "";
  }

  /// Σ of what friction can do at most against a motion, a little below it at most.
  [[nodiscard]] double largest_work(const Vector6& motion) const {
    double sum = 0;
    for (const Contact& c : contacts_) {
      const Limits limit = limits(c, min_coefficient);
      const ContactTangents t = contact_tangents(c);
      std::array<Number, 3> slip{};
      Number spin = 0;
      for (std::size_t a = 0; a < 3; ++a) {
        const std::size_t b = (a + 1) % 3;
        const std::size_t d = (a + 2) % 3;
        slip[a] =
            Number(motion[a]) + Number(motion[3 + b]) * Number(c.arm[d]) - Number(motion[3 + d]) * Number(c.arm[b]);
        spin += Number(motion[3 + a]) * Number(c.normal[a]);
      }
      Number u = 0;
      Number v = 0;
      for (std::size_t a = 0; a < 3; ++a) {
        u += slip[a] * Number(t.u[a]);
        v += slip[a] * Number(t.v[a]);
      }
      const double pu = limit.u * to_double(u);
      const double pv = limit.v * to_double(v);
      const double pw = limit.torsion * to_double(spin);
      if (sides_ == 0) {
        sum += std::hypot(pu, pv, pw);
        continue;
      }
      double most = 0;
      for (int k = 0; k < sides_; ++k) {
        const double angle = 2 * k * std::numbers::pi / sides_;
        most = std::max(most, (pu * std::cos(angle) + pv * std::sin(angle)) / std::cos(std::numbers::pi / sides_));
      }
      sum += most + std::abs(pw);
    }
    return sum;
  }

  std::span<const Contact> contacts_;
  const Load& load_;
  int sides_;
  Metric metric_;
  double capacity_ = 0;
};

}  // namespace stiction::spatial::test
