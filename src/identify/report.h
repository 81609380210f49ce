// What a fit says: estimates with intervals, signals beside the model's, warnings, and a refusal where it must not be
// trusted.
#pragma once

#include <Eigen/Core>
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

/// What else speaks against a fit.
struct Evidence {
  bool converged = true;
  bool only_steady = false;              // the recordings were not fitted: the steady friction had decided
  std::vector<std::string> led_astray;   // estimates that noise on the torque moves
  std::vector<std::string> drawn_along;  // recordings that any model would follow
  std::vector<std::string> doubts;       // warnings
};
/// A residual under this share of its signal is explained, however quiet the sensor is.
inline constexpr double explained_share = 0.003;
double deviation_of(const std::vector<double>& signal);

/// How far the used points are off their predictions: root mean square over the mean level.
double steady_misfit(const std::vector<SteadyPoint>& points);

/// Adds warnings and, where the model must not be trusted, the refusal.
void judge(Fit& fit, const Evidence& evidence);

}  // namespace stiction::identify
