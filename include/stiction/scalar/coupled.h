// The coupled step of every model whose force is a continuous function of the new velocity: one equation, one root.
#pragma once

#include <cmath>
#include <limits>

#include "stiction/math.h"
#include "stiction/roots.h"
#include "stiction/scalar/model.h"

namespace stiction::scalar {

namespace detail {

/// A unique root: strides from the present velocity double until the residual changes sign.
template <class Real, class Residual>
Real root_near(Real velocity, Real push, Real tolerance, Real noise, const Residual& residual) noexcept {
  Bracket<Real> bracket{velocity, -push, velocity + push, Real(0)};
  for (int doubling = 0; doubling < 64; ++doubling) {
    bracket.fb = residual(bracket.b);
    if (!((bracket.fb > Real(0)) == (push < Real(0))) || bracket.fb == Real(0)) {
      return root_in(bracket, tolerance, residual, noise);
    }
    const Real stride = Real(2) * (bracket.b - bracket.a);
    bracket.a = bracket.b;
    bracket.fa = bracket.fb;
    bracket.b += stride;
  }
  return bracket.b;
}

/// The first of several roots, from the present velocity in the direction of the push. `fine` is the smallest speed
/// scale of the residual, near v = 0; `steep` are speeds near which it changes within an octave.
template <class Real, class Residual, std::size_t N = 0>
Real first_of_roots(Real velocity, Real push, Real fine, Real tolerance, Real noise, const Residual& residual,
                    const std::array<Real, N>& steep = {}) noexcept {
  const Real far = std::numeric_limits<Real>::max();  // long before that w exceeds the friction term
  const Real end = push > Real(0) ? far : -far;
  if constexpr (N > 0) {
    return first_root_past(steep, velocity, end, fine, tolerance, residual, noise);
  } else {
    return first_root(velocity, end, fine, tolerance, residual, noise);
  }
}

}  // namespace detail

/// Body and friction in one implicit step, a single equation in v⁺:
///   v⁺ = v_free − mobility·dt·F⁺,   with (F⁺, state⁺) = law.implicit(state, v⁺, dt), the implicit Euler step at v⁺.
/// `law` also offers `one_root(mobility, dt)` and `root_resolution(state, dt)` [m/s]. If friction that decreases with
/// speed causes several roots, the first one from the present `velocity` in the direction of the net force is taken:
/// the smallest would stop a sliding body, the largest would break away early.
template <class Law, class State, class Real>
Solved<State, Real> implicit_solve(const Law& law, const State& state, const CoupledStep<Real>& step) noexcept {
  using std::abs;
  const Real free_velocity = step.free_velocity;
  const Real velocity = step.velocity;
  const Real dt = step.dt;
  if (!can_step(step)) {
    return law.implicit(state, not_a_number<Real>(), dt);
  }
  const Real gain = step.gain();
  if (gain == Real(0)) {
    return law.implicit(state, free_velocity, dt);
  }
  const auto residual = [&](Real w) { return w + gain * law.implicit(state, w, dt).force - free_velocity; };
  Real w = velocity;
  const Real push = -residual(velocity);
  if (push != Real(0)) {
    const Real tolerance = std::numeric_limits<Real>::epsilon() * (abs(free_velocity) + abs(velocity)) / Real(4);
    // A stiff contact needs v⁺ more accurately, for its force to balance the other terms.
    const Real noise = Real(256) * tolerance;
    if (law.one_root(step.mobility, dt)) {
      w = detail::root_near(velocity, push, tolerance, noise, residual);
    } else {
      const Real resolution = law.root_resolution(state, dt);  // details below the tolerance are not resolved
      const Real fine = resolution > tolerance ? resolution : tolerance;
      bool steep = false;
      if constexpr (requires { law.curve.is_steep(); }) {
        steep = law.curve.is_steep();
        if (steep) {
          w = detail::first_of_roots(velocity, push, fine, tolerance, noise, residual, law.curve.steep_speeds());
        }
      }
      if (!steep) {
        w = detail::first_of_roots(velocity, push, fine, tolerance, noise, residual);
      }
    }
  }
  return law.implicit(state, w, dt);
}

/// The base of models with states whose coupled step is that one equation.
template <class Self, class ParamsOfSelf, class Real>
class ImplicitModel : public ModelBase<Self, ParamsOfSelf, Real> {
 public:
  using ModelBase<Self, ParamsOfSelf, Real>::ModelBase;

  template <class M = Self>
  Solved<typename M::State, Real> solve(const typename M::State& state, const CoupledStep<Real>& step) const noexcept {
    return implicit_solve(this->self(), state, step);
  }
  /// Default; models with a known condition override it.
  static constexpr bool one_root(Real, Real) noexcept { return false; }
};

}  // namespace stiction::scalar
