#include "stiction/sim/signal.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "stiction/problem.h"

namespace stiction::sim {
namespace {

constexpr double pi = std::numbers::pi;

/// Index of the last time ≤ t, or −1.
std::ptrdiff_t segment(const std::vector<double>& times, double t) noexcept {
  return std::upper_bound(times.begin(), times.end(), t) - times.begin() - 1;
}

double value(const Constant& c, double) noexcept { return c.value; }

double value(const Ramp& r, double t) noexcept {
  const double s = std::clamp((t - r.start) / (r.end - r.start), 0.0, 1.0);
  return r.from + (r.to - r.from) * (r.smooth && s > 0 && s < 1 ? (1 - std::cos(pi * s)) / 2 : s);
}

double value(const Sine& s, double t) noexcept { return s.offset + s.amplitude * std::sin(s.frequency * t + s.phase); }

double value(const Steps& s, double t) noexcept {
  const auto i = segment(s.times, t);
  return i < 0 ? 0 : s.values[static_cast<std::size_t>(i)];
}

double value(const Table& table, double t) noexcept {
  const auto i = segment(table.times, t);
  if (i < 0) {
    return table.values.front();
  }
  const auto k = static_cast<std::size_t>(i);
  if (k + 1 == table.times.size()) {
    return table.values.back();
  }
  const double s = (t - table.times[k]) / (table.times[k + 1] - table.times[k]);
  return table.values[k] + s * (table.values[k + 1] - table.values[k]);
}

double slope_of(const Constant&, double) noexcept { return 0; }

double slope_of(const Ramp& r, double t) noexcept {
  if (t < r.start || t >= r.end) {
    return 0;
  }
  const double rise = (r.to - r.from) / (r.end - r.start);
  return r.smooth ? rise * pi / 2 * std::sin(pi * (t - r.start) / (r.end - r.start)) : rise;
}

double slope_of(const Sine& s, double t) noexcept {
  return s.amplitude * s.frequency * std::cos(s.frequency * t + s.phase);
}

double slope_of(const Steps&, double) noexcept { return 0; }

double slope_of(const Table& table, double t) noexcept {
  const auto i = segment(table.times, t);
  const auto k = static_cast<std::size_t>(i);
  if (i < 0 || k + 1 == table.times.size()) {
    return 0;
  }
  return (table.values[k + 1] - table.values[k]) / (table.times[k + 1] - table.times[k]);
}

void breakpoints_of(const Constant&, std::vector<double>&) {}
void breakpoints_of(const Ramp& r, std::vector<double>& out) { out.insert(out.end(), {r.start, r.end}); }
void breakpoints_of(const Sine&, std::vector<double>&) {}
void breakpoints_of(const Steps& s, std::vector<double>& out) { out.insert(out.end(), s.times.begin(), s.times.end()); }
void breakpoints_of(const Table& t, std::vector<double>& out) { out.insert(out.end(), t.times.begin(), t.times.end()); }

double bound(const Constant& c) noexcept { return std::abs(c.value); }
double bound(const Ramp& r) noexcept { return std::max(std::abs(r.from), std::abs(r.to)); }
double bound(const Sine& s) noexcept { return std::abs(s.offset) + std::abs(s.amplitude); }
double bound(const std::vector<double>& values) noexcept {
  double bound = 0;
  for (const double value : values) {
    bound = std::max(bound, std::abs(value));
  }
  return bound;
}
double bound(const Steps& s) noexcept { return bound(s.values); }
double bound(const Table& t) noexcept { return bound(t.values); }

using Flaw = Signal::Flaw;

std::optional<Flaw> flaw_of(double value, double time = 0) noexcept {
  return finite.holds(value) ? std::nullopt : std::optional(Flaw{time, value, finite.text});
}
std::optional<Flaw> flaw_of(const Constant& c) noexcept { return flaw_of(c.value); }
std::optional<Flaw> flaw_of(const Ramp& r) noexcept {
  for (const double number : {r.start, r.end, r.from}) {
    if (const auto flaw = flaw_of(number)) {
      return flaw;
    }
  }
  if (!(r.end > r.start)) {
    return Flaw{r.start, r.end, "a ramp's end after its start"};
  }
  return flaw_of(r.to, r.start);
}
std::optional<Flaw> flaw_of(const Sine& s) noexcept {
  for (const double number : {s.amplitude, s.frequency, s.phase, s.offset}) {
    if (const auto flaw = flaw_of(number)) {
      return flaw;
    }
  }
  return std::nullopt;
}
std::optional<Flaw> flaw_of(const std::vector<double>& times, const std::vector<double>& values) noexcept {
  if (times.empty() || times.size() != values.size()) {
    return Flaw{0, static_cast<double>(values.size()), "as many values as times, and at least one"};
  }
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (!finite.holds(times[i]) || (i > 0 && !(times[i] > times[i - 1]))) {
      return Flaw{i > 0 ? times[i - 1] : 0, times[i], "a finite time, later than the previous one"};
    }
    if (const auto flaw = flaw_of(values[i], times[i])) {
      return flaw;
    }
  }
  return std::nullopt;
}
std::optional<Flaw> flaw_of(const Steps& s) noexcept { return flaw_of(s.times, s.values); }
std::optional<Flaw> flaw_of(const Table& t) noexcept { return flaw_of(t.times, t.values); }

}  // namespace

double Signal::at(double time) const noexcept {
  double sum = 0;
  for (const Term& term : terms_) {
    sum += std::visit([&](const auto& t) { return value(t, time); }, term);
  }
  return sum;
}

double Signal::slope(double time) const noexcept {
  double sum = 0;
  for (const Term& term : terms_) {
    sum += std::visit([&](const auto& t) { return slope_of(t, time); }, term);
  }
  return sum;
}

std::vector<double> Signal::breakpoints(double until) const {
  std::vector<double> times;
  for (const Term& term : terms_) {
    std::visit([&](const auto& t) { breakpoints_of(t, times); }, term);
  }
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  std::erase_if(times, [&](double t) { return !(t > 0 && t < until); });
  return times;
}

double Signal::time_scale() const noexcept {
  double scale = std::numeric_limits<double>::infinity();
  for (const Term& term : terms_) {
    if (const auto* sine = std::get_if<Sine>(&term); sine != nullptr && sine->frequency != 0) {
      scale = std::min(scale, 1 / std::abs(sine->frequency));
    } else if (const auto* ramp = std::get_if<Ramp>(&term)) {
      scale = std::min(scale, ramp->end - ramp->start);
    }
  }
  return scale;
}

double Signal::magnitude() const noexcept {
  double sum = 0;
  for (const Term& term : terms_) {
    sum += std::visit([](const auto& t) { return bound(t); }, term);
  }
  return sum;
}

std::optional<Signal::Flaw> Signal::flaw() const noexcept {
  for (const Term& term : terms_) {
    if (const auto found = std::visit([](const auto& t) { return flaw_of(t); }, term)) {
      return found;
    }
  }
  return std::nullopt;
}

}  // namespace stiction::sim
