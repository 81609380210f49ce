// A simulated hand that tracks a path and yields to the force it feels: a mass on a spring and a damper.
#pragma once

#include <array>
#include <optional>

#include "stiction/export.h"
#include "stiction/haptics/device.h"

namespace stiction::haptics {

struct HandParams {
  double mass = 0.2;                 // m [kg]
  double stiffness = 400;            // k, towards the path [N/m]
  double damping = 15;               // c, of the velocity relative to the path's [N s/m]
  double inertia = 2e-4;             // J [kg m²]
  double rotational_stiffness = 2;   // [N m/rad]
  double rotational_damping = 0.03;  // [N m s/rad]
  double max_step = 0.01;            // a longer time between two readings is reduced to this [s]

  static constexpr std::array<Field<HandParams, double>, 7> fields() noexcept {
    using P = HandParams;
    return {{
        {"mass", &P::mass, "kg", positive, 0.2, "of the hand"},
        {"stiffness", &P::stiffness, "N/m", non_negative, 400, "of the spring towards the path"},
        {"damping", &P::damping, "N s/m", non_negative, 15, "of the velocity relative to the path's"},
        {"inertia", &P::inertia, "kg m^2", positive, 2e-4, "of the hand in rotation"},
        {"rotational_stiffness", &P::rotational_stiffness, "N m/rad", non_negative, 2, "of the spring in rotation"},
        {"rotational_damping", &P::rotational_damping, "N m s/rad", non_negative, 0.03, "of the damper in rotation"},
        {"max_step", &P::max_step, "s", positive, 0.01, "a longer time between two readings is reduced to this"},
    }};
  }
  static std::optional<Problem> check(const HandParams& params) noexcept { return first_problem(params, fields()); }
};

/// m dv/dt = k (p − x) + c (dp/dt − v) + F, and likewise in rotation. The spring and the damper are integrated by
/// backward Euler: any k and c are stable. The force is that of the previous cycle, so a coupling of stiffness k_vc
/// reduces the damping by k_vc times the period: c should be larger than that.
class STICTION_EXPORT SimulatedHand final : public Device {
 public:
  /// `centre`: where it holds the body, in the frame of the body (MovingBody::centre). Throws InvalidParameter.
  SimulatedHand(Trajectory path, const Vector3& centre, const HandParams& params = {});

  HandSample read(double time) noexcept override;
  /// A wrench that is not finite is taken as 0.
  void write(double time, const DeviceOutput& output) noexcept override;

 private:
  Trajectory path_;
  Vector3 centre_;
  HandParams params_;
  double time_ = 0;
  Pose pose_;
  Vector3 velocity_{}, spin_{};
  Vector6 felt_{};
};

}  // namespace stiction::haptics
