#include "stiction/small_matrix.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <unsupported/Eigen/MatrixFunctions>

#include "support/random.h"

namespace stiction::scalar {
namespace {

using Small = SmallMatrix<double, 4>;
using Large = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;

Small random_matrix(test::Random& random, std::size_t n, double size) {
  Small m;
  m.size = n;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      m.at[i][j] = size * random.between(-1, 1);
    }
  }
  return m;
}

Large large(const Small& m) {
  const auto n = static_cast<Eigen::Index>(m.size);
  Large result(n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index j = 0; j < n; ++j) {
      result(i, j) = m.at[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
    }
  }
  return result;
}

double largest_difference(const Small& m, const Large& expected) {
  return static_cast<double>((large(m) - expected).cwiseAbs().maxCoeff());
}

template <class Check>
void for_random_matrices(double smallest, double largest, Check&& check) {
  test::Random random(42);
  for (int i = 0; i < 2'000; ++i) {
    SCOPED_TRACE(i);
    check(random_matrix(random, 1 + static_cast<std::size_t>(i) % 4, random.log_between(smallest, largest)), random);
  }
}

TEST(SmallMatrix, SumsAndProductsAreEigens) {
  for_random_matrices(1e-3, 1e3, [](const Small& a, test::Random& random) {
    const Small b = random_matrix(random, a.size, 1);
    EXPECT_LE(largest_difference(a.mixed(2, b, -3), 2 * large(a) - 3 * large(b)), 1e-15 * (a.norm() + 3));
    EXPECT_LE(largest_difference(a.times(b), large(a) * large(b)), 1e-15 * a.norm() * b.norm());
    const Small::Vector x{1, -2, 3, -4};
    const auto y = a.times(x);
    for (std::size_t i = 0; i < 4; ++i) {
      double sum = 0;
      for (std::size_t j = 0; j < a.size; ++j) {
        sum += a.at[i][j] * x[j];
      }
      EXPECT_NEAR(y[i], i < a.size ? sum : 0, 1e-15 * a.norm() * 4);
    }
    EXPECT_NEAR(a.norm(), static_cast<double>(large(a).cwiseAbs().rowwise().sum().maxCoeff()), 1e-15 * a.norm());
  });
}

TEST(SmallMatrix, SolvesLinearSystems) {
  for_random_matrices(1e-6, 1e6, [](const Small& a, test::Random& random) {
    Small::Vector b{};
    for (std::size_t i = 0; i < a.size; ++i) {
      b[i] = random.between(-1, 1);
    }
    const auto x = a.solved(b);
    // The residual of elimination with pivoting is small, however near to singular the matrix is.
    const auto back = a.times(x);
    double size = 0;
    for (const double value : x) {
      size = std::max(size, std::abs(value));
    }
    for (std::size_t i = 0; i < a.size; ++i) {
      EXPECT_NEAR(back[i], b[i], 1e-14 * (1 + a.norm() * size));
    }
  });
  Small swapped;
  swapped.size = 2;
  swapped.at[0] = {0, 2};
  swapped.at[1] = {4, 0};
  EXPECT_EQ(swapped.solved({2, 4})[0], 1) << "a zero on the diagonal is no obstacle";
  EXPECT_EQ(swapped.solved({2, 4})[1], 1);
}

TEST(SmallMatrix, ASingularOneGivesNothingFinite) {
  Small singular;
  singular.size = 2;
  singular.at[0] = {1, 2};
  singular.at[1] = {2, 4};
  EXPECT_FALSE(std::isfinite(singular.solved({1, 1})[1]));
}

TEST(SmallMatrix, ExponentialIsEigensInExtendedPrecision) {
  for_random_matrices(1e-6, 10, [](const Small& a, test::Random&) {
    const Large expected = large(a).exp();
    const auto size = static_cast<double>(expected.cwiseAbs().maxCoeff());
    EXPECT_LE(largest_difference(a.exponential(), expected), 1e-15 * (8 + 8 * a.norm()) * size);
  });
}

TEST(SmallMatrix, ExponentialIsTheSeriesInExtendedPrecision) {
  for_random_matrices(1e-3, 1, [](const Small& a, test::Random&) {
    const auto n = static_cast<Eigen::Index>(a.size);
    Large term = Large::Identity(n, n);
    Large sum = term;
    for (int k = 1; k < 60; ++k) {
      term = term * large(a) / k;
      sum += term;
    }
    EXPECT_LE(largest_difference(a.exponential(), sum), 4e-15 * static_cast<double>(sum.cwiseAbs().maxCoeff()));
  });
}

TEST(SmallMatrix, ExponentialOfStableMatricesFades) {
  for_random_matrices(1, 1e9, [](Small a, test::Random&) {
    for (std::size_t i = 0; i < a.size; ++i) {
      a.at[i][i] -= 2 * a.norm();
    }
    const Small flow = a.exponential();
    EXPECT_LE(flow.norm(), 1);
  });
  const Small none = Small::identity(3).mixed(0, Small::identity(3), 0).exponential();
  EXPECT_EQ(none.at, Small::identity(3).at) << "e^0 = I";
}

TEST(SmallMatrix, ExponentialOfARotationIsARotation) {
  Small turn;
  turn.size = 2;
  for (const double angle : {1e-9, 0.3, 1.0, 100.0}) {
    turn.at[0] = {0, angle};
    turn.at[1] = {-angle, 0};
    const auto flow = turn.exponential();
    EXPECT_NEAR(flow.at[0][0], std::cos(angle), 1e-15 * (1 + 8 * angle));
    EXPECT_NEAR(flow.at[0][1], std::sin(angle), 1e-15 * (1 + 8 * angle));
  }
}

}  // namespace
}  // namespace stiction::scalar
