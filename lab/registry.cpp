#include <array>

#include "lab.h"
#include "scalar/experiments.h"

namespace stiction::lab {

std::span<const Experiment> experiments() {
  constexpr const char* olsson =
      "Olsson, Åström, Canudas de Wit, Gäfvert, Lischinsky: Friction Models and Friction Compensation, 1998";
  static const std::array<Experiment, 7> all{{
      {"scalar/fig02", "Break-away force against the rate of the applied force", olsson, fig02_breakaway},
      {"scalar/fig03", "Presliding displacement under a force that never reaches break-away", olsson, fig03_presliding},
      {"scalar/fig04", "Frictional lag: friction against a velocity that rises and falls", olsson, fig04_lag},
      {"scalar/fig05", "Static friction models and the Stribeck curve", olsson, fig05_static_curves},
      {"scalar/fig08", "Response of a servo with LuGre friction to a small sinusoidal torque", olsson,
       fig08_lugre_response},
      {"scalar/stick-slip", "A mass pulled by a spring: stick-slip with LuGre and with Stribeck friction",
       "Canudas de Wit, Olsson, Åström, Lischinsky: A New Model for Control of Systems with Friction, 1995",
       stick_slip},
      {"scalar/stiction-gate", "The gate against creep: does a loaded body stay where it is for 100 s?", "this project",
       stiction_gate},
  }};
  return all;
}

}  // namespace stiction::lab
