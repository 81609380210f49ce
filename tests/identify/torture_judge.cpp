#include "identify/torture_judge.h"

#include <cmath>
#include <cstdio>
#include <functional>

#include "identify/engine.h"

namespace stiction::test {
namespace {

using identify::Estimate;
using identify::Fit;
using identify::Recording;

double rms(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) {
    sum += value * value;
  }
  return std::sqrt(sum / static_cast<double>(values.size()));
}

bool same(const Curve& a, const Curve& b) {
  return a.coulomb == b.coulomb && a.excess == b.excess && a.stribeck_velocity == b.stribeck_velocity &&
         a.viscous == b.viscous;
}

/// One number of a Stribeck curve: "coulomb_force" and so on, without the side.
std::optional<double> number_of(const Curve& curve, double offset, const std::string& name) {
  if (name == "coulomb_force") {
    return curve.coulomb + offset;
  }
  if (name == "static_force") {
    return curve.coulomb + curve.excess + offset;
  }
  if (name == "stribeck_velocity" && curve.excess > 0.02 * curve.coulomb) {
    return curve.stribeck_velocity;
  }
  return name == "viscous" ? std::optional(curve.viscous) : std::nullopt;
}

/// What is true of steady friction.
SteadyFriction steady_of(const TortureLog& log) {
  if (log.steady) {
    return *log.steady;
  }
  const auto curve = [](const Side& side) {
    return Curve{side.coulomb, side.peak - side.coulomb, side.stribeck_velocity, 2, side.viscous, 1};
  };
  return {curve(log.axis->plus), curve(log.axis->minus)};
}

/// Whether the steady friction is one that the model can have.
bool steady_of_its_kind(const TortureLog& log, const std::string& model) {
  const auto [plus, minus, offset] = steady_of(log);
  const bool plain = plus.excess == 0 && minus.excess == 0;
  if (model == "dahl" && !(plain && plus.viscous == 0)) {
    return false;
  }
  return (model == "asymmetric-stribeck" || (same(plus, minus) && offset == 0)) && plus.viscous_exponent == 1 &&
         (plain || plus.exponent == log.options.stribeck_exponent);
}

using Predict = std::function<std::vector<double>(const scalar::AnyModel&)>;

/// The model with one of the fit's estimates moved by a share of its deviation.
scalar::AnyModel moved(const TortureLog& log, const Fit& fit, std::size_t which, double share) {
  std::vector<double> values;
  for (std::size_t i = 0; i < fit.estimates.size(); ++i) {
    const Estimate& e = fit.estimates[i];
    double value = e.value + (i == which ? share * e.deviation : 0);
    if (e.name.starts_with("static_force")) {
      value = std::max(0.0, value - values.back());  // the excess over the Coulomb level
    }
    if (e.name != "mass") {
      values.push_back(value);
    }
  }
  return identify::find_engine(fit.model_name).make(values, log.options.stribeck_exponent);
}

/// The deviation of what is predicted, from those of the estimates and their correlation. What is not determined in an
/// accepted fit does not matter.
double stated_deviation(const TortureLog& log, const Fit& fit, const std::vector<double>& predicted,
                        const Predict& predict) {
  constexpr double share = 1e-2;
  std::vector<std::vector<double>> slopes;
  for (std::size_t i = 0; i < fit.estimates.size(); ++i) {
    // Towards numbers that the model takes: a Coulomb level below the static one, a share below 1.
    const double way = fit.estimates[i].name.starts_with("static_force") ? share : -share;
    slopes.emplace_back(predicted.size(), 0.0);
    if (fit.estimates[i].name != "mass" && fit.estimates[i].deviation > 0 && fit.estimates[i].determined) {
      const auto there = predict(moved(log, fit, i, way));
      for (std::size_t k = 0; k < predicted.size(); ++k) {
        slopes[i][k] = (there[k] - predicted[k]) / way;
      }
    }
  }
  double sum = 0;
  for (std::size_t k = 0; k < predicted.size(); ++k) {
    for (std::size_t i = 0; i < slopes.size(); ++i) {
      for (std::size_t j = 0; j < slopes.size(); ++j) {
        sum += fit.correlation[i][j] * slopes[i][k] * slopes[j][k];
      }
    }
  }
  return std::sqrt(std::max(0.0, sum) / static_cast<double>(predicted.size()));
}

/// The velocities between those of a table, in the directions that it has.
std::vector<double> velocities_between(const identify::Sweep& sweep) {
  double slowest = infinity;
  double fastest = 0;
  for (const double v : sweep.velocity) {
    slowest = std::min(slowest, std::abs(v));
    fastest = std::max(fastest, std::abs(v));
  }
  const bool backwards = std::any_of(sweep.velocity.begin(), sweep.velocity.end(), [](double v) { return v < 0; });
  std::vector<double> list;
  for (int i = 0; i < 60; ++i) {
    const double speed = slowest * std::pow(fastest / slowest, i / 59.0);
    list.push_back(speed);
    if (backwards) {
      list.push_back(-speed);
    }
  }
  return list;
}

/// A motion as far and as fast as in the log.
struct NewMotion {
  static constexpr int steps = 20'000;
  double fastest = 0, w = 0, dt = 0;
  std::vector<double> time = {};

  explicit NewMotion(const Recording& log) {
    const std::size_t stride = std::max<std::size_t>(1, log.time.size() / 200);
    for (std::size_t k = stride; k < log.time.size(); k += stride) {
      fastest = std::max(fastest,
                         std::abs(log.position[k] - log.position[k - stride]) / (log.time[k] - log.time[k - stride]));
    }
    const auto [low, high] = std::minmax_element(log.position.begin(), log.position.end());
    w = fastest / (0.5 * (*high - *low));
    dt = 10 * std::numbers::pi / w / steps;
    for (int k = 0; k < steps; ++k) {
      time.push_back(dt * k);
    }
  }
  [[nodiscard]] double velocity(double t) const {
    return 0.8 * fastest * (0.7 * std::sin(w * t) + 0.3 * std::sin(1.7 * w * t));
  }
  [[nodiscard]] std::vector<double> friction(const scalar::AnyModel& any) const {
    std::vector<double> forces;
    auto state = any.advance(any.initial(), velocity(0), 0);
    forces.push_back(any.force(state, velocity(0)));
    for (std::size_t k = 1; k < time.size(); ++k) {
      state = any.advance(state, velocity(time[k] - dt / 2), dt);
      forces.push_back(any.force(state, velocity(time[k])));
    }
    return forces;
  }
};

/// An estimate is wrong where it is off by more than twice its interval, and by more than 2 % (5 % for what matters
/// less than mass and levels).
std::vector<std::string> wrong_estimates(const TortureLog& log, const Fit& fit) {
  std::vector<std::string> list;
  for (const Estimate& e : fit.estimates) {
    const auto truth = true_value(log, fit.model_name, e.name);
    if (!truth || !e.determined) {
      continue;
    }
    const bool level = e.name == "mass" || e.name.find("_force") != std::string::npos;
    const double stated = std::max(4 * e.deviation, 2 * (*truth > e.value ? e.high - e.value : e.value - e.low));
    if (std::abs(e.value - *truth) > std::max(stated, (level ? 0.02 : 0.05) * *truth)) {
      std::array<char, 160> text{};
      std::snprintf(text.data(), text.size(), "%s %.3g %% off, %.3g deviations", e.name.c_str(),
                    100 * std::abs(e.value / *truth - 1), std::abs(e.value - *truth) / e.deviation);
      list.emplace_back(text.data());
    }
  }
  return list;
}

}  // namespace

std::optional<double> true_value(const TortureLog& log, const std::string& model, const std::string& estimate) {
  if (estimate == "mass") {
    return log.axis && log.inertia ? std::optional(log.axis->mass) : std::nullopt;
  }
  if (log.axis && log.friction == model && log.friction != "gms") {
    const Axis& axis = *log.axis;
    for (const auto& [name, value] :
         {std::pair("stiffness", axis.stiffness), std::pair("damping", axis.damping),
          std::pair("exponent", axis.exponent), std::pair("elastic_share", axis.elastic_share)}) {
      if (estimate == name) {
        return value;
      }
    }
  }
  if (!steady_of_its_kind(log, model)) {
    return std::nullopt;
  }
  const auto [plus, minus, offset] = steady_of(log);
  for (const auto& [side, curve, shift] : {std::tuple("_minus", minus, -offset), std::tuple("_plus", plus, offset)}) {
    if (estimate.ends_with(side)) {
      return number_of(curve, shift, estimate.substr(0, estimate.size() - std::string(side).size()));
    }
  }
  return number_of(plus, 0, estimate);
}

Judgement judge_fit(const TortureLog& log, const Fit& fit) {
  Judgement result;
  std::vector<double> truth;
  Predict predict;
  if (!log.axis) {
    const auto velocities = velocities_between(log.data.sweeps.front());
    for (const double v : velocities) {
      truth.push_back((*log.steady)(v));
    }
    predict = [velocities](const scalar::AnyModel& any) {
      std::vector<double> forces;
      for (const double v : velocities) {
        forces.push_back(any.force(any.advance(any.advance(any.initial(), v, 0), v, 1e9), v));
      }
      return forces;
    };
    result.same_kind = steady_of_its_kind(log, fit.model_name);
  } else {
    const NewMotion motion(log.data.recordings.front());
    truth = friction_along(
        *log.axis, [&](double t) { return motion.velocity(t); }, motion.fastest, motion.time);
    predict = [motion](const scalar::AnyModel& any) { return motion.friction(any); };
    result.same_kind = log.friction == fit.model_name;
  }
  std::vector<double> predicted = predict(fit.model);
  result.stated = stated_deviation(log, fit, predicted, predict);
  result.level = rms(truth);
  for (std::size_t k = 0; k < truth.size(); ++k) {
    predicted[k] -= truth[k];
  }
  result.error = rms(predicted);
  result.wrong = wrong_estimates(log, fit);
  return result;
}

}  // namespace stiction::test
