#include "motion_diagnosis.h"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "signals.h"
#include "stiction/math.h"

namespace stiction::identify {
namespace {

constexpr double telling_share = 0.1;  // of the residual's variance: less is not worth a remark

/// The share of the residual's variance that these columns and a constant explain.
double share_explained(const Eigen::VectorXd& residual, const Eigen::MatrixXd& columns) {
  const Eigen::Index n = residual.size();
  Eigen::MatrixXd x(n, columns.cols() + 1);
  x << columns, Eigen::VectorXd::Ones(n);
  const Eigen::VectorXd centred = residual.array() - residual.mean();
  const Eigen::MatrixXd h = x.transpose() * x;
  const Eigen::VectorXd g = x.transpose() * centred;
  const double explained = g.dot(h.completeOrthogonalDecomposition().solve(g));
  return centred.squaredNorm() > 0 ? explained / centred.squaredNorm() : 0;
}

class Diagnosis {
 public:
  explicit Diagnosis(const DiagnosisInput& input)
      : in_(input),
        q_(Eigen::Map<const Eigen::VectorXd>(input.data.position.data(), static_cast<Eigen::Index>(input.data.size()))),
        size_(std::sqrt(input.residual.squaredNorm() / static_cast<double>(input.data.size()))) {}

  std::vector<Finding> run() {
    clock();
    one_direction();
    gravity();
    load();
    cogging();
    saturation();
    drift();
    quantisation();
    backlash();
    return findings_;
  }

 private:
  void add(const char* name, double value, const char* unit, std::string text) {
    findings_.push_back({name, value, unit, std::move(text)});
  }

  void clock() {
    for (const CleanLog& one : in_.logs) {
      if (one.clock != 1) {
        add("clock", one.clock, "-",
            fmt::format("{}: the time column is off: multiplied by {:g} to agree with position and velocity; check the "
                        "logger's rate",
                        one.log.name, one.clock));
      }
    }
  }

  void one_direction() {
    double forward = 0;
    double backward = 0;
    const double slow = 0.02 * in_.data.fastest;
    for (const double v : in_.data.velocity) {
      forward += v > slow ? 1 : 0;
      backward += v < -slow ? 1 : 0;
    }
    const double moving = forward + backward;
    if (moving > 0 && std::min(forward, backward) < 0.03 * moving) {
      add("one direction", std::max(forward, backward) / moving, "-",
          fmt::format("{:.0f} % of the motion is in one direction: offset and Coulomb friction cannot be told apart; "
                      "record both directions",
                      100 * std::max(forward, backward) / moving));
    }
  }

  void gravity() {
    if (in_.gravity || in_.data.travel < 0.1) {
      return;
    }
    Eigen::MatrixXd columns(q_.size(), 2);
    columns << q_.array().sin(), q_.array().cos();
    if (const double share = share_explained(in_.residual, columns); share > telling_share) {
      add("gravity", share, "-",
          fmt::format("{:.0f} % of the residual follows the sine of the position: gravity or a payload; move over a "
                      "larger range, or give its torque as a column",
                      100 * share));
    }
  }

  /// Friction that grows with the torque: residual along the motion against |τ|.
  void load() {
    Eigen::MatrixXd column(q_.size(), 1);
    Eigen::VectorXd along(q_.size());
    for (Eigen::Index k = 0; k < q_.size(); ++k) {
      const auto i = static_cast<std::size_t>(k);
      column(k, 0) = std::abs(in_.data.torque[i] - in_.friction[k]);
      along[k] = in_.data.velocity[i] < 0 ? -in_.residual[k] : in_.residual[k];
    }
    if (const double share = share_explained(along, column); share > telling_share) {
      add("load", share, "-",
          fmt::format("{:.0f} % of the residual follows the size of the torque: friction of a loaded gear; record with "
                      "different loads, and fit a gear model",
                      100 * share));
    }
  }

  /// What repeats n times per revolution, where the log covers two periods.
  void cogging() {
    double best = 0;
    int periods = 0;
    Eigen::MatrixXd columns(q_.size(), 2);
    const int first = std::max(2, static_cast<int>(std::ceil(4 * std::numbers::pi / std::max(in_.data.travel, 1e-9))));
    for (int n = first; n <= 200 && first < 200; ++n) {
      columns << (n * q_.array()).sin(), (n * q_.array()).cos();
      if (const double share = share_explained(in_.residual, columns); share > best) {
        best = share;
        periods = n;
      }
    }
    if (best > telling_share) {
      add("cogging", periods, "1/rev",
          fmt::format(
              "{:.0f} % of the residual repeats {} times per revolution (if the position is in rad): cogging or "
              "gear teeth",
              100 * best, periods));
    }
  }

  /// Extremes of the torque that are held for several samples.
  void saturation() {
    double held = 0;
    double all = 0;
    for (const CleanLog& one : in_.logs) {
      const auto& torque = one.log.torque;
      const auto [low, high] = std::minmax_element(torque.begin(), torque.end());
      const double near = 1e-6 * (*high - *low);
      for (std::size_t k = 1; k + 1 < torque.size(); ++k) {
        const auto at = [&](double level) {
          return std::abs(torque[k - 1] - level) < near && std::abs(torque[k] - level) < near &&
                 std::abs(torque[k + 1] - level) < near;
        };
        held += at(*low) || at(*high) ? 1 : 0;
      }
      all += static_cast<double>(torque.size());
    }
    if (held > 0.005 * all) {
      add("saturation", held / all, "-",
          fmt::format("the torque stays at its extreme in {:.1f} % of the samples: the loop saturates there; use "
                      "smaller motions if it is the command that is logged",
                      100 * held / all));
    }
  }

  /// Friction of one stretch relative to the whole: Σ r F/Σ F².
  [[nodiscard]] double relative_change(std::size_t begin, std::size_t end) const {
    const auto first = static_cast<Eigen::Index>(begin);
    const auto count = static_cast<Eigen::Index>(end - begin);
    const auto friction = in_.friction.segment(first, count);
    const double size = friction.squaredNorm();
    return size > 0 ? in_.residual.segment(first, count).dot(friction) / size : 0;
  }

  void drift() {
    const auto& parts = in_.data.parts;
    const bool runs = parts.size() > 1;
    const std::size_t n = in_.data.size();
    // Tenths of a single recording; whole recordings otherwise
    std::vector<double> changes;
    for (std::size_t i = 0; i < (runs ? parts.size() : 10); ++i) {
      changes.push_back(runs ? relative_change(parts[i].begin, parts[i].end)
                             : relative_change(i * n / 10, (i + 1) * n / 10));
    }
    std::vector<double> order(changes.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
      order[i] = static_cast<double>(i);
    }
    const double slope = line_slope(order, changes);
    const double total = slope * static_cast<double>(changes.size() - 1);
    double scatter = 0;
    for (std::size_t i = 0; i < changes.size(); ++i) {
      scatter += square(changes[i] - mean(changes) - slope * (order[i] - mean(order)));
    }
    scatter = std::sqrt(scatter / static_cast<double>(changes.size()));
    if (std::abs(total) > 0.05 && std::abs(total) > 2 * scatter && changes.size() > 2) {
      add("drift", total, "-",
          fmt::format("friction changes by {:+.0f} % from the first to the last {}: warming up? Repeat a run when warm",
                      100 * total, runs ? "recording" : "tenth of the recording"));
    } else if (runs) {
      const auto [low, high] = std::minmax_element(changes.begin(), changes.end());
      if (*high - *low > 0.1) {
        add("spread", *high - *low, "-",
            fmt::format("friction differs by {:.0f} % between the recordings", 100 * (*high - *low)));
      }
    }
  }

  static double smallest_step(const std::vector<double>& signal) {
    double smallest = infinity;
    for (std::size_t k = 1; k < signal.size(); ++k) {
      const double step = std::abs(signal[k] - signal[k - 1]);
      smallest = step > 0 ? std::min(smallest, step) : smallest;
    }
    return smallest;
  }

  void quantisation() {
    for (const CleanLog& one : in_.logs) {
      const double torque = smallest_step(one.log.torque);
      if (torque < infinity && torque > 0.1 * in_.level && in_.level > 0) {
        add("torque resolution", torque, "N",
            fmt::format("{}: the torque is resolved to {:.3g}, {:.0f} % of the friction: finer friction is not seen",
                        one.log.name, torque, 100 * torque / in_.level));
      }
      const double position = smallest_step(one.log.position);
      if (position < infinity && position > 3 * std::max(one.position_noise, 1e-300)) {
        continue;
      }
      if (position < infinity && position > 2e-3 * in_.data.travel) {
        add("position resolution", position, "m",
            fmt::format("{}: the position is resolved to {:.3g}: presliding is not seen", one.log.name, position));
      }
    }
  }

  /// After a reversal a spring passes through 0 at once; play moves without torque first.
  void backlash() {
    std::vector<double> play;
    std::vector<double> shares;
    const double level = in_.level;
    if (!(level > 0)) {
      return;
    }
    for (const MotionData::Part& part : in_.data.parts) {
      double free = 0;
      double crossing = 0;
      bool inside = false;
      for (std::size_t k = part.begin + 1; k < part.end; ++k) {
        const double torque =
            std::abs(in_.friction[static_cast<Eigen::Index>(k)] + in_.residual[static_cast<Eigen::Index>(k)]) / level;
        const double moved = std::abs(in_.data.position[k] - in_.data.position[k - 1]);
        if (torque < 0.8) {
          inside = true;
          crossing += moved;
          free += torque < 0.3 ? moved : 0;
        } else if (inside) {
          if (crossing > 0 && free > 0) {
            play.push_back(free);
            shares.push_back(free / crossing);
          }
          inside = false;
          free = crossing = 0;
        }
      }
    }
    const double resolved = 4 * in_.data.fastest * in_.data.half_width;  // less is the filter's doing
    if (play.size() >= 6 && median(shares) > 0.7 && median(play) > std::min(resolved, 0.02 * in_.data.travel)) {
      add("backlash", median(play), "m",
          fmt::format("after reversals the axis moves {:.3g} (median) with hardly any torque: backlash", median(play)));
    }
  }

  const DiagnosisInput& in_;
  Eigen::VectorXd q_;
  double size_;
  std::vector<Finding> findings_;
};

}  // namespace

std::vector<Finding> diagnose(const DiagnosisInput& input) { return Diagnosis(input).run(); }

}  // namespace stiction::identify
