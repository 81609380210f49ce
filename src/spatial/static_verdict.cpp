#include <limits>

#include "contact_problem.h"

namespace stiction::spatial {
namespace {

constexpr double rounding = std::numeric_limits<double>::epsilon();

/// Relative rank tolerance: a direction in which the total friction is at most this fraction of that in the strongest
/// direction is unresisted.
constexpr double rank_tolerance = 1e-13;

/// Orthonormal axes of wrench space, by rows. They are better than x, y and z if friction spans many decades: a small
/// component along an axis is then a small number, not the difference of large ones.
struct Axes {
  Matrix6 rows{};
  std::array<bool, 6> unresisted{};  // no friction acts along it

  Axes() noexcept {
    for (std::size_t i = 0; i < 6; ++i) {
      rows[i][i] = 1;
    }
  }
  [[nodiscard]] int rank() const noexcept {
    return 6 - static_cast<int>(std::count(unresisted.begin(), unresisted.end(), true));
  }
  /// Rotates to the principal axes of a matrix that is given in the current axes. Returns the rotation.
  Matrix6 rotate_to_principal(const Matrix6& matrix) noexcept {
    const Matrix6 to_principal = transposed(eigen(matrix).vectors);
    rows = times(to_principal, rows);
    return to_principal;
  }
};

/// Axes along which friction acts, and those along which none does, from the geometry: all counted contacts have equal
/// weights.
template <class Memory>
Axes geometric_axes(const Memory& m, typename Memory::Counted counted) noexcept {
  Axes axes;
  Matrix6 gram = m.gram(axes.rows, counted);
  constexpr int rounds = 2;  // errors of small eigenvalues: rounding of the largest, then of each itself
  for (int k = 0; k < rounds; ++k) {
    axes.rotate_to_principal(gram);
    gram = m.gram(axes.rows, counted);
  }
  double largest = 0;
  for (std::size_t k = 0; k < 6; ++k) {
    largest = std::max(largest, gram[k][k]);
  }
  // A contact on a long arm with little or no friction must not make the friction of others look negligible
  const Vector6 capacity = m.friction_along(axes.rows);
  const double max_capacity = *std::max_element(capacity.begin(), capacity.end());
  for (std::size_t k = 0; k < 6; ++k) {
    axes.unresisted[k] =
        !(gram[k][k] > rank_tolerance * rank_tolerance * largest) && !(capacity[k] > rank_tolerance * max_capacity);
  }
  return axes;
}

/// The wrench that friction has to balance, size · target, in the axes of the friction columns.
struct Ray {
  Vector6 target{};  // unit, opposite to the load
  double size = 0;
  std::array<bool, 6> empty{};                 // axes with neither friction nor load
  std::optional<std::size_t> unbalanced = {};  // an axis with a load but no friction
  Vector6 tolerance{};  // absolute, for each component of the total friction wrench (scaled units)

  /// Makes a matrix regular that is zero along the empty axes.
  void regularise(Matrix6& a) const noexcept {
    double trace = 0;
    for (std::size_t i = 0; i < 6; ++i) {
      trace += a[i][i];
    }
    for (std::size_t k = 0; k < 6; ++k) {
      a[k][k] += empty[k] ? trace : 0;
    }
  }
  /// Maximum norm of wrench − s target, each component over its tolerance.
  [[nodiscard]] double residual(const Vector6& wrench, double s) const noexcept {
    double largest = 0;
    for (std::size_t k = 0; k < 6; ++k) {
      const double error = std::abs(wrench[k] - s * target[k]);
      largest = error <= largest * tolerance[k] ? largest : error / tolerance[k];
    }
    return largest;
  }
  /// Sets the tolerances from the matrix at β = 0 with T = 2. Returns whether that is clearly of full rank.
  bool prepare(Matrix6 a, const Friction& friction) noexcept {
    constexpr double ulps = 256;
    double largest = 0;
    for (std::size_t k = 0; k < 6; ++k) {
      const double mean = std::sqrt(2 * a[k][k]);  // ≥ Σ ω |W|, since Σ ω is about 1
      tolerance[k] = ulps * rounding * mean;
      largest = std::max(largest, mean);
    }
    constexpr double normal_size = 8;
    if (largest > normal_size) {
      // This is a quadratic mean: a weak contact on a long arm must not loosen the tolerance of strong ones
      const double max_tolerance = ulps * rounding * sweeps().size_of_columns(friction);
      for (double& one : tolerance) {
        one = std::min(one, max_tolerance);
      }
    }
    regularise(a);
    constexpr double clearly = 1e-4;
    Cholesky factors;
    constexpr double digits = 1e-8;  // long arms cause cancellation, whatever the size of the pivots
    return factors.factor(a, true) && factors.min_pivot() > clearly * factors.largest_pivot() &&
           factors.relative_pivot() > digits;
  }
};

/// The largest load factor that the current β certifies. If β balances s target to rounding, that is s, and `scale` is
/// 0. Otherwise β is projected onto the force balance, and s and β are then multiplied by `scale` so that all |β| ≤ 1.
/// Returns 0 if the projection does not balance either.
double proven_factor(Friction& friction, const Ray& ray, double s, const Vector6& wrench, double& scale) noexcept {
  scale = 0;
  if (ray.residual(wrench, s) <= 1) {
    return s;
  }
  Vector6 residual = combined(1, wrench, -s, ray.target);
  // β̂ = β − ρ Wᵀ z with Σ ω ρ W Wᵀ z = residual
  Matrix6 a = sweeps().projection_matrix(friction);
  ray.regularise(a);
  Cholesky factors;
  constexpr int rounds = 4;
  for (int k = 0; k < rounds && factors.factor(a, true); ++k) {
    Projection projection;
    sweeps().project(friction, factors.solve(residual), k == 0, projection);
    residual = combined(1, projection.wrench, -s, ray.target);
    if (ray.residual(projection.wrench, s) <= 1 && projection.largest_square < 1e300) {
      scale = 1 / std::max(1.0, std::sqrt(projection.largest_square));
      return s * scale;
    }
  }
  return 0;
}

/// Primal: max s with s target = Σ ω W β, |β| ≤ 1. Dual: min Σ ω |Wᵀ y| with targetᵀ y = −1. Starts at β = 0, with its
/// sums. Returns the y that certifies the limit, and leaves the β that certify the factor.
Vector6 find_load_factor(Friction& friction, const Ray& ray, Sums sums, const Options& options, bool exactly,
                         Verdict& result) noexcept {
  const Vector6& target = ray.target;
  Vector6 y = combined(-1, target, 0, target);
  Vector6 best_y = y;
  double s = 0;
  double limit = 1e300;  // upper bound on s, from best_y
  double factor = 0;     // lower bound on s, from the saved β
  friction.each([](auto& group) { group.keep(0); });
  const auto prove = [&] {
    double scale = 0;
    const double proven = proven_factor(friction, ray, s, sums.wrench, scale);
    if (proven > factor && proven <= limit) {
      factor = proven;
      friction.each([scale](auto& group) { group.keep(scale); });
    }
  };
  int short_steps = 0;  // in a row
  int allowed_short_steps = 6;
  bool safeguard = false;
  for (int k = 0;; ++k) {
    const double along = -dot(target, y);
    if (along > 0 && sums.support / along < limit) {
      limit = sums.support / along;
      best_y = y;
    }
    const bool last = (limit < ray.size && !exactly) || k >= options.max_iterations || !std::isfinite(s);
    constexpr double late = 1e-5;  // relative gap below which rounding may limit progress
    if (last || limit - s <= late * limit || (s >= ray.size && !exactly)) {
      prove();
    }
    if (last || limit - factor <= options.gap * limit || (factor >= ray.size && !exactly)) {
      break;
    }
    ++result.iterations;
    Matrix6 a = symmetric(sums.matrix);
    ray.regularise(a);
    Cholesky factors;
    if (!factors.factor(a, true)) {
      break;
    }
    const Vector6 solved_target = factors.solve(target);
    const double per = 1 / dot(target, solved_target);
    // Predictor, towards c = 0: y_end = A⁻¹ (h − s' target) with targetᵀ y_end = −1, h the friction wrench
    const Vector6 solved_wrench = factors.solve(sums.wrench);
    const double s_end = (dot(target, solved_wrench) + 1) * per;
    StepLimits limits;
    sweeps().predict(friction, combined(1, solved_wrench, -s_end, solved_target), limits);
    safeguard = safeguard || k >= iterations_before_safeguard;
    const Target next = safeguard ? safeguarded_target(sums.centre) : next_target(limits, sums.centre);
    // A dy + target ds = r + Σ ω W M⁻¹ q,   targetᵀ (y + dy) = −1
    Vector6 rhs = combined(1, sums.wrench, -s, target);
    sweeps().prepare_correction(friction, next.centre, next.share, rhs);
    const Vector6 solved_rhs = factors.solve(rhs);
    const double ds = (dot(target, solved_rhs) + 1 + dot(target, y)) * per;
    const Vector6 dy = combined(1, solved_rhs, -ds, solved_target);
    limits = {};
    sweeps().correct(friction, dy, limits);
    const Step step = step_along(limits, safeguard ? safe_fraction_to_boundary : fraction_to_boundary);
    short_steps = std::min(step.primal, step.dual) < short_step ? short_steps + 1 : 0;
    if (short_steps >= allowed_short_steps && friction.segments.empty()) {
      // Off the central path and close to the curved boundary, which straight steps cannot follow. Scaling β and s by
      // the same factor keeps the balance: restart from there, on the central path
      constexpr double share = 0.5;
      s *= share;
      const double c = 0.05 * (limit - s);
      friction.each([c](auto& group) {
        group.start_inside(share, c);
        group.clear_direction();
      });
      y = best_y;
      short_steps = 0;
      allowed_short_steps *= 2;
      safeguard = true;
      sums = {};
      sweeps().evaluate(friction, {}, y, sums);
      continue;
    }
    if (!(std::max(step.primal, step.dual) > 1e-9)) {
      prove();
      break;
    }
    y = combined(1, y, step.dual, dy);
    s += step.primal * ds;
    sums = {};
    sweeps().evaluate(friction, step, y, sums);
  }
  // Bounds that cross by rounding: scale friction and factor down together
  const double shrink = factor > limit ? limit / factor : 1;
  factor *= shrink;
  friction.each([shrink](auto& group) {
    group.restore();
    group.scale(shrink);
  });
  result.factor = std::min(factor, limit) / ray.size;
  result.factor_limit = limit / ray.size;
  result.status = result.factor >= 1        ? VerdictStatus::holds
                  : result.factor_limit < 1 ? VerdictStatus::slips
                                            : VerdictStatus::unproven;
  result.converged = limit - factor <= options.gap * limit;
  return best_y;
}

/// The mechanism along an axis with a load but no friction: the load factor is 0.
Vector6 frictionless_mechanism(Friction& friction, const Ray& ray, std::size_t axis, Verdict& result) noexcept {
  Vector6 y{};
  y[axis] = -1 / ray.target[axis];
  Sums sums;
  sweeps().evaluate(friction, {}, y, sums);
  result.factor_limit = sums.support / ray.size;
  result.status = result.factor_limit < 1 ? VerdictStatus::slips : VerdictStatus::unproven;
  result.converged = true;
  return y;
}

/// The sums at β = 0 and y = −target.
Sums sums_at_start(Friction& friction, const Vector6& target) noexcept {
  Sums sums;
  sweeps().evaluate(friction, {}, combined(-1, target, 0, target), sums);
  return sums;
}

/// Sets up the ray in axes suited to friction that acts weakly or not at all in some directions. Rotates the friction
/// columns into them, and computes the motion y along which the body follows its load freely. False if y cannot be
/// determined.
template <class Memory>
bool rotate_to_friction_axes(Memory& m, const EnergyMetric& metric, typename Memory::Counted counted, Axes& axes,
                             Vector6& y_free, Ray& ray, Sums& sums) noexcept {
  axes = geometric_axes(m, counted);
  // (Qᵀ G Q) a = Qᵀ f: the body follows its load along Q, where no friction acts
  const Matrix6 g = times(times(axes.rows, metric.g), transposed(axes.rows));
  Matrix6 reduced{};
  for (std::size_t i = 0; i < 6; ++i) {
    reduced[i][i] = 1;
    for (std::size_t j = 0; j < 6 && axes.unresisted[i]; ++j) {
      reduced[i][j] = axes.unresisted[j] ? g[i][j] : 0;
    }
  }
  Cholesky factors;
  if (!factors.factor(reduced)) {
    return false;
  }
  // Friction then has to balance −(f − G y). Iterative refinement removes the residual along Q: in axes that mix soft
  // and stiff springs a single solve is only accurate to rounding of the stiffest.
  Vector6 needed = times(axes.rows, combined(-1, m.load, 0, m.load));
  Vector6 spring_wrench{};
  y_free = {};
  constexpr int refinements = 4;
  for (int k = 0; k < refinements; ++k) {
    Vector6 rhs{};
    for (std::size_t i = 0; i < 6; ++i) {
      rhs[i] = axes.unresisted[i] ? -needed[i] : 0;
    }
    y_free = combined(1, y_free, 1, times(transposed(axes.rows), factors.solve(rhs)));
    spring_wrench = times(metric.g, y_free);
    needed = times(axes.rows, combined(-1, m.load, 1, spring_wrench));
  }
  const double size_of_load = std::sqrt(dot(m.load, m.load));
  const double largest = size_of_load + std::sqrt(dot(spring_wrench, spring_wrench));
  double max_residual = rounding * largest;
  Matrix6 rotation = axes.rows;
  for (std::size_t k = 0; k < 6; ++k) {
    if (axes.unresisted[k]) {
      max_residual = std::max(max_residual, std::abs(needed[k]));
      needed[k] = 0;
      rotation[k] = {};
    }
  }
  constexpr double digits = 5e-13;  // largest residual over the load for which a certificate is given
  if (!(max_residual <= digits * size_of_load)) {
    return false;  // springs or masses differ by too many decades to determine the motion
  }
  sweeps().rotate(m.friction, rotation);
  m.filled = Memory::Filled::nothing;
  constexpr int rounds = 2;  // as in geometric_axes
  for (int k = 0; k < rounds; ++k) {
    Matrix6 weighted = symmetric(sums_at_start(m.friction, needed).matrix);
    const Matrix6 to_principal = axes.rotate_to_principal(weighted);
    sweeps().rotate(m.friction, to_principal);
    needed = times(to_principal, needed);
  }
  constexpr double ulps = 4;
  Matrix6 a = symmetric(sums_at_start(m.friction, needed).matrix);
  const auto is_frictionless = [](const Matrix6& matrix, std::size_t k) {
    double trace = 0;
    for (std::size_t i = 0; i < 6; ++i) {
      trace += matrix[i][i];
    }
    return !(matrix[k][k] > rank_tolerance * rank_tolerance * trace);
  };
  Matrix6 projection{};
  for (std::size_t k = 0; k < 6; ++k) {
    needed[k] = std::abs(needed[k]) > ulps * rounding * largest ? needed[k] : 0;
    ray.empty[k] = needed[k] == 0 && is_frictionless(a, k);
    projection[k][k] = ray.empty[k] ? 0 : 1;
  }
  sweeps().rotate(m.friction, projection);  // clears rounding errors along the empty axes
  ray.size = std::sqrt(dot(needed, needed));
  ray.target = combined(ray.size > 0 ? 1 / ray.size : 0, needed, 0, needed);
  sums = sums_at_start(m.friction, ray.target);
  a = symmetric(sums.matrix);
  for (std::size_t k = 0; k < 6; ++k) {
    if (needed[k] != 0 && is_frictionless(a, k)) {
      ray.unbalanced = k;
    }
  }
  ray.prepare(a, m.friction);
  return true;
}

}  // namespace

Verdict StaticFriction::Memory::examine(const Options& options, bool exactly, Counted counted, Vector6& y) noexcept {
  Verdict result;
  friction.each([](auto& group) {
    group.start_centred(1);
    group.clear_direction();
  });
  // First in the original axes and along the load, which suffices if friction acts in all directions
  Ray ray;
  ray.size = std::sqrt(dot(load, load));
  ray.target = combined(ray.size > 0 ? -1 / ray.size : 0, load, 0, load);
  Sums sums = sums_at_start(friction, ray.target);
  Axes axes;
  y = {};
  if (!ray.prepare(symmetric(sums.matrix), friction)) {
    const EnergyMetric metric = metric_of(options.metric);
    if (!metric.ok || !rotate_to_friction_axes(*this, metric, counted, axes, y, ray, sums)) {
      result.status = VerdictStatus::not_finite;
      return result;
    }
    result.motion = motion_of(metric, y);
    if (!(absolute_sum(result.motion) < largest_number)) {  // the free motion is out of range
      result.motion = {};
      result.status = VerdictStatus::not_finite;
      return result;
    }
  }
  result.rank = axes.rank();
  if (!(ray.size > 0)) {
    result.status = VerdictStatus::holds;
    result.converged = true;
    result.factor = infinity;
  } else {
    sweeps().set_multipliers(friction, std::max(sums.support, 1e-300));
    sums = sums_at_start(friction, ray.target);
    const Vector6 mechanism = ray.unbalanced ? frictionless_mechanism(friction, ray, *ray.unbalanced, result)
                                             : find_load_factor(friction, ray, sums, options, exactly, result);
    result.mechanism = virtual_motion(times(transposed(axes.rows), mechanism));
  }
  return result;
}

Verdict StaticFriction::verdict(const Options& options, bool exactly) noexcept {
  Memory& m = *memory_;
  m.exclude_sliding();
  Vector6 y{};
  Verdict result = m.examine(options, exactly, Memory::Counted::all, y);
  m.has_certificate = true;
  if (m.declared) {
    result.declaration.right = result.holds();
    for (std::size_t i = 0; i < m.contacts.size() && result.declaration.right; ++i) {
      const double min_slip = 1e-9 * std::sqrt(dot(result.motion, result.motion));
      if (m.contacts[i].declared == Declared::slides && !(m.slip(i, result.motion) > min_slip)) {
        result.declaration = {false, i};
      }
    }
  }
  return result;
}

std::span<const ContactResult> StaticFriction::verdict_friction() noexcept {
  Memory& m = *memory_;
  if (!m.has_certificate) {
    return {};
  }
  m.report({}, m.verdict_results);
  for (std::size_t i = 0; i < m.contacts.size() && m.declared; ++i) {
    if (m.contacts[i].declared == Declared::slides) {
      m.verdict_results[i] = {};  // it transmits no friction
    }
  }
  return m.verdict_results;
}

}  // namespace stiction::spatial
