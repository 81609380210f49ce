// Shared by models whose force is a continuous, odd-or-not function of velocity alone: no state, so nothing to advance.
#pragma once

#include <limits>

#include "stiction/math.h"
#include "stiction/roots.h"
#include "stiction/scalar/model.h"

namespace stiction::scalar {

/// `Law` offers `Real resistance(Real velocity)` with resistance·velocity ≥ 0, and `Real velocity_scale()`: the speed
/// over which it changes.
template <class Law, class Params, class Real>
struct Memoryless : ModelBase<Law, Params, Real> {
  using ModelBase<Law, Params, Real>::ModelBase;

  struct State {
    friend constexpr bool operator==(const State&, const State&) = default;
  };
  static constexpr std::size_t order = 0;
  static constexpr std::array<const char*, 0> state_names{};

  static constexpr std::array<Real, 0> typical() noexcept { return {}; }
  static constexpr std::array<Real, 0> pack(State) noexcept { return {}; }
  static constexpr State unpack(const std::array<Real, 0>&, State state) noexcept { return state; }

  constexpr State rate(State, Real) const noexcept { return {}; }
  constexpr State advance(State state, Real, Real) const noexcept { return state; }
  constexpr State at_rest(Real) const noexcept { return {}; }
  Real force(State, Real velocity) const noexcept { return law().resistance(velocity); }
  Real dissipated_power(State, Real velocity) const noexcept { return law().resistance(velocity) * velocity; }

  /// v⁺ = v_free − mobility·dt·F(v⁺). Friction never reverses a velocity, so the root is between 0 and v_free.
  Solved<State, Real> solve(State state, const CoupledStep<Real>& step) const noexcept {
    using std::abs;
    if (!can_step(step)) {
      return {not_a_number<Real>(), not_a_number<Real>(), state};
    }
    const Real free_velocity = step.free_velocity;
    const Real gain = step.gain();
    if (gain == Real(0)) {
      return {law().resistance(free_velocity), free_velocity, state};
    }
    const auto residual = [&](Real w) { return w + gain * law().resistance(w) - free_velocity; };
    const Real low = free_velocity < Real(0) ? free_velocity : Real(0);
    const Real high = free_velocity < Real(0) ? Real(0) : free_velocity;
    // If F(v) decreases there may be several roots: search from the present velocity, in the direction of the push.
    const Real start = clip(step.velocity, low, high);
    const Real end = residual(start) > Real(0) ? low : high;
    const Real tolerance = std::numeric_limits<Real>::min();
    const Real w =
        start == end ? start : first_root(start, end, law().velocity_scale() / Real(64), tolerance, residual);
    // For a denormal w, F(w) has lost its accuracy: F follows from the equation of motion.
    const bool stopped = abs(w) < tolerance / std::numeric_limits<Real>::epsilon() && w != free_velocity;
    return {stopped ? free_velocity / gain : law().resistance(w), w, state};
  }

 private:
  const Law& law() const noexcept { return this->self(); }
};

}  // namespace stiction::scalar
