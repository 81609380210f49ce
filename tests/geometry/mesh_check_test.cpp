#include "stiction/geometry/mesh_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "io/temp_folder.h"
#include "stiction/geometry/mesh_file.h"
#include "stiction/geometry/shapes.h"
#include "stiction/geometry/triangle_tree.h"
#include "support/random.h"

namespace stiction::geometry::mesh_check_test {
namespace {

using test::message_of;
using ::testing::HasSubstr;

Mesh inside_out(Mesh mesh) {
  for (Triangle& t : mesh.triangles) {
    std::swap(t[0], t[1]);
  }
  return mesh;
}
std::string refusal(const Mesh& mesh) {
  return message_of<MeshError>([&] { checked_mesh(mesh, "part.stl"); });
}

TEST(MeshCheck, AGoodMeshStaysAsItIs) {
  const Mesh mesh = block_with_hole({1, 1, 1}, 0.3, 16);
  MeshReport report;
  EXPECT_EQ(volume(checked_mesh(mesh, "mesh", &report)), volume(mesh));
  EXPECT_FALSE(report.changed());
  EXPECT_EQ(describe(report), "");
}

TEST(MeshCheck, WeldsTheCornersOfStl) {
  const Mesh mesh = parse_stl(to_stl(box({1, 2, 3}, 4)), "box");
  EXPECT_EQ(mesh.vertices.size(), 6U * 16 * 2 * 3);
  MeshReport report;
  const Mesh good = checked_mesh(mesh, "box", &report);
  EXPECT_EQ(good.vertices.size(), 6U * 16 + 2);  // Euler: V = 2 + E − F = 2 + F/2
  EXPECT_EQ(report.welded, mesh.vertices.size() - good.vertices.size());
  EXPECT_NEAR(volume(good), 6, 1e-6);
}

TEST(MeshCheck, WeldsZerosOfBothSigns) {
  Mesh mesh = parse_stl(to_stl(moved(box({1, 1, 1}), {0.5, 0.5, 0.5})), "box");
  for (std::size_t i = 0; i < mesh.vertices.size(); i += 2) {
    for (double& x : mesh.vertices[i]) {
      x = x == 0 ? -0.0 : x;
    }
  }
  EXPECT_EQ(checked_mesh(mesh).vertices.size(), 8U);
}

TEST(MeshCheck, RemovesWhatAddsNothing) {
  Mesh mesh = box({1, 1, 1}, 2);
  const std::size_t triangles = mesh.triangles.size();
  mesh.vertices.push_back({9, 9, 9});
  mesh.triangles.push_back({3, 3, 5});          // degenerate
  mesh.triangles.push_back(mesh.triangles[7]);  // twice
  const Triangle t = mesh.triangles[7];
  mesh.triangles.push_back({t[1], t[2], t[0]});  // three times, from another corner
  mesh.triangles.push_back({0, 10, 20});         // back to back
  mesh.triangles.push_back({10, 0, 20});
  MeshReport report;
  const Mesh good = checked_mesh(mesh, "mesh", &report);
  EXPECT_EQ(good.triangles.size(), triangles);
  EXPECT_EQ(report.unused, 1U);
  EXPECT_EQ(report.degenerate, 1U);
  EXPECT_EQ(report.duplicate, 4U);
  EXPECT_EQ(report.flipped, 0U);
  EXPECT_EQ(describe(report),
            "1 unused vertices removed, 1 degenerate triangles removed, 4 duplicate triangles removed");
  EXPECT_NEAR(volume(good), 1, 1e-12);
}

TEST(MeshCheck, RemovesVerticesOfTheTrianglesThatItRemoves) {
  Mesh mesh = box({1, 1, 1});
  const std::size_t vertices = mesh.vertices.size();
  const auto last = static_cast<std::uint32_t>(vertices);
  mesh.vertices.insert(mesh.vertices.end(), {{9, 9, 9}, {8, 9, 9}, {9, 8, 9}});
  mesh.triangles.push_back({0, 0, last});  // degenerate
  mesh.triangles.push_back({last, last + 1, last + 2});
  mesh.triangles.push_back({last + 1, last, last + 2});  // back to back
  MeshReport report;
  const Mesh good = checked_mesh(mesh, "mesh", &report);
  EXPECT_EQ(good.vertices.size(), vertices);
  EXPECT_EQ(report.unused, 3U);
  (void)checked_mesh(good, "mesh", &report);
  EXPECT_FALSE(report.changed());
}

TEST(MeshCheck, TurnsWhatFacesTheWrongWay) {
  test::Random random(3);
  const Mesh mesh = sphere(1, 2);
  MeshReport report;
  EXPECT_NEAR(volume(checked_mesh(inside_out(mesh), "mesh", &report)), volume(mesh), 1e-12);
  EXPECT_EQ(report.flipped, mesh.triangles.size());
  for (int i = 0; i < 20; ++i) {
    Mesh mixed = mesh;
    std::size_t turned = 0;
    for (Triangle& t : mixed.triangles) {
      if (random.unit() < 0.3) {
        std::swap(t[0], t[1]);
        ++turned;
      }
    }
    EXPECT_NEAR(volume(checked_mesh(mixed, "mesh", &report)), volume(mesh), 1e-12);
    EXPECT_EQ(report.flipped, turned);
  }
}

TEST(MeshCheck, PartsAsideFaceOutwardsAndCavitiesStay) {
  const Mesh small = moved(sphere(0.2, 2), {0.1, 0, 0});
  const Mesh aside = moved(sphere(0.5, 2), {5, 0, 0});
  const Mesh block = box({1, 1, 1});
  MeshReport report;
  // inside out and aside: turned; inside out and within: a cavity
  const Mesh good = checked_mesh(joined(joined(block, inside_out(small)), inside_out(aside)), "mesh", &report);
  EXPECT_NEAR(volume(good), 1 - volume(small) + volume(aside), 1e-12);
  EXPECT_EQ(report.parts, 3U);
  EXPECT_EQ(report.flipped, aside.triangles.size());
  // all three turned: only the outer ones need it, the cavity faces outwards then and is kept
  EXPECT_NEAR(volume(checked_mesh(joined(inside_out(block), small))), 1 + volume(small), 1e-12);
}

/// Adds a small solid of four triangles that face inwards.
void add_inwards(Mesh& mesh, const Vector3& at, double size) {
  const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
  for (const Vector3& corner : {Vector3{1, 1, 1}, Vector3{-1, -1, 1}, Vector3{-1, 1, -1}, Vector3{1, -1, -1}}) {
    mesh.vertices.push_back(sum(at, scaled(size, corner)));
  }
  for (const Triangle& t : {Triangle{0, 2, 1}, Triangle{0, 1, 3}, Triangle{0, 3, 2}, Triangle{1, 2, 3}}) {
    mesh.triangles.push_back({first + t[0], first + t[2], first + t[1]});
  }
}
/// n³ of them, half of them left of x = 0.
Mesh many_inwards(int n) {
  Mesh mesh;
  for (int i = 0; i < n * n * n; ++i) {
    const auto place = [&](int k) { return (k + 0.5) / n - 0.5; };
    add_inwards(mesh, {place(i % n), place(i / n % n), place(i / n / n)}, 0.2 / n);
  }
  return mesh;
}

TEST(MeshCheck, ManySmallPartsFaceOutwardsOrAreCavities) {
  constexpr int n = 30;
  constexpr std::size_t half = n * n * n / 2;
  MeshReport report;
  const Mesh left = moved(box({0.6, 2, 2}), {-0.3, 0, 0});
  const double small = std::pow(0.4 / n, 3) / 3;
  EXPECT_NEAR(volume(checked_mesh(joined(many_inwards(n), left), "mesh", &report)), volume(left), 1e-9);
  EXPECT_EQ(report.parts, 2 * half + 1);
  EXPECT_EQ(report.flipped, 4 * half);
  EXPECT_NEAR(volume(checked_mesh(many_inwards(n), "mesh", &report)), 2 * half * small, 1e-9);
  EXPECT_EQ(report.flipped, 8 * half);
}

TEST(MeshCheck, ARayComesNearFewOfManyParts) {
  for (const int n : {10, 30}) {  // a ray passes about n of the n³ parts
    const Mesh mesh = many_inwards(n);
    const TriangleTree tree(mesh);
    std::size_t seen = 0;
    std::vector<std::uint32_t> found;
    for (std::size_t part = 0; part < mesh.vertices.size(); part += 4) {
      tree.along(mesh.vertices[part], {0.5773152, 0.2137481, 0.7880573}, found);
      seen += found.size();
    }
    const auto parts = static_cast<std::size_t>(n * n * n);
    EXPECT_GE(seen, parts);                                    // its own triangles
    EXPECT_LE(seen, 8 * parts * static_cast<std::size_t>(n));  // boxes of up to four triangles near its way
  }
}

TEST(MeshCheck, PartsInPartsAreOutwardsAndInwardsByTurns) {
  const auto nested = [](int count) {
    Mesh mesh;
    for (int i = 1; i <= count; ++i) {
      add_inwards(mesh, {}, i);
    }
    return mesh;
  };
  MeshReport report;
  checked_mesh(nested(100), "mesh", &report);
  EXPECT_EQ(report.flipped, 4U * 50);  // the outermost is turned, the next one is its cavity
  EXPECT_EQ(refusal(nested(10'000)).substr(0, 60), "part.stl: too many nested parts face inwards, the last near ");
}

TEST(MeshCheck, SaysWhatIsOpenAndWhere) {
  Mesh mesh = box({2, 2, 2});
  mesh.triangles.erase(mesh.triangles.begin());
  EXPECT_EQ(refusal(mesh).substr(0, 47), "part.stl: 3 open edges (one triangle each), the");
  EXPECT_THAT(refusal(mesh), HasSubstr("from (-1, -1, -1) to ("));
  Mesh hole = sphere(1, 3);
  hole.triangles.resize(hole.triangles.size() - 1);
  EXPECT_THAT(refusal(hole), HasSubstr("3 open edges"));
}

TEST(MeshCheck, RefusesWhatIsNoSurface) {
  const Mesh cube = moved(box({1, 1, 1}), {0.5, 0.5, 0.5});
  EXPECT_EQ(refusal({}), "part.stl: no triangles");
  EXPECT_EQ(refusal({{{0, 0, 0}}, {}}), "part.stl: no triangles");
  EXPECT_EQ(refusal({{{0, 0, 0}, {1, 0, 0}}, {{0, 0, 1}}}),
            "part.stl: all triangles are degenerate, or in pairs back to back");
  Mesh nan = cube;
  nan.vertices[3][1] = NAN;
  EXPECT_THAT(refusal(nan), HasSubstr("vertex 3 is ("));
  nan.vertices[3][1] = 1e30;
  EXPECT_THAT(refusal(nan), HasSubstr("must be within 1e+09 m"));
  Mesh wild = cube;
  wild.triangles[4][2] = 99;
  EXPECT_EQ(refusal(wild), "part.stl: triangle 4 uses vertex 99: must be below 8");
  Mesh flat = cube;
  for (Vector3& v : flat.vertices) {
    v[2] = 0;
  }
  EXPECT_THAT(refusal(flat), HasSubstr("part.stl: "));
  // a Klein bottle's square: closed, but without an outside
  Mesh klein;
  constexpr std::uint32_t n = 8;
  for (std::uint32_t i = 0; i < n * n; ++i) {
    klein.vertices.push_back({1.0 * i, std::sin(1.0 * i), std::cos(2.0 * i)});
  }
  const auto at = [](std::uint32_t i, std::uint32_t j) { return i < n ? i * n + j % n : (2 * n - j) % n; };
  for (std::uint32_t i = 0; i < n; ++i) {
    for (std::uint32_t j = 0; j < n; ++j) {
      klein.triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      klein.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  }
  EXPECT_THAT(refusal(klein), HasSubstr("not orientable"));
}

}  // namespace
}  // namespace stiction::geometry::mesh_check_test
