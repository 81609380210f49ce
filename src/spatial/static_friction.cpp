#include "stiction/spatial/static_friction.h"

#include "contact_problem.h"
#include "stiction/problem.h"

namespace stiction::spatial {
namespace {

/// Iteration limit of the predictor-corrector for pyramids; the safeguarded Newton method then takes over.
constexpr int max_pyramid_iterations = 60;
/// For loads below this share of all friction (Euclidean norm, scaled units), `solve` first checks whether friction
/// holds them. If it does, there is nothing to iterate.
constexpr double small_load = 1e-4;

/// Safe screening: segments that are certain to be at one end are removed. This is valid near the y at which they were
/// screened; dual bounds at any other y are rejected.
class Screening {
 public:
  /// Whether a pass over all segments is worthwhile: most problems converge before.
  [[nodiscard]] bool worthwhile(int iterations, std::size_t segments, double gap, double without) const noexcept {
    return iterations >= min_iterations && segments >= min_segments && count_ < balls_.size() &&
           gap < 0.1 * (count_ > 0 ? last_gap_ : without);
  }
  /// Records y, and returns the radius (norm of G) of the ball about it that contains the solution.
  double add(const Vector6& y, double gap) noexcept {
    constexpr double slack = 1.25;  // margin for the y that certifies the solution
    last_gap_ = gap;
    balls_[count_] = {y, slack * std::sqrt(2 * gap)};
    return balls_[count_++].radius;
  }
  [[nodiscard]] bool holds_for(const Matrix6& g, const Vector6& y) const noexcept {
    return std::all_of(balls_.begin(), balls_.begin() + static_cast<std::ptrdiff_t>(count_), [&](const Ball& ball) {
      const Vector6 offset = combined(1, y, -1, ball.y);
      return dot(offset, times(g, offset)) < ball.radius * ball.radius;
    });
  }
  void forget() noexcept { count_ = 0; }

 private:
  static constexpr int min_iterations = 10;
  static constexpr std::size_t min_segments = 256;
  struct Ball {
    Vector6 y{};
    double radius = 0;
  };
  std::array<Ball, 8> balls_;
  std::size_t count_ = 0;
  double last_gap_ = 0;
};

Matrix6 inverse_of(const Cholesky& factors) noexcept {
  Matrix6 result{};
  for (std::size_t i = 0; i < 6; ++i) {
    Vector6 unit{};
    unit[i] = 1;
    result[i] = factors.solve(unit);
  }
  return result;
}

/// Primal-dual interior-point method.
///   primal  min ½ gᵀ G⁻¹ g with g = f + Σ ω W β, |β| ≤ 1
///   dual    max yᵀf − ½ yᵀG y − Σ ω |Wᵀ y|
class Search {
 public:
  Search(Friction& friction, const Vector6& load, const EnergyMetric& metric, const Options& options) noexcept
      : friction_(friction),
        load_(load),
        f_(load),
        metric_(metric),
        options_(options),
        y_primal_(metric.factors.solve(load)),
        without_(0.5 * dot(load, y_primal_)),
        allowed_gap_(options.gap * without_),
        objective_(without_) {}

  [[nodiscard]] const Vector6& y() const noexcept { return y_; }
  [[nodiscard]] const Vector6& bound_y() const noexcept { return bound_y_; }
  [[nodiscard]] const Vector6& y_primal() const noexcept { return y_primal_; }
  [[nodiscard]] double objective() const noexcept { return objective_; }
  [[nodiscard]] double gap() const noexcept {
    const double difference = objective_ - bound_;
    return difference >= 0 ? difference : difference < 0 ? 0 : infinity;
  }
  [[nodiscard]] double without_friction() const noexcept { return without_; }
  [[nodiscard]] int iterations() const noexcept { return iterations_; }

  /// No load to balance, or no friction to balance it.
  void use_frictionless() noexcept {
    friction_.each([](auto& group) {
      group.start_centred(1);
      group.clear_direction();
    });
    y_ = y_primal_;
    bound_y_ = y_primal_;
    bound_ = objective_;
  }

  /// Warm start from the last frame's y and β (set before), with β scaled by 0.98 into the interior.
  bool start_warm(const Vector6& y) noexcept {
    y_ = y;
    friction_.each([](auto& group) {
      group.start_inside(0.98, 1);
      group.clear_direction();
    });
    sums_ = {};
    sweeps().evaluate_bounds(friction_, y_, sums_);
    update_bounds();
    sweeps().start_near(friction_, 0.01 * std::max(objective_ - bound_, 0.01 * allowed_gap_));
    evaluate_at_y({});
    return run(std::min(options_.max_iterations, 25), false);
  }

  /// Resets the screening, after the removed segments have been put back.
  void reset_screening() noexcept {
    f_ = load_;
    screening_.forget();
  }

  bool start_centred(bool safeguard) noexcept {
    y_ = {};
    friction_.each([&](auto& group) {
      group.start_centred(without_);
      group.clear_direction();
    });
    evaluate_at_y({});
    const int max_iterations = friction_.segments.empty() ? options_.max_iterations : max_pyramid_iterations;
    return run(std::min(max_iterations, options_.max_iterations), safeguard);
  }

  /// Newton's method with a line search on the smoothed dual. This has six unknowns and is smooth (c > 0) and strictly
  /// concave: the method cannot fail, it is only slower. Every contact follows y on its central path.
  ///   max yᵀf − ½ yᵀG y − Σ ω ψ_c(Wᵀ y),   ψ_c' = −β
  bool safeguarded() noexcept {
    y_ = bound_y_;
    const double min_c = 0.1 * allowed_gap_;  // the gap is at most c Σ ω, and Σ ω is between 1 and 2
    double c = std::clamp(gap(), min_c, without_);
    centre(c);
    for (int k = 0; k < options_.max_iterations; ++k) {
      if (objective_ - bound_ <= allowed_gap_) {
        return true;
      }
      ++iterations_;
      const Vector6 ascent = gradient();
      Cholesky factors;
      if (!factors.factor(hessian(), true)) {
        return false;
      }
      const Vector6 dy = factors.solve(ascent);
      const double slope = dot(ascent, dy);
      if (!(slope > 0.05 * c) && c > min_c) {  // near the maximum for this c
        c = std::max(0.1 * c, min_c);
        centre(c);
        continue;
      }
      // The slope decreases along dy: backtrack until it is no longer clearly negative
      const Vector6 start = y_;
      double step = 1;
      constexpr int max_halvings = 30;
      for (int trial = 0; trial < max_halvings; ++trial) {
        y_ = combined(1, start, step, dy);
        centre(c);
        const double slope_there = dot(gradient(), dy);
        if (slope_there > -0.5 * slope) {
          break;
        }
        step *= std::clamp(slope / (slope - slope_there), 0.1, 0.5);
      }
    }
    return objective_ - bound_ <= allowed_gap_;
  }

  /// Friction that holds the load is the solution: the body follows y, along which no friction acts.
  bool accept_held(const Vector6& y) noexcept {
    y_ = bound_y_ = y_primal_ = y;
    objective_ = bound_ = 0.5 * dot(y, times(metric_.g, y));
    return true;
  }

  /// Falls back to the frictionless solution if the objective found is worse, or NaN.
  void reject_if_worse_than_frictionless() noexcept {
    if (!(objective_ <= without_)) {
      objective_ = without_;
      y_primal_ = metric_.factors.solve(load_);
      use_frictionless();
      bound_y_ = {};  // certifies the bound 0: no energy is negative
      bound_ = 0;
    }
  }

 private:
  void evaluate_at_y(const Step& step) noexcept {
    sums_ = {};
    sweeps().evaluate(friction_, step, y_, sums_);
    update_bounds();
  }
  /// The primal objective and the dual bound, from the sums.
  void update_bounds() noexcept {
    g_ = combined(1, f_, 1, sums_.wrench);
    y_primal_ = metric_.factors.solve(g_);
    objective_ = 0.5 * dot(g_, y_primal_);
    current_bound_ = dot(y_, f_) - 0.5 * dot(y_, times(metric_.g, y_)) - sums_.support;
    if (current_bound_ > bound_ && screening_.holds_for(metric_.g, y_)) {
      bound_ = current_bound_;
      bound_y_ = y_;
    }
  }
  /// The dual is strongly concave with curvature G: its maximiser is within √(2 gap) of y, in the norm of G. Nearly all
  /// of the many segments of pyramids are soon certain to be at one end.
  void screen() noexcept {
    const double gap = objective_ - current_bound_;
    if (!screening_.worthwhile(iterations_, friction_.segments.size(), gap, without_)) {
      return;
    }
    const double radius = screening_.add(y_, gap);
    f_ = combined(1, f_, 1, sweeps().remove_known(friction_, inverse_of(metric_.factors), radius));
    friction_.segments.clear_direction();
    evaluate_at_y({});
  }
  void centre(double c) noexcept {
    sweeps().centre_on(friction_, c, y_);
    evaluate_at_y({});
  }
  /// Gradient of the smoothed dual: g − G y.
  [[nodiscard]] Vector6 gradient() const noexcept { return combined(1, g_, -1, times(metric_.g, y_)); }
  /// Negative Hessian of the smoothed dual: G + Σ ω W M⁻¹ Wᵀ.
  [[nodiscard]] Matrix6 hessian() const noexcept {
    Matrix6 a = symmetric(sums_.matrix);
    for (std::size_t i = 0; i < 6; ++i) {
      for (std::size_t j = 0; j < 6; ++j) {
        a[i][j] += metric_.g[i][j];
      }
    }
    return a;
  }

  /// Predictor-corrector iterations, from a point that has been evaluated.
  bool run(int max_iterations, bool always_safeguarded) noexcept {
    bool reached = false;
    for (int k = 0, end = max_iterations;; ++k) {
      const bool safeguard =
          always_safeguarded || (k >= iterations_before_safeguard && !reached && !friction_.segments.empty());
      if (!reached && objective_ - bound_ <= allowed_gap_) {
        reached = true;
        end = k + options_.polish;
      }
      if (k >= end) {
        return reached;
      }
      screen();
      ++iterations_;
      Cholesky factors;
      if (!factors.factor(hessian(), !reached)) {
        return reached;
      }
      StepLimits limits;
      sweeps().predict(friction_, factors.solve(g_), limits);
      const Target target = !safeguard                   ? next_target(limits, sums_.centre)
                            : friction_.segments.empty() ? safeguarded_target(sums_.centre)
                                                         : Target{0.1 * sums_.centre, 1};
      // (G + Σ ω W M⁻¹ Wᵀ) dy = g − G y + Σ ω W M⁻¹ q
      Vector6 rhs = gradient();
      sweeps().prepare_correction(friction_, target.centre, target.share, rhs);
      const Vector6 dy = factors.solve(rhs);
      limits = {};
      sweeps().correct(friction_, dy, limits);
      Step step = step_along(limits, safeguard ? safe_fraction_to_boundary : fraction_to_boundary);
      const double shorter = std::min(step.primal, step.dual);
      if (reached && shorter < 0.5) {
        return true;  // limited by rounding
      }
      if (shorter < short_step && !safeguard) {
        y_ = combined(1, y_, 1, dy);
        sweeps().newton_step_per_contact(friction_, std::max(target.centre, 0.05 * sums_.centre), y_);
        step = {};
      } else {
        y_ = combined(1, y_, step.dual, dy);
      }
      evaluate_at_y(step);
    }
  }

  Friction& friction_;
  const Vector6& load_;
  Vector6 f_;  // the load plus the friction of screened segments
  const EnergyMetric& metric_;
  const Options& options_;
  Vector6 y_{}, y_primal_{}, g_{};
  Vector6 bound_y_{};  // certifies the bound
  Sums sums_;
  double without_, allowed_gap_, objective_;
  double bound_ = 0;          // best dual value so far
  double current_bound_ = 0;  // dual value at the current y
  Screening screening_;
  int iterations_ = 0;
};

}  // namespace

std::optional<stiction::Problem> StaticFriction::check(const Params& params) noexcept {
  if (params.sides != 0 && (params.sides < 4 || params.sides % 2 != 0)) {
    return Problem{"sides", static_cast<double>(params.sides), "even and at least 4, or 0 for exact cones"};
  }
  return std::nullopt;
}
StaticFriction::StaticFriction(std::size_t capacity, int sides) {
  const Params params = checked<StaticFriction>({capacity, sides});
  memory_ = std::make_unique<Memory>(params.capacity, params.sides);
}
StaticFriction::Params StaticFriction::params() const noexcept { return {memory_->capacity, memory_->sides}; }
StaticFriction::~StaticFriction() = default;
StaticFriction::StaticFriction(StaticFriction&&) noexcept = default;
StaticFriction& StaticFriction::operator=(StaticFriction&&) noexcept = default;
std::span<const ContactResult> StaticFriction::contacts() const noexcept { return memory_->results; }
void StaticFriction::forget() noexcept { memory_->forget(); }
bool StaticFriction::set(std::span<const Contact> contacts, const Load& load) noexcept {
  return memory_->set(contacts, load);
}

Solution StaticFriction::solve(const Options& options) noexcept {
  Memory& m = *memory_;
  m.use_static_friction();
  m.has_certificate = false;
  Solution result;
  const EnergyMetric metric = m.metric_of(options.metric);
  if (!metric.ok) {
    m.results.assign(m.keys.size(), {});
    result.status = SolutionStatus::not_definite;
    result.gap = infinity;
    result.declaration.right = !m.declared;
    return result;
  }
  const bool y_is_motion = options.metric == Metric::stiffness;
  // Lower friction at sliding contacts may make others slide.
  constexpr int max_rounds = 8;
  for (int round = 0;; ++round) {
    Search search(m.friction, m.load, metric, options);
    bool done = search.without_friction() <= 0 || m.frictionless;
    if (done) {
      search.use_frictionless();
    }
    const auto friction_holds = [&] {
      const Memory::Filled filled = m.filled;
      Vector6 y{};
      const Verdict verdict = m.examine(options, false, Memory::Counted::with_friction, y);
      if (verdict.holds()) {
        m.friction.each([&](auto& group) { group.scale(1 / verdict.factor); });
        return search.accept_held(y);
      }
      m.refill(filled);
      return false;
    };
    const bool small = dot(m.load, m.load) < small_load * small_load;
    done = done || (small && friction_holds());
    if (!done && options.warm && m.has_last && m.last_metric == options.metric) {
      m.recall();
      Vector6 y{};
      for (std::size_t i = 0; i < 6; ++i) {
        y[i] = m.last_motion[i] * metric.scale / m.force * (y_is_motion && i >= 3 ? m.length : 1);
      }
      done = search.start_warm(y);
    }
    if (!done && m.friction.segments.restore_removed()) {
      m.refill(std::exchange(m.filled, Memory::Filled::nothing));
      search.reset_screening();
    }
    done = done || search.start_centred(false) || (m.friction.segments.empty() && search.start_centred(true)) ||
           search.safeguarded();
    if (m.friction.segments.restore_removed()) {
      m.filled = Memory::Filled::nothing;
    }
    search.reject_if_worse_than_frictionless();
    const double energy_unit = m.force * m.force / metric.scale;
    result.status = done ? SolutionStatus::converged : SolutionStatus::max_iterations;
    result.iterations += search.iterations();
    result.objective = search.objective() * energy_unit;
    result.gap = search.gap() * energy_unit;
    result.motion = m.motion_of(metric, search.y_primal());
    result.multiplier = m.multiplier_of(metric, search.bound_y());
    if (!(absolute_sum(result.motion) + absolute_sum(result.multiplier) + result.objective + result.gap <
          largest_number)) {
      m.forget();  // load so large, or springs so soft, that the motion is out of range or not finite
      m.results.assign(m.keys.size(), {});
      return Solution{.status = SolutionStatus::not_finite, .gap = infinity, .declaration = {.right = !m.declared}};
    }
    m.report(metric, search.y_primal(), search.objective() > search.gap(), options.polish > 0);
    m.remember();
    m.has_last = true;
    m.last_metric = options.metric;
    for (std::size_t i = 0; i < 6; ++i) {
      m.last_motion[i] = search.y()[i] * m.force / metric.scale / (y_is_motion && i >= 3 ? m.length : 1);
    }
    if (!(absolute_sum(m.last_motion) < largest_number)) {
      m.forget();
    }
    if (!m.update_sliding()) {
      break;
    }
    if (round == max_rounds) {
      result.status = SolutionStatus::still_sliding;
      break;
    }
  }
  for (std::size_t i = 0; i < m.contacts.size() && m.declared && result.declaration.right; ++i) {
    const Declared declared = m.contacts[i].declared;
    const bool slides = m.results[i].state == ContactState::slides;
    if (declared != Declared::nothing && (declared == Declared::slides) != slides) {
      result.declaration = {false, i};
    }
  }
  return result;
}

}  // namespace stiction::spatial
