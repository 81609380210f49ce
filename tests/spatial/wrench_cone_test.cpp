// Wrench cones of several contacts, and force closure in cases with a known answer.
#include "stiction/spatial/wrench_cone.h"

#include <gtest/gtest.h>

#include <numbers>
#include <vector>

#include "cone_properties.h"

namespace stiction::spatial::wrench_cone_test {
namespace {

using namespace test;

constexpr double pi = std::numbers::pi;
using Wrench = Vector<double, 6>;
using Contacts = std::vector<GraspContact<>>;

std::vector<Wrench> generators(const Contacts& contacts, std::size_t sides = 8, double length = 1,
                               const Vector<double, 3>& centre = {}) {
  std::vector<Wrench> out(contacts.size() * (sides + 2));
  out.resize(wrench_generators<double>(contacts, centre, length, sides, out));
  return out;
}

ForceClosure<> closure(const std::vector<Wrench>& g) { return force_closure<double>(g); }

/// On the unit sphere, pushing towards its centre.
GraspContact<> on_sphere(const Vector<double, 3>& direction, double mu, double torsion = 0) {
  const auto point = scaled(1 / norm(direction), direction);
  return GraspContact<>::make({point, negative(point), mu, torsion});
}

Contacts around_the_equator(int count, double mu) {
  Contacts contacts;
  for (int i = 0; i < count; ++i) {
    contacts.push_back(on_sphere({std::cos(2 * pi * i / count), std::sin(2 * pi * i / count), 0}, mu));
  }
  return contacts;
}

Contacts tetrahedron(double mu) {
  return {on_sphere({1, 1, 1}, mu), on_sphere({1, -1, -1}, mu), on_sphere({-1, 1, -1}, mu), on_sphere({-1, -1, 1}, mu)};
}

/// The direction must prove it: no generator has a part against it.
void expect_open(const std::vector<Wrench>& g, const char* name) {
  const auto answer = closure(g);
  EXPECT_FALSE(answer.closed) << name;
  EXPECT_TRUE(answer.converged) << name;
  EXPECT_LE(answer.margin, 0) << name;
  EXPECT_NEAR(norm(answer.direction), 1, 1e-12) << name;
  for (const Wrench& w : g) {
    EXPECT_GE(dot(answer.direction, w), -answer.margin - 1e-9) << name;
  }
}

/// The ball must be in the hull: in every direction some generator reaches as far as its radius.
void expect_closed(const std::vector<Wrench>& g, const char* name) {
  const auto answer = closure(g);
  EXPECT_TRUE(answer.closed && answer.converged) << name;
  EXPECT_EQ(answer.rank, 6) << name;
  EXPECT_GT(answer.margin, 1e-6) << name;
  holds_for(1'000, [&] {
    const auto d = any_force<6>();
    RC_PRE(norm(d) > 0);
    double reach = -infinity;
    for (const Wrench& w : g) {
      reach = std::max(reach, dot(w, d) / norm(d));
    }
    RC_ASSERT(reach >= answer.margin - 1e-12);
  });
}

TEST(WrenchCone, GeneratorsAreForcesOfTheConesWithTheirTorques) {
  holds_for(1'000, [] {
    const Vector<double, 3> point{*between(-1, 1), *between(-1, 1), *between(-1, 1)};
    const auto normal = any_force<3>();
    RC_PRE(norm(normal) > 0);
    const auto contact = GraspContact<>::make({point, normal, *log_between(0.01, 10), *log_between(1e-3, 1)});
    const Vector<double, 3> centre{*between(-1, 1), *between(-1, 1), *between(-1, 1)};
    const double length = *log_between(0.1, 10);
    const std::array<GraspContact<>, 1> one{contact};
    std::array<Wrench, 10> out{};
    RC_ASSERT(wrench_generators<double>(one, centre, length, 8, out) == 10U);
    RC_ASSERT(generator_count(contact, 8) == 10U);
    const auto frame = Frame<>::z_normal(normal);
    for (std::size_t j = 0; j < 10; ++j) {
      const Vector<double, 3> force{out[j][0], out[j][1], out[j][2]};
      const Vector<double, 3> torque{out[j][3] * length, out[j][4] * length, out[j][5] * length};
      RC_ASSERT(std::abs(CircularCone<>{contact.mu}.margin(frame.to_local(force))) < 1e-13 * (1 + contact.mu) ||
                j >= 8);
      RC_ASSERT(std::abs(dot(force, frame.z) - 1) < 1e-13 * (1 + contact.mu));
      const auto about_the_point = difference(torque, cross(difference(point, centre), force));
      const double turn = j < 8 ? 0 : j == 8 ? contact.torsion : -contact.torsion;
      RC_ASSERT(distance(about_the_point, scaled(turn, frame.z)) < 1e-13 * (1 + contact.mu));
    }
  });
}

TEST(WrenchCone, SaysHowManyThereAreAndWritesNoMoreThanFit) {
  const Contacts contacts{on_sphere({1, 0, 0}, 0.5), on_sphere({0, 1, 0}, 0, 0.1), on_sphere({0, 0, 1}, 0)};
  std::array<Wrench, 5> out{};
  out[4][0] = 42;
  EXPECT_EQ(wrench_generators<double>(contacts, {}, 1.0, 8, std::span(out).first(4)), 8U + 3U + 1U);
  EXPECT_EQ(out[4][0], 42);
}

TEST(ForceClosure, TwoHardPointsNeverClose) {
  for (const double mu : {0.1, 1.0, 100.0}) {
    const auto g = generators({on_sphere({1, 0, 0}, mu), on_sphere({-1, 0, 0}, mu)}, 16);
    expect_open(g, "two hard points");
    const auto answer = closure(g);
    EXPECT_EQ(answer.rank, 5U);
    // They cannot resist a turn about the line between them.
    EXPECT_NEAR(std::abs(answer.direction[3]), 1, 1e-9);
  }
}

TEST(ForceClosure, TwoSoftFingersClose) {
  expect_closed(generators({on_sphere({1, 0, 0}, 0.3, 0.05), on_sphere({-1, 0, 0}, 0.3, 0.05)}), "two soft fingers");
  // On the same side they cannot push back.
  expect_open(generators({on_sphere({1, 0.1, 0}, 0.3, 0.05), on_sphere({1, -0.1, 0}, 0.3, 0.05)}), "on one side");
}

/// Two soft fingers close if and only if the line between them lies in both cones (Nguyen).
TEST(ForceClosure, TwoSoftFingersCloseWhileTheLineBetweenThemIsInBothCones) {
  const double mu = 0.5;
  for (const double angle : {0.0, 0.2, 0.4, 0.45, 0.48, 0.6, 1.0}) {
    // Tilted in the plane of an edge of the pyramid or not, 64 sides leave 0.1 %.
    const GraspContact<> left{{-1, 0, 0}, {std::cos(angle), std::sin(angle), 0}, mu, 0.1};
    const GraspContact<> right{{1, 0, 0}, {-std::cos(angle), std::sin(angle), 0}, mu, 0.1};
    EXPECT_EQ(closure(generators({left, right}, 64)).closed, angle < std::atan(mu)) << angle;
  }
}

TEST(ForceClosure, ThreePointsOnASphereCloseWithFriction) {
  expect_closed(generators(around_the_equator(3, 0.5)), "three points");
  expect_open(generators(around_the_equator(3, 0)), "three points without friction");
  // All on one half of the equator, with little friction: nothing pushes back.
  const Contacts half{on_sphere({1, 0, 0}, 0.1), on_sphere({1, 1, 0}, 0.1), on_sphere({0, 1, 0}, 0.1)};
  expect_open(generators(half), "half of the equator");
}

/// Three collinear points cannot resist a turn about their line.
TEST(ForceClosure, ThreePointsOnALineDoNotClose) {
  const Contacts line{{{-1, 0, 0}, {0, 0, 1}, 0.8}, {{0, 0, 0}, {0, 0, -1}, 0.8}, {{1, 0, 0}, {0, 0, 1}, 0.8}};
  const auto g = generators(line);
  expect_open(g, "line");
  EXPECT_EQ(closure(g).rank, 5U);
}

TEST(ForceClosure, FourPointsOfATetrahedronClose) {
  expect_closed(generators(tetrahedron(0.3)), "tetrahedron");
  expect_closed(generators(tetrahedron(0.05)), "tetrahedron with little friction");
  // Without friction nothing turns a sphere.
  const auto g = generators(tetrahedron(0));
  expect_open(g, "tetrahedron without friction");
  EXPECT_EQ(closure(g).rank, 3U);
}

/// Seven points without friction can close, six cannot (Somov).
TEST(ForceClosure, ClosesWithoutFrictionFromSevenGeneratorsOn) {
  std::vector<Wrench> g;
  for (std::size_t i = 0; i < 6; ++i) {
    Wrench axis{};
    axis[i] = 1;
    g.push_back(axis);
  }
  expect_open(g, "six axes");
  g.push_back({-1, -1, -1, -1, -1, -1});
  expect_closed(g, "a simplex");
  g.back() = {-1, -1, -1, -1, -1, 0};
  expect_open(g, "the origin on a face");
  g.back() = {-1, -1, -1, -1, -1, -1e-3};
  expect_closed({g.begin(), g.end()}, "just inside");
}

/// ±A e_i with A = 1 on the diagonal and a below it: all factors are 1/12, (G Gᵀ)⁻¹ g = A⁻ᵀ e_i/2, and the rows of A⁻¹
/// are powers of −a. So the radius is 1/(6 √(1 + a² + … + a¹⁰)).
TEST(ForceClosure, MarginIsThatOfTheFormula) {
  for (const double a : {0.0, 0.5, 0.9}) {
    std::vector<Wrench> g;
    double powers = 0;
    for (std::size_t i = 0; i < 6; ++i) {
      Wrench w{};
      w[i] = 1;
      if (i < 5) {
        w[i + 1] = a;
      }
      g.push_back(w);
      g.push_back(negative(w));
      powers += std::pow(a, 2.0 * static_cast<double>(i));
    }
    EXPECT_NEAR(closure(g).margin, 1 / (6 * std::sqrt(powers)), 1e-14) << a;
    expect_closed(g, "slanted axes");
  }
}

TEST(ForceClosure, IsTheSameInEveryFrameAndAboutEveryPoint) {
  holds_for(300, [] {
    Contacts contacts;
    for (int i = 0; i < 4; ++i) {
      const auto direction = any_force<3>();
      RC_PRE(norm(direction) > 0);
      contacts.push_back(on_sphere(direction, *log_between(0.02, 2)));
    }
    const auto here = closure(generators(contacts));
    RC_ASSERT(here.converged);
    const auto moved = closure(generators(contacts, 8, 0.5, {0.3, -0.2, 0.4}));
    RC_PRE(!here.closed || here.margin > 1e-6);
    RC_PRE(here.closed || here.rank < 6 || here.margin < -1e-6 || !moved.closed || moved.margin > 1e-6);
    RC_ASSERT(here.closed == moved.closed);
  });
}

/// Random wrenches with a known answer: closed by construction (a positive combination is 0), or open (all on one
/// side).
TEST(ForceClosure, FindsWhatWasBuiltIn) {
  holds_for(1'000, [] {
    const auto count = static_cast<std::size_t>(*between(8, 40));
    std::vector<Wrench> g;
    Wrench total{};
    for (std::size_t i = 0; i + 1 < count; ++i) {
      Wrench w{};
      for (double& x : w) {
        x = *between(-1, 1);
      }
      g.push_back(w);
      total = sum(total, w);
    }
    g.push_back(negative(total));
    const auto closed = closure(g);
    RC_ASSERT(closed.closed && closed.converged);
    RC_ASSERT(closed.margin > 0);
    Wrench side{};
    for (double& x : side) {
      x = *between(-1, 1);
    }
    RC_PRE(norm(side) > 0.1);
    const double depth = *log_between(1e-6, 0.1);
    for (Wrench& w : g) {  // mirrored to one side, at least `depth` beyond the plane
      const double part = dot(w, side) / dot(side, side);
      w = sum(w, scaled((std::abs(part) - part) + depth, side));
    }
    const auto open = closure(g);
    RC_ASSERT(!open.closed && open.converged);
    for (const Wrench& w : g) {
      RC_ASSERT(dot(open.direction, w) >= -1e-9 * norm(g.back()));
    }
  });
}

TEST(ForceClosure, TakesNothingAndNan) {
  EXPECT_FALSE(closure({}).closed);
  EXPECT_EQ(closure({}).rank, 0U);
  auto g = generators(around_the_equator(3, 0.5));
  g[5][2] = std::nan("");
  EXPECT_FALSE(closure(g).closed);
  EXPECT_FALSE(closure(g).converged);
  EXPECT_TRUE(std::isnan(closure(g).margin));
}

TEST(ForceClosure, WorksInFloat) {
  std::vector<Vector<float, 6>> g;
  for (const Wrench& w : generators(around_the_equator(3, 0.5))) {
    Vector<float, 6> f{};
    for (std::size_t i = 0; i < 6; ++i) {
      f[i] = static_cast<float>(w[i]);
    }
    g.push_back(f);
  }
  const auto answer = force_closure<float>(g);
  EXPECT_TRUE(answer.closed);
  EXPECT_NEAR(answer.margin, closure(generators(around_the_equator(3, 0.5))).margin, 1e-4);
}

TEST(GraspContact, RefusesWhatIsNone) {
  EXPECT_THROW(GraspContact<>::make({{}, {}, 0.5}), InvalidParameter);
  EXPECT_THROW(GraspContact<>::make({{}, {0, 0, 1}, -0.5}), InvalidParameter);
  EXPECT_THROW(GraspContact<>::make({{}, {0, 0, 1}, 0.5, -1}), InvalidParameter);
  EXPECT_THROW(GraspContact<>::make({{std::nan(""), 0, 0}, {0, 0, 1}, 0.5}), InvalidParameter);
}

}  // namespace
}  // namespace stiction::spatial::wrench_cone_test
