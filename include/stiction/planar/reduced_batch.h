// Many contact patches in one call: structure of arrays, vector instructions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "stiction/planar/reduced.h"

namespace stiction::planar {

// How a batch keeps its patches: a block of them lies together, one column for each parameter.
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
  std::array<std::array<Real, 4>, 4> h;  // the last is not used: a cell is read as one vector
};

/// n reduced models, each with its own friction and size, on limit surfaces that they may share. What
/// `Reduced<SurfaceTable>::step` gives one by one, but for the last digits. Building one allocates; `step` does not,
/// and is safe to call from several threads on separate arrays. In single precision it is about twice as fast. One step
/// is then good to 1e-4 of the largest force at its speed, (μ_S + σ₁ |v| (1 + μ_S/μ_C) + σ₂ |v|) f_N; runs with the
/// paper's parameters to 2e-4 of it. With paths beyond z_max in a step and a narrow plastic range (s_ba near 1) runs
/// part, as those of any two roundings. A path of less than 1e-7 of the bristle's length in one step is lost.
template <class Real>
class BasicReducedBatch {
 public:
  struct Item {
    Friction friction;
    std::size_t surface = 0;        // which of the tables
    double torque_radius = 0;       // r [m], in [1e-20, 1e7]; or 0 for a single point, which takes no torque
    double mean_square_radius = 0;  // u [m²], in [0, 1e14]
  };
  /// Throws InvalidParameter.
  BasicReducedBatch(std::span<const SurfaceTable> surfaces, std::span<const Item> patches);

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  /// All x, then all y, then all turns of the states; the same for twists and wrenches.
  [[nodiscard]] std::size_t state_size() const noexcept { return 3 * size(); }

  /// The same shape in another size, as a soft finger's under another load. False, and nothing changes, where there is
  /// no such patch or a size is out of its range.
  [[nodiscard]] bool resize(std::size_t patch, double r, double u) noexcept;

  /// Advances all states over dt at constant twists; the wrenches at the end. `normal_forces` has size() numbers, the
  /// others state_size(). A normal force below 0 counts as 0; NaN shows in the wrench of its patch.
  void step(std::span<Real> states, std::span<const Real> twists, std::span<const Real> normal_forces, Real dt,
            std::span<Real> wrenches) const noexcept;

 private:
  Real& number(std::size_t patch, std::size_t column) noexcept {
    return blocks_[patch / BatchBlock<Real>::chunk][column][patch % BatchBlock<Real>::chunk];
  }

  std::size_t size_;
  std::vector<BatchBlock<Real>> blocks_;
  std::vector<BatchCell<Real>> cells_;
  bool plain_ = true;  // no patch needs what does not vectorise
};
extern template class BasicReducedBatch<double>;
extern template class BasicReducedBatch<float>;
using ReducedBatch = BasicReducedBatch<double>;
using ReducedBatchF = BasicReducedBatch<float>;

}  // namespace stiction::planar
