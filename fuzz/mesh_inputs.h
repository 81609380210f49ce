// What must hold for a mesh from any file.
#pragma once

#include "fuzz/support.h"
#include "stiction/geometry/mesh_check.h"
#include "stiction/geometry/mesh_file.h"

namespace stiction::fuzz {

/// Vertices are finite and triangles name vertices that exist; written as PLY it is the same, but for 32-bit numbers;
/// repaired, it is closed and needs no repair.
inline void check_mesh(const geometry::Mesh& mesh) {
  for (const auto& vertex : mesh.vertices) {
    FUZZ_REQUIRE(all_finite(vertex));
  }
  for (const auto& triangle : mesh.triangles) {
    FUZZ_REQUIRE(std::ranges::all_of(triangle, [&](std::uint32_t i) { return i < mesh.vertices.size(); }));
  }
  if (mesh.triangles.size() > 200) {
    return;
  }
  accepted<geometry::MeshError>([&] {
    const geometry::Mesh again = geometry::parse_ply(geometry::to_ply(mesh), "written");
    FUZZ_REQUIRE(again.triangles == mesh.triangles);
  });
  accepted<geometry::MeshError>([&] {
    const geometry::Mesh solid = geometry::checked_mesh(mesh);
    FUZZ_REQUIRE(geometry::is_closed(solid));
    geometry::MeshReport report;
    (void)geometry::checked_mesh(solid, "repaired", &report);
    FUZZ_REQUIRE(!report.changed());
  });
}

}  // namespace stiction::fuzz
