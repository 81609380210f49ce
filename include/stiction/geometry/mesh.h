// Triangle meshes of solids: plain data, and integral properties.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "stiction/export.h"
#include "stiction/problem.h"
#include "stiction/vector.h"

namespace stiction::geometry {

/// Called with the progress of a long call, 0 to 1, by one thread at a time, a few times per second or more. If it
/// throws, the call stops and passes the exception on.
using Progress = std::function<void(double fraction)>;

/// A mesh is not usable. The message is one line.
class STICTION_EXPORT MeshError : public Error {
 public:
  using Error::Error;
};

using Triangle = std::array<std::uint32_t, 3>;  // indices of vertices, counter-clockwise as seen from outside

struct Mesh {
  std::vector<Vector3> vertices;  // [m]
  std::vector<Triangle> triangles;

  [[nodiscard]] std::array<Vector3, 3> corners(std::size_t triangle) const noexcept {
    const Triangle& t = triangles[triangle];
    return {vertices[t[0]], vertices[t[1]], vertices[t[2]]};
  }
  friend bool operator==(const Mesh&, const Mesh&) = default;
};

/// Throws MeshError unless there are triangles, all corners are vertices, and all vertices are within 1e9 m of the
/// origin. All functions that process a mesh check this, except the noexcept functions below, which require it.
/// `name` is at the start of the message.
STICTION_EXPORT void require_valid(const Mesh& mesh, const std::string& name = "mesh");

/// An axis-aligned box.
struct STICTION_EXPORT Box {
  Vector3 low{}, high{};  // [m]
  [[nodiscard]] Vector3 size() const noexcept { return difference(high, low); }
  [[nodiscard]] Vector3 middle() const noexcept { return scaled(0.5, sum(low, high)); }
  [[nodiscard]] double longest_side() const noexcept;
};
/// Whether all six numbers are finite and low ≤ high in each component.
STICTION_EXPORT bool is_box(const Box& box) noexcept;
/// The bounding box of the vertices; all 0 if there are none.
STICTION_EXPORT Box bounds(const Mesh& mesh) noexcept;

/// Twice the area of a triangle times its unit normal: (b − a) × (c − a).
STICTION_EXPORT Vector3 area_vector(const std::array<Vector3, 3>& corners) noexcept;

STICTION_EXPORT double area(const Mesh& mesh) noexcept;  // [m²]
/// Volume of the solid that a closed mesh bounds [m³]; negative if the triangles face inwards.
STICTION_EXPORT double volume(const Mesh& mesh) noexcept;

/// Mass properties of a solid of uniform density.
struct MassProperties {
  double mass = 0;                                 // [kg]
  Vector3 centre{};                                // of mass [m]
  std::array<std::array<double, 3>, 3> inertia{};  // about the centre of mass, along the axes of the mesh [kg m²]
};
/// For a closed mesh. Throws InvalidParameter unless the density [kg/m³] is positive, MeshError without a volume.
STICTION_EXPORT MassProperties mass_properties(const Mesh& mesh, double density);

}  // namespace stiction::geometry
