// Many joints or contacts in one call: structure of arrays, SIMD chosen at run time.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "stiction/scalar/model.h"

namespace stiction::scalar {

/// The parameters of many models, one column for each field.
template <class Model>
using ParameterColumns = std::array<std::vector<double>, Model::fields.size()>;

/// n models of one kind, each with its own parameters and one state, advanced together. Bitwise identical to
/// `Model::step` one by one, on every processor, unless your own compiler flags fuse multiplications and additions.
/// Building one allocates; `step` does not, and is safe to call from several threads on separate arrays.
template <class Model>
class Batch {
 public:
  explicit Batch(std::span<const Model> models);

  [[nodiscard]] std::size_t size() const noexcept { return columns_[0].size(); }

  /// Advances every state over dt at its constant velocity and gives the force at the end.
  /// All three spans have `size()` elements; `force` may be empty if only the states are needed.
  void step(std::span<double> state, std::span<const double> velocity, double dt,
            std::span<double> force = {}) const noexcept;

 private:
  ParameterColumns<Model> columns_;
  bool plain_;  // all joints have parameters that vectorise
};

}  // namespace stiction::scalar
