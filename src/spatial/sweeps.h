// Friction of all contacts as balls and segments, the sweeps over them, and how far a step goes.
#pragma once

#include "segments.h"

namespace stiction::spatial {

/// Wrenches of friction, one set of balls for each dimension.
struct Friction {
  Segments segments;
  Balls<2> discs;
  Balls<3> balls;

  Friction(std::size_t capacity, int sides)
      : segments(sides > 0 ? capacity * static_cast<std::size_t>(sides / 2 + 1) : 0),
        discs(sides > 0 ? 0 : capacity),
        balls(sides > 0 ? 0 : capacity) {}

  template <class Each>
  void each(const Each& call) noexcept {
    call(segments);
    call(discs);
    call(balls);
  }
};

void answer(Friction& friction, double c) noexcept;
void start_near(Friction& friction, double c) noexcept;
void glance(Friction& friction, const Vector6& y, Sums& sums) noexcept;
void evaluate(Friction& friction, const Step& step, const Vector6& y, Sums& sums) noexcept;
void predict(Friction& friction, const Vector6& y_there, Way& way) noexcept;
void prepare_correction(Friction& friction, double c, double share, Vector6& right) noexcept;
void correct(Friction& friction, const Vector6& dy, Way& way) noexcept;
void move_alone(Friction& friction, double c, const Vector6& y) noexcept;
void centre_on(Friction& friction, double c, const Vector6& y) noexcept;
void rotate(Friction& friction, const Matrix6& transposed_basis) noexcept;
/// Σ ω |W|, with the mean over the columns of each contact.
[[nodiscard]] double size_of_columns(const Friction& friction) noexcept;
[[nodiscard]] Vector6 take_out_known(Friction& friction, const Matrix6& inverse_metric, double radius) noexcept;
[[nodiscard]] Matrix6 projection_matrix(const Friction& friction) noexcept;
void project(Friction& friction, const Vector6& z, bool first, Projection& sums) noexcept;

/// How far a step goes of the way to the boundary; less where it is near, so that no contact is left behind there.
inline constexpr double nearly = 0.995, with_care = 0.9;
/// Where a step would be shorter than this, each contact takes a Newton step of its own.
inline constexpr double short_step = 0.05;
/// After so many iterations each only brings c down to a fifth: sure, where corrected directions run about.
inline constexpr int patience = 15;

/// Mehrotra's choice of the next c, from what the direction to c = 0 would bring; and how much of its second order to
/// take into account: little, where it soon meets a boundary.
struct Target {
  double centre, share;
};
inline Target cautious_target(double centre) noexcept { return {0.2 * centre, 0}; }
inline Step step_along(const Way& way, double share = nearly) noexcept {
  const auto of = [share](double most) { return std::min(1.0, std::min(share, 0.8 + 0.195 * most) * most); };
  return {of(way.most.primal), of(way.most.dual)};
}
inline Target next_target(const Way& way, double centre) noexcept {
  const Step step = step_along(way);
  const double left = std::clamp(way.centre_at(step) / centre, 0.0, 1.0);
  return {centre * std::clamp(left * left * left, 1e-6, 0.9), std::min(step.primal, step.dual) > 0.1 ? 1.0 : 0.0};
}

}  // namespace stiction::spatial
