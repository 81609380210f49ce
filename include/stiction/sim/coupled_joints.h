// Joints that are coupled through a mass matrix: one implicit step of all frictions together.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

#include "stiction/math.h"
#include "stiction/scalar/model.h"

namespace stiction::sim {

template <std::size_t N>
using JointVector = std::array<double, N>;
template <std::size_t N>
using JointMatrix = std::array<std::array<double, N>, N>;

struct SweepOptions {
  int most_sweeps = 100;
  double tolerance = 1e-13;  // on the residual, relative to the largest velocity that enters
};

template <std::size_t N, class Model>
struct JointsSolved {
  JointVector<N> force{};     // friction of each joint over the step [N m]
  JointVector<N> velocity{};  // at its end [rad/s]
  std::array<typename Model::State, N> state{};
  int sweeps = 0;
  double residual = 0;  // largest |v⁺ − v_free + dt W F| [rad/s]
};

/// The solution of  v⁺ = v_free − dt W F,  F_i in the law of joint i at v_i⁺, with W the inverse of the mass matrix: by
/// Gauss–Seidel. Each joint in turn calls its own coupled `solve` with the mobility W_ii while the others' forces stay.
/// W is positive definite, so for friction that rises with velocity every sweep lowers a convex function and the sweeps
/// converge. Where friction falls (Stribeck) they converge for steps for which `one_root` holds. Bounded; `residual`
/// says how far it came. W and v_free belong to the load that the friction does not see.
template <std::size_t N, scalar::Model Model>
JointsSolved<N, Model> solve_joints(const std::array<Model, N>& friction,
                                    const std::array<typename Model::State, N>& state,
                                    const JointVector<N>& free_velocity, const JointMatrix<N>& mobility, double dt,
                                    const JointVector<N>& velocity, const SweepOptions& options = {}) noexcept {
  JointsSolved<N, Model> out;
  double scale = 0;
  for (std::size_t i = 0; i < N; ++i) {
    // The force that the present velocity would have: a start that is near for short steps.
    out.force[i] = friction[i].force(state[i], velocity[i]);
    scale = std::fmax(scale, std::fabs(free_velocity[i]) + std::fabs(velocity[i]));
    out.velocity[i] = velocity[i];
  }
  // What joint i feels of the others: v_free,i − dt Σ_j≠i W_ij F_j
  const auto free_of = [&](std::size_t i) {
    double free = free_velocity[i];
    for (std::size_t j = 0; j < N; ++j) {
      free -= j == i ? 0 : dt * mobility[i][j] * out.force[j];
    }
    return free;
  };
  do {
    for (std::size_t i = 0; i < N; ++i) {
      const auto solved = friction[i].solve(state[i], free_of(i), mobility[i][i], dt, velocity[i]);
      out.force[i] = solved.force;
      out.velocity[i] = solved.velocity;
      out.state[i] = solved.state;
    }
    ++out.sweeps;
    out.residual = 0;
    for (std::size_t i = 0; i < N; ++i) {
      const double off = std::fabs(out.velocity[i] - free_of(i) + dt * mobility[i][i] * out.force[i]);
      out.residual = off <= out.residual || is_nan(out.residual) ? out.residual : off;
    }
  } while (out.residual > options.tolerance * scale && out.sweeps < options.most_sweeps);
  return out;
}

}  // namespace stiction::sim
