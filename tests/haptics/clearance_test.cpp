// A radius in which a distance field is nowhere negative: looked for counterexamples where they are likely.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "haptics/random_pose.h"
#include "stiction/geometry/distance_field.h"
#include "stiction/geometry/shapes.h"

namespace stiction::geometry {
namespace {

using test::Random;

using Distance = std::function<double(const Vector3&)>;

Distance ball(const Vector3& at, double radius) {
  return [=](const Vector3& p) { return norm(difference(p, at)) - radius; };
}
/// The exact distance to a box.
Distance block(const Vector3& at, const Vector3& half, const Matrix3& turn) {
  return [=](const Vector3& world) {
    const Vector3 p = haptics::rotate_back(turn, difference(world, at));
    const Vector3 q{std::abs(p[0]) - half[0], std::abs(p[1]) - half[1], std::abs(p[2]) - half[2]};
    const Vector3 out{std::max(q[0], 0.0), std::max(q[1], 0.0), std::max(q[2], 0.0)};
    return norm(out) + std::min(std::max({q[0], q[1], q[2]}), 0.0);
  };
}
Distance torus(const Vector3& at, double large, double small, const Matrix3& turn) {
  return [=](const Vector3& world) {
    const Vector3 p = haptics::rotate_back(turn, difference(world, at));
    return std::hypot(std::hypot(p[0], p[1]) - large, p[2]) - small;
  };
}

DistanceField random_field(Random& random, const FieldParams& params) {
  std::vector<Distance> parts;
  const int count = 1 + static_cast<int>(random.bits() % 4);
  for (int i = 0; i < count; ++i) {
    const Vector3 at = test::random_vector(random, 0.5);
    const Matrix3 turn = test::random_pose(random, 0).rotation;
    const double thin = random.log_between(0.01, 0.2);  // also thinner than a cell
    switch (random.bits() % 3) {
      case 0:
        parts.push_back(ball(at, thin));
        break;
      case 1:
        parts.push_back(block(at, {random.between(0.05, 0.3), random.between(0.05, 0.3), thin}, turn));
        break;
      default:
        parts.push_back(torus(at, 0.3, thin, turn));
    }
  }
  const Distance all = [parts](const Vector3& p) {
    double least = INFINITY;
    for (const Distance& part : parts) {
      least = std::min(least, part(p));
    }
    return least;
  };
  return DistanceField::of_function(all, {{-1, -1, -1}, {1, 1, 1}}, params);
}

struct Tally {
  std::size_t looked = 0, clear = 0, negative = 0;
};

/// Points near the surface and anywhere; around each, the ball of its clearance is searched for a negative value: in
/// random directions on its rim, and downhill along the rim from there.
Tally search(const DistanceField& field, Random& random, int points) {
  Tally tally;
  for (int i = 0; i < points; ++i) {
    Vector3 p = test::random_vector(random, 1.4);
    for (int k = 0; k < static_cast<int>(random.bits() % 4); ++k) {  // nearer to the surface
      const auto sample = field.at(p);
      const double size = norm(sample.gradient);
      if (size > 0.1) {
        p = difference(p, scaled(random.between(0.5, 1.0) * sample.value / size / size, sample.gradient));
      }
    }
    const double radius = field.clearance(p);
    EXPECT_GE(radius, 0);
    const double of_sample = field.clearance_of(field.at(p));
    EXPECT_GE(of_sample, 0);
    EXPECT_LE(of_sample, radius);
    ++tally.looked;
    if (radius == 0) {
      continue;
    }
    ++tally.clear;
    Vector3 way = test::random_direction(random);
    for (int k = 0; k < 12; ++k) {
      const Vector3 q = sum(p, scaled(radius * (1 - 1e-12), way));
      const auto sample = field.at(q);
      if (sample.value < 0 || field.value(sum(p, scaled(radius * random.unit(), way))) < 0) {
        ++tally.negative;
        break;
      }
      // Downhill from there, and back onto the rim
      const double step = random.between(0.2, 2) * sample.value;
      const Vector3 next = difference(scaled(radius, way), scaled(step, sample.gradient));
      way = k % 4 == 3 || norm(next) == 0 ? test::random_direction(random) : scaled(1 / norm(next), next);
    }
  }
  return tally;
}

TEST(Clearance, NothingIsNegativeWithinItInFieldsOfFunctions) {
  Random random(11);
  Tally all;
  for (const FieldParams& params : {FieldParams{32, 1}, FieldParams{32, 1.5}, FieldParams{32, 2}, FieldParams{48, 3},
                                    FieldParams{64, 2}, FieldParams{64, 4}}) {
    for (int i = 0; i < 8; ++i) {
      const DistanceField field = random_field(random, params);
      const Tally found = search(field, random, 20000);
      EXPECT_EQ(found.negative, 0U) << params.resolution << ' ' << params.band;
      all.clear += found.clear;
      all.looked += found.looked;
    }
  }
  EXPECT_GT(all.clear, all.looked / 3);  // the search was one
}

TEST(Clearance, NothingIsNegativeWithinItInFieldsOfMeshes) {
  Random random(12);
  const Mesh thin = box({1, 0.6, 0.03}, 3);
  const Mesh both = joined(moved(thin, {0, 0, 0.1}), rotated(thin, rotation({0, 1, 0}, 0.7)));
  for (const Mesh& mesh : {both, sphere(0.5, 3), corner(0.8, 0.05, 2), block_with_hole({1, 1, 0.4}, 0.3)}) {
    for (const FieldParams& params : {FieldParams{32, 2}, FieldParams{64, 4}}) {
      const Tally found = search(DistanceField::make(mesh, params), random, 30000);
      EXPECT_EQ(found.negative, 0U) << params.resolution;
      EXPECT_GT(found.clear, found.looked / 3);
    }
  }
}

/// A spike that ends at a node: there the interpolation is as steep as it can be, √3.
TEST(Clearance, NothingIsNegativeWithinItAroundSpikes) {
  const Box box{{-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}};
  for (const FieldParams& params : {FieldParams{32, 1}, FieldParams{32, 2}, FieldParams{64, 4}}) {
    const FieldData grid = DistanceField::of_function(ball({0, 0, 0}, 0.2), box, params).data();
    const double h = grid.spacing;
    const auto node = [&](double x, double y, double z) {
      return sum(grid.origin, scaled(h, Vector3{std::round(x / h), std::round(y / h), std::round(z / h)}));
    };
    const Vector3 tip = node(0.5, 0.6, 0.4);
    const DistanceField field = DistanceField::of_function(ball(tip, 1e-4 * h), box, params);
    ASSERT_LT(field.value(tip), 0);
    ASSERT_EQ(field.spacing(), h);
    Random random(14);
    for (int i = 0; i < 20000; ++i) {
      const Vector3 p = sum(tip, scaled(h * random.log_between(1e-3, 8), test::random_direction(random)));
      EXPECT_LT(field.clearance(p), norm(difference(p, tip)));
    }
  }
}

/// A small hollow around the middle of a cell: its corners are in the solid, so all of it is taken for solid.
TEST(Clearance, NothingIsNegativeWithinItInHollows) {
  Random random(15);
  const Box box{{-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}};
  for (const FieldParams& params : {FieldParams{32, 2}, FieldParams{64, 4}}) {
    const FieldData grid = DistanceField::of_function(ball({0, 0, 0}, 0.4), box, params).data();
    const double h = grid.spacing;
    for (int i = 0; i < 20; ++i) {
      // A cone that opens from the middle of a cell, cut out of a ball
      const Vector3 middle =
          sum(grid.origin,
              scaled(h, Vector3{std::round(0.5 / h) + 0.5, std::round(0.45 / h) + 0.5, std::round(0.55 / h) + 0.5}));
      const Vector3 axis = test::random_direction(random);
      const double slope = random.between(0.5, 1.2);
      const double start = random.between(0.5, 0.9) * h;
      const Distance hollow = [=](const Vector3& p) {
        const Vector3 a = difference(p, middle);
        const double along = dot(a, axis);
        const double wide = norm(difference(a, scaled(along, axis)));
        // of a cone with a round end: never more than the distance
        const double cone = (wide - slope * along) / std::sqrt(1 + slope * slope) - start;
        return std::max(norm(p) - 0.4, -std::max(along < 0 ? norm(a) - start : cone, -0.2));
      };
      const Tally found = search(DistanceField::of_function(hollow, box, params), random, 4000);
      EXPECT_EQ(found.negative, 0U);
    }
  }
}

/// As large as the first rule alone makes it, and positive near the surface where that is 0.
TEST(Clearance, IsNotSmall) {
  const DistanceField field =
      DistanceField::of_function(ball({0, 0, 0}, 0.5), {{-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}}, {64, 4});
  const double h = field.spacing();
  Random random(13);
  for (int i = 0; i < 10000; ++i) {
    const double d = random.between(0.1, 4) * h;
    const Vector3 p = scaled(0.5 + d, test::random_direction(random));
    const double clearance = field.clearance(p);
    EXPECT_GE(clearance, std::min(d / 1.8 - 0.1 * h, 2 * h)) << d / h;
    EXPECT_LE(clearance, d + 0.1 * h);
  }
  EXPECT_EQ(field.clearance(Vector3{NAN, 0, 0}), 0);
  EXPECT_EQ(field.clearance_of(field.at({NAN, 0, 0})), 0);
  EXPECT_EQ(field.clearance(Vector3{0, 0, 0}), 0);
  EXPECT_GT(field.clearance(Vector3{100, 0, 0}), 98);
}

}  // namespace
}  // namespace stiction::geometry
