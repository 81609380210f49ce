// Every model under one imposed velocity, against independent results (RK4 at 1 µs, closed forms).
#include <gtest/gtest.h>

#include <numbers>

#include "stiction/scalar/registry.h"
#include "stiction/sim/line.h"
#include "support/csv.h"

namespace stiction::sim {
namespace {

/// Largest deviation of the friction, relative to its range. Where the velocity passes zero a friction that jumps has
/// no value.
template <class Model>
double deviation_from(const std::string& column, const Model& model, Method method) {
  static const test::Columns reference = test::read_reference("h_imposed_velocity");
  const Signal velocity(std::vector<Signal::Term>{Sine{0.02, std::numbers::pi}, Sine{0.006, 3 * std::numbers::pi}});
  const auto run = drive(model, velocity, {.method = method, .duration = 4, .output_interval = 0.01, .step = 1e-4});
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

class ImposedVelocity : public testing::TestWithParam<Method> {};

TEST_P(ImposedVelocity, GivesTheFrictionOfTheReference) {
  using namespace scalar;
  const auto coulomb = Coulomb::make({.coulomb_force = 0.28});
  const auto coulomb_viscous = Coulomb::make({.coulomb_force = 0.28, .viscous = 0.0176});
  const auto power = Viscous::make({.viscous = 0.0176, .exponent = 0.5});
  const auto stribeck = Stribeck::make({.coulomb_force = 0.28,
                                        .static_force = 0.33,
                                        .stribeck_velocity = 0.01,
                                        .stribeck_exponent = 2,
                                        .viscous = 0.0176});
  const auto asymmetric = AsymmetricStribeck::make({.coulomb_force_plus = 0.28,
                                                    .static_force_plus = 0.33,
                                                    .stribeck_velocity_plus = 0.01,
                                                    .stribeck_exponent_plus = 2,
                                                    .viscous_plus = 0.0176,
                                                    .coulomb_force_minus = 0.25,
                                                    .static_force_minus = 0.36,
                                                    .stribeck_velocity_minus = 0.02,
                                                    .stribeck_exponent_minus = 1,
                                                    .viscous_minus = 0.02});
  const auto smoothed = Tanh::make({.coulomb_force = 0.28, .transition_velocity = 1e-3, .viscous = 0});
  LuGre::Params lugre{.stiffness = 260,
                      .damping = 0.6,
                      .coulomb_force = 0.28,
                      .static_force = 0.33,
                      .stribeck_velocity = 0.01,
                      .stribeck_exponent = 2,
                      .viscous = 0.0176};
  EXPECT_LT(deviation_from("F_coulomb", coulomb, GetParam()), 1e-9);
  EXPECT_LT(deviation_from("F_coulomb_viscous", coulomb_viscous, GetParam()), 1e-9);
  EXPECT_LT(deviation_from("F_viscous_power0.5", power, GetParam()), 1e-9);
  EXPECT_LT(deviation_from("F_stribeck", stribeck, GetParam()), 1e-9);
  EXPECT_LT(deviation_from("F_stribeck_asym", asymmetric, GetParam()), 1e-9);
  EXPECT_LT(deviation_from("F_tanh", smoothed, GetParam()), 1e-9);
  EXPECT_LT(deviation_from("F_lugre", LuGre::make(lugre), GetParam()), 1e-6);
  lugre.damping_velocity = 0.1;
  EXPECT_LT(deviation_from("F_lugre22", LuGre::make(lugre), GetParam()), 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Methods, ImposedVelocity, testing::Values(Method::cvode, Method::sdirk2));

}  // namespace
}  // namespace stiction::sim
