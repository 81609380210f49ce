#include "stiction/planar/reduced_batch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iostream>
#include <limits>
#include <random>

#include "stiction/planar/shapes.h"
#include "support/random.h"

namespace stiction::planar {
namespace {

/// Patches of two shapes with frictions of all kinds, and the same as models of their own.
struct Fixture {
  explicit Fixture(std::size_t n, double exponent = 2) {
    const std::array patches{Patch(paper::square()), Patch(paper::gradient_line())};
    for (const Patch& patch : patches) {
      surfaces.emplace_back(patch, surfaces.empty() ? 24 : 11);
    }
    std::mt19937 random(1);
    std::uniform_real_distribution<double> part(0, 1);
    for (std::size_t i = 0; i < n; ++i) {
      Friction friction = preset::waltersson_p1();
      friction.stiffness *= 0.2 + part(random);
      friction.damping *= part(random);
      friction.static_level += part(random);
      friction.elastic_share = 0.2 + 0.7 * part(random);
      friction.elasto_plastic = i % 3 != 0;
      friction.stribeck_exponent = exponent;
      const std::size_t shape = i % 2;
      const double size = 0.5 + part(random);
      items.push_back(
          {friction, shape, size * patches[shape].torque_radius(), size * size * patches[shape].mean_square_radius()});
      models.push_back(Reduced<SurfaceTable>::make(
          {friction, {items.back().torque_radius, items.back().mean_square_radius, {}}, surfaces[shape]}));
      normal.push_back(2 * part(random));
    }
    states.resize(3 * n);
    wrenches.resize(3 * n);
  }

  std::vector<SurfaceTable> surfaces;
  std::vector<ReducedBatch::Item> items;
  std::vector<Reduced<SurfaceTable>> models;
  std::vector<double> normal, states, wrenches;
};

std::vector<double> random_twists(std::size_t n, double scale, std::mt19937& random) {
  std::normal_distribution<double> any;
  std::vector<double> twists(3 * n);
  for (std::size_t i = 0; i < n; ++i) {
    twists[i] = 0.02 * scale * any(random);
    twists[n + i] = 0.02 * scale * any(random);
    twists[2 * n + i] = 2 * scale * any(random);
  }
  return twists;
}

/// Largest difference to models stepped one by one: forces over μ_S f_N, states over the largest deflection.
template <class Real>
double difference(Fixture& f, int steps) {
  const std::size_t n = f.items.size();
  std::vector<typename BasicReducedBatch<Real>::Item> items;
  for (const auto& [friction, surface, r, u] : f.items) {
    items.push_back({friction, surface, r, u});
  }
  const BasicReducedBatch<Real> batch(f.surfaces, items);
  const std::vector<Real> normal(f.normal.begin(), f.normal.end());
  std::vector<Real> states(3 * n);
  std::vector<Real> wrenches(3 * n);
  std::vector<Reduced<SurfaceTable>::State> one_by_one(n);
  std::mt19937 random(2);
  double worst = 0;
  for (int k = 0; k < steps; ++k) {
    const double dt = std::pow(10, -6 + 4 * static_cast<double>(k % 10) / 10);
    const auto twists = random_twists(n, k % 3 == 0 ? 1e-3 : 1, random);
    batch.step(states, std::vector<Real>(twists.begin(), twists.end()), normal, static_cast<Real>(dt), wrenches);
    for (std::size_t i = 0; i < n; ++i) {
      const auto expected =
          f.models[i].step(one_by_one[i], {twists[i], twists[n + i], twists[2 * n + i]}, f.normal[i], dt);
      one_by_one[i] = expected.state;
      const Friction& p = f.items[i].friction;
      const double r = f.items[i].torque_radius;
      const double force = p.static_level * f.normal[i] * (1 + p.damping * 0.1);
      const double bristle = p.static_level / p.stiffness;
      worst = std::max({worst, std::abs(wrenches[i] - expected.wrench.x) / force,
                        std::abs(wrenches[n + i] - expected.wrench.y) / force,
                        std::abs(wrenches[2 * n + i] - expected.wrench.torque) / force / r,
                        std::abs(states[i] - expected.state.x) / bristle,
                        std::abs(states[n + i] - expected.state.y) / bristle,
                        std::abs(states[2 * n + i] - expected.state.rotation) / bristle / r});
    }
  }
  return worst;
}

TEST(ReducedBatch, EqualsModelsOneByOne) {
  Fixture f(203);  // not a multiple of any vector
  EXPECT_LT(difference<double>(f, 200), 1e-11);
}

TEST(ReducedBatch, InSinglePrecisionLosesDigitsOnly) {
  Fixture f(203);
  EXPECT_LT(difference<float>(f, 200), 2e-5);
}

TEST(ReducedBatch, SinglePrecisionDoesNotDriftAway) {
  Fixture f(45);
  EXPECT_LT(difference<float>(f, 5000), 2e-5);
}

TEST(ReducedBatch, OfAnySizeEqualsModelsOneByOne) {
  for (const std::size_t n : {1U, 3U, 15U, 16U, 17U, 64U, 65U, 128U, 129U, 300U}) {
    Fixture f(n);
    EXPECT_LT(difference<float>(f, 10), 2e-5) << n;
    EXPECT_LT(difference<double>(f, 10), 1e-11) << n;
  }
}

TEST(ReducedBatch, AlsoWithAnotherStribeckExponent) {
  Fixture f(37, 1.3);
  EXPECT_LT(difference<double>(f, 100), 1e-11);
}

TEST(ReducedBatch, ResizeIsAnotherSizeOfTheSameShape) {
  Fixture f(5);
  ReducedBatch batch(f.surfaces, f.items);
  EXPECT_TRUE(batch.resize(3, 0.01, 2e-4));
  f.models[3].resize(0.01, 2e-4);
  std::mt19937 random(3);
  const auto twists = random_twists(5, 1, random);
  batch.step(f.states, twists, f.normal, 1e-4, f.wrenches);
  const auto expected = f.models[3].step({}, {twists[3], twists[8], twists[13]}, f.normal[3], 1e-4);
  EXPECT_NEAR(f.wrenches[13], expected.wrench.torque, 1e-14);
}

template <class Real>
class ReducedBatchOf : public testing::Test {
 protected:
  ReducedBatchOf() : batch(f.surfaces, items()), normal(f.normal.begin(), f.normal.end()) {}
  [[nodiscard]] std::vector<typename BasicReducedBatch<Real>::Item> items() const {
    std::vector<typename BasicReducedBatch<Real>::Item> all;
    for (const auto& [friction, surface, r, u] : f.items) {
      all.push_back({friction, surface, r, u});
    }
    return all;
  }

  Fixture f{16};
  BasicReducedBatch<Real> batch;
  std::vector<Real> normal;
  std::vector<Real> states = std::vector<Real>(48);
  std::vector<Real> wrenches = std::vector<Real>(48);
};
using Reals = testing::Types<double, float>;
TYPED_TEST_SUITE(ReducedBatchOf, Reals);

TYPED_TEST(ReducedBatchOf, RestAndExtremesGiveNumbers) {
  for (const double twist : {0.0, 1e-310, 1e-200, 1e-35, 1e-20, 1.0, 1e6}) {
    for (const double dt : {1e-7, 1e-3, 1e-1}) {
      const std::vector<TypeParam> twists(48, static_cast<TypeParam>(twist));
      this->batch.step(this->states, twists, this->normal, static_cast<TypeParam>(dt), this->wrenches);
      EXPECT_TRUE(
          std::all_of(this->wrenches.begin(), this->wrenches.end(), [](TypeParam v) { return std::isfinite(v); }))
          << twist << ' ' << dt;
    }
  }
}

TYPED_TEST(ReducedBatchOf, NotANumberShowsInItsOwnPatchOnly) {
  for (const std::size_t component : {0U, 16U, 32U}) {
    std::fill(this->states.begin(), this->states.end(), TypeParam(0));
    std::vector<TypeParam> twists(48, TypeParam(0.01));
    twists[component + 5] = std::numeric_limits<TypeParam>::quiet_NaN();
    this->batch.step(this->states, twists, this->normal, TypeParam(1e-4), this->wrenches);
    for (std::size_t i = 0; i < 16; ++i) {
      EXPECT_EQ(std::isnan(this->wrenches[i]), i == 5) << i;
    }
  }
}

/// Largest difference between single and double precision over the largest force at the speed, for all components.
/// `anew`: each step from the same state, not along two runs.
double single_precision_error(bool anew, const std::function<Friction(test::Random&)>& any_friction) {
  constexpr std::size_t n = 64;
  const std::vector<Patch> patches{Patch(paper::square()), Patch(paper::gradient_line()), Patch(paper::circle()),
                                   Patch(paper::non_convex_1())};
  std::vector<SurfaceTable> tables(patches.begin(), patches.end());
  test::Random random(7);
  double worst = 0;
  for (int run = 0; run < 20; ++run) {
    std::vector<ReducedBatch::Item> items;
    std::vector<ReducedBatchF::Item> items_f;
    for (std::size_t i = 0; i < n; ++i) {
      const Patch& patch = patches[i % 4];
      items.push_back({any_friction(random), i % 4, patch.torque_radius(), patch.mean_square_radius()});
      items_f.push_back({items[i].friction, i % 4, items[i].torque_radius, items[i].mean_square_radius});
    }
    const ReducedBatch batch(tables, items);
    const ReducedBatchF batch_f(tables, items_f);
    const double fastest = random.log_between(1e-5, 0.05);
    std::vector<double> z(3 * n);
    std::vector<double> w(3 * n);
    std::vector<double> v(3 * n);
    std::vector<float> z_f(3 * n);
    std::vector<float> w_f(3 * n);
    std::vector<float> v_f(3 * n);
    for (int k = 0; k < 300; ++k) {
      for (std::size_t i = 0; k % 10 == 0 && i < 3 * n; ++i) {
        v_f[i] = static_cast<float>(fastest * random.between(-1, 1) * (i < 2 * n ? 1 : 100));
        v[i] = v_f[i];
      }
      if (anew) {
        z.assign(z_f.begin(), z_f.end());
      }
      batch.step(z, v, std::vector<double>(n, 1.0), 1e-4F, w);
      batch_f.step(z_f, v_f, std::vector<float>(n, 1.0F), 1e-4F, w_f);
      for (std::size_t i = 0; i < n; ++i) {
        const Friction& f = items[i].friction;
        const double r = items[i].torque_radius;
        const double speed = std::sqrt(square(v[i]) + square(v[n + i]) + square(r * v[2 * n + i]));
        const double largest = f.static_level + (f.damping * (1 + f.static_level / f.coulomb) + f.viscous) * speed;
        for (std::size_t c = 0; c < 3; ++c) {
          worst = std::max(worst, std::abs(w[c * n + i] - w_f[c * n + i]) / (c == 2 ? r : 1) / largest);
        }
      }
    }
  }
  return worst;
}

TEST(ReducedBatchF, IsAsCloseToDoublePrecisionAsDocumented) {
  const auto any = [](test::Random& random) {
    Friction f = preset::waltersson_p1();
    f.stiffness = random.log_between(1e3, 1e7);
    f.damping = f.stiffness * 1e-3 * random.unit();
    f.static_level += random.unit();
    f.elastic_share = random.between(0.01, 0.99);
    f.elasto_plastic = random.unit() < 0.7;
    f.stribeck_exponent = random.unit() < 0.5 ? 2 : random.between(0.5, 2);
    return f;
  };
  const auto paper = [](test::Random& random) {
    return random.unit() < 0.5 ? preset::waltersson_p0() : preset::waltersson_p1();
  };
  const double step = single_precision_error(true, any);
  const double run = single_precision_error(false, paper);
  std::cout << "one step " << step << ", runs " << run << '\n';
  EXPECT_LT(step, 1e-4);
  EXPECT_LT(run, 2e-4);
  EXPECT_GT(run, 1e-8);  // it is single precision
}

TEST(ReducedBatch, RefusesWhatItCannotUse) {
  Fixture f(2);
  f.items[1].surface = 2;
  EXPECT_THROW(ReducedBatch(f.surfaces, f.items), InvalidParameter);
  f.items[1].surface = 0;
  f.items[1].torque_radius = -0.01;
  EXPECT_THROW(ReducedBatch(f.surfaces, f.items), InvalidParameter);
  f.items[1].torque_radius = 0.01;
  f.items[1].friction.coulomb = -1;
  EXPECT_THROW(ReducedBatch(f.surfaces, f.items), InvalidParameter);
}

}  // namespace
}  // namespace stiction::planar
