// Jacobians by automatic differentiation through the same code, against finite differences.
#include <gtest/gtest.h>

#include <Eigen/Core>
#include <cmath>
#include <unsupported/Eigen/AutoDiff>

#include "support/models.h"
#include "support/random.h"

namespace stiction::scalar {
namespace {

// Inputs: the eight parameters in the order of the table, then the bristle and the velocity.
constexpr int inputs = 10;
using Derivatives = Eigen::Matrix<double, inputs, 1>;
using Dual = Eigen::AutoDiffScalar<Derivatives>;
using LuGreDual = BasicLuGre<Dual>;
using Point = std::array<double, inputs>;

template <class Real>
struct Evaluated {
  Real rate, force, advanced;
};

template <class Real>
Evaluated<Real> evaluate(const std::array<Real, inputs>& at) {
  typename BasicLuGre<Real>::Params params;
  for (std::size_t i = 0; i < 8; ++i) {
    params.*BasicLuGre<Real>::fields[i].member = at[i];
  }
  const BasicLuGre<Real> model(params);
  const Real dt = Real(1e-3);
  return {model.rate({at[8]}, at[9]).bristle, model.force({at[8]}, at[9]), model.advance({at[8]}, at[9], dt).bristle};
}

Evaluated<Dual> differentiate(const Point& at) {
  std::array<Dual, inputs> duals;
  for (int i = 0; i < inputs; ++i) {
    duals[static_cast<std::size_t>(i)] = Dual(at[static_cast<std::size_t>(i)], inputs, i);
  }
  return evaluate(duals);
}

/// Richardson-extrapolated central difference.
Evaluated<double> difference(const Point& at, std::size_t input) {
  const auto central = [&](double h) {
    Point up = at;
    Point down = at;
    up[input] += h;
    down[input] -= h;
    const auto high = evaluate(up);
    const auto low = evaluate(down);
    const double width = up[input] - down[input];
    return Evaluated<double>{(high.rate - low.rate) / width, (high.force - low.force) / width,
                             (high.advanced - low.advanced) / width};
  };
  const double h = 1e-3 * std::abs(at[input]);
  const auto coarse = central(h);
  const auto fine = central(h / 2);
  return {(4 * fine.rate - coarse.rate) / 3, (4 * fine.force - coarse.force) / 3,
          (4 * fine.advanced - coarse.advanced) / 3};
}

Point random_point(test::Random& random, double exponent, double damping_velocity) {
  auto params = test::drawn_params<LuGre>(random);
  params.stribeck_exponent = exponent;
  params.damping_velocity = damping_velocity;
  Point at{};
  for (std::size_t i = 0; i < 8; ++i) {
    at[i] = params.*LuGre::fields[i].member;
  }
  at[8] = random.sign() * random.between(0.1, 1) * params.static_force / params.stiffness;
  at[9] = random.sign() * random.log_between(0.05, 2) * params.stribeck_velocity;
  return at;
}

void expect_derivatives_match(const Point& at, const std::vector<std::size_t>& which) {
  const auto dual = differentiate(at);
  const auto plain_values = evaluate(at);
  const double rate_size = std::abs(at[9]) + at[0] * std::abs(at[9] * at[8]) / at[2];
  const double force_size = at[3] + (at[1] + at[6]) * rate_size;
  EXPECT_NEAR(dual.rate.value(), plain_values.rate, 1e-14 * rate_size);
  EXPECT_NEAR(dual.force.value(), plain_values.force, 1e-14 * force_size);
  for (const std::size_t input : which) {
    const auto expected = difference(at, input);
    const auto k = static_cast<Eigen::Index>(input);
    const double per_unit = 1 / std::abs(at[input]);
    EXPECT_NEAR(dual.rate.derivatives()[k], expected.rate, 1e-8 * rate_size * per_unit) << "input " << input;
    EXPECT_NEAR(dual.force.derivatives()[k], expected.force, 1e-8 * force_size * per_unit) << "input " << input;
    EXPECT_NEAR(dual.advanced.derivatives()[k], expected.advanced, 1e-8 * at[3] / at[0] * per_unit)
        << "input " << input;
  }
}

TEST(LuGreAutodiff, JacobiansInParametersStateAndVelocityMatchFiniteDifferences) {
  test::Random random(17);
  for (int i = 0; i < 500; ++i) {
    const double exponent = random.between(0.6, 1.9);
    const double fading = random.log_between(1e-2, 1);
    expect_derivatives_match(random_point(random, exponent, fading), {0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
  }
}

TEST(LuGreAutodiff, WorksForTheUsualExponentAndConstantDamping) {
  test::Random random(18);
  for (int i = 0; i < 500; ++i) {
    expect_derivatives_match(random_point(random, 2, infinity), {0, 1, 2, 3, 4, 6, 8, 9});
  }
}

TEST(LuGreAutodiff, KnownDerivativesAtRest) {
  Point at{260, 0.6, 0.28, 0.33, 0.01, 2, 0.0176, infinity, 1e-4, 0};
  const auto dual = differentiate(at);
  EXPECT_DOUBLE_EQ(dual.force.derivatives()[8], 260);
  EXPECT_NEAR(dual.rate.derivatives()[8], 0, 1e-15);
}

TEST(LuGreAutodiff, ParametersAreCheckedByValue) {
  LuGreDual::Params params;
  for (std::size_t i = 0; i < 8; ++i) {
    params.*LuGreDual::fields[i].member = Dual(1.0);
  }
  EXPECT_FALSE(LuGreDual::check(params));
  params.static_force = Dual(0.5);
  EXPECT_EQ(LuGreDual::check(params)->value, 0.5);
}

}  // namespace
}  // namespace stiction::scalar
