// How each recording was driven between its samples, and how firmly a drifting simulation is drawn to it.
#pragma once

#include "search.h"

namespace stiction::identify {

/// Recordings that do not slide need not be drawn back.
void let_go(Search& search);

/// Torque held, in straight lines or smooth, loop continuous or sampled, and the rate at which a drifting axis is drawn
/// back: what costs least with the numbers as they are. Tells whether anything changed.
bool choose_drives(Search& search);

/// What the data leave open about a fit.
struct Doubts {
  std::vector<Eigen::VectorXd> shifts = {};  // of the numbers, each a deviation more
  std::vector<std::string> notes = {};       // warnings

  /// Another solution may be true as well, with this weight.
  void add_shift(const std::vector<double>& other, const std::vector<double>& found, double weight);
};

/// The choice was made before the numbers were known: the other drives of each kind of recording are fitted in full as
/// well, and the best is kept. Where the data hardly tell them apart, the intervals allow for all.
void try_other_drives(Search& search, Doubts& doubts);

}  // namespace stiction::identify
