#include "motion_model.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "stiction/scalar/elasto_plastic.h"
#include "stiction/scalar/gms.h"
#include "stiction/scalar/lugre.h"

namespace stiction::identify {
namespace {

/// The sign of the velocity, smoothed: the measured one passes through 0 at a speed that noise decides.
double smooth_sign(double velocity, double width) { return clip(velocity / width, -1.0, 1.0); }

/// Motion at the times of the torque, later by `shift` than that of the motion.
struct Shifted {
  std::vector<double> position, velocity, acceleration;

  Shifted(const MotionData& data, double shift) {
    position.resize(data.size());
    velocity.resize(data.size());
    acceleration.resize(data.size());
    for (const MotionData::Part& part : data.parts) {
      std::size_t k = part.begin;
      for (std::size_t i = part.begin; i < part.end; ++i) {
        const double t = data.time[i] - shift;
        while (k + 2 < part.end && data.time[k + 1] < t) {
          ++k;
        }
        while (k > part.begin && data.time[k] > t) {
          --k;
        }
        const double share = clip((t - data.time[k]) / (data.time[k + 1] - data.time[k]), 0.0, 1.0);
        const auto between = [&](const std::vector<double>& values) {
          return values[k] + share * (values[k + 1] - values[k]);
        };
        position[i] = between(data.position);
        velocity[i] = between(data.velocity);
        acceleration[i] = between(data.acceleration);
      }
    }
  }
};

/// Filters a column like the torque: what is computed from filtered motion bends more sharply than filtered friction.
void filter(const MotionData& data, Eigen::Ref<Eigen::VectorXd> column) {
  const Eigen::VectorXd before = column;
  for (std::size_t k = 0; k < data.size(); ++k) {
    const std::size_t begin = data.filter_begin[k];
    const auto count = static_cast<Eigen::Index>(data.filter_begin[k + 1] - begin);
    column[static_cast<Eigen::Index>(k)] =
        Eigen::Map<const Eigen::VectorXd>(&data.filter_weights[begin], count)
            .dot(before.segment(static_cast<Eigen::Index>(data.filter_first[k]), count));
  }
}

/// Simulates a friction model of unit Coulomb level along the motion of each recording; `see(sample, model, state)`.
template <class Model, class See>
void drive_along(const MotionData& data, const Model& model, const std::vector<double>& position, const See& see) {
  for (const MotionData::Part& part : data.parts) {
    const double load = data.level > 0 ? (data.torque[part.begin] - data.offset) / data.level : 0;
    auto state = model.at_rest(clip(load, -1.0, 1.0));
    see(part.begin, state);
    for (std::size_t k = part.begin + 1; k < part.end; ++k) {
      const double dt = data.time[k] - data.time[k - 1];
      state = model.advance(state, (position[k] - position[k - 1]) / dt, dt);
      see(k, state);
    }
  }
}

}  // namespace

std::string words_of(const Structure& s) {
  std::string text;
  switch (s.kind) {
    case FrictionKind::dry:
      text = s.viscous ? "Coulomb + viscous + offset" : "Coulomb + offset";
      break;
    case FrictionKind::stribeck:
      text = "Stribeck + offset";
      break;
    case FrictionKind::lugre:
      text = "LuGre + offset";
      break;
    case FrictionKind::elasto_plastic:
      text = "elasto-plastic + offset";
      break;
    case FrictionKind::gms:
      text = "GMS + offset";
      break;
  }
  text += s.inertia ? " + inertia" : "";
  text += s.gravity == Gravity::none ? "" : s.gravity == Gravity::slope ? " + slope over position" : " + gravity";
  text += s.asymmetric ? " + asymmetry" : "";
  text += s.shift ? " + time shift" : "";
  return text;
}

Gram& Gram::operator+=(const Gram& other) {
  if (xx.size() == 0) {
    return *this = other;
  }
  xx += other.xx;
  xy += other.xy;
  yy += other.yy;
  count += other.count;
  return *this;
}

Gram& Gram::operator-=(const Gram& other) {
  xx -= other.xx;
  xy -= other.xy;
  yy -= other.yy;
  count -= other.count;
  return *this;
}

double Gram::cost(const Eigen::VectorXd& beta) const {
  // Σ (y − xβ)² = βᵀ XX β − 2 βᵀ XY + YY
  return std::max(0.0, beta.dot(xx * beta) - 2 * beta.dot(xy) + yy);
}

Eigen::VectorXd solve(const Gram& sum, const std::vector<Linear>& numbers) {
  const auto n = static_cast<Eigen::Index>(numbers.size());
  Eigen::VectorXd scale(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    scale[i] = sum.xx(i, i) > 0 ? 1 / std::sqrt(sum.xx(i, i)) : 0;
  }
  const Eigen::MatrixXd h = scale.asDiagonal() * sum.xx * scale.asDiagonal();
  const Eigen::VectorXd g = scale.cwiseProduct(sum.xy);
  std::vector<bool> free(numbers.size(), true);
  Eigen::VectorXd best = Eigen::VectorXd::Zero(n);
  for (std::size_t round = 0; round < 3 * numbers.size() + 1; ++round) {
    std::vector<Eigen::Index> in;
    for (Eigen::Index i = 0; i < n; ++i) {
      if (free[static_cast<std::size_t>(i)] && scale[i] > 0) {
        in.push_back(i);
      }
    }
    best.setZero();
    if (!in.empty()) {
      Eigen::MatrixXd part = h(in, in);
      part.diagonal().array() += 1e-10;  // collinear columns share what they explain
      const Eigen::VectorXd solved = part.ldlt().solve(g(in));
      for (std::size_t k = 0; k < in.size(); ++k) {
        best[in[k]] = solved[static_cast<Eigen::Index>(k)];
      }
    }
    Eigen::Index worst = -1;
    for (const Eigen::Index i : in) {
      if (numbers[static_cast<std::size_t>(i)].positive && best[i] < 0 && (worst < 0 || best[i] < best[worst])) {
        worst = i;
      }
    }
    if (worst >= 0) {
      free[static_cast<std::size_t>(worst)] = false;
      continue;
    }
    const Eigen::VectorXd slope = g - h * best;  // of −cost/2: > 0 where a number at 0 would help
    Eigen::Index helpful = -1;
    for (Eigen::Index i = 0; i < n; ++i) {
      if (!free[static_cast<std::size_t>(i)] && slope[i] > 1e-9 * std::sqrt(sum.yy) &&
          (helpful < 0 || slope[i] > slope[helpful])) {
        helpful = i;
      }
    }
    if (helpful < 0 || round >= 2 * numbers.size()) {
      break;
    }
    free[static_cast<std::size_t>(helpful)] = true;
  }
  return scale.cwiseProduct(best);
}

MotionModel::MotionModel(const MotionData& data, const Structure& structure, const MotionOptions& options)
    : data_(data), structure_(structure), exponent_(options.stribeck_exponent), mass_(options.mass) {
  using S = Searched::What;
  using L = Linear::What;
  const auto logarithm = [](double x) { return std::log(x); };
  const double v = std::max(data.fastest, 1e-12);
  const double x = std::max(data.travel, 1e-12);
  const Structure& s = structure_;
  if (!s.bristle()) {
    searched_.push_back({S::width,
                         true,
                         logarithm(1e-3 * v),
                         logarithm(0.3 * v),
                         {logarithm(0.005 * v), logarithm(0.02 * v), logarithm(0.06 * v), logarithm(0.15 * v)}});
  } else {
    searched_.push_back({S::reach, true, logarithm(1e-6 * x), logarithm(x), {}});
    const double largest = s.kind == FrictionKind::gms ? 0.03 : 0.1;
    for (double reach = largest * x; reach > 1e-5 * x; reach /= 2.5) {
      searched_.back().trials.push_back(logarithm(reach));
    }
  }
  if (s.kind == FrictionKind::stribeck || (s.bristle() && s.drop)) {
    const double narrowest = std::min(std::max(2e-3 * v, data.resolved), 0.5 * v);  // a sharper drop is not seen
    searched_.push_back({S::stribeck_velocity,
                         true,
                         logarithm(narrowest),
                         logarithm(2 * v),
                         {logarithm(0.02 * v), logarithm(0.1 * v), logarithm(0.4 * v)}});
    if (s.bristle()) {
      searched_.push_back({S::excess, false, 0, 9, {0.5}});
    }
  }
  if (s.kind == FrictionKind::elasto_plastic) {
    searched_.push_back({S::elastic_share, false, 0.01, 0.99, {0.5}});
  }
  if (s.shift) {
    const double most = 1e3 * options.max_shift;
    searched_.push_back({S::shift, false, -most, most, {0}});
  }
  if (s.kind == FrictionKind::gms) {
    linear_.insert(linear_.end(), motion_elements, {L::element, true});
  } else {
    linear_.push_back({L::coulomb, true});
  }
  if (s.kind == FrictionKind::stribeck) {
    linear_.push_back({L::excess, true});
  }
  if (s.asymmetric) {
    linear_.push_back({L::viscous_plus, true});
    linear_.push_back({L::viscous_minus, true});
  } else if (s.viscous) {
    linear_.push_back({L::viscous, true});
  }
  if (s.damping && (s.kind == FrictionKind::lugre || s.kind == FrictionKind::elasto_plastic)) {
    linear_.push_back({L::damping, true});
  }
  if (s.inertia && !mass_) {
    linear_.push_back({L::inertia, true});
  }
  linear_.push_back({L::offset, false});
  if (s.gravity != Gravity::none) {
    linear_.push_back({L::sine, false});
  }
  if (s.gravity == Gravity::full) {
    linear_.push_back({L::cosine, false});
  }
}

double MotionModel::value(const std::vector<double>& at, Searched::What what, double otherwise) const {
  for (std::size_t i = 0; i < searched_.size(); ++i) {
    if (searched_[i].what == what) {
      const double x = searched_[i].logarithmic ? std::exp(at[i]) : at[i];
      return what == Searched::What::shift ? 1e-3 * x : x;  // its coordinate is in ms
    }
  }
  return otherwise;
}

void MotionModel::fill_friction(const std::vector<double>& at, const std::vector<double>& velocity,
                                const std::vector<double>& position, Eigen::MatrixXd& columns) const {
  using S = Searched::What;
  const double reach = value(at, S::reach, 1);
  const double excess = value(at, S::excess, 0);
  const double stribeck_velocity = value(at, S::stribeck_velocity, std::max(data_.fastest, 1e-12));
  const auto row = [](std::size_t k) { return static_cast<Eigen::Index>(k); };
  const Eigen::Index damping_column = structure_.asymmetric ? 3 : structure_.viscous ? 2 : 1;
  const auto see_bristle = [&](const auto& model) {
    // σ₀ z of the model with F_C = 1, and dz/dt for the damping
    drive_along(data_, model, position, [&](std::size_t k, const auto& state) {
      columns(row(k), 0) = model.stiffness * state.bristle;
      if (structure_.damping) {
        columns(row(k), damping_column) = model.rate(state, velocity[k]).bristle;
      }
    });
  };
  switch (structure_.kind) {
    case FrictionKind::dry:
    case FrictionKind::stribeck: {
      const double width = value(at, S::width, 1);
      const scalar::StribeckCurve<double> curve{0, 1, stribeck_velocity, exponent_};
      for (std::size_t k = 0; k < data_.size(); ++k) {
        const double sign = smooth_sign(velocity[k], width);
        columns(row(k), 0) = sign;
        if (structure_.kind == FrictionKind::stribeck) {
          columns(row(k), 1) = sign * curve(velocity[k]);
        }
      }
      break;
    }
    case FrictionKind::lugre:
      see_bristle(scalar::LuGre({.stiffness = 1 / reach,
                                 .damping = 0,
                                 .coulomb_force = 1,
                                 .static_force = 1 + excess,
                                 .stribeck_velocity = stribeck_velocity,
                                 .stribeck_exponent = exponent_,
                                 .viscous = 0}));
      break;
    case FrictionKind::elasto_plastic:
      see_bristle(scalar::ElastoPlastic({.stiffness = 1 / reach,
                                         .damping = 0,
                                         .coulomb_force = 1,
                                         .static_force = 1 + excess,
                                         .stribeck_velocity = stribeck_velocity,
                                         .stribeck_exponent = exponent_,
                                         .viscous = 0,
                                         .elastic_share = value(at, S::elastic_share, 0.5)}));
      break;
    case FrictionKind::gms: {
      scalar::Gms::Params p;
      constexpr double share = 1.0 / static_cast<double>(motion_elements);
      double distance = reach;
      for (std::size_t i = 0; i < motion_elements; ++i, distance *= element_ratio) {
        p.share.push_back(share);
        p.stiffness.push_back(share / distance);
      }
      p.attraction = element_attraction;
      p.coulomb_force = 1;
      p.static_force = 1 + excess;
      p.stribeck_velocity = stribeck_velocity;
      p.stribeck_exponent = exponent_;
      const scalar::Gms model(p);
      drive_along(data_, model, position, [&](std::size_t k, const auto& state) {
        for (std::size_t i = 0; i < motion_elements; ++i) {
          columns(row(k), row(i)) = state.force[i] / share;
        }
      });
      break;
    }
  }
}

void MotionModel::fill(const std::vector<double>& at, Eigen::MatrixXd& columns, Eigen::VectorXd& target) const {
  using L = Linear::What;
  const double shift = value(at, Searched::What::shift, 0);
  std::optional<Shifted> moved;
  if (shift != 0) {
    moved.emplace(data_, shift);
  }
  const auto& position = moved ? moved->position : data_.position;
  const auto& velocity = moved ? moved->velocity : data_.velocity;
  const auto& acceleration = moved ? moved->acceleration : data_.acceleration;
  const auto n = static_cast<Eigen::Index>(data_.size());
  columns.resize(n, static_cast<Eigen::Index>(linear_.size()));
  fill_friction(at, velocity, position, columns);
  for (std::size_t i = 0; i < linear_.size(); ++i) {
    const L what = linear_[i].what;
    if (what == L::coulomb || what == L::excess || what == L::element || what == L::damping) {
      filter(data_, columns.col(static_cast<Eigen::Index>(i)));
    }
  }
  target = Eigen::Map<const Eigen::VectorXd>(data_.torque.data(), n);
  const Eigen::Map<const Eigen::VectorXd> v(velocity.data(), n);
  const Eigen::Map<const Eigen::VectorXd> a(acceleration.data(), n);
  const auto q = Eigen::Map<const Eigen::VectorXd>(position.data(), n).array() - data_.middle;
  if (mass_) {
    target -= *mass_ * a;
  }
  for (std::size_t i = 0; i < linear_.size(); ++i) {
    auto column = columns.col(static_cast<Eigen::Index>(i));
    switch (linear_[i].what) {
      case L::viscous:
        column = v;
        break;
      case L::viscous_plus:
        column = v.cwiseMax(0.0);
        break;
      case L::viscous_minus:
        column = v.cwiseMin(0.0);
        break;
      case L::inertia:
        column = a;
        break;
      case L::offset:
        column.setOnes();
        break;
      case L::sine:
        column = q.sin();
        break;
      case L::cosine:
        column = q.cos() - 1;
        break;
      default:  // friction, filled before
        break;
    }
  }
}

std::vector<Gram> MotionModel::grams(const std::vector<double>& at) const {
  Eigen::MatrixXd columns;
  Eigen::VectorXd target;
  fill(at, columns, target);
  std::vector<Gram> result(static_cast<std::size_t>(data_.blocks) + 1);
  const auto width = columns.cols();
  for (Gram& gram : result) {
    gram.xx = Eigen::MatrixXd::Zero(width, width);
    gram.xy = Eigen::VectorXd::Zero(width);
  }
  for (std::size_t begin = 0; begin < data_.size();) {
    std::size_t end = begin + 1;
    while (end < data_.size() && data_.block[end] == data_.block[begin]) {
      ++end;
    }
    if (data_.block[begin] == MotionData::settling) {
      begin = end;
      continue;
    }
    Gram& gram = result[data_.block[begin] < 0 ? result.size() - 1 : static_cast<std::size_t>(data_.block[begin])];
    const auto first = static_cast<Eigen::Index>(begin);
    const auto count = static_cast<Eigen::Index>(end - begin);
    const auto rows = columns.middleRows(first, count);
    const auto y = target.segment(first, count);
    gram.xx.noalias() += rows.transpose() * rows;
    gram.xy.noalias() += rows.transpose() * y;
    gram.yy += y.squaredNorm();
    gram.count += static_cast<double>(count);
    begin = end;
  }
  return result;
}

}  // namespace stiction::identify
