// Section 5.6: does the stiffness of the virtual coupling decide whether frictional springs let a peg be pushed in by a
// hand that moves like a snake?
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "../lab.h"
#include "drive.h"
#include "haptic_baselines.h"
#include "stiction/vector.h"

namespace stiction::lab::haptics_snake_stiffness {
namespace {

using baselines::Method;
using baselines::with_method;
using haptics::Pose;

constexpr double friction = 100;
constexpr double start_height = 0.02;  // of the peg's centre: its tip is 2.5 cm in [m]
constexpr double end_height = 0.005;   // its tip is at the hole's end [m]
constexpr double pressing = 0.3;       // until the hand has arrived [s]
constexpr double revolutions_per_second = 2;
constexpr double depth = 0.03;  // of the hand below the start, at the default stiffness [m]
constexpr double sway = 0.01;   // to the sides [m]

/// The hand keeps so far below the peg, and goes around. `reach`: its displacement over that at the default stiffness.
Pose hand_at(double time, double height, double reach, bool snakes) {
  const double share = reach * std::min(1.0, time / pressing);
  const double angle = 2 * std::numbers::pi * revolutions_per_second * time;
  const double side = snakes ? share * sway : 0;
  return {.position = {side * std::sin(angle), side * std::cos(angle), height - share * depth}};
}

struct Way {
  std::vector<double> time, depth;  // [s], [m]
  double sunk = 0;                  // in the end [m]
  double moved = 0;                 // largest displacement [m]
  double inserted_after = 0;        // [s]; at most the duration
};
Way pushed(Method method, double ratio, double reach, bool snakes, double duration, const Context& context,
           double progress) {
  const haptics::PreparedScene& scene = prepared("peg-and-hole", context.quick);
  haptics::RenderParams params = scene.description().render;
  params.coupling_stiffness *= ratio;
  params.coupling_rotational_stiffness *= ratio;
  haptics::Renderer renderer =
      renderer_with(scene, friction, with_method(scene.description().friction, method), params);
  const Pose start{.position = {0, 0, start_height}};
  renderer.reset_pose(start);
  Way way;
  way.inserted_after = duration;
  const auto hand = [&](double time) { return hand_at(time, renderer.body().position[2], reach, snakes); };
  for (const Moment& m : drive(renderer, hand, duration, context, {progress, progress, false})) {
    way.time.push_back(m.time);
    way.depth.push_back(start_height - m.cycle.body.position[2]);
    way.moved = std::max(way.moved, norm(difference(m.cycle.body.position, start.position)));
    if (m.cycle.body.position[2] <= end_height) {  // it is in; the hand would push it through
      way.inserted_after = m.time;
      break;
    }
  }
  way.sunk = way.depth.back();
  return way;
}

}  // namespace

Result run(const Context& context) {
  // Stiffness of the coupling over the default
  const std::vector<double> ratios =
      context.quick ? std::vector<double>{0.2, 1, 5} : std::vector<double>{0.2, 0.5, 1, 2, 5};
  const double duration = context.quick ? 2.5 : 10;
  const double held_for = context.quick ? 1 : duration;
  Result result;
  result.notes = fmt::format(
      "A peg is 2.5 cm in its hole, μ = {:g}, and a hand pushes it down and goes around, {:g} times a second, with "
      "couplings from a fifth of the default stiffness to five times. It keeps 3 cm below the peg, and reaches as much "
      "farther as the coupling is softer, as the paper's user would, so that its forces are the same. With frictional "
      "springs the peg sinks all the way with each coupling. With cones it stays exactly where it is. For comparison "
      "the hand that pushes without moving like a snake, and the softest coupling with the hand of the default one, "
      "which is then weaker.",
      friction, revolutions_per_second);
  Figure figure{"springs", "Springs: the peg under a hand like a snake", "time [s]", "way of the peg down [m]", {}};
  std::array<std::vector<double>, 4> columns;
  const double whole = start_height - end_height;
  double least = infinity;
  double straight_most = 0;
  double held_most = 0;
  std::vector<double> after;
  for (std::size_t k = 0; k < ratios.size(); ++k) {
    const double ratio = ratios[k];
    const double done = static_cast<double>(k) / static_cast<double>(ratios.size());
    const Way springs = pushed(Method::springs, ratio, 1 / ratio, true, duration, context, done);
    const Way straight = pushed(Method::springs, ratio, 1 / ratio, false, held_for, context, done);
    const Way cones = pushed(Method::cone, ratio, 1 / ratio, true, held_for, context, done);
    least = std::min(least, springs.sunk);
    straight_most = std::max(straight_most, straight.sunk);
    held_most = std::max(held_most, cones.moved);
    after.push_back(springs.inserted_after);
    const std::array<double, 4> row{ratio, springs.sunk, straight.sunk, cones.moved};
    for (std::size_t c = 0; c < row.size(); ++c) {
      columns.at(c).push_back(row.at(c));
    }
    const std::string table = fmt::format("springs_{:g}", ratio);
    result.tables.push_back({table, {{"time [s]", springs.time}, {"depth [m]", springs.depth}}});
    figure.series.push_back({table, 0, 1, fmt::format("coupling {:g} times as stiff", ratio)});
  }
  // In the time in which the hand that reaches farther gets it in
  const Way weak = pushed(Method::springs, ratios.front(), 1, true, after.front(), context, 0.95);
  result.tables.push_back({"stiffness",
                           {{"coupling over the default [-]", columns[0]},
                            {"springs, snake: way down [m]", columns[1]},
                            {"springs, straight push: way down [m]", columns[2]},
                            {"cones, snake: largest motion [m]", columns[3]}},
                           true});
  result.figures = {figure};
  const auto [fastest, slowest] = std::ranges::minmax(after);
  result.claims = {
      at_least("springs, any stiffness of the coupling: least way of the peg",
               printed("Section 5.6: the coupling's stiffness does not affect it; fully inserted"), whole, least, "m"),
      at_most("springs, straight push, any stiffness: largest way over the whole",
              requirement("it is the snake that does it"), 0.5, straight_most / whole, "-"),
      within("cones, any stiffness of the coupling: largest motion of the peg",
             printed("Section 5.6: correctly prevented; exactly 0"), 0, held_most, 0, "m"),
      at_most("springs: longest time until it is in over the shortest", requirement("the same forces: about as long"),
              2, slowest / fastest, "-"),
      at_most("springs, coupling a fifth as stiff, hand as with the default, in the same time: way over the whole",
              requirement("section 5.6: with a softer coupling the hand must go deeper"), 0.5, weak.sunk / whole, "-"),
  };
  return result;
}

}  // namespace stiction::lab::haptics_snake_stiffness
