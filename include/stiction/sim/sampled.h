// A body with friction as a sampled controller meets it: the force is held from one sample to the next.
#pragma once

#include "stiction/sim/steps.h"

namespace stiction::sim {

template <scalar::Model Model>
struct SampledBody {
  Model friction;  // may be replaced between two samples, e.g. when a brake is pulled
  double mass = 1;
  LineState<Model> state{};
  int substeps = 1;  // of SDIRK2 from one sample to the next, 1 to 10000

  /// Moves on by dt under a constant force. Throws InvalidParameter before anything has moved.
  void hold(double force, double dt) {
    constexpr Range counts{1, 10'000, true, true, "in [1, 10000]"};
    const auto require = [](const Range& range, const char* field, double value) {
      if (!range.holds(value)) {
        throw InvalidParameter(Problem{field, value, range.text});
      }
    };
    require(positive, "mass", mass);
    require(finite, "force", force);
    require(non_negative, "dt", dt);
    require(counts, "substeps", substeps);
    const Load load{.force = force};
    const double h = dt / substeps;
    for (int i = 0; i < substeps; ++i) {
      state = sdirk2(friction, mass, load, 0, state, h).state;
    }
  }
};

}  // namespace stiction::sim
