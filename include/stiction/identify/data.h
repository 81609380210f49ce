// Input data of an identification: recordings of a moving axis, and tables of steady friction.
#pragma once

#include <string>
#include <vector>

namespace stiction::identify {

/// A recording without gaps; all columns have the same length. Forces in N and positions in m, or torques in N m and
/// angles in rad.
struct Recording {
  enum class Reference { none, velocity, position };

  std::string name;
  std::vector<double> time;      // [s], increasing
  std::vector<double> torque;    // of the drive, without friction
  std::vector<double> position;  // measured
  Reference reference = Reference::none;
  std::vector<double> commanded = {};  // the loop's reference, if the log has one [m/s] or [m]
  std::vector<double> velocity = {};   // measured, if the log has it [m/s]; used by `fit_motion` only
  std::vector<double> external = {};   // known torque of everything but the drive and friction [N]; the same
};

/// Friction at constant velocities, one row for each velocity.
struct Sweep {
  std::string name;
  std::vector<double> velocity;   // [m/s]
  std::vector<double> torque;     // [N], mean over the segment
  std::vector<double> deviation;  // standard deviation of that mean [N]; empty: unknown
};

struct Data {
  std::vector<Recording> recordings;
  std::vector<Sweep> sweeps;
};

}  // namespace stiction::identify
