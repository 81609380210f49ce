// A contact patch in the shape of an L and its limit surface: the friction of a few motions, whether it slips under a
// load and which way, and how far the usual ellipsoid is from the truth.
#include <cstdio>

#include "stiction/planar/ellipsoid.h"
#include "stiction/planar/limit_surface.h"
#include "stiction/planar/shapes.h"
#include "stiction/planar/slip.h"

namespace planar = stiction::planar;

int main() {
  const planar::Patch patch(
      planar::polygon_grid({{{0, 0}, {0.04, 0}, {0.04, 0.01}, {0.01, 0.01}, {0.01, 0.03}, {0, 0.03}}}, 40, 30));  // [m]
  const planar::Point centre = patch.centre_of_pressure();
  std::printf("centre of pressure (%.4f, %.4f) mm, torque radius %.4f mm\n", 1e3 * centre.x, 1e3 * centre.y,
              1e3 * patch.torque_radius());

  for (const planar::Twist& twist : {planar::Twist{1, 0, 0}, planar::Twist{0, 0, 1}, planar::Twist{0.01, 0.01, 1}}) {
    const planar::Wrench wrench = planar::coulomb_wrench(patch, twist);  // for mu f_N = 1
    std::printf("moving (%g, %g, %g): friction %.6f N, %.6f N, %.6f N mm\n", twist.x, twist.y, twist.spin, wrench.x,
                wrench.y, 1e3 * wrench.torque);
  }

  const planar::Wrench load{1.0, 0.5, 0.008};  // at the centre of pressure [N], [N m]
  const double friction = 0.4 * 5;             // mu f_N [N]
  const planar::Slip answer = planar::slip(patch, load, friction);
  std::printf("%s: %.6f times the load would just slip, along (%.4f, %.4f, %.4f)\n", answer.slips() ? "slips" : "holds",
              answer.factor, answer.twist.x, answer.twist.y, answer.twist.spin);

  const auto ellipsoid = planar::fitted_ellipsoid(patch);
  const auto error = planar::error_of(ellipsoid, patch);
  std::printf("the nearest ellipsoid is off by %.4f of mu f_N, at most %.4f\n", error.wrench_rms, error.wrench_largest);
  return answer.proven && error.wrench_rms > 0.01 ? 0 : 1;
}
