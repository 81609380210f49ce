// Patches of any numbers: shares, limit surface and slip. What is accepted lies within its bounds.
#include "fuzz/patch_inputs.h"
#include "stiction/planar/limit_surface.h"
#include "stiction/planar/slip.h"

namespace planar = stiction::planar;
using stiction::fuzz::is_finite;

namespace {

/// No friction force is larger than μ f_N = 1, and no torque than that at the farthest point.
void check_limit_surface(const planar::Patch& patch, const planar::Twist& twist) {
  for (const auto rule : {planar::Rule::exact, planar::Rule::midpoint, planar::Rule::bilinear}) {
    const auto wrench = planar::coulomb_wrench(patch, twist, rule);
    FUZZ_REQUIRE(is_finite(wrench));
    if (rule != planar::Rule::bilinear) {
      FUZZ_REQUIRE(std::hypot(wrench.x, wrench.y) <= 1 + 1e-6);
      FUZZ_REQUIRE(std::abs(wrench.torque) <= patch.radius() * (1 + 1e-6));
    }
  }
}

void check_slip(const planar::Patch& patch, const planar::Wrench& load, double friction) {
  const auto slip = planar::slip(patch, load, friction);
  if (std::isnan(slip.factor) && std::hypot(load.x, load.y, load.torque) < 1e-290) {
    FUZZ_REQUIRE(!slip.proven);  // so small that its direction is lost in subnormal numbers: NaN, and no proof
    return;
  }
  FUZZ_REQUIRE(slip.factor >= 0);  // no NaN for other finite loads
  FUZZ_REQUIRE(slip.gap >= 0 && slip.gap <= 1);
  FUZZ_REQUIRE(!slip.proven || slip.gap <= 1e-9);
  if (slip.factor < 1 - 1e-6 || slip.factor * (1 - slip.gap) > 1 + 1e-6) {
    FUZZ_REQUIRE(planar::holds(patch, load, friction) == !slip.slips());
  }
}

}  // namespace

FUZZ_TARGET(patch)(std::span<const std::uint8_t> input) {
  stiction::fuzz::Bytes bytes(input);
  const auto patch = stiction::fuzz::patch_from(bytes);
  if (!patch) {
    return;
  }
  double sum = 0;
  for (const double share : patch->points().share) {
    FUZZ_REQUIRE(share >= 0);
    sum += share;
  }
  FUZZ_REQUIRE(std::abs(sum - 1) < 1e-9);
  FUZZ_REQUIRE(std::isfinite(patch->radius()) && patch->torque_radius() <= patch->radius() * (1 + 1e-9));
  FUZZ_REQUIRE(patch->mean_square_radius() <= patch->radius() * patch->radius() * (1 + 1e-9));
  for (int i = 0; i < 10 && !bytes.empty(); ++i) {
    check_limit_surface(*patch, stiction::fuzz::twist_from(bytes, 1e100));
    const double limit = 1e12;
    const planar::Wrench load{bytes.finite_number(limit), bytes.finite_number(limit), bytes.finite_number(limit)};
    check_slip(*patch, load, bytes.finite_number(limit));
    const double other = bytes.any_number();
    const auto bad = planar::slip(*patch, {1, other, 0}, 1);
    FUZZ_REQUIRE(std::isfinite(other) || (std::isnan(bad.factor) && !planar::holds(*patch, {1, other, 0}, 1)));
  }
}
