// Meshes in PLY files.
#include "fuzz/mesh_inputs.h"

FUZZ_TARGET(ply)(std::span<const std::uint8_t> input) {
  stiction::fuzz::accepted<stiction::geometry::MeshError>(
      [&] { stiction::fuzz::check_mesh(stiction::geometry::parse_ply(stiction::fuzz::Bytes(input).rest(), "input")); });
}
