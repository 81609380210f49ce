// The spring between the hand and the body it moves: static virtual coupling (eqs. 7 to 9).
#pragma once

#include <cmath>

#include "stiction/haptics/penalty.h"
#include "stiction/haptics/pose.h"

namespace stiction::haptics {

struct Coupling {
  double stiffness = 500;           // k_vc [N/m]
  double rotational_stiffness = 2;  // k_vc,tor [N m/rad]
};

/// J_r⁻¹(φ): if the body rotates by Δω, the offset φ changes by −J_r⁻¹(φ) Δω.
///   J_r⁻¹ = 1 + ½[φ]× + (1/θ² − (1 + cos θ)/(2 θ sin θ)) [φ]×²,   θ = |φ|
inline Matrix3 inverse_right_jacobian(const Vector3& offset) noexcept {
  const double angle = norm(offset);
  // (1 + cos θ)/sin θ = 1/tan(θ/2); the series is more accurate for small angles
  const double square =
      angle < 0.05 ? 1.0 / 12 + angle * angle / 720 : (1 - 0.5 * angle / std::tan(0.5 * angle)) / (angle * angle);
  const Matrix3 cross = cross_matrix(offset);
  const Matrix3 twice = product(cross, cross);
  Matrix3 result = identity_rotation;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      result[i][j] += 0.5 * cross[i][j] + square * twice[i][j];
    }
  }
  return result;
}

/// F = k (x_m − x_s), τ = k_tor φ with exp([φ]×) = R_m R_sᵀ. x is the grasp point, at which the hand holds the body:
/// `centre` in the frame of the body.
inline Vector6 coupling_wrench(const Coupling& coupling, const Pose& hand, const Pose& body,
                               const Vector3& centre) noexcept {
  const Vector3 offset = difference(to_world(hand, centre), to_world(body, centre));
  const Vector3 rotation = rotation_vector(product(hand.rotation, transposed(body.rotation)));
  const double k = coupling.stiffness;
  const double k_tor = coupling.rotational_stiffness;
  return {k * offset[0], k * offset[1], k * offset[2], k_tor * rotation[0], k_tor * rotation[1], k_tor * rotation[2]};
}

/// Adds the wrench and its gradient: −k 1 and −k_tor J_r⁻¹(φ).
inline void add_coupling(SpringWrench& sum, const Coupling& coupling, const Vector6& wrench) noexcept {
  for (std::size_t i = 0; i < 6; ++i) {
    sum.wrench[i] += wrench[i];
  }
  const double k_tor = coupling.rotational_stiffness;
  add_block(sum.gradient, 0, 0, -coupling.stiffness, identity_rotation);
  add_block(sum.gradient, 3, 3, -k_tor,
            inverse_right_jacobian({wrench[3] / k_tor, wrench[4] / k_tor, wrench[5] / k_tor}));
}

/// Output limits of a device. Force and torque saturate separately, each keeping its direction.
struct DeviceLimits {
  double force = 1e300;   // [N]
  double torque = 1e300;  // [N m]
};
inline Vector6 saturated(const DeviceLimits& limits, Vector6 wrench) noexcept {
  const double force = norm(Vector3{wrench[0], wrench[1], wrench[2]});
  const double torque = norm(Vector3{wrench[3], wrench[4], wrench[5]});
  const double of_force = force > limits.force ? limits.force / force : 1;
  const double of_torque = torque > limits.torque ? limits.torque / torque : 1;
  for (std::size_t i = 0; i < 3; ++i) {
    wrench[i] *= of_force;
    wrench[3 + i] *= of_torque;
  }
  return wrench;
}

}  // namespace stiction::haptics
