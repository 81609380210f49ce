// The uncertainty of fitted parameters.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "least_squares.h"
#include "problem.h"

namespace stiction::identify {

/// Root mean square of a part's residuals, or of those in use.
double rms(const Eigen::VectorXd& residuals, const Problem::Part& part, const std::vector<char>* use = nullptr);

/// A matrix C with covariance C Cᵀ of the parameters. It allows for autocorrelated residuals: H⁻¹ M H⁻¹ with H = JᵀJ
/// and M from sums over blocks of neighbours, and each variance is at least that for independent residuals of the same
/// size. Directions that the data do not determine get a huge variance. `given`: a parameter that was not fitted.
Eigen::MatrixXd covariance_root(const Solution& solution, const std::vector<Problem::Part>& parts,
                                std::optional<std::size_t> given);

}  // namespace stiction::identify
