// Friction for a simulator of articulated bodies, in one implicit step with its joints and contacts. Knows of no
// engine: the caller gives inverse inertias and free velocities, and gets forces. Nothing allocates after it is made.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "stiction/planar/reduced.h"
#include "stiction/scalar/friction.h"

namespace stiction::integrations {

/// Axes with friction that are coupled through the inverse mass matrix W of the mechanism:
///   v⁺ = v_free − dt W F,   F_i in the law of axis i at v_i⁺
/// by Gauss–Seidel: each axis in turn takes its own coupled step while the forces of the others stay.
class CoupledJoints {
 public:
  explicit CoupledJoints(const std::vector<scalar::AnyModel>& models);

  [[nodiscard]] std::size_t size() const noexcept { return joints_.size(); }
  [[nodiscard]] const scalar::Friction& joint(std::size_t i) const noexcept { return joints_[i]; }
  /// Puts every axis to rest under its load [N m].
  void rest_under(std::span<const double> load) noexcept;

  /// Moves the states on by dt and gives the friction of each axis. `mobility` is W by rows, size() × size(); all
  /// others have size() numbers.
  void step(std::span<const double> free_velocity, std::span<const double> mobility, std::span<const double> velocity,
            double dt, std::span<double> force) noexcept;

  /// Without the load: moves the states on at the present velocity, as a passive force that is computed too early
  /// would.
  void step_uncoupled(std::span<const double> velocity, double dt, std::span<double> force) noexcept;

  /// Of the last step: the largest |v⁺ − v_free + dt W F| [rad/s].
  [[nodiscard]] double residual() const noexcept { return residual_; }
  [[nodiscard]] int sweeps() const noexcept { return sweeps_; }

 private:
  std::vector<scalar::Friction> joints_, next_;
  double residual_ = 0;
  int sweeps_ = 0;
};

/// A contact patch between two bodies, with three states:
///   v⁺ = v_free + dt A w,   w the friction wrench after dt at the twist v⁺
/// where A is the 3 × 3 mobility of the contact: the twist that a unit wrench would give, in (x, y, spin).
class CoupledPatch {
 public:
  using Matrix3 = std::array<std::array<double, 3>, 3>;

  explicit CoupledPatch(planar::Reduced<planar::SurfaceTable> model) : model_(std::move(model)) {}

  /// Moves the state on by dt under a normal force and gives the wrench on the body whose twist it is.
  planar::Wrench step(const planar::Twist& free_twist, const Matrix3& mobility, double normal_force,
                      double dt) noexcept;

  void reset() noexcept { z_ = {}; }
  [[nodiscard]] const planar::Reduced<planar::SurfaceTable>& model() const noexcept { return model_; }
  [[nodiscard]] const planar::Reduced<planar::SurfaceTable>::State& state() const noexcept { return z_; }
  /// By how much the last step has missed its equation [m/s].
  [[nodiscard]] double residual() const noexcept { return residual_; }

 private:
  planar::Reduced<planar::SurfaceTable> model_;
  planar::Reduced<planar::SurfaceTable>::State z_ = {};
  planar::Twist last_ = {};
  double residual_ = 0;
};

}  // namespace stiction::integrations
