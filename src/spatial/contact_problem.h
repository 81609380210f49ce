// A static-friction problem in scaled units, with all that one frame hands to the next.
#pragma once

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

/// How the energy of a motion is measured: g = −K Δ and y = G⁻¹ g, with G = K D⁻¹ Kᵀ.
struct EnergyMetric {
  Matrix6 g{};
  double scale = 1;        // G was divided by this
  Matrix6 to_motion{};     // Δ = to_motion y, scaled
  bool is_motion = false;  // Δ = y
  Cholesky factors;
  bool ok = false;
};

/// Torques are over a length, forces over the sum of all μ N.
struct StaticFriction::Memory {
  Memory(std::size_t most, int side_count);

  std::size_t capacity;
  int sides;
  std::vector<std::int64_t> keys;  // of all contacts
  std::vector<Contact>
      contacts;  // with the coefficients that apply: at rest, or sliding; left alone where all are plain
  std::vector<Contact> at_rest;  // where some have other coefficients once they slide
  bool all_plain = false;        // then `plain` has them
  PlainContacts plain, next_plain;
  double plain_total = 0;  // Σ μ N of them
  std::vector<ContactTangents> tangents;
  std::vector<std::array<double, 2>> side_directions;  // of a pyramid's segments, in shares of u and v
  std::vector<ContactResult> results, verdict_results;
  bool has_certificate = false;  // β are those of the last verdict
  Friction friction;

  double length = 1, force = 1;  // of which the latter is known once friction is filled in
  bool frictionless = false;
  enum class Filled { nothing, at_rest, sliding, all_but_declared } filled = Filled::nothing;  // what `friction` has
  bool declared = false;                                                                       // some contact's state
  Vector6 wrench{};  // the load, torques over the length
  Vector6 load{};    // this over the force
  Matrix6 gradient{}, mass{};

  // The last solution, for the next frame
  struct Remembered {
    std::int64_t key = -1;
    Vector3 share{};  // friction over its largest value
    double turn = 0;
  };
  std::vector<Remembered> remembered;  // in the order of the last frame
  bool ascending = false;              // by key
  std::vector<std::int32_t> places;    // of keys in it: open addressing, made when the order has changed
  bool has_last = false;
  Vector6 last_motion{};  // y as a motion, in SI units
  Metric last_metric = Metric::stiffness;

  bool set(std::span<const Contact> all, const Load& given_load) noexcept;
  /// All coefficients at rest, but for contacts that are declared to slide.
  void rest() noexcept;
  /// No friction at contacts that are declared to slide.
  void leave_out_sliding() noexcept;
  /// Contacts that slide get the coefficients of sliding. False where none changes.
  bool let_slide() noexcept;
  /// Columns of friction in the axes of space again, after a verdict that put them into axes of its own.
  void refill(Filled before) noexcept;
  void recall() noexcept;
  void remember() noexcept;
  void forget() noexcept { has_last = false; }

  /// Which contacts say in what directions the body may follow its load freely: those that none of them touches, or
  /// also those in which there is a contact but no friction.
  enum class Counted { all, with_friction };
  /// Whether the friction that is filled in holds the load; y is the motion along which the body follows it freely.
  /// Leaves the β that prove the factor, and may leave columns in axes of its own.
  [[nodiscard]] Verdict examine(const Options& options, bool exactly, Counted counted, Vector6& y) noexcept;

  [[nodiscard]] EnergyMetric metric_of(Metric metric) const noexcept;
  /// Δ of a scaled y, in SI units.
  [[nodiscard]] Vector6 motion_of(const EnergyMetric& metric, const Vector6& y) const noexcept;
  /// Forces of the last β. A contact slides where it slips more than it has friction left; `moves`: that the body moves
  /// at all is sure. `oppose`: friction that slides is turned against the slip of a motion y.
  void report(const EnergyMetric& metric, const Vector6& y, bool moves, bool oppose) noexcept;
  /// The same for a body of which it is said how it moves.
  void report(const PlainContacts::Moving& moving, std::vector<ContactResult>& to) const noexcept;
  /// A scaled y of the dual, in SI units.
  [[nodiscard]] Vector6 multiplier_of(const EnergyMetric& metric, const Vector6& y) const noexcept;
  /// A scaled y as a motion of unit size, rotations times the length.
  [[nodiscard]] Vector6 virtual_motion(const Vector6& y) const noexcept;
  /// The largest friction of contact i along its tangents, and about its normal.
  [[nodiscard]] Vector3 limits_of(std::size_t i) const noexcept;
  /// The largest friction of all contacts along axes given by rows, one after the other.
  [[nodiscard]] Vector6 friction_along(const Matrix6& axes) const noexcept;
  /// Σ W Wᵀ in axes given by rows, all that count alike.
  [[nodiscard]] Matrix6 gram(const Matrix6& axes, Counted counted) const noexcept;
  /// How far contact i slips in a motion [m].
  [[nodiscard]] double slip(std::size_t i, const Vector6& motion) const noexcept;

 private:
  [[nodiscard]] ContactTangents tangents_of(std::size_t i) const noexcept {
    return all_plain ? plain.tangents(i) : tangents[i];
  }
  void find_places() noexcept;
  [[nodiscard]] const Remembered* find(std::int64_t key) const noexcept;
  [[nodiscard]] std::size_t first_place(std::int64_t key) const noexcept;
  template <std::size_t d>
  [[nodiscard]] std::array<Vector6, d> columns(std::size_t i) const noexcept;
  static void slow_down(Contact& contact) noexcept;
  void scale_forces(double total) noexcept;
  /// Friction that is nothing beside the load counts as none.
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
