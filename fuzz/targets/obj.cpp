// Meshes in OBJ files.
#include "fuzz/mesh_inputs.h"

FUZZ_TARGET(obj)(std::span<const std::uint8_t> input) {
  stiction::fuzz::accepted<stiction::geometry::MeshError>(
      [&] { stiction::fuzz::check_mesh(stiction::geometry::parse_obj(stiction::fuzz::Bytes(input).rest(), "input")); });
}
