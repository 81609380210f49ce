// What the static-friction solver says, checked by what it hands out; and problems over many decades.
#include "certificate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

#include "problems.h"

namespace stiction::spatial {
namespace {

using test::Checker;
using test::instances;
using test::Problem;
using test::Quad;
using test::random_problem;
using test::Rational;

template <class Number>
void expect_proofs(const Problem& p, int sides, Metric metric, bool exactly, const std::string& name) {
  StaticFriction solver(p.contacts.size(), sides);
  ASSERT_TRUE(solver.set(p.contacts, p.load)) << name;
  const Options options{.metric = metric, .warm = false};
  const Checker<Number> checker(p.contacts, p.load, sides, metric);
  const Verdict verdict = solver.verdict(options, exactly);
  EXPECT_EQ(checker.check(verdict, solver.verdict_friction()), "") << name << " factor " << verdict.factor;
  const Solution solution = solver.solve(options);
  EXPECT_EQ(checker.check(solution, solver.contacts()), "") << name;
}

TEST(Certificate, ProvesEveryStoredInstanceInExactArithmetic) {
  for (const test::Instance& instance : instances()) {
    for (const int sides : {0, 4, 8, 16}) {
      for (const bool exactly : {false, true}) {
        expect_proofs<Rational>(instance.problem, sides, Metric::mass, exactly, instance.name);
        expect_proofs<Rational>(instance.problem, sides, Metric::stiffness, exactly, instance.name);
      }
    }
  }
}

// Nine decades of normal forces, duplicates, degenerate ranks, contacts without friction.
TEST(Certificate, ProvesRandomProblems) {
  std::mt19937 random(21);
  for (int k = 0; k < 2000; ++k) {
    const Problem p = random_problem(random, {});
    constexpr std::array sides{0, 4, 8, 16};
    const Metric metric = k % 2 == 0 ? Metric::stiffness : Metric::mass;
    expect_proofs<Quad>(p, sides.at(static_cast<std::size_t>(k / 4 % 4)), metric, k % 3 == 0, std::to_string(k));
  }
}

TEST(Certificate, ProvesSmallRandomProblemsInExactArithmetic) {
  std::mt19937 random(22);
  for (int k = 0; k < 200; ++k) {
    const Problem p = random_problem(random, {.max_contacts = 6});
    expect_proofs<Rational>(p, k % 2 == 0 ? 0 : 8, Metric::stiffness, true, std::to_string(k));
  }
}

TEST(Certificate, CheckerSeesWrongProofs) {
  std::mt19937 random(23);
  int checked = 0;
  for (int k = 0; k < 50; ++k) {
    const Problem p = random_problem(random, {});
    StaticFriction solver(p.contacts.size());
    ASSERT_TRUE(solver.set(p.contacts, p.load));
    const Checker<Quad> checker(p.contacts, p.load, 0, Metric::stiffness);
    Verdict v = solver.verdict({}, true);
    if (!v.converged || !(v.factor > 1e-3) || v.factor > 1e3) {
      continue;
    }
    ++checked;
    const auto friction = solver.verdict_friction();
    ASSERT_EQ(checker.check(v, friction), "") << k;
    Verdict more = v;
    more.factor *= 1 + 1e-5;
    more.factor_limit *= 1 + 2e-5;
    EXPECT_NE(checker.check(more, friction), "") << k;
    Verdict less = v;
    less.factor *= 1 - 3e-5;
    less.factor_limit *= 1 - 2e-5;
    EXPECT_NE(checker.check(less, friction), "") << k;
    v.mechanism[1] += 0.3;
    v.mechanism[3] -= 0.3 / p.load.length;
    EXPECT_NE(checker.check(v, friction), "") << k;
  }
  EXPECT_GT(checked, 10);
}

// Scales -------------------------------------------------------------------------------------------------------------

Vector3 rotated(const Vector3& by, const Vector3& v) {
  const double angle = norm(by);
  const Vector3 axis = scaled(1 / angle, by);
  const Vector3 across = cross(axis, v);
  const double along = dot(axis, v) * (1 - std::cos(angle));
  return sum(sum(scaled(std::cos(angle), v), scaled(std::sin(angle), across)), scaled(along, axis));
}

/// Four feet on a plane and one contact at right angles to it, in a frame that is aligned with none of them. Only that
/// one has friction along the plane's normal: half of what the load needs there.
Problem weak_contact(double share) {
  const Vector3 rotation{0.3, -0.5, 0.7};
  Problem p;
  for (const double x : {-0.05, 0.05}) {
    for (const double y : {-0.05, 0.05}) {
      p.contacts.push_back({.arm = rotated(rotation, {x, y, 0}),
                            .normal = rotated(rotation, {0, 0, 1}),
                            .normal_force = 0.25,
                            .friction = 0.5});
    }
  }
  p.contacts.push_back({.normal = rotated(rotation, {1, 0, 0}), .normal_force = share, .friction = 0.5});
  const Vector3 force = rotated(rotation, {0.25, 0.1, share});
  p.load.wrench = {force[0], force[1], force[2], 0, 0, 0};
  for (std::size_t i = 0; i < 6; ++i) {
    p.load.gradient[i][i] = i < 3 ? -1000 : -2.5;
    p.load.mass[i][i] = i < 3 ? 0.5 : 1e-3;
  }
  p.load.length = 0.05;
  return p;
}

TEST(StaticFriction, WeakContactsCountForWhatTheyAre) {
  for (const double share : {1e-11, 1e-12, 1e-13, 1e-14}) {  // digits run out: then nothing is claimed
    const Problem p = weak_contact(share);
    StaticFriction solver(p.contacts.size());
    ASSERT_TRUE(solver.set(p.contacts, p.load));
    EXPECT_FALSE(solver.verdict().holds()) << share;
  }
  for (double share = 1e-2; share > 5e-11; share /= 10) {
    Problem p = weak_contact(share);
    for (const int sides : {0, 8}) {
      std::rotate(p.contacts.begin(), p.contacts.begin() + 1, p.contacts.end());
      StaticFriction solver(p.contacts.size(), sides);
      ASSERT_TRUE(solver.set(p.contacts, p.load));
      const Verdict quick = solver.verdict();
      EXPECT_TRUE(quick.proven()) << share;
      EXPECT_FALSE(quick.holds()) << share;
      const Verdict exact = solver.verdict({}, true);
      EXPECT_LE(exact.factor, exact.factor_limit);
      // As exact as the data are: rounding of the other forces over this one
      const double digits = 1e-9 + 1e-15 / share;
      if (sides == 0) {
        EXPECT_NEAR(exact.critical_ratio(), 2, 2 * digits) << share;
      }
      EXPECT_NEAR(exact.factor / exact.factor_limit, 1, digits) << share;
    }
  }
}

TEST(StaticFriction, AnswersDoNotDependOnTheOrderOfContacts) {
  std::mt19937 random(24);
  int compared = 0;
  for (int k = 0; k < 300; ++k) {
    Problem p = random_problem(random, {});
    StaticFriction solver(p.contacts.size());
    ASSERT_TRUE(solver.set(p.contacts, p.load));
    const Verdict one = solver.verdict({}, true);
    std::shuffle(p.contacts.begin(), p.contacts.end(), random);
    ASSERT_TRUE(solver.set(p.contacts, p.load));
    const Verdict other = solver.verdict({}, true);
    EXPECT_EQ(one.rank, other.rank) << k;
    EXPECT_EQ(one.holds(), other.holds()) << k << ' ' << one.factor << ' ' << other.factor;
    if (one.converged && other.converged) {
      ++compared;
      EXPECT_NEAR(one.factor, other.factor, 1e-7 * one.factor + 1e-12) << k;
    }
  }
  EXPECT_GT(compared, 250);
}

TEST(StaticFriction, AnswersDoNotDependOnUnits) {
  std::mt19937 random(25);
  for (int k = 0; k < 300; ++k) {
    const Problem p = random_problem(random, {});
    Problem other = p;  // in µm and MN
    constexpr double length = 1e6;
    constexpr double force = 1e-6;
    for (Contact& c : other.contacts) {
      c.arm = scaled(length, c.arm);
      c.normal_force *= force;
      c.torsion *= length;
    }
    for (std::size_t i = 0; i < 6; ++i) {
      const double row = i < 3 ? 1 : length;
      other.load.wrench[i] *= force * row;
      for (std::size_t j = 0; j < 6; ++j) {
        other.load.gradient[i][j] *= force / length * row * (j < 3 ? 1 : length);
        other.load.mass[i][j] *= row * (j < 3 ? 1 : length);
      }
    }
    other.load.length *= length;
    StaticFriction solver(p.contacts.size());
    ASSERT_TRUE(solver.set(p.contacts, p.load));
    const Verdict a = solver.verdict({}, true);
    ASSERT_TRUE(solver.set(other.contacts, other.load));
    const Verdict b = solver.verdict({}, true);
    EXPECT_EQ(a.holds(), b.holds()) << k;
    EXPECT_EQ(a.rank, b.rank) << k;
    if (a.converged && b.converged) {
      EXPECT_NEAR(a.factor, b.factor, 1e-7 * a.factor + 1e-12) << k;
    }
  }
}

TEST(StaticFriction, LoadsFarBelowFrictionAreHeld) {
  std::mt19937 random(26);
  for (const double ratio : {1e-3, 1e-6, 1e-9, 1e-12, 1e-30, 1e-100, 1e-140}) {
    for (const int sides : {0, 4, 8}) {
      for (int k = 0; k < 50; ++k) {
        Problem p = random_problem(random, {.symmetric = true});
        p.contacts.resize(1);
        p.contacts[0].normal_force = 1;
        p.contacts[0].friction = 0.7;
        for (double& component : p.load.wrench) {
          component *= ratio;
        }
        StaticFriction solver(1, sides);
        ASSERT_TRUE(solver.set(p.contacts, p.load));
        const Solution s = solver.solve();
        EXPECT_TRUE(s.converged()) << ratio;
        for (const double component : s.motion) {
          ASSERT_TRUE(std::isfinite(component)) << ratio;
        }
      }
    }
  }
}

/// A contact without friction is as good as none, however small the load is.
TEST(StaticFriction, SmallLoadsAreSolvedBesideContactsWithoutFriction) {
  std::mt19937 random(21);
  for (const int sides : {0, 4, 16}) {
    for (int k = 0; k < 200; ++k) {
      Problem p = random_problem(random, {.max_contacts = 4});
      for (Contact& c : p.contacts) {
        c.normal_force = 1;
        c.friction = c.friction > 0 ? 0.5 : 0;
      }
      for (double& component : p.load.wrench) {
        component *= 1e-8;
      }
      std::vector<Contact> with = p.contacts;
      with.insert(with.begin(), p.contacts.front());
      with.front().arm = {0.3, -0.2, 0.1};
      with.front().friction = with.front().torsion = 0;
      with.front().friction_v.reset();
      StaticFriction solver(with.size(), sides);
      ASSERT_TRUE(solver.set(p.contacts, p.load));
      const Solution alone = solver.solve();
      ASSERT_TRUE(solver.set(with, p.load));
      const Solution beside = solver.solve();
      EXPECT_TRUE(alone.converged() && beside.converged()) << sides << " sides, problem " << k;
      EXPECT_NEAR(beside.objective, alone.objective, 1e-9 * alone.objective + alone.gap + beside.gap);
    }
  }
}

/// A contact that is declared to slide holds nothing, and how much friction it has must not count.
TEST(StaticFriction, VerdictsDoNotDependOnContactsThatAreDeclaredToSlide) {
  std::mt19937 random(22);
  for (int k = 0; k < 300; ++k) {
    const Problem p = random_problem(random, {.max_contacts = 6});
    std::vector<Contact> with = p.contacts;
    with.push_back({.arm = {1, 2, 3}, .normal = {0, 0, 1}, .normal_force = 1e12, .friction = 10});
    with.back().declared = Declared::slides;
    StaticFriction solver(with.size());
    ASSERT_TRUE(solver.set(p.contacts, p.load));
    const Verdict alone = solver.verdict({}, true);
    ASSERT_TRUE(solver.set(with, p.load));
    const Verdict beside = solver.verdict({}, true);
    // Its column counts for the directions in which the body may not move freely
    if (alone.rank == 6 && alone.converged && alone.factor > 1e-6) {
      EXPECT_TRUE(beside.converged) << k;
      EXPECT_NEAR(beside.factor, alone.factor, 1e-8 * alone.factor) << k;
    }
    auto holding = with;
    holding.back().normal_force = 0;
    const Checker<Quad> checker(holding, p.load, 0, Metric::stiffness);
    EXPECT_EQ(checker.check(beside, solver.verdict_friction()), "") << k;
  }
}

// Limits of the search --------------------------------------------------------------------------------------------

TEST(StaticFriction, WhatDidNotConvergeIsNeverWorseThanNoFriction) {
  std::mt19937 random(27);
  std::set<SolutionStatus> seen;
  for (int k = 0; k < 2000; ++k) {
    Problem p = random_problem(random, {});
    const double scale = std::pow(10, -9 * std::uniform_real_distribution<double>(0, 1)(random));
    for (double& component : p.load.wrench) {
      component *= scale;
    }
    StaticFriction free(1);
    ASSERT_TRUE(free.set({}, p.load));
    const double without = free.solve().objective;
    const int sides = k % 2 == 0 ? 0 : 16;
    StaticFriction solver(p.contacts.size(), sides);
    ASSERT_TRUE(solver.set(p.contacts, p.load));
    const Solution s = solver.solve({.max_iterations = 1 + k % 8});
    seen.insert(s.status);
    EXPECT_LE(s.objective, without * (1 + 1e-12)) << k;
    EXPECT_TRUE(std::isfinite(s.gap)) << k;
    EXPECT_LE(s.objective - s.gap, without * (1 + 1e-12)) << k;
    EXPECT_EQ(Checker<Quad>(p.contacts, p.load, sides, Metric::stiffness).check(s, solver.contacts()), "") << k;
  }
  EXPECT_EQ(seen, (std::set{SolutionStatus::converged, SolutionStatus::max_iterations}));
}

TEST(StaticFriction, ExactVerdictsThatRunOutOfIterationsSaySo) {
  std::mt19937 random(28);
  int stopped = 0;
  for (int k = 0; k < 100; ++k) {
    const Problem p = random_problem(random, {});
    StaticFriction solver(p.contacts.size());
    ASSERT_TRUE(solver.set(p.contacts, p.load));
    const Verdict v = solver.verdict({.max_iterations = 2}, true);
    stopped += v.converged ? 0 : 1;
    EXPECT_EQ(v.converged, v.factor_limit == infinity || v.rank < 0 ||
                               v.factor_limit - v.factor <= 1e-9 * v.factor_limit || v.factor_limit < 1e-12)
        << k;
  }
  EXPECT_GT(stopped, 20);
}

TEST(StaticFriction, MotionsThatAreNoNumbersAreNeitherGivenNorRemembered) {
  Problem p = weak_contact(1);
  Problem wild = p;
  for (std::size_t i = 0; i < 6; ++i) {
    wild.load.wrench[i] = 1e149;
    for (std::size_t j = 0; j < 6; ++j) {
      wild.load.gradient[i][j] = i == j ? -1e-149 : 0;
    }
  }
  for (const int sides : {0, 8}) {
    StaticFriction solver(8, sides);
    ASSERT_TRUE(solver.set({}, wild.load));
    const Verdict v = solver.verdict();
    EXPECT_EQ(v.status, VerdictStatus::not_finite);
    EXPECT_FALSE(v.holds() || v.proven());
    EXPECT_EQ(v.factor_limit, infinity);
    EXPECT_EQ(v.motion, Vector6{});
    ASSERT_TRUE(solver.set(wild.contacts, wild.load));
    const Solution s = solver.solve();
    EXPECT_EQ(s.status, SolutionStatus::not_finite);
    EXPECT_EQ(s.gap, infinity);
    for (const double component : s.motion) {
      EXPECT_TRUE(std::isfinite(component));
    }
    ASSERT_TRUE(solver.set(p.contacts, p.load));
    const Solution after = solver.solve();
    StaticFriction fresh(8, sides);
    ASSERT_TRUE(fresh.set(p.contacts, p.load));
    EXPECT_EQ(after.motion, fresh.solve().motion);
  }
}

}  // namespace
}  // namespace stiction::spatial
