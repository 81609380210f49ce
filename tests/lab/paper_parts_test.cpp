#include "haptics/paper_parts.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "stiction/geometry/mesh_check.h"
#include "stiction/geometry/shapes.h"

namespace stiction::lab {
namespace {

using geometry::DistanceField;
using geometry::Mesh;
using geometry::MeshReport;
using geometry::PointShell;
using geometry::ShellPoint;

struct Contact {
  std::size_t inside = 0;
  double deepest = 0;  // [m], negative
};
/// A scene with a field and a shell of sizes that suit a test.
class Pair {
 public:
  Pair(PaperParts scene, double resolution, int points)
      : scene_(std::move(scene)),
        field_(DistanceField::make(scene_.field_mesh(), {resolution, 2})),
        shell_(PointShell::make(scene_.shell_mesh(), {points, 4, 1})) {}

  /// Of the shell in the field, the moving part in its place and `offset` away from it.
  [[nodiscard]] Contact contact(const Vector3& offset = {}) const {
    const Vector3 at = sum(scene_.moving_at, offset);
    Contact result;
    for (const ShellPoint& point : shell_.points()) {
      const Vector3 p = scene_.shell_moves ? sum(point.position, at) : difference(point.position, at);
      const double d = field_.value(p);
      result.inside += d < 0 ? 1 : 0;
      result.deepest = std::min(result.deepest, d);
    }
    return result;
  }

 private:
  PaperParts scene_;
  DistanceField field_;
  PointShell shell_;
};
void expect_good(const PaperParts& scene, std::size_t fixed, std::size_t moving) {
  for (const Mesh* mesh : {&scene.fixed, &scene.moving}) {
    MeshReport report;
    checked_mesh(*mesh, "part", &report);
    EXPECT_FALSE(report.changed()) << describe(report);
    EXPECT_EQ(report.parts, 1U);
  }
  EXPECT_GE(scene.fixed.triangles.size(), fixed);
  EXPECT_GE(scene.moving.triangles.size(), moving);
}

TEST(PaperParts, CubeAndCorner) {
  const PaperParts scene = cube_and_corner();
  expect_good(scene, 20, 700);
  const Pair pair(scene, 64, 3000);
  EXPECT_EQ(pair.contact({1e-3, 1e-3, 1e-3}).inside, 0U);
  const Contact pressed = pair.contact({-1e-3, -1e-3, -1e-3});
  EXPECT_GT(pressed.inside, 100U);
  EXPECT_NEAR(pressed.deepest, -1e-3 * 3, 3e-3);
}

TEST(PaperParts, PegAndHoleIsOnePerCentTooSmall) {
  const PaperParts scene = peg_and_hole();
  expect_good(scene, 1000, 1000);
  const Pair pair(scene, 128, 672);
  EXPECT_EQ(pair.contact().inside, 0U);
  const Contact in = pair.contact({0, 0, -0.03});
  EXPECT_GT(in.inside, 100U);
  EXPECT_NEAR(in.deepest, -1e-4, 5e-5);
}

TEST(PaperParts, TheStarterFitsInItsPocketTightly) {
  const PaperParts scene = engine_bay();
  expect_good(scene, 50000, 10000);
  const Pair pair(scene, 256, 4000);
  EXPECT_EQ(pair.contact().inside, 0U);
  EXPECT_GT(pair.contact({0, 0.01, 0}).inside, 0U);
  EXPECT_GT(pair.contact({0, 0, 0.006}).inside, 0U);
  EXPECT_GT(pair.contact({0, 0, -0.006}).inside, 0U);
  EXPECT_GT(pair.contact({0.02, 0, 0}).inside, 0U);
  EXPECT_GT(pair.contact({-0.02, 0, 0}).inside, 0U);
  EXPECT_GT(pair.contact({0, -0.05, 0}).inside, 0U);  // straight out it does not go
}

TEST(PaperParts, TheMotorGoesThroughTheOpeningOfTheDoor) {
  const PaperParts scene = door();
  expect_good(scene, 50000, 5000);
  const Pair pair(scene, 128, 8000);
  EXPECT_EQ(pair.contact().inside, 0U);
  EXPECT_EQ(pair.contact({0, 0, -0.05}).inside, 0U);      // in the opening
  EXPECT_GT(pair.contact({0, -0.17, -0.08}).inside, 0U);  // not through the panel
}

}  // namespace
}  // namespace stiction::lab
