// Sliding friction from measured points, with exact stiction at rest.
#pragma once

#include "stiction/scalar/set_valued.h"

namespace stiction::scalar {

inline constexpr std::size_t max_points = 32;

template <class Real>
struct TabulatedParams {
  List<Real, max_points> speed{};  // [m/s], ≥ 0, strictly increasing
  List<Real, max_points> force{};  // [N], ≥ 0, at each speed
  Real static_force{};             // F_S [N], ≥ the force at the first speed
};

/// A friction curve as measured: linear interpolation of (speed, force), constant beyond the last speed.
///   v ≠ 0: F = curve(|v|) sgn v      v = 0: F = load while |load| ≤ F_S
template <class Real>
struct BasicTabulated : SetValued<BasicTabulated<Real>, TabulatedParams<Real>, Real> {
  using Base = SetValued<BasicTabulated<Real>, TabulatedParams<Real>, Real>;
  using Base::Base;
  using typename Base::Params;

  static constexpr Info info{"tabulated", "Sliding friction from measured points, set-valued at rest",
                             "F = curve(|v|) sgn v;  v = 0: F = load while |load| <= F_S", "measured by the user"};
  static constexpr std::array<Field<Params, Real>, 1> fields{{
      {"static_force", &Params::static_force, "N", positive_size, required, "F_S >= first force, break-away force"},
  }};
  static constexpr std::array<ListField<Params, Real, max_points>, 2> lists{{
      {"speed", &Params::speed, "m/s", size_or_zero, "1 to 32 numbers, strictly increasing",
       "where friction was measured"},
      {"force", &Params::force, "N", size_or_zero, "as many as speed", "friction at each speed"},
  }};

  static std::optional<Problem> problem(const Params& p) noexcept {
    if (auto problem = problem_unlike("force", p.force, p.speed, "as many as speed")) {
      return problem;
    }
    for (std::size_t i = 1; i < p.speed.size; ++i) {
      if (!(p.speed[i] > p.speed[i - 1])) {
        return Problem{"speed", plain(p.speed[i]), "strictly increasing"};
      }
    }
    return problem_below("static_force", p.static_force, p.force[0], ">= the first force");
  }

  Real sliding_force(Real speed, Real) const noexcept {
    if (!(speed > params_.speed[0])) {
      return params_.force[0] + Real(0) * speed;  // a NaN propagates
    }
    for (std::size_t i = 1; i < params_.speed.size; ++i) {
      if (speed < params_.speed[i]) {
        const Real share = (speed - params_.speed[i - 1]) / (params_.speed[i] - params_.speed[i - 1]);
        const Real force = params_.force[i - 1] + share * (params_.force[i] - params_.force[i - 1]);
        return force < Real(0) ? Real(0) : force;  // by rounding, just before a point where it is 0
      }
    }
    return params_.force[params_.speed.size - 1] + Real(0) * speed;
  }
  Real breakaway_force(Real) const noexcept { return params_.static_force; }
  /// The shortest distance between two speeds.
  Real velocity_scale() const noexcept {
    Real shortest = params_.speed[0] > Real(0) ? params_.speed[0] : Real(1e-3);
    for (std::size_t i = 1; i < params_.speed.size; ++i) {
      const Real gap = params_.speed[i] - params_.speed[i - 1];
      shortest = gap < shortest ? gap : shortest;
    }
    return shortest;
  }
  /// The residual w + gain·curve(w) − free_speed is linear between the points: its first root from `speed` on.
  Real sliding_speed(Real free_speed, Real gain, Real speed) const noexcept {
    if (!(free_speed > Real(0)) || gain == Real(0)) {
      return free_speed > Real(0) ? free_speed : Real(0);
    }
    const auto& [points, forces, static_force] = params_;
    const auto residual = [&](Real w, Real force) { return w + gain * force - free_speed; };
    const auto slowed = [&](Real w) { return clip(w, Real(0), free_speed); };  // rounding must not speed it up
    Real w = clip(speed, Real(0), free_speed);
    Real at_w = residual(w, sliding_force(w, Real(1)));
    if (at_w == Real(0)) {
      return w;
    }
    if (at_w > Real(0)) {  // slows down
      for (std::size_t i = points.size; i-- > 0;) {
        if (points[i] < w) {
          const Real next = residual(points[i], forces[i]);
          if (next <= Real(0)) {
            return slowed(points[i] - (w - points[i]) * next / (at_w - next));
          }
          w = points[i];
          at_w = next;
        }
      }
      return slowed(free_speed - gain * forces[0]);
    }
    for (std::size_t i = 0; i < points.size; ++i) {
      if (points[i] > w) {
        const Real next = residual(points[i], forces[i]);
        if (next > Real(0)) {
          return slowed(w - (points[i] - w) * at_w / (next - at_w));
        }
        w = points[i];
        at_w = next;
      }
    }
    return slowed(free_speed - gain * forces[points.size - 1]);
  }

 private:
  using Base::params_;
};

using Tabulated = BasicTabulated<double>;
static_assert(Sticking<Tabulated>);
STICTION_REGISTERED(Tabulated);

}  // namespace stiction::scalar
