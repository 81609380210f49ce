// Logs that cannot be used, or that no model explains: a sentence that is true, and never a crash or a wrong model.
#include <gmock/gmock.h>

#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "identify/engine.h"
#include "identify/generator.h"
#include "identify/parallel.h"
#include "identify/search.h"
#include "identify/signals.h"
#include "identify/starts.h"
#include "stiction/identify/identify.h"

namespace stiction {
namespace {

using identify::BadData;
using identify::Data;
using identify::Estimate;
using identify::Fit;
using identify::Options;
using identify::Recording;
using identify::Sweep;
using test::Axis;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

Data of(const Recording& recording) {
  Data data;
  data.recordings = {recording};
  return data;
}
Data of(const Sweep& sweep) {
  Data data;
  data.sweeps = {sweep};
  return data;
}

Fit fit(const Data& data, const std::string& model, double exponent = 2) {
  Options options;
  options.model = model;
  options.held_out = false;
  options.stribeck_exponent = exponent;
  return identify::identify(data, options).front();
}

/// What is said of data that cannot be used.
std::string complaint(const Data& data, const Options& options = {.model = "lugre"}) {
  try {
    identify::identify(data, options);
  } catch (const BadData& error) {
    return error.what();
  }
  return "";
}

/// Two sines of torque, held between samples.
Recording forced(double rate, double amplitude, std::size_t samples = 200) {
  Recording log{"forced", {}, {}, {}, Recording::Reference::none, {}};
  for (std::size_t k = 0; k < samples; ++k) {
    const double phase = static_cast<double>(k) / static_cast<double>(samples);
    log.time.push_back(static_cast<double>(k) / rate);
    log.torque.push_back(amplitude * (std::sin(20 * phase) + 0.7 * std::sin(150 * phase + 1)));
  }
  Axis axis;
  axis.plus.viscous = axis.minus.viscous = 0.5;
  log.position = test::under_torque(axis, log.torque, 1 / rate);
  const auto normal = test::normal_numbers(1);
  for (double& x : log.position) {
    x += 1e-5 * normal();
  }
  return log;
}

/// Every simulation of this model ends in numbers of which no sum of squares is finite.
TEST(Search, HasNoStartWhereEveryCostIsInfinite) {
  for (const double value : {infinity, std::numeric_limits<double>::quiet_NaN(), 1e200}) {
    identify::Engine engine = identify::find_engine("lugre");
    engine.differentiable = false;
    engine.simulate = [value](auto, double, double, const identify::Track&, const identify::Unknowns&,
                              std::span<double> position, std::span<double> torque, identify::Sensitivity*) {
      std::fill(position.begin(), position.end(), value);
      std::fill(torque.begin(), torque.end(), value);
      return std::size_t{1};
    };
    const Recording log = forced(1000, 1);
    std::vector<identify::Prepared> prepared{identify::prepare(log, std::vector<char>(log.time.size(), 1))};
    std::vector<identify::SteadyPoint> steady;
    const identify::Guess guess{{1, 0.1, 0.1, 0.1}, {}, {}, 1e3, 1, 1, infinity};
    const std::function<void(double)> quiet;
    identify::Budget budget(1'000'000, quiet);
    EXPECT_FALSE(identify::find_starts(engine, prepared, steady, guess, {}, budget));
    const std::string name = "lugre";
    const Options options;
    const identify::Problem problem(engine, prepared, steady, guess, options, budget);
    identify::Search search{name, engine, prepared, steady, options, {}, budget, problem};
    search.solve(5);
    EXPECT_FALSE(search.solution.finite);
    EXPECT_EQ(search.solution.cost(), infinity);
    EXPECT_EQ(search.cost_of(search.task.start), infinity);
  }
}

/// A table of F_C + (F_S − F_C) exp(−(v/v_S)^exponent) + F_v v for each direction.
Sweep table(const test::Side& plus, const test::Side& minus, double exponent, double noise, int speeds = 40) {
  const auto normal = test::normal_numbers(2);
  Sweep sweep{"table", {}, {}, {}};
  for (int i = 0; i < speeds; ++i) {
    const double speed = 1e-3 * std::pow(1e3, i / (speeds - 1.0));
    for (const double sign : {1.0, -1.0}) {
      const test::Side& side = sign > 0 ? plus : minus;
      const double drop = (side.peak - side.coulomb) * std::exp(-std::pow(speed / side.stribeck_velocity, exponent));
      sweep.velocity.push_back(sign * speed);
      sweep.torque.push_back(sign * (side.coulomb + drop + side.viscous * speed) + noise * normal());
      sweep.deviation.push_back(noise);
    }
  }
  return sweep;
}
constexpr test::Side rising{1, 1.3, 0.05, 0.4};
constexpr test::Side falling{0.9, 1.25, 0.06, 0.3};

const Estimate& estimate(const Fit& fit, const std::string& name) {
  for (const Estimate& e : fit.estimates) {
    if (e.name == name) {
      return e;
    }
  }
  throw std::runtime_error("no estimate " + name);
}
double value(const Fit& fit, const std::string& name) { return estimate(fit, name).value; }

// Coarse samples ------------------------------------------------------------------------------------------------------

TEST(CoarseSamples, AreFittedOrRefusedWithASentence) {
  for (const double rate : {10.0, 20.0, 50.0}) {
    for (const double amplitude : {0.1, 0.3}) {
      for (const char* model : {"lugre", "dahl"}) {
        const Fit found = fit(of(forced(rate, amplitude)), model);
        EXPECT_FALSE(found.estimates.empty() && found.refusal.empty()) << model << ' ' << rate;
      }
    }
  }
}

TEST(CoarseSamples, ObserverHasItsPolesAtAnyInterval) {
  // A body that slides freely, started 1 m and 1 m/s off what is measured. With a double pole p the error before the
  // k-th correction is (a + b k) pᵏ, where a and b follow from the first two.
  const auto engine = identify::find_engine("stribeck");
  for (const double interval : {1e-3, 0.02, 0.1, 10.0}) {
    constexpr std::size_t samples = 2000;
    Recording log{"free", {}, {}, {}, Recording::Reference::none, {}};
    for (std::size_t k = 0; k < samples; ++k) {
      log.time.push_back(interval * static_cast<double>(k));
      log.torque.push_back(0);
      log.position.push_back(0);
    }
    identify::Track track;
    track.recording = &log;
    track.correction = 100;
    std::vector<double> position(samples);
    std::vector<double> torque(samples);
    identify::Unknowns start;
    start.position = start.velocity = 1;
    engine.simulate(std::array{1e-12, 0.0, 1.0, 0.0}, 2, 1, track, start, position, torque, nullptr);
    const double p = std::exp(-100 * interval);
    const double first = 1 + interval;
    const double second = (2 * p - 1) * first + interval;
    EXPECT_NEAR(position[1], first, 1e-9 * first);
    EXPECT_NEAR(position[2], second, 1e-9 * first);
    for (std::size_t k = 3; k < samples; ++k) {
      const auto n = static_cast<double>(k);
      const double error = (n - 1) * second * std::pow(p, n - 2) - (n - 2) * first * std::pow(p, n - 1);
      ASSERT_NEAR(position[k], error, 1e-9 * first) << interval << " s, sample " << k;
    }
  }
}

// A torque that runs on between the samples. Five of them for each period of its faster sine leave open how large that
// sine was: straight lines take it for 12 % too small, and so is the mass.
TEST(CoarseSamples, TorqueThatRunsOnBetweenThemDoesNotLeadAstray) {
  const Axis axis;
  constexpr double fast = 60;  // [Hz]
  for (const double per_period : {3.0, 5.0, 12.0}) {
    constexpr int finer = 16;
    constexpr int samples = 600;
    const double dt = 1 / (fast * per_period);
    const auto torque = [](double t) {
      return 0.1 * std::sin(20 * t) + 0.1 * std::sin(2 * std::numbers::pi * fast * t);
    };
    Recording log{"coarse", {}, {}, {}, Recording::Reference::none, {}};
    std::vector<double> driving;
    for (int k = 0; k < finer * samples; ++k) {
      driving.push_back(torque((k + 0.5) * dt / finer));
      if (k % finer == 0) {
        log.time.push_back(k * dt / finer);
        log.torque.push_back(torque(log.time.back()));
      }
    }
    const auto position = test::under_torque(axis, driving, dt / finer);
    const auto normal = test::normal_numbers(7);
    for (std::size_t k = 0; k < position.size(); k += finer) {
      log.position.push_back(position[k] + 1e-6 * normal());
    }
    Data data = of(log);
    data.sweeps = {table(axis.plus, axis.minus, 2, 1e-3)};
    const Fit found = fit(data, "lugre");
    EXPECT_TRUE(per_period < 4 || found.refusal.empty()) << per_period << ": " << found.refusal;
    if (found.refusal.empty()) {
      for (const auto& [name, truth] :
           {std::pair("mass", axis.mass), std::pair("stiffness", axis.stiffness), std::pair("damping", axis.damping)}) {
        const Estimate& e = estimate(found, name);
        EXPECT_NEAR(e.value, truth, std::max(4 * e.deviation, 0.01 * truth)) << name << ' ' << per_period;
      }
    }
  }
}

// Numbers that cannot be used -----------------------------------------------------------------------------------------

TEST(BadNumbers, AreNamedByColumnRowAndValue) {
  const Recording good = forced(1000, 0.3);
  for (const auto& [bad, text] : {std::pair(std::nan(""), "nan"), std::pair(infinity, "inf"),
                                  std::pair(1e300, "1e+300"), std::pair(-infinity, "-inf")}) {
    Recording log = good;
    log.torque[6] = bad;
    EXPECT_THAT(complaint(of(log)), HasSubstr(std::string("forced: torque = ") + text + " in row 7: must be")) << bad;
    log = good;
    log.position[199] = bad;
    EXPECT_THAT(complaint(of(log)), HasSubstr(std::string("position = ") + text + " in row 200")) << bad;
    log = good;
    log.time[3] = bad;
    EXPECT_THAT(complaint(of(log)), HasSubstr(std::string("time = ") + text + " in row 4")) << bad;
    log = good;
    log.reference = Recording::Reference::velocity;
    log.commanded.assign(200, 0.1);
    log.commanded[0] = bad;
    EXPECT_THAT(complaint(of(log)), HasSubstr(std::string("reference = ") + text + " in row 1")) << bad;
    Sweep sweep = table(rising, rising, 2, 1e-3);
    sweep.velocity[9] = bad;
    EXPECT_THAT(complaint(of(sweep)), HasSubstr(std::string("table: velocity = ") + text + " in row 10")) << bad;
    sweep = table(rising, rising, 2, 1e-3);
    sweep.torque[9] = bad;
    EXPECT_THAT(complaint(of(sweep)), HasSubstr(std::string("torque = ") + text + " in row 10")) << bad;
    sweep = table(rising, rising, 2, 1e-3);
    sweep.deviation[9] = bad;
    EXPECT_THAT(complaint(of(sweep)), HasSubstr(std::string("deviation = ") + text + " in row 10")) << bad;
  }
}

TEST(BadNumbers, DeviationsMustBePositive) {
  for (const double bad : {0.0, -1e-3}) {
    Sweep sweep = table(rising, rising, 2, 1e-3);
    sweep.deviation[4] = bad;
    EXPECT_THAT(complaint(of(sweep)), HasSubstr("in row 5: must be > 0"));
  }
}

TEST(BadNumbers, ColumnsOfOtherLengthsAreNamed) {
  Recording log = forced(1000, 0.3);
  log.position.pop_back();
  EXPECT_THAT(complaint(of(log)), HasSubstr("position has 199 rows, but there are 200"));
  log = forced(1000, 0.3);
  log.torque.push_back(0);
  EXPECT_THAT(complaint(of(log)), HasSubstr("torque has 201 rows, but there are 200"));
  log = forced(1000, 0.3);
  log.reference = Recording::Reference::position;
  EXPECT_THAT(complaint(of(log)), HasSubstr("reference has 0 rows, but there are 200"));
  Sweep sweep = table(rising, rising, 2, 1e-3);
  sweep.deviation.pop_back();
  EXPECT_THAT(complaint(of(sweep)), HasSubstr("deviation has 79 rows, but there are 80"));
}

TEST(BadNumbers, TimeMustRise) {
  Recording log = forced(1000, 0.3);
  log.time[100] = log.time[99];
  EXPECT_THAT(complaint(of(log)),
              HasSubstr("time must increase, by at least 1e-09 s: 0.099 s after 0.099 s in row 101"));
  log = forced(1000, 0.3);
  std::reverse(log.time.begin(), log.time.end());
  EXPECT_THAT(complaint(of(log)), HasSubstr("time must increase"));
}

TEST(BadNumbers, SignalsLostInRoundingAreRefused) {
  Recording log = forced(1000, 0.3);
  for (double& x : log.position) {
    x = 1e9 + 1e-3 * x;
  }
  EXPECT_THAT(complaint(of(log)), HasSubstr("too little to distinguish from rounding"));
}

TEST(BadNumbers, TablesThatSayTooLittleAreRefused) {
  Sweep sweep = table(rising, rising, 2, 1e-3);
  std::fill(sweep.velocity.begin(), sweep.velocity.end(), 0.1);
  EXPECT_THAT(complaint(of(sweep)), HasSubstr("at 1 speeds"));
  sweep = table(rising, rising, 2, 1e-3);
  std::fill(sweep.velocity.begin(), sweep.velocity.end(), 0);
  EXPECT_THAT(complaint(of(sweep)), HasSubstr("has 0 rows that move"));
  sweep = table(rising, rising, 2, 1e-3);
  std::fill(sweep.torque.begin(), sweep.torque.end(), 0);
  EXPECT_THAT(complaint(of(sweep)), HasSubstr("the torque is 0 throughout"));
  sweep = table(rising, rising, 2, 1e-3);
  for (double& torque : sweep.torque) {
    torque = -torque;
  }
  EXPECT_THAT(complaint(of(sweep)), HasSubstr("opposite signs in 80 of 80 rows"));
  sweep = table(rising, rising, 2, 1e-3, 4);
  sweep.deviation.clear();
  EXPECT_THAT(complaint(of(sweep)), HasSubstr("too few points to estimate their noise"));
}

TEST(BadNumbers, OptionsAreChecked) {
  const Data data = of(forced(1000, 0.3));
  EXPECT_THAT(complaint(data, {.model = "lugre", .max_samples = 0}), HasSubstr("max_samples = 0: must be at least"));
  EXPECT_THAT(complaint(data, {.model = "lugre", .mass = std::nan("")}), HasSubstr("mass = nan: must be > 0"));
  EXPECT_THAT(complaint(data, {.model = "lugre", .mass = 1e300}), HasSubstr("mass = 1e+300: must be"));
  EXPECT_THAT(complaint(data, {.model = "lugre", .stribeck_exponent = std::nan("")}), HasSubstr("stribeck_exponent"));
}

TEST(LongLogs, ThatMoveOnlyWhereTheTorqueIsConstantAreRefused) {
  Recording log{"long", {}, {}, {}, Recording::Reference::none, {}};
  for (int k = 0; k < 4000; ++k) {
    log.time.push_back(1e-3 * k);
    log.torque.push_back(k / 1000 % 2);  // constant in every part that is fitted
    log.position.push_back(std::sin(0.1 * k));
  }
  EXPECT_THAT(complaint(of(log), {.model = "lugre", .max_samples = 1000}), HasSubstr("both torque and position"));
}

TEST(LongLogs, ManyShortRecordingsAreKept) {
  Data data;
  for (int i = 0; i < 8; ++i) {
    data.recordings.push_back(forced(1000, 0.3));
  }
  const Fit found = [&] {
    Options options{.model = "stribeck", .max_samples = 1000, .held_out = false};
    return identify::identify(data, options).front();
  }();
  EXPECT_EQ(found.channels.size(), 8);
}

// Fits that must not be accepted --------------------------------------------------------------------------------------

TEST(SteadyTable, ThatMissesTheCurveByMoreThanItsNoiseIsRefused) {
  // Within 2 % of the friction, but far beyond the noise: another exponent, on both sides.
  for (const bool stated : {true, false}) {
    Sweep sweep = table(rising, falling, 1, 2e-3);
    if (!stated) {
      sweep.deviation.clear();
    }
    EXPECT_THAT(fit(of(sweep), "asymmetric-stribeck", 2).refusal, HasSubstr("does not explain the steady friction"))
        << stated;
  }
}

// The wrong exponent, from far beyond the noise to below it.
TEST(SteadyTable, ThatIsOffByMoreThanChanceIsRefusedOrNoted) {
  int noted = 0;
  for (const char* model : {"stribeck", "asymmetric-stribeck"}) {
    for (double noise = 1e-5; noise < 0.05; noise *= 1.3) {
      const bool symmetric = model == std::string("stribeck");
      const Fit found = fit(of(table(rising, symmetric ? rising : falling, 1.6, noise)), model);
      const double numbers = symmetric ? 4 : 8;
      double squares = 0;
      double points = 0;
      for (const auto& point : found.steady) {
        squares += point.used ? square((point.torque - point.predicted) / noise) : 0;
        points += point.used ? 1 : 0;
      }
      const double excess = std::sqrt(squares / (points - numbers));
      if (excess > 1.01 * (1 + 4 / std::sqrt(2 * (points - numbers))) && found.refusal.empty()) {
        EXPECT_THAT(found.warnings, testing::Contains(HasSubstr("the residual of the steady friction is")))
            << model << excess;
        ++noted;
      }
    }
  }
  EXPECT_GT(noted, 4);
}

TEST(SteadyTable, AsymmetricCurveKeepsAllItsPoints) {
  for (const bool stated : {true, false}) {
    Sweep sweep = table(rising, falling, 1, 2e-3);
    if (!stated) {
      sweep.deviation.clear();
    }
    const Fit found = fit(of(sweep), "asymmetric-stribeck", 1);
    EXPECT_THAT(found.refusal, IsEmpty()) << stated;
    EXPECT_TRUE(std::all_of(found.steady.begin(), found.steady.end(), [](const auto& point) { return point.used; }));
    EXPECT_NEAR(value(found, "static_force_plus"), rising.peak, 0.01 * rising.peak);
    EXPECT_NEAR(value(found, "static_force_minus"), falling.peak, 0.01 * falling.peak);
  }
}

TEST(SteadyTable, AtMostAFifthIsLeftOut) {
  // Half of the points fall towards rest: that is no accident of the slowest, and no Stribeck curve.
  Sweep sweep = table(rising, rising, 2, 1e-3);
  for (std::size_t k = 0; k < 40; ++k) {
    sweep.torque[k] *= 0.2 + 0.02 * static_cast<double>(k);
  }
  const Fit found = fit(of(sweep), "stribeck");
  EXPECT_THAT(found.refusal, HasSubstr("does not explain the steady friction"));
  EXPECT_TRUE(std::all_of(found.steady.begin(), found.steady.end(), [](const auto& point) { return point.used; }));
}

TEST(SteadyTable, NoiseIsSeenInTheScatter) {
  for (const double noise : {1e-4, 1e-3, 1e-2}) {
    const auto seen = identify::noise_of(table(rising, falling, 1, noise));
    ASSERT_TRUE(seen);
    EXPECT_GT(*seen, 0.6 * noise);
    EXPECT_LT(*seen, 1.6 * noise);
  }
  Sweep few = table(rising, rising, 2, 1e-3, 4);
  EXPECT_FALSE(identify::noise_of(few));
  const Sweep again = table(rising, rising, 2, 1e-3, 4);
  for (int round = 0; round < 3; ++round) {  // velocities that were measured again
    few.velocity.insert(few.velocity.end(), again.velocity.begin(), again.velocity.end());
    for (const double torque : again.torque) {
      few.torque.push_back(torque + 1e-2 * std::cos(3.7 * static_cast<double>(few.torque.size())));
    }
  }
  const auto seen = identify::noise_of(few);
  ASSERT_TRUE(seen);
  EXPECT_GT(*seen, 3e-3);
  EXPECT_LT(*seen, 2e-2);
}

TEST(SensorNoise, IsNotTakenFromAFastMotion) {
  const auto normal = test::normal_numbers(3);
  for (const double samples_per_period : {8.0, 10.0, 30.0, 1000.0}) {
    std::vector<double> signal;
    for (int k = 0; k < 4000; ++k) {
      signal.push_back(std::sin(6.283 * k / samples_per_period) + 0.01 * normal());
    }
    EXPECT_NEAR(identify::noise_of(signal), 0.01, 0.0025) << samples_per_period;
  }
}

// A Dahl spring that something else moves to and fro. The torque has next to no noise: it must not be blamed.
TEST(ImposedMotion, OfADahlSpringIsRightOrRefusedForATrueReason) {
  const Axis axis = test::dahl_axis(0.0023, 260, 0.28, 1);
  for (const double rate : {200.0, 1000.0}) {
    Recording log{"imposed", {}, {}, {}, Recording::Reference::none, {}};
    const double w = 6;
    for (int k = 0; k < 1500; ++k) {
      log.time.push_back(k / rate);
      log.position.push_back(0.05 * (1 - std::cos(w * k / rate)));
    }
    log.torque = test::friction_along(
        axis, [w](double t) { return 0.05 * w * std::sin(w * t); }, 0.05 * w, log.time);
    const auto normal = test::normal_numbers(5);
    for (std::size_t k = 0; k < log.time.size(); ++k) {
      log.position[k] += 1e-6 * normal();
      log.torque[k] += 1e-6 * normal();
    }
    const Fit found = fit(of(log), "dahl");
    if (found.refusal.empty()) {
      EXPECT_NEAR(value(found, "stiffness"), 260, 13);
      EXPECT_NEAR(value(found, "coulomb_force"), 0.28, 0.01);
    }
    EXPECT_THAT(found.refusal, Not(HasSubstr("torque's noise"))) << rate;
  }
}

// Bounds --------------------------------------------------------------------------------------------------------------

TEST(Effort, OfAutoOnAHardLogIsBounded) {
  Recording log = test::motion({}, {.position = 5e-6, .torque = 2e-2}, {.duration = 3});
  log.reference = Recording::Reference::none;
  std::size_t steps = 0;
  for (const Fit& found : identify::identify(of(log), {})) {
    steps += found.steps;
  }
  EXPECT_LT(steps, 1.1 * 16e6);
}

TEST(Effort, MayBeStoppedBeforeTheSearchBegins) {
  const Data data = of(forced(1000, 0.3, 2000));
  struct Stopped {};
  int calls = 0;
  Options options{.model = "gms"};
  options.progress = [&](double fraction) {
    EXPECT_GE(fraction, 0);
    EXPECT_LE(fraction, 1);
    if (++calls == 3) {
      throw Stopped();
    }
  };
  EXPECT_THROW(identify::identify(data, options), Stopped);
  EXPECT_EQ(calls, 3);
}

TEST(Effort, WhatAThreadThrowsIsThrownOnce) {
  EXPECT_THROW(identify::in_parallel(8,
                                     [](std::size_t i) {
                                       if (i % 2 == 1) {
                                         throw std::runtime_error("of a job");
                                       }
                                     }),
               std::runtime_error);
}

TEST(SilentLog, NothingIsWrittenToStderr) {
  testing::internal::CaptureStderr();
  fit(of(forced(10, 0.3)), "lugre");
  fit(of(forced(20, 0.1)), "gms");
  Sweep sweep = table(rising, rising, 2, 1e-3);
  sweep.torque[3] = 1e14;
  fit(of(sweep), "lugre");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace stiction
