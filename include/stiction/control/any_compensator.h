// A compensator whose model is chosen at run time, e.g. read from a file.
#pragma once

#include <variant>

#include "stiction/control/compensator.h"
#include "stiction/scalar/registry.h"

namespace stiction::control {

class AnyCompensator {
 public:
  using Params = CompensatorParams<double>;

  /// For parameters that `Compensator::check` has passed.
  explicit AnyCompensator(const scalar::AnyModel& model, const Params& params = {}) noexcept
      : compensator_(std::visit([&](const auto& m) { return Variant(Compensator(m, params)); }, model)) {}

  /// As `Compensator::step`.
  double step(double velocity, double dt) noexcept {
    return std::visit([&](auto& c) { return c.step(velocity, dt); }, compensator_);
  }

 private:
  template <class AnyOf>
  struct CompensatorsOf;
  template <class... M>
  struct CompensatorsOf<std::variant<M...>> {
    using Type = std::variant<Compensator<M>...>;
  };
  using Variant = typename CompensatorsOf<scalar::AnyModel>::Type;

  Variant compensator_;
};

}  // namespace stiction::control
