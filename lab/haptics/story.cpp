// The haptics paper on one screen: what frictional springs do wrong, and what the solver does instead.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "../lab.h"
#include "drive.h"
#include "haptic_baselines.h"
#include "stiction/vector.h"

namespace stiction::lab::haptics_story {
namespace {

using baselines::Method;
using baselines::with_method;
using haptics::Pose;

struct Way {
  const char* name;
  Method method;
};
constexpr std::array<Way, 2> ways{{{"springs", Method::springs}, {"cones", Method::cone}}};

constexpr double amplitude = 0.001;  // of the hand, in the experiment with the cube [m]

/// A cube in a corner that a hand presses against all three walls and moves back and forth, within what friction holds.
struct Pulled {
  std::vector<double> time, hand, displacement;  // [s], [m]: sideways, of hand and cube
  double max_displacement = 0;                   // of the cube, in any direction [m]
};
Pulled pulled(Method method, const Context& context, double from) {
  constexpr double friction = 1;
  const haptics::PreparedScene& scene = prepared("cube-and-corner", context.quick);
  const auto choice = with_method(scene.description().friction, method);
  haptics::Renderer renderer = renderer_with(scene, friction, choice, scene.description().render);
  const Pose pressed{{0.045, 0.045, 0.045}, haptics::rotation_by({0.2, -0.2, 0})};
  const Pose start = settled(scene, {.position = {0.06, 0.06, 0.06}}, pressed, context);
  renderer.reset_pose(start);
  constexpr Vector3 sideways{std::numbers::sqrt2 / 2, -std::numbers::sqrt2 / 2, 0};
  const auto swing = [](double time) { return amplitude * std::sin(4 * std::numbers::pi * time); };
  const auto hand = [&](double time) {
    return Pose{sum(pressed.position, scaled(swing(time), sideways)), pressed.rotation};
  };
  Pulled result;
  for (const Moment& m : drive(renderer, hand, 1.5, context, {from, from + 0.2, false})) {
    const Vector3 displacement = difference(m.cycle.body.position, start.position);
    result.time.push_back(m.time);
    result.hand.push_back(swing(m.time));
    result.displacement.push_back(dot(displacement, sideways));
    result.max_displacement = std::max(result.max_displacement, norm(displacement));
  }
  return result;
}

/// A peg that friction holds 1 cm in its hole, under a hand that pushes it down and goes around.
struct Wound {
  std::vector<double> time, depth;  // [s], [m]
  Picture end;
};
Wound wound(const Way& method, const Context& context, double from) {
  constexpr double friction = 100;
  constexpr double duration = 5;
  constexpr double height = 0.035;  // of the peg's centre [m]
  const haptics::PreparedScene& scene = prepared("peg-and-hole", context.quick);
  const auto choice = with_method(scene.description().friction, method.method);
  haptics::Renderer renderer = renderer_with(scene, friction, choice, scene.description().render);
  renderer.reset_pose({.position = {0, 0, height}});
  const auto hand = [](double time) {
    const double share = std::min(1.0, time / 0.5);
    const double angle = 4 * std::numbers::pi * time;
    return Pose{.position = {0.01 * share * std::sin(angle), 0.01 * share * std::cos(angle), height - 0.045 * share}};
  };
  Wound result;
  for (const Moment& m : drive(renderer, hand, duration, context, {from, from + 0.3, false})) {
    result.time.push_back(m.time);
    result.depth.push_back(height - m.cycle.body.position[2]);
  }
  renderer.step(hand(duration), true);
  result.end =
      picture(method.name, fmt::format("The peg after {:g} s with {}", duration, method.name), scene, renderer);
  return result;
}

}  // namespace

Result run(const Context& context) {
  Result result;
  result.notes =
      "Springs. Each contact is tied to where it first touched; friction is the pull of that spring, at most μ N. A "
      "spring pulls only once it is stretched, so a body moves before it is held, and a contact that parts and touches "
      "again is tied anew where it is then. The cube in the corner (first figure) follows the hand, which stays within "
      "what friction holds. The peg (second figure, pictures), held by μ = 100 and pushed by a hand that goes around, "
      "lets go of one side after the other and sinks until it is all the way in. "
      "The solver. Is there friction within all cones that balances the load? That is a program in six numbers, "
      "whatever the number of contacts. If there is, the body does not move: not a little, but not at all. If there "
      "is not, the least motion is found that, with friction at its limit, balances the load; contacts that can hold "
      "do. So the cube stays where it is, and so does the peg.";
  Figure creep{"creep", "A cube held in a corner, and a hand that moves to and fro", "time [s]", "way [m]", {}};
  Figure snake{"snake", "A peg held by friction, pushed and turned around", "time [s]", "way down [m]", {}};
  std::array<Pulled, ways.size()> cube;
  std::array<Wound, ways.size()> peg;
  for (std::size_t w = 0; w < ways.size(); ++w) {
    const double from = 0.5 * static_cast<double>(w);
    cube.at(w) = pulled(ways.at(w).method, context, from);
    peg.at(w) = wound(ways.at(w), context, from + 0.2);
    const std::string pulled_table = fmt::format("pulled_{}", ways.at(w).name);
    const std::string wound_table = fmt::format("wound_{}", ways.at(w).name);
    result.tables.push_back(
        {pulled_table,
         {{"time [s]", cube.at(w).time}, {"way [m]", cube.at(w).displacement}, {"hand [m]", cube.at(w).hand}}});
    result.tables.push_back({wound_table, {{"time [s]", peg.at(w).time}, {"way down [m]", peg.at(w).depth}}});
    creep.series.push_back({pulled_table, 0, 1, ways.at(w).name});
    snake.series.push_back({wound_table, 0, 1, ways.at(w).name});
    result.pictures.push_back(peg.at(w).end);
  }
  creep.series.push_back({"pulled_cones", 0, 2, "hand"});
  result.figures = {creep, snake};
  result.claims = {
      within("cones: largest way of the cube", printed("Section 1: it does not slide; exactly 0"), 0,
             cube[1].max_displacement, 0, "m"),
      at_least("springs: largest way of the cube, over the hand's", requirement("section 5.6: springs creep"), 0.02,
               cube[0].max_displacement / amplitude, "-"),
      at_least("springs: way of the peg", printed("Fig. 17, caption: becomes fully inserted"), 0.03,
               peg[0].depth.back(), "m"),
      within("cones: way of the peg", printed("Fig. 17, caption: cannot be inserted; exactly 0"), 0,
             *std::ranges::max_element(peg[1].depth), 0, "m"),
  };
  return result;
}

}  // namespace stiction::lab::haptics_story
