// Haessig and Friedland's bristle model: many springs that deflect and snap to random positions.
#pragma once

#include <cmath>
#include <cstdint>

#include "stiction/scalar/coupled.h"

namespace stiction::scalar {

template <class Real>
struct HaessigBristleParams {
  Real stiffness{};             // σ₀ of one bristle [N/m], > 0
  Real largest_bend{};          // δ_s [m], > 0
  std::uint32_t bristles = 20;  // N, 1 to 64
  std::uint32_t seed = 0;
};

/// The bristle model (Olsson et al. 1998, eq. 12): N bristles of stiffness σ₀, F = Σ σ₀ (x − bᵢ). A bristle whose
/// deflection reaches δ_s snaps:  bᵢ ← bᵢ + U δ_s sgn(x − bᵢ),  U uniform in (0, 1].
/// Only displacements matter, not the speed. Each snap draws from a counter in the state, so that runs can be repeated.
/// After sliding for long the mean of F is (2/3) N σ₀ δ_s and its spread σ₀ δ_s √(N/18).
template <class Real>
struct BasicHaessigBristle : ImplicitModel<BasicHaessigBristle<Real>, HaessigBristleParams<Real>, Real> {
  using Base = ImplicitModel<BasicHaessigBristle<Real>, HaessigBristleParams<Real>, Real>;
  using Base::Base;
  using typename Base::Params;
  static constexpr std::size_t order = 64;
  struct State {
    std::array<Real, order> deflection{};      // x − bᵢ [m]
    std::array<std::uint32_t, order> snaps{};  // of each bristle so far
    friend constexpr bool operator==(const State&, const State&) = default;
  };

  static constexpr Info info{"haessig-bristle", "Haessig and Friedland's bristle model, with seeded randomness",
                             "F = sum σ0 (x - b_i);  |x - b_i| = δ_s: b_i += U δ_s sgn(x - b_i)",
                             "Olsson et al. 1998, eq. 12"};
  static constexpr std::array<Field<Params, Real>, 2> fields{{
      {"stiffness", &Params::stiffness, "N/m", positive_size, required, "σ0, stiffness of one bristle"},
      {"largest_bend", &Params::largest_bend, "m", positive_size, required, "δ_s, deflection at which a bristle snaps"},
  }};
  static constexpr Range bristle_counts{1, order, true, true, "a whole number from 1 to 64"};
  static constexpr Range seeds{0, 4294967295.0, true, true, "a whole number from 0 to 2^32 - 1"};
  static constexpr std::array<IntegerField<Params>, 2> integers{{
      {"bristles", &Params::bristles, "-", bristle_counts, 20, "N, number of bristles"},
      {"seed", &Params::seed, "-", seeds, 0, "selects the random sequence"},
  }};
  static constexpr std::size_t guard_count = 1;
  static constexpr std::array<const char*, order> state_names{
      "bend_1",  "bend_2",  "bend_3",  "bend_4",  "bend_5",  "bend_6",  "bend_7",  "bend_8",  "bend_9",  "bend_10",
      "bend_11", "bend_12", "bend_13", "bend_14", "bend_15", "bend_16", "bend_17", "bend_18", "bend_19", "bend_20",
      "bend_21", "bend_22", "bend_23", "bend_24", "bend_25", "bend_26", "bend_27", "bend_28", "bend_29", "bend_30",
      "bend_31", "bend_32", "bend_33", "bend_34", "bend_35", "bend_36", "bend_37", "bend_38", "bend_39", "bend_40",
      "bend_41", "bend_42", "bend_43", "bend_44", "bend_45", "bend_46", "bend_47", "bend_48", "bend_49", "bend_50",
      "bend_51", "bend_52", "bend_53", "bend_54", "bend_55", "bend_56", "bend_57", "bend_58", "bend_59", "bend_60",
      "bend_61", "bend_62", "bend_63", "bend_64"};
  static constexpr std::array<const char*, 1> mode_names{"snaps"};

  std::size_t states_in_use() const noexcept { return params_.bristles; }
  static constexpr std::array<Real, order> pack(const State& state) noexcept { return state.deflection; }
  static constexpr State unpack(const std::array<Real, order>& values, State state) noexcept {
    state.deflection = values;
    return state;
  }
  static constexpr std::array<double, 1> modes(const State& state) noexcept {
    double all = 0;
    for (const std::uint32_t count : state.snaps) {
      all += count;
    }
    return {all};
  }

  State rate(const State& state, Real velocity) const noexcept {
    State result = state;
    for (std::size_t i = 0; i < states_in_use(); ++i) {
      result.deflection[i] = velocity;
    }
    return result;
  }
  Real force(const State& state, Real velocity) const noexcept {
    Real sum = Real(0) * velocity;
    for (std::size_t i = 0; i < states_in_use(); ++i) {
      sum += state.deflection[i];
    }
    return params_.stiffness * sum;
  }

  /// Exact for any motion in one direction. For paths longer than 64 δ_s the first part is skipped: the bristles do not
  /// remember it.
  State advance(State state, Real velocity, Real dt) const noexcept {
    const Real longest = Real(64) * params_.largest_bend;
    const Real path = clip(Real(velocity * elapsed(dt)), Real(-longest), longest);
    for (std::size_t i = 0; i < states_in_use(); ++i) {
      state.deflection[i] += path;
      for (int snap = 0; snap < 1024 && !(abs_of(state.deflection[i]) < params_.largest_bend); ++snap) {
        if (is_nan(state.deflection[i])) {
          return state;
        }
        snap_back(state, i);
      }
    }
    return state;
  }
  /// The distance to the next snap of any bristle.
  std::array<Real, 1> guards(const State& state, Real, Real) const noexcept {
    Real largest{};
    for (std::size_t i = 0; i < states_in_use(); ++i) {
      const Real deflection = abs_of(state.deflection[i]);
      largest = deflection > largest ? deflection : largest;
    }
    return {params_.largest_bend - largest};
  }
  State transition(State state, int) const noexcept {
    for (std::size_t i = 0; i < states_in_use(); ++i) {
      if (abs_of(state.deflection[i]) > params_.largest_bend * Real(1 - 1e-9)) {
        snap_back(state, i);
      }
    }
    return state;
  }

  /// F drops at every snap, so there may be several roots.
  Solved<State, Real> implicit(const State& state, Real w, Real dt) const noexcept { return this->step(state, w, dt); }
  Real root_resolution(const State&, Real dt) const noexcept { return params_.largest_bend / dt / Real(256); }

  /// All bristles have the same deflection; for larger loads just below that of a snap.
  State at_rest(Real load) const noexcept {
    const Real largest = params_.largest_bend * Real(1 - 1e-9);
    const Real deflection = clip(Real(load / (params_.stiffness * count())), -largest, largest);
    State state;
    for (std::size_t i = 0; i < states_in_use(); ++i) {
      state.deflection[i] = deflection;
    }
    return state;
  }
  std::array<Real, order> typical() const noexcept {
    std::array<Real, order> sizes{};
    sizes.fill(params_.largest_bend);
    return sizes;
  }
  Real velocity_scale() const noexcept { return params_.largest_bend; }  // one snap distance in one second

  /// Elastic energy Σ σ₀ (x − bᵢ)²/2 [J]; a snap dissipates a part of it.
  Real energy(const State& state) const noexcept {
    Real sum{};
    for (std::size_t i = 0; i < states_in_use(); ++i) {
      sum += square(state.deflection[i]);
    }
    return params_.stiffness * sum / Real(2);
  }
  /// Between snaps everything is stored: 0 [W].
  Real dissipated_power(const State& state, Real velocity) const noexcept { return Real(0) * force(state, velocity); }
  /// Mean friction after sliding for long, (2/3) N σ₀ δ_s [N].
  Real mean_force() const noexcept { return Real(2) / Real(3) * count() * params_.stiffness * params_.largest_bend; }
  /// Its standard deviation, σ₀ δ_s √(N/18) [N].
  Real force_spread() const noexcept {
    using std::sqrt;
    return params_.stiffness * params_.largest_bend * sqrt(count() / Real(18));
  }
  /// Small motions of a mass: ω = √(N σ₀/m), no damping.
  Linearised<Real> linearised(Real mass) const noexcept {
    using std::sqrt;
    return {sqrt(count() * params_.stiffness / mass), Real(0)};
  }

 private:
  using Base::params_;

  Real count() const noexcept { return Real(static_cast<double>(params_.bristles)); }
  static Real abs_of(const Real& x) noexcept { return x < Real(0) ? -x : x; }

  /// Uniform in (0, 1], from the seed, the bristle and the number of its snaps (the mixing steps of SplitMix64).
  Real uniform(std::size_t i, std::uint32_t snap) const noexcept {
    std::uint64_t x = std::uint64_t{params_.seed} * 0x9E3779B97F4A7C15U;
    x ^= (static_cast<std::uint64_t>(snap) << 8U | i) * 0xD1B54A32D192ED03U + 0x9E3779B97F4A7C15U;
    x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9U;
    x = (x ^ (x >> 27U)) * 0x94D049BB133111EBU;
    x ^= x >> 31U;
    return Real(static_cast<double>((x >> 11U) + 1) * 0x1p-53);
  }
  void snap_back(State& state, std::size_t i) const noexcept {
    const Real jump = uniform(i, state.snaps[i]) * params_.largest_bend;
    state.deflection[i] -= state.deflection[i] < Real(0) ? -jump : jump;
    ++state.snaps[i];
  }
};

using HaessigBristle = BasicHaessigBristle<double>;
static_assert(Switching<HaessigBristle>);
STICTION_REGISTERED(HaessigBristle);

}  // namespace stiction::scalar
