// Every model header in a program without exceptions and without run-time type information.
#include "all_scalar_headers.h"

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
  return force > 0.999F && force < 1.001F ? 0 : 3;
}
