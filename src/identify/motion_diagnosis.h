// Remarks on a log and on what a model leaves unexplained, each with its number and what to do.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "motion_data.h"

namespace stiction::identify {

/// `residual`: filtered torque minus prediction; `friction`: its friction, of `level`; `gravity`, `shift`: fitted.
struct DiagnosisInput {
  const std::vector<CleanLog>& logs;
  const MotionData& data;
  const Eigen::VectorXd& residual;
  const Eigen::VectorXd& friction;
  double level = 0;
  bool gravity = false;
};
std::vector<Finding> diagnose(const DiagnosisInput& input);

}  // namespace stiction::identify
