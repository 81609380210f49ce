// What a fitted structure says in the model's own numbers, with intervals, and which of them the data tell.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "motion_model.h"

namespace stiction::identify {

/// A number by the name that the user knows.
struct Named {
  std::string name, unit;
  double value = 0;
  bool positive = false;  // its interval is symmetric in the logarithm
  bool friction = true;   // of the friction model or the mass; otherwise of the external torque
};

/// All numbers of a fit: those of the friction model, the mass, and the external torque.
std::vector<Named> named_numbers(const MotionModel& model, const MotionFitted& fit);

/// The same with intervals: sandwich covariance over blocks of samples; `shifts` are differences of the numbers that
/// the data do not decide, such as those between filters.
std::vector<Estimate> estimates_of(const MotionModel& model, const MotionFitted& fit,
                                   const std::vector<std::vector<double>>& shifts);

/// The library's model with these numbers; none if there is no friction.
std::optional<scalar::AnyModel> model_of(const MotionModel& model, const MotionFitted& fit);

/// Structures without one of the quantities that the data do not determine, each.
std::vector<Structure> without_undetermined(const MotionModel& model, const MotionFitted& fit,
                                            const std::vector<Estimate>& estimates);

/// What the data do not tell, and which experiment would.
std::vector<Undetermined> undetermined_by(const Structure& structure, const MotionOptions& options,
                                          const std::vector<Estimate>& estimates);

}  // namespace stiction::identify
