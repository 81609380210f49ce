// A box between two fingers that loosen and tighten their grip: it slips and turns while they are loose, and is held
// while they are tight.
//   05_in_hand_slip [scenario.toml]
#include <cmath>
#include <cstdio>
#include <exception>

#include "stiction/io/any_scenario.h"

namespace io = stiction::io;

int main(int argc, char** argv) {
  try {
    auto scenario = std::get<io::PlanarScenario>(io::read_any_scenario(argc > 1 ? argv[1] : IN_HAND_SLIP));
    scenario.options.duration = 1;
    const auto run = io::run(scenario);
    double fastest = 0;
    int held = 0;
    for (const auto& row : run.rows) {
      fastest = std::fmax(fastest, std::abs(row.state.velocity.y));
      held += std::abs(row.state.velocity.y) < 1e-3 ? 1 : 0;
    }
    for (std::size_t i = 0; i < run.rows.size(); i += 20) {
      const auto& row = run.rows[i];
      std::printf("%.2f s: grip %.2f N, fallen %.4f mm, turned %.4f deg\n", row.time, row.normal_force,
                  -1e3 * row.state.position.y, 180 / 3.14159265358979323846 * row.state.angle);
    }
    std::printf("slips at up to %.4f m/s; at rest in %d of %zu rows\n", fastest, held, run.rows.size());
    return fastest > 1e-3 && held > 0 ? 0 : 1;
  } catch (const std::exception& error) {  // a file that cannot be read: one line that says why
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
