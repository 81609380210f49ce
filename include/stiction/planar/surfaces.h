// The shape of a limit surface, for reduced models: h(v), the friction wrench of sliding in the direction of v, each
// component divided by its maximum.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

#include "stiction/export.h"
#include "stiction/planar/limit_surface.h"
#include "stiction/problem.h"
#include "stiction/vector.h"

namespace stiction::planar {

// Surfaces map v = (v_x, v_y, r ω) to h = (f_x, f_y, τ/r): vectors of three components of the same unit.

/// The ellipsoid: h = −v/|v|. A rough approximation for any patch, without a table.
struct Ellipsoid {
  Vector3 operator()(const Vector3& v) const noexcept {
    const double length = std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    const double factor = length > 0 ? -1 / length : 0;
    return {factor * v[0], factor * v[1], factor * v[2]};
  }
};

/// A table over three faces of a cube with bilinear interpolation, and h(−v) = −h(v) for the others: a look-up takes
/// one division and no angles. It depends on the shape of the patch only, not on its size.
class STICTION_EXPORT SurfaceTable {
 public:
  /// `cells` along each side of a face, up to 1000. 24 give about as many nodes as the paper's N_ls = 20. Throws
  /// InvalidParameter.
  explicit SurfaceTable(const Patch& patch, std::size_t cells = 24, Rule rule = Rule::exact);

  /// (f_x, f_y, τ/r) for μ f_N = 1; zero without motion.
  Vector3 operator()(const Vector3& v) const noexcept { return blend(nodes_.data(), spot(v, cells_)); }
  /// ∂h_i/∂v_j of the interpolated surface: it jumps between cells. Zero without motion.
  [[nodiscard]] std::array<Vector3, 3> gradient(const Vector3& v) const noexcept;
  [[nodiscard]] std::size_t cells() const noexcept { return static_cast<std::size_t>(cells_); }

  // For concatenated tables (ReducedBatch) --------------------------------------------------------------------------

  template <class Real>
  struct BasicNode {
    std::array<Real, 4> h;  // the last is unused: nodes are read as one vector
  };
  using Node = BasicNode<double>;
  [[nodiscard]] const std::vector<Node>& nodes() const noexcept { return nodes_; }

  /// The position of a direction in a table: the four nodes around it, and their weights.
  template <class Real>
  struct BasicSpot {
    using Index = std::conditional_t<sizeof(Real) == 8, std::int64_t, std::int32_t>;
    Index node;  // the first
    Index row;   // offset to the next row
    Real w00, w10, w01, w11;
  };
  using Spot = BasicSpot<double>;
  template <class By = Arithmetic, class Real>
  static BasicSpot<Real> spot(const std::array<Real, 3>& v, Real cells) noexcept {
    using Index = typename BasicSpot<Real>::Index;
    constexpr Real slow = sizeof(Real) == 8 ? Real(1e-290) : Real(1e-30);  // below this, no motion
    const Real ax = std::abs(v[0]);
    const Real ay = std::abs(v[1]);
    const Real at = std::abs(v[2]);
    // The largest component, then the others in cyclic order; without branches
    const Real y_or_t = ay > at ? ay : at;
    const Real size = ax > y_or_t ? ax : y_or_t;
    const bool x_first = ax >= size;
    const bool y_first = ay >= size;
    const Real face = x_first ? Real(0) : y_first ? Real(1) : Real(2);
    const Real largest = x_first ? v[0] : y_first ? v[1] : v[2];
    const Real second = x_first ? v[1] : y_first ? v[2] : v[0];
    const Real third = x_first ? v[2] : y_first ? v[0] : v[1];
    const Real per_cell = Real(0.5) * cells;
    const bool moves = !(size < slow);
    const Real scale = per_cell / (moves ? largest : 1);
    const Real a = By::multiply_add(second, scale, per_cell);
    const Real b = By::multiply_add(third, scale, per_cell);
    // NaN or infinite: the first node; the weights become NaN
    const Real i = clip(std::floor(a), Real(0), cells - 1);
    const Real j = clip(std::floor(b), Real(0), cells - 1);
    const Real da = a - i;
    const Real db = b - j;
    const Real sign = moves ? std::copysign(Real(1), largest) : 0;
    const Real signed_da = sign * da;
    const Real w11 = signed_da * db;
    const Real w10 = signed_da - w11;
    const Real w01 = By::multiply_add(sign, db, -w11);
    const Real row = cells + 1;
    const Real node = By::multiply_add(By::multiply_add(face, row, j), row, i);
    return {static_cast<Index>(node >= 0 ? node : 0), static_cast<Index>(row), sign - signed_da - w01, w10, w01, w11};
  }
  static Vector3 blend(const Node* nodes, const Spot& at) noexcept {
    const Node* const low = nodes + at.node;
    const Node* const high = low + at.row;
    using NodeVector [[gnu::vector_size(sizeof(Node))]] = double;  // a node as one vector
    NodeVector c00;
    NodeVector c10;
    NodeVector c01;
    NodeVector c11;
    std::memcpy(&c00, &low[0], sizeof c00);
    std::memcpy(&c10, &low[1], sizeof c10);
    std::memcpy(&c01, &high[0], sizeof c01);
    std::memcpy(&c11, &high[1], sizeof c11);
    const NodeVector h = (at.w00 * c00 + at.w10 * c10) + (at.w01 * c01 + at.w11 * c11);
    return {h[0], h[1], h[2]};
  }

 private:
  double cells_;             // an integer
  std::vector<Node> nodes_;  // face by face: x, y, spin largest
};

/// Axisymmetric patches, such as discs and soft fingers: a single curve over the share of spin in the motion, with
/// linear interpolation between its nodes.
class STICTION_EXPORT AxisymmetricCurve {
 public:
  /// `cells` from pure sliding to |v_t| = r |ω|, and as many from there to pure spin, up to 1000. Uses the wrenches of
  /// sliding along x. Throws InvalidParameter, also for a patch that is not axisymmetric: if a moment
  /// ∫ ζ^m ζ̄^n p dA with m ≠ n, m + n ≤ 4, which vanishes for a disc, is more than 0.15 of ∫ |ζ|^(m+n) p dA.
  explicit AxisymmetricCurve(const Patch& patch, std::size_t cells = 64);

  Vector3 operator()(const Vector3& v) const noexcept {
    const double sliding = std::sqrt(v[0] * v[0] + v[1] * v[1]);
    const double spinning = std::abs(v[2]);
    const bool slides = sliding >= spinning;
    const double larger = slides ? sliding : spinning;
    const double ratio = (slides ? spinning : sliding) / (larger == 0 ? 1 : larger);
    const double position = cells_ * (slides ? ratio : 2 - ratio);
    const double i = clip(std::floor(position), 0.0, 2 * cells_ - 1);
    const Node* const node = &nodes_[static_cast<std::size_t>(i >= 0 ? i : 0)];  // NaN: the weight is NaN too
    const double weight = position - i;
    const double along = node[0].sliding + weight * (node[1].sliding - node[0].sliding);
    const double about = node[0].spinning + weight * (node[1].spinning - node[0].spinning);
    const double per_sliding = along / (sliding == 0 ? 1 : sliding);
    return {per_sliding * v[0], per_sliding * v[1], about * sgn(v[2])};
  }

 private:
  struct Node {
    double sliding, spinning;  // h along the sliding direction, and about the axis; ≤ 0
  };
  double cells_;  // an integer
  std::vector<Node> nodes_;
};

/// Shapes that depend on one parameter, such as a soft finger's exponent, which increases with its load: surfaces for
/// some values, with linear interpolation between the two on either side of the selected value.
template <class Surface>
class SurfaceFamily {
 public:
#if defined(__cpp_exceptions)
  /// Parameters must be finite and ascending. Throws InvalidParameter.
  SurfaceFamily(std::vector<double> parameters, std::vector<Surface> members)
      : parameters_(std::move(parameters)), members_(std::move(members)) {
    if (members_.empty() || members_.size() != parameters_.size()) {
      throw InvalidParameter(Problem{"members", static_cast<double>(members_.size()), "one for each parameter"});
    }
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
      if (!finite.holds(parameters_[i]) || (i > 0 && !(parameters_[i] > parameters_[i - 1]))) {
        throw InvalidParameter(Problem{"parameters", parameters_[i], "finite and ascending"});
      }
    }
  }
#endif

  /// Selects the member with this parameter; outside the range, the nearest. NaN propagates to later results.
  void select(double parameter) noexcept {
    const auto above = std::upper_bound(parameters_.begin(), parameters_.end(), parameter);
    const auto index = static_cast<std::size_t>(above - parameters_.begin());
    high_ = std::min(index, parameters_.size() - 1);
    low_ = index > 0 ? index - 1 : 0;
    const double gap = parameters_[high_] - parameters_[low_];
    weight_ = gap > 0 ? (parameter - parameters_[low_]) / gap : 0 * parameter;
  }

  Vector3 operator()(const Vector3& v) const noexcept {
    const Vector3 a = members_[low_](v);
    const Vector3 b = members_[high_](v);
    return {a[0] + weight_ * (b[0] - a[0]), a[1] + weight_ * (b[1] - a[1]), a[2] + weight_ * (b[2] - a[2])};
  }

 private:
  std::vector<double> parameters_;
  std::vector<Surface> members_;
  std::size_t low_ = 0, high_ = 0;
  double weight_ = 0;
};

/// The paper's table over angles (eqs. 33 to 42): N_ls cells per 90°.
///   v_x = cos θ sin φ, v_y = sin θ sin φ, r ω = cos φ
class STICTION_EXPORT AngleTable {
 public:
  /// `quarter`: N_ls, up to 1000. `wrench`: computes the nodes, e.g. by the authors' rule. Throws InvalidParameter.
  using WrenchOf = Wrench (*)(const Patch&, const Twist&);
  explicit AngleTable(const Patch& patch, std::size_t quarter = 20, WrenchOf wrench = nullptr);

  Vector3 operator()(const Vector3& v) const noexcept;
  [[nodiscard]] double torque_radius() const noexcept { return torque_radius_; }

 private:
  std::size_t quarter_;
  double torque_radius_ = 0;
  std::vector<Vector3> nodes_;  // (4 N_ls + 1) × (N_ls + 1), φ fastest
};

}  // namespace stiction::planar
