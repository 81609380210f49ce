// A compensator whose model is chosen at run time, e.g. read from a file.
#pragma once

#include "stiction/control/compensator.h"
#include "stiction/scalar/any_model.h"

namespace stiction::control {

class AnyCompensator {
 public:
  using Params = CompensatorParams<double>;

  /// For parameters that `Compensator::check` has passed.
  explicit AnyCompensator(const scalar::AnyModel& model, const Params& params = {}) noexcept
      : compensator_(model, params) {
    compensator_.state = model.initial();
  }

  /// As `Compensator::step`.
  double step(double velocity, double dt) noexcept { return compensator_.step(velocity, dt); }

 private:
  Compensator<scalar::AnyModel> compensator_;
};

}  // namespace stiction::control
