#include "velocity_loop.h"

#include <array>
#include <cmath>
#include <complex>
#include <numbers>

#include "statistics.h"
#include "stiction/control/compensator.h"
#include "stiction/control/lugre_observer.h"
#include "stiction/control/pid.h"
#include "stiction/scalar/viscous.h"
#include "stiction/sim/sampled.h"

namespace stiction::lab {
namespace {

constexpr double amplitude = 0.2126989264978395;
constexpr double band = 0.728;        // [rad/s]
constexpr double saturation = 0.005;  // v_sat of the Coulomb compensation

/// Frequency [rad/s] and phase [rad] of the disturbance, as the independent solution of Table 1 has them.
constexpr std::array<std::array<double, 2>, 60> given{{
    {0.0079450545391589102, 5.3051017314285174}, {0.017717609748151238, 0.14779462368668955},
    {0.032868189554138075, 4.1100194302493058},  {0.04068928876338921, 5.1803060275951873},
    {0.05587474483594506, 3.265980404839242},    {0.07040632787234008, 1.2896340972898961},
    {0.078311907930022087, 6.0851020929530897},  {0.089651494140524049, 5.630652845319239},
    {0.10782830039711878, 2.09398776327069},     {0.11189243539111071, 4.9653143494432745},
    {0.12950948935563913, 0.87544324251916328},  {0.14353408831560882, 5.1536192690527596},
    {0.14855668156653631, 0.89741918532772535},  {0.16394733059128391, 1.3193199443877319},
    {0.17350752264533714, 0.70841325228725871},  {0.1872968538101536, 0.11268788579491593},
    {0.1975171127521273, 4.1927507990466202},    {0.21014755378264199, 0.75873220587294299},
    {0.22121837472907266, 0.94593239645707061},  {0.23481734077148034, 3.7908310700401797},
    {0.24627360601316942, 6.062653864602181},    {0.26226525300640458, 0.85476334178158631},
    {0.26925762421681082, 1.1654077805768939},   {0.28823495123379173, 6.1829420880249835},
    {0.29828241110460041, 3.91923748194549},     {0.30604332563898101, 5.320089946701497},
    {0.32606696692388004, 2.306255883523483},    {0.33575640011155788, 1.8902663646240361},
    {0.35100539413111381, 3.0902362189865156},   {0.36148506981564721, 1.7540202538750336},
    {0.37478433404146727, 6.0659554165881495},   {0.38583132264504777, 2.9454844733589804},
    {0.39404623940650313, 1.6244065419146163},   {0.40949969276823045, 2.4289392069816249},
    {0.41976041780902262, 5.1943001591951363},   {0.43217402299905006, 1.6480588857946394},
    {0.44369081701184881, 0.17026596212667905},  {0.45274611666953096, 3.8788083938204272},
    {0.47239108665305629, 0.80736669573590725},  {0.47741642315392357, 0.081549310293273627},
    {0.49500452739201328, 5.927511983516899},    {0.50176662171231956, 6.0101642641684867},
    {0.51018389495063365, 0.92505661176475984},  {0.5268625197220479, 2.5455568745238208},
    {0.54127115593314279, 0.84871551543796575},  {0.54978764487003562, 5.2758477979757359},
    {0.56957699449807087, 4.9672302578174801},   {0.57403443206833649, 1.8820621532524515},
    {0.59057055737549191, 0.71327241880860359},  {0.59856200123014314, 3.5581908286370991},
    {0.6071978926966316, 5.9532554265876554},    {0.61995591252186544, 3.6195442445573018},
    {0.63909972661672843, 6.1123674361925584},   {0.64465040978551702, 6.1633740139675508},
    {0.6606824735797745, 1.6496597875130166},    {0.67443166271726041, 0.03930870923594245},
    {0.68591590254344537, 2.7200518480316904},   {0.69818699562517494, 1.7782821393391361},
    {0.71435286197526315, 4.8080844070349888},   {0.72032888018952634, 0.41257368515525367},
}};

}  // namespace

scalar::LuGre table1_friction() {
  return scalar::LuGre({.stiffness = 19.6,
                        .damping = 5.75,
                        .coulomb_force = 1,
                        .static_force = 1.18,
                        .stribeck_velocity = 0.015,
                        .viscous = 1});
}

std::vector<Cosine> table1_disturbance() {
  std::vector<Cosine> cosines;
  for (const auto& [frequency, phase] : given) {
    cosines.push_back({amplitude, frequency, phase});
  }
  return cosines;
}

std::vector<Cosine> disturbance_like_table1(std::uint64_t seed) {
  Random random(seed);
  std::vector<Cosine> cosines;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const double frequency = band * (static_cast<double>(i) + random.uniform()) / static_cast<double>(given.size());
    cosines.push_back({amplitude, frequency, 2 * std::numbers::pi * random.uniform()});
  }
  return cosines;
}

Disturbance sampled(const std::vector<Cosine>& cosines, double step) {
  Disturbance result{std::vector<double>(static_cast<std::size_t>(std::lround(table1_duration / step)) + 1), 0, step};
  for (const auto& [size, frequency, phase] : cosines) {
    result.first_slope -= size * frequency * std::sin(phase);
    std::complex<double> now = std::polar(size, phase);
    const std::complex<double> rotation = std::polar(1.0, frequency * step);
    for (double& value : result.values) {
      value += now.real();
      now *= rotation;
    }
  }
  return result;
}

namespace {

template <class Friction>
VelocityTrace run_on(const Friction& friction, const typename Friction::State& start, const VelocityLoop& loop,
                     const Disturbance& disturbance) {
  const double h = disturbance.step;
  const double first = -disturbance.values[0];
  sim::SampledBody<Friction> body{friction, 1, {.velocity = first, .friction = start}};
  auto pid = control::Pid::make({.proportional = table1_proportional, .integral = table1_integral});
  auto coulomb =
      control::CoulombCompensator::make(scalar::Coulomb::make({.coulomb_force = loop.model.curve.coulomb_force}),
                                        {.scale = loop.scale, .saturation_velocity = saturation});
  auto observer = control::LuGreObserver::make(loop.model, {.gain = loop.gain, .scale = loop.scale});
  observer.state.bristle = loop.model.steady_state(first).bristle;
  const auto estimate = [&](double v, double y, double dt) {
    switch (loop.compensation) {
      case Compensation::coulomb:
        return coulomb.step(v, dt);
      case Compensation::lugre:
        return observer.step(v, y, dt);
      default:
        return 0.0;
    }
  };
  // u − F = −dn/dt at the start
  pid.state.integral = friction.force(start, first) - disturbance.first_slope - estimate(first, 0, 0);

  VelocityTrace trace;
  for (std::size_t i = 0; i < disturbance.values.size(); ++i) {
    const double v = body.state.velocity;
    const double y = v + disturbance.values[i];
    const double compensation = estimate(v, y, i == 0 ? 0 : h);
    const double u = pid.step(-y, 0, compensation, h);
    trace.time.push_back(static_cast<double>(i) * h);
    trace.velocity.push_back(v);
    trace.error.push_back(y);
    trace.linear.push_back(u - compensation);
    trace.friction.push_back(friction.force(body.state.friction, v));
    body.hold(u, h);
  }
  return trace;
}

}  // namespace

VelocityTrace run(const VelocityLoop& loop, const Disturbance& disturbance) {
  if (loop.friction) {
    return run_on(*loop.friction, loop.friction->steady_state(-disturbance.values[0]), loop, disturbance);
  }
  return run_on(scalar::Viscous::make({.viscous = 0}), {}, loop, disturbance);
}

}  // namespace stiction::lab
