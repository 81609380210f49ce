#include "motion_report.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "stiction/scalar/coulomb.h"
#include "stiction/scalar/elasto_plastic.h"
#include "stiction/scalar/gms.h"
#include "stiction/scalar/lugre.h"
#include "stiction/scalar/stribeck.h"

namespace stiction::identify {
namespace {

using L = Linear::What;
using S = Searched::What;

constexpr double undetermined_share = 0.35;  // of its value: a larger deviation tells no more than the order of size
constexpr double quantile = 2.0;             // of 95 % intervals, for some thirty blocks
constexpr std::size_t covariance_blocks = 30;

/// The sum of the linear numbers of one kind.
double linear_of(const MotionModel& model, const MotionFitted& fit, L what) {
  double sum = 0;
  for (std::size_t i = 0; i < model.linear().size(); ++i) {
    sum += model.linear()[i].what == what ? fit.beta[static_cast<Eigen::Index>(i)] : 0;
  }
  return sum;
}

/// The friction in the numbers of the library's models.
struct FrictionNumbers {
  double coulomb = 0, peak = 0, stribeck_velocity = 0, viscous = 0, viscous_plus = 0, viscous_minus = 0;
  double stiffness = 0, damping = 0, elastic_share = 0;
  std::vector<double> element_force, element_reach;

  FrictionNumbers(const MotionModel& model, const MotionFitted& fit) : coulomb(linear_of(model, fit, L::coulomb)) {
    const double excess = model.value(fit.at, S::excess, 0);
    const double reach = model.value(fit.at, S::reach, 1);
    double distance = reach;
    for (std::size_t i = 0; i < model.linear().size(); ++i) {
      const double force = fit.beta[static_cast<Eigen::Index>(i)];
      if (model.linear()[i].what == L::element) {
        if (force > 0) {
          element_force.push_back(force);
          element_reach.push_back(distance);
          coulomb += force;
          stiffness += force / distance;
        }
        distance *= element_ratio;
      }
    }
    // F_S = F_C (1 + excess) of a bristle;  F_C + the second column of a Stribeck curve
    peak = coulomb * (1 + excess) + linear_of(model, fit, L::excess);
    stribeck_velocity = model.value(fit.at, S::stribeck_velocity, std::max(model.data().fastest, 1e-12));
    viscous = linear_of(model, fit, L::viscous);
    viscous_plus = linear_of(model, fit, L::viscous_plus);
    viscous_minus = linear_of(model, fit, L::viscous_minus);
    stiffness = element_force.empty() ? coulomb / reach : stiffness;
    damping = linear_of(model, fit, L::damping);
    elastic_share = model.value(fit.at, S::elastic_share, 0.5);
  }
};

/// All free numbers of a fit one after the other: searched ones, then linear ones that are not held at 0.
struct FreeNumbers {
  std::vector<std::size_t> searched, linear;

  FreeNumbers(const MotionModel& model, const MotionFitted& fit) {
    for (std::size_t i = 0; i < model.searched().size(); ++i) {
      const Searched& s = model.searched()[i];
      if (s.what != S::width && fit.at[i] > s.lower + 1e-6 && fit.at[i] < s.upper - 1e-6) {
        searched.push_back(i);
      }
    }
    for (std::size_t i = 0; i < model.linear().size(); ++i) {
      if (fit.beta[static_cast<Eigen::Index>(i)] != 0) {
        linear.push_back(i);
      }
    }
  }
  [[nodiscard]] Eigen::Index size() const { return static_cast<Eigen::Index>(searched.size() + linear.size()); }

  /// The fit with one of them changed.
  [[nodiscard]] MotionFitted moved(MotionFitted fit, std::size_t i, double by) const {
    if (i < searched.size()) {
      fit.at[searched[i]] += by;
    } else {
      fit.beta[static_cast<Eigen::Index>(linear[i - searched.size()])] += by;
    }
    return fit;
  }
  [[nodiscard]] double step(const MotionFitted& fit, std::size_t i) const {
    return i < searched.size() ? 0.01 : 1e-3 * fit.beta[static_cast<Eigen::Index>(linear[i - searched.size()])];
  }
};

/// Covariance of the free numbers: H⁻¹ M H⁻¹ with M from the scores of blocks, and no variance smaller than that of
/// residuals which are independent a filter's half-width apart.
Eigen::MatrixXd covariance_of(const MotionModel& model, const MotionFitted& fit, const FreeNumbers& numbers) {
  const MotionData& data = model.data();
  const auto n = static_cast<Eigen::Index>(data.size());
  const Eigen::VectorXd predicted = predict(model, fit);
  Eigen::VectorXd residual = Eigen::Map<const Eigen::VectorXd>(data.torque.data(), n) - predicted;
  for (std::size_t k = 0; k < data.size(); ++k) {
    residual[static_cast<Eigen::Index>(k)] *= data.block[k] == MotionData::settling ? 0 : 1;
  }
  Eigen::MatrixXd j(n, numbers.size());
  for (Eigen::Index i = 0; i < j.cols(); ++i) {
    const auto index = static_cast<std::size_t>(i);
    const double step = numbers.step(fit, index);
    j.col(i) = (predict(model, numbers.moved(fit, index, step)) - predicted) / step;
  }
  Eigen::VectorXd scale = j.colwise().norm().transpose();
  scale = scale.unaryExpr([](double x) { return x > 0 ? 1 / x : 0.0; });
  j = j * scale.asDiagonal();
  Eigen::MatrixXd h = j.transpose() * j;
  h.diagonal().array() += 1e-9;
  const Eigen::MatrixXd inverse = h.ldlt().solve(Eigen::MatrixXd::Identity(h.rows(), h.cols()));
  Eigen::MatrixXd scores = Eigen::MatrixXd::Zero(h.rows(), h.cols());
  double blocks = 0;
  for (const MotionData::Part& part : data.parts) {
    const std::size_t count = std::max<std::size_t>(1, covariance_blocks / data.parts.size());
    for (std::size_t b = 0; b < count; ++b) {
      const auto begin = static_cast<Eigen::Index>(part.begin + b * (part.end - part.begin) / count);
      const auto end = static_cast<Eigen::Index>(part.begin + (b + 1) * (part.end - part.begin) / count);
      const Eigen::VectorXd score = j.middleRows(begin, end - begin).transpose() * residual.segment(begin, end - begin);
      scores += score * score.transpose();
      blocks += 1;
    }
  }
  scores *= blocks / std::max(blocks / 4, blocks - static_cast<double>(j.cols()));  // few blocks, several numbers
  Eigen::MatrixXd covariance = inverse * scores * inverse;
  const double spacing = (data.time[data.parts[0].end - 1] - data.time[data.parts[0].begin]) /
                         static_cast<double>(data.parts[0].end - data.parts[0].begin);
  const double independent = std::max(1.0, data.half_width / spacing);
  const Eigen::MatrixXd plain =
      inverse * (independent * residual.squaredNorm() / static_cast<double>(std::max<Eigen::Index>(1, n - j.cols())));
  for (Eigen::Index i = 0; i < covariance.rows(); ++i) {
    if (const double factor = std::sqrt(plain(i, i) / std::max(covariance(i, i), 1e-300)); factor > 1) {
      covariance.row(i) *= factor;
      covariance.col(i) *= factor;
    }
  }
  return scale.asDiagonal() * covariance * scale.asDiagonal();
}

/// Whether the motion is too short for the bristle to slip: then only its stiffness shows.
bool never_slides(const MotionModel& model, const MotionFitted& fit) {
  const double reach = model.value(fit.at, S::reach, 0) * (1 + model.value(fit.at, S::excess, 0));
  return model.structure().bristle() && model.data().travel < 3 * reach;
}

/// Whether the drop ends at the edge of its range: the Coulomb level is reached nowhere.
bool only_falls(const MotionModel& model, const MotionFitted& fit) {
  for (std::size_t i = 0; i < model.searched().size(); ++i) {
    if (model.searched()[i].what == S::excess) {
      return fit.at[i] > 0.98 * model.searched()[i].upper;
    }
  }
  return false;
}

const Estimate* find(const std::vector<Estimate>& estimates, const char* name) {
  const auto found =
      std::find_if(estimates.begin(), estimates.end(), [&](const Estimate& e) { return e.name == name; });
  return found == estimates.end() ? nullptr : &*found;
}

bool vague(const std::vector<Estimate>& estimates, const char* name) {
  const Estimate* e = find(estimates, name);
  return e != nullptr && !e->determined;
}

}  // namespace

std::vector<Named> named_numbers(const MotionModel& model, const MotionFitted& fit) {
  const Structure& s = model.structure();
  const FrictionNumbers f(model, fit);
  std::vector<Named> list;
  if (s.bristle()) {
    list.push_back({"stiffness", "N/m", f.stiffness, true});
    if (s.damping && s.kind != FrictionKind::gms) {
      list.push_back({"damping", "N s/m", f.damping});
    }
  }
  list.push_back({"coulomb_force", "N", f.coulomb, true});
  if (s.kind == FrictionKind::stribeck || (s.bristle() && s.drop)) {
    list.push_back({"static_force", "N", f.peak, true});
    list.push_back({"stribeck_velocity", "m/s", f.stribeck_velocity, true});
  }
  if (s.asymmetric) {
    list.push_back({"viscous_plus", "N s/m", f.viscous_plus});
    list.push_back({"viscous_minus", "N s/m", f.viscous_minus});
  } else if (s.viscous) {
    list.push_back({"viscous", "N s/m", f.viscous});
  }
  if (s.kind == FrictionKind::elasto_plastic) {
    list.push_back({"elastic_share", "-", f.elastic_share});
  }
  if (s.inertia) {
    list.push_back({"mass", "kg", linear_of(model, fit, L::inertia), true});
  }
  // c + A sin(q − q̄) + B (cos(q − q̄) − 1) = c − B + (A cos q̄ + B sin q̄) sin q + (B cos q̄ − A sin q̄) cos q
  const double a = linear_of(model, fit, L::sine);
  const double b = linear_of(model, fit, L::cosine);
  const double middle = model.data().middle;
  list.push_back({"offset", "N", linear_of(model, fit, L::offset) - b, false, false});
  if (s.gravity != Gravity::none) {
    list.push_back({"gravity_sin", "N", a * std::cos(middle) + b * std::sin(middle), false, false});
    list.push_back({"gravity_cos", "N", b * std::cos(middle) - a * std::sin(middle), false, false});
  }
  if (s.shift) {
    list.push_back({"shift", "s", model.value(fit.at, S::shift, 0), false, false});
  }
  return list;
}

std::vector<Estimate> estimates_of(const MotionModel& model, const MotionFitted& fit,
                                   const std::vector<std::vector<double>>& shifts) {
  const FreeNumbers numbers(model, fit);
  const Eigen::MatrixXd covariance = covariance_of(model, fit, numbers);
  const auto named = named_numbers(model, fit);
  Eigen::MatrixXd slope(static_cast<Eigen::Index>(named.size()), numbers.size());
  for (Eigen::Index i = 0; i < slope.cols(); ++i) {
    const auto index = static_cast<std::size_t>(i);
    const double step = 0.01 * numbers.step(fit, index);
    const auto moved = named_numbers(model, numbers.moved(fit, index, step));
    for (std::size_t k = 0; k < named.size(); ++k) {
      slope(static_cast<Eigen::Index>(k), i) = (moved[k].value - named[k].value) / step;
    }
  }
  const Eigen::MatrixXd spread = slope * covariance * slope.transpose();
  std::vector<Estimate> result;
  for (std::size_t k = 0; k < named.size(); ++k) {
    const Named& one = named[k];
    const auto row = static_cast<Eigen::Index>(k);
    double variance = std::max(0.0, spread(row, row));
    for (const auto& shift : shifts) {
      variance += square(shift[k]);
    }
    Estimate e{one.name, one.unit, one.value, std::sqrt(variance), 0, 0, true};
    if (one.positive && one.value > 0) {
      const double ratio = std::exp(std::min(50.0, quantile * e.deviation / one.value));
      e.low = one.value / ratio;
      e.high = one.value * ratio;
    } else {
      e.low = one.value - quantile * e.deviation;
      e.high = one.value + quantile * e.deviation;
      e.low = one.friction ? std::max(0.0, e.low) : e.low;
    }
    // Searched numbers at the edge of their range and linear ones held at 0 have no spread of their own
    const bool level = one.name == "coulomb_force" || one.name == "static_force";
    const bool seen = !(level && never_slides(model, fit)) && !(one.name == "coulomb_force" && only_falls(model, fit));
    const bool known = seen && std::isfinite(e.value) && std::isfinite(e.deviation);
    e.determined =
        known && (!one.friction || (one.value > 0 && e.deviation > 0 && e.deviation < undetermined_share * one.value));
    result.push_back(std::move(e));
  }
  return result;
}

std::optional<scalar::AnyModel> model_of(const MotionModel& model, const MotionFitted& fit) {
  const FrictionNumbers f(model, fit);
  const Structure& s = model.structure();
  const double exponent = model.exponent();
  const double peak = f.peak;
  if (!(peak > 0)) {
    return f.viscous > 0 ? std::optional<scalar::AnyModel>(scalar::Coulomb({.coulomb_force = 0, .viscous = f.viscous}))
                         : std::nullopt;
  }
  const double coulomb = std::max(f.coulomb, 1e-5 * peak);  // the models need F_C > 0
  if (s.asymmetric) {
    return scalar::AsymmetricStribeck({coulomb, peak, f.stribeck_velocity, exponent, f.viscous_plus, coulomb, peak,
                                       f.stribeck_velocity, exponent, f.viscous_minus});
  }
  switch (s.kind) {
    case FrictionKind::dry:
      return scalar::Coulomb({.coulomb_force = coulomb, .viscous = f.viscous});
    case FrictionKind::stribeck:
      return scalar::Stribeck({coulomb, peak, f.stribeck_velocity, exponent, f.viscous});
    case FrictionKind::lugre:
      return scalar::LuGre({.stiffness = f.stiffness,
                            .damping = f.damping,
                            .coulomb_force = coulomb,
                            .static_force = peak,
                            .stribeck_velocity = f.stribeck_velocity,
                            .stribeck_exponent = exponent,
                            .viscous = f.viscous});
    case FrictionKind::elasto_plastic:
      return scalar::ElastoPlastic({.stiffness = f.stiffness,
                                    .damping = f.damping,
                                    .coulomb_force = coulomb,
                                    .static_force = peak,
                                    .stribeck_velocity = f.stribeck_velocity,
                                    .stribeck_exponent = exponent,
                                    .viscous = f.viscous,
                                    .elastic_share = f.elastic_share});
    case FrictionKind::gms:
      break;
  }
  scalar::Gms::Params p;
  for (std::size_t i = 0; i < f.element_force.size(); ++i) {
    p.share.push_back(f.element_force[i] / coulomb);
    p.stiffness.push_back(f.element_force[i] / f.element_reach[i]);
  }
  p.attraction = element_attraction * coulomb;
  p.coulomb_force = coulomb;
  p.static_force = peak;
  p.stribeck_velocity = f.stribeck_velocity;
  p.stribeck_exponent = exponent;
  p.viscous = f.viscous;
  return scalar::Gms(p);
}

std::vector<Structure> without_undetermined(const MotionModel& model, const MotionFitted& fit,
                                            const std::vector<Estimate>& estimates) {
  std::vector<Structure> list;
  const auto drop = [&](bool missing, auto change) {
    if (missing) {
      list.push_back(model.structure());
      change(list.back());
    }
  };
  const Structure& s = model.structure();
  drop(vague(estimates, "mass"), [](Structure& x) { x.inertia = false; });
  drop(s.asymmetric && (vague(estimates, "viscous_plus") || vague(estimates, "viscous_minus")),
       [](Structure& x) { x.asymmetric = false; });
  drop(vague(estimates, "damping"), [](Structure& x) { x.damping = false; });
  drop(vague(estimates, "viscous"), [](Structure& x) { x.viscous = false; });
  const FrictionNumbers f(model, fit);
  const Estimate* peak = find(estimates, "static_force");
  // Unless the data tell where friction falls, and that it does
  const bool falls = peak != nullptr && f.peak > 1.01 * f.coulomb && peak->deviation < 0.5 * (f.peak - f.coulomb);
  drop(peak != nullptr && (!falls || vague(estimates, "stribeck_velocity")), [](Structure& x) {
    x.drop = !x.bristle();
    x.kind = x.kind == FrictionKind::stribeck ? FrictionKind::dry : x.kind;
  });
  drop(vague(estimates, "elastic_share"), [](Structure& x) { x.kind = FrictionKind::lugre; });
  drop(s.bristle() && vague(estimates, "stiffness"), [](Structure& x) {
    x.kind = x.drop ? FrictionKind::stribeck : FrictionKind::dry;
    x.drop = x.damping = true;
  });
  const auto may_be_zero = [&](const char* name) {
    const Estimate* e = find(estimates, name);
    return e == nullptr || (e->low <= 0 && e->high >= 0);
  };
  drop(s.gravity != Gravity::none && may_be_zero("gravity_sin") && may_be_zero("gravity_cos"),
       [](Structure& x) { x.gravity = Gravity::none; });
  const Estimate* shift = find(estimates, "shift");
  drop(shift != nullptr && may_be_zero("shift"), [](Structure& x) { x.shift = false; });
  return list;
}

std::vector<Undetermined> undetermined_by(const Structure& s, const MotionOptions& options,
                                          const std::vector<Estimate>& estimates) {
  std::vector<Undetermined> list;
  const auto add = [&](bool missing, const char* name, const char* experiment) {
    if (missing || vague(estimates, name)) {
      list.push_back({name, experiment});
    }
  };
  add(!s.inertia && !options.mass, "mass",
      "accelerate harder: fast reversals, so that inertia is well above the noise");
  add(false, "coulomb_force", "slide at several speeds above that at which friction falls, in both directions");
  add(!s.viscous && !s.asymmetric, "viscous", "slide fast, at several speeds in both directions");
  add(s.kind == FrictionKind::dry || !s.drop, "static_force",
      "slide slowly at constant speeds, down to a hundredth of the fastest");
  add(s.kind == FrictionKind::dry || !s.drop, "stribeck_velocity",
      "slide slowly at constant speeds, down to a hundredth of the fastest");
  add(!s.bristle(), "stiffness", "push back and forth below break-away, with a sensor that resolves the motion");
  add(!s.bristle() || !s.damping, "damping", "shake below break-away, up to the highest frequency of the loop");
  add(s.gravity == Gravity::none, "gravity", "move slowly over the whole range, ideally a full turn");
  return list;
}

}  // namespace stiction::identify
