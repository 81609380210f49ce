#include "contact_problem.h"

namespace stiction::spatial {
namespace {

/// How far friction may be off the load that it holds, of that load.
constexpr double out_of_balance = 1e-6;

/// Of full rank without doubt, which is found sooner than eigenvalues are.
bool clearly_regular(const Matrix6& a) noexcept {
  Cholesky factors;
  return factors.factor(a) && factors.least_pivot() > 1e-8 * factors.largest_pivot();
}

/// Directions in which no friction acts, an orthonormal basis Q.
struct Unresisted {
  std::array<Vector6, 6> q{};
  std::size_t count = 0;

  explicit Unresisted(const Matrix6& gram) noexcept {
    const Eigen6 spectrum = eigen(gram);
    const double largest = *std::max_element(spectrum.values.begin(), spectrum.values.end());
    for (std::size_t k = 0; k < 6; ++k) {
      if (!(spectrum.values[k] > 1e-14 * largest)) {
        for (std::size_t a = 0; a < 6; ++a) {
          q[count][a] = spectrum.vectors[a][k];
        }
        ++count;
      }
    }
  }
  Unresisted() noexcept = default;

  /// Q a with (Qᵀ G Q) a = Qᵀ f: y of a body that follows its load freely along Q. False where G is not positive.
  bool follow(const Matrix6& g, const Vector6& load, Vector6& y) const noexcept {
    Matrix6 reduced{};
    Vector6 right{};
    for (std::size_t i = 0; i < 6; ++i) {
      reduced[i][i] = 1;
    }
    for (std::size_t i = 0; i < count; ++i) {
      const Vector6 g_q = times(g, q[i]);
      for (std::size_t j = 0; j < count; ++j) {
        reduced[i][j] = dot(q[j], g_q);
      }
      right[i] = dot(q[i], load);
    }
    Cholesky factors;
    if (count > 0 && !factors.factor(reduced)) {
      return false;
    }
    const Vector6 a = count > 0 ? factors.solve(right) : Vector6{};
    y = {};
    for (std::size_t i = 0; i < count; ++i) {
      y = combined(1, y, a[i], q[i]);
    }
    return true;
  }
  /// What is left of a wrench without its part along Q.
  [[nodiscard]] Vector6 without(Vector6 wrench) const noexcept {
    for (std::size_t i = 0; i < count; ++i) {
      wrench = combined(1, wrench, -dot(q[i], wrench), q[i]);
    }
    return wrench;
  }
  /// Makes a matrix that acts across Q regular.
  void fill_up(Matrix6& a) const noexcept {
    double trace = 0;
    for (std::size_t i = 0; i < 6; ++i) {
      trace += a[i][i];
    }
    for (std::size_t k = 0; k < count; ++k) {
      for (std::size_t i = 0; i < 6; ++i) {
        for (std::size_t j = 0; j < 6; ++j) {
          a[i][j] += trace * q[k][i] * q[k][j];
        }
      }
    }
  }
};

/// Largest s with s target = Σ ω W β. Its dual: least Σ ω |Wᵀ y| with targetᵀ y = −1. From a point with β = 0 that was
/// looked at.
void shoot(Friction& friction, const Vector6& target, double size, const Unresisted& free, Sums sums,
           const Options& options, bool exactly, Verdict& result) noexcept {
  Vector6 y = combined(-1, target, 0, target);
  double s = 0;
  double limit = 1e300;  // on s, by y
  for (int k = 0;; ++k) {
    const double along = -dot(target, y);
    if (along > 0) {
      limit = std::min(limit, sums.reach / along);
    }
    // Friction that is off what it has to balance proves nothing: s that is but rounding, where no friction will do
    const Vector6 off = combined(1, sums.wrench, -s, target);
    if (dot(off, off) <= out_of_balance * out_of_balance * s * s) {
      result.factor = std::max(result.factor, s / size);
    }
    result.factor_limit = limit / size;
    const bool decided = result.factor >= 1 || result.factor_limit < 1;
    result.proven = decided;
    if (limit - s <= options.gap * limit || (decided && !exactly) || k >= options.most_iterations || !(limit > 0)) {
      return;
    }
    ++result.iterations;
    Matrix6 a = symmetric(sums.matrix);
    free.fill_up(a);
    Cholesky factors;
    if (!factors.factor(a, true)) {
      return;
    }
    const Vector6 by_target = factors.solve(target);
    const double per = 1 / dot(target, by_target);
    // Direction to c = 0: y_there = A⁻¹ (h − s' target) with targetᵀ y_there = −1
    const Vector6 by_wrench = factors.solve(sums.wrench);
    const double s_there = (dot(target, by_wrench) + 1) * per;
    Way way;
    predict(friction, combined(1, by_wrench, -s_there, by_target), way);
    const bool cautious = k >= patience;
    const Target aim = cautious ? cautious_target(sums.centre) : next_target(way, sums.centre);
    // A dy + target ds = r + Σ ω W M⁻¹ q,   targetᵀ (y + dy) = −1
    Vector6 right = combined(1, sums.wrench, -s, target);
    prepare_correction(friction, aim.centre, aim.share, right);
    const Vector6 by_right = factors.solve(right);
    const double ds = (dot(target, by_right) + 1 + dot(target, y)) * per;
    const Vector6 dy = combined(1, by_right, -ds, by_target);
    way = {};
    correct(friction, dy, way);
    const Step step = step_along(way, cautious ? with_care : nearly);
    if (!(std::max(step.primal, step.dual) > 1e-9)) {
      return;
    }
    y = combined(1, y, step.dual, dy);
    s += step.primal * ds;
    sums = {};
    evaluate(friction, step, y, sums);
  }
}

}  // namespace

Verdict StaticFriction::verdict(const Options& options, bool exactly) noexcept {
  Memory& m = *memory_;
  m.leave_out_sliding();
  Verdict result;
  result.declaration.right = !m.declared;
  // First along the load itself, which is right where friction acts in all directions
  const double load_size = std::sqrt(dot(m.load, m.load));
  Vector6 target = combined(load_size > 0 ? -1 / load_size : 0, m.load, 0, m.load);
  double size = load_size;
  Sums sums;
  m.friction.each([](auto& group) {
    group.start_in_the_middle(1);
    group.stay();
  });
  const auto look = [&] {
    sums = {};
    evaluate(m.friction, {}, combined(-1, target, 0, target), sums);
  };
  look();
  Unresisted free;
  Vector6 y_free{};
  if (!clearly_regular(symmetric(sums.matrix))) {  // weighted by friction: then look at all contacts alike
    free = Unresisted(m.gram());
    const EnergyMetric metric = m.metric_of(options.metric);
    if (!metric.ok) {
      return result;
    }
    if (!free.follow(metric.g, m.load, y_free)) {
      return result;
    }
    // f* = −(f − G Q a): what friction has to balance once the body has moved freely along Q
    target = free.without(combined(-1, m.load, 1, times(metric.g, y_free)));
    size = std::sqrt(dot(target, target));
    target = combined(size > 0 ? 1 / size : 0, target, 0, target);
    look();
    result.motion = m.motion_of(metric, y_free);
  }
  result.rank = static_cast<int>(6 - free.count);
  if (!(size > 1e-14 * (1 + load_size))) {
    result.proven = true;
    result.factor = 1e308;
    result.factor_limit = 1e308;
  } else {
    answer(m.friction, std::max(sums.reach, 1e-300));
    look();
    shoot(m.friction, target, size, free, sums, options, exactly, result);
  }
  result.holds = result.factor >= 1;
  if (m.declared) {
    result.declaration.right = result.holds;
    for (std::size_t i = 0; i < m.contacts.size() && result.declaration.right; ++i) {
      const double least = 1e-9 * std::sqrt(dot(result.motion, result.motion));
      if (m.contacts[i].declared == Declared::slides && !(m.slip(i, result.motion) > least)) {
        result.declaration = {false, static_cast<std::ptrdiff_t>(i)};
      }
    }
  }
  return result;
}

}  // namespace stiction::spatial
