// Evidence against a fit: outliers, noise on the torque, simulations that follow only by correction, other masses.
#pragma once

#include "drives.h"
#include "search.h"

namespace stiction::identify {

/// Excludes samples with residuals above 8 deviations, if they are few: spikes. Returns their number.
std::size_t drop_outliers(Search& search);

/// Fits again with additional noise on the torque, if it drives the axis. The original noise has biased the estimates
/// by about the resulting shift, which is added to their uncertainty. Returns the numbers found; none if the noise does
/// not matter.
std::vector<double> try_noisier_torque(const Search& search, Doubts& doubts);

/// Estimates that differ between two solutions by more than their intervals can cover.
std::vector<std::string> estimates_that_differ(const Search& search, const std::vector<double>& a,
                                               const std::vector<double>& b);

/// The recordings that are reproduced only because they are corrected faster than the bristles oscillate: they carry no
/// information on mass and bristles. One sentence, with the likely cause; empty if there are none.
std::string drawn_along(const Search& search);

/// If no recording approaches the level of friction: a sentence that says how close they come; otherwise empty. The
/// level and the transition to it would be extrapolated, or joined to a table without data in between.
std::string only_presliding(const Search& search);

/// Whether a very different mass, with everything else fitted to it, is statistically as good. The interval only
/// describes the minimum found, which may be one of several.
bool another_mass_will_do(const Search& search);

/// Positive numbers, fitted by their logarithm, that reached a bound.
std::vector<std::string> at_edge(const Search& search);

/// Fits again without the last part of each recording, and returns the error there over the noise.
double held_out_error(const Search& search);

}  // namespace stiction::identify
