#include "inspect_judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

#include "inspect_signals.h"

namespace stiction::identify::inspection {
namespace {

constexpr double max_inflation = 50;            // of a parameter that is told apart from the others
constexpr double max_gravity_inflation = 1000;  // gravity is large, and the cosine of a small angle nearly constant
constexpr double min_angle = 0.5;               // [rad] travel below which gravity is a constant torque
constexpr double slow_part = 0.1;               // of the fastest speeds: "slow" for the Stribeck curve
constexpr std::size_t resolved = 8;             // rows, and steps of the position sensor, in a reversal

double part(double share) { return 100 * share; }

/// What the judgement of a recording, or of a table of steady points, needs to know.
struct Facts {
  const Signals& signals;
  const Inspection& found;
  bool torque = false, motion = false, table = false;
  std::size_t sliding = 0, forward = 0, backward = 0;  // rows with torque and motion
  std::size_t enough = 50;                             // rows in a direction that count
  double slow_rows = 0;                                // share of the sliding rows below a tenth of the fastest
  double load_range = 0;                               // of the gravity that was fitted [N m]
  double reversal_rows = 0, reversal_travel = 0;       // median over the reversals of the torque
  std::size_t reversals = 0;                           // that were looked at
  const Yardstick* yardstick = nullptr;
};

const SignalSummary* summary(const Inspection& found, const char* role) {
  const auto at = std::find_if(found.signals.begin(), found.signals.end(), [&](auto& s) { return s.role == role; });
  return at == found.signals.end() ? nullptr : &*at;
}

double root_mean_square(std::span<const double> values) {
  double sum = 0;
  for (const double x : values) {
    sum += x * x;
  }
  return values.empty() ? 0 : std::sqrt(sum / static_cast<double>(values.size()));
}

/// The columns of the linear fit at the rows that slide: offset, sgn v, v, and where they can be told apart inertia and
/// gravity.
struct Rows {
  std::vector<double> torque;
  std::vector<std::vector<double>> columns = std::vector<std::vector<double>>(6);  // 1, sgn v, v, a, sin q, cos q
  std::vector<std::size_t> index;
};
Rows sliding_rows(const Inspection& found) {
  const auto& v = found.velocity;
  const std::size_t half =
      found.clock && found.motion->window > 0
          ? static_cast<std::size_t>(std::max(1.0, std::round(found.motion->window / found.clock->interval / 2)))
          : 1;
  const std::vector<double> acceleration =
      found.clock ? slope(found.time, v, half, found.clock->interval) : std::vector<double>(v.size());
  Rows rows;
  for (std::size_t k = 0; k < v.size(); ++k) {
    const double q = std::isfinite(found.position[k]) ? found.position[k] : 0;
    if (!(std::abs(v[k]) > found.motion->rest_speed) || !std::isfinite(found.torque[k] + acceleration[k])) {
      continue;
    }
    const std::array<double, 6> row{1, v[k] > 0 ? 1.0 : -1.0, v[k], acceleration[k], std::sin(q), std::cos(q)};
    for (std::size_t i = 0; i < row.size(); ++i) {
      rows.columns[i].push_back(row[i]);
    }
    rows.torque.push_back(found.torque[k]);
    rows.index.push_back(k);
  }
  return rows;
}

/// Fits what can be told apart: columns that cannot are taken out, the last first.
void fit_line(const Facts& facts, const Rows& rows, Inspection& found, Facts& result) {
  const SignalSummary* position = summary(found, "position");
  const bool gravity =
      facts.signals.rotary.value_or(true) && position != nullptr && position->high - position->low >= min_angle;
  const bool both = facts.forward >= facts.enough && facts.backward >= facts.enough;
  const auto spread = [](const Motion& m) { return m.slow > 0 ? m.fast / m.slow : 0; }(*found.motion);
  std::vector<std::size_t> use;
  if (both) {
    use.push_back(0);
  }
  use.push_back(1);
  if (spread > 1.2) {
    use.push_back(2);
  }
  if (found.clock) {
    use.push_back(3);
  }
  if (gravity) {
    use.insert(use.end(), {4, 5});
  }
  Regression fit;
  while (true) {
    std::vector<std::vector<double>> columns;
    for (const std::size_t i : use) {
      columns.push_back(rows.columns[i]);
    }
    fit = regress(columns, rows.torque);
    std::optional<std::size_t> worst;
    for (std::size_t i = 0; i < use.size(); ++i) {
      const double limit = gravity && (use[i] == 0 || use[i] > 3) ? max_gravity_inflation : max_inflation;
      if (use[i] > 1 && fit.inflation[i] > limit) {
        worst = i;
      }
    }
    if (!worst) {
      break;
    }
    if (use[*worst] > 3) {
      std::erase_if(use, [](std::size_t i) { return i > 3; });  // sine and cosine go together
    } else {
      use.erase(use.begin() + static_cast<std::ptrdiff_t>(*worst));
    }
  }
  Yardstick line;
  std::vector<double> residual = rows.torque;
  double gravity_low = std::numeric_limits<double>::infinity();
  double gravity_high = -gravity_low;
  for (std::size_t i = 0; i < use.size(); ++i) {
    const double value = fit.values[i];
    for (std::size_t k = 0; k < residual.size(); ++k) {
      residual[k] -= value * rows.columns[use[i]][k];
    }
    const std::array<double*, 3> plain{&line.offset, &line.coulomb, &line.viscous};
    if (use[i] < 3) {
      *plain[use[i]] = value;
    }
    if (use[i] >= 3) {
      (use[i] == 3 ? line.inertia : use[i] == 4 ? line.sine : line.cosine) = value;
    }
  }
  if (line.sine && line.cosine) {
    for (std::size_t k = 0; k < residual.size(); ++k) {
      const double g = *line.sine * rows.columns[4][k] + *line.cosine * rows.columns[5][k];
      gravity_low = std::min(gravity_low, g);
      gravity_high = std::max(gravity_high, g);
    }
    result.load_range = gravity_high - gravity_low;
  }
  double mean = 0;
  for (const double t : rows.torque) {
    mean += t / static_cast<double>(rows.torque.size());
  }
  std::vector<double> centred = rows.torque;
  for (double& t : centred) {
    t -= mean;
  }
  line.residual = root_mean_square(residual);
  const double all = root_mean_square(centred);
  line.explained = all > 0 ? std::max(0.0, 1 - line.residual * line.residual / (all * all)) : 0;
  if (std::isfinite(line.residual) && std::isfinite(line.offset + line.coulomb + line.viscous)) {
    found.yardstick = line;  // numbers near the largest there are have no squares
  }
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

Facts gather(const Signals& signals, Inspection& found) {
  Facts facts{signals, found};
  facts.table = !found.clock;
  facts.enough = facts.table ? 3 : 50;
  facts.torque = std::any_of(found.torque.begin(), found.torque.end(), [](double t) { return std::isfinite(t); });
  facts.motion = found.motion && found.motion->fast > 0;
  if (!facts.torque || !facts.motion) {
    return facts;
  }
  const Rows rows = sliding_rows(found);
  facts.sliding = rows.torque.size();
  std::size_t slow = 0;
  for (const double v : rows.columns[2]) {
    facts.forward += v > 0 ? 1 : 0;
    facts.backward += v < 0 ? 1 : 0;
    slow += std::abs(v) < slow_part * found.motion->fast ? 1 : 0;
  }
  facts.slow_rows = facts.sliding > 0 ? static_cast<double>(slow) / static_cast<double>(facts.sliding) : 0;
  if (facts.sliding >= 2 * facts.enough) {
    const Facts before = facts;
    fit_line(before, rows, found, facts);
    if (found.yardstick) {
      measure_reversals(found, facts);
    }
  }
  facts.yardstick = found.yardstick ? &*found.yardstick : nullptr;
  return facts;
}

using Supports = std::vector<Support>;

void judge_lines(const Facts& facts, Supports& list) {
  const Inspection& found = facts.found;
  const Motion& m = *found.motion;
  const double spread = m.slow > 0 ? m.fast / m.slow : 0;
  const bool both = facts.forward >= facts.enough && facts.backward >= facts.enough;
  const bool any = facts.sliding >= 2 * facts.enough;
  list.push_back(
      {"Coulomb friction", any && both,
       any ? fmt::format("{} rows slide, {:.0f} % forwards, {:.0f} % backwards{}", facts.sliding, part(m.forward),
                         part(m.backward), both ? "" : ": in one direction alone it cannot be told from an offset")
           : fmt::format("only {} rows slide", facts.sliding),
       any && both ? "" : "slide in both directions, at the same places"});
  const bool viscous = any && spread >= 2;
  list.push_back({"viscous friction", viscous,
                  fmt::format("sliding speeds from {:.3g} to {:.3g} (5 % and 95 %)", m.slow, m.fast),
                  viscous ? "" : "slide at speeds that differ by a factor of 2 at least, better 10"});
  list.push_back({"offset of the torque", any && both, both ? "both directions are there" : "one direction is missing",
                  any && both ? "" : "slide in both directions, at the same places"});
  list.push_back({"friction that differs by direction", any && both && viscous,
                  !both      ? "one direction is missing"
                  : !viscous ? "the speeds are too much alike"
                             : "both directions are there, at several speeds",
                  any && both && viscous ? "" : "slide in both directions, at several speeds each"});
}

void judge_curve(const Facts& facts, Supports& list) {
  const Motion& m = *facts.found.motion;
  const bool slow = facts.slow_rows >= 0.02 &&
                    facts.slow_rows * static_cast<double>(facts.sliding) >= static_cast<double>(facts.enough) &&
                    m.rest_speed < slow_part * m.fast;
  list.push_back(
      {"Stribeck curve", slow,
       m.rest_speed >= slow_part * m.fast
           ? fmt::format("speeds below {:.3g} are noise, the fastest are {:.3g}", m.rest_speed, m.fast)
           : fmt::format("{:.1f} % of the sliding is slower than a tenth of {:.3g}", part(facts.slow_rows), m.fast),
       slow ? ""
            : "slide slowly for some time: ramps of the velocity through zero, or steps of 1 to 5 % of "
              "the largest speed"});
}

void judge_loads(const Facts& facts, Supports& list) {
  const SignalSummary* position = summary(facts.found, "position");
  const double span = position == nullptr ? 0 : position->high - position->low;
  const bool linear = facts.signals.rotary == false;
  const bool gravity = facts.yardstick != nullptr && facts.yardstick->sine.has_value();
  if (!linear) {
    list.push_back({"gravity", gravity,
                    facts.table ? "a table of steady points has no positions"
                                : fmt::format("the position spans {:.3g} rad{}", span,
                                              gravity            ? ""
                                              : span < min_angle ? ": over so little it is a constant torque"
                                                                 : ", and is not told apart from offset and friction"),
                    gravity || facts.table ? "" : "move over 90 degrees or more, in both directions"});
  }
  const double level = facts.yardstick != nullptr ? std::abs(facts.yardstick->coulomb) : 0;
  const bool load = gravity && level > 0 && facts.load_range > 0.5 * level;
  list.push_back({"friction that grows with the load", load,
                  gravity ? fmt::format("the load varies by {:.3g}, friction is {:.3g}", facts.load_range, level)
                          : "no load that varies is seen",
                  load || facts.table ? "" : "hang a mass on the axis: a pendulum whose weight exceeds the friction"});
}

void judge_bristle(const Facts& facts, Supports& list) {
  if (facts.table) {
    list.push_back({"presliding (bristles: LuGre, elasto-plastic, GMS)", false, "a table of steady points has none",
                    "record time, torque and position at reversals"});
    return;
  }
  const SignalSummary* position = summary(facts.found, "position");
  const double resolution = position == nullptr ? 0 : std::max(position->step.value_or(0), 3 * position->noise);
  const double steps = resolution > 0 ? facts.reversal_travel / resolution : facts.reversal_travel > 0 ? 1e6 : 0;
  const bool good = facts.reversals >= 3 && facts.reversal_rows >= resolved && steps >= resolved;
  list.push_back(
      {"presliding (bristles: LuGre, elasto-plastic, GMS)", good,
       facts.reversals == 0
           ? "no reversal of the friction is seen"
           : fmt::format("{} reversals; the friction turns within {:.0f} rows and {:.2g}, {:.0f} times the "
                         "resolution of the position",
                         facts.reversals, facts.reversal_rows, facts.reversal_travel, std::min(steps, 1e6)),
       good ? "" : "reverse slowly and often below break-away, at a higher rate and with a finer position sensor"});
}

/// Which wrong unit or clock gives such a ratio.
std::string cause_of(double ratio) {
  struct Cause {
    double ratio;
    const char* text;
  };
  constexpr auto causes = std::to_array<Cause>({{57.29578, "position in degrees, velocity in rad/s"},
                                                {1 / 57.29578, "position in rad, velocity in degrees/s"},
                                                {1 / 9.549297, "velocity in rpm"},
                                                {1 / 6.283185, "position in revolutions"},
                                                {1000, "time in ms, or position in mm"},
                                                {1e-3, "time in ms taken as s"},
                                                {2, "every second row is missing from the clock"},
                                                {0.5, "the clock runs at twice its rate"},
                                                {-1, "opposite signs"}});
  for (const Cause& cause : causes) {
    if (ratio / cause.ratio > 0.97 && ratio / cause.ratio < 1.03) {
      return fmt::format(": perhaps {}", cause.text);
    }
  }
  return "";
}

void warn_of_clock(const Facts& facts, std::vector<std::string>& warnings) {
  const Clock& clock = *facts.found.clock;
  if (clock.ratio && !(*clock.ratio > 0.9 && *clock.ratio < 1.1)) {
    warnings.push_back(
        fmt::format("the change of position is {:.4g} times what velocity and clock say{}; correct it "
                    "with --unit, if it is the clock with --unit time={:.4g}s",
                    *clock.ratio, cause_of(*clock.ratio), *clock.ratio));
  }
  if (clock.backwards + clock.repeated > 0) {
    warnings.push_back(
        fmt::format("{} rows are earlier than the row before, {} have its time", clock.backwards, clock.repeated));
  }
  if (clock.gaps > 0) {
    warnings.push_back(fmt::format("{} gaps in time, the longest of {:.3g} s", clock.gaps, clock.longest_gap));
  }
  if (clock.jitter > 0.3) {
    warnings.push_back(
        fmt::format("the intervals of the clock scatter by {:.0f} %: take the time where the signals are "
                    "measured",
                    part(clock.jitter)));
  }
  if (clock.interval > 0.5) {
    warnings.push_back(
        fmt::format("rows are {:.3g} s apart: if the time is in ms, say --unit time=ms", clock.interval));
  } else if (clock.interval > 0.021) {
    warnings.push_back(
        fmt::format("{:.3g} rows per second show neither presliding nor fast reversals: record at 200 or "
                    "more",
                    1 / clock.interval));
  }
}

void warn_of_signals(const Facts& facts, std::vector<std::string>& warnings) {
  for (const SignalSummary& s : facts.found.signals) {
    const bool constant = !(s.high > s.low);
    if (constant) {
      warnings.push_back(fmt::format("{} is constant ({:.6g})", s.role, s.low));
      continue;
    }
    if (s.saturated && s.role != "position_reference" && s.role != "deviation") {
      warnings.push_back(
          fmt::format("{} is at its lowest or highest value in {:.1f} % of the rows: {}", s.role, part(s.held),
                      s.role == "position" ? "an end stop, or rest there" : "saturation, or a command in steps"));
    }
    if (s.step && *s.step > 3 * s.noise && *s.step > 0.01 * (s.high - s.low)) {
      warnings.push_back(fmt::format("{} has steps of {:.3g}, {:.1f} % of its range and more than its noise", s.role,
                                     *s.step, part(*s.step / (s.high - s.low))));
    }
    const bool whole = s.step && std::abs(*s.step - 1) < 1e-9 && s.high - s.low > 50;
    if (whole && (s.role == "position" || s.role == "velocity")) {
      warnings.push_back(
          fmt::format("{} has whole numbers: counts of an encoder? State one with --unit, e.g. "
                      "--unit {}=0.00153{}",
                      s.role, s.role, s.role == "position" ? "rad" : "rad/s"));
    }
  }
}

}  // namespace

void judge(const Signals& signals, Inspection& found) {
  const Facts facts = gather(signals, found);
  if (!facts.torque || !facts.motion) {
    const char* missing = !facts.torque  ? "there is no torque: record it, or the current and its torque constant"
                          : found.motion ? "the axis does not move"
                                         : "there is neither position nor velocity: record one of them";
    found.support.push_back({"any friction", false, missing, missing});
  } else {
    judge_lines(facts, found.support);
    judge_curve(facts, found.support);
    judge_loads(facts, found.support);
    judge_bristle(facts, found.support);
  }
  if (found.clock) {
    warn_of_clock(facts, found.warnings);
  }
  warn_of_signals(facts, found.warnings);
  for (const Support& s : found.support) {
    if (!s.advice.empty() && std::find(found.advice.begin(), found.advice.end(), s.advice) == found.advice.end()) {
      found.advice.push_back(s.advice);
    }
  }
}

}  // namespace stiction::identify::inspection
