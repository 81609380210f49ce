// A static-friction problem in scaled units, and the warm-start data passed from one frame to the next.
#pragma once

#include <limits>
#include <vector>

#include "plain_contacts.h"
#include "sweeps.h"

namespace stiction::spatial {

inline Vector6 combined(double a, const Vector6& x, double b, const Vector6& y) noexcept {
  Vector6 result{};
  for (std::size_t i = 0; i < 6; ++i) {
    result[i] = a * x[i] + b * y[i];
  }
  return result;
}

/// The sum of absolute values.
template <std::size_t N>
double absolute_sum(const std::array<double, N>& x) noexcept {
  double sum = 0;
  for (const double value : x) {
    sum += std::abs(value);
  }
  return sum;
}

inline double absolute_sum(const Matrix6& a) noexcept {
  double sum = 0;
  for (const Vector6& row : a) {
    sum += absolute_sum(row);
  }
  return sum;
}

/// 1/coefficient; 0 if the coefficient is so small that the quotient could overflow, or if its weight is negligible.
inline double per(double coefficient, double weight = 1) noexcept {
  constexpr double negligible = 1e-300;
  return coefficient > negligible && weight > negligible ? 1 / coefficient : 0;
}

/// The coefficient of friction along v.
inline double along_v(const Contact& c) noexcept { return c.friction_v.value_or(c.friction); }

/// Energy metric of a motion: g = −K Δ and y = G⁻¹ g, with G = K D⁻¹ Kᵀ; G = −sym K in the stiffness metric.
struct EnergyMetric {
  Matrix6 g{};
  double scale = 1;        // G was divided by this
  Matrix6 to_motion{};     // Δ = to_motion y, scaled
  bool is_motion = false;  // Δ = y
  Cholesky factors;
  bool ok = false;
};

/// Stands for the key of a contact that has none, so that keys can be compared and sorted without a branch.
inline constexpr std::int64_t no_key = std::numeric_limits<std::int64_t>::min();

/// Scaled units: torques are divided by a length, forces by the sum of all μ N.
struct StaticFriction::Memory {
  Memory(std::size_t max_contacts, int side_count);

  std::size_t capacity;
  int sides;
  std::vector<std::int64_t> keys;  // of all contacts; no_key for those without
  std::vector<Contact> contacts;   // with the coefficients in effect, static or dynamic; unused if all are plain
  std::vector<Contact> at_rest;    // with static coefficients; empty unless some contacts have dynamic ones
  bool all_plain = false;          // the contacts are in `plain`
  PlainContacts plain, next_plain;
  double plain_total = 0;  // Σ μ N of `plain`
  std::vector<ContactTangents> tangents;
  std::vector<std::array<double, 2>> side_directions;  // of a pyramid's segments, as components along u and v
  std::vector<ContactResult> results, verdict_results;
  bool has_certificate = false;  // β is that of the last verdict
  Friction friction;

  double length = 1, force = 1;  // units; the force unit is set when `friction` is filled
  bool frictionless = false;
  enum class Filled { nothing, at_rest, sliding, all_but_declared } filled = Filled::nothing;  // in `friction`
  bool declared = false;  // some contact has a declared state
  Vector6 wrench{};       // the load, torques divided by the length
  Vector6 load{};         // wrench divided by the force unit
  Matrix6 gradient{}, mass{};

  // The last solution, to warm-start the next frame
  struct Remembered {
    std::int64_t key = no_key;
    Vector3 share{};  // friction over its limit
    double rotation = 0;
  };
  std::vector<Remembered> remembered;  // in the order of the last frame
  bool ascending = false;              // sorted by key
  std::vector<std::int32_t> slots;     // hash table of indices by key, open addressing; built if keys do not ascend
  bool has_last = false;
  Vector6 last_motion{};  // y as a motion, in SI units
  Metric last_metric = Metric::stiffness;

  bool set(std::span<const Contact> all, const Load& given_load) noexcept;
  /// Static coefficients for all contacts, except those declared to slide.
  void use_static_friction() noexcept;
  /// No friction at contacts declared to slide.
  void exclude_sliding() noexcept;
  /// Gives sliding contacts their dynamic coefficients. False if none changes.
  bool update_sliding() noexcept;
  /// Refills the friction columns in the original axes, after a verdict has rotated them.
  void refill(Filled previous) noexcept;
  void recall() noexcept;
  void remember() noexcept;
  void forget() noexcept { has_last = false; }

  /// Which contacts determine the directions in which the body follows its load freely. `all`: directions that no
  /// contact resists; `with_friction`: also those in which there is a contact, but without friction.
  enum class Counted { all, with_friction };
  /// Whether the friction currently filled in holds the load. y: the motion along which the body follows its load
  /// freely. Leaves the β that certify the factor, and may leave the columns in rotated axes.
  [[nodiscard]] Verdict examine(const Options& options, bool exactly, Counted counted, Vector6& y) noexcept;

  [[nodiscard]] EnergyMetric metric_of(Metric metric) const noexcept;
  /// Δ of a scaled y, in SI units.
  [[nodiscard]] Vector6 motion_of(const EnergyMetric& metric, const Vector6& y) const noexcept;
  /// Forces from the last β. A contact slides if its scaled slip exceeds its remaining friction 1 − |β|². `moves`: the
  /// body certainly moves. `oppose`: sliding friction is aligned against the slip of the motion y.
  void report(const EnergyMetric& metric, const Vector6& y, bool moves, bool oppose) noexcept;
  /// The same for a given motion.
  void report(const PlainContacts::Moving& moving, std::vector<ContactResult>& to) const noexcept;
  /// A scaled dual variable y, in SI units.
  [[nodiscard]] Vector6 multiplier_of(const EnergyMetric& metric, const Vector6& y) const noexcept;
  /// A scaled y as a motion of unit norm, with rotations weighted by the length.
  [[nodiscard]] Vector6 virtual_motion(const Vector6& y) const noexcept;
  /// The friction limits of contact i along its tangents [N] and about its normal [N m].
  [[nodiscard]] Vector3 limits_of(std::size_t i) const noexcept;
  /// The sum of the friction limits of all contacts along each of the axes, which are the rows.
  [[nodiscard]] Vector6 friction_along(const Matrix6& axes) const noexcept;
  /// Σ W Wᵀ over the counted contacts with equal weights, in the axes given by the rows.
  [[nodiscard]] Matrix6 gram(const Matrix6& axes, Counted counted) const noexcept;
  /// Slip of contact i in a motion [m].
  [[nodiscard]] double slip(std::size_t i, const Vector6& motion) const noexcept;

 private:
  [[nodiscard]] ContactTangents tangents_of(std::size_t i) const noexcept {
    return all_plain ? plain.tangents(i) : tangents[i];
  }
  void build_hash_table() noexcept;
  [[nodiscard]] const Remembered* find(std::int64_t key) const noexcept;
  [[nodiscard]] std::size_t first_slot(std::int64_t key) const noexcept;
  template <std::size_t d>
  [[nodiscard]] std::array<Vector6, d> columns(std::size_t i) const noexcept;
  static void use_dynamic_friction(Contact& contact) noexcept;
  void scale_forces(double total) noexcept;
  /// 1/force; 0 if friction is negligible compared with the load.
  [[nodiscard]] double per_force() const noexcept { return frictionless ? 0 : 1 / force; }
  void fill(bool with_declared) noexcept;
  void put_result(std::size_t i, double bu, double bv, double bt, ContactResult& result) const noexcept;
  using Moving = PlainContacts::Moving;
  [[nodiscard]] bool slips_freely(std::size_t i, const Moving& moving) const noexcept;
  template <std::size_t d>
  [[nodiscard]] std::array<double, d> scaled_slip(std::size_t i, const Vector6& y) const noexcept;
  template <class Group>
  void put_result_of(std::size_t i, const Group& group, std::size_t k, const Moving& moving,
                     ContactResult& result) const noexcept;
  template <class ForDisc, class ForBall>
  void each_contact(const ForDisc& for_disc, const ForBall& for_ball) const noexcept;
};

}  // namespace stiction::spatial
