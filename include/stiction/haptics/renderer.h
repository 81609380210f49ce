// One cycle of haptic rendering: from the pose of the hand to the force it feels.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

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
  double friction = 0.5;          // μ
  double sliding_friction = -1;   // μ_d, at most μ; < 0: as at rest
  double contact_stiffness = -1;  // k_max of each contact [N/m]; < 0: that of the parameters
};

struct RenderParams {
  double period = 1e-3;                // of a cycle [s]
  double coupling_stiffness = 500;     // k_vc [N/m]
  double coupling_turn_stiffness = 2;  // k_vc,tor [N m/rad]
  double contact_stiffness = 1000;     // k_max [N/m]
  double parallel_contacts = 10;       // n₀: more springs than so many in one direction share their stiffness
  double stiffness_lag = 0.02;         // in which the stiffness follows the number of contacts [s]
  double static_damping = 0.6;         // a: a body without mass that slides goes (1 − a) of the way
  double most_motion = infinity;       // of any point of the body in a cycle [m]
  double force_limit = infinity;       // of the device [N]
  double torque_limit = infinity;      // of the device [N m]
  double most_contacts = 1000;         // beyond that, the finest levels of the shells are left out
  double agreement = 0.2;              // least cosine between a contact\'s normal and the way out of the field there
  double find_every = 1;               // cycles: contacts are looked for, and in between follow the motion
  double mass = 0;                     // of the body; above 0 the coupling is dynamic [kg]
  double coupling_damping = 0;         // of a dynamic coupling [N s/m]
  double coupling_turn_damping = 0;    // of a dynamic coupling [N m s/rad]

  static constexpr Range periods{1e-6, 3600, true, true, "1e-6 to 3600"};
  static constexpr Range share{0, 1, true, false, ">= 0 and < 1"};
  static constexpr Range cosine{-1, 1, true, false, ">= -1 and < 1"};
  static constexpr Range cycle_count{1, 1000, true, true, "a whole number, 1 to 1000"};
  static constexpr Range contact_count{1, 100000, true, true, "a whole number, 1 to 100000"};
  static constexpr std::array<Field<RenderParams, double>, 16> fields() noexcept {
    using P = RenderParams;
    return {{
        {"period", &P::period, "s", periods, 1e-3, "of a cycle"},
        {"coupling_stiffness", &P::coupling_stiffness, "N/m", positive, 500, "of the spring between hand and body"},
        {"coupling_turn_stiffness", &P::coupling_turn_stiffness, "N m/rad", positive, 2, "of that spring in turning"},
        {"contact_stiffness", &P::contact_stiffness, "N/m", positive, 1000, "of one contact"},
        {"parallel_contacts", &P::parallel_contacts, "-", positive, 10, "springs that act together in one direction"},
        {"stiffness_lag", &P::stiffness_lag, "s", non_negative, 0.02, "in which stiffness follows the contacts"},
        {"static_damping", &P::static_damping, "-", share, 0.6,
         "share of the way that a body without mass does not slide"},
        {"most_motion", &P::most_motion, "m", positive_or_infinite, infinity, "of any point of the body in a cycle"},
        {"force_limit", &P::force_limit, "N", positive_or_infinite, infinity, "of the device"},
        {"torque_limit", &P::torque_limit, "N m", positive_or_infinite, infinity, "of the device"},
        {"most_contacts", &P::most_contacts, "-", contact_count, 1000, "beyond that the finest levels are left out"},
        {"agreement", &P::agreement, "-", cosine, 0.2,
         "least cosine between a contact's normal and the field's way out"},
        {"find_every", &P::find_every, "-", cycle_count, 1, "cycles; in between contacts follow the motion"},
        {"mass", &P::mass, "kg", non_negative, 0, "of the body; above 0 the coupling is dynamic"},
        {"coupling_damping", &P::coupling_damping, "N s/m", non_negative, 0, "of a dynamic coupling"},
        {"coupling_turn_damping", &P::coupling_turn_damping, "N m s/rad", non_negative, 0, "of a dynamic coupling"},
    }};
  }
  static std::optional<Problem> check(const RenderParams& params) noexcept;
};

/// The moving body besides its shape.
struct MovingBody {
  Vec3 centre{};  // where the hand holds it, in its own frame [m]
  /// About that point, in its own frame [m²], symmetric and positive; for a dynamic coupling and Metric::mass.
  Matrix3 inertia_per_mass = no_turn;
};

/// Which contacts leave, and have no friction, though their springs are still pressed (section 4.1). A contact whose
/// point would without friction go out of the solid, and along with the hand's pull, …
enum class Separation : std::uint8_t {
  none,     // does not leave
  printed,  // leaves. A part that is dragged tips a little, so that half of its contacts do, and friction is halved
  pulled,   // leaves if the hand's pull is out of the solid there, as section 5.6 has it, within 87° of the normal
};

/// What a cycle gave. In a fault there is no motion, no contact and no force: all of them are 0. Contacts are used
/// where the shell's normal agrees with the field: a point on the side of a part that has sunk into a floor is not
/// pushed sideways by how deep it is. With `agreement` −1 all are, as in the paper.
struct Cycle {
  Phase phase = Phase::free;
  int rank = 0;                          // see FrictionMotion
  Pose body;                             // after the cycle
  Vector6 motion{};                      // of its centre, and turn, in this cycle [m], [rad]
  Vector6 coupling{};                    // wrench of the coupling on the body after the cycle [N], [N m]
  Vector6 output{};                      // what the device shall do to the hand: −coupling, within its limits
  std::size_t contacts = 0;              // used; with gaps (FrictionStep::by_gaps) all points that are near
  std::size_t touching = 0;              // found; more than used where normals disagree or there are too many
  std::size_t separating = 0;            // of the contacts used: leave, and have no friction
  std::size_t sliding = 0;               // of the contacts used
  std::size_t looks = 0;                 // at the distance fields
  double deepest = 0;                    // [m]
  std::array<double, 4> microseconds{};  // finding contacts, their springs, friction, all together
};

/// A contact of the last cycle. Forces are those on the moving body.
struct ContactForce {
  std::uint32_t pair = 0, point = 0;
  Vec3 place{}, normal{}, normal_force{}, friction{};  // [m], unit, [N], [N]
  double depth = 0;                                    // [m]
  spatial::ContactState state = spatial::ContactState::slides;
  bool separates = false;
};

class Renderer {
 public:
  /// Keeps pointers into the pairs. `friction`: none for contacts without it. Throws InvalidParameter.
  Renderer(std::span<const BodyPair> pairs, const MovingBody& body, const RenderParams& params,
           std::unique_ptr<FrictionStep> friction, Separation separation = Separation::pulled,
           Slope slope = Slope::printed);

  /// One cycle with the hand there. No allocation, no throw, no lock. A hand without a pose (is_pose) is where it was.
  /// Where no motion is found, or any number on the way is not finite, the cycle is a fault: the body stays, the output
  /// is 0, and nothing of it is remembered.
  /// `forces`: `contact` shall give friction also of contacts that hold, which takes a while longer.
  const Cycle& step(const Pose& hand, bool forces = true) noexcept;

  /// Puts the body, and the hand, somewhere, at rest. As a cycle, but it takes longer: contacts are looked for anew.
  /// False, and nothing changes, where that is no pose (is_pose).
  bool place(const Pose& body) noexcept;

  [[nodiscard]] const Cycle& last() const noexcept { return cycle_; }
  [[nodiscard]] const Pose& body() const noexcept { return cycle_.body; }
  [[nodiscard]] std::size_t contact_count() const noexcept { return contacts_.size(); }
  [[nodiscard]] ContactForce contact(std::size_t i) const noexcept;
  [[nodiscard]] const RenderParams& params() const noexcept { return params_; }
  [[nodiscard]] const Coupling& coupling() const noexcept { return coupling_; }
  [[nodiscard]] const Vec3& centre() const noexcept { return moving_.centre; }

 private:
  struct Found {
    std::uint32_t pair;
    Touch touch;
    double weight;  // of its stiffness, by how its normal agrees with the field
  };
  void rest(const Pose& body) noexcept;
  void find_contacts() noexcept;
  void follow_contacts() noexcept;
  void add_springs(SpringWrench& sum) noexcept;
  void add_gaps() noexcept;
  void add_inertia(SpringWrench& sum) noexcept;
  void leave_separating(const Vector6& frictionless, const Vector6& coupling) noexcept;
  FrictionMotion find_motion(const SpringWrench& sum, const Vector6& coupling) noexcept;
  [[nodiscard]] bool is_usable(const FrictionMotion& found) const noexcept;
  bool move(const FrictionMotion& found) noexcept;
  void stop() noexcept;
  [[nodiscard]] Vector6 within_reach(Vector6 motion) const noexcept;
  [[nodiscard]] Vector6 before_penetration(Vector6 motion) const noexcept;

  std::vector<BodyPair> pairs_;
  double margin_ = 0;  // in which points count as contacts before they touch, for a friction step by gaps [m]
  std::vector<ContactFinder> finders_;
  MovingBody moving_;
  RenderParams params_;
  Coupling coupling_;
  std::unique_ptr<FrictionStep> friction_;
  Separation separation_;
  bool want_forces_ = true;
  Slope slope_;
  StiffnessAdaptation adaptation_;
  double reach_ = 0;          // of the body from its centre [m]
  std::vector<Found> seen_;   // contacts as they were last looked for, …
  Pose seen_from_;            // … with the body there, …
  long since_seen_ = 0;       // … so many cycles ago
  std::vector<Found> found_;  // those of this cycle
  std::vector<spatial::Contact> contacts_;
  std::vector<ContactPlace> places_;
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
