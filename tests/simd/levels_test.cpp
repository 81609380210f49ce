// The kernels at one SIMD level, that of STICTION_SIMD: ctest runs this program once for each level. Oracles are code
// that does not depend on the level, and closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <numbers>
#include <random>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "../../src/simd.h"
#include "stiction/planar/distributed.h"
#include "stiction/planar/limit_surface.h"
#include "stiction/planar/reduced_batch.h"
#include "stiction/planar/shapes.h"
#include "stiction/planar/slip.h"
#include "stiction/scalar/dahl_batch.h"
#include "stiction/scalar/elasto_plastic_batch.h"
#include "stiction/scalar/gms_batch.h"
#include "stiction/scalar/lugre_batch.h"
#include "stiction/scalar/presets.h"
#include "stiction/spatial/static_friction.h"
#include "stiction/vector.h"

namespace stiction {
namespace {

constexpr std::size_t n = 37;  // full blocks and a rest
constexpr double dt = 1e-3;

std::vector<double> velocities() {
  std::vector<double> v(n);
  for (std::size_t i = 0; i < n; ++i) {
    v[i] = i == 3 ? 0 : 0.05 * std::sin(0.9 * static_cast<double>(i));
  }
  return v;
}

void expect_4_ulp(double a, double b, double scale, const char* what) {
  EXPECT_LE(std::abs(a - b), 4 * std::numeric_limits<double>::epsilon() * std::max(std::abs(b), scale)) << what;
}

template <class Model>
void expect_batch_equals_single(Model model, double scale) {
  std::vector<Model> models;
  for (std::size_t i = 0; i < n; ++i) {
    auto params = model.params();
    params.stiffness *= 1 + 0.01 * static_cast<double>(i);
    models.push_back(Model::make(params));
  }
  const scalar::Batch<Model> batch(models);
  const auto v = velocities();
  std::vector<double> states(n);
  std::vector<double> force(n);
  std::vector<typename Model::State> single(n);
  for (int step = 0; step < 50; ++step) {
    batch.step(states, v, dt, force);
    for (std::size_t i = 0; i < n; ++i) {
      const auto next = models[i].step(single[i], v[i], dt);
      single[i] = next.state;
      expect_4_ulp(force[i], next.force, scale, "force");
    }
  }
}

TEST(SimdLevel, IsTheOneThatWasAskedFor) {
  const char* const wanted = std::getenv("STICTION_SIMD");
  if (wanted == nullptr) {
    GTEST_SKIP() << "no level was asked for";
  }
  const SimdLevel level = std::string(wanted) == "v4"   ? SimdLevel::v4
                          : std::string(wanted) == "v3" ? SimdLevel::v3
                                                        : SimdLevel::base;
  if (simd_level() < level) {
    GTEST_SKIP() << "this processor or this build does not have " << wanted;
  }
  EXPECT_EQ(simd_level(), level);
}

TEST(SimdLevel, BatchesEqualModelsOneByOne) {
  expect_batch_equals_single(scalar::LuGre::make({.stiffness = 1e5,
                                                  .damping = 300,
                                                  .coulomb_force = 1,
                                                  .static_force = 1.5,
                                                  .stribeck_velocity = 1e-3,
                                                  .viscous = 0.4}),
                             1.5);
  expect_batch_equals_single(scalar::preset::table2_dahl(), 0.28);
  expect_batch_equals_single(scalar::preset::table2_elasto_plastic(), 0.33);
}

TEST(SimdLevel, GmsBatchEqualsModelsOneByOne) {
  const std::vector<scalar::Gms> models(n, scalar::preset::table2_gms());
  const scalar::GmsBatch batch(models);
  const auto v = velocities();
  std::vector<double> elements(n * batch.elements());
  std::vector<std::int32_t> slipping(n);
  std::vector<double> friction(n);
  std::vector<scalar::Gms::State> single(n);
  for (int step = 0; step < 50; ++step) {
    batch.step(elements, slipping, v, dt, friction);
    for (std::size_t i = 0; i < n; ++i) {
      const auto next = models[i].step(single[i], v[i], dt);
      single[i] = next.state;
      expect_4_ulp(friction[i], next.force, 0.33, "friction");
    }
  }
}

planar::Friction friction() {
  planar::Friction result = planar::preset::waltersson_p1();
  result.stiffness = 1e5;
  result.damping = 20;
  return result;
}

TEST(SimdLevel, ReducedBatchEqualsModelsOneByOne) {
  const planar::Patch patch(planar::paper::square());
  const std::vector<planar::SurfaceTable> surfaces{planar::SurfaceTable(patch)};
  const auto model = planar::Reduced<planar::SurfaceTable>::make({friction(), patch.pressure_moments(), surfaces[0]});
  const planar::ReducedBatch batch(
      surfaces,
      std::vector<planar::ReducedBatch::Item>(n, {friction(), 0, patch.torque_radius(), patch.mean_square_radius()}));
  std::vector<double> states(3 * n);
  std::vector<double> twists(3 * n);
  std::vector<double> wrenches(3 * n);
  const std::vector<double> normal(n, 1);
  for (std::size_t i = 0; i < n; ++i) {
    twists[i] = 0.1;
    twists[n + i] = -0.05 + 0.01 * static_cast<double>(i);
    twists[2 * n + i] = 1.59;
  }
  std::vector<planar::Reduced<planar::SurfaceTable>::State> single(n);
  for (int step = 0; step < 50; ++step) {
    batch.step(states, twists, normal, 1e-5, wrenches);
    for (std::size_t i = 0; i < n; ++i) {
      const auto next = model.step(single[i], {twists[i], twists[n + i], twists[2 * n + i]}, 1, 1e-5);
      single[i] = next.state;
      EXPECT_NEAR(wrenches[i], next.wrench.x, 1e-12);
      EXPECT_NEAR(wrenches[n + i], next.wrench.y, 1e-12);
      EXPECT_NEAR(wrenches[2 * n + i], next.wrench.torque, 1e-12 * patch.torque_radius());
    }
  }
}

TEST(SimdLevel, PointsThatMoveAlikeAreOnePoint) {
  // Points on a line without spin move alike: their wrench is that of one bristle, whatever their number.
  planar::Points points;
  for (std::size_t i = 0; i < n; ++i) {
    points.add({1e-3 * static_cast<double>(i), 0}, 1);
  }
  const auto model = planar::Distributed::make({friction(), planar::Patch(points)});
  planar::Points point;
  point.add({0, 0}, 1);
  const auto alone = planar::Distributed::make({friction(), planar::Patch(point)});
  std::vector<double> z(model.state_size());
  std::vector<double> z_alone(alone.state_size());
  for (int step = 0; step < 200; ++step) {
    const planar::Twist twist{0.01 * std::sin(0.05 * step), 0.004, 0};
    const planar::Wrench w = model.step(z, twist, 1, 1e-4);
    const planar::Wrench one = alone.step(z_alone, twist, 1, 1e-4);
    EXPECT_NEAR(w.x, one.x, 1e-13);
    EXPECT_NEAR(w.y, one.y, 1e-13);
    EXPECT_NEAR(w.torque, 0, 1e-15);
  }
  // In the end it slides steadily: μ(|v|) + σ₂ |v| against the motion
  const planar::Twist steady{0.3, -0.4, 0};
  planar::Wrench w;
  for (int step = 0; step < 200; ++step) {
    w = model.step(z, steady, 1, 1e-3);
  }
  const planar::Friction f = friction();
  const double level =
      f.coulomb + (f.static_level - f.coulomb) * std::exp(-std::pow(0.5 / f.stribeck_velocity, f.stribeck_exponent));
  EXPECT_NEAR(w.x, -0.6 * (level + 0.5 * f.viscous), 1e-12);
  EXPECT_NEAR(w.y, 0.8 * (level + 0.5 * f.viscous), 1e-12);
}

TEST(SimdLevel, LimitSurfaceOfASquareIsTheClosedForm) {
  // A square of side a: the mean distance from its centre is a (√2 + arsinh 1)/6.
  constexpr double a = 0.02;
  const planar::Patch patch(planar::PressureGrid{5, 5, {0, 0}, a / 5, a / 5, std::vector<double>(25, 1)});
  const double radius = a * (std::sqrt(2.0) + std::asinh(1.0)) / 6;
  const planar::Wrench turning = planar::coulomb_wrench(patch, {0, 0, 2});
  EXPECT_NEAR(turning.torque, -radius, 1e-14 * a);
  EXPECT_NEAR(turning.x, 0, 1e-13);
  const planar::Wrench sliding = planar::coulomb_wrench(patch, {3, 4, 0}, planar::Rule::midpoint);
  EXPECT_NEAR(sliding.x, -0.6, 1e-15);
  EXPECT_NEAR(sliding.y, -0.8, 1e-15);
  EXPECT_NEAR(sliding.torque, 0, 1e-16);
  const planar::Slip slip = planar::slip(patch, {0.3, 0.1, 0.002}, 1);
  EXPECT_TRUE(slip.proven);
  EXPECT_LE(slip.gap, 1e-9);
}

/// A body with contacts all around it, and a load.
struct LoadedBody {
  std::vector<spatial::Contact> contacts;
  spatial::Load load;
};
LoadedBody loaded_body(std::size_t count, bool torsion, double load) {
  std::mt19937_64 random(count);
  const auto between = [&](double low, double high) {
    return low + (high - low) * static_cast<double>(random() >> 11U) * 0x1p-53;
  };
  LoadedBody result;
  for (std::size_t i = 0; i < count; ++i) {
    Vector3 normal{between(-1, 1), between(-1, 1), between(-1, 1)};
    normal = scaled(1 / std::sqrt(dot(normal, normal)), normal);
    spatial::Contact contact;
    contact.key = static_cast<std::int64_t>(i);
    contact.arm = {between(-1, 1), between(-1, 1), between(-1, 1)};
    contact.normal = normal;
    contact.normal_force = between(0.5, 1.5);
    contact.friction = 0.5;
    contact.torsion = torsion ? 0.05 : 0;
    result.contacts.push_back(contact);
  }
  const double size = load * static_cast<double>(count);
  result.load.wrench = {size, 0.5 * size, -0.2 * size, 0.1 * size, 0.2 * size, 0};
  for (std::size_t i = 0; i < 6; ++i) {
    result.load.gradient[i][i] = -1e4;
    result.load.mass[i][i] = 1;
  }
  return result;
}

/// Σ W friction
Vector6 total(const LoadedBody& p, std::span<const spatial::ContactResult> friction) {
  Vector6 sum{};
  for (std::size_t i = 0; i < p.contacts.size(); ++i) {
    const spatial::Contact& c = p.contacts[i];
    const Vector3 torque = cross(c.arm, friction[i].friction);
    for (std::size_t a = 0; a < 3; ++a) {
      sum[a] += friction[i].friction[a];
      sum[3 + a] += torque[a] + friction[i].torque * c.normal[a];
    }
  }
  return sum;
}

class SimdLevelContacts : public testing::TestWithParam<std::tuple<std::size_t, int, bool>> {};

TEST_P(SimdLevelContacts, CertificatesHold) {
  const auto [count, sides, torsion] = GetParam();
  spatial::StaticFriction solver(count, sides);
  for (const double size : {0.02, 0.5}) {
    const LoadedBody p = loaded_body(count, torsion, size);
    ASSERT_TRUE(solver.set(p.contacts, p.load));
    const spatial::Verdict verdict = solver.verdict({}, true);
    EXPECT_TRUE(verdict.proven());
    EXPECT_TRUE(verdict.converged);
    EXPECT_EQ(verdict.rank, 6);
    // Friction within its limits that balances `factor` times the load
    const auto friction = solver.verdict_friction();
    const Vector6 sum = total(p, friction);
    for (std::size_t a = 0; a < 6; ++a) {
      EXPECT_NEAR(sum[a], -verdict.factor * p.load.wrench[a], 1e-11 * static_cast<double>(count));
    }
    const double reach = sides > 0 ? 1 / std::cos(std::numbers::pi / sides) : 1;  // a pyramid around the cone
    for (std::size_t i = 0; i < count; ++i) {
      const double limit = p.contacts[i].friction * p.contacts[i].normal_force * reach;
      EXPECT_LE(std::sqrt(dot(friction[i].friction, friction[i].friction)), limit * (1 + 1e-12));
    }
    const spatial::Solution solution = solver.solve();
    EXPECT_TRUE(solution.converged());
    // F + K Δ + Σ W friction = 0
    const Vector6 balance = total(p, solver.contacts());
    for (std::size_t a = 0; a < 6; ++a) {
      EXPECT_NEAR(balance[a] + p.load.wrench[a] + p.load.gradient[a][a] * solution.motion[a], 0,
                  1e-6 * static_cast<double>(count));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Groups, SimdLevelContacts,
                         testing::Values(std::tuple{std::size_t{13}, 0, false}, std::tuple{std::size_t{100}, 0, false},
                                         std::tuple{std::size_t{50}, 0, true}, std::tuple{std::size_t{30}, 8, false}));

}  // namespace
}  // namespace stiction
