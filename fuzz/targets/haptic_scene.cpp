// A haptic scene in TOML, with the meshes of fuzz/files.
#include "stiction/io/haptic_scene.h"

#include "fuzz/support.h"
#include "stiction/geometry/mesh.h"
#include "stiction/io/file.h"

using stiction::fuzz::accepted;

FUZZ_TARGET(haptic_scene)(std::span<const std::uint8_t> input) {
  const std::string_view text = stiction::fuzz::Bytes(input).rest();
  accepted<stiction::geometry::MeshError>([&] {
    accepted<stiction::io::InputError>([&] {
      const auto scene = stiction::io::parse_haptic_scene(text, "input");
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
