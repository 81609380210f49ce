// Shared by models that stick exactly: at rest the friction equals the load, up to break-away.
#pragma once

#include <cmath>
#include <limits>

#include "stiction/math.h"
#include "stiction/roots.h"
#include "stiction/scalar/model.h"

namespace stiction::scalar {

/// The speed w > 0 with  w + gain·friction(w) = free_speed  that the body reaches from `speed`; 0 if it stops. `fine`
/// is the smallest speed over which the friction changes, `steep` are speeds near which it does so within an octave.
template <class Real, class Friction, std::size_t N = 0>
Real speed_reached(Real free_speed, Real gain, Real speed, Real fine, const Friction& friction,
                   const std::array<Real, N>& steep = {}) noexcept {
  if (!(free_speed > Real(0))) {
    return Real(0);
  }
  const auto residual = [&](Real w) { return w + gain * friction(w) - free_speed; };
  const Real start = clip(speed, Real(0), free_speed);
  const Real end = residual(start) > Real(0) ? Real(0) : free_speed;
  if (start == end) {
    return end == Real(0) ? Real(0) : free_speed;
  }
  const Real tolerance = std::numeric_limits<Real>::epsilon() * free_speed / Real(4);
  const Real smallest = fine > tolerance ? fine : tolerance;
  if constexpr (N > 0) {
    return first_root_past(steep, start, end, smallest, tolerance, residual, Real(256) * tolerance);
  } else {
    return first_root(start, end, smallest, tolerance, residual, Real(256) * tolerance);
  }
}

/// `Law` provides, for a direction of ±1:
///   Real sliding_force(Real speed, Real direction)   magnitude while sliding at speed ≥ 0; at 0 the limit from above
///   Real breakaway_force(Real direction)             the largest load held at rest, ≥ sliding_force(0⁺)
///   Real velocity_scale()                            the speed over which sliding_force changes
/// and, if it has a closed form for `speed_reached`, `Real sliding_speed(Real free_speed, Real gain, Real speed)`.
template <class Law, class Params, class Real>
struct SetValued : ModelBase<Law, Params, Real> {
  using ModelBase<Law, Params, Real>::ModelBase;

  struct State {
    Mode mode = Mode::stick;
    friend constexpr bool operator==(const State&, const State&) = default;
  };
  static constexpr std::size_t order = 0;
  static constexpr std::size_t guard_count = 2;
  static constexpr std::array<const char*, 0> state_names{};
  static constexpr std::array<const char*, 1> mode_names{"mode"};

  static constexpr std::array<double, 1> modes(State state) noexcept { return {plain_mode(state.mode)}; }
  static constexpr bool held(State state) noexcept { return state.mode == Mode::stick; }
  static constexpr Real velocity_after(State state, Real velocity) noexcept { return held(state) ? Real(0) : velocity; }

  static constexpr std::array<Real, 0> typical() noexcept { return {}; }
  static constexpr std::array<Real, 0> pack(State) noexcept { return {}; }
  static constexpr State unpack(const std::array<Real, 0>&, State state) noexcept { return state; }

  constexpr State rate(State, Real) const noexcept { return {}; }  // nothing evolves between events
  constexpr State at_rest(Real) const noexcept { return {}; }
  constexpr State advance(State, Real velocity, Real) const noexcept { return mode_at(velocity); }

  /// Resistance while sliding; 0 at v = 0, where the load decides: see the overload with a load.
  Real force(State, Real velocity) const noexcept {
    using std::abs;
    const Real direction = sgn(velocity);
    return direction == Real(0) ? velocity
                                : direction * law().sliding_force(abs(velocity), direction);  // a NaN propagates
  }

  /// Resistance under a load (the sum of all other forces on the body), also at rest.
  ///   stick: F = clip(load, −F_S⁻, F_S⁺)       slip: F = ± sliding force
  Real force(State state, Real velocity, Real load) const noexcept {
    if (state.mode == Mode::stick) {
      return clip(load, -law().breakaway_force(Real(-1)), law().breakaway_force(Real(1)));
    }
    const Real direction = direction_of(state.mode);
    const Real speed = direction * velocity;
    return direction * law().sliding_force(speed < Real(0) ? Real(0) : speed, direction);
  }

  Real dissipated_power(State state, Real velocity) const noexcept { return force(state, velocity) * velocity; }

  /// Positive inside the mode. Stick: the margin to break-away in both directions. Slip: the speed.
  std::array<Real, 2> guards(State state, Real velocity, Real load) const noexcept {
    if (state.mode == Mode::stick) {
      return {law().breakaway_force(Real(1)) - load, law().breakaway_force(Real(-1)) + load};
    }
    const Real speed = direction_of(state.mode) * velocity;
    return {speed, Real(1)};
  }

  /// The mode after a guard has fallen through zero. A slip that ends always sticks first; under a load beyond
  /// break-away the stick guard is immediately negative and the caller takes the next transition.
  constexpr State transition(State state, int guard) const noexcept {
    if (state.mode != Mode::stick) {
      return {Mode::stick};
    }
    return {guard == 0 ? Mode::slip_plus : Mode::slip_minus};
  }

  /// v⁺ = v_free − mobility·dt·F with F in the set-valued law at v⁺: a sliding body slides on, stops or reverses; a
  /// stuck one holds until the load exceeds break-away.
  Solved<State, Real> solve(State state, const CoupledStep<Real>& step) const noexcept {
    using std::abs;
    if (!can_step(step)) {
      return {not_a_number<Real>(), not_a_number<Real>(), state};
    }
    const Real free_velocity = step.free_velocity;
    const Real gain = step.gain();
    if (state.mode != Mode::stick) {
      const Real direction = direction_of(state.mode);
      const Real speed = sliding_speed(direction * free_velocity, gain, direction * step.velocity, direction);
      if (speed > Real(0)) {
        return {direction * law().sliding_force(speed, direction), direction * speed, state};
      }
    }
    const Real push = sgn(free_velocity);
    const Real breakaway = law().breakaway_force(push);
    if (abs(free_velocity) <= gain * breakaway) {
      return {gain > Real(0) ? free_velocity / gain : Real(0), Real(0), State{Mode::stick}};
    }
    const Real speed = sliding_speed(abs(free_velocity), gain, Real(0), push);
    return {push * law().sliding_force(speed, push), push * speed, mode_at(push)};
  }

 protected:
  static constexpr State mode_at(Real velocity) noexcept {
    return {velocity > Real(0) ? Mode::slip_plus : (velocity < Real(0) ? Mode::slip_minus : Mode::stick)};
  }

 private:
  const Law& law() const noexcept { return this->self(); }
  static constexpr Real direction_of(Mode mode) noexcept { return Real(static_cast<int>(mode)); }

  Real sliding_speed(Real free_speed, Real gain, Real speed, Real direction) const noexcept {
    if constexpr (requires { law().sliding_speed(free_speed, gain, speed); }) {
      return law().sliding_speed(free_speed, gain, speed);  // in closed form
    } else {
      const Real fine = law().velocity_scale() / Real(64);
      const auto friction = [&](Real w) { return law().sliding_force(w, direction); };
      if constexpr (requires { law().curve().is_steep(); }) {
        if (law().curve().is_steep()) {
          return speed_reached(free_speed, gain, speed, fine, friction, law().curve().steep_speeds());
        }
      }
      return speed_reached(free_speed, gain, speed, fine, friction);
    }
  }
};

}  // namespace stiction::scalar
