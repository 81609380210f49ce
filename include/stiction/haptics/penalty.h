// Penalty contacts: the wrench of the contact springs on the moving body, and its gradient (eqs. 1 to 6).
#pragma once

#include <algorithm>
#include <cstddef>

#include "stiction/haptics/contact_finder.h"
#include "stiction/haptics/pose.h"
#include "stiction/spatial/static_friction.h"

namespace stiction::haptics {

/// Linearisation of the depth of a contact as the body moves.
enum class Slope {
  as_published,  // along its normal N: the sum over contacts is symmetric and restoring; for the loop
  exact,         // along the field's gradient
};

/// A wrench about the centre c of the moving body, and its gradient with respect to (Δx, Δω).
struct SpringWrench {
  Vector6 wrench{};    // F [N], τ [N m]
  Matrix6 gradient{};  // by rows
};

inline void add_block(Matrix6& k, std::size_t row, std::size_t column, double factor, const Matrix3& block) noexcept {
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      k[row + i][column + j] += factor * block[i][j];
    }
  }
}

/// Adds F = k depth N, τ = r × F and the part of the gradient due to the change of depth; r = position − c:
///   ∂(F, τ) = −k (N, r × N) (e, r × e)ᵀ (Δx, Δω)
inline void add_spring(SpringWrench& sum, const Touch& touch, const Vector3& arm, double stiffness,
                       Slope slope) noexcept {
  const auto with_moment = [&](const Vector3& a) {
    const Vector3 m = cross(arm, a);
    return Vector6{a[0], a[1], a[2], m[0], m[1], m[2]};
  };
  const Vector6 along = with_moment(touch.push);
  const Vector6 change = slope == Slope::as_published ? along : with_moment(touch.slope);
  const double force = stiffness * touch.depth;
  for (std::size_t i = 0; i < 6; ++i) {
    sum.wrench[i] += force * along[i];
    for (std::size_t j = 0; j < 6; ++j) {
      sum.gradient[i][j] -= stiffness * along[i] * change[j];
    }
  }
}

/// Adds the part of the gradient due to the change of contact points and normals, once for all springs of one kind; F
/// and τ are their sums.
///   shell fixed, r changes by −Δx:                      ∂τ/∂x = [F]×
///   shell moves, contact points and normals rotate too: ∂F/∂ω = −[F]×,  ∂τ/∂ω = [F]×[r]× − [r]×[F]× = −[τ]×
inline void add_rotation(SpringWrench& sum, bool shell_moves) noexcept {
  const Matrix3 force = cross_matrix({sum.wrench[0], sum.wrench[1], sum.wrench[2]});
  if (!shell_moves) {
    add_block(sum.gradient, 3, 0, 1, force);
    return;
  }
  add_block(sum.gradient, 0, 3, -1, force);
  add_block(sum.gradient, 3, 3, -1, cross_matrix({sum.wrench[3], sum.wrench[4], sum.wrench[5]}));
}

/// Limits the total stiffness of many parallel contacts. Spring j contributes (N_i · N_j)² of its stiffness along N_i,
/// so all contacts together are as stiff along N_i as
///   n_i = Σ_j (N_i · N_j)² = N_iᵀ S N_i,   S = Σ_j N_j N_jᵀ
/// parallel springs. With k_i = k_max min(1, n₀/n_i) the total is at most n₀ k_max in any direction that the contacts
/// share. S is low-pass filtered, so that the stiffness does not jump with the number of contacts.
class StiffnessAdaptation {
 public:
  /// n₀ > 0; `share`: gain of the low-pass filter in each cycle, in (0, 1]
  StiffnessAdaptation(double parallel_contacts, double share) noexcept : max_(parallel_contacts), share_(share) {}

  void begin() noexcept { now_ = {}; }
  void count(const Vector3& normal, double weight = 1) noexcept {
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) {
        now_[i][j] += weight * normal[i] * normal[j];
      }
    }
  }
  void end() noexcept {
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) {
        lagged_[i][j] += share_ * (now_[i][j] - lagged_[i][j]);
      }
    }
  }
  /// k_i / k_max
  [[nodiscard]] double factor(const Vector3& normal) const noexcept {
    const auto along = [&](const Matrix3& springs) { return dot(normal, rotate(springs, normal)); };
    return std::min(1.0, max_ / std::max({1.0, along(now_), along(lagged_)}));
  }

 private:
  double max_, share_;
  Matrix3 now_{}, lagged_{};
};

}  // namespace stiction::haptics
