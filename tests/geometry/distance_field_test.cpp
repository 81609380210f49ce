#include "stiction/geometry/distance_field.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "geometry/exact_distance.h"
#include "stiction/geometry/shapes.h"
#include "stiction/problem.h"
#include "support/random.h"

namespace stiction::geometry {
namespace {

using test::exact_distance;
using test::random_point;

Mesh inside_out(Mesh mesh) {
  for (Triangle& t : mesh.triangles) {
    std::swap(t[0], t[1]);
  }
  return mesh;
}

struct Error {
  double largest = 0, mean = 0;  // in the band, in cells
  std::size_t near = 0, far = 0;
};
/// Against a distance function at random points; out of the band the field must bound it from below, with its sign.
template <class Exact>
Error compare(const DistanceField& field, const Exact& exact, std::size_t points, std::uint64_t seed, double margin) {
  test::Random random(seed);
  Error error;
  for (std::size_t i = 0; i < points; ++i) {
    const Vector3 p = random_point(random, field.solid(), margin);
    const double d = exact(p);
    const DistanceField::Sample sample = field.at(p);
    EXPECT_EQ(sample.value, field.value(p));
    EXPECT_EQ(sample.exact, std::abs(sample.value) < field.band() && sample.exact);
    if (sample.exact) {
      const double off = std::abs(sample.value - d) / field.spacing();
      error.largest = std::max(error.largest, off);
      error.mean += off;
      ++error.near;
    } else {
      EXPECT_LE(std::abs(sample.value), std::abs(d) + 1e-6 * field.spacing());
      EXPECT_EQ(sample.value < 0, d < 0);
      EXPECT_GE(std::abs(d), 0.8 * field.band());  // nothing near is lost
      ++error.far;
    }
    const double clear = field.clearance(p);
    EXPECT_GE(clear, 0);
    // It is about the interpolation, T ≤ √(d² + v) with v ≤ ¾ h²
    EXPECT_LE(clear, std::hypot(std::max(d, 0.0), 0.8661 * field.spacing()));
  }
  error.mean /= static_cast<double>(std::max<std::size_t>(error.near, 1));
  return error;
}
Error compare(const DistanceField& field, const Mesh& mesh, std::size_t points, std::uint64_t seed) {
  return compare(
      field, [&](const Vector3& p) { return exact_distance(mesh, p); }, points, seed, 3 * field.spacing());
}

TEST(DistanceField, EqualsTheExactDistanceOfMeshes) {
  struct Case {
    const char* name;
    Mesh mesh;
    FieldParams params;
  };
  const Vector3 axis{0.6, 0.48, 0.64};
  const std::vector<Case> cases{
      {"sphere", sphere(1, 3), {128, 4}},
      {"box", rotated(box({1, 0.7, 0.4}), rotation(axis, 0.3)), {96, 4}},
      {"straight box", box({1, 0.7, 0.4}), {96, 4}},
      {"hole", rotated(block_with_hole({1, 1, 0.6}, 0.3, 32), rotation(axis, 1)), {96, 3}},
      {"corner", corner(1, 0.25, 2), {64, 4}},
      {"tube", tube({{0, 0, 0}, {0.5, 0, 0}, {1, 0.3, 0}, {1.2, 0.8, 0.4}}, 0.12, 12), {128, 4}},
  };
  for (const Case& c : cases) {
    const DistanceField field = DistanceField::make(c.mesh, c.params);
    const Error error = compare(field, c.mesh, 4000, 1);
    EXPECT_GT(error.near, 100U) << c.name;
    EXPECT_GT(error.far, 100U) << c.name;
    EXPECT_LE(error.largest, 0.5) << c.name;
    EXPECT_LE(error.mean, 0.02) << c.name;
    ::testing::Test::RecordProperty(std::string(c.name) + "_largest_error_in_cells", std::to_string(error.largest));
    std::printf("%-14s largest %.3f, mean %.4f cells (%zu near, %zu far)\n", c.name, error.largest, error.mean,
                error.near, error.far);
  }
}

TEST(DistanceField, ClosedForms) {
  const double radius = 0.5;
  const DistanceField ball = DistanceField::make(sphere(radius, 6), {128, 8});
  const Error error = compare(
      ball, [&](const Vector3& p) { return norm(p) - radius; }, 20000, 2, 0.1);
  // The facets lie within radius (edge/radius)²/8 of the sphere, the interpolation within h²/(8 radius)·2.
  EXPECT_LE(error.largest, 0.05);
  const Vector3 half{0.5, 0.3, 0.2};
  const auto box_distance = [&](const Vector3& p) {
    Vector3 out{};
    double inside = -infinity;
    for (std::size_t i = 0; i < 3; ++i) {
      out[i] = std::max(std::abs(p[i]) - half[i], 0.0);
      inside = std::max(inside, std::abs(p[i]) - half[i]);
    }
    return inside < 0 ? inside : norm(out);
  };
  const DistanceField block = DistanceField::make(box({1, 0.6, 0.4}), {128, 4});
  EXPECT_LE(compare(block, box_distance, 20000, 3, 0.1).largest, 0.5);
  // Beside the middle of a face the distance is linear, and the interpolation exact but for 32 bits.
  const auto sample = block.at({0.5 + 0.7 * block.spacing(), 0.05, 0.02});
  EXPECT_NEAR(sample.value, 0.7 * block.spacing(), 1e-6 * block.spacing());
  EXPECT_NEAR(sample.gradient[0], 1, 1e-5);
  EXPECT_NEAR(sample.gradient[1], 0, 1e-5);
}

TEST(DistanceField, OverlapsCountOnceAndCavitiesAreOutside) {
  const Mesh two = joined(box({1, 1, 1}), moved(box({1, 1, 1}), {0.6, 0.3, 0.2}));
  const DistanceField both = DistanceField::make(two, {64, 4});
  EXPECT_LT(both.value({0.45, 0.2, 0.2}), 0);  // in both
  EXPECT_LT(both.value({-0.4, 0, 0}), 0);
  EXPECT_LT(both.value({1, 0.3, 0.2}), 0);
  EXPECT_GT(both.value({1, -0.3, 0}), 0);
  const Mesh hollow = joined(box({1, 1, 1}), inside_out(sphere(0.3, 3)));
  const DistanceField shell = DistanceField::make(hollow, {64, 3});
  EXPECT_GT(shell.value({0, 0, 0}), 0);
  EXPECT_NEAR(shell.value({0.27, 0, 0}), 0.03, 0.01);
  EXPECT_LT(shell.value({0.4, 0, 0}), 0);
  EXPECT_LE(compare(shell, hollow, 3000, 5).largest, 0.5);
}

TEST(DistanceField, FlippedAndOpenMeshesAreNoSolids) {
  Mesh open = sphere(1, 2);
  open.triangles.pop_back();
  EXPECT_THROW(DistanceField::make(open, {64, 3}), MeshError);
  EXPECT_THROW(DistanceField::make({}, {64, 3}), MeshError);
}

/// The gradient is the slope of the value, on fields that are not meshes.
TEST(DistanceField, GradientIsThatOfTheValue) {
  test::Random random(7);
  const Box solid{{-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}};
  const auto ball = [](const Vector3& p) { return norm(p) - 0.5; };
  const auto wavy = [](const Vector3& p) {
    return 0.5 * (std::sin(3 * p[0]) + 0.3 * std::cos(2 * p[1] - p[2]) + 0.2 * p[2] * p[0]) / 2.5;
  };
  std::size_t tried = 0;
  for (const auto& function :
       {std::function<double(const Vector3&)>(ball), std::function<double(const Vector3&)>(wavy)}) {
    const DistanceField field = DistanceField::of_function(function, solid, {64, 4});
    const double h = field.spacing();
    const double step = 1e-4 * h;
    for (int i = 0; i < 20000; ++i) {
      const Vector3 p = random_point(random, solid, 0);
      const auto sample = field.at(p);
      bool inside_cell = sample.exact && std::abs(sample.value) < field.band() - 1e-3 * h;
      for (std::size_t k = 0; k < 3; ++k) {
        const double t = (p[k] - field.data().origin[k]) / h;
        inside_cell = inside_cell && t - std::floor(t) > 2e-4 && t - std::floor(t) < 1 - 2e-4;
      }
      if (!inside_cell) {
        continue;
      }
      ++tried;
      for (std::size_t k = 0; k < 3; ++k) {
        Vector3 up = p, down = p;
        up[k] += step;
        down[k] -= step;
        ASSERT_NEAR(sample.gradient[k], (field.value(up) - field.value(down)) / (up[k] - down[k]), 1e-6);
      }
    }
    // and that of the function, to the order of the interpolation
    const auto sample = field.at({0.3, 0.35, -0.2});
    if (sample.exact) {
      const double slope = (function({0.3 + 1e-6, 0.35, -0.2}) - function({0.3 - 1e-6, 0.35, -0.2})) / 2e-6;
      EXPECT_NEAR(sample.gradient[0], slope, 0.05);
    }
  }
  EXPECT_GT(tried, 2000U);
}

TEST(DistanceField, IsContinuousAcrossCellsAndBlocks) {
  test::Random random(8);
  const DistanceField field = DistanceField::make(rotated(box({1, 0.7, 0.4}), rotation({0, 0.6, 0.8}, 0.5)), {96, 4});
  const double h = field.spacing();
  std::size_t tried = 0;
  for (int i = 0; i < 50000; ++i) {
    Vector3 p = random_point(random, field.solid(), 2 * h);
    const std::size_t axis = random.bits() % 3;
    const double& origin = field.data().origin[axis];
    const double node = origin + h * std::round((p[axis] - origin) / h);
    Vector3 below = p, above = p;
    below[axis] = node - 1e-9 * h;
    above[axis] = node + 1e-9 * h;
    if (field.at(below).exact && field.at(above).exact) {
      ASSERT_NEAR(field.value(below), field.value(above), 1e-7 * h);
      ++tried;
    }
  }
  EXPECT_GT(tried, 1000U);
}

TEST(DistanceField, NothingIsNegativeWithinTheClearance) {
  test::Random random(9);
  const DistanceField field = DistanceField::make(rotated(box({1, 0.7, 0.05}), rotation({0, 0.6, 0.8}, 0.5)), {64, 2});
  std::size_t tried = 0;
  for (int i = 0; i < 3000; ++i) {
    const Vector3 p = random_point(random, field.solid(), i % 2 == 0 ? 0.05 : 1);
    const double r = field.clearance(p);
    if (r == 0) {
      continue;
    }
    ++tried;
    for (int k = 0; k < 50; ++k) {
      Vector3 out{random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)};
      out = scaled(0.999999 * r / std::max(norm(out), 1e-9), out);
      ASSERT_GE(field.value(sum(p, out)), 0);
    }
  }
  EXPECT_GT(tried, 500U);
}

TEST(DistanceField, FarAwayItStillBoundsTheDistanceWell) {
  const Mesh mesh = sphere(1, 3);
  const DistanceField field = DistanceField::make(mesh, {64, 3});
  for (const double d : {3.0, 30.0, 3e6}) {
    const double value = field.value({0.6 * d, 0.8 * d, 0});
    EXPECT_LE(value, d - 0.99);
    EXPECT_GE(value, d - 1.6);
    EXPECT_FALSE(field.at({d, 0, 0}).exact);
  }
  // in the middle
  EXPECT_LE(std::abs(field.value({0, 0, 0})), 1);
  EXPECT_LT(field.value({0, 0, 0}), -0.8);
  // outside the grid it does not fall back to the value at the border
  EXPECT_GT(field.value({0, 0, 5}), 3.8);
}

TEST(DistanceField, NotANumberGivesNotANumber) {
  const DistanceField field = DistanceField::make(sphere(1, 1), {32, 2});
  for (std::size_t axis = 0; axis < 3; ++axis) {
    Vector3 p{0.9, 0.1, 0.1};
    p[axis] = NAN;
    EXPECT_TRUE(std::isnan(field.value(p)));
    EXPECT_FALSE(field.at(p).exact);
    EXPECT_EQ(field.clearance(p), 0);
  }
  EXPECT_EQ(field.value({infinity, 0, 0}), infinity);
  EXPECT_EQ(field.value({0, -infinity, 0}), infinity);
}

TEST(DistanceField, IsTheSameEachTime) {
  const Mesh mesh = block_with_hole({1, 1, 0.5}, 0.3, 32);
  const DistanceField a = DistanceField::make(mesh, {64, 4});
  const DistanceField b = DistanceField::make(mesh, {64, 4});
  EXPECT_EQ(a.data().near, b.data().near);
  EXPECT_EQ(a.data().index, b.data().index);
  EXPECT_EQ(a.data().far, b.data().far);
}

TEST(DistanceField, ProgressGrowsToOne) {
  double last = -1;
  DistanceField::make(sphere(1, 2), {64, 4}, [&](double fraction) {
    EXPECT_GE(fraction, last);
    EXPECT_LE(fraction, 1);
    last = fraction;
  });
  EXPECT_EQ(last, 1);
}

TEST(DistanceField, BadParametersAreRefused) {
  const Mesh mesh = sphere(1, 1);
  EXPECT_THROW(DistanceField::make(mesh, {16, 1}), InvalidParameter);
  EXPECT_THROW(DistanceField::make(mesh, {2048, 4}), InvalidParameter);
  EXPECT_THROW(DistanceField::make(mesh, {NAN, 4}), InvalidParameter);
  EXPECT_THROW(DistanceField::make(mesh, {64, 0.5}), InvalidParameter);
  EXPECT_THROW(DistanceField::make(mesh, {64, 5}), InvalidParameter);
  EXPECT_THROW(DistanceField::make(mesh, {64, NAN}), InvalidParameter);
  FieldData data = DistanceField::make(mesh, {32, 2}).data();
  data.index[0] = 7777777;
  EXPECT_THROW(DistanceField{data}, MeshError);
  data.index[0] = FieldData::no_block;
  EXPECT_NO_THROW(DistanceField{data});
  data.far.pop_back();
  EXPECT_THROW(DistanceField{data}, MeshError);
  EXPECT_THROW(DistanceField{FieldData{}}, MeshError);
}

}  // namespace
}  // namespace stiction::geometry
