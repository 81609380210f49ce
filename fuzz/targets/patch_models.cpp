// Bristles on a patch, many or reduced to three states: bounded for every step, whatever the twist.
#include "fuzz/patch_inputs.h"
#include "stiction/planar/distributed.h"
#include "stiction/planar/reduced.h"

namespace planar = stiction::planar;
using stiction::fuzz::is_finite;

namespace {

template <class Surface>
void run_reduced(const planar::Reduced<Surface>& model, stiction::fuzz::Bytes bytes) {
  typename planar::Reduced<Surface>::State state;
  for (int i = 0; i < 20 && !bytes.empty(); ++i) {
    const auto twist = stiction::fuzz::twist_from(bytes, 1e3);
    const double normal_force = std::abs(bytes.finite_number(1e6));
    const double dt = std::abs(bytes.finite_number(1e3));
    const auto next = model.step(state, twist, normal_force, dt);
    state = next.state;
    FUZZ_REQUIRE(is_finite(next.wrench));
    // z follows h/σ₀ with |(h_x, h_y)| ≤ 1 and |h| ≤ √2. A LuGre bristle stays between where it is and where it is
    // drawn; an elasto-plastic one is elastic on its way from one direction to another, and bounded by its length
    // alone.
    const double z_max = model.params().friction.static_level / model.params().friction.stiffness;
    const double r = model.params().pressure.torque_radius;
    const double turn = r > 0 ? state.rotation / r : 0;
    FUZZ_REQUIRE(std::hypot(state.x, state.y, turn) <= std::sqrt(2.0) * z_max * (1 + 1e-6));
    FUZZ_REQUIRE(model.params().friction.elasto_plastic || std::hypot(state.x, state.y) <= z_max * (1 + 1e-6));
    FUZZ_REQUIRE(std::isfinite(state.rotation));
  }
}

void run_distributed(const planar::Distributed& model, stiction::fuzz::Bytes bytes) {
  std::vector<double> state(model.state_size());
  for (int i = 0; i < 20 && !bytes.empty(); ++i) {
    const auto twist = stiction::fuzz::twist_from(bytes, 1e3);
    const double normal_force = std::abs(bytes.finite_number(1e6));
    const double dt = std::abs(bytes.finite_number(1e3));
    FUZZ_REQUIRE(is_finite(model.step(state, twist, normal_force, dt)));
    const double most = model.params().friction.static_level / model.params().friction.stiffness;
    for (std::size_t k = 0; k < model.size(); ++k) {
      FUZZ_REQUIRE(std::hypot(state[k], state[k + model.size()]) <= most * (1 + 1e-6));
    }
  }
}

}  // namespace

FUZZ_TARGET(patch_models)(std::span<const std::uint8_t> input) {
  stiction::fuzz::Bytes bytes(input);
  const auto patch = stiction::fuzz::patch_from(bytes);
  const auto friction = stiction::fuzz::patch_friction_from(bytes);
  const std::size_t cells = bytes.below(8);
  if (!patch || patch->radius() > 1e6) {
    return;
  }
  using stiction::InvalidParameter;
  using stiction::fuzz::accepted;
  accepted<InvalidParameter>([&] { run_distributed(planar::Distributed::make({friction, *patch}), bytes); });
  accepted<InvalidParameter>([&] {
    run_reduced(planar::Reduced<planar::Ellipsoid>::make({friction, patch->pressure_moments(), planar::Ellipsoid{}}),
                bytes);
  });
  accepted<InvalidParameter>([&] {
    run_reduced(planar::Reduced<planar::SurfaceTable>::make(
                    {friction, patch->pressure_moments(), planar::SurfaceTable(*patch, cells)}),
                bytes);
  });
}
