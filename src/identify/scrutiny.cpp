#include "scrutiny.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <tuple>

#include "report.h"
#include "signals.h"

namespace stiction::identify {

std::size_t drop_outliers(Search& search) {
  std::size_t dropped = 0;
  for (const Problem::Part& part : search.problem.parts()) {
    if (part.track < 0) {
      continue;
    }
    const auto sizes = sizes_of(search.solution, part);
    const double limit = 8 * std::max(median(sizes) / 0.6745, 1.0);
    const auto far = static_cast<std::size_t>(
        std::count_if(sizes.begin(), sizes.end(), [limit](double size) { return size > limit; }));
    if (far * 50 < part.count) {
      for (std::size_t k = 0; k < part.count; ++k) {
        if (sizes[k] > limit) {
          search.prepared[static_cast<std::size_t>(part.track)].track.use[k] = 0;
        }
      }
      dropped += far;
    }
  }
  return dropped;
}

std::vector<double> try_noisier_torque(const Search& search, Doubts& doubts) {
  std::mt19937_64 bits(1);
  std::normal_distribution<double> normal;
  std::vector<Recording> noisy;
  noisy.reserve(search.prepared.size());
  const std::vector<Prepared> original = search.prepared;
  for (Prepared& prepared : search.prepared) {
    Track& track = prepared.track;
    if (is_loop(track.drive)) {
      continue;
    }
    Recording& log = noisy.emplace_back(*track.recording);
    for (double& torque : log.torque) {
      torque += track.torque_noise * normal(bits);
    }
    track.follow(log);
  }
  std::vector<double> residuals(search.task.residuals);
  search.task.evaluate(search.solution.at, residuals, nullptr);
  bool matters = false;
  for (const Problem::Part& part : search.problem.parts()) {
    double change = 0;
    for (std::size_t k = part.begin; k < part.begin + part.count; ++k) {
      change += square(residuals[k] - search.solution.residuals[static_cast<Eigen::Index>(k)]);
    }
    matters = matters || !(change <= square(0.1) * static_cast<double>(part.count));
  }
  std::vector<double> found;
  if (matters) {
    LeastSquares again = search.task;
    again.start = search.solution.at;
    again.max_iterations = 15;
    found = minimise(again).at;
    doubts.add_shift(found, search.solution.at, 1);
  }
  search.prepared = original;
  return found;
}

std::vector<std::string> estimates_that_differ(const Search& search, const std::vector<double>& a,
                                               const std::vector<double>& b) {
  const Problem& problem = search.problem;
  const std::size_t estimates = problem.slots() + (problem.has_body() ? 1 : 0);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < estimates && !a.empty() && !b.empty(); ++i) {
    const Number& number = problem.numbers()[i];
    const double level = number.name.starts_with("static_force") ? problem.numbers()[i - 1].decode(b[i - 1]) : 0;
    if (std::abs(number.decode(a[i]) - number.decode(b[i])) > 0.1 * std::abs(level + number.decode(b[i]))) {
      names.push_back(number.name);
    }
  }
  return names;
}

std::string drawn_along(const Search& search) {
  if (!search.problem.has_body()) {
    return "";
  }
  const auto values = search.problem.decode(search.solution.at);
  const double swing =
      std::sqrt(search.value_of("stiffness", values).value_or(infinity) / values[search.problem.mass()]);
  std::vector<std::string> names;
  double rate = infinity;
  double noise = 0;
  for (const Prepared& prepared : search.prepared) {
    const Track& track = prepared.track;
    if (track.correction > 0.5 * swing) {
      names.push_back(track.recording->name);
      rate = std::min(rate, track.correction);
      noise = std::max(noise, track.torque_noise / std::max(deviation_of(track.recording->torque), 1e-150));
    }
  }
  if (names.empty()) {
    return "";
  }
  const std::string cause =
      noise > 1e-3 ? fmt::format(
                         "the torque's noise ({:.2g} % of its spread) masks the effect of mass and bristles (log the "
                         "commanded torque, or the reference of the control loop), something else imposes the "
                         "motion, or friction follows another law",
                         100 * noise)
                   : "the torque has little noise but does not produce this motion: something else imposes it, or "
                     "friction follows another law";
  return fmt::format(
      "{}: reproduced only if corrected towards the measured position at {:.3g} rad/s, faster than the bristles "
      "oscillate ({:.3g} rad/s), as with any model: {}",
      some_of(names), rate, swing, cause);
}

std::string only_presliding(const Search& search) {
  if (!search.problem.has_body()) {
    return "";
  }
  const auto values = search.problem.decode(search.solution.at);
  double level = infinity;
  for (const char* name : {"coulomb_force", "coulomb_force_plus", "coulomb_force_minus"}) {
    level = std::min(level, search.value_of(name, values).value_or(infinity));
  }
  double largest = 0;
  for (const Prepared& prepared : search.prepared) {
    std::vector<double> sizes;
    for (const double torque : prepared.track.recording->torque) {
      sizes.push_back(std::abs(torque));
    }
    const auto high = sizes.begin() + static_cast<std::ptrdiff_t>(0.995 * static_cast<double>(sizes.size() - 1));
    std::nth_element(sizes.begin(), high, sizes.end());  // the largest ones may be noise
    largest = std::max(largest, *high);
  }
  return largest < 0.5 * level
             ? fmt::format(
                   "the torque reaches {:.2g} % of coulomb_force: no recording shows how friction approaches its "
                   "level; drive the axis until it slides",
                   100 * largest / level)
             : "";
}

bool another_mass_will_do(const Search& search) {
  const std::size_t mass = search.problem.mass();
  const Solution& found = search.solution;
  for (const double factor : {0.5, 0.7, 1.4, 2.0}) {
    LeastSquares other = search.problem.least_squares();
    other.start = found.at;
    other.start[mass] = std::min(found.at[mass] + std::log(factor), other.upper[mass]);
    other.lower[mass] = other.start[mass] - 1e-12;
    other.upper[mass] = other.start[mass] + 1e-12;
    if (std::abs(other.start[mass] - found.at[mass]) < 0.3) {
      continue;
    }
    const double as_good = found.cost() + square(4.0);
    double cost = infinity;
    for (const int iterations : {2, 3}) {
      other.max_iterations = iterations;
      const Solution solution = minimise(other);
      other.start = solution.at;
      cost = solution.cost();
      if (!(cost < square(10.0) * as_good)) {
        break;  // not reached in a few iterations
      }
    }
    if (cost < as_good) {
      return true;
    }
  }
  return false;
}

std::vector<std::string> at_edge(const Search& search) {
  const Problem& problem = search.problem;
  const auto& [at, lower, upper] = std::tie(search.solution.at, search.task.lower, search.task.upper);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < problem.slots() + (problem.has_body() ? 1 : 0); ++i) {
    const Number& number = problem.numbers()[i];
    const bool given = problem.has_body() && i == problem.mass() && search.options.mass;
    if (number.scale == 0 && !given && std::min(at[i] - lower[i], upper[i] - at[i]) < 1e-3) {
      names.push_back(number.name);
    }
  }
  return names;
}

double held_out_error(const Search& search) {
  constexpr double training_share = 0.7;
  LeastSquares training = search.problem.least_squares(training_share);
  training.start = search.solution.at;
  training.max_iterations = 8;
  training.tolerance = 1e-5;
  const Solution learnt = minimise(training);
  if (!learnt.finite) {
    return infinity;
  }
  std::vector<double> residuals(search.task.residuals);
  search.task.evaluate(learnt.at, residuals, nullptr);
  double sum = 0;
  std::size_t count = 0;
  for (const Problem::Part& part : search.problem.parts()) {
    for (std::size_t k = 0; k < part.count; ++k) {
      const bool seen =
          part.track < 0 ? Problem::steady_counts(k, training_share) : Problem::counts(k, part.count, training_share);
      if (!seen) {
        sum += square(residuals[part.begin + k]);
        ++count;
      }
    }
  }
  return count > 0 ? std::sqrt(sum / static_cast<double>(count)) : 0;
}

}  // namespace stiction::identify
