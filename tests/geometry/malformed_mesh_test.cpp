// Mesh files that are damaged, that lie about their size, or that other programs write in their own way.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <numbers>
#include <string>
#include <vector>

#include "io/temp_folder.h"
#include "stiction/geometry/mesh_file.h"
#include "stiction/geometry/shapes.h"

namespace stiction::geometry::malformed_mesh_test {
namespace {

using test::message_of;
using ::testing::HasSubstr;

std::string replaced_all(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

const std::string obj = " v 0 0 0\n v 1 0 0\n v 0 1 0\n v 0 0 1\n f 1 3 2\n f 1 2 4\n f 2 3 4\n f 1 4 3\n";
const std::string stl =
    " solid s\n facet normal 0 0 1\n outer loop\n vertex 0 0 0\n vertex 1 0 0\n vertex 0 1 0\n endloop\n endfacet\n "
    "endsolid s\n";
const std::string ply =
    "ply\n format ascii 1.0\n element vertex 3\n property float x\n property float y\n property float z\n element face "
    "1\n property list uchar int vertex_indices\n end_header\n 0 0 0\n 1 0 0\n 0 1 0\n 3 0 1 2\n";

/// All that C calls white space separates words, in all three formats.
TEST(MalformedMesh, FormFeedsAndVerticalTabsAreBlanks) {
  for (const std::string blank : {"\f", "\v", "\t", "\r", "\f \v"}) {
    EXPECT_EQ(parse_obj(replaced_all(obj, " ", blank), "t.obj"), parse_obj(obj, "t.obj"));
    EXPECT_EQ(parse_stl(replaced_all(stl, " ", blank), "t.stl"), parse_stl(stl, "t.stl"));
    EXPECT_EQ(parse_ply(replaced_all(ply, " ", blank), "t.ply"), parse_ply(ply, "t.ply"));
  }
  // A line that only one of two tokenizers would take for a vertex
  EXPECT_THAT(message_of<MeshError>([] { parse_obj("\fv 0 0 0\n\vv 1 0 0\nf 1 2 3\n", "t.obj"); }),
              HasSubstr("t.obj:3: vertex = 3: must be from 1 to 2"));
}

TEST(MalformedMesh, ASignIsOneSign) {
  EXPECT_THAT(message_of<MeshError>([] { parse_obj(replaced_all(obj, "v 1", "v +-1"), "t.obj"); }),
              HasSubstr("t.obj:2: x = '+-1': must be a finite number"));
  EXPECT_EQ(parse_obj(replaced_all(obj, "v 1", "v +1"), "t.obj"), parse_obj(obj, "t.obj"));
}

TEST(MalformedMesh, ObjLinesMayEndInAComment) {
  EXPECT_EQ(parse_obj(replaced_all(obj, "2 3 4", "2 3 4 # a side"), "t.obj"), parse_obj(obj, "t.obj"));
}

TEST(MalformedMesh, ABackslashJoinsAnObjLineToTheNext) {
  for (const char* end : {"\\\n", "\\\r\n"}) {
    const std::string joined = replaced_all(replaced_all(obj, "v 1 0 0", std::string("v 1 ") + end + "0 0"), "2 3 4",
                                            std::string("2 3") + end + "4");
    EXPECT_EQ(parse_obj(joined, "t.obj"), parse_obj(obj, "t.obj"));
    EXPECT_THAT(message_of<MeshError>([&] { parse_obj(joined + "f 1 2 9\n", "t.obj"); }),
                HasSubstr("t.obj:11: vertex = 9"));
    // Not in a comment, which may be the name of a folder
    EXPECT_EQ(parse_obj(std::string("# a") + end + obj, "t.obj"), parse_obj(obj, "t.obj"));
  }
  EXPECT_THAT(message_of<MeshError>([] { parse_obj(obj + "f 1 2 3 \\", "t.obj"); }), HasSubstr("vertex = '\\'"));
}

TEST(MalformedMesh, StlWordsMayBeInCapitals) {
  std::string capitals = stl;
  for (char& c : capitals) {
    c = static_cast<char>(std::toupper(c));
  }
  EXPECT_EQ(parse_stl(capitals, "t.stl"), parse_stl(stl, "t.stl"));
}

/// A cross of 12 corners: no corner sees all of it, and a fan would count some of it twice.
TEST(MalformedMesh, ConcaveFacesKeepTheirArea) {
  const std::vector<std::array<int, 2>> cross{{1, 0}, {2, 0}, {2, 1}, {3, 1}, {3, 2}, {2, 2},
                                              {2, 3}, {1, 3}, {1, 2}, {0, 2}, {0, 1}, {1, 1}};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    for (const bool backwards : {false, true}) {
      std::string vertices;
      for (const auto& [u, v] : cross) {
        std::array<int, 3> p{};
        p[(axis + 1) % 3] = u;
        p[(axis + 2) % 3] = backwards ? -v : v;
        vertices += " " + std::to_string(p[0]) + " " + std::to_string(p[1]) + " " + std::to_string(p[2]) + "\n";
      }
      const Mesh from_obj =
          parse_obj(replaced_all("\n" + vertices, "\n ", "\nv ") + "f 1 2 3 4 5 6 7 8 9 10 11 12\n", "cross.obj");
      const Mesh from_ply = parse_ply(
          "ply\nformat ascii 1.0\nelement vertex 12\nproperty float x\nproperty float y\nproperty float z\nelement "
          "face 1\nproperty list uchar int vertex_indices\nend_header\n" +
              vertices + "12 0 1 2 3 4 5 6 7 8 9 10 11\n",
          "cross.ply");
      for (const Mesh& mesh : {from_obj, from_ply}) {
        EXPECT_EQ(mesh.triangles.size(), 10U);
        EXPECT_NEAR(area(mesh), 5, 1e-12) << axis;
        for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
          EXPECT_GT((backwards ? -1 : 1) * area_vector(mesh.corners(i))[axis], 0) << axis;
        }
      }
    }
  }
}

/// A square with a square hole that a bridge joins to its edge, as programs write faces with holes.
TEST(MalformedMesh, FacesWithABridgeToTheirHoleKeepTheirArea) {
  const Mesh mesh = parse_obj(
      "v 0 0 0\nv 3 0 0\nv 3 3 0\nv 0 3 0\nv 1 1 0\nv 2 1 0\nv 2 2 0\nv 1 2 0\nf 1 2 3 4 1 5 8 7 6 5\n", "hole.obj");
  EXPECT_EQ(mesh.triangles.size(), 8U);
  EXPECT_NEAR(area(mesh), 8, 1e-12);
}

std::string star(int corners) {
  std::string text;
  std::string face = "f";
  for (int i = 0; i < corners; ++i) {
    const double angle = 2 * std::numbers::pi * i / corners;
    const double radius = i % 2 == 0 ? 1 : 0.5;
    text += "v " + std::to_string(radius * std::cos(angle)) + " " + std::to_string(radius * std::sin(angle)) + " 0\n";
    face += " " + std::to_string(i + 1);
  }
  return text + face + "\n";
}
TEST(MalformedMesh, FacesOfManyCornersTakeBoundedTime) {
  EXPECT_EQ(parse_obj(star(1000), "star.obj").triangles.size(), 998U);
  EXPECT_THAT(message_of<MeshError>([] { parse_obj(star(1002), "star.obj"); }),
              HasSubstr("a face of 1002 corners that is not convex: must have at most 1000 corners"));
}

/// Numbers one after the other as bytes, in either order.
class Bytes {
 public:
  explicit Bytes(std::string text, bool big = false) : bytes_(std::move(text)), big_(big) {}
  template <class Number>
  Bytes& put(Number value) {
    auto raw = std::bit_cast<std::array<char, sizeof(Number)>>(value);
    if (big_ != (std::endian::native == std::endian::big)) {
      std::reverse(raw.begin(), raw.end());
    }
    bytes_.append(raw.data(), raw.size());
    return *this;
  }
  [[nodiscard]] const std::string& text() const { return bytes_; }

 private:
  std::string bytes_;
  bool big_;
};
Bytes one_triangle(bool big, const std::string& count_type, std::uint32_t vertices = 3) {
  Bytes bytes(std::string("ply\nformat binary_") + (big ? "big" : "little") + "_endian 1.0\nelement vertex " +
                  std::to_string(vertices) +
                  "\nproperty float x\nproperty float y\nproperty float z\nelement face 1\nproperty list " +
                  count_type + " uint vertex_indices\nend_header\n",
              big);
  for (const float x : {0.F, 0.F, 0.F, 1.F, 0.F, 0.F, 0.F, 1.F, 0.F}) {
    bytes.put(x);
  }
  return bytes;
}

TEST(MalformedMesh, EveryTruncatedFileIsRefused) {
  for (const bool big : {false, true}) {
    const std::string whole = one_triangle(big, "uchar").put(std::uint8_t{3}).put(0U).put(1U).put(2U).text();
    EXPECT_EQ(parse_ply(whole, "t.ply").triangles.size(), 1U);
    for (std::size_t size = 0; size < whole.size(); ++size) {
      EXPECT_THROW(parse_ply(whole.substr(0, size), "t.ply"), MeshError) << size;
    }
  }
  const std::string whole = to_stl(box({1, 1, 1}));
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_THROW(parse_stl(whole.substr(0, size), "t.stl"), MeshError) << size;
  }
}

TEST(MalformedMesh, ListsOfWildLengthAreRefused) {
  for (const bool big : {false, true}) {
    const auto message = [&](const Bytes& bytes) {
      return message_of<MeshError>([&] { parse_ply(bytes.text(), "t.ply"); });
    };
    EXPECT_THAT(message(one_triangle(big, "uint").put(0xffffffffU).put(0U).put(1U).put(2U)),
                HasSubstr("a list of 4294967295 numbers"));
    EXPECT_THAT(message(one_triangle(big, "int").put(-3).put(0U).put(1U).put(2U)), HasSubstr("a list of -3 numbers"));
    EXPECT_THAT(message(one_triangle(big, "float").put(3.5F).put(0U).put(1U).put(2U)), HasSubstr("type 'float'"));
    EXPECT_THAT(message(one_triangle(big, "double").put(1e300).put(0U).put(1U).put(2U)), HasSubstr("type 'double'"));
    EXPECT_THAT(message(one_triangle(big, "uchar", 0xffffffffU).put(std::uint8_t{3}).put(0U).put(1U).put(2U)),
                HasSubstr("promises 4294967295 of element 'vertex'"));
    EXPECT_THAT(message(one_triangle(big, "uchar").put(std::uint8_t{3}).put(0U).put(1U).put(0xffffffffU)),
                HasSubstr("face 0 uses vertex 4.29497e+09"));
  }
}

/// Elements without properties take no bytes, so that their number says nothing of the file's size.
TEST(MalformedMesh, ManyEmptyElementsTakeNoTime) {
  std::string text = "ply\nformat ascii 1.0\n";
  for (int i = 0; i < 20000; ++i) {
    text += "element nothing 1000000\n";
  }
  text += "end_header\n" + std::string(1100000, '\n');
  EXPECT_THAT(message_of<MeshError>([&] { parse_ply(text, "t.ply"); }), HasSubstr("no faces"));
}

TEST(MalformedMesh, VerticesAreGivenOnce) {
  const std::string twice =
      replaced_all(replaced_all(ply, " element face",
                                " element vertex 1\n property float x\n property float y\n property float "
                                "z\n element face"),
                   "3 0 1 2", "9 9 9\n3 0 1 2");
  EXPECT_THAT(message_of<MeshError>([&] { parse_ply(twice, "t.ply"); }), HasSubstr("element 'vertex' is given twice"));
}

TEST(MalformedMesh, ParsersGiveFiniteVertices) {
  for (const float bad : {NAN, INFINITY, -INFINITY}) {
    std::string bytes = to_stl(box({1, 1, 1}));
    std::memcpy(bytes.data() + 84 + 12, &bad, 4);
    EXPECT_THAT(message_of<MeshError>([&] { parse_stl(bytes, "t.stl"); }), HasSubstr("vertex 0 is ("));
    bytes = to_ply(box({1, 1, 1}));
    std::memcpy(bytes.data() + bytes.find("end_header\n") + 11, &bad, 4);
    EXPECT_THAT(message_of<MeshError>([&] { parse_ply(bytes, "t.ply"); }), HasSubstr("vertex 0 is ("));
  }
}

/// A file whose size says more than memory holds is refused before memory is asked for.
TEST(MalformedMesh, HugeFilesAreRefused) {
  const test::TempFolder folder;
  for (const char* name : {"a.stl", "a.obj", "a.ply"}) {
    const auto path = folder.write(name, "");
    ASSERT_EQ(::truncate(path.c_str(), off_t{1} << 40), 0);
    EXPECT_THAT(message_of<std::runtime_error>([&] { read_mesh(path); }),
                HasSubstr("it has 1099511627776 bytes: must be at most"));
  }
}

}  // namespace
}  // namespace stiction::geometry::malformed_mesh_test
