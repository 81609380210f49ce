// What a fit says: estimates with intervals, signals beside the model's, warnings, and a refusal where it must not be
// trusted.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "least_squares.h"
#include "problem.h"
#include "stiction/identify/identify.h"

namespace stiction::identify {

/// A fit that is done.
struct Fitted {
  const std::string& name;
  const Engine& engine;
  const Problem& problem;
  const std::vector<Prepared>& prepared;
  const std::vector<SteadyPoint>& steady;
  const Options& options;
  const Solution& solution;
  const std::vector<Eigen::VectorXd>& shifts;  // of the numbers, by choices that the data leave open
};
Fit describe(const Fitted& fitted);

/// A model that could not be fitted at all, as it was guessed, with the reason as its refusal.
Fit not_fitted(const std::string& name, const Engine& engine, const Guess& guess, const Options& options,
               std::string why);

/// What else speaks against a fit.
struct Evidence {
  bool converged = true;
  bool exhausted = false;                         // the budget ended the search
  bool only_steady = false;                       // the recordings were not fitted: the steady friction had decided
  std::vector<std::string> biased_by_noise = {};  // estimates that noise on the torque moves
  std::string drawn_along = {};                   // recordings that any model would follow, with what is seen
  std::string only_presliding = {};               // no recording comes near the level of friction
  std::vector<std::string> at_edge = {};          // estimates that lie at the edge of what was searched
  std::vector<std::string> doubts = {};           // warnings
  std::optional<stiction::Problem> broken = {};   // what the model itself does not take
};
/// A residual under this share of its signal is small, however quiet the sensor is.
inline constexpr double explained_share = 0.003;
double deviation_of(const std::vector<double>& signal);
/// The first few of these names, and how many more there are.
std::string some_of(const std::vector<std::string>& names);

/// How far the used points are off a curve with so many numbers.
struct SteadyMisfit {
  std::size_t points = 0, numbers = 0;
  std::size_t speeds = 0;  // that differ
  double share = 0;        // root mean square over the mean level
  double excess = 0;       // over the noise, for the degrees of freedom that are left
  bool stated = true;      // the noise was given; else it was seen in the scatter, and is less certain

  /// Beyond what noise does once in ten thousand tables, and so many times the noise.
  [[nodiscard]] bool beyond_noise(double factor = 1) const;
  /// Far beyond, and not small either.
  [[nodiscard]] bool refused() const { return beyond_noise(2) && !(share < 0.005); }
};
SteadyMisfit steady_misfit(const std::vector<SteadyPoint>& points, std::size_t numbers);

/// Adds warnings and, where the model must not be trusted, the refusal.
void judge(Fit& fit, std::size_t steady_numbers, const Evidence& evidence);

}  // namespace stiction::identify
