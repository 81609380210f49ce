// Sections 4.1 and 5.6: the rule against stickiness takes friction away from contacts that separate. Can a hand trick
// it by leaving one wall abruptly, so that the peg slips deeper before the other wall is touched?
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

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
constexpr int slow_cycles = 100;   // 0.2 m/s
constexpr int sweeps = 10;

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

/// From one wall to the other and so on, so many times, each in so many cycles; below the peg all the time.
haptics::Trajectory path_of(int cycles, int times, double period) {
  const auto at = [](double x, double z) { return Pose{.position = {x, 0, z}}; };
  double time = pressing + waiting;
  double side = -sideways;
  std::vector<haptics::TimedPose> poses{
      {0, at(side, height)}, {pressing, at(side, height - down)}, {time, at(side, height - down)}};
  for (int k = 0; k < times; ++k) {
    side = -side;
    poses.push_back({time + cycles * period, at(side, height - down)});
    poses.push_back({time + cycles * period + waiting, at(side, height - down)});
    time = poses.back().time;
  }
  return haptics::Trajectory(std::move(poses));
}

/// The way of the peg down [m].
struct Slip {
  std::vector<double> time, depth;
  double before = 0;  // while the hand is still at the first wall
  double way = 0;     // after that
};
Slip slip(const Method& method, const Rule& rule, const haptics::Trajectory& path, const Pose& start,
          const Context& context, double progress) {
  const haptics::PreparedScene& scene = prepared("peg-and-hole", context.quick);
  const haptics::RenderParams& params = scene.description().render;
  haptics::FrictionChoice choice = scene.description().friction;
  choice.method = method.method;
  choice.separation = rule.rule;
  haptics::Renderer renderer = renderer_with(scene, friction, choice, params);
  renderer.reset_pose(start);
  constexpr double leaves = pressing + waiting;
  Slip result;
  for (const Moment& m :
       drive(renderer, [&](double t) { return path.at(t); }, path.end(), context, {progress, progress, false})) {
    result.time.push_back(m.time - leaves);
    result.depth.push_back(start.position[2] - m.cycle.body.position[2]);
    // In the cycle at `leaves` the hand is still where it was
    (m.time <= leaves + 0.5 * params.period ? result.before : result.way) = result.depth.back();
  }
  result.way -= result.before;
  return result;
}

/// What one method with one rule lets happen.
struct Slips {
  std::string name;
  const Method* method = nullptr;
  const Rule* rule = nullptr;
  std::vector<double> ways;  // for each duration of the hand's way
  double before = 0;
  double slow = 0;  // the largest way at the speed of a fast hand and below
  Slip swept;       // often to and fro, slowly
  double swept_abruptly = 0;
};
Slips slips_of(const Method& method, const Rule& rule, const std::vector<int>& durations, const Pose& start,
               const Context& context, double progress) {
  const double period = prepared("peg-and-hole", context.quick).description().render.period;
  Slips slips{fmt::format("{}, {}", method.name, rule.name), &method, &rule, {}, 0, 0, {}, 0};
  for (const int cycles : durations) {
    const Slip now = slip(method, rule, path_of(cycles, 1, period), start, context, progress);
    slips.ways.push_back(now.way);
    slips.before = std::max(slips.before, now.before);
    if (2 * sideways / (cycles * period) <= fast_hand * (1 + 1e-9)) {
      slips.slow = std::max(slips.slow, now.way);
    }
  }
  slips.swept = slip(method, rule, path_of(slow_cycles, sweeps, period), start, context, progress);
  slips.swept_abruptly = slip(method, rule, path_of(1, sweeps, period), start, context, progress).way;
  return slips;
}

void add_claims(Result& result, const Slips& slips) {
  const auto name = [&](const std::string& what) { return slips.name + ": way of the peg, " + what; };
  const std::string slowly = fmt::format("the hand at {:g} m/s and below", fast_hand);
  const std::string often = fmt::format("{} times to and fro less the first time, ", sweeps);
  const bool ours = slips.method->method == FrictionMethod::cone && slips.rule->rule != Separation::none;
  const char* not_theirs = "not the paper's program: contacts that do not separate hold on";
  const double more = slips.swept.way - slips.ways.back();
  const double more_abruptly = slips.swept_abruptly - slips.ways.front();
  result.claims.push_back(at_most(name("the hand at the first wall"), printed("Section 5.6: friction prevents it"), 0,
                                  slips.before, "m", 1e-9));
  if (slips.rule->rule == Separation::none) {
    const Source nothing = from_theory("without the rule there is nothing to exploit");
    result.claims.push_back(at_most(name("the hand gone in one cycle"), nothing, 0, slips.ways.front(), "m", 1e-9));
    result.claims.push_back(at_most(name(slowly), nothing, 0, slips.slow, "m", 1e-9));
  } else {
    Claim abruptly =
        at_least(name("the hand gone in one cycle"), printed("Section 5.6: an abrupt motion can exploit the rule"),
                 1e-3, slips.ways.front(), "m");
    Claim blocked = at_most(name(slowly), printed("Section 5.6: done more slowly, the other wall's contacts block it"),
                            0, slips.slow, "m", 1e-9);
    result.claims.push_back(ours ? abruptly.as_info(not_theirs) : abruptly);
    result.claims.push_back(
        ours ? blocked.as_info(not_theirs)
             : blocked.as_refuted(fmt::format(
                   "the peg slips {:.1f} mm at hand speeds of {:g} m/s and below: held exactly, it stays at the first "
                   "wall until that wall's contacts separate, and the other wall is not yet touched",
                   1000 * slips.slow, fast_hand)));
  }
  const Source once = printed("Section 5.6: the peg cannot be moved in like a snake");
  for (const auto& [how, way] : {std::pair{"slowly", more}, {"in one cycle each", more_abruptly}}) {
    Claim no_further = at_most(name(often + how), once, 0, way, "m", 1e-9);
    result.claims.push_back(ours ? no_further.as_info(not_theirs) : no_further);
  }
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
  std::vector<double> cycles(durations.begin(), durations.end());
  std::vector<double> speeds;
  for (const double count : cycles) {
    speeds.push_back(2 * sideways / (count * period));
  }
  Table table{"slips", {{"cycles of the hand's way [-]", cycles}, {"speed of the hand [m/s]", speeds}}, true};
  Figure slips{"slips",
               "A hand leaves one wall for the other: the peg slips deeper",
               "speed of the hand [m/s]",
               "way of the peg down [m]",
               {}};
  slips.x_log = true;
  Figure swept{"swept",
               fmt::format("The hand goes to and fro at {:g} m/s", 2 * sideways / (slow_cycles * period)),
               "time [s]",
               "way of the peg down [m]",
               {}};
  for (const Method& method : methods) {
    for (const Rule& rule : rules) {
      const double done = static_cast<double>(table.columns.size() - 2) / (methods.size() * rules.size());
      const Slips now = slips_of(method, rule, durations, start, context, done);
      table.columns.push_back({now.name + " [m]", now.ways});
      slips.series.push_back({"slips", 1, table.columns.size() - 1, now.name, "linespoints"});
      const std::string name = fmt::format("swept_{}_{}", method.name, static_cast<int>(rule.rule));
      result.tables.push_back({name, {{"time [s]", now.swept.time}, {"depth [m]", now.swept.depth}}});
      swept.series.push_back({name, 0, 1, now.name});
      add_claims(result, now);
    }
  }
  result.tables.push_back(table);
  result.figures = {slips, swept};
  result.notes = fmt::format(
      "A peg 1 % too large is 1 cm in its hole, μ = {:g}, and pressed against one wall so hard that the other is not "
      "touched; it has come there without friction. The hand pushes it down with 10 N, and then goes to the other "
      "side, in one cycle or in many. By section 4.1 contacts that separate have no friction, and the paper says that "
      "this can be exploited only by a motion too abrupt for a hand. Here the peg slips with slow hands as well: "
      "static friction holds it exactly where it is until all contacts of the first wall separate at once, and then no "
      "wall holds. It slips by up to 3.3 mm in one cycle, the width of the field's band, by which the motion of a "
      "cycle is limited. With cones, contacts that do not separate hold on, and it slips by a tenth of a millimetre. "
      "But it is not let in like a snake: once it has slipped it touches all around, and going to and fro moves it no "
      "further. (Slowly: {:g} m/s.)",
      friction, 2 * sideways / (slow_cycles * period));
  return result;
}

}  // namespace stiction::lab::haptics_abrupt_motion
