// The parts of [integrator] and [output] that all scenarios have in common.
#pragma once

#include <optional>

#include "stiction/sim/trajectory.h"
#include "toml_section.h"

namespace stiction::io {

/// `max_steps`: a whole number.
long read_max_steps(TomlSection& section, long fallback);

/// Throws InputError with the location of an invalid option; with the number of rows or steps if there are too many.
void require_valid(const sim::Options& options, double time_scale, TomlSection& section,
                   std::optional<TomlSection>& output);

}  // namespace stiction::io
