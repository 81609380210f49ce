// Frictions of several joints in one implicit step, against direct solutions and on chains of many joints.
#include "stiction/scalar/joint_solver.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "stiction/scalar/joints.h"
#include "stiction/scalar/presets.h"
#include "support/models.h"
#include "support/random.h"

namespace stiction::scalar {
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

TEST(JointSolver, WithViscousFrictionAreALinearSystem) {
  // (1 + dt W D) v⁺ = v_free
  test::Random random(1);
  for (int n = 0; n < 200; ++n) {
    const auto w = positive_definite<3>(random, 10);
    const std::array frictions{Viscous::make({.viscous = random.log_between(0.1, 10)}),
                               Viscous::make({.viscous = random.log_between(0.1, 10)}),
                               Viscous::make({.viscous = random.log_between(0.1, 10)})};
    const JointVector<3> free{random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)};
    const double dt = 0.01;
    Eigen::Matrix3d a = Eigen::Matrix3d::Identity();
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) {
        a(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) += dt * w[i][j] * frictions[j].params().viscous;
      }
    }
    const Eigen::Vector3d direct = a.partialPivLu().solve(Eigen::Vector3d(free[0], free[1], free[2]));
    const auto found = solve_joints(frictions, {}, {.free_velocity = free, .mobility = w, .velocity = free, .dt = dt});
    EXPECT_EQ(found.report.status, JointStatus::converged);
    EXPECT_LE(found.report.iterations, 2);
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_NEAR(found.velocity[i], direct(static_cast<Eigen::Index>(i)), 1e-11);
    }
  }
}

TEST(JointSolver, OneAloneIsTheModelsOwnSolve) {
  const auto lugre = preset::olsson_table2();
  const LuGre::State state{1e-3};
  const auto alone = lugre.solve(state, {.free_velocity = 0.3, .mobility = 400, .velocity = 0.2, .dt = 1e-3});
  const auto found = solve_joints<1>(std::array{lugre}, {state},
                                     {.free_velocity = {0.3}, .mobility = {{{400}}}, .velocity = {0.2}, .dt = 1e-3});
  EXPECT_EQ(found.report.iterations, 1);
  EXPECT_EQ(found.velocity[0], alone.velocity);
  EXPECT_EQ(found.state[0], alone.state);
  EXPECT_EQ(found.force[0], alone.force);
}

TEST(JointSolver, SatisfyTheirEquationForEveryModel) {
  for_each_model([]<class Model>(std::type_identity<Model>) {
    test::Random random(2);
    const Model model = test::example<Model>();
    const std::array<Model, 2> frictions{model, model};
    for (int n = 0; n < 20; ++n) {
      const auto w = positive_definite<2>(random, 1);
      const double dt = 1e-4;
      const JointVector<2> v{random.between(-0.3, 0.3), random.between(-0.3, 0.3)};
      const JointVector<2> free{v[0] + random.between(-1e-3, 1e-3), v[1] + random.between(-1e-3, 1e-3)};
      const std::array state{model.advance(model.at_rest(0), v[0], 0), model.advance(model.at_rest(0), v[1], 0)};
      const auto found =
          solve_joints(frictions, state, {.free_velocity = free, .mobility = w, .velocity = v, .dt = dt});
      ASSERT_LT(found.report.residual, 1e-11) << Model::info.name;
      for (std::size_t i = 0; i < 2; ++i) {
        const double expected = free[i] - dt * (w[i][0] * found.force[0] + w[i][1] * found.force[1]);
        ASSERT_NEAR(found.velocity[i], expected, 1e-11) << Model::info.name;
      }
    }
  });
}

TEST(JointSolver, TrulyStickTogetherAndOneByOne) {
  // Coulomb: v⁺ = 0 in both where |(dt W)⁻¹ v_free| is below the level; else complementarity, joint by joint.
  const auto coulomb = Coulomb::make({.coulomb_force = 1});
  test::Random random(7);
  int stuck = 0;
  int mixed = 0;
  for (int n = 0; n < 3000; ++n) {
    const auto w = positive_definite<2>(random, 1);
    const double dt = 0.1;
    const JointVector<2> load{random.between(-2, 2), random.between(-2, 2)};
    const JointVector<2> free{dt * (w[0][0] * load[0] + w[0][1] * load[1]),
                              dt * (w[1][0] * load[0] + w[1][1] * load[1])};
    const auto found = solve_joints(std::array{coulomb, coulomb}, {}, {.free_velocity = free, .mobility = w, .dt = dt});
    ASSERT_LT(found.report.residual, 1e-12);
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

TEST(JointSolver, StopsAfterTheIterationsAllowedAndSaysHowFarItCame) {
  const auto lugre = preset::olsson_table2();
  const JointMatrix<2> w{{{400, 399}, {399, 400}}};
  const auto solve = [&](const JointVector<2>& free, int max_iterations) {
    return solve_joints(std::array{lugre, lugre}, {},
                        {.free_velocity = free, .mobility = w, .velocity = {0.1, 0.1}, .dt = 1e-3},
                        {.max_iterations = max_iterations});
  };
  const auto one = solve({0.5, -0.2}, 1);
  EXPECT_EQ(one.report.iterations, 1);
  EXPECT_EQ(one.report.status, JointStatus::max_iterations);
  EXPECT_GT(one.report.residual, 1e-9);
  const auto many = solve({0.5, -0.2}, 50);
  EXPECT_LT(many.report.residual, 1e-12);
  EXPECT_EQ(many.report.status, JointStatus::converged);
  const auto broken = solve({std::nan(""), 0}, 50);
  EXPECT_EQ(broken.report.status, JointStatus::not_finite);
  EXPECT_TRUE(std::isnan(broken.report.residual));
  EXPECT_LE(broken.report.iterations, 2);
}

TEST(JointSolver, TakesJointsThatCannotMoveAndStepsWithoutTime) {
  const auto coulomb = Coulomb::make({.coulomb_force = 1});
  const JointMatrix<3> w{{{2, 0, 0.5}, {0, 0, 0}, {0.5, 0, 1}}};
  const JointVector<3> free{0.5, 0, -0.02};
  const auto found =
      solve_joints(std::array{coulomb, coulomb, coulomb}, {}, {.free_velocity = free, .mobility = w, .dt = 0.1});
  EXPECT_EQ(found.report.status, JointStatus::converged);
  EXPECT_EQ(found.velocity[1], 0);
  EXPECT_NEAR(found.velocity[0], free[0] - 0.1 * (2 * found.force[0] + 0.5 * found.force[2]), 1e-15);
  EXPECT_NEAR(found.velocity[2], free[2] - 0.1 * (0.5 * found.force[0] + found.force[2]), 1e-15);
  EXPECT_EQ(found.force[0], 1);
  EXPECT_EQ(found.velocity[2], 0);
  const auto at_once =
      solve_joints(std::array{coulomb, coulomb, coulomb}, {}, {.free_velocity = free, .mobility = w, .velocity = free});
  EXPECT_EQ(at_once.velocity, free);
  EXPECT_EQ(at_once.report.status, JointStatus::converged);
}

// Chains of many joints -------------------------------------------------------------------------------------------

/// M(q) of n rods of 1 kg and 1 m in a row, in a plane, with joint angles as coordinates, plus rotors.
Eigen::MatrixXd chain_mass(const Eigen::VectorXd& angles, double rotor) {
  const Eigen::Index n = angles.size();
  Eigen::MatrixXd mass = rotor * Eigen::MatrixXd::Identity(n, n);
  Eigen::VectorXd direction(n);
  double sum = 0;
  for (Eigen::Index i = 0; i < n; ++i) {
    direction[i] = sum += angles[i];
  }
  for (Eigen::Index rod = 0; rod < n; ++rod) {
    Eigen::MatrixXd jacobian = Eigen::MatrixXd::Zero(3, n);  // (x, y, rotation) of the rod's middle
    for (Eigen::Index joint = 0; joint <= rod; ++joint) {
      for (Eigen::Index link = joint; link <= rod; ++link) {
        const double length = link < rod ? 1 : 0.5;
        jacobian(0, joint) -= length * std::sin(direction[link]);
        jacobian(1, joint) += length * std::cos(direction[link]);
      }
      jacobian(2, joint) = 1;
    }
    mass += jacobian.transpose() * Eigen::Vector3d(1, 1, 1.0 / 12).asDiagonal() * jacobian;
  }
  return mass;
}

/// A chain of 27 joints with Coulomb friction that falls from random poses: some joints stick, some slide. Sweeps from
/// joint to joint stop at 100 with a residual of 3e-3 rad/s there.
TEST(JointSolver, AChainOf27JointsWithCoulombFrictionTakesTenIterationsAtMost) {
  constexpr std::size_t n = 27;
  constexpr double dt = 1e-3;
  test::Random random(11);
  int stuck = 0;
  int sliding = 0;
  for (int run = 0; run < 10; ++run) {
    Eigen::VectorXd q(n);
    Eigen::VectorXd v = Eigen::VectorXd::Zero(n);
    std::vector<AnyModel> models;
    for (Eigen::Index i = 0; i < q.size(); ++i) {
      q[i] = random.between(-0.5, 0.5);
      models.emplace_back(Coulomb::make({.coulomb_force = random.log_between(3, 300)}));
    }
    Joints joints(models);
    for (int k = 0; k < 300; ++k) {
      const Eigen::MatrixXd mass = chain_mass(q, 0.1);
      Eigen::VectorXd gravity(n);  // of all rods beyond a joint, by virtual work
      for (Eigen::Index i = 0; i < q.size(); ++i) {
        Eigen::VectorXd moved = q;
        const auto height = [](const Eigen::VectorXd& angles) {
          double sum = 0;
          double y = 0;
          double angle = 0;
          for (const double a : angles) {
            angle += a;
            sum += y + 0.5 * std::sin(angle);
            y += std::sin(angle);
          }
          return 9.81 * sum;
        };
        moved[i] += 1e-6;
        gravity[i] = (height(moved) - height(q)) / 1e-6;
      }
      const Eigen::MatrixXd w = mass.inverse();
      const Eigen::VectorXd free = v - dt * w * gravity;
      const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> by_rows = w;
      std::array<double, n> force{};
      const JointReport report = joints.solve({{free.data(), n}, {by_rows.data(), n * n}, {v.data(), n}, dt}, force);
      const double scale = free.cwiseAbs().maxCoeff();
      ASSERT_EQ(report.status, JointStatus::converged) << run << ", step " << k;
      ASSERT_LE(report.residual, 1e-12 * scale) << run << ", step " << k;
      // The first step comes from nothing: all joints at once begin to slip or not
      ASSERT_LE(report.iterations, k > 0 ? 10 : 30) << run << ", step " << k;
      v = free - dt * w * Eigen::Map<const Eigen::VectorXd>(force.data(), n);
      for (std::size_t i = 0; i < n; ++i) {
        const double level = models[i].as<Coulomb>()->params().coulomb_force;
        const double speed = v[static_cast<Eigen::Index>(i)];
        ASSERT_LE(std::abs(force[i]), level * (1 + 1e-12));
        (std::abs(force[i]) < level ? stuck : sliding) += 1;
        if (std::abs(force[i]) < level * (1 - 1e-9)) {
          ASSERT_LT(std::abs(speed), 1e-11 * scale);
          v[static_cast<Eigen::Index>(i)] = 0;
        }
      }
      q += dt * v;
    }
  }
  EXPECT_GT(stuck, 5000);
  EXPECT_GT(sliding, 5000);
}

/// Wherever it starts, with loads far beyond what holds and many joints about to slip: it arrives, and seldom late.
TEST(JointSolver, ArrivesFromRandomStartsOfLongChains) {
  constexpr std::size_t n = 27;
  constexpr double dt = 1e-3;
  test::Random random(12);
  int late = 0;
  constexpr int runs = 300;
  for (int run = 0; run < runs; ++run) {
    Eigen::VectorXd q(n);
    const double bend = run % 3 == 0 ? 3 : 0.6;
    for (double& angle : q) {
      angle = random.between(-bend, bend);
    }
    const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> w = chain_mass(q, 0).inverse();
    std::vector<AnyModel> models;
    Eigen::VectorXd v(n);
    Eigen::VectorXd load(n);
    const double level = random.log_between(2, 200);
    const double speed = run % 4 == 0 ? 0 : random.log_between(1e-3, 1);
    const double excess = random.log_between(0.3, 10);
    for (Eigen::Index i = 0; i < q.size(); ++i) {
      const double own = level * random.between(0.1, 1);
      models.emplace_back(Coulomb::make({.coulomb_force = own, .viscous = run % 2 == 0 ? 0.1 : 0}));
      v[i] = speed * random.between(-1, 1);
      load[i] = own * excess * random.between(-1.5, 1.5);
    }
    const Eigen::VectorXd free = v + dt * w * load;
    Joints joints(models);
    std::array<double, n> force{};
    const JointReport report = joints.solve({{free.data(), n}, {w.data(), n * n}, {v.data(), n}, dt}, force);
    ASSERT_EQ(report.status, JointStatus::converged) << run;
    ASSERT_LE(report.residual, 1e-11 * (free.cwiseAbs() + v.cwiseAbs()).maxCoeff()) << run;
    late += report.iterations > 10 ? 1 : 0;
  }
  EXPECT_LT(late, runs / 20);
}

// Joints with their states ----------------------------------------------------------------------------------------

TEST(Joints, MoveOnAsTheSolverSays) {
  const auto lugre = preset::olsson_table2();
  Joints joints({lugre, lugre});
  const JointMatrix<2> w{{{400, -150}, {-150, 300}}};
  const std::array<double, 4> by_rows{400, -150, -150, 300};
  std::array<LuGre::State, 2> states{};
  std::array<double, 2> velocity{};
  std::array<double, 2> force{};
  for (int i = 0; i < 500; ++i) {
    const std::array<double, 2> torque{0.004 * i, 0.1 * (i % 7)};
    std::array<double, 2> free{};
    for (std::size_t k = 0; k < 2; ++k) {
      free[k] = velocity[k] + 1e-3 * (w[k][0] * torque[0] + w[k][1] * torque[1]);
    }
    const auto expected = solve_joints<2, LuGre>(
        {lugre, lugre}, states, {.free_velocity = free, .mobility = w, .velocity = velocity, .dt = 1e-3});
    EXPECT_EQ(joints.solve({free, by_rows, velocity, 1e-3}, force).status, JointStatus::converged);
    for (std::size_t k = 0; k < 2; ++k) {
      EXPECT_NEAR(force[k], expected.force[k], 1e-9) << i;
      EXPECT_NEAR(joints.joint(k).state(0), expected.state[k].bristle, 1e-12);
      velocity[k] = expected.velocity[k];
    }
    states = expected.state;
  }
  EXPECT_GT(velocity[0], 0.1);  // it has broken away
}

TEST(Joints, HoldALoadWithoutMotion) {
  Joints joints({preset::table2_stribeck()});
  std::array<double, 1> force{};
  for (int i = 0; i < 1000; ++i) {
    joints.solve({std::array{1e-3 * 400 * 0.3}, std::array{400.0}, std::array{0.0}, 1e-3}, force);
    EXPECT_DOUBLE_EQ(force[0], 0.3);
  }
  joints.rest_under(std::array{0.1});
  EXPECT_EQ(joints.size(), 1U);
}

TEST(Joints, KeepTheirStatesWhereNothingIsKnown) {
  Joints joints({preset::olsson_table2(), preset::olsson_table2()});
  std::array<double, 2> force{};
  const std::array<double, 4> w{400, -150, -150, 300};
  joints.solve({std::array{0.1, -0.2}, w, std::array{0.1, -0.2}, 1e-3}, force);
  const Joints before = joints;
  const JointReport report = joints.solve({std::array{std::nan(""), 0.0}, w, std::array{0.1, -0.2}, 1e-3}, force);
  EXPECT_EQ(report.status, JointStatus::not_finite);
  EXPECT_TRUE(std::isnan(force[0]));
  EXPECT_TRUE(joints.joint(0) == before.joint(0) && joints.joint(1) == before.joint(1));
}

}  // namespace
}  // namespace stiction::scalar
