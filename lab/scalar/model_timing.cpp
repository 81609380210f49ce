#include "model_timing.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

#include "stiction/scalar/presets.h"
#include "stiction/sim/measure.h"

namespace stiction::lab {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int group = 16;
constexpr std::size_t inputs = 4096;
constexpr double dt = 1e-3;

/// A sink the optimiser cannot see through.
volatile double sink = 0;

double nanoseconds(Clock::duration time) { return std::chrono::duration<double, std::nano>(time).count(); }

/// call(i) gives a number that depends on all it has computed.
template <class Call>
std::vector<double> group_times(long calls, double most_seconds, Call&& call) {
  std::vector<double> times;
  times.reserve(static_cast<std::size_t>(calls / group));
  const auto begin = Clock::now();
  for (long i = 0; i < calls; i += group) {
    double sum = 0;
    const auto start = Clock::now();
    for (long j = 0; j < group; ++j) {
      sum += call(static_cast<std::size_t>(i + j) % inputs);
    }
    sink = sum;
    const auto stop = Clock::now();
    times.push_back(nanoseconds(stop - start));
    if (nanoseconds(stop - begin) > 1e9 * most_seconds) {
      break;
    }
  }
  return times;
}

/// The time that a share of all stays below.
double quantile(std::vector<double>& times, double share) {
  const auto place = times.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(times.size() - 1));
  std::nth_element(times.begin(), place, times.end());
  return *place;
}

template <class Call>
CallTiming timed(long calls, double most_seconds, Call&& call) {
  auto empty = group_times(16 * 1024, most_seconds, [](std::size_t) { return 0.0; });
  const double overhead = quantile(empty, 0.5);
  auto times = group_times(calls, most_seconds, call);
  const auto for_one = [&](double share) { return std::max(0.0, quantile(times, share) - overhead) / group; };
  return {for_one(0.5), for_one(0.999), for_one(1), group * static_cast<long>(times.size())};
}

template <class M>
ModelTiming timing_of(const M& model, double mass, long calls, double most_seconds) {
  std::array<double, inputs> velocity{};
  std::array<double, inputs> push{};
  const double breakaway = sim::breakaway_force(model);
  const double load = breakaway > 0 ? 1.5 * breakaway : model.force(model.at_rest(0), 0.05);
  for (std::size_t i = 0; i < inputs; ++i) {
    const auto x = static_cast<double>(i);
    velocity[i] = 0.05 * std::sin(0.013 * x) * std::sin(0.0017 * x);
    push[i] = load * std::sin(0.02 * x);
  }
  ModelTiming timing;
  timing.model = M::info.name;
  auto state = model.at_rest(0);
  if constexpr (requires { model.step(state, 0.0, dt); }) {
    timing.call = "step";
    timing.step = timed(calls, most_seconds, [&](std::size_t i) {
      const auto next = model.step(state, velocity[i], dt);
      state = next.state;
      return next.force;
    });
  } else {
    timing.call = "advance + force";
    timing.step = timed(calls, most_seconds, [&](std::size_t i) {
      state = model.advance(state, velocity[i], dt);
      return model.force(state, velocity[i]);
    });
  }
  state = model.at_rest(0);
  double v = 0;
  timing.solve = timed(calls, most_seconds, [&](std::size_t i) {
    const auto next = model.solve(state, v + dt / mass * push[i], 1 / mass, dt, v);
    state = next.state;
    v = next.velocity;
    return next.force;
  });
  return timing;
}

}  // namespace

std::vector<ModelTiming> time_models(long calls, double most_seconds) {
  std::vector<ModelTiming> all;
  scalar::for_each_model([&]<class M>(std::type_identity<M>) {
    if (const scalar::Preset* preset = scalar::comparison_preset<M>()) {
      all.push_back(timing_of(std::get<M>(preset->make()), preset->mass, calls, most_seconds));
    }
  });
  return all;
}

}  // namespace stiction::lab
