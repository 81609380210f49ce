// A contact whose stiffness does not follow the normal force while it sticks.
#pragma once

#include <cmath>
#include <utility>

#include "stiction/planar/reduced.h"

namespace stiction::planar {

/// After Marques et al.: the amended law σ₀ z f_N lets a body that is held creep when f_N swings, since z has to
/// follow. Here the stiffness is σ₀ f, with the f at which the contact last slid; f_N only limits the force, to μ f_N.
/// Of the form that sim::PlanarSteps takes. Tell it of the normal force before a step.
template <class Surface>
class FrozenStiffness {
 public:
  explicit FrozenStiffness(Reduced<Surface> amended) : model_(std::move(amended)), given_(model_.friction) {}

  /// Before each step under another load [N]; ≤ 0 is no contact. False, and nothing changes, unless it is finite.
  bool press(double normal_force) noexcept {
    if (!std::isfinite(normal_force)) {
      return false;
    }
    if (normal_force <= 0) {
      frozen_ = 0;
      z_ = {};
      return true;
    }
    const double r = model_.torque_radius;
    const double length = std::sqrt(z_.x * z_.x + z_.y * z_.y + square(r > 0 ? z_.turn / r : 0));
    const bool slides = given_.stiffness * length * frozen_ >= given_.elastic_share * given_.coulomb * normal_force;
    if (slides || frozen_ == 0) {
      const double same_force = frozen_ / normal_force;
      z_ = {z_.x * same_force, z_.y * same_force, z_.turn * same_force};
      frozen_ = normal_force;
    }
    const double share = normal_force / frozen_;
    model_.friction.coulomb = given_.coulomb * share;
    model_.friction.static_level = given_.static_level * share;
    model_.friction.viscous = given_.viscous * share;
    return true;
  }

  [[nodiscard]] const Friction& friction() const noexcept { return given_; }
  [[nodiscard]] Point reference() const noexcept { return model_.centre_of_pressure; }
  [[nodiscard]] Wrench trial(const Twist& twist, double /*normal_force*/, double dt) const noexcept {
    return model_.step(z_, twist, frozen_, dt).wrench;
  }
  Wrench advance(const Twist& twist, double /*normal_force*/, double dt) noexcept {
    const auto next = model_.step(z_, twist, frozen_, dt);
    z_ = next.state;
    return next.wrench;
  }

 private:
  Reduced<Surface> model_;
  Friction given_;
  typename Reduced<Surface>::State z_ = {};
  double frozen_ = 0;  // [N]; none: not in touch
};

}  // namespace stiction::planar
