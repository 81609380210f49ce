// Small scenes with contacts that can be computed by hand.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>

#include "stiction/geometry/distance_field.h"
#include "stiction/geometry/point_shell.h"
#include "stiction/geometry/shapes.h"
#include "stiction/haptics/renderer.h"

namespace stiction::test {

inline constexpr double cube_half = 0.02;  // [m]

/// A cube of 4 cm with exact distances.
inline const geometry::DistanceField& cube_field() {
  static const geometry::DistanceField field = geometry::DistanceField::of_function(
      [](const Vector3& p) {
        const Vector3 q{std::abs(p[0]) - cube_half, std::abs(p[1]) - cube_half, std::abs(p[2]) - cube_half};
        const Vector3 out{std::max(q[0], 0.0), std::max(q[1], 0.0), std::max(q[2], 0.0)};
        return norm(out) + std::min(std::max({q[0], q[1], q[2]}), 0.0);
      },
      {{-cube_half, -cube_half, -cube_half}, {cube_half, cube_half, cube_half}}, {64, 4});
  return field;
}
/// A floor, z ≤ 0, with normals straight up.
inline const geometry::PointShell& floor_shell() {
  static const geometry::PointShell shell =
      geometry::PointShell::make(geometry::moved(geometry::box({0.2, 0.2, 0.02}, 4), {0, 0, -0.01}), {3000, 5, 1});
  return shell;
}
/// A floor and two walls: x, y, z ≥ 0 is free.
inline const geometry::PointShell& corner_shell() {
  static const geometry::PointShell shell = geometry::PointShell::make(geometry::corner(0.08, 0.01, 2), {2500, 5, 1});
  return shell;
}

/// Without the damping of sliding and the lag of stiffness, cycles can be computed by hand.
inline haptics::RenderParams plain() {
  haptics::RenderParams params;
  params.static_damping = 0;
  params.stiffness_lag = 0;
  return params;
}

/// The cube moves; the other body has the shell.
inline haptics::Renderer cube_on(const geometry::PointShell& shell, double friction,
                                 const haptics::RenderParams& params,
                                 haptics::Separation separation = haptics::Separation::pulled,
                                 std::unique_ptr<haptics::FrictionStep> step = haptics::make_cone_program(1000)) {
  const haptics::BodyPair pair{.field = &cube_field(), .shell = &shell, .shell_moves = false, .friction = friction};
  // of a cube of side a, per mass: a²/6
  const double inertia = 4 * cube_half * cube_half / 6;
  const haptics::MovingBody body{{}, {{{inertia, 0, 0}, {0, inertia, 0}, {0, 0, inertia}}}};
  return {std::span(&pair, 1), body, params, std::move(step), separation};
}

inline Vector3 force_of(const Vector6& wrench) { return {wrench[0], wrench[1], wrench[2]}; }

/// Sum of the forces of all contacts on the body, and of their torques about its centre.
inline Vector6 contact_wrench(const haptics::Renderer& renderer, const haptics::Pose& body) {
  Vector6 wrench{};
  const auto centre = haptics::to_world(body, renderer.centre());
  for (std::size_t i = 0; i < renderer.contact_count(); ++i) {
    const haptics::ContactForce c = renderer.contact(i);
    const auto force = sum(c.normal_force, c.friction);
    const auto torque = cross(difference(c.position, centre), force);
    for (std::size_t k = 0; k < 3; ++k) {
      wrench[k] += force[k];
      wrench[3 + k] += torque[k];
    }
  }
  return wrench;
}

}  // namespace stiction::test
