// Shared by the haptic experiments: the paper's scenes, prepared once, and a run of the renderer along a hand's path.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "../lab.h"
#include "stiction/haptics/renderer.h"
#include "stiction/haptics/scene.h"

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
  double steepest = 0;           // the largest friction of a contact over its normal force
};

/// The pose of the hand at a time.
using Hand = std::function<haptics::Pose(double)>;

struct DriveOptions {
  double from = 0, to = 1;  // of the experiment's progress
  bool forces = true;       // sum up the contact forces; false if cycles are timed
};
/// Cycles of the renderer's period for a time. Contact forces are those of the cycle, before the body has moved.
std::vector<Moment> drive(haptics::Renderer& renderer, const Hand& hand, double duration, const Context& context,
                          const DriveOptions& options = {});

/// The quantile of one number of the moments.
double quantile(const std::vector<Moment>& moments, double share, const std::function<double(const Moment&)>& number);

/// As a table: time, hand, body, forces, contacts, phase; every `each`-th moment.
Table to_table(const std::string& name, const std::vector<Moment>& moments, std::size_t each = 1);

/// One number of each moment.
std::vector<double> numbers(const std::vector<Moment>& moments, const std::function<double(const Moment&)>& number);

/// The force of a wrench, or the translation of a motion.
Vector3 linear(const Vector6& wrench);

/// The scene with the contact forces of the renderer's last cycle, viewed from the side towards which they push the
/// part. `hand` also draws the part at the pose of the hand, faintly.
Picture picture(const std::string& name, const std::string& title, const haptics::PreparedScene& scene,
                const haptics::Renderer& renderer, const haptics::Pose* hand = nullptr);

/// Angle between two forces [deg]; 0 if one of them is 0.
double angle(const Vector3& a, const Vector3& b);

}  // namespace stiction::lab
