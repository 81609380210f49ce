// Static friction of one body with many contacts: does friction hold the load, and if not, how does the body move?
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "stiction/problem.h"

namespace stiction::spatial {

using Vector3 = std::array<double, 3>;
using Vector6 = std::array<double, 6>;   // (force, torque) or (translation, rotation)
using Matrix6 = std::array<Vector6, 6>;  // by rows

/// What a user knows of a contact beforehand.
enum class Declared : std::uint8_t { nothing, sticks, slides };

/// One contact of the body. Forces act on the body, places are from its centre of mass, all in one frame.
struct Contact {
  Vector3 arm = {};              // r [m]
  Vector3 normal = {0, 0, 1};    // N, unit, into the body
  double normal_force = 0;       // [N], ≥ 0
  double friction = 0;           // μ along u, and along v unless that has its own; ≥ 0
  double dynamic_friction = -1;  // μ_d where it slides, for `solve`; < 0: as at rest
  Vector3 u = {};                // first tangent, for friction that differs by direction, and for pyramids; 0: any
  double friction_v = -1;        // μ along v = N × u; < 0: as along u
  double torsion = 0;            // μ_t: torque about the normal over the normal force [m], ≥ 0
  Declared declared = Declared::nothing;
  std::int64_t key = -1;  // who it is: a contact that was there in the last frame starts from its last force
};

/// The load on the body and how it changes as the body moves: F + K Δ, with Δ = (Δx, Δω).
struct Load {
  static constexpr Range lengths{1e-9, 1e9, true, true, "in [1e-9, 1e9]"};
  static constexpr double smallest = 1e-250;  // a wrench below, as the sum of its components, counts as none

  Vector6 wrench = {};    // F, τ about the centre of mass, of all but friction [N], [N m]
  Matrix6 gradient = {};  // K = ∂(F, τ)/∂(x, ω); regular, and for the stiffness metric −(K + Kᵀ) positive
  Matrix6 mass = {};      // D: of the body, symmetric and positive
  double length = 1;      // a size of the body, by which torques are compared with forces [m], in [1e-9, 1e9]
};

/// In which sense the motion is the least that balances the load.
enum class Metric {
  stiffness,  // elastic energy −½ Δᵀ sym(K) Δ: friction opposes slip at every sliding contact, as Coulomb's does
  mass,       // ½ Δᵀ D Δ, as the paper prints it (eq. 28)
};

struct Options {
  Metric metric = Metric::stiffness;
  double gap = 1e-9;          // of the duality gap, over the objective without friction
  int most_iterations = 100;  // of one search: from the last frame (25 at most), from nothing, on from there with
                              // pyramids, and with care
  int polish = 0;    // iterations after that, for contacts that carry little; in the stiffness metric friction that
                     // slides is then turned against its slip exactly, and the balance of forces is left with the rest
  bool warm = true;  // start from the last solution, where there is one
};

/// Whether contacts do what they were declared to do.
struct Declaration {
  bool right = true;
  std::ptrdiff_t contact = -1;  // the first that does something else; −1: those that were to stick cannot hold the load
};

/// Whether friction can hold the load (eqs. 32 to 37), by the largest share of the load that it can hold. Along motions
/// that no contact resists the body follows its load freely; that counts as held. Contacts that are declared to slide
/// hold nothing (their friction belongs to the load, if it is known): the others must hold, and those must then slip.
///
/// Both bounds come with what proves them, to rounding of the given data. With f* = F + K Δ, Δ the motion below:
///   factor        `verdict_friction()` is within the cones, and Σ W friction + factor f* = 0
///   factor_limit  y = `mechanism` does it: Σ |friction's largest work along y| / (f*ᵀ y)
struct Verdict {
  bool holds = false;
  bool proven = false;      // holds, or does not, by a certificate; not where iterations or digits ran out
  bool converged = false;   // the factor is known to the gap of the options; what was asked for by `exactly`
  double factor = 0;        // bounds: friction can hold at least `factor` times the load, …
  double factor_limit = 0;  // … and at most so many times
  int rank = 0;             // of all friction wrenches, to 1e-13 of the largest
  int iterations = 0;
  Vector6 motion = {};     // Δ where it holds: 0 at rank 6, else along what no friction can resist
  Vector6 mechanism = {};  // y: a virtual motion (translation, rotation), of unit size with rotations times the length
  Declaration declaration;
  /// γ: all coefficients times this are just enough; 1e308 where no friction will do. At most that, unless the verdict
  /// was asked for exactly.
  [[nodiscard]] double critical_ratio() const noexcept { return factor > 0 ? 1 / factor : 1e308; }
};

/// The motion that balances the load with the least energy, friction helping as it can (eqs. 28 to 31).
struct Solution {
  Vector6 motion = {};     // Δ
  double objective = 0;    // its energy in the metric [J]
  double gap = 0;          // the objective is at most this above the least one [J]
  bool converged = false;  // the gap is as small as asked for; otherwise the best point found is given, at worst none
  Vector6 multiplier = {};  // y, which proves the gap: no energy is below yᵀF − ½ yᵀG y − Σ |friction's largest work
                            // along y|, with G = −sym K or K D⁻¹ Kᵀ as the metric has it
  int iterations = 0;
  Declaration declaration;  // contacts declared to slide have their coefficient of sliding from the start
};

enum class ContactState { sticks, slides };
struct ContactResult {
  Vector3 friction = {};  // force on the body [N]
  double torque = 0;      // about the normal [N m]
  ContactState state = ContactState::sticks;
};

/// Solver for up to `capacity` contacts, with exact cones, or with pyramids of `sides` sides that circumscribe them
/// (eq. 13; even, at least 4). Building it allocates and may throw InvalidParameter; nothing else does.
class StaticFriction {
 public:
  explicit StaticFriction(std::size_t capacity, int sides = 0);
  ~StaticFriction();
  StaticFriction(StaticFriction&&) noexcept;
  StaticFriction& operator=(StaticFriction&&) noexcept;

  /// What the next calls are about. False, and nothing changes, where a number is not finite, a normal is no unit
  /// vector, a coefficient or a normal force is negative, the length is out of its range, or there are too many
  /// contacts.
  bool set(std::span<const Contact> contacts, const Load& load) noexcept;

  /// `exactly`: the factor to the gap of the options; otherwise only as far as it takes to decide.
  [[nodiscard]] Verdict verdict(const Options& options = {}, bool exactly = false) noexcept;
  [[nodiscard]] Solution solve(const Options& options = {}) noexcept;

  /// What the last verdict was proven with: friction that balances `factor` times the load, one for each contact. Until
  /// the next `set` or `solve`; empty before the first verdict.
  [[nodiscard]] std::span<const ContactResult> verdict_friction() noexcept;

  /// The next solution does not start from the last one: what it gives depends on what is set alone.
  void forget() noexcept;

  /// Of the last solution, one for each contact.
  [[nodiscard]] std::span<const ContactResult> contacts() const noexcept;

 private:
  struct Memory;
  std::unique_ptr<Memory> memory_;
};

}  // namespace stiction::spatial
