// The derivatives carried along a simulation, against differences of whole simulations.
#include <gtest/gtest.h>

#include <cmath>

#include "identify/generator.h"
#include "identify/problem.h"

namespace stiction::identify {
namespace {

/// Central differences over a range in which the residuals bend little.
Eigen::MatrixXd differences(const LeastSquares& problem, const std::vector<double>& at) {
  Eigen::MatrixXd result(static_cast<Eigen::Index>(problem.residuals), std::ssize(at));
  for (std::size_t i = 0; i < at.size(); ++i) {
    constexpr double h = 1e-5;
    Eigen::VectorXd up(result.rows());
    Eigen::VectorXd down(result.rows());
    for (auto& [sign, out] :
         {std::pair<double, Eigen::VectorXd&>(1, up), std::pair<double, Eigen::VectorXd&>(-1, down)}) {
      std::vector<double> moved = at;
      moved[i] += sign * h;
      problem.evaluate(moved, {out.data(), problem.residuals}, nullptr);
    }
    result.col(static_cast<Eigen::Index>(i)) = (up - down) / (2 * h);
  }
  return result;
}

class Derivatives : public testing::TestWithParam<std::tuple<const char*, Drive>> {};

TEST_P(Derivatives, AgreeWithDifferences) {
  const auto& [model, drive] = GetParam();
  const Recording log =
      is_loop(drive) ? test::motion({}, {}, {.duration = 2}) : test::presliding({}, {}, {.duration = 1});
  std::vector<Prepared> prepared{prepare(log, std::vector<char>(log.time.size(), 1))};
  prepared[0].track.drive = drive;
  prepared[0].track.correction = drive == Drive::linear_torque ? 20 : 0;
  std::vector<SteadyPoint> steady{{0.1, 0.3, 1e-3}, {-0.01, -0.3, 1e-3}};
  Guess guess;
  static_cast<CurveGuess&>(guess) = {
      .coulomb_force = 0.27, .static_excess = 0.06, .stribeck_velocity = 0.011, .viscous = 0.02};
  guess.stiffness = 250;
  guess.damping = 0.5;
  guess.mass = 0.0025;
  const Engine engine = find_engine(model);
  ASSERT_TRUE(engine.differentiable);
  const Options options;
  Budget budget(1'000'000'000, options.progress);
  const Problem problem(engine, prepared, steady, guess, options, budget);
  const LeastSquares search = problem.least_squares();
  std::vector<double> at = search.start;
  Eigen::VectorXd residuals(static_cast<Eigen::Index>(search.residuals));
  std::vector<double> storage(search.residuals * at.size());
  Jacobian jacobian(storage.data(), residuals.size(), std::ssize(at));
  search.evaluate(at, {residuals.data(), search.residuals}, &jacobian);
  Eigen::VectorXd plain = residuals;
  search.evaluate(at, {plain.data(), search.residuals}, nullptr);
  EXPECT_EQ(plain, residuals);
  const Eigen::MatrixXd expected = differences(search, at);
  for (Eigen::Index i = 0; i < expected.cols(); ++i) {
    EXPECT_LT((jacobian.col(i) - expected.col(i)).norm(), 1e-3 * expected.col(i).norm() + 1e-6)
        << problem.numbers()[static_cast<std::size_t>(i)].name;
  }
}

std::string name_of(const testing::TestParamInfo<std::tuple<const char*, Drive>>& info) {
  constexpr std::array drives{"held", "linear", "smooth", "continuous", "sampled"};
  std::string name = std::get<0>(info.param);
  std::erase(name, '-');
  return name + "_" + drives[static_cast<std::size_t>(std::get<1>(info.param))];
}

INSTANTIATE_TEST_SUITE_P(All, Derivatives,
                         testing::Combine(testing::Values("lugre", "elasto-plastic", "dahl"),
                                          testing::Values(Drive::held_torque, Drive::linear_torque,
                                                          Drive::smooth_torque, Drive::continuous_loop,
                                                          Drive::sampled_loop)),
                         name_of);

// In a loop, which damps it: a force alone makes the springs ring, and then each small difference grows.
INSTANTIATE_TEST_SUITE_P(Springs, Derivatives,
                         testing::Combine(testing::Values("gms"),
                                          testing::Values(Drive::continuous_loop, Drive::sampled_loop)),
                         name_of);

}  // namespace
}  // namespace stiction::identify
