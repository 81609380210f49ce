// The animation file is what glTF 2.0 says, and moves as the body did.
#include "stiction/viz/gltf.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <set>

#include "haptics/random_pose.h"
#include "stiction/geometry/shapes.h"
#include "stiction/problem.h"

namespace stiction::viz {
namespace {

using haptics::rotate;
using haptics::rotation_of;
using nlohmann::json;

/// A file taken apart.
struct Glb {
  json document;
  std::string bytes;

  explicit Glb(const std::string& file) {
    const auto number = [&](std::size_t at) {
      std::uint32_t n = 0;
      std::memcpy(&n, file.data() + at, 4);
      return n;
    };
    EXPECT_EQ(file.substr(0, 4), "glTF");
    EXPECT_EQ(number(4), 2U);
    EXPECT_EQ(number(8), file.size());
    const std::uint32_t text = number(12);
    EXPECT_EQ(file.substr(16, 4), "JSON");
    EXPECT_EQ(text % 4, 0U);
    document = json::parse(file.substr(20, text));
    const std::uint32_t size = number(20 + text);
    EXPECT_EQ(file.substr(24 + text, 4), std::string("BIN\0", 4));
    EXPECT_EQ(size % 4, 0U);
    bytes = file.substr(28 + text);
    EXPECT_EQ(bytes.size(), size);
    EXPECT_EQ(document.at("buffers").size(), 1U);
    EXPECT_EQ(document["buffers"][0]["byteLength"], size);
  }

  [[nodiscard]] std::size_t width(const json& accessor) const {
    const std::string type = accessor.at("type");
    return type == "SCALAR" ? 1 : type == "VEC3" ? 3 : type == "VEC4" ? 4 : 0;
  }
  template <class Number>
  [[nodiscard]] std::vector<Number> numbers(std::size_t index) const {
    const json& accessor = document.at("accessors").at(index);
    EXPECT_EQ(accessor.at("componentType"), (std::is_same_v<Number, float> ? 5126 : 5125));
    const json& view = document.at("bufferViews").at(accessor.at("bufferView").get<std::size_t>());
    const std::size_t count = width(accessor) * accessor.at("count").get<std::size_t>();
    EXPECT_EQ(view.at("byteLength"), 4 * count);
    std::vector<Number> result(count);
    std::memcpy(result.data(), bytes.data() + view.at("byteOffset").get<std::size_t>(), 4 * count);
    return result;
  }
  [[nodiscard]] std::size_t node(const std::string& name) const {
    for (std::size_t i = 0; i < document.at("nodes").size(); ++i) {
      if (document["nodes"][i].at("name").get<std::string>().starts_with(name)) {
        return i;
      }
    }
    return document["nodes"].size();
  }
  [[nodiscard]] std::size_t nodes(const std::string& name) const {
    return static_cast<std::size_t>(std::ranges::count_if(
        document.at("nodes"), [&](const json& n) { return n.at("name").get<std::string>().starts_with(name); }));
  }
  /// The sampler of a node's channel.
  [[nodiscard]] json sampler(std::size_t of_node, const std::string& path) const {
    const json& animation = document.at("animations").at(0);
    for (const json& channel : animation.at("channels")) {
      if (channel.at("target").at("node") == of_node && channel["target"].at("path") == path) {
        return animation.at("samplers").at(channel.at("sampler").get<std::size_t>());
      }
    }
    ADD_FAILURE() << path;
    return {};
  }
};

/// What must hold of any file: indices in range, views inside the buffer and aligned, bounds that are right.
void expect_valid(const Glb& glb) {
  const json& d = glb.document;
  EXPECT_EQ(d.at("asset").at("version"), "2.0");
  std::size_t covered = 0;
  for (const json& view : d.at("bufferViews")) {
    EXPECT_EQ(view.at("byteOffset").get<std::size_t>() % 4, 0U);
    EXPECT_EQ(view["byteOffset"], covered);  // one after the other, nothing between
    covered += view.at("byteLength").get<std::size_t>();
    EXPECT_GT(view["byteLength"], 0);
  }
  EXPECT_EQ(covered, glb.bytes.size());
  const auto expect_bounds = [&](std::size_t index) {
    const json& accessor = d["accessors"].at(index);
    const auto numbers = glb.numbers<float>(index);
    const std::size_t width = glb.width(accessor);
    for (std::size_t k = 0; k < width; ++k) {
      float low = INFINITY, high = -INFINITY;
      for (std::size_t i = k; i < numbers.size(); i += width) {
        low = std::min(low, numbers[i]);
        high = std::max(high, numbers[i]);
      }
      EXPECT_EQ(accessor.at("min").at(k).get<float>(), low);
      EXPECT_EQ(accessor.at("max").at(k).get<float>(), high);
    }
  };
  for (const json& mesh : d.at("meshes")) {
    for (const json& primitive : mesh.at("primitives")) {
      EXPECT_LT(primitive.at("material"), d.at("materials").size());
      const std::size_t positions = primitive.at("attributes").at("POSITION");
      expect_bounds(positions);
      EXPECT_EQ(d["accessors"][positions]["type"], "VEC3");
      const std::uint32_t vertices = d["accessors"][positions]["count"];
      const auto indices = glb.numbers<std::uint32_t>(primitive.at("indices").get<std::size_t>());
      EXPECT_EQ(indices.size() % 3, 0U);
      for (const std::uint32_t i : indices) {
        EXPECT_LT(i, vertices);
      }
    }
  }
  // Every node but the root is its child, once
  std::set<std::size_t> children;
  for (const json& child : d["nodes"][0].at("children")) {
    EXPECT_TRUE(children.insert(child.get<std::size_t>()).second);
  }
  EXPECT_EQ(children.size() + 1, d["nodes"].size());
  EXPECT_EQ(children.count(0), 0U);
  for (std::size_t i = 1; i < d["nodes"].size(); ++i) {
    EXPECT_LT(d["nodes"][i].at("mesh"), d["meshes"].size());
  }
  EXPECT_EQ(d.at("scenes").at(d.at("scene").get<std::size_t>()).at("nodes"), json::array({0}));
  std::set<std::pair<std::size_t, std::string>> targets;
  for (const json& channel : d["animations"][0].at("channels")) {
    const json& sampler = d["animations"][0].at("samplers").at(channel.at("sampler").get<std::size_t>());
    const std::string path = channel.at("target").at("path");
    EXPECT_TRUE(targets.insert({channel["target"].at("node"), path}).second);
    const std::size_t input = sampler.at("input"), output = sampler.at("output");
    expect_bounds(input);
    const auto times = glb.numbers<float>(input);
    EXPECT_EQ(times.front(), 0);
    EXPECT_TRUE(std::ranges::is_sorted(times, std::less_equal<>{}));
    EXPECT_EQ(d["accessors"][output]["count"], times.size());
    const auto keys = glb.numbers<float>(output);
    if (path == "rotation") {
      for (std::size_t i = 0; i < keys.size(); i += 4) {
        EXPECT_NEAR(std::hypot(std::hypot(keys[i], keys[i + 1]), std::hypot(keys[i + 2], keys[i + 3])), 1, 1e-6);
      }
    }
  }
}

std::vector<AnimationFrame> tumbling() {
  test::Random random(91);
  std::vector<AnimationFrame> frames;
  Pose pose;
  for (int i = 0; i < 40; ++i) {
    pose = moved(pose, {}, {0.001, 0, 0.002}, {0.2, 0.1, 0});  // more than a whole turn
    AnimationFrame frame{5 + 0.02 * i, pose, {}};
    for (int k = 0; k < i % 7; ++k) {
      frame.forces.push_back({test::random_vector(random, 0.1), test::random_vector(random, 3),
                              k % 2 == 0 ? Vector3{0.1, 0, 0} : Vector3{}});
    }
    frames.push_back(frame);
  }
  return frames;
}

TEST(Gltf, IsValid) {
  const std::vector<geometry::Mesh> fixed{geometry::box({1, 1, 0.1}), geometry::sphere(0.1, 2)};
  const std::string file = to_glb(fixed, geometry::cylinder(0.02, 0.1), tumbling());
  EXPECT_EQ(file, to_glb(fixed, geometry::cylinder(0.02, 0.1), tumbling()));  // the same bytes
  const Glb glb(file);
  expect_valid(glb);
  EXPECT_EQ(glb.nodes("fixed"), 2U);
  EXPECT_EQ(glb.nodes("moving"), 1U);
  EXPECT_EQ(glb.nodes("normal force"), 6U);
  EXPECT_EQ(glb.nodes("friction"), 3U);
}

TEST(Gltf, MovesAsTheBodyDid) {
  const auto frames = tumbling();
  const Glb glb(to_glb({}, geometry::box({0.1, 0.1, 0.1}), frames));
  expect_valid(glb);
  const std::size_t node = glb.node("moving");
  const json translation = glb.sampler(node, "translation");
  EXPECT_EQ(translation.at("interpolation"), "LINEAR");
  const auto places = glb.numbers<float>(translation.at("output").get<std::size_t>());
  const auto turns = glb.numbers<float>(glb.sampler(node, "rotation").at("output").get<std::size_t>());
  const auto times = glb.numbers<float>(translation.at("input").get<std::size_t>());
  for (std::size_t i = 0; i < frames.size(); ++i) {
    EXPECT_NEAR(times[i], frames[i].time - 5, 1e-6);
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_NEAR(places[3 * i + k], frames[i].body.position[k], 1e-7);
    }
    // x, y, z, w in the file
    const Matrix3 turn = rotation_of({turns[4 * i + 3], turns[4 * i], turns[4 * i + 1], turns[4 * i + 2]});
    EXPECT_LT(test::largest_difference(turn, frames[i].body.rotation), 1e-6);
    if (i > 0) {  // never the long way round
      double with_last = 0;
      for (std::size_t k = 0; k < 4; ++k) {
        with_last += turns[4 * i + k] * turns[4 * i - 4 + k];
      }
      EXPECT_GT(with_last, 0.9);
    }
  }
}

TEST(Gltf, ShowsTheFirstFrameWhereNothingPlaysIt) {
  auto frames = tumbling();
  frames.erase(frames.begin());  // the next one has a force
  const std::vector<geometry::Mesh> fixed{geometry::box({1, 1, 0.1}), geometry::box({1, 1, 0.1})};
  AnimationOptions options{.metres_per_newton = 0.02};
  options.moving_name = "peg";
  options.fixed_names = {"plate"};
  const Glb glb(to_glb(fixed, geometry::box({0.1, 0.1, 0.1}), frames, options));
  expect_valid(glb);
  std::set<std::string> names;
  for (const json& node : glb.document.at("nodes")) {
    EXPECT_TRUE(names.insert(node.at("name")).second) << node;  // each its own
  }
  for (const char* name : {"scene", "peg", "plate", "fixed 2", "normal force 1"}) {
    EXPECT_EQ(names.count(name), 1U) << name;
  }
  for (const char* list : {"meshes", "materials", "animations"}) {
    for (const json& each : glb.document.at(list)) {
      EXPECT_NE(each.at("name"), "") << list;
    }
  }
  const json& body = glb.document["nodes"][glb.node("peg")];
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(body.at("translation").at(k).get<double>(), frames[0].body.position[k], 1e-7);
  }
  EXPECT_EQ(body.at("rotation").size(), 4U);
  // Without a size of its own an arrow would be a metre long
  const json& arrow = glb.document["nodes"][glb.node("normal force")];
  EXPECT_NEAR(arrow.at("scale").at(2).get<double>(), 0.02 * norm(frames[0].forces[0].normal_force), 1e-6);
  EXPECT_EQ(glb.document["nodes"][0].at("extras").at("metres_per_newton"), 0.02);
}

TEST(Gltf, ArrowsPointAlongTheirForces) {
  test::Random random(92);
  std::vector<AnimationFrame> frames(30);
  for (std::size_t i = 0; i < frames.size(); ++i) {
    frames[i].time = static_cast<double>(i);
    Vector3 force = test::random_vector(random, 4);
    if (i < 2) {
      force = {0, 0, i == 0 ? 2.0 : -2.0};  // along the axis of the arrow, and against it
    }
    if (i != 5) {
      frames[i].forces.push_back({{1, 2, 3}, force, {}});
    }
  }
  const Glb glb(to_glb({}, geometry::box({0.1, 0.1, 0.1}), frames, {.metres_per_newton = 0.05}));
  expect_valid(glb);
  EXPECT_EQ(glb.nodes("friction"), 0U);
  const std::size_t node = glb.node("normal force");
  EXPECT_EQ(glb.sampler(node, "scale").at("interpolation"), "STEP");
  const auto places = glb.numbers<float>(glb.sampler(node, "translation").at("output").get<std::size_t>());
  const auto turns = glb.numbers<float>(glb.sampler(node, "rotation").at("output").get<std::size_t>());
  const auto sizes = glb.numbers<float>(glb.sampler(node, "scale").at("output").get<std::size_t>());
  for (std::size_t i = 0; i < frames.size(); ++i) {
    if (i == 5) {
      EXPECT_EQ(sizes[3 * i + 2], 0);
      continue;
    }
    const Vector3& force = frames[i].forces[0].normal_force;
    const Matrix3 turn = rotation_of({turns[4 * i + 3], turns[4 * i], turns[4 * i + 1], turns[4 * i + 2]});
    const Vector3 along = rotate(turn, {0, 0, sizes[3 * i + 2]});
    EXPECT_LT(norm(difference(along, scaled(0.05, force))), 1e-6) << i;
    EXPECT_EQ(places[3 * i + 1], 2);
  }
}

TEST(Gltf, ShowsTheStrongestOfMany) {
  AnimationFrame frame;
  for (int k = 0; k < 50; ++k) {
    frame.forces.push_back({{0.001 * k, 0, 0}, {0, 0, k == 33 ? 9.0 : 1.0}, {1, 0, 0}});
  }
  const Glb glb(to_glb({}, geometry::box({0.1, 0.1, 0.1}), std::span(&frame, 1), {.max_arrows = 3}));
  expect_valid(glb);
  EXPECT_EQ(glb.nodes("normal force"), 3U);
  const auto first =
      glb.numbers<float>(glb.sampler(glb.node("normal force"), "translation").at("output").get<std::size_t>());
  EXPECT_FLOAT_EQ(first[0], 0.033F);
}

TEST(Gltf, RefusesWhatCannotBe) {
  const geometry::Mesh mesh = geometry::box({1, 1, 1});
  EXPECT_THROW(to_glb({}, mesh, {}), InvalidParameter);
  std::vector<AnimationFrame> frames(2);
  EXPECT_THROW(to_glb({}, mesh, frames), InvalidParameter);  // the same time twice
  frames[1].time = 1;
  EXPECT_NO_THROW(to_glb({}, mesh, frames));
  frames[1].body.position[0] = NAN;
  EXPECT_THROW(to_glb({}, mesh, frames), InvalidParameter);
  frames[1].body.position[0] = 1e300;  // no 32-bit number
  EXPECT_THROW(to_glb({}, mesh, frames), InvalidParameter);
  frames[1].body.position[0] = 0;
  frames[1].forces.push_back({{}, {INFINITY, 0, 0}, {}});
  EXPECT_THROW(to_glb({}, mesh, frames), InvalidParameter);
  frames[1].forces.clear();
  for (const double bad : {std::nan(""), -0.1, 1.1}) {
    EXPECT_THROW(to_glb({}, mesh, frames, {.opacity = bad}), InvalidParameter);
  }
  for (const double bad : {std::nan(""), -1.0, static_cast<double>(INFINITY)}) {
    EXPECT_THROW(to_glb({}, mesh, frames, {.metres_per_newton = bad}), InvalidParameter);
  }
  geometry::Mesh wrong = mesh;
  wrong.triangles[0][0] = 1000;
  EXPECT_THROW(to_glb({}, wrong, frames), geometry::MeshError);
  EXPECT_THROW(to_glb(std::span(&wrong, 1), mesh, frames), geometry::MeshError);
  EXPECT_THROW(to_glb({}, {}, frames), geometry::MeshError);
}

}  // namespace
}  // namespace stiction::viz
