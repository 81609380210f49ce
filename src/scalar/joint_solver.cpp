#include "stiction/scalar/joint_solver.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace stiction::scalar {
namespace {

/// Regularisations, relative to the joints' own mobilities, tried in turn until a Newton step decreases the energy.
constexpr std::array regularisations{0.0, 3e-4, 1e-3, 3e-3, 1e-2, 3e-2, 0.1, 0.3, 1.0};
constexpr std::size_t memory = 4;  // a new energy must be below the largest of the last ones
constexpr double rounding = std::numeric_limits<double>::epsilon();

/// Gaussian elimination with row pivoting; b becomes the solution. False for a singular matrix.
bool solve_linear(std::span<double> a, std::span<double> b) noexcept {
  const std::size_t n = b.size();
  for (std::size_t c = 0; c < n; ++c) {
    std::size_t pivot = c;
    for (std::size_t i = c + 1; i < n; ++i) {
      pivot = std::abs(a[i * n + c]) > std::abs(a[pivot * n + c]) ? i : pivot;
    }
    if (!(std::abs(a[pivot * n + c]) > 0)) {
      return false;
    }
    if (pivot != c) {
      std::swap_ranges(&a[c * n], &a[c * n] + n, &a[pivot * n]);
      std::swap(b[c], b[pivot]);
    }
    for (std::size_t i = c + 1; i < n; ++i) {
      const double factor = a[i * n + c] / a[c * n + c];
      for (std::size_t j = c + 1; j < n && factor != 0; ++j) {
        a[i * n + j] -= factor * a[c * n + j];
      }
      b[i] -= factor * b[c];
    }
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t j = i + 1; j < n; ++j) {
      b[i] -= a[i * n + j] * b[j];
    }
    b[i] /= a[i * n + i];
  }
  return true;
}

/// Cholesky factors L Lᵀ of a symmetric positive definite matrix, in place. Pivots are kept above rounding errors.
void factor(std::span<double> a, std::size_t n) noexcept {
  for (std::size_t j = 0; j < n; ++j) {
    const double scale = a[j * n + j];
    double d = scale;
    for (std::size_t k = 0; k < j; ++k) {
      d -= a[j * n + k] * a[j * n + k];
    }
    const double min_pivot = scale > 0 ? rounding * scale : 1;  // a joint that cannot move
    const double root = std::sqrt(d > min_pivot ? d : min_pivot);
    a[j * n + j] = root;
    for (std::size_t i = j + 1; i < n; ++i) {
      double sum = a[i * n + j];
      for (std::size_t k = 0; k < j; ++k) {
        sum -= a[i * n + k] * a[j * n + k];
      }
      a[i * n + j] = sum / root;
    }
  }
}

class JointSolver {
 public:
  JointSolver(const JointStep& step, const JointLaw& law, std::span<double> workspace) noexcept
      : step_(step), law_(law), n_(step.free_velocity.size()), workspace_(workspace) {
    for (std::size_t i = 0; i < n_; ++i) {
      scale_ = std::fmax(scale_, std::abs(step.free_velocity[i]) + std::abs(step.velocity[i]));
    }
    now_ = take_point();
    tried_ = take_point();
    change_ = take(n_);
    slope_ = take(n_);
    scratch_ = take(n_);
    matrix_ = take(n_ * n_);
    factor_ = take(n_ * n_);
    std::copy(step.mobility.begin(), step.mobility.end(), factor_.begin());
    factor(factor_, n_);
  }

  JointReport run(std::span<double> force, std::span<double> seen, const JointOptions& options) noexcept {
    std::copy(force.begin(), force.end(), now_.force.begin());
    evaluate(now_);
    std::array<double, memory> last{};
    last.fill(now_.energy);
    JointReport report;
    // The balance of large forces is known to their rounding
    const auto allowed_residual = [&] { return options.tolerance * scale_ + 8 * rounding * largest_part_; };
    while (now_.residual > allowed_residual() && report.iterations < options.max_iterations) {
      const double limit = *std::max_element(last.begin(), last.end());
      if (!newton_step(limit)) {
        std::copy(now_.force.begin(), now_.force.end(), tried_.force.begin());
        sweep(tried_.force);
        sweep(tried_.force);
        evaluate(tried_);
      }
      std::swap(now_, tried_);
      last[static_cast<std::size_t>(report.iterations) % memory] = now_.energy;
      ++report.iterations;
    }
    // Each friction law holds exactly, and the residual is in the force balance
    std::copy(now_.response.begin(), now_.response.end(), force.begin());
    std::copy(now_.seen.begin(), now_.seen.end(), seen.begin());
    double sum = 0;
    for (std::size_t i = 0; i < n_; ++i) {
      report.residual = std::fmax(report.residual, std::abs(seen[i] - free_of(i, force)));
      sum += force[i] + seen[i];
    }
    if (!std::isfinite(sum)) {
      report.status = JointStatus::not_finite;
      report.residual = std::numeric_limits<double>::quiet_NaN();
    } else if (now_.residual > allowed_residual()) {
      report.status = JointStatus::max_iterations;
    }
    return report;
  }

 private:
  /// Forces, the velocity that the other joints impose on each joint, and its response.
  struct Point {
    std::span<double> force, seen, response;
    double residual = 0;  // largest dt W_ii |R_i − F_i|
    double energy = 0;    // duality gap between the joints' responses and the force balance, up to a factor
  };

  std::span<double> take(std::size_t count) noexcept {
    const auto part = workspace_.first(count);
    workspace_ = workspace_.subspan(count);
    return part;
  }
  Point take_point() noexcept { return {take(n_), take(n_), take(n_)}; }

  [[nodiscard]] double gain(std::size_t i) const noexcept { return step_.dt * step_.mobility[i * n_ + i]; }
  /// v_free,i − dt Σ_j≠i W_ij F_j
  [[nodiscard]] double free_of(std::size_t i, std::span<const double> force) noexcept {
    double result = step_.free_velocity[i];
    for (std::size_t j = 0; j < n_; ++j) {
      const double part = j == i ? 0 : step_.dt * step_.mobility[i * n_ + j] * force[j];
      result -= part;
      largest_part_ = std::fmax(largest_part_, std::abs(part));
    }
    return result;
  }
  [[nodiscard]] double respond(std::size_t i, double seen) const noexcept {
    return law_(i, seen, step_.mobility[i * n_ + i]).force;
  }

  void evaluate(Point& point) noexcept {
    point.residual = 0;
    for (std::size_t i = 0; i < n_; ++i) {
      point.seen[i] = free_of(i, point.force);
      point.response[i] = respond(i, point.seen[i]);
      const double error = gain(i) * std::abs(point.response[i] - point.force[i]);
      point.residual = error <= point.residual ? point.residual : error;  // a NaN propagates, and ends the search
    }
    // With (R_i, v_i) on the curves of their laws, Fenchel's inequality leaves the gap ½ rᵀ (dt W)⁻¹ r of
    //   r = v + dt W R − v_free = dt Σ_j≠i W_ij (R_j − F_j)
    point.energy = 0;
    for (std::size_t i = 0; i < n_; ++i) {
      double sum = 0;
      for (std::size_t j = 0; j < n_; ++j) {
        sum += j == i ? 0 : step_.mobility[i * n_ + j] * (point.response[j] - point.force[j]);
      }
      for (std::size_t k = 0; k < i; ++k) {
        sum -= factor_[i * n_ + k] * scratch_[k];
      }
      scratch_[i] = sum / factor_[i * n_ + i];
      point.energy += scratch_[i] * scratch_[i];
    }
  }
  void sweep(std::span<double> force) noexcept {
    for (std::size_t i = 0; i < n_; ++i) {
      force[i] = respond(i, free_of(i, force));
    }
  }

  /// From now_ to tried_: Newton's step, regularised by a fraction of the joints' own mobilities until the energy is
  /// below a limit. False if it never is.
  bool newton_step(double limit) noexcept {
    for (std::size_t i = 0; i < n_; ++i) {
      // ∂R_i/∂seen times the joint's own gain, by a one-sided difference, away from zero: 1 if it sticks
      const double seen = now_.seen[i];
      const double size = std::abs(seen) + gain(i) * std::abs(now_.response[i]);
      const double increment = std::copysign(1e-7 * size + 1e-12 * scale_, seen);
      const double slope = (respond(i, seen + increment) - now_.response[i]) / increment;
      slope_[i] = std::clamp(slope * gain(i), -5.0, 1.0);
    }
    for (const double added : regularisations) {
      // F_i + ∂R_i/∂seen dt Σ_j≠i W_ij F_j = R_i, with W_ii (1 + added) for W_ii
      for (std::size_t i = 0; i < n_; ++i) {
        const double own_mobility = step_.mobility[i * n_ + i];
        const double per = own_mobility > 0 ? slope_[i] / ((1 + added * slope_[i]) * own_mobility) : 0;
        for (std::size_t j = 0; j < n_; ++j) {
          matrix_[i * n_ + j] = j == i ? 1 : per * step_.mobility[i * n_ + j];
        }
        change_[i] = (now_.response[i] - now_.force[i]) / (1 + added * slope_[i]);
      }
      if (!solve_linear(matrix_, change_)) {
        continue;
      }
      for (std::size_t i = 0; i < n_; ++i) {
        tried_.force[i] = now_.force[i] + change_[i];
      }
      evaluate(tried_);
      if (tried_.energy < (1 - 1e-4) * limit) {
        return true;
      }
    }
    return false;
  }

  const JointStep& step_;
  const JointLaw& law_;
  std::size_t n_;
  std::span<double> workspace_;
  Point now_, tried_;
  std::span<double> change_, slope_, scratch_, matrix_, factor_;  // the last: W = L Lᵀ
  double scale_ = 0;
  double largest_part_ = 0;  // of a sum in the balance [rad/s]
};

}  // namespace

JointReport solve_joints(const JointStep& step, const JointLaw& law, std::span<double> force, std::span<double> seen,
                         std::span<double> workspace, const JointOptions& options) noexcept {
  return JointSolver(step, law, workspace).run(force, seen, options);
}

}  // namespace stiction::scalar
