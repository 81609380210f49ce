// A body with friction for sampled controllers: the force is held between samples (zero-order hold).
#pragma once

#include "stiction/sim/steps.h"

namespace stiction::sim {

template <scalar::Dynamics Model>
struct SampledBody {
  Model friction;  // may be replaced between two samples, e.g. when a brake is applied
  double mass = 1;
  LineState<Model> state{};
  int substeps = 1;  // SDIRK2 steps per sample, 1 to 10000

  /// Advances by dt under a constant force, and one of a motor, which a gear transmits. Throws InvalidParameter, with
  /// the state unchanged.
  void hold(double force, double dt, double motor = 0) {
    constexpr Range counts{1, 10'000, true, true, "in [1, 10000]"};
    const auto require = [](const Range& range, const char* field, double value) {
      if (!range.holds(value)) {
        throw InvalidParameter(Problem{field, value, range.text});
      }
    };
    require(positive, "mass", mass);
    require(finite, "force", force);
    require(finite, "motor", motor);
    require(non_negative, "dt", dt);
    require(counts, "substeps", substeps);
    Load load{.force = force};
    if (motor != 0) {
      load.motor = motor;
    }
    const double h = dt / substeps;
    for (int i = 0; i < substeps; ++i) {
      state = sdirk2(friction, mass, load, 0, state, h).state;
    }
  }
};

}  // namespace stiction::sim
