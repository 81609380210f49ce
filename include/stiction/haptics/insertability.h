// Can a part be put where a hand leads it? The largest friction at which it still goes in, found by simulations.
#pragma once

#include <functional>
#include <vector>

#include "stiction/haptics/scene.h"
#include "stiction/haptics/trajectory.h"

namespace stiction::haptics {

/// When a part counts as inserted, and with how much force the hand may push.
struct InsertionGoal {
  double tolerance = 1e-3;       // distance of the part from the hand's last pose, in the end [m]
  double most_force = infinity;  // of the coupling, on the way [N]
  double wait = 0.2;             // after the path's end, for the part to follow, both 1e5 at most [s]
};

struct InsertionTrial {
  double friction = 0;  // μ of all pairs
  bool inserted = false;
  double force = 0;  // most of the coupling on the way, up to the limit where that stopped it [N]
  double left = 0;   // distance from the hand's last pose in the end [m]
};

/// One simulation along the path with this coefficient for all pairs; sliding friction is at most that. Stops where the
/// force is over its limit. `progress` may throw to stop the work. Throws InvalidParameter, as the search below does.
InsertionTrial try_insertion(const PreparedScene& scene, const Trajectory& path, double friction,
                             const FrictionChoice& choice, const InsertionGoal& goal = {},
                             const std::function<void(double fraction)>& progress = {});

struct Insertability {
  double insertable = -1;      // largest coefficient found at which it goes in; < 0: at none
  double not_insertable = -1;  // least coefficient found at which it does not; < 0: none up to the most that was tried
  std::vector<InsertionTrial> trials;  // in the order of the coefficient
};
struct InsertabilitySearch {
  double most_friction = 2;  // of those tried
  int sweep = 9;             // coefficients from 0 to that, evenly; then bisection between the first that fails …
  double resolution = 0.01;  // … and the one before, down to this
};
/// Friction of ours. A part that goes in at some coefficient and not at a lower one is reported by its trials.
Insertability find_insertability(const PreparedScene& scene, const Trajectory& path, const FrictionChoice& choice,
                                 const InsertionGoal& goal = {}, const InsertabilitySearch& search = {},
                                 const std::function<void(double fraction)>& progress = {});

}  // namespace stiction::haptics
