// Stiction's friction in a running MuJoCo model: scalar models in joints, patches in contacts.
#pragma once

#include <mujoco/mujoco.h>

#include <vector>

#include "stiction/planar/reduced.h"
#include "stiction/scalar/joints.h"

namespace stiction::integrations {

/// Replaces mj_step. In each step it
///   runs mj_step1 and mj_fwdActuation,
///   reads bias, passive, applied and actuator forces, the constraint forces of the last step (contacts, limits,
///   equalities), and the mobility of the joints and contacts (mj_solveM),
///   solves body and friction together, writes −F into qfrc_applied,
///   runs mj_step2, and gives qfrc_applied back as it was.
/// Set the frictionloss of these joints to 0 and the condim of these geoms to 1: there must be one friction. The
/// integrator must be Euler's, without a damping of these joints that is integrated implicitly.
class MujocoFriction {
 public:
  struct Joint {
    int joint;  // id of a hinge or a slide
    scalar::AnyModel model;
  };
  struct Contact {
    int geom;   // carries the patch: its x axis, in the plane of contact, is that of the patch
    int other;  // what it touches
    planar::Friction friction;
    planar::Patch patch;
  };
  /// Throws Error for an id that does not exist, a joint of another kind, and geoms with friction of
  /// their own; InvalidParameter for wrong friction.
  MujocoFriction(const mjModel* model, const std::vector<Joint>& joints, const std::vector<Contact>& contacts = {});

  void step(const mjModel* model, mjData* data);

  /// The uncoupled option, for mjcb_passive: adds −F(v) of the joints to qfrc_passive. It runs before the load is
  /// known, so a loaded joint creeps, and a stiff bristle limits the step.
  void add_passive(const mjModel* model, mjData* data);

  /// Joints at rest under the load of the present configuration.
  void rest(const mjModel* model, mjData* data);

  [[nodiscard]] const scalar::Joints& joints() const noexcept { return joints_; }
  /// Of the last step [N m].
  [[nodiscard]] const std::vector<double>& joint_forces() const noexcept { return force_; }
  [[nodiscard]] const planar::Wrench& contact_wrench(std::size_t i) const noexcept { return patches_[i].wrench; }
  [[nodiscard]] double contact_normal_force(std::size_t i) const noexcept { return patches_[i].normal_force; }

 private:
  struct Patch {
    int geom, other;
    planar::Reduced<planar::SurfaceTable> model;
    planar::Reduced<planar::SurfaceTable>::State state = {};
    planar::Twist twist = {};  // of the last step
    planar::Wrench wrench = {};
    double normal_force = 0;  // of the last step [N]
  };
  void load_of(const mjModel* model, const mjData* data);
  void add_contact_friction(const mjModel* model, mjData* data, Patch& contact);
  void read_normal_forces(const mjModel* model, const mjData* data);

  scalar::Joints joints_;
  std::vector<int> dof_;
  std::vector<Patch> patches_;
  std::vector<double> force_, free_, velocity_, mobility_;     // of the joints
  std::vector<double> load_, free_of_all_, column_, applied_;  // of all degrees of freedom
  bool started_ = false;
};

}  // namespace stiction::integrations
