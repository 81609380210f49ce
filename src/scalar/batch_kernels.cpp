#include "batch_kernels.h"

#include <cmath>

namespace stiction::scalar {
namespace {

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

/// Computes α = 1 and α = 2; each joint selects its own.
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

/// The number of Runge-Kutta steps differs by joint: a chunk of joints is processed together, and those that are done
/// wait for the others.
template <bool Plain>
STICTION_ALWAYS_INLINE void step_chunk(const Columns<ElastoPlastic>& columns, std::size_t at, std::size_t count,
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
  double max_steps = 0;
  for (std::size_t lane = 0; lane < count; ++lane) {
    max_steps = std::max(max_steps, steps[lane]);
  }
  for (double i = 0; i < max_steps; ++i) {
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
                   STICTION_INLINE_LAMBDA { step_chunk<Plain>(columns, at, count, state, velocity, dt, force); });
}

/// `Gms::step` for a few joints side by side, element after element.
template <bool Plain>
STICTION_ALWAYS_INLINE void step_chunk(const GmsJoints& joints, std::size_t at, std::size_t count, double* force,
                                       std::int32_t* slipping, const double* velocity, double dt,
                                       double* friction) noexcept {
  std::array<double, lanes> direction{};
  std::array<double, lanes> limits{};  // s(v): an element's limit is a share of it
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
    const double* stiffness = joints.springs + springs_of(joints.elements, at, element);
    const double* share = stiffness + lanes;
    const std::int64_t bit = std::int64_t{1} << element;
    STICTION_INDEPENDENT_ITERATIONS
    for (std::size_t lane = 0; lane < count; ++lane) {
      const std::size_t i = first + lane;
      const double v = velocity[at + lane];
      const auto next = Gms::element_after(direction[lane] * force[i], (slips[lane] & bit) != 0,
                                           stiffness[lane] * std::abs(v) * dt, share[lane] * limits[lane], left[lane]);
      const double at_rest = element == 0 ? force[i] + v * dt : force[i];  // nothing changes; a NaN propagates
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
STICTION_ALWAYS_INLINE void step_all(const GmsJoints joints, std::size_t n, double* force, std::int32_t* slipping,
                                     const double* velocity, double dt, double* friction) noexcept {
  in_chunks(n, [&](std::size_t at, std::size_t count) STICTION_INLINE_LAMBDA {
    step_chunk<Plain>(joints, at, count, force, slipping, velocity, dt, friction);
  });
}

template <class Model>
STICTION_ALWAYS_INLINE void step(const Columns<Model>& columns, bool plain, std::size_t n, double* state,
                                 const double* velocity, double dt, double* force) noexcept {
  if (plain) {
    step_all<true>(columns, n, state, velocity, dt, force);
  } else {
    step_all<false>(columns, n, state, velocity, dt, force);
  }
}
STICTION_KERNEL void step_lugre(const Columns<LuGre>& columns, bool plain, std::size_t n, double* state,
                                const double* velocity, double dt, double* force) noexcept {
  step(columns, plain, n, state, velocity, dt, force);
}
STICTION_KERNEL void step_dahl(const Columns<Dahl>& columns, bool plain, std::size_t n, double* state,
                               const double* velocity, double dt, double* force) noexcept {
  step(columns, plain, n, state, velocity, dt, force);
}
STICTION_KERNEL void step_elasto_plastic(const Columns<ElastoPlastic>& columns, bool plain, std::size_t n,
                                         double* state, const double* velocity, double dt, double* force) noexcept {
  step(columns, plain, n, state, velocity, dt, force);
}
STICTION_KERNEL void step_gms(const GmsJoints& joints, bool plain, std::size_t n, double* force, std::int32_t* slipping,
                              const double* velocity, double dt, double* friction) noexcept {
  if (plain) {
    step_all<true>(joints, n, force, slipping, velocity, dt, friction);
  } else {
    step_all<false>(joints, n, force, slipping, velocity, dt, friction);
  }
}

}  // namespace

constinit const BatchKernels STICTION_THIS_TABLE(batch_kernels){step_lugre, step_dahl, step_elasto_plastic, step_gms};

}  // namespace stiction::scalar
