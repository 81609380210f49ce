// Baselines: published methods for friction in a haptic loop, each as fast as we could make it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "stiction/haptics/scene.h"

namespace stiction::baselines {

using haptics::FrictionStep;

struct SpringFrictionParams {
  double stiffness = 1;  // tangential over normal stiffness of a contact, > 0
  bool implicit = true;  // the force balance includes the change of the spring forces with the motion
};
/// Yamane's frictional springs: a tangential spring ties each contact to an anchor, the point where it first touched.
/// Its force is clamped to the friction cone, and the anchor is then dragged along. The anchor is discarded when the
/// contact separates. Throws InvalidParameter.
std::unique_ptr<FrictionStep> make_spring_friction(std::size_t max_contacts, const SpringFrictionParams& params = {});

/// Normal forces are unknowns here (Signorini's law with compliance, Coulomb friction):
///   0 = w − A Δ + Σ (N_i λ_i + β_i; r_i × …),   0 ≤ λ_i ⊥ λ_i/k_i + N_i · v_i(Δ) − depth_i ≥ 0,   |β_i| ≤ μ_i λ_i,
///   v_i = Δx + Δω × r_i; at sliding contacts β_i opposes the slip v_i.
struct SignoriniParams {
  double rigidity = 1;      // k_i over the stiffness of the contact's spring, > 0; large: almost no penetration
  double tolerance = 1e-6;  // on the change of the forces in an iteration (staggered: of the total friction wrench),
                            // over the largest normal force, > 0
  int max_rounds = 200;     // iteration limit, 1 to 100000
};
/// Kaufman's staggered projections: alternates between normal forces for given friction and friction for given normal
/// forces, until they agree. The former is solved in the six unknowns of Δ, the latter by `spatial::StaticFriction`.
/// Aitken relaxation is applied in between; without it the iteration often cycles for large μ.
std::unique_ptr<FrictionStep> make_staggered_projections(std::size_t max_contacts, const SignoriniParams& params = {});
/// Non-penetrating contact: staggered projections on the gaps of nearby points before they touch, with contacts so
/// stiff that they yield by less than a micrometre.
std::unique_ptr<FrictionStep> make_constraint_contact(std::size_t max_contacts, const SignoriniParams& params = {
                                                                                    .rigidity = 1e5, .max_rounds = 30});
/// Duriez's Gauss–Seidel method: sweeps over the contacts and solves the contact law of each for its own force.
std::unique_ptr<FrictionStep> make_gauss_seidel(std::size_t max_contacts, const SignoriniParams& params = {});

/// The library's methods and these, in one list for experiments that compare them.
enum class Method : std::uint8_t {
  cone,
  pyramid,
  switched,
  none,
  springs,
  explicit_springs,
  staggered,
  gauss_seidel,
  constraint,
};
/// The same choice with another method. `stiffness_ratio`, > 0: `spring` and `rigidity` above; for `constraint` over
/// 1e5. InvalidParameter comes from where the choice is used.
haptics::FrictionChoice with_method(haptics::FrictionChoice choice, Method method, double stiffness_ratio = 1);

/// By the names of scene files: springs, explicit-springs, staggered, gauss-seidel, constraint.
const std::map<std::string, Method>& method_names();

}  // namespace stiction::baselines
