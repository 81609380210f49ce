#include "stiction/sim/advice.h"

#include <array>
#include <cstdarg>
#include <cstdio>

#include "step_matrix.h"
#include "stiction/scalar/elasto_plastic.h"
#include "stiction/scalar/lugre.h"
#include "stiction/sim/measure.h"

namespace stiction::sim {
namespace {

using detail::Point;
using scalar::ModelView;

constexpr std::array schemes{Method::backward_euler, Method::sdirk2, Method::semi_implicit_euler,
                             Method::explicit_euler, Method::runge_kutta_4};

bool is_implicit(Method method) { return method == Method::backward_euler || method == Method::sdirk2; }

/// printf into a string.
[[gnu::format(printf, 1, 2)]] std::string text(const char* format, ...) {
  std::array<char, 256> line{};
  // NOLINTBEGIN(cppcoreguidelines-pro-bounds-array-to-pointer-decay): a va_list is an array on some platforms
  std::va_list values;
  va_start(values, format);
  std::vsnprintf(line.data(), line.size(), format, values);
  va_end(values);
  // NOLINTEND(cppcoreguidelines-pro-bounds-array-to-pointer-decay)
  return line.data();
}

/// The largest number of two digits that is not above x.
double two_digits_down(double x) {
  const double unit = std::pow(10.0, std::floor(std::log10(x)) - 1);
  return std::floor(x / unit) * unit;
}

/// A state at which the step is linearised, and the true growth rate of deviations there.
struct OperatingPoint {
  Point<ModelView> point;
  double fastest = 0;    // the largest eigenvalue [1/s]
  double true_rate = 0;  // of a deviation that grows [1/s], else 0
};

/// The motion of a body that was pushed or released.
struct Motion {
  double largest_speed = 0;
  double late_speed = 0;  // root mean square over the second half
  bool finite = true;
};

/// Answers all questions about one model on one body.
class Analysis {
 public:
  Analysis(const ModelView& model, const AdviceQuestion& question) : model_(model) {
    advice_.model = model.name();
    advice_.mass = question.mass;
    advice_.step = question.step;
    advice_.speed = question.speed.value_or(sliding_speed(model));
  }

  Advice answer() {
    measure();
    judge_uniqueness();
    judge_passivity();
    const Motion push = pushed(Method::sdirk2, reference_substeps());
    const Motion stop = stopping(Method::sdirk2, reference_substeps());
    const LineState<ModelView> loaded{0, 0, 0, model_.at_rest(advice_.load)};
    advice_.creeps = creeps(drift(Method::sdirk2, reference_substeps(), advice_.load, loaded));
    advice_.drift = drift(Method::sdirk2, reference_substeps(), smooth_load(), rest_.point.y);
    for (const Method method : schemes) {
      advice_.schemes.push_back(judge(method, push, stop));
    }
    recommend();
    return std::move(advice_);
  }

 private:
  void measure() {
    advice_.stiffness = stiffness_at_rest(model_);
    advice_.damping = damping_at_rest(model_);
    const auto sliding = settled(model_, advice_.speed);
    advice_.sliding_force = model_.force(sliding, advice_.speed);
    advice_.breakaway = breakaway_force(model_);
    advice_.load = 0.5 * (advice_.breakaway > 0 ? advice_.breakaway : advice_.sliding_force);
    rest_ = operating_point({0, 0, 0, model_.at_rest(0)}, 0);
    sliding_ = operating_point({0, advice_.speed, 0, sliding}, advice_.sliding_force);
  }

  OperatingPoint operating_point(const LineState<ModelView>& y, double load) const {
    const Point<ModelView> point{y, load};
    const double fastest = detail::fastest_rate(model_, advice_.mass, point, 1e-3 * advice_.step);
    return {point, fastest, fastest > 0 ? detail::true_growth_rate(model_, advice_.mass, point, fastest) : 0};
  }

  // Stability by linearisation.

  /// No deviation grows, or none much faster than the true solution's. If the step is too long to follow true growth,
  /// there is nothing to judge.
  bool is_stable(Method method, const OperatingPoint& at, double h) const {
    if (at.true_rate * h > 0.1) {
      return true;
    }
    const double radius = detail::spectral_radius(detail::step_matrix(method, model_, advice_.mass, at.point, h));
    const double rounding = 1e-8 + 1e-6 * std::min(1.0, h * at.fastest);
    return radius <= std::exp(2 * at.true_rate * h) + rounding;
  }

  /// The first step, from small to large, at which the scheme is no longer stable; infinite where there is none, 0
  /// where there is no stable step.
  double largest_stable_step(Method method, const OperatingPoint& at) const {
    if (!(at.fastest > 0)) {
      return infinity;
    }
    const double first = 1e-4 / at.fastest;
    const double last = std::max(10 / at.fastest, (is_implicit(method) ? 100 : 1000) * advice_.step);
    double low = first;
    double high = first;
    for (; high < last && is_stable(method, at, high); high *= 1.122) {  // twenty in a decade
      low = high;
    }
    if (!(high < last)) {
      return infinity;
    }
    for (int i = 0; i < 20 && high > low; ++i) {
      const double middle = std::sqrt(low * high);
      (is_stable(method, at, middle) ? low : high) = middle;
    }
    // An undamped oscillation grows under explicit Euler at any step; at the smallest by less than can be detected.
    return low < 3 * first ? 0 : low;
  }

  // Stability in motion.

  /// The time in which a body comes to rest on its friction [s].
  double settling_time() const {
    const auto [k, d, m] = std::array{advice_.stiffness, advice_.damping, advice_.mass};
    const double stop = m * advice_.speed / advice_.sliding_force;
    if (!std::isfinite(d)) {
      return stop;
    }
    const double swing = k > 0 ? 20 * std::sqrt(m / k) : 0;
    const double creep = k > 0 ? 10 * d / k : 0;
    const double decay = d > 0 ? 20 * m / d : 0;
    return std::max({swing, creep, decay, stop});
  }
  int steps_for(double time, int min_steps, int max_steps) const {
    return static_cast<int>(std::clamp(std::ceil(time / advice_.step), double(min_steps), double(max_steps)));
  }

  /// Substeps of the reference solution, which resolve the oscillation at rest.
  int reference_substeps() const {
    const double swing = advice_.stiffness > 0 ? std::sqrt(advice_.mass / advice_.stiffness) : infinity;
    const double max_substeps = std::clamp(1e5 / creep_steps(), 2.0, 64.0);
    return static_cast<int>(std::clamp(std::ceil(5 * advice_.step / swing), 2.0, max_substeps));
  }

  Motion run(Method method, const Load& load, LineState<ModelView> y, int steps, int substeps) const {
    const double h = advice_.step / substeps;
    const int count = steps * substeps;
    const int early = count / 2;
    Motion motion;
    double sum = 0;
    for (int i = 0; i < count && motion.finite; ++i) {
      y = fixed_step(method, model_, advice_.mass, load, i * h, y, h).state;
      motion.finite = std::isfinite(y.velocity);
      motion.largest_speed = std::max(motion.largest_speed, std::abs(y.velocity));
      sum += i < early ? 0 : y.velocity * y.velocity;
    }
    motion.late_speed = std::sqrt(sum / (count - early));
    return motion;
  }

  /// From rest, by a step of half the break-away force.
  Motion pushed(Method method, int substeps) const {
    return run(method, {.force = advice_.load}, rest_.point.y, steps_for(2 * settling_time(), 1000, 5000), substeps);
  }
  /// From sliding, until it has stopped.
  Motion stopping(Method method, int substeps) const {
    return run(method, {}, sliding_.point.y, steps_for(4 * settling_time(), 1000, 5000), substeps);
  }

  /// Neither faster nor with more motion in the second half than the reference, beyond rounding.
  bool follows(const Motion& found, const Motion& reference) const {
    const double rounding = 1e-9 * advice_.load / advice_.mass * advice_.step;
    return found.finite && found.largest_speed <= 10 * reference.largest_speed + rounding &&
           found.late_speed <= 10 * reference.late_speed + 1e-3 * reference.largest_speed + rounding;
  }

  // Creep.

  int creep_steps() const { return steps_for(2 * settling_time(), 1000, 20000); }
  Signal smooth_load() const { return Ramp{0, advice_.load, 0, advice_.step * creep_steps(), true}; }

  /// The speed after 2 × creep_steps, from the mean positions in the first and the last tenth of another creep_steps.
  /// NaN if the solution is not finite.
  double drift(Method method, int substeps, const Signal& force, LineState<ModelView> y) const {
    const double h = advice_.step / substeps;
    const int watched = creep_steps() * substeps;
    const int settling = 2 * watched;
    const int part = watched / 10;
    const Load load{.force = force};
    double early = 0;
    double late = 0;
    for (int i = 0; i < settling + watched; ++i) {
      y = fixed_step(method, model_, advice_.mass, load, i * h, y, h).state;
      const int watched_step = i - settling;
      early += watched_step >= 0 && watched_step < part ? y.position / part : 0;
      late += watched_step >= watched - part ? y.position / part : 0;
    }
    return std::abs(late - early) / (h * (watched - part));
  }

  /// Whether a drift is creep: over the time watched, more than 1e-4 of the elastic displacement; without elasticity,
  /// more than rounding.
  bool creeps(double drift) const {
    const double time = advice_.step * creep_steps();
    const double negligible = advice_.stiffness > 0 ? 1e-4 * advice_.load / advice_.stiffness
                                                    : 1e-9 * advice_.load / advice_.mass * advice_.step * time;
    return !(drift * time <= negligible);
  }

  // The coupled step.

  bool has_one_solution(double h) const {
    return model_.table()->order == 0 ? rises(h) : model_.one_root(1 / advice_.mass, h);
  }

  /// For friction that depends on the velocity alone: w + h F(w)/m increases with w, starting at the force held at
  /// rest.
  bool rises(double h) const {
    const double gain = h / advice_.mass;
    for (const double direction : {-1.0, 1.0}) {
      const auto state = model_.advance(model_.initial(), direction, 0);
      const auto friction = [&](double w) { return direction * model_.force(state, direction * w); };
      double w = 1e-9 * model_.velocity_scale();
      if (scalar::sticks(model_) && breakaway_force(model_, direction) > friction(w) * (1 + 1e-6)) {
        return false;  // sticking and sliding are both solutions
      }
      for (double before = 0; w < 1e6 * model_.velocity_scale(); w *= 1.05) {
        const double now = w + gain * friction(w);
        if (now < before) {
          return false;
        }
        before = now;
      }
    }
    return true;
  }

  void judge_uniqueness() {
    advice_.one_solution = has_one_solution(advice_.step);
    double low = 0;
    double high = infinity;
    for (double h = 1e-6 * advice_.step; h < 2e6 * advice_.step && std::isinf(high); h *= 10) {
      (has_one_solution(h) ? low : high) = h;
    }
    for (int i = 0; i < 30 && low > 0 && std::isfinite(high); ++i) {
      const double middle = std::sqrt(low * high);
      (has_one_solution(middle) ? low : high) = middle;
    }
    advice_.largest_one_solution_step = std::isinf(high) ? high : low;
  }

  // Passivity.

  void judge_passivity() {
    const CycleWork worst = worst_cycle(model_);
    advice_.worst_work = worst.share();
    advice_.worst_cycle_speed = worst.speed;
    advice_.passive = !worst.generates_energy();
    advice_.passive_reason =
        advice_.passive
            ? text("none of the closed cycles tried generated energy; the smallest loss was %.2g of the work",
                   std::max(0.0, worst.share()))
            : text("a closed cycle at up to %.3g m/s generates %.2g of the work", worst.speed, -worst.share());
    const auto* lugre = model_.as<scalar::LuGre>();
    const auto* elasto_plastic = model_.as<scalar::ElastoPlastic>();
    if ((lugre != nullptr && margin_holds(*lugre)) || (elasto_plastic != nullptr && margin_holds(*elasto_plastic))) {
      advice_.passive = true;
      advice_.passive_reason = "sigma1(v) |v| < 4 g(v) at every speed (Olsson et al. 1998, eq. 30)";
    }
    if (lugre != nullptr && lugre->damping.constant()) {  // here the condition is necessary and sufficient
      const double given = lugre->viscous.coefficient;
      const double min_viscous = lugre->min_dissipative_viscous();
      advice_.passive = given >= min_viscous;
      advice_.passive_reason = text("F_v = %.3g %s sigma1 (F_S - F_C)/F_C = %.3g N s/m (Barabanov and Ortega 2000)",
                                    given, advice_.passive ? ">=" : "<", min_viscous);
    }
  }

  template <class M>
  static bool margin_holds(const M& model) {
    for (double v = 1e-6 * model.velocity_scale(); v < 1e12 * model.velocity_scale(); v *= 1.02) {
      if (!(model.dissipativity_margin(v) > 0)) {
        return false;
      }
    }
    return true;
  }

  // Verdicts.

  SchemeAdvice judge(Method method, const Motion& true_push, const Motion& true_stop) const {
    SchemeAdvice result;
    result.method = method;
    const bool jumps = std::isinf(advice_.damping);
    result.largest_step_at_rest = jumps && !is_implicit(method) ? 0 : largest_stable_step(method, rest_);
    result.largest_step_sliding = largest_stable_step(method, sliding_);
    const double limit = result.largest_step();
    const bool linear = limit > advice_.step;
    const bool push_follows = follows(pushed(method, 1), true_push);
    const bool stop_follows = follows(stopping(method, 1), true_stop);
    result.stable = linear && push_follows && stop_follows;
    result.drift = drift(method, 1, smooth_load(), rest_.point.y);
    result.creeps = advice_.creeps || creeps(result.drift - 1.5 * advice_.drift);

    if (jumps && !is_implicit(method)) {
      result.reason = scalar::sticks(model_) ? "friction at rest follows the load, which an explicit step does not see"
                                             : "friction rises without bound at v = 0: it chatters there at any step";
    } else if (limit == 0) {
      result.reason = "it grows at any step: there is too little damping";
    } else if (!linear) {
      result.reason = result.largest_step_at_rest <= result.largest_step_sliding
                          ? text("at rest it needs dt < %.3g s", limit)
                          : text("sliding at %.3g m/s it needs dt < %.3g s", advice_.speed, limit);
    } else if (!push_follows) {
      result.reason = "a body under half the break-away force chatters or drifts away";
    } else if (!stop_follows) {
      result.reason = "a body that should slide to a stop chatters or keeps moving";
    } else if (result.creeps && !advice_.creeps) {
      result.reason = text("stable, but the scheme creeps at %.2g m/s where the model holds", result.drift);
    } else if (is_implicit(method)) {
      result.reason = method == Method::sdirk2 ? "body and friction are solved together, second order"
                                               : "body and friction are solved together; first order, damps ringing";
    } else {
      result.reason = std::isinf(limit) ? "stable at any step" : text("stable up to dt = %.3g s", limit);
    }
    return result;
  }

  /// The second-order scheme if it performs well, else the most robust one.
  void recommend() {
    const auto good = [&](Method method) {
      const auto found = std::find_if(advice_.schemes.begin(), advice_.schemes.end(),
                                      [&](const SchemeAdvice& scheme) { return scheme.method == method; });
      return found->stable && (!found->creeps || advice_.creeps);
    };
    const bool second_order = good(Method::sdirk2);
    advice_.recommended = second_order ? Method::sdirk2 : Method::backward_euler;
    advice_.recommended_step = advice_.step;
    advice_.reason = second_order ? "stable, of second order" : "the most robust scheme; sdirk2 performs worse here";
    if (advice_.creeps) {
      advice_.reason += "; the model itself creeps: use one with stiction if a load must be held";
    } else if (creeps(advice_.drift)) {
      const double ratio = advice_.damping / (2 * std::sqrt(advice_.stiffness * advice_.mass));
      advice_.reason += text("; it rings long, with a damping ratio of %.2g, and ratchets while it does", ratio);
    } else if (good(advice_.recommended)) {
      advice_.reason += ", and holds the load";
    }
    if (!advice_.one_solution && advice_.largest_one_solution_step > 0) {
      advice_.recommended_step = two_digits_down(advice_.largest_one_solution_step);
      advice_.reason +=
          text("; up to dt = %.3g s the coupled step has one solution", advice_.largest_one_solution_step);
    }
  }

  ModelView model_;
  Advice advice_;
  OperatingPoint rest_;
  OperatingPoint sliding_;
};

}  // namespace

std::optional<Problem> AdviceQuestion::check(const AdviceQuestion& question) noexcept {
  if (!positive.holds(question.mass)) {
    return Problem{"mass", question.mass, positive.text};
  }
  if (!positive.holds(question.step)) {
    return Problem{"dt", question.step, positive.text};
  }
  if (question.speed && !positive.holds(*question.speed)) {
    return Problem{"speed", *question.speed, positive.text};
  }
  return std::nullopt;
}

Advice advise(const scalar::AnyModel& model, const AdviceQuestion& question) {
  if (const auto problem = AdviceQuestion::check(question)) {
    throw InvalidParameter(*problem);
  }
  return Analysis(model, question).answer();
}

}  // namespace stiction::sim
