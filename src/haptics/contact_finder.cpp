#include "stiction/haptics/contact_finder.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "stiction/problem.h"

namespace stiction::haptics {
namespace {

using spatial::difference;
using spatial::negative;
using spatial::norm;

constexpr double never = -std::numeric_limits<double>::infinity();

/// The largest stretch of a difference of two turns: its singular values are 2 sin(θ/2) twice, and 0.
double spread(const Matrix3& a, const Matrix3& b) noexcept {
  double squares = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3 row = difference(a[i], b[i]);
    squares += spatial::dot(row, row);
  }
  return std::sqrt(0.5 * squares);
}

}  // namespace

ContactFinder::ContactFinder(const geometry::DistanceField& field, const geometry::PointShell& shell, bool shell_moves,
                             std::size_t most)
    : field_(&field),
      shell_(&shell),
      shell_moves_(shell_moves),
      most_(most),
      clear_(shell.nodes().size() + shell.points().size(), never) {
  if (most == 0) {
    throw InvalidParameter({"most_contacts", 0, "at least 1"});
  }
  open_.reserve(shell.nodes().size());
  found_.reserve(shell.points().size());
  touches_.reserve(std::min(most, shell.points().size()));
  in_level_.resize(shell.levels());
  middle_ = shell.nodes()[0].centre;
  reach_ = shell.nodes()[0].radius;
}

std::span<const Touch> ContactFinder::find(const Pose& moving) noexcept {
  const Pose shell_in_field = shell_moves_ ? moving : inverse(moving);
  // |A p + b − A₀ p − b₀| ≤ |A m + b − A₀ m − b₀| + |A − A₀| |p − m|, and a little for the rounding
  travelled_ += (1 + 1e-9) * (norm(difference(to_world(shell_in_field, middle_), to_world(last_, middle_))) +
                              spread(shell_in_field.rotation, last_.rotation) * reach_);
  // No pose: nothing is known any more. So far away that small steps would be lost in the sum: start again
  if (!(travelled_ < 1000 * (1 + reach_))) {
    std::ranges::fill(clear_, never);
    travelled_ = 0;
  }
  last_ = shell_in_field;
  found_.clear();
  touches_.clear();
  looks_ = 0;
  visit(shell_in_field);
  touching_ = found_.size();
  if (touching_ > most_) {
    thin_out();
  }
  const auto points = shell_->points();
  for (const std::uint32_t i : found_) {
    const geometry::ShellPoint& p = points[i];
    const Vec3 in_field = to_world(shell_in_field, p.position);
    const geometry::DistanceField::Sample sample = field_->at(in_field);
    // The shell's normal is outwards of its own body: the moving one is pushed against its own, along the other's.
    if (shell_moves_) {
      touches_.push_back({i, -sample.value, in_field, negative(rotate(moving.rotation, p.normal)), sample.gradient});
    } else {
      touches_.push_back({i, -sample.value, p.position, p.normal, negative(rotate(moving.rotation, sample.gradient))});
    }
  }
  return touches_;
}

void ContactFinder::visit(const Pose& shell_in_field) noexcept {
  const auto nodes = shell_->nodes();
  const auto points = shell_->points();
  double* point_clear = clear_.data() + nodes.size();
  open_.assign(1, 0);
  while (!open_.empty()) {
    const std::uint32_t n = open_.back();
    open_.pop_back();
    const geometry::ShellNode& node = nodes[n];
    if (travelled_ < clear_[n]) {
      continue;
    }
    ++looks_;
    const double margin = field_->clearance(to_world(shell_in_field, node.centre)) - node.radius;
    if (margin > 0) {
      clear_[n] = travelled_ + margin;
      continue;
    }
    for (std::uint32_t k = node.child_count; k-- > 0;) {  // the first child is looked at first
      open_.push_back(node.first_child + k);
    }
    if (node.child_count > 0) {
      continue;
    }
    for (std::uint32_t i = node.first_point; i < node.first_point + node.point_count; ++i) {
      if (travelled_ < point_clear[i]) {
        continue;
      }
      ++looks_;
      const Vec3 place = to_world(shell_in_field, points[i].position);
      if (field_->value(place) < 0) {
        found_.push_back(i);
      } else {
        point_clear[i] = travelled_ + field_->clearance(place);
      }
    }
  }
}

/// Leaves the coarsest levels that fit, and of the first one that does not as many as fit.
void ContactFinder::thin_out() noexcept {
  std::ranges::fill(in_level_, std::size_t{0});
  for (const std::uint32_t i : found_) {
    ++in_level_[shell_->level_of(i)];
  }
  std::size_t kept = 0;
  std::size_t level = 0;
  while (kept + in_level_[level] <= most_) {
    kept += in_level_[level];
    ++level;
  }
  std::size_t room = kept == 0 ? most_ : 0;  // a coarsest level that is too large by itself is cut
  std::erase_if(found_, [&](std::uint32_t i) {
    const std::size_t l = shell_->level_of(i);
    if (l == level && room > 0) {
      --room;
      return false;
    }
    return l >= level;
  });
}

}  // namespace stiction::haptics
