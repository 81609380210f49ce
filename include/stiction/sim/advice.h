// Numerical properties of a friction model on a body with fixed steps: stability, creep, passivity, and the recommended
// integrator. Everything is measured through the model's public calls, so it works for every model in the registry.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "stiction/export.h"
#include "stiction/scalar/any_model.h"
#include "stiction/sim/steps.h"

namespace stiction::sim {

struct STICTION_EXPORT AdviceQuestion {
  double mass = 0;              // [kg], > 0
  double step = 0;              // [s], > 0
  std::optional<double> speed;  // of sliding [m/s], > 0; default: ten times the model's velocity scale

  static std::optional<Problem> check(const AdviceQuestion& question) noexcept;
};

/// One integrator at the given step.
struct SchemeAdvice {
  Method method{};
  bool stable = false;
  // Largest stable steps, by linearisation [s]; infinite: any step, 0: none.
  double largest_step_at_rest = 0;
  double largest_step_sliding = 0;
  bool creeps = false;  // under half of the break-away force: drifts more than the model, or the model itself creeps
  double drift = 0;     // remaining speed after the transient [m/s]
  std::string reason;

  [[nodiscard]] double largest_step() const noexcept {
    return largest_step_at_rest < largest_step_sliding ? largest_step_at_rest : largest_step_sliding;
  }
};

struct Advice {
  std::string model;
  double mass = 0;   // [kg]
  double step = 0;   // [s]
  double speed = 0;  // of sliding [m/s]

  double stiffness = 0;      // k₀ = dF/dx at rest [N/m]
  double damping = 0;        // d₀ = dF/dv at rest [N s/m]; infinite if friction jumps at v = 0
  double sliding_force = 0;  // in steady sliding [N]
  double breakaway = 0;      // the largest load it holds [N]; 0: none
  double load = 0;           // half of that, or of the sliding friction: the load under which creep is measured [N]
  bool creeps = false;       // the model itself: no rest under that load
  double drift = 0;          // of the model itself after a smooth rise to that load: oscillations ratchet [m/s]

  bool one_solution = false;             // the coupled step has a unique solution for every state
  double largest_one_solution_step = 0;  // [s]; infinite: any, 0: none is known

  bool passive = false;
  double worst_work = 0;         // smallest of the closed cycles tried: net work over ∮ |F v| dt [-]
  double worst_cycle_speed = 0;  // the largest speed in that cycle [m/s]
  std::string passive_reason;

  std::vector<SchemeAdvice> schemes;

  Method recommended{};
  double recommended_step = 0;  // [s]
  std::string reason;
};

/// Takes a few seconds at most. Throws InvalidParameter if the question cannot be answered.
STICTION_EXPORT Advice advise(const scalar::AnyModel& model, const AdviceQuestion& question);

}  // namespace stiction::sim
