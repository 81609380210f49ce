// Checks of a renderer's inputs, done once so that the loop need not repeat them.
#include "render_checks.h"

#include <algorithm>
#include <cmath>

namespace stiction::haptics {
namespace {

/// Symmetric and positive, by its leading minors.
bool is_inertia(const Matrix3& a) noexcept {
  const double size = a[0][0] + a[1][1] + a[2][2];
  const auto [xx, xy, xz] = scaled(1 / size, a[0]);
  const auto [yx, yy, yz] = scaled(1 / size, a[1]);
  const auto [zx, zy, zz] = scaled(1 / size, a[2]);
  const double asymmetry = std::abs(xy - yx) + std::abs(yz - zy) + std::abs(zx - xz);
  const double minor = xx * yy - xy * yx;
  const double determinant = xx * (yy * zz - yz * zy) - xy * (yx * zz - yz * zx) + xz * (yx * zy - yy * zx);
  return size > 0 && size < 1e100 && asymmetry < 1e-6 && xx > 0 && minor > 0 && determinant > 0;  // false for NaN
}

void check_pair(const BodyPair& pair) {
  const auto require = [](const char* field, std::optional<double> value, const Range& range) {
    if (value && !range.holds(*value)) {
      throw InvalidParameter({field, *value, range.text});
    }
  };
  if (pair.field == nullptr || pair.shell == nullptr) {
    throw InvalidParameter({pair.field == nullptr ? "field" : "shell", 0, "a valid pointer"});
  }
  require("friction", pair.friction, non_negative);
  require("sliding_friction", pair.sliding_friction, non_negative);
  if (pair.sliding_friction > pair.friction) {  // false without one
    throw InvalidParameter({"sliding_friction", *pair.sliding_friction, "at most friction"});
  }
  require("contact_stiffness", pair.contact_stiffness, positive);
}
void check_body(const MovingBody& body) {
  if (!is_pose({body.centre, identity_rotation})) {
    throw InvalidParameter(
        {"centre",
         *std::ranges::max_element(body.centre, {}, [](double x) { return std::isnan(x) ? infinity : std::abs(x); }),
         "finite, and within 1e9 m"});
  }
  if (!is_inertia(body.inertia_per_mass)) {
    throw InvalidParameter({"inertia_per_mass", body.inertia_per_mass[0][0], "a symmetric, positive definite matrix"});
  }
}

}  // namespace

std::optional<Problem> RenderParams::check(const RenderParams& params) noexcept {
  const auto problem = first_problem(params, fields());
  return problem ? problem : first_problem(params, integers());
}

const RenderParams& checked(const RenderParams& params) {
  if (const auto problem = RenderParams::check(params)) {
    throw InvalidParameter(*problem);
  }
  return params;
}

void check(std::span<const BodyPair> pairs, const MovingBody& body) {
  std::ranges::for_each(pairs, check_pair);
  check_body(body);
}

}  // namespace stiction::haptics
