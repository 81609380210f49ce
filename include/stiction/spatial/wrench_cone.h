// The wrenches that several frictional contacts can exert on a body, as positive combinations of generators, and
// whether they can resist every load (force closure).
#pragma once

#include <span>

#include "stiction/spatial/force_closure.h"
#include "stiction/spatial/pyramid.h"

namespace stiction::spatial {

/// One contact of a grasp, on the grasped body.
template <class Real = double>
struct GraspContact {
  Vector<Real, 3> point;   // [m]
  Vector<Real, 3> normal;  // into the body, of any non-zero length
  Real mu = Real(0);       // coefficient of sliding friction [-], ≥ 0
  Real torsion = Real(0);  // coefficient of torsional friction [m], ≥ 0: 0 for a hard point, > 0 for a soft finger

  static constexpr std::optional<Problem> check(const GraspContact& contact) noexcept {
    constexpr std::array<Field<GraspContact, Real>, 2> fields{
        {{"mu", &GraspContact::mu, "-", non_negative, required, "coefficient of sliding friction"},
         {"torsion", &GraspContact::torsion, "m", non_negative, required, "coefficient of torsional friction"}}};
    for (const Real& x : contact.point) {
      if (!finite.holds(x)) {
        return Problem{"point", plain(x), finite.text};
      }
    }
    const Real length = norm(contact.normal);
    return positive.holds(length) ? first_problem(contact, fields)
                                  : std::optional<Problem>({"normal", plain(length), "of a length > 0 and finite"});
  }
#if defined(__cpp_exceptions)
  using Params = GraspContact;
  static GraspContact make(const Params& params) { return checked<GraspContact>(params); }
#endif
};

/// Generators of one contact: the edges of an inscribed pyramid, and n ± torsion for a soft finger.
template <class Real>
[[nodiscard]] constexpr std::size_t generator_count(const GraspContact<Real>& contact, std::size_t sides) noexcept {
  return (contact.mu > Real(0) ? sides : 1) + (contact.torsion > Real(0) ? 2 : 0);
}

/// Writes wrenches (force, torque about `centre`/length), each with a normal force of 1, whose positive combinations
/// are the friction wrench cone of the contacts with inscribed pyramids. The length makes torques comparable with
/// forces: take the size of the body. Returns their number; those beyond the end of `out` are not written.
template <class Real>
std::size_t wrench_generators(std::span<const GraspContact<Real>> contacts, const Vector<Real, 3>& centre, Real length,
                              std::size_t sides, std::span<Vector<Real, 6>> out) noexcept {
  std::size_t count = 0;
  const auto append = [&](const Vector<Real, 3>& force, const Vector<Real, 3>& torque) {
    if (count < out.size()) {
      out[count] = {force[0], force[1], force[2], torque[0] / length, torque[1] / length, torque[2] / length};
    }
    ++count;
  };
  for (const GraspContact<Real>& contact : contacts) {
    const auto frame = Frame<Real>::z_normal(contact.normal);
    const Vector<Real, 3> arm = difference(contact.point, centre);
    const Pyramid<Real> pyramid({contact.mu, sides, Fit::inscribed});
    for (std::size_t j = 0; j < (contact.mu > Real(0) ? sides : 1); ++j) {
      const Vector<Real, 3> force = frame.to_world(pyramid.edge(j));
      append(force, cross(arm, force));
    }
    if (contact.torsion > Real(0)) {
      const Vector<Real, 3> torque = cross(arm, frame.z);
      append(frame.z, sum(torque, scaled(contact.torsion, frame.z)));
      append(frame.z, difference(torque, scaled(contact.torsion, frame.z)));
    }
  }
  return count;
}

}  // namespace stiction::spatial
