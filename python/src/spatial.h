// The parts of the spatial module.
#pragma once

#include "core.h"
#include "stiction/spatial/static_friction.h"

namespace stiction::python {

/// Contacts of a body and the load on it.
struct Problem6 {
  std::vector<spatial::Contact> contacts;
  spatial::Load load;
};

using DeclaredNames = As<"Sequence[Literal['nothing', 'sticks', 'slides']]">;

py::dict more_of_contacts(const ArrayLike& dynamic_friction, const ArrayLike& u, const ArrayLike& friction_v,
                          const ArrayLike& torsion, const DeclaredNames& declared, const ArrayLike& key);
Problem6 problem_from(const ArrayLike& arm, const ArrayLike& normal, const ArrayLike& normal_force,
                      const ArrayLike& friction, const ArrayLike& wrench, const ArrayLike& gradient,
                      const ArrayLike& mass, double length, const py::dict& more);
/// The keywords of `set` that set the problem again.
py::dict problem_dict(const Problem6& problem);
/// ValueError where gradient or mass cannot be used.
void require_solvable(const spatial::Load& load);

void bind_cones(py::module_& m);
void bind_contacts(py::module_& m);

}  // namespace stiction::python
