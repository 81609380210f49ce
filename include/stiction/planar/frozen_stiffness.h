// A contact whose stiffness does not follow the normal force while it sticks.
#pragma once

#include <cmath>
#include <utility>

#include "stiction/planar/reduced.h"

namespace stiction::planar {

/// After Marques et al.: under the amended law σ₀ z f_N a sticking body creeps when f_N oscillates, since z has to
/// follow. Here the stiffness is σ₀ f, with f the normal force at which the contact last slid; f_N only limits the
/// force, to μ f_N. Has the interface that sim::PlanarSteps requires. Set the normal force before a step.
template <class Surface>
class FrozenStiffness {
 public:
  explicit FrozenStiffness(Reduced<Surface> amended) : model_(std::move(amended)), given_(model_.params().friction) {}

  /// Sets the normal force [N], before each step in which it changes; ≤ 0 means no contact. Returns false and changes
  /// nothing unless it is finite.
  bool press(double normal_force) noexcept {
    if (!std::isfinite(normal_force)) {
      return false;
    }
    if (normal_force <= 0) {
      frozen_ = 0;
      z_ = {};
      return true;
    }
    const double r = model_.params().pressure.torque_radius;
    const double length = std::sqrt(z_.x * z_.x + z_.y * z_.y + square(r > 0 ? z_.rotation / r : 0));
    const bool slides = given_.stiffness * length * frozen_ >= given_.elastic_share * given_.coulomb * normal_force;
    if (slides || frozen_ == 0) {
      const double same_force = frozen_ / normal_force;
      z_ = {z_.x * same_force, z_.y * same_force, z_.rotation * same_force};
      frozen_ = normal_force;
    }
    const double share = normal_force / frozen_;
    Friction& friction = model_.params_.friction;
    friction.coulomb = given_.coulomb * share;
    friction.static_level = given_.static_level * share;
    friction.viscous = given_.viscous * share;
    return true;
  }

  [[nodiscard]] const Friction& friction() const noexcept { return given_; }
  [[nodiscard]] Point reference() const noexcept { return model_.params().pressure.centre_of_pressure; }
  /// The wrench that `step` would give, without changing the state.
  [[nodiscard]] Wrench trial(const Twist& twist, double dt) const noexcept {
    return model_.step(z_, twist, frozen_, dt).wrench;
  }
  /// Advances the state at a constant twist.
  Wrench step(const Twist& twist, double dt) noexcept {
    const auto next = model_.step(z_, twist, frozen_, dt);
    z_ = next.state;
    return next.wrench;
  }
  /// Coupled step of body and friction, with the normal force of the last `press`.
  CoupledWrench solve(CoupledTwist coupled) noexcept {
    coupled.normal_force = frozen_;
    const auto solved = model_.solve(z_, coupled);
    z_ = solved.state;
    return static_cast<const CoupledWrench&>(solved);
  }

 private:
  Reduced<Surface> model_;
  Friction given_;
  typename Reduced<Surface>::State z_ = {};
  double frozen_ = 0;  // [N]; 0: no contact
};

}  // namespace stiction::planar
