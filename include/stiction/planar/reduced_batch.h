// Many contact patches in one call: structure of arrays, SIMD.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "stiction/export.h"
#include "stiction/planar/reduced.h"

namespace stiction::planar {

// Memory layout of a batch: patches are stored in blocks, with one column for each parameter.
inline constexpr std::size_t batch_columns = 14;  // see reduced_batch.cpp
template <class Real>
using BatchIndex = typename SurfaceTable::BasicSpot<Real>::Index;
template <class Number>
struct alignas(64) BatchColumn : std::array<Number, 512 / sizeof(Number)> {};
template <class Real>
struct BatchBlock : std::array<BatchColumn<Real>, batch_columns> {
  static constexpr std::size_t chunk = 512 / sizeof(Real);
  BatchColumn<BatchIndex<Real>> first_cell;  // of its limit surface
};
/// −h at the four corners of a table's cell, component by component.
template <class Real>
struct alignas(16 * sizeof(Real)) BatchCell {
  std::array<std::array<Real, 4>, 4> h;  // the last is unused: a cell is read as one vector
};

/// n reduced models, each with its own friction and size, on limit surfaces that they may share. Results equal those of
/// `Reduced<SurfaceTable>::step` except for rounding. The constructor allocates; `step` does not, and may be called
/// from several threads on separate arrays. Single precision is about twice as fast. One step is then accurate to 1e-4
/// of the largest force at its speed, (μ_S + σ₁ |v| (1 + μ_S/μ_C) + σ₂ |v|) f_N; simulations with the paper's
/// parameters to 2e-4 of it. With paths beyond z_max in a step and a narrow plastic range (s_ba near 1) simulations
/// diverge from each other, as they do for any difference in rounding. In one step a path below 1e-7 of the bristle's
/// length is lost.
template <class Real>
class BasicReducedBatch {
 public:
  struct Item {
    Friction friction;
    std::size_t surface = 0;        // index of its table
    double torque_radius = 0;       // r [m], in [1e-20, 1e7]; or 0 for a single point, which transmits no torque
    double mean_square_radius = 0;  // u [m²], in [0, 1e14]
  };
  /// Throws InvalidParameter.
  BasicReducedBatch(std::span<const SurfaceTable> surfaces, std::span<const Item> patches);

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  /// All x, then all y, then all rotations of the states; likewise for twists and wrenches.
  [[nodiscard]] std::size_t state_size() const noexcept { return 3 * size(); }

  /// Sets the size for the same shape, as for a soft finger under another load. Returns false and changes nothing if
  /// there is no such patch or a size is out of range.
  [[nodiscard]] bool resize(std::size_t patch, double r, double u) noexcept;

  /// Advances all states by dt at constant twists, and gives the wrenches at the end. `normal_forces` has size()
  /// numbers, the others state_size(). A negative normal force counts as 0; NaN propagates to the wrench of its patch.
  void step(std::span<Real> states, std::span<const Real> twists, std::span<const Real> normal_forces, Real dt,
            std::span<Real> wrenches) const noexcept;

 private:
  Real& number(std::size_t patch, std::size_t column) noexcept {
    return blocks_[patch / BatchBlock<Real>::chunk][column][patch % BatchBlock<Real>::chunk];
  }

  std::size_t size_;
  std::vector<BatchBlock<Real>> blocks_;
  std::vector<BatchCell<Real>> cells_;
  bool plain_ = true;  // all patches can be vectorised
};
extern template class STICTION_EXPORT BasicReducedBatch<double>;
extern template class STICTION_EXPORT BasicReducedBatch<float>;
using ReducedBatch = BasicReducedBatch<double>;
using ReducedBatchF = BasicReducedBatch<float>;

}  // namespace stiction::planar
