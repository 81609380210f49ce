// The limit surface: the friction wrench of a patch that slides with Coulomb friction, for every direction of motion.
#pragma once

#include "stiction/export.h"
#include "stiction/planar/patch.h"

namespace stiction::planar {

/// Quadrature rule for the integrals over the patch.
enum class Rule {
  exact,     // in closed form over cells of constant pressure; no jumps as the centre of rotation moves
  midpoint,  // one point per cell: jumps as the centre of rotation passes points
  bilinear,  // the paper's eq. 21: interpolates between rotations about the corners of the cell that contains the
             // centre of rotation
};

/// Wrench at the centre of pressure for μ f_N = 1, for the twist there: f = −∫ v̂ p dA, τ = −∫ ρ × v̂ p dA. Zero
/// without motion. A patch made of points has no cells: then every rule is the midpoint rule.
[[nodiscard]] STICTION_EXPORT Wrench coulomb_wrench(const Patch& patch, const Twist& twist,
                                                    Rule rule = Rule::exact) noexcept;

/// The authors' index rule for eq. 21, which truncates towards zero and so extrapolates in a strip left of and below
/// the grid. For the paper's figures only.
[[nodiscard]] STICTION_EXPORT Wrench authors_bilinear_wrench(const Patch& patch, const Twist& twist) noexcept;

/// The point about which a pure rotation gives no tangential force (Fig. 16), relative to the centre of pressure. For a
/// symmetric patch it is the centre of pressure itself.
[[nodiscard]] STICTION_EXPORT Point forceless_centre_of_rotation(const Patch& patch, Rule rule = Rule::exact) noexcept;

}  // namespace stiction::planar
