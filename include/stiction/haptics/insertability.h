// Can a part be inserted along a given hand path? Finds the largest friction at which it can, by simulation.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "stiction/export.h"
#include "stiction/haptics/scene.h"
#include "stiction/haptics/trajectory.h"

namespace stiction::haptics {

/// When a part counts as inserted, and how hard the hand may push.
struct InsertionGoal {
  double tolerance = 1e-3;      // on the final distance of the part's centre from the hand's last pose [m]
  double max_force = infinity;  // of the coupling, along the whole path [N]
  double wait = 0.2;            // after the end of the path, for the part to follow; with the path at most 1e5 s [s]
};

struct InsertionTrial {
  double friction = 0;  // μ of all pairs
  bool inserted = false;
  double force = 0;     // largest coupling force along the path; the simulation stops once it exceeds the limit [N]
  double distance = 0;  // final distance from the hand's last pose [m]
};

/// One simulation along the path with this coefficient for all pairs; sliding friction is at most that. Stops once the
/// force exceeds its limit. `progress` may throw to cancel. Throws InvalidParameter, as the search below does.
STICTION_EXPORT InsertionTrial try_insertion(const PreparedScene& scene, const Trajectory& path, double friction,
                                             const FrictionChoice& choice, const InsertionGoal& goal = {},
                                             const std::function<void(double fraction)>& progress = {});

struct Insertability {
  std::optional<double> insertable;      // largest successful coefficient below the first failure
  std::optional<double> not_insertable;  // smallest coefficient tried at which insertion fails
  std::vector<InsertionTrial> trials;    // by increasing coefficient
};
struct InsertabilitySearch {
  double max_friction = 2;   // largest coefficient tried
  int sweep = 9;             // number of evenly spaced coefficients from 0 to that; then bisection between the …
  double resolution = 0.01;  // … first failure and the success before it, to this resolution
};
/// If a part can be inserted at some coefficient but not at a smaller one, only the trials show that.
STICTION_EXPORT Insertability find_insertability(const PreparedScene& scene, const Trajectory& path,
                                                 const FrictionChoice& choice, const InsertionGoal& goal = {},
                                                 const InsertabilitySearch& search = {},
                                                 const std::function<void(double fraction)>& progress = {});

}  // namespace stiction::haptics
