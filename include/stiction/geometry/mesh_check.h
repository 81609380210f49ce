// Checks that a mesh is the surface of a solid. Small defects are repaired and counted; others are a MeshError that
// says where.
#pragma once

#include <cstddef>
#include <string>

#include "stiction/export.h"
#include "stiction/geometry/mesh.h"

namespace stiction::geometry {

/// Repairs and findings.
struct MeshReport {
  std::size_t welded = 0;      // vertices merged with an equal one
  std::size_t unused = 0;      // vertices of no triangle, removed
  std::size_t degenerate = 0;  // triangles with two equal corners, removed
  std::size_t duplicate = 0;   // repeated triangles, also as a back-to-back pair, removed
  std::size_t flipped = 0;     // triangles reversed to agree with their neighbours, or to face outwards
  std::size_t slivers = 0;     // triangles of zero area that connect their neighbours, kept
  std::size_t parts = 0;       // connected components: separate solids, and cavities
  [[nodiscard]] bool changed() const noexcept { return welded + unused + degenerate + duplicate + flipped != 0; }
};
/// "12 equal vertices welded, 3 triangles flipped"; empty if nothing was changed.
STICTION_EXPORT std::string describe(const MeshReport& report);

/// The repaired mesh, if it bounds a solid: finite vertices, every edge shared by two triangles or, where solids
/// touch, by another even number, consistent orientation. A part that is inside no other faces outwards. One inside
/// another is left as it is: facing inwards it is a cavity. `name` is at the start of messages, e.g. a file.
STICTION_EXPORT Mesh checked_mesh(const Mesh& mesh, const std::string& name = "mesh", MeshReport* report = nullptr);

/// Whether every edge is traversed equally often in both directions, as a distance field requires.
STICTION_EXPORT bool is_closed(const Mesh& mesh);

}  // namespace stiction::geometry
