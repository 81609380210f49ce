// The solver against a slow one and against CLP; the paper's theorem about its linear program.
#include <gtest/gtest.h>

#include <Eigen/QR>
#include <algorithm>
#include <limits>

#include "clp_baseline.h"
#include "plain_qp.h"
#include "problems.h"
#include "published_lp.h"
#include "stiction/problem.h"

namespace stiction::spatial {
namespace {

using baselines::Ask;
using baselines::Clp;
using baselines::in_own_units;
using baselines::LinearProgram;
using baselines::OwnUnits;
using baselines::plain_qp;
using baselines::PlainSolution;
using baselines::published_lp;
using baselines::six_row_lp;
using baselines::violation;
using test::Instance;
using test::instances;
using test::Problem;
using test::random_problem;

/// (a − b)ᵀ D (a − b)
double energy_between(const Matrix6& d, const Vector6& a, const Vector6& b) {
  double sum = 0;
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t j = 0; j < 6; ++j) {
      sum += (a[i] - b[i]) * d[i][j] * (a[j] - b[j]);
    }
  }
  return sum;
}
/// Of the metric.
Matrix6 energy_matrix(const Load& load, Metric metric) {
  Matrix6 d = load.mass;
  for (std::size_t i = 0; i < 6 && metric == Metric::stiffness; ++i) {
    for (std::size_t j = 0; j < 6; ++j) {
      d[i][j] = -0.5 * (load.gradient[i][j] + load.gradient[j][i]);
    }
  }
  return d;
}

// The slow reference, itself checked
// -----------------------------------------------------------------------------------

TEST(PlainQp, AgreesWithTheStoredInstances) {
  int compared = 0;
  for (const Instance& instance : instances()) {
    for (const int sides : {0, 4, 8, 16}) {
      if (instance.problem.contacts.size() > 60) {
        continue;
      }
      const auto& expected = instance.answers(sides);
      const PlainSolution s =
          plain_qp(instance.problem.contacts, instance.problem.load,
                   {.sides = sides, .metric = Metric::mass, .gap = 1e-10, .max_iterations = 20'000});
      const double without = instance.reference.at("frictionless_objective");
      ASSERT_NEAR(s.without_friction, without, 1e-12 * without) << instance.name;
      ASSERT_NEAR(s.objective, expected.at("qp_objective").get<double>(), s.gap + 1e-9 * without + 1e-30)
          << instance.name << ' ' << sides;
      compared += s.gap <= 1e-8 * without ? 1 : 0;
    }
  }
  EXPECT_GT(compared, 50);
}

// The solver against it
// ------------------------------------------------------------------------------------------------

/// Both are within their gaps of the optimum, so they are within both of each other.
void compare_with_slow(std::uint32_t seed, int problems, const test::Kind& kind, int sides, Metric metric) {
  std::mt19937 random(seed);
  int sharp = 0;
  for (int k = 0; k < problems; ++k) {
    const Problem p = random_problem(random, kind);
    StaticFriction solver(p.contacts.size(), sides);
    ASSERT_TRUE(solver.set(p.contacts, p.load));
    const Solution s = solver.solve({.metric = metric, .gap = 1e-10});
    const PlainSolution slow =
        plain_qp(p.contacts, p.load, {.sides = sides, .metric = metric, .gap = 1e-9, .max_iterations = 3000});
    const double without = slow.without_friction;
    ASSERT_TRUE(s.converged()) << k;
    ASSERT_LE(s.gap, 1.0001e-10 * without) << k;
    ASSERT_LE(s.objective, slow.objective + 1.1e-10 * without) << k;
    ASSERT_GE(s.objective, slow.objective - slow.gap - 1e-12 * without) << k;
    // ½ |Δ − Δ*|² is at most the gap, of either
    const double apart = energy_between(energy_matrix(p.load, metric), s.motion, slow.motion);
    const double both = std::sqrt(2 * (s.gap + 1e-12 * without)) + std::sqrt(2 * (slow.gap + 1e-12 * without));
    ASSERT_LE(apart, both * both) << k;
    sharp += slow.gap <= 1e-7 * without ? 1 : 0;
  }
  EXPECT_GT(sharp, 0.97 * problems);
}

TEST(StaticFriction, AgreesWithASlowReferenceOnCones) {
  compare_with_slow(21, 10'000, {.max_contacts = 10}, 0, Metric::stiffness);
}
TEST(StaticFriction, AgreesWithASlowReferenceOnConesInTheMassMetric) {
  compare_with_slow(22, 2'000, {.max_contacts = 10}, 0, Metric::mass);
}
TEST(StaticFriction, AgreesWithASlowReferenceOnPyramids) {
  compare_with_slow(23, 1'000, {.max_contacts = 8}, 4, Metric::mass);
  compare_with_slow(24, 1'000, {.max_contacts = 8}, 8, Metric::stiffness);
}

// CLP
// ------------------------------------------------------------------------------------------------------------------

enum class Form { printed, six_rows };

LinearProgram program(const Problem& p, int sides, Form form, Ask ask) {
  return form == Form::printed ? published_lp(p.contacts, p.load, sides, ask)
                               : six_row_lp(p.contacts, p.load, sides, ask);
}
/// In units of its own: CLP's tolerances are absolute, and in SI units it decides some of these problems wrongly.
Problem in_good_units(const Problem& p) {
  const OwnUnits own = in_own_units(p.contacts, p.load);
  return {own.contacts, own.load};
}

/// γ by CLP: infinite where no friction will do.
double clp_ratio(const Problem& p, int sides, Form form) {
  Clp clp(program(in_good_units(p), sides, form, Ask::critical_ratio));
  const auto answer = clp.solve();
  if (form == Form::printed) {
    EXPECT_TRUE(answer.decided);
    return answer.solved ? answer.cost : std::numeric_limits<double>::infinity();
  }
  return answer.solved ? 1 / std::abs(answer.cost) : 0;  // unbounded: no friction is needed
}

class PublishedLp : public testing::TestWithParam<int> {};

TEST_P(PublishedLp, HasTheStoredAnswers) {
  const int sides = GetParam();
  int compared = 0;
  for (const Instance& instance : instances()) {
    const auto& expected = instance.answers(sides);
    for (const Form form : {Form::printed, Form::six_rows}) {
      const LinearProgram lp = program(in_good_units(instance.problem), sides, form, Ask::whether_it_holds);
      Clp clp(lp);
      const auto answer = clp.solve();
      EXPECT_TRUE(answer.decided) << instance.name;
      EXPECT_EQ(answer.solved, expected.at("verdict") == "static") << instance.name << ' ' << static_cast<int>(form);
      if (answer.solved) {
        EXPECT_LE(violation(lp, clp.point()).absolute, 1e-7) << instance.name << ' ' << static_cast<int>(form);
      }
      if (!expected.at("gamma").is_null()) {
        const double gamma = expected.at("gamma");
        // CLP lets 1e-7 of all friction pass, which is much where forces go over nine decades
        const double digits = instance.name == "dynrange80_static" ? 1e-5 : 1e-6;
        EXPECT_NEAR(clp_ratio(instance.problem, sides, form), gamma, digits * gamma + 1e-12)
            << instance.name << ' ' << static_cast<int>(form);
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 40);
}

TEST_P(PublishedLp, HasTheSameAnswersAsTheSolverOnRandomProblems) {
  const int sides = GetParam();
  std::mt19937 random(31);
  std::array<int, 2> seen{};
  std::array<int, 7> ranks{};
  int wide = 0;      // bounds on γ that have not met when the iterations ran out
  int baseless = 0;  // a share of the load is held, by friction that can hold none
  for (int k = 0; k < 1000; ++k) {
    // Forces below CLP's tolerance would be nothing to it
    const Problem p = random_problem(random, {.max_contacts = 12, .decades = 4, .printed = true});
    StaticFriction solver(p.contacts.size(), sides);
    ASSERT_TRUE(solver.set(p.contacts, p.load));
    const Verdict verdict = solver.verdict({.metric = Metric::mass}, true);
    ASSERT_TRUE(verdict.proven()) << k;
    const double ours = verdict.critical_ratio();
    const double at_least = verdict.factor_limit > 0 ? 1 / verdict.factor_limit : ours;
    // Where no friction will do, a limit that is rounding is met by no friction in balance: the factor stays 0
    const bool hopeless = verdict.factor_limit < 1e-12;
    wide += !hopeless && at_least < (1 - 1e-8) * ours ? 1 : 0;
    baseless += hopeless && verdict.factor > 0 ? 1 : 0;
    for (const Form form : {Form::printed, Form::six_rows}) {
      const double theirs = clp_ratio(p, sides, form);
      if (ours < 1e4) {
        // Within CLP's 1e-7 for each row
        ASSERT_GE(theirs, at_least - 1e-6 * theirs - 1e-6) << k << ' ' << static_cast<int>(form);
        ASSERT_LE(theirs, ours + 1e-6 * theirs + 1e-6) << k << ' ' << static_cast<int>(form);
      } else {
        ASSERT_GT(theirs, 0.99e4) << k << ' ' << static_cast<int>(form);
      }
      if (std::abs(ours - 1) < 1e-4) {
        continue;
      }
      Clp clp(program(in_good_units(p), sides, form, Ask::whether_it_holds));
      const auto answer = clp.solve();
      ASSERT_TRUE(answer.decided) << k;
      ASSERT_EQ(answer.solved, verdict.holds()) << k << ' ' << static_cast<int>(form);
    }
    ++seen.at(verdict.holds() ? 1 : 0);
    ++ranks.at(static_cast<std::size_t>(verdict.rank));
  }
  EXPECT_GT(*std::min_element(seen.begin(), seen.end()), 100);
  EXPECT_LE(wide, 5);
  EXPECT_EQ(baseless, 0);
  EXPECT_GT(ranks[2], 20);
  EXPECT_GT(ranks[3], 20);
  EXPECT_GT(ranks[6], 100);
}

// As the hand moves: from the last basis CLP comes to the verdict that it comes to from nothing.
TEST_P(PublishedLp, HasTheSameVerdictFromTheLastBasis) {
  const int sides = GetParam();
  std::mt19937 random(34);
  std::normal_distribution<double> any;
  std::array<int, 2> seen{};
  for (int k = 0; k < 60; ++k) {
    Problem p = random_problem(random, {.max_contacts = 12, .decades = 3, .printed = true});
    for (const Form form : {Form::printed, Form::six_rows}) {
      Clp kept(program(in_good_units(p), sides, form, Ask::whether_it_holds));
      kept.solve();
      for (int frame = 0; frame < 5; ++frame) {
        for (double& component : p.load.wrench) {
          component *= 1 + 0.1 * any(random);
        }
        if (std::abs(clp_ratio(p, sides, Form::six_rows) - 1) < 1e-4) {
          continue;
        }
        const LinearProgram lp = program(in_good_units(p), sides, form, Ask::whether_it_holds);
        const bool warm = kept.solve_again(lp).solved;
        ASSERT_EQ(warm, Clp(lp).solve().solved) << k << ' ' << frame;
        if (form == Form::six_rows) {
          ASSERT_EQ(warm, kept.solve_again(lp, Clp::Method::dual).solved) << k << ' ' << frame;
        }
        ++seen.at(warm ? 1 : 0);
      }
    }
  }
  EXPECT_GT(*std::min_element(seen.begin(), seen.end()), 50);
}

/// Δ of eqs. 28 to 30, friction without bounds: the solution of eqs. 32 to 36, which is unique in Δ.
Vector6 motion_without_cones(const Problem& p) {
  const OwnUnits own = in_own_units(p.contacts, p.load);
  const LinearProgram lp = published_lp(own.contacts, own.load, 3);
  const auto equations = static_cast<Eigen::Index>(12 + 2 * p.contacts.size());
  Eigen::MatrixXd a = Eigen::MatrixXd::Zero(equations, equations);
  Eigen::VectorXd right(equations);
  for (std::size_t j = 0; j < lp.columns(); ++j) {
    for (int e = lp.start[j]; e < lp.start[j + 1]; ++e) {
      if (const int row = lp.row[static_cast<std::size_t>(e)]; row < equations) {
        a(row, static_cast<Eigen::Index>(j)) = lp.value[static_cast<std::size_t>(e)];
      }
    }
  }
  for (Eigen::Index i = 0; i < equations; ++i) {
    right(i) = lp.row_lower[static_cast<std::size_t>(i)];
  }
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> decomposition;
  decomposition.setThreshold(1e-10);
  decomposition.compute(a);
  const Eigen::VectorXd x = decomposition.solve(right);
  EXPECT_LE((a * x - right).cwiseAbs().maxCoeff(), 1e-9);
  return own.in_si({x(0), x(1), x(2), x(3), x(4), x(5)});
}

// The paper's main theorem: the program is feasible exactly where the cones do not change the least motion, and its Δ
// is then that of the quadratic program.
TEST_P(PublishedLp, IsFeasibleExactlyWhereTheBodyIsInStaticFriction) {
  const int sides = GetParam();
  std::mt19937 random(32);
  std::array<int, 2> seen{};
  std::array<int, 2> deficient{};
  for (int k = 0; k < 400; ++k) {
    const Problem p = random_problem(random, {.max_contacts = 8, .decades = 3, .printed = true});
    const double ratio = clp_ratio(p, sides, Form::printed);
    if (std::abs(ratio - 1) < 0.05) {
      continue;
    }
    const double unbounded = 0.5 * energy_between(p.load.mass, motion_without_cones(p), {});
    const PlainSolution qp = plain_qp(p.contacts, p.load, {.sides = sides, .metric = Metric::mass, .gap = 1e-11});
    const double without = qp.without_friction;
    const OwnUnits own = in_own_units(p.contacts, p.load);
    Clp clp(published_lp(own.contacts, own.load, sides));
    const bool feasible = clp.solve().solved;
    ASSERT_EQ(feasible, ratio < 1) << k;
    if (feasible) {
      const std::vector<double> x = clp.point();
      const Vector6 delta = own.in_si({x[0], x[1], x[2], x[3], x[4], x[5]});
      const double objective = 0.5 * energy_between(p.load.mass, delta, {});
      ASSERT_NEAR(objective, qp.objective, qp.gap + 1e-7 * without) << k;
      ASSERT_LE(energy_between(p.load.mass, delta, qp.motion), 2 * qp.gap + 1e-9 * without) << k;
      ASSERT_NEAR(qp.objective, unbounded, qp.gap + 1e-12 * without) << k;
    } else {
      ASSERT_GT(qp.objective - qp.gap, unbounded) << k << ' ' << ratio;
    }
    ++seen.at(feasible ? 1 : 0);
    deficient.at(feasible ? 1 : 0) += unbounded > 1e-6 * without ? 1 : 0;
  }
  EXPECT_GT(*std::min_element(seen.begin(), seen.end()), 50);
  EXPECT_GT(*std::min_element(deficient.begin(), deficient.end()), 20);
}

INSTANTIATE_TEST_SUITE_P(Sides, PublishedLp, testing::Values(4, 8, 16),
                         [](const auto& sides) { return std::to_string(sides.param); });

// A block on a floor that is pulled against the first tangent, so that friction is towards a corner of the polygon: γ =
// F cos(π/ℓ)/(μ N).
TEST(PublishedLpOf, ABlockCircumscribesTheConeForOddSidesToo) {
  Problem p;
  for (const double x : {-0.1, 0.1}) {
    p.contacts.push_back({.arm = {x, 0, 0}, .normal_force = 5, .friction = 0.4, .u = {0, 1, 0}});
  }
  p.load.wrench = {0, -3, 0, 0, 0, 0};
  for (std::size_t i = 0; i < 6; ++i) {
    p.load.gradient[i][i] = i < 3 ? -1000 : -2.5;
    p.load.mass[i][i] = i < 3 ? 1 : 1e-3;
  }
  p.load.length = 0.1;
  for (const int sides : {3, 4, 5, 6, 7, 8, 16, 33}) {
    const double expected = 3 * std::cos(std::numbers::pi / sides) / (0.4 * 10);
    EXPECT_NEAR(clp_ratio(p, sides, Form::printed), expected, 1e-9) << sides;
    if (sides % 2 == 0) {
      EXPECT_NEAR(clp_ratio(p, sides, Form::six_rows), expected, 1e-9) << sides;
    }
  }
}

TEST(LinearProgram, HasTheRowsAndUnknownsThatArePrinted) {
  std::mt19937 random(33);
  Problem p = random_problem(random, {.max_contacts = 40, .printed = true});
  p.contacts.resize(std::max<std::size_t>(p.contacts.size(), 3), p.contacts.front());
  const std::size_t k = p.contacts.size();
  const LinearProgram lp = published_lp(p.contacts, p.load, 8);
  EXPECT_EQ(lp.columns(), 12 + 2 * k);
  EXPECT_EQ(lp.rows(), 12 + 2 * k + 8 * k);
  EXPECT_EQ(published_lp(p.contacts, p.load, 8, Ask::critical_ratio).columns(), 13 + 2 * k);
  EXPECT_EQ(lp.start.size(), lp.columns() + 1);
  EXPECT_EQ(lp.row.size(), static_cast<std::size_t>(lp.start.back()));
  const LinearProgram few = six_row_lp(p.contacts, p.load, 8);
  EXPECT_EQ(few.columns(), 4 * k);
  EXPECT_LE(few.rows(), 6U);

  EXPECT_THROW(published_lp(p.contacts, p.load, 2), InvalidParameter);
  EXPECT_THROW(six_row_lp(p.contacts, p.load, 5), InvalidParameter);
  p.contacts[0].torsion = 0.01;
  EXPECT_THROW(published_lp(p.contacts, p.load, 4), InvalidParameter);
  p.contacts[0].torsion = 0;
  p.contacts[0].friction_v = 0.1;
  EXPECT_THROW(six_row_lp(p.contacts, p.load, 4), InvalidParameter);
}

TEST(LinearProgram, ViolationIsTheLargestDistanceFromABound) {
  // 1 ≤ x + 2 y ≤ 2, x ≥ 0
  const double inf = std::numeric_limits<double>::infinity();
  const LinearProgram lp{
      {1}, {2}, {0, -inf}, {inf, inf}, {0, 0}, {0, 1, 2}, {0, 0}, {1, 2},
  };
  const auto at = [&](double x, double y) { return violation(lp, std::array{x, y}); };
  EXPECT_EQ(at(1, 0.25).absolute, 0);
  EXPECT_EQ(at(0, 3).absolute, 4);
  EXPECT_EQ(at(0, 3).relative, 4.0 / 8);
  EXPECT_EQ(at(0, -1).absolute, 3);
  EXPECT_EQ(at(-0.5, 1).absolute, 0.5);
  EXPECT_EQ(at(std::nan(""), 1).absolute, inf);
}

}  // namespace
}  // namespace stiction::spatial
