// Contacts with a place, a normal, a normal force and one coefficient of friction, as most have no more: what is done
// to each of them before and after the search for a solution, eight side by side.
#pragma once

#include <span>

#include "balls.h"
#include "stiction/spatial/contact_tangents.h"

namespace stiction::spatial {

/// Numbers from here on are taken for mistakes, so that none of their products overflows.
inline constexpr double largest_number = 1e150;

class PlainContacts {
 public:
  explicit PlainContacts(std::size_t capacity) : blocks_((capacity + lane_count - 1) / lane_count) {}

  /// False, and no more to be asked, where some contact has more to it.
  bool read(std::span<const Contact> contacts) noexcept;
  /// Whether all numbers are in their ranges.
  [[nodiscard]] bool usable() const noexcept;
  /// Makes normals unit vectors and finds tangents. The sum of all μ N.
  double prepare() noexcept;

  [[nodiscard]] Vector3 arm(std::size_t i) const noexcept;
  [[nodiscard]] ContactTangents tangents(std::size_t i) const noexcept;
  /// μ N
  [[nodiscard]] double radius(std::size_t i) const noexcept { return blocks_[i / lane_count].radius[i % lane_count]; }
  /// Columns of friction with torques over a length, and weights.
  void fill(Balls<2>& discs, double per_length, double per_force) const noexcept;

  /// Friction of contact i over its largest value, from the last frame; then β of all.
  void set_share(std::size_t i, const Vector3& share) noexcept;
  void recall(Balls<2>& discs) const noexcept;
  /// The same, of β.
  void find_shares(const Balls<2>& discs) noexcept;
  [[nodiscard]] Vector3 share(std::size_t i) const noexcept;

  /// How the body moves, for the states of its contacts.
  struct Moving {
    Vector6 y{};
    double scale = 0;       // |y| without friction; 0: the body does not move
    bool oppose = false;    // friction that slides is turned against its slip
    Vector6 motion{};       // in SI units
    double least_slip = 0;  // of a contact without friction that counts as sliding [m]
  };
  void report(const Balls<2>& discs, double per_length, const Moving& moving,
              std::span<ContactResult> results) const noexcept;

 private:
  using Lanes3 = std::array<Lanes, 3>;
  struct Block {
    Lanes3 arm{}, u{}, v{}, share{};  // before `prepare` u is the normal
    Lanes force{}, radius{};          // N; μ N, before `prepare` μ
  };
  [[nodiscard]] std::span<const Block> used() const noexcept {
    return {blocks_.data(), (n_ + lane_count - 1) / lane_count};
  }
  [[nodiscard]] std::span<Block> used() noexcept { return {blocks_.data(), (n_ + lane_count - 1) / lane_count}; }

  LaneVector<Block> blocks_;
  std::size_t n_ = 0;
};

}  // namespace stiction::spatial
