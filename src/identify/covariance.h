// How sure a fit is of its numbers.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "least_squares.h"
#include "problem.h"

namespace stiction::identify {

/// Root mean square of a part's residuals, or of those in use.
double rms(const Eigen::VectorXd& residuals, const Problem::Part& part, const std::vector<char>* use = nullptr);

/// A matrix C with covariance C Cᵀ of the numbers. It allows for residuals that depend on their neighbours: H⁻¹ M H⁻¹
/// with H = JᵀJ and M from sums over blocks of neighbours, and each number's variance is never smaller than that for
/// independent residuals of the size seen. Directions that the data say nothing about come out as enormous. `given`: a
/// number that was not looked for.
Eigen::MatrixXd covariance_root(const Solution& solution, const std::vector<Problem::Part>& parts,
                                std::optional<std::size_t> given);

}  // namespace stiction::identify
