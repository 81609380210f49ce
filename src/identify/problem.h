// The fit as a least-squares problem: its free numbers and its residuals.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "budget.h"
#include "engine.h"
#include "least_squares.h"
#include "prepare.h"
#include "stiction/identify/identify.h"

namespace stiction::identify {

/// One component of the search vector.
struct Number {
  std::string name;
  std::string unit;
  double start = 0;
  double scale = 0;  // 0: positive, searched by its logarithm
  double min = 0, max = infinity;
  int track = -1;  // the only recording that depends on it; −1: all

  [[nodiscard]] double encode(double value) const { return scale == 0 ? std::log(value) : value / scale; }
  [[nodiscard]] double decode(double at) const { return scale == 0 ? std::exp(at) : at * scale; }
  /// dvalue/dat
  [[nodiscard]] double slope(double at) const { return scale == 0 ? std::exp(at) : scale; }
};

/// Indices of a recording's own numbers in the search vector; 0: not fitted.
struct TrackNumbers {
  std::size_t position = 0, velocity = 0, torque = 0;
  std::size_t kp = 0, ki = 0, kd = 0, integral = 0, shift = 0;
};

class Problem {
 public:
  /// Stores references to all but the guess.
  Problem(const Engine& engine, std::vector<Prepared>& prepared, std::vector<SteadyPoint>& steady, const Guess& guess,
          const Options& options, Budget& budget);

  [[nodiscard]] const std::vector<Number>& numbers() const { return numbers_; }
  [[nodiscard]] std::size_t slots() const { return slots_; }
  [[nodiscard]] bool has_body() const { return !prepared_.empty(); }
  [[nodiscard]] std::size_t mass() const { return mass_; }
  [[nodiscard]] std::vector<double> decode(std::span<const double> at) const;

  /// Consecutive residuals of one signal.
  struct Part {
    std::size_t begin = 0, count = 0;
    int track = -1;  // −1: steady points
    bool position = true;
  };
  [[nodiscard]] std::vector<Part> parts() const;

  /// `share` < 1: only the first part of each recording counts, and three of four steady points.
  [[nodiscard]] LeastSquares least_squares(double share = 1) const;
  /// Only the steady points; with the same numbers, most of which are then irrelevant.
  [[nodiscard]] LeastSquares steady_least_squares() const;

  void predict(std::size_t track, std::span<const double> values, std::span<double> position, std::span<double> torque,
               Sensitivity* sensitivity = nullptr) const;
  /// Approximate cost of one iteration of a search: a simulation with derivatives, and one without.
  [[nodiscard]] std::size_t work_of_an_iteration() const;
  [[nodiscard]] const Budget& budget() const { return budget_; }
  [[nodiscard]] double steady_force(std::span<const double> values, double velocity) const;

  [[nodiscard]] static bool counts(std::size_t k, std::size_t n, double share) {
    return static_cast<double>(k) < share * static_cast<double>(n);
  }
  [[nodiscard]] static bool steady_counts(std::size_t k, double share) { return share >= 1 || k % 4 != 3; }

 private:
  /// The cost of that many steps.
  [[nodiscard]] std::size_t work_of(std::size_t steps, bool with_derivatives) const;
  void add_track(int index, const Guess& guess);
  void evaluate(std::span<const double> at, std::span<double> residuals, Jacobian* jacobian, double share) const;
  void evaluate_by_differences(std::span<const double> at, std::span<double> residuals, Jacobian& jacobian,
                               double share) const;
  void track_residuals(const Part& part, std::span<const double> at, std::span<double> residuals, Jacobian* jacobian,
                       double share) const;
  void steady_residuals(const Part& part, std::span<const double> at, std::span<double> residuals, Jacobian* jacobian,
                        double share) const;
  /// The index in the search vector of each entry of a recording's gradient; none if it is not fitted.
  [[nodiscard]] std::vector<std::optional<std::size_t>> gradient_numbers(std::size_t track) const;

  const Engine& engine_;
  std::vector<Prepared>& prepared_;
  std::vector<SteadyPoint>& steady_;
  const Options& options_;
  std::vector<Number> numbers_;
  std::vector<TrackNumbers> tracks_;
  std::size_t slots_ = 0, mass_ = 0, offset_ = 0;
  Budget& budget_;
};

/// Sets each recording's steps such that doubling them would shift no estimate from its samples by more than a third of
/// its deviation. Returns whether anything changed.
bool choose_steps(const Problem& problem, std::vector<Prepared>& prepared, std::span<const double> values,
                  int max_steps = 8);

}  // namespace stiction::identify
