// How each recording was driven between its samples, and how strongly a drifting simulation is corrected towards it.
#pragma once

#include "search.h"

namespace stiction::identify {

/// Recordings that do not slide need no correction.
void let_go(Search& search);

/// Torque held, linear or smooth, loop continuous or sampled, and the correction rate for a drifting axis: chooses the
/// lowest cost for the current parameters. Returns whether anything changed.
bool choose_drives(Search& search);

/// What the data do not decide about a fit.
struct Doubts {
  std::vector<Eigen::VectorXd> shifts = {};  // of the parameters, each an additional deviation
  std::vector<std::string> notes = {};       // warnings

  /// Accounts for another possible solution, with this weight.
  void add_shift(const std::vector<double>& other, const std::vector<double>& found, double weight);
};

/// The choice was made before the parameters were known: the other drives of each kind of recording are now fitted in
/// full too, and the best is kept. If the data hardly distinguish them, the intervals allow for all.
void try_other_drives(Search& search, Doubts& doubts);

}  // namespace stiction::identify
