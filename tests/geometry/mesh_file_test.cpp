#include "stiction/geometry/mesh_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "io/temp_folder.h"
#include "stiction/geometry/mesh_check.h"
#include "stiction/geometry/shapes.h"
#include "stiction/problem.h"
#include "support/random.h"

namespace stiction::geometry {
namespace {

using test::message_of;
using ::testing::HasSubstr;

constexpr const char* text_tetrahedron = R"(solid tetrahedron
  facet normal 0 0 -1
    outer loop
      vertex 0 0 0
      vertex 0 1 0
      vertex 1 0 0
    endloop
  endfacet
  facet normal 0 -1 0
    outer loop
      vertex 0 0 0
      vertex 1 0 0
      vertex 0 0 1e0
    endloop
  endfacet
  facet normal -1 0 0
    outer loop
      vertex 0 0 0
      vertex 0 0 +1
      vertex 0 1 0
    endloop
  endfacet
  facet normal 1 1 1
    outer loop
      vertex 1 0 0
      vertex 0 1 0
      vertex 0 0 1.0
    endloop
  endfacet
endsolid tetrahedron
)";

TEST(MeshFile, ReadsBothKindsOfStl) {
  const Mesh text = checked_mesh(parse_stl(text_tetrahedron, "t"));
  EXPECT_EQ(text.vertices.size(), 4U);
  EXPECT_NEAR(volume(text), 1.0 / 6, 1e-15);
  const Mesh mesh = sphere(0.7, 2);
  std::string bytes = to_stl(mesh);
  EXPECT_EQ(bytes.size(), 84 + 50 * mesh.triangles.size());
  const Mesh binary = checked_mesh(parse_stl(bytes, "b"));
  EXPECT_EQ(binary.vertices.size(), mesh.vertices.size());
  EXPECT_NEAR(volume(binary), volume(mesh), 1e-6);
  std::memcpy(bytes.data(), "solid by some program", 21);  // as many binary files start
  EXPECT_EQ(parse_stl(bytes, "b"), parse_stl(to_stl(mesh), "b"));
}

TEST(MeshFile, ReadsObjWithPolygonsAndAllKindsOfIndices) {
  const char* cube = R"(# a cube
mtllib missing.mtl
o cube
v 0 0 0
v 1 0 0
v 1 1 0
v 0 1 0
v 0 0 1 0.5 0.5 0.5
v 1 0 1
v 1 1 1
v 0 1 1
vn 0 0 1
vt 0 0
usemtl blue
f 4 3 2 1
f 5//1 6//1 7//1 8//1
f 1/1 2/1 6/1 5/1
f 2/1/1 3/1/1 7/1/1 6/1/1
f -6 -5 -1 -2
f 4 1 5 8
)";
  MeshReport report;
  const Mesh mesh = checked_mesh(parse_obj(cube, "cube.obj"), "cube", &report);
  EXPECT_EQ(mesh.vertices.size(), 8U);
  EXPECT_EQ(mesh.triangles.size(), 12U);
  EXPECT_EQ(report.flipped, 0U);
  EXPECT_NEAR(volume(mesh), 1, 1e-15);
}

/// A cube in PLY with extra elements and properties, in any of the three formats.
std::string ply_cube(const std::string& format) {
  std::string bytes =
      "ply\nformat " + format +
      " 1.0\ncomment made here\nelement vertex 8\nproperty double x\nproperty uchar red\nproperty float y\n"
      "property float z\nelement edge 1\nproperty list ushort short ends\nproperty int colour\n"
      "element face 6\nproperty list uchar int vertex_indices\nproperty char flag\nend_header\n";
  const auto put = [&](auto value) {
    if (format == "ascii") {
      bytes += std::to_string(+value) + " ";
      return;
    }
    std::array<char, sizeof(value)> raw{};
    std::memcpy(raw.data(), &value, sizeof(value));
    if (format == "binary_big_endian") {
      std::reverse(raw.begin(), raw.end());
    }
    bytes.append(raw.data(), raw.size());
  };
  for (int i = 0; i < 8; ++i) {
    put(static_cast<double>(i & 1));
    put(static_cast<unsigned char>(200));
    put(static_cast<float>((i >> 1) & 1));
    put(static_cast<float>(i >> 2));
  }
  put(static_cast<unsigned short>(2));
  put(static_cast<short>(0));
  put(static_cast<short>(1));
  put(70000);
  for (const auto& face : std::vector<std::vector<int>>{
           {0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}}) {
    put(static_cast<unsigned char>(4));
    for (const int i : face) {
      put(i);
    }
    put(static_cast<char>(7));
  }
  return bytes;
}

TEST(MeshFile, ReadsAllKindsOfPly) {
  for (const char* format : {"ascii", "binary_little_endian", "binary_big_endian"}) {
    MeshReport report;
    const Mesh mesh = checked_mesh(parse_ply(ply_cube(format), "cube.ply"), "cube", &report);
    EXPECT_NEAR(volume(mesh), 1, 1e-15) << format;
    EXPECT_EQ(mesh.triangles.size(), 12U) << format;
    EXPECT_EQ(report.flipped, 0U) << format;
  }
}

TEST(MeshFile, WhatIsWrittenIsReadAgain) {
  const test::TempFolder folder;
  Mesh mesh = block_with_hole({1, 1, 1}, 0.3, 16);
  for (Vector3& v : mesh.vertices) {
    for (double& x : v) {
      x = static_cast<double>(static_cast<float>(x));
    }
  }
  write_mesh(folder / "a.ply", mesh);
  EXPECT_EQ(read_mesh(folder / "a.ply"), mesh);
  write_mesh(folder / "a.STL", mesh);
  EXPECT_EQ(volume(read_mesh(folder / "a.STL")), volume(mesh));
  EXPECT_NEAR(volume(read_mesh(folder / "a.ply", 1e-3)), 1e-9 * volume(mesh), 1e-21);
  EXPECT_EQ(folder.content(), (std::vector<std::string>{"a.STL", "a.ply"}));
  EXPECT_THROW(write_mesh(folder / "a.obj", mesh), MeshError);
  EXPECT_THROW(write_mesh(folder / "no/a.ply", mesh), std::runtime_error);
  EXPECT_THROW(read_mesh(folder / "a.ply", 0), InvalidParameter);
}

struct Bad {
  const char* name;
  std::string bytes;
  const char* says;
};
std::string replaced(std::string text, const std::string& from, const std::string& to) {
  EXPECT_NE(text.find(from), std::string::npos) << from;
  return text.replace(text.find(from), from.size(), to);
}
std::string with_count(std::string stl, std::uint32_t count) {
  std::memcpy(stl.data() + 80, &count, 4);
  return stl;
}

TEST(MeshFile, BadFilesGiveOneLineThatSaysWhere) {
  const test::TempFolder folder;
  const std::string stl = to_stl(box({1, 1, 1}));
  std::string nan = stl;
  const float not_a_number = NAN;
  std::memcpy(nan.data() + 84 + 50 + 12, &not_a_number, 4);
  const std::string ply = ply_cube("ascii");
  const std::string raw = ply_cube("binary_little_endian");
  const std::string text = text_tetrahedron;
  const std::string obj = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
  const std::vector<Bad> cases{
      {"empty.stl", "", "0 bytes, at least 84"},
      {"short.stl", stl.substr(0, 70), "70 bytes, at least 84"},
      {"cut.stl", stl.substr(0, 300), "promises 12 triangles in 684 bytes, it has 300"},
      {"lie.stl", with_count(stl, 200'000'000), "promises 200000000 triangles in 10000000084 bytes"},
      {"largest.stl", with_count(stl, 0xffffffff), "promises 4294967295 triangles"},
      {"none.stl", with_count(stl.substr(0, 84), 0), "no triangles"},
      {"text.stl", std::string(200, 'x'), "not an STL file"},
      {"nan.stl", nan, "vertex 3 is (nan, "},
      {"word.stl", replaced(text, "vertex 0 1 0", "vertex 0 one 0"), ":5: y = 'one': must be a finite number"},
      {"nan_text.stl", replaced(text, "vertex 0 1 0", "vertex 0 nan 0"), ":5: y = 'nan': must be a finite number"},
      {"huge_text.stl", replaced(text, "vertex 0 1 0", "vertex 0 1e999 0"), ":5: y = '1e999'"},
      {"four.stl", replaced(text, "endloop", "vertex 0 0 0\nendloop"), ":7: 'vertex': must be 'endloop'"},
      {"two.stl", replaced(text, "      vertex 1 0 0\n", ""), "'endloop': must be 'vertex'"},
      {"open.stl", text.substr(0, text.find("endloop")), "the file ends where 'endloop' is expected"},
      {"name.stl", "solid nothing\nendsolid nothing\n", "no triangles"},
      {"empty.obj", "", "no faces"},
      {"points.obj", "v 0 0 0\n", "no faces"},
      {"nan.obj", replaced(obj, "1 0 0", "nan 0 0"), ":2: x = 'nan'"},
      {"few.obj", replaced(obj, "v 1 0 0", "v 1 0"), ":2: z = ''"},
      {"index.obj", replaced(obj, "1 2 3", "1 2 4"), ":4: vertex = 4: must be from 1 to 3"},
      {"zero.obj", replaced(obj, "1 2 3", "0 1 2"), ":4: vertex = 0"},
      {"back.obj", replaced(obj, "1 2 3", "-1 -2 -4"), ":4: vertex = -4"},
      {"line.obj", replaced(obj, "1 2 3", "1 2"), ":4: a face with 2 corners"},
      {"word.obj", replaced(obj, "1 2 3", "a b c"), ":4: vertex = 'a'"},
      {"empty.ply", "", "must start with 'ply'"},
      {"other.ply", "OFF\n", ":1: not a PLY file"},
      {"format.ply", replaced(ply, "ascii", "morse"), ":2: format 'morse'"},
      {"endless.ply", ply.substr(0, ply.find("end_header")), "no end_header"},
      {"type.ply", replaced(ply, "float z", "quad z"), ":8: type 'quad'"},
      {"axis.ply", replaced(ply, "float z", "float w"), "vertices have no property 'z'"},
      {"lie.ply", replaced(ply, "vertex 8", "vertex 900000000000"), "promises 900000000000 of element 'vertex'"},
      {"lie_raw.ply", replaced(raw, "face 6", "face 4000000000"), "promises 4000000000 of element 'face'"},
      {"minus.ply", replaced(ply, "vertex 8", "vertex -8"), "count = '-8'"},
      {"cut.ply", raw.substr(0, raw.size() - 10), "unexpected end of file"},
      {"cut_text.ply", ply.substr(0, ply.size() - 4), "unexpected end of file"},
      {"index.ply", replaced(ply, "4 0 2 3 1", "4 0 2 3 8"), "a face uses vertex 8: must be below 8"},
      {"minus_index.ply", replaced(ply, "4 0 2 3 1", "4 0 2 3 -1"), "face 0 uses vertex -1"},
      {"corners.ply", replaced(ply, "4 0 2 3 1 ", "2 0 2 "), "face 0 has 2 corners"},
      {"list.ply", replaced(ply, "4 0 2 3 1", "400 0 2 3 1"), "a list of 400 numbers"},
      {"nan.ply", replaced(ply, "0.000000", "nan"), "number = 'nan'"},
      {"mesh.step", "x", "must end with .stl, .obj or .ply"},
      {"noname", "x", "must end with .stl, .obj or .ply"},
  };
  for (const Bad& bad : cases) {
    const auto path = folder.write(bad.name, bad.bytes);
    const std::string message = message_of<MeshError>([&] { read_mesh(path); });
    EXPECT_THAT(message, HasSubstr(bad.says)) << bad.name;
    EXPECT_THAT(message, HasSubstr(bad.name));
    EXPECT_EQ(message.find('\n'), std::string::npos) << bad.name;
  }
  EXPECT_THAT(message_of<std::runtime_error>([&] { read_mesh(folder / "missing.stl"); }), HasSubstr("No such file"));
  std::filesystem::create_directory(folder / "folder.stl");
  EXPECT_THAT(message_of<std::runtime_error>([&] { read_mesh(folder / "folder.stl"); }), HasSubstr("it is a folder"));
}

/// Whatever the bytes: a mesh or a MeshError.
TEST(MeshFile, RandomDamageIsNeverMoreThanAnError) {
  test::Random random(5);
  const std::vector<std::pair<Mesh (*)(std::string_view, const std::string&), std::string>> files{
      {parse_stl, to_stl(box({1, 1, 1}))},
      {parse_stl, text_tetrahedron},
      {parse_obj, "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3 4\nf -1/1 -2//2 -3\n"},
      {parse_ply, ply_cube("ascii")},
      {parse_ply, ply_cube("binary_little_endian")},
      {parse_ply, ply_cube("binary_big_endian")}};
  int good = 0;
  for (int i = 0; i < 6000; ++i) {
    auto [parse, bytes] = files[static_cast<std::size_t>(i) % files.size()];
    for (int k = 0; k < 1 + i % 4; ++k) {
      const auto at = static_cast<std::size_t>(random.unit() * static_cast<double>(bytes.size()));
      switch (random.bits() % 3) {
        case 0:
          bytes[at] = static_cast<char>(random.bits());
          break;
        case 1:
          bytes.erase(at, 1 + random.bits() % 8);
          break;
        default:
          bytes.insert(at, 1, "0123456789-. \n/e"[random.bits() % 16]);
      }
    }
    try {
      const Mesh mesh = parse(bytes, "damaged");
      for (const Triangle& t : mesh.triangles) {
        ASSERT_LT(std::max({t[0], t[1], t[2]}), mesh.vertices.size());
      }
      ++good;
    } catch (const MeshError& error) {
      ASSERT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    }
  }
  EXPECT_GT(good, 100);
}

}  // namespace
}  // namespace stiction::geometry
