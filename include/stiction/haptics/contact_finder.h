// Which points of a shell are inside a solid: the contacts of two bodies, one with a point shell, one with a field.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "stiction/geometry/distance_field.h"
#include "stiction/geometry/point_shell.h"
#include "stiction/haptics/pose.h"

namespace stiction::haptics {

/// A point of the shell that is inside the solid, or near it, in the frame of the fixed body.
struct Touch {
  std::uint32_t point = 0;  // of the shell
  double depth = 0;         // −d [m]; > 0 unless there is a margin
  Vec3 place{};             // [m]
  Vec3 push{};              // N: unit, the way out for the moving body, from the normal of the shell
  Vec3 slope{};             // e: when the moving body moves by Δx and turns by Δω about c, d changes by
                            //   e · (Δx + Δω × (place − c))
};

/// Finds them by the tree of the shell. A piece of surface is skipped where the field says that its sphere is clear,
/// and looked into otherwise. While the bodies have moved less than it was clear by, or less than it was not, there is
/// no need to ask again. So it finds just the points that a look at every point would find.
class ContactFinder {
 public:
  /// Keeps pointers to both. `shell_moves`: the shell is the moving body's; otherwise the field is. Where more than
  /// `most` points touch, the finest levels of the shell are left out. `margin`: all points with d < margin count as
  /// touching; at most half the band of the field. Throws InvalidParameter where `most` is 0 or the margin is not that.
  ContactFinder(const geometry::DistanceField& field, const geometry::PointShell& shell, bool shell_moves,
                std::size_t most, double margin = 0);

  /// The fixed body has its own frame for the world. No allocation, no throw. Valid until the next call.
  std::span<const Touch> find(const Pose& moving) noexcept;

  [[nodiscard]] bool shell_moves() const noexcept { return shell_moves_; }
  [[nodiscard]] const geometry::PointShell& shell() const noexcept { return *shell_; }
  [[nodiscard]] const geometry::DistanceField& field() const noexcept { return *field_; }
  /// Of the last call: how often the field was looked at; all points that touch; whether some were left out.
  [[nodiscard]] std::size_t looks() const noexcept { return looks_; }
  [[nodiscard]] std::size_t touching() const noexcept { return touching_; }
  [[nodiscard]] bool thinned() const noexcept { return touching_ > touches_.size(); }

 private:
  /// What is known of a node or a point until `travelled_` is `until`: that it is clear; of a node also that it is not.
  struct Known {
    double until;  // [m]
    bool clear;
  };
  void visit(const Pose& shell_in_field, const Pose& moving) noexcept;
  void look_at_point(std::uint32_t point, const Pose& shell_in_field, const Pose& moving) noexcept;
  void thin_out() noexcept;
  void forget() noexcept;

  const geometry::DistanceField* field_;
  const geometry::PointShell* shell_;
  bool shell_moves_;
  std::size_t most_;
  double margin_;         // [m]
  Vec3 middle_{};         // of the shell
  double reach_ = 0;      // of the shell from there [m]
  Pose last_;             // of the shell in the frame of the field
  double travelled_ = 0;  // at least as far as any point of the shell has moved in that frame, so far [m]
  std::vector<Known> nodes_, points_;
  std::vector<std::uint32_t> open_;    // nodes to look at
  std::vector<std::size_t> in_level_;  // how many points touch
  std::vector<Touch> touches_;
  std::size_t looks_ = 0;
  std::size_t touching_ = 0;
};

}  // namespace stiction::haptics
