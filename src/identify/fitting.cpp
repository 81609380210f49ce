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
#include "starts.h"

namespace stiction::identify {
namespace {

constexpr double training_share = 0.7;

/// Everything about one model's fit.
class Fitting {
 public:
  Fitting(const std::string& model, const Engine& engine, std::vector<Prepared>& prepared, std::size_t spikes,
          std::vector<SteadyPoint>& steady, Starts starts, const Options& options, const Effort& effort, Budget& budget,
          const Fit* before)
      : name_(model),
        starts_(std::move(starts)),
        engine_(engine),
        prepared_(prepared),
        steady_(steady),
        options_(options),
        effort_(effort),
        budget_(budget),
        before_(before),
        outliers_(spikes),
        problem_(engine_, prepared_, steady_, starts_.best, options_, budget_) {}

  Fit run() {
    LeastSquares search = problem_.least_squares();
    if (before_ != nullptr) {
      start_from(*before_, search);
    }
    bool hopeless = (problem_.has_body() && (misses_steady_friction(search) || !explore(search))) || exhausted_;
    if (!hopeless) {
      settle(search);
      hopeless = !solution_.finite || far_off();
    }
    if (!solution_.finite) {
      return not_fitted(
          name_, engine_, starts_.best, options_,
          only_steady_
              ? fmt::format(
                    "{} does not explain the steady friction: the residual is {:.3g} % of it, and the other data "
                    "cannot be simulated with it",
                    name_, 100 * steady_share_)
              : name_ + " cannot be simulated along these data with finite numbers, not even from the best start");
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
    judge(fit, engine_.steady_numbers,
          {.converged = solution_.converged && !hopeless,
           .exhausted = exhausted_,
           .only_steady = only_steady_,
           .led_astray = led_astray(fit),
           .drawn_along = hopeless ? std::vector<std::string>() : drawn_along(),
           .at_edge = at_edge(search),
           .doubts = doubts_,
           .broken = engine_.check(problem_.decode(solution_.at), options_.stribeck_exponent)});
    if (fit.refusal.empty() && problem_.has_body() && !options_.mass && another_mass_will_do()) {
      fit.refusal = "the data do not determine mass: quite another one explains them as well";
    }
    return fit;
  }

 private:
  /// Whether the model cannot follow the steady friction even where nothing else is asked of it.
  bool misses_steady_friction(LeastSquares& search) {
    if (steady_.empty()) {
      return false;
    }
    const auto at = minimise(problem_.steady_least_squares()).at;
    const auto values = problem_.decode(at);
    auto points = steady_;
    for (SteadyPoint& point : points) {
      point.predicted = problem_.steady_force(values, point.velocity);
    }
    const SteadyMisfit misfit = steady_misfit(points, engine_.steady_numbers);
    if (!misfit.refused() || misfit.share < 0.03) {
      return false;
    }
    search.start = at;
    search.most_iterations = 0;
    solve(search);
    only_steady_ = true;
    steady_share_ = misfit.share;
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
      search.most_iterations = problem_.has_body() ? 25 : 300;  // a table costs next to nothing
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

  /// What another fit of the model found.
  void start_from(const Fit& fit, LeastSquares& search) const {
    for (std::size_t i = 0; i < fit.estimates.size(); ++i) {
      const Number& number = problem_.numbers()[i];
      const double excess_over = number.name.starts_with("static_force") ? fit.estimates[i - 1].value : 0;
      search.start[i] =
          std::clamp(number.encode(fit.estimates[i].value - excess_over), search.lower[i], search.upper[i]);
    }
  }

  /// The start from which a few steps lead to the least cost.
  void choose_start(LeastSquares& search) {
    search.most_iterations = 8;
    double least = infinity;
    std::vector<double> best = search.start;
    std::vector<Guess> all{starts_.best};
    all.insert(all.end(), starts_.others.begin(), starts_.others.end());
    for (std::size_t i = 0; i < all.size() && all.size() > 1; ++i) {
      const Problem other(engine_, prepared_, steady_, all[i], options_, budget_);
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
    if (solution_.finite && solution_.cost() < square(2.0) * static_cast<double>(solution_.residuals.size())) {
      budget_.allow(effort_.close);
    }
    exhausted_ = exhausted_ || budget_.exhausted();
    const int wanted = search.most_iterations;
    const auto affordable = exhausted_ ? 0 : budget_.left() / problem_.work_of_an_iteration() + 1;
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
    if (budget_.exhausted()) {
      return infinity;  // nothing else is tried
    }
    const LeastSquares search = problem_.least_squares();
    std::vector<double> residuals(search.residuals);
    search.evaluate(at, residuals, nullptr);
    return !usable(residuals) ? infinity
                              : std::inner_product(residuals.begin(), residuals.end(), residuals.begin(), 0.0);
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
      matters = matters || !(change <= square(0.1) * static_cast<double>(part.count));
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
  /// nothing of mass and bristles. Each with what is seen of the cause.
  std::vector<std::string> drawn_along() const {
    std::vector<std::string> list;
    if (!problem_.has_body()) {
      return list;
    }
    const auto values = problem_.decode(solution_.at);
    const double swing = std::sqrt(value_of("stiffness", values).value_or(infinity) / values[problem_.mass()]);
    for (const Prepared& prepared : prepared_) {
      const Track& track = prepared.track;
      if (!(track.correction > 0.5 * swing)) {
        continue;
      }
      const double noise = track.torque_noise / std::max(deviation_of(track.recording->torque), 1e-150);
      const std::string cause =
          noise > 1e-3 ? fmt::format(
                             "the torque's noise ({:.2g} % of its spread) drowns what mass and bristles do (log "
                             "the torque as it was commanded, or the reference of the control loop), something "
                             "else imposes the motion, or friction is of another kind",
                             100 * noise)
                       : "the torque is quiet but does not make this motion: something else imposes it, or friction is "
                         "of another kind";
      list.push_back(
          fmt::format("{}: it is followed only where it is drawn to the measured position at {:.3g} rad/s, faster than "
                      "the bristles "
                      "swing ({:.3g} rad/s), as any model would be: {}",
                      track.recording->name, track.correction, swing, cause));
    }
    return list;
  }

  /// Whether a mass far from the one found, with all else fitted to it, is as good within what chance does. The
  /// interval is that of the minimum found, which may be one of several.
  bool another_mass_will_do() const {
    const std::size_t mass = problem_.mass();
    for (const double factor : {0.5, 0.7, 1.4, 2.0}) {
      LeastSquares other = problem_.least_squares();
      other.start = solution_.at;
      other.start[mass] = std::min(solution_.at[mass] + std::log(factor), other.upper[mass]);
      other.lower[mass] = other.start[mass] - 1e-12;
      other.upper[mass] = other.start[mass] + 1e-12;
      other.most_iterations = 5;
      if (std::abs(other.start[mass] - solution_.at[mass]) > 0.3 &&
          minimise(other).cost() < solution_.cost() + square(4.0)) {
        return true;
      }
    }
    return false;
  }

  /// Positive numbers, searched by their logarithm, that ran as far as they may.
  std::vector<std::string> at_edge(const LeastSquares& search) const {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < problem_.slots() + (problem_.has_body() ? 1 : 0); ++i) {
      const Number& number = problem_.numbers()[i];
      const bool given = problem_.has_body() && i == problem_.mass() && options_.mass;
      const double margin = std::min(solution_.at[i] - search.lower[i], search.upper[i] - solution_.at[i]);
      if (number.scale == 0 && !given && margin < 1e-3) {
        names.push_back(number.name);
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
    if (!learnt.finite) {
      return infinity;
    }
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

  const std::string& name_;
  Starts starts_;
  const Engine& engine_;
  std::vector<Prepared>& prepared_;
  std::vector<SteadyPoint>& steady_;
  const Options& options_;
  Effort effort_;
  Budget& budget_;
  const Fit* before_;
  std::size_t outliers_ = 0;
  bool exhausted_ = false;
  double steady_share_ = 0;  // of the steady friction that it cannot follow, where that is why it is refused
  bool only_steady_ = false;
  Problem problem_;
  Solution solution_;
  std::vector<Eigen::VectorXd> shifts_;  // of the numbers, by choices that the data leave open
  std::vector<double> noisier_;          // the numbers found with more noise on the torque
  std::vector<std::string> doubts_;
};

}  // namespace

Fit fit_model(const std::string& model, std::vector<Prepared> prepared, std::size_t spikes,
              std::vector<SteadyPoint> steady, Guess guess, const Options& options, const Effort& effort,
              const Fit* before) {
  const Engine engine = find_engine(model);
  Budget budget(effort.close, options.progress);
  // A sliding axis that is simulated by its torque drifts away on the torque's noise unless it is drawn back. At first
  // all are.
  for (Prepared& one : prepared) {
    one.track.correction = is_loop(one.track.drive) ? 0 : 100;
  }
  std::optional<Starts> starts;
  if (before != nullptr || prepared.empty()) {
    guess.mass = before != nullptr ? before->mass : 1;
    starts = Starts{guess, {}};
  } else {
    starts = find_starts(engine, prepared, steady, guess, options, budget);
  }
  if (!starts) {
    guess.mass = options.mass.value_or(1);
    Fit none = not_fitted(model, engine, guess, options,
                          budget.exhausted() ? fmt::format("no start was found within {} simulated steps", effort.close)
                                             : "no start was found from which " + model +
                                                   " can be simulated along these recordings with finite numbers");
    none.steps = budget.spent();
    return none;
  }
  budget.allow(budget.spent() + effort.usual);
  Fit fit = Fitting(model, engine, prepared, spikes, steady, std::move(*starts), options, effort, budget, before).run();
  fit.steps = budget.spent();
  return fit;
}

}  // namespace stiction::identify
