// Every scalar model, fitted to the levels of one LuGre model: for the experiments that compare all models.
#pragma once

#include <string>
#include <vector>

#include "stiction/scalar/presets.h"

namespace stiction::lab {

struct Compared {
  std::string name;
  scalar::AnyModel model;
};

/// One of each registered model, in the order of the registry, with the Coulomb and static forces, Stribeck velocity,
/// viscous coefficient, presliding stiffness and damping of `like`, as far as the model has them. With Table 2 these
/// are the presets of the comparison set, except for a finer table of the measured curve.
std::vector<Compared> comparison_set(const scalar::LuGre& like = scalar::preset::olsson_table2());

/// The model of that name.
const scalar::AnyModel& model_named(const std::vector<Compared>& set, const std::string& name);

/// Whether it has no viscous term, so that in comparisons of bodies a damper replaces it.
bool lacks_viscous(const scalar::AnyModel& model);

}  // namespace stiction::lab
