// A rigid body in the plane that slides on, or is held between, contact patches.
#pragma once

#include <functional>
#include <stop_token>
#include <vector>

#include "stiction/export.h"
#include "stiction/planar/distributed.h"
#include "stiction/planar/soft_finger.h"
#include "stiction/sim/report.h"

namespace stiction::sim {

/// m dv/dt = n f + F + m g,   I dω/dt = n (τ + (c − p) × f) + T
/// with the wrench (f, τ) of one contact at its position c, n identical contacts, and the load (F, T) at the centre of
/// mass p.
struct PlanarBody {
  double mass = 0;             // [kg], > 0
  double inertia = 0;          // about the centre of mass [kg m²], > 0
  planar::Point gravity = {};  // [m/s²]
  int contacts = 1;            // n, identical ones, e.g. two fingers

  /// The contact moves with the body, as for a disc on a table; otherwise it is fixed, as for a gripper.
  bool carried = false;
  planar::Point contact = {};  // origin of the patch: fixed position, or relative to the centre of mass [m]

  std::function<planar::Wrench(double t)> load = {};  // at the centre of mass, finite; none: no load
  std::function<double(double t)> normal_force = {};  // of one contact [N], finite; < 0: no contact
  std::vector<double> jumps = {};                     // times at which these jump [s]
};

struct PlanarState {
  planar::Point position = {};  // of the centre of mass [m]
  double angle = 0;             // [rad]
  planar::Twist velocity = {};  // of the centre of mass
};

struct PlanarRow {
  double time = 0;
  double normal_force = 0;  // just before `time`
  PlanarState state;
  planar::Wrench wrench;  // of one contact, at the patch's origin
};

struct PlanarRun : RunReport {
  std::vector<PlanarRow> rows;
};

struct PlanarOptions {
  double duration = 1;               // [s], > 0
  double interval = 0.01;            // between rows [s], > 0
  double relative_tolerance = 1e-6;  // as for LSODA in the paper
  double absolute_tolerance = 1e-8;  // in metres, radians, …; bristles: over their largest deflection
  double max_step = 1e-3;            // [s], > 0
  long max_steps = 100'000'000;      // > 0: a run that needs more is rejected, or aborted if that shows later

  std::stop_token stop = {};                           // ends the run early, with the rows so far
  std::function<void(double fraction)> progress = {};  // called occasionally; may throw
};

/// Reports progress. Returns false, and marks the report as interrupted, if the run must stop. For outer loops.
STICTION_EXPORT bool goes_on(const PlanarOptions& options, double time, RunReport& report);

/// Updates a friction model whose pressure or shape depends on the normal force. Called whenever the force changes.
template <class Model>
using Pressed = std::function<void(Model& model, double normal_force)>;

/// Many bristles: CVODE, with the bristles eliminated from its Newton systems, so that the cost of a step is linear in
/// the number of points. Throws InvalidParameter, also if the load or the normal force is not finite at some time, and
/// SolverFailure.
STICTION_EXPORT PlanarRun simulate(const PlanarBody& body, planar::Distributed friction, PlanarState start,
                                   const PlanarOptions& options, const Pressed<planar::Distributed>& pressed = {});

/// Three states for the patch.
template <class Surface>
PlanarRun simulate(const PlanarBody& body, planar::Reduced<Surface> friction, PlanarState start,
                   const PlanarOptions& options, const Pressed<planar::Reduced<Surface>>& pressed = {});

/// A soft finger, whose contact grows with its load.
STICTION_EXPORT PlanarRun simulate(const PlanarBody& body, planar::SoftFingerModel finger, PlanarState start,
                                   const PlanarOptions& options);

}  // namespace stiction::sim
