// What all scenarios read alike of [integrator] and [output].
#pragma once

#include <optional>

#include "stiction/sim/trajectory.h"
#include "toml_section.h"

namespace stiction::io {

/// `max_steps`: a whole number.
long read_max_steps(TomlSection& section, long fallback);

/// InputError at the place of what cannot be run, with the number of rows or steps where they are too many.
void require_valid(const sim::Options& options, double time_scale, TomlSection& section,
                   std::optional<TomlSection>& output);

}  // namespace stiction::io
