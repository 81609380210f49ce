#include "motion_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "motion_filter.h"
#include "signals.h"
#include "stiction/identify/identify.h"
#include "stiction/math.h"

namespace stiction::identify {
namespace {

constexpr std::size_t min_rows = 100;
constexpr std::size_t min_kept = 20;  // after the filter
constexpr double max_number = 1e15;
constexpr double trained_share = 0.7;
constexpr int blocks_in_all = 10;  // at least

void require_signal(const Recording& log, const char* name, const std::vector<double>& values) {
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  if (!(*high - *low > std::max(1e-15, 1e-10 * std::max(std::abs(*low), std::abs(*high))))) {
    throw BadData(
        fmt::format("{}: the {} is constant ({:g}); nothing can be identified from it", log.name, name, *low));
  }
}

/// The rows that have numbers in all columns.
Recording rows_with_numbers(const Recording& log, std::size_t& left_out) {
  const std::size_t n = log.time.size();
  const std::array<std::pair<const char*, const std::vector<double>*>, 4> columns{
      {{"torque", &log.torque}, {"position", &log.position}, {"velocity", &log.velocity}, {"external", &log.external}}};
  for (const auto& [name, values] : columns) {
    const bool optional = values == &log.velocity || values == &log.external;
    if (values->size() != n && !(optional && values->empty())) {
      throw BadData(fmt::format("{}: {} has {} rows, but there are {}", log.name, name, values->size(), n));
    }
  }
  Recording result;
  result.name = log.name;
  for (std::size_t k = 0; k < n; ++k) {
    bool complete = std::isfinite(log.time[k]);
    for (const auto& column : columns) {
      complete = complete && (column.second->empty() || std::isfinite((*column.second)[k]));
    }
    if (!complete) {
      ++left_out;
      continue;
    }
    for (const auto& [name, values] : columns) {
      if (!values->empty() && !(std::abs((*values)[k]) <= max_number)) {
        throw BadData(fmt::format("{}: {} = {:g} in row {}: must be at most {:g}", log.name, name, (*values)[k], k + 1,
                                  max_number));
      }
    }
    if (!result.time.empty() && !(log.time[k] - result.time.back() >= 1e-9)) {
      throw BadData(fmt::format("{}: time must increase, by at least 1e-9 s: {:.10g} s after {:.10g} s in row {}",
                                log.name, log.time[k], result.time.back(), k + 1));
    }
    result.time.push_back(log.time[k]);
    result.torque.push_back(log.torque[k]);
    result.position.push_back(log.position[k]);
    if (!log.velocity.empty()) {
      result.velocity.push_back(log.velocity[k]);
    }
    if (!log.external.empty()) {
      result.external.push_back(log.external[k]);
    }
  }
  return result;
}

/// The change of position over the integral of the velocity; 1 if both describe the same motion.
double position_over_velocity(const Recording& log) {
  const std::size_t stride = std::max<std::size_t>(1, log.time.size() / 500);
  double both = 0;
  double one = 0;
  double integral = 0;
  std::size_t last = 0;
  for (std::size_t k = 1; k < log.time.size(); ++k) {
    integral += (log.time[k] - log.time[k - 1]) * (log.velocity[k] + log.velocity[k - 1]) / 2;
    if (k - last >= stride) {
      both += integral * (log.position[k] - log.position[last]);
      one += integral * integral;
      integral = 0;
      last = k;
    }
  }
  return one > 0 ? both / one : 0;
}

/// A time column that is off by a plain factor is corrected; a velocity that disagrees otherwise is not used.
void compare_velocity(CleanLog& clean, std::vector<std::string>& notes) {
  Recording& log = clean.log;
  const double ratio = position_over_velocity(log);
  if (std::abs(ratio - 1) < 0.1) {
    return;
  }
  for (const double factor : {0.5, 2.0, 0.25, 4.0, 0.1, 10.0, 1e-3, 1e3}) {
    if (std::abs(ratio / factor - 1) < 0.03) {
      clean.clock = factor;
      for (double& t : log.time) {
        t *= factor;
      }
      notes.push_back(
          fmt::format("{}: the position moves {:.3g} times as far as the velocity says: the time is "
                      "multiplied by {:g}",
                      log.name, ratio, factor));
      return;
    }
  }
  notes.push_back(
      fmt::format("{}: the position moves {:.3g} times as far as the velocity says: the velocity is not "
                  "used; is a unit wrong?",
                  log.name, ratio));
  log.velocity.clear();
}

/// At most this many samples from the middle suffice for the noise.
double noise_in_middle(const std::vector<double>& signal) {
  constexpr std::size_t enough = 50'000;
  if (signal.size() <= enough) {
    return noise_of(signal);
  }
  const auto first = signal.begin() + static_cast<std::ptrdiff_t>((signal.size() - enough) / 2);
  return noise_of(std::vector<double>(first, first + static_cast<std::ptrdiff_t>(enough)));
}

/// The median: a gap says nothing of the sampling.
double interval_of(const Recording& log) {
  std::vector<double> intervals;
  for (std::size_t k = 1; k < log.time.size(); ++k) {
    intervals.push_back(log.time[k] - log.time[k - 1]);
  }
  return median(std::move(intervals));
}

/// The samples to fit: no closer than the filter makes sense, and at most so many, from evenly spaced parts.
std::vector<std::size_t> thinned(const std::vector<double>& time, double spacing, std::size_t most) {
  std::vector<std::size_t> at;
  double next = -infinity;
  for (std::size_t k = 0; k < time.size(); ++k) {
    if (time[k] >= next) {
      at.push_back(k);
      next = time[k] + 0.999 * spacing;
    }
  }
  if (at.size() <= most) {
    return at;
  }
  constexpr std::size_t sections = 40;
  std::vector<std::size_t> kept;
  for (std::size_t s = 0; s < sections; ++s) {
    const std::size_t begin = s * at.size() / sections;
    const std::size_t end = std::min(begin + most / sections, (s + 1) * at.size() / sections);
    kept.insert(kept.end(), at.begin() + static_cast<std::ptrdiff_t>(begin),
                at.begin() + static_cast<std::ptrdiff_t>(end));
  }
  return kept;
}

void append(std::vector<double>& to, const std::vector<double>& values) {
  to.insert(to.end(), values.begin(), values.end());
}

/// Central differences of the velocity, not across gaps longer than this: the filter leaves them little to attenuate.
void add_acceleration(MotionData& data, std::size_t begin, double gap) {
  const std::size_t end = data.size();
  for (std::size_t k = begin; k < end; ++k) {
    const std::size_t before = k > begin && data.time[k] - data.time[k - 1] < gap ? k - 1 : k;
    const std::size_t after = k + 1 < end && data.time[k + 1] - data.time[k] < gap ? k + 1 : k;
    const double interval = data.time[after] - data.time[before];
    data.acceleration.push_back(interval > 0 ? (data.velocity[after] - data.velocity[before]) / interval : 0);
  }
}

/// Biweight weights of the samples of one recording within the filter's half-width.
void add_weights(MotionData& data, std::size_t begin) {
  std::size_t first = begin;
  for (std::size_t k = begin; k < data.size(); ++k) {
    while (data.time[first] < data.time[k] - data.half_width) {
      ++first;
    }
    data.filter_first.push_back(first);
    double sum = 0;
    const std::size_t start = data.filter_weights.size();
    for (std::size_t i = first; i < data.size() && data.time[i] <= data.time[k] + data.half_width; ++i) {
      const double weight = square(1 - square((data.time[i] - data.time[k]) / data.half_width));
      data.filter_weights.push_back(weight);
      sum += weight;
    }
    for (std::size_t i = start; i < data.filter_weights.size(); ++i) {
      data.filter_weights[i] /= sum;
    }
    data.filter_begin.push_back(data.filter_weights.size());
  }
}

/// Numbers the blocks of one recording's first 70 %.
void add_blocks(MotionData& data, std::size_t count, std::size_t recordings) {
  const auto trained = static_cast<std::size_t>(trained_share * static_cast<double>(count));
  const auto wanted = static_cast<std::size_t>(blocks_in_all - 1) / recordings + 1;
  const std::size_t blocks = std::clamp<std::size_t>(trained / 10, 1, wanted);
  for (std::size_t k = 0; k < count; ++k) {
    data.block.push_back(k < trained ? data.blocks + static_cast<int>(k * blocks / std::max<std::size_t>(1, trained))
                                     : MotionData::held_out);
  }
  data.blocks += static_cast<int>(blocks);
}

/// What a bristle was before the log began is not known: it forgets that within a fiftieth of the travel.
void leave_out_settling(MotionData& data) {
  for (const MotionData::Part& part : data.parts) {
    double slid = 0;
    const std::size_t last = part.begin + (part.end - part.begin) / 20;
    for (std::size_t k = part.begin; k < last && slid < 0.02 * data.travel; ++k) {
      slid += std::abs(data.position[k + 1] - data.position[k]);
      data.block[k] = MotionData::settling;
    }
  }
}

}  // namespace

CleanLog clean(const Recording& recording, std::vector<std::string>& notes) {
  CleanLog result;
  result.log = rows_with_numbers(recording, result.left_out);
  Recording& log = result.log;
  if (log.time.size() < min_rows) {
    throw BadData(
        fmt::format("{}: has {} rows with numbers; at least {} are needed", recording.name, log.time.size(), min_rows));
  }
  if (result.left_out > 0) {
    notes.push_back(fmt::format("{}: {} rows without numbers left out", log.name, result.left_out));
  }
  require_signal(log, "torque", log.torque);
  require_signal(log, "position", log.position);
  if (!log.velocity.empty()) {
    compare_velocity(result, notes);
  }
  result.interval = interval_of(log);
  for (std::size_t k = 0; k < log.external.size(); ++k) {
    log.torque[k] += log.external[k];
  }
  result.position_noise = noise_in_middle(log.position);
  result.torque_noise = noise_in_middle(log.torque);
  result.velocity_noise = log.velocity.empty() ? 0 : noise_in_middle(log.velocity);
  return result;
}

double half_width_for(const std::vector<CleanLog>& logs) {
  std::vector<double> widths;
  for (const CleanLog& one : logs) {
    widths.push_back(best_half_width(one.log.time, one.log.position, one.position_noise));
  }
  return median(widths);
}

bool velocity_is_better(const std::vector<CleanLog>& logs, double half_width) {
  return std::all_of(logs.begin(), logs.end(), [&](const CleanLog& one) {
    if (one.log.velocity.empty()) {
      return false;
    }
    const double dt = one.interval;
    const auto at = thinned(one.log.time, half_width, 2000);
    const auto from_position = slopes(one.log.time, one.log.position, half_width, at);
    const auto measured = smoothed(one.log.time, one.log.velocity, half_width, at);
    double apart = 0;
    double size = 0;
    for (std::size_t k = 0; k < at.size(); ++k) {
      apart += square(measured[k] - from_position[k]) / static_cast<double>(at.size());
      size += square(from_position[k]) / static_cast<double>(at.size());
    }
    // Variances for white noise, see `best_half_width`; ∫(1 − u²)⁴ du/(∫(1 − u²)² du)² = 0.714 for the mean
    const double of_position = 2.143 * square(one.position_noise) * dt / (half_width * half_width * half_width);
    const double of_velocity = 0.714 * square(one.velocity_noise) * dt / half_width;
    return of_velocity < 0.5 * of_position && apart < 4 * (of_position + of_velocity) + square(0.02) * size;
  });
}

MotionData prepare_motion(const std::vector<CleanLog>& logs, double half_width, bool measured_velocity,
                          std::size_t max_samples) {
  MotionData data;
  data.half_width = half_width;
  data.measured_velocity = measured_velocity;
  std::size_t all = 0;
  for (const CleanLog& one : logs) {
    all += one.log.time.size();
  }
  std::vector<double> noises;
  for (const CleanLog& one : logs) {
    const Recording& log = one.log;
    const std::size_t share = std::max<std::size_t>(100, max_samples * log.time.size() / all);
    // Four samples in a half-width lose nothing, two little
    const double duration = log.time.back() - log.time.front();
    const double spacing = std::clamp(duration / static_cast<double>(share), half_width / 4, half_width / 2);
    const auto at = thinned(log.time, spacing, share);
    if (at.size() < min_kept) {
      throw BadData(fmt::format("{}: the samples are too uneven in time to be filtered", log.name));
    }
    const std::size_t begin = data.size();
    for (const std::size_t k : at) {
      data.time.push_back(log.time[k]);
      data.logged.push_back(log.torque[k]);
    }
    append(data.position, smoothed(log.time, log.position, half_width, at));
    append(data.velocity, measured_velocity ? smoothed(log.time, log.velocity, half_width, at)
                                            : slopes(log.time, log.position, half_width, at));
    append(data.torque, smoothed(log.time, log.torque, half_width, at));
    const std::size_t end = data.size();
    add_acceleration(data, begin, 3 * std::max(spacing, one.interval));
    add_weights(data, begin);
    data.parts.push_back({log.name, begin, end});
    add_blocks(data, end - begin, logs.size());
    noises.push_back(one.torque_noise);
  }
  std::vector<double> speeds;
  for (const double v : data.velocity) {
    speeds.push_back(std::abs(v));
  }
  const auto rank = speeds.begin() + static_cast<std::ptrdiff_t>(0.99 * static_cast<double>(speeds.size() - 1));
  std::nth_element(speeds.begin(), rank, speeds.end());
  data.fastest = *rank;
  std::vector<double> rates;
  for (const double a : data.acceleration) {
    rates.push_back(std::abs(a));
  }
  data.resolved = median(std::move(rates)) * half_width;
  data.travel = range_of(data.position);
  leave_out_settling(data);
  data.middle = mean(data.position);
  data.noise = median(noises);
  return data;
}

}  // namespace stiction::identify
