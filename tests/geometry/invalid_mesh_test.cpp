// What a caller may hand over by mistake: every entry of this part refuses it with one line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "io/temp_folder.h"
#include "stiction/geometry/distance_field.h"
#include "stiction/geometry/mesh_check.h"
#include "stiction/geometry/mesh_file.h"
#include "stiction/geometry/point_shell.h"
#include "stiction/geometry/shapes.h"
#include "stiction/geometry/solids.h"
#include "stiction/geometry/triangle_tree.h"
#include "stiction/problem.h"

namespace stiction::geometry::invalid_mesh_test {
namespace {

using test::message_of;
using ::testing::HasSubstr;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// All that makes something of a mesh, each called with it.
void expect_refused(const Mesh& mesh, const char* says) {
  const test::TempFolder folder;
  const std::vector<std::function<void()>> entries{[&] {
                                                     DistanceField::make(mesh, {32, 2});
                                                   },
                                                   [&] {
                                                     PointShell::make(mesh, {100, 3, 1});
                                                   },
                                                   [&] { TriangleTree{mesh}; },
                                                   [&] { mass_properties(mesh, 1); },
                                                   [&] { checked_mesh(mesh); },
                                                   [&] { write_mesh(folder / "a.stl", mesh); },
                                                   [&] { write_mesh(folder / "a.ply", mesh); }};
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const std::string message = message_of<MeshError>(entries[i]);
    EXPECT_THAT(message, HasSubstr(says)) << "entry " << i;
    EXPECT_EQ(message.find('\n'), std::string::npos);
  }
  EXPECT_TRUE(folder.content().empty());
}

TEST(InvalidMesh, VerticesThatAreNoPlacesAreRefused) {
  for (const double bad : {nan, infinity, -infinity, 1e300}) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      Mesh mesh = box({1, 1, 1}, 2);
      mesh.vertices[5][axis] = bad;
      expect_refused(mesh, "vertex 5 is (");
    }
  }
}

TEST(InvalidMesh, IndicesBeyondTheVerticesAreRefused) {
  for (const std::uint32_t bad : {8U, 0x7fffffffU, 0xffffffffU}) {
    Mesh mesh = box({1, 1, 1});
    mesh.triangles[3][1] = bad;
    expect_refused(mesh, "triangle 3 uses vertex ");
  }
  expect_refused({.vertices = {}, .triangles = {{0, 1, 2}}}, "triangle 0 uses vertex 2: must be below 0");
}

TEST(InvalidMesh, NoTrianglesAreRefused) {
  expect_refused({}, "no triangles");
  expect_refused({.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, .triangles = {}}, "no triangles");
}

TEST(InvalidMesh, DegenerateTrianglesAloneAreNoSolid) {
  const Mesh flat{.vertices = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}, .triangles = {{0, 1, 2}, {0, 2, 1}}};
  EXPECT_THROW(checked_mesh(flat), MeshError);
  EXPECT_THROW(PointShell::make(flat, {10, 2, 1}), MeshError);
  EXPECT_THROW(mass_properties(flat, 1), MeshError);
  const Mesh point{.vertices = {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}}, .triangles = {{0, 1, 2}, {0, 2, 1}}};
  EXPECT_THROW(DistanceField::make(point, {32, 2}), MeshError);
  EXPECT_THROW(PointShell::make(point, {10, 2, 1}), MeshError);
}

/// The field has 32-bit numbers, which have no room for distances in a solid that is next to nothing.
TEST(InvalidMesh, SolidsTooSmallForAFieldAreRefused) {
  EXPECT_THAT(message_of<MeshError>([] {
                DistanceField::make(box({1e-40, 1e-40, 1e-40}), {32, 2});
              }),
              HasSubstr("must be at least 1e-12 m"));
  const DistanceField small = DistanceField::make(box({1e-12, 1e-12, 1e-12}), {32, 2});
  EXPECT_NEAR(small.value({0, 0, 0.55e-12}) / 1e-12, 0.05, 0.005);
  const DistanceField large = DistanceField::make(box({1e9, 1e9, 1e9}), {32, 2});
  EXPECT_NEAR(large.value({0, 0, 0.55e9}) / 1e9, 0.05, 0.005);
}

TEST(InvalidMesh, NothingIsNearANumberThatIsNone) {
  const TriangleTree tree(box({1, 1, 1}, 2));
  for (std::size_t axis = 0; axis < 3; ++axis) {
    Vector3 p{};
    p[axis] = nan;
    const TriangleTree::Closest closest = tree.closest(p);
    EXPECT_TRUE(std::isnan(closest.distance));
    EXPECT_EQ(closest.triangle, TriangleTree::none);
    const DistanceField::Sample sample = DistanceField::make(box({1, 1, 1}), {32, 2}).at(p);
    EXPECT_TRUE(std::isnan(sample.value) && std::isnan(sample.gradient[0])) << axis;
  }
}

TEST(InvalidFieldData, IsRefused) {
  const FieldData good = DistanceField::make(box({1, 1, 1}), {32, 2}).data();
  const std::vector<std::function<void(FieldData&)>> damages{
      [](FieldData& d) { d.near[100] = NAN; }, [](FieldData& d) { d.near.back() = INFINITY; },
      [](FieldData& d) { d.far[1] = NAN; }, [](FieldData& d) { d.origin[2] = nan; },
      [](FieldData& d) { d.spacing = infinity; }, [](FieldData& d) { d.spacing = 0; },
      [](FieldData& d) { d.band = nan; }, [](FieldData& d) { d.band = infinity; },
      [](FieldData& d) { d.solid.low[0] = nan; }, [](FieldData& d) { d.solid.high[1] = infinity; },
      [](FieldData& d) { d.index[0] = 0xfffffffeU; }, [](FieldData& d) { d.blocks = {}; },
      // 2^64 blocks are as many as none, and (2^31 + 1)² · 5 is a small number modulo 2^64
      [](FieldData& d) {
        d.blocks = {0x80000000U, 0x80000000U, 4};
        d.index.clear();
      },
      [](FieldData& d) { d.near.pop_back(); }};
  EXPECT_NO_THROW(DistanceField{good});
  for (std::size_t i = 0; i < damages.size(); ++i) {
    FieldData data = good;
    damages[i](data);
    EXPECT_THROW(DistanceField{data}, MeshError) << i;
  }
}

TEST(InvalidShellData, IsRefused) {
  const ShellData good = PointShell::make(box({1, 1, 1}), {300, 4, 1}).data();
  const std::vector<std::function<void(ShellData&)>> damages{
      [](ShellData& d) { d.points[7].position[0] = nan; }, [](ShellData& d) { d.points[7].normal[1] = infinity; },
      [](ShellData& d) { d.points[7].normal = {}; }, [](ShellData& d) { d.nodes[2].radius = nan; },
      [](ShellData& d) { d.nodes[2].radius = -1; }, [](ShellData& d) { d.nodes[2].centre[2] = infinity; },
      [](ShellData& d) { d.spacing[1] = nan; }, [](ShellData& d) { d.level[3] = 99; },
      // Nodes with the same children: a tree no longer, and endless to walk through
      [](ShellData& d) { d.nodes[2].first_child = d.nodes[1].first_child; },
      [](ShellData& d) { --d.nodes[1].child_count; }, [](ShellData& d) { d.nodes.back().first_point = 0; },
      [](ShellData& d) { --d.nodes.back().point_count; }, [](ShellData& d) { d.nodes[0].child_count = 0; },
      [](ShellData& d) { d.spacing.clear(); }};
  EXPECT_NO_THROW(PointShell{good});
  for (std::size_t i = 0; i < damages.size(); ++i) {
    ShellData data = good;
    damages[i](data);
    EXPECT_THROW(PointShell{data}, MeshError) << i;
  }
}

TEST(InvalidShape, CornersHaveUpToThreeWalls) {
  EXPECT_NEAR(volume(checked_mesh(corner(1, 0.1, 1))), 1.1 * 1.1 * 0.1 + 1.1 * 1 * 0.1, 1e-12);
  EXPECT_NEAR(volume(checked_mesh(corner(1, 0.1, 2))), 1.1 * 1.1 * 1.1 - 1, 1e-12);
  // x from -0.1 to 1.1: the third wall stands opposite the first
  const Mesh three = checked_mesh(corner(1, 0.1, 3));
  EXPECT_NEAR(volume(three), 1.2 * 1.1 * 1.1 - 1, 1e-12);
  EXPECT_EQ(bounds(three).low, (Vector3{-0.1, -0.1, -0.1}));
  EXPECT_NEAR(bounds(three).high[0], 1.1, 1e-15);
  EXPECT_EQ(bounds(three).high[1], 1);
  for (const int walls : {-1, 0, 4}) {
    EXPECT_THAT(message_of<InvalidParameter>([&] { corner(1, 0.1, walls); }), HasSubstr("walls"));
  }
}

TEST(InvalidShape, SizesBeyondMemoryAreRefused) {
  EXPECT_THROW(box({1, 1, 1}, 100000), InvalidParameter);
  EXPECT_THROW(rounded_box({1, 1, 1}, 0.1, 100000), InvalidParameter);
  EXPECT_THROW(sphere(1, 10), InvalidParameter);
  EXPECT_THROW(cylinder(1, 1, 100000, 100000), InvalidParameter);
  EXPECT_THROW(block_with_hole({1, 1, 1}, 0.2, 80000, 100000), InvalidParameter);
  EXPECT_THROW(blocks({}, {0, 1}, {0, 1}, [](auto, auto, auto) { return true; }), InvalidParameter);
  EXPECT_THROW(blocks({0, 1}, {1, 0}, {0, 1}, [](auto, auto, auto) { return true; }), InvalidParameter);
  EXPECT_THROW(blocks({0, 1}, {0, nan}, {0, 1}, [](auto, auto, auto) { return true; }), InvalidParameter);
}

TEST(InvalidShape, MotionsThatAreNoneAreRefused) {
  for (const double bad : {nan, infinity}) {
    EXPECT_THROW(moved(box({1, 1, 1}), {0, bad, 0}), InvalidParameter);
    EXPECT_THROW(rotation({0, 0, 1}, bad), InvalidParameter);
    EXPECT_THROW(rotation({0, 0, bad}, 1), InvalidParameter);
    EXPECT_THROW(Solid::ball(1).moved({0, 0, bad}), InvalidParameter);
    EXPECT_THROW(Solid::pipe({{0, 0, 0}, {bad, 0, 0}}, 0.1), InvalidParameter);
    EXPECT_THROW(tube({{0, 0, 0}, {bad, 0, 0}}, 0.1), InvalidParameter);
    EXPECT_THROW(meshed(Solid([=](const Vector3&) { return bad; }, {{0, 0, 0}, {1, 1, 1}}), 0.1), InvalidParameter);
    EXPECT_THROW(Solid([](const Vector3&) { return 1.0; }, {{0, 0, 0}, {1, bad, 1}}), InvalidParameter);
  }
  EXPECT_THROW(rotation({0, 0, 2}, 1), InvalidParameter);
  EXPECT_THROW(rotated(box({1, 1, 1}), {{{1, 0, 0}, {0, 1, 0}, {0, 0, 2}}}), InvalidParameter);
}

TEST(InvalidShape, FunctionsThatGiveNoNumberMakeNoField) {
  const Box cube{{-1, -1, -1}, {1, 1, 1}};
  EXPECT_THROW(DistanceField::of_function([](const Vector3&) { return nan; }, cube, {32, 2}), MeshError);
  const auto ball = [](const Vector3& p) { return norm(p) - 1; };
  EXPECT_NO_THROW(DistanceField::of_function(ball, cube, {32, 2}));
  EXPECT_THROW(DistanceField::of_function(ball, {{-1, nan, -1}, {1, 1, 1}}, {32, 2}), MeshError);
  EXPECT_THROW(DistanceField::of_function(ball, {{1, 1, 1}, {-1, 2, -1}}, {32, 2}), MeshError);
}

TEST(InvalidShell, PointsAndLevelsAreInTheirRanges) {
  const Mesh mesh = box({1, 1, 1});
  EXPECT_THAT(message_of<InvalidParameter>([&] {
                PointShell::make(mesh, {0, 2, 1});
              }),
              HasSubstr("points = 0: must be a whole number from 1 to 1000000"));
  EXPECT_THAT(message_of<InvalidParameter>([&] {
                PointShell::make(mesh, {10, 21, 1});
              }),
              HasSubstr("levels = 21: must be a whole number from 1 to 20"));
  for (const int points : {1, 2, 15, 17}) {
    for (const int levels : {1, 20}) {
      EXPECT_EQ(PointShell::make(mesh, {points, levels, 1}).points().size(), static_cast<std::size_t>(points));
    }
  }
}

}  // namespace
}  // namespace stiction::geometry::invalid_mesh_test
