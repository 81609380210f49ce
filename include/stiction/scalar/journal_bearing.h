// A lubricated journal bearing: friction follows the oil film, which takes time to build up and to be squeezed out.
#pragma once

#include <cmath>
#include <limits>

#include "stiction/scalar/set_valued.h"

namespace stiction::scalar {

template <class Real>
struct JournalBearingParams {
  Real radius{};             // R [m], > 0
  Real length{};             // L [m], > 0
  Real clearance{};          // C [m], > 0
  Real viscosity{};          // μ [Pa s], > 0
  Real mass{};               // M of the journal [kg], > 0
  Real load{};               // W [N], > 0
  Real contact_onset{};      // ε_tr [-], in [0.001, 0.999]
  Real contact_stiffness{};  // k_c [N], > W/(1 − ε_tr)²
  Real contact_friction{};   // f_m [-], ≥ 0
};

/// Friction in a journal bearing after Harnoy and Friedland (Olsson et al. 1998, eq. 18), completed by the dynamics of
/// a short bearing with half-Sommerfeld film. v is the surface speed U = R ω. The journal's centre (X, Y), in units of
/// the clearance, moves in the plane; X points along the load, ε = |(X, Y)|, q = 1 − ε²:
///   M C (X, Y)'' = (W, 0) + (F_r − F_con) e_r + F_t e_t
///   F_r = −B [ε |w|/q² + π ε' (1 + 2 ε²)/(2 q^{5/2})]      w = ω ε − 2 (velocity along e_t)      B = μ R L³/C²
///   F_t =  B [π w/(4 q^{3/2}) ± 2 ε ε'/q²]                   F_con = k_c (ε − ε_tr)² where ε > ε_tr
///   F   = f_m F_con sgn U + K₂ U/√q                          K₂ = 2π μ R L/C
/// with the sign of ω at ±. At rest the asperities hold up to f_m F_con.
template <class Real>
struct BasicJournalBearing : ModelBase<BasicJournalBearing<Real>, JournalBearingParams<Real>, Real> {
  using Base = ModelBase<BasicJournalBearing<Real>, JournalBearingParams<Real>, Real>;
  using Base::Base;
  using typename Base::Params;
  struct State {
    Real x{}, y{};    // centre of the journal over the clearance [-]
    Real vx{}, vy{};  // its velocity [1/s]
    Mode mode = Mode::stick;
    friend constexpr bool operator==(const State&, const State&) = default;
  };

  static constexpr Range sizes{1e-4, 1e4, true, true, "in [1e-4, 1e4]"};
  static constexpr Range clearances{1e-8, 0.1, true, true, "in [1e-8, 0.1]"};
  static constexpr Range coefficients{0, 10, true, true, "in [0, 10]"};
  static constexpr Info info{
      "journal-bearing", "Lubricated journal bearing with the dynamics of its oil film",
      "F = f_m k_c (ε - ε_tr)^2 sgn U + K2 U/sqrt(1 - ε^2);  ε: journal centre in a short-bearing film, fourth order",
      "Olsson et al. 1998, eq. 18 (Harnoy and Friedland 1994), film completed"};
  static constexpr std::array<Field<Params, Real>, 9> fields{{
      {"radius", &Params::radius, "m", sizes, required, "R, of the journal"},
      {"length", &Params::length, "m", sizes, required, "L, of the bearing"},
      {"clearance", &Params::clearance, "m", clearances, required, "C, radial clearance"},
      {"viscosity", &Params::viscosity, "Pa s", sizes, required, "μ, of the oil"},
      {"mass", &Params::mass, "kg", sizes, required, "M, of the journal"},
      {"load", &Params::load, "N", sizes, required, "W, carried by the bearing"},
      {"contact_onset", &Params::contact_onset, "-", inner_shares, required,
       "ε_tr, eccentricity at which asperities touch"},
      {"contact_stiffness", &Params::contact_stiffness, "N", positive_size, required,
       "k_c > W/(1 - ε_tr)^2, of the asperities"},
      {"contact_friction", &Params::contact_friction, "-", coefficients, required,
       "f_m, friction coefficient of the asperities"},
  }};
  static constexpr std::size_t order = 4;
  static constexpr std::size_t guard_count = 2;
  static constexpr std::array<const char*, 4> state_names{"x", "y", "vx", "vy"};
  static constexpr std::array<const char*, 1> mode_names{"mode"};

  static std::optional<Problem> problem(const Params& p) noexcept {
    if (p.contact_stiffness * square(Real(Real(1) - p.contact_onset)) > p.load) {
      return std::nullopt;
    }
    return Problem{"contact_stiffness", plain(p.contact_stiffness), "> load/(1 - contact_onset)^2"};
  }

  static constexpr std::array<Real, 4> pack(const State& s) noexcept { return {s.x, s.y, s.vx, s.vy}; }
  static constexpr State unpack(const std::array<Real, 4>& v, const State& s) noexcept {
    return {v[0], v[1], v[2], v[3], s.mode};
  }
  static constexpr std::array<double, 1> modes(const State& state) noexcept { return {plain_mode(state.mode)}; }
  static constexpr bool held(const State& state) noexcept { return state.mode == Mode::stick; }
  static constexpr Real velocity_after(const State& state, Real velocity) noexcept {
    return held(state) ? Real(0) : velocity;
  }

  State rate(const State& state, Real velocity) const noexcept {
    const Plane a = acceleration({state.x, state.y}, {state.vx, state.vy}, velocity);
    return {state.vx, state.vy, a.x, a.y, state.mode};
  }

  Real eccentricity(const State& state) const noexcept {
    using std::sqrt;
    return sqrt(square(state.x) + square(state.y));
  }
  /// Friction of the asperities, the largest load held at rest [N].
  Real contact_force(const State& state) const noexcept {
    return params_.contact_friction * contact(eccentricity(state));
  }

  /// While moving; at v = 0 the load decides: see the overload with a load.
  Real force(const State& state, Real velocity) const noexcept {
    using std::sqrt;
    // F = f_m F_con sgn U + K₂ U/√q
    return contact_force(state) * sgn(velocity) + film_coefficient() * velocity / sqrt(film(eccentricity(state)));
  }
  Real force(const State& state, Real velocity, Real load) const noexcept {
    if (held(state)) {
      const Real level = contact_force(state);
      return clip(load, -level, level);
    }
    using std::sqrt;
    return contact_force(state) * direction_of(state) + film_coefficient() * velocity / sqrt(film(eccentricity(state)));
  }
  Real dissipated_power(const State& state, Real velocity) const noexcept { return force(state, velocity) * velocity; }

  /// Two-stage implicit steps (L-stable, second order) of at most 2 ms; at most 256 of them.
  State advance(State state, Real velocity, Real dt) const noexcept {
    state.mode = mode_at(velocity);
    if (const Real all = velocity + elapsed(dt) + state.x + state.y + state.vx + state.vy; is_nan(all)) {
      state.x = all;  // a NaN input propagates
      return state;
    }
    const Real longest = Real(2e-3);
    const int max_steps = 256;
    int steps = dt > Real(0) ? 1 : 0;
    while (steps < max_steps && Real(steps) * longest < dt) {
      ++steps;
    }
    for (int i = 0; i < steps; ++i) {
      const Real h = dt / Real(steps);
      const Real gamma = Real(0.29289321881345254);  // 1 − 1/√2
      const Real weight = Real(2.414213562373095);   // 1/γ − 1
      const State first = implicit_film(state, velocity, gamma * h);
      State base = state;
      base.x += weight * (first.x - state.x);
      base.y += weight * (first.y - state.y);
      base.vx += weight * (first.vx - state.vx);
      base.vy += weight * (first.vy - state.vy);
      const State second = implicit_film(base, velocity, gamma * h);
      state = eccentricity(base) < Real(1) ? second : implicit_film(state, velocity, h);
    }
    return state;
  }
  std::array<Real, 2> guards(const State& state, Real velocity, Real load) const noexcept {
    if (held(state)) {
      const Real level = contact_force(state);
      return {level - load, level + load};
    }
    return {direction_of(state) * velocity, Real(1)};
  }
  State transition(State state, int guard) const noexcept {
    state.mode = held(state) ? (guard == 0 ? Mode::slip_plus : Mode::slip_minus) : Mode::stick;
    return state;
  }

  /// Body and film in one implicit Euler step.
  Solved<State, Real> solve(const State& state, const CoupledStep<Real>& step) const noexcept {
    using std::abs;
    if (const Real film = state.x + state.y + state.vx + state.vy; !can_step(step) || is_nan(film)) {
      State broken = state;
      broken.x = not_a_number<Real>();
      return {broken.x, broken.x, broken};
    }
    const Real free_velocity = step.free_velocity;
    const Real dt = step.dt;
    const Real gain = step.gain();
    const auto sliding = [&](Real direction, Real from) {
      return speed_reached(Real(direction * free_velocity), gain, Real(direction * from),
                           Real(velocity_scale() / Real(64)),
                           [&](Real w) { return direction * implicit(state, direction, w, dt).force; });
    };
    if (!held(state)) {
      const Real direction = direction_of(state);
      if (const Real speed = sliding(direction, step.velocity); speed > Real(0)) {
        return implicit(state, direction, speed, dt);
      }
    }
    const Real push = sgn(free_velocity);
    State resting = implicit_film(state, push * Real(slowest), dt);
    resting.mode = Mode::stick;
    if (abs(free_velocity) <= gain * contact_force(resting)) {
      return {gain > Real(0) ? free_velocity / gain : Real(0), Real(0), resting};
    }
    const Real speed = sliding(push, Real(0));
    return speed > Real(0) ? implicit(state, push, speed, dt)
                           : Solved<State, Real>{push * contact_force(resting), Real(0), resting};
  }

  /// The implicit Euler step of the film at the new velocity w.
  Solved<State, Real> implicit(const State& state, Real w, Real dt) const noexcept {
    using std::abs;
    return implicit(state, w < Real(0) ? Real(-1) : Real(1), abs(w), dt);
  }

  /// The journal rests on the asperities: ε = ε_tr + √(W/k_c).
  State at_rest(Real) const noexcept {
    using std::sqrt;
    State state;
    state.x = params_.contact_onset + sqrt(params_.load / params_.contact_stiffness);
    return state;
  }
  /// The film after sliding at this speed for long.
  State steady_state(Real velocity) const noexcept {
    using std::abs;
    using std::cos;
    using std::sin;
    using std::sqrt;
    if (velocity == Real(0)) {
      return at_rest(Real(0));
    }
    const Real spin = film_constant() * abs(velocity) / params_.radius;
    const auto along = [&](Real e) { return spin * square(e) / square(film(e)) + contact(e); };
    const auto across = [&](Real e) {
      const Real q = film(e);
      return spin * Real(pi) * e / (Real(4) * q * sqrt(q));
    };
    // W² = (film and contact along e_r)² + (film along e_t)²
    const auto residual = [&](Real e) { return square(along(e)) + square(across(e)) - square(params_.load); };
    const Real top = at_rest(Real(0)).x;
    const Real e = root_in(Bracket<Real>{Real(0), residual(Real(0)), top, residual(top)}, Real(0), residual);
    // At rest  W cos φ = along,  W sin φ = across.
    State state;
    state.x = e * along(e) / params_.load;
    state.y = sgn(velocity) * e * across(e) / params_.load;
    state.mode = mode_at(velocity);
    return state;
  }
  std::array<Real, 4> typical() const noexcept { return {Real(1), Real(1), Real(1), Real(1)}; }
  /// The surface speed at which the film carries half the load at the onset of contact.
  Real velocity_scale() const noexcept {
    using std::sqrt;
    const Real e = params_.contact_onset;
    const Real q = film(e);
    const Real ocvirk = e * sqrt(Real(16) * square(e) + Real(pi * pi) * q) / (Real(4) * square(q));
    return params_.load * params_.radius / (Real(2) * film_constant() * ocvirk);
  }

 private:
  using Base::params_;

  struct Plane {
    Real x, y;
  };
  static constexpr double pi = 3.14159265358979323846;
  /// A speed so low that only its sign matters: at rest the film is that of the motion about to begin.
  static constexpr double slowest = std::numeric_limits<float>::min();

  static constexpr Real direction_of(const State& state) noexcept { return Real(static_cast<int>(state.mode)); }
  static constexpr Mode mode_at(Real velocity) noexcept {
    return velocity > Real(0) ? Mode::slip_plus : (velocity < Real(0) ? Mode::slip_minus : Mode::stick);
  }
  /// B = μ R L³/C² [N s]
  Real film_constant() const noexcept {
    return params_.viscosity * params_.radius * params_.length * square(params_.length) / square(params_.clearance);
  }
  /// K₂ = 2π μ R L/C [N s/m]
  Real film_coefficient() const noexcept {
    return Real(2 * pi) * params_.viscosity * params_.radius * params_.length / params_.clearance;
  }
  /// q = 1 − ε²; never quite 0, where the film would be infinitely stiff.
  static Real film(Real e) noexcept {
    const Real q = Real(1) - square(e);
    return q < Real(1e-6) ? Real(1e-6) : q;  // a NaN propagates
  }
  /// F_con = k_c (ε − ε_tr)²
  Real contact(Real e) const noexcept {
    const Real overlap = e - params_.contact_onset;
    return overlap < Real(0) ? Real(0) : params_.contact_stiffness * square(overlap);
  }

  struct Motion {
    Plane acceleration;
    Real swirl;  // w = ω ε − 2 (velocity along e_t), which drags the oil around
  };
  /// `pumping` stands for the sign of w in |w|.
  Motion motion(Plane at, Plane v, Real velocity, Real pumping) const noexcept {
    using std::sqrt;
    const Real e = sqrt(square(at.x) + square(at.y));
    const Plane radial = e > Real(0) ? Plane{at.x / e, at.y / e} : Plane{Real(1), Real(0)};
    const Real q = film(e);
    const Real root = sqrt(q);
    const Real outwards = radial.x * v.x + radial.y * v.y;
    const Real around = radial.x * v.y - radial.y * v.x;
    const Real w = velocity / params_.radius * e - Real(2) * around;
    const Real b = film_constant();
    const Real fr = -b * (e * (pumping * w) / square(q) +
                          Real(pi / 2) * outwards * (Real(1) + Real(2) * square(e)) / (square(q) * root)) -
                    contact(e);
    // The loaded half of the film depends on the direction of rotation, and so does the second term: the model is
    // symmetric in direction.
    const Real direction = velocity < Real(0) ? Real(-1) : Real(1);
    const Real ft = b * (Real(pi / 4) * w / (q * root) + direction * Real(2) * e * outwards / square(q));
    const Real inertia = params_.mass * params_.clearance;
    return {{(params_.load + fr * radial.x - ft * radial.y) / inertia, (fr * radial.y + ft * radial.x) / inertia}, w};
  }
  Plane acceleration(Plane at, Plane v, Real velocity) const noexcept {
    const Motion forwards = motion(at, v, velocity, Real(1));
    return forwards.swirl < Real(0) ? motion(at, v, velocity, Real(-1)).acceleration : forwards.acceleration;
  }

  /// The film after an implicit Euler step at a given speed. |w| has a kink where the journal whirls at half the speed
  /// of the shaft, which is common: there the value of its sign between −1 and 1 is found that makes w vanish.
  State implicit_film(const State& state, Real velocity, Real h) const noexcept {
    if (h == Real(0)) {
      return state;
    }
    const Real usual = velocity < Real(0) ? Real(-1) : Real(1);
    const Stepped with = smooth_step(state, velocity, h, usual);
    if (!(usual * with.swirl < Real(0))) {
      return with.state;
    }
    const Stepped against = smooth_step(state, velocity, h, -usual);
    if (!(usual * against.swirl > Real(0))) {
      return against.state;
    }
    const auto swirl = [&](Real pumping) { return smooth_step(state, velocity, h, pumping).swirl; };
    const Real pumping = root_in(Bracket<Real>{usual, with.swirl, -usual, against.swirl}, Real(0), swirl);
    return smooth_step(state, velocity, h, pumping).state;
  }

  struct Stepped {
    State state;
    Real swirl;
  };
  /// P⁺ = P + h V⁺, V⁺ = V + h a(P⁺, V⁺) by Newton's method in V⁺, with at most 40 iterations, each shortened until the
  /// residual decreases.
  Stepped smooth_step(const State& state, Real velocity, Real h, Real pumping) const noexcept {
    using std::abs;
    const auto centre_at = [&](Plane v) { return Plane{state.x + h * v.x, state.y + h * v.y}; };
    const auto misfit = [&](Plane v) {
      const Plane a = motion(centre_at(v), v, velocity, pumping).acceleration;
      return Plane{v.x - state.vx - h * a.x, v.y - state.vy - h * a.y};
    };
    const auto inside = [&](Plane v) { return square(centre_at(v).x) + square(centre_at(v).y) < Real(1); };
    const auto size = [](Plane p) { return abs(p.x) + abs(p.y); };
    // The film is stiff and the journal light: of two solutions the one near the present position is taken.
    Plane v{Real(0), Real(0)};
    Plane f = misfit(v);
    for (int iteration = 0; iteration < 40; ++iteration) {
      const Real nudge = Real(1e-7) * (Real(1e-3) / h < Real(1) ? Real(1e-3) / h : Real(1)) + Real(1e-8) * size(v);
      const Plane fx = misfit({v.x + nudge, v.y});
      const Plane fy = misfit({v.x, v.y + nudge});
      const Real a = (fx.x - f.x) / nudge;
      const Real c = (fx.y - f.y) / nudge;
      const Real b = (fy.x - f.x) / nudge;
      const Real d = (fy.y - f.y) / nudge;
      const Real determinant = a * d - b * c;
      Plane step{(b * f.y - d * f.x) / determinant, (c * f.x - a * f.y) / determinant};
      Plane next = v;
      Plane better = f;
      for (int halving = 0; halving < 30; ++halving) {
        const Plane tried{v.x + step.x, v.y + step.y};
        const Plane remaining = misfit(tried);
        if (inside(tried) && size(remaining) < size(f)) {
          next = tried;
          better = remaining;
          break;
        }
        step = {step.x / Real(2), step.y / Real(2)};
      }
      const Real change = abs(next.x - v.x) + abs(next.y - v.y);
      v = next;
      f = better;
      if (!(change > Real(1e-14) * (Real(1) / h + size(v)))) {
        break;
      }
    }
    const Plane at = centre_at(v);
    return {{at.x, at.y, v.x, v.y, state.mode}, motion(at, v, velocity, pumping).swirl};
  }

  Solved<State, Real> implicit(const State& state, Real direction, Real speed, Real dt) const noexcept {
    State next = implicit_film(state, direction * (speed > Real(slowest) ? speed : Real(slowest)), dt);
    next.mode = direction > Real(0) ? Mode::slip_plus : Mode::slip_minus;
    return {force(next, direction * speed, Real(0)), direction * speed, next};
  }
};

using JournalBearing = BasicJournalBearing<double>;
static_assert(Sticking<JournalBearing>);
STICTION_REGISTERED(JournalBearing);

}  // namespace stiction::scalar
