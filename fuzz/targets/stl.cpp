// Meshes in STL files.
#include "fuzz/mesh_inputs.h"

FUZZ_TARGET(stl)(std::span<const std::uint8_t> input) {
  stiction::fuzz::accepted<stiction::geometry::MeshError>(
      [&] { stiction::fuzz::check_mesh(stiction::geometry::parse_stl(stiction::fuzz::Bytes(input).rest(), "input")); });
}
