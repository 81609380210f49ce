// Input signals over time: what pushes, pulls or drives a body.
#pragma once

#include <concepts>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

namespace stiction::sim {

/// value(t) = value
struct Constant {
  double value = 0;
};

/// Rises from `from` to `to` between the times `start` and `end`, constant outside. `smooth`: half a cosine, no kinks.
struct Ramp {
  double from = 0, to = 0;
  double start = 0, end = 1;  // [s], end > start
  bool smooth = false;
};

/// value(t) = offset + amplitude sin(frequency t + phase)
struct Sine {
  double amplitude = 1;
  double frequency = 1;  // [rad/s]
  double phase = 0;      // [rad]
  double offset = 0;
};

/// values[i] from times[i] on; 0 before times[0]. Times rise strictly.
struct Steps {
  std::vector<double> times;  // [s]
  std::vector<double> values;
};

/// Straight lines through the points (times[i], values[i]), constant outside. Times rise strictly.
struct Table {
  std::vector<double> times;  // [s]
  std::vector<double> values;
};

template <class T>
concept SignalTerm = std::same_as<T, Constant> || std::same_as<T, Ramp> || std::same_as<T, Sine> ||
    std::same_as<T, Steps> || std::same_as<T, Table>;

/// A sum of simple terms. Evaluating one never allocates.
class Signal {
 public:
  using Term = std::variant<Constant, Ramp, Sine, Steps, Table>;

  Signal() = default;
  Signal(double constant) : terms_{Constant{constant}} {}  // NOLINT(google-explicit-constructor): a number is a signal
  template <SignalTerm T>
  Signal(T term) : terms_{Term(std::move(term))} {}  // NOLINT(google-explicit-constructor): so is a term
  explicit Signal(std::vector<Term> terms) : terms_(std::move(terms)) {}

  [[nodiscard]] double at(double time) const noexcept;
  /// Derivative; at a kink the one from the right, 0 at a jump.
  [[nodiscard]] double slope(double time) const noexcept;

  /// Times in (0, until) at which the signal or its slope jumps: an accurate solver must stop there.
  [[nodiscard]] std::vector<double> breakpoints(double until) const;
  /// The shortest time in which a smooth term changes much; infinite where nothing oscillates.
  [[nodiscard]] double time_scale() const noexcept;
  /// A bound on |value|.
  [[nodiscard]] double magnitude() const noexcept;

  /// Why it cannot be evaluated everywhere: the number that is wrong, and the time from which on it counts [s].
  struct Flaw {
    double time;
    double value;
    const char* allowed;
  };
  [[nodiscard]] std::optional<Flaw> flaw() const noexcept;

 private:
  std::vector<Term> terms_;
};

}  // namespace stiction::sim
