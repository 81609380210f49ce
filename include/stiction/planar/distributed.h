// Friction of a contact patch as many bristles, one at each point: the model that the reduced ones approximate.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "stiction/export.h"
#include "stiction/planar/bristle.h"
#include "stiction/planar/coupled.h"
#include "stiction/planar/patch.h"

namespace stiction::planar {

/// Waltersson and Karayiannidis, eqs. 9 to 20. At each point with velocity v_t = (v_x − ω y, v_y + ω x):
///   dz/dt = v_t − β z σ₀ |v_t|/g(|v_t|)
///   f = −Σ (σ₀ z + σ₁ dz/dt + σ₂ v_t) share f_N,   τ = −Σ ρ × (…) share f_N
/// The caller owns the state: 2 × size() numbers, all x first, then all y. Twists and wrenches are at the reference
/// point, which is the centre of pressure of the patch that the model was made from. A negative normal force means no
/// contact and counts as 0. NaN in any argument or share gives NaN; dt ≥ 0. Only making it allocates.
class STICTION_EXPORT Distributed {
 public:
  struct Params {
    Friction friction;
    Patch patch;  // one bristle at each of its points
  };
  /// The first invalid parameter, if there is one. A patch was checked when it was made.
  static std::optional<Problem> check(const Params& p) noexcept { return planar::check(p.friction); }
  /// The model, or InvalidParameter.
  static Distributed make(const Params& p) { return Distributed(checked<Distributed>(p)); }

  /// As given; the shares may have been set since.
  [[nodiscard]] const Params& params() const noexcept { return params_; }
  [[nodiscard]] std::size_t size() const noexcept { return share_.size(); }
  [[nodiscard]] std::size_t state_size() const noexcept { return 2 * share_.size(); }
  [[nodiscard]] Point reference() const noexcept { return params_.patch.centre_of_pressure(); }
  [[nodiscard]] std::span<const double> shares() const noexcept { return share_; }

  /// Sets the distribution of the normal force over the points. Returns false and changes nothing unless there is one
  /// share for each point, all are ≥ 0, and they sum to 1 within 1e-6.
  [[nodiscard]] bool set_shares(std::span<const double> shares) noexcept;

  /// dz/dt for ODE solvers; returns the corresponding wrench.
  Wrench rate(std::span<const double> z, const Twist& twist, double normal_force, std::span<double> dz) const noexcept;
  [[nodiscard]] Wrench wrench(std::span<const double> z, const Twist& twist, double normal_force) const noexcept;

  /// The state after dt at a constant twist: exact for LuGre, second-order accurate for elasto-plastic bristles;
  /// bounded for every dt.
  void advance(std::span<double> z, const Twist& twist, double dt) const noexcept;
  /// `advance`, then the wrench at the new state: the call for a control loop.
  Wrench step(std::span<double> z, const Twist& twist, double normal_force, double dt) const noexcept;

  /// The wrench that `step` would give, without changing the state.
  [[nodiscard]] Wrench trial(std::span<const double> z, const Twist& twist, double normal_force,
                             double dt) const noexcept;
  /// Coupled step of body and friction; updates the state. See solve_coupled.
  CoupledWrench solve(std::span<double> z, const CoupledTwist& coupled) const noexcept;

  /// The authors' explicit Euler step: the wrench at the old state, then z + dt dz/dt. For reproducing their numbers;
  /// unstable for dt > 2 g/(σ₀ |v|), unless bristles are bounded to z_max, an option in their code.
  Wrench euler_step(std::span<double> z, const Twist& twist, double normal_force, double dt,
                    bool bounded = false) const noexcept;

  /// For implicit solvers, which need (1 − γ ∂rate/∂y) δ = b: each bristle is coupled only to itself and the twist, so
  /// all bristles can be eliminated (Schur complement), which leaves a body with
  ///   δwrench = by_twist δtwist + rest
  /// `b` (state_size()) is overwritten; `scratch` (2 state_size()) is for `substitute`, which then gives δz in `b`.
  struct Elimination {
    std::array<std::array<double, 3>, 3> by_twist{};
    std::array<double, 3> rest{};
  };
  Elimination eliminate(std::span<const double> z, const Twist& twist, double normal_force, double gamma,
                        std::span<double> b, std::span<double> scratch) const noexcept;
  void substitute(std::span<const double> scratch, const Twist& change, std::span<double> b) const noexcept;

 private:
  explicit Distributed(Params p);
  [[nodiscard]] const double* x() const noexcept { return params_.patch.points().x.data(); }
  [[nodiscard]] const double* y() const noexcept { return params_.patch.points().y.data(); }

  Params params_;
  std::vector<double> share_;
};

}  // namespace stiction::planar
