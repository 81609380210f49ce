// Closes open surfaces, which mesh_check.h rejects.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "stiction/export.h"
#include "stiction/geometry/mesh.h"
#include "stiction/geometry/mesh_check.h"

namespace stiction::geometry {

struct RepairOptions {
  double weld = 0;  // vertices closer than this become one [m]; 0: 1e-6 of the longest side
  std::optional<std::size_t> max_hole_edges =
      {};  // larger holes stay open, and the mesh is refused; none: any is filled
};

/// What was changed.
struct RepairReport {
  double weld = 0;                // distance used [m]
  std::size_t near = 0;           // vertices merged with one that was close but not equal
  std::size_t removed = 0;        // triangles without area or repeated, and fins: triangles with two open edges on an
                                  // edge of more than two triangles
  std::size_t holes = 0;          // filled
  std::size_t added = 0;          // triangles in them
  std::size_t largest_edges = 0;  // number of edges of the hole with the most edges
  double largest_size = 0;        // longest side of the box around the widest hole [m]
  MeshReport check;               // of the closed mesh, from checked_mesh
  [[nodiscard]] bool changed() const noexcept { return near + removed + holes != 0 || check.changed(); }
};
/// "merged 12 near vertices, filled 2 holes with 14 triangles, …"; empty if nothing was changed.
STICTION_EXPORT std::string describe(const RepairReport& report);

/// A mesh that bounds a solid: vertices that nearly coincide are welded, surfaces that meet at an edge separated, holes
/// filled with the surface of minimum area (Barequet and Sharir 1995; beyond 400 edges, by ear clipping), triangles
/// oriented. A filled hole is a guess, and the report says how large it is. Throws MeshError if the result still does
/// not bound a solid, and InvalidParameter.
STICTION_EXPORT Mesh repaired_mesh(const Mesh& mesh, const std::string& name = "mesh",
                                   const RepairOptions& options = {}, RepairReport* report = nullptr);

}  // namespace stiction::geometry
