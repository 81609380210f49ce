#include "paper_scenes.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "haptic_baselines.h"
#include "paper_parts.h"
#include "stiction/problem.h"

namespace stiction::lab {
namespace {

using haptics::Pose;
using haptics::rotation_by;

/// A point between two values that swings `per_minute` times a minute.
double swing(double low, double high, double per_minute, double time, double phase = 0) {
  return 0.5 * (low + high) - 0.5 * (high - low) * std::cos(2 * std::numbers::pi * (per_minute * time / 60 + phase));
}

// Cycles a minute have no common factor, so that a minute does not repeat itself.

Pose cube_hand(double t) {  // the cube's centre is 5 cm from floor and walls where it just touches them
  return {{swing(0.043, 0.056, 17, t), swing(0.043, 0.056, 13, t, 0.2), swing(0.043, 0.051, 11, t, 0.4)},
          rotation_by({swing(-0.06, 0.06, 7, t, 0.1), swing(-0.06, 0.06, 5, t, 0.3), swing(-0.1, 0.1, 3, t)})};
}

Pose peg_hand(double t) {  // in and out, with the wrist swaying
  return {{swing(-0.001, 0.001, 23, t), swing(-0.001, 0.001, 19, t, 0.3), swing(0.020, 0.046, 7, t, 0.5)},
          rotation_by({swing(-0.03, 0.03, 17, t), swing(-0.03, 0.03, 13, t, 0.2), 0})};
}

Pose engine_hand(double t) {  // the starter in its pocket is pushed about
  return {
      {-0.005 + swing(-0.010, 0.004, 13, t), 0.03 + swing(-0.012, 0.010, 17, t, 0.2), swing(-0.010, 0.010, 11, t, 0.4)},
      rotation_by({swing(-0.1, 0.1, 7, t), swing(-0.1, 0.1, 5, t, 0.1), swing(-0.1, 0.1, 3, t, 0.3)})};
}

Pose door_hand(double t) {  // through the round opening, the plate on the outer panel
  return {{0.24 + swing(-0.03, 0.03, 7, t), -0.19 + swing(-0.03, 0.03, 5, t, 0.2), swing(-0.026, -0.017, 11, t, 0.4)},
          rotation_by({swing(-0.05, 0.05, 13, t), swing(-0.05, 0.05, 17, t, 0.1), swing(-0.3, 0.3, 3, t, 0.3)})};
}

struct PaperScene {
  const char* name;
  const char* fixed;
  const char* moving;
  PaperParts (*make)(const geometry::Progress&);
  Vector3 start;  // where nothing touches
  Pose (*hand)(double time);
  int sides;  // of the paper's pyramids
};
constexpr PaperScene all[] = {
    {"cube-and-corner", "corner", "cube", cube_and_corner, {0.052, 0.052, 0.052}, cube_hand, 4},
    {"peg-and-hole", "hole", "peg", peg_and_hole, {0, 0, 0.046}, peg_hand, 4},
    {"engine-bay", "engine", "starter", engine_bay, {-0.005, 0.03, 0}, engine_hand, 8},
    {"door", "door", "motor", door, {0.24, -0.19, 0.005}, door_hand, 8},
};

const PaperScene& find(const std::string& name) {
  const auto* found = std::ranges::find_if(all, [&](const PaperScene& b) { return b.name == name; });
  if (found == std::end(all)) {
    throw InvalidParameter({"scene", 0, "cube-and-corner, peg-and-hole, engine-bay or door"});
  }
  return *found;
}

}  // namespace

const std::vector<std::string>& paper_scenes() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const PaperScene& b : all) {
      list.emplace_back(b.name);
    }
    return list;
  }();
  return names;
}

haptics::SceneDescription paper_scene(const std::string& name, const geometry::Progress& progress) {
  const PaperScene& which = find(name);
  PaperParts parts = which.make(progress);
  haptics::SceneDescription description;
  description.moving = {which.moving, std::move(parts.moving), parts.field, parts.shell};
  haptics::FixedPart fixed;
  static_cast<haptics::Part&>(fixed) = {which.fixed, std::move(parts.fixed), parts.field, parts.shell};
  fixed.has_shell = !parts.shell_moves;
  description.fixed.push_back(std::move(fixed));
  description.centre = Vector3{};
  description.start.position = which.start;
  description.friction.sides = which.sides;
  return description;
}

haptics::Trajectory paper_path(const std::string& name, double duration) {
  const PaperScene& which = find(name);
  constexpr Range durations{0, 1e5, false, true, "> 0 and at most 100000"};
  if (!durations.holds(duration)) {
    throw InvalidParameter({"duration", duration, durations.text});
  }
  constexpr double step = 0.01;  // [s]
  std::vector<haptics::TimedPose> poses;
  const auto count = static_cast<int>(std::ceil(duration / step - 1e-9));
  for (int i = 0; i <= count; ++i) {
    // In the first second from the start to where the hand would be
    const double share = std::min(i * step, 1.0);
    const Pose hand = which.hand(i * step);
    const Vector3 offset = difference(hand.position, which.start);
    poses.push_back({i * step,
                     {sum(which.start, scaled(share, offset)),
                      rotation_by(scaled(share, haptics::rotation_vector(hand.rotation)))}});
  }
  return haptics::Trajectory(std::move(poses));
}

const io::SceneCatalogue& scene_catalogue() {
  static const io::SceneCatalogue catalogue = [] {
    io::SceneCatalogue all;
    for (const std::string& name : paper_scenes()) {
      all.scenes[name] = {[name](const geometry::Progress& progress) { return paper_scene(name, progress); },
                          [name](double duration) { return paper_path(name, duration); }};
    }
    for (const auto& [name, method] : baselines::method_names()) {
      all.methods[name] = [method](double ratio) { return baselines::with_method({}, method, ratio).custom; };
    }
    return all;
  }();
  return catalogue;
}

}  // namespace stiction::lab
