// The parts of the spatial module.
#pragma once

#include "core.h"

namespace stiction::python {

void bind_cones(py::module_& m);
void bind_contacts(py::module_& m);

}  // namespace stiction::python
