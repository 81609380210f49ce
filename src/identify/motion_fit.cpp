#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "least_squares.h"
#include "motion_model.h"

namespace stiction::identify {
namespace {

constexpr int folds = 5;

Gram sum_of(const std::vector<Gram>& grams, bool all_samples) {
  Gram sum;
  for (std::size_t b = 0; b + (all_samples ? 0 : 1) < grams.size(); ++b) {
    sum += grams[b];
  }
  return sum;
}

/// Residuals of the samples in use with the linear numbers solved for.
class Reduced {
 public:
  Reduced(const MotionModel& model, bool all_samples) : model_(model) {
    const MotionData& data = model.data();
    for (std::size_t k = 0; k < data.size(); ++k) {
      if (data.block[k] >= (all_samples ? MotionData::held_out : 0)) {
        if (runs_.empty() || runs_.back().first + runs_.back().second != static_cast<Eigen::Index>(k)) {
          runs_.emplace_back(static_cast<Eigen::Index>(k), 0);
        }
        ++runs_.back().second;
        ++size_;
      }
    }
  }

  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(size_); }

  Eigen::VectorXd beta(const std::vector<double>& at) {
    model_.fill(at, columns_, target_);
    Gram sum;
    sum.xx = Eigen::MatrixXd::Zero(columns_.cols(), columns_.cols());
    sum.xy = Eigen::VectorXd::Zero(columns_.cols());
    for (const auto& [first, count] : runs_) {
      const auto x = columns_.middleRows(first, count);
      const auto y = target_.segment(first, count);
      sum.xx.noalias() += x.transpose() * x;
      sum.xy.noalias() += x.transpose() * y;
      sum.yy += y.squaredNorm();
    }
    Eigen::VectorXd beta = solve(sum, model_.linear());
    residuals_.resize(size_);
    Eigen::Index at_row = 0;
    for (const auto& [first, count] : runs_) {
      residuals_.segment(at_row, count) = target_.segment(first, count) - columns_.middleRows(first, count) * beta;
      at_row += count;
    }
    return beta;
  }

  void evaluate(std::span<const double> point, std::span<double> residuals, Jacobian* jacobian) {
    std::vector<double> at(point.begin(), point.end());
    beta(at);
    Eigen::Map<Eigen::VectorXd> out(residuals.data(), static_cast<Eigen::Index>(residuals.size()));
    out = residuals_;
    if (jacobian == nullptr) {
      return;
    }
    for (std::size_t i = 0; i < at.size(); ++i) {
      const Searched& s = model_.searched()[i];
      const double step = (at[i] + nudge_ > s.upper ? -1 : 1) * nudge_;
      std::vector<double> moved = at;
      moved[i] += step;
      beta(moved);
      jacobian->col(static_cast<Eigen::Index>(i)) = (residuals_ - out) / step;
    }
  }

 private:
  static constexpr double nudge_ = 3e-3;  // of a coordinate: logarithms, shares, ms
  const MotionModel& model_;
  std::vector<std::pair<Eigen::Index, Eigen::Index>> runs_;  // first row and count
  Eigen::Index size_ = 0;
  Eigen::MatrixXd columns_;
  Eigen::VectorXd target_, residuals_;
};

/// The trial points: the start's numbers where it has them, all trials of the others.
std::vector<std::vector<double>> trial_points(const MotionModel& model, const MotionFitted* start,
                                              const std::vector<Searched>* start_numbers) {
  std::vector<std::vector<double>> points{{}};
  for (const Searched& s : model.searched()) {
    std::vector<double> values = s.trials;
    if (start_numbers != nullptr) {
      for (std::size_t i = 0; i < start_numbers->size(); ++i) {
        if ((*start_numbers)[i].what == s.what) {
          values = {start->at[i]};
        }
      }
    }
    std::vector<std::vector<double>> more;
    for (const auto& point : points) {
      for (const double value : values) {
        more.push_back(point);
        more.back().push_back(std::clamp(value, s.lower, s.upper));
      }
    }
    points = std::move(more);
  }
  return points;
}

}  // namespace

MotionFitted fit_structure(const MotionModel& model, const MotionFitted* start, const MotionOptions& options,
                           bool all_samples) {
  std::optional<MotionModel> before;
  if (start != nullptr) {
    before.emplace(model.data(), start->structure, options);
  }
  const auto points = trial_points(model, start, before ? &before->searched() : nullptr);
  MotionFitted best;
  best.structure = model.structure();
  double min_cost = infinity;
  for (const auto& point : points) {
    const Gram sum = sum_of(model.grams(point), all_samples);
    const double cost = sum.cost(solve(sum, model.linear()));
    if (cost < min_cost) {
      min_cost = cost;
      best.at = point;
    }
  }
  if (!(min_cost < infinity)) {
    return best;  // not usable
  }
  Reduced reduced(model, all_samples);
  if (!best.at.empty()) {
    LeastSquares task;
    task.start = best.at;
    for (const Searched& s : model.searched()) {
      task.lower.push_back(s.lower);
      task.upper.push_back(s.upper);
    }
    task.residuals = reduced.size();
    task.max_iterations = 15;
    task.tolerance = 1e-4;
    task.evaluate = [&](std::span<const double> at, std::span<double> residuals, Jacobian* jacobian) {
      reduced.evaluate(at, residuals, jacobian);
    };
    const Solution solution = minimise(task);
    if (solution.finite && solution.cost() < min_cost) {
      best.at = solution.at;
    }
  }
  score(model, best, all_samples);
  return best;
}

void score(const MotionModel& model, MotionFitted& fit, bool all_samples) {
  const auto grams = model.grams(fit.at);
  const Gram all = sum_of(grams, all_samples);
  fit.beta = solve(all, model.linear());
  const auto blocks = static_cast<int>(grams.size()) - 1;
  fit.block_errors.assign(static_cast<std::size_t>(blocks), 0);
  double sum = 0;
  for (int f = 0; f < folds; ++f) {
    Gram others = sum_of(grams, false);
    for (int b = f; b < blocks; b += folds) {
      others -= grams[static_cast<std::size_t>(b)];
    }
    if (!(others.count > static_cast<double>(model.linear().size()))) {
      others = sum_of(grams, false);  // too few blocks to leave one out
    }
    const Eigen::VectorXd beta = solve(others, model.linear());
    for (int b = f; b < blocks; b += folds) {
      const Gram& block = grams[static_cast<std::size_t>(b)];
      fit.block_errors[static_cast<std::size_t>(b)] = block.cost(beta) / std::max(1.0, block.count);
      sum += fit.block_errors[static_cast<std::size_t>(b)];
    }
  }
  fit.error = std::sqrt(sum / blocks);
  fit.usable = std::isfinite(fit.error) && fit.beta.allFinite();
}

Eigen::VectorXd predict(const MotionModel& model, const MotionFitted& fit) {
  Eigen::MatrixXd columns;
  Eigen::VectorXd target;
  model.fill(fit.at, columns, target);
  const auto n = static_cast<Eigen::Index>(model.data().size());
  // A known inertia was subtracted from the target
  return columns * fit.beta + Eigen::Map<const Eigen::VectorXd>(model.data().torque.data(), n) - target;
}

bool supported(const MotionFitted& simple, const MotionFitted& rich) {
  if (!rich.usable || !simple.usable) {
    return rich.usable;
  }
  const auto n = static_cast<double>(simple.block_errors.size());
  double mean = 0;
  double squares = 0;
  for (std::size_t b = 0; b < simple.block_errors.size(); ++b) {
    const double gain = simple.block_errors[b] - rich.block_errors[b];
    mean += gain / n;
    squares += gain * gain / n;
  }
  const double scatter = n > 1 ? std::sqrt(std::max(0.0, squares - mean * mean) / (n - 1)) : 0;
  return mean > 1.5 * scatter && mean > 0.01 * square(simple.error);
}

}  // namespace stiction::identify
