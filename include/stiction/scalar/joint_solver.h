// Friction in several joints that are coupled through their mass matrix: one implicit step of all of them together.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "stiction/export.h"
#include "stiction/scalar/model.h"

namespace stiction::scalar {

template <std::size_t N>
using JointVector = std::array<double, N>;
template <std::size_t N>
using JointMatrix = std::array<std::array<double, N>, N>;

/// One step of n joints:
///   v⁺ = v_free − dt W F,   F_i in the law of joint i at v_i⁺
/// with W the inverse of the mass matrix. W and v_free include all loads except friction.
struct JointStep {
  std::span<const double> free_velocity;  // at the end of the step without friction, n [rad/s]
  std::span<const double> mobility;       // W, n × n by rows, symmetric and positive definite [1/(kg m²)]
  std::span<const double> velocity;       // at its start, n [rad/s]; selects the root if a law has several
  double dt = 0;                          // [s], ≥ 0
};

struct JointOptions {
  int max_iterations = 100;  // Newton steps, ≥ 1; 2 to 7 are usual
  double tolerance = 1e-13;  // of the residual, over the largest |v_free| + |v|
};

enum class JointStatus : std::uint8_t { converged, max_iterations, not_finite };

struct JointReport {
  JointStatus status = JointStatus::converged;
  int iterations = 0;
  double residual = 0;  // largest |v⁺ − v_free + dt W F| [rad/s]
};

/// The response of one joint alone in the step: force = its friction, velocity = free_velocity − mobility·dt·force.
struct JointResponse {
  double force = 0;     // [N m]
  double velocity = 0;  // at the end of the step [rad/s]
};

/// The coupled step of one joint alone: JointResponse operator()(joint, free_velocity, mobility) noexcept. Refers to a
/// callable that must outlive it.
class JointLaw {
 public:
  template <class Call>
  JointLaw(const Call& call) noexcept  // NOLINT(google-explicit-constructor): any callable will do
      : call_(&call), invoke_([](const void* self, std::size_t joint, double free_velocity, double mobility) noexcept {
          return (*static_cast<const Call*>(self))(joint, free_velocity, mobility);
        }) {}
  JointResponse operator()(std::size_t joint, double free_velocity, double mobility) const noexcept {
    return invoke_(call_, joint, free_velocity, mobility);
  }

 private:
  const void* call_;
  JointResponse (*invoke_)(const void*, std::size_t, double, double) noexcept;
};

/// Size of the workspace of `solve_joints`.
constexpr std::size_t joint_workspace(std::size_t joints) noexcept { return joints * (2 * joints + 9); }

/// Solves the step by a semismooth Newton method on F_i = R_i(v_free,i − dt Σ_j≠i W_ij F_j), where R_i is the response
/// of joint i alone with the mobility W_ii. Steps are regularised as needed so that the duality gap decreases, not
/// necessarily in each step, but over four of them. If that fails, two Gauss–Seidel sweeps replace a step. Bounded
/// time, no allocation.
///
/// `force` holds the initial guess, and then the friction; `seen` (n) is the free velocity of each joint given the
/// others, so that law(i, seen[i], W_ii) gives the force, and the velocity at the end of the step. `workspace` has
/// joint_workspace(n) numbers.
STICTION_EXPORT JointReport solve_joints(const JointStep& step, const JointLaw& law, std::span<double> force,
                                         std::span<double> seen, std::span<double> workspace,
                                         const JointOptions& options = {}) noexcept;

/// The step of N joints, by value: the fields of JointStep.
template <std::size_t N>
struct FixedJointStep {
  JointVector<N> free_velocity{};  // at the end of the step without friction [rad/s]
  JointMatrix<N> mobility{};       // W, symmetric and positive definite [1/(kg m²)]
  JointVector<N> velocity{};       // at its start [rad/s]; selects the root if a law has several
  double dt = 0;                   // [s], ≥ 0
};

template <std::size_t N, class Model>
struct JointsSolved {
  JointVector<N> force{};     // friction of each joint over the step [N m]
  JointVector<N> velocity{};  // at its end [rad/s]
  std::array<typename Model::State, N> state{};
  JointReport report;
};

/// The same for N joints with models of one kind, whose states are values.
template <std::size_t N, Dynamics Model>
JointsSolved<N, Model> solve_joints(const std::array<Model, N>& friction,
                                    const std::array<typename Model::State, N>& state, const FixedJointStep<N>& step,
                                    const JointOptions& options = {}) noexcept {
  JointsSolved<N, Model> out;
  std::array<double, N * N> by_rows{};
  for (std::size_t i = 0; i < N; ++i) {
    out.force[i] = friction[i].force(state[i], step.velocity[i]);
    for (std::size_t j = 0; j < N; ++j) {
      by_rows[i * N + j] = step.mobility[i][j];
    }
  }
  const auto law = [&](std::size_t i, double free, double w) noexcept {
    const auto solved = friction[i].solve(
        state[i], {.free_velocity = free, .mobility = w, .velocity = step.velocity[i], .dt = step.dt});
    return JointResponse{solved.force, solved.velocity};
  };
  JointVector<N> seen{};
  std::array<double, joint_workspace(N)> workspace{};
  out.report = solve_joints({step.free_velocity, by_rows, step.velocity, step.dt}, JointLaw(law), out.force, seen,
                            workspace, options);
  for (std::size_t i = 0; i < N; ++i) {
    const auto solved = friction[i].solve(
        state[i],
        {.free_velocity = seen[i], .mobility = step.mobility[i][i], .velocity = step.velocity[i], .dt = step.dt});
    out.velocity[i] = solved.velocity;
    out.state[i] = solved.state;
  }
  return out;
}

}  // namespace stiction::scalar
