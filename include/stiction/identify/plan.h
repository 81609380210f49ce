// Experiments on an axis whose log identifies the friction: a sweep of constant velocities, a torque below break-away,
// and a motion with reversals.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "stiction/export.h"
#include "stiction/identify/data.h"

namespace stiction::identify {

/// Limits of the axis, and approximate values. In N, m, kg, or N m, rad, kg m².
struct Limits {
  double torque = 0;          // largest command [N], > 0
  double speed = 0;           // largest [m/s], > 0
  double travel = 0;          // from end to end [m], > 0
  double sample_rate = 1000;  // of the controller and the log [Hz], 100 to 1e5
  double friction = 0;        // break-away torque of the axis [N]; 0: unknown, the plan determines it first
  double mass = 0;            // [kg]; 0: unknown
  double stiffness = 0;       // in presliding [N/m]; 0: unknown
};

/// One experiment: a reference for each sample, from time 0.
struct Run {
  enum class Mode { torque, velocity };
  /// Part of a run at constant velocity; friction has settled from sample `settled` on.
  struct Segment {
    std::size_t begin = 0, settled = 0, end = 0;
    double velocity = 0;
  };

  std::string name;  // "break-away", "sweep", "presliding", "motion"
  Mode mode = Mode::torque;
  std::vector<double> time;            // [s]
  std::vector<double> reference;       // torque [N] or velocity [m/s]
  std::vector<Segment> segments = {};  // of a sweep
};

struct Plan {
  std::vector<Run> runs;
  std::string instructions;  // lines of text
};

/// If `friction` is unknown, the plan has the run that determines it, and the sweep; if known, also presliding and
/// motion. Throws BadData for limits that are not finite, not positive, or too tight for a sweep.
STICTION_EXPORT Plan make_plan(const Limits& limits);

/// The steady friction in the log of a sweep: one row per segment, with the standard deviation of its mean. The log
/// must have the run's samples. Throws BadData.
STICTION_EXPORT Sweep steady_friction(const Run& run, const Recording& log);

}  // namespace stiction::identify
