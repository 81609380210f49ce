#include "motion_choice.h"

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>

namespace stiction::identify {
namespace {

constexpr double min_travel_of_gravity = 0.1;  // [rad]; less shows at most a slope over position

/// Tries terms one after the other, and keeps those that the left-out blocks support.
class Ladder {
 public:
  Ladder(const MotionData& data, const MotionOptions& options, const std::function<void(double)>& report)
      : data_(data), options_(options), report_(report) {}

  void start(const Structure& structure) {
    best_ = fit(structure, nullptr);
    record(best_, true);
  }

  /// Replaces the best fit if the data support it.
  bool attempt(const Structure& structure) {
    const MotionFitted tried = fit(structure, &best_);
    const bool better = supported(best_, tried);
    record(tried, better);
    if (better) {
      best_ = tried;
    }
    return better;
  }

  /// The terms that any kind of friction may have beside it.
  void try_terms() {
    const auto with = [&](auto change) {
      Structure s = best_.structure;
      change(s);
      if (!(s == best_.structure)) {
        attempt(s);
      }
    };
    with([&](Structure& s) { s.inertia = s.inertia || !options_.mass; });
    with([&](Structure& s) { s.gravity = std::max(s.gravity, Gravity::slope); });
    if (data_.travel > min_travel_of_gravity) {
      with([&](Structure& s) { s.gravity = Gravity::full; });
    }
    with([&](Structure& s) { s.asymmetric = s.asymmetric || !s.bristle(); });
    // Last: what other terms explain better may look like a delay
    with([&](Structure& s) { s.shift = s.shift || options_.max_shift > 0; });
  }

  [[nodiscard]] const MotionFitted& best() const { return best_; }
  [[nodiscard]] std::vector<MotionStep> steps() const { return steps_; }

 private:
  MotionFitted fit(Structure structure, const MotionFitted* from) {
    report_(static_cast<double>(steps_.size()));
    const MotionModel model(data_, structure, options_);
    MotionFitted result = fit_structure(model, from, options_, false);
    if (structure.shift && std::abs(model.value(result.at, Searched::What::shift, 0)) > 0.98 * options_.max_shift) {
      structure.shift = false;  // at the edge it stands in for something else
      result = fit_structure(MotionModel(data_, structure, options_), from, options_, false);
    }
    return result;
  }

  void record(const MotionFitted& fit, bool kept) {
    steps_.push_back(
        {words_of(fit.structure), MotionModel(data_, fit.structure, options_).unknowns(), fit.error, kept});
  }

  const MotionData& data_;
  const MotionOptions& options_;
  const std::function<void(double)>& report_;
  MotionFitted best_;
  std::vector<MotionStep> steps_;
};

Structure with_kind(Structure s, FrictionKind kind) {
  s.kind = kind;
  s.asymmetric = s.asymmetric && !s.bristle();
  return s;
}

}  // namespace

double predict(const YardstickFit& y, double velocity) {
  return y.coulomb * clip(velocity / y.width, -1.0, 1.0) + y.viscous * velocity + y.offset;
}

YardstickFit yardstick_of(const MotionData& data) {
  YardstickFit best;
  double min_cost = infinity;
  for (const double share : {1e-3, 3e-3, 0.01, 0.02, 0.04, 0.08, 0.15, 0.3}) {
    YardstickFit trial;
    trial.width = share * std::max(data.fastest, 1e-12);
    Gram sum;
    sum.xx = Eigen::MatrixXd::Zero(3, 3);
    sum.xy = Eigen::VectorXd::Zero(3);
    for (std::size_t k = 0; k < data.size(); ++k) {
      if (data.block[k] >= 0) {
        const double v = data.velocity[k];
        const Eigen::Vector3d row(clip(v / trial.width, -1.0, 1.0), v, 1);
        sum.xx += row * row.transpose();
        sum.xy += row * data.torque[k];
        sum.yy += square(data.torque[k]);
      }
    }
    const auto beta = solve(sum, std::vector<Linear>(3, {Linear::What::offset, false}));
    if (const double cost = sum.cost(beta); cost < min_cost) {
      min_cost = cost;
      trial.coulomb = beta[0];
      trial.viscous = beta[1];
      trial.offset = beta[2];
      best = trial;
    }
  }
  double trained = 0;
  double count = 0;
  for (std::size_t k = 0; k < data.size(); ++k) {
    trained += data.block[k] >= 0 ? data.torque[k] : 0;
    count += data.block[k] >= 0 ? 1 : 0;
  }
  const auto n = static_cast<Eigen::Index>(data.size());
  Eigen::VectorXd predicted(n);
  for (Eigen::Index k = 0; k < n; ++k) {
    predicted[k] = predict(best, data.velocity[static_cast<std::size_t>(k)]);
  }
  best.error = logged_error(data, predicted, true);
  best.constant = logged_error(data, Eigen::VectorXd::Constant(n, trained / std::max(1.0, count)), true);
  return best;
}

double logged_error(const MotionData& data, const Eigen::VectorXd& predicted, bool held_out) {
  double sum = 0;
  double count = 0;
  for (std::size_t k = 0; k < data.size(); ++k) {
    if (held_out ? data.block[k] == MotionData::held_out : data.block[k] >= 0) {
      sum += square(data.logged[k] - predicted[static_cast<Eigen::Index>(k)]);
      count += 1;
    }
  }
  return count > 0 ? std::sqrt(sum / count) : infinity;
}

Choice choose_structure(const MotionData& data, const MotionOptions& options, std::optional<FrictionKind> kind,
                        const std::function<void(double)>& report) {
  constexpr double about = 20;  // fits
  const std::function<void(double)> share = [&](double fits) { report(std::min(0.95, fits / about)); };
  Ladder ladder(data, options, share);
  Structure simple;
  ladder.start(with_kind(simple, kind.value_or(FrictionKind::dry)));
  ladder.try_terms();
  if (!kind) {
    for (const FrictionKind richer : {FrictionKind::stribeck, FrictionKind::lugre}) {
      if (ladder.attempt(with_kind(ladder.best().structure, richer))) {
        ladder.try_terms();
      }
    }
    // The two that share LuGre's presliding but bend it otherwise
    for (const FrictionKind richer : {FrictionKind::elasto_plastic, FrictionKind::gms}) {
      ladder.attempt(with_kind(ladder.best().structure, richer));
    }
  }
  return {ladder.best(), ladder.steps()};
}

}  // namespace stiction::identify
