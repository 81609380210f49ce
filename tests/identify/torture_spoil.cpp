#include <algorithm>
#include <array>
#include <limits>

#include "identify/torture_logs.h"

namespace stiction::test {

using identify::Recording;
using identify::Sweep;

void spoil(Random& random, TortureLog& log) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  std::vector<std::vector<double>*> columns;
  std::vector<double>* axis = nullptr;  // time, or the velocities of a table
  for (Recording& recording : log.data.recordings) {
    columns = {&recording.time, &recording.torque, &recording.position};
    if (!recording.commanded.empty()) {
      columns.push_back(&recording.commanded);
    }
    axis = &recording.time;
  }
  for (Sweep& sweep : log.data.sweeps) {
    columns.push_back(&sweep.velocity);
    columns.push_back(&sweep.torque);
    if (!sweep.deviation.empty()) {
      columns.push_back(&sweep.deviation);
    }
    axis = axis == nullptr ? &sweep.velocity : axis;
  }
  std::vector<double>& column = *columns[random.bits() % columns.size()];
  double& cell = column[random.bits() % column.size()];
  const auto all = [&](double value) { std::fill(column.begin(), column.end(), value); };
  constexpr std::array extremes{1e300, -1e300, 1e-300, std::numeric_limits<double>::max(), 1e154, 1e20, 5e-324};
  log.usable = false;
  switch (random.bits() % 14) {
    case 0:
      log.kind += "; a NaN";
      cell = nan;
      break;
    case 1:
      log.kind += "; an infinity";
      cell = random.sign() * infinity;
      break;
    case 2:
      log.kind += "; all NaN";
      all(nan);
      break;
    case 3:
      log.kind += "; an extreme";
      cell = extremes[random.bits() % extremes.size()];
      break;
    case 4:
      log.kind += "; a constant";
      all(cell);
      break;
    case 5:
      log.kind += "; all zero";
      all(0);
      break;
    case 6:
      log.kind += "; scaled by an extreme";
      for (const double by = extremes[random.bits() % extremes.size()]; double& value : column) {
        value *= by;
      }
      break;
    case 7:
      log.kind += "; few rows";
      for (const std::size_t rows = random.bits() % 3; auto* values : columns) {
        values->resize(std::min(values->size(), rows));
      }
      break;
    case 8:
      log.kind += "; a column too short";
      column.resize(column.size() / 2);
      break;
    case 9:
      log.kind += "; a column too long";
      column.push_back(0);
      break;
    case 10:
      log.kind += "; the first column backwards";
      std::reverse(axis->begin(), axis->end());
      break;
    case 11:
      log.kind += "; equal values in the first column";
      (*axis)[axis->size() / 2] = (*axis)[axis->size() / 2 - 1];
      break;
    case 12: {
      log.kind += "; noise";
      const auto normal = normal_numbers(random.bits());
      for (double& value : column) {
        value = normal();
      }
      break;
    }
    default:
      log.kind += "; two levels";
      for (std::size_t k = 0; k < column.size(); ++k) {
        column[k] = static_cast<double>(k / 50 % 2);
      }
  }
}

}  // namespace stiction::test
