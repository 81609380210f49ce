// The friction step, which computes the motion of the body in one cycle: the interface, and this library's methods.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "stiction/export.h"
#include "stiction/haptics/penalty.h"
#include "stiction/haptics/pose.h"
#include "stiction/spatial/static_friction.h"

namespace stiction::haptics {

/// Data of a contact that `spatial::Contact` does not have.
struct ContactPoint {
  Vector3 position{};    // in the frame of the fixed body [m]
  double depth = 0;      // [m]; < 0: a gap
  double stiffness = 0;  // of its spring [N/m]
};

/// Input of a friction step, with at least one contact. Arms are relative to the centre of the body, x_s.
struct Situation {
  std::span<const spatial::Contact> contacts;
  std::span<const ContactPoint> points;  // one for each contact
  const spatial::Load* load;             // of coupling and normal forces, with its gradient
  const SpringWrench* without_contacts;  // the same without contacts, for methods that compute normal forces
  Vector6 frictionless;                  // Δ without any friction
  Pose body;
  Vector3 centre{};    // x_s
  bool forces = true;  // contact forces are also required if friction holds the body, not only the motion
};

enum class Phase : std::uint8_t {
  free,    // nothing touches
  held,    // friction holds the body
  slides,  // friction does not hold the body, or there is none
  fault,   // no motion was found; the body stays
};

struct FrictionMotion {
  Vector6 motion{};  // Δ
  Phase phase = Phase::slides;
  int rank = 0;  // of the friction wrenches, if computed; 6: every motion is resisted
};

/// A method that computes the motion. `step` runs in the real-time loop: no allocation, no throw, bounded time.
class STICTION_EXPORT FrictionStep {
 public:
  FrictionStep() = default;
  virtual ~FrictionStep() = default;
  FrictionStep(const FrictionStep&) = delete;
  FrictionStep& operator=(const FrictionStep&) = delete;

  /// `forces`: one entry per contact, initialised to zero force and sliding.
  virtual FrictionMotion step(const Situation& situation, std::span<spatial::ContactResult> forces) noexcept = 0;
  /// Non-penetrating methods need all nearby points with their gaps, and the normals of the field.
  [[nodiscard]] virtual bool by_gaps() const noexcept { return false; }
  /// Normal forces of the last step, one per contact [N], if the method computes them; otherwise empty.
  [[nodiscard]] virtual std::span<const double> normal_forces() const noexcept { return {}; }
  /// The body was repositioned: discards the state of the last cycle.
  virtual void reset() noexcept {}
};

/// The motion of minimum elastic energy that balances the load, with exact cones: Coulomb friction at every contact,
/// sticking or sliding. If friction can hold the load, this is certified and the body stays; it stays exactly if the
/// contacts resist all directions. `sides` 0: cones; otherwise pyramids. `metric`: see spatial::Metric.
STICTION_EXPORT std::unique_ptr<FrictionStep> make_cone_program(std::size_t max_contacts, int sides = 0,
                                                                spatial::Metric metric = spatial::Metric::stiffness);
/// As published: if friction can hold the load, the body stays; otherwise there is no friction in this cycle.
STICTION_EXPORT std::unique_ptr<FrictionStep> make_switched_friction(std::size_t max_contacts, int sides);

}  // namespace stiction::haptics
