// What speaks against a fit that was found: outliers, noise on the torque, simulations that are drawn along, other
// masses.
#pragma once

#include "drives.h"
#include "search.h"

namespace stiction::identify {

/// Samples more than 8 deviations off, if they are few, are left out: spikes. Gives their number.
std::size_t drop_outliers(Search& search);

/// As much noise on the torque again, where it drives the axis. What this shifts was already led astray about as much:
/// the shift becomes a doubt. Gives the numbers found; none where the noise does not matter.
std::vector<double> try_noisier_torque(const Search& search, Doubts& doubts);

/// Estimates that differ between two solutions by more than can be allowed for.
std::vector<std::string> estimates_that_differ(const Search& search, const std::vector<double>& a,
                                               const std::vector<double>& b);

/// The recordings that are followed only because they are drawn back faster than the bristles could swing: they say
/// nothing of mass and bristles. One sentence, with what is seen of the cause; empty where there are none.
std::string drawn_along(const Search& search);

/// Where no recording comes near the level of friction: a sentence that says how near; else empty. The level and the
/// bend towards it would be extrapolated, or the bend would join presliding to a table without being seen.
std::string only_presliding(const Search& search);

/// Whether a mass far from the one found, with all else fitted to it, is as good within what chance does. The interval
/// is that of the minimum found, which may be one of several.
bool another_mass_will_do(const Search& search);

/// Positive numbers, searched by their logarithm, that ran as far as they may.
std::vector<std::string> at_edge(const Search& search);

/// Fits again without the last part of each recording, and gives the error there over the noise.
double held_out_error(const Search& search);

}  // namespace stiction::identify
