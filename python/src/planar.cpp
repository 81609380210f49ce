// Patches, limit surfaces, and loads on them.
#include "planar.h"

#include <cmath>
#include <numbers>

#include "stiction/io/patch_file.h"
#include "stiction/planar/ellipsoid.h"
#include "stiction/planar/held_normals.h"
#include "stiction/planar/limit_surface.h"
#include "stiction/planar/shapes.h"
#include "stiction/planar/slip.h"

namespace stiction::python {
namespace {

using planar::Patch;

const std::map<std::string, planar::Rule>& rules() {
  static const std::map<std::string, planar::Rule> all{
      {"exact", planar::Rule::exact}, {"midpoint", planar::Rule::midpoint}, {"bilinear", planar::Rule::bilinear}};
  return all;
}

planar::Pressure pressure_from(const py::object& given) {
  return given.is_none() ? planar::Pressure{} : py::cast<planar::Pressure>(given);
}

constexpr std::ptrdiff_t max_points = planar::max_patch_points;

void bind_making(py::class_<Patch, std::shared_ptr<Patch>>& patch) {
  patch
      .def_static(
          "grid",
          [](const py::object& pressure, double width, double height, const py::object& corner) {
            const Table values = table_of(pressure, "pressure", {-1, -1});
            planar::PressureGrid grid;
            grid.rows = static_cast<std::size_t>(values.shape(0));
            grid.columns = static_cast<std::size_t>(values.shape(1));
            grid.width = width;
            grid.height = height;
            grid.corner = corner.is_none() ? planar::Point{} : point_of(corner, "corner");
            grid.pressure.assign(values.data(), values.data() + values.size());
            return Patch(grid);
          },
          py::arg("pressure"), py::arg("width"), py::arg("height"), py::arg("corner") = py::none(),
          "Constant pressure in each cell of a grid, any factor: the first row is the top, with the largest y, as in "
          "an image and in files, columns from the left; width and height of a cell [m]; lower left corner [m].")
      .def_static(
          "points",
          [](const py::object& x, const py::object& y, const py::object& share) {
            const Table xs = table_of(x, "x", {-1});
            const Table ys = table_of(y, "y", {xs.shape(0)});
            const Table shares = table_of(share, "share", {xs.shape(0)});
            return Patch(planar::Points{{xs.data(), xs.data() + xs.size()},
                                        {ys.data(), ys.data() + ys.size()},
                                        {shares.data(), shares.data() + shares.size()}});
          },
          py::arg("x"), py::arg("y"), py::arg("share"),
          "Points [m] that carry shares of the normal force, any factor. One point takes no torque.")
      .def_static(
          "disc",
          [](double radius, std::ptrdiff_t rings, std::ptrdiff_t sectors, const py::object& pressure) {
            return Patch(planar::disc_points(radius, count_of(rings, "rings", 1000),
                                             count_of(sectors, "sectors", max_points),
                                             pressure.is_none() ? std::function<double(double)>{}
                                                                : py::cast<std::function<double(double)>>(pressure)));
          },
          py::arg("radius"), py::arg("rings") = 4, py::arg("sectors") = 9, py::arg("pressure") = py::none(),
          "A disc [m] by Gauss points; pressure(share of the radius), even unless given.")
      .def_static(
          "rectangle",
          [](double width, double height, std::ptrdiff_t columns, std::ptrdiff_t rows, const py::object& pressure) {
            return Patch(planar::rectangle_points(width, height, count_of(columns, "columns", max_points),
                                                  count_of(rows, "rows", max_points), pressure_from(pressure)));
          },
          py::arg("width"), py::arg("height"), py::arg("columns") = 6, py::arg("rows") = 6,
          py::arg("pressure") = py::none(), "A rectangle [m] by Gauss points; pressure(x, y), even unless given.")
      .def_static(
          "polygon",
          [](const std::vector<py::object>& loops, std::ptrdiff_t columns, std::ptrdiff_t rows,
             const py::object& pressure) {
            std::vector<std::vector<planar::Point>> outlines;
            for (const auto& loop : loops) {
              const Table corners = table_of(loop, "loops", {-1, 2});
              auto& outline = outlines.emplace_back();
              for (py::ssize_t i = 0; i < corners.shape(0); ++i) {
                outline.push_back({corners.at(i, 0), corners.at(i, 1)});
              }
            }
            return Patch(planar::polygon_grid(outlines, count_of(columns, "columns", max_points),
                                              count_of(rows, "rows", max_points), pressure_from(pressure)));
          },
          py::arg("loops"), py::arg("columns") = 32, py::arg("rows") = 32, py::arg("pressure") = py::none(),
          "A polygon of closed loops, each (k, 2) [m], by the odd-even rule; loops may be holes, and may cross.")
      .def_static(
          "function",
          [](const planar::Pressure& pressure, const py::object& low, const py::object& high, std::ptrdiff_t columns,
             std::ptrdiff_t rows, std::ptrdiff_t samples) {
            return Patch(planar::pressure_grid(pressure, point_of(low, "low"), point_of(high, "high"),
                                               count_of(columns, "columns", max_points),
                                               count_of(rows, "rows", max_points), count_of(samples, "samples", 64)));
          },
          py::arg("pressure"), py::arg("low"), py::arg("high"), py::arg("columns") = 32, py::arg("rows") = 32,
          py::arg("samples") = 8, "Any pressure(x, y) over a box from `low` to `high` [m].")
      .def_static(
          "paper",
          [](const std::string& name, std::ptrdiff_t n, double side) {
            namespace paper = planar::paper;
            const std::map<std::string, planar::PressureGrid (*)(std::size_t, double)> masks{
                {"square", paper::square},
                {"circle", paper::circle},
                {"line", paper::line},
                {"gradient-line", paper::gradient_line},
                {"gradient-line-x", paper::gradient_line_x},
                {"non-convex-1", paper::non_convex_1},
                {"non-convex-2", paper::non_convex_2}};
            const auto found = masks.find(name);
            if (found == masks.end()) {
              std::string names;
              for (const auto& [known, mask] : masks) {
                names += (names.empty() ? "" : ", ") + known;
              }
              throw py::value_error("there is no mask '" + name + "'; there are " + names);
            }
            return Patch(found->second(count_of(n, "n", 1000), side));
          },
          py::arg("name"), py::arg("n") = 21, py::arg("side") = 0.02,
          "The masks of Waltersson and Karayiannidis, n x n cells over a square of a side [m].");
}

void bind_patch(py::module_& m) {
  py::class_<Patch, std::shared_ptr<Patch>> patch(
      m, "Patch",
      "Where the normal force of a contact acts. Twists (v_x, v_y, spin) and wrenches (f_x, f_y, torque) are taken at "
      "its centre of pressure; a wrench is what friction exerts on the moving body.");
  bind_making(patch);
  patch
      .def_property_readonly(
          "centre_of_pressure", [](const Patch& p) { return to_array(p.centre_of_pressure()); }, "(2,) [m]")
      .def_property_readonly(
          "x", [](const Patch& p) { return to_array(p.points().x); }, "Of its points, from the centre of pressure [m].")
      .def_property_readonly("y", [](const Patch& p) { return to_array(p.points().y); })
      .def_property_readonly(
          "share", [](const Patch& p) { return to_array(p.points().share); }, "Of the normal force, of sum 1.")
      .def("__len__", &Patch::size)
      .def_property_readonly("radius", &Patch::radius, "The farthest point's distance [m].")
      .def_property_readonly("torque_radius", &Patch::torque_radius, "r: torque of a pure rotation for mu f_N = 1 [m].")
      .def_property_readonly("mean_square_radius", &Patch::mean_square_radius, "u [m^2]")
      .def("scaled", &Patch::scaled, py::arg("factor"), "The same patch, larger or smaller.")
      .def(
          "moved", [](const Patch& p, const py::object& by) { return p.moved(point_of(by, "by")); }, py::arg("by"),
          "The same patch elsewhere [m].")
      .def(
          "wrench",
          [](const Patch& p, const py::object& twist, const std::string& rule) {
            const auto found = rules().find(rule);
            if (found == rules().end()) {
              throw py::value_error("there is no rule '" + rule + "'; there are exact, midpoint, bilinear");
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
          [](const Patch& p, const py::object& twist) {
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
            return py::make_tuple(twists.reshape({py::ssize_t(rows), py::ssize_t(columns), py::ssize_t{3}}),
                                  wrenches.reshape({py::ssize_t(rows), py::ssize_t(columns), py::ssize_t{3}}));
          },
          py::arg("azimuth") = 72, py::arg("elevation") = 36,
          "(twists, wrenches), each (elevation, azimuth, 3), over all directions of motion, for mu f_N = 1.")
      .def("__repr__", [](const Patch& p) {
        return "<patch of " + std::to_string(p.size()) + " points, torque radius " + std::to_string(p.torque_radius()) +
               " m>";
      });
  m.def(
      "load_patch", [](const std::string& path) { return io::read_patch_file(path); }, py::arg("path"),
      "The [patch] of a TOML file, also from a CSV or PNG image beside it.");
  m.def(
      "parse_patch", [](const std::string& text) { return io::parse_patch_file(text, "text"); }, py::arg("text"),
      "The same from text.");
  m.def(
      "twist_at",
      [](const py::object& twist, const py::object& from, const py::object& to) {
        const auto a = point_of(from, "start");
        const auto b = point_of(to, "end");
        return map_rows<3, 3>(twist, "twist", [&](std::size_t, const double* v, double* out) {
          put(planar::at_point(twist_from(v), a, b), out);
        });
      },
      py::arg("twist"), py::arg("start"), py::arg("end"), "The same motion, seen at another point [m].");
  m.def(
      "wrench_at",
      [](const py::object& wrench, const py::object& from, const py::object& to) {
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
  py::class_<planar::Slip>(m, "Slip", "What a load does to a patch.")
      .def_readonly("factor", &planar::Slip::factor, "The load times this is on the limit surface.")
      .def_readonly("gap", &planar::Slip::gap, "Proven: the true factor is in [factor (1 - gap), factor].")
      .def_property_readonly(
          "twist", [](const planar::Slip& s) { return to_array(s.twist); },
          "Direction of the motion that starts there.")
      .def_readonly("rounds", &planar::Slip::rounds)
      .def_readonly("proven", &planar::Slip::proven)
      .def_property_readonly("slips", &planar::Slip::slips)
      .def("__repr__", [](const planar::Slip& s) {
        const char* const what = std::isnan(s.factor) ? "unknown" : s.slips() ? "slips" : "holds";
        return std::string("<") + what + ", factor " + std::to_string(s.factor) + ">";
      });
  m.def(
      "slip",
      [](const Patch& patch, const py::object& load, double friction) {
        return planar::slip(patch, wrench_of(load), checked_non_negative(friction, "friction"));
      },
      py::arg("patch"), py::arg("load"), py::arg("friction"),
      "Does a patch with friction = mu f_N [N] slip under a load (f_x, f_y, torque) on the body, and which way?");
  m.def(
      "slip_factors",
      [](const Patch& patch, const py::object& loads, double friction) {
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
      [](const Patch& patch, const py::object& load, double friction) {
        return planar::holds(patch, wrench_of(load), checked_non_negative(friction, "friction"));
      },
      py::arg("patch"), py::arg("load"), py::arg("friction"), "Whether the patch stays at rest; quicker than `slip`.");
  m.def(
      "pushed",
      [](const Patch& patch, double friction, const py::object& contact, const py::object& normal,
         const py::object& velocity, double coefficient) {
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
        return py::make_tuple(to_array(push.twist), to_array(push.load), name_of(push.contact));
      },
      py::arg("patch"), py::arg("friction"), py::arg("contact"), py::arg("normal"), py::arg("velocity"),
      py::arg("coefficient") = infinity,
      "A body that rests on the patch and is pushed slowly at a point [m] along a velocity [m/s]: (twist, load of the "
      "pusher, 'sticks', 'slides' or 'parts').");

  m.def(
      "hold_normals",
      [](const py::object& w, const py::object& velocity) {
        const Table v = table_of(velocity, "velocity", {-1});
        const Table rows = table_of(w, "w", {v.size(), v.size()});
        const planar::HeldNormals held =
            planar::hold_normals(std::span(rows.data(), static_cast<std::size_t>(rows.size())),
                                 std::span(v.data(), static_cast<std::size_t>(v.size())));
        py::array_t<double> mobility({3, 3});
        for (std::size_t i = 0; i < 3; ++i) {
          std::copy(held.mobility[i].begin(), held.mobility[i].end(), mobility.mutable_data() + 3 * i);
        }
        return py::make_tuple(to_array(held.free_twist), mobility);
      },
      py::arg("w"), py::arg("velocity"),
      "(free twist, mobility) for `solve`, of a patch whose n contact points keep their normal velocity at zero. "
      "w = J M^-1 J' and velocity = J q', with the rows of J for the twist (x, y, spin), then for the normal "
      "velocities.");

  using planar::LimitEllipsoid;
  py::class_<LimitEllipsoid>(m, "LimitEllipsoid", "The ellipsoid w' B^-1 w = 1 for mu f_N = 1.")
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
          [](const LimitEllipsoid& e, const py::object& twist) {
            return map_rows<3, 3>(
                twist, "twist", [&](std::size_t, const double* v, double* out) { put(e.wrench(twist_from(v)), out); });
          },
          py::arg("twist"), "-B v/sqrt(v' B v), of one twist or many.")
      .def(
          "slip",
          [](const LimitEllipsoid& e, const py::object& load, double friction) {
            return e.slip(wrench_of(load), checked_non_negative(friction, "friction"));
          },
          py::arg("load"), py::arg("friction"))
      .def(
          "pushed",
          [](const LimitEllipsoid& e, const py::object& arm, const py::object& velocity) {
            const auto v = finite_vector<2>(velocity, "velocity");
            return to_array(e.pushed(point_of(arm, "arm"), {v[0], v[1]}));
          },
          py::arg("arm"), py::arg("velocity"), "The twist of a body whose point at `arm` [m] is taken along.")
      .def(
          "error",
          [](const LimitEllipsoid& e, const Patch& patch, int directions) {
            const auto error = planar::error_of(e, patch, directions);
            py::dict result;
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
  auto m = root.def_submodule("planar", "Friction of contact patches: the wrench of a twist.");
  bind_patch(m);
  bind_slip(m);
  bind_planar_models(m);
}

}  // namespace stiction::python
