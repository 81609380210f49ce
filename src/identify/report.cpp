#include "report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "covariance.h"

namespace stiction::identify {
namespace {

constexpr double two_sided_95 = 1.959963984540054;
constexpr double undetermined = 0.35;  // relative deviation beyond which a number counts as not determined

template <class Refuse>
void judge_steady(Fit& fit, const Refuse& refuse) {
  const auto left = std::count_if(fit.steady.begin(), fit.steady.end(), [](const auto& point) { return !point.used; });
  if (left > 0) {
    fit.warnings.push_back(fmt::format("{} of {} steady points were left out: too slow to have settled, or far off",
                                       left, fit.steady.size()));
  }
  if (const double share = steady_misfit(fit.steady); !(share < 0.02)) {
    refuse(fmt::format("{} does not explain the steady friction: off by {:.3g} % on average", fit.model_name,
                       100 * share));
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
    Estimate estimate{number.name, number.unit, value, deviation};
    if (number.scale == 0) {  // the interval of a positive number is that of its logarithm
      const double factor = std::exp(std::min(50.0, two_sided_95 * deviation / value));
      estimate.low = value / factor;
      estimate.high = value * factor;
    } else {
      const double floor = number.name.starts_with("static_force") ? values[i - 1] : number.least;
      estimate.low = std::max(floor, value - two_sided_95 * deviation);
      estimate.high = std::min(number.most, value + two_sided_95 * deviation);
    }
    const double measure = number.scale == 0 ? value : std::max(value, number.scale);
    estimate.determined = deviation < undetermined * measure;
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
    const auto track = static_cast<std::size_t>(part.track);
    const Track& t = prepared[track].track;
    Channel channel;
    channel.recording = t.recording->name;
    channel.quantity = part.position ? "position" : "torque";
    constexpr std::array drives{"torque, held between samples", "torque, straight lines between samples",
                                "control loop, continuous", "control loop, sampled"};
    channel.drive = drives[static_cast<std::size_t>(t.drive)];
    channel.time = t.recording->time;
    channel.measured = part.position ? t.recording->position : t.recording->torque;
    channel.noise = part.position ? t.position_noise : t.torque_noise;
    channel.residual = channel.noise * rms(solution.residuals, part, &t.use);
    const auto r =
        solution.residuals.segment(static_cast<Eigen::Index>(part.begin), static_cast<Eigen::Index>(part.count));
    channel.autocorrelation = r.head(r.size() - 1).dot(r.tail(r.size() - 1)) / std::max(1e-300, r.squaredNorm());
    channel.predicted.resize(part.count);
    double mean = 0;
    for (std::size_t k = 0; k < part.count; ++k) {
      channel.predicted[k] = channel.measured[k] - channel.noise * r[static_cast<Eigen::Index>(k)];
      mean += channel.measured[k] / static_cast<double>(part.count);
    }
    double spread = 0;
    for (const double value : channel.measured) {
      spread += square(value - mean);
    }
    const double unexplained = square(channel.residual) * static_cast<double>(part.count);
    fit.explained = std::min(fit.explained, 1 - unexplained / std::max(spread, 1e-300));
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

double steady_misfit(const std::vector<SteadyPoint>& points) {
  double sum = 0;
  double level = 0;
  double used = 0;
  for (const SteadyPoint& point : points) {
    if (point.used) {
      used += 1;
      sum += square(point.torque - point.predicted);
      level += std::abs(point.torque);
    }
  }
  return used > 0 ? std::sqrt(sum * used) / level : 0;
}

void judge(Fit& fit, const Evidence& evidence) {
  const auto refuse = [&](std::string why) { fit.refusal += (fit.refusal.empty() ? "" : "; ") + std::move(why); };
  if (evidence.only_steady) {
    judge_steady(fit, refuse);
    return;
  }
  std::string loose;
  const auto estimate = [&](const std::string& name) {
    return std::find_if(fit.estimates.begin(), fit.estimates.end(), [&](const Estimate& e) { return e.name == name; });
  };
  for (Estimate& e : fit.estimates) {
    if (e.name.starts_with("static_force")) {
      // It is a level at one end of the curve: with the other end unknown it may be the level of any place between.
      e.determined = e.determined && estimate("coulomb_force" + e.name.substr(12))->determined;
    }
    if (e.determined) {
      continue;
    }
    if (e.name.starts_with("stribeck_velocity")) {
      // Without a drop its place does not matter.
      const std::string side = e.name.substr(std::string("stribeck_velocity").size());
      const auto peak = estimate("static_force" + side);
      const auto level = estimate("coulomb_force" + side);
      if (peak->high < 1.02 * level->value) {
        fit.warnings.push_back("no Stribeck drop is seen, so stribeck_velocity" + side +
                               " is not determined and does not matter");
        continue;
      }
    }
    loose += (loose.empty() ? "" : ", ") + e.name;
  }
  if (!loose.empty()) {
    refuse("the data do not determine " + loose);
  }
  if (!evidence.led_astray.empty()) {
    refuse(
        fmt::format("the torque's noise leads astray {}: log the torque as it was commanded, or the reference of the "
                    "control loop",
                    fmt::join(evidence.led_astray, ", ")));
  }
  if (!evidence.drawn_along.empty()) {
    refuse(fmt::format(
        "{}: the torque's noise drowns what mass and bristles do: log the torque as it was commanded, or the reference "
        "of the control loop",
        fmt::join(evidence.drawn_along, ", ")));
  }
  fit.warnings.insert(fit.warnings.end(), evidence.doubts.begin(), evidence.doubts.end());
  for (const Channel& channel : fit.channels) {
    const double share = channel.residual / std::max(deviation_of(channel.measured), 1e-150);
    const double excess = channel.residual / channel.noise;
    if (!(excess < 4) && !(share < explained_share)) {
      refuse(fmt::format(
          "{} does not explain the {} of {}: the residual is {:.3g} times the noise and {:.3g} % of the signal",
          fit.model_name, channel.quantity, channel.recording, excess, 100 * share));
    } else if (!(excess < 1.5)) {
      fit.warnings.push_back(
          fmt::format("{}: the residual of the {} is {:.3g} times the sensor's noise; the intervals allow for it",
                      channel.recording, channel.quantity, excess));
    }
  }
  judge_steady(fit, refuse);
  if (!evidence.converged) {
    refuse("the search did not converge");
  }
  for (std::size_t i = 0; i < fit.estimates.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      const auto loose_one = [](const Estimate& e) { return e.deviation > 0.02 * std::abs(e.value); };
      if (std::abs(fit.correlation[i][k]) > 0.95 && (loose_one(fit.estimates[i]) || loose_one(fit.estimates[k]))) {
        fit.warnings.push_back(fmt::format("these data can hardly tell {} from {} (correlation {:.3f})",
                                           fit.estimates[k].name, fit.estimates[i].name, fit.correlation[i][k]));
      }
    }
  }
  if (fit.mass > 0) {
    for (const Estimate& e : fit.nuisance) {
      const double friction = estimate("coulomb_force") != fit.estimates.end() ? estimate("coulomb_force")->value : 0;
      if (e.name == "offset" && std::abs(e.value) > 5 * e.deviation && std::abs(e.value) > 0.01 * friction) {
        fit.warnings.push_back(fmt::format(
            "an unseen torque of {:.4g} acts (gravity, a biased sensor), or friction differs between the directions",
            e.value));
      }
    }
  }
  if (fit.outliers > 0) {
    fit.warnings.push_back(fmt::format("{} samples lie far off and were left out", fit.outliers));
  }
}

}  // namespace stiction::identify
