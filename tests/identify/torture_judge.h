// Whether an accepted fit is right: its numbers within their intervals, its friction that of the axis.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "identify/torture_logs.h"

namespace stiction::test {

/// The true value of an estimate; nothing where the fitted model is of another kind than the axis and has none.
std::optional<double> true_value(const TortureLog& log, const std::string& model, const std::string& estimate);

struct Judgement {
  // Friction on a motion, or at velocities, that the log did not have; root mean squares [N].
  double error = 0;
  double level = 0;
  double stated = 0;                    // deviation of the friction that follows from those of the estimates
  bool same_kind = true;                // the axis has friction of the fitted kind
  std::vector<std::string> wrong = {};  // estimates beyond their intervals, with the numbers

  /// Friction within 4 deviations or 1 %; 3 % where it is of another kind, which the data do not tell apart.
  [[nodiscard]] bool right() const {
    return wrong.empty() && error <= std::max((same_kind ? 0.01 : 0.03) * level, 4 * stated);
  }
};
Judgement judge_fit(const TortureLog& log, const identify::Fit& fit);

}  // namespace stiction::test
