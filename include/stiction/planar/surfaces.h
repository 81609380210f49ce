// The shape of a limit surface, for reduced models: h(v), the wrench of sliding in the direction of v, each component
// over its largest value.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "stiction/planar/limit_surface.h"

namespace stiction::planar {

/// (v_x, v_y, r ω) or (f_x, f_y, τ/r): three numbers of one unit.
using Scaled = std::array<double, 3>;

/// The ellipsoid: h = −v/|v|. Friction of any patch, roughly, without a table.
struct Ellipsoid {
  Scaled operator()(const Scaled& v) const noexcept {
    const double length = std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    const double factor = length > 0 ? -1 / length : 0;
    return {factor * v[0], factor * v[1], factor * v[2]};
  }
};

/// A table over the three faces of a half cube with bilinear interpolation: look-up takes one division and no angles.
/// h(−v) = −h(v). It depends on the patch's shape only, not on its size.
class SurfaceTable {
 public:
  /// `cells` along each side of a face. 24 make about as many nodes as the paper's N_ls = 20. Throws InvalidParameter.
  explicit SurfaceTable(const Patch& patch, std::size_t cells = 24, Rule rule = Rule::exact);

  /// (f_x, f_y, τ/r) for μ f_N = 1; none for no motion.
  Scaled operator()(const Scaled& v) const noexcept;
  [[nodiscard]] std::size_t cells() const noexcept { return cells_; }

 private:
  struct Node {
    std::array<double, 4> h;  // the last is not used: nodes are read as one vector
  };
  std::size_t cells_;
  std::vector<Node> nodes_;  // face by face: x, y, spin largest
};

/// The paper's table over angles (eqs. 33 to 42): N_ls cells for a quarter turn.
///   v_x = cos θ sin φ, v_y = sin θ sin φ, r ω = cos φ
class AngleTable {
 public:
  /// `wrench`: how the nodes are computed, e.g. the authors' rule. Throws InvalidParameter.
  using WrenchOf = Wrench (*)(const Patch&, const Twist&);
  explicit AngleTable(const Patch& patch, std::size_t quarter = 20, WrenchOf wrench = nullptr);

  Scaled operator()(const Scaled& v) const noexcept;
  [[nodiscard]] double torque_radius() const noexcept { return torque_radius_; }

 private:
  std::size_t quarter_;
  double torque_radius_ = 0;
  std::vector<Scaled> nodes_;  // (4 N_ls + 1) × (N_ls + 1), φ fastest
};

}  // namespace stiction::planar
