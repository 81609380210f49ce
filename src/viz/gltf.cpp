#include "stiction/viz/gltf.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <numbers>

namespace stiction::viz {
namespace {

using geometry::Mesh;
using haptics::Quaternion;
using nlohmann::json;

// Constants of the format
constexpr int float_component = 5126;
constexpr int index_component = 5125;  // 32-bit
constexpr int vertex_target = 34962;
constexpr int index_target = 34963;

template <std::size_t N>
using Row = std::array<float, N>;

void append(std::string& bytes, std::uint32_t number) {
  for (unsigned i = 0; i < 4; ++i) {
    bytes.push_back(static_cast<char>((number >> (8 * i)) & 0xffU));  // little endian
  }
}
void append(std::string& bytes, float number) { append(bytes, std::bit_cast<std::uint32_t>(number)); }

float as_float(double x) {
  const auto number = static_cast<float>(x);
  if (!std::isfinite(number)) {
    throw InvalidParameter({"animation", x, "of finite 32-bit numbers"});
  }
  return number;
}
Row<3> as_row(const Vector3& a) { return {as_float(a[0]), as_float(a[1]), as_float(a[2])}; }
Row<4> as_row(const Quaternion& q) { return {as_float(q.x), as_float(q.y), as_float(q.z), as_float(q.w)}; }

/// The document and the numbers it refers to.
class Document {
 public:
  Document() {
    root_ = {{"asset", {{"version", "2.0"}, {"generator", "Stiction"}}},
             {"scene", 0},
             {"scenes", json::array({{{"nodes", {0}}}})},
             // z is up in the scene, y in glTF
             {"nodes", json::array({{{"name", "scene"},
                                     {"rotation", {-std::numbers::sqrt2 / 2, 0, 0, std::numbers::sqrt2 / 2}},
                                     {"children", json::array()}}})},
             {"meshes", json::array()},
             {"materials", json::array()},
             {"accessors", json::array()},
             {"bufferViews", json::array()}};
  }

  /// Adds rows of numbers, and returns the index of their accessor. `target`: the buffer's use; 0 for animations.
  template <std::size_t N>
  std::size_t add_rows(const std::vector<Row<N>>& rows, int target, bool with_bounds) {
    static_assert(N == 1 || N == 3 || N == 4);
    const std::size_t begin = bytes_.size();
    Row<N> low{};
    Row<N> high{};
    low.fill(std::numeric_limits<float>::infinity());
    high.fill(-std::numeric_limits<float>::infinity());
    for (const Row<N>& row : rows) {
      for (std::size_t i = 0; i < N; ++i) {
        append(bytes_, row[i]);
        low[i] = std::min(low[i], row[i]);
        high[i] = std::max(high[i], row[i]);
      }
    }
    json accessor = {{"bufferView", add_view(begin, target)},
                     {"componentType", float_component},
                     {"count", rows.size()},
                     {"type", N == 1   ? "SCALAR"
                              : N == 3 ? "VEC3"
                                       : "VEC4"}};
    if (with_bounds) {
      accessor["min"] = low;
      accessor["max"] = high;
    }
    return push("accessors", accessor);
  }

  std::size_t add_mesh(const std::string& name, const Mesh& mesh, std::size_t material) {
    std::vector<Row<3>> vertices;
    vertices.reserve(mesh.vertices.size());
    for (const Vector3& v : mesh.vertices) {
      vertices.push_back(as_row(v));
    }
    const std::size_t vertex_rows = add_rows(vertices, vertex_target, true);
    const std::size_t begin = bytes_.size();
    for (const geometry::Triangle& triangle : mesh.triangles) {
      for (const std::uint32_t i : triangle) {
        append(bytes_, i);
      }
    }
    const std::size_t indices = push("accessors", {{"bufferView", add_view(begin, index_target)},
                                                   {"componentType", index_component},
                                                   {"count", 3 * mesh.triangles.size()},
                                                   {"type", "SCALAR"}});
    // Without vertex normals a viewer uses those of the triangles
    return push(
        "meshes",
        {{"name", name},
         {"primitives",
          json::array({{{"attributes", {{"POSITION", vertex_rows}}}, {"indices", indices}, {"material", material}}})}});
  }

  std::size_t add_material(const char* name, const Colour& colour, double opacity, bool glows) {
    // The format has linear colours, not gamma-encoded ones
    const auto light = [](double c) { return std::pow(c, 2.2); };
    json material = {{"name", name},
                     {"pbrMetallicRoughness",
                      {{"baseColorFactor", {light(colour.red), light(colour.green), light(colour.blue), opacity}},
                       {"metallicFactor", 0},
                       {"roughnessFactor", 0.8}}},
                     {"doubleSided", true}};
    if (opacity < 1) {
      material["alphaMode"] = "BLEND";
    }
    if (glows) {
      material["emissiveFactor"] = {light(colour.red), light(colour.green), light(colour.blue)};
    }
    return push("materials", material);
  }

  std::size_t add_node(const std::string& name, std::size_t mesh) {
    const std::size_t node = push("nodes", {{"name", name}, {"mesh", mesh}});
    root_["nodes"][0]["children"].push_back(node);
    return node;
  }

  /// A property of the whole scene that viewers keep.
  void add_note(const char* name, double value) { root_["nodes"][0]["extras"][name] = value; }

  /// Keyframes of a node at the times of an accessor. The first is also its pose in viewers without animation.
  template <std::size_t N>
  void add_channel(std::size_t node, const char* path, std::size_t times, const std::vector<Row<N>>& keys, bool steps) {
    root_["nodes"][node][path] = keys.front();
    json& animation = root_["animations"][0];
    animation["name"] = "motion";
    const std::size_t sampler = animation["samplers"].size();
    animation["samplers"].push_back(
        {{"input", times}, {"output", add_rows(keys, 0, false)}, {"interpolation", steps ? "STEP" : "LINEAR"}});
    animation["channels"].push_back({{"sampler", sampler}, {"target", {{"node", node}, {"path", path}}}});
  }

  /// Header, the document padded with spaces, the numbers; each part starts at a multiple of four.
  [[nodiscard]] std::string to_bytes() {
    root_["buffers"] = json::array({{{"byteLength", bytes_.size()}}});
    std::string text = root_.dump(-1, ' ', false, json::error_handler_t::replace);
    text.resize((text.size() + 3) / 4 * 4, ' ');
    constexpr std::size_t headers = 12 + 8 + 8;
    const std::size_t total = headers + text.size() + bytes_.size();
    if (total > std::numeric_limits<std::uint32_t>::max()) {
      throw InvalidParameter({"animation", static_cast<double>(total), "less than 4 GiB", true});
    }
    std::string file = "glTF";
    file.reserve(total);
    append(file, std::uint32_t{2});
    append(file, static_cast<std::uint32_t>(total));
    append(file, static_cast<std::uint32_t>(text.size()));
    file += "JSON";
    file += text;
    append(file, static_cast<std::uint32_t>(bytes_.size()));
    file += std::string("BIN\0", 4);
    return file += bytes_;
  }

 private:
  std::size_t push(const char* list, const json& element) {
    root_[list].push_back(element);
    return root_[list].size() - 1;
  }
  std::size_t add_view(std::size_t begin, int target) {
    json view = {{"buffer", 0}, {"byteOffset", begin}, {"byteLength", bytes_.size() - begin}};
    if (target != 0) {
      view["target"] = target;
    }
    return push("bufferViews", view);
  }

  json root_;
  std::string bytes_;
};

/// From the origin along z to a length of 1, a shaft and a head about as wide as 1.
Mesh unit_arrow() {
  constexpr std::uint32_t sides = 12;
  constexpr double shaft = 0.4;
  constexpr double head_begin = 0.7;
  Mesh mesh;
  mesh.vertices = {{0, 0, 0}, {0, 0, 1}};
  struct Ring {
    double radius, z;
  };
  for (const Ring& ring : {Ring{shaft, 0}, Ring{shaft, head_begin}, Ring{1, head_begin}}) {
    for (std::uint32_t i = 0; i < sides; ++i) {
      const double angle = 2 * std::numbers::pi * i / sides;
      mesh.vertices.push_back({0.5 * ring.radius * std::cos(angle), 0.5 * ring.radius * std::sin(angle), ring.z});
    }
  }
  for (std::uint32_t i = 0; i < sides; ++i) {
    const auto at = [&](std::uint32_t ring, std::uint32_t k) { return 2 + ring * sides + k % sides; };
    mesh.triangles.push_back({0, at(0, i + 1), at(0, i)});
    for (const std::uint32_t ring : {0U, 1U}) {
      mesh.triangles.push_back({at(ring, i), at(ring, i + 1), at(ring + 1, i + 1)});
      mesh.triangles.push_back({at(ring, i), at(ring + 1, i + 1), at(ring + 1, i)});
    }
    mesh.triangles.push_back({at(2, i), at(2, i + 1), 1});
  }
  return mesh;
}

/// The rotation that takes z to a direction.
Quaternion rotation_of_z(const Vector3& to) noexcept {
  const Vector3 axis{-to[1], to[0], 0};  // z × to
  const double sine = norm(axis);
  const double angle = std::atan2(sine, to[2]);
  if (sine < 1e-12 * norm(to)) {
    return to[2] < 0 ? Quaternion{0, 1, 0, 0} : Quaternion{1, 0, 0, 0};
  }
  const double s = std::sin(0.5 * angle) / sine;
  return {std::cos(0.5 * angle), s * axis[0], s * axis[1], 0};
}

struct Arrow {
  Vector3 from{}, force{};
};

/// The arrows of one kind, frame by frame, the strongest first; nodes without an arrow in a frame have zero size.
void add_arrows(Document& document, const char* name, const Colour& colour, std::size_t times,
                const std::vector<std::vector<Arrow>>& frames, double metres_per_newton, double width) {
  std::size_t nodes = 0;
  for (const auto& arrows : frames) {
    nodes = std::max(nodes, arrows.size());
  }
  if (nodes == 0) {
    return;
  }
  const std::size_t mesh = document.add_mesh(name, unit_arrow(), document.add_material(name, colour, 1, true));
  for (std::size_t k = 0; k < nodes; ++k) {
    std::vector<Row<3>> positions;
    std::vector<Row<3>> sizes;
    std::vector<Row<4>> rotations;
    for (const auto& arrows : frames) {
      const Arrow arrow = k < arrows.size() ? arrows[k] : Arrow{};
      const double length = norm(arrow.force) * metres_per_newton;
      positions.push_back(as_row(arrow.from));
      rotations.push_back(as_row(length > 0 ? rotation_of_z(arrow.force) : Quaternion{1, 0, 0, 0}));
      sizes.push_back(length > 0 ? as_row(Vector3{width, width, length}) : Row<3>{});
    }
    const std::size_t node = document.add_node(std::string(name) + ' ' + std::to_string(k + 1), mesh);
    document.add_channel(node, "translation", times, positions, true);
    document.add_channel(node, "rotation", times, rotations, true);
    document.add_channel(node, "scale", times, sizes, true);
  }
}

}  // namespace

std::string to_glb(std::span<const Mesh> fixed, const Mesh& moving, std::span<const AnimationFrame> frames,
                   const AnimationOptions& options) {
  if (frames.empty()) {
    throw InvalidParameter({"frames", 0, "at least one", true});
  }
  if (!(options.opacity >= 0 && options.opacity <= 1)) {
    throw InvalidParameter({"opacity", options.opacity, "0 to 1"});
  }
  if (!non_negative.holds(options.metres_per_newton)) {
    throw InvalidParameter({"metres_per_newton", options.metres_per_newton, non_negative.text});
  }
  for (const Mesh& mesh : fixed) {
    geometry::require_valid(mesh, "fixed mesh");
  }
  geometry::require_valid(moving, "moving mesh");
  Document document;
  const std::size_t grey = document.add_material("fixed parts", {0.7, 0.7, 0.72}, 1, false);
  for (std::size_t i = 0; i < fixed.size(); ++i) {
    const std::string name = i < options.fixed_names.size() ? options.fixed_names[i] : "fixed " + std::to_string(i + 1);
    document.add_node(name, document.add_mesh(name, fixed[i], grey));
  }
  const std::size_t blue = document.add_material("moving part", {0.25, 0.45, 0.75}, options.opacity, false);
  const std::size_t body = document.add_node(options.moving_name, document.add_mesh(options.moving_name, moving, blue));

  std::vector<Row<1>> times;
  std::vector<Row<3>> positions;
  std::vector<Row<4>> rotations;
  Quaternion last{1, 0, 0, 0};
  double strongest = 0;
  for (const AnimationFrame& frame : frames) {
    const float time = as_float(frame.time - frames.front().time);
    if (!times.empty() && !(time > times.back()[0])) {
      throw InvalidParameter({"time", frame.time, "later than that of the previous frame"});
    }
    times.push_back({time});
    positions.push_back(as_row(frame.body.position));
    Quaternion rotation = haptics::quaternion_of(frame.body.rotation);
    // The shorter rotation from the last
    if (rotation.w * last.w + rotation.x * last.x + rotation.y * last.y + rotation.z * last.z < 0) {
      rotation = {-rotation.w, -rotation.x, -rotation.y, -rotation.z};
    }
    rotations.push_back(as_row(rotation));
    last = rotation;
    for (const ShownForce& force : frame.forces) {
      for (const Vector3& numbers : {force.position, force.normal_force, force.friction}) {
        static_cast<void>(as_row(numbers));  // throws where one is not finite
      }
      strongest = std::max({strongest, norm(force.normal_force), norm(force.friction)});
    }
  }
  const std::size_t input = document.add_rows(times, 0, true);
  document.add_channel(body, "translation", input, positions, false);
  document.add_channel(body, "rotation", input, rotations, false);

  const double size = norm(geometry::bounds(moving).size());
  const double metres_per_newton = options.metres_per_newton > 0 ? options.metres_per_newton
                                   : strongest > 0               ? size / (3 * strongest)
                                                                 : 0;
  document.add_note("metres_per_newton", metres_per_newton);
  std::vector<std::vector<Arrow>> normals(frames.size());
  std::vector<std::vector<Arrow>> frictions(frames.size());
  for (std::size_t i = 0; i < frames.size(); ++i) {
    for (const ShownForce& force : frames[i].forces) {
      normals[i].push_back({force.position, force.normal_force});
      if (norm(force.friction) > 0) {
        frictions[i].push_back({force.position, force.friction});
      }
    }
    for (auto* arrows : {&normals[i], &frictions[i]}) {
      std::ranges::stable_sort(*arrows, std::greater{}, [](const Arrow& a) { return norm(a.force); });
      arrows->resize(std::min(arrows->size(), options.max_arrows));
    }
  }
  const double width = 0.02 * size;
  add_arrows(document, "normal force", normal_force_colour, input, normals, metres_per_newton, width);
  add_arrows(document, "friction", friction_colour, input, frictions, metres_per_newton, width);
  return document.to_bytes();
}

}  // namespace stiction::viz
