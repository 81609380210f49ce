// A rigid body on a contact patch in fixed steps of any length, for simulators and control loops: bounded work, no
// allocation and no exceptions in a step.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
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

  [[nodiscard]] const planar::Friction& friction() const noexcept { return model.friction; }
  /// The centre of pressure, from the patch's origin.
  [[nodiscard]] planar::Point reference() const noexcept { return model.centre_of_pressure; }
  /// The wrench after dt at this twist; the state stays.
  planar::Wrench trial(const planar::Twist& twist, double normal_force, double dt) noexcept {
    return model.step(z, twist, normal_force, dt).wrench;
  }
  planar::Wrench advance(const planar::Twist& twist, double normal_force, double dt) noexcept {
    const auto next = model.step(z, twist, normal_force, dt);
    z = next.state;
    return next.wrench;
  }
};

/// A patch of many bristles, for PlanarSteps.
struct DistributedContact {
  explicit DistributedContact(planar::Distributed distributed)
      : model(std::move(distributed)), z(model.state_size()), tried(model.state_size()) {}
  planar::Distributed model;
  std::vector<double> z, tried;

  [[nodiscard]] const planar::Friction& friction() const noexcept { return model.friction(); }
  [[nodiscard]] planar::Point reference() const noexcept { return model.reference(); }
  planar::Wrench trial(const planar::Twist& twist, double normal_force, double dt) noexcept {
    std::copy(z.begin(), z.end(), tried.begin());
    return model.step(tried, twist, normal_force, dt);
  }
  planar::Wrench advance(const planar::Twist& twist, double normal_force, double dt) noexcept {
    return model.step(z, twist, normal_force, dt);
  }
};

/// What acts on the body during a step.
struct PlanarInput {
  planar::Wrench load = {};  // at the centre of mass, gravity included
  double normal_force = 0;   // of one contact [N], ≥ 0
};

/// The velocity of the body and the friction at the end of a step are found together (backward Euler), so that a stiff
/// contact neither rings nor limits the step:
///   M (v⁺ − v) = h (load + n Gᵀ w),   w after h at the twist G v⁺
/// with G from the velocity of the centre of mass to that of the contact's centre of pressure. Three unknowns, by
/// Newton's method with a line search. A `Contact` of the user's own has friction(), reference(), trial() and advance()
/// as those above.
template <class Contact>
class PlanarSteps {
 public:
  struct Body {
    double mass = 0;        // [kg], > 0
    double inertia = 0;     // about the centre of mass [kg m²], > 0
    double contacts = 1;    // equal ones, > 0
    bool carried = false;   // the contact moves with the body, but does not turn; otherwise it stays where it is
    planar::Point at = {};  // the patch's origin, as in PlanarBody: from the centre of mass, or its place [m]
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
  /// The body is one that `check` has passed.
  PlanarSteps(const Body& body, Contact friction) noexcept : contact(std::move(friction)), body_(body) {}
#endif

  /// Returns the wrench of one contact, at the patch's origin. A step whose equations cannot be met, as where sliding
  /// friction that falls with speed leaves a gap, is taken in halves, three times over at most. A load, normal force or
  /// dt that is not finite, and a normal force or dt below 0, move nothing: the wrench and `error` are NaN. So are they
  /// where a solution leaves the range of numbers; the state is then that of the last part that had one.
  planar::Wrench step(const PlanarInput& input, double dt) noexcept {
    error_ = 0;
    iterations_ = 0;
    const double sum = input.load.x + input.load.y + input.load.torque;
    if (!(std::isfinite(sum) && non_negative.holds(input.normal_force) && non_negative.holds(dt))) {
      return unknown();
    }
    return step(input, dt, most_splits);
  }

  /// By how much the last step has missed its equations [m/s]. NaN: it was not taken.
  [[nodiscard]] double error() const noexcept { return error_; }
  [[nodiscard]] int iterations() const noexcept { return iterations_; }

 private:
  using Vector = std::array<double, 3>;
  static constexpr int most_splits = 3;
  static constexpr int most_iterations = 20;
  static constexpr int most_halvings = 12;

  struct Solution {
    Vector v;
    double error;
  };

  planar::Wrench unknown() noexcept {
    error_ = std::numeric_limits<double>::quiet_NaN();
    return {error_, error_, error_};
  }

  planar::Wrench step(const PlanarInput& input, double dt, int splits) noexcept {
    const planar::Point reference = contact.reference();
    const planar::Point at = body_.at + reference;
    const planar::Point arm = body_.carried ? at : at - position;
    const Vector before{velocity.x, velocity.y, velocity.spin};
    const Vector per_mass{dt / body_.mass, dt / body_.mass, dt / body_.inertia};
    const Vector free{before[0] + per_mass[0] * input.load.x, before[1] + per_mass[1] * input.load.y,
                      before[2] + per_mass[2] * input.load.torque};
    const auto twist_of = [&](const Vector& v) { return planar::at_point(planar::Twist{v[0], v[1], v[2]}, {}, arm); };
    // v⁺ − v − h M⁻¹ (load + n Gᵀ w)
    const auto off_by = [&](const Vector& v) {
      const planar::Wrench w =
          body_.contacts * planar::at_point(contact.trial(twist_of(v), input.normal_force, dt), arm, {});
      return Vector{v[0] - free[0] - per_mass[0] * w.x, v[1] - free[1] - per_mass[1] * w.y,
                    v[2] - free[2] - per_mass[2] * w.torque};
    };
    const double enough = 1e-10 * (size_of(before) + 1e-3 * contact.friction().stribeck_velocity);
    Solution found = solve(off_by, before, enough);
    if (!(found.error <= enough)) {
      const Solution other = solve(off_by, free, enough);
      found = other.error < found.error || std::isnan(found.error) ? other : found;
    }
    if (found.error > 1e3 * enough && splits > 0) {
      step(input, 0.5 * dt, splits - 1);
      return std::isnan(error_) ? unknown() : step(input, 0.5 * dt, splits - 1);
    }
    if (!std::isfinite(found.error)) {
      return unknown();
    }
    error_ = std::max(error_, found.error);  // both are numbers
    velocity = {found.v[0], found.v[1], found.v[2]};
    position = {position.x + dt * velocity.x, position.y + dt * velocity.y};
    angle += dt * velocity.spin;
    return planar::at_point(contact.advance(twist_of(found.v), input.normal_force, dt), reference, {});
  }

  /// As a velocity: spins at the radius of gyration.
  [[nodiscard]] double size_of(const Vector& v) const noexcept {
    return std::sqrt(v[0] * v[0] + v[1] * v[1] + body_.inertia / body_.mass * v[2] * v[2]);
  }

  /// Newton's method; each step is shortened until it brings a gain.
  template <class OffBy>
  Solution solve(const OffBy& off_by, const Vector& start, double enough) noexcept {
    const double small = 1e-7 * contact.friction().stribeck_velocity;
    const Vector increment{small, small, small * std::sqrt(body_.mass / body_.inertia)};
    Vector v = start;
    Vector off = off_by(v);
    double size = size_of(off);
    for (int k = 0; size > enough && k < most_iterations; ++k, ++iterations_) {
      std::array<Vector, 3> slope{};  // by columns
      for (std::size_t j = 0; j < 3; ++j) {
        Vector moved = v;
        moved[j] += std::copysign(increment[j], -off[j]);  // towards the solution: beyond rest slopes are others
        const Vector there = off_by(moved);
        for (std::size_t i = 0; i < 3; ++i) {
          slope[j][i] = (there[i] - off[i]) / (moved[j] - v[j]);
        }
      }
      const Vector change = solved(slope, off);
      const double old_size = size;
      double share = 1;
      for (int halving = 0; halving < most_halvings && !(size < old_size); ++halving, share *= 0.5) {
        const Vector tried{v[0] - share * change[0], v[1] - share * change[1], v[2] - share * change[2]};
        const Vector tried_off = off_by(tried);
        if (const double tried_size = size_of(tried_off); tried_size < size) {
          v = tried;
          off = tried_off;
          size = tried_size;
        }
      }
      if (!(size < old_size)) {
        break;
      }
    }
    return {v, size};
  }

  /// Cramer's rule; columns as they are. A singular system gives no change.
  static Vector solved(const std::array<Vector, 3>& c, const Vector& b) noexcept {
    const auto cross = [](const Vector& p, const Vector& q) {
      return Vector{p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]};
    };
    const auto dot = [](const Vector& p, const Vector& q) { return p[0] * q[0] + p[1] * q[1] + p[2] * q[2]; };
    const Vector c12 = cross(c[1], c[2]);
    const double determinant = dot(c[0], c12);
    const double inverse = determinant != 0 ? 1 / determinant : 0;
    return {dot(b, c12) * inverse, dot(b, cross(c[2], c[0])) * inverse, dot(b, cross(c[0], c[1])) * inverse};
  }

  Body body_;
  double error_ = 0;
  int iterations_ = 0;
};

}  // namespace stiction::sim
