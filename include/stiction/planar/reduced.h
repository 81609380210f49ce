// Friction of a contact patch of any shape, with three states.
#pragma once

#include <optional>
#include <utility>

#include "stiction/planar/bristle.h"
#include "stiction/planar/coupled.h"
#include "stiction/planar/surfaces.h"

namespace stiction::planar {

/// Waltersson and Karayiannidis, eqs. 22 to 32, with S = diag(1, 1, r), U = diag(1, 1, u), v_S = S v:
///   dz/dt = −(S h(v) + β z σ₀/g(|v_S|)) |v_S|
///   wrench = −(σ₀ z + σ₁ dz/dt + σ₂ U v) f_N
/// `Surface` gives h: Ellipsoid, SurfaceTable, AxisymmetricCurve, SurfaceFamily or AngleTable. Twists and wrenches are
/// at the centre of pressure. A negative normal force means no contact and counts as 0. NaN in any argument gives NaN;
/// dt ≥ 0. Steps are always inlined, so that loops hoist divisions of parameters, otherwise a quarter of the cost.
template <class Surface>
struct Reduced {
  struct Params {
    Friction friction;
    PressureMoments pressure;  // Patch::pressure_moments(): size and place of the patch
    Surface surface;           // h [-], made from the same patch
  };
  struct State {
    double x = 0, y = 0;  // [m]
    double rotation = 0;  // [m²]: r times a deflection
    friend constexpr bool operator==(const State&, const State&) = default;
  };
  struct Stepped {
    Wrench wrench;
    State state;
  };

  /// The first parameter that cannot be used, if there is one.
  static std::optional<Problem> check(const Params& p) noexcept {
    const auto problem = planar::check(p.friction);
    return problem ? problem : planar::check(p.pressure);
  }
#if defined(__cpp_exceptions)
  /// The model, or InvalidParameter.
  static Reduced make(const Params& p) { return Reduced(checked<Reduced>(p)); }
#endif
  /// For parameters that `check` has passed.
  explicit Reduced(Params p) noexcept : params_(std::move(p)) {}

  [[nodiscard]] const Params& params() const noexcept { return params_; }

  /// Sets r and u for the same shape, as for a soft finger under another load. NaN propagates to later results.
  void resize(double r, double u) noexcept {
    params_.pressure.torque_radius = r;
    params_.pressure.mean_square_radius = u;
  }
  /// The same, and selects the member of a SurfaceFamily.
  void resize(double r, double u, double member) noexcept requires requires(Surface surface) { surface.select(member); }
  {
    resize(r, u);
    params_.surface.select(member);
  }

  [[nodiscard]] State rate(const State& z, const Twist& twist) const noexcept {
    const Motion motion = motion_of(twist);
    return unscaled(rate_of(motion, scaled(z)));
  }
  [[nodiscard]] Wrench wrench(const State& z, const Twist& twist, double normal_force) const noexcept {
    const Motion motion = motion_of(twist);
    const Vector3 at = scaled(z);
    return wrench_of(at, rate_of(motion, at), twist, normal_force);
  }
  /// Both at once, for ODE solvers.
  [[nodiscard]] Stepped rate_and_wrench(const State& z, const Twist& twist, double normal_force) const noexcept {
    const Motion motion = motion_of(twist);
    const Vector3 at = scaled(z);
    const Vector3 rate = rate_of(motion, at);
    return {wrench_of(at, rate, twist, normal_force), unscaled(rate)};
  }

  /// The state after dt at a constant twist: exact for LuGre, second-order accurate for elasto-plastic bristles;
  /// bounded for every dt.
  [[nodiscard]] State advance(const State& z, const Twist& twist, double dt) const noexcept {
    return unscaled(advanced(motion_of(twist), scaled(z), dt).z);
  }
  /// `advance`, then the wrench at the new state: the call for a control loop.
  [[nodiscard, gnu::always_inline]] Stepped step(const State& z, const Twist& twist, double normal_force,
                                                 double dt) const noexcept {
    const Motion motion = motion_of(twist);
    const auto deflected = advanced(motion, scaled(z), dt);
    return {wrench_of(deflected.z, rate_of(motion, deflected.z), twist, normal_force), unscaled(deflected.z)};
  }
  /// Coupled step of body and friction. See solve_coupled.
  struct Solved : CoupledWrench {
    State state;  // at the end of the step
  };
  [[nodiscard]] Solved solve(const State& z, const CoupledTwist& coupled) const noexcept {
    State now = z;
    const auto trial = [&](const Twist& twist, double dt) { return step(now, twist, coupled.normal_force, dt).wrench; };
    const auto move = [&](const Twist& twist, double dt) {
      const Stepped next = step(now, twist, coupled.normal_force, dt);
      now = next.state;
      return next.wrench;
    };
    const CoupledWrench solved =
        solve_coupled(coupled, params_.friction.stribeck_velocity, params_.pressure.torque_radius, trial, move);
    return {solved, now};
  }
  /// The authors' explicit Euler step: the wrench at the old state, then z + dt dz/dt. Unstable for
  /// dt > 2 g/(σ₀ |v|), unless the bristle is bounded to z_max, an option in their code.
  [[nodiscard, gnu::always_inline]] Stepped euler_step(const State& z, const Twist& twist, double normal_force,
                                                       double dt, bool bounded = false) const noexcept {
    const Motion motion = motion_of(twist);
    const Vector3 at = scaled(z);
    const Vector3 slope = slope_of(motion, at);
    // z + dt |v_S| dz/ds: lowest latency for the state, since the next step depends on it
    const double s = dt * motion.speed;
    State next{multiply_add(slope[0], s, z.x), multiply_add(slope[1], s, z.y),
               multiply_add(slope[2], s * params_.pressure.torque_radius, z.rotation)};
    if (bounded) {
      const double reached = motion.path.max_length * Body::size(scaled(next)).inverse;
      const double factor = reached < 1 ? reached : 1.0;
      next = {next.x * factor, next.y * factor, next.rotation * factor};
    }
    return {wrench_of(at, times(slope, motion.speed), twist, normal_force), next};
  }

 private:
  template <class>
  friend class FrozenStiffness;  // scales the friction beyond the ranges of `check`
  using Body = Bristle<3, OneByOne>;
  struct Motion {
    double speed;  // |v_S| [m/s]
    Body::Path path;
  };

  Vector3 scaled(const State& z) const noexcept {
    return {z.x, z.y,
            z.rotation * (params_.pressure.torque_radius > 0 ? 1 / params_.pressure.torque_radius
                                                             : 0)};  // a single point has no rotation
  }
  State unscaled(const Vector3& z) const noexcept { return {z[0], z[1], z[2] * params_.pressure.torque_radius}; }

  [[gnu::always_inline]] Motion motion_of(const Twist& twist) const noexcept {
    const Vector3 v{twist.x, twist.y, params_.pressure.torque_radius * twist.spin};
    const double square = Body::dot(v, v);
    const double speed = std::sqrt(square);
    const Vector3 h = params_.surface(v);
    const Vector3 d{-h[0], -h[1], -h[2]};
    const double g = level(square, speed);
    return {speed, Body::path(d, Body::size(d), g / params_.friction.stiffness, params_.friction.stiffness / g,
                              params_.friction.elastic_share)};
  }
  /// g(|v_S|), which does not depend on the square root if γ = 2.
  [[gnu::always_inline]] double level(double square, double speed) const noexcept {
    if (params_.friction.stribeck_exponent != 2) {
      return params_.friction.curve()(speed);
    }
    const double per_velocity = 1 / params_.friction.stribeck_velocity;  // loop-invariant division
    return params_.friction.static_level -
           (params_.friction.static_level - params_.friction.coulomb) * decay(square * per_velocity * per_velocity);
  }
  static Vector3 times(const Vector3& a, double factor) noexcept {
    return {a[0] * factor, a[1] * factor, a[2] * factor};
  }
  Vector3 rate_of(const Motion& motion, const Vector3& z) const noexcept {
    return times(slope_of(motion, z), motion.speed);
  }
  /// dz/ds = d − β z/z̄
  [[gnu::always_inline]] Vector3 slope_of(const Motion& motion, const Vector3& z) const noexcept {
    const double pull = params_.friction.elasto_plastic ? pull_of(motion.path, z) : motion.path.per_settled;
    return {multiply_add(-pull, z[0], motion.path.d[0]), multiply_add(-pull, z[1], motion.path.d[1]),
            multiply_add(-pull, z[2], motion.path.d[2])};
  }
  /// β/z̄ of an elasto-plastic bristle: as Bristle's `creep`, in an order of evaluation with little latency from
  /// one step to the next, and none while the bristle is elastic.
  [[gnu::always_inline]] double pull_of(const Body::Path& path, const Vector3& z) const noexcept {
    const Size size = Body::size(z);
    if (size.length <= path.elastic) {
      return 0;
    }
    const double per_plastic_share = 1 / (1 - params_.friction.elastic_share);  // loop-invariant division
    const double middle = 0.5 * (1 + params_.friction.elastic_share) * per_plastic_share;
    const double along = Body::dot(z, path.d) * path.per_length;
    const double half = 0.25 * path.per_settled * multiply_add(along, size.inverse, 1.0);  // ½ β/z̄ without β̄
    const double phase = clip(multiply_add(size.length, path.per_width, -middle), -0.5, 0.5);
    return multiply_add(half, sin_pi(phase), half);
  }
  Body::Deflected advanced(const Motion& motion, const Vector3& z, double dt) const noexcept {
    const double s = motion.speed * dt;
    if (params_.friction.elasto_plastic) {
      return Body::elasto_plastic(motion.path, z, s);
    }
    return {Body::along(motion.path, z, 1, s), {}};
  }
  [[gnu::always_inline]] Wrench wrench_of(const Vector3& z, const Vector3& rate, const Twist& twist,
                                          double normal_force) const noexcept {
    const auto [s0, s1, s2] =
        std::array{params_.friction.stiffness, params_.friction.damping, params_.friction.viscous};
    const double force = in_contact(normal_force);
    return {-(s0 * z[0] + s1 * rate[0] + s2 * twist.x) * force, -(s0 * z[1] + s1 * rate[1] + s2 * twist.y) * force,
            -(params_.pressure.torque_radius * (s0 * z[2] + s1 * rate[2]) +
              s2 * params_.pressure.mean_square_radius * twist.spin) *
                force};
  }

  Params params_;
};

}  // namespace stiction::planar
