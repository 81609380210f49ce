// How friction decides the motion of the body in one cycle: the interface, and the ways of this library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "stiction/haptics/penalty.h"
#include "stiction/haptics/pose.h"
#include "stiction/spatial/static_friction.h"

namespace stiction::haptics {

/// What is known of a contact besides what `spatial::Contact` has.
struct ContactPlace {
  Vec3 place{};          // in the frame of the fixed body [m]
  double depth = 0;      // [m]; below 0 it is a gap
  double stiffness = 0;  // of its spring [N/m]
};

/// A cycle in which something touches. Arms are from the centre of the body, x_s.
struct Situation {
  std::span<const spatial::Contact> contacts;
  std::span<const ContactPlace> places;  // one for each contact
  const spatial::Load* load;             // of coupling and normal forces, with its gradient
  const SpringWrench* without_contacts;  // the same without the contacts, for those who find normal forces themselves
  spatial::Vector6 frictionless;         // Δ without any friction
  Pose body;
  Vec3 centre{};       // x_s
  bool forces = true;  // the contacts' forces are wanted also where friction holds, not only the motion
};

enum class Phase : std::uint8_t {
  free,    // nothing touches
  held,    // friction holds the body
  slides,  // it does not, or there is none
  fault,   // no motion was found, and none is made
};

struct FrictionMotion {
  spatial::Vector6 motion{};  // Δ
  Phase phase = Phase::slides;
  int rank = 0;  // of the wrenches that friction can give, where that was found: 6 resists every motion
};

/// A way to find the motion. `step` runs in the loop: no allocation, no throw, bounded time.
class FrictionStep {
 public:
  FrictionStep() = default;
  virtual ~FrictionStep() = default;
  FrictionStep(const FrictionStep&) = delete;
  FrictionStep& operator=(const FrictionStep&) = delete;

  /// `forces`, one for each contact, are 0 and sliding when it is called.
  virtual FrictionMotion step(const Situation& situation, std::span<spatial::ContactResult> forces) noexcept = 0;
  /// It wants all points that are near, with their gaps, and the normals of the field: nothing shall penetrate.
  [[nodiscard]] virtual bool by_gaps() const noexcept { return false; }
  /// Of the last step, one for each contact, where it finds normal forces itself [N]; else none.
  [[nodiscard]] virtual std::span<const double> normal_forces() const noexcept { return {}; }
  /// The body was put somewhere else: what was known of the last cycle is void.
  virtual void reset() noexcept {}
};

/// The motion that balances the load with the least elastic energy, with exact cones: Coulomb friction at every
/// contact, some holding, some sliding. Where friction can hold the load, that is proven and the body stays: exactly,
/// if the contacts resist in all directions. `sides` 0: cones; else pyramids. `metric`: see spatial::Metric.
std::unique_ptr<FrictionStep> make_cone_program(std::size_t most_contacts, int sides = 0,
                                                spatial::Metric metric = spatial::Metric::stiffness);
/// As the paper prints it: if friction can hold the load, it does; else there is none in this cycle.
std::unique_ptr<FrictionStep> make_switched_friction(std::size_t most_contacts, int sides);

}  // namespace stiction::haptics
