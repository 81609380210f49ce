// Other people's ways to friction in a haptic loop, to compare with: each as fast as we could make it.
#pragma once

#include <cstddef>
#include <memory>

#include "stiction/haptics/friction_step.h"

namespace stiction::haptics {

struct SpringFrictionParams {
  double stiffness = 1;  // of the spring of a contact along the surface, over that across it, > 0
  bool implicit = true;  // the balance knows how the springs' forces change with the motion
};
/// Yamane's frictional springs: a contact is tied by a spring to where it first touched. Its force is cut to the cone,
/// and the anchor dragged along then. Anchors of contacts that part are lost. Throws InvalidParameter.
std::unique_ptr<FrictionStep> make_spring_friction(std::size_t most_contacts, const SpringFrictionParams& params = {});

/// Normal forces are part of the problem here (Signorini's law with compliance, Coulomb's friction):
///   0 = w − A Δ + Σ (N_i λ_i + β_i; r_i × …),   0 ≤ λ_i ⊥ λ_i/k_i + N_i · v_i(Δ) − depth_i ≥ 0,   |β_i| ≤ μ_i λ_i,
///   v_i = Δx + Δω × r_i; where it slides, β_i is against the slip v_i.
struct SignoriniParams {
  double rigidity = 1;       // k_i over the stiffness of the contact's spring; large: hardly any penetration, > 0
  double tolerance = 1e-6;   // of the forces (staggered: of all friction together), over the largest normal force, > 0
  double most_rounds = 200;  // 1 to 100000
};
/// Kaufman's staggered projections: normal forces for given friction, friction for given normal forces, in turn, until
/// they agree. The first is solved in the six unknowns of Δ, the second by `spatial::StaticFriction`; in between
/// Aitken's relaxation, without which the two often chase each other around where μ is large.
std::unique_ptr<FrictionStep> make_staggered_projections(std::size_t most_contacts, const SignoriniParams& params = {});
/// Contact without penetration: staggered projections on the gaps of points before they touch, with contacts so stiff
/// that they give way by less than a micrometre.
std::unique_ptr<FrictionStep> make_constraint_contact(std::size_t most_contacts,
                                                      const SignoriniParams& params = {.rigidity = 1e5,
                                                                                       .most_rounds = 30});
/// Duriez's Gauss–Seidel: contact after contact gets the force that its own law asks for, over and over.
std::unique_ptr<FrictionStep> make_gauss_seidel(std::size_t most_contacts, const SignoriniParams& params = {});

}  // namespace stiction::haptics
