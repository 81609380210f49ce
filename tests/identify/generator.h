// Logs of an axis with friction, by code that shares nothing with the library: own equations, classical Runge-Kutta
// steps, own control loop, own noise. What is found in them can then be trusted.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <numbers>
#include <vector>

#include "stiction/identify/data.h"

namespace stiction::test {

/// The steady friction in one direction: F = coulomb + (peak − coulomb) exp(−(v/stribeck_velocity)²) + viscous v.
struct Side {
  double coulomb = 0.28, peak = 0.33, stribeck_velocity = 0.01, viscous = 0.0176;
  [[nodiscard]] double level(double speed) const;   // without the viscous part
  [[nodiscard]] double steady(double speed) const;  // with it
};

/// A spring of a Maxwell-slip plant: slips at its share of the level.
struct Spring {
  double stiffness = 0, share = 0;
};

/// LuGre friction that may differ between the directions, or Dahl's, or elasto-plastic, or Maxwell-slip; the servo of
/// the paper's Table 2 unless told otherwise.
///   dz/dt = v (1 − σ₀ z sgn v/g)^exponent      F = σ₀ z + σ₁ dz/dt + F_v v
/// Elasto-plastic: dz/dt = v (1 − α σ₀ z sgn v/g), and α rises from 0 at z_ba = elastic_share F_C/σ₀ to 1 at g/σ₀.
struct Axis {
  double mass = 0.0023, stiffness = 260, damping = 0.6;
  Side plus = {}, minus = {};
  double exponent = 1;
  double elastic_share = 0;          // > 0: elasto-plastic
  std::vector<Spring> springs = {};  // at most 4; not empty: Maxwell-slip, which has no other stiffness or damping
  double attraction = 0;             // of Maxwell-slip [N/s]

  [[nodiscard]] const Side& side(double velocity) const { return velocity < 0 ? minus : plus; }
};

/// Friction without a Stribeck drop, viscous part or bristle damping.
Axis dahl_axis(double mass, double stiffness, double coulomb, double exponent);

/// Four springs that slip at 0.4, 0.8, 1.6 and 3.2 times F_C/stiffness; `shares` of sum 1.
Axis maxwell_axis(double mass, double stiffness, const std::array<double, 4>& shares, double attraction,
                  const Side& side);

/// Standard deviations of white noise.
struct Sensors {
  double position = 5e-6, torque = 2e-3;
  std::uint64_t seed = 1;
};

/// u = proportional (∫v_ref dt − x) + rate (v_ref − v): a PI controller of the velocity.
struct Controller {
  double proportional = 0.5, rate = 0.05;
  bool sampled = false;      // output computed at the log's rate and held; else at all times
  bool hears_noise = false;  // if sampled: acts on the measured position and on its differences
};

struct SweepPlan {
  double slowest = 0.004, fastest = 0.5;
  int speeds = 12;       // in each direction
  double average = 0.5;  // [s], of the mean, after the friction has settled
  double rate = 1000;    // [Hz], of the samples in it
};

struct Excitation {
  double duration = 4, rate = 2000;  // [s], [Hz]
  double amplitude = 0.35;           // of the sine and of the chirp, as a share of the least Coulomb friction
  double sine = 1, chirp_from = 2, chirp_to = 60;  // [Hz]
};

/// v_ref = speed (0.7 sin wt + 0.3 sin(2.7 wt + 1))
struct Motion {
  double duration = 20, rate = 1000;
  double speed = 0.3;                       // [rad/s], about the largest
  double frequency = std::numbers::pi / 2;  // w [rad/s]
};

/// A table of constant velocities, both directions; each segment slides from rest under a stiff velocity loop until
/// friction has settled, and then a mean is taken. Throws std::runtime_error where the loop stick-slips.
identify::Sweep sweep(const Axis& axis, const Sensors& sensors, const SweepPlan& plan = {});

/// Torque below break-away, a sine and a chirp, held between samples. The torque is logged as it was commanded.
identify::Recording presliding(const Axis& axis, const Sensors& sensors, const Excitation& excitation = {});

/// A velocity loop with reversals; the torque is logged as it was measured, with noise.
identify::Recording motion(const Axis& axis, const Sensors& sensors, const Motion& motion = {},
                           const Controller& controller = {});

/// The same along a reference velocity given at the samples, in straight lines between them.
identify::Recording along(const Axis& axis, const Sensors& sensors, const std::vector<double>& reference,
                          double interval, const Controller& controller = {});

/// The axis from rest under a torque that is held between samples, without noise; positions at the samples.
std::vector<double> under_torque(const Axis& axis, const std::vector<double>& torque, double interval);

/// Friction at the samples of an axis that is moved from rest with velocity(t), of at most `fastest`.
std::vector<double> friction_along(const Axis& axis, const std::function<double(double t)>& velocity, double fastest,
                                   const std::vector<double>& time);

/// Standard normal numbers, the same with every standard library.
std::function<double()> normal_numbers(std::uint64_t seed);

}  // namespace stiction::test
