#include "sweeps.h"

namespace stiction::spatial {
namespace {

STICTION_KERNEL void set_multipliers(Friction& f, double c) noexcept {
  f.segments.set_multipliers(c);
  f.discs.set_multipliers(c);
  f.balls.set_multipliers(c);
}
STICTION_KERNEL void start_near(Friction& f, double c) noexcept {
  f.segments.start_near(c);
  f.discs.start_near(c);
  f.balls.start_near(c);
}
STICTION_KERNEL void evaluate_bounds(Friction& f, const Vector6& y, Sums& sums) noexcept {
  f.segments.evaluate_bounds(y, sums);
  f.discs.evaluate_bounds(y, sums);
  f.balls.evaluate_bounds(y, sums);
}
STICTION_KERNEL void evaluate(Friction& f, const Step& step, const Vector6& y, Sums& sums) noexcept {
  f.segments.evaluate(step, y, sums);
  f.discs.evaluate(step, y, sums);
  f.balls.evaluate(step, y, sums);
}
STICTION_KERNEL void predict(Friction& f, const Vector6& y_end, StepLimits& limits) noexcept {
  f.segments.predict(y_end, limits);
  f.discs.predict(y_end, limits);
  f.balls.predict(y_end, limits);
}
STICTION_KERNEL void prepare_correction(Friction& f, double c, double share, Vector6& right) noexcept {
  f.segments.prepare_correction(c, share, right);
  f.discs.prepare_correction(c, share, right);
  f.balls.prepare_correction(c, share, right);
}
STICTION_KERNEL void correct(Friction& f, const Vector6& dy, StepLimits& limits) noexcept {
  f.segments.correct(dy, limits);
  f.discs.correct(dy, limits);
  f.balls.correct(dy, limits);
}
STICTION_KERNEL void newton_step_per_contact(Friction& f, double c, const Vector6& y) noexcept {
  f.segments.newton_step_per_contact(c, y);
  f.discs.newton_step_per_contact(c, y);
  f.balls.newton_step_per_contact(c, y);
}
STICTION_KERNEL void centre_on(Friction& f, double c, const Vector6& y) noexcept {
  f.segments.centre_on(c, y);
  f.discs.centre_on(c, y);
  f.balls.centre_on(c, y);
}
STICTION_KERNEL void rotate(Friction& f, const Matrix6& transposed_basis) noexcept {
  f.segments.rotate(transposed_basis);
  f.discs.rotate(transposed_basis);
  f.balls.rotate(transposed_basis);
}
STICTION_KERNEL double size_of_columns(const Friction& f) noexcept {
  return f.segments.size_of_columns() + f.discs.size_of_columns() + f.balls.size_of_columns();
}
STICTION_KERNEL Vector6 remove_known(Friction& f, const Matrix6& inverse_metric, double radius) noexcept {
  return f.segments.remove_known(inverse_metric, radius);
}
STICTION_KERNEL Matrix6 projection_matrix(const Friction& f) noexcept {
  std::array<double, triangle> matrix{};
  f.segments.projection_matrix(matrix);
  f.discs.projection_matrix(matrix);
  f.balls.projection_matrix(matrix);
  return symmetric(matrix);
}
STICTION_KERNEL void project(Friction& f, const Vector6& z, bool first, Projection& sums) noexcept {
  f.segments.project(z, first, sums);
  f.discs.project(z, first, sums);
  f.balls.project(z, first, sums);
}
}  // namespace

constinit const Sweeps STICTION_THIS_TABLE(sweeps){
    set_multipliers,         start_near, evaluate_bounds, evaluate,        predict,      prepare_correction, correct,
    newton_step_per_contact, centre_on,  rotate,          size_of_columns, remove_known, projection_matrix,  project};

}  // namespace stiction::spatial
