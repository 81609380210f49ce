// The arm of two links with friction in both joints, and the motion that it is to follow.
#pragma once

#include <array>
#include <cmath>

#include "stiction/scalar/lugre.h"
#include "stiction/sim/two_link_arm.h"

namespace stiction::lab {

inline const sim::TwoLinkArm two_links({.length_1 = 0.4,
                                        .mass_1 = 2,
                                        .centre_1 = 0.18,
                                        .inertia_1 = 0.03,
                                        .mass_2 = 1.2,
                                        .centre_2 = 0.15,
                                        .inertia_2 = 0.012,
                                        .gravity = 9.81});

/// Fading damping, v_d well below the limit 4 √(2e) F_C/σ₁ above which LuGre can generate energy.
inline std::array<scalar::LuGre, 2> joint_frictions() {
  scalar::LuGre::Params p{.stiffness = 2000,
                          .damping = 6,
                          .coulomb_force = 3,
                          .static_force = 4,
                          .stribeck_velocity = 0.05,
                          .viscous = 0.3,
                          .damping_velocity = 0.3};
  const scalar::LuGre first(p);
  p.coulomb_force = 1.5;
  p.static_force = 2;
  p.stiffness = 1000;
  p.damping = 3;
  return {first, scalar::LuGre(p)};
}

/// The desired motion of the joints, which reverse four and six times in 2π.
struct JointReference {
  sim::TwoLinkArm::Vector q, v, a;
};
inline JointReference joint_reference(double t) {
  return {{-0.9 + 0.5 * std::sin(2 * t), 0.8 + 0.6 * std::sin(3 * t)},
          {1.0 * std::cos(2 * t), 1.8 * std::cos(3 * t)},
          {-2.0 * std::sin(2 * t), -5.4 * std::sin(3 * t)}};
}

}  // namespace stiction::lab
