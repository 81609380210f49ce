#include "steady.h"

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>

#include "check.h"
#include "signals.h"

namespace stiction::identify {
namespace {

/// Least squares in F_C, ΔF, F_v for a given v_S, all at least 0, with Cauchy weights; returns the robust cost.
struct CurveFit {
  std::array<double, 3> p{};  // F_C, ΔF, F_v
  double cost = infinity;
};
CurveFit curve_fit(const std::vector<SteadyPoint>& points, double stribeck_velocity, double exponent) {
  const auto n = static_cast<Eigen::Index>(points.size());
  Eigen::MatrixXd a(n, 3);
  Eigen::VectorXd b(n);
  for (Eigen::Index k = 0; k < n; ++k) {
    const SteadyPoint& point = points[static_cast<std::size_t>(k)];
    const double speed = std::abs(point.velocity);
    const double drop = std::exp(-std::pow(speed / stribeck_velocity, exponent));
    a.row(k) << 1 / point.deviation, drop / point.deviation, speed / point.deviation;
    b[k] = point.torque * (point.velocity < 0 ? -1 : 1) / point.deviation;
  }
  CurveFit best;
  for (int subset = 0; subset < 4; ++subset) {  // without the drop, without the viscous part
    std::vector<int> columns{0};
    if ((subset & 1) == 0) {
      columns.push_back(1);
    }
    if ((subset & 2) == 0) {
      columns.push_back(2);
    }
    Eigen::VectorXd weight = Eigen::VectorXd::Ones(n);
    Eigen::VectorXd x;
    Eigen::VectorXd r;
    for (int round = 0; round < 30; ++round) {
      Eigen::MatrixXd aw(n, static_cast<Eigen::Index>(columns.size()));
      for (std::size_t c = 0; c < columns.size(); ++c) {
        aw.col(static_cast<Eigen::Index>(c)) = a.col(columns[c]).cwiseProduct(weight.cwiseSqrt());
      }
      x = aw.colPivHouseholderQr().solve(b.cwiseProduct(weight.cwiseSqrt()));
      r = b;
      for (std::size_t c = 0; c < columns.size(); ++c) {
        r -= a.col(columns[c]) * x[static_cast<Eigen::Index>(c)];
      }
      weight = (1 + (r.array() / 2.385).square()).inverse();
    }
    CurveFit fit;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      fit.p[static_cast<std::size_t>(columns[c])] = x[static_cast<Eigen::Index>(c)];
    }
    fit.cost = (1 + (r.array() / 2.385).square()).log().sum();
    if (std::all_of(fit.p.begin(), fit.p.end(), [](double value) { return value >= 0; }) && fit.cost < best.cost) {
      best = fit;
    }
  }
  return best;
}

/// A robust fit to |v|, |F|, which also fills in the predictions.
CurveGuess one_curve(std::vector<SteadyPoint>& points, double exponent) {
  double slowest = infinity;
  double fastest = 0;
  for (const SteadyPoint& point : points) {
    slowest = std::min(slowest, std::abs(point.velocity));
    fastest = std::max(fastest, std::abs(point.velocity));
  }
  double best_velocity = slowest;
  CurveFit best;
  const auto scan = [&](double low, double high, int count) {
    for (int i = 0; i <= count; ++i) {
      const double velocity = low * std::pow(high / low, static_cast<double>(i) / count);
      if (const CurveFit fit = curve_fit(points, velocity, exponent); fit.cost < best.cost) {
        best = fit;
        best_velocity = velocity;
      }
    }
  };
  scan(slowest / 2, 2 * fastest, 60);
  for (double width = 1.2; width > 1.0005; width = std::sqrt(width)) {
    scan(best_velocity / width, best_velocity * width, 6);
  }
  double largest = 0;
  for (const SteadyPoint& point : points) {
    largest = std::max(largest, std::abs(point.torque));
  }
  CurveGuess guess;
  guess.coulomb_force = std::max(best.p[0], 1e-6 * largest);
  guess.static_excess = best.p[1];
  guess.viscous = best.p[2];
  guess.stribeck_velocity = best_velocity;
  for (SteadyPoint& point : points) {
    const double speed = std::abs(point.velocity);
    point.predicted =
        (point.velocity < 0 ? -1 : 1) *
        (best.p[0] + best.p[1] * std::exp(-std::pow(speed / best_velocity, exponent)) + best.p[2] * speed);
  }
  return guess;
}

/// The points of one direction.
std::vector<SteadyPoint> one_direction(const std::vector<SteadyPoint>& points, double direction) {
  std::vector<SteadyPoint> kept;
  std::copy_if(points.begin(), points.end(), std::back_inserter(kept),
               [direction](const SteadyPoint& point) { return direction * point.velocity > 0; });
  return kept;
}

/// The speed up to which one direction's slowest points had not settled; 0: all had.
double unsettled_speed(std::vector<SteadyPoint> points, double exponent) {
  constexpr std::size_t min_points = 6;  // for a separate curve
  if (points.size() < min_points) {
    return 0;
  }
  one_curve(points, exponent);
  std::sort(points.begin(), points.end(),
            [](const SteadyPoint& a, const SteadyPoint& b) { return std::abs(a.velocity) < std::abs(b.velocity); });
  // Far below the curve of the others, starting with the slowest; and decreasing towards rest somewhere, unlike any
  // Stribeck curve.
  double speed = 0;
  bool falls = false;
  for (std::size_t k = 0; k < points.size() / 3; ++k) {
    const SteadyPoint& point = points[k];
    const auto above = [&](double torque) { return (std::abs(torque) - std::abs(point.torque)) / point.deviation; };
    if (!(above(point.predicted) > 6)) {
      break;
    }
    falls = falls || above(points[k + 1].torque) > 3;
    speed = std::abs(point.velocity);
  }
  return falls ? speed : 0;
}

}  // namespace

std::vector<SteadyPoint> steady_points(const Data& data) {
  std::vector<SteadyPoint> points;
  for (const Sweep& sweep : data.sweeps) {
    double fastest = 0;
    double largest = 0;
    for (std::size_t i = 0; i < sweep.velocity.size(); ++i) {
      fastest = std::max(fastest, std::abs(sweep.velocity[i]));
      largest = std::max(largest, std::abs(sweep.torque[i]));
    }
    const bool stated = !sweep.deviation.empty();
    const std::optional<double> scatter = stated ? 0 : noise_of(sweep);
    if (!scatter) {
      throw BadData(sweep.name +
                    ": too few points to estimate their noise: give their deviation, or at least 6 velocities in each "
                    "direction, or measure some velocities again");
    }
    for (std::size_t i = 0; i < sweep.velocity.size(); ++i) {
      if (std::abs(sweep.velocity[i]) > standstill * fastest) {
        const double deviation = std::max(stated ? sweep.deviation[i] : *scatter, 1e-6 * largest);
        points.push_back({sweep.velocity[i], sweep.torque[i], deviation, 0, true, infinity, stated});
      }
    }
  }
  for (const Recording& log : data.recordings) {
    const std::size_t n = log.time.size();
    const std::size_t window = std::max<std::size_t>(20, n / 400);
    const double noise = noise_of(log.position);
    const double torque_noise = noise_of(log.torque);
    struct Window {
      std::size_t from;
      double velocity, torque;
    };
    std::vector<Window> windows;
    for (std::size_t from = 0; from + window <= n; from += window) {
      const double span = log.time[from + window - 1] - log.time[from];
      windows.push_back({from, line_slope({&log.time[from], window}, {&log.position[from], window}),
                         mean({&log.torque[from], window})});
      if (!(span > 0)) {
        windows.pop_back();
      }
    }
    // Runs of windows whose velocity stays within 2 % or its own noise; the first half lets friction settle.
    for (std::size_t i = 0; i < windows.size();) {
      std::size_t j = i + 1;
      const double dt = (log.time.back() - log.time.front()) / static_cast<double>(n - 1);
      const double doubt = 4 * noise * std::sqrt(12.0) / (dt * std::pow(static_cast<double>(window), 1.5));
      while (j < windows.size() &&
             std::abs(windows[j].velocity - windows[i].velocity) < 0.02 * std::abs(windows[i].velocity) + doubt) {
        ++j;
      }
      if (j - i >= 6 && std::abs(windows[i].velocity) > 10 * doubt) {
        const std::size_t settled = (i + j) / 2;
        const std::size_t begin = windows[settled].from;
        const std::size_t end = windows[j - 1].from + window;
        const double velocity = (log.position[end - 1] - log.position[begin]) / (log.time[end - 1] - log.time[begin]);
        const double torque = mean({&log.torque[begin], end - begin});
        points.push_back({velocity, torque,
                          std::max(torque_noise, 1e-3 * std::abs(torque)) / std::sqrt(static_cast<double>(end - begin)),
                          0, true, std::abs(log.position[begin] - log.position[windows[i].from]), false});
      }
      i = j;
    }
  }
  return points;
}

Guess stribeck_guess(const std::vector<SteadyPoint>& points, double exponent) {
  std::vector<SteadyPoint> all = points;
  Guess guess;
  static_cast<CurveGuess&>(guess) = one_curve(all, exponent);
  constexpr std::size_t min_points = 4;
  for (const double direction : {1.0, -1.0}) {
    if (auto half = one_direction(points, direction); half.size() >= min_points) {
      (direction > 0 ? guess.plus : guess.minus) = one_curve(half, exponent);
    }
  }
  return guess;
}

void drop_unsettled(std::vector<SteadyPoint>& points, double exponent) {
  double speed = 0;
  for (const double direction : {1.0, -1.0}) {
    speed = std::max(speed, unsettled_speed(one_direction(points, direction), exponent));
  }
  // With a counterpart in the other direction.
  const auto slow = [speed](const SteadyPoint& point) { return std::abs(point.velocity) <= 1.02 * speed; };
  const auto count = static_cast<std::size_t>(std::count_if(points.begin(), points.end(), slow));
  if (count * 5 > points.size()) {
    return;  // too many to be unsettled: the model must explain them
  }
  for (SteadyPoint& point : points) {
    point.used = !slow(point) || speed == 0;
  }
}

}  // namespace stiction::identify
