// Triangle meshes of solids: plain data, and what follows from it by integration.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "stiction/problem.h"
#include "stiction/spatial/vector.h"

namespace stiction::geometry {

using Vec3 = spatial::Vector<double, 3>;

/// Told how far a long call is, 0 to 1, by one thread at a time, a few times a second or more. The call stops where it
/// throws, and hands the exception on.
using Progress = std::function<void(double fraction)>;

/// Something about a mesh that cannot be used. The message is one line.
class MeshError : public Error {
 public:
  using Error::Error;
};

using Triangle = std::array<std::uint32_t, 3>;  // indices of vertices, counter-clockwise as seen from outside

struct Mesh {
  std::vector<Vec3> vertices;  // [m]
  std::vector<Triangle> triangles;

  [[nodiscard]] std::array<Vec3, 3> corners(std::size_t triangle) const noexcept {
    const Triangle& t = triangles[triangle];
    return {vertices[t[0]], vertices[t[1]], vertices[t[2]]};
  }
  friend bool operator==(const Mesh&, const Mesh&) = default;
};

/// Throws MeshError unless there are triangles, all corners are vertices, and all vertices are within 1e9 m of the
/// origin. All that makes something of a mesh checks it so; the noexcept functions below take such meshes only.
/// `name` stands at the start of the message.
void require_valid(const Mesh& mesh, const std::string& name = "mesh");

/// A box along the axes.
struct Box {
  Vec3 low{}, high{};  // [m]
  [[nodiscard]] Vec3 size() const noexcept { return spatial::difference(high, low); }
  [[nodiscard]] Vec3 middle() const noexcept { return spatial::scaled(0.5, spatial::sum(low, high)); }
  [[nodiscard]] double longest_side() const noexcept;
};
/// Whether all six numbers are finite and none of `high` is below that of `low`.
bool is_box(const Box& box) noexcept;
/// The smallest box around the vertices; all 0 where there are none.
Box bounds(const Mesh& mesh) noexcept;

/// Twice the area of a triangle times its unit normal: (b − a) × (c − a).
Vec3 area_vector(const std::array<Vec3, 3>& corners) noexcept;

double area(const Mesh& mesh) noexcept;  // [m²]
/// Of the solid that a closed mesh bounds [m³]; negative where the triangles face inwards.
double volume(const Mesh& mesh) noexcept;

/// A solid of even density.
struct MassProperties {
  double mass = 0;                                 // [kg]
  Vec3 centre{};                                   // of mass [m]
  std::array<std::array<double, 3>, 3> inertia{};  // about the centre of mass, along the axes of the mesh [kg m²]
};
/// For a closed mesh. Throws InvalidParameter unless the density [kg/m³] is positive, MeshError without a volume.
MassProperties mass_properties(const Mesh& mesh, double density);

}  // namespace stiction::geometry
