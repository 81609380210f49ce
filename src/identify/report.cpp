#include "report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "covariance.h"
#include "signals.h"

namespace stiction::identify {
namespace {

constexpr double two_sided_95 = 1.959963984540054;
constexpr double undetermined = 0.35;  // relative deviation beyond which a number counts as not determined

template <class Refuse>
void judge_steady(Fit& fit, std::size_t numbers, const Refuse& refuse) {
  if (fit.steady.empty()) {
    return;
  }
  const auto left = std::count_if(fit.steady.begin(), fit.steady.end(), [](const auto& point) { return !point.used; });
  if (left > 0) {
    fit.warnings.push_back(
        fmt::format("{} of {} steady points were left out: too slow to have settled", left, fit.steady.size()));
  }
  const SteadyMisfit misfit = steady_misfit(fit.steady, numbers);
  const char* source = misfit.stated ? "the stated deviation" : "the points' scatter";
  const std::size_t of_a_curve = std::min<std::size_t>(numbers, 4);  // that of one direction
  if (fit.channels.empty() && (misfit.points < numbers + 2 || misfit.speeds < of_a_curve + 2)) {
    refuse(fmt::format("{} steady points at {} speeds are too few for {} parameters, {} per curve", misfit.points,
                       misfit.speeds, numbers, of_a_curve));
  } else if (misfit.refused()) {
    refuse(
        fmt::format("{} does not explain the steady friction: the residual is {:.3g} times {} and {:.3g} % of the "
                    "friction",
                    fit.model_name, misfit.excess, source, 100 * misfit.share));
  } else if (misfit.beyond_noise()) {
    fit.warnings.push_back(fmt::format(
        "the residual of the steady friction is {:.3g} times {}, or {:.2g} % of the friction: the deviations are too "
        "small, or friction does not quite follow this model; the intervals account for it",
        misfit.excess, source, 100 * misfit.share));
  }
}

/// One sentence for all signals that are not explained, with the figures of the worst.
template <class Refuse>
void judge_channels(Fit& fit, const Refuse& refuse) {
  double worst = 0;
  std::string numbers;
  std::vector<std::string> missed;
  for (const Channel& channel : fit.channels) {
    const double share = channel.residual / std::max(deviation_of(channel.measured), 1e-150);
    // Motion that is fast relative to the sampling looks like noise, but not in the residual of a good model.
    const double excess = channel.residual / std::min(channel.noise, channel.residual_noise);
    // The residual of a corrected simulation is small in any case.
    const bool small = share < explained_share && channel.correction == 0;
    const double limit = 1 + std::max(0.35, 5 / std::sqrt(static_cast<double>(channel.time.size())));
    if (excess < limit) {
      continue;
    }
    if (small) {
      fit.warnings.push_back(fmt::format(
          "{}: the residual of the {} is {:.3g} times the sensor's noise, {:.2g} % of the signal; the intervals "
          "account for it",
          channel.recording, channel.quantity, excess, 100 * share));
      continue;
    }
    missed.push_back(fmt::format("the {} of {}", channel.quantity, channel.recording));
    if (!(excess < worst)) {
      worst = excess;
      numbers = fmt::format("{:.3g} times the noise and {:.3g} % of the signal", excess, 100 * share);
    }
  }
  if (!missed.empty()) {
    refuse(fmt::format("{} does not explain {}: the residual is {}{}", fit.model_name, some_of(missed), numbers,
                       missed.size() > 1 ? " in the worst" : ""));
  }
}

/// An estimate with its 95 % interval. `floor`: the lowest possible value of a number that may be 0.
Estimate estimate_of(const Number& number, double value, double deviation, double floor) {
  Estimate estimate{number.name, number.unit, value, deviation};
  if (number.scale == 0) {  // the interval of a positive number is that of its logarithm
    const double factor = std::exp(std::min(50.0, two_sided_95 * deviation / value));
    estimate.low = value / factor;
    estimate.high = value * factor;
  } else {
    estimate.low = std::max(floor, value - two_sided_95 * deviation);
    estimate.high = std::min(number.max, value + two_sided_95 * deviation);
  }
  const double measure = number.scale == 0 ? value : std::max(value, number.scale);
  estimate.determined = deviation < undetermined * measure;
  return estimate;
}

/// The signal of a part beside the model's.
Channel channel_of(const Problem::Part& part, const Track& t, const Eigen::VectorXd& residuals) {
  Channel channel;
  channel.recording = t.recording->name;
  channel.quantity = part.position ? "position" : "torque";
  constexpr std::array drives{"torque, held between samples", "torque, linear between samples",
                              "torque, smooth between samples", "control loop, continuous", "control loop, sampled"};
  channel.drive = drives[static_cast<std::size_t>(t.drive)];
  channel.time = t.recording->time;
  channel.measured = part.position ? t.recording->position : t.recording->torque;
  channel.noise = part.position ? t.position_noise : t.torque_noise;
  channel.residual = channel.noise * rms(residuals, part, &t.use);
  const auto r = residuals.segment(static_cast<Eigen::Index>(part.begin), static_cast<Eigen::Index>(part.count));
  channel.autocorrelation = r.head(r.size() - 1).dot(r.tail(r.size() - 1)) / std::max(1e-300, r.squaredNorm());
  channel.correction = t.correction;
  std::vector<double> used;
  for (std::size_t k = 0; k < part.count; ++k) {
    if (t.use[k] != 0) {
      used.push_back(channel.noise * r[static_cast<Eigen::Index>(k)]);
    }
  }
  channel.residual_noise = noise_of(used);
  channel.predicted.resize(part.count);
  for (std::size_t k = 0; k < part.count; ++k) {
    channel.predicted[k] = channel.measured[k] - channel.noise * r[static_cast<Eigen::Index>(k)];
  }
  return channel;
}

/// The share of a signal's variance that the model explains.
double explained_variance(const Channel& channel) {
  const auto count = static_cast<double>(channel.predicted.size());
  double mean = 0;
  for (std::size_t k = 0; k < channel.predicted.size(); ++k) {
    mean += channel.measured[k] / count;
  }
  double spread = 0;
  for (const double value : channel.measured) {
    spread += square(value - mean);
  }
  const double unexplained = square(channel.residual) * count;
  return 1 - unexplained / std::max(spread, 1e-300);
}

/// The estimate with this name; nullptr if the model has no such number.
const Estimate* find_estimate(const Fit& fit, const std::string& name) {
  const auto found =
      std::find_if(fit.estimates.begin(), fit.estimates.end(), [&](const Estimate& e) { return e.name == name; });
  return found == fit.estimates.end() ? nullptr : &*found;
}

/// The numbers that the data do not determine, separated by commas.
std::string undetermined_numbers(Fit& fit) {
  std::string loose;
  const auto side_of = [](const Estimate& e, std::string_view name) { return e.name.substr(name.size()); };
  for (Estimate& e : fit.estimates) {
    if (e.name.starts_with("static_force")) {
      // It is the level at one end of the curve: if the other end is unknown, it may be the level anywhere in between.
      const Estimate* level = find_estimate(fit, "coulomb_force" + side_of(e, "static_force"));
      e.determined = e.determined && level != nullptr && level->determined;
    }
    if (e.determined) {
      continue;
    }
    if (e.name.starts_with("stribeck_velocity")) {
      // Without a drop its velocity does not matter.
      const std::string side = side_of(e, "stribeck_velocity");
      const Estimate* peak = find_estimate(fit, "static_force" + side);
      const Estimate* level = find_estimate(fit, "coulomb_force" + side);
      if (peak != nullptr && level != nullptr && peak->high < 1.02 * level->value) {
        fit.warnings.push_back("no Stribeck drop is visible, so stribeck_velocity" + side +
                               " is not determined and does not matter");
        continue;
      }
    }
    loose += (loose.empty() ? "" : ", ") + e.name;
  }
  return loose;
}

/// Warnings on correlations, an unmodelled torque and outliers.
void warn(Fit& fit) {
  for (std::size_t i = 0; i < fit.estimates.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      const auto loose_one = [](const Estimate& e) { return e.deviation > 0.02 * std::abs(e.value); };
      if (std::abs(fit.correlation[i][k]) > 0.95 && (loose_one(fit.estimates[i]) || loose_one(fit.estimates[k]))) {
        fit.warnings.push_back(fmt::format("these data hardly distinguish {} from {} (correlation {:.3f})",
                                           fit.estimates[k].name, fit.estimates[i].name, fit.correlation[i][k]));
      }
    }
  }
  if (fit.mass > 0) {
    for (const Estimate& e : fit.nuisance) {
      const Estimate* level = find_estimate(fit, "coulomb_force");
      const double friction = level != nullptr ? level->value : 0;
      if (e.name == "offset" && std::abs(e.value) > 5 * e.deviation && std::abs(e.value) > 0.01 * friction) {
        fit.warnings.push_back(
            fmt::format("an unmodelled torque of {:.4g} acts (gravity, a biased sensor), or friction differs between "
                        "the directions",
                        e.value));
      }
    }
  }
  if (fit.outliers > 0) {
    fit.warnings.push_back(fmt::format("{} outliers were left out", fit.outliers));
  }
}

}  // namespace

Fit describe(const Fitted& fitted) {
  const auto& [name, engine, problem, prepared, steady, options, solution, shifts] = fitted;
  const auto parts = problem.parts();
  const bool mass_given = problem.has_body() && options.mass.has_value();
  Eigen::MatrixXd root = covariance_root(solution, parts, mass_given ? std::optional(problem.mass()) : std::nullopt);
  for (const Eigen::VectorXd& shift : shifts) {
    root.conservativeResize(Eigen::NoChange, root.cols() + 1);
    root.rightCols(1) = shift;
  }
  const auto values = problem.decode(solution.at);
  const auto& numbers = problem.numbers();
  Fit fit{name, engine.make({values.data(), problem.slots()}, options.stribeck_exponent)};
  fit.mass = problem.has_body() ? values[problem.mass()] : 0;

  // Rows of estimates in terms of the search's numbers; static_force is F_C plus its excess.
  std::vector<Eigen::RowVectorXd> rows;  // times the root
  const auto count = static_cast<Eigen::Index>(numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const Number& number = numbers[i];
    Eigen::RowVectorXd row = Eigen::RowVectorXd::Zero(count);
    row[static_cast<Eigen::Index>(i)] = number.slope(solution.at[i]);
    double value = values[i];
    if (number.name.starts_with("static_force")) {
      row[static_cast<Eigen::Index>(i - 1)] = numbers[i - 1].slope(solution.at[i - 1]);
      value += values[i - 1];
    }
    const double deviation = (row * root).norm();
    const double floor = number.name.starts_with("static_force") ? values[i - 1] : number.min;
    Estimate estimate = estimate_of(number, value, deviation, floor);
    const bool fixed_mass = mass_given && i == problem.mass();
    if (i < problem.slots() || (problem.has_body() && i == problem.mass())) {
      if (fixed_mass) {
        estimate.deviation = 0;
        estimate.low = estimate.high = value;
        estimate.determined = true;
      }
      fit.estimates.push_back(estimate);
      rows.emplace_back(row * root);
    } else {
      fit.nuisance.push_back(estimate);
    }
  }
  for (const auto& a : rows) {
    fit.correlation.emplace_back();
    for (const auto& b : rows) {
      const double size = a.norm() * b.norm();
      fit.correlation.back().push_back(size > 0 ? a.dot(b) / size : 0);
    }
  }

  double sum = 0;
  std::size_t all = 0;
  fit.explained = 1;
  for (const Problem::Part& part : parts) {
    if (part.track < 0) {
      for (const SteadyPoint& point : steady) {
        fit.steady.push_back(point);
        fit.steady.back().predicted = problem.steady_force(values, point.velocity);
        sum += point.used ? square((point.torque - fit.steady.back().predicted) / point.deviation) : 0;
        all += point.used ? 1 : 0;
      }
      continue;
    }
    Channel channel = channel_of(part, prepared[static_cast<std::size_t>(part.track)].track, solution.residuals);
    fit.explained = std::min(fit.explained, explained_variance(channel));
    const auto r =
        solution.residuals.segment(static_cast<Eigen::Index>(part.begin), static_cast<Eigen::Index>(part.count));
    sum += r.squaredNorm();
    all += part.count;
    fit.channels.push_back(std::move(channel));
  }
  fit.samples = all;
  fit.excess = std::sqrt(sum / static_cast<double>(std::max<std::size_t>(1, all)));
  return fit;
}

double deviation_of(const std::vector<double>& signal) {
  const auto count = static_cast<double>(signal.size());
  const double mean = std::accumulate(signal.begin(), signal.end(), 0.0) / count;
  double squares = 0;
  for (const double value : signal) {
    squares += square(value - mean);
  }
  return std::sqrt(squares / count);
}

std::string some_of(const std::vector<std::string>& names) {
  constexpr std::size_t max_shown = 2;
  const std::span<const std::string> first(names.data(), std::min(max_shown, names.size()));
  return fmt::format("{}{}", fmt::join(first, ", "),
                     names.size() > max_shown ? fmt::format(" and {} more", names.size() - max_shown) : "");
}

bool SteadyMisfit::beyond_noise(double factor) const {
  const auto freedom = static_cast<double>(points > numbers ? points - numbers : 1);
  const double limit = std::max(factor, 1 + 4 / std::sqrt(2 * freedom));
  return !(excess < (stated ? limit : 1.5 * limit));
}

SteadyMisfit steady_misfit(const std::vector<SteadyPoint>& points, std::size_t numbers) {
  SteadyMisfit misfit;
  misfit.numbers = numbers;
  double squares = 0;
  double scaled = 0;
  double level = 0;
  std::vector<double> speeds;
  for (const SteadyPoint& point : points) {
    if (point.used) {
      ++misfit.points;
      speeds.push_back(std::abs(point.velocity));
      misfit.stated = misfit.stated && point.stated;
      squares += square(point.torque - point.predicted);
      scaled += square((point.torque - point.predicted) / point.deviation);
      level += std::abs(point.torque);
    }
  }
  std::sort(speeds.begin(), speeds.end());
  const auto same = [](double a, double b) { return b - a < 1e-2 * b; };
  misfit.speeds = static_cast<std::size_t>(std::unique(speeds.begin(), speeds.end(), same) - speeds.begin());
  const auto count = static_cast<double>(misfit.points);
  const double freedom = misfit.points > numbers ? count - static_cast<double>(numbers) : 1;
  misfit.excess = std::sqrt(scaled / freedom);
  misfit.share = level > 0 ? std::sqrt(squares * count) / level : 0;
  return misfit;
}

Fit not_fitted(const std::string& name, const Engine& engine, const Guess& guess, const Options& options,
               std::string why) {
  std::vector<double> values;
  for (const Slot& slot : engine.slots(guess)) {
    values.push_back(slot.start);
  }
  Fit fit{name, engine.make(values, options.stribeck_exponent)};
  fit.refusal = std::move(why);
  fit.excess = fit.held_out_excess = infinity;
  return fit;
}

void judge(Fit& fit, std::size_t steady_numbers, const Evidence& evidence) {
  const auto refuse = [&](std::string why) { fit.refusal += (fit.refusal.empty() ? "" : "; ") + std::move(why); };
  if (evidence.broken) {
    refuse(fmt::format("the search ended at {} = {:g}, which must be {}", evidence.broken->field,
                       evidence.broken->value, evidence.broken->allowed));
  }
  if (evidence.only_steady) {
    judge_steady(fit, steady_numbers, refuse);
    if (fit.refusal.empty()) {
      refuse("the recordings were not fitted: the steady friction alone is not explained");
    }
    return;
  }
  const std::string loose = undetermined_numbers(fit);
  if (!loose.empty()) {
    refuse("the data do not determine " + loose);
  }
  if (!evidence.biased_by_noise.empty()) {
    refuse(
        fmt::format("the torque's noise biases {}: log the commanded torque, or the reference of the "
                    "control loop",
                    fmt::join(evidence.biased_by_noise, ", ")));
  }
  if (!evidence.at_edge.empty()) {
    refuse(fmt::format("the search ended at the edge of its range for {}", fmt::join(evidence.at_edge, ", ")));
  }
  if (!evidence.drawn_along.empty()) {
    refuse(evidence.drawn_along);
  }
  if (!evidence.only_presliding.empty()) {
    refuse(evidence.only_presliding);
  }
  fit.warnings.insert(fit.warnings.end(), evidence.doubts.begin(), evidence.doubts.end());
  judge_channels(fit, refuse);
  judge_steady(fit, steady_numbers, refuse);
  if (evidence.exhausted) {
    refuse("the search was abandoned: it takes more steps than allowed");
  } else if (!evidence.converged) {
    refuse("the search did not converge");
  }
  warn(fit);
}

}  // namespace stiction::identify
