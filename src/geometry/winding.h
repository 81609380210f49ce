// Which nodes of a grid are inside a closed mesh, by its winding number.
#pragma once

#include <cstdint>
#include <vector>

#include "stiction/geometry/mesh.h"

namespace stiction::geometry {

/// Where the lines along z through the nodes of a grid cross a mesh. A line enters through triangles that face down and
/// leaves through those that face up; a point is inside if the line has entered more often than left. So parts may
/// overlap, and cavities are outside.
class Winding {
 public:
  /// `mesh` is in units of the grid and within it, with at most 1030 nodes along each axis.
  Winding(const Mesh& mesh, std::size_t x_nodes, std::size_t y_nodes);

  /// The crossings of one line, from below.
  class Line {
   public:
    /// Whether node z is inside; must be called with increasing z.
    bool inside(double z) {
      while (at_ != end_ && at_->z < z) {
        count_ += at_->entered;
        ++at_;
      }
      return count_ > 0;
    }

   private:
    friend class Winding;
    struct Crossing {
      double z;
      std::uint32_t line;
      std::int32_t entered;  // 1 or −1
    };
    Line(const Crossing* at, const Crossing* end) : at_(at), end_(end) {}
    const Crossing* at_;
    const Crossing* end_;
    int count_ = 0;
  };
  [[nodiscard]] Line line(std::size_t x, std::size_t y) const {
    const std::size_t i = x * y_nodes_ + y;
    return {crossings_.data() + first_[i], crossings_.data() + first_[i + 1]};
  }

 private:
  std::size_t y_nodes_;
  std::vector<Line::Crossing> crossings_;  // by line, then z
  std::vector<std::size_t> first_;         // of each line, and the end
};

}  // namespace stiction::geometry
