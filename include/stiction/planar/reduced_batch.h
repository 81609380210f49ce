// Many contact patches in one call: structure of arrays, vector instructions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "stiction/planar/reduced.h"

namespace stiction::planar {

/// n reduced models, each with its own friction and size, on limit surfaces that they may share. What
/// `Reduced<SurfaceTable>::step` gives one by one, but for the last digits. Building one allocates; `step` does not,
/// and is safe to call from several threads on separate arrays.
class ReducedBatch {
 public:
  struct Item {
    Friction friction;
    std::size_t surface = 0;        // which of the tables
    double torque_radius = 0;       // r [m], > 0
    double mean_square_radius = 0;  // u [m²]
  };
  /// Throws InvalidParameter.
  ReducedBatch(std::span<const SurfaceTable> surfaces, std::span<const Item> patches);

  [[nodiscard]] std::size_t size() const noexcept { return columns_[0].size(); }
  /// All x, then all y, then all turns of the states; the same for twists and wrenches.
  [[nodiscard]] std::size_t state_size() const noexcept { return 3 * size(); }

  /// The same shape in another size, as a soft finger's under another load.
  void resize(std::size_t patch, double r, double u) noexcept;

  /// Advances all states over dt at constant twists; the wrenches at the end. `normal_forces` has size() numbers, the
  /// others state_size().
  void step(std::span<double> states, std::span<const double> twists, std::span<const double> normal_forces, double dt,
            std::span<double> wrenches) const noexcept;

 private:
  std::array<std::vector<double>, 14> columns_;  // see reduced_batch.cpp
  std::vector<std::int64_t> first_node_;
  std::vector<SurfaceTable::Node> nodes_;
  bool plain_ = true;  // no patch needs what does not vectorise
};

}  // namespace stiction::planar
