// Sections 4.1 and 5.6: the rule against stickiness takes friction away from contacts that separate. Can a hand trick
// it by leaving one wall abruptly, so that the peg slips deeper before the other wall is touched?
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "../lab.h"
#include "drive.h"
#include "stiction/haptics/trajectory.h"
#include "stiction/vector.h"

namespace stiction::lab::haptics_abrupt_motion {
namespace {

using haptics::FrictionMethod;
using haptics::Pose;
using haptics::Separation;

constexpr double friction = 100;
constexpr double height = 0.035;   // of the peg's centre: its tip is 1 cm in [m]
constexpr double sideways = 0.01;  // of the hand from the axis, on one side and then on the other [m]
constexpr double down = 0.02;      // of the hand below the peg [m]
constexpr double pressing = 0.2;   // until the hand has arrived down there [s]
constexpr double waiting = 0.1;    // before it leaves the wall, and after it has arrived at the other [s]
constexpr double fast_hand = 2;    // [m/s]

struct Rule {
  Separation rule;
  const char* name;
};
constexpr std::array<Rule, 3> rules{{{Separation::none, "no rule"},
                                     {Separation::as_published, "rule as published"},
                                     {Separation::pulled, "rule for pulled contacts"}}};
struct Method {
  FrictionMethod method;
  const char* name;
};
constexpr std::array<Method, 2> methods{{{FrictionMethod::switched, "switched"}, {FrictionMethod::cone, "cones"}}};

/// The way of the peg down while the hand goes from one side to the other in so many cycles [m].
struct Slip {
  std::vector<double> time, depth;
  double before = 0;  // while the hand is still at the first wall
  double way = 0;     // after that
};
Slip slip(const Method& method, const Rule& rule, int cycles, const Pose& start, const Context& context,
          double progress) {
  const haptics::PreparedScene& scene = prepared("peg-and-hole", context.quick);
  const haptics::RenderParams& params = scene.description().render;
  haptics::FrictionChoice choice = scene.description().friction;
  choice.method = method.method;
  choice.separation = rule.rule;
  haptics::Renderer renderer = renderer_with(scene, friction, choice, params);
  renderer.reset_pose(start);
  const double leaves = pressing + waiting;
  const double arrives = leaves + cycles * params.period;
  const haptics::Trajectory path({{0, {.position = {-sideways, 0, height}}},
                                  {pressing, {.position = {-sideways, 0, height - down}}},
                                  {leaves, {.position = {-sideways, 0, height - down}}},
                                  {arrives, {.position = {sideways, 0, height - down}}}});
  Slip result;
  for (const Moment& m :
       drive(renderer, [&](double t) { return path.at(t); }, arrives + waiting, context, {progress, progress, false})) {
    result.time.push_back(m.time - leaves);
    result.depth.push_back(start.position[2] - m.cycle.body.position[2]);
    // In the cycle at `leaves` the hand is still where it was
    (m.time <= leaves + 0.5 * params.period ? result.before : result.way) = result.depth.back();
  }
  result.way -= result.before;
  return result;
}

}  // namespace

Result run(const Context& context) {
  const std::vector<int> quick{1, 2, 5, 10, 30, 100};
  const std::vector<int> full{1, 2, 3, 4, 5, 7, 10, 15, 20, 30, 50, 70, 100, 200, 500};
  const std::vector<int>& durations = context.quick ? quick : full;
  const haptics::PreparedScene& scene = prepared("peg-and-hole", context.quick);
  const double period = scene.description().render.period;
  // Without friction, pressed against one wall so hard that the other is not touched
  const Pose start = settled(scene, {.position = {0, 0, height}}, {.position = {-sideways, 0, height}}, context);
  Result result;
  Table table{"slips", {{"cycles of the hand's way [-]", {}}, {"speed of the hand [m/s]", {}}}, true};
  for (const int cycles : durations) {
    std::get<std::vector<double>>(table.columns[0].values).push_back(cycles);
    std::get<std::vector<double>>(table.columns[1].values).push_back(2 * sideways / (cycles * period));
  }
  Figure slips{"slips",
               "A hand leaves one wall for the other: the peg slips deeper",
               "speed of the hand [m/s]",
               "way of the peg down [m]",
               {}};
  slips.x_log = true;
  Figure abrupt{"abrupt", "The hand leaves the wall in one cycle", "time [s]", "way of the peg down [m]", {}};
  for (const Method& method : methods) {
    for (const Rule& rule : rules) {
      std::vector<double> ways;
      double slow = 0;  // the largest at the speed of a fast hand and below
      double before = 0;
      for (std::size_t k = 0; k < durations.size(); ++k) {
        const Slip now =
            slip(method, rule, durations[k], start, context, static_cast<double>(result.claims.size()) / 18);
        ways.push_back(now.way);
        before = std::max(before, now.before);
        if (std::get<std::vector<double>>(table.columns[1].values)[k] <= fast_hand * (1 + 1e-9)) {
          slow = std::max(slow, now.way);
        }
        if (k == 0) {
          const std::string name = fmt::format("abrupt_{}_{}", method.name, static_cast<int>(rule.rule));
          result.tables.push_back({name, {{"time [s]", now.time}, {"depth [m]", now.depth}}});
          abrupt.series.push_back({name, 0, 1, fmt::format("{}, {}", method.name, rule.name)});
        }
      }
      table.columns.push_back({fmt::format("{}, {} [m]", method.name, rule.name), ways});
      slips.series.push_back(
          {"slips", 1, table.columns.size() - 1, fmt::format("{}, {}", method.name, rule.name), "linespoints"});
      const std::string name = fmt::format("{}, {}: way of the peg, ", method.name, rule.name);
      result.claims.push_back(at_most(name + "the hand at the first wall", printed("Section 5.6: friction prevents it"),
                                      0, before, "m", 1e-9));
      if (rule.rule == Separation::none) {
        result.claims.push_back(
            at_most(name + "the hand gone in one cycle", from_theory("nothing to trick"), 0, ways.front(), "m", 1e-9));
      } else {
        result.claims.push_back(at_least(name + "the hand gone in one cycle",
                                         printed("Section 5.6: an abrupt motion makes use of the rule"), 1e-3,
                                         ways.front(), "m"));
      }
      result.claims.push_back(at_most(name + fmt::format("the hand at {:g} m/s and below", fast_hand),
                                      printed("Section 5.6: no hand is fast enough for it"), 0, slow, "m", 1e-9));
    }
  }
  result.tables.push_back(table);
  result.figures = {slips, abrupt};
  result.notes = "TODO";
  return result;
}

}  // namespace stiction::lab::haptics_abrupt_motion
