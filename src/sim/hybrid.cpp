#include "stiction/sim/hybrid.h"

#include <string>

namespace stiction::sim {
namespace {

constexpr long most_steps = 100'000'000;  // minutes of work: whatever needs more will not end

}  // namespace

long integrate(const HybridSystem& system, std::vector<double> y, std::span<const double> segment_ends,
               double row_interval) {
  Cvode solver(system.ode, 0, y);
  const double run_end = segment_ends.back();
  const double last_gap = row_interval * 1e-6;  // a row this close to the end is the end
  std::size_t row = 0;
  const auto next_row = [&] { return static_cast<double>(row) * row_interval; };
  const auto due_before = [&](double t) { return next_row() < t && next_row() < run_end - last_gap; };

  double start = 0;
  for (const double end : segment_ends) {
    system.begin_segment(start, end, y);
    solver.restart(start, y);
    while (solver.time() < end) {
      if (solver.steps_taken() == most_steps) {
        throw SolverFailure("gave up after 1e8 steps at t = " + std::to_string(solver.time()) +
                            " s: shorten the duration or loosen the tolerance");
      }
      const int guard = solver.step(end);
      for (; due_before(solver.time()); ++row) {
        solver.interpolate(next_row(), y);
        if (!system.on_row(next_row(), y)) {
          return solver.steps_taken();
        }
      }
      y.assign(solver.y().begin(), solver.y().end());
      if (system.on_step) {
        system.on_step(solver.time(), y);
      }
      if (guard >= 0) {
        system.on_guard(solver.time(), y, guard);
        solver.restart(solver.time(), y);
      }
    }
    start = end;
  }
  system.on_row(run_end, y);
  return solver.steps_taken();
}

}  // namespace stiction::sim
