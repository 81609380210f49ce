// The four scenes under a hand that never rests: the time of a cycle, and its friction.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "../lab.h"
#include "drive.h"
#include "paper_scenes.h"
#include "stiction/haptics/overruns.h"

namespace stiction::lab::haptics_scenes {
namespace {

using haptics::FrictionMethod;
using haptics::Phase;
using haptics::Pose;

constexpr double friction = 0.5;
constexpr double high_friction = 1;  // "We set a high friction coefficient to measure the quality of static friction"

/// A hand that presses the part on and then swings along the surface: four times by half as much again, so that
/// contacts that were at their limit settle, and then within the cone.
struct Press {
  Vector3 hand;             // [m]
  Vector3 along;            // unit
  double amplitude;         // of the hand [m]
  double free_share = 0.5;  // of the hand's displacement that the part follows at least without friction
};
struct Case {
  const char* name;
  Press press;
};

double largest_motion(const haptics::Cycle& cycle) {
  return std::ranges::max(cycle.motion, {}, [](double component) { return std::abs(component); });
}

Vector3 force(const Vector6& wrench) { return {wrench[0], wrench[1], wrench[2]}; }

/// The motion in the servo loop, which measures each cycle's share of the core; long cycles are replayed.
haptics::Overruns overruns_of(const haptics::PreparedScene& parts, const haptics::Trajectory& path, double duration) {
  haptics::Overruns overruns(parts.description().render.period);
  haptics::Renderer renderer = parts.renderer();
  haptics::PlaybackDevice hand(path);
  haptics::run_servo(renderer, hand, {.duration = duration, .real_time = false}, nullptr,
                     [&](const haptics::ServoCycle& cycle) { overruns.add(cycle); });
  overruns.settle([&] { return parts.renderer(); });
  return overruns;
}

Result run(const Case& scene, const Context& context) {
  const haptics::PreparedScene& parts = prepared(scene.name, context.quick);
  const double duration = context.quick ? 4 : 60;
  Result result;
  result.notes = fmt::format(
      "The renderer along the hand's path for {} s of its time, as fast as it goes, on one core. Then the part is "
      "pressed on, and the hand moves along the surface, within what friction holds: the part must not move at all. "
      "The "
      "same without friction, for comparison: there the force of the contacts is along their normals. μ = {} on the "
      "way "
      "and {} while it is held.",
      duration, friction, high_friction);

  // A minute of motion
  const haptics::Trajectory path = paper_path(scene.name, duration);
  haptics::Renderer moving = parts.renderer();
  const auto moments = drive(moving, [&](double t) { return path.at(t); }, duration, context, {0, 0.8, false});
  const auto microseconds = [](const Moment& m) { return m.cycle.microseconds[3]; };
  const auto touching = [](const Moment& m) { return static_cast<double>(m.cycle.contacts); };
  std::vector<Moment> busy;
  std::ranges::copy_if(moments, std::back_inserter(busy), [](const Moment& m) { return m.cycle.contacts >= 50; });
  const std::string machine = "depends on the machine; stiction haptic measures it with its evidence";
  const double median = quantile(moments, 0.5, microseconds);
  result.claims.push_back(at_most("median of a cycle", "1000 Hz", 1000, median, "μs").as_info(machine));
  result.claims.push_back(
      at_most("a cycle in a thousand takes longer than", "1000 Hz", 1000, quantile(moments, 0.999, microseconds), "μs")
          .as_info(machine));
  result.claims.push_back(at_most("median of a cycle with 50 contacts or more", "1000 Hz with 50 to 100 contacts", 1000,
                                  busy.empty() ? 0 : quantile(busy, 0.5, microseconds), "μs")
                              .as_info(machine));
  const haptics::Overruns overruns = overruns_of(parts, path, duration);
  result.claims.push_back(at_most("cycles longer than 1 ms that are their own work", "1000 Hz", 0,
                                  static_cast<double>(overruns.count(haptics::Blame::own)), "-")
                              .as_info(fmt::format("{} cycles were longer; the others had less than 1 ms of a core, or "
                                                   "took less when the same cycle ran again",
                                                   overruns.all().size())));
  result.claims.push_back(
      at_least("most contacts in a cycle", "50 to 100 contacts", 50, quantile(moments, 1, touching), "-"));
  const auto failed = static_cast<double>(
      std::ranges::count_if(moments, [](const Moment& m) { return m.cycle.phase == Phase::fault; }));
  result.claims.push_back(at_most("cycles without a motion found", "stable", 0, failed, "-"));
  double moved_while_held = 0;  // in cycles where contacts resist every motion
  double held = 0;
  for (const Moment& m : moments) {
    if (m.cycle.phase == Phase::held) {
      ++held;
      moved_while_held = std::max(moved_while_held, m.cycle.rank == 6 ? largest_motion(m.cycle) : 0.0);
    }
  }
  result.claims.push_back(at_least("cycles in which friction held the part", "Fig. 14", 1, held, "-")
                              .as_info("the hand hardly ever rests"));
  result.tables.push_back(to_table("motion", moments, context.quick ? 4 : 20));

  // Pressed on, and pulled along the surface, with friction and without
  haptics::FrictionChoice none = parts.description().friction;
  none.method = FrictionMethod::none;
  constexpr double pressed_after = 0.5;                       // [s]
  constexpr double swing_time = 0.5;                          // [s]
  constexpr double settled = pressed_after + 4 * swing_time;  // [s]
  const auto pressed = [&](const haptics::FrictionChoice& choice, double from) {
    std::vector<haptics::BodyPair> pairs = parts.pairs();
    pairs[0].friction = high_friction;
    const haptics::RenderParams& params = parts.description().render;
    haptics::Renderer renderer(pairs, parts.moving_body(), params,
                               haptics::make_friction(choice, static_cast<std::size_t>(params.max_contacts)));
    const Pose start = parts.description().start;
    renderer.reset_pose(start);
    const Press& press = scene.press;
    const haptics::Trajectory down({{0, start}, {0.2, {press.hand, start.rotation}}});
    const auto hand = [&](double t) {
      Pose pose = down.at(t);
      const double amplitude = t < pressed_after ? 0 : t < settled ? 1.5 * press.amplitude : press.amplitude;
      const double swing = amplitude * std::sin(2 * std::numbers::pi * (t - pressed_after) / swing_time);
      pose.position = sum(pose.position, scaled(swing, press.along));
      return pose;
    };
    auto swings = drive(renderer, hand, settled + 2 * swing_time, context, {from, from + 0.1, true});
    const bool none_at_all = choice.method == FrictionMethod::none;
    result.pictures.push_back(picture(none_at_all ? "without_friction" : "with_friction",
                                      fmt::format("{}: contact forces (red) {}", scene.name,
                                                  none_at_all ? "without friction" : "and friction (orange)"),
                                      parts, renderer));
    return swings;
  };
  const auto with = pressed(parts.description().friction, 0.8);
  const auto without = pressed(none, 0.9);
  const auto first_swing = std::lround(settled / parts.description().render.period);
  const auto swinging = [&](const std::vector<Moment>& run) {
    return std::vector<Moment>(run.begin() + first_swing, run.end());
  };
  const auto way = [&](const std::vector<Moment>& run) {
    double max_distance = 0;
    const auto position_of = [&](const Moment& m) { return m.cycle.body.position; };
    for (const Moment& m : swinging(run)) {
      const Vector3 offset = difference(position_of(m), position_of(run[static_cast<std::size_t>(first_swing) - 1]));
      max_distance = std::max(max_distance, std::abs(dot(offset, scene.press.along)));
    }
    return max_distance;
  };
  const auto never_slides =
      std::ranges::all_of(swinging(with), [](const Moment& m) { return m.cycle.phase == Phase::held; });
  result.claims.push_back(at_least("held in every cycle while the hand moves within the cone", "Figs. 8 to 11", 1,
                                   never_slides ? 1 : 0, "-"));
  result.claims.push_back(
      within("way of the part while it is held", "the object stays put: exactly 0", 0, way(with), 0, "m"));
  result.claims.push_back(at_least("way of the part without friction", "it follows the hand",
                                   scene.press.free_share * scene.press.amplitude, way(without), "m"));
  result.claims.push_back(within("largest motion of a held cycle on the whole path, contacts resisting all motions",
                                 "the object stays put: exactly 0", 0, moved_while_held, 0, "m"));
  // The contact force balances the coupling: with friction it deviates from the sum of the normal forces
  const auto angle_at = [](const Moment& m) { return angle(m.normal, negative(force(m.cycle.coupling))); };
  double largest_angle = 0;
  for (const Moment& m : swinging(with)) {
    largest_angle = std::max(largest_angle, angle_at(m));
  }
  result.claims.push_back(
      at_least("with friction the contact force leaves the normal by", "Figs. 8 and 10", 1, largest_angle, "deg"));
  result.claims.push_back(at_most(
      "without friction, the hand at rest, by", "always normal to the contact", 0.01,
      angle_at(without[static_cast<std::size_t>(std::lround(pressed_after / parts.description().render.period)) - 1]),
      "deg"));
  result.tables.push_back(to_table("with_friction", with));
  result.tables.push_back(to_table("without_friction", without));
  result.figures.push_back(
      {"cycle_time", "Time of a cycle", "time [s]", "cycle [us]", {{"motion", 0, 12, "cycle", "points"}}});
  result.figures.push_back({"contacts", "Contacts", "time [s]", "contacts", {{"motion", 0, 10, "contacts"}}});
  result.figures.push_back({"forces",
                            "Forces on the part while the hand moves within the cone",
                            "time [s]",
                            "force [N]",
                            {{"with_friction", 0, 7, "coupling"},
                             {"with_friction", 0, 8, "normal"},
                             {"with_friction", 0, 9, "friction"},
                             {"without_friction", 0, 7, "coupling, without friction"}}});
  return result;
}

}  // namespace

Result cube_and_corner(const Context& context) {
  return run({"cube-and-corner", {{0.046, 0.046, 0.044}, {1, 0, 0}, 0.001, 0.01}}, context);
}
Result peg_and_hole(const Context& context) {
  return run({"peg-and-hole", {{0, 0, 0.022}, {0, 0, 1}, 0.0005}}, context);
}
Result engine_bay(const Context& context) {
  return run({"engine-bay", {{-0.005, 0.046, 0.0}, {1, 0, 0}, 0.0005}}, context);
}
Result door(const Context& context) { return run({"door", {{0.24, -0.277, -0.022}, {1, 0, 0}, 0.0005}}, context); }

}  // namespace stiction::lab::haptics_scenes
