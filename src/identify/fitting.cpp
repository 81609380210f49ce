#include "fitting.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <tuple>

#include "covariance.h"
#include "problem.h"
#include "report.h"

namespace stiction::identify {
namespace {

constexpr double training_share = 0.7;

/// Everything about one model's fit.
class Fitting {
 public:
  Fitting(const std::string& model, std::vector<Prepared> prepared, std::size_t spikes, std::vector<SteadyPoint> steady,
          const Guess& guess, const Options& options, std::size_t most_work, const Fit* before)
      : name_(model),
        engine_(find_engine(model)),
        prepared_(std::move(prepared)),
        steady_(std::move(steady)),
        options_(options),
        most_work_(most_work),
        before_(before),
        outliers_(spikes),
        problem_(engine_, prepared_, steady_, search_start(draw_back(guess)), options_) {}

  Fit run() {
    LeastSquares search = problem_.least_squares();
    if (before_ != nullptr) {
      start_from(*before_, search);
    }
    bool hopeless = (problem_.has_body() && (misses_steady_friction(search) || !explore(search))) || exhausted_;
    if (!hopeless) {
      settle(search);
      hopeless = far_off();
    }
    if (!hopeless && !exhausted_) {  // else it will be refused anyway
      try_other_drives(search);
      if (problem_.has_body()) {
        if (drop_outliers() > 0) {
          solve(search);
        }
        try_noisier_torque(search);
      }
    }
    Fit fit = describe({name_, engine_, problem_, prepared_, steady_, options_, solution_, shifts_});
    fit.outliers = outliers_;
    if (options_.held_out) {
      fit.held_out_excess = hopeless || exhausted_ ? fit.excess : held_out();
    }
    judge(fit,
          {solution_.converged && !exhausted_ && !hopeless, only_steady_, led_astray(fit), drawn_along(), doubts_});
    return fit;
  }

 private:
  /// Whether the model cannot follow the steady friction even where nothing else is asked of it.
  bool misses_steady_friction(LeastSquares& search) {
    if (steady_.empty()) {
      return false;
    }
    LeastSquares steady = problem_.steady_least_squares();
    steady.progress = {};
    const auto at = minimise(steady).at;
    const auto values = problem_.decode(at);
    auto points = steady_;
    for (SteadyPoint& point : points) {
      point.predicted = problem_.steady_force(values, point.velocity);
    }
    if (steady_misfit(points) < 0.03) {
      return false;
    }
    search.start = at;
    search.most_iterations = 0;
    solve(search);
    only_steady_ = true;
    return true;
  }

  /// Finds roughly where the solution lies, by coarse steps. False where the model is so far off that it will be
  /// refused whatever else is tried.
  bool explore(LeastSquares& search) {
    const auto choose_coarse_steps = [&] { choose_steps(problem_, prepared_, problem_.decode(search.start), 2); };
    choose_coarse_steps();
    if (before_ == nullptr) {
      choose_start(search);
    }
    search.most_iterations = 15;
    solve(search);
    if (before_ == nullptr) {
      choose_drop(search);
      solve(search);
    }
    if (choose_drives()) {
      choose_coarse_steps();
      solve(search);
    }
    return solution_.cost() < square(10.0) * static_cast<double>(search.residuals) || small_beside_signals();
  }

  /// Whether the residuals are next to nothing beside what was measured, however quiet the sensors are.
  bool small_beside_signals() const {
    const auto parts = problem_.parts();
    return std::all_of(parts.begin(), parts.end(), [&](const Problem::Part& part) {
      if (part.track < 0) {
        return true;
      }
      const Track& track = prepared_[static_cast<std::size_t>(part.track)].track;
      const double noise = part.position ? track.position_noise : track.torque_noise;
      const double spread = deviation_of(part.position ? track.recording->position : track.recording->torque);
      return rms(solution_.residuals, part, &track.use) * noise < explained_share * spread;
    });
  }

  /// The solution with the steps and drives that it needs.
  void settle(LeastSquares& search) {
    if (problem_.has_body()) {
      let_go();
      choose_steps(problem_, prepared_, problem_.decode(solution_.at));
      solve_without_drifting(search);
      solve(search);
      for (int round = 0; round < 3 && choose_drives(); ++round) {
        choose_steps(problem_, prepared_, problem_.decode(solution_.at));
        solve(search);
      }
    }
    if (choose_steps(problem_, prepared_, problem_.decode(search.start)) || !solution_.converged) {
      search.most_iterations = 25;
      solve(search);
    }
  }

  /// Whether a recording is so far off that nothing else will mend it: a few spikes may be.
  bool far_off() const {
    const auto parts = problem_.parts();
    return !small_beside_signals() && std::any_of(parts.begin(), parts.end(), [&](const Problem::Part& part) {
      if (part.track < 0) {
        return false;
      }
      std::vector<double> sizes(part.count);
      for (std::size_t k = 0; k < part.count; ++k) {
        sizes[k] = std::abs(solution_.residuals[static_cast<Eigen::Index>(part.begin + k)]);
      }
      const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(part.count / 2);
      std::nth_element(sizes.begin(), middle, sizes.end());
      return *middle > 6;
    });
  }

  /// A sliding axis that is simulated by its torque drifts away on the torque's noise unless it is drawn back. At first
  /// all are.
  const Guess& draw_back(const Guess& guess) {
    for (Prepared& prepared : prepared_) {
      prepared.track.correction = is_loop(prepared.track.drive) ? 0 : 100;
    }
    return guess;
  }

  /// What another fit of the model found.
  void start_from(const Fit& fit, LeastSquares& search) const {
    for (std::size_t i = 0; i < fit.estimates.size(); ++i) {
      const Number& number = problem_.numbers()[i];
      const double excess_over = number.name.starts_with("static_force") ? fit.estimates[i - 1].value : 0;
      search.start[i] =
          std::clamp(number.encode(fit.estimates[i].value - excess_over), search.lower[i], search.upper[i]);
    }
  }

  /// The starts for inertia and damping from which the recordings are followed best.
  Guess search_start(Guess guess) {
    if (before_ != nullptr) {
      guess.mass = before_->mass;
      return guess;
    }
    if (prepared_.empty()) {
      guess.mass = 1;
      return guess;
    }
    std::array<double, 4> best_at{};  // as the arguments of `look`
    double least = infinity;
    double rate = infinity;
    for (const Prepared& prepared : prepared_) {
      const auto& time = prepared.track.recording->time;
      rate = std::min(rate, static_cast<double>(time.size() - 1) / (time.back() - time.front()));
    }
    const auto look = [&](double level, double stiffness, double frequency, double ratio) {
      Guess tried = guess;
      tried.coulomb_force *= level;
      tried.static_excess *= level;
      tried.stiffness = stiffness;
      tried.mass = options_.mass.value_or(stiffness / square(2 * 3.141592653589793 * rate * frequency));
      if (tried.mass > 1.001 * guess.most_mass && !options_.mass) {
        return;
      }
      tried.damping = 2 * ratio * std::sqrt(stiffness * tried.mass);
      const Problem problem(engine_, prepared_, steady_, tried, options_);
      const LeastSquares search = problem.least_squares();
      std::vector<double> residuals(search.residuals);
      search.evaluate(search.start, residuals, nullptr);
      double cost = 0;
      for (const double r : residuals) {
        cost += std::log1p(r * r);  // a start far off in a few places may still be the best
      }
      starts_.emplace_back(cost, tried);
      if (cost < least) {
        least = cost;
        best_at = {level, stiffness, frequency, ratio};
      }
    };
    // Swings between a thousandth and a third of the sampling rate, weakly and strongly damped. Without steady points
    // the friction may be far above what the data show.
    for (int cell = 0; cell < 36; ++cell) {
      const double level = std::array{1.0, 2.0}[static_cast<std::size_t>(cell % 2)];
      if (level == 1 || steady_.empty()) {
        look(level, guess.stiffness, 0.001 * std::pow(2, cell / 4),
             std::array{0.2, 0.7}[static_cast<std::size_t>(cell / 2 % 2)]);
      }
    }
    const auto frequency_of = [&](double mass) {
      return std::sqrt(guess.stiffness / mass) / (2 * 3.141592653589793 * rate);
    };
    if (guess.mass > 0) {
      for (const double ratio : {0.2, 0.7}) {
        look(1, guess.stiffness, frequency_of(guess.mass), ratio);
      }
    }
    if (starts_.empty()) {
      look(1, guess.stiffness, frequency_of(guess.most_mass), 0.5);
    }
    // The stiffness was read off noisy signals.
    for (const double factor : {0.25, 0.5, 2.0, 4.0, 8.0}) {
      look(best_at[0], guess.stiffness * factor, best_at[2], best_at[3]);
    }
    for (const double factor : {0.25, 0.5, 0.7, 1.4, 2.0, 4.0}) {
      look(best_at[0], best_at[1], best_at[2] * factor, best_at[3]);
    }
    // The best, and up to two that are not much worse with quite another inertia.
    std::sort(starts_.begin(), starts_.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<std::pair<double, Guess>> kept;
    for (const auto& start : starts_) {
      const bool near = start.first < 1.15 * starts_.front().first;
      const bool other = std::all_of(kept.begin(), kept.end(), [&](const auto& k) {
        return std::abs(std::log(k.second.mass / start.second.mass)) > std::log(5.0);
      });
      if (near && other && kept.size() < 3) {
        kept.push_back(start);
      }
    }
    starts_ = std::move(kept);
    return starts_.front().second;
  }

  /// The start from which a few steps lead to the least cost.
  void choose_start(LeastSquares& search) {
    search.most_iterations = 8;
    double least = infinity;
    std::vector<double> best = search.start;
    for (std::size_t i = 0; i < starts_.size() && starts_.size() > 1; ++i) {
      const Problem other(engine_, prepared_, steady_, starts_[i].second, options_);
      const auto values = other.decode(other.least_squares().start);
      for (std::size_t k = 0; k < values.size(); ++k) {
        search.start[k] = std::clamp(problem_.numbers()[k].encode(values[k]), search.lower[k], search.upper[k]);
      }
      solve(search);
      if (solution_.cost() < least) {
        least = solution_.cost();
        best = search.start;
      }
    }
    search.start = best;
  }

  void solve(LeastSquares& search) {
    // A search that has come close may go on for longer.
    const bool close = solution_.residuals.size() > 0 &&
                       solution_.cost() < square(2.0) * static_cast<double>(solution_.residuals.size());
    const std::size_t budget = (close ? 4 : 1) * most_work_;
    exhausted_ = exhausted_ || problem_.work() > budget;
    const int wanted = search.most_iterations;
    const auto affordable = exhausted_ ? 0 : (budget - problem_.work()) / problem_.work_of_an_iteration() + 1;
    search.most_iterations = static_cast<int>(std::min<std::size_t>(static_cast<std::size_t>(wanted), affordable));
    solution_ = minimise(search);
    search.most_iterations = wanted;
    search.start = solution_.at;
  }

  /// Recordings that do not slide need not be drawn back.
  void let_go() {
    const auto values = problem_.decode(solution_.at);
    const double stiffness = value_of("stiffness", values).value_or(infinity);
    const double friction = value_of("coulomb_force", values).value_or(0);
    for (Prepared& prepared : prepared_) {
      const auto& [x, u] = std::tie(prepared.track.recording->position, prepared.track.recording->torque);
      const auto [low, high] = std::minmax_element(x.begin(), x.end());
      const auto [least, most] = std::minmax_element(u.begin(), u.end());
      // Presliding creeps along, too, but without the torque that sliding takes.
      const bool slides = *high - *low > 5 * friction / stiffness && std::max(-*least, *most) > 0.95 * friction;
      prepared.track.correction = slides ? prepared.track.correction : 0;
    }
  }
  std::optional<double> value_of(const std::string& name, const std::vector<double>& values) const {
    for (std::size_t i = 0; i < problem_.slots(); ++i) {
      if (problem_.numbers()[i].name == name) {
        return values[i];
      }
    }
    return std::nullopt;
  }

  /// Without steady points, the Stribeck drop is looked for once the rest is roughly known: from afar the search does
  /// not see it.
  void choose_drop(LeastSquares& search) {
    const auto values = problem_.decode(search.start);
    std::vector<std::size_t> excess;
    for (std::size_t i = 0; i < problem_.slots(); ++i) {
      if (problem_.numbers()[i].name.starts_with("static_force")) {
        excess.push_back(i);  // followed by the Stribeck velocity, after the Coulomb level
      }
    }
    if (excess.empty() || !steady_.empty()) {
      return;
    }
    double least = cost_of(search.start);
    std::vector<double> best = search.start;
    const double fastest = 10 * problem_.numbers()[excess[0] + 1].start;
    for (double velocity = fastest; velocity > 2e-4 * fastest; velocity /= 3) {
      for (const double share : {0.03, 0.1, 0.3}) {
        std::vector<double> at = search.start;
        for (const std::size_t i : excess) {
          at[i] = problem_.numbers()[i].encode(share * values[i - 1]);
          at[i + 1] = std::clamp(problem_.numbers()[i + 1].encode(velocity), search.lower[i + 1], search.upper[i + 1]);
        }
        if (const double cost = cost_of(at); cost < least) {
          least = cost;
          best = at;
        }
      }
    }
    search.start = best;
  }

  /// A first fit to the recordings that need not be drawn back, where there are both kinds: they say more.
  void solve_without_drifting(LeastSquares& search) {
    std::vector<std::vector<char>> use;
    bool firm = false;
    bool drifting = false;
    for (Prepared& prepared : prepared_) {
      use.push_back(prepared.track.use);
      (prepared.track.correction > 0 ? drifting : firm) = true;
      if (prepared.track.correction > 0) {
        std::fill(prepared.track.use.begin(), prepared.track.use.end(), 0);
      }
    }
    if (firm && drifting) {
      solve(search);
    }
    for (std::size_t i = 0; i < prepared_.size(); ++i) {
      prepared_[i].track.use = use[i];
    }
  }

  double cost_now() const { return cost_of(solution_.at); }
  double cost_of(const std::vector<double>& at) const {
    const LeastSquares search = problem_.least_squares();
    std::vector<double> residuals(search.residuals);
    search.evaluate(at, residuals, nullptr);
    return std::inner_product(residuals.begin(), residuals.end(), residuals.begin(), 0.0);
  }

  /// Torque held or in straight lines, loop continuous or sampled, and how firmly a drifting axis is drawn back.
  /// Tells whether anything changed.
  bool choose_drives() {
    bool changed = false;
    for (Prepared& prepared : prepared_) {
      Track& track = prepared.track;
      const Track before = track;
      Track best = track;
      double least = cost_now();
      const auto try_it = [&](Drive drive, double correction) {
        track.drive = drive;
        track.correction = correction;
        if (const double cost = cost_now(); cost < least) {
          least = cost;
          best = track;
        }
      };
      if (is_loop(track.drive)) {
        try_it(Drive::continuous_loop, 0);
        try_it(Drive::sampled_loop, 0);
      } else {
        const std::vector<double> sliding{0, 3, 10, 30, 100, 300, 1000};
        for (const double correction : before.correction > 0 ? sliding : std::vector<double>{0}) {
          try_it(Drive::held_torque, correction);
          try_it(Drive::linear_torque, correction);
        }
      }
      track = best;
      changed = changed || track.drive != before.drive || track.correction != before.correction;
    }
    return changed;
  }

  /// The choice was made before the parameters were known: the other drive of each kind of recording is fitted in full
  /// as well. Where the data hardly tell them apart, the intervals allow for both.
  void try_other_drives(LeastSquares& search) {
    for (const bool loops : {false, true}) {
      std::string names;
      std::vector<Prepared> before = prepared_;
      for (Prepared& prepared : prepared_) {
        if (is_loop(prepared.track.drive) == loops) {
          constexpr std::array opposite{Drive::linear_torque, Drive::held_torque, Drive::sampled_loop,
                                        Drive::continuous_loop};
          prepared.track.drive = opposite[static_cast<std::size_t>(prepared.track.drive)];
          names += (names.empty() ? "" : ", ") + prepared.track.recording->name;
        }
      }
      if (names.empty()) {
        continue;
      }
      Solution rival = solution_;
      search.most_iterations = 5;
      solve(search);
      if (solution_.cost() < 1.2 * rival.cost()) {
        search.most_iterations = 15;
        solve(search);
      }
      if (!(solution_.cost() < rival.cost())) {
        prepared_ = std::move(before);
        std::swap(solution_, rival);
        search.start = solution_.at;
      }
      const double odds = std::exp(-(rival.cost() - solution_.cost()) / 2);  // of the rival, for normal residuals
      add_doubt(rival.at, std::sqrt(odds / (1 + odds)));
      if (odds > 0.01) {
        doubts_.push_back(fmt::format(
            "{}: the samples do not tell whether {}; the intervals allow for both", names,
            loops ? "the loop is sampled or continuous" : "the torque is held or runs in straight lines between them"));
      }
    }
  }

  /// As much noise on the torque again, where the axis is driven by it: what moves then was already led astray.
  void try_noisier_torque(LeastSquares& search) {
    std::mt19937_64 bits(1);
    std::normal_distribution<double> normal;
    std::vector<Recording> noisy;
    noisy.reserve(prepared_.size());
    std::vector<const Recording*> original;
    bool matters = false;
    for (Prepared& prepared : prepared_) {
      Track& track = prepared.track;
      original.push_back(track.recording);
      if (is_loop(track.drive)) {
        continue;
      }
      Recording& log = noisy.emplace_back(*track.recording);
      for (double& torque : log.torque) {
        torque += track.torque_noise * normal(bits);
      }
      track.recording = &log;
    }
    const LeastSquares problem = problem_.least_squares();
    std::vector<double> residuals(problem.residuals);
    problem.evaluate(solution_.at, residuals, nullptr);
    for (const Problem::Part& part : problem_.parts()) {
      double change = 0;
      for (std::size_t k = 0; k < part.count; ++k) {
        change += square(residuals[part.begin + k] - solution_.residuals[static_cast<Eigen::Index>(part.begin + k)]);
      }
      matters = matters || change > square(0.1) * static_cast<double>(part.count);
    }
    if (matters) {
      search.most_iterations = 15;
      noisier_ = minimise(search).at;
      add_doubt(noisier_, 1);
    }
    for (std::size_t i = 0; i < prepared_.size(); ++i) {
      prepared_[i].track.recording = original[i];
    }
  }

  /// What the torque's noise has done is about what as much again does. Beyond a few per cent it cannot be mended.
  std::vector<std::string> led_astray(const Fit& fit) const {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < fit.estimates.size() && !noisier_.empty(); ++i) {
      const Number& number = problem_.numbers()[i];
      const double shift = number.decode(noisier_[i]) - number.decode(solution_.at[i]);
      if (std::abs(shift) > 0.1 * std::abs(fit.estimates[i].value)) {
        names.push_back(fit.estimates[i].name);
      }
    }
    return names;
  }

  /// The recordings that are followed only because they are drawn back faster than the bristles could swing: they say
  /// nothing of mass and bristles.
  std::vector<std::string> drawn_along() const {
    std::vector<std::string> names;
    if (!problem_.has_body()) {
      return names;
    }
    const auto values = problem_.decode(solution_.at);
    const double swing = std::sqrt(value_of("stiffness", values).value_or(infinity) / values[problem_.mass()]);
    for (const Prepared& prepared : prepared_) {
      if (prepared.track.correction > 0.5 * swing) {
        names.push_back(prepared.track.recording->name);
      }
    }
    return names;
  }

  void add_doubt(const std::vector<double>& at, double weight) {
    shifts_.emplace_back(weight * (Eigen::Map<const Eigen::VectorXd>(at.data(), std::ssize(at)) -
                                   Eigen::Map<const Eigen::VectorXd>(solution_.at.data(), std::ssize(at))));
  }

  /// Samples more than 8 deviations off, if they are few: spikes. Gives their number.
  std::size_t drop_outliers() {
    std::size_t dropped = 0;
    for (const Problem::Part& part : problem_.parts()) {
      if (part.track < 0) {
        continue;
      }
      std::vector<double> sizes(part.count);
      for (std::size_t k = 0; k < part.count; ++k) {
        sizes[k] = std::abs(solution_.residuals[static_cast<Eigen::Index>(part.begin + k)]);
      }
      auto sorted = sizes;
      const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
      std::nth_element(sorted.begin(), middle, sorted.end());
      const double limit = 8 * std::max(*middle / 0.6745, 1.0);
      const auto far = static_cast<std::size_t>(
          std::count_if(sizes.begin(), sizes.end(), [limit](double size) { return size > limit; }));
      if (far * 50 < part.count) {
        for (std::size_t k = 0; k < part.count; ++k) {
          if (sizes[k] > limit) {
            prepared_[static_cast<std::size_t>(part.track)].track.use[k] = 0;
          }
        }
        dropped += far;
      }
    }
    outliers_ += dropped;
    return dropped;
  }

  /// Fits again without the last part of each recording, and gives the error there over the noise.
  double held_out() {
    LeastSquares training = problem_.least_squares(training_share);
    training.start = solution_.at;
    training.most_iterations = 8;
    training.tolerance = 1e-5;
    const Solution learnt = minimise(training);
    const LeastSquares whole = problem_.least_squares();
    std::vector<double> residuals(whole.residuals);
    whole.evaluate(learnt.at, residuals, nullptr);
    double sum = 0;
    std::size_t count = 0;
    for (const Problem::Part& part : problem_.parts()) {
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

  std::string name_;
  std::vector<std::pair<double, Guess>> starts_;
  Engine engine_;
  std::vector<Prepared> prepared_;
  std::vector<SteadyPoint> steady_;
  const Options& options_;
  std::size_t most_work_;
  const Fit* before_;
  std::size_t outliers_ = 0;
  bool exhausted_ = false;
  bool only_steady_ = false;
  Problem problem_;
  Solution solution_;
  std::vector<Eigen::VectorXd> shifts_;  // of the numbers, by choices that the data leave open
  std::vector<double> noisier_;          // the numbers found with more noise on the torque
  std::vector<std::string> doubts_;
};

}  // namespace

Fit fit_model(const std::string& model, std::vector<Prepared> prepared, std::size_t spikes,
              std::vector<SteadyPoint> steady, const Guess& guess, const Options& options, std::size_t most_work,
              const Fit* before) {
  return Fitting(model, std::move(prepared), spikes, std::move(steady), guess, options, most_work, before).run();
}

}  // namespace stiction::identify
