#include "fitting.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "drives.h"
#include "report.h"
#include "scrutiny.h"
#include "search.h"
#include "signals.h"
#include "starts.h"

namespace stiction::identify {
namespace {

/// The whole fit of one model, from the starting points to the report.
class Fitting {
 public:
  /// `before`: a fit of the model to other data, to start from.
  Fitting(Search& search, Starts starts, const Fit* before)
      : search_(search), starts_(std::move(starts)), before_(before) {}

  Fit run(std::size_t spikes) {
    if (before_ != nullptr) {
      start_from(*before_);
    }
    const bool body = search_.problem.has_body();
    bool hopeless = (body && (misses_steady_friction() || !explore())) || search_.exhausted;
    if (!hopeless) {
      settle();
      hopeless = !search_.solution.finite || far_off();
    }
    if (!search_.solution.finite) {
      return not_fitted(search_.name, search_.engine, starts_.best, search_.options, why_not());
    }
    Doubts doubts;
    std::vector<double> noisier;
    search_.allow_more_if_close();
    if (!hopeless && !search_.exhausted) {  // otherwise it is refused anyway
      try_other_drives(search_, doubts);
      if (body) {
        if (const std::size_t dropped = drop_outliers(search_); dropped > 0) {
          spikes += dropped;
          search_.solve(15);
        }
        noisier = try_noisier_torque(search_, doubts);
      }
    }
    Fit fit = describe({search_.name, search_.engine, search_.problem, search_.prepared, search_.steady,
                        search_.options, search_.solution, doubts.shifts});
    fit.outliers = spikes;
    if (search_.options.held_out) {
      fit.held_out_excess = hopeless || search_.exhausted ? fit.excess : held_out_error(search_);
    }
    judge(fit, search_.engine.steady_numbers,
          {.converged = search_.solution.converged && !hopeless,
           .exhausted = search_.exhausted,
           .only_steady = only_steady_,
           .biased_by_noise = estimates_that_differ(search_, noisier, search_.solution.at),
           .drawn_along = hopeless ? "" : drawn_along(search_),
           .only_presliding = hopeless ? "" : only_presliding(search_),
           .at_edge = at_edge(search_),
           .doubts = doubts.notes,
           .broken = search_.engine.check(values(), search_.options.stribeck_exponent)});
    if (fit.refusal.empty() && body && !search_.options.mass && another_mass_will_do(search_)) {
      fit.refusal = "the data do not determine mass: a very different one explains them equally well";
    }
    if (fit.refusal.empty() && search_.budget.exhausted()) {
      fit.refusal = "the search was abandoned: checking its result takes more steps than allowed";
    }
    return fit;
  }

 private:
  [[nodiscard]] std::vector<double> values() const { return search_.problem.decode(search_.solution.at); }

  [[nodiscard]] std::string why_not() const {
    if (only_steady_) {
      return fmt::format(
          "{} does not explain the steady friction: the residual is {:.3g} % of it, and the other data cannot be "
          "simulated with it",
          search_.name, 100 * steady_share_);
    }
    return search_.name + " cannot be simulated along these data with finite numbers, not even from the best start";
  }

  /// Compares with another fit of the model.
  void start_from(const Fit& fit) {
    for (std::size_t i = 0; i < fit.estimates.size(); ++i) {
      const bool peak = search_.problem.numbers()[i].name.starts_with("static_force");
      const double excess_over = peak ? fit.estimates[i - 1].value : 0;
      put_start(i, fit.estimates[i].value - excess_over);
    }
  }

  void put_start(std::size_t i, double value) {
    LeastSquares& task = search_.task;
    task.start[i] = std::clamp(search_.problem.numbers()[i].encode(value), task.lower[i], task.upper[i]);
  }

  /// Whether the model cannot fit the steady friction even on its own.
  bool misses_steady_friction() {
    if (search_.steady.empty()) {
      return false;
    }
    const auto at = minimise(search_.problem.steady_least_squares()).at;
    const auto found = search_.problem.decode(at);
    auto points = search_.steady;
    for (SteadyPoint& point : points) {
      point.predicted = search_.problem.steady_force(found, point.velocity);
    }
    const SteadyMisfit misfit = steady_misfit(points, search_.engine.steady_numbers);
    if (!misfit.refused() || misfit.share < 0.03) {
      return false;
    }
    search_.task.start = at;
    search_.solve(0);
    only_steady_ = true;
    steady_share_ = misfit.share;
    return true;
  }

  /// Finds the approximate solution with coarse time steps. False if the model fits so badly that it will be refused in
  /// any case.
  bool explore() {
    const auto choose_coarse_steps = [&] {
      choose_steps(search_.problem, search_.prepared, search_.problem.decode(search_.task.start), 2);
    };
    choose_coarse_steps();
    if (before_ == nullptr) {
      choose_start();
    }
    search_.solve(15);
    if (before_ == nullptr) {
      choose_drop();
      search_.solve(15);
    }
    if (choose_drives(search_)) {
      choose_coarse_steps();
      search_.solve(15);
    }
    return search_.solution.cost() < square(10.0) * static_cast<double>(search_.task.residuals) ||
           search_.small_beside_signals();
  }

  /// The start from which a few iterations reach the lowest cost.
  void choose_start() {
    double min_cost = infinity;
    std::vector<double> best = search_.task.start;
    std::vector<Guess> all{starts_.best};
    all.insert(all.end(), starts_.others.begin(), starts_.others.end());
    for (std::size_t i = 0; i < all.size() && all.size() > 1; ++i) {
      const Problem other(search_.engine, search_.prepared, search_.steady, all[i], search_.options, search_.budget);
      const auto guessed = other.decode(other.least_squares().start);
      for (std::size_t k = 0; k < guessed.size(); ++k) {
        put_start(k, guessed[k]);
      }
      search_.solve(8);
      if (search_.solution.cost() < min_cost) {
        min_cost = search_.solution.cost();
        best = search_.task.start;
      }
    }
    search_.task.start = best;
  }

  /// Without steady points, the Stribeck drop is searched for once the other numbers are roughly known: far from the
  /// solution the search is insensitive to it.
  void choose_drop() {
    const Problem& problem = search_.problem;
    const auto found = problem.decode(search_.task.start);
    std::vector<std::size_t> excess;
    for (std::size_t i = 0; i < problem.slots(); ++i) {
      if (problem.numbers()[i].name.starts_with("static_force")) {
        excess.push_back(i);  // followed by the Stribeck velocity, after the Coulomb level
      }
    }
    if (excess.empty() || !search_.steady.empty()) {
      return;
    }
    const std::vector<double> start = search_.task.start;
    double min_cost = search_.cost_of(start);
    std::vector<double> best = start;
    const double fastest = 10 * problem.numbers()[excess[0] + 1].start;
    for (double velocity = fastest; velocity > 2e-4 * fastest; velocity /= 3) {
      for (const double share : {0.03, 0.1, 0.3}) {
        search_.task.start = start;
        for (const std::size_t i : excess) {
          search_.task.start[i] = problem.numbers()[i].encode(share * found[i - 1]);
          put_start(i + 1, velocity);
        }
        if (const double cost = search_.cost_of(search_.task.start); cost < min_cost) {
          min_cost = cost;
          best = search_.task.start;
        }
      }
    }
    search_.task.start = best;
  }

  /// Refines the solution, with its time steps and drives.
  void settle() {
    const auto steps_for = [&](const std::vector<double>& at) {
      return choose_steps(search_.problem, search_.prepared, search_.problem.decode(at));
    };
    if (search_.problem.has_body()) {
      let_go(search_);
      steps_for(search_.solution.at);
      solve_without_drifting();
      search_.solve(15);
      for (int round = 0; round < 3 && choose_drives(search_); ++round) {
        steps_for(search_.solution.at);
        search_.solve(15);
      }
    }
    if (steps_for(search_.task.start) || !search_.solution.converged) {
      search_.solve(search_.problem.has_body() ? 25 : 300);  // a table costs almost nothing
    }
  }

  /// A first fit to the recordings that need no correction, if there are both kinds: they are more informative.
  void solve_without_drifting() {
    std::vector<std::vector<char>> use;
    bool firm = false;
    bool drifting = false;
    for (Prepared& prepared : search_.prepared) {
      use.push_back(prepared.track.use);
      (prepared.track.correction > 0 ? drifting : firm) = true;
      if (prepared.track.correction > 0) {
        std::fill(prepared.track.use.begin(), prepared.track.use.end(), 0);
      }
    }
    if (firm && drifting) {
      search_.solve(15);
    }
    for (std::size_t i = 0; i < use.size(); ++i) {
      search_.prepared[i].track.use = use[i];
    }
  }

  /// Whether a recording fits very badly, perhaps because of a few spikes.
  [[nodiscard]] bool far_off() const {
    const auto parts = search_.problem.parts();
    return !search_.small_beside_signals() && std::any_of(parts.begin(), parts.end(), [&](const Problem::Part& part) {
      return part.track >= 0 && median(sizes_of(search_.solution, part)) > 6;
    });
  }

  Search& search_;
  Starts starts_;
  const Fit* before_;
  bool only_steady_ = false;
  double steady_share_ = 0;  // misfit of the steady friction, if that is why the model is refused
};

}  // namespace

Fit fit_model(const std::string& model, std::vector<Prepared> prepared, std::size_t spikes,
              std::vector<SteadyPoint> steady, Guess guess, const Options& options, const Effort& effort,
              const Fit* before) {
  const Engine engine = find_engine(model);
  Budget budget(effort.close, options.progress);
  // A sliding axis simulated by its torque drifts with the torque's noise unless it is corrected. Initially all are.
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
  Search search{model,   engine, prepared, steady,
                options, effort, budget,   Problem(engine, prepared, steady, starts->best, options, budget)};
  Fit fit = Fitting(search, std::move(*starts), before).run(spikes);
  fit.steps = budget.spent();
  return fit;
}

}  // namespace stiction::identify
