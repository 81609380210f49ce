// One cycle of haptic rendering: from the pose of the hand to the force it feels.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "stiction/export.h"
#include "stiction/haptics/contact_finder.h"
#include "stiction/haptics/coupling.h"
#include "stiction/haptics/friction_step.h"
#include "stiction/haptics/penalty.h"
#include "stiction/haptics/pose.h"
#include "stiction/problem.h"

namespace stiction::haptics {

/// The moving body and a fixed one: one of them has a shell, the other a field.
struct BodyPair {
  const geometry::DistanceField* field = nullptr;
  const geometry::PointShell* shell = nullptr;
  bool shell_moves = true;
  double friction = 0.5;                         // μ
  std::optional<double> sliding_friction = {};   // μ_d, at most μ; none: as at rest
  std::optional<double> contact_stiffness = {};  // k_max of each contact [N/m]; none: that of the parameters
};

struct STICTION_EXPORT RenderParams {
  double period = 1e-3;                      // of a cycle [s]
  double coupling_stiffness = 500;           // k_vc [N/m]
  double coupling_rotational_stiffness = 2;  // k_vc,tor [N m/rad]
  double contact_stiffness = 1000;           // k_max [N/m]
  double parallel_contacts = 10;             // n₀: more springs than this in one direction share their stiffness
  double stiffness_lag = 0.02;               // time constant with which stiffness follows the number of contacts [s]
  double static_damping = 0.6;               // a: a massless body that slides takes (1 − a) of the step to balance
  double max_motion = infinity;              // largest motion of any point of the body in a cycle [m]
  double force_limit = infinity;             // of the device [N]
  double torque_limit = infinity;            // of the device [N m]
  int max_contacts = 1000;                   // beyond that, the finest levels of the shells are left out
  double min_normal_cosine = 0.2;            // minimum cosine between a contact's normal and the field's gradient
  int contact_search_interval = 1;           // cycles between searches; contacts follow the motion in between
  double mass = 0;                           // of the body [kg]; > 0: dynamic coupling
  double coupling_damping = 0;               // of a dynamic coupling [N s/m]
  double coupling_rotational_damping = 0;    // of a dynamic coupling [N m s/rad]

  static constexpr Range periods{1e-6, 3600, true, true, "1e-6 to 3600"};
  static constexpr Range share{0, 1, true, false, ">= 0 and < 1"};
  static constexpr Range cosine{-1, 1, true, false, ">= -1 and < 1"};
  static constexpr Range cycle_count{1, 1000, true, true, "a whole number from 1 to 1000"};
  static constexpr Range contact_count{1, 100000, true, true, "a whole number from 1 to 100000"};
  static constexpr std::array<Field<RenderParams, double>, 14> fields() noexcept {
    using P = RenderParams;
    return {{
        {"period", &P::period, "s", periods, 1e-3, "of a cycle"},
        {"coupling_stiffness", &P::coupling_stiffness, "N/m", positive, 500, "of the spring between hand and body"},
        {"coupling_rotational_stiffness", &P::coupling_rotational_stiffness, "N m/rad", positive, 2,
         "of that spring in rotation"},
        {"contact_stiffness", &P::contact_stiffness, "N/m", positive, 1000, "of one contact"},
        {"parallel_contacts", &P::parallel_contacts, "-", positive, 10,
         "in one direction, beyond which springs share their stiffness"},
        {"stiffness_lag", &P::stiffness_lag, "s", non_negative, 0.02,
         "time constant with which stiffness follows the number of contacts"},
        {"static_damping", &P::static_damping, "-", share, 0.6,
         "share of the step to balance that a massless sliding body leaves out"},
        {"max_motion", &P::max_motion, "m", positive_or_infinite, infinity,
         "largest motion of any point of the body in a cycle"},
        {"force_limit", &P::force_limit, "N", positive_or_infinite, infinity, "of the device"},
        {"torque_limit", &P::torque_limit, "N m", positive_or_infinite, infinity, "of the device"},
        {"min_normal_cosine", &P::min_normal_cosine, "-", cosine, 0.2,
         "minimum cosine between a contact's normal and the field's gradient"},
        {"mass", &P::mass, "kg", non_negative, 0, "of the body; above 0 the coupling is dynamic"},
        {"coupling_damping", &P::coupling_damping, "N s/m", non_negative, 0, "of a dynamic coupling"},
        {"coupling_rotational_damping", &P::coupling_rotational_damping, "N m s/rad", non_negative, 0,
         "of a dynamic coupling"},
    }};
  }
  static constexpr std::array<Field<RenderParams, int>, 2> integers() noexcept {
    using P = RenderParams;
    return {{
        {"max_contacts", &P::max_contacts, "-", contact_count, 1000,
         "beyond that, the finest levels of the shells are left out"},
        {"contact_search_interval", &P::contact_search_interval, "-", cycle_count, 1,
         "cycles between searches; contacts follow the motion in between"},
    }};
  }
  static std::optional<Problem> check(const RenderParams& params) noexcept;
};

/// The moving body besides its shape.
struct MovingBody {
  Vector3 centre{};  // where the hand holds it, in its own frame [m]
  /// About that point, in its own frame [m²], symmetric positive definite; for a dynamic coupling and Metric::mass.
  Matrix3 inertia_per_mass = identity_rotation;
};

/// Which contacts separate, and have no friction, although their springs are still compressed (section 4.1). A contact
/// whose point would, without friction, move out of the solid and in the direction of the hand's pull …
enum class Separation : std::uint8_t {
  none,          // does not separate
  as_published,  // separates. A dragged part tips slightly: half its contacts separate, friction is halved
  pulled,        // separates if the pull also points out of the solid there (section 5.6), within 87° of the normal
};

/// The result of a cycle. In a fault motion, contacts and forces are all 0. A contact is only used if the shell's
/// normal agrees with the field: a point on the side of a part that has sunk into a floor is not pushed sideways by its
/// depth. With `min_normal_cosine` −1 all contacts are used, as in the paper.
struct Cycle {
  Phase phase = Phase::free;
  int rank = 0;                          // see FrictionMotion
  Pose body;                             // after the cycle
  Vector6 motion{};                      // translation of its centre, and rotation, in this cycle [m], [rad]
  Vector6 coupling{};                    // wrench of the coupling on the body after the cycle [N], [N m]
  Vector6 output{};                      // wrench of the device on the hand: −coupling, within the limits
  std::size_t contacts = 0;              // used; with gaps (FrictionStep::by_gaps) all nearby points
  std::size_t touching = 0;              // found; more than used if normals disagree or there are too many
  std::size_t separating = 0;            // of the contacts used: separate, and have no friction
  std::size_t sliding = 0;               // of the contacts used
  std::size_t field_queries = 0;         // evaluations of the distance fields
  double deepest = 0;                    // largest depth [m]
  std::array<double, 4> microseconds{};  // contact search, contact springs, friction, total
};

/// A contact of the last cycle. Forces are those on the moving body.
struct ContactForce {
  std::uint32_t pair = 0, point = 0;
  Vector3 position{}, normal{}, normal_force{}, friction{};  // [m], unit, [N], [N]
  double depth = 0;                                          // [m]
  spatial::ContactState state = spatial::ContactState::slides;
  bool separates = false;
};

class STICTION_EXPORT Renderer {
 public:
  /// Keeps the pointers in the pairs. `friction`: null for frictionless contacts. Throws InvalidParameter.
  Renderer(std::span<const BodyPair> pairs, const MovingBody& body, const RenderParams& params,
           std::unique_ptr<FrictionStep> friction, Separation separation = Separation::pulled,
           Slope slope = Slope::as_published);

  /// One cycle with this pose of the hand. No allocation, no throw, no lock. An invalid pose (is_pose) is ignored: the
  /// last one is used. If no motion is found, or an intermediate value is not finite, the cycle is a fault: the body
  /// stays, the output is 0, and no state is kept.
  /// `forces`: `contact` also gives the friction of sticking contacts, which takes slightly longer.
  const Cycle& step(const Pose& hand, bool forces = true) noexcept;

  /// Sets the pose of the body and of the hand, at rest. Runs a warm-up cycle with a full contact search, so it takes
  /// longer than a cycle. Returns false and changes nothing for an invalid pose (is_pose).
  bool reset_pose(const Pose& body) noexcept;

  [[nodiscard]] const Cycle& last() const noexcept { return cycle_; }
  [[nodiscard]] const Pose& body() const noexcept { return cycle_.body; }
  [[nodiscard]] std::size_t contact_count() const noexcept { return contacts_.size(); }
  [[nodiscard]] ContactForce contact(std::size_t i) const noexcept;
  [[nodiscard]] const RenderParams& params() const noexcept { return params_; }
  [[nodiscard]] const Coupling& coupling() const noexcept { return coupling_; }
  [[nodiscard]] const Vector3& centre() const noexcept { return moving_.centre; }

 private:
  struct Found {
    std::uint32_t pair;
    Touch touch;
    double weight;  // on its stiffness, 0 to 1: how well its normal agrees with the field
  };
  void rest(const Pose& body) noexcept;
  void find_contacts() noexcept;
  void follow_contacts() noexcept;
  void add_springs(SpringWrench& sum) noexcept;
  void add_gaps() noexcept;
  void add_inertia(SpringWrench& sum) noexcept;
  void release_separating(const Vector6& frictionless, const Vector6& coupling) noexcept;
  FrictionMotion find_motion(const SpringWrench& sum, const Vector6& coupling) noexcept;
  [[nodiscard]] bool is_usable(const FrictionMotion& found) const noexcept;
  bool move(const FrictionMotion& found) noexcept;
  void stop() noexcept;
  [[nodiscard]] Vector6 within_reach(Vector6 motion) const noexcept;
  [[nodiscard]] Vector6 before_penetration(Vector6 motion) const noexcept;

  std::vector<BodyPair> pairs_;
  double margin_ = 0;  // gap within which points count as contacts, for a friction step by gaps [m]
  std::vector<ContactFinder> finders_;
  MovingBody moving_;
  RenderParams params_;
  Coupling coupling_;
  std::unique_ptr<FrictionStep> friction_;
  Separation separation_;
  bool want_forces_ = true;
  Slope slope_;
  StiffnessAdaptation adaptation_;
  double reach_ = 0;          // radius of the body about its centre [m]
  std::vector<Found> seen_;   // contacts of the last search
  Pose seen_from_;            // pose of the body in the last search
  long since_seen_ = 0;       // cycles since the last search
  std::vector<Found> found_;  // contacts of this cycle
  std::vector<spatial::Contact> contacts_;
  std::vector<ContactPoint> points_;
  std::vector<std::uint8_t> separates_;
  std::vector<spatial::ContactResult> forces_;
  spatial::Load load_;
  SpringWrench without_contacts_;
  Pose hand_, last_hand_;
  Vector6 velocity_{};  // of a dynamic coupling
  Vector6 hand_velocity_{};
  Cycle cycle_;
};

}  // namespace stiction::haptics
