#include "stiction/planar/reduced_batch.h"

#include <algorithm>
#include <limits>
#include <type_traits>

#include "reduced_batch_kernels.h"
#include "require.h"

namespace stiction::planar {
namespace {}  // namespace

template <class Real>
BasicReducedBatch<Real>::BasicReducedBatch(std::span<const SurfaceTable> surfaces, std::span<const Item> patches)
    : size_(patches.size()), blocks_((patches.size() + BatchBlock<Real>::chunk - 1) / BatchBlock<Real>::chunk) {
  std::vector<BatchIndex<Real>> first;
  for (const SurfaceTable& table : surfaces) {
    first.push_back(static_cast<BatchIndex<Real>>(cells_.size()));
    const auto& nodes = table.nodes();
    const std::size_t row = table.cells() + 1;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      BatchCell<Real> cell{};
      const std::array corners{i, i + 1, i + row, i + row + 1};
      for (std::size_t k = 0; k < 3; ++k) {
        for (std::size_t corner = 0; corner < 4; ++corner) {  // the last row and column have no cells of their own
          cell.h[k][corner] = static_cast<Real>(-nodes[std::min(corners[corner], nodes.size() - 1)].h[k]);
        }
      }
      cells_.push_back(cell);
    }
  }
  require(cells_.size() <= static_cast<std::size_t>(std::numeric_limits<BatchIndex<Real>>::max()),
          "surfaces (their cells)", static_cast<double>(cells_.size()), "no more than an index can count");
  for (std::size_t patch = 0; patch < patches.size(); ++patch) {
    const Item& item = patches[patch];
    const Friction& p = item.friction;
    if (const auto problem = check(p)) {
      throw InvalidParameter(*problem);
    }
    require(item.surface < surfaces.size(), "surface", static_cast<double>(item.surface),
            "one of the surfaces, from 0");
    require(usable_torque_radius(item.torque_radius), "torque_radius", item.torque_radius, torque_radii.text);
    require(mean_square_radii.holds(item.mean_square_radius), "mean_square_radius", item.mean_square_radius,
            mean_square_radii.text);
    const std::array<double, batch_columns> values{p.stiffness,
                                                   p.damping,
                                                   p.viscous,
                                                   p.static_level / p.stiffness,
                                                   (p.static_level - p.coulomb) / p.stiffness,
                                                   1 / p.stribeck_velocity,
                                                   p.stribeck_exponent,
                                                   0.5 * (1 + p.elastic_share) / (1 - p.elastic_share),
                                                   1 / (1 - p.elastic_share),
                                                   p.elasto_plastic ? 0.0 : 1.0,
                                                   item.torque_radius,
                                                   item.torque_radius > 0 ? 1 / item.torque_radius : 0,
                                                   item.mean_square_radius,
                                                   static_cast<double>(surfaces[item.surface].cells())};
    for (std::size_t i = 0; i < values.size(); ++i) {
      number(patch, i) = static_cast<Real>(values[i]);
    }
    blocks_[patch / BatchBlock<Real>::chunk].first_cell[patch % BatchBlock<Real>::chunk] = first[item.surface];
    plain_ = plain_ && p.stribeck_exponent == 2;
  }
}

template <class Real>
bool BasicReducedBatch<Real>::resize(std::size_t patch, double r, double u) noexcept {
  if (patch >= size_ || !usable_torque_radius(r) || !mean_square_radii.holds(u)) {
    return false;
  }
  number(patch, torque_radius) = static_cast<Real>(r);
  number(patch, per_torque_radius) = static_cast<Real>(r > 0 ? 1 / r : 0);
  number(patch, mean_square_radius) = static_cast<Real>(u);
  return true;
}

template <class Real>
void BasicReducedBatch<Real>::step(std::span<Real> states, std::span<const Real> twists,
                                   std::span<const Real> normal_forces, Real dt,
                                   std::span<Real> wrenches) const noexcept {
  const BatchWork<Real> work{blocks_.data(), cells_.data(),        size_, states.data(),
                             twists.data(),  normal_forces.data(), dt,    wrenches.data()};
  if constexpr (std::is_same_v<Real, double>) {
    reduced_batch_kernels().in_double(work, plain_);
  } else {
    reduced_batch_kernels().in_float(work, plain_);
  }
}

template class BasicReducedBatch<double>;
template class BasicReducedBatch<float>;

}  // namespace stiction::planar
