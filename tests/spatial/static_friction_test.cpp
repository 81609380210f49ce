#include "stiction/spatial/static_friction.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include "problems.h"
#include "stiction/problem.h"

namespace stiction::spatial {
namespace {

using nlohmann::json;
using test::Instance;
using test::instances;
using test::Problem;

Vector3 cross(const Vector3& a, const Vector3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
double dot(const Vector3& a, const Vector3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

// Instances with answers of independent code --------------------------------------------------------------------------

double energy(const Matrix6& d, const Vector6& a, const Vector6& b) {
  double sum = 0;
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t j = 0; j < 6; ++j) {
      sum += (a[i] - b[i]) * d[i][j] * (a[j] - b[j]);
    }
  }
  return sum;
}

class Instances : public testing::TestWithParam<int> {
 protected:
  [[nodiscard]] static std::string key() { return GetParam() == 0 ? "cone" : "pyramid_" + std::to_string(GetParam()); }
  Options as_published_{.metric = Metric::mass, .warm = false};
};

TEST_P(Instances, HaveTheRightVerdictAndCriticalFriction) {
  for (const Instance& instance : instances()) {
    const json& expected = instance.reference.at(key());
    StaticFriction solver(instance.problem.contacts.size(), GetParam());
    ASSERT_TRUE(solver.set(instance.problem.contacts, instance.problem.load));
    const Verdict quick = solver.verdict(as_published_);
    EXPECT_TRUE(quick.proven()) << instance.name;
    EXPECT_EQ(quick.holds(), expected.at("verdict") == "static") << instance.name;
    EXPECT_EQ(quick.rank, instance.rank) << instance.name;
    const Verdict exact = solver.verdict(as_published_, true);
    EXPECT_EQ(exact.holds(), quick.holds()) << instance.name;
    if (expected.at("gamma").is_null()) {
      EXPECT_GT(exact.critical_ratio(), 1e5) << instance.name;
    } else if (const double gamma = expected.at("gamma"); gamma > 0) {
      EXPECT_NEAR(exact.critical_ratio() / gamma, 1, 1e-6) << instance.name;
    }
    if (quick.holds()) {
      const auto motion = instance.reference.at("static_delta_unconstrained").get<Vector6>();
      EXPECT_LE(energy(instance.problem.load.mass, exact.motion, motion),
                1e-16 * instance.reference.at("frictionless_objective").get<double>() + 1e-30)
          << instance.name;
    }
  }
}

TEST_P(Instances, HaveTheRightMotion) {
  for (const Instance& instance : instances()) {
    const json& expected = instance.reference.at(key());
    const double without = instance.reference.at("frictionless_objective");
    StaticFriction solver(instance.problem.contacts.size(), GetParam());
    ASSERT_TRUE(solver.set(instance.problem.contacts, instance.problem.load));
    const Solution solution = solver.solve(as_published_);
    EXPECT_TRUE(solution.converged()) << instance.name;
    EXPECT_NEAR(solution.objective, expected.at("qp_objective").get<double>(), 1e-8 * without + 1e-30) << instance.name;
    const double gap = std::max(expected.at("qp_certified_gap").get<double>(), 1e-13 * without) + solution.gap;
    EXPECT_LE(energy(instance.problem.load.mass, solution.motion, expected.at("qp_delta").get<Vector6>()),
              2 * gap + 1e-28)
        << instance.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Reference, Instances, testing::Values(0, 4, 8, 16), [](const auto& sides) {
  return sides.param == 0 ? std::string("cone") : "pyramid" + std::to_string(sides.param);
});

// Random problems -----------------------------------------------------------------------------------------------------

Problem random_problem(std::mt19937& random) { return test::random_problem(random, {.symmetric = true}); }

/// The wrench of one contact's friction, from the result.
Vector6 wrench_of(const Contact& c, const ContactResult& r) {
  const Vector3 t = cross(c.arm, r.friction);
  return {r.friction[0],
          r.friction[1],
          r.friction[2],
          t[0] + r.torque * c.normal[0],
          t[1] + r.torque * c.normal[1],
          t[2] + r.torque * c.normal[2]};
}

/// How much of what a contact can give it gives, 1 at most.
double used(const Contact& c, const ContactResult& r) {
  if (!(c.normal_force > 0)) {
    return std::sqrt(dot(r.friction, r.friction)) + std::abs(r.torque) > 0 ? 1e9 : 0;
  }
  double sum = 0;
  const auto add = [&](double force, double mu) {
    const bool some = force > 1e-14 * c.normal_force;  // more than rounding
    sum += mu > 0 ? force * force / (mu * mu * c.normal_force * c.normal_force) : some ? 1e18 : 0;
  };
  if (!c.friction_v) {
    add(std::sqrt(dot(r.friction, r.friction)), c.friction);
  } else {
    // u is any tangent where none is given: here the solver's choice
    const Vector3 n = c.normal;
    const Vector3 axis = std::abs(n[0]) < 0.6 ? Vector3{1, 0, 0} : Vector3{0, 1, 0};
    const double along = dot(axis, n);
    Vector3 u{axis[0] - along * n[0], axis[1] - along * n[1], axis[2] - along * n[2]};
    const double length = std::sqrt(dot(u, u));
    u = {u[0] / length, u[1] / length, u[2] / length};
    add(std::abs(dot(r.friction, u)), c.friction);
    add(std::abs(dot(r.friction, cross(n, u))), *c.friction_v);
  }
  add(std::abs(r.torque), c.torsion);
  return std::sqrt(sum);
}

/// The stiffness metric of the symmetric gradient: objective of given friction, and its gradient −K⁻¹ g as a motion.
struct Reference {
  explicit Reference(const Problem& p) : problem(p) {
    // Gauss and Jordan on −K in long double
    std::array<std::array<long double, 12>, 6> a{};
    for (std::size_t i = 0; i < 6; ++i) {
      for (std::size_t j = 0; j < 6; ++j) {
        a[i][j] = -p.load.gradient[i][j];
      }
      a[i][6 + i] = 1;
    }
    for (std::size_t k = 0; k < 6; ++k) {
      const long double pivot = a[k][k];
      for (auto& value : a[k]) {
        value /= pivot;
      }
      for (std::size_t i = 0; i < 6; ++i) {
        if (i != k) {
          const long double factor = a[i][k];
          for (std::size_t j = 0; j < 12; ++j) {
            a[i][j] -= factor * a[k][j];
          }
        }
      }
    }
    for (std::size_t i = 0; i < 6; ++i) {
      for (std::size_t j = 0; j < 6; ++j) {
        compliance[i][j] = static_cast<double>(a[i][6 + j]);
      }
    }
  }
  [[nodiscard]] Vector6 motion(const Vector6& g) const {
    Vector6 y{};
    for (std::size_t i = 0; i < 6; ++i) {
      for (std::size_t j = 0; j < 6; ++j) {
        y[i] += compliance[i][j] * g[j];
      }
    }
    return y;
  }
  /// Slow and plain: one contact after the other, each projected along its own slip, for isotropic cones.
  [[nodiscard]] double min_objective(int sweeps) const {
    Vector6 g = problem.load.wrench;
    std::vector<Vector3> friction(problem.contacts.size());
    for (int s = 0; s < sweeps; ++s) {
      for (std::size_t i = 0; i < friction.size(); ++i) {
        const Contact& c = problem.contacts[i];
        const Vector6 y = motion(g);
        const Vector3 turn{y[3], y[4], y[5]};
        const Vector3 w = cross(turn, c.arm);
        Vector3 slip{y[0] + w[0], y[1] + w[1], y[2] + w[2]};
        const double along = dot(slip, c.normal);
        // The stiffest that a contact can be: the trace of its own compliance
        double stiff = 0;
        for (std::size_t axis = 0; axis < 3; ++axis) {
          Vector3 e{};
          e[axis] = 1;
          const Vector3 t = cross(c.arm, e);
          const Vector6 m = motion({e[0], e[1], e[2], t[0], t[1], t[2]});
          const Vector3 mt = cross({m[3], m[4], m[5]}, c.arm);
          stiff += m[axis] + mt[axis];
        }
        Vector3 next{};
        for (std::size_t axis = 0; axis < 3; ++axis) {
          slip[axis] -= along * c.normal[axis];
          next[axis] = friction[i][axis] - slip[axis] / stiff;
        }
        const double most = c.friction * c.normal_force;
        const double size = std::sqrt(dot(next, next));
        if (size > most) {
          for (double& component : next) {
            component *= size > 0 ? most / size : 0;
          }
        }
        const Vector3 change{next[0] - friction[i][0], next[1] - friction[i][1], next[2] - friction[i][2]};
        const Vector3 torque = cross(c.arm, change);
        for (std::size_t axis = 0; axis < 3; ++axis) {
          g[axis] += change[axis];
          g[3 + axis] += torque[axis];
        }
        friction[i] = next;
      }
    }
    return objective(g);
  }
  [[nodiscard]] double objective(const Vector6& g) const {
    const Vector6 y = motion(g);
    double sum = 0;
    for (std::size_t i = 0; i < 6; ++i) {
      sum += 0.5 * y[i] * g[i];
    }
    return sum;
  }

  const Problem& problem;
  Matrix6 compliance{};
};

TEST(StaticFriction, RandomProblemsAreSolvedWithACertificate) {
  std::mt19937 random(7);
  int not_converged = 0;
  int compared = 0;
  int close = 0;
  constexpr int problems = 10'000;
  for (int k = 0; k < problems; ++k) {
    const Problem p = random_problem(random);
    StaticFriction solver(p.contacts.size());
    ASSERT_TRUE(solver.set(p.contacts, p.load));
    const Solution s = solver.solve();
    not_converged += s.converged() ? 0 : 1;
    const Reference reference(p);
    // The motion balances load and friction, friction is within its cones, the objective is what it says
    Vector6 g = p.load.wrench;
    for (std::size_t i = 0; i < p.contacts.size(); ++i) {
      ASSERT_LE(used(p.contacts[i], solver.contacts()[i]), 1 + 1e-9) << k;
      const Vector6 w = wrench_of(p.contacts[i], solver.contacts()[i]);
      for (std::size_t a = 0; a < 6; ++a) {
        g[a] += w[a];
      }
    }
    const double without = reference.objective(p.load.wrench);
    const double objective = reference.objective(g);
    ASSERT_NEAR(objective, s.objective, 1e-9 * without) << k;
    const Vector6 y = reference.motion(g);
    for (std::size_t a = 0; a < 6; ++a) {
      ASSERT_NEAR(s.motion[a], y[a], 1e-6 * std::abs(y[a]) + 1e-9 * std::sqrt(without)) << k;
    }
    const bool isotropic = std::all_of(p.contacts.begin(), p.contacts.end(),
                                       [](const Contact& c) { return c.torsion == 0 && !c.friction_v; });
    if (isotropic && k % 20 == 0) {
      ++compared;
      // The slow one comes from above, slowly
      const double slow = reference.min_objective(20'000 / static_cast<int>(p.contacts.size()));
      ASSERT_LE(s.objective, slow + 1e-9 * without) << k;
      close += s.objective > slow - 1e-6 * without ? 1 : 0;
    }
  }
  EXPECT_EQ(not_converged, 0);
  EXPECT_GT(compared, 100);
  EXPECT_GT(close, 0.95 * compared);
}

TEST(StaticFriction, SlidingFrictionOpposesSlip) {
  std::mt19937 random(8);
  int sliding = 0;
  double worst = 0;
  double unbalanced = 0;
  for (int k = 0; k < 500; ++k) {
    Problem p = random_problem(random);
    for (Contact& c : p.contacts) {
      c.friction_v.reset();
      c.torsion = 0;
    }
    StaticFriction solver(p.contacts.size());
    ASSERT_TRUE(solver.set(p.contacts, p.load));
    const Solution s = solver.solve({.gap = 1e-12, .polish = 2});
    const double without = Reference(p).objective(p.load.wrench);
    // Friction, the load and what it becomes by the motion are in balance. Of K only the symmetric part counts here.
    Vector6 left = p.load.wrench;
    double size = 0;
    for (std::size_t a = 0; a < 6; ++a) {
      for (std::size_t b = 0; b < 6; ++b) {
        left[a] += 0.5 * (p.load.gradient[a][b] + p.load.gradient[b][a]) * s.motion[b];
      }
      size += std::abs(p.load.wrench[a]) / (a < 3 ? 1 : p.load.length);
    }
    for (std::size_t i = 0; i < p.contacts.size(); ++i) {
      const Vector3& force = solver.contacts()[i].friction;
      const Vector3 torque = cross(p.contacts[i].arm, force);
      for (std::size_t a = 0; a < 3; ++a) {
        left[a] += force[a];
        left[3 + a] += torque[a];
      }
    }
    for (std::size_t a = 0; a < 6; ++a) {
      unbalanced = std::max(unbalanced, std::abs(left[a]) / (a < 3 ? 1 : p.load.length) / size);
    }
    for (std::size_t i = 0; i < p.contacts.size(); ++i) {
      const Contact& c = p.contacts[i];
      const ContactResult& r = solver.contacts()[i];
      const Vector3 turned = cross({s.motion[3], s.motion[4], s.motion[5]}, c.arm);
      Vector3 slip{s.motion[0] + turned[0], s.motion[1] + turned[1], s.motion[2] + turned[2]};
      const double along = dot(slip, c.normal);
      for (std::size_t a = 0; a < 3; ++a) {
        slip[a] -= along * c.normal[a];
      }
      const double distance = std::sqrt(dot(slip, slip));
      const double friction = std::sqrt(dot(r.friction, r.friction));
      // Contacts whose work is next to nothing have no say in the gap
      if (r.state == ContactState::slides && c.friction * c.normal_force * distance > 1e-5 * without) {
        ++sliding;
        const Vector3 off = cross(r.friction, slip);
        EXPECT_LT(dot(r.friction, slip), 0);
        worst = std::max(worst, std::sqrt(dot(off, off)) / (distance * friction));
      }
    }
  }
  EXPECT_GT(sliding, 500);
  EXPECT_LT(worst * 180 / std::numbers::pi, 1e-4);  // [°]
  EXPECT_LT(unbalanced, 1e-4);                      // 1e-5 but for contacts that are all on one line
}

// The paper's theorem: friction can hold the load exactly where the least motion is none but the unresisted one.
TEST(StaticFriction, HeldLoadsDoNotMoveTheBody) {
  std::mt19937 random(9);
  std::array<int, 2> seen{};
  for (int k = 0; k < 2000; ++k) {
    const Problem p = random_problem(random);
    StaticFriction solver(p.contacts.size());
    ASSERT_TRUE(solver.set(p.contacts, p.load));
    const Verdict v = solver.verdict({}, true);
    const Solution s = solver.solve();
    if (!v.proven() || std::abs(v.factor - 1) < 1e-3 || v.rank < 6) {
      continue;
    }
    ++seen.at(v.holds() ? 1 : 0);
    const double without = Reference(p).objective(p.load.wrench);
    if (v.holds()) {
      EXPECT_LE(s.objective, 2e-9 * without) << k;  // twice the gap asked for
      EXPECT_EQ(v.motion, (Vector6{}));
    } else {
      EXPECT_GT(s.objective, s.gap) << k;
    }
  }
  EXPECT_GT(seen[0], 100);
  EXPECT_GT(seen[1], 100);
}

TEST(StaticFriction, WarmStartsGiveTheSameAnswer) {
  std::mt19937 random(10);
  std::normal_distribution<double> any;
  int warm = 0;
  int cold = 0;
  for (int k = 0; k < 100; ++k) {
    Problem p = random_problem(random);
    StaticFriction solver(64);
    for (int frame = 0; frame < 10; ++frame) {
      for (double& component : p.load.wrench) {
        component *= 1 + 0.01 * any(random);
      }
      if (frame == 5 && p.contacts.size() > 1) {
        p.contacts.erase(p.contacts.begin());  // one goes
      }
      ASSERT_TRUE(solver.set(p.contacts, p.load));
      const Solution s = solver.solve();
      StaticFriction fresh(64);
      ASSERT_TRUE(fresh.set(p.contacts, p.load));
      const Solution expected = fresh.solve();
      ASSERT_NEAR(s.objective, expected.objective, s.gap + expected.gap + 1e-25) << k << ' ' << frame;
      if (frame > 0) {
        warm += s.iterations;
        cold += expected.iterations;
      }
      if (frame == 9) {
        solver.forget();
        ASSERT_EQ(solver.solve().motion, expected.motion) << k;
      }
    }
  }
  EXPECT_LT(warm, 0.9 * cold);
}

// A block on two feet that is pulled along: at rest both hold, sliding they give less.
TEST(StaticFriction, SlidingContactsTakeTheirDynamicCoefficient) {
  Problem p;
  for (const double x : {-0.05, 0.05}) {
    p.contacts.push_back({.arm = {x, 0, 0}, .normal_force = 5, .friction = 0.5, .dynamic_friction = 0.3});
  }
  for (std::size_t i = 0; i < 6; ++i) {
    p.load.gradient[i][i] = i < 3 ? -1000 : -2.5;
    p.load.mass[i][i] = i < 3 ? 1 : 1e-3;
  }
  p.load.length = 0.05;
  StaticFriction solver(2);
  p.load.wrench = {4.9, 0, 0, 0, 0, 0};
  ASSERT_TRUE(solver.set(p.contacts, p.load));
  EXPECT_TRUE(solver.verdict().holds());
  EXPECT_NEAR(solver.solve().motion[0], 0, 1e-6);
  p.load.wrench[0] = 5.1;
  ASSERT_TRUE(solver.set(p.contacts, p.load));
  EXPECT_FALSE(solver.verdict().holds());
  // 5.1 N − 0.3 · 10 N over 1000 N/m
  EXPECT_NEAR(solver.solve().motion[0], 2.1e-3, 1e-8);
  EXPECT_NEAR(solver.contacts()[1].friction[0], -1.5, 1e-6);
  EXPECT_FALSE(solver.verdict().holds());  // at rest again: what was solved before does not matter
  EXPECT_NEAR(solver.verdict({}, true).critical_ratio(), 1.02, 1e-6);
}

/// A block of two feet, 5 N on each, on springs of 1000 N/m: the left foot is declared to stick, the right one to
/// slide.
Problem declared_feet(const Vector3& pull) {
  Problem p;
  p.contacts = {
      {.arm = {-0.05, 0, 0}, .normal_force = 5, .friction = 0.5, .declared = Declared::sticks},
      {.arm = {0.05, 0, 0}, .normal_force = 5, .friction = 0.5, .dynamic_friction = 0.3, .declared = Declared::slides},
  };
  for (std::size_t i = 0; i < 6; ++i) {
    p.load.gradient[i][i] = i < 3 ? -1000 : -2.5;
    p.load.mass[i][i] = i < 3 ? 1 : 1e-3;
  }
  p.load.length = 0.05;
  p.load.wrench = {pull[0], pull[1], pull[2], 0, 0, 0};
  return p;
}

TEST(DeclaredContacts, VerdictIsOfThoseThatAreToStick) {
  StaticFriction solver(2);
  // Across: the body turns about its left foot, and the right one slips.
  const Problem across = declared_feet({0, 2, 0});
  ASSERT_TRUE(solver.set(across.contacts, across.load));
  const Verdict right = solver.verdict();
  EXPECT_TRUE(right.holds());
  EXPECT_EQ(right.rank, 2);
  EXPECT_TRUE(right.declaration.right);
  EXPECT_GT(right.motion[5], 0);
  EXPECT_NEAR(right.motion[1], 0.05 * right.motion[5], 1e-12);  // the left foot stays
  // Along: the left foot holds, so the right one does not move at all.
  const Problem along = declared_feet({2, 0, 0});
  ASSERT_TRUE(solver.set(along.contacts, along.load));
  const Verdict still = solver.verdict();
  EXPECT_TRUE(still.holds());
  EXPECT_FALSE(still.declaration.right);
  EXPECT_EQ(still.declaration.contact, 1);
  // More than one foot can hold, though two could
  const Problem more = declared_feet({3, 0, 0});
  ASSERT_TRUE(solver.set(more.contacts, more.load));
  const Verdict slips = solver.verdict();
  EXPECT_EQ(slips.status, VerdictStatus::slips);
  EXPECT_FALSE(slips.declaration.right);
  EXPECT_EQ(slips.declaration.contact, std::nullopt);
  auto undeclared = more.contacts;
  undeclared[0].declared = Declared::nothing;
  undeclared[1].declared = Declared::nothing;
  ASSERT_TRUE(solver.set(undeclared, more.load));
  EXPECT_TRUE(solver.verdict().holds());
  EXPECT_TRUE(solver.verdict().declaration.right);
}

TEST(DeclaredContacts, SolutionTellsWhoDoesSomethingElse) {
  StaticFriction solver(2);
  // Both hold 3 N; at its coefficient of sliding the right foot still does: 2.5 N + 1.5 N
  const Problem held = declared_feet({3, 0, 0});
  ASSERT_TRUE(solver.set(held.contacts, held.load));
  const Solution s = solver.solve();
  EXPECT_FALSE(s.declaration.right);
  EXPECT_EQ(s.declaration.contact, 1);
  const Problem too_much = declared_feet({4.5, 0, 0});
  ASSERT_TRUE(solver.set(too_much.contacts, too_much.load));
  const Solution both = solver.solve();
  EXPECT_FALSE(both.declaration.right);
  EXPECT_EQ(both.declaration.contact, 0);
  EXPECT_NEAR(both.motion[0], 0.5e-3, 1e-7);  // 4.5 N − 2.5 N − 1.5 N over 1000 N/m
  // Under a load at the right foot, that one slides and the left one holds.
  Problem right = declared_feet({0, 2, 0});
  right.load.wrench[5] = 0.1;
  ASSERT_TRUE(solver.set(right.contacts, right.load));
  const Solution turns = solver.solve({.gap = 1e-12});
  EXPECT_TRUE(turns.declaration.right) << turns.declaration.contact.value_or(99);
  EXPECT_NEAR(std::hypot(solver.contacts()[1].friction[0], solver.contacts()[1].friction[1]), 1.5, 1e-5);
}

TEST(StaticFriction, SlidesUnderTheLeastOverload) {
  Problem p = declared_feet({5.0025, 0, 0});
  for (Contact& c : p.contacts) {
    c.declared = Declared::nothing;
    c.dynamic_friction = 0.3;
  }
  StaticFriction solver(2);
  ASSERT_TRUE(solver.set(p.contacts, p.load));
  EXPECT_FALSE(solver.verdict().holds());
  EXPECT_NEAR(solver.solve().motion[0], 2.0025e-3, 1e-7);  // at the coefficient of sliding
  EXPECT_EQ(solver.contacts()[0].state, ContactState::slides);
}

TEST(StaticFriction, ContactsWithoutFrictionSlideWhereTheySlip) {
  Problem p = declared_feet({6, 0, 0});
  p.contacts[0].declared = Declared::nothing;
  p.contacts[0].dynamic_friction = 0;
  p.contacts[1].dynamic_friction = 0;
  for (const int sides : {0, 8}) {
    StaticFriction solver(2, sides);
    ASSERT_TRUE(solver.set(p.contacts, p.load));
    const Solution s = solver.solve();
    EXPECT_NEAR(s.motion[0], 6e-3, 1e-7);
    EXPECT_EQ(solver.contacts()[0].state, ContactState::slides) << sides;
    EXPECT_EQ(solver.contacts()[1].state, ContactState::slides) << sides;
    EXPECT_TRUE(s.declaration.right);
  }
}

TEST(StaticFriction, FrictionAlongOneAxisAloneHoldsNothingAcross) {
  for (const double across : {0.0, 1.0}) {
    Problem p = declared_feet({1 - across, across, 0});
    for (Contact& c : p.contacts) {
      c.declared = Declared::nothing;
      c.u = {1, 0, 0};
      c.friction_v = 0;
    }
    StaticFriction solver(2);
    ASSERT_TRUE(solver.set(p.contacts, p.load));
    EXPECT_EQ(solver.verdict().holds(), across == 0) << across;
  }
}

TEST(StaticFriction, SaysSoWhereTheSpringsPushTheBodyAway) {
  Problem p = declared_feet({1, 0, 0});
  p.load.gradient[0][0] = 1000;
  StaticFriction solver(2);
  ASSERT_TRUE(solver.set(p.contacts, p.load));
  const Solution s = solver.solve();
  EXPECT_EQ(s.status, SolutionStatus::not_definite);
  EXPECT_EQ(s.gap, infinity);
  EXPECT_EQ(solver.contacts().size(), 2U);
}

TEST(StaticFriction, RefusesOddPyramids) {
  for (const int sides : {-4, 1, 2, 3, 5}) {
    EXPECT_THROW(StaticFriction(4, sides), InvalidParameter) << sides;
  }
}

/// Contacts that are the same in all directions and say no more are worked on eight at a time: the answers are those of
/// contacts that go one by one, which a tangent of their own makes them do.
TEST(StaticFriction, PlainContactsGiveWhatOthersGive) {
  std::mt19937 random(13);
  std::normal_distribution<double> any;
  int contacts = 0;
  int sliding = 0;
  int others = 0;  // in state
  for (int k = 0; k < 400; ++k) {
    Problem one_by_one = random_problem(random);
    for (Contact& c : one_by_one.contacts) {
      c.friction_v.reset();
      c.torsion = 0;
      c.u = {0.3, 0.5, 0.2};
    }
    StaticFriction a(64);
    StaticFriction b(64);
    for (int frame = 0; frame < 4; ++frame) {
      for (double& component : one_by_one.load.wrench) {
        component *= 1 + 0.01 * any(random);
      }
      if (frame == 2 && one_by_one.contacts.size() > 1) {
        one_by_one.contacts.erase(one_by_one.contacts.begin());
      }
      Problem plain = one_by_one;
      for (Contact& c : plain.contacts) {
        c.u = {};
      }
      ASSERT_TRUE(a.set(one_by_one.contacts, one_by_one.load));
      ASSERT_TRUE(b.set(plain.contacts, plain.load));
      const Options options{.gap = 1e-12, .polish = 2};
      const Verdict va = a.verdict(options, true);
      const Verdict vb = b.verdict(options, true);
      ASSERT_EQ(va.rank, vb.rank) << k;
      ASSERT_NEAR(va.factor, vb.factor, 1e-7 * (1 + va.factor)) << k;
      const Solution sa = a.solve(options);
      const Solution sb = b.solve(options);
      ASSERT_NEAR(sa.objective, sb.objective, sa.gap + sb.gap + 1e-14 * sa.objective + 1e-25) << k;
      if (!(sa.objective > 1e-6)) {
        continue;
      }
      // Which of several contacts holds may differ; what all of them do together may not, nor friction that slides
      Vector3 together{};
      double most = 0;
      for (std::size_t i = 0; i < plain.contacts.size(); ++i) {
        const ContactResult& x = a.contacts()[i];
        const ContactResult& y = b.contacts()[i];
        together = sum(together, difference(x.friction, y.friction));
        most += plain.contacts[i].friction * plain.contacts[i].normal_force;
        ++contacts;
        others += x.state != y.state ? 1 : 0;
        if (y.state == ContactState::slides && x.state == ContactState::slides) {
          ++sliding;
          EXPECT_LE(norm(difference(x.friction, y.friction)),
                    1e-3 * plain.contacts[i].friction * plain.contacts[i].normal_force)
              << k << ' ' << frame << ' ' << i;
        }
      }
      EXPECT_LE(norm(together), 1e-5 * most) << k;
    }
  }
  EXPECT_GT(sliding, 1000);
  EXPECT_LE(others, contacts / 200);
}

TEST(StaticFriction, IsMadeFromParameters) {
  for (const int sides : {0, 4, 64}) {
    EXPECT_EQ(StaticFriction::make({.capacity = 7, .sides = sides}).params(), (StaticFriction::Params{7, sides}));
  }
  for (const int sides : {-4, 2, 5}) {
    EXPECT_STREQ(StaticFriction::check({.capacity = 7, .sides = sides})->field, "sides");
    EXPECT_THROW(static_cast<void>(StaticFriction::make({.capacity = 7, .sides = sides})), InvalidParameter);
  }
  const auto problem = StaticFriction::check(std::vector<Contact>{{.friction = -0.5}}, {});
  ASSERT_TRUE(problem);
  EXPECT_EQ(InvalidParameter::describe(*problem), "friction = -0.5: must be >= 0 and below 1e150");
}

/// What is refused leaves what was there, also where eight are read at a time.
TEST(StaticFriction, RefusedPlainContactsChangeNothing) {
  const Problem good{{{.arm = {0.1, 0, 0}, .normal_force = 5, .friction = 0.5, .key = 1}},
                     {.wrench = {1, 0, 0, 0, 0, 0}, .gradient = [] {
                        Matrix6 k{};
                        for (std::size_t i = 0; i < 6; ++i) {
                          k[i][i] = -100;
                        }
                        return k;
                      }()}};
  StaticFriction solver(8);
  ASSERT_TRUE(solver.set(good.contacts, good.load));
  const Solution before = solver.solve({.warm = false});
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), -1.0, 1e200}) {
    Problem wrong = good;
    wrong.contacts[0].normal_force = bad;
    EXPECT_FALSE(solver.set(wrong.contacts, wrong.load)) << bad;
    wrong = good;
    wrong.contacts[0].friction = bad;
    EXPECT_FALSE(solver.set(wrong.contacts, wrong.load)) << bad;
  }
  EXPECT_EQ(solver.solve({.warm = false}).motion, before.motion);
}

/// A key is any number: only what it is the same as matters. A contact without one starts afresh.
TEST(StaticFriction, KeysMayBeNegativeAndMayBeMissing) {
  std::mt19937 random(17);
  int same = 0;
  for (int k = 0; k < 20; ++k) {
    Problem p = random_problem(random);
    const auto second = [&](const auto& key_of) {
      for (std::size_t i = 0; i < p.contacts.size(); ++i) {
        p.contacts[i].key = key_of(static_cast<std::int64_t>(i));
      }
      StaticFriction solver(64);
      EXPECT_TRUE(solver.set(p.contacts, p.load));
      static_cast<void>(solver.solve());
      return solver.solve();
    };
    using Key = std::optional<std::int64_t>;
    const Solution named = second([](std::int64_t i) { return Key(i); });
    const Solution below = second([](std::int64_t i) { return Key(i - 1000); });
    const Solution falling = second([](std::int64_t i) { return Key(-1 - i); });
    const Solution nameless = second([](std::int64_t) { return Key(); });
    EXPECT_EQ(below.motion, named.motion);
    EXPECT_EQ(falling.motion, named.motion);
    same += nameless.iterations == named.iterations ? 1 : 0;
  }
  EXPECT_LT(same, 20);
}

TEST(StaticFriction, SameBitsInTwoRuns) {
  std::mt19937 random(11);
  for (int k = 0; k < 50; ++k) {
    const Problem p = random_problem(random);
    StaticFriction a(64);
    StaticFriction b(64);
    ASSERT_TRUE(a.set(p.contacts, p.load));
    ASSERT_TRUE(b.set(p.contacts, p.load));
    EXPECT_EQ(a.solve().motion, b.solve().motion);
    EXPECT_EQ(a.verdict().factor, b.verdict().factor);
  }
}

// Squares of the load underflow; so does the inverse of the friction.
TEST(StaticFriction, VerdictsOfTinyForcesAreRight) {
  for (const int sides : {0, 4}) {
    for (const double load : {1e-240, 1e-200, 1e-160, 1e-100}) {
      for (const double friction : {0.0, 1e-308, 1e-292, 1e-250 * load, 1e-20 * load, 0.1 * load, 10 * load}) {
        std::array<Contact, 3> contacts;
        contacts.fill({.normal_force = friction, .friction = 1.0 / 3});
        contacts[0].arm = {0.1, 0, 0};
        contacts[1].arm = {-0.1, 0.05, 0};
        contacts[2].arm = {0, -0.05, 0};
        Load given{.wrench = {load}};
        for (std::size_t i = 0; i < 6; ++i) {
          given.gradient[i][i] = -1000;
          given.mass[i][i] = 1;
        }
        StaticFriction solver(3, sides);
        ASSERT_TRUE(solver.set(contacts, given));
        const Verdict verdict = solver.verdict({}, true);
        EXPECT_TRUE(verdict.proven()) << load << ' ' << friction;
        EXPECT_EQ(verdict.holds(), friction > load) << load << ' ' << friction;
        EXPECT_TRUE(verdict.factor <= verdict.factor_limit) << load << ' ' << friction;
      }
    }
  }
}

TEST(StaticFriction, RefusesWhatItCannotUse) {
  std::mt19937 random(12);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Problem p = random_problem(random);
  StaticFriction solver(64);
  ASSERT_TRUE(solver.set(p.contacts, p.load));
  const auto refused = [&](auto change) {
    Problem q = p;
    change(q);
    const bool refuses = !solver.set(q.contacts, q.load);
    EXPECT_EQ(StaticFriction::check(q.contacts, q.load).has_value(), refuses && q.contacts.size() <= 64);
    return refuses;
  };
  EXPECT_TRUE(refused([&](Problem& q) { q.contacts[0].arm[1] = nan; }));
  EXPECT_TRUE(refused([&](Problem& q) { q.contacts[0].normal = {0, 0, 2}; }));
  EXPECT_TRUE(refused([&](Problem& q) { q.contacts[0].normal_force = -1; }));
  EXPECT_TRUE(refused([&](Problem& q) { q.contacts[0].friction = nan; }));
  for (const double bad : {-1.0, -1e-300, nan, 1e200}) {
    EXPECT_TRUE(refused([&](Problem& q) { q.contacts[0].friction_v = bad; })) << bad;
    EXPECT_TRUE(refused([&](Problem& q) { q.contacts[0].dynamic_friction = bad; })) << bad;
  }
  EXPECT_TRUE(refused([&](Problem& q) { q.load.wrench[4] = std::numeric_limits<double>::infinity(); }));
  EXPECT_TRUE(refused([&](Problem& q) { q.load.gradient[1][2] = nan; }));
  for (const double length : {0.0, 0.99e-9, 1.01e9, nan}) {
    EXPECT_TRUE(refused([&](Problem& q) { q.load.length = length; })) << length;
  }
  for (const double length : {1e-9, 1e9}) {
    EXPECT_FALSE(refused([&](Problem& q) { q.load.length = length; })) << length;
  }
  EXPECT_TRUE(refused([&](Problem& q) { q.contacts.resize(65, q.contacts[0]); }));
  ASSERT_TRUE(solver.set({}, p.load));  // no contact at all: the body follows its load
  const Solution free = solver.solve();
  EXPECT_TRUE(free.converged());
  const Verdict verdict = solver.verdict();
  EXPECT_EQ(verdict.rank, 0);
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_NEAR(verdict.motion[i], free.motion[i], 1e-12);
  }
}

}  // namespace
}  // namespace stiction::spatial
