// Many joints or contacts with Generalized Maxwell-Slip friction in one call.
#pragma once

#include <cstdint>

#include "stiction/export.h"
#include "stiction/scalar/batch.h"
#include "stiction/scalar/gms.h"

namespace stiction::scalar {

/// n GMS models with the same number of elements, each with its own parameters, advanced together. As for `Batch`
/// otherwise. Fast if every exponent δ is 2.
class STICTION_EXPORT GmsBatch {
 public:
  /// Throws InvalidParameter if the numbers of elements differ.
  explicit GmsBatch(std::span<const Gms> models);

  [[nodiscard]] std::size_t size() const noexcept { return columns_[0].size(); }
  [[nodiscard]] std::size_t elements() const noexcept { return elements_; }

  /// Advances every element over dt at the constant velocity of its joint and gives the friction at the end.
  ///   force[e·size() + i]  force of element e of joint i [N]
  ///   slipping[i]          bit e: element e of joint i slips; negative where it slips backwards; 0: all stick
  /// `force` has `elements()·size()` elements, the others `size()`; `friction` may be empty.
  void step(std::span<double> force, std::span<std::int32_t> slipping, std::span<const double> velocity, double dt,
            std::span<double> friction = {}) const noexcept;

 private:
  ParameterColumns<Gms> columns_;
  std::size_t elements_ = 0;
  std::vector<double> springs_;  // stiffness and share of each element
  bool plain_ = true;            // all joints have parameters that vectorise
};

}  // namespace stiction::scalar
