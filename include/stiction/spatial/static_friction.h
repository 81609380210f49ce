// Static friction of one body with many contacts: does friction hold the load, and if not, how does the body move?
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "stiction/export.h"
#include "stiction/problem.h"
#include "stiction/vector.h"

namespace stiction::spatial {

/// The state of a contact, where the user knows it in advance.
enum class Declared : std::uint8_t { nothing, sticks, slides };

/// One contact of the body. Forces act on the body, positions are relative to its centre of mass, all in one frame.
struct Contact {
  Vector3 arm = {};                             // r [m]
  Vector3 normal = {0, 0, 1};                   // N, unit, into the body
  double normal_force = 0;                      // [N], ≥ 0
  double friction = 0;                          // μ along u; ≥ 0
  std::optional<double> dynamic_friction = {};  // μ_d while sliding, for `solve`; ≥ 0. None: as at rest
  Vector3 u = {};                         // first tangent, for anisotropic friction and for pyramids; 0: arbitrary
  std::optional<double> friction_v = {};  // μ along v = N × u; ≥ 0. None: as along u
  double torsion = 0;                     // μ_t: torque about the normal over the normal force [m], ≥ 0
  Declared declared = Declared::nothing;
  std::optional<std::int64_t> key = {};  // identifies the contact across frames, to warm-start it with its last force
};

/// The load on the body and its linear change as the body moves: F + K Δ, with Δ = (Δx, Δω).
struct STICTION_EXPORT Load {
  static constexpr Range lengths{1e-9, 1e9, true, true, "in [1e-9, 1e9]"};
  static constexpr double smallest = 1e-250;  // a wrench whose absolute components sum to less counts as zero

  Vector6 wrench = {};    // F, τ about the centre of mass, of all but friction [N], [N m]
  Matrix6 gradient = {};  // K = ∂(F, τ)/∂(x, ω), non-singular; stiffness metric: −(K + Kᵀ) positive definite
  Matrix6 mass = {};      // D: mass matrix of the body, symmetric positive definite
  double length = 1;      // characteristic length of the body, relates torques to forces [m], in [1e-9, 1e9]
};

/// What contacts and loads may be: products of two numbers must not overflow.
inline constexpr Range contact_numbers{-1e150, 1e150, false, false, "finite and within 1e150"};
inline constexpr Range contact_amounts{0, 1e150, true, false, ">= 0 and below 1e150"};

/// The energy that the motion minimises.
enum class Metric {
  stiffness,  // elastic energy −½ Δᵀ sym(K) Δ: friction opposes slip at every sliding contact, as in Coulomb's law
  mass,       // ½ Δᵀ D Δ, as published (eq. 28)
};

struct STICTION_EXPORT Options {
  Metric metric = Metric::stiffness;
  double gap = 1e-9;         // relative tolerance on the duality gap [-], 1e-12 to 1e-3. `solve`: over the objective
                             // without friction; `verdict`: over factor_limit
  int max_iterations = 100;  // of each stage: warm start (at most 25), predictor-corrector from the analytic centre,
                             // safeguarded steps
  int polish = 0;            // iterations after convergence, for contacts that carry little load. In the stiffness
                             // metric sliding friction is then aligned with its slip exactly, and the force balance
                             // takes up the residual
  bool warm = true;          // warm start from the last solution, if there is one
};

/// Whether contacts behave as declared.
struct Declaration {
  bool right = true;
  std::optional<std::size_t> contact =
      {};  // the first that does not; none: those declared to stick cannot hold the load
};

enum class VerdictStatus : std::uint8_t {
  holds,       // certified by the factor, which is at least 1
  slips,       // certified by the limit, which is below 1
  unproven,    // the bounds do not decide: iteration limit or rounding
  not_finite,  // no bounds: the gradient (or the mass) does not determine a finite free motion
};

/// Whether friction can hold the load (eqs. 32 to 37), from the largest multiple of the load that it can hold. Along
/// motions that no contact resists the body follows its load freely; this counts as held. Contacts declared to slide
/// hold nothing (their friction, if known, belongs to the load): the others must hold, and these must then slip.
///
/// Both bounds come with a certificate, to rounding of the given data. With f* = F + K Δ, Δ the motion below:
///   factor        `verdict_friction()` is within the cones, and Σ W friction + factor f* = 0
///   factor_limit  from y = `mechanism`: Σ |largest work of friction along y| / (f*ᵀ y)
struct Verdict {
  VerdictStatus status = VerdictStatus::unproven;
  bool converged = false;          // the two bounds agree to the gap of the options, as required with `exactly`
  double factor = 0;               // bounds: friction can hold at least this multiple of the load, …
  double factor_limit = infinity;  // … and at most this multiple. Both infinite: there is no load to hold
  int rank = 0;                    // of all friction wrenches, with the relative tolerance 1e-13
  int iterations = 0;
  Vector6 motion = {};     // Δ if the load is held: 0 at rank 6, otherwise in the directions that no friction resists
  Vector6 mechanism = {};  // y: a virtual motion (translation, rotation), unit norm with rotations times the length
  Declaration declaration;

  [[nodiscard]] bool holds() const noexcept { return status == VerdictStatus::holds; }
  /// Whether the answer is certified.
  [[nodiscard]] bool proven() const noexcept { return holds() || status == VerdictStatus::slips; }
  /// γ: the factor on all coefficients at which friction just holds the load; infinite if no friction suffices. An
  /// upper bound, unless the verdict was computed with `exactly`.
  [[nodiscard]] double critical_ratio() const noexcept { return factor > 0 ? 1 / factor : infinity; }
};

enum class SolutionStatus : std::uint8_t {
  converged,       // the gap is within the tolerance
  max_iterations,  // the best point found, at worst the one without friction; its gap is certified
  still_sliding,   // the same: contacts kept starting to slide, and lost their static friction, in 8 rounds
  not_definite,    // no motion: the metric is not positive definite
  not_finite,      // no motion: it is out of range
};

/// The motion of minimum energy that balances the load together with friction (eqs. 28 to 31).
struct Solution {
  SolutionStatus status = SolutionStatus::converged;
  Vector6 motion = {};   // Δ
  double objective = 0;  // its energy in the metric [J]
  double gap = 0;        // duality gap: the objective is at most this above the minimum [J]; infinite without a motion
  Vector6 multiplier = {};  // y, which certifies the gap: the energy is at least yᵀF − ½ yᵀG y − Σ |largest work of
                            // friction along y|, with G = −sym K or K D⁻¹ Kᵀ, depending on the metric
  int iterations = 0;
  Declaration declaration;  // contacts declared to slide have their dynamic coefficient from the start

  [[nodiscard]] bool converged() const noexcept { return status == SolutionStatus::converged; }
};

enum class ContactState { sticks, slides };
struct ContactResult {
  Vector3 friction = {};  // force on the body [N]
  double torque = 0;      // about the normal [N m]
  ContactState state = ContactState::sticks;
};

/// Solver for many contacts. Only making it allocates, and only that may throw (InvalidParameter).
class STICTION_EXPORT StaticFriction {
 public:
  struct Params {
    std::size_t capacity = 0;  // largest number of contacts
    int sides = 0;             // of pyramids that circumscribe the cones (eq. 13), even and at least 4; 0: exact cones
    friend bool operator==(const Params&, const Params&) = default;
  };
  static std::optional<Problem> check(const Params& params) noexcept;
  static StaticFriction make(const Params& params) { return StaticFriction(params.capacity, params.sides); }
  explicit StaticFriction(std::size_t capacity, int sides = 0);
  [[nodiscard]] Params params() const noexcept;
  ~StaticFriction();
  StaticFriction(StaticFriction&&) noexcept;
  StaticFriction& operator=(StaticFriction&&) noexcept;

  /// What is wrong with contacts and load, off the loop: a value that is not finite, a normal that is not a unit
  /// vector, a negative coefficient or normal force, a length out of range.
  static std::optional<Problem> check(std::span<const Contact> contacts, const Load& load) noexcept;

  /// Sets the problem for the following calls. Returns false and changes nothing where `check` finds a problem, or if
  /// there are too many contacts.
  bool set(std::span<const Contact> contacts, const Load& load) noexcept;

  /// `exactly`: compute the factor to the gap of the options; otherwise stop as soon as the answer is decided.
  [[nodiscard]] Verdict verdict(const Options& options = {}, bool exactly = false) noexcept;
  [[nodiscard]] Solution solve(const Options& options = {}) noexcept;

  /// Certificate of the last verdict: friction that balances `factor` times the load, one entry per contact. Valid
  /// until the next `set` or `solve`; empty before the first verdict.
  [[nodiscard]] std::span<const ContactResult> verdict_friction() noexcept;

  /// Discards the warm start: the next solution depends only on the problem that is set.
  void forget() noexcept;

  /// Results of the last solution, one entry per contact.
  [[nodiscard]] std::span<const ContactResult> contacts() const noexcept;

 private:
  struct Memory;
  std::unique_ptr<Memory> memory_;
};

}  // namespace stiction::spatial
