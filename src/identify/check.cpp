#include "check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "engine.h"

namespace stiction::identify {
namespace {

constexpr double max_size = 1e15;    // of any number: beyond it, products of several could overflow
constexpr double min_range = 1e-15;  // of a signal
constexpr double min_share = 1e-10;  // of a signal's range over its magnitude: below it, the range is lost in rounding
constexpr double min_interval = 1e-9;  // [s]
constexpr std::size_t min_samples = 100;
constexpr std::size_t min_points = 6;
constexpr std::size_t min_speeds = 4;
constexpr std::size_t min_samples_fitted = 1000;

/// Checks that a column has the right length and usable numbers.
void check_column(const std::string& log, const char* name, const std::vector<double>& values, std::size_t length) {
  if (values.size() != length) {
    throw BadData(fmt::format("{}: {} has {} rows, but there are {}", log, name, values.size(), length));
  }
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (!(std::abs(values[k]) <= max_size)) {
      throw BadData(fmt::format("{}: {} = {:g} in row {}: must be a finite number of at most {:g}", log, name,
                                values[k], k + 1, max_size));
    }
  }
}

void check_signal(const std::string& log, const char* name, const std::vector<double>& values) {
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  if (!(*high > *low)) {
    throw BadData(fmt::format("{}: the {} is constant ({:g}); nothing can be identified from it", log, name, *low));
  }
  const double size = std::max(std::abs(*low), std::abs(*high));
  if (!(*high - *low > std::max(min_range, min_share * size))) {
    throw BadData(fmt::format("{}: the {} changes by {:g} around {:g}: too little to distinguish from rounding", log,
                              name, *high - *low, *low));
  }
}

void check_recording(const Recording& log) {
  const std::size_t n = log.time.size();
  if (n < min_samples) {
    throw BadData(fmt::format("{}: has {} samples; at least {} are needed", log.name, n, min_samples));
  }
  check_column(log.name, "time", log.time, n);
  check_column(log.name, "torque", log.torque, n);
  check_column(log.name, "position", log.position, n);
  if (log.reference != Recording::Reference::none) {
    check_column(log.name, "reference", log.commanded, n);
  }
  for (std::size_t k = 1; k < n; ++k) {
    if (!(log.time[k] - log.time[k - 1] >= min_interval)) {
      throw BadData(fmt::format("{}: time must increase, by at least {:g} s: {:.10g} s after {:.10g} s in row {}",
                                log.name, min_interval, log.time[k], log.time[k - 1], k + 1));
    }
  }
  check_signal(log.name, "torque", log.torque);
  check_signal(log.name, "position", log.position);
}

void check_sweep(const Sweep& sweep) {
  const std::size_t n = sweep.velocity.size();
  if (n < min_points) {
    throw BadData(fmt::format("{}: has {} steady points; at least {} are needed", sweep.name, n, min_points));
  }
  check_column(sweep.name, "velocity", sweep.velocity, n);
  check_column(sweep.name, "torque", sweep.torque, n);
  if (!sweep.deviation.empty()) {
    check_column(sweep.name, "deviation", sweep.deviation, n);
    const auto bad = std::find_if(sweep.deviation.begin(), sweep.deviation.end(), [](double d) { return !(d > 0); });
    if (bad != sweep.deviation.end()) {
      throw BadData(fmt::format("{}: deviation = {:g} in row {}: must be > 0 (leave the column out if it is not known)",
                                sweep.name, *bad, bad - sweep.deviation.begin() + 1));
    }
  }
  double fastest = 0;
  double largest = 0;
  for (std::size_t k = 0; k < n; ++k) {
    fastest = std::max(fastest, std::abs(sweep.velocity[k]));
    largest = std::max(largest, std::abs(sweep.torque[k]));
  }
  if (!(largest >= min_range)) {
    throw BadData(fmt::format("{}: the torque is 0 throughout (at most {:g})", sweep.name, largest));
  }
  std::vector<double> speeds;
  std::size_t points = 0;
  std::size_t backwards = 0;
  for (std::size_t k = 0; k < n; ++k) {
    const double speed = std::abs(sweep.velocity[k]);
    if (speed > standstill * fastest && speed >= min_range) {
      ++points;
      backwards += sweep.velocity[k] * sweep.torque[k] < 0 ? 1 : 0;
      speeds.push_back(speed);
    }
  }
  std::sort(speeds.begin(), speeds.end());
  const auto same = [](double a, double b) { return b - a <= 1e-6 * b; };
  const auto different = static_cast<std::size_t>(std::unique(speeds.begin(), speeds.end(), same) - speeds.begin());
  if (points < min_points || different < min_speeds) {
    throw BadData(fmt::format("{}: has {} rows that move, at {} speeds; at least {} and {} are needed", sweep.name,
                              points, different, min_points, min_speeds));
  }
  if (2 * backwards > points) {
    throw BadData(fmt::format(
        "{}: torque and velocity have opposite signs in {} of {} rows: the torque must be the one that drives the axis",
        sweep.name, backwards, points));
  }
}

}  // namespace

void check(const Options& options) {
  if (options.mass && !(*options.mass >= min_range && *options.mass <= max_size)) {
    throw BadData(*options.mass > 0 && std::isfinite(*options.mass)
                      ? fmt::format("mass = {:g}: must be {:g} to {:g}", *options.mass, min_range, max_size)
                      : fmt::format("mass = {:g}: must be > 0 and finite", *options.mass));
  }
  if (!scalar::stribeck_exponents.holds(options.stribeck_exponent)) {
    throw BadData(fmt::format("stribeck_exponent = {:g}: must be {}", options.stribeck_exponent,
                              scalar::stribeck_exponents.text));
  }
  if (options.max_samples < min_samples_fitted) {
    throw BadData(fmt::format("max_samples = {}: must be at least {}", options.max_samples, min_samples_fitted));
  }
  if (options.model != "auto") {
    find_engine(options.model);
  }
}

void check(const Data& data) {
  if (data.recordings.empty() && data.sweeps.empty()) {
    throw BadData("there are no data to identify from");
  }
  for (const Recording& log : data.recordings) {
    check_recording(log);
  }
  for (const Sweep& sweep : data.sweeps) {
    check_sweep(sweep);
  }
}

}  // namespace stiction::identify
