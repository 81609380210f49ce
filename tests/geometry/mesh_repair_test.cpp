#include "stiction/geometry/mesh_repair.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "stiction/geometry/mesh_file.h"
#include "stiction/geometry/shapes.h"
#include "support/random.h"

namespace stiction::geometry::mesh_repair_test {
namespace {

using ::testing::HasSubstr;

TEST(MeshRepair, AGoodMeshStaysAsItIs) {
  const Mesh mesh = block_with_hole({1, 1, 1}, 0.3, 16);
  RepairReport report;
  EXPECT_EQ(repaired_mesh(mesh, "mesh", {}, &report), checked_mesh(mesh));
  EXPECT_FALSE(report.changed()) << describe(report);
  EXPECT_EQ(describe(report), "");
}

TEST(MeshRepair, FillsAFlatHoleExactly) {
  Mesh mesh = box({1, 2, 3}, 4);
  const std::size_t triangles = mesh.triangles.size();
  std::erase_if(mesh.triangles, [&](const Triangle& t) {  // the lid
    return mesh.vertices[t[0]][2] > 1.499 && mesh.vertices[t[1]][2] > 1.499 && mesh.vertices[t[2]][2] > 1.499;
  });
  EXPECT_EQ(mesh.triangles.size(), triangles - 32);
  EXPECT_THROW(checked_mesh(mesh), MeshError);
  RepairReport report;
  const Mesh good = repaired_mesh(mesh, "box", {}, &report);
  EXPECT_TRUE(is_closed(good));
  EXPECT_NEAR(volume(good), 6, 1e-12);
  EXPECT_NEAR(area(good), 22, 1e-12);
  EXPECT_EQ(report.holes, 1U);
  EXPECT_EQ(report.added, 14U);  // 16 edges
  EXPECT_EQ(report.largest_edges, 16U);
  EXPECT_NEAR(report.largest_size, 2, 1e-12);
  EXPECT_THAT(describe(report), HasSubstr("1 holes filled with 14 triangles (at most 16 edges, 2 m across)"));
}

TEST(MeshRepair, FillsSeveralHolesOfACurvedSurface) {
  Mesh mesh = sphere(1, 3);
  const double whole = volume(mesh);
  for (const std::size_t i : {900U, 400U, 399U, 10U}) {
    mesh.triangles.erase(mesh.triangles.begin() + static_cast<std::ptrdiff_t>(i));
  }
  RepairReport report;
  const Mesh good = repaired_mesh(mesh, "sphere", {}, &report);
  EXPECT_TRUE(is_closed(good));
  EXPECT_GE(report.holes, 3U);
  EXPECT_NEAR(volume(good), whole, 1e-3 * whole);
}

TEST(MeshRepair, WeldsWhatNearlyMeets) {
  test::Random random(7);
  Mesh mesh = parse_stl(to_stl(box({1, 1, 1}, 3)), "box");  // corners of each triangle by themselves
  for (Vector3& v : mesh.vertices) {
    for (double& x : v) {
      x += random.between(-1e-7, 1e-7);
    }
  }
  EXPECT_THROW(checked_mesh(mesh), MeshError);
  RepairReport report;
  const Mesh good = repaired_mesh(mesh, "box", {}, &report);
  EXPECT_EQ(good.vertices.size(), 56U);  // 2 + 108/2
  EXPECT_GT(report.near, 200U);
  EXPECT_EQ(report.holes, 0U);
  EXPECT_NEAR(volume(good), 1, 1e-5);
  EXPECT_THROW(repaired_mesh(mesh, "box", {.weld = 2}), MeshError);  // nothing is left
  EXPECT_THROW(repaired_mesh(mesh, "box", {.weld = NAN}), InvalidParameter);
  EXPECT_THROW(repaired_mesh(mesh, "box", {.weld = -1}), InvalidParameter);
}

TEST(MeshRepair, ClosesEdgesWhereOnlyOneSideHasAVertex) {
  Mesh mesh = box({1, 1, 1});
  // One triangle becomes two at the middle of a side; its neighbour knows nothing of that.
  const Triangle t = mesh.triangles[0];
  const Vector3 middle = scaled(0.5, sum(mesh.vertices[t[0]], mesh.vertices[t[1]]));
  const auto m = static_cast<std::uint32_t>(mesh.vertices.size());
  mesh.vertices.push_back(middle);
  mesh.triangles[0] = {t[0], m, t[2]};
  mesh.triangles.push_back({m, t[1], t[2]});
  EXPECT_THROW(checked_mesh(mesh), MeshError);
  const Mesh good = repaired_mesh(mesh);
  EXPECT_TRUE(is_closed(good));
  EXPECT_NEAR(volume(good), 1, 1e-12);
}

TEST(MeshRepair, TurnsTrianglesAndRemovesFins) {
  Mesh mesh = box({1, 1, 1}, 2);
  for (std::size_t i = 0; i < mesh.triangles.size(); i += 3) {
    std::swap(mesh.triangles[i][0], mesh.triangles[i][1]);
  }
  const auto tip = static_cast<std::uint32_t>(mesh.vertices.size());
  mesh.vertices.push_back({5, 5, 5});
  mesh.triangles.push_back({mesh.triangles[0][0], mesh.triangles[0][1], tip});
  RepairReport report;
  const Mesh good = repaired_mesh(mesh, "box", {}, &report);
  EXPECT_NEAR(volume(good), 1, 1e-12);
  EXPECT_EQ(report.removed, 1U);
  EXPECT_EQ(report.holes, 0U);
}

TEST(MeshRepair, LeavesHolesThatAreTooLargeAndSaysSo) {
  Mesh mesh = box({1, 1, 1});
  mesh.triangles.pop_back();
  EXPECT_NO_THROW(repaired_mesh(mesh, "lid.stl", {.max_hole_edges = 3}));
  std::string message;
  try {
    repaired_mesh(mesh, "lid.stl", {.max_hole_edges = 2});
  } catch (const MeshError& error) {
    message = error.what();
  }
  EXPECT_THAT(message, HasSubstr("lid.stl: 3 open edges"));
}

TEST(MeshCheck, SolidsMayTouchAlongAnEdge) {
  const Mesh cube = moved(box({1, 1, 1}), {0.5, 0.5, 0.5});
  Mesh touching = joined(cube, moved(cube, {1, 1, 0}));
  const Mesh good = checked_mesh(touching);
  EXPECT_TRUE(is_closed(good));
  EXPECT_NEAR(volume(good), 2, 1e-12);
  // however the triangles of one of them are turned
  for (std::size_t i = 12; i < 24; i += 2) {
    std::swap(touching.triangles[i][0], touching.triangles[i][1]);
  }
  MeshReport report;
  EXPECT_NEAR(volume(checked_mesh(touching, "touching", &report)), 2, 1e-12);
  EXPECT_EQ(report.flipped, 6U);
  // and around an edge where forty meet
  Mesh many;
  for (int i = 0; i < 20; ++i) {
    const double from = 0.3 * i;
    const double to = from + 0.2;
    const Mesh wedge{{{0, 0, 0}, {std::cos(from), std::sin(from), 0}, {std::cos(to), std::sin(to), 0}, {0, 0, 1}},
                     {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}};
    many = joined(many, wedge);
  }
  EXPECT_TRUE(is_closed(checked_mesh(many)));
}

TEST(MeshRepair, RemovesASheetInsideASolid) {
  Mesh mesh = box({1, 1, 1}, 2);
  // A wall through the middle, joined to the surface at its border
  const auto at = [&](double x, double y, double z) {
    const auto found = std::ranges::find(mesh.vertices, Vector3{x, y, z});
    return static_cast<std::uint32_t>(found - mesh.vertices.begin());
  };
  const auto middle = static_cast<std::uint32_t>(mesh.vertices.size());
  const std::array<std::uint32_t, 8> rim{at(0, -0.5, -0.5), at(0, 0, -0.5), at(0, 0.5, -0.5), at(0, 0.5, 0),
                                         at(0, 0.5, 0.5),   at(0, 0, 0.5),  at(0, -0.5, 0.5), at(0, -0.5, 0)};
  mesh.vertices.push_back({0, 0, 0});
  for (std::size_t i = 0; i < rim.size(); ++i) {
    mesh.triangles.push_back({rim[i], rim[(i + 1) % rim.size()], middle});
  }
  try {
    checked_mesh(mesh);
    FAIL() << "three triangles at each edge of the rim";
  } catch (const MeshError& error) {
    EXPECT_THAT(error.what(), HasSubstr("mesh: 8 edges with an odd number of triangles, the first from ("));
  }
  const Mesh good = repaired_mesh(mesh);
  EXPECT_TRUE(is_closed(good));
  EXPECT_NEAR(volume(good), 1, 1e-12);
  EXPECT_NEAR(area(good), 6, 1e-12);
}

TEST(MeshRepair, CutsATwistedSurface) {
  // A Möbius strip of a dozen quadrilaterals: its only border closes after two revolutions.
  constexpr std::uint32_t n = 12;
  Mesh strip;
  for (std::uint32_t i = 0; i < n; ++i) {
    const double a = 2 * std::numbers::pi * i / n;
    for (const double s : {-0.3, 0.3}) {
      const double r = 1 + s * std::cos(a / 2);
      strip.vertices.push_back({r * std::cos(a), r * std::sin(a), s * std::sin(a / 2)});
    }
  }
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t a = 2 * i, b = 2 * i + 1;
    const std::uint32_t c = i + 1 < n ? a + 2 : 1, d = i + 1 < n ? a + 3 : 0;
    strip.triangles.push_back({a, b, c});
    strip.triangles.push_back({b, d, c});
  }
  EXPECT_THROW(checked_mesh(strip), MeshError);
  EXPECT_TRUE(is_closed(repaired_mesh(strip)));
}

TEST(MeshRepair, RefusesASheet) {
  const Mesh sheet{{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 2, 3}}};
  EXPECT_THROW(repaired_mesh(sheet, "sheet.stl"), MeshError);
}

TEST(MeshRepair, ClosesRandomlyPerforatedSolids) {
  test::Random random(21);
  for (int run = 0; run < 60; ++run) {
    Mesh mesh = run % 2 == 0 ? sphere(1, 3) : block_with_hole({1, 1, 1}, 0.3, 16);
    const double whole = volume(mesh);
    const double share = random.between(0.01, 0.15);
    std::erase_if(mesh.triangles, [&](const Triangle&) { return random.between(0, 1) < share; });
    try {
      const Mesh good = repaired_mesh(parse_stl(to_stl(mesh), "mesh"));
      EXPECT_TRUE(is_closed(good));
      EXPECT_NEAR(volume(good), whole, 0.5 * whole);
    } catch (const MeshError&) {  // allowed, but rare
      EXPECT_GT(share, 0.03);
    }
  }
}

}  // namespace
}  // namespace stiction::geometry::mesh_repair_test
