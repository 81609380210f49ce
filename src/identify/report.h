// The report of a fit: estimates with intervals, signals compared with the model's, warnings, and a refusal if the fit
// must not be trusted.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "least_squares.h"
#include "problem.h"
#include "stiction/identify/identify.h"

namespace stiction::identify {

/// A finished fit.
struct Fitted {
  const std::string& name;
  const Engine& engine;
  const Problem& problem;
  const std::vector<Prepared>& prepared;
  const std::vector<SteadyPoint>& steady;
  const Options& options;
  const Solution& solution;
  const std::vector<Eigen::VectorXd>& shifts;  // of the numbers, by choices that the data do not decide
};
Fit describe(const Fitted& fitted);

/// A model that could not be fitted, with the initial guess and the reason as its refusal.
Fit not_fitted(const std::string& name, const Engine& engine, const Guess& guess, const Options& options,
               std::string why);

/// Further evidence against a fit.
struct Evidence {
  bool converged = true;
  bool exhausted = false;                         // the budget ended the search
  bool only_steady = false;                       // the recordings were not fitted: the steady friction had decided
  std::vector<std::string> biased_by_noise = {};  // estimates shifted by noise on the torque
  std::string drawn_along = {};                   // recordings that any model would follow, with the reason
  std::string only_presliding = {};               // no recording approaches the level of friction
  std::vector<std::string> at_edge = {};          // estimates at the edge of the search range
  std::vector<std::string> doubts = {};           // warnings
  std::optional<stiction::Problem> broken = {};   // an invalid parameter of the model
};
/// A residual below this fraction of its signal is small, however low the sensor's noise.
inline constexpr double explained_share = 0.003;
double deviation_of(const std::vector<double>& signal);
/// The first few of these names, and how many more there are.
std::string some_of(const std::vector<std::string>& names);

/// The misfit of the used points to a curve with that many parameters.
struct SteadyMisfit {
  std::size_t points = 0, numbers = 0;
  std::size_t speeds = 0;  // that differ
  double share = 0;        // root mean square over the mean level
  double excess = 0;       // over the noise, for the remaining degrees of freedom
  bool stated = true;      // the noise was given; otherwise it was estimated from the scatter, and is less certain

  /// Larger than noise explains once in ten thousand tables, and than this multiple of the noise.
  [[nodiscard]] bool beyond_noise(double factor = 1) const;
  /// Much larger, and not small either.
  [[nodiscard]] bool refused() const { return beyond_noise(2) && !(share < 0.005); }
};
SteadyMisfit steady_misfit(const std::vector<SteadyPoint>& points, std::size_t numbers);

/// Adds warnings and, where the model must not be trusted, the refusal.
void judge(Fit& fit, std::size_t steady_numbers, const Evidence& evidence);

}  // namespace stiction::identify
