// The parts of [integrator] and [output] that all scenarios have in common.
#pragma once

#include <optional>
#include <vector>

#include "stiction/scalar/any_model.h"
#include "stiction/sim/trajectory.h"
#include "toml_section.h"

namespace stiction::io {

/// `max_steps`: a whole number.
long read_max_steps(TomlSection& section, long fallback);

/// [initial]: the friction states at t = 0.
std::vector<double> read_initial(std::optional<TomlSection> section, const scalar::AnyModel& model);

/// [integrator] and the interval of [output], for bodies on a line and servos.
sim::Options read_options(TomlSection section, std::optional<TomlSection>& output, sim::Entry entry, double time_scale);

/// Throws InputError with the location of an invalid option; with the number of rows or steps if there are too many.
void require_valid(const sim::Options& options, double time_scale, TomlSection& section,
                   std::optional<TomlSection>& output);

}  // namespace stiction::io
