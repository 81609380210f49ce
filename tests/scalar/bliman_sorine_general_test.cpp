#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <limits>
#include <unsupported/Eigen/MatrixFunctions>

#include "support/random.h"

namespace stiction::scalar::bliman_sorine_general_test {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
using Numbers = BlimanSorine::Params::Numbers;
using Matrix = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
using Vector = Eigen::Matrix<long double, Eigen::Dynamic, 1>;

Matrix matrix_of(const Numbers& numbers, Eigen::Index rows) {
  Matrix result(rows, static_cast<Eigen::Index>(numbers.size) / rows);
  for (Eigen::Index i = 0; i < result.size(); ++i) {
    result(i / result.cols(), i % result.cols()) = numbers[static_cast<std::size_t>(i)];
  }
  return result;
}

Numbers random_numbers(test::Random& random, std::size_t count, double size) {
  Numbers result;
  for (std::size_t i = 0; i < count; ++i) {
    result.push_back(size * random.between(-1, 1));
  }
  return result;
}

/// The eigenvalue that is furthest to the right.
double growth_of(const Numbers& a, std::size_t n) {
  return static_cast<double>(matrix_of(a, static_cast<Eigen::Index>(n)).eigenvalues().real().maxCoeff());
}

/// A random stable system: any matrix, moved to the left.
BlimanSorine::Params random_system(test::Random& random) {
  const auto n = static_cast<std::size_t>(random.between(1, 5));
  BlimanSorine::Params p{.a = random_numbers(random, n * n, 1e3),
                         .b = random_numbers(random, n, 1e3),
                         .c = random_numbers(random, n, 1),
                         .viscous = 0.1};
  const double shift = growth_of(p.a, n) + random.log_between(10, 1e3);
  for (std::size_t i = 0; i < n; ++i) {
    p.a.values[i * n + i] -= shift;
  }
  return p;
}

TEST(BlimanSorine, OfOrderOneAndTwoAreTheNamedModels) {
  test::Random random(37);
  for (int i = 0; i < 3'000; ++i) {
    const auto p = test::drawn_params<BlimanSorine2>(random);
    const auto named = BlimanSorine2::make(p);
    const double fast = p.ratio * p.distance;
    const auto general = BlimanSorine::make({.a = {-1 / fast, 0, 0, -1 / p.distance},
                                             .b = {p.force_1 / fast, -p.force_2 / p.distance},
                                             .c = {1, 1},
                                             .viscous = p.viscous});
    ASSERT_EQ(general.states_in_use(), 2U);
    ASSERT_NEAR(general.steady_force(), p.force_1 - p.force_2, 8 * epsilon * p.force_1);
    const BlimanSorine2::State state{p.force_1 * random.between(-1, 1), p.force_2 * random.between(-1, 1)};
    const double v = random.sign() * random.log_between(1e-6, 1);
    const double dt = random.log_between(1e-6, 1e-1);
    const auto next = named.advance(state, v, dt);
    const auto same = general.advance({{state.x1, state.x2}}, v, dt);
    const double rounding = 1e-13 * p.force_1;  // of a matrix exponential, squared often
    ASSERT_NEAR(same.x[0], next.x1, rounding) << i;
    ASSERT_NEAR(same.x[1], next.x2, rounding) << i;
    ASSERT_NEAR(general.force(same, v), named.force(next, v), 2 * rounding + 4 * epsilon * p.viscous * std::abs(v));
    ASSERT_NEAR(general.rate({{state.x1, state.x2}}, v).x[0], named.rate(state, v).x1,
                8 * epsilon * p.force_1 * std::abs(v) / fast);
    const auto linear = named.linearised(2);
    ASSERT_NEAR(general.linearised(2).natural_frequency, linear.natural_frequency, 1e-14 * linear.natural_frequency);
    ASSERT_NEAR(general.linearised(2).damping_ratio, linear.damping_ratio, 1e-14 * linear.damping_ratio);
  }
  const auto first = BlimanSorine1::make({.force = 2, .distance = 1e-3});
  const auto general = BlimanSorine::make({.a = {-1e3}, .b = {2e3}, .c = {1}});
  for (const double x : {1e-6, 1e-3, -5e-3}) {
    EXPECT_NEAR(general.advance({}, x, 1).x[0], first.advance({}, x, 1).x1, 1e-15);
  }
}

TEST(BlimanSorine, AdvanceIsTheMatrixExponentialOfAnySystem) {
  test::Random random(38);
  for (int i = 0; i < 1'000; ++i) {
    const auto p = random_system(random);
    const auto model = BlimanSorine::make(p);
    const auto n = static_cast<Eigen::Index>(p.b.size);
    const Matrix a = matrix_of(p.a, n);
    const Vector b = matrix_of(p.b, n);
    const Vector settled = -a.colPivHouseholderQr().solve(b);
    BlimanSorine::State state;
    Vector x(n);
    for (Eigen::Index k = 0; k < n; ++k) {
      const double number = random.between(-1, 1);
      state.x[static_cast<std::size_t>(k)] = number;
      x(k) = number;
    }
    const double way = random.sign() * random.log_between(1e-6, 1e-2);
    const long double direction = sgn(way);
    const Matrix flow = (a * std::abs(static_cast<long double>(way))).exp();
    const Vector expected = direction * settled + flow * (x - direction * settled);
    const auto next = model.advance(state, way, 1);
    const double size = 1 + static_cast<double>(settled.cwiseAbs().maxCoeff());
    for (Eigen::Index k = 0; k < n; ++k) {
      ASSERT_NEAR(next.x[static_cast<std::size_t>(k)], static_cast<double>(expected(k)), 1e-11 * size) << i;
    }
    // F₀ = −C A⁻¹ B (eq. 23)
    const auto steady = static_cast<double>((matrix_of(p.c, 1) * settled)(0));
    ASSERT_NEAR(model.steady_force(), steady, 1e-12 * size) << i;
    ASSERT_NEAR(model.force(model.advance(state, sgn(way), 1e9), 0), sgn(way) * steady, 1e-11 * size) << i;
  }
}

TEST(BlimanSorine, IsRefusedExactlyWhereAnEigenvalueIsNotStable) {
  test::Random random(39);
  int refused = 0;
  int accepted = 0;
  for (int i = 0; i < 20'000; ++i) {
    const auto n = static_cast<std::size_t>(random.between(1, 5));
    auto a = random_numbers(random, n * n, random.log_between(1e-3, 1e6));
    const double left = random.between(-1, 2) * std::abs(a[0]);
    for (std::size_t k = 0; k < n; ++k) {
      a.values[k * n + k] -= left;
    }
    const auto size = static_cast<double>(matrix_of(a, static_cast<Eigen::Index>(n)).cwiseAbs().maxCoeff());
    const double growth = growth_of(a, n) / size;
    if (std::abs(growth) < 1e-9) {
      continue;  // neither
    }
    Numbers ones;
    for (std::size_t k = 0; k < n; ++k) {
      ones.push_back(1);
    }
    const bool is_refused = BlimanSorine::check({.a = a, .b = ones, .c = ones}).has_value();
    ASSERT_EQ(is_refused, growth > 0) << i << " eigenvalue " << growth;
    (is_refused ? refused : accepted) += 1;
  }
  EXPECT_GT(refused, 4'000);
  EXPECT_GT(accepted, 4'000);
}

TEST(BlimanSorine, RestsWithAnyLoadUpToSteadyFriction) {
  test::Random random(40);
  for (int i = 0; i < 100; ++i) {
    const auto model = BlimanSorine::make(test::drawn_params<BlimanSorine>(random));
    const double load = model.steady_force() * random.between(-1, 1);
    EXPECT_NEAR(model.force(model.at_rest(load), 0), load, 1e-12 * model.steady_force());
    EXPECT_EQ(model.at_rest(2 * model.steady_force()), model.steady_state(1));
    EXPECT_EQ(model.steady_state(1), model.advance(model.steady_state(1), 1, 1e-3)) << "nothing left to settle";
    EXPECT_NEAR(model.force(model.steady_state(-2), 0), -model.steady_force(), 1e-15 * model.steady_force());
  }
}

TEST(BlimanSorine, ImplicitStepSolvesItsLinearSystem) {
  test::Random random(41);
  for (int i = 0; i < 1'000; ++i) {
    const auto p = random_system(random);
    const auto model = BlimanSorine::make(p);
    const auto n = static_cast<Eigen::Index>(p.b.size);
    const double way = random.sign() * random.log_between(1e-6, 1e-1);
    BlimanSorine::State state;
    Vector x(n);
    for (Eigen::Index k = 0; k < n; ++k) {
      x(k) = state.x[static_cast<std::size_t>(k)] = random.between(-1, 1);
    }
    // (I − |x| A) x⁺ = x + B x
    const Matrix left = Matrix::Identity(n, n) - std::abs(way) * matrix_of(p.a, n);
    const Vector expected = left.colPivHouseholderQr().solve(x + matrix_of(p.b, n) * static_cast<long double>(way));
    const auto next = model.implicit(state, way, 1).state;
    const double size = static_cast<double>(expected.cwiseAbs().maxCoeff());
    for (Eigen::Index k = 0; k < n; ++k) {
      ASSERT_NEAR(next.x[static_cast<std::size_t>(k)], static_cast<double>(expected(k)), 1e-11 * (1 + size)) << i;
    }
  }
}

}  // namespace
}  // namespace stiction::scalar::bliman_sorine_general_test
