#include "stiction/scalar/batch.h"

#include <cmath>

#include "batch_columns.h"
#include "stiction/scalar/dahl_batch.h"
#include "stiction/scalar/elasto_plastic_batch.h"
#include "stiction/scalar/lugre_batch.h"

namespace stiction::scalar {
namespace {

// What vectorises: fixing these parameters leaves a step without branches and calls.

template <class Params>
constexpr bool is_plain(const Params& p) noexcept {
  return p.stribeck_exponent == 2 && p.damping_velocity == infinity;
}
constexpr bool is_plain(const Dahl::Params& p) noexcept { return p.exponent == 1 || p.exponent == 2; }

/// The model of a joint; `Plain`: known to be a plain one.
template <class Model, bool Plain>
STICTION_ALWAYS_INLINE Model model_at(const Columns<Model>& columns, std::size_t i) noexcept {
  auto params = params_at<Model>(columns, i);
  if constexpr (Plain) {
    params.stribeck_exponent = 2;
    params.damping_velocity = infinity;
  }
  return Model(params);
}

struct Next {
  double state, force;
};

template <bool Plain>
STICTION_ALWAYS_INLINE Next step_one(const Columns<LuGre>& columns, std::size_t i, double state, double velocity,
                                     double dt) noexcept {
  const auto next = model_at<LuGre, Plain>(columns, i).step({state}, velocity, dt);
  return {next.state.bristle, next.force};
}

/// α = 1 and α = 2 side by side: a joint takes the one it has.
template <bool Plain>
STICTION_ALWAYS_INLINE Next step_one(const Columns<Dahl>& columns, std::size_t i, double state, double velocity,
                                     double dt) noexcept {
  const auto params = params_at<Dahl>(columns, i);
  const auto with_exponent = [&](double exponent) {
    const auto next = Dahl({params.stiffness, params.coulomb_force, exponent}).step({state}, velocity, dt);
    return Next{next.state.force, next.force};
  };
  if constexpr (Plain) {
    const Next one = with_exponent(1);
    const Next two = with_exponent(2);
    return {params.exponent == 1 ? one.state : two.state, params.exponent == 1 ? one.force : two.force};
  } else {
    return with_exponent(params.exponent);
  }
}

template <bool Plain, class Model>
STICTION_ALWAYS_INLINE void step_all(const Columns<Model> columns, std::size_t n, double* state, const double* velocity,
                                     double dt, double* force) noexcept {
  STICTION_INDEPENDENT_ITERATIONS
  for (std::size_t i = 0; i < n; ++i) {
    const Next next = step_one<Plain>(columns, i, state[i], velocity[i], dt);
    state[i] = next.state;
    if (force != nullptr) {
      force[i] = next.force;
    }
  }
}

/// The number of Runge-Kutta steps differs by joint: a few joints go through them together, and those that are done
/// wait for the others.
template <bool Plain>
STICTION_ALWAYS_INLINE void step_some(const Columns<ElastoPlastic>& columns, std::size_t at, std::size_t count,
                                      double* state, const double* velocity, double dt, double* force) noexcept {
  const auto path_of = [&](const ElastoPlastic& model, std::size_t i) {
    const double along = velocity[i] < 0 ? -state[i] : state[i];
    return model.path_of(along, std::abs(velocity[i]) * dt, model.curve(velocity[i]) / model.stiffness);
  };
  std::array<double, lanes> u{};
  std::array<double, lanes> ratio{};
  std::array<double, lanes> step{};
  std::array<double, lanes> steps{};
  for (std::size_t lane = 0; lane < count; ++lane) {
    const auto path = path_of(model_at<ElastoPlastic, Plain>(columns, at + lane), at + lane);
    u[lane] = path.u;
    ratio[lane] = path.ratio;
    step[lane] = path.step;
    steps[lane] = path.steps;
  }
  double most = 0;
  for (std::size_t lane = 0; lane < count; ++lane) {
    most = std::max(most, steps[lane]);
  }
  for (double i = 0; i < most; ++i) {
    for (std::size_t lane = 0; lane < count; ++lane) {
      const double next = ElastoPlastic::plastic_step(step[lane], ratio[lane], u[lane]);
      u[lane] = i < steps[lane] ? next : u[lane];
    }
  }
  STICTION_INDEPENDENT_ITERATIONS
  for (std::size_t lane = 0; lane < count; ++lane) {
    const std::size_t i = at + lane;
    const auto model = model_at<ElastoPlastic, Plain>(columns, i);
    const double along = model.end_of(path_of(model, i), u[lane]);
    state[i] = velocity[i] < 0 ? -along : along;
    if (force != nullptr) {
      force[i] = model.force({state[i]}, velocity[i]);
    }
  }
}

template <bool Plain>
STICTION_ALWAYS_INLINE void step_all(const Columns<ElastoPlastic>& columns, std::size_t n, double* state,
                                     const double* velocity, double dt, double* force) noexcept {
  in_chunks(n, [&](std::size_t at, std::size_t count)
                   STICTION_INLINE_LAMBDA { step_some<Plain>(columns, at, count, state, velocity, dt, force); });
}

STICTION_SIMD_CLONES void step_plain(const Columns<LuGre>& columns, std::size_t n, double* state,
                                     const double* velocity, double dt, double* force) noexcept {
  step_all<true>(columns, n, state, velocity, dt, force);
}
STICTION_SIMD_CLONES void step_plain(const Columns<Dahl>& columns, std::size_t n, double* state, const double* velocity,
                                     double dt, double* force) noexcept {
  step_all<true>(columns, n, state, velocity, dt, force);
}
STICTION_SIMD_CLONES void step_plain(const Columns<ElastoPlastic>& columns, std::size_t n, double* state,
                                     const double* velocity, double dt, double* force) noexcept {
  step_all<true>(columns, n, state, velocity, dt, force);
}

}  // namespace

template <class Model>
Batch<Model>::Batch(std::span<const Model> models)
    : columns_(columns_of(models)),
      plain_(std::all_of(models.begin(), models.end(), [](const Model& model) { return is_plain(model.params()); })) {}

template <class Model>
void Batch<Model>::step(std::span<double> state, std::span<const double> velocity, double dt,
                        std::span<double> force) const noexcept {
  const std::size_t n = std::min({size(), state.size(), velocity.size(), force.empty() ? size() : force.size()});
  const auto columns = starts_of<Model>(columns_);
  const double time = elapsed(dt);
  if (plain_) {
    step_plain(columns, n, state.data(), velocity.data(), time, force.data());
  } else {
    step_all<false>(columns, n, state.data(), velocity.data(), time, force.data());
  }
}

template class Batch<LuGre>;
template class Batch<Dahl>;
template class Batch<ElastoPlastic>;

}  // namespace stiction::scalar
