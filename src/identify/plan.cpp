#include "stiction/identify/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "stiction/identify/identify.h"
#include "stiction/math.h"

namespace stiction::identify {
namespace {

constexpr double two_pi = 2 * std::numbers::pi;
constexpr double share_of_travel = 0.8;

void check(const Limits& limits) {
  const auto ask = [](const char* name, double value, bool may_be_unknown) {
    if (!std::isfinite(value) || value < 0 || (value == 0 && !may_be_unknown)) {
      throw BadData(
          fmt::format("{} = {}: must be a number > 0{}", name, value, may_be_unknown ? ", or be left out" : ""));
    }
  };
  ask("torque", limits.torque, false);
  ask("speed", limits.speed, false);
  ask("travel", limits.travel, false);
  ask("friction", limits.friction, true);
  ask("mass", limits.mass, true);
  ask("stiffness", limits.stiffness, true);
  if (!(limits.sample_rate >= 100 && limits.sample_rate <= 1e5)) {
    throw BadData(fmt::format("sample_rate = {}: must be 100 to 1e5 Hz", limits.sample_rate));
  }
  if (limits.friction > 0.8 * limits.torque) {
    throw BadData(fmt::format("friction = {}: must be at most 0.8 times the torque ({}), or the axis will not slide",
                              limits.friction, limits.torque));
  }
}

/// Samples of a run, and its time axis at the end.
class Writer {
 public:
  Writer(std::string name, Run::Mode mode, double rate) : rate_(rate) {
    run_.name = std::move(name);
    run_.mode = mode;
  }
  /// reference(t) for `duration` seconds, t from 0
  template <class Reference>
  void add(double duration, const Reference& reference) {
    const auto samples = static_cast<std::size_t>(std::lround(duration * rate_));
    for (std::size_t k = 0; k < samples; ++k) {
      run_.reference.push_back(reference(static_cast<double>(k) / rate_));
    }
  }
  [[nodiscard]] std::size_t size() const { return run_.reference.size(); }
  void mark(const Run::Segment& segment) { run_.segments.push_back(segment); }
  Run finish() {
    for (std::size_t k = 0; k < run_.reference.size(); ++k) {
      run_.time.push_back(static_cast<double>(k) / rate_);
    }
    return std::move(run_);
  }

 private:
  Run run_;
  double rate_;
};

/// A slow sine that grows until the axis breaks away.
Run breakaway_run(const Limits& limits) {
  Writer writer("break-away", Run::Mode::torque, limits.sample_rate);
  constexpr double duration = 30;
  writer.add(duration, [&](double t) { return limits.torque * t / duration * std::sin(two_pi * t); });
  return writer.finish();
}

/// Constant velocities from slow to fast, each in both directions.
Run sweep_run(const Limits& limits) {
  // Friction settles as exp(−σ₀ x/g): within a distance of 8 g/σ₀, or a hundredth of the travel if σ₀ is not known.
  const double settling_distance =
      limits.stiffness > 0 && limits.friction > 0 ? 8 * limits.friction / limits.stiffness : limits.travel / 100;
  const double distance = share_of_travel * limits.travel;
  constexpr double ramp = 0.1;            // [s], from rest to the velocity and back
  constexpr double average = 1;           // [s], averaging time, where the travel allows
  constexpr double min_mean = 0.1;        // [s]
  constexpr double slowest_settling = 6;  // [s]
  constexpr int speeds = 14;
  const double fastest = std::min(0.8 * limits.speed, (distance - settling_distance) / (min_mean + ramp));
  const double slowest = settling_distance / slowest_settling;
  if (!(fastest > 10 * slowest)) {
    throw BadData(
        fmt::format("travel = {}, speed = {}: friction needs a path of {:.3g} to settle, which leaves too narrow a "
                    "range of speeds, "
                    "{:.3g} to {:.3g}",
                    limits.travel, limits.speed, settling_distance, slowest, fastest));
  }
  Writer writer("sweep", Run::Mode::velocity, limits.sample_rate);
  const double rest = 0.2;
  writer.add(rest, [](double) { return 0.0; });
  for (int i = 0; i < 2 * speeds; ++i) {
    const int rank = i / 2;
    const double speed = slowest * std::pow(fastest / slowest, static_cast<double>(rank) / (speeds - 1));
    const double velocity = i % 2 == 0 ? speed : -speed;
    const double settling = settling_distance / speed;
    const double mean = std::clamp((distance - settling_distance) / speed - ramp, min_mean, average);
    Run::Segment segment{writer.size(), 0, 0, velocity};
    writer.add(ramp, [&](double t) { return velocity * t / ramp; });
    writer.add(settling, [&](double) { return velocity; });
    segment.settled = writer.size();
    writer.add(mean, [&](double) { return velocity; });
    segment.end = writer.size();
    writer.mark(segment);
    writer.add(ramp, [&](double t) { return velocity * (1 - t / ramp); });
    writer.add(rest, [](double) { return 0.0; });
  }
  return writer.finish();
}

/// A sine and a chirp, together 0.7 of break-away, through the resonance of the inertia on its bristle.
Run presliding_run(const Limits& limits) {
  Writer writer("presliding", Run::Mode::torque, limits.sample_rate);
  constexpr double duration = 4;
  const double swing = limits.mass > 0 && limits.stiffness > 0 ? std::sqrt(limits.stiffness / limits.mass) / two_pi
                                                               : limits.sample_rate / 25;
  const double from = 2;
  const double to = std::clamp(1.3 * swing, 4.0, limits.sample_rate / 12);
  writer.add(duration, [&](double t) {
    return 0.35 * limits.friction *
           (std::sin(two_pi * t) + std::sin(two_pi * (from + (to - from) / duration * t / 2) * t));
  });
  return writer.finish();
}

/// v = a (0.7 sin wt + 0.3 sin(2.7 wt + 1)), then a tenth of it: reversals at all accelerations, and slow ones.
Run motion_run(const Limits& limits) {
  Writer writer("motion", Run::Mode::velocity, limits.sample_rate);
  const double speed = 0.6 * limits.speed;
  // The travel from end to end is less than 2 a (0.7/w + 0.3/(2.7 w)).
  const double w = std::max(two_pi / 4, 2 * speed * (0.7 + 0.3 / 2.7) / (share_of_travel * limits.travel));
  const double duration = std::clamp(2.5 * two_pi / w, 4.0, 12.0);
  const auto wave = [&](double t) {
    const double begins = std::min(1.0, 4 * t);  // without a jump
    return begins * speed * (0.7 * std::sin(w * t) + 0.3 * std::sin(2.7 * w * t + 1));
  };
  writer.add(duration, wave);
  writer.add(duration / 2, [&](double t) { return 0.1 * wave(t); });
  return writer.finish();
}

}  // namespace

Plan make_plan(const Limits& limits) {
  check(limits);
  Plan plan;
  const auto length = [](const Run& run) { return run.time.back(); };
  int number = 0;
  const auto say = [&](const std::string& text) { plan.instructions += fmt::format("{}. {}\n", ++number, text); };
  if (limits.friction == 0) {
    plan.runs.push_back(breakaway_run(limits));
    say(fmt::format(
        "break-away ({:.0f} s, torque): a sine of increasing amplitude, up to {:g}. Stop as soon as the axis slides. "
        "The amplitude reached is the friction: make the plan again with it to get all runs.",
        length(plan.runs.back()), limits.torque));
  }
  plan.runs.push_back(sweep_run(limits));
  say(
      fmt::format("sweep ({:.0f} s, velocity): start at the middle of the travel, with the stiffest velocity loop that "
                  "is stable. A soft one stick-slips at low velocities, and these segments are then useless. Log time, "
                  "reference, torque and position.",
                  length(plan.runs.back())));
  if (limits.friction > 0) {
    plan.runs.push_back(presliding_run(limits));
    say(
        fmt::format("presliding ({:.0f} s, torque): in open loop, from rest. The axis must not slide; if it does, "
                    "make the plan again with less friction. Log the commanded torque and the position at "
                    "{:g} Hz.",
                    length(plan.runs.back()), limits.sample_rate));
    plan.runs.push_back(motion_run(limits));
    say(fmt::format(
        "motion ({:.0f} s, velocity): start at the middle of the travel, with a loop soft enough for a visible "
        "error. Log time, reference, torque and position at {:g} Hz.",
        length(plan.runs.back()), limits.sample_rate));
  }
  say("Do not filter torque and position: filters hide the effects of friction. Identify all logs together.");
  return plan;
}

Sweep steady_friction(const Run& run, const Recording& log) {
  if (log.torque.size() != run.reference.size() || log.position.size() != run.reference.size()) {
    throw BadData(fmt::format("{}: has {} rows, the run has {}", log.name, log.torque.size(), run.reference.size()));
  }
  Sweep sweep{log.name, {}, {}, {}};
  for (const Run::Segment& segment : run.segments) {
    const auto n = static_cast<double>(segment.end - segment.settled);
    double t_mean = 0;
    double x_mean = 0;
    double u_mean = 0;
    for (std::size_t k = segment.settled; k < segment.end; ++k) {
      t_mean += run.time[k] / n;
      x_mean += log.position[k] / n;
      u_mean += log.torque[k] / n;
    }
    double tt = 0;
    double tx = 0;
    double uu = 0;
    for (std::size_t k = segment.settled; k < segment.end; ++k) {
      tt += square(run.time[k] - t_mean);
      tx += (run.time[k] - t_mean) * (log.position[k] - x_mean);
      uu += square(log.torque[k] - u_mean);
    }
    if (!(n > 2) || !(tt > 0)) {
      throw BadData(fmt::format("{}: the segment at {:g} has too few samples", log.name, segment.velocity));
    }
    sweep.velocity.push_back(tx / tt);  // the slope of a straight line
    sweep.torque.push_back(u_mean);
    sweep.deviation.push_back(std::sqrt(uu / (n - 1) / n));
  }
  return sweep;
}

}  // namespace stiction::identify
