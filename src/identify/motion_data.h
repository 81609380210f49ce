// Recordings prepared for a model that the measured motion drives: checked, filtered, thinned, and divided into blocks.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "stiction/identify/data.h"
#include "stiction/identify/motion.h"

namespace stiction::identify {

/// A recording whose rows all have numbers, with what was found on the way.
struct CleanLog {
  Recording log;              // position from its mean, see `middle`
  double interval = 0;        // between samples, median [s]
  double clock = 1;           // the time column was multiplied by this
  double position_noise = 0;  // white, standard deviation
  double velocity_noise = 0;  // of the measured velocity, if there is one
  double torque_noise = 0;
  std::size_t left_out = 0;  // rows without numbers
};

/// Throws BadData for columns that cannot be used.
CleanLog clean(const Recording& recording, std::vector<std::string>& notes);

/// Samples of all recordings one after the other, filtered alike.
struct MotionData {
  struct Part {
    std::string name;
    std::size_t begin = 0, end = 0;
  };
  std::vector<Part> parts;  // one for each recording
  std::vector<double> time, position, velocity, acceleration;
  std::vector<double> torque;  // filtered
  std::vector<double> logged;  // not filtered
  /// Of the first 70 % of each recording; `held_out` in the last 30 %, `settling` while a bristle's start still
  /// matters.
  std::vector<int> block;
  static constexpr int held_out = -1, settling = -2;
  int blocks = 0;
  double half_width = 0;  // of the filter [s]
  bool measured_velocity = false;
  double fastest = 0;            // 99th percentile of |velocity|
  double resolved = 0;           // change of the velocity within the filter, typical
  double travel = 0;             // range of the position
  double middle = 0;             // of the position
  double noise = 0;              // of the logged torque
  double level = 0, offset = 0;  // friction and external torque of the yardstick, for the bristle at the start

  /// The filter's weights on the samples that are kept, for a column that is computed from filtered motion but has its
  /// own kinks: from `filter_first[k]` on, as many as fill up to `filter_begin[k + 1]`.
  std::vector<std::size_t> filter_first, filter_begin{0};
  std::vector<double> filter_weights;

  [[nodiscard]] std::size_t size() const { return time.size(); }
};

/// The filter's half-width that suits all recordings.
double half_width_for(const std::vector<CleanLog>& logs);

/// Whether the measured velocity has less noise than that of the position and agrees with it.
bool velocity_is_better(const std::vector<CleanLog>& logs, double half_width);

MotionData prepare_motion(const std::vector<CleanLog>& logs, double half_width, bool measured_velocity,
                          std::size_t max_samples);

}  // namespace stiction::identify
