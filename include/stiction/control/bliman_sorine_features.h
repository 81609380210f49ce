// Identifies Bliman and Sorine's second-order model from four features of a friction loop, and reports when it cannot.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>

#include "stiction/math.h"
#include "stiction/roots.h"
#include "stiction/scalar/bliman_sorine.h"

namespace stiction::control {

/// Friction over the distance s since a reversal: it first rises to a peak and then settles.
struct LoopFeatures {
  double kinetic_force = 0;      // F_k, in steady sliding [N]
  double peak_force = 0;         // F_p, the maximum [N]
  double peak_distance = 0;      // s_p, at the peak [m]
  double settling_distance = 0;  // s_e, after which F stays within settled_share·(F_p − F_k) of F_k [m]
  double settled_share = 0.05;   // [-], in (0, 1)
  double late_rise = 0;          // rise of F above F_k as the motion slows down before a reversal [N]; path models: 0
};

enum class LoopVerdict {
  identified,
  no_loop,           // fewer than two reversals, or a value that is not finite
  no_overshoot,      // F_p is not above F_k: a first-order model is enough
  not_settled,       // the motion reversed before friction had settled
  drops_too_fast,    // s_e/s_p is below the minimum over all parameters
  depends_on_speed,  // friction rises again before the motion reverses
  halves_disagree,   // the loop is not a function of the path alone
  out_of_range,      // features that are not positive, or s_e < s_p
};

constexpr const char* reason_of(LoopVerdict verdict) noexcept {
  switch (verdict) {
    case LoopVerdict::identified:
      return "identified";
    case LoopVerdict::no_loop:
      return "no loop: at least two reversals and finite numbers are needed";
    case LoopVerdict::no_overshoot:
      return "no overshoot: friction has no peak above its level in sliding; use the first-order model";
    case LoopVerdict::not_settled:
      return "not settled: the motion reversed before friction had settled; use a longer stroke";
    case LoopVerdict::drops_too_fast:
      return "friction drops too fast after break-away: no parameters of the model give this ratio of settling to peak "
             "distance";
    case LoopVerdict::depends_on_speed:
      return "friction rises as the motion slows down before a reversal: it depends on the speed, and the model does "
             "not";
    case LoopVerdict::halves_disagree:
      return "the half loops disagree: friction is not a function of the path alone, or the data are too noisy";
    case LoopVerdict::out_of_range:
      return "out of range: forces and distances must be positive, and friction settles after its peak";
  }
  return "";
}

namespace detail {

/// The fraction of the overshoot that remains at L (s/s_p − 1) = a, for η in (0, 1]:
///   (e^(−η a) − η e^(−a))/(1 − η);   η = 1: (1 + a) e^(−a)
inline double remaining_overshoot(double eta, double a) noexcept {
  if (eta < 0.5) {
    return (std::exp(-eta * a) - eta * std::exp(-a)) / (1 - eta);
  }
  const double one_minus_eta = 1 - eta;  // the same without cancellation
  return std::exp(-a) * (1 + (one_minus_eta > 0 ? std::expm1(one_minus_eta * a) / one_minus_eta : a));
}

/// The a at which a given share of the overshoot remains.
inline double settling_exponent(double eta, double share) noexcept {
  const auto excess = [&](double a) { return remaining_overshoot(eta, a) - share; };
  double high = 1;
  for (int doubling = 0; doubling < 60 && excess(high) > 0; ++doubling) {
    high *= 2;
  }
  return root_in(Bracket<double>{0, 1 - share, high, excess(high)}, 0.0, excess);
}

/// The overshoot over F_k as a function of ψ = (1 − η) f₂/F_k:
///   2 ψ e^(−η L),   L = ln(f₁/(η f₂))/(1 − η) = s_p/(η ε)
inline double peak_exponent(double eta, double psi) noexcept {
  const double one_minus_eta = 1 - eta;
  // ln((1 + φ)/(η φ)) with φ = ψ/(1 − η)
  return one_minus_eta < 1e-6 ? 1 + 1 / psi : (std::log1p(one_minus_eta / psi) - std::log(eta)) / one_minus_eta;
}
inline double overshoot_of(double eta, double psi) noexcept {
  return 2 * psi * std::exp(-eta * peak_exponent(eta, psi));
}

/// The ψ for a given overshoot, which increases with ψ from 0 without bound.
inline double psi_for(double eta, double overshoot) noexcept {
  const auto excess = [&](double log_psi) { return overshoot_of(eta, std::exp(log_psi)) - overshoot; };
  double low = -1;
  double high = 1;
  for (int doubling = 0; doubling < 9 && excess(low) > 0; ++doubling) {
    low *= 2;
  }
  for (int doubling = 0; doubling < 9 && excess(high) < 0; ++doubling) {
    high *= 2;
  }
  return std::exp(root_in(Bracket<double>{low, excess(low), high, excess(high)}, 0.0, excess));
}

}  // namespace detail

/// s_e/s_p of the model with this η and relative overshoot (F_p − F_k)/F_k:  1 + A(η)/L(η).
inline double settling_ratio(double eta, double overshoot, double share = 0.05) noexcept {
  return 1 + detail::settling_exponent(eta, share) / detail::peak_exponent(eta, detail::psi_for(eta, overshoot));
}

/// The minimum of s_e/s_p over all parameters, for a given relative overshoot: the limit η → 1.
inline double min_settling_ratio(double overshoot, double share = 0.05) noexcept {
  return settling_ratio(1, overshoot, share);
}

/// The features of a model after a reversal from steady sliding: closed forms for peak and overshoot.
///   s_p = η ε/(1 − η) ln(f₁/(η f₂))
inline LoopFeatures features_of(const scalar::BlimanSorine2::Params& p, double share = 0.05) noexcept {
  const double kinetic = p.force_1 - p.force_2;
  const double psi = (1 - p.ratio) * p.force_2 / kinetic;
  const double exponent = detail::peak_exponent(p.ratio, psi);
  const double peak = p.ratio * p.distance * exponent;
  return {kinetic, kinetic * (1 + detail::overshoot_of(p.ratio, psi)), peak,
          peak * (1 + detail::settling_exponent(p.ratio, share) / exponent), share};
}

struct FeatureFit {
  LoopVerdict verdict = LoopVerdict::no_loop;
  scalar::BlimanSorine2::Params params{};  // if identified; viscous = 0
  LoopFeatures features{};
  double settling_ratio = 0;      // s_e/s_p as measured
  double min_settling_ratio = 0;  // the minimum that the model can give
  double disagreement = 0;        // between the half loops, relative; 0 if features were given
  std::size_t half_loops = 0;
};

/// The four parameters from four features. s_e/s_p decreases with η, so there is one solution or none.
inline FeatureFit identify_bliman_sorine(const LoopFeatures& f) noexcept {
  FeatureFit fit;
  fit.features = f;
  const bool plausible = f.kinetic_force > 0 && f.peak_distance > 0 && f.settling_distance > f.peak_distance &&
                         f.settled_share > 0 && f.settled_share < 1 && f.peak_force < infinity &&
                         f.settling_distance < infinity;
  if (!plausible) {
    fit.verdict = LoopVerdict::out_of_range;
    return fit;
  }
  const double overshoot = f.peak_force / f.kinetic_force - 1;
  if (!(overshoot > 1e-6)) {
    fit.verdict = LoopVerdict::no_overshoot;
    return fit;
  }
  fit.settling_ratio = f.settling_distance / f.peak_distance;
  fit.min_settling_ratio = min_settling_ratio(overshoot, f.settled_share);
  const auto excess = [&](double log_eta) {
    return settling_ratio(std::exp(log_eta), overshoot, f.settled_share) / fit.settling_ratio - 1;
  };
  const double low = std::log(1e-9);
  const Bracket<double> bracket{low, excess(low), 0, excess(0)};
  if (!(bracket.fb < 0)) {
    fit.verdict = LoopVerdict::drops_too_fast;
    return fit;
  }
  if (!(bracket.fa > 0)) {
    fit.verdict = LoopVerdict::out_of_range;
    return fit;
  }
  const double eta = std::exp(root_in(bracket, 0.0, excess));
  const double psi = detail::psi_for(eta, overshoot);
  const double f2 = psi / (1 - eta) * f.kinetic_force;
  fit.params = {f.kinetic_force + f2, f2, eta, f.peak_distance / (eta * detail::peak_exponent(eta, psi)), 0};
  fit.verdict = LoopVerdict::identified;
  return fit;
}

namespace detail {

/// A motion in one direction, as friction over distance from its start; both with signs such that they are positive.
struct HalfLoop {
  std::span<const double> position, force;
  double direction = 1;

  [[nodiscard]] std::size_t size() const noexcept { return position.size(); }
  [[nodiscard]] double distance(std::size_t i) const noexcept { return direction * (position[i] - position[0]); }
  [[nodiscard]] double friction(std::size_t i) const noexcept { return direction * force[i]; }
};

/// The peak from a parabola through three samples, kinetic friction as the mean from 50 to 80 % of the stroke, the
/// settling distance from the last crossing of its band; infinite if it had not settled by half of the stroke. The last
/// fifth is ignored, because the motion is slow again there.
inline LoopFeatures features_of(const HalfLoop& half, double share) noexcept {
  const std::size_t n = half.size();
  const double stroke = half.distance(n - 1);
  double sum = 0;
  double length = 0;
  double late_max = 0;
  std::size_t peak = 0;
  for (std::size_t i = 1; i < n; ++i) {
    const double step = half.distance(i) - half.distance(i - 1);
    if (half.distance(i) > 0.8 * stroke) {
      late_max = std::fmax(late_max, half.friction(i));
      continue;
    }
    if (half.distance(i) > 0.5 * stroke) {
      sum += step * (half.friction(i) + half.friction(i - 1)) / 2;
      length += step;
    }
    peak = half.friction(i) > half.friction(peak) ? i : peak;
  }
  LoopFeatures f{length > 0 ? sum / length : 0, half.friction(peak), half.distance(peak), infinity, share, 0};
  f.late_rise = std::fmax(0.0, late_max - f.kinetic_force);
  if (peak > 0 && peak + 1 < n) {
    // The parabola through the largest sample and its neighbours, which need not be equally spaced.
    const double x1 = half.distance(peak - 1) - half.distance(peak);
    const double x2 = half.distance(peak + 1) - half.distance(peak);
    const double y1 = half.friction(peak - 1) - half.friction(peak);
    const double y2 = half.friction(peak + 1) - half.friction(peak);
    const double curvature = (y1 / x1 - y2 / x2) / (x1 - x2);
    const double slope = y1 / x1 - curvature * x1;
    if (curvature < 0) {
      const double x = clip(-slope / (2 * curvature), x1, x2);
      f.peak_distance += x;
      f.peak_force += (slope + curvature * x) * x;
    }
  }
  const double band = share * (f.peak_force - f.kinetic_force);
  std::size_t last = n;  // the last sample outside the band
  for (std::size_t i = peak; i < n && half.distance(i) < 0.8 * stroke; ++i) {
    last = half.friction(i) - f.kinetic_force > band ? i : last;
  }
  if (last + 1 < n && half.distance(last) < 0.5 * stroke) {
    const double before = half.friction(last) - f.kinetic_force - band;
    const double after = half.friction(last + 1) - f.kinetic_force - band;
    f.settling_distance =
        half.distance(last) + before / (before - after) * (half.distance(last + 1) - half.distance(last));
  }
  return f;
}

}  // namespace detail

/// From a log of position and friction, without its viscous part, over a cyclic motion: averages the features of all
/// complete half loops. The partial motions at both ends are ignored. `disagreement_limit` bounds the relative
/// spread of kinetic force, overshoot and peak distance between the half loops.
inline FeatureFit identify_bliman_sorine(std::span<const double> position, std::span<const double> force,
                                         double settled_share = 0.05, double disagreement_limit = 0.2) noexcept {
  FeatureFit fit;
  const std::size_t n = position.size() < force.size() ? position.size() : force.size();
  double low = infinity;
  double high = -infinity;
  for (std::size_t i = 0; i < n; ++i) {
    if (!std::isfinite(position[i]) || !std::isfinite(force[i])) {
      return fit;
    }
    low = position[i] < low ? position[i] : low;
    high = position[i] > high ? position[i] : high;
  }
  const double reversal_threshold = 0.05 * (high - low);  // displacement backwards that counts as a reversal
  if (!(reversal_threshold > 0)) {
    return fit;
  }
  LoopFeatures sum{0, 0, 0, 0, settled_share, 0};
  LoopFeatures minimum{infinity, infinity, infinity, infinity, settled_share};
  LoopFeatures maximum{};
  std::size_t extreme = 0;  // the farthest sample of the current motion
  std::size_t start = n;    // of the current motion; n for the first, partial one
  double direction = 0;
  for (std::size_t i = 1; i < n; ++i) {
    if (direction == 0) {
      direction = std::abs(position[i] - position[0]) > reversal_threshold ? sgn(position[i] - position[0]) : 0;
      extreme = i;
    } else if (direction * (position[i] - position[extreme]) >= 0) {
      extreme = i;
    } else if (direction * (position[extreme] - position[i]) > reversal_threshold) {
      if (start < n) {
        const std::size_t length = extreme - start + 1;
        const LoopFeatures f = detail::features_of(
            detail::HalfLoop{position.subspan(start, length), force.subspan(start, length), direction}, settled_share);
        ++fit.half_loops;
        sum.kinetic_force += f.kinetic_force;
        sum.peak_force += f.peak_force;
        sum.peak_distance += f.peak_distance;
        sum.settling_distance += f.settling_distance;
        sum.late_rise += f.late_rise;
        const double overshoot = f.peak_force - f.kinetic_force;
        minimum = {std::fmin(minimum.kinetic_force, f.kinetic_force), std::fmin(minimum.peak_force, overshoot),
                   std::fmin(minimum.peak_distance, f.peak_distance), 0, settled_share};
        maximum = {std::fmax(maximum.kinetic_force, f.kinetic_force), std::fmax(maximum.peak_force, overshoot),
                   std::fmax(maximum.peak_distance, f.peak_distance), 0, settled_share};
      }
      start = extreme;
      extreme = i;
      direction = -direction;
    }
  }
  if (fit.half_loops == 0) {
    return fit;
  }
  const auto count = static_cast<double>(fit.half_loops);
  const LoopFeatures mean{sum.kinetic_force / count,     sum.peak_force / count, sum.peak_distance / count,
                          sum.settling_distance / count, settled_share,          sum.late_rise / count};
  const double overshoot = mean.peak_force - mean.kinetic_force;
  const auto spread = [](double a, double b, double middle) { return middle > 0 ? (b - a) / middle : infinity; };
  const double disagreement =
      std::fmax(spread(minimum.kinetic_force, maximum.kinetic_force, mean.kinetic_force),
                std::fmax(spread(minimum.peak_force, maximum.peak_force, overshoot),
                          spread(minimum.peak_distance, maximum.peak_distance, mean.peak_distance)));
  const std::size_t half_loops = fit.half_loops;
  if (!(overshoot > 1e-3 * mean.kinetic_force)) {
    fit.verdict = LoopVerdict::no_overshoot;
    fit.features = mean;
  } else if (!(mean.settling_distance < infinity)) {
    fit.verdict = LoopVerdict::not_settled;
    fit.features = mean;
  } else {
    fit = identify_bliman_sorine(mean);
    if (fit.verdict == LoopVerdict::identified && mean.late_rise > 0.3 * overshoot) {
      fit.verdict = LoopVerdict::depends_on_speed;
    } else if (fit.verdict == LoopVerdict::identified && disagreement > disagreement_limit) {
      fit.verdict = LoopVerdict::halves_disagree;
    }
    fit.params = fit.verdict == LoopVerdict::identified ? fit.params : scalar::BlimanSorine2::Params{};
  }
  fit.half_loops = half_loops;
  fit.disagreement = disagreement;
  return fit;
}

}  // namespace stiction::control
