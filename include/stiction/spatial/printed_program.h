// The linear program of static friction as it is printed (eqs. 32 to 37), and a form of it with six rows, as plain
// numbers for any LP solver. For reproduction and comparison: `StaticFriction` gives the same verdicts without a
// program.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "stiction/spatial/static_friction.h"

namespace stiction::spatial {

/// Least cost·x subject to row_lower ≤ A x ≤ row_upper and lower ≤ x ≤ upper. ±∞ is no bound.
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
  critical_ratio,    // γ: what all coefficients of friction have to be multiplied by to be just enough
};

/// Eqs. 32 to 37 with the unknowns Δ (6), λ (6), β (2 for each contact), and γ where that is asked for, which is the
/// cost and multiplies the right-hand sides of eq. 37. Rows: eqs. 32, 33 (6), eq. 34 (2 for each contact), eqs. 35, 36
/// (6), eq. 37 (`sides` for each contact). `load.mass` is the metric.
/// Throws InvalidParameter for less than three sides, and for contacts with torsion or friction that differs by
/// direction, which the program does not have.
LinearProgram printed_program(std::span<const Contact> contacts, const Load& load, int sides,
                              Ask ask = Ask::whether_it_holds);

/// The same answer from one row for each dimension of W, six in general. Eqs. 32 to 34 leave nothing of λ but Q a, with
/// Q = null(Wᵀ) and (Qᵀ K D⁻¹ Kᵀ Q) a = Qᵀ F, so Δ = −D⁻¹ Kᵀ Q a; and a polygon of an even number of sides is a sum of
/// sides/2 segments, so bounds on the unknowns stand for eq. 37. Where γ is asked for, the last unknown is s = 1/γ, the
/// share of the load that is balanced, with the cost −1.
/// Throws InvalidParameter as above, and for an odd number of sides.
LinearProgram six_row_program(std::span<const Contact> contacts, const Load& load, int sides,
                              Ask ask = Ask::whether_it_holds);

/// How far a point is from being feasible.
struct Violation {
  double absolute = 0;  // the largest distance of a row or an unknown from its bounds
  double relative = 0;  // the largest over the size of what was summed up, Σ |a_ij x_j| + |bound|
};
Violation violation(const LinearProgram& program, std::span<const double> x);

/// The same problem in units of its own, in which Σ μ N, the length, and the largest entries of K and D are 1: for
/// solvers whose tolerances are absolute. Verdict and γ do not depend on units.
struct OwnUnits {
  std::vector<Contact> contacts;
  Load load;
  double force = 1, length = 1, motion = 1;  // one unit of each [N], [m], [m]; motion is that of Δx

  /// Δ in SI units.
  [[nodiscard]] Vector6 in_si(Vector6 delta) const;
};
OwnUnits in_own_units(std::span<const Contact> contacts, const Load& load);

}  // namespace stiction::spatial
