// The C interface of patches: every call returns a status it has; what is made of finite numbers gives finite wrenches.
#include <vector>

#include "fuzz/c_status.h"

using stiction::fuzz::Bytes;
using stiction::fuzz::checked;

namespace {

stiction_patch* make_patch(Bytes& bytes) {
  std::array<double, 16> x{};
  std::array<double, 16> y{};
  std::array<double, 16> share{};
  const std::size_t n = bytes.below(17);
  for (std::size_t i = 0; i < n; ++i) {
    x[i] = bytes.any_number();
    y[i] = bytes.any_number();
    share[i] = std::abs(bytes.any_number());
  }
  stiction_patch* patch = nullptr;
  const bool points = bytes.flag();
  const double corner = bytes.any_number();
  const int status = points
                         ? stiction_patch_from_points(x.data(), y.data(), share.data(), n, &patch)
                         : stiction_patch_from_grid(share.data(), n / 2, n < 2 ? 0 : 2, corner, 0, x[0], y[0], &patch);
  FUZZ_REQUIRE((checked(status) == STICTION_OK) == (patch != nullptr));
  return patch;
}

stiction_patch_friction friction_from(Bytes& bytes) {
  auto friction = stiction_patch_friction_default();
  for (double* field :
       {&friction.stiffness, &friction.damping, &friction.viscous, &friction.coulomb, &friction.static_level,
        &friction.stribeck_exponent, &friction.stribeck_velocity, &friction.elastic_share}) {
    *field = bytes.flag() ? bytes.any_number() : *field;
  }
  friction.elasto_plastic = bytes.byte() % 2;
  return friction;
}

}  // namespace

FUZZ_TARGET(c_api_planar)(std::span<const std::uint8_t> input) {
  Bytes bytes(input);
  stiction_patch* patch = make_patch(bytes);
  if (patch == nullptr) {
    return;
  }
  stiction_patch_sizes sizes{};
  checked(stiction_patch_sizes_of(patch, &sizes));
  FUZZ_REQUIRE(std::isfinite(sizes.radius) && sizes.radius >= 0 && std::isfinite(sizes.mean_square_radius));
  const auto friction = friction_from(bytes);
  stiction_reduced* reduced = nullptr;
  stiction_bristles* bristles = nullptr;
  checked(stiction_reduced_create(&friction, patch, bytes.below(8), &reduced));
  checked(stiction_bristles_create(&friction, patch, &bristles));
  stiction_reduced_state state{};
  std::vector<double> deflections(stiction_bristles_count(bristles));
  for (int i = 0; i < 30 && !bytes.empty(); ++i) {
    const stiction_twist twist{bytes.any_number(), bytes.any_number(), bytes.any_number()};
    const stiction_wrench load{bytes.any_number(), bytes.any_number(), bytes.any_number()};
    const double normal_force = bytes.any_number();
    const double dt = bytes.any_number();
    stiction_wrench wrench{};
    stiction_slip slip{};
    if (checked(stiction_patch_slip(patch, &load, normal_force, &slip)) == STICTION_OK) {
      const bool finite = std::isfinite(load.x) && std::isfinite(load.y) && std::isfinite(load.torque);
      FUZZ_REQUIRE(finite || std::isnan(slip.factor));
    }
    checked(stiction_patch_wrench(patch, &twist, &wrench));
    if (reduced != nullptr) {
      checked(stiction_reduced_step(reduced, &state, &twist, normal_force, dt, &wrench));
    }
    if (bristles != nullptr) {
      checked(stiction_bristles_step(bristles, deflections.data(), &twist, normal_force, dt, &wrench));
    }
  }
  stiction_bristles_free(bristles);
  stiction_reduced_free(reduced);
  stiction_patch_free(patch);
}
