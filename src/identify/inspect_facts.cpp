#include "inspect_facts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "inspect_signals.h"

namespace stiction::identify::inspection {
namespace {

constexpr double max_inflation = 50;            // of a parameter that is told apart from the others
constexpr double max_gravity_inflation = 1000;  // gravity is large, and the cosine of a small angle nearly constant

double root_mean_square(std::span<const double> values) {
  double sum = 0;
  for (const double x : values) {
    sum += x * x;
  }
  return values.empty() ? 0 : std::sqrt(sum / static_cast<double>(values.size()));
}

/// The rows that slide, with the columns of linear fits.
enum Term : std::size_t { one, direction, velocity, acceleration, sine, cosine, position, terms };
struct Rows {
  std::vector<double> torque;
  std::vector<std::vector<double>> columns = std::vector<std::vector<double>>(terms);
};
Rows sliding_rows(const Inspection& found) {
  const auto& v = found.velocity;
  const std::size_t half =
      found.clock && found.motion->window > 0
          ? static_cast<std::size_t>(std::max(1.0, std::round(found.motion->window / found.clock->interval / 2)))
          : 1;
  const std::vector<double> rate =
      found.clock ? slope(found.time, v, half, found.clock->interval) : std::vector<double>(v.size());
  Rows rows;
  for (std::size_t k = 0; k < v.size(); ++k) {
    const double q = std::isfinite(found.position[k]) ? found.position[k] : 0;
    if (!(std::abs(v[k]) > found.motion->rest_speed) || !std::isfinite(found.torque[k] + rate[k])) {
      continue;
    }
    const std::array<double, terms> row{1, v[k] > 0 ? 1.0 : -1.0, v[k], rate[k], std::sin(q), std::cos(q), q};
    for (std::size_t i = 0; i < row.size(); ++i) {
      rows.columns[i].push_back(row[i]);
    }
    rows.torque.push_back(found.torque[k]);
  }
  return rows;
}

/// Least squares in some of the columns.
struct LineFit {
  std::vector<Term> use;
  std::vector<double> values;
  double inflation = 0;  // the largest of those but the first two
  double residual = 0;   // rms

  [[nodiscard]] std::optional<double> value(Term term) const {
    const auto at = std::find(use.begin(), use.end(), term);
    return at == use.end() ? std::nullopt : std::optional(values[static_cast<std::size_t>(at - use.begin())]);
  }
};
LineFit fit_terms(const Rows& rows, std::vector<Term> use) {
  std::vector<std::vector<double>> columns;
  columns.reserve(use.size());
  for (const Term term : use) {
    columns.push_back(rows.columns[term]);
  }
  const Regression fit = regress(columns, rows.torque);
  std::vector<double> residual = rows.torque;
  LineFit result{std::move(use), fit.values, 0, 0};
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (result.use[i] > direction) {
      result.inflation = std::max(result.inflation, fit.inflation[i]);
    }
    for (std::size_t k = 0; k < residual.size(); ++k) {
      residual[k] -= fit.values[i] * columns[i][k];
    }
  }
  result.residual = root_mean_square(residual);
  return result;
}

/// A term must leave at most this share of the residual's variance to be taken.
constexpr double worth = 0.8;

/// The linear fit: friction first, then gravity and inertia where they are told apart and explain much of the rest.
LineFit fit_line(Facts& facts, const Rows& rows) {
  const Motion& m = *facts.found.motion;
  std::vector<Term> use{direction};
  if (facts.forward >= facts.enough && facts.backward >= facts.enough) {
    use.push_back(one);
  }
  if (m.fast > 1.2 * m.slow) {
    use.push_back(velocity);
  }
  LineFit best = fit_terms(rows, use);
  if (best.inflation > max_inflation) {
    std::erase(use, velocity);
    best = fit_terms(rows, use);
  }
  const auto squared = [](const LineFit& fit) { return fit.residual * fit.residual; };
  const SignalSummary* q = summary(facts.found, "position");
  if (facts.signals.rotary.value_or(true) && q != nullptr && q->high - q->low >= min_angle) {
    std::vector<Term> more = best.use;
    more.insert(more.end(), {sine, cosine});
    LineFit with = fit_terms(rows, more);
    facts.gravity = with.inflation <= max_gravity_inflation;
    if (facts.gravity && squared(with) < worth * squared(best)) {
      best = std::move(with);
    }
  }
  if (facts.found.clock) {
    std::vector<Term> more = best.use;
    more.push_back(acceleration);
    LineFit with = fit_terms(rows, more);
    const bool apart = with.inflation <= (best.value(sine) ? max_gravity_inflation : max_inflation);
    // A negative inertia is a spring: where position and acceleration of a sine cannot be told apart.
    if (apart && with.value(acceleration).value_or(0) > 0 && squared(with) < worth * squared(best)) {
      best = std::move(with);
    }
  }
  return best;
}

/// Fits the line, and says how much of the torque's variance it and a spring explain.
void explain(Facts& facts, const Rows& rows, Inspection& found) {
  const LineFit fit = fit_line(facts, rows);
  const double all = fit_terms(rows, {one}).residual;
  const auto explained = [&](const LineFit& f) {
    return all > 0 ? std::max(0.0, 1 - f.residual * f.residual / (all * all)) : 0;
  };
  Yardstick line;
  line.offset = fit.value(one).value_or(0);
  line.coulomb = fit.value(direction).value_or(0);
  line.viscous = fit.value(velocity).value_or(0);
  line.sine = fit.value(sine);
  line.cosine = fit.value(cosine);
  line.inertia = fit.value(acceleration);
  line.residual = fit.residual;
  line.explained = explained(fit);
  if (!std::isfinite(line.residual + line.offset + line.coulomb + line.viscous)) {
    return;  // numbers near the largest there are have no squares
  }
  if (line.sine && line.cosine) {
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (std::size_t k = 0; k < rows.torque.size(); ++k) {
      const double g = *line.sine * rows.columns[sine][k] + *line.cosine * rows.columns[cosine][k];
      low = std::min(low, g);
      high = std::max(high, g);
    }
    facts.load_range = high - low;
  }
  if (found.clock && summary(found, "position") != nullptr) {
    facts.spring = explained(fit_terms(rows, {one, velocity, position}));
    facts.sliding_spring = explained(fit_terms(rows, {one, velocity, position, direction}));
  }
  found.yardstick = line;
}

/// Rows and travel while the friction turns from one direction to the other.
void measure_reversals(Inspection& found, Facts& facts) {
  const Yardstick& line = *found.yardstick;
  const double level = std::abs(line.coulomb);
  if (!(level > 0) || !found.clock) {
    return;
  }
  const auto friction = [&](std::size_t k) {
    const double q = found.position[k];
    return found.torque[k] - line.offset - line.viscous * found.velocity[k] -
           (line.sine && std::isfinite(q) ? *line.sine * std::sin(q) + *line.cosine * std::cos(q) : 0);
  };
  std::vector<double> counts;
  std::vector<double> travels;
  std::optional<std::size_t> last;  // row where the friction was last near the level of the direction before
  int direction = 0;
  for (std::size_t k = 0; k < found.velocity.size(); ++k) {
    const double f = friction(k);
    const int now = f > 0.8 * level ? 1 : f < -0.8 * level ? -1 : 0;
    if (!std::isfinite(f) || now == 0) {
      continue;
    }
    if (last && direction == -now && found.time[k] - found.time[*last] < 1) {
      counts.push_back(static_cast<double>(k - *last));
      double low = std::numeric_limits<double>::infinity();
      double high = -low;
      for (std::size_t i = *last; i <= k; ++i) {
        low = std::min(low, found.position[i]);
        high = std::max(high, found.position[i]);
      }
      travels.push_back(high >= low ? high - low : 0);  // without a position, none
    }
    direction = now;
    last = k;
  }
  facts.reversals = counts.size();
  facts.reversal_rows = quantile(std::move(counts), 0.5);
  facts.reversal_travel = quantile(std::move(travels), 0.5);
}

}  // namespace

const SignalSummary* summary(const Inspection& found, const char* role) {
  const auto at = std::find_if(found.signals.begin(), found.signals.end(), [&](auto& s) { return s.role == role; });
  return at == found.signals.end() ? nullptr : &*at;
}

Facts gather(const Signals& signals, Inspection& found) {
  Facts facts{signals, found};
  facts.table = !found.clock;
  facts.enough = facts.table ? 3 : 50;
  std::optional<double> first;
  for (const double t : found.torque) {
    if (std::isfinite(t)) {
      first = first.value_or(t);
      facts.torque |= t != *first;
    }
  }
  facts.any_torque = first.has_value();
  facts.motion = found.motion && found.motion->fast > 0;
  if (!facts.torque || !facts.motion) {
    return facts;
  }
  const Rows rows = sliding_rows(found);
  facts.sliding = rows.torque.size();
  std::size_t slow = 0;
  for (const double v : rows.columns[velocity]) {
    facts.forward += v > 0 ? 1 : 0;
    facts.backward += v < 0 ? 1 : 0;
    slow += std::abs(v) < slow_part * found.motion->fast ? 1 : 0;
  }
  facts.slow_rows = facts.sliding > 0 ? static_cast<double>(slow) / static_cast<double>(facts.sliding) : 0;
  if (facts.sliding >= 2 * facts.enough) {
    explain(facts, rows, found);
    if (found.yardstick) {
      measure_reversals(found, facts);
    }
  }
  facts.yardstick = found.yardstick ? &*found.yardstick : nullptr;
  return facts;
}

}  // namespace stiction::identify::inspection
