#include "prepare.h"

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace stiction::identify {
namespace {

double median(std::vector<double> values) {
  if (values.empty()) {
    return 0;
  }
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

double mean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// Slope of the straight line through all points.
double line_slope(std::span<const double> time, std::span<const double> signal) {
  const double t = mean(time);
  const double s = mean(signal);
  double tt = 0;
  double ts = 0;
  for (std::size_t i = 0; i < time.size(); ++i) {
    tt += (time[i] - t) * (time[i] - t);
    ts += (time[i] - t) * (signal[i] - s);
  }
  return tt > 0 ? ts / tt : 0;
}

double range_of(const std::vector<double>& values) {
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return *high - *low;
}

/// A window in which a velocity is known to a few per cent, or about 20 samples.
std::size_t half_window(const Recording& log) { return std::clamp<std::size_t>(log.time.size() / 1000, 5, 15); }

/// Reference position and velocity, whichever of the two the log has.
void add_reference(Track& track) {
  const Recording& log = *track.recording;
  const std::size_t n = log.time.size();
  if (log.reference == Recording::Reference::velocity) {
    track.reference_velocity = log.commanded;
    track.reference_position.assign(n, 0);
    for (std::size_t k = 1; k < n; ++k) {
      track.reference_position[k] = track.reference_position[k - 1] +
                                    (log.time[k] - log.time[k - 1]) * (log.commanded[k] + log.commanded[k - 1]) / 2;
    }
  } else {
    track.reference_position = log.commanded;
    track.reference_velocity = slope_of(log.time, log.commanded, 1);
  }
}

/// u = kp e + ki ∫e + kd de/dt + bias by linear regression; nothing where that does not explain the torque.
std::optional<Loop> loop_gains(const Track& track, double& bias) {
  const Recording& log = *track.recording;
  const auto n = static_cast<Eigen::Index>(log.time.size());
  const auto velocity = slope_of(log.time, log.position, half_window(log));
  std::vector<int> columns{0, 1, 2, 3};
  Eigen::MatrixXd all(n, 4);
  double integral = 0;
  for (Eigen::Index k = 0; k < n; ++k) {
    const auto i = static_cast<std::size_t>(k);
    const double error = track.reference_position[i] - log.position[i];
    all.row(k) << error, integral, track.reference_velocity[i] - velocity[i], 1;
    integral += i + 1 < log.time.size() ? (log.time[i + 1] - log.time[i]) * error : 0;
  }
  const Eigen::Map<const Eigen::VectorXd> torque(log.torque.data(), n);
  while (true) {
    Eigen::MatrixXd a(n, static_cast<Eigen::Index>(columns.size()));
    for (std::size_t c = 0; c < columns.size(); ++c) {
      a.col(static_cast<Eigen::Index>(c)) = all.col(columns[c]);
    }
    const Eigen::VectorXd gains = a.colPivHouseholderQr().solve(torque);
    const double rms = std::sqrt((torque - a * gains).squaredNorm() / static_cast<double>(n));
    if (!(rms < 1.3 * track.torque_noise)) {
      return std::nullopt;
    }
    const Eigen::MatrixXd covariance = (a.transpose() * a).ldlt().solve(Eigen::MatrixXd::Identity(a.cols(), a.cols()));
    Loop loop;
    std::optional<std::size_t> weakest;
    double least = 4;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const auto index = static_cast<Eigen::Index>(c);
      std::array<double*, 4>{&loop.kp, &loop.ki, &loop.kd, &bias}[static_cast<std::size_t>(columns[c])][0] =
          gains[index];
      const double significance = gains[index] / (rms * std::sqrt(covariance(index, index)));
      if (columns[c] != 3 && significance < least) {  // also one of the wrong sign
        least = significance;
        weakest = c;
      }
    }
    if (!weakest) {
      return loop.kp > 0 || loop.kd > 0 ? std::optional(loop) : std::nullopt;
    }
    columns.erase(columns.begin() + static_cast<std::ptrdiff_t>(*weakest));
    if (columns.size() == 1) {
      return std::nullopt;
    }
  }
}

/// Least squares in F_C, ΔF, F_v for a given v_S, all at least 0, with Cauchy weights; gives the robust cost.
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

}  // namespace

double noise_of(const std::vector<double>& signal) {
  if (signal.size() < 8) {
    return 0;
  }
  std::vector<double> jumps;
  std::vector<double> steps;
  for (std::size_t k = 0; k + 3 < signal.size(); ++k) {
    jumps.push_back(std::abs(signal[k + 3] - 3 * signal[k + 2] + 3 * signal[k + 1] - signal[k]));
    if (const double step = std::abs(signal[k + 1] - signal[k]); step > 0) {
      steps.push_back(step);
    }
  }
  // Var(third difference) = 20 σ²; the median of |x| is 0.6745 σ.
  const double spread = median(std::move(jumps)) / 0.6745 / std::sqrt(20.0);
  const double quantum = steps.empty() ? 0 : *std::min_element(steps.begin(), steps.end());
  const double rounding = median(steps) < 20 * quantum ? quantum / std::sqrt(12.0) : 0;  // an encoder's counts
  return std::max({spread, rounding, 1e-7 * range_of(signal)});
}

std::vector<double> slope_of(const std::vector<double>& time, const std::vector<double>& signal, std::size_t half) {
  const std::size_t n = time.size();
  std::vector<double> slopes(n);
  for (std::size_t k = 0; k < n; ++k) {
    const std::size_t from = k > half ? k - half : 0;
    const std::size_t count = std::min(n - 1, k + half) - from + 1;
    slopes[k] = line_slope({&time[from], count}, {&signal[from], count});
  }
  return slopes;
}

std::size_t take_out_spikes(Recording& recording, std::vector<char>& use) {
  const auto clean = [&use](std::vector<double>& signal) {
    const double limit = 10 * noise_of(signal);
    std::vector<std::pair<std::size_t, double>> spikes;
    for (std::size_t k = 3; k + 3 < signal.size(); ++k) {
      // Off the cubic through its neighbours, as no smooth signal is, and off their median, as no step is.
      const double cubic = (4 * (signal[k - 1] + signal[k + 1]) - signal[k - 2] - signal[k + 2]) / 6;
      if (std::abs(signal[k] - cubic) > limit) {
        const double middle = median({&signal[k - 3], &signal[k + 4]});
        if (std::abs(signal[k] - middle) > limit) {
          spikes.emplace_back(k, middle);
        }
      }
    }
    if (100 * spikes.size() > signal.size()) {
      return std::size_t{0};  // so many are part of the motion
    }
    for (const auto& [k, middle] : spikes) {
      signal[k] = middle;
      use[k] = 0;
    }
    return spikes.size();
  };
  const std::size_t positions = clean(recording.position);
  return positions + (recording.reference != Recording::Reference::none ? clean(recording.torque) : 0);
}

Prepared prepare(const Recording& recording, std::vector<char> use) {
  Prepared prepared;
  Track& track = prepared.track;
  track.recording = &recording;
  track.position_noise = noise_of(recording.position);
  track.torque_noise = noise_of(recording.torque);
  track.use = std::move(use);
  if (recording.reference != Recording::Reference::none) {
    add_reference(track);
    prepared.loop = loop_gains(track, prepared.bias);
  }
  track.drive = prepared.loop ? Drive::continuous_loop : Drive::held_torque;
  return prepared;
}

std::vector<SteadyPoint> steady_points(const Data& data) {
  std::vector<SteadyPoint> points;
  for (const Sweep& sweep : data.sweeps) {
    for (std::size_t i = 0; i < sweep.velocity.size(); ++i) {
      if (sweep.velocity[i] != 0) {
        const double deviation =
            sweep.deviation.empty() ? 0.002 * std::abs(sweep.torque[i]) : std::max(sweep.deviation[i], 1e-12);
        points.push_back({sweep.velocity[i], sweep.torque[i], deviation});
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
                          0, true, std::abs(log.position[begin] - log.position[windows[i].from])});
      }
      i = j;
    }
  }
  return points;
}

Guess stribeck_guess(std::vector<SteadyPoint>& points, double exponent) {
  double slowest = infinity;
  double fastest = 0;
  for (const SteadyPoint& point : points) {
    slowest = std::min(slowest, std::abs(point.velocity));
    fastest = std::max(fastest, std::abs(point.velocity));
  }
  double best_velocity = slowest;
  CurveFit best;
  const auto look = [&](double low, double high, int count) {
    for (int i = 0; i <= count; ++i) {
      const double velocity = low * std::pow(high / low, static_cast<double>(i) / count);
      if (const CurveFit fit = curve_fit(points, velocity, exponent); fit.cost < best.cost) {
        best = fit;
        best_velocity = velocity;
      }
    }
  };
  look(slowest / 2, 2 * fastest, 60);
  for (double width = 1.2; width > 1.0005; width = std::sqrt(width)) {
    look(best_velocity / width, best_velocity * width, 6);
  }
  Guess guess;
  guess.coulomb_force = std::max(best.p[0], 1e-12);
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

double most_mass(const Data& data) {
  double most = infinity;
  for (const Recording& log : data.recordings) {
    const std::size_t n = log.time.size();
    const double doubt = 6 * std::sqrt(6.0) * noise_of(log.position);
    for (std::size_t lag = 1; 4 * lag < n; lag *= 2) {
      double acceleration = 0;
      for (std::size_t k = lag; k + lag < n; ++k) {
        // A mean of the acceleration over 2 lag samples, never above its largest value.
        const double bend = std::abs(log.position[k + lag] - 2 * log.position[k] + log.position[k - lag]) - doubt;
        const double span = (log.time[k + lag] - log.time[k - lag]) / 2;
        acceleration = std::max(acceleration, bend / square(span));
      }
      if (acceleration > 0) {
        most = std::min(most, 4 * range_of(log.torque) / acceleration);
      }
    }
  }
  return most;
}

Guess rough_guess(const Data& data) {
  Guess guess;
  double torque = 0;
  double fastest = 0;
  for (const Recording& log : data.recordings) {
    for (const double u : log.torque) {
      torque = std::max(torque, std::abs(u));
    }
    for (const double v : slope_of(log.time, log.position, half_window(log))) {
      fastest = std::max(fastest, std::abs(v));
    }
  }
  guess.coulomb_force = std::max(torque, 1e-12);
  guess.stribeck_velocity = std::max(fastest / 10, 1e-9);
  // While it slides fast, u ≈ J dv/dt + F_C sgn v + F_v v. Differentiated data will do for a start.
  Eigen::Matrix3d normal = Eigen::Matrix3d::Zero();
  Eigen::Vector3d right = Eigen::Vector3d::Zero();
  double squares = 0;
  std::size_t count = 0;
  for (const Recording& log : data.recordings) {
    const std::size_t half = half_window(log);
    const auto velocity = slope_of(log.time, log.position, half);
    const auto acceleration = slope_of(log.time, velocity, half);
    for (std::size_t k = 2 * half; k + 2 * half < log.time.size(); ++k) {
      if (std::abs(velocity[k]) > 0.2 * fastest) {
        const Eigen::Vector3d row(acceleration[k], velocity[k] < 0 ? -1 : 1, velocity[k]);
        const double u = mean({&log.torque[k - half], 2 * half + 1});
        normal += row * row.transpose();
        right += row * u;
        squares += u * u;
        ++count;
      }
    }
  }
  const Eigen::Vector3d found = normal.ldlt().solve(right);
  const double unexplained = (squares - found.dot(right)) / std::max(squares, 1e-300);
  if (count > 100 && found.allFinite() && found.minCoeff() > 0 && unexplained < 0.1) {
    guess.mass = found[0];
    guess.coulomb_force = found[1];
    guess.viscous = found[2];
  }
  guess.static_excess = 0.1 * guess.coulomb_force;
  return guess;
}

double stiffness_guess(const Data& data, double friction) {
  std::vector<double> slopes;
  for (const Recording& log : data.recordings) {
    const std::size_t n = log.time.size();
    const std::size_t half = half_window(log);
    const double noise = noise_of(log.position);
    const auto velocity = slope_of(log.time, log.position, half);
    const auto smooth = [&](const std::vector<double>& signal, std::size_t k) {
      const std::size_t from = k > 2 ? k - 2 : 0;
      return mean({&signal[from], std::min(n, k + 3) - from});
    };
    for (std::size_t k = half; k + half < n; ++k) {
      if ((velocity[k] > 0) == (velocity[k - 1] > 0)) {
        continue;
      }
      const double x = smooth(log.position, k);
      const double u = smooth(log.torque, k);
      std::size_t i = k + 1;
      while (i < n && std::abs(smooth(log.torque, i) - u) < 0.25 * friction &&
             (i - k < 3 || (velocity[i] > 0) == (velocity[k] > 0))) {
        ++i;
      }
      if (i < n && std::abs(smooth(log.position, i) - x) > 4 * noise) {
        const double slope = (smooth(log.torque, i) - u) / (smooth(log.position, i) - x);
        if (slope > 0) {
          slopes.push_back(slope);
        }
      }
    }
  }
  if (!slopes.empty()) {
    return median(slopes);
  }
  double torque = 0;
  double way = 0;
  for (const Recording& log : data.recordings) {
    torque = std::max(torque, range_of(log.torque));
    way = std::max(way, range_of(log.position));
  }
  return way > 0 ? torque / way : 0;
}

}  // namespace stiction::identify
