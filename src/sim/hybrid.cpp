#include "stiction/sim/hybrid.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <optional>
#include <string>

namespace stiction::sim {
namespace {

std::string seconds(double time) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "t = %g s", time);
  return text.data();
}

class Integration {
 public:
  Integration(const HybridSystem& system, std::vector<double> y, std::span<const double> ends, const Options& options,
              RunReport& report)
      : system_(system), ends_(ends), options_(options), report_(report), y_(std::move(y)), ode_(system.ode) {}

  void run() {
    double start = 0;
    for (const double end : ends_) {
      system_.begin_segment(start, end, y_);
      if (!run_segment(start, end)) {
        return;
      }
      start = end;
    }
    system_.on_row(ends_.back(), y_);
    report_.steps = steps_;
  }

 private:
  enum class Solver { all_orders, low_orders, coupled_steps };

  /// False if a row was not finite, or the run must stop.
  bool run_segment(double time, double end) {
    constexpr double shortest = 1e-13;  // of the duration: CVODE cannot start on less
    if (solver_kind_ != Solver::coupled_steps && end - time > shortest * ends_.back()) {
      restart(time);
      while (time < end) {
        if (!count_step(time)) {
          return false;
        }
        try {
          if (!step(end)) {
            return false;
          }
          time = solver_->time();
          check_pace(time);
        } catch (const SolverFailure& failure) {
          time = solver_->time();
          y_.assign(solver_->y().begin(), solver_->y().end());
          change_solver(time, failure.what());
          if (solver_kind_ == Solver::coupled_steps) {
            break;
          }
          restart(time);
        }
      }
    }
    return time >= end || run_coupled(time, end);
  }

  /// False if the run must stop.
  bool count_step(double time) {
    report_.steps = steps_;
    if (steps_ == options_.max_steps) {
      throw SolverFailure("gave up after max_steps = " + std::to_string(steps_) + " steps at " + seconds(time) +
                          ": raise max_steps, shorten the duration or loosen the relative tolerance");
    }
    return steps_++ % 64 != 0 || goes_on(options_, time, report_);
  }

  // Rows: at multiples of the interval; one within rounding of the end is the end.
  [[nodiscard]] double next_row() const { return static_cast<double>(row_) * options_.output_interval; }
  [[nodiscard]] bool row_due_before(double time) const {
    return next_row() < time && next_row() < ends_.back() - 1e-6 * options_.output_interval;
  }

  // CVODE
  // --------------------------------------------------------------------------------------------------------------

  void restart(double time) {
    if (!solver_) {
      solver_.emplace(ode_, time, y_);
    }
    solver_->restart(time, y_);
  }

  bool step(double end) {
    const std::optional<int> guard = solver_->step(end);
    for (; row_due_before(solver_->time()); ++row_) {
      solver_->interpolate(next_row(), y_);
      if (!system_.on_row(next_row(), y_)) {
        return false;
      }
    }
    y_.assign(solver_->y().begin(), solver_->y().end());
    if (system_.on_step) {
      system_.on_step(solver_->time(), y_);
    }
    if (guard) {
      system_.on_guard(solver_->time(), y_, *guard);
      solver_->restart(solver_->time(), y_);
    }
    return true;
  }

  /// Steps so short that the end would never be reached are a failure too, and so are a million of them at rest.
  void check_pace(double time) {
    constexpr long window = 10'000;
    if (steps_ < pace_.steps + window) {
      return;
    }
    const double fair = ends_.back() * static_cast<double>(window) / static_cast<double>(options_.max_steps);
    const double to_go = (ends_.back() - time) / (time - pace_.time) * static_cast<double>(window);  // [steps]
    bool rests = pace_.y.size() == y_.size() && !(to_go < 1e6);
    for (std::size_t i = 0; i < y_.size() && rests; ++i) {
      const double small = 100 * ode_.relative_tolerance * (std::abs(y_[i]) + 1e-3 * ode_.scale[i]);
      rests = std::abs(y_[i] - pace_.y[i]) <= small;
    }
    const bool stalls = time - pace_.time < 0.01 * fair || rests;
    pace_ = {steps_, time, y_};
    if (stalls) {
      stalled_ = true;
      throw SolverFailure("its steps became too short");
    }
  }

  void change_solver(double time, const std::string& why) {
    constexpr long progress = 50;  // steps
    constexpr int max_restarts = 100;
    const bool tries_again = !stalled_ && steps_ - failed_at_ > progress && restarts_ < max_restarts;
    failed_at_ = steps_;
    stalled_ = false;
    pace_ = {steps_, time, {}};
    if (first_failure_.empty()) {
      first_failure_ = "cvode gave up at " + seconds(time) + " (" + why + ")";
    }
    if (tries_again) {
      ++restarts_;
    } else if (solver_kind_ == Solver::all_orders) {
      solver_kind_ = Solver::low_orders;
      ode_.max_order = 2;
      for (std::size_t i = 0; i < y_.size(); ++i) {
        ode_.scale[i] = std::max(ode_.scale[i], std::abs(y_[i]));
      }
      solver_.reset();
    } else {
      solver_kind_ = Solver::coupled_steps;
      report_.solver = name_of(Method::sdirk2);
    }
    report_.note = first_failure_ + ": ";
    report_.note += solver_kind_ == Solver::coupled_steps
                        ? "coupled steps (sdirk2) with error control went on from " + seconds(time)
                    : solver_kind_ == Solver::low_orders ? "it went on with orders 1 and 2"
                    : restarts_ == 1                     ? "it was restarted there"
                                                         : "it was restarted " + std::to_string(restarts_) + " times";
  }

  // Coupled steps
  // ------------------------------------------------------------------------------------------------------

  bool run_coupled(double time, double end) {
    system_.coupled.start(y_);
    if (largest_.empty()) {
      largest_.resize(y_.size());
      whole_.resize(y_.size());
      halves_.resize(y_.size());
    }
    note_sizes();
    while (time < end) {
      if (row_due_before(end) && next_row() <= time) {
        if (!system_.on_row(next_row(), y_)) {
          return false;
        }
        ++row_;
        continue;
      }
      if (!count_step(time)) {
        return false;
      }
      time = coupled_step(time, row_due_before(end) ? next_row() : end);
      system_.coupled.get(0, y_);
      if (!all_finite(y_)) {
        report_.diverged = true;
        return false;
      }
      note_sizes();
    }
    return true;
  }

  void note_sizes() {
    for (std::size_t i = 0; i < y_.size(); ++i) {
      largest_[i] = std::max({largest_[i], std::abs(y_[i]), 1e-3 * system_.ode.scale[i]});
    }
  }

  static bool all_finite(std::span<const double> y) {
    return std::all_of(y.begin(), y.end(), [](double value) { return std::isfinite(value); });
  }

  /// One step of second order beside two of half its length: their difference is three times the error of the
  /// two, which is then subtracted, unless a contact switches. Returns the new time.
  double coupled_step(double time, double target) {
    const CoupledSteps& steps = system_.coupled;
    const double floor = 1e-13 * ends_.back();
    const double remaining = target - time;
    double h = std::min({h_ > 0 ? h_ : 1e-6 * ends_.back(), remaining, system_.ode.max_step});
    while (true) {
      h = 1.1 * h >= remaining ? remaining : h;
      steps.step(0, 1, time, h);
      steps.step(0, 2, time, h / 2);
      steps.step(2, 3, time + h / 2, h / 2);
      steps.get(1, whole_);
      steps.get(3, halves_);
      double error = 0;
      for (std::size_t i = 0; i < whole_.size(); ++i) {
        const double part = std::abs(halves_[i] - whole_[i]) / (3 * options_.relative_tolerance * largest_[i]);
        error = part <= error ? error : part;  // a NaN propagates
      }
      if (error <= 1 || h <= floor) {
        if (error <= 1 && !steps.switched(0, 3) && !steps.switched(1, 3)) {
          for (std::size_t i = 0; i < whole_.size(); ++i) {
            halves_[i] += (halves_[i] - whole_[i]) / 3;
          }
          steps.put(3, halves_);
        }
        steps.accept(3);
        const double next = h * std::min(4.0, 0.9 / std::cbrt(std::max(error, 1e-3)));
        h_ = h == remaining ? std::max(h_, next) : next;  // a step shortened by a row does not limit the next one
        return h == remaining ? target : time + h;
      }
      h = std::max(floor, h * (std::isfinite(error) ? std::max(0.1, 0.9 / std::cbrt(error)) : 0.1));
      h_ = h;
    }
  }

  const HybridSystem& system_;
  std::span<const double> ends_;
  const Options& options_;
  RunReport& report_;
  std::vector<double> y_;
  OdeProblem ode_;
  std::optional<Cvode> solver_;
  Solver solver_kind_ = Solver::all_orders;
  std::size_t row_ = 0;
  long steps_ = 0;
  struct Pace {
    long steps = 0;
    double time = 0;
    std::vector<double> y = {};
  } pace_;
  bool stalled_ = false;
  long failed_at_ = -1'000'000;  // [steps]
  int restarts_ = 0;
  std::string first_failure_;
  double h_ = 0;  // of coupled steps [s]
  std::vector<double> largest_, whole_, halves_;
};

}  // namespace

void integrate(const HybridSystem& system, std::vector<double> y, std::span<const double> segment_ends,
               const Options& options, RunReport& report) {
  Integration(system, std::move(y), segment_ends, options, report).run();
}

}  // namespace stiction::sim
