// Shared by the haptic experiments: the paper's scenes, prepared once, and a run of the renderer along a hand's path.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "../lab.h"
#include "stiction/haptics/renderer.h"
#include "stiction/haptics/scene.h"
#include "stiction/viz/scene_picture.h"

namespace stiction::lab {

/// Kept in memory, and in the user's cache on disk. `quick`: fields of 256 cells at most.
const haptics::PreparedScene& prepared(const std::string& name, bool quick);

/// A renderer of the scene, the body at the start, with another coefficient of friction, method and parameters.
haptics::Renderer renderer_with(const haptics::PreparedScene& scene, double friction,
                                const haptics::FrictionChoice& choice, const haptics::RenderParams& params);
haptics::Renderer renderer_with(const haptics::PreparedScene& scene, double friction,
                                std::unique_ptr<haptics::FrictionStep> step, haptics::Separation separation,
                                const haptics::RenderParams& params);

/// The equilibrium pose of the body without friction, after the hand has moved straight from one pose to another in
/// half a second and stays there.
haptics::Pose settled(const haptics::PreparedScene& scene, const haptics::Pose& from, const haptics::Pose& to,
                      const Context& context);

/// A cycle and the forces in it.
struct Moment {
  double time = 0;  // [s]
  haptics::Pose hand;
  haptics::Cycle cycle;
  Vector3 normal{}, friction{};  // sums over all contacts: forces on the body [N]
  Vector3 torque{};              // of both about the body's centre [N m]
  double steepest = 0;           // the largest friction of a contact over its normal force
  double normal_sum = 0;         // of the sizes of all normal forces [N], …
  double friction_sum = 0;       // … and of those of all friction forces [N]
};

/// What a picture of the last cycle shows.
struct Snapshot {
  haptics::Pose body, hand;
  std::vector<viz::ShownForce> forces;
};

/// The pose of the hand at a time.
using Hand = std::function<haptics::Pose(double)>;

struct DriveOptions {
  double from = 0, to = 1;                        // of the experiment's progress
  bool forces = true;                             // sum up the contact forces; false if cycles are timed
  std::function<void(const Moment&)> after = {};  // of each cycle
};
/// Cycles of the renderer's period for a time. Contact forces are those of the cycle, before the body has moved.
std::vector<Moment> drive(haptics::Renderer& renderer, const Hand& hand, double duration, const Context& context,
                          const DriveOptions& options = {});

/// The quantile of one number of the moments.
double quantile(const std::vector<Moment>& moments, double share, const std::function<double(const Moment&)>& number);

/// As a table: every `each`-th moment, with the columns below.
Table to_table(const std::string& name, const std::vector<Moment>& moments, std::size_t each = 1);
namespace column {
inline constexpr std::size_t time = 0, hand_x = 1, body_x = 4, coupling = 7, normal = 8, friction = 9, contacts = 10,
                             held = 11, cycle_time = 12, contact_force = 13, contact_torque = 14, friction_time = 15,
                             count = 16;
}

/// One number of each moment.
std::vector<double> numbers(const std::vector<Moment>& moments, const std::function<double(const Moment&)>& number);

/// Medians of nine neighbouring values: what a cycle costs without the moments in which another had the core.
std::vector<double> running_median(const std::vector<double>& values);

/// The force of a wrench, or the translation of a motion.
Vector3 linear(const Vector6& wrench);

/// The scene with the contact forces of the renderer's last cycle, or their total, viewed from the side towards which
/// they push the part. `hand` also draws the part at the pose of the hand, faintly.
Picture picture(const std::string& name, const std::string& title, const haptics::PreparedScene& scene,
                const haptics::Renderer& renderer, const haptics::Pose* hand = nullptr,
                const viz::SceneView& view = {});
/// The same of a cycle of before.
Snapshot snapshot(const haptics::Renderer& renderer, const haptics::Pose& hand);
Picture picture(const std::string& name, const std::string& title, const haptics::PreparedScene& scene,
                const Snapshot& shown, const viz::SceneView& view = {});

/// Angle between two forces [deg]; 0 if one of them is 0.
double angle(const Vector3& a, const Vector3& b);

}  // namespace stiction::lab
