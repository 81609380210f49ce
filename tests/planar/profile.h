// The velocity profile of the paper's Fig. 5 and the shapes that it is run with.
#pragma once

#include <array>
#include <string>

#include "stiction/planar/shapes.h"

namespace stiction::test {

/// At the centre of pressure; t in s.
inline planar::Twist paper_profile(double t) {
  constexpr double c = 0.015;
  const auto ramp = [t](double from, double to) { return t < from ? 0.0 : t < to ? (t - from) / (to - from) : 1.0; };
  return {c * (ramp(0.8, 1.4) - ramp(1.6, 2.2)), 0.4 * c * (ramp(2.4, 2.7) - ramp(4.3, 4.6)),
          ramp(0, 0.6) - ramp(3.4, 4.0)};
}

struct Shape {
  std::string name;
  planar::PressureGrid (*grid)(std::size_t n, double side);
};
inline const std::array<Shape, 4> paper_shapes{{{"square", planar::paper::square},
                                                {"circle", planar::paper::circle},
                                                {"gradient_line", planar::paper::gradient_line},
                                                {"non_convex_1", planar::paper::non_convex_1}}};

}  // namespace stiction::test
