#include "paper_parts.h"

#include <cmath>
#include <numbers>

#include "stiction/geometry/shapes.h"
#include "stiction/geometry/solids.h"

namespace stiction::lab {
namespace {

using geometry::box;
using geometry::corner;
using geometry::rotation;
using geometry::Solid;

constexpr double pi = std::numbers::pi;
const Matrix3 along_x = rotation({0, 1, 0}, pi / 2);  // rotates z to x
const Matrix3 along_y = rotation({1, 0, 0}, pi / 2);

/// A bolt on the plane z = 0: washer and hexagonal head.
Solid bolt(double radius) {
  const auto flat = [&](double angle) {
    return Solid::block({3.4 * radius, 6 * radius, 1.4 * radius}).rotated(rotation({0, 0, 1}, angle));
  };
  const Solid head = flat(0) & flat(pi / 3) & flat(2 * pi / 3);
  return Solid::rod(2.4 * radius, 0.4 * radius).moved({0, 0, 0.2 * radius}) + head.moved({0, 0, 1.1 * radius});
}

}  // namespace

PaperParts cube_and_corner(const geometry::Progress& /*progress*/) {
  const double side = 0.1;
  return {.fixed = corner(0.2, 0.04, 2),
          .moving = box({side, side, side}, 8),
          .shell_moves = false,
          .field = {256, 8},
          .shell = {7772, 8, 1},
          .moving_at = {side / 2, side / 2, side / 2}};
}

PaperParts peg_and_hole(const geometry::Progress& /*progress*/) {
  const double radius = 0.01;
  const double depth = 0.04;
  const double length = 0.05;
  return {.fixed = geometry::block_with_hole({0.05, 0.05, depth}, 0.99 * radius, 96, 8),
          .moving = geometry::cylinder(radius, length, 96, 10),
          .shell_moves = true,
          .field = {128, 8},
          .shell = {672, 6, 1},
          .moving_at = {0, 0, depth / 2 + length / 2 + 0.001}};
}

PaperParts engine_bay(const geometry::Progress& progress) {
  // The starter: motor, solenoid on its back, nose with a pinion, a flange with two bores, terminals.
  Solid starter = Solid::rod(0.038, 0.13, 0.004).rotated(along_x);
  starter += Solid::rod(0.023, 0.09, 0.003).rotated(along_x).moved({0.012, 0, 0.056});
  starter += Solid::block({0.05, 0.03, 0.04}, 0.006).moved({0.012, 0, 0.03});
  starter += Solid::rod(0.026, 0.05, 0.003).rotated(along_x).moved({0.085, 0, 0});
  Solid flange = Solid::block({0.012, 0.13, 0.05}, 0.004);
  for (const double y : {-0.052, 0.052}) {
    flange -= Solid::rod(0.0055, 0.1).rotated(along_x).moved({0, y, 0});
  }
  starter += flange.moved({0.066, 0, 0});
  for (int tooth = 0; tooth < 10; ++tooth) {
    const Matrix3 turn = rotation({1, 0, 0}, 2 * pi * tooth / 10);
    starter += Solid::block({0.02, 0.006, 0.012}, 0.001).moved({0.118, 0, 0.012}).rotated(turn);
  }
  starter += Solid::rod(0.013, 0.022).rotated(along_x).moved({0.117, 0, 0});
  for (const double y : {-0.01, 0.01}) {
    starter += Solid::rod(0.004, 0.02, 0.001).rotated(along_x).moved({-0.04, y, 0.06});
  }

  // The bay: a wall of the engine block with a pocket that is 3 mm wider than the starter and closed by a lip, so that
  // the starter has to be turned in; the bell housing at its end, ribs, bolts, bores, pipes and hoses in the way.
  Solid bay = Solid::block({0.5, 0.12, 0.4}, 0.01).moved({0, 0.11, 0});
  bay -= Solid::block({0.2, 0.14, 0.1}, 0.012).moved({-0.01, 0.03, 0});
  bay -= Solid::rod(0.041, 0.17, 0.01).rotated(along_x).moved({-0.005, 0.03, 0});
  bay -= Solid::rod(0.027, 0.14, 0.006).rotated(along_x).moved({0.012, 0.03, 0.056});
  bay -= Solid::rod(0.029, 0.1).rotated(along_x).moved({0.115, 0.03, 0});  // for the nose
  bay += Solid::block({0.03, 0.04, 0.12}, 0.008).moved({-0.1, 0.035, 0.0});
  const double housing_x = 0.087;
  Solid housing = Solid::block({0.03, 0.2, 0.34}, 0.008).moved({housing_x, 0.07, 0});
  housing -= Solid::rod(0.0275, 0.1).rotated(along_x).moved({housing_x, 0.03, 0});
  for (const double y : {-0.022, 0.082}) {
    housing -= Solid::rod(0.0045, 0.1).rotated(along_x).moved({housing_x, y, 0});
  }
  bay += housing;
  for (int rib = 0; rib < 9; ++rib) {
    const double x = -0.23 + 0.0575 * rib;
    if (x < -0.125 || x > 0.135) {
      bay += Solid::block({0.008, 0.04, 0.36}, 0.003).moved({x, 0.04, 0});
    }
  }
  for (int rib = 0; rib < 4; ++rib) {
    bay += Solid::block({0.48, 0.03, 0.007}, 0.003)
               .moved({0, 0.045, (rib < 2 ? -0.17 : 0.05) + 0.06 * (rib % 2) + (rib < 2 ? 0 : 0.05)});
  }
  const Matrix3 outwards = rotation({1, 0, 0}, pi / 2);  // z of a bolt to −y
  for (int i = 0; i < 7; ++i) {
    for (const double z : {-0.145, 0.175}) {
      bay += bolt(0.006).rotated(outwards).moved({-0.2 + 0.066 * i, 0.05, z});
    }
  }
  for (int i = 0; i < 6; ++i) {
    const double angle = pi * (0.15 + 0.14 * i);
    bay += bolt(0.005).rotated(along_x).moved(
        {housing_x + 0.014, 0.03 + 0.06 * std::cos(angle + 0.5), 0.075 * std::sin(angle)});
  }
  for (int i = 0; i < 5; ++i) {
    bay -= Solid::rod(0.009, 0.06, 0.002).rotated(along_y).moved({-0.2 + 0.1 * i, 0.05, -0.1});
  }
  bay += Solid::pipe(
      {{-0.24, -0.03, 0.12}, {-0.1, -0.045, 0.125}, {0.02, -0.05, 0.11}, {0.16, -0.03, 0.12}, {0.2, 0.06, 0.12}},
      0.011);
  bay += Solid::pipe(
      {{-0.22, 0.06, -0.06}, {-0.2, -0.02, -0.07}, {-0.05, -0.05, -0.075}, {0.08, -0.04, -0.08}, {0.2, 0.05, -0.09}},
      0.008);
  bay += Solid::pipe(
      {{-0.18, 0.06, 0.16}, {-0.17, -0.01, 0.1}, {-0.16, -0.03, -0.02}, {-0.17, -0.02, -0.12}, {-0.15, 0.06, -0.17}},
      0.006);
  bay += Solid::pipe({{0.21, 0.06, 0.17}, {0.22, -0.02, 0.08}, {0.2, -0.03, -0.06}, {0.21, 0.06, -0.16}}, 0.009);
  return {.fixed = meshed(bay, 0.004, 0, progress),
          .moving = meshed(starter, 0.002, 0, progress),
          .shell_moves = true,
          .field = {1024, 6},
          .shell = {8517, 8, 1},
          .moving_at = {-0.005, 0.03, 0}};
}

PaperParts door(const geometry::Progress& progress) {
  // The window motor: carrier plate with openings, gear case, motor, worm housing, three ears with bores, plug.
  Solid motor = Solid::block({0.15, 0.12, 0.006}, 0.002).moved({0.03, 0.01, -0.018});
  for (const double x : {-0.02, 0.03, 0.08}) {
    motor -= Solid::block({0.03, 0.02, 0.02}, 0.004).moved({x, 0.052, -0.018});
  }
  motor += Solid::rod(0.032, 0.026, 0.003);
  motor += Solid::rod(0.018, 0.075, 0.003).rotated(along_x).moved({0.055, 0.02, 0});
  motor += Solid::block({0.05, 0.03, 0.024}, 0.004).moved({0.02, 0.022, 0});
  motor += Solid::rod(0.012, 0.014, 0.001).moved({0, 0, 0.018});
  motor += Solid::block({0.02, 0.026, 0.02}, 0.002).moved({0.08, 0.045, 0});
  for (int ear = 0; ear < 3; ++ear) {
    const double angle = 2 * pi * ear / 3 + 0.4;
    const Vector3 at{0.041 * std::cos(angle), 0.041 * std::sin(angle), 0};
    motor += Solid::rod(0.009, 0.008, 0.001).moved(at);
    motor -= Solid::rod(0.0035, 0.05).moved(at);
  }

  // The door: an inner and an outer panel with a gap of 8 cm, closed at the rim, a large opening in the inner one
  // through which the motor goes in, pressed ribs, a beam against side impact, window guides, bolts, bores.
  const double width = 1.0;
  const double height = 0.7;
  const double gap = 0.08;
  Solid panels =
      Solid::block({width, height, gap + 0.02}, 0.015) - Solid::block({width - 0.05, height - 0.05, gap}, 0.01);
  panels -= Solid::block({0.28, 0.2, 0.1}, 0.03).moved({-0.12, -0.02, 0.05});
  panels -= Solid::rod(0.09, 0.1).moved({0.27, -0.17, 0.05});
  panels -= Solid::block({0.22, 0.12, 0.1}, 0.03).moved({0.22, 0.17, 0.05});
  panels -= Solid::block({width - 0.2, 0.03, 0.05}, 0.01).moved({0, height / 2, 0});
  for (int rib = 0; rib < 8; ++rib) {
    panels +=
        Solid::pipe({{-0.42 + 0.12 * rib, -0.31, gap / 2 + 0.006}, {-0.4 + 0.12 * rib, -0.24, gap / 2 + 0.006}}, 0.008);
  }
  for (int rib = 0; rib < 5; ++rib) {
    panels +=
        Solid::pipe({{-0.46, -0.2 + 0.09 * rib, gap / 2 + 0.006}, {-0.3, -0.2 + 0.09 * rib, gap / 2 + 0.006}}, 0.007);
  }
  panels += Solid::pipe({{-0.48, -0.2, -0.015}, {0.48, 0.02, -0.015}}, 0.016);
  panels -= Solid::pipe({{-0.6, -0.2275, -0.015}, {0.6, 0.0475, -0.015}}, 0.011);
  for (const double x : {-0.36, 0.08}) {
    Solid guide = Solid::block({0.024, 0.66, 0.02}, 0.002) - Solid::block({0.014, 0.7, 0.014}).moved({0, 0, 0.006});
    panels += guide.moved({x, 0, -0.02});
  }
  for (int i = 0; i < 10; ++i) {
    panels += bolt(0.005).moved({-0.45 + 0.1 * i, 0.27, gap / 2 + 0.009});
    panels -= Solid::rod(0.006, 0.06).moved({-0.45 + 0.1 * i, -0.325, gap / 2});
  }
  for (int i = 0; i < 3; ++i) {  // where the motor is bolted on
    const double angle = 2 * pi * i / 3 + 0.4;
    panels +=
        Solid::rod(0.008, 0.012, 0.001).moved({0.041 * std::cos(angle) - 0.02, 0.041 * std::sin(angle) - 0.19, 0.038});
  }
  return {.fixed = meshed(panels, 0.004, 0, progress),
          .moving = meshed(motor, 0.0015, 0, progress),
          .shell_moves = false,
          .field = {256, 8},
          .shell = {30017, 8, 1},
          .moving_at = {-0.12, -0.02, 0.12}};
}

}  // namespace stiction::lab
