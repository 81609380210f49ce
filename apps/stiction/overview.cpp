#include <fmt/format.h>

#include <array>

#include "commands.h"
#include "stiction/version.h"
#include "terminal.h"

namespace stiction::cli {

int overview() {
  struct Task {
    const char* what;
    const char* example;
  };
  constexpr std::array tasks{
      Task{"Simulate a body with friction", "stiction simulate examples/scenarios/lugre_stick_slip.toml"},
      Task{"Check a controller's step and scheme",
           "stiction advise examples/scenarios/servo_pid_hunting.toml --dt 1e-3"},
      Task{"Identify friction from a log", "stiction identify examples/logs/steady_friction.csv --model stribeck"},
      Task{"Know what a grasp or patch can hold", "stiction limit-surface examples/patches/soft_finger.toml"},
      Task{"Feel two meshes in contact", "stiction haptic peg-and-hole --duration 5"},
      Task{"Reproduce published figures", "stiction reproduce scalar/fig03 --quick"},
  };
  fmt::print("stiction {}: friction models, simulation and reproduced experiments\n\n", STICTION_VERSION);
  for (const Task& task : tasks) {
    fmt::print("{}\n  {}\n", coloured(task.what, Colour::bold), task.example);
  }
  fmt::print("\nstiction models lists the models, stiction doctor what is installed, stiction --help every command.\n");
  return exit_good;
}

}  // namespace stiction::cli
