// What the judgement of a log stands on.
#pragma once

#include <cstddef>

#include "stiction/identify/inspect.h"

namespace stiction::identify::inspection {

constexpr double min_angle = 0.5;  // [rad] travel below which gravity is a constant torque
constexpr double slow_part = 0.1;  // of the fastest speeds: "slow" for the Stribeck curve

/// What the judgement of a recording, or of a table of steady points, needs to know.
struct Facts {
  const Signals& signals;
  const Inspection& found;
  bool any_torque = false, torque = false;  // it is there, it changes
  bool motion = false, table = false;
  std::size_t sliding = 0, forward = 0, backward = 0;  // rows with torque and motion
  std::size_t enough = 50;                             // rows in a direction that count
  double slow_rows = 0;                                // share of the sliding rows below a tenth of the fastest
  double load_range = 0;                               // of the gravity that was fitted [N m]
  double reversal_rows = 0, reversal_travel = 0;       // median over the reversals of the torque
  std::size_t reversals = 0;                           // that were looked at
  const Yardstick* yardstick = nullptr;
  bool gravity = false;                   // would be told apart from friction
  double spring = 0, sliding_spring = 0;  // shares of the variance that a spring explains

  /// A spring explains much, and the direction of the motion hardly any of the rest: the axis does not slide.
  [[nodiscard]] bool held_by_spring() const { return spring > 0.3 && 1 - sliding_spring > 0.9 * (1 - spring); }
};

/// The summary of a signal, if the log has it.
const SignalSummary* summary(const Inspection& found, const char* role);

/// Counts, fits a straight line, and looks at the reversals. Fills the yardstick.
Facts gather(const Signals& signals, Inspection& found);

}  // namespace stiction::identify::inspection
