// A haptic scene in TOML, with the meshes of fuzz/files and a ready-made scene.
#include "stiction/io/haptic_scene.h"

#include "fuzz/support.h"
#include "stiction/geometry/shapes.h"
#include "stiction/io/file.h"

using stiction::fuzz::accepted;

namespace {

const stiction::io::SceneCatalogue& catalogue() {
  using namespace stiction;
  static const io::SceneCatalogue all{
      .scenes = {{"peg-and-hole",
                  {[](const geometry::Progress&) {
                     haptics::SceneDescription scene;
                     scene.moving.mesh = geometry::cylinder(0.01, 0.05);
                     scene.fixed.emplace_back().mesh = geometry::box({0.1, 0.1, 0.02});
                     return scene;
                   },
                   [](double duration) {
                     return haptics::Trajectory({{0, {}}, {duration, {}}});
                   }}}},
      .methods = {{"own", [](double) { return [](std::size_t most) { return haptics::make_cone_program(most); }; }}}};
  return all;
}

}  // namespace

FUZZ_TARGET(haptic_scene)(std::span<const std::uint8_t> input) {
  const std::string_view text = stiction::fuzz::Bytes(input).rest();
  accepted<stiction::geometry::MeshError>([&] {
    accepted<stiction::io::InputError>([&] {
      const auto scene = stiction::io::parse_haptic_scene(text, "input", {}, catalogue());
      FUZZ_REQUIRE(std::isfinite(scene.duration) && scene.duration > 0);
      FUZZ_REQUIRE(stiction::fuzz::all_finite(scene.scene.start.position));
      const auto pose = scene.hand.path.at(scene.duration / 2);
      FUZZ_REQUIRE(stiction::fuzz::all_finite(pose.position));
      for (const auto& part : scene.scene.fixed) {
        FUZZ_REQUIRE(part.friction >= 0 && std::isfinite(part.friction));
        for (const auto& vertex : part.mesh.vertices) {
          FUZZ_REQUIRE(stiction::fuzz::all_finite(vertex));
        }
      }
    });
  });
}
