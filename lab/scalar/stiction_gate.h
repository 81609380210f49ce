// The gate against creep, cell by cell: a body is loaded below break-away and must stay where it is.
#pragma once

#include <string>
#include <vector>

#include "../lab.h"
#include "stiction/sim/line.h"

namespace stiction::lab {

enum class Verdict { holds, moves, slides, diverges };

/// The result of one integrator for one loaded body.
struct Hold {
  double moved = 0;     // largest minus smallest position in the watched interval [m]
  double position = 0;  // at the end [m]
  Verdict verdict = Verdict::holds;
};

struct GateCell {
  std::string model;
  std::string method;
  double stiffness = 0;      // σ₀ [N/m], 0 if the model has none
  double load_share = 0;     // load over break-away force
  double step = 0;           // h [s]
  double damping_ratio = 0;  // σ₁/(h σ₀), 0 if the model has none
  Hold result;
  Hold reference;               // the accurate solver on the same body
  bool judged = false;          // the implicit steps, on bodies that should hold
  bool moves_too_much = false;  // beyond the true solution's own movement (backward Euler: at all)
};

/// Relative deviation of the held position from the true one; 0 if both are 0.
double position_error(const GateCell& cell);

/// How long a body under a ramp is watched [s].
constexpr double gate_end(const Context& context) { return context.quick ? 40 : 100; }

/// Ramp-loaded cells: every model × integrator × load × step × damping; `quick` takes a coarser grid.
std::vector<GateCell> gate_cells(const Context& context);

/// The 30 fixed cells (rotary, load as a step, watched from 2 s to 20 s) × every integrator.
std::vector<GateCell> fixed_gate_cells(const Context& context);

const char* name_of(Verdict verdict);

}  // namespace stiction::lab
