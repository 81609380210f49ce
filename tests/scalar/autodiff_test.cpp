// Jacobians by automatic differentiation through the same code, against finite differences.
#include <gtest/gtest.h>

#include <Eigen/Core>
#include <cmath>
#include <string_view>
#include <type_traits>
#include <unsupported/Eigen/AutoDiff>
#include <vector>

#include "support/dual.h"
#include "support/every_model.h"
#include "support/random.h"
#include "support/rebind.h"
#include "support/states.h"

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

template <class Model>
class AutodiffOf : public testing::Test {};
TYPED_TEST_SUITE(AutodiffOf, test::EveryModel, test::ModelNames);

/// A body in motion: the numbers that its friction depends on, and how it got there, which decides the modes.
template <class Model>
struct Situation {
  typename Model::Params params;
  std::array<test::Move, 3> moves{};
  std::vector<double> numbers;  // parameters, states in use, velocity

  explicit Situation(test::Random& random) : params(test::drawn_params<Model>(random)) {
    const Model model(params);
    for (auto& move : moves) {
      move = {random.sign() * random.log_between(1e-4, 1), random.log_between(1e-5, 1e-2)};
    }
    const double velocity = random.sign() * random.log_between(1e-4, 1);
    test::for_each_number<Model>(params, [&](double number) { numbers.push_back(number); });
    const auto states = Model::pack(state<Model>(model, velocity));
    for (std::size_t k = 0; k < states_in_use(model); ++k) {
      numbers.push_back(0.999 * states[k]);  // not in a corner, on the edge of what can be reached
    }
    numbers.push_back(velocity);
  }

  /// The same motion with all states at zero.
  std::vector<double> unbent() const {
    auto result = numbers;
    std::fill(result.end() - 1 - static_cast<std::ptrdiff_t>(states_in_use(Model(params))), result.end() - 1, 0.0);
    return result;
  }

  template <class M, class Real>
  typename M::State state(const M& model, const Real& velocity) const {
    auto at = model.at_rest(Real(0));
    for (const auto& move : moves) {
      at = model.advance(at, Real(move.velocity), Real(move.time));
    }
    return model.advance(at, velocity, Real(0));
  }

  /// Force, rates and states after a step.
  template <class Real>
  std::vector<Real> outputs(const std::vector<Real>& at) const {
    using M = test::Rebind<Model, Real>;
    auto p = test::converted_params<M, Model>(params);
    const Real& velocity = at.back();
    auto start = state<M>(M(p), Real(plain(velocity)));
    std::size_t next = 0;
    test::for_each_number<M>(p, [&](Real& number) { number = at[next++]; });
    const M model(p);
    auto states = M::pack(start);
    for (std::size_t i = 0; next + 1 < at.size(); ++i) {
      states[i] = at[next++];
    }
    start = M::unpack(states, start);
    std::vector<Real> result{model.force(start, velocity)};
    const auto add = [&](const auto& packed) {
      const auto values = M::pack(packed);
      result.insert(result.end(), values.begin(), values.begin() + static_cast<std::ptrdiff_t>(states_in_use(model)));
    };
    add(model.rate(start, velocity));
    if (!std::is_same_v<Model, JournalBearing>) {  // its film is found by iteration, whose derivative lags behind
      add(model.advance(start, velocity, Real(1e-3)));
    }
    return result;
  }
};

/// Inputs without a derivative: an exponent for which the model has a closed form.
template <class Model>
bool has_derivative(std::size_t input, double number) {
  if (input >= Model::fields.size()) {
    return number != 0;
  }
  const auto& field = Model::fields[input];
  return std::isfinite(number) && number != 0 && !(std::string_view(field.name) == "exponent" && number == 1);
}

/// All outputs differenced in one input, with a step h to both sides.
template <class Model>
std::vector<double> central(const Situation<Model>& situation, std::size_t input, double h) {
  auto up = situation.numbers;
  auto down = situation.numbers;
  up[input] += h;
  down[input] -= h;
  auto high = situation.outputs(up);
  const auto low = situation.outputs(down);
  for (std::size_t j = 0; j < high.size(); ++j) {
    high[j] = (high[j] - low[j]) / (up[input] - down[input]);
  }
  return high;
}

TYPED_TEST(AutodiffOf, JacobiansMatchFiniteDifferences) {
  using Model = TypeParam;
  test::Random random(21);
  int compared = 0;
  int kinks = 0;
  for (int i = 0; i < test::affordable<Model>(100); ++i) {
    const Situation<Model> situation(random);
    const auto& numbers = situation.numbers;
    const auto values = situation.outputs(numbers);
    std::vector<std::vector<test::Dual>> jacobian;
    auto sizes = situation.outputs(situation.unbent());  // of an output, and of its changes with the inputs
    for (std::size_t k = 0; k < numbers.size(); ++k) {
      std::vector<test::Dual> duals(numbers.begin(), numbers.end());
      duals[k] = test::Dual(numbers[k], 1);
      jacobian.push_back(situation.outputs(duals));
      for (std::size_t j = 0; j < values.size(); ++j) {
        sizes[j] =
            std::max({std::abs(sizes[j]), std::abs(values[j]), std::abs(jacobian[k][j].derivative() * numbers[k])});
      }
    }
    for (std::size_t k = 0; k < numbers.size(); ++k) {
      if (!has_derivative<Model>(k, numbers[k])) {
        continue;
      }
      const double h = 1e-4 * std::abs(numbers[k]);
      const auto coarse = central(situation, k, h);
      const auto fine = central(situation, k, h / 2);
      for (std::size_t j = 0; j < values.size(); ++j) {
        const double size = sizes[j] / std::abs(numbers[k]);
        if (!(std::abs(fine[j] - coarse[j]) <= 1e-4 * size)) {
          ++kinks;  // the difference spans a corner of the law
          continue;
        }
        ++compared;
        const double expected = (4 * fine[j] - coarse[j]) / 3;
        ASSERT_NEAR(jacobian[k][j].value(), values[j], 1e-10 * sizes[j]) << "case " << i << " output " << j;
        ASSERT_NEAR(jacobian[k][j].derivative(), expected, 1e-6 * size)
            << "case " << i << " input " << k << " output " << j;
      }
    }
  }
  EXPECT_GT(compared, 20 * kinks);
}

}  // namespace
}  // namespace stiction::scalar
