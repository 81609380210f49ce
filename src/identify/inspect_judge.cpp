#include "inspect_judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "inspect_facts.h"

namespace stiction::identify::inspection {
namespace {

constexpr std::size_t resolved = 8;  // rows, and steps of the position sensor, in a reversal

double part(double share) { return 100 * share; }

using Supports = std::vector<Support>;

void judge_lines(const Facts& facts, Supports& list) {
  const Inspection& found = facts.found;
  const Motion& m = *found.motion;
  const double spread = m.slow > 0 ? m.fast / m.slow : 0;
  const bool both = facts.forward >= facts.enough && facts.backward >= facts.enough;
  const bool any = facts.sliding >= 2 * facts.enough && !facts.held_by_spring();
  list.push_back(
      {"Coulomb friction", any && both,
       any ? fmt::format("{} rows slide, {:.0f} % forwards, {:.0f} % backwards{}", facts.sliding, part(m.forward),
                         part(m.backward), both ? "" : ": in one direction alone it cannot be told from an offset")
       : facts.held_by_spring()
           ? fmt::format("the torque follows the position, {:.0f} % of it, and hardly the direction",
                         part(facts.spring))
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
  const bool gravity = facts.gravity;
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
                  facts.load_range > 0
                      ? fmt::format("the load varies by {:.3g}, friction is {:.3g}", facts.load_range, level)
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
  const std::string times = steps < 1e5 ? fmt::format("{:.0f} times", steps) : "far above";
  list.push_back(
      {"presliding (bristles: LuGre, elasto-plastic, GMS)", good,
       facts.reversals == 0 ? "no reversal of the friction is seen"
                            : fmt::format("{} reversals; the friction turns within {:.0f} rows and {:.2g}, {} the "
                                          "resolution of the position",
                                          facts.reversals, facts.reversal_rows, facts.reversal_travel, times),
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

void warn_of_fit(const Facts& facts, std::vector<std::string>& warnings) {
  if (facts.held_by_spring()) {
    warnings.push_back(fmt::format(
        "the torque follows the position like a spring ({:.0f} % of its variance), and hardly the direction: the axis "
        "is "
        "held by presliding or something elastic, or the gravity of a small angle is larger than the friction",
        part(facts.spring)));
  } else if (facts.yardstick != nullptr && facts.yardstick->explained < 0.5) {
    warnings.push_back(
        fmt::format("a straight line through torque against velocity explains {:.0f} % of the torque: "
                    "most of it is something else, such as a load, another joint or presliding",
                    part(facts.yardstick->explained)));
  }
}

void warn_of_signals(const Facts& facts, std::vector<std::string>& warnings) {
  for (const SignalSummary& s : facts.found.signals) {
    if (!(s.high > s.low)) {
      if (s.role == "acceleration" || s.role == "deviation") {
        continue;  // it is not used
      }
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
    const char* missing = !facts.any_torque ? "there is no torque: record it, or the current and its torque constant"
                          : !facts.torque   ? "the torque is constant: drive the axis, and record its torque"
                          : found.motion    ? "the axis does not move: drive it until it slides"
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
  warn_of_fit(facts, found.warnings);
  warn_of_signals(facts, found.warnings);
  for (const Support& s : found.support) {
    if (!s.advice.empty() && std::find(found.advice.begin(), found.advice.end(), s.advice) == found.advice.end()) {
      found.advice.push_back(s.advice);
    }
  }
}

}  // namespace stiction::identify::inspection
