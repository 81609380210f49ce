// Every model under one imposed velocity, against independent results: closed forms, and steps of 1 µs.
#include <gtest/gtest.h>

#include <iostream>
#include <numbers>

#include "stiction/scalar/presets.h"
#include "stiction/sim/line.h"
#include "support/csv.h"

namespace stiction::sim {
namespace {

namespace preset = scalar::preset;

/// Largest deviation of the friction, relative to its range. Where the velocity passes zero a friction that jumps has
/// no value.
template <class Model>
double deviation_from(const std::string& column, const Model& model, Method method) {
  static const test::Columns reference = test::read_reference("h_imposed_velocity");
  const Signal velocity(std::vector<Signal::Term>{Sine{0.02, std::numbers::pi}, Sine{0.006, 3 * std::numbers::pi}});
  const auto run = drive(model, velocity, {.method = method, .duration = 4, .output_interval = 0.02, .step = 1e-4});
  const auto& expected = reference.at(column);
  EXPECT_EQ(run.friction.size(), expected.size());
  const auto [low, high] = std::minmax_element(expected.begin(), expected.end());
  double worst = 0;
  for (std::size_t i = 0; i < std::min(run.friction.size(), expected.size()); ++i) {
    if (std::abs(reference.at("v")[i]) > 1e-9) {
      worst = std::max(worst, std::abs(run.friction[i] - expected[i]) / (*high - *low));
    }
  }
  return worst;
}

class ImposedVelocity : public testing::TestWithParam<Method> {
 protected:
  template <class Model>
  void expect(const std::string& column, const Model& model, double tolerance) {
    const double off = deviation_from(column, model, GetParam());
    std::cout << column << ": " << off << '\n';
    EXPECT_LT(off, tolerance) << column;
  }
};

TEST_P(ImposedVelocity, MatchesTheReferenceForModelsWithoutAState) {
  const scalar::Coulomb coulomb({.coulomb_force = 0.28});
  const scalar::Viscous power({.viscous = 0.0176, .exponent = 0.5});
  expect("F_coulomb", coulomb, 1e-9);
  expect("F_coulomb_viscous", preset::table2_coulomb(), 1e-9);
  expect("F_viscous_power0.5", power, 1e-9);
  expect("F_stribeck", preset::table2_stribeck(), 1e-9);
  expect("F_stribeck_asym", preset::table2_asymmetric_stribeck(), 1e-9);
  expect("F_tanh", preset::table2_tanh(), 1e-9);
  expect("F_brown_mcphee", preset::table2_brown_mcphee(), 1e-9);
  expect("F_specker", preset::table2_specker(), 1e-9);
}

// The reference used RK4 with steps of 1 µs: it is good to better than 1e-7.
TEST_P(ImposedVelocity, MatchesTheReferenceForModelsWithASmoothState) {
  const auto dahl = [](double exponent) {
    auto params = preset::table2_dahl().params();
    params.exponent = exponent;
    return scalar::Dahl(params);
  };
  const auto bliman_sorine_1 = [] {
    auto params = preset::table2_bliman_sorine_1().params();
    params.viscous = 0;
    return scalar::BlimanSorine1(params);
  };
  expect("F_dahl1", dahl(1), 1e-6);
  expect("F_dahl0.5", dahl(0.5), 1e-6);
  expect("F_dahl2", dahl(2), 1e-6);
  expect("F_dahl1", bliman_sorine_1(), 1e-6);  // the same model
  expect("F_bs2", preset::table2_bliman_sorine_2(), 1e-6);
  expect("F_bs2", preset::table2_bliman_sorine(), 1e-6);
  expect("F_lugre", preset::olsson_table2(), 1e-6);
  expect("F_lugre22", preset::table2_lugre_fading(), 1e-6);
  expect("F_elastoplastic", preset::table2_elasto_plastic(), 1e-6);
}

// The reference has the sliding branch alone, with the whole static excess: a stiff contact that recovers at once.
TEST_P(ImposedVelocity, MatchesTheReferenceForArmstrongsSlidingFriction) {
  auto params = preset::table2_armstrong().params();
  params.stiffness = 1e9;
  params.dwell_time = 1e-12;
  expect("F_armstrong_sliding", scalar::Armstrong(params), 1e-6);
}

// The reference took first-order steps of 1 µs: it is good to 1e-5.
TEST_P(ImposedVelocity, MatchesTheReferenceForModelsThatSwitch) {
  const auto hysteresis = [] {
    auto params = preset::table2_gms().params();
    params.viscous = 0;
    return scalar::Gms(params);
  };
  expect("F_gms_hyst", hysteresis(), 1e-5);
  expect("F_gms", preset::table2_gms(), 1e-5);
  expect("F_reset", preset::table2_reset_integrator(), 1e-5);
  expect("F_leuven", preset::table2_leuven(), 1e-5);
}

INSTANTIATE_TEST_SUITE_P(Methods, ImposedVelocity, testing::Values(Method::cvode, Method::midpoint));

}  // namespace
}  // namespace stiction::sim
