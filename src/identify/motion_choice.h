// From Coulomb + viscous upwards: which terms the data support.
#pragma once

#include <functional>
#include <vector>

#include "motion_model.h"

namespace stiction::identify {

/// Coulomb + viscous + offset by least squares, with the smoothing of the sign that fits best: what any model must
/// beat.
struct YardstickFit {
  double coulomb = 0, viscous = 0, offset = 0, width = 0;
  double error = 0;     // rms on the held-out samples [N]
  double constant = 0;  // of the mean
};
YardstickFit yardstick_of(const MotionData& data);
double predict(const YardstickFit& yardstick, double velocity);

struct Choice {
  MotionFitted chosen;
  std::vector<MotionStep> steps;
};

/// `kind`: of the friction, if it is given. `report(fraction)` is called before each fit.
Choice choose_structure(const MotionData& data, const MotionOptions& options, std::optional<FrictionKind> kind,
                        const std::function<void(double)>& report);

/// rms of the logged torque minus the prediction over the held-out samples, or over the blocks.
double logged_error(const MotionData& data, const Eigen::VectorXd& predicted, bool held_out);

}  // namespace stiction::identify
