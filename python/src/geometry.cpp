// Meshes, distance fields and point shells.
#include <cmath>

#include "core.h"
#include "haptics/paper_parts.h"
#include "long_call.h"
#include "stiction/geometry/cache.h"
#include "stiction/geometry/distance_field.h"
#include "stiction/geometry/mesh_check.h"
#include "stiction/geometry/mesh_file.h"
#include "stiction/geometry/point_shell.h"
#include "stiction/geometry/shapes.h"
#include "stiction/geometry/solids.h"
#include "stiction/geometry/triangle_tree.h"
#include "stiction/problem.h"
#include "value.h"

namespace stiction::python {
namespace {

namespace geo = geometry;
using geo::Mesh;

Vector3 vec3(const py::object& given, const char* name) { return vector_of<3>(given, name); }

std::vector<Vector3> path_of(const ArrayLike& path) {
  const Table points = table_of(path, "path", {-1, 3});
  std::vector<Vector3> result;
  for (py::ssize_t i = 0; i < points.shape(0); ++i) {
    result.push_back({points.at(i, 0), points.at(i, 1), points.at(i, 2)});
  }
  return result;
}

Mesh mesh_from(const ArrayLike& vertices, const ArrayLike& triangles) {
  const Table v = table_of(vertices, "vertices", {-1, 3});
  const Table t = table_of(triangles, "triangles", {-1, 3});
  Mesh mesh;
  for (py::ssize_t i = 0; i < v.shape(0); ++i) {
    mesh.vertices.push_back({v.at(i, 0), v.at(i, 1), v.at(i, 2)});
  }
  for (py::ssize_t i = 0; i < t.shape(0); ++i) {
    geo::Triangle triangle{};
    for (py::ssize_t k = 0; k < 3; ++k) {
      const double index = t.at(i, k);
      if (!(index >= 0 && index < static_cast<double>(v.shape(0)) && index == std::floor(index))) {
        const std::string field = "triangles[" + std::to_string(i) + ", " + std::to_string(k) + "]";
        const std::string allowed = "the index of one of " + std::to_string(v.shape(0)) + " vertices";
        throw py::value_error(InvalidParameter::describe({field.c_str(), index, allowed.c_str()}));
      }
      triangle[static_cast<std::size_t>(k)] = static_cast<std::uint32_t>(index);
    }
    mesh.triangles.push_back(triangle);
  }
  geo::require_valid(mesh);
  return mesh;
}

geo::Cache cache_from(const PathLike& folder) {
  geo::Cache cache;
  if (!folder.is_none()) {
    cache.folder = path_text(folder);
  }
  return cache;
}

/// What the file system refuses is an OSError; what is wrong with the mesh stays a ValueError.
template <class F>
auto on_disk(const F& f) {
  try {
    return f();
  } catch (const Error&) {
    throw;
  } catch (const std::runtime_error& error) {
    PyErr_SetString(PyExc_OSError, error.what());
    throw py::error_already_set();
  }
}

void bind_mesh(py::module_& m) {
  py::class_<Mesh, std::shared_ptr<Mesh>> bound(m, "Mesh",
                                                "Triangles of a solid, counter-clockwise as seen from outside.");
  bind_value(bound, [](const py::object& mesh) {
    py::dict parts;
    parts["vertices"] = mesh.attr("vertices");
    parts["triangles"] = mesh.attr("triangles");
    return parts;
  });
  bound
      .def(py::init(&mesh_from), py::arg("vertices"), py::arg("triangles"),
           "(n, 3) [m], within 1e9 m, and (m, 3) indices; at least one triangle.")
      .def_property_readonly(
          "vertices",
          [](const py::object& self) {
            const auto& all = py::cast<const Mesh&>(self).vertices;
            return view_of({all.size(), 3}, sizeof(Vector3), all.empty() ? nullptr : all[0].data(), self);
          },
          "(n, 3) [m], a view.")
      .def_property_readonly(
          "triangles",
          [](const py::object& self) {
            const auto& all = py::cast<const Mesh&>(self).triangles;
            return view_of({all.size(), 3}, sizeof(geo::Triangle), all.empty() ? nullptr : all[0].data(), self);
          },
          "Indices of vertices (m, 3), a view.")
      .def_property_readonly(
          "bounds",
          [](const Mesh& mesh) {
            const auto box = geo::bounds(mesh);
            return std::pair(to_array(box.low), to_array(box.high));
          },
          "(low, high) [m]")
      .def_property_readonly(
          "area", [](const Mesh& mesh) { return geo::area(mesh); }, "[m^2]")
      .def_property_readonly(
          "volume", [](const Mesh& mesh) { return geo::volume(mesh); }, "[m^3]")
      .def_property_readonly(
          "closed", [](const Mesh& mesh) { return geo::is_closed(mesh); }, "Whether it bounds a solid without holes.")
      .def(
          "mass_properties",
          [](const Mesh& mesh, double density) {
            const auto p = geo::mass_properties(mesh, density);
            py::array_t<double> inertia({3, 3});
            for (std::size_t i = 0; i < 3; ++i) {
              std::copy(p.inertia[i].begin(), p.inertia[i].end(), inertia.mutable_data() + 3 * i);
            }
            return std::tuple(p.mass, to_array(p.centre), inertia);
          },
          py::arg("density"), "(mass [kg], centre [m], inertia (3, 3) [kg m^2]) for a density [kg/m^3].")
      .def(
          "checked",
          [](const Mesh& mesh) {
            geo::MeshReport report;
            Mesh repaired = geo::checked_mesh(mesh, "mesh", &report);
            return std::pair(std::move(repaired), geo::describe(report));
          },
          "(the mesh, repaired, what was changed). ValueError if it does not bound a solid.")
      .def(
          "moved", [](const Mesh& mesh, const ArrayLike& offset) { return geo::moved(mesh, vec3(offset, "offset")); },
          py::arg("offset"), "Elsewhere, by an offset (3,) [m].")
      .def(
          "rotated",
          [](const Mesh& mesh, const ArrayLike& axis, double angle) {
            return geo::rotated(mesh, geo::rotation(vec3(axis, "axis"), angle));
          },
          py::arg("axis"), py::arg("angle"), "About a unit axis by an angle [rad].")
      .def(
          "__add__", [](const Mesh& a, const Mesh& b) { return geo::joined(a, b); }, py::is_operator())
      .def(
          "__eq__", [](const Mesh& a, const Mesh& b) { return a == b; }, py::is_operator())
      .def(
          "save",
          [](const Mesh& mesh, const PathLike& path) { on_disk([&] { geo::write_mesh(path_text(path), mesh); }); },
          py::arg("path"), "As .stl or .ply.")
      .def("__repr__", [](const Mesh& mesh) {
        return "<mesh of " + std::to_string(mesh.vertices.size()) + " vertices, " +
               std::to_string(mesh.triangles.size()) + " triangles>";
      });
  m.def(
      "load_mesh", [](const PathLike& path) { return on_disk([&] { return geo::read_mesh(path_text(path)); }); },
      py::arg("path"), "From .stl, .obj or .ply, as it is; `checked` says whether it bounds a solid.");
  m.def(
      "box", [](const ArrayLike& size, std::size_t divisions) { return geo::box(vec3(size, "size"), divisions); },
      py::arg("size"), py::arg("divisions") = 1,
      "About the origin, with these sides (3,) [m] and so many squares along each.");
  m.def(
      "rounded_box",
      [](const ArrayLike& size, double radius, std::size_t divisions) {
        return geo::rounded_box(vec3(size, "size"), radius, divisions);
      },
      py::arg("size"), py::arg("radius"), py::arg("divisions") = 8, "A box whose edges are rounded with a radius [m].");
  m.def("sphere", &geo::sphere, py::arg("radius"), py::arg("cuts") = 4,
        "An icosahedron whose triangles are cut in four so many times, on a sphere [m].");
  m.def("cylinder", &geo::cylinder, py::arg("radius"), py::arg("length"), py::arg("sectors") = 64, py::arg("rings") = 1,
        "Along z about the origin, with so many sides [m].");
  m.def(
      "block_with_hole",
      [](const ArrayLike& size, double radius, std::size_t sectors, std::size_t rings) {
        return geo::block_with_hole(vec3(size, "size"), radius, sectors, rings);
      },
      py::arg("size"), py::arg("hole_radius"), py::arg("sectors") = 64, py::arg("rings") = 1,
      "A box with a round hole along z [m].");
  m.def("corner", &geo::corner, py::arg("size"), py::arg("thickness"), py::arg("walls"),
        "A floor (z <= 0) with 1 to 3 walls: x <= 0, y <= 0, x >= size. Lengths inside, and the thickness [m].");
  m.def(
      "tube",
      [](const ArrayLike& path, double radius, std::size_t sectors) {
        return geo::tube(path_of(path), radius, sectors);
      },
      py::arg("path"), py::arg("radius"), py::arg("sectors") = 24, "A round bar along straight pieces (n, 3) [m].");
  m.def(
      "scene",
      [](const OneOf<"Literal['cube-and-corner', 'door', 'engine-bay', 'peg-and-hole']">& chosen) {
        const std::string name = chosen;
        const std::map<std::string, lab::PaperParts (*)(const geo::Progress&)> known{
            {"cube-and-corner", lab::cube_and_corner},
            {"peg-and-hole", lab::peg_and_hole},
            {"engine-bay", lab::engine_bay},
            {"door", lab::door}};
        const auto found = known.find(name);
        if (found == known.end()) {
          throw py::value_error("there is no scene '" + name +
                                "'; there are cube-and-corner, door, engine-bay, peg-and-hole");
        }
        LongCall call;
        const lab::PaperParts scene = call.run([&] { return found->second(call.reporter()); });
        As<"stiction.results.SceneParts", py::dict> result{py::dict()};
        result["fixed"] = scene.fixed;
        result["moving"] = scene.moving;
        result["shell_moves"] = scene.shell_moves;
        result["moving_at"] = to_array(scene.moving_at);
        return result;
      },
      py::arg("name"), "Two parts: fixed, moving, shell_moves, moving_at [m].");

  using geo::Solid;
  py::class_<Solid> solid(m, "Solid", "A solid by its distance function; + joins, - cuts, & keeps what is in both.");
  bind_no_value(solid, "keep the mesh that meshed() makes");
  solid
      .def_static(
          "block", [](const ArrayLike& size, double r) { return Solid::block(vec3(size, "size"), r); }, py::arg("size"),
          py::arg("rounding") = 0.0, "A box about the origin with these sides (3,) and rounded edges [m].")
      .def_static("ball", &Solid::ball, py::arg("radius"), "About the origin [m].")
      .def_static("rod", &Solid::rod, py::arg("radius"), py::arg("length"), py::arg("rounding") = 0.0,
                  "A cylinder along z about the origin, with rounded edges [m].")
      .def_static(
          "pipe", [](const ArrayLike& path, double radius) { return Solid::pipe(path_of(path), radius); },
          py::arg("path"), py::arg("radius"), "Along straight pieces (n, 3) [m], with round ends and bends.")
      .def_property_readonly(
          "box", [](const Solid& s) { return std::pair(to_array(s.box().low), to_array(s.box().high)); },
          "The corners of a box that holds it [m].")
      .def(
          "distance", [](const Solid& s, const ArrayLike& p) { return s.distance(vec3(p, "p")); }, py::arg("p"),
          "Negative inside [m].")
      .def(
          "moved", [](const Solid& s, const ArrayLike& offset) { return s.moved(vec3(offset, "offset")); },
          py::arg("offset"), "Elsewhere, by an offset (3,) [m].")
      .def(
          "rotated",
          [](const Solid& s, const ArrayLike& axis, double angle) {
            return s.rotated(geo::rotation(vec3(axis, "axis"), angle));
          },
          py::arg("axis"), py::arg("angle"), "About a unit axis by an angle [rad].")
      .def(
          "__add__", [](const Solid& a, const Solid& b) { return a + b; }, py::is_operator())
      .def(
          "__sub__", [](const Solid& a, const Solid& b) { return a - b; }, py::is_operator())
      .def(
          "__and__", [](const Solid& a, const Solid& b) { return a & b; }, py::is_operator())
      .def(
          "meshed",
          [](const Solid& s, double spacing, double adaptivity) {
            LongCall call;
            return call.run([&] { return geo::meshed(s, spacing, adaptivity, call.reporter()); });
          },
          py::arg("spacing"), py::arg("adaptivity") = 0.0, "Its surface, from samples `spacing` apart [m].");
}

/// Of the points of a shell.
py::array_t<double> points_view(const py::object& shell, Vector3 geo::ShellPoint::*member) {
  const auto points = py::cast<const geo::PointShell&>(shell).points();
  return view_of({points.size(), 3}, sizeof(geo::ShellPoint), points.empty() ? nullptr : (points[0].*member).data(),
                 shell);
}

void bind_field(py::module_& m) {
  using Field = geo::DistanceField;
  py::class_<Field, std::shared_ptr<Field>> field(
      m, "DistanceField", "The signed distance to a closed mesh, negative inside; points are (3,) or (n, 3) [m].");
  bind_no_value(field, "keep its mesh, and make it again with a folder as cache=, where it is kept");
  field
      .def(py::init([](const Mesh& mesh, double resolution, double band, const PathLike& cache) {
             const auto kept = cache_from(cache);
             LongCall call;
             return call.run([&] {
               return geo::cached_distance_field(mesh, {resolution, band}, kept, call.reporter()).thing;
             });
           }),
           py::arg("mesh"), py::arg("resolution") = 256.0, py::arg("band") = 4.0, py::arg("cache") = py::none(),
           "resolution: cells along the longest side; band: cells in which it is exact; cache: a folder to keep it in.")
      .def_property_readonly("spacing", &Field::spacing, "[m]")
      .def_property_readonly("band", &Field::band, "[m]")
      .def_property_readonly("bytes", &Field::bytes, "In memory.")
      .def(
          "value",
          [](const Field& f, const ArrayLike& points) {
            auto values = map_rows<3, 1>(points, "points", [&](std::size_t, const double* p, double* out) {
              *out = f.value({p[0], p[1], p[2]});
            });
            return FloatOrArray(values.ndim() == 1 ? py::object(py::float_(values.at(0)))
                                                   : py::object(values.reshape({-1})));
          },
          py::arg("points"), "[m]: in the band the distance, elsewhere a lower bound with its sign.")
      .def(
          "at",
          [](const Field& f, const ArrayLike& points) {
            const auto all = map_rows<3, 5>(points, "points", [&](std::size_t, const double* p, double* out) {
              const auto sample = f.at({p[0], p[1], p[2]});
              out[0] = sample.value;
              std::copy(sample.gradient.begin(), sample.gradient.end(), out + 1);
              out[4] = sample.exact ? 1 : 0;
            });
            const py::object value = all.attr("__getitem__")(py::make_tuple(py::ellipsis(), 0));
            const py::object gradient = all.attr("__getitem__")(py::make_tuple(py::ellipsis(), py::slice(1, 4, 1)));
            const py::object exact = all.attr("__getitem__")(py::make_tuple(py::ellipsis(), 4));
            return std::tuple(FloatOrArray(value), py::array_t<double>(gradient),
                              As<"bool | NDArray[bool]">(py::object(exact.attr("astype")("bool"))));
          },
          py::arg("points"), "(value [m], gradient, exact)")
      .def(
          "clearance",
          [](const Field& f, const ArrayLike& points) {
            auto values = map_rows<3, 1>(points, "points", [&](std::size_t, const double* p, double* out) {
              *out = f.clearance(Vector3{p[0], p[1], p[2]});
            });
            return FloatOrArray(values.ndim() == 1 ? py::object(py::float_(values.at(0)))
                                                   : py::object(values.reshape({-1})));
          },
          py::arg("points"), "A radius [m] around each point in which the value is nowhere negative.");

  using Shell = geo::PointShell;
  py::class_<Shell, std::shared_ptr<Shell>> shell(m, "PointShell",
                                                  "Points all over a mesh, in levels from coarse to fine.");
  bind_no_value(shell, "keep its mesh, and make it again with a folder as cache=, where it is kept");
  shell
      .def(py::init([](const Mesh& mesh, int points, int levels, std::uint64_t seed, const PathLike& cache) {
             const auto kept = cache_from(cache);
             LongCall call;
             return call.run([&] {
               return geo::cached_point_shell(mesh, {points, levels, seed}, kept, call.reporter()).thing;
             });
           }),
           py::arg("mesh"), py::arg("points") = 8000, py::arg("levels") = 8, py::arg("seed") = 1,
           py::arg("cache") = py::none())
      .def("__len__", [](const Shell& s) { return s.points().size(); })
      .def_property_readonly(
          "positions", [](const py::object& self) { return points_view(self, &geo::ShellPoint::position); },
          "(n, 3) [m], a view.")
      .def_property_readonly(
          "normals", [](const py::object& self) { return points_view(self, &geo::ShellPoint::normal); },
          "(n, 3), outwards, a view.")
      .def_property_readonly(
          "levels",
          [](const Shell& s) {
            py::array_t<std::uint32_t> result(static_cast<py::ssize_t>(s.points().size()));
            for (std::size_t i = 0; i < s.points().size(); ++i) {
              result.mutable_data()[i] = static_cast<std::uint32_t>(s.level_of(i));
            }
            return result;
          },
          "The coarsest level that has each point, (n,).")
      .def_property_readonly(
          "spacing",
          [](const Shell& s) {
            std::vector<double> all;
            for (std::size_t level = 0; level < s.levels(); ++level) {
              all.push_back(s.spacing(level));
            }
            return to_array(all);
          },
          "Of each level [m].");

  using Tree = geo::TriangleTree;
  py::class_<Tree, std::shared_ptr<Tree>> tree(m, "TriangleTree", "The exact distance from points to a mesh.");
  bind_no_value(tree, "keep its mesh, and make it again");
  tree.def(py::init<const Mesh&>(), py::arg("mesh"))
      .def(
          "closest",
          [](const Tree& tree, const ArrayLike& points) {
            const auto all = map_rows<3, 4>(points, "points", [&](std::size_t, const double* p, double* out) {
              const auto closest = tree.closest({p[0], p[1], p[2]});
              out[0] = closest.distance;
              std::copy(closest.point.begin(), closest.point.end(), out + 1);
            });
            const auto part = [&](const py::object& columns) {
              return py::object(all.attr("__getitem__")(py::make_tuple(py::ellipsis(), columns)));
            };
            return std::pair(FloatOrArray(part(py::int_(0))), py::array_t<double>(part(py::slice(1, 4, 1))));
          },
          py::arg("points"), "(distance [m], nearest point [m])");
}

}  // namespace

void bind_geometry(py::module_& root) {
  auto m = part(root, "geometry", "Meshes of solids, distance fields, point shells. Metres.");
  bind_mesh(m);
  bind_field(m);
}

}  // namespace stiction::python
