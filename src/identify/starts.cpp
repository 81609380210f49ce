#include "starts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace stiction::identify {
namespace {

/// Trial values: level of friction, stiffness, natural frequency over the sampling rate, and damping ratio.
struct Swing {
  double level, stiffness, frequency, damping;
};

class StartSearch {
 public:
  StartSearch(const Engine& engine, std::vector<Prepared>& prepared, std::vector<SteadyPoint>& steady,
              const Guess& guess, const Options& options, Budget& budget)
      : engine_(engine), prepared_(prepared), steady_(steady), guess_(guess), options_(options), budget_(budget) {
    for (const Prepared& one : prepared_) {
      const auto& time = one.track.recording->time;
      rate_ = std::min(rate_, static_cast<double>(time.size() - 1) / (time.back() - time.front()));
    }
  }

  std::optional<Starts> run() {
    // Natural frequencies between a thousandth and a third of the sampling rate, weakly and strongly damped. Without
    // steady points the friction may be far above the torques in the data.
    for (int cell = 0; cell < 36; ++cell) {
      const double level = std::array{1.0, 2.0}[static_cast<std::size_t>(cell % 2)];
      if (level == 1 || steady_.empty()) {
        attempt({level, guess_.stiffness, 0.001 * std::pow(2, cell / 4),
                 std::array{0.2, 0.7}[static_cast<std::size_t>(cell / 2 % 2)]});
      }
    }
    if (guess_.mass > 0) {
      for (const double damping : {0.2, 0.7}) {
        attempt({1, guess_.stiffness, frequency_of(guess_.mass), damping});
      }
    }
    if (tried_.empty() && guess_.max_mass < infinity) {
      attempt({1, guess_.stiffness, frequency_of(guess_.max_mass), 0.5});
    }
    if (tried_.empty()) {
      return std::nullopt;
    }
    // The stiffness was estimated from noisy signals.
    for (const double factor : {0.25, 0.5, 2.0, 4.0, 8.0}) {
      attempt({best_.level, guess_.stiffness * factor, best_.frequency, best_.damping});
    }
    for (const double factor : {0.25, 0.5, 0.7, 1.4, 2.0, 4.0}) {
      attempt({best_.level, best_.stiffness, best_.frequency * factor, best_.damping});
    }
    std::stable_sort(tried_.begin(), tried_.end(), [](const Tried& a, const Tried& b) { return a.cost < b.cost; });
    Starts starts{tried_.front().guess, {}};
    for (const Tried& one : tried_) {
      const auto differs = [&](const Guess& kept) {
        return std::abs(std::log(kept.mass / one.guess.mass)) > std::log(5.0);
      };
      if (one.cost < 1.15 * tried_.front().cost && starts.others.size() < 2 && differs(starts.best) &&
          std::all_of(starts.others.begin(), starts.others.end(), differs)) {
        starts.others.push_back(one.guess);
      }
    }
    return starts;
  }

 private:
  struct Tried {
    double cost;
    Guess guess;
  };

  [[nodiscard]] double frequency_of(double mass) const {
    return std::sqrt(guess_.stiffness / mass) / (2 * std::numbers::pi * rate_);
  }

  /// Simulates it; a guess without finite residuals is rejected.
  void attempt(const Swing& swing) {
    if (budget_.exhausted()) {
      return;
    }
    Guess tried = guess_;
    tried.coulomb_force *= swing.level;
    tried.static_excess *= swing.level;
    tried.stiffness = swing.stiffness;
    tried.mass = options_.mass.value_or(swing.stiffness / square(2 * std::numbers::pi * rate_ * swing.frequency));
    if (tried.mass > 1.001 * guess_.max_mass && !options_.mass) {
      return;
    }
    tried.damping = 2 * swing.damping * std::sqrt(swing.stiffness * tried.mass);
    const Problem problem(engine_, prepared_, steady_, tried, options_, budget_);
    const LeastSquares search = problem.least_squares();
    std::vector<double> residuals(search.residuals);
    search.evaluate(search.start, residuals, nullptr);
    if (!usable(residuals)) {
      return;
    }
    double cost = 0;
    for (const double r : residuals) {
      cost += std::log1p(r * r);  // a start far off in a few places may still be the best
    }
    tried_.push_back({cost, tried});
    if (cost < least_) {
      least_ = cost;
      best_ = swing;
    }
  }

  const Engine& engine_;
  std::vector<Prepared>& prepared_;
  std::vector<SteadyPoint>& steady_;
  const Guess& guess_;
  const Options& options_;
  Budget& budget_;
  double rate_ = infinity;  // of the slowest recording [Hz]
  std::vector<Tried> tried_;
  double least_ = infinity;
  Swing best_{};
};

}  // namespace

std::optional<Starts> find_starts(const Engine& engine, std::vector<Prepared>& prepared,
                                  std::vector<SteadyPoint>& steady, const Guess& guess, const Options& options,
                                  Budget& budget) {
  return StartSearch(engine, prepared, steady, guess, options, budget).run();
}

}  // namespace stiction::identify
