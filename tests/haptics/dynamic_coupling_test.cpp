// A body with mass between the hand's spring and the contacts.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "haptics/random_pose.h"
#include "haptics/small_scenes.h"
#include "stiction/haptics/renderer.h"

namespace stiction::haptics {
namespace {

using test::cube_half;
using test::cube_on;
using test::floor_shell;
using test::force_of;
using test::plain;
using test::Random;

/// Free, with mass: x'' = −ω² x − 2 ζ ω x', by backward Euler.
TEST(DynamicCoupling, SwingsAsAnOscillator) {
  RenderParams params = plain();
  params.mass = 0.2;
  params.period = 1e-4;
  const double omega = std::sqrt(params.coupling_stiffness / params.mass);
  const double inertia = params.mass * 4 * cube_half * cube_half / 6;
  const double omega_turn = std::sqrt(params.coupling_rotational_stiffness / inertia);
  for (const double damping : {0.0, 0.05, 0.3}) {
    params.coupling_damping = 2 * damping * omega * params.mass;
    params.coupling_rotational_damping = 2 * damping * omega_turn * inertia;
    Renderer renderer = cube_on(floor_shell(), 0.5, params);
    renderer.reset_pose({{0, 0, 0.5}, identity_rotation});
    const Pose hand{{0, 0, 0.501}, rotation_by({0, 0, 0.01})};
    renderer.step(hand);  // the hand jumps: what follows starts from there
    const auto offset = [&] { return hand.position[2] - renderer.body().position[2]; };
    const auto rotation = [&] {
      return rotation_vector(product(hand.rotation, transposed(renderer.body().rotation)))[2];
    };
    for (const bool turning : {false, true}) {
      const double w = turning ? omega_turn : omega;
      const long double h = params.period;
      // x₊ (1 + 2ζωh + ω²h²) = x (2 + 2ζωh) − x₋
      renderer.step(hand);
      long double before = turning ? rotation() : offset();
      renderer.step(hand);
      long double now = turning ? rotation() : offset();
      double energy = INFINITY;
      int crossings = 0;
      double first_crossing = 0;
      double last_crossing = 0;
      for (int i = 0; i < 4000; ++i) {
        const long double next = (now * (2 + 2 * damping * w * h) - before) / (1 + 2 * damping * w * h + w * w * h * h);
        renderer.step(hand);
        before = now;
        now = turning ? rotation() : offset();
        ASSERT_NEAR(static_cast<double>(now), static_cast<double>(next), 1e-12) << i << ' ' << turning;
        const auto v = static_cast<double>((now - before) / h);
        const auto x = static_cast<double>(now);
        const double e = 0.5 * v * v + 0.5 * w * w * x * x;
        EXPECT_LE(e, energy * (1 + 1e-9) + 1e-18);
        energy = e;
        if (damping < 0.1 && (now < 0) != (before < 0) && std::abs(x) > 1e-9) {
          ++crossings;
          (crossings == 1 ? first_crossing : last_crossing) = i - static_cast<double>(now / (now - before));
        }
      }
      if (damping < 0.1) {  // the frequency of the damped oscillator
        const double frequency =
            std::numbers::pi * (crossings - 1) / ((last_crossing - first_crossing) * params.period);
        EXPECT_NEAR(frequency, w * std::sqrt(1 - damping * damping), 0.02 * w) << turning;
      }
    }
  }
}

/// A spring of given length drags a body over the floor: m a = F − μ N in every cycle, whatever `static_damping` is.
/// That is for bodies without mass.
TEST(DynamicCoupling, SlidingBodyAcceleratesByNewtonsLaw) {
  for (const double friction : {0.0, 0.2}) {
    RenderParams params;  // with all defaults
    params.mass = 0.5;
    params.stiffness_lag = 0;
    Renderer renderer = cube_on(floor_shell(), friction, params);
    renderer.reset_pose({{0, 0, cube_half - 0.0002}, identity_rotation});
    const double press = 0.004;
    for (int i = 0; i < 2000; ++i) {  // it comes to rest, pressed
      renderer.step({{0, 0, cube_half - press}, identity_rotation});
    }
    double speed = renderer.last().motion[0] / params.period;
    double worst = 0;
    for (int i = 0; i < 100; ++i) {
      // The hand is 5 mm ahead of the body: 2.5 N, less what friction takes
      const Pose& body = renderer.body();
      renderer.step({{body.position[0] + 0.005, 0, cube_half - press}, identity_rotation});
      const Cycle& cycle = renderer.last();
      const double next = cycle.motion[0] / params.period;
      const double force = cycle.coupling[0] + friction * cycle.coupling[2];  // the coupling presses down: < 0
      worst = std::max(worst, std::abs((next - speed) / params.period - force / params.mass));
      speed = next;
    }
    EXPECT_GT(speed, 0.2) << friction;
    EXPECT_LT(worst, 0.1 * 2.5 / params.mass) << friction;
  }
}

/// Tumbling after a hand that has stopped: energy of motion and springs never grows.
TEST(DynamicCoupling, NeverGainsEnergy) {
  Random random(53);
  RenderParams params = plain();
  params.mass = 0.2;
  params.coupling_rotational_stiffness = 0.5;
  const Matrix3 inertia{{{1e-4, 0, 0}, {0, 4e-4, 0}, {0, 0, 9e-4}}};
  double worst = 0;
  for (int i = 0; i < 50; ++i) {
    const BodyPair pair{.field = &test::cube_field(), .shell = &floor_shell(), .shell_moves = false};
    Renderer renderer(std::span(&pair, 1), {test::random_vector(random, 0.01), inertia}, params,
                      make_cone_program(1000));
    Pose hand = test::random_pose(random, 0.1);
    hand.position[2] += 0.5;
    renderer.reset_pose(hand);
    for (int k = 0; k < 30; ++k) {  // a swing of the hand
      hand = moved(hand, {}, {1e-3, 0, 0}, test::random_vector(random, 0.05));
      renderer.step(hand);
    }
    double energy = INFINITY;
    for (int k = 0; k < 1000; ++k) {
      const Cycle& cycle = renderer.step(hand);
      const Matrix3 turned = product(product(cycle.body.rotation, inertia), transposed(cycle.body.rotation));
      const Vector3 v = scaled(1 / params.period, force_of(cycle.motion));
      const Vector3 spin = scaled(1 / params.period, Vector3{cycle.motion[3], cycle.motion[4], cycle.motion[5]});
      const Vector3 torque{cycle.coupling[3], cycle.coupling[4], cycle.coupling[5]};
      const Vector3 force = force_of(cycle.coupling);
      const double e = 0.5 * params.mass * (dot(v, v) + dot(spin, rotate(turned, spin))) +
                       0.5 * dot(force, force) / params.coupling_stiffness +
                       0.5 * dot(torque, torque) / params.coupling_rotational_stiffness;
      if (k > 1) {
        worst = std::max(worst, (e - energy) / energy);
      }
      energy = e;
    }
  }
  std::printf("largest growth of energy in a cycle: %.1e\n", worst);
  EXPECT_LT(worst, 1e-9);
}

/// A body whose hand goes along with it tumbles: its angular momentum stays, its spin does not.
TEST(DynamicCoupling, BodyKeepsItsAngularMomentum) {
  RenderParams params = plain();
  params.period = 1e-4;
  params.mass = 0.2;
  params.coupling_rotational_stiffness = 0.02;
  const Matrix3 inertia{{{1e-4, 0, 0}, {0, 4e-4, 0}, {0, 0, 9e-4}}};
  const BodyPair pair{.field = &test::cube_field(), .shell = &floor_shell(), .shell_moves = false};
  Renderer renderer(std::span(&pair, 1), {{}, inertia}, params, make_cone_program(1000));
  renderer.reset_pose({{0, 0, 0.5}, identity_rotation});
  const auto spin = [&] {
    const Vector6& motion = renderer.last().motion;
    return scaled(1 / params.period, Vector3{motion[3], motion[4], motion[5]});
  };
  const auto momentum = [&] {
    const Matrix3& turn = renderer.body().rotation;
    return scaled(params.mass, rotate(turn, rotate(inertia, rotate_back(turn, spin()))));
  };
  for (int i = 0; i < 1000; ++i) {
    renderer.step({{0, 0, 0.5}, rotation_by({0.5, 1, 0.7})});
  }
  const Vector3 before = momentum();
  const Vector3 spin_before = spin();
  for (int i = 0; i < 3000; ++i) {
    renderer.step(renderer.body());
  }
  EXPECT_GT(norm(difference(spin(), spin_before)), 0.3 * norm(spin_before));
  EXPECT_LT(norm(difference(momentum(), before)), 0.02 * norm(before));
}

}  // namespace
}  // namespace stiction::haptics
