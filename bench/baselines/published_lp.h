// The linear program of static friction as published (eqs. 32 to 37), and an equivalent form with six rows, in plain
// arrays for any LP solver. For reproduction and comparison: `StaticFriction` gives the same verdicts without an LP
// solver.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "stiction/export.h"
#include "stiction/spatial/static_friction.h"

namespace stiction::baselines {

using spatial::Contact;
using spatial::Load;

/// min cost·x subject to row_lower ≤ A x ≤ row_upper and lower ≤ x ≤ upper. ±∞ means no bound.
struct LinearProgram {
  std::vector<double> row_lower, row_upper;
  std::vector<double> lower, upper, cost;
  // A by columns: column j has the entries from start[j] up to start[j + 1]
  std::vector<int> start{0};
  std::vector<int> row;
  std::vector<double> value;

  [[nodiscard]] std::size_t rows() const { return row_lower.size(); }
  [[nodiscard]] std::size_t columns() const { return lower.size(); }
};

enum class Ask {
  whether_it_holds,  // any feasible point will do
  critical_ratio,    // γ: the factor on all coefficients of friction at which friction just holds the load
};

/// Eqs. 32 to 37 with the unknowns Δ (6), λ (6), β (2 per contact) and, for the critical ratio, γ, which is the cost
/// and multiplies the right-hand sides of eq. 37. Rows: eqs. 32, 33 (6), eq. 34 (2 per contact), eqs. 35, 36 (6),
/// eq. 37 (`sides` per contact). `load.mass` is the metric.
/// Throws InvalidParameter for fewer than three sides, and for contacts with torsion or anisotropic friction, which the
/// program does not model.
STICTION_EXPORT LinearProgram published_lp(std::span<const Contact> contacts, const Load& load, int sides,
                                           Ask ask = Ask::whether_it_holds);

/// The same answer with one row for each dimension of the range of W, six in general. Eqs. 32 to 34 reduce λ to Q a,
/// with Q = null(Wᵀ) and (Qᵀ K D⁻¹ Kᵀ Q) a = Qᵀ F, so Δ = −D⁻¹ Kᵀ Q a. A polygon with an even number of sides is a sum
/// of sides/2 segments, so bounds on the unknowns replace eq. 37. For the critical ratio the last unknown is s = 1/γ,
/// the share of the load that is balanced, with the cost −1.
/// Throws InvalidParameter as above, and for an odd number of sides.
STICTION_EXPORT LinearProgram six_row_lp(std::span<const Contact> contacts, const Load& load, int sides,
                                         Ask ask = Ask::whether_it_holds);

/// Infeasibility of a point.
struct Violation {
  double absolute = 0;  // the largest distance of a row or an unknown from its bounds
  double relative = 0;  // the largest, relative to the size of its terms Σ |a_ij x_j| + |bound|
};
STICTION_EXPORT Violation violation(const LinearProgram& program, std::span<const double> x);

/// The same problem in scaled units, in which Σ μ N, the length, and the largest entries of K and D are 1: for solvers
/// with absolute tolerances. Verdict and γ do not depend on units.
struct STICTION_EXPORT OwnUnits {
  std::vector<Contact> contacts;
  Load load;
  double force = 1, length = 1, motion = 1;  // the units in SI [N], [m], [m]; motion is that of Δx

  /// Δ in SI units.
  [[nodiscard]] Vector6 in_si(Vector6 delta) const;
};
STICTION_EXPORT OwnUnits in_own_units(std::span<const Contact> contacts, const Load& load);

}  // namespace stiction::baselines
