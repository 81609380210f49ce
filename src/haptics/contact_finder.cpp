#include "stiction/haptics/contact_finder.h"

#include <algorithm>
#include <cmath>

#include "stiction/problem.h"

namespace stiction::haptics {
namespace {

/// The norm of the difference of two rotations: its singular values are 2 sin(θ/2), twice, and 0.
double spread(const Matrix3& a, const Matrix3& b) noexcept {
  double squares = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const Vector3 row = difference(a[i], b[i]);
    squares += dot(row, row);
  }
  return std::sqrt(0.5 * squares);
}

}  // namespace

ContactFinder::ContactFinder(const geometry::DistanceField& field, const geometry::PointShell& shell, bool shell_moves,
                             std::size_t max_contacts, double margin)
    : field_(&field),
      shell_(&shell),
      shell_moves_(shell_moves),
      max_contacts_(max_contacts),
      margin_(margin),
      middle_(shell.nodes()[0].centre),
      reach_(shell.nodes()[0].radius),
      nodes_(shell.nodes().size()),
      points_(shell.points().size()),
      in_level_(shell.levels()) {
  if (max_contacts == 0) {
    throw InvalidParameter({"max_contacts", 0, "at least 1"});
  }
  // Beyond the band, values are lower bounds, which are larger than that
  if (!(margin >= 0 && margin <= 0.5 * field.band())) {
    throw InvalidParameter({"margin", margin, "0 to half the band of the field"});
  }
  open_.reserve(shell.nodes().size());
  touches_.reserve(shell.points().size());
  forget();
}

void ContactFinder::forget() noexcept {
  std::ranges::fill(nodes_, Known{0, false});
  std::ranges::fill(points_, Known{0, false});
  travelled_ = 0;
}

std::span<const Touch> ContactFinder::find(const Pose& moving) noexcept {
  const Pose shell_in_field = shell_moves_ ? moving : inverse(moving);
  // |A p + b − A₀ p − b₀| ≤ |A m + b − A₀ m − b₀| + |A − A₀| |p − m|, plus an allowance for rounding
  travelled_ += (1 + 1e-9) * (norm(difference(to_world(shell_in_field, middle_), to_world(last_, middle_))) +
                              spread(shell_in_field.rotation, last_.rotation) * reach_);
  // So far that rounding would swallow small steps, or a pose that is not finite: discard all cached results
  if (!(travelled_ < 1000 * (1 + reach_))) {
    forget();
  }
  last_ = shell_in_field;
  touches_.clear();
  field_queries_ = 0;
  visit(shell_in_field, moving);
  touching_ = touches_.size();
  if (touching_ > max_contacts_) {
    thin_out();
  }
  return touches_;
}

void ContactFinder::visit(const Pose& shell_in_field, const Pose& moving) noexcept {
  const auto nodes = shell_->nodes();
  open_.assign(1, 0);
  while (!open_.empty()) {
    const std::uint32_t n = open_.back();
    open_.pop_back();
    const geometry::ShellNode& node = nodes[n];
    Known& known = nodes_[n];
    if (travelled_ >= known.until) {
      ++field_queries_;
      // Where no value is below 0 within r, none is below the margin within r − margin
      const double slack = field_->clearance(to_world(shell_in_field, node.centre)) - margin_ - node.radius;
      known = {travelled_ + std::abs(slack), slack > 0};
    }
    if (known.clear) {
      continue;
    }
    for (std::uint32_t k = node.child_count; k-- > 0;) {  // the first child is visited first
      open_.push_back(node.first_child + k);
    }
    for (std::uint32_t i = node.first_point; node.child_count == 0 && i < node.first_point + node.point_count; ++i) {
      if (!points_[i].clear || travelled_ >= points_[i].until) {
        test_point(i, shell_in_field, moving);
      }
    }
  }
}

void ContactFinder::test_point(std::uint32_t point, const Pose& shell_in_field, const Pose& moving) noexcept {
  ++field_queries_;
  const geometry::ShellPoint& p = shell_->points()[point];
  const Vector3 in_field = to_world(shell_in_field, p.position);
  const geometry::DistanceField::Sample sample = field_->at(in_field);
  if (!(sample.value < margin_)) {
    points_[point] = {travelled_ + std::max(field_->clearance_of(sample) - margin_, 0.0), true};
    return;
  }
  points_[point].clear = false;
  // The shell's normal points out of its body: the moving body is pushed against its own normal, along that of the
  // other
  if (shell_moves_) {
    touches_.push_back({point, -sample.value, in_field, negative(rotate(moving.rotation, p.normal)), sample.gradient});
  } else {
    touches_.push_back(
        {point, -sample.value, p.position, p.normal, negative(rotate(moving.rotation, sample.gradient))});
  }
}

/// Keeps the coarsest levels that fit, and a share of the first level that does not. Points of that level are selected
/// by a hash of their index, so that the choice does not change from cycle to cycle.
void ContactFinder::thin_out() noexcept {
  std::ranges::fill(in_level_, std::size_t{0});
  for (const Touch& touch : touches_) {
    ++in_level_[shell_->level_of(touch.point)];
  }
  std::size_t slack = max_contacts_;
  std::size_t level = 0;
  while (in_level_[level] <= slack) {
    slack -= in_level_[level];
    ++level;
  }
  const double share = static_cast<double>(slack) / static_cast<double>(in_level_[level]);
  std::erase_if(touches_, [&](const Touch& touch) {
    const std::size_t l = shell_->level_of(touch.point);
    if (l != level) {
      return l > level;
    }
    const double hash = static_cast<double>(touch.point * 0x9e3779b9U) * 0x1p-32;
    if (slack == 0 || hash > share) {
      return true;
    }
    --slack;
    return false;
  });
}

}  // namespace stiction::haptics
