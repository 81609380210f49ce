#include "prepare.h"

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>

#include "signals.h"

namespace stiction::identify {
namespace {

/// A window in which a velocity is known to a few per cent, or about 20 samples.
std::size_t half_window(const Recording& log) { return std::clamp<std::size_t>(log.time.size() / 1000, 5, 15); }

/// Reference position and velocity, from whichever of the two the log has.
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

/// u = kp e + ki ∫e + kd de/dt + bias by linear regression; empty if that does not explain the torque.
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
    double min_significance = 4;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const auto index = static_cast<Eigen::Index>(c);
      std::array<double*, 4>{&loop.kp, &loop.ki, &loop.kd, &bias}[static_cast<std::size_t>(columns[c])][0] =
          gains[index];
      const double significance = gains[index] / (rms * std::sqrt(covariance(index, index)));
      if (columns[c] != 3 && significance < min_significance) {  // also one of the wrong sign
        min_significance = significance;
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

}  // namespace

std::size_t take_out_spikes(Recording& recording, std::vector<char>& use) {
  const auto clean = [&use](std::vector<double>& signal) {
    const double limit = 10 * noise_of(signal);
    std::vector<std::pair<std::size_t, double>> spikes;
    for (std::size_t k = 3; k + 3 < signal.size(); ++k) {
      // An outlier deviates from the cubic through its neighbours, unlike a smooth signal, and from their median,
      // unlike a step.
      const double cubic = (4 * (signal[k - 1] + signal[k + 1]) - signal[k - 2] - signal[k + 2]) / 6;
      if (std::abs(signal[k] - cubic) > limit) {
        const double middle = median({signal.data() + k - 3, signal.data() + k + 4});
        if (std::abs(signal[k] - middle) > limit) {
          spikes.emplace_back(k, middle);
        }
      }
    }
    if (100 * spikes.size() > signal.size()) {
      return std::size_t{0};  // so many are part of the signal
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
  track.follow(recording);
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

double max_mass(const Data& data) {
  double largest = infinity;
  for (const Recording& log : data.recordings) {
    const std::size_t n = log.time.size();
    const double doubt = 6 * std::sqrt(6.0) * noise_of(log.position);
    for (std::size_t lag = 1; 4 * lag < n; lag *= 2) {
      double acceleration = 0;
      for (std::size_t k = lag; k + lag < n; ++k) {
        // A mean of the acceleration over 2 lag samples, never above its largest value.
        const double second_difference =
            std::abs(log.position[k + lag] - 2 * log.position[k] + log.position[k - lag]) - doubt;
        const double span = (log.time[k + lag] - log.time[k - lag]) / 2;
        acceleration = std::max(acceleration, second_difference / square(span));
      }
      if (acceleration > 0) {
        largest = std::min(largest, 4 * range_of(log.torque) / acceleration);
      }
    }
  }
  return largest;
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
  // In fast sliding u ≈ J dv/dt + F_C sgn v + F_v v. Differentiated data suffice for a start.
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
  double distance = 0;
  for (const Recording& log : data.recordings) {
    torque = std::max(torque, range_of(log.torque));
    distance = std::max(distance, range_of(log.position));
  }
  return distance > 0 ? torque / distance : 0;
}

}  // namespace stiction::identify
