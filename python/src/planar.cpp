// Patches, limit surfaces, and loads on them.
#include "planar.h"

#include <pybind11/complex.h>

#include <cmath>
#include <numbers>

#include "stiction/io/patch_file.h"
#include "stiction/planar/ellipsoid.h"
#include "stiction/planar/held_normals.h"
#include "stiction/planar/limit_surface.h"
#include "stiction/planar/shapes.h"
#include "stiction/planar/slip.h"
#include "value.h"

namespace stiction::python {
namespace {

const std::map<std::string, planar::Rule>& rules() {
  static const std::map<std::string, planar::Rule> all{
      {"exact", planar::Rule::exact}, {"midpoint", planar::Rule::midpoint}, {"bilinear", planar::Rule::bilinear}};
  return all;
}

using PressureFunction = As<"Callable[[float, float], float]">;

planar::Pressure pressure_from(const PressureFunction& given) {
  return given.is_none() ? planar::Pressure{} : py::cast<planar::Pressure>(given);
}

/// What makes a patch that this made. A pressure that is a function cannot be written down.
Patch made(planar::Patch patch, const char* maker, const py::dict& arguments) {
  if (arguments.contains("pressure") && arguments["pressure"].is_none()) {
    arguments.attr("pop")("pressure");
  }
  return {std::move(patch), call_text(std::string("Patch.") + maker, arguments)};
}
/// The same patch, changed by another call.
Patch changed(planar::Patch patch, const Patch& from, const py::object& call) {
  const std::string text = from.call + py::cast<std::string>(call);
  return {std::move(patch), from.call.starts_with("<") ? from.call : text};
}

py::tuple parts_of(const planar::Points& points) {
  return py::make_tuple(to_array(points.x), to_array(points.y), to_array(points.share));
}
planar::Points points_from(const py::handle& given) {
  const auto columns = py::cast<std::array<std::vector<double>, 3>>(given);
  return {columns[0], columns[1], columns[2]};
}
py::dict parts_of(const Patch& patch) {
  const Patch::Data& data = patch.data();
  const planar::PressureGrid& grid = data.grid;
  py::dict parts;
  parts["points"] = parts_of(data.points);
  parts["centre_of_pressure"] = py::make_tuple(data.centre_of_pressure.x, data.centre_of_pressure.y);
  parts["radii"] = py::make_tuple(data.radius, data.torque_radius, data.mean_square_radius);
  parts["corners"] = parts_of(data.corners);
  parts["moments"] =
      py::array_t<std::complex<double>>(static_cast<py::ssize_t>(data.moments.size()), data.moments.data());
  parts["cells"] = py::make_tuple(grid.columns, grid.rows);
  parts["grid"] = py::make_tuple(grid.corner.x, grid.corner.y, grid.width, grid.height);
  parts["pressure"] = to_array(grid.pressure);
  parts["call"] = patch.call;
  return parts;
}
Patch patch_from(const py::dict& parts) {
  const auto numbers = [&]<std::size_t N>(const char* name, std::integral_constant<std::size_t, N>) {
    return py::cast<std::array<double, N>>(parts[name]);
  };
  const auto at = numbers("centre_of_pressure", std::integral_constant<std::size_t, 2>{});
  const auto radii = numbers("radii", std::integral_constant<std::size_t, 3>{});
  const auto grid = numbers("grid", std::integral_constant<std::size_t, 4>{});
  const auto cells = py::cast<std::array<std::size_t, 2>>(parts["cells"]);
  Patch::Data data{
      points_from(parts["points"]),
      {at[0], at[1]},
      radii[0],
      radii[1],
      radii[2],
      points_from(parts["corners"]),
      py::cast<std::vector<std::complex<double>>>(parts["moments"]),
      {cells[0], cells[1], {grid[0], grid[1]}, grid[2], grid[3], py::cast<std::vector<double>>(parts["pressure"])}};
  return {planar::Patch(std::move(data)), py::cast<std::string>(parts["call"])};
}

constexpr std::ptrdiff_t max_points = planar::max_patch_points;

void bind_making(py::class_<Patch, PatchPtr>& patch) {
  using namespace py::literals;
  patch
      .def_static(
          "grid",
          [](const ArrayLike& pressure, double width, double height, const ArrayLike& corner) {
            const Table values = table_of(pressure, "pressure", {-1, -1});
            planar::PressureGrid grid;
            grid.rows = static_cast<std::size_t>(values.shape(0));
            grid.columns = static_cast<std::size_t>(values.shape(1));
            grid.width = width;
            grid.height = height;
            grid.corner = corner.is_none() ? planar::Point{} : point_of(corner, "corner");
            grid.pressure.assign(values.data(), values.data() + values.size());
            return made(planar::Patch(grid), "grid",
                        py::dict("pressure"_a = values, "width"_a = width, "height"_a = height,
                                 "corner"_a = py::make_tuple(grid.corner.x, grid.corner.y)));
          },
          py::arg("pressure"), py::arg("width"), py::arg("height"), py::arg("corner") = py::none(),
          "Constant pressure in each cell of a grid, any factor: the first row is the top, with the largest y, as in "
          "an image and in files, columns from the left; width and height of a cell [m]; lower left corner [m].")
      .def_static(
          "points",
          [](const ArrayLike& x, const ArrayLike& y, const ArrayLike& share) {
            const Table xs = table_of(x, "x", {-1});
            const Table ys = table_of(y, "y", {xs.shape(0)});
            const Table shares = table_of(share, "share", {xs.shape(0)});
            return made(planar::Patch(planar::Points{{xs.data(), xs.data() + xs.size()},
                                                     {ys.data(), ys.data() + ys.size()},
                                                     {shares.data(), shares.data() + shares.size()}}),
                        "points", py::dict("x"_a = xs, "y"_a = ys, "share"_a = shares));
          },
          py::arg("x"), py::arg("y"), py::arg("share"),
          "Points [m] that carry shares of the normal force, any factor. One point takes no torque.")
      .def_static(
          "disc",
          [](double radius, std::ptrdiff_t rings, std::ptrdiff_t sectors,
             const As<"Callable[[float], float]">& pressure) {
            return made(
                planar::Patch(planar::disc_points(
                    radius, count_of(rings, "rings", 1000), count_of(sectors, "sectors", max_points),
                    pressure.is_none() ? std::function<double(double)>{}
                                       : py::cast<std::function<double(double)>>(pressure))),
                "disc",
                py::dict("radius"_a = radius, "rings"_a = rings, "sectors"_a = sectors, "pressure"_a = pressure));
          },
          py::arg("radius"), py::arg("rings") = 4, py::arg("sectors") = 9, py::arg("pressure") = py::none(),
          "A disc [m] by Gauss points; pressure(share of the radius), even unless given.")
      .def_static(
          "rectangle",
          [](double width, double height, std::ptrdiff_t columns, std::ptrdiff_t rows,
             const PressureFunction& pressure) {
            return made(
                planar::Patch(planar::rectangle_points(width, height, count_of(columns, "columns", max_points),
                                                       count_of(rows, "rows", max_points), pressure_from(pressure))),
                "rectangle",
                py::dict("width"_a = width, "height"_a = height, "columns"_a = columns, "rows"_a = rows,
                         "pressure"_a = pressure));
          },
          py::arg("width"), py::arg("height"), py::arg("columns") = 6, py::arg("rows") = 6,
          py::arg("pressure") = py::none(), "A rectangle [m] by Gauss points; pressure(x, y), even unless given.")
      .def_static(
          "polygon",
          [](const std::vector<ArrayLike>& loops, std::ptrdiff_t columns, std::ptrdiff_t rows,
             const PressureFunction& pressure) {
            std::vector<std::vector<planar::Point>> outlines;
            for (const auto& loop : loops) {
              const Table corners = table_of(loop, "loops", {-1, 2});
              auto& outline = outlines.emplace_back();
              for (py::ssize_t i = 0; i < corners.shape(0); ++i) {
                outline.push_back({corners.at(i, 0), corners.at(i, 1)});
              }
            }
            py::list corners;
            for (const auto& loop : loops) {
              corners.append(numbers_of(loop, "loops"));
            }
            return made(
                planar::Patch(planar::polygon_grid(outlines, count_of(columns, "columns", max_points),
                                                   count_of(rows, "rows", max_points), pressure_from(pressure))),
                "polygon",
                py::dict("loops"_a = corners, "columns"_a = columns, "rows"_a = rows, "pressure"_a = pressure));
          },
          py::arg("loops"), py::arg("columns") = 32, py::arg("rows") = 32, py::arg("pressure") = py::none(),
          "A polygon of closed loops, each (k, 2) [m], by the odd-even rule; loops may be holes, and may cross.")
      .def_static(
          "function",
          [](const planar::Pressure& pressure, const ArrayLike& low, const ArrayLike& high, std::ptrdiff_t columns,
             std::ptrdiff_t rows, std::ptrdiff_t samples) {
            return Patch(
                planar::Patch(planar::pressure_grid(
                    pressure, point_of(low, "low"), point_of(high, "high"), count_of(columns, "columns", max_points),
                    count_of(rows, "rows", max_points), count_of(samples, "samples", 64))),
                "<Patch.function>");
          },
          py::arg("pressure"), py::arg("low"), py::arg("high"), py::arg("columns") = 32, py::arg("rows") = 32,
          py::arg("samples") = 8, "Any pressure(x, y) over a box from `low` to `high` [m].")
      .def_static(
          "paper",
          [](const OneOf<"Literal['square', 'circle', 'line', 'gradient-line', 'gradient-line-x', 'non-convex-1', "
                         "'non-convex-2']">& name,
             std::ptrdiff_t n, double side) {
            namespace paper = planar::paper;
            const std::map<std::string, planar::PressureGrid (*)(std::size_t, double)> masks{
                {"square", paper::square},
                {"circle", paper::circle},
                {"line", paper::line},
                {"gradient-line", paper::gradient_line},
                {"gradient-line-x", paper::gradient_line_x},
                {"non-convex-1", paper::non_convex_1},
                {"non-convex-2", paper::non_convex_2}};
            const std::string chosen = name;
            const auto found = masks.find(chosen);
            if (found == masks.end()) {
              std::string names;
              for (const auto& [known, mask] : masks) {
                names += (names.empty() ? "" : ", ") + known;
              }
              throw py::value_error("there is no mask '" + chosen + "'; there are " + names);
            }
            return made(planar::Patch(found->second(count_of(n, "n", 1000), side)), "paper",
                        py::dict("name"_a = name, "n"_a = n, "side"_a = side));
          },
          py::arg("name"), py::arg("n") = 21, py::arg("side") = 0.02,
          "The masks of Waltersson and Karayiannidis, n x n cells over a square of a side [m].");
}

py::array_t<double> column_of(const py::object& patch, std::vector<double> planar::Points::*member) {
  return view_of(std::span<const double>(py::cast<const Patch&>(patch).points().*member), patch);
}

void bind_patch(py::module_& m) {
  py::class_<Patch, PatchPtr> patch(
      m, "Patch",
      "Where the normal force of a contact acts. Twists (v_x, v_y, spin) and wrenches (f_x, f_y, torque) are taken at "
      "its centre of pressure; a wrench is what friction exerts on the moving body.");
  bind_making(patch);
  patch
      .def_property_readonly(
          "centre_of_pressure", [](const Patch& p) { return to_array(p.centre_of_pressure()); }, "(2,) [m]")
      .def_property_readonly(
          "x", [](const py::object& self) { return column_of(self, &planar::Points::x); },
          "Of its points, from the centre of pressure [m], a view.")
      .def_property_readonly(
          "y", [](const py::object& self) { return column_of(self, &planar::Points::y); }, "The same along y [m].")
      .def_property_readonly(
          "share", [](const py::object& self) { return column_of(self, &planar::Points::share); },
          "Of the normal force, of sum 1, a view.")
      .def("__len__", [](const Patch& p) { return p.size(); })
      .def_property_readonly(
          "radius", [](const Patch& p) { return p.radius(); }, "The farthest point's distance [m].")
      .def_property_readonly(
          "torque_radius", [](const Patch& p) { return p.torque_radius(); },
          "r: torque of a pure rotation for mu f_N = 1 [m].")
      .def_property_readonly(
          "mean_square_radius", [](const Patch& p) { return p.mean_square_radius(); }, "u [m^2]")
      .def(
          "scaled",
          [](const Patch& p, double factor) {
            return changed(p.scaled(factor), p, py::str(".scaled({!r})").format(factor));
          },
          py::arg("factor"), "The same patch, larger or smaller.")
      .def(
          "moved",
          [](const Patch& p, const ArrayLike& by) {
            const planar::Point to = point_of(by, "by");
            return changed(p.moved(to), p, py::str(".moved(({!r}, {!r}))").format(to.x, to.y));
          },
          py::arg("by"), "The same patch elsewhere [m].")
      .def(
          "wrench",
          [](const Patch& p, const ArrayLike& twist, const OneOf<"Literal['exact', 'midpoint', 'bilinear']">& rule) {
            const auto found = rules().find(rule);
            if (found == rules().end()) {
              throw py::value_error("there is no rule '" + std::string(rule) +
                                    "'; there are exact, midpoint, bilinear");
            }
            return map_rows<3, 3>(twist, "twist", [&](std::size_t, const double* v, double* out) {
              put(planar::coulomb_wrench(p, twist_from(v), found->second), out);
            });
          },
          py::arg("twist"), py::arg("rule") = "exact",
          "The limit surface: the wrench of Coulomb friction for mu f_N = 1, of one twist (3,) or of many (n, "
          "3). NaN "
          "shows in its row.")
      .def(
          "authors_wrench",
          [](const Patch& p, const ArrayLike& twist) {
            return map_rows<3, 3>(twist, "twist", [&](std::size_t, const double* v, double* out) {
              put(planar::authors_bilinear_wrench(p, twist_from(v)), out);
            });
          },
          py::arg("twist"), "The same with the rule of the paper's code.")
      .def_property_readonly(
          "forceless_centre_of_rotation",
          [](const Patch& p) { return to_array(planar::forceless_centre_of_rotation(p)); },
          "About which a rotation gives no force, from the centre of pressure [m].")
      .def(
          "limit_surface",
          [](const Patch& p, std::ptrdiff_t azimuth, std::ptrdiff_t elevation) {
            const std::size_t columns = count_of(azimuth, "azimuth", 2000);
            const std::size_t rows = count_of(elevation, "elevation", 2000);
            py::array_t<double> twists({rows * columns, std::size_t{3}});
            double* at = twists.mutable_data();
            const double r = p.torque_radius() > 0 ? p.torque_radius() : 1;
            for (std::size_t j = 0; j < rows; ++j) {
              const double phi = std::numbers::pi * (static_cast<double>(j) + 0.5) / static_cast<double>(rows);
              for (std::size_t i = 0; i < columns; ++i) {
                const double theta = 2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(columns);
                *at++ = std::cos(theta) * std::sin(phi);
                *at++ = std::sin(theta) * std::sin(phi);
                *at++ = std::cos(phi) / r;
              }
            }
            auto wrenches = map_rows<3, 3>(twists, "twist", [&](std::size_t, const double* v, double* out) {
              put(planar::coulomb_wrench(p, twist_from(v)), out);
            });
            const auto grid = [&](py::array_t<double> table) {
              return py::array_t<double>(table.reshape({py::ssize_t(rows), py::ssize_t(columns), py::ssize_t{3}}));
            };
            return std::pair(grid(twists), grid(wrenches));
          },
          py::arg("azimuth") = 72, py::arg("elevation") = 36,
          "(twists, wrenches), each (elevation, azimuth, 3), over all directions of motion, for mu f_N = 1.")
      .def(
          "__eq__", [](const Patch& a, const Patch& b) { return a.data() == b.data(); }, py::is_operator())
      .def("__repr__", [](const Patch& p) {
        return p.call.starts_with("<")
                   ? py::str("<Patch of {} points, torque radius {:.6g} m>").format(p.size(), p.torque_radius())
                   : py::str(p.call);
      });
  bind_value(
      patch, [](const Patch& p) { return parts_of(p); }, &patch_from);
  m.def(
      "load_patch", [](const PathLike& path) { return Patch(io::read_patch_file(path_text(path)), "<load_patch>"); },
      py::arg("path"), "The [patch] of a TOML file, also from a CSV or PNG image beside it.");
  m.def(
      "parse_patch", [](const std::string& text) { return Patch(io::parse_patch_file(text, "text"), "<parse_patch>"); },
      py::arg("text"), "The same from text.");
  m.def(
      "twist_at",
      [](const ArrayLike& twist, const ArrayLike& from, const ArrayLike& to) {
        const auto a = point_of(from, "start");
        const auto b = point_of(to, "end");
        return map_rows<3, 3>(twist, "twist", [&](std::size_t, const double* v, double* out) {
          put(planar::at_point(twist_from(v), a, b), out);
        });
      },
      py::arg("twist"), py::arg("start"), py::arg("end"), "The same motion, seen at another point [m].");
  m.def(
      "wrench_at",
      [](const ArrayLike& wrench, const ArrayLike& from, const ArrayLike& to) {
        const auto a = point_of(from, "start");
        const auto b = point_of(to, "end");
        return map_rows<3, 3>(wrench, "wrench", [&](std::size_t, const double* v, double* out) {
          put(planar::at_point(wrench_from(v), a, b), out);
        });
      },
      py::arg("wrench"), py::arg("start"), py::arg("end"), "The same forces, with the torque about another point [m].");
}

const char* name_of(planar::Contact contact) {
  return contact == planar::Contact::sticks ? "sticks" : contact == planar::Contact::slides ? "slides" : "parts";
}

void bind_slip(py::module_& m) {
  py::class_<planar::Slip> slip(m, "Slip", "What a load does to a patch.");
  slip.def_readonly("factor", &planar::Slip::factor, "The load times this is on the limit surface.")
      .def_readonly("gap", &planar::Slip::gap, "Proven: the true factor is in [factor (1 - gap), factor].")
      .def_property_readonly(
          "twist", [](const planar::Slip& s) { return to_array(s.twist); },
          "Direction of the motion that starts there.")
      .def_readonly("rounds", &planar::Slip::rounds, "Directions of motion that were tried.")
      .def_readonly("proven", &planar::Slip::proven, "Whether the gap is at most 1e-9.")
      .def_property_readonly("slips", &planar::Slip::slips, "Whether the patch moves.");
  bind_plain(slip, {"slips", "factor", "gap", "twist", "rounds", "proven"});
  m.def(
      "slip",
      [](const Patch& patch, const ArrayLike& load, double friction) {
        return planar::slip(patch, wrench_of(load), checked_non_negative(friction, "friction"));
      },
      py::arg("patch"), py::arg("load"), py::arg("friction"),
      "Does a patch with friction = mu f_N [N] slip under a load (f_x, f_y, torque) on the body, and which way?");
  m.def(
      "slip_factors",
      [](const Patch& patch, const ArrayLike& loads, double friction) {
        checked_non_negative(friction, "friction");
        return map_rows<3, 4>(loads, "loads", [&](std::size_t, const double* v, double* out) {
          const auto answer = planar::slip(patch, wrench_from(v), friction);
          out[0] = answer.factor;
          put(answer.twist, out + 1);
        });
      },
      py::arg("patch"), py::arg("loads"), py::arg("friction"),
      "The same for many loads (n, 3): (n, 4) with factor and twist; at 1 and below it slips. A load that is not "
      "finite "
      "gives a row of NaN.");
  m.def(
      "holds",
      [](const Patch& patch, const ArrayLike& load, double friction) {
        return planar::holds(patch, wrench_of(load), checked_non_negative(friction, "friction"));
      },
      py::arg("patch"), py::arg("load"), py::arg("friction"), "Whether the patch stays at rest; quicker than `slip`.");
  m.def(
      "pushed",
      [](const Patch& patch, double friction, const ArrayLike& contact, const ArrayLike& normal,
         const ArrayLike& velocity, double coefficient) {
        const auto n = finite_vector<2>(normal, "normal");
        const auto v = finite_vector<2>(velocity, "velocity");
        if (n[0] == 0 && n[1] == 0) {
          throw InvalidParameter(Problem{"normal", 0, "a direction, not (0, 0)"});
        }
        checked_non_negative(friction, "friction");
        if (!(coefficient >= 0)) {
          throw InvalidParameter(Problem{"coefficient", coefficient, ">= 0, or inf"});
        }
        const auto push =
            planar::pushed(patch, friction, {point_of(contact, "contact"), {n[0], n[1]}, coefficient}, {v[0], v[1]});
        return std::tuple(to_array(push.twist), to_array(push.load),
                          OneOf<"Literal['sticks', 'slides', 'parts']">(py::str(name_of(push.contact))));
      },
      py::arg("patch"), py::arg("friction"), py::arg("contact"), py::arg("normal"), py::arg("velocity"),
      py::arg("coefficient") = infinity,
      "A body that rests on the patch and is pushed slowly at a point [m] along a velocity [m/s]: (twist, load of the "
      "pusher, 'sticks', 'slides' or 'parts').");

  m.def(
      "hold_normals",
      [](const ArrayLike& w, const ArrayLike& velocity) {
        const Table v = table_of(velocity, "velocity", {-1});
        const Table rows = table_of(w, "w", {v.size(), v.size()});
        const planar::HeldNormals held =
            planar::hold_normals(std::span(rows.data(), static_cast<std::size_t>(rows.size())),
                                 std::span(v.data(), static_cast<std::size_t>(v.size())));
        py::array_t<double> mobility({3, 3});
        for (std::size_t i = 0; i < 3; ++i) {
          std::copy(held.mobility[i].begin(), held.mobility[i].end(), mobility.mutable_data() + 3 * i);
        }
        return std::pair(to_array(held.free_twist), mobility);
      },
      py::arg("w"), py::arg("velocity"),
      "(free twist, mobility) for `solve`, of a patch whose n contact points keep their normal velocity at zero. "
      "w = J M^-1 J' and velocity = J q', with the rows of J for the twist (x, y, spin), then for the normal "
      "velocities.");

  using planar::LimitEllipsoid;
  py::class_<LimitEllipsoid> ellipsoid(m, "LimitEllipsoid", "The ellipsoid w' B^-1 w = 1 for mu f_N = 1.");
  bind_plain(ellipsoid, {"matrix"});
  ellipsoid
      .def_static(
          "of_radius",
          [](double r) {
            if (!planar::patch_sizes.holds(r)) {
              throw InvalidParameter(Problem{"torque_radius", r, planar::patch_sizes.text});
            }
            return LimitEllipsoid::of_radius(r);
          },
          py::arg("torque_radius"), "Semi-axes 1, 1, r [m].")
      .def_static(
          "fitted",
          [](const Patch& patch, bool free_axes, int directions) {
            return planar::fitted_ellipsoid(patch, free_axes ? planar::Axes::free : planar::Axes::of_the_plane,
                                            directions);
          },
          py::arg("patch"), py::arg("free_axes") = true, py::arg("directions") = 2000,
          "With the least error of the wrench.")
      .def_property_readonly(
          "matrix",
          [](const LimitEllipsoid& e) {
            py::array_t<double> b({3, 3});
            const std::array<double, 9> values{e.diagonal[0], e.xy,       e.x_torque, e.xy,         e.diagonal[1],
                                               e.y_torque,    e.x_torque, e.y_torque, e.diagonal[2]};
            std::copy(values.begin(), values.end(), b.mutable_data());
            return b;
          },
          "B (3, 3)")
      .def(
          "wrench",
          [](const LimitEllipsoid& e, const ArrayLike& twist) {
            return map_rows<3, 3>(
                twist, "twist", [&](std::size_t, const double* v, double* out) { put(e.wrench(twist_from(v)), out); });
          },
          py::arg("twist"), "-B v/sqrt(v' B v), of one twist or many.")
      .def(
          "slip",
          [](const LimitEllipsoid& e, const ArrayLike& load, double friction) {
            return e.slip(wrench_of(load), checked_non_negative(friction, "friction"));
          },
          py::arg("load"), py::arg("friction"),
          "As `slip` of a patch; the twist has another scale: load . twist = factor.")
      .def(
          "pushed",
          [](const LimitEllipsoid& e, const ArrayLike& arm, const ArrayLike& velocity) {
            const auto v = finite_vector<2>(velocity, "velocity");
            return to_array(e.pushed(point_of(arm, "arm"), {v[0], v[1]}));
          },
          py::arg("arm"), py::arg("velocity"), "The twist of a body whose point at `arm` [m] is taken along.")
      .def(
          "error",
          [](const LimitEllipsoid& e, const Patch& patch, int directions) {
            const auto error = planar::error_of(e, patch, directions);
            As<"stiction.results.EllipsoidError", py::dict> result{py::dict()};
            result["wrench_rms"] = error.wrench_rms;
            result["wrench_largest"] = error.wrench_largest;
            result["load_rms"] = error.load_rms;
            result["load_largest"] = error.load_largest;
            return result;
          },
          py::arg("patch"), py::arg("directions") = 2000, "How far it is from the surface of a patch.");
}

}  // namespace

void bind_planar(py::module_& root) {
  auto m = part(root, "planar", "Friction of contact patches: the wrench of a twist.");
  bind_patch(m);
  bind_slip(m);
  bind_planar_models(m);
  bind_planar_batches(m);
}

}  // namespace stiction::python
