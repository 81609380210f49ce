// Contact detection between two bodies: the points of one body's point shell inside the other's distance field.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "stiction/export.h"
#include "stiction/geometry/distance_field.h"
#include "stiction/geometry/point_shell.h"
#include "stiction/haptics/pose.h"

namespace stiction::haptics {

/// A shell point that is inside the solid, or within the margin of it, in the frame of the fixed body.
struct Touch {
  std::uint32_t point = 0;  // index in the shell
  double depth = 0;         // −d [m]; > 0 unless there is a margin
  Vector3 position{};       // [m]
  Vector3 push{};           // N: unit contact normal, out of the solid for the moving body, from the shell's normal
  Vector3 slope{};          // e: gradient of d. If the moving body moves by Δx and rotates by Δω about c, d changes
                            //   by e · (Δx + Δω × (position − c))
};

/// Traverses the shell's tree of bounding spheres. A node is skipped if the field shows its sphere to be clear, and
/// descended into otherwise. Temporal coherence: a node is not tested again until the bodies have moved far enough to
/// change the result. The points found are exactly those that testing every point would give.
class STICTION_EXPORT ContactFinder {
 public:
  /// Keeps pointers to both. `shell_moves`: the shell belongs to the moving body; otherwise the field does. If more
  /// than `max_contacts` points touch, the finest levels of the shell are left out. `margin`: all points with d <
  /// margin count as touching; 0 to half the band of the field. Throws InvalidParameter if `max_contacts` is 0 or the
  /// margin out of range.
  ContactFinder(const geometry::DistanceField& field, const geometry::PointShell& shell, bool shell_moves,
                std::size_t max_contacts, double margin = 0);

  /// The frame of the fixed body is the world frame. No allocation, no throw. Valid until the next call.
  std::span<const Touch> find(const Pose& moving) noexcept;

  [[nodiscard]] bool shell_moves() const noexcept { return shell_moves_; }
  [[nodiscard]] const geometry::PointShell& shell() const noexcept { return *shell_; }
  [[nodiscard]] const geometry::DistanceField& field() const noexcept { return *field_; }
  /// Statistics of the last call: field queries; all touching points; whether some of them were left out.
  [[nodiscard]] std::size_t field_queries() const noexcept { return field_queries_; }
  [[nodiscard]] std::size_t touching() const noexcept { return touching_; }
  [[nodiscard]] bool thinned() const noexcept { return touching_ > touches_.size(); }

 private:
  /// Cached result for a node or a point, valid until `travelled_` reaches `until`: clear, or (nodes only) not clear.
  struct Known {
    double until;  // [m]
    bool clear;
  };
  void visit(const Pose& shell_in_field, const Pose& moving) noexcept;
  void test_point(std::uint32_t point, const Pose& shell_in_field, const Pose& moving) noexcept;
  void thin_out() noexcept;
  void forget() noexcept;

  const geometry::DistanceField* field_;
  const geometry::PointShell* shell_;
  bool shell_moves_;
  std::size_t max_contacts_;
  double margin_;         // [m]
  Vector3 middle_{};      // of the shell
  double reach_ = 0;      // radius of the shell about its middle [m]
  Pose last_;             // of the shell in the frame of the field
  double travelled_ = 0;  // upper bound on the path length of any shell point in that frame [m]
  std::vector<Known> nodes_, points_;
  std::vector<std::uint32_t> open_;    // nodes to visit
  std::vector<std::size_t> in_level_;  // number of touching points in each level
  std::vector<Touch> touches_;
  std::size_t field_queries_ = 0;
  std::size_t touching_ = 0;
};

}  // namespace stiction::haptics
