// Synthetic bodies with many contacts: a cube in a corner and a peg in a hole, held by a spring to a hand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "../control/statistics.h"
#include "stiction/spatial/static_friction.h"

namespace stiction::lab {

enum class Family { cube_in_corner, peg_in_hole };

/// A body of half a kilogramme and ten centimetres, its contacts, and the load by the hand.
struct ContactScene {
  Family family = Family::cube_in_corner;
  std::vector<spatial::Contact> contacts;
  spatial::Load load;
};

/// Contacts at random places with random normal forces, 30 N in total, and a load of random direction. Every contact
/// has a unique key.
ContactScene contact_scene(Family family, std::size_t contacts, Random& random);

/// Makes the load as large as friction would just hold if all its coefficients were multiplied by `ratio`: below 1 the
/// body stays, above it slides. `solver` defines the friction: cones or pyramids.
void load_to_ratio(ContactScene& scene, double ratio, spatial::StaticFriction& solver);

/// The next millisecond: the load changes by `share` of its size, and the same share of the contacts is replaced.
void next_frame(ContactScene& scene, double share, Random& random);

/// K of springs in the contacts and to the hand: −k N Nᵀ with its torques and [F_n]×, and −k_vc.
Matrix6 spring_gradient(const std::vector<spatial::Contact>& contacts, double contact_stiffness);

inline constexpr double hand_stiffness = 1000;            // k_vc [N/m]
inline constexpr double hand_rotational_stiffness = 2.5;  // k_vc,tor [N m/rad]

}  // namespace stiction::lab
