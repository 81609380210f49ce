#include "stiction/scalar/lugre_batch.h"

#include <algorithm>

// One source, compiled for several instruction sets, the best picked when the program starts. The sanitizers cannot run
// the code that picks, and clang gains nothing from it.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__) && !defined(__AVX2__)
#define STICTION_SIMD_CLONES __attribute__((target_clones("arch=skylake-avx512", "avx2", "default")))
#else
#define STICTION_SIMD_CLONES
#endif

namespace stiction::scalar {
namespace {

struct Columns {
  const double* __restrict__ stiffness;
  const double* __restrict__ coulomb_force;
  const double* __restrict__ static_force;
  const double* __restrict__ stribeck_velocity;
  const double* __restrict__ damping;
  const double* __restrict__ viscous;
};

/// `LuGre::step` for δ = 2 and constant σ₁, in the same order of operations, without branches.
template <bool WithForce>
[[gnu::always_inline]] inline void step_all(const Columns& p, std::size_t n, double* __restrict__ bristle,
                                            const double* __restrict__ velocity, double dt,
                                            double* __restrict__ force) noexcept {
  for (std::size_t i = 0; i < n; ++i) {
    const LuGre model({.stiffness = p.stiffness[i],
                       .damping = p.damping[i],
                       .coulomb_force = p.coulomb_force[i],
                       .static_force = p.static_force[i],
                       .stribeck_velocity = p.stribeck_velocity[i],
                       .stribeck_exponent = 2,
                       .viscous = p.viscous[i],
                       .damping_velocity = infinity});
    const auto next = model.step({bristle[i]}, velocity[i], dt);
    bristle[i] = next.state.bristle;
    if constexpr (WithForce) {
      force[i] = next.force;
    }
  }
}

STICTION_SIMD_CLONES void step_states(const Columns& p, std::size_t n, double* bristle, const double* velocity,
                                      double dt) noexcept {
  step_all<false>(p, n, bristle, velocity, dt, nullptr);
}

STICTION_SIMD_CLONES void step_forces(const Columns& p, std::size_t n, double* bristle, const double* velocity,
                                      double dt, double* force) noexcept {
  step_all<true>(p, n, bristle, velocity, dt, force);
}

}  // namespace

LuGreBatch::LuGreBatch(std::span<const LuGre> models) {
  for (auto* column : {&stiffness_, &coulomb_force_, &static_force_, &stribeck_velocity_, &stribeck_exponent_,
                       &damping_, &damping_velocity_, &viscous_}) {
    column->reserve(models.size());
  }
  for (const LuGre& model : models) {
    const auto p = model.params();
    stiffness_.push_back(p.stiffness);
    coulomb_force_.push_back(p.coulomb_force);
    static_force_.push_back(p.static_force);
    stribeck_velocity_.push_back(p.stribeck_velocity);
    stribeck_exponent_.push_back(p.stribeck_exponent);
    damping_.push_back(p.damping);
    damping_velocity_.push_back(p.damping_velocity);
    viscous_.push_back(p.viscous);
    plain_ = plain_ && p.stribeck_exponent == 2 && model.damping.constant();
  }
}

void LuGreBatch::step(std::span<double> bristle, std::span<const double> velocity, double dt,
                      std::span<double> force) const noexcept {
  const std::size_t n = std::min({size(), bristle.size(), velocity.size(), force.empty() ? size() : force.size()});
  if (plain_) {
    const Columns columns{stiffness_.data(),         coulomb_force_.data(), static_force_.data(),
                          stribeck_velocity_.data(), damping_.data(),       viscous_.data()};
    if (force.empty()) {
      step_states(columns, n, bristle.data(), velocity.data(), dt);
    } else {
      step_forces(columns, n, bristle.data(), velocity.data(), dt, force.data());
    }
    return;
  }
  for (std::size_t i = 0; i < n; ++i) {
    const LuGre model({stiffness_[i], damping_[i], coulomb_force_[i], static_force_[i], stribeck_velocity_[i],
                       stribeck_exponent_[i], viscous_[i], damping_velocity_[i]});
    const auto next = model.step({bristle[i]}, velocity[i], dt);
    bristle[i] = next.state.bristle;
    if (!force.empty()) {
      force[i] = next.force;
    }
  }
}

}  // namespace stiction::scalar
