#include "stiction/scalar/gms_batch.h"

#include <cmath>

#include "batch_columns.h"

namespace stiction::scalar {
namespace {

struct Joints {
  Columns<Gms> columns;
  std::size_t size, elements;
  const double *stiffness, *share;
};

/// `Gms::step` for a few joints side by side, element after element.
template <bool Plain>
STICTION_ALWAYS_INLINE void step_some(const Joints& joints, std::size_t at, std::size_t count, double* force,
                                      std::int32_t* slipping, const double* velocity, double dt,
                                      double* friction) noexcept {
  std::array<double, lanes> direction{};
  std::array<double, lanes> limits{};  // s(v): an element's limit is its share of it
  std::array<double, lanes> left{};
  std::array<double, lanes> sum{};
  std::array<std::int64_t, lanes> slips{};
  for (std::size_t lane = 0; lane < count; ++lane) {
    const auto params = params_at<Gms>(joints.columns, at + lane);
    const double v = velocity[at + lane];
    const StribeckCurve<double> curve{params.coulomb_force, params.static_force, params.stribeck_velocity,
                                      Plain ? 2 : params.stribeck_exponent};
    const std::int64_t before = slipping[at + lane];
    direction[lane] = sgn(v);
    limits[lane] = curve(v);
    left[lane] = 1 - decay(params.attraction * dt / limits[lane]);
    sum[lane] = params.viscous * v;
    // All elements stick where the velocity has changed its sign.
    slips[lane] = static_cast<double>(before) * direction[lane] > 0 ? (before < 0 ? -before : before) : 0;
  }
  for (std::size_t element = 0; element < joints.elements; ++element) {
    const std::size_t first = element * joints.size + at;
    const std::int64_t bit = std::int64_t{1} << element;
    STICTION_INDEPENDENT_ITERATIONS
    for (std::size_t lane = 0; lane < count; ++lane) {
      const std::size_t i = first + lane;
      const double v = velocity[at + lane];
      const auto next =
          Gms::element_after(direction[lane] * force[i], (slips[lane] & bit) != 0,
                             joints.stiffness[i] * std::abs(v) * dt, joints.share[i] * limits[lane], left[lane]);
      const double at_rest = element == 0 ? force[i] + v * dt : force[i];  // nothing changes; NaN shows
      force[i] = direction[lane] != 0 ? direction[lane] * next.along : at_rest;
      slips[lane] |= next.slips ? bit : 0;
      sum[lane] += force[i];
    }
  }
  for (std::size_t lane = 0; lane < count; ++lane) {
    slipping[at + lane] = static_cast<std::int32_t>(direction[lane] < 0 ? -slips[lane] : slips[lane]);
    if (friction != nullptr) {
      friction[at + lane] = sum[lane];
    }
  }
}

template <bool Plain>
STICTION_ALWAYS_INLINE void step_all(const Joints& joints, std::size_t n, double* force, std::int32_t* slipping,
                                     const double* velocity, double dt, double* friction) noexcept {
  in_chunks(n, [&](std::size_t at, std::size_t count) STICTION_INLINE_LAMBDA {
    step_some<Plain>(joints, at, count, force, slipping, velocity, dt, friction);
  });
}

STICTION_SIMD_CLONES void step_plain(const Joints& joints, std::size_t n, double* force, std::int32_t* slipping,
                                     const double* velocity, double dt, double* friction) noexcept {
  step_all<true>(joints, n, force, slipping, velocity, dt, friction);
}

}  // namespace

GmsBatch::GmsBatch(std::span<const Gms> models)
    : columns_(columns_of(models)), elements_(models.empty() ? 0 : models[0].states_in_use()) {
  for (const Gms& model : models) {
    if (model.states_in_use() != elements_) {
      throw InvalidParameter({"stiffness", static_cast<double>(model.states_in_use()),
                              "as many as in the other models of the batch", true});
    }
    plain_ = plain_ && model.params().stribeck_exponent == 2;
  }
  for (std::size_t element = 0; element < elements_; ++element) {
    for (const Gms& model : models) {
      stiffness_.push_back(model.params().stiffness[element]);
      share_.push_back(model.params().share[element]);
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
  const Joints joints{starts_of<Gms>(columns_), size(), elements_, stiffness_.data(), share_.data()};
  const double time = elapsed(dt);
  if (plain_) {
    step_plain(joints, n, force.data(), slipping.data(), velocity.data(), time, friction.data());
  } else {
    step_all<false>(joints, n, force.data(), slipping.data(), velocity.data(), time, friction.data());
  }
}

}  // namespace stiction::scalar
