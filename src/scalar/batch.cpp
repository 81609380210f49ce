#include "stiction/scalar/batch.h"

#include "batch_kernels.h"
#include "stiction/scalar/dahl_batch.h"
#include "stiction/scalar/elasto_plastic_batch.h"
#include "stiction/scalar/lugre_batch.h"

namespace stiction::scalar {
namespace {

// Models that vectorise: with these parameters fixed, a step has no branches or calls.

template <class Params>
constexpr bool is_plain(const Params& p) noexcept {
  return p.stribeck_exponent == 2 && p.damping_velocity == infinity;
}
constexpr bool is_plain(const Dahl::Params& p) noexcept { return p.exponent == 1 || p.exponent == 2; }

template <class Model>
constexpr BatchKernel<Model> BatchKernels::*kernel = nullptr;
template <>
constexpr auto kernel<LuGre> = &BatchKernels::lugre;
template <>
constexpr auto kernel<Dahl> = &BatchKernels::dahl;
template <>
constexpr auto kernel<ElastoPlastic> = &BatchKernels::elasto_plastic;

}  // namespace

template <class Model>
Batch<Model>::Batch(std::span<const Model> models)
    : columns_(columns_of(models)),
      plain_(std::all_of(models.begin(), models.end(), [](const Model& model) { return is_plain(model.params()); })) {}

template <class Model>
void Batch<Model>::step(std::span<double> state, std::span<const double> velocity, double dt,
                        std::span<double> force) const noexcept {
  const std::size_t n = std::min({size(), state.size(), velocity.size(), force.empty() ? size() : force.size()});
  (batch_kernels().*kernel<Model>)(starts_of<Model>(columns_), plain_, n, state.data(), velocity.data(), elapsed(dt),
                                   force.data());
}

template class Batch<LuGre>;
template class Batch<Dahl>;
template class Batch<ElastoPlastic>;

}  // namespace stiction::scalar
