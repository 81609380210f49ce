#include "stiction/scalar/gms_batch.h"

#include "batch_kernels.h"

namespace stiction::scalar {

GmsBatch::GmsBatch(std::span<const Gms> models)
    : columns_(columns_of(models)), elements_(models.empty() ? 0 : models[0].states_in_use()) {
  for (const Gms& model : models) {
    if (model.states_in_use() != elements_) {
      throw InvalidParameter({"stiffness", static_cast<double>(model.states_in_use()),
                              "as many as in the other models of the batch", true});
    }
    plain_ = plain_ && model.params().stribeck_exponent == 2;
  }
  springs_.resize((models.size() + lanes - 1) / lanes * elements_ * 2 * lanes);
  for (std::size_t i = 0; i < models.size(); ++i) {
    for (std::size_t element = 0; element < elements_; ++element) {
      double* spring = springs_.data() + springs_of(elements_, i, element) + i % lanes;
      spring[0] = models[i].params().stiffness[element];
      spring[lanes] = models[i].params().share[element];
    }
  }
}

void GmsBatch::step(std::span<double> force, std::span<std::int32_t> slipping, std::span<const double> velocity,
                    double dt, std::span<double> friction) const noexcept {
  if (force.size() < elements_ * size()) {
    return;
  }
  const std::size_t n =
      std::min({size(), slipping.size(), velocity.size(), friction.empty() ? size() : friction.size()});
  const GmsJoints joints{starts_of<Gms>(columns_), size(), elements_, springs_.data()};
  batch_kernels().gms(joints, plain_, n, force.data(), slipping.data(), velocity.data(), elapsed(dt), friction.data());
}

}  // namespace stiction::scalar
