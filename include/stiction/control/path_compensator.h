// Friction compensation in path coordinates: the model is driven by the distance travelled, independent of time.
#pragma once

#include <cmath>
#include <utility>

#include "stiction/control/sample.h"
#include "stiction/math.h"
#include "stiction/scalar/bliman_sorine.h"
#include "stiction/scalar/dahl.h"

namespace stiction::control {

/// A rate-independent model (Dahl, Bliman and Sorine) that follows a position.
///   dx_s/ds = A x_s + B sgn(dx),   s = ∫|dx|   (Olsson et al. 1998, eq. 15),      F̂ = share·C x_s
/// Neither velocity nor time is needed, so there is no filter and no lag. Small reversals of a noisy position would
/// erode the model's state: a dead band removes them. It is a play operator: the path follows the position within half
/// the band, so a reversal smaller than the band leaves the path unchanged. The viscous term of a model is not a
/// function of the path and is left out.
template <class Friction>
struct PathCompensator {
  using Real = typename decltype(std::declval<const Friction&>().typical())::value_type;

  struct Params {
    Real dead_band{};  // [m], ≥ 0: an encoder step, or the peak-to-peak noise
    Real share{1};     // [-], in [0, 2]
  };
  struct State {
    typename Friction::State friction{};
    Real path{};           // x after the dead band [m]
    bool started = false;  // the path begins at the first position
    friend constexpr bool operator==(const State&, const State&) = default;
  };
  struct Output {
    Real force;  // F̂ [N]
    State state;
  };

  static constexpr Range shares{0, 2, true, true, "in [0, 2]"};
  static constexpr std::array<Field<Params, Real>, 2> fields{{
      {"dead_band", &Params::dead_band, "m", non_negative, 0.0, "reversals smaller than this are noise"},
      {"share", &Params::share, "-", shares, 1.0, "how much of the friction is compensated"},
  }};

  Friction friction;
  Params params{};

  static std::optional<Problem> check(const Params& p) noexcept { return first_problem(p, fields); }
#if defined(__cpp_exceptions)
  static PathCompensator make(const Friction& friction, const Params& p) {
    return PathCompensator(friction, checked<PathCompensator>(p));
  }
#endif
  /// For parameters that `check` has passed.
  PathCompensator(const Friction& model, const Params& p) noexcept : friction(model), params(p) {}

  /// NaN, and an unchanged state, for a position that is not finite.
  Output step(State state, Real position) const noexcept {
    if (!usable(Real(0), position)) {
      return {unknown<Real>, state};
    }
    const Real slack = state.started ? params.dead_band / Real(2) : Real(0);
    const Real path = clip(state.started ? state.path : position, Real(position - slack), Real(position + slack));
    if (state.started) {
      // `advance` of these models depends only on v·dt: the displacement over a time of 1.
      state.friction = friction.advance(state.friction, path - state.path, Real(1));
    }
    state.path = path;
    state.started = true;
    return {params.share * friction.force(state.friction, Real(0)), state};
  }
};

using DahlPathCompensator = PathCompensator<scalar::Dahl>;
using BlimanSorinePathCompensator = PathCompensator<scalar::BlimanSorine2>;

}  // namespace stiction::control
