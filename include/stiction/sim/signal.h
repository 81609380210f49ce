// Input signals over time: loads and imposed motions.
#pragma once

#include <concepts>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "stiction/export.h"

namespace stiction::sim {

/// value(t) = value
struct Constant {
  double value = 0;
};

/// From `from` to `to` between the times `start` and `end`, constant outside. `smooth`: a half cosine, without kinks.
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

/// values[i] from times[i] on; 0 before times[0]. Times are strictly increasing.
struct Steps {
  std::vector<double> times;  // [s]
  std::vector<double> values;
};

/// Linear interpolation of the points (times[i], values[i]), constant outside. Times are strictly increasing.
struct Table {
  std::vector<double> times;  // [s]
  std::vector<double> values;
};

template <class T>
concept SignalTerm = std::same_as<T, Constant> || std::same_as<T, Ramp> || std::same_as<T, Sine> ||
    std::same_as<T, Steps> || std::same_as<T, Table>;

/// A sum of simple terms. Evaluation never allocates.
class STICTION_EXPORT Signal {
 public:
  using Term = std::variant<Constant, Ramp, Sine, Steps, Table>;

  Signal() = default;
  Signal(double constant) : terms_{Constant{constant}} {}  // NOLINT(google-explicit-constructor): a number is a signal
  template <SignalTerm T>
  Signal(T term) : terms_{Term(std::move(term))} {}  // NOLINT(google-explicit-constructor): so is a term
  explicit Signal(std::vector<Term> terms) : terms_(std::move(terms)) {}

  [[nodiscard]] double at(double time) const noexcept;
  /// Derivative; the right-hand one at a kink, 0 at a jump.
  [[nodiscard]] double slope(double time) const noexcept;

  /// Times in (0, until) at which the signal or its slope jumps: an accurate solver must stop there.
  [[nodiscard]] std::vector<double> breakpoints(double until) const;
  /// The shortest time in which a smooth term changes appreciably; infinite if nothing oscillates.
  [[nodiscard]] double time_scale() const noexcept;
  /// An upper bound on |value|.
  [[nodiscard]] double magnitude() const noexcept;

  /// Why it cannot be evaluated everywhere: the invalid value, and the time from which it applies [s].
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
