// The four scenes under a hand that never rests: the time of a cycle, and its friction.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <span>

#include "../lab.h"
#include "drive.h"
#include "paper_scenes.h"
#include "stiction/haptics/overruns.h"
#include "stiction/vector.h"

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
  viz::SceneView view = {};
};

double largest_motion(const haptics::Cycle& cycle) {
  return std::ranges::max(cycle.motion, {}, [](double component) { return std::abs(component); });
}

/// The motion in the servo loop, which measures each cycle's share of the core; long cycles are replayed.
struct Servo {
  std::vector<Moment> moments;
  std::vector<double> wall, cpu;  // of each cycle [us]
  haptics::Overruns overruns;
};
Servo servo_along(const haptics::PreparedScene& parts, const haptics::Trajectory& path, double duration,
                  const Context& context) {
  Servo servo{{}, {}, {}, haptics::Overruns(parts.description().render.period)};
  haptics::Renderer renderer = parts.renderer();
  haptics::PlaybackDevice hand(path);
  haptics::run_servo(renderer, hand, {.duration = duration, .real_time = false}, nullptr,
                     [&](const haptics::ServoCycle& cycle) {
                       if (servo.moments.size() % 256 == 0) {
                         context.step(0.8 * cycle.time / duration);
                       }
                       servo.overruns.add(cycle);
                       Moment moment;
                       moment.time = cycle.time;
                       moment.hand = cycle.target;
                       moment.cycle = cycle.cycle;
                       servo.moments.push_back(moment);
                       servo.wall.push_back(1e6 * cycle.wall);
                       servo.cpu.push_back(1e6 * cycle.cpu);
                     });
  servo.overruns.settle([&] { return parts.renderer(); });
  return servo;
}

double quantile(std::vector<double> values, double share) {
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::ranges::nth_element(values, at);
  return *at;
}

const char* whose(haptics::Blame blame) {
  switch (blame) {
    case haptics::Blame::own:
      return "its own";
    case haptics::Blame::waited:
      return "it waited";
    case haptics::Blame::system:
      return "another had the core";
    case haptics::Blame::none:
      break;
  }
  return "none";
}

/// The longest cycles above the budget, with what the clocks and the replays say.
Table overrun_table(const haptics::Overruns& overruns) {
  constexpr std::size_t max_rows = 20;
  std::vector<haptics::Overrun> all(overruns.all().begin(), overruns.all().end());
  std::ranges::sort(all, std::greater{}, [](const haptics::Overrun& o) { return o.cycle.wall; });
  all.resize(std::min(all.size(), max_rows));
  std::vector<std::string> blames;
  std::array<std::vector<double>, 6> columns;
  for (const haptics::Overrun& o : all) {
    blames.emplace_back(whose(overruns.blame(o)));
    const std::array<double, 6> row{static_cast<double>(o.number),
                                    1e6 * o.cycle.wall,
                                    1e6 * o.cycle.cpu,
                                    static_cast<double>(o.cycle.switches),
                                    static_cast<double>(o.cycle.waits),
                                    std::isfinite(o.replayed) ? 1e6 * o.replayed : 0};
    for (std::size_t k = 0; k < row.size(); ++k) {
      columns.at(k).push_back(row.at(k));
    }
  }
  return {"overruns",
          {{"whose work", blames},
           {"cycle [-]", columns[0]},
           {"wall clock [us]", columns[1]},
           {"CPU time of the thread [us]", columns[2]},
           {"involuntary switches [-]", columns[3]},
           {"waits [-]", columns[4]},
           {"shortest replay, 0: none [us]", columns[5]}},
          !all.empty()};
}

void add_timing(Result& result, const Servo& servo) {
  const haptics::Overruns& overruns = servo.overruns;
  const std::string evidence = fmt::format(
      "depends on the machine. Of {} cycles {} took longer than 1 ms: {} by their own work, in {} another had the core "
      "({} of these known by a replay within 1 ms), in {} the thread waited",
      servo.wall.size(), overruns.all().size(), overruns.count(haptics::Blame::own),
      overruns.count(haptics::Blame::system), overruns.cleared(), overruns.count(haptics::Blame::waited));
  const Source rate = printed("Section 5: all examples run at 1,000 Hz");
  std::vector<double> busy;
  for (std::size_t k = 0; k < servo.wall.size(); ++k) {
    if (servo.moments[k].cycle.contacts >= 50) {
      busy.push_back(servo.wall[k]);
    }
  }
  result.claims.push_back(
      at_most("median of a cycle", rate, 1000, quantile(servo.wall, 0.5), "μs").as_info("depends on the machine"));
  result.claims.push_back(
      at_most("99.9 % of the cycles take at most", rate, 1000, quantile(servo.wall, 0.999), "μs").as_info(evidence));
  result.claims.push_back(
      at_most("99.9 % of the cycles: CPU time of the thread at most", rate, 1000, quantile(servo.cpu, 0.999), "μs")
          .as_info("depends on the machine; the wall clock also counts others' work"));
  result.claims.push_back(at_most("median of a cycle with 50 contacts or more",
                                  printed("Abstract and section 5: 1,000 Hz with more than 100 contacts"), 1000,
                                  busy.empty() ? 0 : quantile(busy, 0.5), "μs")
                              .as_info("depends on the machine"));
  result.claims.push_back(at_most("cycles longer than 1 ms that are their own work", rate, 0,
                                  static_cast<double>(overruns.count(haptics::Blame::own)), "-")
                              .as_info(evidence));
  result.tables.push_back(overrun_table(overruns));
}

void add_motion_claims(Result& result, const std::vector<Moment>& moments) {
  const auto touching = [](const Moment& m) { return static_cast<double>(m.cycle.contacts); };
  result.claims.push_back(at_least("most contacts in a cycle",
                                   requirement("as busy as Figs. 9, 11, 14 and 15: 50 to 72 contacts"), 50,
                                   quantile(moments, 1, touching), "-"));
  const auto failed = static_cast<double>(
      std::ranges::count_if(moments, [](const Moment& m) { return m.cycle.phase == Phase::fault; }));
  result.claims.push_back(
      at_most("cycles without a motion found", requirement("a motion in every cycle"), 0, failed, "-"));
  double moved_while_held = 0;  // in cycles where contacts resist every motion
  double held = 0;
  for (const Moment& m : moments) {
    if (m.cycle.phase == Phase::held) {
      ++held;
      moved_while_held = std::max(moved_while_held, m.cycle.rank == 6 ? largest_motion(m.cycle) : 0.0);
    }
  }
  result.claims.push_back(
      at_least("cycles in which friction held the part", requirement("some, as in Fig. 14"), 1, held, "-")
          .as_info("the hand hardly ever rests"));
  result.claims.push_back(within("largest motion of a held cycle on the whole path, contacts resisting all motions",
                                 printed("Section 1: it does not slide; exactly 0"), 0, moved_while_held, 0, "m"));
}

constexpr double pressed_after = 0.5;                       // [s]
constexpr double swing_time = 0.5;                          // [s]
constexpr double settled = pressed_after + 4 * swing_time;  // [s]

/// Pressed on, and pulled along the surface.
std::vector<Moment> pressed(const Case& scene, const haptics::FrictionChoice& choice, const Context& context,
                            double from, Result& result) {
  const haptics::PreparedScene& parts = prepared(scene.name, context.quick);
  haptics::Renderer renderer = renderer_with(parts, high_friction, choice, parts.description().render);
  const Pose start = parts.description().start;
  const Press& press = scene.press;
  const haptics::Trajectory down({{0, start}, {0.2, {press.hand, start.rotation}}});
  const auto hand = [&](double t) {
    Pose pose = down.at(t);
    const double amplitude = t < pressed_after ? 0 : t < settled ? 1.5 * press.amplitude : press.amplitude;
    const double swing = amplitude * std::sin(2 * std::numbers::pi * (t - pressed_after) / swing_time);
    pose.position = sum(pose.position, scaled(swing, press.along));
    return pose;
  };
  // The picture is of the hand's last turn, where friction is largest
  constexpr double duration = settled + 1.75 * swing_time;
  auto swings = drive(renderer, hand, duration, context, {.from = from, .to = from + 0.1});
  const bool without = choice.method == FrictionMethod::none;
  const char* of_contacts = without ? "contact forces (red)" : "normal forces (red) and friction (orange)";
  const bool total = scene.view.arrows == viz::SceneArrows::total;
  result.pictures.push_back(
      picture(without ? "without_friction" : "with_friction",
              fmt::format("{} {} friction: {}", scene.name, without ? "without" : "with",
                          total ? "total contact force (red), its part along the normals (grey)" : of_contacts),
              parts, renderer, nullptr, scene.view));
  return swings;
}

void add_press_claims(Result& result, const Press& press, const std::vector<Moment>& with,
                      const std::vector<Moment>& without, double period) {
  const auto first = static_cast<std::size_t>(std::lround(settled / period));
  const auto swinging = [&](const std::vector<Moment>& run) { return std::span(run).subspan(first); };
  const auto way = [&](const std::vector<Moment>& run) {
    double max_distance = 0;
    for (const Moment& m : swinging(run)) {
      const Vector3 offset = difference(m.cycle.body.position, run[first - 1].cycle.body.position);
      max_distance = std::max(max_distance, std::abs(dot(offset, press.along)));
    }
    return max_distance;
  };
  const auto held = static_cast<double>(
      std::ranges::count_if(swinging(with), [](const Moment& m) { return m.cycle.phase == Phase::held; }));
  result.claims.push_back(within("share of cycles in which it is held while the hand moves within the cone",
                                 printed("Sections 5.1, 5.2 and 5.4: static friction prevents the sliding"), 1,
                                 held / static_cast<double>(swinging(with).size()), 0, "-"));
  result.claims.push_back(within("way of the part while it is held",
                                 printed("Sections 5.1, 5.2 and 5.4: kept in place; exactly 0"), 0, way(with), 0, "m"));
  result.claims.push_back(at_least("way of the part without friction", requirement("it follows the hand"),
                                   press.free_share * press.amplitude, way(without), "m"));
  // The contact force balances the coupling: with friction it deviates from the sum of the normal forces
  const auto angle_at = [](const Moment& m) { return angle(m.normal, negative(linear(m.cycle.coupling))); };
  const double largest_angle = angle_at(std::ranges::max(swinging(with), {}, angle_at));
  result.claims.push_back(at_least("with friction the contact force leaves the normal by",
                                   requirement("Figs. 8 and 10: visibly; fig08-11 says how far"), 1, largest_angle,
                                   "deg"));
  result.claims.push_back(
      at_most("without friction, the hand at rest, by", printed("Fig. 8, caption: always normal to the contact"), 0.01,
              angle_at(without[static_cast<std::size_t>(std::lround(pressed_after / period)) - 1]), "deg"));
}

Result run(const Case& scene, const Context& context) {
  const haptics::PreparedScene& parts = prepared(scene.name, context.quick);
  const double duration = context.quick ? 4 : 60;
  Result result;
  result.notes = fmt::format(
      "The renderer along the hand's path for {} s of its time, as fast as it goes, on one core. A cycle of more than "
      "1 ms is held against the thread's CPU time and run again with the same input, to tell its own work from others' "
      "(table of overruns). Then the part is pressed on, and the hand moves along the surface, within what friction "
      "holds: the part must not move at all. The same without friction, for comparison: there the force of the "
      "contacts is along their normals. μ = {} on the way and {} while it is held.",
      duration, friction, high_friction);
  const Servo servo = servo_along(parts, paper_path(scene.name, duration), duration, context);
  add_timing(result, servo);
  add_motion_claims(result, servo.moments);
  result.tables.push_back(to_table("motion", servo.moments, context.quick ? 4 : 20));

  haptics::FrictionChoice none = parts.description().friction;
  none.method = FrictionMethod::none;
  const auto with = pressed(scene, parts.description().friction, context, 0.8, result);
  const auto without = pressed(scene, none, context, 0.9, result);
  add_press_claims(result, scene.press, with, without, parts.description().render.period);
  result.tables.push_back(to_table("with_friction", with));
  result.tables.push_back(to_table("without_friction", without));
  Figure motion{"motion",
                "Contacts and time of each cycle",
                "time [s]",
                "cycle [us]",
                {{"motion", column::time, column::contacts, "contacts", "lines", "contacts"},
                 {"motion", column::time, column::cycle_time, "cycle", "points", "cycle [us]"}}};
  motion.panels_in_a_row = 1;
  result.figures.push_back(motion);
  result.figures.push_back({"forces",
                            "Forces on the part while the hand moves within the cone",
                            "time [s]",
                            "force [N]",
                            {{"with_friction", column::time, column::coupling, "coupling"},
                             {"with_friction", column::time, column::normal, "normal"},
                             {"with_friction", column::time, column::friction, "friction"},
                             {"without_friction", column::time, column::coupling, "coupling, without friction"}}});
  return result;
}

}  // namespace

Result cube_and_corner(const Context& context) {
  return run({"cube-and-corner",
              {{0.046, 0.046, 0.044}, {1, 0, 0}, 0.001, 0.01},
              {viz::SceneArrows::total, Vector3{-0.05, 1, 0.3}}},
             context);
}
Result peg_and_hole(const Context& context) {
  return run({"peg-and-hole", {{0, 0, 0.022}, {0, 0, 1}, 0.0005}}, context);
}
Result engine_bay(const Context& context) {
  return run({"engine-bay", {{-0.005, 0.046, 0.0}, {1, 0, 0}, 0.0005}, {.direction = Vector3{0.35, -1, 0.4}}}, context);
}
Result door(const Context& context) {
  return run({"door", {{0.24, -0.277, -0.022}, {1, 0, 0}, 0.0005}, {.direction = Vector3{0.3, -0.4, 1}}}, context);
}

}  // namespace stiction::lab::haptics_scenes
