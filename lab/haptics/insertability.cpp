// Section 3: with non-penetrating contacts friction does not decide whether a part can be inserted; with penalty
// contacts it does.
#include "stiction/haptics/insertability.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "../lab.h"
#include "drive.h"
#include "haptic_baselines.h"
#include "paper_scenes.h"
#include "stiction/geometry/cache.h"
#include "stiction/geometry/shapes.h"
#include "stiction/vector.h"

namespace stiction::lab::haptics_insertability {
namespace {

using baselines::Method;
using baselines::with_method;
using haptics::Pose;

constexpr double radius = 0.01;         // of the peg [m]
constexpr double length = 0.05;         // of the peg [m]
constexpr double hole_radius = 0.0101;  // 1 % larger [m]
constexpr double extra = 5e-5;          // larger all around is the peg that finds the way [m]
constexpr double start_height = 0.046;  // of the peg's centre: it does not touch yet [m]
constexpr double travel = 0.032;        // of the hand [m]
constexpr double sway = 0.002;          // of a careless hand, in all directions [m]
constexpr double tilt = 0.02;           // [rad]
constexpr double swings = 2;            // on the way down
constexpr double waiting = 0.15;        // at the end [s]
constexpr std::array<double, 4> coefficients{0, 0.5, 5, 1e6};

/// The paper's peg, larger by so much all around, and a hole that is larger, not smaller.
haptics::PreparedScene fitting(double larger) {
  haptics::SceneDescription description = paper_scene("peg-and-hole");
  description.fixed.front().mesh = geometry::block_with_hole({0.05, 0.05, 0.04}, hole_radius, 96, 8);
  description.moving.mesh = geometry::cylinder(radius + larger, length + 2 * larger, 96, 10);
  description.fixed.front().field.band = 4;  // points within a quarter of it count as contacts
  description.friction = with_method(description.friction, Method::constraint);
  description.render.static_damping = 0;
  return haptics::PreparedScene(std::move(description), geometry::Cache{.folder = geometry::default_cache_folder()});
}

/// Down, swaying to all sides.
Pose careless_hand(double share) {
  const double angle = 2 * std::numbers::pi * swings * share;
  return {{sway * std::sin(angle), sway * std::cos(angle), start_height - share * travel},
          haptics::rotation_by({tilt * std::sin(1.7 * angle), tilt * std::cos(1.3 * angle), 0})};
}

struct Insertion {
  std::vector<double> time, depth;  // of the peg's way down [m]
  std::vector<Pose> poses;          // of the peg
  double force = 0;                 // the largest of the coupling [N]
  double rotation = 0;              // the largest torque of the coupling [N m]
  double apart = 0;                 // the largest distance of peg and hand [m]
};
Insertion inserted(const haptics::PreparedScene& scene, double mu, const Hand& hand, double duration,
                   const Context& context, double progress) {
  haptics::Renderer renderer = renderer_with(scene, mu, scene.description().friction, scene.description().render);
  renderer.reset_pose({.position = {0, 0, start_height}});
  Insertion result;
  for (const Moment& m : drive(renderer, hand, duration, context, {progress, progress, false})) {
    result.time.push_back(m.time);
    result.depth.push_back(start_height - m.cycle.body.position[2]);
    result.poses.push_back(m.cycle.body);
    result.force = std::max(result.force, norm(linear(m.cycle.coupling)));
    result.apart = std::max(result.apart, norm(difference(m.hand.position, m.cycle.body.position)));
    result.rotation =
        std::max(result.rotation, std::hypot(m.cycle.coupling[3], m.cycle.coupling[4], m.cycle.coupling[5]));
  }
  return result;
}

/// The way of the peg, so much slower: gaps are linear only over small steps.
haptics::Trajectory slowly(const Insertion& insertion, double period) {
  constexpr double slower = 4;
  std::vector<haptics::TimedPose> poses;
  for (const Pose& pose : insertion.poses) {
    poses.push_back({slower * period * static_cast<double>(poses.size()), pose});
  }
  return haptics::Trajectory(std::move(poses));
}

/// Non-penetrating contact and a peg that fits, with a careless hand, and with one that follows the way on which that
/// one got the peg in without friction.
void constraint_part(Result& result, const Context& context) {
  const haptics::PreparedScene scene = fitting(0);
  const haptics::PreparedScene tight = fitting(extra);
  const double going = context.quick ? 0.25 : 1.6;  // [s]
  const auto careless = [&](double time) { return careless_hand(std::min(1.0, time / going)); };
  const Insertion original = inserted(tight, 0, careless, going + waiting, context, 0);
  const haptics::Trajectory way = slowly(original, scene.description().render.period);
  std::array<std::vector<double>, 6> rows;
  Figure figure{
      "constraint", "A peg that fits, contacts without penetration", "time [s]", "way of the peg down [m]", {}};
  double followed_least = infinity;
  double force = 0;
  double apart = 0;
  double careless_least = infinity;
  double careless_most = 0;
  for (std::size_t k = 0; k < coefficients.size(); ++k) {
    const double mu = coefficients.at(k);
    const double done = 0.8 * static_cast<double>(k) / coefficients.size();
    const Insertion same = inserted(scene, mu, careless, going + waiting, context, done);
    const Insertion followed = inserted(
        scene, mu, [&](double time) { return way.at(time); }, way.end() + waiting, context, done + 0.1);
    followed_least = std::min(followed_least, followed.depth.back());
    force = std::max(force, followed.force);
    apart = std::max(apart, followed.apart);
    careless_least = std::min(careless_least, same.depth.back());
    careless_most = std::max(careless_most, same.depth.back());
    const std::array<double, 6> row{
        mu, same.depth.back(), same.force, same.rotation, followed.depth.back(), followed.force};
    for (std::size_t c = 0; c < row.size(); ++c) {
      rows.at(c).push_back(row.at(c));
    }
    const std::string table = fmt::format("constraint_{:g}", mu);
    result.tables.push_back({table, {{"time [s]", same.time}, {"depth [m]", same.depth}}});
    result.tables.push_back({table + "_following", {{"time [s]", followed.time}, {"depth [m]", followed.depth}}});
    figure.series.push_back({table, 0, 1, fmt::format("careless hand, μ = {:g}", mu)});
    figure.series.push_back({table + "_following", 0, 1, fmt::format("hand on the peg's way, μ = {:g}", mu)});
  }
  result.figures.push_back(figure);
  result.tables.push_back({"constraint",
                           {{"μ [-]", rows[0]},
                            {"careless hand: way down [m]", rows[1]},
                            {"largest force [N]", rows[2]},
                            {"largest torque [N m]", rows[3]},
                            {"hand on the peg's way: way down [m]", rows[4]},
                            {"largest force then [N]", rows[5]}},
                           true});
  const Source same_way = printed("Section 3: the same trajectory with zero contact forces, whatever μ is");
  result.claims.push_back(within("fits, without penetration, careless hand, no friction: way down",
                                 requirement("an insertion that involves contact"), travel, original.depth.back(), 1e-4,
                                 "m"));
  result.claims.push_back(at_least("that hand: largest force of the coupling",
                                   requirement("an insertion that involves contact"), 0.1, original.force, "N"));
  result.claims.push_back(at_least("fits, without penetration, hand on that way, μ up to 1e6: least way down", same_way,
                                   original.depth.back(), followed_least, "m", 1e-5));
  result.claims.push_back(at_most("hand on that way: largest distance from the peg's way without friction", same_way, 0,
                                  apart, "m", extra));
  result.claims.push_back(at_most("hand on that way: largest force over that of the careless hand", same_way, 0,
                                  force / original.force, "-", 0.01));
  result.claims.push_back(at_most("fits, careless hand: way down with μ = 0 less the least with any μ",
                                  requirement("section 3 speaks of some hand, not of each"), 0,
                                  careless_most - careless_least, "m")
                              .as_info("along one and the same hand's path friction may well decide"));
}

/// Penalty contact and the paper's peg, 1 % too large.
void penalty_part(Result& result, const Context& context) {
  const haptics::PreparedScene& scene = prepared("peg-and-hole", context.quick);
  const haptics::Trajectory path({{0, {.position = {0, 0, start_height}}},
                                  {context.quick ? 0.4 : 1.6, {.position = {0, 0, start_height - travel}}}});
  constexpr double tolerance = 5e-3;  // [m]
  const haptics::Insertability found = haptics::find_insertability(
      scene, path, scene.description().friction, {.tolerance = tolerance, .wait = 0.1},
      {.max_friction = 2, .sweep = 5, .resolution = context.quick ? 0.05 : 0.01}, [&](double) { context.check(); });
  std::vector<double> used;
  std::vector<double> distance;
  std::vector<double> in;
  double out_of_order = 0;  // let in although a smaller coefficient kept it out
  bool kept_out = false;
  for (const haptics::InsertionTrial& trial : found.trials) {
    used.push_back(trial.friction);
    distance.push_back(trial.distance);
    in.push_back(trial.inserted ? 1 : 0);
    out_of_order += kept_out && trial.inserted ? 1 : 0;
    kept_out = kept_out || !trial.inserted;
  }
  result.tables.push_back(
      {"penalty", {{"μ [-]", used}, {"distance from its place [m]", distance}, {"inserted [-]", in}}, true});
  result.figures.push_back({"penalty",
                            "A peg 1 % too large, penalty contact: where the hand's push ends",
                            "friction coefficient",
                            "distance from its place [m]",
                            {{"penalty", 0, 1, "straight hand", "linespoints"}}});
  const Source depends = printed("Section 3: insertability depends on the friction coefficient");
  result.claims.push_back(at_least("1 % too large, penalty: largest μ found that lets it in", depends, 0,
                                   found.insertable.value_or(-1), "-"));
  result.claims.push_back(at_most("1 % too large, penalty: least μ found that keeps it out", depends, 2,
                                  found.not_insertable.value_or(1e9), "-"));
  result.claims.push_back(at_most("1 % too large, penalty: coefficients that let it in above one that does not",
                                  requirement("one threshold"), 0, out_of_order, "-"));
}

}  // namespace

Result run(const Context& context) {
  Result result;
  constraint_part(result, context);
  penalty_part(result, context);
  result.notes = fmt::format(
      "Contacts without penetration first. A peg that fits, its hole 1 % larger, is put in by a hand that sways by "
      "{:g} mm and {:g} rad: without friction it gets in, with friction it is stuck at the rim. That is the "
      "statement's limit: along one and the same hand's path friction does decide. But there is always another hand: "
      "one that goes where the peg went. Nothing pushes the peg against the hole then, there is nothing for friction "
      "to multiply, and it gets in on the same way whatever μ is. (The way was that of a peg {:g} µm larger all "
      "around: contact forces of rounding errors, times μ = 1e6, would hold it.) Then penalty contact and the paper's "
      "peg, 1 % too large for its hole, pushed until the hand is {:g} mm in: there is a coefficient up to which it "
      "comes within 5 mm of the hand.",
      1000 * sway, tilt, 1e6 * extra, 1000 * travel);
  return result;
}

}  // namespace stiction::lab::haptics_insertability
