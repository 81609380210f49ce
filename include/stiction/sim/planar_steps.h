// A rigid body on a contact patch with fixed steps of any length, for simulators and control loops: bounded time, no
// allocation and no exceptions in a step.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "stiction/planar/distributed.h"
#include "stiction/planar/reduced.h"
#include "stiction/problem.h"

namespace stiction::sim {

/// A patch with three states, for PlanarSteps.
template <class Surface>
struct ReducedContact {
  planar::Reduced<Surface> model;
  typename planar::Reduced<Surface>::State z = {};

  /// The centre of pressure, relative to the patch's origin.
  [[nodiscard]] planar::Point reference() const noexcept { return model.params().pressure.centre_of_pressure; }
  planar::CoupledWrench solve(const planar::CoupledTwist& coupled) noexcept {
    const auto solved = model.solve(z, coupled);
    z = solved.state;
    return static_cast<const planar::CoupledWrench&>(solved);
  }
  /// A step at a given twist.
  planar::Wrench step(const planar::Twist& twist, double normal_force, double dt) noexcept {
    const auto next = model.step(z, twist, normal_force, dt);
    z = next.state;
    return next.wrench;
  }
  [[nodiscard]] planar::Wrench wrench(const planar::Twist& twist, double normal_force) const noexcept {
    return model.wrench(z, twist, normal_force);
  }
};

/// A patch of many bristles, for PlanarSteps.
struct DistributedContact {
  explicit DistributedContact(planar::Distributed distributed) : model(std::move(distributed)), z(model.state_size()) {}
  planar::Distributed model;
  std::vector<double> z;

  [[nodiscard]] planar::Point reference() const noexcept { return model.reference(); }
  planar::CoupledWrench solve(const planar::CoupledTwist& coupled) noexcept { return model.solve(z, coupled); }
  planar::Wrench step(const planar::Twist& twist, double normal_force, double dt) noexcept {
    return model.step(z, twist, normal_force, dt);
  }
  [[nodiscard]] planar::Wrench wrench(const planar::Twist& twist, double normal_force) const noexcept {
    return model.wrench(z, twist, normal_force);
  }
};

/// Loads on the body during a step.
struct PlanarInput {
  planar::Wrench load = {};  // at the centre of mass, gravity included
  double normal_force = 0;   // of one contact [N], ≥ 0
};

/// The velocity of the body and the friction at the end of a step are solved together (backward Euler), so that a stiff
/// contact neither rings nor limits the step:
///   M (v⁺ − v) = h (load + n Gᵀ w),   w after h at the twist G v⁺
/// with G from the velocity of the centre of mass to that of the contact's centre of pressure: planar::solve_coupled. A
/// user-defined `Contact` needs reference() and solve(CoupledTwist) as above.
template <class Contact>
class PlanarSteps {
 public:
  struct Body {
    double mass = 0;        // [kg], > 0
    double inertia = 0;     // about the centre of mass [kg m²], > 0
    int contacts = 1;       // identical ones, > 0
    bool carried = false;   // the contact moves with the body, but does not rotate; otherwise it is fixed
    planar::Point at = {};  // origin of the patch, as in PlanarBody: relative to the centre of mass, or fixed [m]
  };
  static std::optional<Problem> check(const Body& body) noexcept {
    const auto problem = [](const char* field, double value, const Range& range) {
      return range.holds(value) ? std::nullopt : std::optional(Problem{field, value, range.text});
    };
    for (const auto& found : {problem("mass", body.mass, positive), problem("inertia", body.inertia, positive),
                              problem("contacts", body.contacts, positive), problem("at.x", body.at.x, finite),
                              problem("at.y", body.at.y, finite)}) {
      if (found) {
        return found;
      }
    }
    return std::nullopt;
  }

  planar::Point position = {};  // of the centre of mass [m]
  double angle = 0;             // [rad]
  planar::Twist velocity = {};  // of the centre of mass
  Contact contact;

#if defined(__cpp_exceptions)
  /// Throws InvalidParameter.
  PlanarSteps(const Body& body, Contact friction) : contact(std::move(friction)), body_(body) {
    if (const auto problem = check(body)) {
      throw InvalidParameter(*problem);
    }
  }
#else
  /// The body must have passed `check`.
  PlanarSteps(const Body& body, Contact friction) noexcept : contact(std::move(friction)), body_(body) {}
#endif

  /// Returns the wrench of one contact, at the patch's origin: the mean over the step. If load, normal force or dt is
  /// not finite, or normal force or dt is negative, nothing moves: the wrench and `error` are NaN. They are NaN too if
  /// a solution overflows.
  planar::Wrench step(const PlanarInput& input, double dt) noexcept {
    const planar::Point reference = contact.reference();
    const planar::Point at = body_.at + reference;
    const planar::Point arm = body_.carried ? at : at - position;
    const double per_mass = 1 / body_.mass;
    const double per_inertia = 1 / body_.inertia;
    const planar::Twist free{velocity.x + dt * per_mass * input.load.x, velocity.y + dt * per_mass * input.load.y,
                             velocity.spin + dt * per_inertia * input.load.torque};
    // n G M⁻¹ Gᵀ with G = (1 0 −y; 0 1 x; 0 0 1)
    const double n = body_.contacts;
    const Matrix3 mobility{
        {{n * (per_mass + arm.y * arm.y * per_inertia), -n * arm.x * arm.y * per_inertia, -n * arm.y * per_inertia},
         {-n * arm.x * arm.y * per_inertia, n * (per_mass + arm.x * arm.x * per_inertia), n * arm.x * per_inertia},
         {-n * arm.y * per_inertia, n * arm.x * per_inertia, n * per_inertia}}};
    const planar::CoupledWrench solved = contact.solve(
        {planar::at_point(free, {}, arm), mobility, input.normal_force, planar::at_point(velocity, {}, arm), dt});
    report_ = solved.report;
    if (report_.status != planar::TwistStatus::not_finite) {
      velocity = planar::at_point(solved.twist, arm, {});
      const planar::Twist mean = planar::at_point(solved.mean, arm, {});
      position = {position.x + dt * mean.x, position.y + dt * mean.y};
      angle += dt * mean.spin;
    }
    return planar::at_point(solved.wrench, reference, {});
  }

  [[nodiscard]] const planar::TwistReport& report() const noexcept { return report_; }
  /// Residual of the equations in the last step (planar::TwistReport) [m/s]. NaN: it was not taken.
  [[nodiscard]] double error() const noexcept { return report_.residual; }
  [[nodiscard]] int iterations() const noexcept { return report_.iterations; }

 private:
  Body body_;
  planar::TwistReport report_;
};

}  // namespace stiction::sim
