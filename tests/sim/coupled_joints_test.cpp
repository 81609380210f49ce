// Frictions of several joints in one implicit step: the sweeps against direct solutions.
#include "stiction/sim/coupled_joints.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "stiction/scalar/presets.h"
#include "stiction/scalar/registry.h"
#include "support/models.h"
#include "support/random.h"

namespace stiction::sim {
namespace {

template <std::size_t N>
JointMatrix<N> positive_definite(test::Random& random, double size) {
  JointMatrix<N> root{};
  JointMatrix<N> result{};
  for (auto& row : root) {
    for (double& value : row) {
      value = random.between(-1, 1);
    }
  }
  for (std::size_t i = 0; i < N; ++i) {
    for (std::size_t j = 0; j < N; ++j) {
      for (std::size_t k = 0; k < N; ++k) {
        result[i][j] += size * root[i][k] * root[j][k];
      }
    }
    result[i][i] += 0.05 * size;
  }
  return result;
}

TEST(CoupledJoints, WithViscousFrictionAreALinearSystem) {
  // (1 + dt W D) v⁺ = v_free
  test::Random random(1);
  for (int n = 0; n < 200; ++n) {
    const auto w = positive_definite<3>(random, 10);
    const std::array frictions{scalar::Viscous::make({.viscous = random.log_between(0.1, 10)}),
                               scalar::Viscous::make({.viscous = random.log_between(0.1, 10)}),
                               scalar::Viscous::make({.viscous = random.log_between(0.1, 10)})};
    const JointVector<3> free{random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)};
    const double dt = 0.01;
    Eigen::Matrix3d a = Eigen::Matrix3d::Identity();
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) {
        a(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) += dt * w[i][j] * frictions[j].params.viscous;
      }
    }
    const Eigen::Vector3d direct = a.partialPivLu().solve(Eigen::Vector3d(free[0], free[1], free[2]));
    const auto found = solve_joints(frictions, {}, free, w, dt, free, {.most_sweeps = 1000});
    EXPECT_LT(found.sweeps, 1000);
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_NEAR(found.velocity[i], direct(static_cast<Eigen::Index>(i)), 1e-11);
    }
  }
}

TEST(CoupledJoints, OneAloneIsTheModelsOwnSolve) {
  const auto lugre = scalar::preset::olsson_table2();
  const scalar::LuGre::State state{1e-3};
  const auto alone = lugre.solve(state, 0.3, 400, 1e-3, 0.2);
  const auto found = solve_joints<1>(std::array{lugre}, {state}, {0.3}, {{{400}}}, 1e-3, {0.2});
  EXPECT_EQ(found.sweeps, 1);
  EXPECT_EQ(found.velocity[0], alone.velocity);
  EXPECT_EQ(found.state[0], alone.state);
  EXPECT_EQ(found.force[0], alone.force);
}

TEST(CoupledJoints, SatisfyTheirEquationForEveryModel) {
  scalar::for_each_model([]<class Model>(std::type_identity<Model>) {
    test::Random random(2);
    const Model model = test::example<Model>();
    const std::array<Model, 2> frictions{model, model};
    for (int n = 0; n < 20; ++n) {
      const auto w = positive_definite<2>(random, 1);
      const double dt = 1e-4;
      const JointVector<2> v{random.between(-0.3, 0.3), random.between(-0.3, 0.3)};
      const JointVector<2> free{v[0] + random.between(-1e-3, 1e-3), v[1] + random.between(-1e-3, 1e-3)};
      const std::array state{model.advance(model.at_rest(0), v[0], 0), model.advance(model.at_rest(0), v[1], 0)};
      const auto found = solve_joints(frictions, state, free, w, dt, v, {.most_sweeps = 1000});
      ASSERT_LT(found.residual, 1e-11) << Model::info.name;
      for (std::size_t i = 0; i < 2; ++i) {
        const double expected = free[i] - dt * (w[i][0] * found.force[0] + w[i][1] * found.force[1]);
        ASSERT_NEAR(found.velocity[i], expected, 1e-11) << Model::info.name;
      }
    }
  });
}

TEST(CoupledJoints, TrulyStickTogetherAndOneByOne) {
  // Coulomb: v⁺ = 0 in both where |(dt W)⁻¹ v_free| is below the level; else complementarity, joint by joint.
  const auto coulomb = scalar::Coulomb::make({.coulomb_force = 1});
  test::Random random(7);
  int stuck = 0;
  int mixed = 0;
  for (int n = 0; n < 3000; ++n) {
    const auto w = positive_definite<2>(random, 1);
    const double dt = 0.1;
    const JointVector<2> load{random.between(-2, 2), random.between(-2, 2)};
    const JointVector<2> free{dt * (w[0][0] * load[0] + w[0][1] * load[1]),
                              dt * (w[1][0] * load[0] + w[1][1] * load[1])};
    const auto found = solve_joints(std::array{coulomb, coulomb}, {}, free, w, dt, {0, 0}, {.most_sweeps = 100000});
    ASSERT_LT(found.residual, 1e-12);
    int moving = 0;
    for (std::size_t i = 0; i < 2; ++i) {
      ASSERT_LE(std::abs(found.force[i]), 1 + 1e-12);
      moving += found.velocity[i] != 0 ? 1 : 0;
      if (found.velocity[i] != 0) {
        ASSERT_EQ(found.force[i], sgn(found.velocity[i]));
      }
    }
    if (std::abs(load[0]) < 1 && std::abs(load[1]) < 1) {
      ASSERT_LT(std::abs(found.velocity[0]) + std::abs(found.velocity[1]), 1e-12) << "each holds its own load";
    }
    stuck += moving == 0 ? 1 : 0;
    mixed += moving == 1 ? 1 : 0;
  }
  EXPECT_GT(stuck, 100);
  EXPECT_GT(mixed, 100);
}

TEST(CoupledJoints, StopAfterTheSweepsAllowedAndSayHowFarTheyCame) {
  const auto lugre = scalar::preset::olsson_table2();
  const JointMatrix<2> w{{{400, 399}, {399, 400}}};
  const auto one = solve_joints(std::array{lugre, lugre}, {}, {0.5, -0.2}, w, 1e-3, {0.1, 0.1}, {.most_sweeps = 1});
  EXPECT_EQ(one.sweeps, 1);
  EXPECT_GT(one.residual, 1e-6);
  const auto many =
      solve_joints(std::array{lugre, lugre}, {}, {0.5, -0.2}, w, 1e-3, {0.1, 0.1}, {.most_sweeps = 100000});
  EXPECT_LT(many.residual, 1e-12);
  EXPECT_GT(many.sweeps, 5);
  const auto broken = solve_joints(std::array{lugre, lugre}, {}, {std::nan(""), 0}, w, 1e-3, {0, 0});
  EXPECT_TRUE(std::isnan(broken.residual));
  EXPECT_LE(broken.sweeps, 2);
}

}  // namespace
}  // namespace stiction::sim
