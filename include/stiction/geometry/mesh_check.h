// Is a mesh the surface of a solid? Small faults are repaired and counted; others are a MeshError that says where.
#pragma once

#include <cstddef>
#include <string>

#include "stiction/geometry/mesh.h"

namespace stiction::geometry {

/// What was changed, and what was found.
struct MeshReport {
  std::size_t welded = 0;      // vertices that were equal to another
  std::size_t unused = 0;      // vertices of no triangle, removed
  std::size_t degenerate = 0;  // triangles with two equal corners, removed
  std::size_t duplicate = 0;   // triangles that were there already, also as a back-to-back pair, removed
  std::size_t turned = 0;      // triangles turned round to agree with their neighbours, or to face outwards
  std::size_t slivers = 0;     // triangles without an area that hold their neighbours together, kept
  std::size_t parts = 0;       // connected surfaces: separate solids, and cavities
  [[nodiscard]] bool changed() const noexcept { return welded + unused + degenerate + duplicate + turned != 0; }
};
/// "welded 12 equal vertices, turned 3 triangles"; empty where nothing was changed.
std::string describe(const MeshReport& report);

/// The mesh, repaired, where it bounds a solid: finite vertices, every edge between two triangles, one side outwards.
/// A part that lies in no other faces outwards. One inside another is kept as it is: facing inwards it is a cavity.
/// `name` stands at the start of messages, e.g. a file.
Mesh checked_mesh(const Mesh& mesh, const std::string& name = "mesh", MeshReport* report = nullptr);

/// Whether as many triangles pass every edge one way as the other: what a distance field needs.
bool is_closed(const Mesh& mesh);

}  // namespace stiction::geometry
