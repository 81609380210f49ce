// Dither and knocker: the effect of small oscillating forces on stiction.
#include "stiction/control/dither.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <functional>
#include <numbers>

#include "../lab.h"
#include "statistics.h"
#include "stiction/control/pid.h"
#include "stiction/scalar/presets.h"
#include "stiction/sim/sampled.h"

namespace stiction::lab::control_dither {
namespace {

using control::Knocker;
using control::SineDither;
using control::SquareDither;
constexpr double inertia = scalar::preset::olsson_table2_mass;

/// The mean velocity of 1 kg with a Coulomb friction of 1 N under a load and a strong dither of 100 Hz [m/s].
template <class Dither>
double drift(double load, double amplitude, double period, int steps) {
  sim::SampledBody<scalar::Coulomb> body{scalar::Coulomb::make({.coulomb_force = 1})};
  auto dither = Dither::make({.amplitude = amplitude, .period = period});
  const double h = period / steps;
  const int settle = 100 * steps;
  double start = 0;
  for (int i = 0; i < 3 * settle; ++i) {
    start = i == settle ? body.state.position : start;
    body.hold(load + dither.step(h), h);
  }
  return (body.state.position - start) / (2 * settle * h);
}

/// The load at which the servo of Table 2 starts to turn, under a square dither of 100 Hz [N m]: a slow ramp, until it
/// has turned by 0.01 rad in half a second.
double breakaway_under(double amplitude, double duration) {
  constexpr double period = 0.01;
  constexpr double h = period / 40;
  constexpr double last = 0.4;  // [N m]
  sim::SampledBody<scalar::LuGre> body{scalar::preset::olsson_table2(), inertia};
  auto dither = SquareDither::make({.amplitude = amplitude, .period = period});
  const auto half_second = static_cast<int>(std::lround(0.5 / h));
  double before = 0;
  double load = 0;
  for (int i = 1; i <= std::lround(duration / h); ++i) {
    load = last * i * h / duration;
    body.hold(load + dither.step(h), h);
    if (i % half_second == 0) {
      if (body.state.position - before > 0.01) {
        break;
      }
      before = body.state.position;
    }
  }
  return load;
}

/// A step of 30 mrad for a servo with PD control whose force there does not break it away.
struct StepResponse {
  std::vector<double> time, position;  // [s], [mrad]
  double error = 0;                    // rms over the last half [mrad]
};
StepResponse step_response(const std::function<double(double control, double h)>& dither, double duration) {
  constexpr double goal = 0.03;
  constexpr double h = 5e-4;
  sim::SampledBody<scalar::LuGre> body{scalar::preset::olsson_table2(), inertia};
  auto pid = control::Pid::make({.proportional = 6.21, .derivative = 0.207});
  StepResponse response;
  std::vector<double> late;
  for (int i = 0; i < std::lround(duration / h); ++i) {
    const double error = goal - body.state.position;
    const double u = pid.step(error, -body.state.velocity, h);
    body.hold(u + dither(u, h), h);
    if (i % 20 == 0) {
      response.time.push_back(i * h);
      response.position.push_back(1e3 * body.state.position);
    }
    if (i * h > duration / 2) {
      late.push_back(1e3 * error);
    }
  }
  response.error = rms(late);
  return response;
}

}  // namespace

Result run(const Context& context) {
  Result result;
  const int steps = context.quick ? 200 : 1000;
  constexpr double amplitude = 20;
  constexpr double period = 0.01;
  // Swing of the velocity under the dither alone: A/(m ω), and A T/(4 m).
  const double sine_swing = amplitude * period / (2 * std::numbers::pi);
  const double square_swing = amplitude * period / 4;
  for (const double load : {0.25, 0.5, 0.75}) {
    context.step(load / 4);
    const double sine = drift<SineDither>(load, amplitude, period, steps) / sine_swing;
    const double square = drift<SquareDither>(load, amplitude, period, steps) / square_swing;
    // Mean friction at a velocity v below the swing V: (2/π) F_C asin(v/V), and F_C v/V.
    result.claims.push_back(within(
        fmt::format("Coulomb, load {:g} F_C, sine: drift over the swing of the velocity", load),
        from_theory("mean friction (2/π) F_C asin(v/V)"), std::sin(std::numbers::pi / 2 * load), sine, 0.015, "-"));
    result.claims.push_back(
        within(fmt::format("Coulomb, load {:g} F_C, square: drift over the swing of the velocity", load),
               from_theory("mean friction F_C v/V"), load, square, 0.015, "-"));
  }
  const double held = std::abs(drift<SineDither>(0.75, 0, period, steps));
  result.claims.push_back(at_most("Coulomb, load 0.75 F_C, no dither: drift", from_theory("it holds"), 0, held, "m/s"));

  std::vector<double> amplitudes;
  std::vector<double> breakaways;
  for (const double a : {0.0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.7, 1.0}) {
    context.step(0.25 + 0.5 * a);
    amplitudes.push_back(a);
    breakaways.push_back(breakaway_under(a, context.quick ? 20 : 80));
  }
  result.claims.push_back(
      within("LuGre, no dither: load at break-away", from_theory("F_S"), 0.33, breakaways[0], 0.01, "N m"));
  result.claims.push_back(at_most("LuGre, dither of 0.3 F_S: load that makes it turn, over that without",
                                  printed("Section 6: the body moves before the stiction level is reached"), 0.5,
                                  breakaways[2] / breakaways[0], "-"));
  result.claims.push_back(at_most("LuGre, dither of 3 F_S: the same",
                                  printed("Section 6: the effect is similar to removing the stiction"), 0.1,
                                  breakaways.back() / breakaways[0], "-"));

  context.step(0.8);
  const double duration = context.quick ? 10 : 40;
  auto sine = SineDither::make({.amplitude = 0.5, .period = period});
  auto square = SquareDither::make({.amplitude = 0.5, .period = period});
  auto knocker = Knocker::make({.amplitude = 0.6, .period = 0.1, .width = 0.01});
  const auto none = step_response([](double, double) { return 0.0; }, duration);
  const auto with_sine = step_response([&](double, double h) { return sine.step(h); }, duration);
  const auto with_square = step_response([&](double, double h) { return square.step(h); }, duration);
  const auto with_knocker = step_response([&](double u, double h) { return knocker.step(u, h); }, duration);
  result.claims.push_back(at_least("servo, no dither: error over the step", from_theory("K_p e < F_S: it sticks"), 0.9,
                                   none.error / 30, "-"));
  result.claims.push_back(at_most("servo, sine: error over that without",
                                  printed("Section 6: the body moves before the stiction level is reached"), 0.05,
                                  with_sine.error / none.error, "-"));
  result.claims.push_back(at_most("servo, square: error over that without",
                                  printed("Section 6: the body moves before the stiction level is reached"), 0.05,
                                  with_square.error / none.error, "-"));
  result.claims.push_back(at_most("servo, knocker: error over that without",
                                  printed("Section 6: the Knocker, a modern version of dither"), 0.25,
                                  with_knocker.error / none.error, "-"));

  result.notes =
      "A dither that swings the velocity through zero turns friction that jumps into friction that rises with the mean "
      "velocity: as an arc sine for a sine, as a straight line for a square wave. A load far below break-away then "
      "moves "
      "the body. LuGre gives way to a dither that would not break it away by itself: its bristle ratchets. A servo "
      "that sticks 29 mrad before its goal arrives with dither, within the ripple that the dither makes; a knocker "
      "pushes for a tenth of the time, and ends in a cycle of 4 mrad to either side.";
  result.tables = {{"breakaway", {{"amplitude [N m]", amplitudes}, {"load at break-away [N m]", breakaways}}, true},
                   {"servo",
                    {{"time [s]", none.time},
                     {"no dither [mrad]", none.position},
                     {"sine [mrad]", with_sine.position},
                     {"square [mrad]", with_square.position},
                     {"knocker [mrad]", with_knocker.position}}}};
  result.figures = {
      {"breakaway",
       "Break-away against the amplitude of a square dither",
       "amplitude [N m]",
       "load at break-away [N m]",
       {{"breakaway", 0, 1, "LuGre, Table 2", "linespoints"}}},
      {"servo",
       "A step of 30 mrad that friction holds back",
       "time [s]",
       "position [mrad]",
       {{"servo", 0, 1, "no dither"}, {"servo", 0, 2, "sine"}, {"servo", 0, 3, "square"}, {"servo", 0, 4, "knocker"}}}};
  return result;
}

}  // namespace stiction::lab::control_dither
