// Every header of models and control in a program without exceptions and without run-time type information.
#include "all_headers.h"

#if defined(__cpp_exceptions) || defined(__cpp_rtti)
#error "this file stands for firmware"
#endif

int main() {
  using LuGre = stiction::scalar::BasicLuGre<float>;
  LuGre::Params params{};
  params.stiffness = 1e5F;
  params.damping = 300;
  params.coulomb_force = 1;
  params.static_force = 0.5F;
  params.stribeck_velocity = 1e-3F;
  if (!LuGre::check(params)) {
    return 1;
  }
  params.static_force = 1.5F;
  if (LuGre::check(params)) {
    return 2;
  }
  const LuGre model(params);
  LuGre::State state;
  float force = 0;
  for (int i = 0; i < 1000; ++i) {
    const auto stepped = model.step(state, 0.01F, 1e-3F);
    state = stepped.state;
    force = stepped.force;
  }
  if (!(force > 0.999F && force < 1.001F)) {
    return 3;
  }

  // A compensated loop, as it would run in a drive.
  using Adaptive = stiction::control::BasicAdaptiveCompensator<float>;
  Adaptive::Params settings{};
  settings.mass = 0;
  if (!Adaptive::check(settings)) {
    return 4;
  }
  settings.mass = 1;
  settings.adaptation = 1e6F;
  settings.gain = 0.1F;
  Adaptive compensator(model, settings);
  stiction::control::BasicVelocityEstimator<float> estimator({300});
  stiction::control::BasicPid<float> pid({10, 1, 1});
  float applied = 0;
  for (int i = 0; i < 1000; ++i) {
    const float position = 1e-5F * static_cast<float>(i);
    const float velocity = estimator.step(position, 1e-3F);
    const float friction = compensator.step(velocity, 0, applied, 1e-3F);
    applied = pid.step(0, 0, friction, 1e-3F);
  }
  return applied > 0.9F && applied < 1.1F ? 0 : 5;
}
