// Halving the step halves the error of backward Euler and quarters that of SDIRK2.
#include <gtest/gtest.h>

#include <cmath>
#include <iostream>

#include "support/csv.h"
#include "support/experiments.h"

namespace stiction::sim::order_test {
namespace {

using test::Column;
using test::deviation;

const Column& position(const Trajectory& run) { return run.position; }
const Column& velocity(const Trajectory& run) { return run.velocity; }
const Column& friction(const Trajectory& run) { return run.friction; }

/// The mean order over some halvings of the step.
template <class Run, class Select>
double observed_order(const Run& run, Method method, double step, int halvings, const Select& select,
                      const Column& exact) {
  const double coarse = deviation(select(run({.method = method, .step = step})), exact);
  const double fine = deviation(select(run({.method = method, .step = std::ldexp(step, -halvings)})), exact);
  const double order = std::log2(coarse / fine) / halvings;
  std::cout << (method == Method::sdirk2 ? "sdirk2" : "backward euler") << ": " << coarse << " -> " << fine
            << ", order " << order << '\n';
  return order;
}

template <class Run, class Select>
void expect_orders(const Run& run, double step, int halvings, const Select& select, const Column& exact) {
  EXPECT_NEAR(observed_order(run, Method::backward_euler, step, halvings, select, exact), 1, 0.1);
  EXPECT_NEAR(observed_order(run, Method::sdirk2, step, halvings, select, exact), 2, 0.15);
}

TEST(Order, InPresliding) {
  const double step = 0.114 / 60;
  expect_orders(test::presliding, step, 2, velocity, test::presliding({.relative_tolerance = 1e-11}).velocity);
  expect_orders(test::presliding, step, 1, velocity, test::read_reference("c_presliding_lugre_std").at("v"));
}

TEST(Order, UnderASineTorque) {
  expect_orders(test::sine_torque, 2.5e-4, 2, velocity, test::sine_torque({.relative_tolerance = 1e-11}).velocity);
  expect_orders(test::sine_torque, 2.5e-4, 2, velocity, test::read_reference("e_fig8_lugre").at("v"));
}

TEST(Order, InStickSlip) {
  expect_orders(test::stick_slip, 1e-3, 2, position, test::stick_slip({.relative_tolerance = 1e-11}).position);
  expect_orders(test::stick_slip, 1e-3, 2, position, test::read_reference("g_stickslip_lugre").at("x"));
}

/// A servo that starts from rest and follows a speed that never reverses: nothing jumps, and no kink is met.
template <class Model>
void expect_orders_in_a_servo(const Model& model) {
  const auto run = [&](Options options) {
    options.duration = 1;
    options.output_interval = 0.01;
    const Pid servo{.on = Pid::On::velocity, .reference = Sine{0.02, 10, 0, 0.03}, .proportional = 1};
    return simulate(model, {.mass = test::table2_inertia}, {.force = 0.32, .controller = servo}, options);
  };
  const auto exact = run({.relative_tolerance = 1e-11});
  ASSERT_GE(*std::min_element(exact.velocity.begin(), exact.velocity.end()), 0);
  expect_orders(run, 2.5e-4, 2, velocity, exact.velocity);
  expect_orders(run, 2.5e-4, 2, friction, exact.friction);
}

TEST(Order, OfLuGreInAServo) { expect_orders_in_a_servo(scalar::preset::olsson_table2()); }

TEST(Order, OfBlimanSorineInAServo) { expect_orders_in_a_servo(scalar::preset::table2_bliman_sorine_2()); }

TEST(Order, OfElastoPlasticInAServo) { expect_orders_in_a_servo(scalar::preset::table2_elasto_plastic()); }

TEST(Order, OfDahlInAServo) { expect_orders_in_a_servo(scalar::preset::table2_dahl()); }

}  // namespace
}  // namespace stiction::sim::order_test
