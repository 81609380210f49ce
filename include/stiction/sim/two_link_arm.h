// A planar arm of two links with friction in both joints.
#pragma once

#include <array>
#include <cmath>

#include "stiction/math.h"
#include "stiction/scalar/joint_solver.h"

namespace stiction::sim {

/// Two rigid links in a vertical plane (standard 2R arm). q₁ is measured from the horizontal, q₂ from link 1.
///   M(q) dv/dt + C(q, v) v + G(q) = τ − F
///   M₁₁ = a + 2 b cos q₂,  M₁₂ = M₂₁ = d + b cos q₂,  M₂₂ = d
///   C v = b sin q₂ (−2 v₁ v₂ − v₂²,  v₁²),   G = g ((m₁ c₁ + m₂ l₁) cos q₁ + m₂ c₂ cos(q₁ + q₂),  m₂ c₂ cos(q₁ + q₂))
///   a = I₁ + m₁ c₁² + I₂ + m₂ (l₁² + c₂²),   b = m₂ l₁ c₂,   d = I₂ + m₂ c₂²
struct TwoLinkArm {
  struct Params {
    double length_1{};   // l₁ [m], > 0
    double mass_1{};     // m₁ [kg], > 0
    double centre_1{};   // c₁, from joint 1 to the centre of mass [m], ≥ 0
    double inertia_1{};  // I₁ about that, with the rotor of motor 1 [kg m²], > 0
    double mass_2{};     // m₂ [kg], > 0
    double centre_2{};   // c₂, from joint 2 [m], ≥ 0
    double inertia_2{};  // I₂ [kg m²], > 0
    double gravity{};    // g [m/s²], ≥ 0; 0: a horizontal plane
  };
  using Vector = scalar::JointVector<2>;
  using Matrix = scalar::JointMatrix<2>;

  static constexpr std::array<Field<Params, double>, 8> fields{{
      {"length_1", &Params::length_1, "m", positive, required, "l1, from joint 1 to joint 2"},
      {"mass_1", &Params::mass_1, "kg", positive, required, "m1"},
      {"centre_1", &Params::centre_1, "m", non_negative, required, "c1, from joint 1 to the centre of mass"},
      {"inertia_1", &Params::inertia_1, "kg m²", positive, required, "I1, about the centre of mass"},
      {"mass_2", &Params::mass_2, "kg", positive, required, "m2"},
      {"centre_2", &Params::centre_2, "m", non_negative, required, "c2, from joint 2 to the centre of mass"},
      {"inertia_2", &Params::inertia_2, "kg m²", positive, required, "I2, about the centre of mass"},
      {"gravity", &Params::gravity, "m/s²", non_negative, 0.0, "g, along −y"},
  }};

  Params params;

  static std::optional<Problem> check(const Params& p) noexcept { return first_problem(p, fields); }
#if defined(__cpp_exceptions)
  static TwoLinkArm make(const Params& p) { return TwoLinkArm(checked<TwoLinkArm>(p)); }
#endif
  /// For parameters that `check` has passed.
  explicit TwoLinkArm(const Params& p) noexcept : params(p) {}

  [[nodiscard]] Matrix mass_matrix(const Vector& q) const noexcept {
    const double b = coupling() * std::cos(q[1]);
    const double d = params.inertia_2 + params.mass_2 * square(params.centre_2);
    const double a =
        params.inertia_1 + params.mass_1 * square(params.centre_1) + d + params.mass_2 * square(params.length_1);
    return {{{a + 2 * b, d + b}, {d + b, d}}};
  }

  /// W = M⁻¹
  [[nodiscard]] Matrix mobility(const Vector& q) const noexcept {
    const Matrix m = mass_matrix(q);
    const double determinant = m[0][0] * m[1][1] - m[0][1] * m[1][0];
    return {{{m[1][1] / determinant, -m[0][1] / determinant}, {-m[1][0] / determinant, m[0][0] / determinant}}};
  }

  /// C(q, v) w with the C for which dM/dt − 2 C is skew-symmetric; w = v: Coriolis and centrifugal torques.
  [[nodiscard]] Vector coriolis(const Vector& q, const Vector& v, const Vector& w) const noexcept {
    const double h = coupling() * std::sin(q[1]);
    return {-h * v[1] * w[0] - h * (v[0] + v[1]) * w[1], h * v[0] * w[0]};
  }

  [[nodiscard]] Vector gravity_torque(const Vector& q) const noexcept {
    const double far = params.gravity * params.mass_2 * params.centre_2 * std::cos(q[0] + q[1]);
    const double near =
        params.gravity * (params.mass_1 * params.centre_1 + params.mass_2 * params.length_1) * std::cos(q[0]);
    return {near + far, far};
  }

  [[nodiscard]] double kinetic_energy(const Vector& q, const Vector& v) const noexcept {
    const Vector momentum = times(mass_matrix(q), v);
    return (v[0] * momentum[0] + v[1] * momentum[1]) / 2;
  }
  [[nodiscard]] double potential_energy(const Vector& q) const noexcept {
    return params.gravity * ((params.mass_1 * params.centre_1 + params.mass_2 * params.length_1) * std::sin(q[0]) +
                             params.mass_2 * params.centre_2 * std::sin(q[0] + q[1]));
  }

  /// dv/dt under the torques τ − F.
  [[nodiscard]] Vector acceleration(const Vector& q, const Vector& v, const Vector& torque) const noexcept {
    const Vector c = coriolis(q, v, v);
    const Vector g = gravity_torque(q);
    return times(mobility(q), {torque[0] - c[0] - g[0], torque[1] - c[1] - g[1]});
  }

  static Vector times(const Matrix& m, const Vector& x) noexcept {
    return {m[0][0] * x[0] + m[0][1] * x[1], m[1][0] * x[0] + m[1][1] * x[1]};
  }

 private:
  /// b = m₂ l₁ c₂
  [[nodiscard]] double coupling() const noexcept { return params.mass_2 * params.length_1 * params.centre_2; }
};

/// The complete state of arm and friction.
template <class Friction>
struct ArmState {
  TwoLinkArm::Vector position{};  // q [rad]
  TwoLinkArm::Vector velocity{};  // v [rad/s]
  std::array<typename Friction::State, 2> friction{};

  friend bool operator==(const ArmState&, const ArmState&) = default;
};

template <class Friction>
struct ArmStepped {
  ArmState<Friction> state;
  TwoLinkArm::Vector friction{};  // over the step [N m]
  scalar::JointReport report;     // of the coupled solve
};

/// One step of dt at constant torque: first order, and it holds at rest as the coupled step of a single axis does.
///   v_free = v + dt W (τ − C v − G),   v⁺ = v_free − dt W F(v⁺),   q⁺ = q + dt v⁺
/// Friction is implicit and coupled over both joints; the arm's own terms are evaluated half a step ahead, at
/// q + dt v/2.
template <scalar::Dynamics Friction>
ArmStepped<Friction> step(const TwoLinkArm& arm, const std::array<Friction, 2>& friction, const ArmState<Friction>& now,
                          const TwoLinkArm::Vector& torque, double dt,
                          const scalar::JointOptions& options = {}) noexcept {
  const auto& [q, v, bristles] = now;
  const TwoLinkArm::Vector middle{q[0] + dt / 2 * v[0], q[1] + dt / 2 * v[1]};
  const auto dv = arm.acceleration(middle, v, torque);
  const auto solved = scalar::solve_joints(friction, bristles,
                                           {.free_velocity = {v[0] + dt * dv[0], v[1] + dt * dv[1]},
                                            .mobility = arm.mobility(middle),
                                            .velocity = v,
                                            .dt = dt},
                                           options);
  return {{{q[0] + dt * solved.velocity[0], q[1] + dt * solved.velocity[1]}, solved.velocity, solved.state},
          solved.force,
          solved.report};
}

}  // namespace stiction::sim
