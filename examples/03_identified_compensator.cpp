// From a log to a better servo: reads the model.toml that `stiction identify` wrote, builds a compensator from it, and
// follows a sine with a servo whose friction the program does not know otherwise. Prints the tracking error with and
// without compensation.
//   03_identified_compensator [model.toml]
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>

#include "stiction/control/any_compensator.h"
#include "stiction/control/encoder.h"
#include "stiction/control/pid.h"
#include "stiction/control/velocity_estimator.h"
#include "stiction/io/model_file.h"
#include "stiction/scalar/presets.h"
#include "stiction/sim/sampled.h"

namespace control = stiction::control;
namespace preset = stiction::scalar::preset;
using stiction::scalar::LuGre;

namespace {

struct Error {
  double rms = 0, largest = 0;  // [rad]
};

/// Follows sin t for three periods; the error is that of the last two.
Error follow(const stiction::io::ModelFile& identified, bool compensate) {
  constexpr double dt = 1e-3;
  constexpr double settled = 6.3;  // [s]
  constexpr double end = 18.85;
  const double inertia = identified.mass.value();
  const auto encoder = control::Encoder::make({.counts = 20000});
  auto estimator = control::VelocityEstimator::make({.corner = 300});
  auto pid = control::Pid::make(
      {.proportional = 6.21, .integral = 62.1, .derivative = 0.207, .min_output = -2, .max_output = 2});
  control::AnyCompensator compensator(identified.model);  // whatever model was identified
  stiction::sim::SampledBody<LuGre> servo{preset::olsson_table2(), preset::olsson_table2_mass};  // the hardware

  double sum = 0;
  int count = 0;
  Error error;
  for (int i = 0; i * dt < end; ++i) {
    const double t = i * dt;
    const double position = encoder.read(servo.state.position);
    const double velocity = estimator.step(position, dt);
    // Friction along the wanted motion: no noise, no delay.
    const double friction = compensator.step(std::cos(t), dt);
    const double feed_forward = inertia * -std::sin(t) + (compensate ? friction : 0);
    servo.hold(pid.step(std::sin(t) - position, std::cos(t) - velocity, feed_forward, dt), dt);
    if (t > settled) {
      const double off = std::abs(servo.state.position - std::sin(t + dt));
      error.largest = std::max(error.largest, off);
      sum += off * off;
      ++count;
    }
  }
  error.rms = std::sqrt(sum / count);
  return error;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const auto identified = stiction::io::read_model_file(argc > 1 ? argv[1] : SERVO_MODEL);
    if (!identified.mass) {
      std::fprintf(stderr, "the file has no [body] with a mass\n");
      return 2;
    }
    const Error without = follow(identified, false);
    const Error with = follow(identified, true);
    std::printf("without compensation: %5.2f mrad rms, %5.2f mrad at most\n", 1e3 * without.rms, 1e3 * without.largest);
    std::printf("with compensation:    %5.2f mrad rms, %5.2f mrad at most\n", 1e3 * with.rms, 1e3 * with.largest);
    return with.rms < without.rms / 3 ? 0 : 1;
  } catch (const std::exception& error) {  // a file that cannot be read: one line that says why
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
