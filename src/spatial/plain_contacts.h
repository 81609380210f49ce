// Plain contacts: a position, a normal, a normal force and a single coefficient of friction, as most contacts have.
// Their setup before the solver iterations and their results after them, eight contacts per SIMD block.
#pragma once

#include <span>

#include "balls.h"
#include "stiction/spatial/contact_tangents.h"

namespace stiction::spatial {

/// Inputs of this magnitude or above are rejected, so that products of two cannot overflow.
inline constexpr double largest_number = contact_numbers.high;

using Lanes3 = std::array<Lanes, 3>;
/// Eight contacts.
struct alignas(64) PlainBlock {
  Lanes3 arm{}, u{}, v{}, share{};  // before `prepare` u is the normal
  Lanes force{}, radius{};          // N; μ N, before `prepare` μ
};

class PlainContacts {
 public:
  explicit PlainContacts(std::size_t capacity) : blocks_((capacity + lane_count - 1) / lane_count) {}

  /// False if some contact is not plain; the object must not be used then.
  bool read(std::span<const Contact> contacts) noexcept;
  /// Whether all values are in range.
  [[nodiscard]] bool usable() const noexcept;
  /// Normalises the normals and computes tangents. Returns the sum of all μ N.
  double prepare() noexcept;

  [[nodiscard]] Vector3 arm(std::size_t i) const noexcept;
  [[nodiscard]] ContactTangents tangents(std::size_t i) const noexcept;
  /// μ N
  [[nodiscard]] double radius(std::size_t i) const noexcept { return blocks_[i / lane_count].radius[i % lane_count]; }
  /// Friction columns, with torques divided by the length, and weights.
  void fill(Balls<2>& discs, double per_length, double per_force) const noexcept;

  /// Warm start. `set_share`: friction of contact i over its limit, from the last frame. `recall`: β of all contacts
  /// from these shares.
  void set_share(std::size_t i, const Vector3& share) noexcept;
  void recall(Balls<2>& discs) const noexcept;
  /// The inverse of `recall`: shares of all contacts from β.
  void find_shares(const Balls<2>& discs) noexcept;
  [[nodiscard]] Vector3 share(std::size_t i) const noexcept;

  /// The motion of the body, from which contact states are determined.
  struct Moving {
    Vector6 y{};
    double scale = 0;     // |y| without friction; 0: the body does not move
    bool oppose = false;  // align sliding friction against its slip
    Vector6 motion{};     // in SI units
    double min_slip = 0;  // slip above which a frictionless contact counts as sliding [m]
  };
  void report(const Balls<2>& discs, double per_length, const Moving& moving,
              std::span<ContactResult> results) const noexcept;

 private:
  [[nodiscard]] std::span<const PlainBlock> used() const noexcept {
    return {blocks_.data(), (n_ + lane_count - 1) / lane_count};
  }
  [[nodiscard]] std::span<PlainBlock> used() noexcept { return {blocks_.data(), (n_ + lane_count - 1) / lane_count}; }

  LaneVector<PlainBlock> blocks_;
  std::size_t n_ = 0;
};

/// The kernels of the members of the same name.
struct PlainKernels {
  bool (*usable)(std::span<const PlainBlock> blocks) noexcept;
  double (*prepare)(std::span<PlainBlock> blocks) noexcept;
  void (*fill)(std::span<const PlainBlock> blocks, Balls<2>& discs, double per_length, double per_force) noexcept;
  void (*recall)(std::span<const PlainBlock> blocks, Balls<2>& discs) noexcept;
  void (*find_shares)(std::span<PlainBlock> blocks, const Balls<2>& discs) noexcept;
  void (*report)(std::span<const PlainBlock> blocks, const Balls<2>& discs, double per_length,
                 const PlainContacts::Moving& moving, std::span<ContactResult> results) noexcept;
};
STICTION_TABLE(PlainKernels, plain_kernels)

}  // namespace stiction::spatial
